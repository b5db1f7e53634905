//! Runs git in a controlled environment: the only program that the library starts. (The command
//! line starts that of the clipboard.)
//!
//! The repository is not trusted: neither its configuration nor the environment can name a program
//! that git would run.

#![expect(clippy::disallowed_methods, reason = "the rim: git is run in an environment of its own")]

use std::path::Path;
use std::process::{Command, Stdio};

/// Returns a command for git over the folder at `root`, ready for a subcommand.
pub(crate) fn git(root: &Path) -> Command {
    let mut git = Command::new("git");
    for (name, _) in std::env::vars_os() {
        if name.as_encoded_bytes().starts_with(b"GIT_") {
            git.env_remove(name);
        }
    }
    git.env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_GRAFT_FILE", "/dev/null")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C")
        .args([
            "--no-pager",
            "--literal-pathspecs",
            "-c",
            "core.fsmonitor=false",
            "-c",
            "core.hooksPath=/dev/null",
        ])
        .args([
            "-c",
            "log.showSignature=false",
            "-c",
            "gpg.program=false",
            "-c",
            "core.quotePath=false",
        ])
        .args([
            "-c",
            "log.showRoot=true",
            "-c",
            "i18n.logOutputEncoding=UTF-8",
            "-c",
            "diff.orderFile=/dev/null",
        ])
        .arg("-C")
        .arg(root)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    git
}

/// Reports whether the folder is the top of a repository or of a work tree.
pub(crate) fn is_top(root: &Path) -> bool {
    root.join(".git").exists()
}
