//! Where a run is kept: a numbered folder in the user's state directory, one file for each thing a run leaves.

#![expect(clippy::disallowed_methods, reason = "the rim: makes folders")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// The names of the files in a run's folder.
pub const CONTEXT: &str = "context.md";
/// The flown plan.
pub const PLAN: &str = "plan.yaml";
/// What is in and why.
pub const SUMMARY: &str = "summary.md";
/// The JSON twin of the context.
pub const REPORT: &str = "report.json";
/// What was decided.
pub const DECISION_LOG: &str = "decision-log.jsonl";
/// What was spent.
pub const LEDGER: &str = "ledger.jsonl";

/// Makes the folder of a new run, the first free number. `None` where there is no home to keep it in.
///
/// # Errors
/// When the folder cannot be made.
pub fn create() -> io::Result<Option<PathBuf>> {
    let Ok(base) = etcetera::choose_base_strategy() else { return Ok(None) };
    let runs = base.state_dir().unwrap_or_else(|| base.data_dir()).join("navigator").join("runs");
    fs::create_dir_all(&runs)?;
    let mut number = last_number(&runs)? + 1;
    loop {
        let folder = runs.join(format!("{number:05}"));
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(Some(folder)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

fn last_number(runs: &Path) -> io::Result<u32> {
    let mut last = 0;
    for entry in fs::read_dir(runs)? {
        let number = entry?.file_name().to_str().and_then(|name| name.parse().ok()).unwrap_or(0);
        last = last.max(number);
    }
    Ok(last)
}
