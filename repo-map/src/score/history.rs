//! Earlier commits: reads their messages and changed files through git.
//!
//! History is optional: without git, without a repository or when git fails there is none.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::source::cache::{self, Cache, Pack, PackKind};
use crate::source::git::{git, is_top};
use crate::source::scan::notation_of_git;
use crate::text::mask;
use crate::text::sanitize::{self, Sanitized};

/// The maximum number of commits read, counted from the newest, and the number read by one git
/// process: several run side by side.
const MAX_COMMITS: usize = 20_000;
const COMMITS_A_READER: usize = 5_000;

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
pub(crate) fn commits(root: &Path, cache: Option<&Cache>) -> Vec<Commit> {
    let Some((commit, head)) = cache.and_then(|_| head(root)) else {
        return read(root, "HEAD").unwrap_or_default();
    };
    let mut pack = Pack::open(cache, root, HISTORY, mask::RULE_SET.as_bytes());
    if let Some(commits) =
        pack.get("HEAD", &head).and_then(|commits| postcard::from_bytes(commits).ok())
    {
        return commits;
    }
    // Do not store a failure of git: it may be temporary.
    let Some(commits) = read(root, &commit) else { return Vec::new() };
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

/// Reads the commits up to `newest`; `None` when git fails.
fn read(root: &Path, newest: &str) -> Option<Vec<Commit>> {
    std::thread::scope(|scope| {
        let reader = |skip: usize| scope.spawn(move || segment(root, newest, skip));
        let readers: Vec<_> = (0..MAX_COMMITS).step_by(COMMITS_A_READER).map(reader).collect();
        let segments: Option<Vec<_>> =
            readers.into_iter().map(|reader| reader.join().ok().flatten()).collect();
        segments.map(|segments| segments.concat())
    })
}

fn segment(root: &Path, newest: &str, skip: usize) -> Option<Vec<Commit>> {
    let mut git = git(root);
    // The format of a commit: %x01, its message, %x02, then its paths, each ended by NUL.
    git.args([
        "log",
        "--no-merges",
        "--no-renames",
        "--name-only",
        "-z",
        "--no-show-signature",
        "--no-ext-diff",
        "--no-textconv",
    ])
    .args([
        "--format=%x01%B%x02",
        &format!("--skip={skip}"),
        &format!("--max-count={COMMITS_A_READER}"),
    ]);
    // Limiting the log to the folder takes twice the time, so do not at the top of the repository.
    match is_top(root) {
        true => git.arg(newest),
        false => git.args(["--relative", newest, "--", "."]),
    };
    let output = git.output().ok()?;
    output.status.success().then(|| read_log(&output.stdout))
}

fn read_log(log: &[u8]) -> Vec<Commit> {
    // A message may hold the bytes 1 and 2, but no NUL: a commit begins at the start or after one,
    // and its message ends with the last 2 before the next one.
    let mut starts: Vec<usize> =
        memchr::memmem::find_iter(log, b"\0\x01").map(|at| at + 1).collect();
    starts.extend((log.first() == Some(&1)).then_some(0));
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([log.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let commit = &log[start + 1..end];
            let of_message = memchr::memchr(0, commit).unwrap_or(commit.len());
            let end = memchr::memrchr(2, &commit[..of_message]).unwrap_or(of_message);
            let message = String::from_utf8_lossy(&commit[..end]);
            let paths = commit[end..]
                .split(|byte| matches!(byte, 0 | 2 | b'\n'))
                .filter(|path| !path.is_empty());
            Commit {
                message: Sanitized::text(message.trim()),
                paths: paths.map(notation_of_git).collect(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_read_commit_by_commit() {
        let log = b"\x01Fix a\n\nbody\n\x02\0\na.rs\0b/c.rs\0\0\x01Second\n\x02\0";
        assert_eq!(
            read_log(log),
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
    fn a_message_makes_no_commit() {
        let log = b"\x01First\n\x02\0\na.rs\0\0\x01Real \x01forged\x02\nb.rs\n\x02\0\nc.rs\0";
        let read = read_log(log);
        let paths: Vec<&[String]> = read.iter().map(|commit| &commit.paths[..]).collect();
        assert_eq!(paths, [["a.rs".to_owned()], ["c.rs".to_owned()]]);
        assert_eq!(read[1].message.as_str().matches("forged").count(), 1);
    }
}
