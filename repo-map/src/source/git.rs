//! Runs git in a controlled environment: the only program that the library starts. (The command
//! line starts that of the clipboard.)
//!
//! The repository is not trusted: neither its configuration nor the environment can name a program
//! that git would run.

#![expect(clippy::disallowed_methods, reason = "the rim: git is run in an environment of its own")]

use std::io::{BufRead as _, BufReader, Read as _};
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

/// Runs git and hands over each text of its output that ends with a NUL, as it comes. Returns the
/// output up to `n_bytes`, where git is ended; `None` when git fails, or `see` returns `false`,
/// which ends git too.
pub(crate) fn read_texts(
    git: &mut Command,
    n_bytes: usize,
    mut see: impl FnMut(&[u8]) -> bool,
) -> Option<Vec<u8>> {
    let mut child = git.stdout(Stdio::piped()).spawn().ok()?;
    let mut reader = BufReader::new(child.stdout.take()?.take(n_bytes as u64));
    let mut output = Vec::new();
    let is_whole = loop {
        let start = output.len();
        match reader.read_until(0, &mut output) {
            Ok(0) => break true,
            Ok(_) if see(&output[start..]) => {}
            Ok(_) | Err(_) => break false,
        }
    };
    let is_full = output.len() == n_bytes;
    if !is_whole || is_full {
        let _ = child.kill();
    }
    let status = child.wait().ok()?;
    (is_whole && (is_full || status.success())).then_some(output)
}

/// Reports whether the folder is the top of a repository or of a work tree.
pub(crate) fn is_top(root: &Path) -> bool {
    root.join(".git").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_read_up_to_a_limit() {
        let read = |n_bytes: usize| {
            read_texts(git(Path::new(".")).arg("version"), n_bytes, |_| true).unwrap()
        };
        assert_eq!(read(8), b"git vers");
        assert!(read(1_000).ends_with(b"\n"));
    }
}
