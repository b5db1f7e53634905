//! The arguments of `navigator replay`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};
use repo_map::cli::EXIT_CODES;

use crate::app::cli::progress::Tell;
use crate::app::cli::walk::LIVE_PAGES;
#[cfg(feature = "browser")]
use crate::app::cli::walk::browser_flags::BrowserFlags;
use crate::app::source::site::SiteFlags;

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
pub(in crate::app::cli) struct ReplayArgs {
    /// A flown plan, or a run by its number or folder; `-` is a plan on standard input.
    pub(in crate::app::cli) plan: PathBuf,
    /// The repository's folder, or the site: its recording, or `file://FOLDER`. [default: the
    /// run's, else .]
    pub(in crate::app::cli) path: Option<PathBuf>,
    /// Write the context to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::app::cli) output: Option<PathBuf>,
    /// Write an HTML page with the map and the files left out, without a ranking.
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    pub(in crate::app::cli) report: Option<PathBuf>,
    /// Print only errors, and what differs, on standard error.
    #[arg(short, long)]
    pub(in crate::app::cli) quiet: bool,
    /// Copy the context to the clipboard instead of printing it.
    #[arg(long, conflicts_with_all = ["output", "check"])]
    pub(in crate::app::cli) copy: bool,
    /// Print only the outcome: identical, drifted or impossible. With `shown`, added or deleted
    /// files that the map does not show are ignored.
    #[arg(
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all"
    )]
    pub(in crate::app::cli) check: Option<Check>,
    /// Fit again if the repository has drifted, with the plan's levels as ceilings.
    #[arg(long, conflicts_with = "check")]
    pub(in crate::app::cli) allow_drift: bool,
    #[command(flatten)]
    pub(in crate::app::cli) again: LiveFlags,
    /// Take the steps of a walk again on its live pages, compare each screen with the recorded one,
    /// and stop at the first that differs. The run keeps its result; its security log grows.
    #[arg(long, group = LIVE_PAGES, conflicts_with_all = [
        "path", "check", "copy", "report", "allow_drift", "live",
    ])]
    pub(in crate::app::cli) rerun: bool,
    /// With --rerun: allow an effect without a question, as for the walk. Repeatable.
    #[arg(long, requires = "rerun", value_name = "EFFECT")]
    pub(in crate::app::cli) allow: Vec<String>,
    /// With --rerun: ask about effects that are not allowed.
    #[arg(short, long, requires = "rerun")]
    pub(in crate::app::cli) interactive: bool,
    #[cfg(feature = "browser")]
    #[command(flatten)]
    pub(in crate::app::cli) pages: BrowserFlags,
    #[command(flatten)]
    pub(in crate::app::cli) site: SiteFlags,
}

impl ReplayArgs {
    /// Returns where the messages of the command go.
    pub(in crate::app::cli) fn tell(&self) -> Tell {
        Tell { quiet: self.quiet, events: false }
    }
}

/// The files that a check compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::app::cli) enum Check {
    // Comments, not help texts: with help for each value clap prints the whole page in its long
    // form.
    All,
    Shown,
}

/// Whether a site is asked again, and for which pages not.
#[derive(Debug, Args)]
pub(in crate::app::cli) struct LiveFlags {
    /// Ask the site again for the pages of the recording, and print those that changed, moved, went
    /// or came. No context is printed.
    #[arg(long, conflicts_with_all = ["copy", "report", "allow_drift"])]
    pub(in crate::app::cli) live: bool,
    /// With --live: neither ask for nor compare the pages of a glob, beside those that the run
    /// left out. Repeatable.
    #[arg(long, requires = "live", value_name = "GLOB")]
    pub(in crate::app::cli) exclude: Vec<String>,
}
