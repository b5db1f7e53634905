//! All paths of a tree, packed into a few kilobytes of a flown plan, and back.

use std::io::{Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::plan::TreeFacts;
use crate::source::scan::Tree;

/// The most bytes of paths a plan may carry, unpacked.
const MAX_PATHS: u64 = 256 << 20;

/// What a flown plan says of the tree.
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

/// Each path as the number of bytes it shares with the one before, a tab, the rest, and a line
/// break: paths hold none.
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
    // What is packed is bounded; what paths share with those before them multiplies it.
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
