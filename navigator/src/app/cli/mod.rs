//! The command line: arguments become a plan and limits, and results go to their destinations.
//!
//! Standard output carries only the context.

#![expect(clippy::disallowed_methods, reason = "the rim: reads plans, writes what a run leaves")]

mod advice;
mod browse;
mod explore;
mod first_reading;
mod knowledge;
mod listing;
mod lists;
#[cfg(feature = "mcp")]
mod mcp;
mod observer;
mod outcome;
mod plan_text;
mod progress;
mod recording;
mod replay;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "store")]
mod store;
mod task;
mod visits;
mod walk;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use repo_map::cli::{
    CommandFailure, CompletionsArgs, EXIT_CODES, Exit, ManArgs, TableFormat, completions,
    long_version, man, parsed,
};

use self::browse::args::BrowseArgs;
use self::explore::args::ExploreArgs;
use self::knowledge::args::KnowledgeArgs;
#[cfg(feature = "mcp")]
use self::mcp::McpArgs;
use self::progress::Tell;
use self::replay::args::ReplayArgs;
#[cfg(feature = "store")]
use self::store::args::{PurseArgs, StoreArgs};
use crate::app::settings::ModelArgs;
#[cfg(feature = "store")]
use crate::store::StoreError;

/// Examples, for `--help`.
const EXAMPLES: &str = "\
Examples:
  navigator explore --goal \"where are sessions refreshed?\" --tokens 8k
  navigator explore --goal-file issue.md --copy
  navigator explore https://docs.example/3/ --goal \"how do I stream a file?\" --tokens 4k
  navigator replay 1                 the same bytes again
  navigator mcp .                    serve an agent or an editor";

/// Print the parts of a repository or a site that matter for a goal, within a token budget and a
/// limit in USD, and leave a plan that rebuilds them.
#[derive(Debug, Parser)]
#[command(
    name = "navigator",
    version,
    long_version = long_version(),
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
)]
struct NavigatorArgs {
    #[command(subcommand)]
    command: NavigatorCommand,
}

#[derive(Debug, Subcommand)]
enum NavigatorCommand {
    /// Explore a repository or a site for a goal: print the context, and store plan and summary.
    Explore(Box<ExploreArgs>),
    /// Walk a site page by page for a goal: click, back, extract. Print what was extracted.
    Browse(Box<BrowseArgs>),
    /// Rebuild the context of a flown plan or a run, byte for byte, without a model or a network.
    Replay(Box<ReplayArgs>),
    /// Build, query and merge knowledge files: the screens of explored sites, the actions on them,
    /// and where each leads.
    Knowledge(Box<KnowledgeArgs>),
    /// Serve explorations, maps and explanations to agents and editors, by the Model Context
    /// Protocol on standard input and output.
    #[cfg(feature = "mcp")]
    Mcp(Box<McpArgs>),
    /// Serve the same to many callers over HTTP: to agents by the Model Context Protocol, to
    /// programs as JSON.
    #[cfg(feature = "serve")]
    Serve(Box<serve::ServeArgs>),
    /// Manage the database that holds the purses, runs and knowledge files that many machines
    /// share.
    #[cfg(feature = "store")]
    Store(Box<StoreArgs>),
    /// Create, show and change purses: spend limits that many runs share.
    #[cfg(feature = "store")]
    Purse(Box<PurseArgs>),
    /// List stored runs, oldest first.
    Runs(ListArgs),
    /// List models with their prices, windows and key status.
    Models(ModelsArgs),
    /// Show the settings in force, and the origin of each.
    Config(Box<ConfigArgs>),
    /// Print the completion script for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands.
    Man(ManArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct ModelsArgs {
    /// List only models whose name contains this text.
    #[arg(default_value = "")]
    filter: String,
    /// Read this price list (TOML) instead of the bundled one.
    #[arg(long, value_name = "FILE")]
    prices: Option<String>,
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

#[derive(Debug, Args)]
struct ConfigArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Output format: a table, or one JSON object a line.
    #[arg(long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
}

/// Parses the arguments, runs the command, and returns the exit code.
pub fn main() -> ExitCode {
    let command = parsed::<NavigatorArgs>().command;
    let tell = match &command {
        NavigatorCommand::Explore(args) => args.tell(),
        NavigatorCommand::Browse(args) => args.tell(),
        NavigatorCommand::Replay(args) => args.tell(),
        _ => Tell { quiet: false, events: false },
    };
    let done = match command {
        NavigatorCommand::Explore(args) => explore::run(&args),
        NavigatorCommand::Browse(args) => browse::run(&args),
        NavigatorCommand::Replay(args) => replay::run(&args),
        NavigatorCommand::Knowledge(args) => knowledge::run(&args),
        #[cfg(feature = "mcp")]
        NavigatorCommand::Mcp(args) => mcp::run(&args),
        #[cfg(feature = "serve")]
        NavigatorCommand::Serve(args) => serve::run(&args),
        #[cfg(feature = "store")]
        NavigatorCommand::Store(args) => store::run(&args),
        #[cfg(feature = "store")]
        NavigatorCommand::Purse(args) => store::purse::run(&args),
        NavigatorCommand::Runs(args) => lists::runs(&args),
        NavigatorCommand::Models(args) => lists::models(&args),
        NavigatorCommand::Config(args) => lists::config(&args),
        NavigatorCommand::Completions(args) => completions::<NavigatorArgs>(&args),
        NavigatorCommand::Man(args) => man::<NavigatorArgs>(&args),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => tell.failed(CommandFailure::of(&error, exit_of)),
    }
}

/// Returns the exit code of a cause; `None` if it says nothing of it.
fn exit_of(cause: &(dyn std::error::Error + 'static)) -> Option<Exit> {
    // What a command names has to be there.
    #[cfg(feature = "store")]
    if let Some(StoreError::Missing { .. } | StoreError::Unknown { .. }) = cause.downcast_ref() {
        return Some(Exit::Usage);
    }
    site_map::Error::exit_of(cause)
}
