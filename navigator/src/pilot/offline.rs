//! The pilot without a model: opens what evidence speaks for, wave after wave, until another wave
//! improves nothing.

use std::collections::BTreeSet;

use repo_map::plan::{exact_glob, exact_path};
use repo_map::{Level, LevelRange};

use crate::money::pico_usd::PicoUsd;
use crate::pilot::view;
use crate::run::action::{Action, Focus, RuleChange};
use crate::run::pilot::{Decision, Hint, Pilot, Projection, Spend, Turn};
use crate::run::stop::Stop;

/// How many paths the first wave opens; each later one opens twice as many.
const FIRST_WAVE: usize = 16;
/// A wave that adds less than one part in this many to the value of the map was the last.
const LEAST_GAIN: u64 = 50;
/// A budget is full when less than one part in this many is free.
const FULL: u32 = 20;

/// Decides by evidence alone, at no cost.
#[derive(Debug, Default)]
pub struct OfflinePilot {
    limit: PicoUsd,
    opened: BTreeSet<String>,
    last_value: Option<u64>,
    /// How often the person spoke: then values before and after are of different goals.
    heard: usize,
}

impl OfflinePilot {
    /// A pilot that says this limit in reports. It never spends anything.
    pub fn new(limit: PicoUsd) -> OfflinePilot {
        OfflinePilot { limit, ..OfflinePilot::default() }
    }
}

impl Pilot for OfflinePilot {
    fn name(&self) -> &str {
        "offline"
    }

    fn purse(&self) -> Spend {
        Spend { limit_pico_usd: self.limit, ..Spend::default() }
    }

    fn prepare(&mut self, turn: &mut Turn<'_>) -> Result<Projection, Stop> {
        // The bounds have drawn a map: their globs compile.
        let is_relevant = turn.repo.has_evidence_within(&turn.state.bounds).unwrap_or(true);
        if is_relevant { Ok(Projection::default()) } else { Err(Stop::NothingRelevant) }
    }

    fn decide(&mut self, turn: &mut Turn<'_>) -> Result<Decision, Stop> {
        Ok(self.act(turn).into())
    }
}

impl OfflinePilot {
    fn act(&mut self, turn: &Turn<'_>) -> Action {
        // What is open stands in the rules: a run that is continued goes on from there.
        self.opened = turn.state.rules.iter().filter_map(|rule| exact_path(&rule.path)).collect();
        if std::mem::replace(&mut self.heard, turn.state.feedback.len())
            != turn.state.feedback.len()
        {
            self.last_value = None;
        }
        let is_full =
            (turn.map.budget - turn.map.tokens.min(turn.map.budget)) <= turn.map.budget / FULL;
        let gains = match self.last_value {
            Some(last) => turn.map.value > last + last / LEAST_GAIN,
            None => true,
        };
        let next = self.next_wave(turn);
        if next.is_empty() || !gains && is_full {
            return self.finalize(turn);
        }
        // The first look is from above; what it is worth says nothing about the waves.
        self.last_value = if self.opened.is_empty() { Some(0) } else { Some(turn.map.value) };
        self.open(turn, next)
    }

    /// The best paths that are not open yet.
    fn next_wave<'t>(&self, turn: &'t Turn<'_>) -> Vec<&'t Hint> {
        // The last turn opens all there is: better too wide a choice than none.
        let wave = FIRST_WAVE.saturating_mul(1 << turn.step.saturating_sub(1).min(20));
        let size = if turn.turns_left == 0 { usize::MAX } else { wave };
        let closed =
            turn.hints.iter().filter(|hint| hint.score > 0.0 && !self.opened.contains(&hint.path));
        closed.take(size).collect()
    }

    fn open(&mut self, turn: &Turn<'_>, wave: Vec<&Hint>) -> Action {
        let mut changes = Vec::new();
        if self.opened.is_empty() {
            let level = LevelRange { floor: Level::Exclude, ceiling: Level::Fold };
            changes.push(RuleChange::paths("**", level, "no evidence: one line a folder at most"));
        }
        // What an earlier wave opened and the fit found too dear for its worth is folded away
        // again.
        let shown: BTreeSet<&str> = turn
            .map
            .files
            .iter()
            .filter(|file| file.level >= Level::Path)
            .map(|file| file.path.as_str())
            .collect();
        let n_idle = self.opened.iter().filter(|path| !shown.contains(path.as_str())).count();
        let best = wave.first().map(|hint| evidence(hint)).unwrap_or_default();
        let reasoning = match self.opened.len() {
            0 if wave.len() == 1 => {
                format!("zoom in on the path with most evidence, {best}; fold the rest")
            }
            0 => format!(
                "zoom in on the {} paths with most evidence, first {best}; fold the rest",
                wave.len()
            ),
            n => format!(
                "{} of {n} opened paths earn their tokens; open {} more, first {best}",
                n - n_idle,
                wave.len(),
            ),
        };
        for hint in wave {
            let level = LevelRange { floor: Level::Exclude, ceiling: Level::Full };
            changes.push(RuleChange::paths(exact_glob(&hint.path), level, evidence(hint)));
        }
        Action::UpdateFlightPlan { changes, reasoning }
    }

    fn finalize(&self, turn: &Turn<'_>) -> Action {
        let level_of = |path: &str| {
            turn.map
                .files
                .iter()
                .find(|file| file.path == path)
                .map(|file| (file.level, file.items.len(), file.tokens))
        };
        let mut focus = Vec::new();
        for hint in turn.hints {
            let Some((level, n_items, tokens)) =
                level_of(&hint.path).filter(|(level, _, _)| *level >= Level::Path)
            else {
                continue;
            };
            let shown = match (level, n_items) {
                (Level::Path, 0) => continue,
                (Level::Path, n) => view::n_of(n, "item"),
                (level, 0) => level.to_string(),
                (level, n) => format!("{level}, {} apart", view::n_of(n, "item")),
            };
            focus.push(Focus {
                path: hint.path.clone(),
                why: format!("{shown}, {tokens} tokens: {}", evidence_parts(hint)),
            });
            if focus.len() == 12 {
                break;
            }
        }
        let n_shown = turn.map.files.iter().filter(|file| file.level >= Level::Path).count();
        let summary = format!(
            "{n_shown} of {} files are shown in {} of {} tokens; another wave of paths would add \
             nothing of worth",
            turn.map.files.len(),
            turn.map.tokens,
            turn.map.budget,
        );
        Action::FinalizeContext { summary, focus }
    }
}

fn evidence(hint: &Hint) -> String {
    format!("{} ({})", hint.path, evidence_parts(hint))
}

/// The three strongest kinds of evidence.
fn evidence_parts(hint: &Hint) -> String {
    let named: Vec<String> =
        hint.parts.iter().take(3).map(|(name, part)| format!("{name} {part:.2}")).collect();
    if named.is_empty() {
        "no more than its place in the repository".to_owned()
    } else {
        named.join(", ")
    }
}
