//! What changed since a revision: asks git which files, and which of their lines.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::git::git;

/// Lines of a file, first and last, counted from 1.
pub(crate) type Lines = Vec<(u32, u32)>;

/// What differs between a revision and the files as they are, committed or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// The lines that are new, or next to what went. A file that is new has all.
    pub(crate) files: BTreeMap<String, Lines>,
    /// Files that are no longer there.
    pub(crate) gone: Vec<String>,
}

/// Every line of a file.
const ALL_LINES: (u32, u32) = (1, u32::MAX);

/// What changed since the last commit that HEAD and `revision` have in common: what a branch did, and what is not committed yet.
///
/// # Errors
/// [`Error::Diff`] when `revision` is not a commit of the repository around `root`, or git fails.
pub(crate) fn since(root: &Path, revision: &str) -> Result<Changes> {
    let failed = |message: &str| Error::Diff { revision: revision.to_owned(), message: message.to_owned() };
    let no_commit = "is no revision of this repository (`git log` lists them; one revision, without `..`)";
    let commit = said(git(root).args(["rev-parse", "--verify", "--quiet", "--end-of-options"]).arg(format!("{revision}^{{commit}}")));
    let commit = commit.ok_or_else(|| failed(no_commit))?;
    // Histories without a common commit are compared as they are.
    let base = said(git(root).args(["merge-base", commit.trim(), "HEAD"])).unwrap_or(commit);
    let mut diff = without_filters(root);
    diff.args(["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules", "--relative"]);
    let mut names = without_filters(root);
    names.args(["diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules", "--relative", "--name-status", "-z"]);
    let names = said(names.args([base.trim(), "--", "."])).ok_or_else(|| failed("git diff failed"))?;
    let hunks =
        said(diff.args(["-U0", "--src-prefix=a/", "--dst-prefix=b/", base.trim(), "--", "."])).ok_or_else(|| failed("git diff failed"))?;
    let untracked = said(git(root).args(["ls-files", "--others", "--exclude-standard", "-z", "--", "."])).unwrap_or_default();
    let mut changes = read_names(&names);
    for (path, lines) in read_hunks(&hunks) {
        // Of a name that git has to quote only the file is known, not its lines.
        if let Some(all) = changes.files.get_mut(&path) {
            *all = lines;
        }
    }
    changes.files.extend(untracked.split('\0').filter(|path| !path.is_empty()).map(|path| (path.to_owned(), vec![ALL_LINES])));
    Ok(changes)
}

/// What git says, if it does not fail.
fn said(git: &mut Command) -> Option<String> {
    let output = git.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// git for what reads the files as they are: a filter that the repository's configuration names would be run over them.
fn without_filters(root: &Path) -> Command {
    let named = said(git(root).args(["config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$"]));
    let mut git = git(root);
    let keys: Vec<String> = named.unwrap_or_default().split('\0').filter(|key| !key.is_empty()).map(str::to_owned).collect();
    git.env("GIT_CONFIG_COUNT", keys.len().to_string());
    for (at, key) in keys.iter().enumerate() {
        let value = if key.ends_with(".required") { "false" } else { "" };
        git.env(format!("GIT_CONFIG_KEY_{at}"), key).env(format!("GIT_CONFIG_VALUE_{at}"), value);
    }
    git
}

/// A status, NUL, a path, NUL, and again.
fn read_names(names: &str) -> Changes {
    let mut changes = Changes::default();
    let mut words = names.split('\0');
    while let (Some(status), Some(path)) = (words.next(), words.next()) {
        match status {
            "D" => changes.gone.push(path.to_owned()),
            _ => drop(changes.files.insert(path.to_owned(), vec![ALL_LINES])),
        }
    }
    changes
}

/// `+++ b/PATH`, then `@@ -a,b +c,d @@` for each hunk. Lines of the files begin with a sign and cannot be taken for one: a hunk
/// says how many follow.
fn read_hunks(diff: &str) -> BTreeMap<String, Lines> {
    let mut files: BTreeMap<String, Lines> = BTreeMap::new();
    let mut current: Option<&str> = None;
    let mut lines = diff.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("+++ ") {
            // A name with white space ends with a tab.
            current = path.strip_prefix("b/").map(|path| path.trim_end_matches('\t'));
        } else if let Some((old, new)) = line.strip_prefix("@@ -").and_then(hunk) {
            let last = new.0.saturating_add(new.1.max(1) - 1);
            if let Some(path) = current {
                files.entry(path.to_owned()).or_default().push((new.0.max(1), last.max(1)));
            }
            for _ in 0..old.1.saturating_add(new.1) {
                lines.next();
            }
        }
    }
    files
}

/// The start and the number of lines on either side: `12,3 +14 @@ …`.
fn hunk(line: &str) -> Option<((u32, u32), (u32, u32))> {
    let (ranges, _) = line.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let range = |text: &str| match text.split_once(',') {
        Some((start, n)) => Some((start.parse().ok()?, n.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some((range(old)?, range(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_are_read_as_the_lines_that_are_new_or_next_to_what_went() {
        let diff = "diff --git a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -1,2 +1 @@ fn x\n-a\n--- b\n+c\n@@ -9,0 +9,3 @@\n+1\n++++ b/y\n+3\n@@ -20,2 +0,0 @@\n-q\n-q\ndiff --git a/a b b/a b\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
        let expected = [("a b".to_owned(), vec![(1, 1)]), ("x.rs".to_owned(), vec![(1, 1), (9, 11), (1, 1)])];
        assert_eq!(read_hunks(diff), BTreeMap::from(expected));
    }
}
