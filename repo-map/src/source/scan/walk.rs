//! Walks the tree and applies ignore files.
//!
//! A map must be the same on any machine, so the files of a tree are determined by the tree itself:
//! `.gitignore`, `.ignore` and `.repomapignore` at every depth, with or without git. Rules from
//! outside (the user's global ignore file, `.git/info/exclude`, folders above the root) apply as
//! well, and the paths they hide are recorded, so that a replay elsewhere omits the same paths
//! without these rules.

#![expect(clippy::disallowed_methods, reason = "the rim: walks repositories")]

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::{WalkBuilder, WalkState};

use crate::error::{Error, Result};
use crate::source::location::Location;
use crate::source::progress::{CancelToken, ProgressCount, ProgressSink, Stage};
use crate::source::scan::file_id::{FileId, Stamp};
use crate::source::scan::notation::{notation, sort_entries};
use crate::source::scan::tree::{FileEntry, Problem, ScanOptions, Tree};

/// The name of this tool's own ignore file.
pub const IGNORE_FILE: &str = ".repomapignore";
/// The names of ignore files.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", IGNORE_FILE];

/// Finds the files of the repository at `root`.
///
/// # Errors
/// If `root` is not a readable folder. An unreadable path below it is a [`Problem`] in the result.
pub fn walk(root: &Path, options: &ScanOptions) -> Result<Tree> {
    walk_watched(root, options, None, &CancelToken::new())
}

/// Walks with progress and cancellation. The result of a cancelled walk is incomplete and must not
/// be used.
pub(crate) fn walk_watched(
    root: &Path,
    options: &ScanOptions,
    watcher: Option<&ProgressSink>,
    cancelled: &CancelToken,
) -> Result<Tree> {
    let count = &ProgressCount::new(watcher, Stage::Walk, None);
    let walk_once = |rules, keep| walk_once(root, options.hidden, rules, keep, count, cancelled);
    let metadata = fs::metadata(root).map_err(|source| Error::io(root, source))?;
    if !metadata.is_dir() {
        return Err(Error::NotAFolder { path: root.to_path_buf() });
    }
    if is_git_directory(root) {
        return Err(Error::BareRepository { path: root.to_path_buf() });
    }
    fs::read_dir(root).map_err(|source| Error::io(root, source))?;
    let blocking = blocking_ignore_file(root);
    let no_ignore = options.no_ignore || blocking.is_some();
    let mut found = match options.outside.clone() {
        Some(outside) => {
            let outside: HashSet<String> = outside.into_iter().collect();
            let rules = if no_ignore { IgnoreRules::None } else { IgnoreRules::OfTheTree };
            walk_once(rules, Arc::new(move |path| !outside.contains(path)))
        }
        None if no_ignore => walk_once(IgnoreRules::None, Arc::new(|_| true)),
        None => walk_once(IgnoreRules::All, Arc::new(|_| true)),
    };
    let outside = match options.outside.clone() {
        Some(outside) => outside,
        None if no_ignore || !has_rules_from_outside(root, &found) => Vec::new(),
        None => taken_away(root, options.hidden, &found),
    };
    if let Some(name) = blocking {
        let message =
            "no regular file, and would block whoever reads it: no ignore rules are honoured"
                .to_owned();
        found.problems.push(Problem { path: name.to_owned(), message });
    }
    let ignored: HashSet<&str> = options.ignored.iter().map(String::as_str).collect();
    let is_own = |file: &FileEntry| options.own.is_some() && file.id == options.own;
    let own =
        found.files.iter().filter(|file| is_own(file)).map(|file| file.path.clone()).collect();
    found.files.retain(|file| !ignored.contains(file.path.as_str()) && !is_own(file));
    Ok(Tree {
        root: Some(root.to_path_buf()),
        files: found.files,
        outside,
        problems: found.problems,
        own,
        ..Tree::default()
    })
}

/// Reports whether a folder is what git takes for a git directory.
fn is_git_directory(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).is_dir();
    folder.join("HEAD").is_file() && has("objects") && has("refs")
}

/// Returns the paths that only rules from outside the tree hide. A second walk without those rules
/// finds them and does not descend into them.
fn taken_away(root: &Path, hidden: bool, kept: &WalkFindings) -> Vec<String> {
    let known: HashSet<String> = kept
        .files
        .iter()
        .map(|file| file.path.clone())
        .chain(kept.folders.iter().cloned())
        .collect();
    let taken = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&taken);
    let keep = move |path: &str| {
        let keep = known.contains(path);
        if !keep {
            lock(&record).push(path.to_owned());
        }
        keep
    };
    walk_once(
        root,
        hidden,
        IgnoreRules::OfTheTree,
        Arc::new(keep),
        &ProgressCount::new(None, Stage::Walk, None),
        &CancelToken::new(),
    );
    let mut taken = std::mem::take(&mut *lock(&taken));
    taken.sort();
    taken
}

/// Reports whether any rule of this machine may have hidden a path. Usually there is none, and the
/// second walk is skipped.
fn has_rules_from_outside(root: &Path, found: &WalkFindings) -> bool {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let globally =
        ignore::gitignore::gitconfig_excludes_path().is_some_and(|path| has_rules(&path));
    let above = || {
        root.ancestors().skip(1).any(|folder| {
            has_own_rules(folder) || IGNORE_FILES.iter().any(|name| has_rules(&folder.join(name)))
        })
    };
    globally
        || above()
        || has_own_rules(&root)
        || found.repositories.iter().any(|folder| has_own_rules(folder))
}

/// Reports whether a folder's git directory may exclude anything; one outside the folder may.
fn has_own_rules(folder: &Path) -> bool {
    let git = folder.join(".git");
    match fs::symlink_metadata(&git) {
        Ok(metadata) if metadata.is_dir() => has_rules(&git.join("info/exclude")),
        Ok(_) => true,
        Err(_) => false,
    }
}

fn has_rules(ignore_file: &Path) -> bool {
    let is_file = fs::metadata(ignore_file).is_ok_and(|metadata| metadata.is_file());
    let is_rule = |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    is_file
        && fs::read(ignore_file).is_ok_and(|text| text.split(|byte| *byte == b'\n').any(is_rule))
}

/// The ignore rules of a walk.
#[derive(Clone, Copy, PartialEq)]
enum IgnoreRules {
    /// The rules of the tree and of this machine.
    All,
    /// The rules of the tree alone.
    OfTheTree,
    /// No rules.
    None,
}

#[derive(Default)]
struct WalkFindings {
    files: Vec<FileEntry>,
    /// With a slash at the end.
    folders: Vec<String>,
    /// Folders below the root with their own git directory.
    repositories: Vec<PathBuf>,
    problems: Vec<Problem>,
}

/// Walks once. `keep` receives every path, folders with a slash at their end, and returns whether
/// to continue with it.
fn walk_once(
    root: &Path,
    hidden: bool,
    rules: IgnoreRules,
    keep: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    count: &ProgressCount<'_>,
    cancelled: &CancelToken,
) -> WalkFindings {
    let outside = rules == IgnoreRules::All;
    let base = root.to_path_buf();
    let blocked = Arc::new(Mutex::new(Vec::new()));
    let refused = Arc::clone(&blocked);
    let mut walker = WalkBuilder::new(root);
    if rules != IgnoreRules::None {
        walker.add_custom_ignore_filename(IGNORE_FILE);
    }
    let walker = walker
        .ignore(rules != IgnoreRules::None)
        .git_ignore(rules != IgnoreRules::None)
        .hidden(!hidden)
        .parents(outside)
        .git_global(outside)
        .git_exclude(outside)
        .require_git(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let Ok(relative) = entry.path().strip_prefix(&base) else { return false };
            if relative.as_os_str().is_empty() {
                return true;
            }
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            if is_folder && let Some(name) = blocking_ignore_file(entry.path()) {
                let message = format!(
                    "left out: its `{name}` is no regular file and would block whoever reads it"
                );
                lock(&refused).push(Problem { path: notation(relative, true), message });
                return false;
            }
            entry.file_name() != ".git" && keep(&notation(relative, is_folder))
        })
        .build_parallel();
    let found = Mutex::new(WalkFindings::default());
    walker.run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) => see(root, &entry, &found, count),
                Err(error) => lock(&found).problems.push(problem(root, &error)),
            }
            if cancelled.is_cancelled() { WalkState::Quit } else { WalkState::Continue }
        })
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.problems.append(&mut lock(&blocked));
    // The walk is parallel and finds files in any order.
    sort_entries(&mut found.files);
    found.problems.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Returns the name of an ignore file that would block: the walker opens ignore files itself, and
/// would hang on a pipe or a device.
fn blocking_ignore_file(folder: &Path) -> Option<&'static str> {
    IGNORE_FILES.into_iter().find(|name| {
        fs::metadata(folder.join(name))
            .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    })
}

fn see(
    root: &Path,
    entry: &ignore::DirEntry,
    found: &Mutex<WalkFindings>,
    count: &ProgressCount<'_>,
) {
    let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
    let Some(kind) = entry.file_type() else { return };
    if kind.is_dir() {
        let is_repository = fs::symlink_metadata(entry.path().join(".git")).is_ok();
        let mut found = lock(found);
        found.folders.push(notation(relative, true));
        found.repositories.extend(is_repository.then(|| entry.path().to_path_buf()));
    } else if kind.is_file() || kind.is_symlink() {
        let metadata = entry.metadata().ok();
        let file = FileEntry {
            path: notation(relative, false),
            location: Location::Disk(entry.path().to_path_buf()),
            bytes: metadata.as_ref().map_or(0, |metadata| metadata.len()),
            is_link: kind.is_symlink(),
            leads_to: kind.is_symlink().then(|| target_of(entry.path(), relative)).flatten(),
            id: metadata.as_ref().map(FileId::of),
            stamp: metadata.as_ref().and_then(Stamp::of),
        };
        lock(found).files.push(file);
        count.one(false);
    }
    // Sockets, pipes and devices have no content to show and may block when opened.
}

/// Returns the path from the root that a link names, if it is one below the root. It is not asked
/// what is there.
fn target_of(link: &Path, relative: &Path) -> Option<String> {
    let mut path = relative.parent()?.to_path_buf();
    for part in fs::read_link(link).ok()?.components() {
        match part {
            Component::Normal(name) => path.push(name),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    Some(notation(&path, false))
}

fn problem(root: &Path, error: &ignore::Error) -> Problem {
    let mut path = String::new();
    let mut innermost = error;
    loop {
        innermost = match innermost {
            ignore::Error::WithPath { path: at, err } => {
                path = notation(at.strip_prefix(root).unwrap_or(at), false);
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            _ => return Problem { path, message: innermost.to_string() },
        };
    }
}

/// Locks a mutex. No closure panics while it holds a lock; if one did, the findings would still be
/// valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
