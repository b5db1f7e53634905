//! The examples of the library do what they say.

use std::sync::{Arc, Mutex};

use navigator::Stop;
use repo_map::{CancelToken, Error, Level};

use crate::service;

#[allow(dead_code, reason = "its main is the example's")]
#[path = "../../navigator/examples/custom_model.rs"]
mod custom_model;
#[allow(dead_code, reason = "its main is the example's")]
#[path = "../../navigator/examples/custom_pilot.rs"]
mod custom_pilot;
#[allow(dead_code, reason = "its main is the example's")]
#[path = "../../navigator/examples/watch.rs"]
mod watch;

const GOAL: &str = "where is a session refreshed?";

#[test]
fn a_pilot_of_ones_own_opens_a_file_a_turn() {
    let found = custom_pilot::find(service().path(), GOAL, 4_000).unwrap();
    assert_eq!(found.stop, Stop::Finished);
    assert!(found.map.text.contains("self.expires = now + 3600;"), "{}", found.map.text);
    let focus: Vec<String> =
        found.state.finalized.unwrap().1.into_iter().map(|area| area.path).collect();
    assert_eq!(focus[0], "src/session.rs");
    assert_eq!((focus.len(), found.state.turns), (3, 4));
    assert!(
        found.summary.contains("- Pilot: one by one, 4 turns, 0 calls, $0.00 spent"),
        "{}",
        found.summary
    );
}

#[test]
fn a_model_of_ones_own_corrects_the_offline_map_and_its_calls_are_written_down() {
    let (found, journal) = custom_model::find(service().path(), GOAL, 4_000).unwrap();
    assert_eq!(found.stop, Stop::Finished);
    let level =
        |path: &str| found.map.files.iter().find(|file| file.path == path).map(|file| file.level);
    assert_eq!(
        (level("src/session.rs"), level("tests/session.rs")),
        (Some(Level::Full), Some(Level::Exclude))
    );
    assert_eq!((found.purse.calls, found.purse.spent_pico_usd.0), (2, 0));
    let events: Vec<&str> = journal
        .iter()
        .map(|line| if line.contains("\"reserved\"") { "reserved" } else { "settled" })
        .collect();
    assert_eq!(events, ["reserved", "settled", "reserved", "settled"]);
}

#[test]
fn whoever_watches_is_told_of_every_stage_and_turn() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let tell = Arc::new(move |line| kept.lock().unwrap().push(line));
    let found = watch::find(service().path(), GOAL, &CancelToken::new(), tell).unwrap();
    let lines = lines.lock().unwrap();
    for said in ["finding: 6 files", "reading: 6 files", "turn 1: "] {
        assert!(lines.iter().any(|line| line.starts_with(said)), "{said} is not in {lines:#?}");
    }
    assert_eq!(
        lines.iter().filter(|line| line.starts_with("turn ")).count(),
        found.state.turns as usize
    );
}

#[test]
fn a_run_that_is_ended_ends_in_the_scan_with_an_error_and_later_with_a_context() {
    let folder = service();
    let cancel = CancelToken::new();
    cancel.cancel();
    let cancelled = watch::find(folder.path(), GOAL, &cancel, Arc::new(|_| ())).unwrap_err();
    assert!(matches!(cancelled, Error::Cancelled), "{cancelled}");

    let cancel = CancelToken::new();
    let token = cancel.clone();
    let at_the_first_turn = move |line: String| {
        if line.starts_with("turn 1") {
            token.cancel();
        }
    };
    let found = watch::find(folder.path(), GOAL, &cancel, Arc::new(at_the_first_turn)).unwrap();
    assert_eq!((found.stop, found.state.turns), (Stop::Interrupted, 1));
    assert!(found.map.text.contains("src/session.rs"), "{}", found.map.text);
}
