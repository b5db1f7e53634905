//! The pilot without a model: it opens the places with most evidence in waves, until another wave
//! adds little value.

use std::collections::{BTreeMap, BTreeSet};

use crate::money::effect::Effect;
use crate::money::effect_ledger::EffectLedger;
use crate::money::pico_usd::PicoUsd;
use crate::run::action::{Action, Focus};
use crate::run::decision_log::EffectOutcome;
use crate::run::explore::{Limits, explore};
use crate::run::pilot::{Decision, Pilot, Projection, Spend, Turn};
use crate::run::plan::Plan;
use crate::run::state::State;
use crate::run::stop::Stop;
use crate::run::terrain::{Candidate, Nouns, Place, Terrain, TerrainMap};
use crate::shared::{Level, n_of};

/// The number of places in the first wave; each later wave opens twice as many.
const FIRST_WAVE: usize = 16;
/// The last wave adds less than one part in this many to the value of the map.
const LEAST_GAIN: u64 = 50;
/// A budget is full when less than one part in this many is free.
const FULL: u32 = 20;

/// The pilot that decides by evidence alone, at no cost.
#[derive(Debug, Default)]
pub struct OfflinePilot {
    limit: PicoUsd,
    opened: BTreeSet<String>,
    last_value: Option<u64>,
    /// The number of feedback messages seen. A new one changes the goal, so that values before and
    /// after it cannot be compared.
    heard: usize,
    /// The length of the log when this pilot began: earlier refusals may be asked again.
    since: Option<usize>,
}

impl OfflinePilot {
    /// Makes a pilot that shows this limit in reports. It never spends anything.
    pub fn new(limit: PicoUsd) -> OfflinePilot {
        OfflinePilot { limit, ..OfflinePilot::default() }
    }
}

impl<T: Terrain> Pilot<T> for OfflinePilot {
    fn name(&self) -> &str {
        "offline"
    }

    fn purse(&self) -> Spend {
        Spend { limit_pico_usd: self.limit, ..Spend::default() }
    }

    fn prepare(&mut self, turn: &mut Turn<'_, T>) -> Result<Projection, Stop> {
        if turn.terrain.is_relevant(&turn.state.bounds) {
            Ok(Projection::default())
        } else {
            Err(Stop::NothingRelevant(turn.terrain.nouns().way_out))
        }
    }

    fn decide(&mut self, turn: &mut Turn<'_, T>) -> Result<Decision<T::Plan>, Stop> {
        self.act(turn).map(Decision::from)
    }
}

impl OfflinePilot {
    fn act<T: Terrain>(&mut self, turn: &Turn<'_, T>) -> Result<Action<T::Plan>, Stop> {
        // The plan lists the opened places, so that a resumed run continues from there.
        self.opened = turn.state.rules.opened().into_iter().collect();
        if std::mem::replace(&mut self.heard, turn.state.feedback.len())
            != turn.state.feedback.len()
        {
            self.last_value = None;
        }
        let (tokens, budget) = (turn.map.tokens(), turn.map.budget());
        let is_full = budget.saturating_sub(tokens) <= budget / FULL;
        let gains = match self.last_value {
            Some(last) => turn.map.value() > last + last / LEAST_GAIN,
            None => true,
        };
        let since = *self.since.get_or_insert(turn.state.log.len());
        let refused_effects = refused(turn.state, since);
        let (refused, next): (Vec<&Candidate>, Vec<&Candidate>) = self
            .closed(turn)
            .partition(|candidate| refused_effects.contains_key(candidate.name.as_str()));
        if let (Some(needed), true) = (refused.first(), next.is_empty()) {
            let does = refused_effects[needed.name.as_str()];
            return Err(Stop::EffectRefused(format!("`{}` {does}", needed.name)));
        }
        if next.is_empty() || !gains && (is_full || turn.map.may_stay_free()) {
            return Ok(finalize(turn));
        }
        // The first map is the overview; its value does not compare with those of the waves.
        self.last_value = if self.opened.is_empty() { Some(0) } else { Some(turn.map.value()) };
        Ok(self.open(turn, wave(turn, next)))
    }

    /// Returns the candidates with evidence that are not open yet, best first.
    fn closed<'t, T: Terrain>(
        &self,
        turn: &'t Turn<'_, T>,
    ) -> impl Iterator<Item = &'t Candidate> + use<'_, 't, T> {
        let is_closed = |candidate: &&Candidate| {
            candidate.score > 0.0 && !self.opened.contains(&candidate.name)
        };
        turn.candidates.iter().filter(is_closed)
    }

    fn open<T: Terrain>(&self, turn: &Turn<'_, T>, wave: Vec<&Candidate>) -> Action<T::Plan> {
        let close_rest = turn.terrain.close_rest().filter(|_| self.opened.is_empty());
        let reasoning = self.reasoning(turn, &wave, close_rest.is_some());
        let opened = wave.into_iter().map(|candidate| {
            turn.terrain.open(candidate, evidence(candidate, turn.terrain.nouns()))
        });
        Action::UpdateFlightPlan {
            changes: close_rest.into_iter().chain(opened).collect(),
            reasoning,
        }
    }

    fn reasoning<T: Terrain>(
        &self,
        turn: &Turn<'_, T>,
        wave: &[&Candidate],
        closes_rest: bool,
    ) -> String {
        // The fit closes opened places again that cost too much for their value.
        let shown: BTreeSet<&str> =
            turn.map.places().filter(|place| place.is_shown()).map(|place| place.name).collect();
        let nouns = turn.terrain.nouns();
        let n_idle = self.opened.iter().filter(|name| !shown.contains(name.as_str())).count();
        let best = wave.first().map(|candidate| evidence(candidate, nouns)).unwrap_or_default();
        let address = nouns.address;
        let rest = if closes_rest { "; fold the rest" } else { "" };
        match self.opened.len() {
            0 if wave.len() == 1 => {
                format!("zoom in on the {address} with most evidence, {best}{rest}")
            }
            0 => format!(
                "zoom in on the {} {address}s with most evidence, first {best}{rest}",
                wave.len()
            ),
            n => format!(
                "{} of {n} opened {address}s earn their tokens; open {} more, first {best}",
                n - n_idle,
                wave.len(),
            ),
        }
    }
}

/// Returns the best candidates, as many as this turn opens.
fn wave<'t, T: Terrain>(turn: &Turn<'_, T>, mut closed: Vec<&'t Candidate>) -> Vec<&'t Candidate> {
    // The last turn opens all of them: a wide choice is better than none.
    if turn.turns_left > 0 {
        closed.truncate(FIRST_WAVE.saturating_mul(1 << turn.step.saturating_sub(1).min(20)));
    }
    closed
}

/// Returns the changes refused since a log length, by name, with their effects.
fn refused<P: Plan>(state: &State<P>, since: usize) -> BTreeMap<&str, &Effect> {
    let effects = state.log.iter().skip(since).flat_map(|entry| &entry.effects);
    effects
        .filter(|effect| effect.outcome == EffectOutcome::Refused)
        .map(|effect| (effect.change.as_str(), &effect.does))
        .collect()
}

/// The maximum number of focus areas.
const MOST_FOCUS: usize = 12;

fn finalize<T: Terrain>(turn: &Turn<'_, T>) -> Action<T::Plan> {
    let shown: BTreeMap<&str, Place<'_>> = turn
        .map
        .places()
        .filter(|place| place.is_shown())
        .map(|place| (place.name, place))
        .collect();
    let nouns = turn.terrain.nouns();
    let area = |candidate: &Candidate| {
        let place = shown.get(candidate.name.as_str())?;
        let n_parts = n_of(place.n_apart, nouns.part);
        let level = match (place.level, place.n_apart) {
            (Level::Path, 0) => return None,
            (Level::Path, _) => n_parts,
            (level, 0) => level.to_string(),
            (level, _) => format!("{level} but for {n_parts}"),
        };
        let why = format!("{level}, {} tokens: {}", place.tokens, evidence_parts(candidate, nouns));
        Some(Focus { path: candidate.name.clone(), why })
    };
    let focus = turn.candidates.iter().filter_map(area).take(MOST_FOCUS).collect();
    let summary = format!(
        "{} of {} {}s are shown in {} of {} tokens; another wave of {}s would add nothing of worth",
        shown.len(),
        turn.map.places().count(),
        nouns.place,
        turn.map.tokens(),
        turn.map.budget(),
        nouns.address,
    );
    Action::FinalizeContext { changes: Vec::new(), summary, focus }
}

fn evidence(candidate: &Candidate, nouns: Nouns) -> String {
    format!("{} ({})", candidate.name, evidence_parts(candidate, nouns))
}

/// Names the three strongest kinds of evidence.
fn evidence_parts(candidate: &Candidate, nouns: Nouns) -> String {
    let named: Vec<String> =
        candidate.parts.iter().take(3).map(|(name, part)| format!("{name} {part:.2}")).collect();
    if named.is_empty() {
        format!("no more than its place in the {}", nouns.world)
    } else {
        named.join(", ")
    }
}

/// Returns the plan with which the offline pilot ends, as the initial plan for a model. A run that
/// is cancelled or out of time starts from the results so far.
///
/// # Errors
/// If the terrain's bounds cannot be used.
pub fn offline_rules<T: Terrain>(terrain: &mut T, limits: &Limits) -> Result<T::Plan, T::Error> {
    let state = State::new(String::new(), terrain.bounds(), terrain.overview());
    let found = explore(
        terrain,
        state,
        &mut OfflinePilot::default(),
        limits,
        EffectLedger::default(),
        &mut (),
    )?;
    Ok(found.state.rules)
}
