//! How far a run is, and how to end it: a watcher for the scan, an observer for the turns, a flag
//! for both.
//!
//! `cargo run -p repo-navigator --example watch -- FOLDER GOAL`; a line on standard input ends it with
//! the best so far.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints what it made")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use navigator::{Exploration, Limits, Navigator, Observer, OfflinePilot, TurnReport};
use repo_map::{FlightPlan, Options, ProgressSink, Repo, RepoMap, Result};

/// Passes on a line a turn.
struct Told(Arc<dyn Fn(String) + Send + Sync>);

impl Observer for Told {
    fn turn(&mut self, report: &TurnReport, _map: &RepoMap) {
        (self.0)(report.line());
    }
}

/// Explores, and says through `tell` how far it is. Once `ended` is set, a scan ends with
/// `Error::Cancelled`, and turns with the best context so far.
pub(crate) fn find(
    folder: &Path,
    goal: &str,
    ended: &Arc<AtomicBool>,
    tell: Arc<dyn Fn(String) + Send + Sync>,
) -> Result<Exploration> {
    let plan = FlightPlan { goal: Some(goal.into()), ..FlightPlan::default() };
    let of_scan = Arc::clone(&tell);
    let options = Options {
        watcher: Some(ProgressSink::new(move |progress| {
            of_scan(format!("{}: {} files", progress.stage.as_str(), progress.done))
        })),
        cancelled: Some(Arc::clone(ended)),
        ..Options::default()
    };
    let mut repo = Repo::open(folder, &plan, &options)?;
    let limits = Limits { interrupted: Some(ended.as_ref()), ..Limits::default() };
    Navigator::new(&plan)
        .limits(limits)
        .observer(&mut Told(tell))
        .explore(&mut repo, &mut OfflinePilot::default())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, goal] = args.as_slice() else { panic!("give a folder and a goal") };
    let ended = Arc::new(AtomicBool::new(false));
    let by_person = Arc::clone(&ended);
    // A person can change their mind at any time: whoever listens to them has a thread of its own.
    std::thread::spawn(move || {
        let read = std::io::stdin().read_line(&mut String::new());
        by_person.store(read.is_ok_and(|n| n > 0), Ordering::Relaxed);
    });
    let found = find(Path::new(folder), goal, &ended, Arc::new(|line| eprintln!("{line}")))?;
    println!("{}", found.map.text);
    Ok(())
}
