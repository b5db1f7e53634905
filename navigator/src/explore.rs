//! The loop: look, decide, apply, record, report, until the pilot finalizes or a limit is reached.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use repo_map::plan::Rule;
use repo_map::{FlightPlan, Layers, Level, LevelRange, Repo, RepoMap, Result};

use crate::action::{Action, Focus, RuleChange};
use crate::decision_log::LogEntry;
use crate::money::PicoUsd;
use crate::pilot::{Hint, Pilot, Turn};
use crate::report::{self, TurnReport};
use crate::state::State;
use crate::stop::Stop;

/// What ends an exploration before the pilot does.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// The most turns.
    pub turns: u32,
    /// The most time.
    pub time: Option<Duration>,
    /// Set when the person wants the best so far, now.
    pub interrupted: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { turns: 20, time: None, interrupted: None }
    }
}

/// What an exploration found.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The context, its sizes and the flown plan.
    pub map: RepoMap,
    /// Why it ended.
    pub stop: Stop,
    /// What was decided, turn by turn.
    pub log: Vec<LogEntry>,
    /// What is in and why, what is left out and why, as Markdown.
    pub summary: String,
}

/// Explores `repo` for the plan's goal. The plan's rules are bounds that no pilot passes. `observe` is told of each turn.
///
/// # Errors
/// When a glob of the plan does not compile.
#[expect(clippy::disallowed_methods, reason = "the clock ends a run, it never shows in one")]
pub fn explore(
    repo: &mut Repo,
    plan: &FlightPlan,
    pilot: &mut dyn Pilot,
    limits: &Limits<'_>,
    observe: &mut dyn FnMut(&TurnReport),
) -> Result<Exploration> {
    let started = Instant::now();
    let goal = plan.goal.as_deref().unwrap_or_default();
    let hints = hints(repo);
    let mut state = State { rules: from_above(), ..State::default() };
    let mut map = look(repo, plan, &state)?;
    let (mut says, mut focus) = (String::new(), Vec::new());
    let stop = loop {
        if !repo.has_evidence() {
            break Stop::NothingRelevant;
        }
        let step = state.log.len() as u32 + 1;
        if let Some(stop) = limit_reached(limits, step, started) {
            break stop;
        }
        let turn = Turn { step, goal, map: &map, hints: &hints, log: &state.log, turns_left: limits.turns.saturating_sub(step) };
        match pilot.decide(&turn) {
            Action::FinalizeContext { summary, focus: areas } => {
                let paths = areas.iter().map(|area| area.path.clone()).collect();
                state.log.push(entry(step, "finalize_context", paths, &summary, &map, &map));
                observe(&TurnReport::of(&state.log[state.log.len() - 1], &map, &map, PicoUsd::default()));
                (says, focus) = (summary, areas);
                break Stop::Finished;
            }
            Action::UpdateFlightPlan { changes, reasoning } => {
                let paths = changes.iter().map(|change| change.path.clone()).collect();
                state.rules.extend(changes.into_iter().map(rule));
                let next = look(repo, plan, &state)?;
                state.log.push(entry(step, "update_flight_plan", paths, &reasoning, &map, &next));
                observe(&TurnReport::of(&state.log[state.log.len() - 1], &map, &next, PicoUsd::default()));
                map = next;
            }
        }
    };
    let summary = report::summary(goal, pilot.name(), stop, &says, &focus, &state.log, &map);
    let map = with_reasons(map, &focus);
    Ok(Exploration { map, stop, log: state.log, summary })
}

/// The first look: folders as lines, and the names in the files that matter most.
fn from_above() -> Vec<Rule> {
    vec![Rule::new("**", LevelRange { floor: Level::Exclude, ceiling: Level::Outline })]
}

fn look(repo: &mut Repo, plan: &FlightPlan, state: &State) -> Result<RepoMap> {
    repo.map(Layers { person: &plan.rules, pilot: &state.rules })
}

fn hints(repo: &Repo) -> Vec<Hint> {
    let of_one = |millionths: u32| f64::from(millionths) / f64::from(repo_map::worth::ONE);
    repo.ranking()
        .into_iter()
        .map(|(path, worth)| {
            let mut parts: Vec<_> = worth.parts.iter().map(|(signal, part)| (*signal, of_one(*part))).collect();
            parts.sort_by(|a, b| (b.1 * b.0.weight()).total_cmp(&(a.1 * a.0.weight())).then(a.0.cmp(&b.0)));
            let counts = |(signal, part): &(repo_map::worth::Signal, f64)| signal.weight() * part >= 0.02;
            let parts = parts.into_iter().filter(counts).map(|(signal, part)| (signal.as_str(), part)).collect();
            Hint { path: path.to_owned(), score: of_one(worth.score), parts }
        })
        .collect()
}

fn limit_reached(limits: &Limits<'_>, step: u32, started: Instant) -> Option<Stop> {
    if limits.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
        return Some(Stop::Interrupted);
    }
    if limits.time.is_some_and(|time| started.elapsed() >= time) {
        return Some(Stop::TimeLimit);
    }
    (step > limits.turns).then_some(Stop::TurnLimit)
}

fn rule(change: RuleChange) -> Rule {
    Rule { why: Some(change.why), ..Rule::new(change.path, change.level) }
}

fn entry(step: u32, action: &'static str, paths: Vec<String>, reasoning: &str, before: &RepoMap, after: &RepoMap) -> LogEntry {
    LogEntry {
        step,
        action,
        paths,
        reasoning: reasoning.to_owned(),
        tokens_before: before.tokens,
        tokens_after: after.tokens,
        cost_pico_usd: PicoUsd::default(),
    }
}

/// The flown plan says why its focus areas are in.
fn with_reasons(mut map: RepoMap, focus: &[Focus]) -> RepoMap {
    for rule in &mut map.flown.rules {
        let area = focus.iter().find(|area| repo_map::plan::exact_glob(&area.path) == rule.path);
        rule.why = area.map(|area| area.why.clone());
    }
    map
}
