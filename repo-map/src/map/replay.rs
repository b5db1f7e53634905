//! Replays a flown plan: rebuilds its map without ranking, or returns the paths that prevent it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::fit::Shown;
use crate::fit::folders::Folders;
use crate::level::{Level, LevelRange};
use crate::map::compose::{self, Canvas, Rendered, Selection};
use crate::map::corpus::{in_force, scan_options};
use crate::map::drift::{self, Drift};
use crate::map::effective::RuleLayers;
use crate::map::exact::{exact_level, shown_exactly};
use crate::map::flown::TOOL;
use crate::map::judged::Judged;
use crate::map::open::{open, open_tree};
use crate::map::options::Options;
use crate::map::{FileReport, ItemReport, Part, PartKind, RepoMap, RuleOrigin};
use crate::outline::languages::Languages;
use crate::plan::{Fill, FlightPlan, ItemRule, Provenance, RuleSet};
use crate::render::{NO_OUTLINE, Style};
use crate::source::location::{DocumentKind, Location};
use crate::source::scan::{self, FileEntry, FileId, Mark, ScanOptions, Tree};
use crate::text::sanitize::{Gate, Sanitized};

/// A replay of a flown plan: the same map from the same files, or the reason why not.
///
/// ```
/// # fn main() -> repo_map::Result<()> {
/// # let folder = tempfile::tempdir().expect("a temporary folder");
/// # std::fs::write(folder.path().join("lib.rs"), "pub fn add() {}\n").expect("written");
/// # let root = folder.path();
/// use repo_map::{FlightPlan, Options, Replay, ReplayOutcome, RuleLayers};
///
/// let judged = repo_map::open(root, &FlightPlan::default(), &Options::default())?;
/// let map = judged.map(RuleLayers::default())?;
/// let report = Replay::of(&map.flown).at(root).run()?;
/// let ReplayOutcome::Identical { text, .. } = report.outcome else { panic!("it drifted") };
/// assert_eq!(text, map.text);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Replay<'a> {
    plan: &'a FlightPlan,
    files: Files<'a>,
    ignored: &'a [String],
    stdout: Option<FileId>,
    name: &'a str,
}

/// The files of a replay.
#[derive(Debug, Clone, Copy)]
enum Files<'a> {
    Folder(&'a Path),
    Tree(&'a Tree),
}

/// A plan to replay; its files are named next.
#[derive(Debug, Clone, Copy)]
pub struct PlanToReplay<'a>(&'a FlightPlan);

impl<'a> PlanToReplay<'a> {
    /// Replays over the repository at `root`.
    pub fn at(self, root: &'a Path) -> Replay<'a> {
        self.over_files(Files::Folder(root))
    }

    /// Replays over a tree: the documents of the flown plan, or later versions of them.
    pub fn over(self, tree: &'a Tree) -> Replay<'a> {
        self.over_files(Files::Tree(tree))
    }

    fn over_files(self, files: Files<'a>) -> Replay<'a> {
        Replay { plan: self.0, files, ignored: &[], stdout: None, name: "the plan" }
    }
}

/// The result of a replay.
#[derive(Debug)]
pub struct ReplayReport<'a> {
    /// The outcome.
    pub outcome: ReplayOutcome,
    pub(crate) plan: &'a FlightPlan,
    /// The parts of the map, if it is identical.
    pub(crate) rebuilt: Option<Rebuilt>,
}

/// The outcome of a replay.
#[derive(Debug, Clone)]
pub enum ReplayOutcome {
    /// The map is identical, byte for byte.
    Identical {
        /// The map.
        text: Sanitized,
        /// The size in tokens.
        tokens: u32,
    },
    /// The shown files are unchanged; other files, which the map only counts, were added or
    /// deleted.
    ShownIdentical(Drift),
    /// Shown files have changed.
    Drifted(Drift),
    /// The map cannot be rebuilt; the reason.
    Impossible(String),
}

/// A new map of drifted files, with its inputs.
#[derive(Debug)]
pub struct Refit {
    /// The current files.
    pub judged: Judged,
    /// The new map.
    pub map: RepoMap,
    /// The plan of the new map: the levels of the flown plan as ceilings.
    pub plan: FlightPlan,
}

impl<'a> Replay<'a> {
    /// Sets up a replay of this plan.
    pub fn of(plan: &'a FlightPlan) -> PlanToReplay<'a> {
        PlanToReplay(plan)
    }

    /// Ignores paths that are not part of the repository, besides those that the plan names: the
    /// plan itself, the replay's own output.
    pub fn ignoring(self, ignored: &'a [String]) -> Replay<'a> {
        Replay { ignored, ..self }
    }

    /// Ignores the file behind standard output.
    pub fn stdout(self, stdout: Option<FileId>) -> Replay<'a> {
        Replay { stdout, ..self }
    }

    /// Sets the name of the plan's file for messages.
    pub fn named(self, name: &'a str) -> Replay<'a> {
        Replay { name, ..self }
    }

    /// Rebuilds the map. It ranks nothing, and parses only files that the map shows.
    ///
    /// # Errors
    /// [`Error::NotFlown`] if the plan is not from a run; [`Error::Io`] if the folder cannot be
    /// read.
    pub fn run(&self) -> Result<ReplayReport<'a>> {
        let plan = self.plan;
        let Some(provenance) = &plan.provenance else {
            return Err(Error::NotFlown { file: self.name.to_owned() });
        };
        let (rules, languages) = (RuleSet::new(&plan.rules)?, in_force(plan)?);
        let tree = self.walk()?;
        let ignored: Vec<String> = self.ignored.iter().chain(&tree.own).cloned().collect();
        let then = drift::paths_then(provenance, &ignored);
        let drift = drift::drift(&tree, &then, provenance, &rules);
        let report = |outcome| ReplayReport { outcome, plan, rebuilt: None };
        if !drift.is_elsewhere() {
            return Ok(report(ReplayOutcome::Drifted(drift)));
        }
        // A map counts the files that it does not show. With the paths of the flown plan it must be
        // identical.
        let tree = if drift.is_none() { tree } else { tree_of(tree, then) };
        // So must the pages that it says were not read, and what it says of others.
        let (site, pages) = (provenance.site.clone(), provenance.pages.clone());
        let tree = Tree { site, pages, ..tree };
        let Rendered { text, tokens, parts, .. } = drawn(plan, &tree, &rules, &languages);
        let digest = blake3::hash(text.as_bytes()).to_hex().to_string();
        if digest != provenance.map.digest {
            return Ok(report(ReplayOutcome::Impossible(self.reason(provenance))));
        }
        if !drift.is_none() {
            return Ok(report(ReplayOutcome::ShownIdentical(drift)));
        }
        let rebuilt = Some(Rebuilt { tree, languages, parts });
        Ok(ReplayReport { outcome: ReplayOutcome::Identical { text, tokens }, plan, rebuilt })
    }

    /// Makes a new map of drifted files: the plan's levels are ceilings, and the fit runs again. A
    /// plan does not contain the links of documents, so the fit is made without them.
    ///
    /// # Errors
    /// As [`open`](crate::open()).
    pub fn refit(&self) -> Result<Refit> {
        let mut plan = self.plan.clone();
        plan.provenance = None;
        // The ceilings of the plan say what may be shown.
        plan.context.fill = Fill::All;
        for rule in &mut plan.rules {
            rule.level = rule
                .level
                .map(|level| LevelRange { floor: Level::Exclude, ceiling: level.ceiling });
            rule.requested = None;
            rule.mark = None;
        }
        plan.scan.ignored.extend(self.ignored.iter().cloned());
        let options = Options { history: false, stdout: self.stdout, ..Options::default() };
        let judged = match self.files {
            Files::Folder(root) => open(root, &plan, &options)?,
            Files::Tree(tree) => open_tree(tree.clone(), &[], &plan, &options)?,
        };
        let map = judged.map(RuleLayers { person: &plan.rules, pilot: &[] })?;
        Ok(Refit { judged, map, plan })
    }

    fn walk(&self) -> Result<Tree> {
        let mut options = ScanOptions { own: self.stdout, ..scan_options(self.plan) };
        options.ignored.extend(self.ignored.iter().cloned());
        match self.files {
            Files::Folder(root) => scan::walk(root, &options),
            Files::Tree(tree) => Ok(tree.clone().without(&options.ignored)),
        }
    }

    /// Returns the reason for a different map of the same files.
    fn reason(&self, provenance: &Provenance) -> String {
        let name = self.name;
        if provenance.tool == TOOL {
            return format!(
                "{name}: the files shown are the same but the plan is not: its rules or context \
                 were edited since it was flown (fly it again: `navigator explore --plan {name}`)"
            );
        }
        format!("{name}: needs {}, this is {TOOL}, whose maps differ", provenance.tool)
    }
}

fn drawn(plan: &FlightPlan, tree: &Tree, rules: &RuleSet<'_>, languages: &Languages) -> Rendered {
    let (style, gate) = (Style::from(&plan.context), plan.scan.gate());
    let folders = &Folders::of(tree);
    let selection = select(tree, rules, languages, gate);
    let canvas = Canvas { tree, folders, languages, entries: &[], style, gate };
    compose::draw(canvas, selection, plan.context.tokens)
}

/// The parts of a replayed map.
#[derive(Debug)]
pub(crate) struct Rebuilt {
    pub(crate) tree: Tree,
    pub(crate) languages: Languages,
    parts: Vec<Part>,
}

impl Rebuilt {
    /// Returns the reports of the files by the plan's exact rules.
    ///
    /// # Errors
    /// If a glob does not compile.
    pub(crate) fn files(&self, plan: &FlightPlan) -> Result<Vec<FileReport>> {
        let rules = RuleSet::new(&plan.rules)?;
        let blocks = self.parts.iter().filter(|part| part.kind == PartKind::File);
        let sizes: BTreeMap<&str, u32> =
            blocks.map(|part| (part.path.as_str(), part.tokens)).collect();
        let report = |file: &FileEntry| {
            let verdict = rules.verdict(&file.path);
            // The lines of items need an outline, and a replay makes outlines of shown files only.
            let item = |item: &ItemRule| ItemReport {
                name: item.name.clone(),
                level: item.level,
                lines: (0, 0),
            };
            FileReport {
                path: file.path.clone(),
                level: exact_level(&verdict),
                requested: verdict.requested,
                items: verdict.items.iter().map(item).collect(),
                lacking: Vec::new(),
                spans: Vec::new(),
                tokens: sizes.get(file.path.as_str()).copied().unwrap_or(0),
                worth: 0,
                has_evidence: false,
                needs: None,
                needs_body: false,
                item_needs: 0,
                n_weak_items: 0,
                rule: verdict.rule.map(RuleOrigin::Person),
                bound: verdict.rule,
                mark: verdict.mark.and_then(known_mark),
            }
        };
        Ok(self.tree.files.iter().map(report).collect())
    }
}

/// Returns a tree with the paths of the flown plan. A deleted file was not shown, so its content is
/// not needed.
fn tree_of(now: Tree, then: Vec<String>) -> Tree {
    let mut files: BTreeMap<String, FileEntry> =
        now.files.iter().map(|file| (file.path.clone(), file.clone())).collect();
    let nowhere = match now.kind() {
        DocumentKind::Page => Location::Page(Arc::default()),
        DocumentKind::File => Location::Disk(PathBuf::new()),
    };
    let gone = |path: String| FileEntry {
        location: nowhere.clone(),
        path,
        bytes: 0,
        is_link: false,
        leads_to: None,
        id: None,
        stamp: None,
    };
    let mut files: Vec<FileEntry> =
        then.into_iter().map(|path| files.remove(&path).unwrap_or_else(|| gone(path))).collect();
    files.sort_by(|a, b| scan::map_order(&a.path, &b.path));
    Tree { files, ..now }
}

/// Returns the selection of exact rules.
fn select(tree: &Tree, rules: &RuleSet<'_>, languages: &Languages, gate: Gate) -> Selection {
    use rayon::prelude::*;
    let chosen: Vec<(Shown, Option<&'static str>, Option<Level>)> = tree
        .files
        .par_iter()
        .map(|file| {
            let verdict = rules.verdict(&file.path);
            let shown = shown_exactly(&verdict, || {
                let source = scan::read(file, gate);
                Cow::Owned(languages.outline_of(&file.path, &source).1)
            });
            (shown, verdict.mark.and_then(known_mark), verdict.requested)
        })
        .collect();
    let mut selection = Selection { shown: Vec::new(), marks: Vec::new(), requested: Vec::new() };
    for (shown, mark, requested) in chosen {
        selection.shown.push(shown);
        selection.marks.push(mark);
        selection.requested.push(requested);
    }
    selection
}

fn known_mark(word: &str) -> Option<&'static str> {
    Mark::ALL.into_iter().map(Mark::as_str).chain([NO_OUTLINE]).find(|known| *known == word)
}
