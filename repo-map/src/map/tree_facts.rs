//! Packs all paths of a tree into a few kilobytes of a flown plan, and unpacks them.

use std::io::{Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::plan::TreeFacts;
use crate::source::scan::Tree;

/// The maximum size of a plan's paths, unpacked, in bytes.
const MAX_PATHS: u64 = 256 << 20;

/// Returns the facts of the tree for a flown plan.
pub(crate) fn tree_facts(tree: &Tree) -> TreeFacts {
    let list = front_coded(tree.files.iter().map(|file| file.path.as_str()));
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder
        .write_all(&list)
        .and_then(|()| encoder.finish())
        .expect("writing to memory does not fail");
    TreeFacts {
        files: tree.files.len(),
        digest: blake3::hash(&list).to_hex().to_string(),
        paths: STANDARD.encode(packed),
    }
}

/// Encodes each path as the number of bytes it shares with the one before, a tab, the rest, and a
/// line break; paths contain neither.
fn front_coded<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut last = "";
    for path in paths {
        let mut shared = last.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
        while !path.is_char_boundary(shared) {
            shared -= 1;
        }
        out.extend_from_slice(format!("{shared}\t{}\n", &path[shared..]).as_bytes());
        last = path;
    }
    out
}

pub(crate) fn unpacked(facts: &TreeFacts) -> Option<Vec<String>> {
    let packed = STANDARD.decode(&facts.paths).ok()?;
    let mut list = String::new();
    DeflateDecoder::new(&packed[..]).take(MAX_PATHS).read_to_string(&mut list).ok()?;
    let mut paths: Vec<String> = Vec::new();
    // The packed size is bounded, but shared prefixes multiply it, so the unpacked size is bounded
    // too.
    let mut left = MAX_PATHS as usize;
    for line in list.lines() {
        let (shared, rest) = line.split_once('\t')?;
        let shared: usize = shared.parse().ok()?;
        let path = match paths.last() {
            Some(last) => format!("{}{rest}", last.get(..shared)?),
            None => rest.to_owned(),
        };
        left = left.checked_sub(path.len())?;
        paths.push(path);
    }
    Some(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_packing() {
        let paths = ["a/b", "a/bc", "a/ü", "a/ý", "z"];
        let list = front_coded(paths.iter().copied());
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&list).unwrap();
        let facts = TreeFacts {
            files: 5,
            digest: String::new(),
            paths: STANDARD.encode(encoder.finish().unwrap()),
        };
        assert_eq!(unpacked(&facts).unwrap(), paths);
    }

    #[test]
    fn paths_that_would_fill_the_memory_are_not_unpacked() {
        let list = format!("0\t{}\n{}", "a".repeat(1 << 20), "1048576\tx\n".repeat(400));
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(list.as_bytes()).unwrap();
        let facts = TreeFacts {
            files: 401,
            digest: String::new(),
            paths: STANDARD.encode(encoder.finish().unwrap()),
        };
        assert_eq!(unpacked(&facts), None);
    }
}
