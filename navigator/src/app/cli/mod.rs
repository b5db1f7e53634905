//! The command line: arguments become a plan and limits, and results go to their destinations.
//!
//! Standard output carries only the context.

#![expect(clippy::disallowed_methods, reason = "the rim: reads plans, writes what a run leaves")]

mod advice;
mod asker;
mod browse;
mod browse_observer;
mod browse_request;
#[cfg(feature = "browser")]
mod browser_flags;
mod explore;
mod first_reading;
mod knowledge;
mod listing;
mod lists;
mod live_walk;
#[cfg(feature = "mcp")]
mod mcp;
mod observer;
mod outcome;
mod plan_text;
mod progress;
#[cfg(feature = "store")]
mod purse;
mod recording;
mod replay;
mod replay_live;
mod rerun;
#[cfg(feature = "browser")]
mod secret_flags;
#[cfg(feature = "browser")]
mod sent_again;
#[cfg(feature = "serve")]
mod serve;
mod session;
#[cfg(feature = "store")]
mod store;
#[cfg(feature = "store")]
mod store_args;
mod task;
mod visits;
mod walk_run;
mod walk_world;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
#[cfg(feature = "mcp")]
use repo_map::cli::ReadArgs;
use repo_map::cli::{
    CompletionsArgs, EXIT_CODES, ManArgs, OutputFormat, SharedArgs, TableFormat, completions, fail,
    long_version, man, parsed,
};

#[cfg(feature = "browser")]
use self::browser_flags::BrowserFlags;
use self::knowledge::args::KnowledgeArgs;
#[cfg(feature = "store")]
use self::store_args::{PurseArgs, StoreArgs};
use crate::app::settings::ModelArgs;
use crate::app::source::site::SiteFlags;
use crate::walk::view::LEAST_VIEW_TOKENS;

/// Find the best context for a goal, within a token budget and a limit in USD, and leave a plan
/// that rebuilds it.
#[derive(Debug, Parser)]
#[command(name = "navigator", version, long_version = long_version(), after_help = EXIT_CODES)]
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
    /// Make, ask and merge knowledges: the screens of sites that were explored, what can be done on
    /// them, and where that leads.
    Knowledge(Box<KnowledgeArgs>),
    /// Serve explorations, maps and explanations to agents and editors, by the Model Context
    /// Protocol on standard input and output.
    #[cfg(feature = "mcp")]
    Mcp(Box<McpArgs>),
    /// Serve the same to many callers over HTTP: to agents by the Model Context Protocol, to
    /// programs as JSON.
    #[cfg(feature = "serve")]
    Serve(Box<serve::ServeArgs>),
    /// Make and use a store: purses, runs and knowledges that many machines share.
    #[cfg(feature = "store")]
    Store(Box<StoreArgs>),
    /// Create, show and change purses: limits of spend that many runs share.
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

/// The group of flags that open live pages.
const LIVE_PAGES: &str = "live_pages";

/// The flags that a resumed run has settled already.
const RESUME_HAS: [&str; 15] = [
    "path",
    "plan",
    "profile",
    "include",
    "exclude",
    "out",
    "goal",
    "goal_file",
    "tokenizer",
    "line_numbers",
    "hidden",
    "no_ignore",
    "no_mask",
    "no_history",
    "diff",
];

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
struct ExploreArgs {
    /// The repository's folder, or a site: an address, a recording, or `file://FOLDER` with HTML
    /// pages. [default: .]
    path: Option<PathBuf>,
    #[command(flatten)]
    shared: SharedArgs,
    /// Read a Flight Plan; its rules are bounds for the pilot. `-` is standard input.
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Consider only paths that this glob matches. Repeatable. Rules of --plan win over it.
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Never show paths that this glob matches. Repeatable.
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Output format; json is the report for programs.
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,
    /// Report each turn, and ask before the next one. Nothing is spent without a yes.
    #[arg(short, long)]
    interactive: bool,
    /// Print the first request and its maximum cost, and send nothing.
    #[arg(long, conflicts_with_all = [
        "interactive", "resume", "out", "output", "plan_out", "summary_out", "json_out", "report",
    ])]
    dry_run: bool,
    /// Resume a run that ended early or was killed, by its number or folder. Flags for model and
    /// limits win over the run's. Those of a site count what was read before; where they are
    /// raised, more of it is read.
    #[arg(long, value_name = "RUN", conflicts_with_all = RESUME_HAS)]
    resume: Option<String>,
    #[command(flatten)]
    site: SiteFlags,
    #[command(flatten)]
    known: first_reading::KnownSiteArgs,
    #[command(flatten)]
    model: ModelArgs,
    /// Write the context to a file instead of standard output.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Copy the context to the clipboard instead of printing it.
    #[arg(help_heading = "Output", long, conflicts_with = "output")]
    copy: bool,
    /// Write the plan that rebuilds the context.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    plan_out: Option<PathBuf>,
    /// Write the summary.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    summary_out: Option<PathBuf>,
    /// Write the context's JSON report.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    json_out: Option<PathBuf>,
    /// Write an HTML page with the map turn by turn, the ranking, the decisions, the spend, and the
    /// files left out.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Store the run in this folder instead of the state directory.
    #[arg(help_heading = "Output", long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print only errors on standard error.
    #[arg(help_heading = "Output", short, long)]
    quiet: bool,
    /// Print a line for each turn of the offline pilot, too.
    #[arg(help_heading = "Output", short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Report progress as lines of JSON on standard error.
    #[arg(help_heading = "Output", long, conflicts_with = "interactive")]
    events: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = EXIT_CODES,
    group(ArgGroup::new(LIVE_PAGES).multiple(true)),
    mut_arg("max_turns", |arg| arg.help(
        "Limit the number of turns. [default: 20, or twice --max-steps if that is more]"
    )),
    mut_arg("max_requests", |arg| arg.help(
        "Maximum number of requests: pages, redirects, retries and robots.txt; in a browser all \
         that leaves, scripts and images too. [default: 40]"
    )),
    mut_arg("max_depth", |arg| arg.hide(true)),
    mut_arg("scope", |arg| arg.help(
        "Open only addresses of the first page's server whose path begins with this. [default: all]"
    )),
)]
struct BrowseArgs {
    /// The address of the first page, a recording, or `file://FOLDER` with HTML pages.
    #[arg(required_unless_present = "resume")]
    site: Option<PathBuf>,
    /// Set the goal: what to find, in words.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    goal: Option<String>,
    /// Read the goal from a file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "goal")]
    goal_file: Option<PathBuf>,
    /// Begin a walk over a recording or a folder at this page. [default: the first page recorded,
    /// `index.html` of a folder]
    #[arg(long, value_name = "PAGE")]
    start: Option<String>,
    /// Begin with what is known of the site: a file of `navigator knowledge build`. Pages that it
    /// has seen links to can be opened at once. In a browser, the walk first follows a known way to
    /// the screen that the goal names.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    knowledge: Option<PathBuf>,
    /// Try what the knowledge does not have: what a model proposed, then links that nobody followed
    /// and controls that nobody used. `navigator knowledge build` then adds what was seen.
    #[arg(long, requires = "knowledge", conflicts_with_all = ["goal", "goal_file", "start"])]
    fill_gaps: bool,
    /// Maximum number of steps: clicks, going back, opened addresses, extracts, and in a browser
    /// each operation. [default: 15]
    #[arg(long, value_name = "N")]
    max_steps: Option<u32>,
    /// Maximum size of the view of a page, in tokens. [default: 1500]
    #[arg(long, value_parser = view_tokens, value_name = "N")]
    view_tokens: Option<u32>,
    /// Allow an effect without a question: `reads:HOST`; in a browser also `destroys:NAME` (a
    /// control that warns), `sends:HOST` and requests, `METHOD:ORIGIN/PATH`. Repeatable.
    #[arg(long, value_name = "EFFECT")]
    allow: Vec<String>,
    /// Report each step, and ask before the next one. Nothing is spent without a yes.
    #[arg(short, long)]
    interactive: bool,
    /// Ask the program that started this one: each question is an event of --events, answered by
    /// a line on standard input, `{"id": 1, "answer": "yes"}` (or `no`, `never`).
    #[arg(long, conflicts_with = "interactive")]
    ask_on_stdin: bool,
    /// Resume a walk that ended early or was killed, by its number or folder. Flags for model and
    /// limits win over the walk's. In a browser the steps are taken again on the live pages.
    #[arg(long, value_name = "RUN", group = LIVE_PAGES, conflicts_with_all = [
        "site", "goal", "goal_file", "start", "out", "profile",
    ])]
    resume: Option<String>,
    /// Walk live pages in a browser: scripts run, and controls can be operated. Nothing but
    /// reading leaves it without a yes, or a rule of --allow (`POST:https://HOST/PATH`). It takes
    /// no --max-depth, --delay, --cookies, --proxy and --scope.
    #[cfg(feature = "browser")]
    #[arg(help_heading = "Browser", long, group = LIVE_PAGES)]
    browser: bool,
    /// With --resume: take steps again that have sent something, so that it may be sent again.
    /// --allow is needed again too.
    #[cfg(feature = "browser")]
    #[arg(help_heading = "Browser", long, requires = "resume")]
    send_again: bool,
    #[cfg(feature = "browser")]
    #[command(flatten)]
    pages: BrowserFlags,
    #[command(flatten)]
    server: SiteFlags,
    #[command(flatten)]
    model: ModelArgs,
    /// Output format: what was extracted, or the whole result as JSON.
    #[arg(help_heading = "Output", long, value_enum, default_value_t = TableFormat::Text)]
    format: TableFormat,
    /// Write to a file instead of standard output.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Store the walk in this folder instead of the state directory.
    #[arg(help_heading = "Output", long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print only errors on standard error.
    #[arg(help_heading = "Output", short, long)]
    quiet: bool,
    /// Print a line for each step of the offline pilot, too.
    #[arg(help_heading = "Output", short, long, conflicts_with = "quiet")]
    verbose: bool,
    /// Report progress as lines of JSON on standard error.
    #[arg(help_heading = "Output", long, conflicts_with = "interactive")]
    events: bool,
}

/// Reads the size of a view.
fn view_tokens(text: &str) -> Result<u32, String> {
    match repo_map::cli::tokens(text)? {
        few if few < LEAST_VIEW_TOKENS => {
            Err(format!("a view of {few} tokens shows too little (at least {LEAST_VIEW_TOKENS})"))
        }
        tokens => Ok(tokens),
    }
}

#[derive(Debug, Args)]
#[command(
    after_help = EXIT_CODES,
    group(ArgGroup::new(LIVE_PAGES)),
    mut_arg("max_requests", |arg| arg.help(
        "Maximum number of requests. [default: with --rerun the run's, with --live one for each \
         recorded page, and 40]"
    )),
    mut_arg("max_bytes", |arg| arg.help(
        "Maximum number of bytes received. [default: with --rerun the run's, else 100000000]"
    )),
    mut_arg("max_depth", |arg| arg.help(
        "With --live: maximum number of links to a new page. [default: 30]"
    )),
    mut_arg("delay", |arg| arg.help(
        "Time between two requests, in milliseconds. [default: with --rerun the run's, else 250]"
    )),
    mut_arg("scope", |arg| arg.help(
        "Read only addresses whose path begins with this. [default: with --live the recording's, \
         with --rerun the run's]"
    )),
)]
struct ReplayArgs {
    /// A flown plan, or a run by its number or folder; `-` is a plan on standard input.
    plan: PathBuf,
    /// The repository's folder, or the site: its recording, or `file://FOLDER`. [default: the
    /// run's, else .]
    path: Option<PathBuf>,
    /// Write the context to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write an HTML page with the map and the files left out, without a ranking.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    report: Option<PathBuf>,
    /// Copy the context to the clipboard instead of printing it.
    #[arg(long, conflicts_with_all = ["output", "check"])]
    copy: bool,
    /// Print only the outcome: identical, drifted or impossible. With `shown`, added or deleted
    /// files that the map does not show are ignored.
    #[arg(
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all"
    )]
    check: Option<Check>,
    /// Fit again if the repository has drifted, with the plan's levels as ceilings.
    #[arg(long, conflicts_with = "check")]
    allow_drift: bool,
    #[command(flatten)]
    again: replay_live::LiveFlags,
    /// Take the steps of a walk again on its live pages, compare each screen with the recorded one,
    /// and stop at the first that differs. The run keeps its result; its security log grows.
    #[arg(long, group = LIVE_PAGES, conflicts_with_all = [
        "path", "check", "copy", "report", "allow_drift", "live",
    ])]
    rerun: bool,
    /// With --rerun: allow an effect without a question, as for the walk. Repeatable.
    #[arg(long, requires = "rerun", value_name = "EFFECT")]
    allow: Vec<String>,
    /// With --rerun: ask about effects that are not allowed.
    #[arg(short, long, requires = "rerun")]
    interactive: bool,
    #[cfg(feature = "browser")]
    #[command(flatten)]
    pages: BrowserFlags,
    #[command(flatten)]
    site: SiteFlags,
}

/// The files that a check compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Check {
    // Comments, not help texts: with help for each value clap prints the whole page in its long
    // form.
    All,
    Shown,
}

/// Replaces the exit codes of a run for a server: the limit is the server's, and there is no code
/// for a result.
#[cfg(feature = "mcp")]
const OF_A_SERVER: &str = "\
With --model, --budget is the limit for the lifetime of the server; a call can only lower it.
The limits of a site hold for each call; a call can only lower --max-requests.
Without --model no model is used: a model in the settings is ignored.

Exit codes:
  0    standard input ended
  1    error
  2    usage, refused price";

#[cfg(feature = "mcp")]
#[derive(Debug, Args)]
#[command(after_help = OF_A_SERVER)]
struct McpArgs {
    /// The repository's folder. Callers cannot read outside it.
    #[arg(default_value = ".")]
    path: PathBuf,
    /// Set the default size of a result in tokens; `8k` is 8000. [default: 8000]
    #[arg(short, long, value_parser = repo_map::cli::tokens, value_name = "N")]
    tokens: Option<u32>,
    /// Allow callers to read a site: `reads:HOST`, or `reads:https://HOST` for one scheme.
    /// Repeatable.
    #[arg(long, value_name = "EFFECT")]
    allow: Vec<String>,
    /// Let callers ask a knowledge of a site (`navigator knowledge build` makes one). Repeatable.
    #[arg(long, value_name = "FILE")]
    knowledge: Vec<PathBuf>,
    #[command(flatten)]
    site: SiteFlags,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    model: ModelArgs,
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
    let done = match parsed::<NavigatorArgs>().command {
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
        NavigatorCommand::Purse(args) => purse::run(&args),
        NavigatorCommand::Runs(args) => lists::runs(&args),
        NavigatorCommand::Models(args) => lists::models(&args),
        NavigatorCommand::Config(args) => lists::config(&args),
        NavigatorCommand::Completions(args) => completions::<NavigatorArgs>(&args),
        NavigatorCommand::Man(args) => man::<NavigatorArgs>(&args),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(error) => fail("navigator", &error),
    }
}
