//! The names in a model's answer: as the map draws them, and wrong ones.

use navigator::{Reply, Stop, answer};
use repo_map::plan::Rule;
use repo_map::{Level, LevelRange};
use test_support::service;

use crate::decisions::{asked, finalize, fly, fly_over, open, section, update};

#[test]
fn a_wrong_name_with_one_near_is_read_as_that_and_the_run_ends() {
    for (said, meant) in [
        ("src/session.rs#session.Refresh", "src/session.rs#Session::refresh"),
        ("src/session.rs#Session#isExpired", "src/session.rs#Session::is_expired"),
        ("src/session.rs#auth::Session::refresh", "src/session.rs#Session::refresh"),
        ("src/session.rs#Session::refersh", "src/session.rs#Session::refresh"),
        ("src/http.rs#mix", "src/color.rs#mix"),
        ("src/paint.rs#mix", "src/color.rs#mix"),
        ("service/src/color.rs#mix", "src/color.rs#mix"),
        ("color.rs#mix", "src/color.rs#mix"),
        ("color.rs", "src/color.rs"),
        ("service/SRC/color.rs", "src/color.rs"),
        ("src/sesion.rs", "src/session.rs"),
    ] {
        let found = fly(2_000, vec![finalize(&[&format!("{said} full"), "tests/ fold"])]);
        assert_eq!((&found.stop, found.state.turns), (&Stop::Finished, 1), "{said}");
        let entry = &found.state.log[0];
        assert_eq!(entry.complaints, [format!("`{said}` read as `{meant}`")]);
        assert_eq!(entry.paths, [meant, "tests/", "src/session.rs"]);
    }
    let answers = vec![update(&["color.rs full"]), finalize(&[])];
    let (requests, _) = asked(open(&service(), 800), answers);
    let said = section(&requests[1], "Wrong with your last answer, or not as you asked:");
    assert_eq!(said, ["- `color.rs` read as `src/color.rs`"]);
}

#[test]
fn a_wrong_name_that_can_mean_several_or_that_the_person_keeps_out_stays_wrong() {
    let folder = service();
    folder.write("src/paint.rs", b"pub fn mix() {}\npub fn mixed() {}\n");
    folder.write("src/token.rs", b"pub fn set() {}\npub fn token_1() {}\n");
    folder.write("src/token_1.rs", b"pub fn one() {}\n");
    for said in [
        "session.rs",
        "src/http.rs#mix",
        "src/token.rs#get",
        "src/token_2.rs",
        "tests/color.rs",
        "src/token.rs#token_2",
        "src/http.rs#nothing",
        "refresh",
    ] {
        let found =
            fly_over(&folder, 2_000, vec![finalize(&[&format!("{said} full")]), finalize(&[])]);
        let actions: Vec<&str> =
            found.state.log.iter().map(|entry| entry.action.as_str()).collect();
        assert_eq!(actions, ["no_usable_answer", "finalize_context"], "{said}");
    }
    let (mut repo, mut state) = open(&service(), 800);
    state.bounds = vec![Rule::new("src/color.rs", LevelRange::exactly(Level::Exclude))];
    for said in ["color.rs", "color.rs#mix", "src/http.rs#mix"] {
        let text = update(&[&format!("{said} full")]).to_string();
        let reply = Reply { text, ..Reply::default() };
        let decision = answer::read(&reply, &mut repo, &state);
        assert_eq!(decision.action, None, "{said}");
        assert!(!decision.complaints.concat().contains("src/color.rs"), "{decision:?}");
    }
}

#[test]
fn an_item_is_named_as_the_map_draws_it() {
    for said in ["fn refresh", "pub fn refresh", "fn Session::refresh", "impl Session"] {
        let said = format!("src/session.rs#{said} full");
        let found = fly(2_000, vec![update(&["src/ fold"]), finalize(&[&said])]);
        assert_eq!(found.stop, Stop::Finished, "{said}: {:?}", found.state.log);
        assert_eq!(found.state.log[1].complaints, [""; 0], "{said}");
        let text = found.map.text;
        assert!(text.contains("self.expires = now + 3600;"), "{said}\n{text}");
        assert!(!text.contains("struct Session {"), "{said}\n{text}");
    }
}

#[test]
fn many_wrong_names_are_complaints_up_to_a_count_of_the_rest() {
    let wrong: Vec<String> = (0..20).map(|at| format!("lib/zebra{at}/none.rs full")).collect();
    let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
    let found = fly(2_000, vec![update(&wrong), finalize(&[])]);
    let complaints = &found.state.log[0].complaints;
    assert_eq!(complaints.len(), 9, "{complaints:?}");
    assert_eq!(complaints[8], "12 more changes that cannot be used");
}

#[test]
fn of_two_changes_of_one_path_the_last_counts_and_the_run_ends() {
    let last = finalize(&["src/color.rs full", "src/color.rs path"]);
    let found = fly(2_000, vec![last]);
    assert_eq!((found.stop, found.state.turns), (Stop::Finished, 1));
    assert!(found.map.text.contains("- src/color.rs\n"), "{}", found.map.text);
    let complaints = &found.state.log[0].complaints;
    assert_eq!(*complaints, ["`src/color.rs` is changed twice: the last change counts"]);
}

#[test]
fn a_name_that_only_a_text_has_is_told_with_the_item_around_it() {
    let folder = service();
    folder.write(
        "src/options.go",
        b"package main\n\nfunc parse() {\n\tsetHistoryMax := 1\n\tuse(setHistoryMax)\n}\n",
    );
    let (requests, state) = asked(
        open(&folder, 800),
        vec![update(&["find setHistoryMax"]), update(&["find history_max"]), finalize(&[])],
    );
    assert_eq!(
        section(&requests[1], "Found by the name `setHistoryMax`:"),
        ["- no definition of this name; text in src/options.go#parse"]
    );
    // A part of a word is no name.
    let nothing = section(&requests[2], "Found by the name `history_max`:");
    assert_eq!(nothing, ["- nothing has this name"]);
    assert!(requests[2].turn.contains("2. update_flight_plan: find history_max ("));
    assert_eq!(state.turns, 3);
}

#[test]
fn without_a_focus_the_summary_has_the_reasons_of_the_changes() {
    let mut last = finalize(&["src/color.rs#mix full", "README.md path", "tests/ fold"]);
    last["focus"] = serde_json::json!([]);
    let summary = fly(2_000, vec![update(&["README.md full"]), last]).summary;
    let reasons = "## In, and why\n\n- `src/color.rs`: `mix`: w\n- `README.md`: w\n\n";
    assert!(summary.contains(reasons), "{summary}");
}
