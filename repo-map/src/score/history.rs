//! Earlier commits: reads their messages and changed files through git.
//!
//! History is optional: without git, without a repository or when git fails there is none.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::source::cache::{self, Cache, Pack, PackKind};
use crate::source::git::{git, is_top, read_texts};
use crate::source::progress::{CancelToken, ProgressCount, ProgressSink, Stage};
use crate::source::scan::notation_of_git;
use crate::text::mask;
use crate::text::sanitize::{self, Sanitized};

/// The maximum number of commits read, counted from the newest, and the number read by one git
/// process: several run side by side.
const MAX_COMMITS: usize = 20_000;
const COMMITS_A_READER: usize = 5_000;
/// How much of git's log one reader keeps, in bytes: a few commits can name all files of huge
/// trees. It ends before the commit that passes this.
const MAX_LOG: usize = 32 << 20;

/// What the text of a commit begins with in git's log.
const COMMIT: &[u8] = b"\x01";

/// A function that sees each text of git's log, and says whether to read on.
type SeeText<'s> = &'s (dyn Fn(&[u8]) -> bool + Sync);

/// One commit: its message, and the paths it changed in the notation of maps, relative to the
/// mapped folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Commit {
    #[serde(deserialize_with = "sanitize::kept")]
    pub(crate) message: Sanitized,
    pub(crate) paths: Vec<String>,
}

/// The pack of the commits.
const HISTORY: PackKind = PackKind { name: "history", most: 256 << 20, one_in: cache::ANY };

/// Returns the newest commits of the repository around `root`, without merges. The history of a
/// commit never changes, so the pack stores the list by the newest commit.
pub(crate) fn commits(
    root: &Path,
    cache: Option<&Cache>,
    watcher: Option<&ProgressSink>,
    cancelled: &CancelToken,
) -> Vec<Commit> {
    let count = ProgressCount::new(watcher, Stage::History, None);
    let see = |text: &[u8]| {
        if text.starts_with(COMMIT) {
            count.one(false);
        }
        !cancelled.is_cancelled()
    };
    let Some((commit, head)) = cache.and_then(|_| head(root)) else {
        return read(root, "HEAD", &see).unwrap_or_default();
    };
    let mut pack = Pack::open(cache, root, HISTORY, mask::RULE_SET.as_bytes());
    if let Some(commits) =
        pack.get("HEAD", &head).and_then(|commits| postcard::from_bytes(commits).ok())
    {
        return commits;
    }
    // Do not store a failure of git: it may be temporary.
    let Some(commits) = read(root, &commit, &see) else { return Vec::new() };
    pack.put("HEAD", None, head, postcard::to_stdvec(&commits).unwrap_or_default());
    pack.save(|_| true);
    commits
}

/// Returns the newest commit, and the key for the history of `root`: a hash of that commit and the
/// folder. `None` for a shallow repository, whose history can grow under the same commit, and where
/// there is no repository.
fn head(root: &Path) -> Option<(String, blake3::Hash)> {
    let output = git(root)
        .args(["rev-parse", "--is-shallow-repository", "HEAD", "--show-prefix"])
        .output()
        .ok()?;
    let of_folder = [&output.stdout[..], if is_top(root) { b"top" } else { b"below" }].concat();
    let said = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    let mut lines = said.lines();
    let commit = lines.next().filter(|shallow| *shallow == "false").and_then(|_| lines.next())?;
    Some((commit.to_owned(), blake3::hash(&of_folder)))
}

/// Reads the commits up to `newest`, and hands over each text of git's log; `None` when git fails,
/// or `see` returns `false`.
fn read(root: &Path, newest: &str, see: SeeText<'_>) -> Option<Vec<Commit>> {
    std::thread::scope(|scope| {
        let reader = |skip: usize| scope.spawn(move || segment(root, newest, skip, see));
        let readers: Vec<_> = (0..MAX_COMMITS).step_by(COMMITS_A_READER).map(reader).collect();
        let segments: Option<Vec<_>> =
            readers.into_iter().map(|reader| reader.join().ok().flatten()).collect();
        segments.map(|segments| segments.concat())
    })
}

fn segment(root: &Path, newest: &str, skip: usize, see: SeeText<'_>) -> Option<Vec<Commit>> {
    let mut git = git(root);
    // A commit is %x01 and its message, then for each path its status and its name, each ended by
    // NUL. A message has no NUL, and no status begins like a commit: neither messages nor names
    // make commits.
    git.args([
        "log",
        "--no-merges",
        "--no-renames",
        "--name-status",
        "-z",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
    ])
    .args([
        "--format=%x01%B",
        &format!("--skip={skip}"),
        &format!("--max-count={COMMITS_A_READER}"),
    ]);
    // Limiting the log to the folder takes twice the time, so do not at the top of the repository.
    match is_top(root) {
        true => git.arg(newest),
        false => git.args(["--relative", newest, "--", "."]),
    };
    read_texts(&mut git, MAX_LOG, see).map(|log| read_log(&log, MAX_LOG))
}

/// Returns the commits of a log. The last one of a log that was cut at its limit may be cut too.
fn read_log(log: &[u8], limit: usize) -> Vec<Commit> {
    let mut commits: Vec<Commit> = Vec::new();
    let mut texts = log.split(|byte| *byte == 0).filter(|text| !text.is_empty());
    while let Some(text) = texts.next() {
        if let Some(message) = text.strip_prefix(COMMIT) {
            let message = String::from_utf8_lossy(message);
            commits.push(Commit { message: Sanitized::text(message.trim()), paths: Vec::new() });
        } else if let (Some(commit), Some(path)) = (commits.last_mut(), texts.next()) {
            // What stands where a commit may begin is the status of the path after it.
            commit.paths.push(notation_of_git(path));
        }
    }
    if log.len() == limit {
        commits.pop();
    }
    commits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_commit_by_commit() {
        let log = b"\x01Fix a\n\nbody\n\0\nM\0a.rs\0A\0b/c.rs\0\x01Second\n\0";
        assert_eq!(
            read_log(log, MAX_LOG),
            [
                Commit {
                    message: "Fix a\n\nbody".into(),
                    paths: vec!["a.rs".into(), "b/c.rs".into()]
                },
                Commit { message: "Second".into(), paths: vec![] },
            ]
        );
    }

    #[test]
    fn a_log_ends_before_the_commit_that_is_cut() {
        let log = b"\x01First\n\0\nM\0a.rs\0\x01Second\n\0\nM\0b.rs\0A\0c";
        let of = |limit: usize| -> Vec<String> {
            let commits = read_log(log, limit).into_iter();
            commits.map(|commit| commit.message.as_str().to_owned()).collect()
        };
        assert_eq!(of(log.len()), ["First"]);
        assert_eq!(of(MAX_LOG), ["First", "Second"]);
    }

    #[test]
    fn neither_a_message_nor_a_name_makes_a_commit() {
        let log = b"\x01Real \x01forged\nb.rs\n\0\nA\0\x01a\0A\0\x01b\0\x01Next\n\0\nD\0c.rs\0";
        let read = read_log(log, MAX_LOG);
        let paths: Vec<usize> = read.iter().map(|commit| commit.paths.len()).collect();
        assert_eq!(paths, [2, 1]);
        assert!(read[0].message.as_str().contains("forged"));
        assert_eq!(read[1].paths, ["c.rs"]);
    }
}
