//! The corpus: a tree with its plan and its changes in git. It does not depend on a goal.

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::fit::folders::Folders;
use crate::map::file_caches::FileCaches;
use crate::map::options::Options;
use crate::map::tree_facts::tree_facts;
use crate::outline::languages::Languages;
use crate::plan::{FlightPlan, Globs, TreeFacts};
use crate::render::Style;
use crate::score::index::OutlineReader;
use crate::source::cache::Pack;
use crate::source::changes::{ChangedLines, Changes};
use crate::source::progress::{CancelToken, ProgressSink};
use crate::source::scan::{self, ScanOptions, Tree};
use crate::text::sanitize::Gate;

/// The data that does not depend on a goal. Surveys for several goals share it.
#[derive(Debug)]
pub(crate) struct Corpus {
    pub(crate) plan: FlightPlan,
    /// It was opened with a goal.
    pub(crate) has_goal: bool,
    pub(crate) languages: Languages,
    pub(crate) focus: Option<Globs>,
    pub(crate) tree: Tree,
    pub(crate) folders: Folders,
    /// Links between files from the caller, by their positions; in addition to imports.
    pub(crate) links: Vec<(usize, u32)>,
    /// With a goal: the start of a site, if it is a table of contents.
    pub(crate) contents: Option<usize>,
    pub(crate) since: Since,
    pub(crate) caches: FileCaches,
    pub(crate) watcher: Option<ProgressSink>,
    /// The facts of the tree for every flown plan, made with the first.
    pub(crate) tree_facts: OnceLock<TreeFacts>,
}

impl Corpus {
    pub(crate) fn style(&self) -> Style {
        Style::from(&self.plan.context)
    }

    pub(crate) fn gate(&self) -> Gate {
        self.plan.scan.gate()
    }

    pub(crate) fn tree_facts(&self) -> &TreeFacts {
        self.tree_facts.get_or_init(|| tree_facts(&self.tree))
    }

    /// Returns a reader of outlines with the current packs.
    pub(crate) fn reader<'a>(
        &'a self,
        words: &'a Pack,
        outlines: &'a Pack,
        cancelled: &'a CancelToken,
    ) -> OutlineReader<'a> {
        OutlineReader {
            words,
            outlines,
            languages: &self.languages,
            gate: self.gate(),
            style: self.style(),
            watcher: self.watcher.as_ref(),
            cancelled,
        }
    }
}

/// A plan and its options, checked before anything is read.
pub(crate) struct OpenRequest {
    pub(crate) plan: FlightPlan,
    pub(crate) languages: Languages,
    pub(crate) focus: Option<Globs>,
}

impl OpenRequest {
    /// # Errors
    /// If a glob of the focus or a query of the plan does not compile.
    pub(crate) fn new(plan: &FlightPlan, options: &Options) -> Result<OpenRequest> {
        let focus = match options.focus.is_empty() {
            true => None,
            false => Some(
                Globs::new(options.focus.iter().map(String::as_str))
                    .map_err(|error| Error::rule("focus", error))?,
            ),
        };
        let languages = in_force(plan)?;
        let mut plan = plan.clone();
        plan.scan.ignored.extend(options.ignored.iter().cloned());
        plan.scan.ignored.sort();
        plan.scan.ignored.dedup();
        Ok(OpenRequest { plan, languages, focus })
    }
}

/// The changes since a revision, if one was given.
#[derive(Debug, Default)]
pub(crate) struct Since {
    /// The changed lines, by file.
    pub(crate) changes: BTreeMap<usize, ChangedLines>,
    /// The deleted files; `None` without a revision.
    pub(crate) gone: Option<Vec<String>>,
    /// The number of changed files that the scan left out.
    pub(crate) n_left_out: usize,
    /// The names of the changed items, which count as words of the goal.
    names: String,
}

impl Since {
    pub(crate) fn of(tree: &Tree, changes: Changes, languages: &Languages, gate: Gate) -> Since {
        let of_tree = changed_lines(tree, &changes);
        let names = changed_names(tree, &of_tree, languages, gate);
        let n_left_out = changes.files.len() - of_tree.len();
        Since { changes: of_tree, gone: Some(changes.gone), n_left_out, names }
    }

    /// Returns a goal followed by the names of changed items.
    pub(crate) fn with_names(&self, goal: &str) -> String {
        match self.names.is_empty() {
            true => goal.to_owned(),
            false => format!("{goal}\n{}", self.names),
        }
    }
}

/// Returns the changes of files in the tree, by their positions.
fn changed_lines(tree: &Tree, changes: &Changes) -> BTreeMap<usize, ChangedLines> {
    let files = tree.files.iter().enumerate();
    files.filter_map(|(at, file)| Some((at, changes.files.get(&file.path)?.clone()))).collect()
}

/// The maximum number of files searched for names of changed items, and the maximum number of
/// names.
const MOST_CHANGED: usize = 200;

/// Returns the names of the items that contain changed lines, as code.
fn changed_names(
    tree: &Tree,
    changes: &BTreeMap<usize, ChangedLines>,
    languages: &Languages,
    gate: Gate,
) -> String {
    let files: Vec<_> = changes.iter().take(MOST_CHANGED).collect();
    let of_file = |(file, lines): &(&usize, &ChangedLines)| {
        let file = &tree.files[**file];
        let (_, outline) = languages.outline_of(&file.path, &scan::read(file, gate));
        let is_changed = |at: &usize| lines.iter().any(|one| outline.touches_own_code(*at, *one));
        let changed = (0..outline.items.len()).filter(is_changed);
        changed.map(|at| outline.items[at].name.clone()).collect::<Vec<_>>()
    };
    let names: Vec<String> = files.par_iter().flat_map_iter(of_file).collect();
    let mut seen = HashSet::new();
    let names = names
        .into_iter()
        .filter(|name| name.len() >= 3 && seen.insert(name.clone()))
        .take(MOST_CHANGED);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
}

/// Returns the languages of a plan made without a text. Errors of a plan from a text name its file
/// earlier.
pub(crate) fn in_force(plan: &FlightPlan) -> Result<Languages> {
    plan.languages_in_force().map_err(|(_, message)| Error::Plan {
        file: "the plan".to_owned(),
        line: None,
        message,
    })
}

/// Returns the scan options of a plan.
pub(crate) fn scan_options(plan: &FlightPlan) -> ScanOptions {
    ScanOptions {
        hidden: plan.scan.hidden,
        no_ignore: plan.scan.no_ignore,
        ignored: plan.scan.ignored.clone(),
        outside: plan.scan.outside.clone(),
        own: None,
    }
}
