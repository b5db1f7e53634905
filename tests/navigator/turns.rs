//! The loop: what a pilot sees, what its decisions do, and every way to stop.

use std::time::Duration;

use navigator::repo::overview_rules;
use navigator::{
    Action, CancelToken, Checkpoint, Decision, Directive, Exploration, Focus, Limits, Observer,
    OfflinePilot, Pilot, Projection, Repository, RuleChange, Spend, State, Stop, Turn,
};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Level, LevelRange, Options};

use crate::{explore, service};

/// Answers from a list, and keeps what it was shown.
struct Scripted {
    answers: Vec<Action<Vec<Rule>>>,
    seen: Vec<String>,
}

impl Pilot<Repository> for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn purse(&self) -> Spend {
        Spend::default()
    }

    fn prepare(&mut self, _turn: &mut Turn<'_, Repository>) -> Result<Projection, Stop> {
        Ok(Projection::default())
    }

    fn decide(&mut self, turn: &mut Turn<'_, Repository>) -> Result<Decision<Vec<Rule>>, Stop> {
        self.seen.push(format!(
            "step {}, {} log entries, {} left: {}",
            turn.step,
            turn.state.log.len(),
            turn.turns_left,
            turn.goal
        ));
        Ok(Decision { action: Some(self.answers.remove(0)), ..Decision::default() })
    }
}

fn zoom(path: &str, level: &str) -> Action<Vec<Rule>> {
    let change = RuleChange::paths(path, level.parse().unwrap(), "it matters");
    Action::UpdateFlightPlan { changes: vec![change], reasoning: format!("zoom in on {path}") }
}

fn done() -> Action<Vec<Rule>> {
    let focus =
        vec![Focus { path: "src/session.rs".into(), why: "sessions are refreshed here".into() }];
    Action::FinalizeContext { changes: Vec::new(), summary: "the session".into(), focus }
}

fn plan(tokens: u32) -> FlightPlan {
    let mut plan =
        FlightPlan { goal: Some("where is a session refreshed?".into()), ..FlightPlan::default() };
    plan.context.tokens = tokens;
    plan
}

fn start(plan: &FlightPlan) -> State<Vec<Rule>> {
    State::new("boundary".into(), plan.rules.clone(), overview_rules())
}

fn fly(pilot: &mut dyn Pilot<Repository>, limits: &Limits) -> Exploration<Repository> {
    let folder = service();
    let plan = plan(2_000);
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    explore(&mut repo, start(&plan), pilot, limits, &mut ()).unwrap()
}

#[test]
fn a_scripted_run_sees_state_and_not_history() {
    let mut pilot =
        Scripted { answers: vec![zoom("/src/session.rs", "full"), done()], seen: vec![] };
    let found = fly(&mut pilot, &Limits { turns: 5, ..Limits::default() });
    assert_eq!(
        pilot.seen,
        [
            "step 1, 0 log entries, 4 left: where is a session refreshed?",
            "step 2, 1 log entries, 3 left: where is a session refreshed?",
        ]
    );
    assert_eq!(found.stop, Stop::Finished);
    let actions: Vec<(u32, &str, &[String])> = found
        .state
        .log
        .iter()
        .map(|entry| (entry.step, entry.action.as_str(), &entry.paths[..]))
        .collect();
    assert_eq!(
        actions,
        [
            (1, "update_flight_plan", &["src/session.rs".to_owned()][..]),
            (2, "finalize_context", &["src/session.rs".to_owned()][..]),
        ]
    );
    assert_eq!(found.state.log[0].tokens_after, found.state.log[1].tokens_before);
    let session = found.map.files.iter().find(|file| file.path == "src/session.rs").unwrap();
    assert_eq!(session.level, Level::Full);
    let rule = found.map.flown.rules.iter().find(|rule| rule.path == "/src/session.rs").unwrap();
    assert_eq!(rule.why.as_deref(), Some("sessions are refreshed here"));
}

#[test]
fn the_turn_limit_ends_a_run_with_the_best_so_far() {
    let mut pilot = Scripted {
        answers: vec![zoom("/src/http.rs", "full"), zoom("/src/session.rs", "full")],
        seen: vec![],
    };
    let found = fly(&mut pilot, &Limits { turns: 2, ..Limits::default() });
    assert_eq!((found.stop, found.state.log.len()), (Stop::TurnLimit, 2));
    assert!(found.map.text.contains("self.expires = now + 3600;"));
}

#[test]
fn no_time_and_an_interrupt_end_a_run_before_its_first_turn() {
    let cancel = CancelToken::new();
    cancel.cancel();
    for (limits, stop) in [
        (Limits { time: Some(Duration::ZERO), ..Limits::default() }, Stop::TimeLimit),
        (Limits { cancel, ..Limits::default() }, Stop::Interrupted),
    ] {
        let found = fly(&mut Scripted { answers: vec![], seen: vec![] }, &limits);
        assert_eq!((found.stop, found.state.log.len()), (stop, 0));
        assert!(
            found.map.text.contains("session.rs"),
            "the view from above is delivered:\n{}",
            found.map.text
        );
    }
}

#[test]
fn the_offline_pilot_finds_the_answer_and_says_why() {
    let found = fly(&mut OfflinePilot::default(), &Limits::default());
    assert_eq!(found.stop, Stop::Finished);
    assert!(
        found.map.text.contains("pub fn refresh(&mut self, now: u64) -> Result<(), Expired> {"),
        "{}",
        found.map.text
    );
    assert_eq!(found.state.log.last().unwrap().action.as_str(), "finalize_context");
    assert!(
        found.state.log[0].reasoning.contains("first src/session.rs (name 1.00, title"),
        "{}",
        found.state.log[0].reasoning
    );
    assert!(found.summary.contains("- `src/session.rs`: full"), "{}", found.summary);
}

#[test]
fn a_goal_that_nothing_speaks_of_ends_after_the_first_look() {
    let folder = service();
    let mut plan = plan(500);
    plan.goal = Some("zygomorphic quaternion holography".into());
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let found =
        explore(&mut repo, start(&plan), &mut OfflinePilot::default(), &Limits::default(), &mut ())
            .unwrap();
    assert_eq!((found.stop.as_str(), found.state.log.len()), ("nothing_relevant", 0));
    assert!(!found.map.text.is_empty());
}

#[test]
fn an_item_of_a_file_that_nothing_opened_is_shown() {
    let folder = service();
    let plan = plan(300);
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let fold = Rule::new("**", LevelRange { floor: Level::Exclude, ceiling: Level::Fold });
    let state = State::new("boundary".into(), Vec::new(), vec![fold]);
    let change = RuleChange::item("src/color.rs", "mix", Level::Full, "it mixes");
    let update = Action::UpdateFlightPlan { changes: vec![change], reasoning: String::new() };
    let mut pilot = Scripted { answers: vec![update, done()], seen: vec![] };
    let found = explore(&mut repo, state, &mut pilot, &Limits::default(), &mut ()).unwrap();
    assert!(found.map.text.contains("    (a + b) / 2"), "{}", found.map.text);
}

#[test]
fn what_a_range_leaves_to_the_fit_may_change_nothing_without_a_complaint() {
    let complaints = |level: &str| {
        let mut pilot = Scripted {
            answers: vec![zoom("/assets/logo.svg", level), zoom("/assets/logo.svg", level)],
            seen: vec![],
        };
        fly(&mut pilot, &Limits { turns: 2, ..Limits::default() }).state.complaints
    };
    assert_eq!(complaints("exclude..full"), [""; 0]);
    assert_eq!(complaints("exclude"), ["these changes changed nothing in the map"]);
}

/// Cannot keep anything.
struct FullDisk;

impl Observer<Repository> for FullDisk {
    fn keep(&mut self, _state: &State<Vec<Rule>>) -> std::io::Result<()> {
        Err(std::io::Error::other("the disk is full"))
    }
}

#[test]
fn a_state_that_cannot_be_kept_ends_the_run_and_is_not_told_as_the_ledger() {
    let folder = service();
    let plan = plan(2_000);
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let mut pilot = Scripted { answers: vec![zoom("/src/session.rs", "full")], seen: vec![] };
    let found =
        explore(&mut repo, start(&plan), &mut pilot, &Limits::default(), &mut FullDisk).unwrap();
    assert_eq!(found.stop, Stop::StateFailed("the disk is full".into()));
    let line = "the state of the run cannot be written (the disk is full), so it goes no further; \
        this is the best context so far";
    assert_eq!(
        (found.stop.line(), found.stop.as_str(), found.stop.exit() as u8),
        (line.to_owned(), "state_failed", 1)
    );
    assert!(found.map.text.contains("self.expires = now + 3600;"), "what was decided is delivered");
}

/// Gives feedback the first time the pilot finalizes, and looks at what is kept.
#[derive(Default)]
struct Person {
    kept: Vec<(usize, bool)>,
    spoke: bool,
}

impl Observer<Repository> for Person {
    fn keep(&mut self, state: &State<Vec<Rule>>) -> std::io::Result<()> {
        self.kept.push((state.feedback.len(), state.finalized.is_some()));
        Ok(())
    }

    fn next(&mut self, checkpoint: &Checkpoint<'_, Repository>) -> Directive<Vec<Rule>> {
        match checkpoint.projection {
            None if !std::mem::replace(&mut self.spoke, true) => {
                Directive::Feedback("and how are colors mixed?".into())
            }
            _ => Directive::GoOn,
        }
    }
}

#[test]
fn feedback_after_the_end_takes_the_end_back_before_anything_else_happens() {
    let folder = service();
    let plan = plan(2_000);
    let mut repo = Repository::open(folder.path(), plan.clone(), &Options::default()).unwrap();
    let mut pilot =
        Scripted { answers: vec![done(), zoom("/src/color.rs", "full"), done()], seen: vec![] };
    let mut person = Person::default();
    let found =
        explore(&mut repo, start(&plan), &mut pilot, &Limits::default(), &mut person).unwrap();
    assert_eq!((found.stop, found.state.turns), (Stop::Finished, 3));
    assert_eq!(person.kept, [(0, true), (1, false), (1, false), (1, true)]);
}

#[test]
fn the_same_run_twice_gives_the_same_bytes() {
    let run = || {
        let found = fly(&mut OfflinePilot::default(), &Limits::default());
        (
            found.map.text,
            found.map.flown.to_yaml(),
            found.summary,
            navigator::decision_log::to_lines(&found.state.log),
        )
    };
    assert_eq!(run(), run());
}
