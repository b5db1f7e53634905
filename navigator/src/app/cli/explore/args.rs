//! The arguments of `navigator explore`.

use std::path::PathBuf;

use clap::Args;
use repo_map::cli::{EXIT_CODES, OutputFormat, SharedArgs, typed_glob};

use crate::app::cli::first_reading::KnownSiteArgs;
use crate::app::cli::progress::Tell;
use crate::app::settings::ModelArgs;
use crate::app::source::site::SiteFlags;

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
pub(in crate::app::cli) struct ExploreArgs {
    /// The repository's folder, or a site: an address, a recording, or `file://FOLDER` with HTML
    /// pages. [default: .]
    pub(in crate::app::cli) path: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::app::cli) shared: SharedArgs,
    /// Read a Flight Plan; its rules are bounds for the pilot. `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub(in crate::app::cli) plan: Option<PathBuf>,
    /// Consider only paths that this glob matches. Repeatable. Rules of --plan win over it.
    #[arg(long, value_name = "GLOB", value_parser = typed_glob)]
    pub(in crate::app::cli) include: Vec<String>,
    /// Never show paths that this glob matches. Repeatable.
    #[arg(long, value_name = "GLOB", value_parser = typed_glob)]
    pub(in crate::app::cli) exclude: Vec<String>,
    /// Output format; json is the report for programs.
    #[arg(long, value_enum)]
    pub(in crate::app::cli) format: Option<OutputFormat>,
    /// Report each turn, and ask before the next one. Nothing is spent without a yes.
    #[arg(short, long)]
    pub(in crate::app::cli) interactive: bool,
    /// Print the first request and its maximum cost, and send nothing.
    #[arg(long, conflicts_with_all = [
        "interactive", "resume", "out", "output", "plan_out", "summary_out", "json_out", "report",
    ])]
    pub(in crate::app::cli) dry_run: bool,
    /// Resume a run that ended early or was killed, by its number or folder. Flags for model and
    /// limits win over the run's. Those of a site count what was read before; where they are
    /// raised, more of it is read.
    #[arg(long, value_name = "RUN", conflicts_with_all = RESUME_HAS)]
    pub(in crate::app::cli) resume: Option<String>,
    #[command(flatten)]
    pub(in crate::app::cli) site: SiteFlags,
    #[command(flatten)]
    pub(in crate::app::cli) known: KnownSiteArgs,
    #[command(flatten)]
    pub(in crate::app::cli) model: ModelArgs,
    /// Write the context to a file instead of standard output.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    pub(in crate::app::cli) output: Option<PathBuf>,
    /// Copy the context to the clipboard instead of printing it.
    #[arg(help_heading = "Output", long, conflicts_with = "output")]
    pub(in crate::app::cli) copy: bool,
    /// Write the plan that rebuilds the context.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub(in crate::app::cli) plan_out: Option<PathBuf>,
    /// Write the summary.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub(in crate::app::cli) summary_out: Option<PathBuf>,
    /// Write the context's JSON report.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub(in crate::app::cli) json_out: Option<PathBuf>,
    /// Write an HTML page with the map turn by turn, the ranking, the decisions, the spend, and the
    /// files left out.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub(in crate::app::cli) report: Option<PathBuf>,
    /// Store the run in this folder instead of the state directory.
    #[arg(help_heading = "Output", long, value_name = "DIR")]
    pub(in crate::app::cli) out: Option<PathBuf>,
    /// Print only errors on standard error.
    #[arg(help_heading = "Output", short, long)]
    pub(in crate::app::cli) quiet: bool,
    /// Print a line for each turn of the offline pilot, too.
    #[arg(help_heading = "Output", short, long, conflicts_with = "quiet")]
    pub(in crate::app::cli) verbose: bool,
    /// Report progress as lines of JSON on standard error.
    #[arg(help_heading = "Output", long, conflicts_with = "interactive")]
    pub(in crate::app::cli) events: bool,
}

impl ExploreArgs {
    /// Returns where the messages of the command go.
    pub(in crate::app::cli) fn tell(&self) -> Tell {
        Tell { quiet: self.quiet, events: self.events }
    }
}
