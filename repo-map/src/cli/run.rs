//! The `repo-map` program: parses arguments, runs the command, returns its exit code.

#![expect(clippy::disallowed_methods, reason = "the rim: reads arguments, ends the process")]

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Parser};

use crate::Error;
use crate::cli::args::{RepoMapArgs, RepoMapCommand};
use crate::cli::install::{completions, man};
use crate::cli::output::{CommandFailure, fail, say};
use crate::cli::{diff, explain, map, tools, tree};
use crate::exit::Exit;
use crate::text::sanitize::Sanitized;
use crate::text::suggest::{did_you_mean, similar};

/// Runs the program: parses the arguments, runs the command, and reports errors.
pub fn main() -> ExitCode {
    match run(parsed()) {
        Ok(exit) => exit.into(),
        Err(error) => fail("repo-map", CommandFailure::of(&error, Error::exit_of)),
    }
}

/// Parses the arguments. An error quotes them as sanitized text. A goal may begin with a dash, so
/// an option behind a forgotten goal would be taken for the goal; this is an error.
pub fn parsed<C: Parser>() -> C {
    let mut command = C::command();
    let known = misspelt_command(&mut command).map_or(Ok(()), Err);
    let matches = known.and_then(|()| command.try_get_matches_from_mut(std::env::args_os()));
    let parsed = matches.and_then(|matches| {
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
        let mut error = second_source(&mut command, &error).unwrap_or(error);
        drop_far_suggestions(&mut error);
        advise(&mut error);
        let plain = error.render().to_string();
        if Sanitized::text(&plain) == plain.as_str() {
            // Help and version, with their colours.
            error.exit();
        }
        say(plain.trim_end());
        std::process::exit(error.exit_code());
    })
}

/// The programs, each with the commands that it alone has or that people look for in it.
const COMMANDS_OF_PROGRAMS: [(&str, &[&str]); 3] = [
    ("repo-map", &["rank", "explain", "tree", "check", "diff", "cache", "languages", "schema"]),
    ("site-map", &["page", "record", "links"]),
    (
        "navigator",
        &[
            "explore",
            "browse",
            "replay",
            "knowledge",
            "mcp",
            "serve",
            "store",
            "purse",
            "runs",
            "models",
            "config",
        ],
    ),
];

/// Returns an error where the first argument is neither a command nor a file, and is a command of
/// another program, or near a command: it would be taken for the repository.
fn misspelt_command(command: &mut clap::Command) -> Option<clap::Error> {
    let word = std::env::args_os().nth(1)?.into_string().ok()?;
    let takes_path = command.get_positionals().next().is_some();
    let is_known =
        command.find_subcommand(&word).is_some() || takes_path && Path::new(&word).exists();
    if is_known || word.starts_with('-') {
        return None;
    }
    let name = command.get_name().to_owned();
    let has_word = |(program, commands): &&(&str, &[&str])| {
        *program != name && commands.contains(&word.as_str())
    };
    if let Some((other, _)) = COMMANDS_OF_PROGRAMS.iter().find(has_word) {
        let message = format!("`{word}` is a command of `{other}`: `{other} {word}`");
        return Some(command.error(ErrorKind::InvalidSubcommand, message));
    }
    if !takes_path {
        return None;
    }
    let near = similar(&word, command.get_subcommands().map(clap::Command::get_name));
    let message = format!("`{word}` is neither a command nor a path{}", did_you_mean(&near));
    (!near.is_empty()).then(|| command.error(ErrorKind::InvalidSubcommand, message))
}

/// Returns an error in place of one about a second folder or site, which other programs take.
fn second_source(command: &mut clap::Command, error: &clap::Error) -> Option<clap::Error> {
    let kind = match error.kind() {
        ErrorKind::ArgumentConflict => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    };
    let Some(ContextValue::String(word)) = error.get(kind) else { return None };
    let first = std::env::args_os().nth(1)?.into_string().ok()?;
    let chosen = command.find_subcommand(&first).unwrap_or(command);
    let takes = |id: &str| chosen.get_arguments().any(|arg| arg.get_id() == id);
    let is_folder = !word.starts_with('-') && command.find_subcommand(word).is_none();
    let message = match word.contains("://") || takes("source") {
        true => format!("`{word}` is one source too many, a map has one"),
        false => format!(
            "`{word}` is one folder too many, a map has one (`--include {word}` shows only what \
             it matches)"
        ),
    };
    let takes_one = takes("source") || takes("path") && takes("include");
    (is_folder && takes_one).then(|| command.error(ErrorKind::UnknownArgument, message))
}

/// What there is in place of flags that other programs have.
const FLAGS_OF_OTHERS: &[(&[&str], &str)] = &[
    (&["-q", "--quiet", "--silent"], "messages go to standard error: `2>/dev/null` drops them"),
    (&["-v", "--verbose"], "`repo-map explain PATH` says why a path has its level"),
    (&["--color", "--colour", "--no-color"], "there are no colours"),
];

/// Replaces the advice to pass an unknown flag as a value, which nobody means.
fn advise(error: &mut clap::Error) {
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return };
    let place = FLAGS_OF_OTHERS.iter().find(|(flags, _)| flags.contains(&given.as_str()));
    let suggested = match error.remove(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips,
        _ => Vec::new(),
    };
    let is_of_use = |tip: &StyledStr| !tip.to_string().starts_with("to pass ");
    let own = place.map(|(_, tip)| StyledStr::from(*tip));
    let tips: Vec<StyledStr> = suggested.into_iter().filter(is_of_use).chain(own).collect();
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
}

/// Drops suggestions that share only some letters with what was given, and a usage made of them.
fn drop_far_suggestions(error: &mut clap::Error) {
    let word = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.trim_start_matches('-').to_owned()),
        _ => None,
    };
    if let Some(given) = word(error, ContextKind::InvalidArg)
        && let Some(flag) = word(error, ContextKind::SuggestedArg)
        && similar(&given, [flag.as_str()]).is_empty()
    {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    if let Some(given) = word(error, ContextKind::InvalidSubcommand)
        && let Some(ContextValue::Strings(names)) = error.remove(ContextKind::SuggestedSubcommand)
    {
        let near: Vec<&str> = similar(&given, names.iter().map(String::as_str));
        if !near.is_empty() {
            let near = near.into_iter().map(str::to_owned).collect();
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(near));
        }
    }
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
