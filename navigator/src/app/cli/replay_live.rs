//! `navigator replay --live`: what changed on the site of a plan since it was recorded.

use std::path::Path;

use anyhow::Result;
use repo_map::CancelToken;
use repo_map::cli::{Exit, deliver, say};

use super::ReplayArgs;
use super::observer::watch_for_interrupt;
use super::progress::Tell;

/// Asks the site of a recording again, and prints the pages that differ.
pub(super) fn run(args: &ReplayArgs, recording: &Path) -> Result<Exit> {
    let cancel = CancelToken::new();
    watch_for_interrupt(&cancel, Tell { quiet: false, events: false });
    let live = args.site.ask_again(recording, &cancel)?;
    say(format!("navigator: {}", live.line));
    let lines: String = live.changes.iter().map(|change| format!("{change}\n")).collect();
    deliver("navigator", args.output.as_deref(), false, &lines.into())?;
    if cancel.is_cancelled() {
        return Ok(Exit::Interrupted);
    }
    Ok(match (live.changes.is_empty(), live.n_unasked) {
        (false, _) => Exit::Drifted,
        (true, 0) => Exit::Finished,
        (true, _) => Exit::PagesFailed,
    })
}
