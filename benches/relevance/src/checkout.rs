//! The tree of an instance as it was when the issue was written, from a checkout or from a git
//! directory.
//!
//! A tree made here has a HEAD detached at that commit and no ref, tag or reflog that names
//! anything later. Its objects are those of the git directory, which is only read.

#![expect(clippy::disallowed_methods, reason = "the rim: runs git and reads what it wrote")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use crate::instance::Instance;

/// Where the tree of an instance comes from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A checkout, used as it is.
    Tree(PathBuf),
    /// A git directory that has the commit.
    GitDir(PathBuf),
}

/// What the folder has for an instance.
pub(crate) fn origin(folder: &Path, instance: &Instance) -> Option<Origin> {
    let tree = folder.join(&instance.instance_id);
    if tree.is_dir() {
        return Some(Origin::Tree(tree));
    }
    let repo = folder.join(&instance.gitdir);
    let git_dir =
        [repo.join(".git"), repo].into_iter().find(|git_dir| git_dir.join("objects").is_dir());
    git_dir.map(Origin::GitDir)
}

/// Makes `tree` the tree of a commit, or moves it there. A few huge files may be missing from a git
/// directory and are then missing from the tree.
pub(crate) fn check_out(git_dir: &Path, commit: &str, tree: &Path) -> Result<()> {
    if !tree.join(".git").exists() {
        fs::create_dir_all(tree).with_context(|| format!("cannot make {}", tree.display()))?;
        git(tree, &["init", "-q", "."])?;
    }
    let objects = fs::canonicalize(git_dir.join("objects"))?;
    fs::write(tree.join(".git/objects/info/alternates"), format!("{}\n", objects.display()))?;
    git(tree, &["update-ref", "--no-deref", "HEAD", commit])?;
    git(tree, &["read-tree", "--reset", commit])?;
    // Fails where a file is missing, after it wrote the others.
    command(tree, &["checkout-index", "-a", "-f", "-q"]).status().context("cannot run git")?;
    git(tree, &["clean", "-fdxq"])
}

/// The text of a file; `None` for one that is not there.
pub(crate) fn text(root: &Path, path: &str) -> Option<String> {
    fs::read(root.join(path)).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn git(tree: &Path, args: &[&str]) -> Result<()> {
    let output = command(tree, args).stderr(Stdio::piped()).output().context("cannot run git")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "git {} in {}: {}",
        args.join(" "),
        tree.display(),
        said.trim()
    );
    Ok(())
}

/// git in an environment of its own: no configuration but ours, no network, no reflog.
fn command(tree: &Path, args: &[&str]) -> Command {
    let mut git = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"GIT_") {
            git.env_remove(name);
        }
    }
    git.env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .args([
            "-c",
            "core.logAllRefUpdates=false",
            "-c",
            "core.autocrlf=false",
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "gc.auto=0",
        ])
        .current_dir(tree)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    git
}
