//! The command line: arguments become a site and a plan, and results become text.

mod args;
mod commands;
mod diff;
mod masked;
mod rank;
mod record;
mod source;

use std::process::ExitCode;

use anyhow::Result;
use repo_map::cli::{CommandFailure, Exit, completions, fail, man, parsed};

use args::{SiteArgs, SiteCommand};

use crate::Error;

/// Runs the program: parses the arguments, runs the command, and reports errors.
pub fn main() -> ExitCode {
    match run(parsed()) {
        Ok(exit) => exit.into(),
        Err(error) => fail("site-map", CommandFailure::of(&error, Error::exit_of)),
    }
}

fn run(args: SiteArgs) -> Result<Exit> {
    match args.command {
        None => commands::map(&args.map),
        Some(SiteCommand::Rank(args)) => rank::rank(&args),
        Some(SiteCommand::Tree(args)) => commands::tree(&args),
        Some(SiteCommand::Explain(args)) => commands::explain(&args),
        Some(SiteCommand::Page(args)) => commands::page(&args),
        Some(SiteCommand::Diff(args)) => diff::diff(&args),
        Some(SiteCommand::Record(args)) => record::record(&args),
        Some(SiteCommand::Links(args)) => commands::links(&args),
        Some(SiteCommand::Completions(args)) => completions::<SiteArgs>(&args),
        Some(SiteCommand::Man(args)) => man::<SiteArgs>(&args),
    }
}
