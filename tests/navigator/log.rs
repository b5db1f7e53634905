//! The decision log: an entry a turn, usable or not, with the whole changes, so that it rebuilds
//! the last plan and its costs add up to the ledger's.

use std::fs;

use navigator::decision_log::{self, ActionKind};
use navigator::repo::overview_rules;
use navigator::{
    Checkpoint, Decision, Directive, Limits, LogEntry, Observer, PicoUsd, Pilot, Reply, Repository,
    RuleChange, Spend, State, Stop, Terrain as _, Turn, answer, ledger, state,
};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Level, LevelRange, Options};
use serde_json::{Value, json};
use test_support::{random, sealed};

use crate::answers::pieced;
use crate::server::{Answer, Server};
use crate::{explore, runs, service};

/// Answers with texts, as a model does, until there are no more.
struct Says(Vec<String>);

impl Pilot<Repository> for Says {
    fn name(&self) -> &str {
        "says"
    }

    fn decide(&mut self, turn: &mut Turn<'_, Repository>) -> Result<Decision<Vec<Rule>>, Stop> {
        let text = self.0.pop().ok_or(Stop::Interrupted)?;
        Ok(answer::read(&Reply { text, ..Reply::default() }, turn.terrain, turn.state))
    }
}

/// Edits the plan, says something, or goes on.
struct Person(Vec<u8>);

impl Observer<Repository> for Person {
    fn next(&mut self, checkpoint: &Checkpoint<'_, Repository>) -> Directive<Vec<Rule>> {
        let state = checkpoint.state;
        match self.0.pop() {
            Some(0) => Directive::Feedback("mind the colors".into()),
            Some(1) => {
                let outline = LevelRange { floor: Level::Exclude, ceiling: Level::Outline };
                let bounds =
                    state.bounds.iter().cloned().chain([Rule::new("src/**", outline)]).collect();
                Directive::Edit { bounds, rules: state.rules.iter().skip(1).cloned().collect() }
            }
            _ => Directive::GoOn,
        }
    }
}

#[test]
fn the_log_and_the_first_plan_rebuild_the_last_plan() {
    let folder = service();
    let mut plan =
        FlightPlan { goal: Some("where is a session refreshed?".into()), ..FlightPlan::default() };
    plan.context.tokens = 400;
    plan.rules = vec![Rule::new("src/http.rs", LevelRange::exactly(Level::Exclude))];
    let repo = std::cell::RefCell::new(
        Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap(),
    );
    // Changes of a few paths, so that they repeat; answers that cannot be used; the end.
    let change =
        "(\u{8}|\u{b}|\u{c}|\u{e}|\u{2}(\u{11}\u{12}|tests/|assets)\u{3}[\u{5}-\u{7}]\"\\})";
    let answers = format!(
        "[\u{0}\u{1d}]({change}\u{1f}){{0,3}}{change}\u{f}|[\u{0}-\u{1f}]{{0,3}}|\u{1}\u{f}"
    );
    let runs =
        (prop::collection::vec(answers.as_str(), 0..6), prop::collection::vec(0..6_u8, 0..9));
    let hold = |(answers, wishes): (Vec<String>, Vec<u8>)| {
        let mut pilot = Says(answers.iter().map(|text| pieced(text)).collect());
        let start = State::new("boundary".into(), plan.rules.clone(), overview_rules());
        let found = explore(
            &mut *repo.borrow_mut(),
            start,
            &mut pilot,
            &Limits::default(),
            &mut Person(wishes),
        )
        .unwrap();
        let State {
            bounds,
            rules,
            feedback,
            finalized,
            turns,
            log,
            refused,
            fell,
            find,
            free,
            held,
            ..
        } = found.state;

        let read = decision_log::lines(&decision_log::to_lines(&log)).unwrap();
        let rebuilt = State::replay(plan.rules.clone(), overview_rules(), &read);
        assert_eq!((rebuilt.bounds, rebuilt.rules), (bounds, rules));
        assert_eq!(
            (rebuilt.feedback, rebuilt.finalized, rebuilt.turns, rebuilt.log),
            (feedback, finalized, turns, log.clone())
        );
        assert_eq!(
            (rebuilt.refused, rebuilt.fell, rebuilt.find, rebuilt.free, rebuilt.held),
            (refused, fell, find, free, held)
        );
        let steps: Vec<u32> =
            log.iter().filter(|entry| !is_persons(entry)).map(|entry| entry.step).collect();
        assert_eq!(steps, (1..=turns).collect::<Vec<_>>(), "one entry a turn");
        Ok(())
    };
    let config = ProptestConfig { rng_seed: RngSeed::Fixed(0x1095), ..random::config(150) };
    TestRunner::new(config).run(&runs, hold).unwrap();
}

fn is_persons(entry: &LogEntry<Vec<Rule>>) -> bool {
    matches!(entry.action, ActionKind::PersonEdit | ActionKind::PersonFeedback)
}

#[test]
fn an_entry_has_the_changes_with_their_levels_and_reasons() {
    let entry: LogEntry<Vec<Rule>> = LogEntry {
        step: 2,
        action: ActionKind::UpdateFlightPlan,
        paths: vec!["src/a.rs".into(), "src/b.rs#f".into()],
        changes: vec![
            RuleChange::paths("/src/a.rs", "exclude..full".parse().unwrap(), "it may help"),
            RuleChange::item("src/b.rs", "f", Level::Full, ""),
        ],
        refused: Vec::new(),
        fell: Vec::new(),
        find: Vec::new(),
        free: None,
        held: None,
        focus: Vec::new(),
        effects: Vec::new(),
        edit: None,
        reasoning: "look closer".into(),
        complaints: vec!["`src/c.rs` matches no file".into()],
        tokens_before: 100,
        tokens_after: 200,
        cost_pico_usd: PicoUsd(7),
    };
    let line = decision_log::to_lines(std::slice::from_ref(&entry));
    let parsed: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(
        parsed,
        json!({
            "version": 3, "step": 2, "action": "update_flight_plan", "paths": ["src/a.rs", "src/b.rs#f"],
            "changes": [
                { "path": "/src/a.rs", "level": "exclude..full", "why": "it may help" },
                { "path": "/src/b.rs", "item": "f", "level": "full", "why": "" },
            ],
            "reasoning": "look closer", "complaints": ["`src/c.rs` matches no file"],
            "tokens_before": 100, "tokens_after": 200, "cost_pico_usd": 7,
        })
    );
    assert_eq!(decision_log::lines(&line).unwrap(), [entry]);
}

#[test]
fn lines_without_a_version_are_read_and_those_of_a_newer_one_are_refused() {
    let old = r#"{"step":1,"action":"finalize_context","paths":["a.rs"],"reasoning":"r","tokens_before":1,"tokens_after":1,"cost_pico_usd":0}"#;
    assert_eq!(decision_log::lines::<Vec<Rule>>(old).unwrap()[0].paths, ["a.rs"]);
    let refused = "its format has version 9, this navigator reads versions up to";
    let newer = decision_log::lines::<Vec<Rule>>(r#"{"version":9,"step":"one"}"#).unwrap_err();
    assert!(newer.to_string().starts_with(&format!("line 1: {refused} 3")), "{newer}");

    let kept = state::to_json(&State::new("b".into(), Vec::new(), overview_rules()));
    assert!(kept.starts_with("{\"version\":3,"), "{kept}");
    assert_eq!(
        state::from_json::<Vec<Rule>>(&kept.replacen("\"version\":3,", "", 1)).unwrap(),
        state::from_json::<Vec<Rule>>(&kept).unwrap()
    );
    let newer =
        state::from_json::<Vec<Rule>>(&kept.replacen("\"version\":3,", "\"version\":9,", 1))
            .unwrap_err();
    assert!(newer.to_string().starts_with(&format!("{refused} 3")), "{newer}");

    let settled =
        r#"{"event":"settled","call":1,"spent_pico_usd":7,"basis":"not_billed","breach":false}"#;
    assert_eq!(ledger::lines(&format!("{settled}\n")).unwrap().len(), 1);
    let newer = ledger::lines("{\"version\":9,\"event\":\"settled\"}\n").unwrap_err();
    assert!(newer.to_string().starts_with(&format!("line 1: {refused} 3")), "{newer}");
}

/// A run of the program that got an answer it can use, three that it cannot, and nothing more.
#[test]
fn what_a_run_leaves_rebuilds_its_plan_and_its_costs() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let update = json!({ "action": "update_flight_plan", "reasoning": "r",
        "changes": [{ "path": "src/color.rs#mix", "level": "full", "why": "w" }, { "path": "tests/", "level": "exclude", "why": "w" }] });
    let talk = || runs::says(&json!("I would rather talk."), 1_000, 50);
    let server = Server::start(vec![
        runs::says(&update, 1_000, 100),
        talk(),
        talk(),
        talk(),
        Answer::Silence,
    ]);
    let flags = runs::flags(&server);
    let args: Vec<&str> = ["explore", "-g", "where is a session refreshed?"]
        .into_iter()
        .chain(flags.iter().map(String::as_str))
        .collect();
    let ran = navigator.run(folder.path(), &args);
    assert_eq!(ran.code, 10, "{}", ran.stderr);
    assert!(ran.stdout.contains("    (a + b) / 2"), "the best so far:\n{}", ran.stdout);
    assert!(
        ran.stderr.contains("stopped after 3 answers in a row that cannot be used (the last: "),
        "{}",
        ran.stderr
    );
    assert_eq!(server.received().len(), 4);

    let run = navigator.home().join(".local/state/navigator/runs/00001");
    let read = |name: &str| fs::read_to_string(run.join(name)).unwrap();
    let asked: Value = serde_json::from_str(&read("asked.json")).unwrap();
    let log = decision_log::lines(&read("decision-log.jsonl")).unwrap();
    let first_rules: Vec<Rule> = serde_json::from_value(asked["rules"].clone()).unwrap();
    let last: State<Vec<Rule>> = state::from_json(&read("state.json")).unwrap();
    assert_eq!(last.ended.as_deref(), Some("unusable_answers"));
    let rebuilt = State::replay(last.bounds.clone(), first_rules, &log);
    assert_eq!((rebuilt.rules, rebuilt.turns), (last.rules, 4));
    let words: Vec<&str> = log.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(
        words,
        ["update_flight_plan", "no_usable_answer", "no_usable_answer", "no_usable_answer"]
    );
    let spent = ledger::spent(&ledger::lines(&read("ledger.jsonl")).unwrap());
    assert_eq!(log.iter().map(|entry| entry.cost_pico_usd.0).sum::<u64>(), spent.0);
    assert!(read("summary.md").contains(". no_usable_answer ("), "{}", read("summary.md"));

    // The request is of a format of its own.
    assert_eq!(asked["version"], 1);
    let newer = read("asked.json").replacen("\"version\":1", "\"version\":9", 1);
    fs::write(run.join("asked.json"), newer).unwrap();
    let resumed = navigator.run(folder.path(), &["explore", "--resume", "00001"]);
    assert_eq!(resumed.code, 1, "{}", resumed.stderr);
    assert!(resumed.stderr.contains("asked.json: its format has version 9"), "{}", resumed.stderr);
}

/// Gives no answer that can be used, each time with what it has spent in all, and then fails.
struct Bills(Vec<u64>, u64);

impl Pilot<Repository> for Bills {
    fn name(&self) -> &str {
        "bills"
    }

    fn purse(&self) -> Spend {
        Spend { spent_pico_usd: PicoUsd(self.1), ..Spend::default() }
    }

    fn decide(&mut self, _turn: &mut Turn<'_, Repository>) -> Result<Decision<Vec<Rule>>, Stop> {
        self.1 = self.0.remove(0);
        if self.0.is_empty() {
            Err(Stop::ProviderFailed("it is down".into()))
        } else {
            Ok(Decision::default())
        }
    }
}

#[test]
fn a_turn_that_stops_the_run_has_an_entry_when_it_cost_something_and_no_cost_is_negative() {
    let folder = service();
    let plan =
        FlightPlan { goal: Some("where is a session refreshed?".into()), ..FlightPlan::default() };
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let mut fly = |bills: Vec<u64>| {
        let state = repo.first_state();
        let found =
            explore(&mut repo, state, &mut Bills(bills, 0), &Limits::default(), &mut ()).unwrap();
        found
            .state
            .log
            .iter()
            .map(|entry| (entry.step, entry.action, entry.cost_pico_usd.0, entry.reasoning.clone()))
            .collect::<Vec<_>>()
    };
    let unusable = |step, cost| (step, ActionKind::NoUsableAnswer, cost, String::new());
    let stopped =
        (3, ActionKind::Stopped, 10, "it is down; this is the best context so far".to_owned());
    assert_eq!(fly(vec![10, 4, 20]), [unusable(1, 10), unusable(2, 0), stopped]);
    assert_eq!(fly(vec![10, 10]), [unusable(1, 10)]);
}
