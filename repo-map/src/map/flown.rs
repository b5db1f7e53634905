//! The plan that a map leaves: exact levels, and what they were chosen over.

use std::io::{Read, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::fit::folders::Folders;
use crate::level::{Level, LevelRange};
use crate::map::FileReport;
use crate::map::compose::Rendered;
use crate::map::corpus::Corpus;
use crate::plan::{
    Context, FlightPlan, ItemRule, MapFacts, Provenance, Rule, TreeFacts, exact_glob,
};
use crate::source::scan::Tree;

/// This tool, as provenance names it.
pub(crate) const TOOL: &str = concat!("repo-map ", env!("CARGO_PKG_VERSION"));

/// The most bytes of paths a plan may carry, unpacked.
const MAX_PATHS: u64 = 256 << 20;

/// The plan that rebuilds a map: exact levels, and what they were chosen over.
pub(crate) fn plan_of(
    corpus: &Corpus,
    files: &[FileReport],
    rendered: &Rendered,
    budget: u32,
) -> FlightPlan {
    let Corpus { plan, tree, folders, .. } = corpus;
    let Rendered { text, tokens, digests, .. } = rendered;
    let mut scan = plan.scan.clone();
    scan.outside = Some(tree.outside.clone());
    FlightPlan {
        version: crate::plan::VERSION,
        goal: plan.goal.clone(),
        context: Context { tokens: budget, ..plan.context.clone() },
        scan,
        languages: plan.languages.clone(),
        rules: exact_rules(folders, files),
        provenance: Some(Provenance {
            tool: TOOL.to_owned(),
            map: MapFacts {
                tokens: *tokens,
                digest: blake3::hash(text.as_bytes()).to_hex().to_string(),
            },
            tree: corpus.tree_facts().clone(),
            files: digests
                .iter()
                .map(|(path, digest)| (path.clone(), digest.to_hex().to_string()))
                .collect(),
        }),
    }
}

/// Rules that give every path exactly the level it has: a level for folders where it changes, then
/// one rule a file.
fn exact_rules(folders: &Folders, files: &[FileReport]) -> Vec<Rule> {
    let sums = |level: Level| -> Vec<usize> {
        let counts = files.iter().scan(0, |sum, file| {
            *sum += usize::from(file.level == level);
            Some(*sum)
        });
        std::iter::once(0).chain(counts).collect()
    };
    let (folded, excluded) = (sums(Level::Fold), sums(Level::Exclude));
    let mut rules = Vec::new();
    let mut exceptions = Vec::new();
    let mut inherited: Vec<Option<Level>> = vec![None; folders.list.len()];
    for (at, folder) in folders.list.iter().enumerate() {
        let n = |sums: &[usize]| sums[folder.files.end] - sums[folder.files.start];
        let direct =
            |level: Level| folder.direct.iter().filter(|file| files[**file].level == level).count();
        let level = match (n(&folded), n(&excluded)) {
            (0, 0) => inherited[at],
            (_, 0) => Some(Level::Fold),
            (0, _) => Some(Level::Exclude),
            _ => match (direct(Level::Fold), direct(Level::Exclude)) {
                (0, 0) => inherited[at].or(Some(Level::Exclude)),
                (folded, excluded) if folded >= excluded => Some(Level::Fold),
                _ => Some(Level::Exclude),
            },
        };
        // The first rule is for every path, so that a plan says what becomes of those it does not
        // name.
        let level = if at == 0 { level.or(Some(Level::Exclude)) } else { level };
        if let Some(level) = level.filter(|level| inherited[at] != Some(*level)) {
            let glob = if at == 0 {
                "**".to_owned()
            } else {
                format!("{}/**", exact_glob(folder.path.trim_end_matches('/')))
            };
            rules.push(Rule::new(glob, LevelRange::exactly(level)));
        }
        for child in &folder.folders {
            inherited[*child] = level;
        }
        exceptions
            .extend(folder.direct.iter().copied().filter(|file| Some(files[*file].level) != level));
    }
    exceptions.sort_unstable();
    rules.extend(exceptions.into_iter().map(|at| {
        let file = &files[at];
        let items = file
            .items
            .iter()
            .map(|item| ItemRule { name: item.name.clone(), level: item.level })
            .collect::<Vec<_>>();
        Rule {
            path: exact_glob(&file.path),
            level: Some(LevelRange::exactly(file.level)),
            items: (!items.is_empty()).then_some(items),
            why: None,
            requested: file.requested,
            mark: file.mark.filter(|_| file.level == Level::Path).map(str::to_owned),
        }
    }));
    rules
}

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
