//! The changes since a revision: asks git for the changed files and lines.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::source::git::git;
use crate::source::scan::notation_of_git;

/// The changed lines of a file as ranges, first and last, counted from 1.
pub(crate) type ChangedLines = Vec<(u32, u32)>;

/// The differences between a revision and the files on disk, committed or not. Paths are in the
/// notation of maps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// The lines that are new, or next to removed ones. A new file has all its lines.
    pub(crate) files: BTreeMap<String, ChangedLines>,
    /// Files that no longer exist.
    pub(crate) gone: Vec<String>,
}

/// Every line of a file.
const ALL_LINES: (u32, u32) = (1, u32::MAX);

/// Returns the changes since the last common commit of HEAD and `revision`: those of a branch, and
/// those not committed yet.
///
/// # Errors
/// [`Error::Diff`] when `revision` is not a commit of the repository around `root`, or git fails.
pub(crate) fn since(root: &Path, revision: &str) -> Result<Changes> {
    let failed =
        |message: &str| Error::Diff { revision: revision.to_owned(), message: message.to_owned() };
    if output_text(git(root).args(["rev-parse", "--git-dir"])).is_none() {
        return Err(failed(
            "needs git and a git repository that you own (git rejects others as unsafe)",
        ));
    }
    let no_commit =
        "is no revision of this repository (`git log` lists them; one revision, without `..`)";
    let commit = output_text(
        git(root)
            .args(["rev-parse", "--verify", "--quiet", "--end-of-options"])
            .arg(format!("{revision}^{{commit}}")),
    );
    let commit = commit.filter(|_| !revision.starts_with('^')).ok_or_else(|| failed(no_commit))?;
    // Without a common commit, compare with the revision itself.
    let base = output_text(git(root).args(["merge-base", commit.trim(), "HEAD"])).unwrap_or(commit);
    let filters = filters(root).ok_or_else(|| {
        failed("cannot be compared: the repository's configuration has filters of unreadable names")
    })?;
    let diff = |form: &[&str]| {
        let mut diff = git(root);
        diff.envs(filters.iter().map(|(name, value)| (name, value)));
        diff.args([
            "diff",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-renames",
            "--ignore-submodules",
            "--relative",
        ]);
        output_of(diff.args(form).args([base.trim(), "--", "."]))
            .ok_or_else(|| failed("cannot be compared: git diff failed"))
    };
    let names = diff(&["--name-status", "-z"])?;
    let hunks = diff(&["-U0", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/"])?;
    let untracked =
        output_of(git(root).args(["ls-files", "--others", "--exclude-standard", "-z", "--", "."]))
            .unwrap_or_default();
    let mut changes = read_names(&names);
    for (path, lines) in read_hunks(&String::from_utf8_lossy(&hunks)) {
        // If git must quote a name, only the changed file is known, not its lines.
        if let Some(all) = changes.files.get_mut(&path) {
            *all = lines;
        }
    }
    let untracked = untracked.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    changes.files.extend(untracked.map(|path| (notation_of_git(path), vec![ALL_LINES])));
    for (folder, commit) in submodules(root, base.trim()) {
        let inside = root.join(&folder);
        // A link in the place of the submodule leads elsewhere, or back to the repository.
        #[expect(clippy::disallowed_methods, reason = "the rim: a submodule may be a link")]
        let is_there = root.canonicalize().is_ok_and(|root| {
            inside.canonicalize().is_ok_and(|inside| inside == root.join(&folder))
        });
        // A submodule that is not checked out has no files, and git would take its folder for a
        // part of this repository.
        let is_checked_out = is_there
            && output_text(git(&inside).args(["rev-parse", "--show-prefix"]))
                .is_some_and(|prefix| prefix.trim().is_empty());
        // A submodule whose commit was never fetched cannot be compared.
        if let Some(Ok(inner)) = is_checked_out.then(|| since(&inside, &commit)) {
            let folder = notation_of_git(folder.as_bytes());
            let within = |path: String| format!("{folder}/{path}");
            changes
                .files
                .extend(inner.files.into_iter().map(|(path, lines)| (within(path), lines)));
            changes.gone.extend(inner.gone.into_iter().map(within));
        }
    }
    Ok(changes)
}

/// Returns the folders of a commit's submodules, and the commit of each. git would compare them in
/// processes without our settings, so each is compared as a repository.
fn submodules(root: &Path, commit: &str) -> Vec<(String, String)> {
    let tree = output_text(git(root).args(["ls-tree", "-r", "-z", commit])).unwrap_or_default();
    let submodule = |entry: &str| {
        let (commit, path) = entry.strip_prefix("160000 commit ")?.split_once('\t')?;
        Some((path.to_owned(), commit.to_owned()))
    };
    tree.split('\0').filter_map(submodule).collect()
}

/// Returns the output of git as text; `None` when it fails.
fn output_text(git: &mut Command) -> Option<String> {
    output_of(git).map(|output| String::from_utf8_lossy(&output).into_owned())
}

/// Returns the output of git as bytes, because file names are not always text; `None` when it
/// fails.
fn output_of(git: &mut Command) -> Option<Vec<u8>> {
    Some(git.output().ok().filter(|output| output.status.success())?.stdout)
}

/// Returns variables that switch off every filter in the repository's configuration, because git
/// would run it over the files. `None` when a filter's name cannot be stored in a variable.
fn filters(root: &Path) -> Option<Vec<(String, String)>> {
    let asked = git(root)
        .args([
            "config",
            "--name-only",
            "-z",
            "--get-regexp",
            r"^filter\..*\.(clean|smudge|process|required)$",
        ])
        .output();
    let keys = String::from_utf8(asked.ok()?.stdout).ok()?;
    let keys: Vec<&str> = keys.split('\0').filter(|key| !key.is_empty()).collect();
    let mut variables = vec![("GIT_CONFIG_COUNT".to_owned(), keys.len().to_string())];
    for (at, key) in keys.into_iter().enumerate() {
        let value = if key.ends_with(".required") { "false" } else { "" };
        variables.push((format!("GIT_CONFIG_KEY_{at}"), key.to_owned()));
        variables.push((format!("GIT_CONFIG_VALUE_{at}"), value.to_owned()));
    }
    Some(variables)
}

/// Parses pairs of a status and a path, each ended by NUL.
fn read_names(names: &[u8]) -> Changes {
    let mut changes = Changes::default();
    let mut words = names.split(|byte| *byte == 0);
    while let (Some(status), Some(path)) = (words.next(), words.next()) {
        match status {
            b"D" => changes.gone.push(notation_of_git(path)),
            _ => drop(changes.files.insert(notation_of_git(path), vec![ALL_LINES])),
        }
    }
    changes
}

/// Parses `+++ b/PATH`, then `@@ -a,b +c,d @@` for each hunk. Lines of the files begin with a sign
/// and cannot be mistaken for either, because a hunk gives their number.
fn read_hunks(diff: &str) -> BTreeMap<String, ChangedLines> {
    let mut files: BTreeMap<String, ChangedLines> = BTreeMap::new();
    let mut current: Option<&str> = None;
    let mut lines = diff.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("+++ ") {
            // A name with white space ends with a tab.
            current = path.strip_prefix("b/").map(|path| path.trim_end_matches('\t'));
        } else if let Some((old, new)) = line.strip_prefix("@@ -").and_then(hunk) {
            let last = new.0.saturating_add(new.1.max(1) - 1);
            if let Some(path) = current {
                files
                    .entry(notation_of_git(path.as_bytes()))
                    .or_default()
                    .push((new.0.max(1), last.max(1)));
            }
            let mut left = old.1.saturating_add(new.1);
            while left > 0 {
                let Some(line) = lines.next() else { break };
                // The only other line here says that the last line of the file has no line break.
                left -= u32::from(line.starts_with(['-', '+']));
            }
        }
    }
    files
}

/// Parses the start and the number of lines on either side: `12,3 +14 @@ …`.
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
        let diff = "diff --git a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -1,2 +1 @@ fn x\n-a\n--- \
            b\n+c\n@@ -9,0 +9,3 @@\n+1\n++++ b/y\n+3\n@@ -20,2 +0,0 @@\n-q\n-q\ndiff --git a/a b \
            b/a b\n--- /dev/null\n+++ b/a b\t\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
        let expected =
            [("a b".to_owned(), vec![(1, 1)]), ("x.rs".to_owned(), vec![(1, 1), (9, 11), (1, 1)])];
        assert_eq!(read_hunks(diff), BTreeMap::from(expected));
    }
}
