//! Opens a repository: from a folder and a plan to the scores of its files.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::map::corpus::{OpenRequest, scan_options};
use crate::map::judged::Judged;
use crate::map::options::Options;
use crate::map::surveyed::Surveyed;
use crate::plan::FlightPlan;
use crate::source::scan::{self, ScanOptions, Tree};

/// Scans the repository at `root` and scores its files for the plan's goal.
///
/// # Errors
/// If `root` is not a readable folder, a glob does not compile, or the operation was cancelled.
/// Unreadable files are no errors; see [`Judged::problems`].
pub fn open(root: &Path, plan: &FlightPlan, options: &Options) -> Result<Judged> {
    let request = OpenRequest::new(plan, options)?;
    let tree = scan::walk_watched(
        root,
        &ScanOptions { own: options.stdout, ..scan_options(&request.plan) },
        options.watcher.as_ref(),
        &options.cancel,
    )?;
    judged(tree, Vec::new(), request, options)
}

/// Scores the files of a tree for the plan's goal: documents in memory, or a folder that was walked
/// before. `links` between its files, by their paths, count like imports. History is used only for
/// a folder, a cache also for documents with an [origin](Options::origin).
///
/// ```
/// # fn main() -> repo_map::Result<()> {
/// use repo_map::{Document, FlightPlan, Options, Replay, ReplayOutcome, RuleLayers, Tree};
///
/// let pages = || {
///     Tree::of_documents(vec![
///         Document::new("index.md", &b"# Manual\n"[..]),
///         Document::new("guide/timeouts.md", &b"# Timeouts\n\n## Raise the timeout\n"[..]),
///     ])
/// };
/// let links = [("index.md".to_owned(), "guide/timeouts.md".to_owned())];
/// let plan = FlightPlan { goal: Some("raise the timeout".into()), ..FlightPlan::default() };
/// let judged = repo_map::open_tree(pages()?, &links, &plan, &Options::default())?;
/// let map = judged.map(RuleLayers::default())?;
/// let pages = pages()?;
/// let replayed = Replay::of(&map.flown).over(&pages).run()?;
/// assert!(matches!(replayed.outcome, ReplayOutcome::Identical { text, .. } if text == map.text));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If a link leads from or to a path that is not in the tree, a glob does not compile, or the
/// operation was cancelled.
pub fn open_tree(
    tree: Tree,
    links: &[(String, String)],
    plan: &FlightPlan,
    options: &Options,
) -> Result<Judged> {
    let request = OpenRequest::new(plan, options)?;
    let tree = tree.without(&request.plan.scan.ignored);
    let links = positions(&tree, links)?;
    judged(tree, links, request, options)
}

/// Returns links by the positions of their files. Links of a file to itself are dropped.
fn positions(tree: &Tree, links: &[(String, String)]) -> Result<Vec<(usize, u32)>> {
    let files = tree.files.iter().enumerate();
    let places: HashMap<&str, usize> = files.map(|(at, file)| (file.path.as_str(), at)).collect();
    let at = |path: &String| {
        let at = places.get(path.as_str());
        let at = at.or_else(|| places.get(scan::notation(Path::new(path), false).as_str()));
        let missing = || Error::document(path, "a link names it, and it is not in the tree");
        at.copied().ok_or_else(missing)
    };
    let mut positions = Vec::new();
    for (from, to) in links {
        let (from, to) = (at(from)?, at(to)?);
        positions.extend((from != to).then_some((from, to as u32)));
    }
    Ok(positions)
}

fn judged(
    tree: Tree,
    links: Vec<(usize, u32)>,
    request: OpenRequest,
    options: &Options,
) -> Result<Judged> {
    let cancelled = &options.cancel;
    cancelled.check()?;
    let surveyed = Arc::new(Surveyed::of(tree, links, request, options)?);
    let rules = &surveyed.corpus.plan.rules;
    Judged::of(Arc::clone(&surveyed), rules, cancelled)
        .inspect_err(|_| surveyed.corpus.caches.save_words())
}
