//! The flown plan and its replay: a map rebuilt from exact levels, without ranking, or the paths that stand against it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::error::{Error, Result};
use crate::fit::Shown;
use crate::folders::Folders;
use crate::index;
use crate::level::{Level, LevelRange};
use crate::map::{self, FileReport, Layers, Options, Repo, RepoMap, Selection};
use crate::plan::{FlightPlan, ItemRule, MapFacts, Masking, Provenance, Rule, Rules, TreeFacts, exact_glob};
use crate::render::{NO_OUTLINE, Style};
use crate::scan::{self, FileId, Mark, ScanOptions, Tree};

/// This tool, as provenance names it.
pub const TOOL: &str = concat!("repo-map ", env!("CARGO_PKG_VERSION"));

/// The most bytes of paths a plan may carry, unpacked.
const MAX_PATHS: u64 = 256 << 20;

/// The plan that rebuilds a map: exact levels, and what they were chosen over.
pub(crate) fn plan_of(
    repo: &Repo,
    files: &[FileReport],
    digests: &BTreeMap<String, blake3::Hash>,
    text: &str,
    tokens: u32,
    budget: u32,
) -> FlightPlan {
    let mut scan = repo.plan.scan.clone();
    scan.outside = Some(repo.tree.outside.clone());
    FlightPlan {
        version: crate::plan::VERSION,
        goal: repo.plan.goal.clone(),
        context: map::context_with(&repo.plan.context, budget),
        scan,
        rules: exact_rules(&repo.folders, files),
        provenance: Some(Provenance {
            tool: TOOL.to_owned(),
            map: MapFacts { tokens, digest: blake3::hash(text.as_bytes()).to_hex().to_string() },
            tree: repo.tree_facts.get_or_init(|| tree_facts(&repo.tree)).clone(),
            files: digests.iter().map(|(path, digest)| (path.clone(), digest.to_hex().to_string())).collect(),
        }),
    }
}

/// Rules that give every path exactly the level it has: a level for folders where it changes, then one rule a file.
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
        let direct = |level: Level| folder.direct.iter().filter(|file| files[**file].level == level).count();
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
        // The first rule is for every path, so that a plan says what becomes of those it does not name.
        let level = if at == 0 { level.or(Some(Level::Exclude)) } else { level };
        if let Some(level) = level.filter(|level| inherited[at] != Some(*level)) {
            let glob = if at == 0 { "**".to_owned() } else { format!("{}/**", exact_glob(folder.path.trim_end_matches('/'))) };
            rules.push(Rule::new(glob, LevelRange::exactly(level)));
        }
        for child in &folder.folders {
            inherited[*child] = level;
        }
        exceptions.extend(folder.direct.iter().copied().filter(|file| Some(files[*file].level) != level));
    }
    exceptions.sort_unstable();
    rules.extend(exceptions.into_iter().map(|at| {
        let file = &files[at];
        let items = file.items.iter().map(|item| ItemRule { name: item.name.clone(), level: item.level }).collect::<Vec<_>>();
        Rule {
            path: exact_glob(&file.path),
            level: Some(LevelRange::exactly(file.level)),
            items: (!items.is_empty()).then_some(items),
            why: None,
            was: file.was,
            mark: file.mark.filter(|_| file.level == Level::Path).map(str::to_owned),
        }
    }));
    rules
}

fn tree_facts(tree: &Tree) -> TreeFacts {
    let list = front_coded(tree.files.iter().map(|file| file.path.as_str()));
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(&list).and_then(|()| encoder.finish()).expect("writing to memory does not fail");
    TreeFacts { files: tree.files.len(), digest: blake3::hash(&list).to_hex().to_string(), paths: STANDARD.encode(packed) }
}

/// Each path as the number of bytes it shares with the one before, a tab, the rest, and a line break: paths hold none.
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

fn unpacked(facts: &TreeFacts) -> Option<Vec<String>> {
    let packed = STANDARD.decode(&facts.paths).ok()?;
    let mut list = String::new();
    DeflateDecoder::new(&packed[..]).take(MAX_PATHS).read_to_string(&mut list).ok()?;
    let mut paths: Vec<String> = Vec::new();
    for line in list.lines() {
        let (shared, rest) = line.split_once('\t')?;
        let shared: usize = shared.parse().ok()?;
        let path = match paths.last() {
            Some(last) => format!("{}{rest}", last.get(..shared)?),
            None => rest.to_owned(),
        };
        paths.push(path);
    }
    Some(paths)
}

/// What a replay found.
#[derive(Debug, Clone)]
pub enum Replay {
    /// The map is the same, byte for byte.
    Identical {
        /// The map.
        text: String,
        /// Its size.
        tokens: u32,
    },
    /// The repository is not the one the plan was flown over.
    Drifted(Drift),
    /// The map cannot be rebuilt, and why.
    Impossible(String),
}

/// The paths that stand against a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drift {
    /// Files shown in the map whose bytes are others now.
    pub changed: Vec<String>,
    /// Paths that were not there.
    pub appeared: Vec<String>,
    /// Paths that are no longer there.
    pub gone: Vec<String>,
}

impl Drift {
    fn is_none(&self) -> bool {
        self.changed.is_empty() && self.appeared.is_empty() && self.gone.is_empty()
    }
}

/// Rebuilds the map of a flown plan over the repository at `root`. `ignored` are paths that are no part of it besides
/// those the plan names: the plan itself, the replay's own output; so is the file that standard output goes to.
///
/// # Errors
/// [`Error::NotFlown`] when no run left the plan behind; [`Error::Io`] when the folder cannot be read.
pub fn replay(root: &Path, file: &str, plan: &FlightPlan, ignored: &[String], stdout: Option<FileId>) -> Result<Replay> {
    let Some(provenance) = &plan.provenance else { return Err(Error::NotFlown { file: file.to_owned() }) };
    let plan = with_ignored(plan, ignored);
    let tree = scan::walk(root, &ScanOptions { own: stdout, ..map::scan_options(&plan) })?;
    let ignored: Vec<String> = ignored.iter().chain(&tree.own).cloned().collect();
    let rules = Rules::new(&plan.rules)?;
    let unmasked = plan.scan.mask == Masking::Off;
    let drift = drift(&tree, provenance, &ignored);
    if !drift.is_none() {
        return Ok(Replay::Drifted(drift));
    }

    let style = Style::from(&plan.context);
    let folders = Folders::of(&tree);
    let selection = select(&tree, &rules, unmasked);
    let rendered = map::render_all(&tree, &folders, &selection, style, plan.context.tokens, unmasked, &BTreeMap::new());
    let digest = blake3::hash(rendered.text.as_bytes()).to_hex().to_string();
    if digest == provenance.map.digest {
        return Ok(Replay::Identical { text: rendered.text, tokens: rendered.tokens });
    }
    Ok(Replay::Impossible(if provenance.tool == TOOL {
        format!(
            "{file}: the files are the same but the plan is not: its rules or context were edited since it was flown (fly it again: `navigator explore --plan {file}`)"
        )
    } else {
        format!("{file}: needs {}, this is {TOOL}, whose maps differ", provenance.tool)
    }))
}

/// Makes a map of a drifted repository: the plan's levels are ceilings, and the fit runs again.
///
/// # Errors
/// As [`Repo::open`].
pub fn refit(root: &Path, plan: &FlightPlan, ignored: &[String], stdout: Option<FileId>) -> Result<RepoMap> {
    let mut plan = with_ignored(plan, ignored);
    plan.provenance = None;
    for rule in &mut plan.rules {
        rule.level = rule.level.map(|level| LevelRange { floor: Level::Exclude, ceiling: level.ceiling });
        rule.was = None;
        rule.mark = None;
    }
    let mut repo = Repo::open(root, &plan, &Options { without_history: true, stdout, ..Options::default() })?;
    let rules = plan.rules;
    repo.map(Layers { person: &rules, pilot: &[] })
}

fn with_ignored(plan: &FlightPlan, ignored: &[String]) -> FlightPlan {
    let mut plan = plan.clone();
    plan.scan.ignored.extend(ignored.iter().cloned());
    plan
}

fn drift(tree: &Tree, provenance: &Provenance, ignored: &[String]) -> Drift {
    let mut drift = Drift::default();
    let now: BTreeSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
    let then = unpacked(&provenance.tree).unwrap_or_default();
    // What is ignored only now (the plan, saved under a name the run did not know) was not there when it was flown.
    let then: BTreeSet<&str> = then.iter().map(String::as_str).filter(|path| !ignored.iter().any(|one| one == path)).collect();
    drift.appeared = now.difference(&then).map(|path| (*path).to_owned()).collect();
    drift.gone = then.difference(&now).map(|path| (*path).to_owned()).collect();
    for file in &tree.files {
        let Some(digest) = provenance.files.get(&file.path) else { continue };
        let same = scan::read_bytes(file).is_ok_and(|bytes| blake3::hash(&bytes).to_hex().as_str() == digest);
        if !same {
            drift.changed.push(file.path.clone());
        }
    }
    drift
}

/// The selection that exact rules name.
fn select(tree: &Tree, rules: &Rules<'_>, unmasked: bool) -> Selection {
    use rayon::prelude::*;
    let chosen: Vec<(Shown, Option<&'static str>, Option<Level>)> = tree
        .files
        .par_iter()
        .map(|file| {
            let verdict = rules.verdict(&file.path);
            let level = verdict.level.map_or(Level::Fold, |range| range.ceiling);
            let mark = verdict.mark.and_then(known_mark);
            let shown = match level {
                Level::Exclude => Shown::Exclude,
                Level::Fold => Shown::Fold,
                Level::Full => Shown::Full,
                Level::Path if verdict.items.is_empty() => Shown::Path,
                Level::Path | Level::Outline | Level::Interface => {
                    let source = scan::read(file, unmasked);
                    let (_, outline) = index::outline_of(&file.path, &source);
                    let mut choice = map::base_choice(&outline, level);
                    for (item, level) in map::pinned(&outline, verdict.items) {
                        choice.items[item] = level;
                    }
                    Shown::Items(choice)
                }
            };
            (shown, mark, verdict.was)
        })
        .collect();
    let mut selection = Selection { shown: Vec::new(), marks: Vec::new(), was: Vec::new() };
    for (shown, mark, was) in chosen {
        selection.shown.push(shown);
        selection.marks.push(mark);
        selection.was.push(was);
    }
    selection
}

fn known_mark(word: &str) -> Option<&'static str> {
    Mark::ALL.into_iter().map(Mark::as_str).chain([NO_OUTLINE]).find(|known| *known == word)
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
        let facts = TreeFacts { files: 5, digest: String::new(), paths: STANDARD.encode(encoder.finish().unwrap()) };
        assert_eq!(unpacked(&facts).unwrap(), paths);
    }
}
