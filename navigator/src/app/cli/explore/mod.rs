//! `navigator explore`: from flags, or a resumed run, to a context at its destination. A session is
//! opened, scans, runs and delivers; each step returns the value for the next one.

pub(super) mod args;
mod session;

use std::ops::ControlFlow;

use anyhow::Result;
use repo_map::cli::{Exit, say};

use crate::app::cli::explore::args::ExploreArgs;
use crate::app::cli::explore::session::settled::Session;
use crate::app::cli::knowledge::sources::open;
use crate::app::cli::outcome::check_outputs;
use crate::app::terminal;

/// Explores, and returns the exit code.
pub(super) fn run(args: &ExploreArgs) -> Result<Exit> {
    if args.interactive && !terminal::is_there() {
        say("navigator: interactive mode needs a terminal; without `--interactive` the run goes \
             by its limits alone");
        return Ok(Exit::NoTerminal);
    }
    check_outputs(args)?;
    match Session::open(args, open)?.scan()? {
        ControlFlow::Break(exit) => Ok(exit),
        ControlFlow::Continue(scanned) if args.dry_run => scanned.dry_run(),
        ControlFlow::Continue(scanned) => scanned.run()?.deliver(),
    }
}
