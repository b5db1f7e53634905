//! A flown plan back to its map, without ranking, or the paths that stand against it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::fit::Shown;
use crate::fit::folders::Folders;
use crate::level::{Level, LevelRange};
use crate::map::compose::{self, Canvas, Selection};
use crate::map::effective::RuleLayers;
use crate::map::flown::{TOOL, unpacked};
use crate::map::items::{base_choice, pinned};
use crate::map::repo::{Options, Repo, in_force, scan_options};
use crate::map::{FileReport, ItemReport, Part, PartKind, RepoMap, RuleOrigin};
use crate::outline::languages::Languages;
use crate::plan::{FlightPlan, ItemRule, Provenance, RuleSet};
use crate::render::{NO_OUTLINE, Style};
use crate::source::scan::{self, FileEntry, FileId, Mark, ScanOptions, Tree};
use crate::text::sanitize::{Gate, Sanitized};

/// What a replay found.
#[derive(Debug, Clone)]
pub enum Replay {
    /// The map is the same, byte for byte.
    Identical {
        /// The map.
        text: Sanitized,
        /// Its size.
        tokens: u32,
    },
    /// What the map shows is what it was; files that it only counts came or went.
    ShownIdentical(Drift),
    /// What the map shows is not what it was.
    Drifted(Drift),
    /// The map cannot be rebuilt, and why.
    Impossible(String),
}

/// The paths that stand against a replay: those that the map shows, and those elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drift {
    /// Files shown above level path whose bytes are others now.
    pub changed: Vec<String>,
    /// Files shown, by their path or more, that are no longer there.
    pub gone: Vec<String>,
    /// The other files, which a map counts at most.
    pub elsewhere: Elsewhere,
    /// Whether each changed file differs in nothing but its line ends.
    pub in_line_ends_only: bool,
    /// The folder, seen from the one that was replayed, whose paths the plan's are: it was flown
    /// there.
    pub folder: Option<String>,
}

/// Files that came and went where a map shows none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Paths that were not there.
    pub appeared: Vec<String>,
    /// Paths that are no longer there.
    pub gone: Vec<String>,
}

impl Drift {
    /// Whether all that the map shows is there as it was.
    pub fn is_elsewhere(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty()
    }

    fn is_none(&self) -> bool {
        self.is_elsewhere() && self.elsewhere == Elsewhere::default()
    }

    /// The paths in groups, what is shown first: for each group a word, and its paths.
    pub fn groups(&self) -> [(&'static str, &[String]); 4] {
        [
            ("changed", &self.changed),
            ("gone", &self.gone),
            ("appeared elsewhere", &self.elsewhere.appeared),
            ("gone elsewhere", &self.elsewhere.gone),
        ]
    }

    /// What the changed files have in common, and the way out, where they have.
    pub fn hint(&self) -> Option<&'static str> {
        const LINE_ENDS: &str = "the changed files differ only in line ends (git's \
            `core.autocrlf`?); `* text=auto eol=lf` in \
            .gitattributes, and a fresh checkout, give every machine the same";
        self.in_line_ends_only.then_some(LINE_ENDS)
    }
}

/// Rebuilds the map of a flown plan over the repository at `root`. `ignored` are paths that are no
/// part of it besides those the plan names: the plan itself, the replay's own output; so is the
/// file that standard output goes to.
///
/// # Errors
/// [`Error::NotFlown`] when no run left the plan behind; [`Error::Io`] when the folder cannot be
/// read.
pub fn replay(
    root: &Path,
    file: &str,
    plan: &FlightPlan,
    ignored: &[String],
    stdout: Option<FileId>,
) -> Result<Replay> {
    Ok(rebuild(root, file, plan, ignored, stdout)?.0)
}

/// What a replay was made of.
pub(crate) struct Rebuilt {
    pub(crate) tree: Tree,
    pub(crate) languages: Languages,
    parts: Vec<Part>,
}

/// The same, with the tree where the map is the same.
pub(crate) fn rebuild(
    root: &Path,
    file: &str,
    plan: &FlightPlan,
    ignored: &[String],
    stdout: Option<FileId>,
) -> Result<(Replay, Option<Rebuilt>)> {
    let Some(provenance) = &plan.provenance else {
        return Err(Error::NotFlown { file: file.to_owned() });
    };
    let plan = with_ignored(plan, ignored);
    let tree = scan::walk(root, &ScanOptions { own: stdout, ..scan_options(&plan) })?;
    let ignored: Vec<String> = ignored.iter().chain(&tree.own).cloned().collect();
    let (rules, languages) = (RuleSet::new(&plan.rules)?, in_force(&plan)?);
    let gate = plan.scan.gate();
    let then = paths_then(provenance, &ignored);
    let drift = drift(&tree, &then, provenance, &rules);
    if !drift.is_elsewhere() {
        return Ok((Replay::Drifted(drift), None));
    }
    // A map counts the files that it does not show. With the paths of then it must be the same,
    // byte for byte.
    let tree = if drift.is_none() { tree } else { tree_of(tree, then) };

    let style = Style::from(&plan.context);
    let folders = Folders::of(&tree);
    let selection = select(&tree, &rules, &languages, gate);
    let canvas = Canvas {
        tree: &tree,
        folders: &folders,
        languages: &languages,
        entries: &BTreeMap::new(),
        style,
        gate,
    };
    let rendered = compose::draw(canvas, &selection, plan.context.tokens);
    let digest = blake3::hash(rendered.text.as_bytes()).to_hex().to_string();
    if digest == provenance.map.digest && !drift.is_none() {
        return Ok((Replay::ShownIdentical(drift), None));
    }
    if digest == provenance.map.digest {
        let rebuilt = Rebuilt { tree, languages, parts: rendered.parts };
        return Ok((
            Replay::Identical { text: rendered.text, tokens: rendered.tokens },
            Some(rebuilt),
        ));
    }
    let why = if provenance.tool == TOOL {
        format!(
            "{file}: the files shown are the same but the plan is not: its rules or context were \
             edited since it was flown (fly it again: `navigator explore --plan {file}`)"
        )
    } else {
        format!("{file}: needs {}, this is {TOOL}, whose maps differ", provenance.tool)
    };
    Ok((Replay::Impossible(why), None))
}

impl Rebuilt {
    /// What became of each file, as the plan's exact rules say it.
    ///
    /// # Errors
    /// When a glob does not compile.
    pub(crate) fn files(&self, plan: &FlightPlan) -> Result<Vec<FileReport>> {
        let rules = RuleSet::new(&plan.rules)?;
        let blocks = self.parts.iter().filter(|part| part.kind == PartKind::File);
        let sizes: BTreeMap<&str, u32> =
            blocks.map(|part| (part.path.as_str(), part.tokens)).collect();
        let report = |file: &FileEntry| {
            let verdict = rules.verdict(&file.path);
            // Where items stand is not known without an outline, and a replay makes those of shown
            // files only.
            let item = |item: &ItemRule| ItemReport {
                name: item.name.clone(),
                level: item.level,
                lines: (0, 0),
            };
            FileReport {
                path: file.path.clone(),
                level: verdict.level.map_or(Level::Fold, |range| range.ceiling),
                was: verdict.was,
                items: verdict.items.iter().map(item).collect(),
                spans: Vec::new(),
                tokens: sizes.get(file.path.as_str()).copied().unwrap_or(0),
                worth: 0,
                rule: verdict.rule.map(RuleOrigin::Person),
                bound: verdict.rule,
                mark: verdict.mark.and_then(known_mark),
            }
        };
        Ok(self.tree.files.iter().map(report).collect())
    }
}

/// Makes a map of a drifted repository: the plan's levels are ceilings, and the fit runs again.
///
/// # Errors
/// As [`Repo::open`].
pub fn refit(
    root: &Path,
    plan: &FlightPlan,
    ignored: &[String],
    stdout: Option<FileId>,
) -> Result<RepoMap> {
    Ok(refit_repo(root, plan, ignored, stdout)?.1)
}

/// The same, with the repository, and the plan that the map was made by.
///
/// # Errors
/// As [`Repo::open`].
pub fn refit_repo(
    root: &Path,
    plan: &FlightPlan,
    ignored: &[String],
    stdout: Option<FileId>,
) -> Result<(Repo, RepoMap, FlightPlan)> {
    let mut plan = with_ignored(plan, ignored);
    plan.provenance = None;
    for rule in &mut plan.rules {
        rule.level =
            rule.level.map(|level| LevelRange { floor: Level::Exclude, ceiling: level.ceiling });
        rule.was = None;
        rule.mark = None;
    }
    let mut repo =
        Repo::open(root, &plan, &Options { without_history: true, stdout, ..Options::default() })?;
    let map = repo.map(RuleLayers { person: &plan.rules, pilot: &[] })?;
    Ok((repo, map, plan))
}

fn with_ignored(plan: &FlightPlan, ignored: &[String]) -> FlightPlan {
    let mut plan = plan.clone();
    plan.scan.ignored.extend(ignored.iter().cloned());
    plan
}

/// The paths the plan was flown over, in the order of maps.
fn paths_then(provenance: &Provenance, ignored: &[String]) -> Vec<String> {
    let mut then = unpacked(&provenance.tree).unwrap_or_default();
    // What is ignored only now (the plan, saved under a name the run did not know) was not there
    // when it was flown.
    then.retain(|path| !ignored.contains(path));
    then
}

fn drift(tree: &Tree, then: &[String], provenance: &Provenance, rules: &RuleSet<'_>) -> Drift {
    let mut drift = Drift::default();
    let now: BTreeSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
    let then: BTreeSet<&str> = then.iter().map(String::as_str).collect();
    let is_shown = |path: &str| {
        let verdict = rules.verdict(path);
        !verdict.items.is_empty() || verdict.level.is_some_and(|range| range.ceiling >= Level::Path)
    };
    drift.elsewhere.appeared = now.difference(&then).map(|path| (*path).to_owned()).collect();
    (drift.gone, drift.elsewhere.gone) =
        then.difference(&now).map(|path| (*path).to_owned()).partition(|path| is_shown(path));
    drift.folder = folder_of(&then, &now);
    let mut in_line_ends = 0;
    for file in &tree.files {
        let Some(digest) = provenance.files.get(&file.path) else { continue };
        let bytes = scan::read_bytes(file).ok();
        let is_then = |bytes: &[u8]| blake3::hash(bytes).to_hex().as_str() == digest;
        if !bytes.as_deref().is_some_and(is_then) {
            in_line_ends += usize::from(bytes.is_some_and(|bytes| {
                with_other_line_ends(&bytes).iter().any(|bytes| is_then(bytes))
            }));
            drift.changed.push(file.path.clone());
        }
    }
    drift.in_line_ends_only = in_line_ends > 0 && in_line_ends == drift.changed.len();
    drift
}

/// The folder whose paths these were, when it is not the one whose paths these are: a folder above,
/// as `..`, or one below.
fn folder_of(then: &BTreeSet<&str>, now: &BTreeSet<&str>) -> Option<String> {
    let above = prefix(now, then).map(|prefix| vec![".."; prefix.split('/').count()].join("/"));
    above.or_else(|| prefix(then, now).map(str::to_owned))
}

/// What most of the inner paths begin with among the outer ones, though not without it.
fn prefix<'a>(inner: &BTreeSet<&str>, outer: &BTreeSet<&'a str>) -> Option<&'a str> {
    const MOST_TRIED: usize = 8;
    let are_most = |n: usize| n * 2 > inner.len();
    if are_most(inner.intersection(outer).count()) {
        return None;
    }
    let before = |path: &str| {
        outer
            .iter()
            .filter_map(move |whole| whole.strip_suffix(path)?.strip_suffix('/'))
            .collect::<Vec<_>>()
    };
    let tried: BTreeSet<&str> = inner
        .iter()
        .take(MOST_TRIED)
        .flat_map(|path| before(path))
        .take(MOST_TRIED * MOST_TRIED)
        .collect();
    let is_it = |prefix: &&str| {
        are_most(
            inner.iter().filter(|path| outer.contains(format!("{prefix}/{path}").as_str())).count(),
        )
    };
    tried.into_iter().find(is_it)
}

/// A text with the line ends of Unix, and with those of Windows.
fn with_other_line_ends(bytes: &[u8]) -> [Vec<u8>; 2] {
    let mut unix = Vec::with_capacity(bytes.len());
    let mut windows = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => {}
            b'\n' => {
                unix.push(b'\n');
                windows.extend(b"\r\n");
            }
            byte => {
                unix.push(*byte);
                windows.push(*byte);
            }
        }
    }
    [unix, windows]
}

/// A tree with the paths of then. What is gone was not shown, so it has nothing to read.
fn tree_of(now: Tree, then: Vec<String>) -> Tree {
    let mut files: BTreeMap<String, FileEntry> =
        now.files.into_iter().map(|file| (file.path.clone(), file)).collect();
    let gone = |path: String| FileEntry {
        location: PathBuf::new(),
        path,
        bytes: 0,
        is_link: false,
        id: None,
        stamp: None,
    };
    let mut files: Vec<FileEntry> =
        then.into_iter().map(|path| files.remove(&path).unwrap_or_else(|| gone(path))).collect();
    files.sort_by(|a, b| scan::map_order(&a.path, &b.path));
    Tree { files, root: now.root, outside: now.outside, problems: now.problems, own: now.own }
}

/// The selection that exact rules name.
fn select(tree: &Tree, rules: &RuleSet<'_>, languages: &Languages, gate: Gate) -> Selection {
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
                    let source = scan::read(file, gate);
                    let (_, outline) = languages.outline_of(&file.path, &source);
                    let mut choice = base_choice(&outline, level);
                    for (item, level) in pinned(&outline, verdict.items) {
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
