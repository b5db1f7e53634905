//! The recording of a run for its page: the levels after each turn, the decisions, and their costs.

use std::collections::BTreeMap;
use std::time::Duration;

use repo_map::Level;
use repo_map::html::{Amount, PageInput, PageTurn};

use crate::money::ledger::LedgerLine;
use crate::money::pico_usd::PicoUsd;
use crate::run::decision_log::{ActionKind, LogEntry};
use crate::run::explore::Exploration;
use crate::run::plan::Plan;
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::run::terrain::{Terrain, TerrainMap};

/// The labels of a turn's amounts.
const AMOUNTS: [&str; 4] = ["projected", "at most a call", "spent", "spent in all"];

/// The levels of files by path.
type PathLevels = BTreeMap<String, Level>;

/// The recording of the map's changes. For each turn it stores only the files whose level changed,
/// by path: a site may have more pages after a turn.
#[derive(Debug, Default)]
pub(super) struct Story {
    /// The levels and the size of the map before the first turn of this process.
    start: Option<(PathLevels, u32)>,
    last: PathLevels,
    /// The number of turns and of feedback messages before this process.
    turns_before: u32,
    n_said: usize,
    scenes: Vec<Scene>,
}

/// One change of the map.
#[derive(Debug)]
struct Scene {
    cause: DecisionCause,
    tokens: u32,
    changes: PathLevels,
}

#[derive(Debug)]
enum DecisionCause {
    Turn(Box<TurnReport>),
    Said(String),
    Edited,
}

/// The configured limits of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// The maximum number of turns.
    pub turns: u32,
    /// The maximum time.
    pub time: Option<Duration>,
}

impl Story {
    /// Records the map before the first turn, and after feedback or an edit of the person.
    pub(super) fn on_map<P: Plan>(&mut self, state: &State<P>, map: &impl TerrainMap) {
        let changes = self.changes(map);
        if self.start.is_none() {
            self.start = Some((self.last.clone(), map.tokens()));
            (self.turns_before, self.n_said) = (state.turns, state.feedback.len());
            return;
        }
        let has_spoken =
            std::mem::replace(&mut self.n_said, state.feedback.len()) != state.feedback.len();
        let said = state
            .feedback
            .last()
            .filter(|_| has_spoken)
            .map(|said| DecisionCause::Said(said.text.to_string()));
        self.scenes.push(Scene {
            cause: said.unwrap_or(DecisionCause::Edited),
            tokens: map.tokens(),
            changes,
        });
    }

    /// Records the map after a turn.
    pub(super) fn turn(&mut self, report: &TurnReport, map: &impl TerrainMap) {
        let changes = self.changes(map);
        self.scenes.push(Scene {
            cause: DecisionCause::Turn(Box::new(report.clone())),
            tokens: map.tokens(),
            changes,
        });
    }

    fn changes(&mut self, map: &impl TerrainMap) -> PathLevels {
        let levels: PathLevels =
            map.places().map(|place| (place.name.to_owned(), place.level)).collect();
        let has_moved = |(path, now): &(&String, &Level)| self.last.get(*path) != Some(*now);
        let moved = levels.iter().filter(has_moved);
        let changes = moved.map(|(path, level)| (path.clone(), *level)).collect();
        self.last = levels;
        changes
    }

    /// Returns the input of the page. `lines` are the lines of the ledger when the process began:
    /// the spend of earlier processes.
    pub(super) fn told<T: Terrain>(
        &self,
        found: &Exploration<T>,
        pilot: &str,
        bounds: Bounds,
        lines: &[LedgerLine],
    ) -> PageInput {
        let earlier = earlier(&found.state, self.turns_before, lines);
        let n_earlier = earlier.len();
        let mut steps = earlier;
        let order: BTreeMap<&str, u32> =
            found.map.places().map(|place| place.name).zip(0..).collect();
        steps.extend(self.scenes.iter().map(|scene| step(scene, &order, &found.state)));
        let (start, start_tokens) = self.start.as_ref().map(|(start, n)| (start, *n)).unzip();
        // What a turn added to the map was not in it before.
        let level_in =
            |start: &PathLevels, path: &str| start.get(path).copied().unwrap_or(Level::Exclude);
        let start = start.map(|start| {
            found.map.places().map(|place| level_in(start, place.name)).collect::<Vec<Level>>()
        });
        let mut notes: Vec<String> =
            found.state.finalized.iter().map(|(says, _)| says.clone()).collect();
        if n_earlier > 0 {
            notes.push(format!(
                "This run was continued after turn {}: levels are known from there on.",
                self.turns_before
            ));
        }
        PageInput {
            command: "navigator explore".to_owned(),
            facts: facts(found, pilot, bounds),
            notes,
            amounts: AMOUNTS.map(str::to_owned).to_vec(),
            limit: Some(amount(found.purse.limit_pico_usd)),
            start,
            start_at: n_earlier,
            start_tokens: start_tokens.unwrap_or_default(),
            steps,
        }
    }
}

fn facts<T: Terrain>(found: &Exploration<T>, pilot: &str, bounds: Bounds) -> Vec<(String, String)> {
    let purse = found.purse;
    let mut facts = vec![
        ("Ended", found.stop.line()),
        ("Pilot", pilot.to_owned()),
        ("Turns", format!("{} of at most {}", found.state.turns, bounds.turns)),
        ("Spent", format!("{} of {}", purse.spent_pico_usd, purse.limit_pico_usd)),
    ];
    if purse.calls > 0 {
        facts.push(("Calls", purse.calls.to_string()));
    }
    facts.extend(bounds.time.map(|time| ("Time limit", format!("{} s", time.as_secs()))));
    facts.into_iter().map(|(name, what)| (name.to_owned(), what)).collect()
}

fn step<P: Plan>(scene: &Scene, order: &BTreeMap<&str, u32>, state: &State<P>) -> PageTurn {
    let (title, text, notes, paths, amounts) = match &scene.cause {
        DecisionCause::Turn(report) => {
            let entry = entry_of(state, report.step);
            let amounts = [
                report.projection.projected_pico_usd,
                report.projection.at_most_pico_usd,
                report.cost_pico_usd,
                report.purse.spent_pico_usd,
            ];
            (
                title(report.step, report.action),
                report.reasoning.clone(),
                report.complaints.clone(),
                entry.map(|entry| entry.paths.clone()).unwrap_or_default(),
                amounts.map(amount).to_vec(),
            )
        }
        DecisionCause::Said(words) => {
            ("The person said".to_owned(), words.clone(), Vec::new(), Vec::new(), Vec::new())
        }
        DecisionCause::Edited => (
            "The person edited the plan".to_owned(),
            String::new(),
            Vec::new(),
            Vec::new(),
            Vec::new(),
        ),
    };
    let place = |(path, level): (&String, &Level)| Some((*order.get(path.as_str())?, *level));
    let mut changes: Vec<(u32, Level)> = scene.changes.iter().filter_map(place).collect();
    changes.sort_unstable_by_key(|(file, _)| *file);
    PageTurn { title, text, notes, paths, tokens: scene.tokens, amounts, changes: Some(changes) }
}

fn title(turn: u32, action: ActionKind) -> String {
    let done = match action {
        ActionKind::UpdateFlightPlan => "levels changed",
        ActionKind::FinalizeContext => "finalized",
        ActionKind::NoUsableAnswer => "no usable answer",
        ActionKind::Stopped => "the run stopped",
        ActionKind::PersonEdit => "the person edited the plan",
        ActionKind::PersonFeedback => "the person spoke",
    };
    format!("Turn {turn}: {done}")
}

/// Finds the log entry of a turn.
fn entry_of<P: Plan>(state: &State<P>, turn: u32) -> Option<&LogEntry<P>> {
    state.log.iter().find(|entry| entry.step == turn && entry.action.is_turn())
}

/// Returns the turns before this process, from the log and the ledger. Their levels are not stored.
fn earlier<P: Plan>(state: &State<P>, n_turns: u32, lines: &[LedgerLine]) -> Vec<PageTurn> {
    let spends = spends(lines);
    let mut spent_in_all = PicoUsd::default();
    let mut tokens = 0;
    let one = |turn: u32| {
        let entry = entry_of(state, turn);
        let TurnSpend { projected, at_most, spent } =
            spends.get(&turn).copied().unwrap_or_default();
        spent_in_all = spent_in_all.plus(spent);
        tokens = entry.map_or(tokens, |entry| entry.tokens_after);
        PageTurn {
            title: title(turn, entry.map_or(ActionKind::NoUsableAnswer, |entry| entry.action)),
            text: entry.map(|entry| entry.reasoning.clone()).unwrap_or_default(),
            notes: entry.map(|entry| entry.complaints.clone()).unwrap_or_default(),
            paths: entry.map(|entry| entry.paths.clone()).unwrap_or_default(),
            tokens,
            amounts: [projected, at_most, spent, spent_in_all].map(amount).to_vec(),
            changes: None,
        }
    };
    (1..=n_turns).map(one).collect()
}

/// The money of one turn.
#[derive(Debug, Clone, Copy, Default)]
struct TurnSpend {
    projected: PicoUsd,
    at_most: PicoUsd,
    spent: PicoUsd,
}

/// Returns the projected and actual spend of each turn: a reservation without a settlement is
/// spent.
fn spends(lines: &[LedgerLine]) -> BTreeMap<u32, TurnSpend> {
    let mut settled: BTreeMap<u32, PicoUsd> = BTreeMap::new();
    for line in lines {
        if let LedgerLine::Settled { call, spent_pico_usd, .. } = line {
            settled.insert(*call, *spent_pico_usd);
        }
    }
    let mut spends: BTreeMap<u32, TurnSpend> = BTreeMap::new();
    for line in lines {
        if let LedgerLine::Reserved { call, turn, bound, .. } = line {
            let spend = spends.entry(*turn).or_insert(TurnSpend {
                projected: bound.projected_pico_usd,
                at_most: bound.reserved_pico_usd,
                spent: PicoUsd::default(),
            });
            spend.spent =
                spend.spent.plus(settled.get(call).copied().unwrap_or(bound.reserved_pico_usd));
        }
    }
    spends
}

fn amount(amount: PicoUsd) -> Amount {
    Amount { value: amount.0, text: amount.to_string() }
}
