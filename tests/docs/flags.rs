//! Flags of our programs in commands that are not run.

use std::collections::BTreeMap;
use std::path::Path;

use test_support::sealed;

use crate::programs;

/// The help pages that were asked for.
#[derive(Default)]
pub(crate) struct Helps {
    pages: BTreeMap<(String, String), String>,
}

impl Helps {
    /// The flags and subcommands in a script that our programs do not know.
    pub(crate) fn unknown_in(&mut self, script: &str) -> Vec<String> {
        let mut unknown = Vec::new();
        for line in script.lines() {
            let line = line.strip_prefix("$ ").unwrap_or(line);
            let line = line.split(" #").next().unwrap_or_default();
            for command in line.split(['|', ';', '&']) {
                unknown.extend(self.unknown_of(&command.split_whitespace().collect::<Vec<_>>()));
            }
        }
        unknown
    }

    fn unknown_of(&mut self, words: &[&str]) -> Vec<String> {
        let Some((program, args)) = ours(words) else { return Vec::new() };
        let subcommand = args
            .first()
            .filter(|arg| arg.chars().all(|one| one.is_ascii_lowercase()))
            .copied()
            .unwrap_or_default();
        let help = self.help(program, subcommand);
        let is_known = |flag: &str| {
            help.lines().any(|line| line.split([' ', ',', '=', '[']).any(|word| word == flag))
        };
        let args = args.split(|arg| *arg == "--").next().unwrap_or_default();
        let flags = args
            .iter()
            .filter(|arg| arg.len() > 1 && arg.starts_with('-'))
            .map(|arg| arg.split('=').next().unwrap_or(arg));
        flags
            .filter(|flag| !is_known(flag))
            .map(|flag| format!("`{program} {subcommand}` has no `{flag}`"))
            .collect()
    }

    /// What `--help` says; that of the program where it has no such subcommand.
    fn help(&mut self, program: &str, subcommand: &str) -> String {
        let key = (program.to_owned(), subcommand.to_owned());
        let page = self.pages.entry(key).or_insert_with(|| {
            let sealed = sealed(programs::program(program));
            let help = sealed.run(Path::new("/"), &[subcommand, "--help"]);
            if help.code == 0 {
                help.stdout
            } else {
                sealed.run(Path::new("/"), &["--help"]).stdout
            }
        });
        page.clone()
    }
}

/// Which of our programs a command runs, and with what: by its name, behind another program, or by
/// `cargo run`.
fn ours<'a>(words: &'a [&'a str]) -> Option<(&'a str, &'a [&'a str])> {
    let is_ours = |word: &str| ["navigator", "repo-map", "site-map"].contains(&word);
    if words.first() == Some(&"cargo") {
        let at = words.iter().position(|word| *word == "--")?;
        let program = words[..at].iter().find(|word| is_ours(word))?;
        return (words.get(1) == Some(&"run")).then_some((*program, &words[at + 1..]));
    }
    let at = words.iter().rposition(|word| is_ours(word))?;
    Some((words[at], &words[at + 1..]))
}

#[test]
fn flags_that_do_not_exist_are_found() {
    let mut helps = Helps::default();
    assert_eq!(
        helps.unknown_in(
            "navigator explore --goal x --tokns 3 # --none\nrg --files | repo-map --focus-from -"
        ),
        ["`navigator explore` has no `--tokns`"]
    );
    assert_eq!(
        helps.unknown_in("cargo run --release --bin navigator -- replay --chek 1"),
        ["`navigator replay` has no `--chek`"]
    );
    assert!(helps.unknown_in("cargo install --path repo-map --locked").is_empty());
}
