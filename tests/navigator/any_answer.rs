//! Whatever a model answers, what comes of it stays within the person's rules: the property that
//! `fuzz/` looks for exceptions to.

use navigator::{Action, Reply, Repository, RuleChange, Terrain as _, answer};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use repo_map::{FlightPlan, Level, LevelRange, Options};
use serde_json::json;
use test_support::random::config;

use crate::answers::{Bounded, pieced};
use crate::service;

#[test]
fn an_answer_is_read_whatever_it_says() {
    let bounded = std::cell::RefCell::new(Bounded::new());
    // Changes as they should be, of paths as they may be.
    let change = "([\u{8}\u{b}\u{c}\u{e}]|\u{2}[\u{11}-\u{19}]{1,3}\u{3}[\u{5}-\u{7}]\"\\})";
    let answers =
        format!("[\u{0}\u{1d}]({change}\u{1f}){{0,4}}{change}\u{f}|[\u{0}-\u{1f}]{{0,8}}");
    let hold = |(text, pieces): (String, String)| {
        let mut bounded = bounded.borrow_mut();
        bounded.hold(&text);
        bounded.hold(&pieced(&pieces));
        Ok(())
    };
    TestRunner::new(config(500)).run(&(any::<String>(), answers.as_str()), hold).unwrap();
}

#[test]
fn a_named_item_wins_over_its_file_whatever_their_order() {
    let mut bounded = Bounded::new();
    for paths in ["tests/session.rs", "tests/", "**/*.rs"] {
        for of_paths in ["exclude", "fold", "path", "outline", "interface", "body", "full"] {
            for of_item in ["exclude", "outline", "interface", "body", "full"] {
                for in_force in [&[][..], &[0], &[1], &[0, 1]] {
                    bounded.hold_item(paths, (of_paths, of_item), in_force);
                }
            }
        }
    }
}

#[test]
fn of_two_changes_of_one_path_the_last_counts_and_it_is_said() {
    let folder = service();
    let plan =
        FlightPlan { goal: Some("where is a session refreshed?".into()), ..FlightPlan::default() };
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let change = |path: &str, level: &str| json!({ "path": path, "level": level, "why": "w" });
    let changes = [
        change("src/color.rs", "full"),
        change("src/http.rs", "path"),
        change("./src/color.rs", "path"),
    ];
    let text = json!({ "action": "update_flight_plan", "changes": changes }).to_string();
    let state = repo.first_state();
    let decision = answer::read(&Reply { text, ..Reply::default() }, &mut repo, &state);
    assert_eq!(decision.complaints, ["`src/color.rs` is changed twice: the last change counts"]);
    let Some(Action::UpdateFlightPlan { changes, .. }) = decision.action else {
        panic!("an update")
    };
    let paths = |path: &str| RuleChange::paths(path, LevelRange::exactly(Level::Path), "w");
    assert_eq!(changes, [paths("/src/http.rs"), paths("/src/color.rs")]);
}

#[test]
fn a_long_answer_has_short_complaints() {
    let long = "long ".repeat(10_000);
    let mut bounded = Bounded::new();
    bounded.hold(&format!("{{\"action\": \"{long}\"}}"));
    bounded.hold(&format!("{{\"action\": [\"{long}\"]}}"));
    bounded.hold(&format!(
        "{{\"changes\": [{{\"path\": \"[{long}\", \"level\": \"full\"}}, \
        {{\"level\": \"{long}\"}}]}}"
    ));
}
