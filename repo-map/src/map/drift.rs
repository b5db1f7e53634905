//! Drift: the paths that prevent an identical replay.

use std::collections::BTreeSet;

use crate::level::Level;
use crate::map::tree_facts::unpacked;
use crate::plan::{Provenance, RuleSet};
use crate::source::scan::{self, Tree};

/// The most paths that are named of those that a map does not show, for each way they differ.
const MAX_ELSEWHERE: usize = 20;

/// The paths that prevent an identical replay, in groups: those the map shows, and others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drift {
    /// Files shown above level path with different bytes.
    pub changed: Vec<String>,
    /// Files shown, at least by their path, that no longer exist.
    pub gone: Vec<String>,
    /// The other files, which a map at most counts.
    pub elsewhere: Elsewhere,
    /// Each changed file differs only in its line ends.
    pub in_line_ends_only: bool,
    /// None of the files shown above level path exists, and hardly any other file of the plan.
    pub has_nothing: bool,
    /// The digests of the recording that the plan was flown over and of this one, if they differ;
    /// none for files that are no recording.
    pub other_recording: Option<(String, Option<String>)>,
    /// The folder, relative to the replayed one, that has the plan's paths: the plan was flown
    /// there.
    pub folder: Option<String>,
}

/// Added and deleted files that the map does not show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Elsewhere {
    /// Paths that were added.
    pub appeared: Vec<String>,
    /// Paths that no longer exist.
    pub gone: Vec<String>,
}

impl Drift {
    /// Reports whether every file that the map shows is unchanged.
    pub fn is_elsewhere(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty()
    }

    /// Reports whether nothing differs.
    pub(crate) fn is_none(&self) -> bool {
        self.is_elsewhere() && self.elsewhere == Elsewhere::default()
    }

    /// Returns a line for each path: all that the map shows, and the first of the others, whose
    /// number the map does not bound.
    pub fn lines(&self) -> Vec<String> {
        let groups = [
            ("changed", &self.changed, usize::MAX),
            ("gone", &self.gone, usize::MAX),
            ("appeared elsewhere", &self.elsewhere.appeared, MAX_ELSEWHERE),
            ("gone elsewhere", &self.elsewhere.gone, MAX_ELSEWHERE),
        ];
        let lines = groups.into_iter().flat_map(|(word, paths, most)| {
            let n_more = paths.len().saturating_sub(most);
            let named = paths.iter().take(most).map(move |path| format!("{word}: {path}"));
            named.chain((n_more > 0).then(|| format!("{word}: {n_more} more")))
        });
        lines.collect()
    }

    /// Returns the common cause of the changes with the way out, if there is one.
    pub fn hint(&self) -> Option<String> {
        const LINE_ENDS: &str = "the changed files differ only in line ends (git's \
            `core.autocrlf`?); `* text=auto eol=lf` in \
            .gitattributes, and a fresh checkout, give every machine the same";
        if let Some((expected, found)) = &self.other_recording {
            let found = match found {
                Some(found) => format!("this one has {found}"),
                None => "these files are no recording".to_owned(),
            };
            return Some(format!(
                "the plan was flown over the recording with the digest {expected}; {found}"
            ));
        }
        if self.has_nothing && self.folder.is_none() {
            return Some(
                "none of the files that the plan shows is here: is this another repository?".into(),
            );
        }
        self.in_line_ends_only.then(|| LINE_ENDS.to_owned())
    }
}

/// Returns the paths of the tree when the plan was flown, in the order of maps.
pub(crate) fn paths_then(provenance: &Provenance, ignored: &[String]) -> Vec<String> {
    let mut then = unpacked(&provenance.tree).unwrap_or_default();
    // A path that is ignored only now was not in the tree then: for example the plan, saved under a
    // name unknown to the run.
    then.retain(|path| !ignored.contains(path));
    then
}

pub(crate) fn drift(
    tree: &Tree,
    then: &[String],
    provenance: &Provenance,
    rules: &RuleSet<'_>,
) -> Drift {
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
    let n_there = then.intersection(&now).count();
    drift.has_nothing = n_there * 10 < then.len()
        && !provenance.files.is_empty()
        && provenance.files.keys().all(|path| !now.contains(path.as_str()));
    let found = tree.site.as_ref().map(|site| site.recording.clone());
    let expected = provenance.site.as_ref().map(|site| site.recording.clone());
    let is_other = |expected: &String| found.as_ref() != Some(expected);
    drift.other_recording = expected.filter(is_other).map(|expected| (expected, found));
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

/// Returns the folder to which the plan's paths belong, if it is not the replayed one: a folder
/// above, as `..`, or one below.
fn folder_of(then: &BTreeSet<&str>, now: &BTreeSet<&str>) -> Option<String> {
    let above = prefix(now, then).map(|prefix| vec![".."; prefix.split('/').count()].join("/"));
    above.or_else(|| prefix(then, now).map(str::to_owned))
}

/// Returns the prefix with which most inner paths are found among the outer ones, if they are not
/// found without it.
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

/// Returns a text with the line ends of Unix, and with those of Windows.
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
