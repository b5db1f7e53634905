//! A model that follows a script, through the program: what its answers do to the map, what the
//! decision log has of them, and how each script ends.
//!
//! Long: conversations stand here as they are sent.

use std::fs;

use serde_json::{Value, json};
use test_support::{Ran, Repo, Sealed, sealed};

use crate::runs::{finalize, flags, says};
use crate::server::{Answer, Server, status};
use crate::service;

const GOAL: &str = "where is a session refreshed?";

/// A run, and the folder that it left.
struct Flight {
    navigator: Sealed,
    ran: Ran,
    requests: Vec<Value>,
}

impl Flight {
    /// Flies by a script over a folder.
    fn over(folder: &Repo, script: Vec<Answer>, more: &[&str]) -> Flight {
        let server = Server::start(script);
        let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
        let flags = flags(&server);
        let mut args = vec!["explore", "-g", GOAL, "--no-history"];
        args.extend(flags.iter().map(String::as_str));
        args.extend(more);
        let ran = navigator.run(folder.path(), &args);
        let requests = server.received().iter().map(|one| one.json()).collect();
        Flight { navigator, ran, requests }
    }

    fn of(script: Vec<Answer>, more: &[&str]) -> Flight {
        Flight::over(&service(), script, more)
    }

    fn file(&self, name: &str) -> String {
        let run = self.navigator.home().join(".local/state/navigator/runs/00001");
        fs::read_to_string(run.join(name)).unwrap()
    }

    /// The decision log in words, then how the run ended and what is shown above its path.
    fn story(&self) -> String {
        let mut page = String::new();
        for line in self.file("decision-log.jsonl").lines() {
            let entry: Value = serde_json::from_str(line).unwrap();
            page.push_str(&format!("{} {}", entry["step"], entry["action"].as_str().unwrap()));
            for change in entry["changes"].as_array().into_iter().flatten() {
                let item = change["item"].as_str().map(|item| format!("#{item}"));
                let path = change["path"].as_str().unwrap();
                let level = change["level"].as_str().unwrap();
                page.push_str(&format!(", {path}{} {level}", item.unwrap_or_default()));
            }
            page.push('\n');
            for complaint in entry["complaints"].as_array().into_iter().flatten() {
                page.push_str(&format!("  ! {}\n", complaint.as_str().unwrap()));
            }
        }
        let report: Value = serde_json::from_str(&self.file("report.json")).unwrap();
        page.push_str(&format!("exit {}, {}\n", self.ran.code, report["stop"].as_str().unwrap()));
        for file in report["files"].as_array().unwrap() {
            let items: Vec<String> = file["items"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|item| {
                    format!(
                        " #{} {}",
                        item["name"].as_str().unwrap(),
                        item["level"].as_str().unwrap()
                    )
                })
                .collect();
            let level = file["level"].as_str().unwrap();
            page.push_str(&format!(
                "{} {level}{}\n",
                file["path"].as_str().unwrap(),
                items.concat()
            ));
        }
        page
    }
}

/// An answer that changes levels: `path level`, or `path#item level`.
fn changes(list: &[&str]) -> Answer {
    let changes: Vec<Value> = list
        .iter()
        .map(|change| {
            let (path, level) = change.split_once(' ').unwrap();
            json!({ "path": path, "level": level, "why": "w" })
        })
        .collect();
    let answer = json!({
        "reasoning": "r", "action": "update_flight_plan", "changes": changes,
        "summary": "", "focus": [],
    });
    says(&answer, 1_000, 100)
}

fn ends() -> Answer {
    says(&finalize(), 1_000, 100)
}

#[test]
fn levels_go_up_and_down_as_the_model_says() {
    let flight = Flight::of(
        vec![
            changes(&["src/color.rs full", "README.md fold"]),
            changes(&["src/color.rs path", "src/http.rs interface"]),
            ends(),
        ],
        &["--tokens", "300"],
    );
    insta::assert_snapshot!(flight.story(), @"
    1 update_flight_plan, /src/color.rs full, /README.md fold
    2 update_flight_plan, /src/color.rs path, /src/http.rs interface
    3 finalize_context
    exit 0, finished
    README.md fold
    assets/logo.svg fold
    src/color.rs path
    src/http.rs interface
    src/session.rs full
    tests/session.rs full
    ");
}

#[test]
fn everything_can_be_folded_but_one_item() {
    let flight = Flight::of(
        vec![changes(&["** fold", "src/session.rs#Session::refresh full"]), ends()],
        &["--tokens", "800"],
    );
    insta::assert_snapshot!(flight.story(), @"
    1 update_flight_plan, ** fold, /src/session.rs#Session::refresh full
    2 finalize_context
    exit 0, finished
    README.md fold
    assets/logo.svg fold
    src/color.rs fold
    src/http.rs fold
    src/session.rs path #Session@2 interface #Session::refresh full
    tests/session.rs fold
    ");
    insta::assert_snapshot!(flight.ran.stdout, @"
    # Repository map
    - ./ +1 file
    - assets/ (1 file: svg 1)
    - src/ +2 files
    ## src/session.rs
    ```rust
    impl Session {
        /// Makes the session live longer; fails when it has expired.
        pub fn refresh(&mut self, now: u64) -> Result<(), Expired> {
            if now > self.expires {
                return Err(Expired);
            }
            self.expires = now + 3600;
            Ok(())
        }
    }
    … 3 more
    ```
    - tests/ (1 file: rs 1)
    ## Left out
    Folded: 5 files.
    ");
}

#[test]
fn what_is_not_there_comes_back_as_a_complaint_and_the_rest_counts() {
    let flight = Flight::of(
        vec![
            changes(&["lib/sesion.rs full", "src/color.rs full"]),
            changes(&["src/session.rs#Session::refreshes full", "nothing/** path"]),
            changes(&["src/http.rs signatures"]),
            ends(),
        ],
        &["--tokens", "800"],
    );
    insta::assert_snapshot!(flight.story(), @"
    1 update_flight_plan, /src/color.rs full
      ! `lib/sesion.rs` matches no file (did you mean `src/session.rs`, `tests/session.rs`?)
    2 no_usable_answer
      ! `src/session.rs` has no item `Session::refreshes` (did you mean `Session::refresh`?)
      ! `nothing/**` matches no file
    3 no_usable_answer
      ! `signatures` for `src/http.rs` is not a level (exclude, fold, path, outline, \
      interface, body, full)
    4 finalize_context
    exit 0, finished
    README.md fold
    assets/logo.svg fold
    src/color.rs full
    src/http.rs full
    src/session.rs full
    tests/session.rs full
    ");
    let second = flight.requests[1]["messages"].to_string();
    assert!(second.contains("did you mean `src/session.rs`"), "it is told: {second}");
}

#[test]
fn a_persons_bounds_clamp_what_the_model_wants() {
    let folder = service();
    folder.write(
        "bounds.yaml",
        b"version: 1\nrules:\n- {path: '**', level: '..interface'}\n\
          - {path: src/color.rs, level: exclude}\n- {path: README.md, level: full}\n",
    );
    let script = vec![
        changes(&["src/color.rs full", "src/session.rs full", "README.md fold"]),
        changes(&["src/color.rs#mix full"]),
        ends(),
    ];
    let flags = ["--tokens", "800", "--plan", "bounds.yaml"];
    let flight = Flight::over(&folder, script, &flags);
    insta::assert_snapshot!(flight.story(), @"
    1 update_flight_plan, /src/color.rs full, /src/session.rs full, /README.md fold
      ! the person's rules keep `src/color.rs` at exclude: `src/color.rs` was clamped to that
      ! the person's rules keep `src/session.rs` at exclude..interface: `src/session.rs` was \
      clamped to that
      ! the person's rules keep `README.md` at full: `README.md` was clamped to that
      ! these changes changed nothing in the map
    2 update_flight_plan, /src/color.rs#mix full
      ! the person's rules keep `src/color.rs` at exclude: `src/color.rs#mix` was clamped to that
      ! these changes changed nothing in the map
    3 finalize_context
    exit 0, finished
    README.md full
    assets/logo.svg fold
    src/color.rs exclude
    src/http.rs interface
    src/session.rs interface
    tests/session.rs interface
    ");
    for request in &flight.requests {
        assert!(!request.to_string().contains("Mixes two colors"), "{request}");
    }
}

#[test]
fn include_and_exclude_are_bounds_too() {
    let script = || vec![changes(&["** full"]), ends()];
    let include = Flight::of(script(), &["--tokens", "800", "--include", "src/*.rs"]);
    insta::assert_snapshot!(include.story(), @"
    1 update_flight_plan, ** full
      ! the person's rules keep `README.md` and 2 more files at exclude: `**` was clamped to that
    2 finalize_context
    exit 0, finished
    README.md exclude
    assets/logo.svg exclude
    src/color.rs full
    src/http.rs full
    src/session.rs full
    tests/session.rs exclude
    ");
    let flags = ["--tokens", "800", "--include", "src", "--exclude", "src/session.rs"];
    let both = Flight::of(script(), &flags);
    insta::assert_snapshot!(both.story(), @"
    1 update_flight_plan, ** full
      ! the person's rules keep `README.md` and 3 more files at exclude: `**` was clamped to that
    2 finalize_context
    exit 0, finished
    README.md exclude
    assets/logo.svg exclude
    src/color.rs full
    src/http.rs full
    src/session.rs exclude
    tests/session.rs exclude
    ");
}

#[test]
fn the_last_of_two_changes_of_a_path_counts_and_an_item_wins_over_its_file() {
    let flight = Flight::of(
        vec![
            changes(&[
                "src/session.rs#Session::refresh full",
                "src/session.rs outline",
                "src/color.rs full",
                "src/color.rs path",
            ]),
            ends(),
        ],
        &["--tokens", "800"],
    );
    insta::assert_snapshot!(flight.story(), @"
    1 update_flight_plan, /src/session.rs#Session::refresh full, /src/session.rs outline, \
    /src/color.rs path
      ! `src/color.rs` is changed twice: the last change counts
    2 finalize_context
    exit 0, finished
    README.md fold
    assets/logo.svg fold
    src/color.rs path
    src/http.rs full
    src/session.rs outline #Session@2 interface #Session::refresh full
    tests/session.rs full
    ");
}

#[test]
fn three_answers_that_cannot_be_used_end_a_run_and_one_good_one_starts_the_count_again() {
    let bad = || says(&json!("no plan"), 1_000, 100);
    let three = Flight::of(vec![bad(), bad(), bad(), ends()], &["--tokens", "800"]);
    insta::assert_snapshot!(three.story(), @"
    1 no_usable_answer
      ! the answer holds no JSON object of the form asked for
    2 no_usable_answer
      ! the answer holds no JSON object of the form asked for
    3 no_usable_answer
      ! the answer holds no JSON object of the form asked for
    exit 10, unusable_answers
    README.md fold
    assets/logo.svg fold
    src/color.rs fold
    src/http.rs full
    src/session.rs full
    tests/session.rs full
    ");
    let again = vec![bad(), bad(), changes(&["src/color.rs full"]), bad(), bad(), ends()];
    let again = Flight::of(again, &["--tokens", "800"]);
    assert_eq!((again.ran.code, again.requests.len()), (0, 6), "{}", again.ran.stderr);
}

#[test]
fn a_turn_without_changes_is_a_turn() {
    let flight = Flight::of(
        vec![
            changes(&[]),
            changes(&["src/color.rs full"]),
            changes(&["src/color.rs full"]),
            ends(),
        ],
        &["--tokens", "800"],
    );
    insta::assert_snapshot!(flight.story(), @"
    1 no_usable_answer
      ! `changes` is empty: change something, or finalize
    2 update_flight_plan, /src/color.rs full
    3 no_usable_answer
      ! `src/color.rs` is in force already: change something else, or finalize
    4 finalize_context
    exit 0, finished
    README.md fold
    assets/logo.svg fold
    src/color.rs full
    src/http.rs full
    src/session.rs full
    tests/session.rs full
    ");
}

#[test]
fn the_turn_limit_delivers_what_was_decided_so_far() {
    let script = vec![changes(&["src/color.rs full"]), changes(&["src/http.rs path"]), ends()];
    let flight = Flight::of(script, &["--tokens", "300", "--max-turns", "2"]);
    assert_eq!(flight.requests.len(), 2);
    insta::assert_snapshot!(flight.story(), @"
    1 update_flight_plan, /src/color.rs full
    2 update_flight_plan, /src/http.rs path
    exit 6, turn_limit
    README.md fold
    assets/logo.svg fold
    src/color.rs full
    src/http.rs path
    src/session.rs full
    tests/session.rs full
    ");
}

#[test]
fn a_provider_that_refuses_ends_the_run_with_the_offline_context() {
    let folder = service();
    let refused = Flight::over(&folder, vec![status(401, "{\"error\":\"no key\"}")], &[]);
    insta::assert_snapshot!(refused.story(), @"
    exit 10, provider_failed
    README.md fold
    assets/logo.svg fold
    src/color.rs fold
    src/http.rs full
    src/session.rs full
    tests/session.rs full
    ");
    let offline = refused.navigator.run(folder.path(), &["explore", "-g", GOAL, "--no-history"]);
    assert_eq!(refused.ran.stdout, offline.stdout);
    // The line before the call has the tokens of a boundary that is drawn for each run.
    let said: Vec<&str> =
        refused.ran.stderr.lines().filter(|line| line.contains("context so far")).collect();
    insta::assert_snapshot!(said.join("\n"), @"navigator: openai/own answered 401: no key (no key \
        was sent; set NAVIGATOR_API_KEY); this is the best context so far: 288 of 8000 tokens, \
        $0.00");
}

#[test]
fn a_limit_that_one_call_uses_up_ends_the_run_before_the_next() {
    let first = json!({
        "reasoning": "r", "action": "update_flight_plan", "summary": "", "focus": [],
        "changes": [{ "path": "src/color.rs", "level": "path", "why": "w" }],
    });
    let script = vec![says(&first, 7_000, 500), ends()];
    let flight = Flight::of(script, &["--tokens", "800", "--budget", "0.016"]);
    assert_eq!(flight.requests.len(), 1, "{}", flight.ran.stderr);
    insta::assert_snapshot!(flight.story(), @"
    1 update_flight_plan, /src/color.rs path
    exit 5, spend_limit
    README.md fold
    assets/logo.svg fold
    src/color.rs path
    src/http.rs full
    src/session.rs full
    tests/session.rs full
    ");
    let report: Value = serde_json::from_str(&flight.file("report.json")).unwrap();
    let (limit, spent) = (16_000_000_000_u64, 8_000_000_000_u64);
    let purse = json!({ "limit_pico_usd": limit, "spent_pico_usd": spent, "calls": 1 });
    assert_eq!(report["purse"], purse);
}

#[test]
fn events_of_a_model_tell_what_each_turn_cost() {
    let flight =
        Flight::of(vec![changes(&["src/color.rs full"]), ends()], &["--tokens", "800", "--events"]);
    let mut page = String::new();
    for line in flight.ran.stderr.lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let keys: Vec<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
        let cost = event.get("cost_pico_usd").map(|cost| format!(" cost {cost}"));
        let spent = event.get("spent_pico_usd").map(|spent| format!(" spent {spent}"));
        page.push_str(&format!(
            "{}{}{}: {}\n",
            event["event"].as_str().unwrap(),
            cost.unwrap_or_default(),
            spent.unwrap_or_default(),
            keys.join(" ")
        ));
    }
    insta::assert_snapshot!(page, @"
    started: event pilot limit_pico_usd soft purse
    scanned: event files problems
    projected: event step projection left_pico_usd
    turn cost 1200000000 spent 1200000000: event step action reasoning complaints cost_pico_usd \
    projection limit_pico_usd spent_pico_usd calls tokens budget files_shown raised lowered focus
    projected: event step projection left_pico_usd
    turn cost 1200000000 spent 2400000000: event step action reasoning complaints cost_pico_usd \
    projection limit_pico_usd spent_pico_usd calls tokens budget files_shown raised lowered focus
    ended: event stop stop_line tokens budget masked invisible conflict purse saving plan folder
    ");
}

#[test]
fn a_replay_of_a_models_run_needs_no_model() {
    let folder = service();
    let script = vec![changes(&["** fold", "src/color.rs full"]), ends()];
    let flight = Flight::over(&folder, script, &["--tokens", "800"]);
    let replayed = flight.navigator.run(folder.path(), &["replay", "1"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &flight.ran.stdout), "{}", replayed.stderr);
    insta::assert_snapshot!(replayed.stdout, @"
    # Repository map
    - ./ +1 file
    - assets/ (1 file: svg 1)
    - src/ +2 files
    ## src/color.rs (full)
    ```rust
    /// Mixes two colors.
    pub fn mix(a: u32, b: u32) -> u32 {
        (a + b) / 2
    }
    ```
    - tests/ (1 file: rs 1)
    ## Left out
    Folded: 5 files.
    ");
    let listed = flight.navigator.run(folder.path(), &["runs", "--format", "json"]).stdout;
    let mut listed: Value = serde_json::from_str(&listed).unwrap();
    listed["root"].take();
    listed["folder"].take();
    insta::assert_snapshot!(listed, @r#"{"run":"00001","stop":"finished","limit":null,"goal":"where is a session refreshed?","pilot":"openai/own","turns":2,"tokens":96,"spent_pico_usd":2400000000,"root":null,"folder":null}"#);
}

#[test]
fn the_summary_of_a_models_run_has_its_words_and_its_money() {
    let script = vec![changes(&["src/color.rs full", "nowhere.rs full"]), ends()];
    let flight = Flight::of(script, &["--tokens", "400"]);
    let summary = flight.file("summary.md");
    // What was sent differs by the boundary that is drawn for each run.
    let lines: Vec<&str> = summary.lines().filter(|line| !line.starts_with("- Sent: ")).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    # Summary

    Goal: where is a session refreshed?

    - Ended: finished
    - Pilot: openai/own, 2 turns, 2 calls, $0.0024 spent
    - Context: 327 of 400 tokens
    - 73 of 400 tokens stay free: `fill: near` leaves out 1 file with weaker evidence (`fill: \
    all` adds them)
    - all there

    ## In, and why

    - `src/session.rs`: here

    ## Left out, and why

    - files folded into lines for folders: 2; not shown: 0
      - 2: open, and too weak beside the best (`fill: all` shows more)
    - files shown by path or by some of their items: 0
    - `README.md` came nearest (worth 0.08)

    ## Decisions

    1. update_flight_plan (288 → 327 tokens, $0.0012): r
    2. finalize_context (327 → 327 tokens, $0.0012): all there
    ");
}
