//! `navigator explore`: from flags, or a resumed run, to a context at its destination. A session is
//! opened, scans, runs and delivers; each step returns the value for the next one.

use std::ops::ControlFlow;

use anyhow::Result;
use repo_map::cli::{Exit, say};

use super::ExploreArgs;
use super::knowledge;
use super::outcome::check_outputs;
use super::session::settled::Session;
use crate::app::terminal;

/// Explores, and returns the exit code.
pub(super) fn run(args: &ExploreArgs) -> Result<Exit> {
    if args.interactive && !terminal::is_there() {
        say("navigator: interactive mode needs a terminal; without `--interactive` the run goes \
             by its limits alone");
        return Ok(Exit::NoTerminal);
    }
    check_outputs(args)?;
    match Session::open(args, knowledge::open)?.scan()? {
        ControlFlow::Break(exit) => Ok(exit),
        ControlFlow::Continue(scanned) if args.dry_run => scanned.dry_run(),
        ControlFlow::Continue(scanned) => scanned.run()?.deliver(),
    }
}
