//! What a model is shown: the words of a request, its state without history, its size against a
//! conversation's.

use std::sync::{Arc, Mutex};

use navigator::state::Feedback;
use navigator::{
    Ledger, Limits, ModelLimits, ModelPilot, PicoUsd, Price, Repository, Request, Retries, State,
    Stop, offline_rules,
};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Options};
use serde_json::{Value, json};

use crate::scripted_model::Scripted;
use crate::{explore, service};

fn zoom(path: &str, level: &str) -> Value {
    let change = json!({ "path": path, "level": level, "why": "it matters" });
    json!({ "reasoning": format!("{path} to {level}"), "action": "update_flight_plan", "changes": [change] })
}

/// A run with these answers; what was asked, and where it ended.
fn fly(
    folder: &test_support::Repo,
    plan: &FlightPlan,
    window: u32,
    limit: PicoUsd,
    answers: Vec<Value>,
) -> (Vec<Request>, State<Vec<Rule>>, Stop) {
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let rules = offline_rules(&mut repo, &Limits::default()).unwrap();
    let mut state = State::new("b0undary".into(), plan.rules.clone(), rules);
    state.feedback.push(Feedback { after: 0, text: "mind the colors".into() });
    let asked = Arc::new(Mutex::new(Vec::new()));
    let turns = answers.len() as u32;
    let model = Scripted { answers, asked: Arc::clone(&asked) };
    let mut journal = Vec::new();
    let ledger =
        Ledger::new(limit, Price::flat(PicoUsd(1_000_000), PicoUsd(2_000_000)), &[], &mut journal);
    let terms = ModelLimits {
        window,
        output_tokens: 2_048,
        least_output_tokens: 1_024,
        retries: Retries::default(),
    };
    let mut pilot = ModelPilot::new(Box::new(model), ledger, terms, Box::new(|_| ()));
    let limits = Limits { turns, ..Limits::default() };
    let found = explore(&mut repo, state, &mut pilot, &limits, &mut ()).unwrap();
    drop(pilot);
    let asked = asked.lock().unwrap().clone();
    (asked, found.state, found.stop)
}

fn plan(tokens: u32, rules: &str) -> FlightPlan {
    let yaml = format!(
        "version: 1\ngoal: where is a session refreshed?\ncontext: {{tokens: {tokens}, fill: all}}\nrules: \
         {rules}\n"
    );
    FlightPlan::from_yaml("plan", &yaml).unwrap()
}

#[test]
fn a_request_reads_well() {
    let plan = plan(400, "[{path: assets, level: exclude}]");
    let answers = vec![
        zoom("src/pigment.rs", "outline"),
        zoom("src/color.rs", "full"),
        zoom("assets/", "path"),
    ];
    let (asked, ..) = fly(&service(), &plan, 32_000, PicoUsd::DEFAULT_LIMIT, answers);
    insta::assert_snapshot!("first_request", format!("{}\n{}", asked[0].stable, asked[0].turn));
    insta::assert_snapshot!("third_request", asked[2].turn);
    assert!(
        !asked.iter().any(|request| request.turn.contains("logo.svg")),
        "what the person keeps out is not even named"
    );
}

#[test]
fn a_line_of_the_map_stands_for_its_path_and_what_is_kept_out_is_never_named() {
    let plan = plan(400, "[{path: src/color.rs, level: exclude}]");
    let answers = vec![
        zoom("- src/ +2 files", "path"),
        zoom("- assets/ (1 file: svg 1)", "path"),
        zoom("src/pigment.rs", "full"),
    ];
    let (asked, state, _) = fly(&service(), &plan, 32_000, PicoUsd::DEFAULT_LIMIT, answers);
    let paths: Vec<&str> =
        state.log.iter().flat_map(|entry| entry.paths.iter().map(String::as_str)).collect();
    assert_eq!(paths, ["src/", "assets/"]);
    assert_eq!(state.complaints, ["`src/pigment.rs` matches no file"]);
    assert!(!asked.iter().any(|request| request.turn.contains("src/color.rs: now")));
}

#[test]
fn a_request_holds_state_and_no_history() {
    let answers = vec![
        zoom("src/session.rs", "full"),
        zoom("src/session.rs", "fold"),
        zoom("src/http.rs", "full"),
    ];
    let (asked, ..) = fly(&service(), &plan(400, "[]"), 32_000, PicoUsd::DEFAULT_LIMIT, answers);
    let body = "self.expires = now + 3600;";
    assert!(asked[1].turn.contains(body), "{}", asked[1].turn);
    assert!(
        !asked[2].turn.contains(body),
        "what an earlier map showed is gone:\n{}",
        asked[2].turn
    );
    assert!(asked.iter().all(|request| request.stable == asked[0].stable), "the prefix is stable");
}

#[test]
fn from_the_third_turn_on_a_run_sends_at_most_half_of_a_conversation() {
    // A repository of some size, so that views and not instructions are what is sent.
    let folder = service();
    for at in 0..60 {
        let functions: String = (0..8)
            .map(|n| {
                format!(
                    "/// Refreshes session {n}.\npub fn refresh_{at}_{n}(session: u32) \
                -> u32 {{\n    session + {n}\n}}\n\n"
                )
            })
            .collect();
        folder.write(&format!("src/part_{at}.rs"), functions.as_bytes());
    }
    let answers: Vec<Value> = (0..8).map(|at| zoom(&format!("src/part_{at}.rs"), "full")).collect();
    for tokens in [500, 4_000, 16_000] {
        let (asked, state, stop) =
            fly(&folder, &plan(tokens, "[]"), 64_000, PicoUsd(2_000_000_000_000), answers.clone());
        assert_eq!((stop, asked.len()), (Stop::TurnLimit, 8));
        for turns in 3..=8 {
            let traffic = state.traffic[..turns].to_vec();
            let saving = State { traffic, ..state.clone() }.saving();
            assert!(
                saving.sent * 2 <= saving.with_history,
                "{tokens} tokens, {turns} turns: {saving:?}"
            );
        }
    }
}

#[test]
fn a_view_shrinks_with_the_money_and_with_the_window_before_a_run_is_given_up() {
    let folder = service();
    for at in 0..60 {
        folder.write(
            &format!("src/session_{at}.rs"),
            format!("/// Refreshes.\npub fn refresh_session_{at}() {{}}\n").repeat(20).as_bytes(),
        );
    }
    let plan = plan(8_000, "[]");
    let size = |window: u32, limit: u64| {
        let (asked, _, stop) =
            fly(&folder, &plan, window, PicoUsd(limit), vec![zoom("src/http.rs", "full")]);
        (asked.last().map_or(0, |request| request.turn.len()), stop)
    };
    let (ample, _) = size(64_000, 500_000_000_000);
    let (poor, _) = size(64_000, 16_000_000_000);
    let (narrow, _) = size(8_192, 500_000_000_000);
    assert!(poor < ample / 2 && poor > 4_000, "{ample} bytes became {poor}");
    assert!(narrow < ample && narrow / 3 < 8_192, "{ample} bytes became {narrow}");
    let (_, stop) = size(64_000, 5_000_000_000);
    assert!(matches!(stop, Stop::SpendLimit { .. }), "{stop:?}");
}
