//! The arguments of `navigator browse`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use repo_map::cli::{EXIT_CODES, TableFormat};

use crate::app::cli::progress::Tell;
use crate::app::cli::walk::LIVE_PAGES;
#[cfg(feature = "browser")]
use crate::app::cli::walk::browser_flags::BrowserFlags;
use crate::app::settings::ModelArgs;
use crate::app::source::site::SiteFlags;
use crate::walk::pilot::view::LEAST_VIEW_TOKENS;

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
pub(in crate::app::cli) struct BrowseArgs {
    /// The address of the first page, a recording, or `file://FOLDER` with HTML pages.
    #[arg(required_unless_present = "resume")]
    pub(in crate::app::cli) site: Option<PathBuf>,
    /// Set the goal: what to find, in words.
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(in crate::app::cli) goal: Option<String>,
    /// Read the goal from a file; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "goal")]
    pub(in crate::app::cli) goal_file: Option<PathBuf>,
    /// Begin a walk over a recording or a folder at this page. [default: the first page recorded,
    /// `index.html` of a folder]
    #[arg(long, value_name = "PAGE")]
    pub(in crate::app::cli) start: Option<String>,
    /// Begin with what is known of the site: a file of `navigator knowledge build`. Pages that it
    /// has seen links to can be opened at once. In a browser, the walk first follows a known way to
    /// the screen that the goal names.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(in crate::app::cli) knowledge: Option<PathBuf>,
    /// Try what the knowledge does not have: what a model proposed, then links that nobody followed
    /// and controls that nobody used. `navigator knowledge build` then adds what was seen.
    #[arg(long, requires = "knowledge", conflicts_with_all = ["goal", "goal_file", "start"])]
    pub(in crate::app::cli) fill_gaps: bool,
    /// Maximum number of steps: clicks, going back, opened addresses, a search, extracts, and in a
    /// browser each operation. [default: 15]
    #[arg(long, value_name = "N")]
    pub(in crate::app::cli) max_steps: Option<u32>,
    /// Without a model: go by the names of links alone. A walk that finds no sure answer by them
    /// searches the site once, with the requests that are left.
    #[arg(long)]
    pub(in crate::app::cli) no_search: bool,
    /// Maximum size of the view of a page, in tokens. [default: 1500]
    #[arg(long, value_parser = view_tokens, value_name = "N")]
    pub(in crate::app::cli) view_tokens: Option<u32>,
    /// Allow an effect without a question: `reads:HOST`; in a browser also `destroys:NAME` (a
    /// control that warns) or `destroys:NAME beside TEXT`, `sends:HOST` and requests,
    /// `METHOD:ORIGIN/PATH`. Repeatable.
    #[arg(long, value_name = "EFFECT")]
    pub(in crate::app::cli) allow: Vec<String>,
    /// Report each step, and ask before the next one. Nothing is spent without a yes.
    #[arg(short, long)]
    pub(in crate::app::cli) interactive: bool,
    /// Ask the program that started this one: each question is an event of --events, answered by
    /// a line on standard input, `{"id": 1, "answer": "yes"}` (or `no`, `never`).
    #[arg(long, conflicts_with = "interactive")]
    pub(in crate::app::cli) ask_on_stdin: bool,
    /// Resume a walk that ended early or was killed, by its number or folder. Flags for model and
    /// limits win over the walk's. In a browser the steps are taken again on the live pages.
    #[arg(long, value_name = "RUN", group = LIVE_PAGES, conflicts_with_all = [
        "site", "goal", "goal_file", "start", "out", "profile",
    ])]
    pub(in crate::app::cli) resume: Option<String>,
    /// Walk live pages in a browser: scripts run, and controls can be operated. Nothing but
    /// reading leaves it without a yes, or a rule of --allow (`POST:https://HOST/PATH`). It takes
    /// no --max-depth, --delay, --cookies, --header, --proxy and --scope.
    #[cfg(feature = "browser")]
    #[arg(help_heading = "Browser", long, group = LIVE_PAGES)]
    pub(in crate::app::cli) browser: bool,
    /// With --resume: take steps again that have sent something, so that it may be sent again.
    /// --allow is needed again too.
    #[cfg(feature = "browser")]
    #[arg(help_heading = "Browser", long, requires = "resume")]
    pub(in crate::app::cli) send_again: bool,
    #[cfg(feature = "browser")]
    #[command(flatten)]
    pub(in crate::app::cli) pages: BrowserFlags,
    #[command(flatten)]
    pub(in crate::app::cli) server: SiteFlags,
    #[command(flatten)]
    pub(in crate::app::cli) model: ModelArgs,
    /// Output format: what was extracted, or the whole result as JSON.
    #[arg(help_heading = "Output", long, value_enum, default_value_t = TableFormat::Text)]
    pub(in crate::app::cli) format: TableFormat,
    /// Write to a file instead of standard output.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    pub(in crate::app::cli) output: Option<PathBuf>,
    /// Store the walk in this folder instead of the state directory.
    #[arg(help_heading = "Output", long, value_name = "DIR")]
    pub(in crate::app::cli) out: Option<PathBuf>,
    /// Print only errors on standard error.
    #[arg(help_heading = "Output", short, long)]
    pub(in crate::app::cli) quiet: bool,
    /// Print a line for each step of the offline pilot, too.
    #[arg(help_heading = "Output", short, long, conflicts_with = "quiet")]
    pub(in crate::app::cli) verbose: bool,
    /// Report progress as lines of JSON on standard error.
    #[arg(help_heading = "Output", long, conflicts_with = "interactive")]
    pub(in crate::app::cli) events: bool,
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

impl BrowseArgs {
    /// Returns where the messages of the command go.
    pub(in crate::app::cli) fn tell(&self) -> Tell {
        Tell { quiet: self.quiet, events: self.events || self.ask_on_stdin }
    }
}
