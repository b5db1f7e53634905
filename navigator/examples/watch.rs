//! How far a run is, and how to end it: a watcher for the scan, an observer for the turns, a
//! token for both.
//!
//! `cargo run -p repo-navigator --example watch -- FOLDER GOAL`; a line on standard input ends it
//! with the best so far.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "an example takes arguments and prints what it made"
)]

use std::path::Path;
use std::sync::Arc;

use navigator::{Exploration, Limits, Navigator, Observer, OfflinePilot, Repository, TurnReport};
use repo_map::{CancelToken, FlightPlan, Options, ProgressSink, RepoMap, Result};

/// Passes on a line a turn.
struct Told(Arc<dyn Fn(String) + Send + Sync>);

impl Observer<Repository> for Told {
    fn turn(&mut self, report: &TurnReport, _map: &RepoMap) {
        (self.0)(report.line());
    }
}

/// Explores, and says through `tell` how far it is. Once cancelled, a scan ends with
/// `Error::Cancelled`, and turns with the best context so far.
pub(crate) fn find(
    folder: &Path,
    goal: &str,
    cancel: &CancelToken,
    tell: Arc<dyn Fn(String) + Send + Sync>,
) -> Result<Exploration<Repository>> {
    let plan = FlightPlan { goal: Some(goal.into()), ..FlightPlan::default() };
    let of_scan = Arc::clone(&tell);
    let options = Options {
        watcher: Some(ProgressSink::new(move |progress| {
            of_scan(format!("{}: {} files", progress.stage.as_str(), progress.done))
        })),
        cancel: cancel.clone(),
        ..Options::default()
    };
    let mut repository = Repository::open(folder, plan, &options)?;
    let limits = Limits { cancel: cancel.clone(), ..Limits::default() };
    Navigator::new(&mut repository)
        .limits(limits)
        .observer(&mut Told(tell))
        .explore(&mut OfflinePilot::default())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, goal] = args.as_slice() else { panic!("give a folder and a goal") };
    let cancel = CancelToken::new();
    let by_person = cancel.clone();
    // A person can change their mind at any time: whoever listens to them has a thread of its own.
    std::thread::spawn(move || {
        let read = std::io::stdin().read_line(&mut String::new());
        if read.is_ok_and(|n| n > 0) {
            by_person.cancel();
        }
    });
    let found = find(Path::new(folder), goal, &cancel, Arc::new(|line| eprintln!("{line}")))?;
    println!("{}", found.map.text);
    Ok(())
}
