//! A context for whoever writes the message of a commit: what is not committed yet, and what leans
//! on it.
//!
//! `cargo run -p repo-map --example commit_message -- [FOLDER]`

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "an example takes arguments and prints what it made"
)]

use std::path::{Path, PathBuf};

use repo_map::{FlightPlan, Options, RepoMap, Result, RuleLayers};

/// A message is written in a moment: so many tokens tell what a change is about.
const TOKENS: u32 = 600;

/// The map of what changed since the last commit.
pub(crate) fn context(folder: &Path) -> Result<RepoMap> {
    let mut plan =
        FlightPlan { goal: Some("describe what was changed".into()), ..FlightPlan::default() };
    plan.context.tokens = TOKENS;
    // Files that git does not know yet count as changed too. What earlier commits said has no
    // bearing on this one.
    let options = Options { diff: Some("HEAD".into()), history: false, ..Options::default() };
    let repo = repo_map::open(folder, &plan, &options)?;
    repo.map(RuleLayers::default())
}

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    print!("{}", context(&folder)?.text);
    Ok(())
}
