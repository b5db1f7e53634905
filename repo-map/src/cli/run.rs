//! The `repo-map` program: parses arguments, runs the command, returns its exit code.

#![expect(clippy::disallowed_methods, reason = "the rim: reads arguments, ends the process")]

use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{ArgMatches, Parser};

use crate::cli::args::{RepoMapArgs, RepoMapCommand};
use crate::cli::install::{completions, man};
use crate::cli::output::{fail, say};
use crate::cli::{diff, explain, map, tools, tree};
use crate::exit::Exit;
use crate::text::sanitize::Sanitized;

/// Runs the program: parses the arguments, runs the command, and reports errors.
pub fn main() -> ExitCode {
    match run(parsed()) {
        Ok(exit) => exit.into(),
        Err(error) => fail("repo-map", &error),
    }
}

/// Parses the arguments. An error quotes them as sanitized text. A goal may begin with a dash, so
/// an option behind a forgotten goal would be taken for the goal; this is an error.
pub fn parsed<C: Parser>() -> C {
    let mut command = C::command();
    let parsed = command.try_get_matches_from_mut(std::env::args_os()).and_then(|matches| {
        if let Some(flag) = goal_that_is_a_flag(&command, &matches) {
            let message = format!(
                "a value is required for '--goal <TEXT>', and `{flag}` is a \
                flag (`--goal-file` reads a goal like this)"
            );
            return Err(command.error(ErrorKind::InvalidValue, message));
        }
        C::from_arg_matches(&matches)
    });
    parsed.unwrap_or_else(|error| {
        let plain = error.render().to_string();
        if Sanitized::text(&plain) == plain.as_str() {
            // Help and version, with their colours.
            error.exit();
        }
        say(plain.trim_end());
        std::process::exit(error.exit_code());
    })
}

fn goal_that_is_a_flag(command: &clap::Command, matches: &ArgMatches) -> Option<String> {
    if let Some((name, of_subcommand)) = matches.subcommand() {
        return goal_that_is_a_flag(command.find_subcommand(name)?, of_subcommand);
    }
    let goal = matches.try_get_one::<String>("goal").ok()??;
    let long = |flag: &str| command.get_arguments().any(|arg| arg.get_long() == Some(flag));
    let short = |flag: char| command.get_arguments().any(|arg| arg.get_short() == Some(flag));
    // With a value too: `--tokens=5000`, `-t5000`.
    let is_flag = match goal.strip_prefix("--") {
        Some(flag) => long(flag.split_once('=').map_or(flag, |(flag, _)| flag)),
        None => {
            !goal.contains(' ')
                && goal.strip_prefix('-').and_then(|flag| flag.chars().next()).is_some_and(short)
        }
    };
    is_flag.then(|| goal.clone())
}

fn run(cli: RepoMapArgs) -> Result<Exit> {
    match cli.command {
        None => map::run(cli.map),
        Some(RepoMapCommand::Rank(args)) => explain::rank(args),
        Some(RepoMapCommand::Explain(args)) => explain::explain(args),
        Some(RepoMapCommand::Tree(args)) => tree::run(args),
        Some(RepoMapCommand::Check(args)) => tools::check(&args),
        Some(RepoMapCommand::Diff(args)) => diff::run(&args),
        Some(RepoMapCommand::Cache(args)) => tools::cache(&args.command),
        Some(RepoMapCommand::Languages(args)) => tools::languages(&args),
        Some(RepoMapCommand::Schema) => tools::schema(),
        Some(RepoMapCommand::Completions(args)) => completions::<RepoMapArgs>(&args),
        Some(RepoMapCommand::Man(args)) => man::<RepoMapArgs>(&args),
    }
}
