//! `navigator explore`: from flags, or a run that is continued, to a context in the right place. A
//! session is opened, scans, runs and delivers; each step gives the value that the next one needs.

use std::ops::ControlFlow;

use anyhow::Result;
use repo_map::cli::{Exit, say};

use super::ExploreArgs;
use super::outcome::check_outputs;
use super::session::Session;
use crate::app::terminal;

/// Explores, and gives the exit code.
pub(super) fn run(args: &ExploreArgs) -> Result<Exit> {
    if args.interactive && !terminal::is_there() {
        say("navigator: interactive mode needs a terminal; without `--interactive` the run goes \
             by its limits alone");
        return Ok(Exit::NoTerminal);
    }
    check_outputs(args)?;
    match Session::open(args)?.scan()? {
        ControlFlow::Break(exit) => Ok(exit),
        ControlFlow::Continue(scanned) if args.dry_run => scanned.dry_run(),
        ControlFlow::Continue(scanned) => scanned.run()?.deliver(),
    }
}
