//! Approval of effects, between a decision and its application: a change with an effect is
//! approved, reserved in writing, applied, and settled.

use std::collections::BTreeSet;

use crate::money::effect::{Effect, Permit};
use crate::run::decision_log::{EffectOutcome, LoggedEffect};
use crate::run::explore::Run;
use crate::run::observer::{EffectQuestion, Observer};
use crate::run::plan::Change as _;
use crate::run::stop::{MOST_UNUSABLE, Stop};
use crate::run::terrain::{ChangeOf, Terrain};

/// The outcome of the changes of a decision.
pub(crate) struct Happened<T: Terrain> {
    /// The changes to take into the plan.
    pub(crate) changes: Vec<ChangeOf<T>>,
    /// The effects of these changes and of the others.
    pub(crate) effects: Vec<LoggedEffect>,
    /// Messages for the pilot.
    pub(crate) complaints: Vec<String>,
    /// The reason to end the run, if there is one.
    pub(crate) stop: Option<Stop>,
}

impl<T: Terrain> Happened<T> {
    /// Reports whether something was done, so that a map of the same plan may show more.
    pub(crate) fn has_done(&self) -> bool {
        self.effects.iter().any(|effect| effect.outcome == EffectOutcome::Done)
    }

    /// Reports whether something was read, which the pilot has not seen.
    pub(crate) fn has_read(&self) -> bool {
        self.effects.iter().any(|effect| {
            effect.outcome == EffectOutcome::Done && matches!(effect.does, Effect::Reads { .. })
        })
    }
}

impl<T: Terrain> Run<'_, T> {
    /// Applies the effects of changes, one after the other. A change without an effect passes at
    /// once.
    pub(crate) fn let_happen(
        &mut self,
        changes: Vec<ChangeOf<T>>,
        observer: &mut dyn Observer<T>,
    ) -> Result<Happened<T>, T::Error> {
        let mut had = Happened {
            changes: Vec::new(),
            effects: Vec::new(),
            complaints: Vec::new(),
            stop: None,
        };
        // One answer about reading from a host counts for the whole turn.
        let mut refused_hosts = BTreeSet::new();
        for mut change in changes {
            let effect = self.terrain.effect(&change);
            let Some(permit) = effect.permit() else {
                had.changes.push(change);
                continue;
            };
            let name = change.name();
            if had.stop.is_some() || self.deadline.expired().is_some() {
                had.complaints.push(format!("`{name}` was not applied: the run stopped before it"));
                continue;
            }
            let (outcome, result) =
                if self.is_approved(&change, &effect, &permit, &had, &refused_hosts, observer) {
                    self.happen(&mut change, &effect, &mut had)?
                } else {
                    if let Effect::Reads { host } = &effect {
                        refused_hosts.insert(host.clone());
                    }
                    had.complaints.push(format!("`{name}` was refused: it {effect}"));
                    (EffectOutcome::Refused, String::new())
                };
            had.effects.push(LoggedEffect { change: name, does: effect, outcome, result });
            if outcome == EffectOutcome::Done {
                had.changes.push(change);
            }
        }
        Ok(had)
    }

    /// Reports whether an effect is permitted in advance, reads from a host that was read from
    /// before, or is approved by the person now.
    fn is_approved(
        &self,
        change: &ChangeOf<T>,
        effect: &Effect,
        permit: &Permit,
        had: &Happened<T>,
        refused_hosts: &BTreeSet<String>,
        observer: &mut dyn Observer<T>,
    ) -> bool {
        if self.limits.allow.contains(permit) {
            return true;
        }
        if let Effect::Reads { host } = effect {
            let earlier = self.state.log.iter().flat_map(|entry| &entry.effects);
            let is_same =
                |one: &LoggedEffect| one.does == *effect && one.outcome != EffectOutcome::Refused;
            if earlier.chain(&had.effects).any(is_same) {
                return true;
            }
            if refused_hosts.contains(host) {
                return false;
            }
        }
        let question = EffectQuestion { change, effect, state: &self.state };
        // The time of the person's answer does not count.
        self.deadline.pausing(|| observer.approve(&question))
    }

    /// Reserves, applies and settles one effect; returns what came of it.
    fn happen(
        &mut self,
        change: &mut ChangeOf<T>,
        effect: &Effect,
        had: &mut Happened<T>,
    ) -> Result<(EffectOutcome, String), T::Error> {
        let (name, turn) = (change.name(), self.state.turns + 1);
        let needs = self.terrain.needs(change);
        let reserved = self.effects.reserve(turn, &name, effect, needs, &self.limits.resources);
        if let Err(refusal) = reserved {
            let stop = Stop::from(refusal);
            if let (Some(why), true) = (stop.shortage(), self.terrain.can_do_without(change)) {
                had.complaints.push(format!("`{name}` was refused: {why}"));
                return Ok((EffectOutcome::OverLimit, why));
            }
            had.complaints.push(format!("`{name}` could pass a limit of the run: it {effect}"));
            had.stop = Some(stop);
            return Ok((EffectOutcome::OverLimit, String::new()));
        }
        let applied = self.terrain.apply(change, self.deadline)?;
        if let Err(error) = self.effects.settle(applied.used, applied.is_done) {
            had.stop = Some(Stop::LedgerFailed(error.to_string()));
        }
        had.complaints.extend(applied.complaints);
        let outcome = if applied.is_done { EffectOutcome::Done } else { EffectOutcome::Failed };
        Ok((outcome, applied.result))
    }

    /// Returns the stop for a run in which every new turn wants only refused effects: the goal
    /// needs them.
    pub(crate) fn stop_of_refused(&self) -> Option<Stop> {
        let new = &self.state.log[self.n_before..];
        let is_refused = |effect: &LoggedEffect| effect.outcome == EffectOutcome::Refused;
        let n_refused = new
            .iter()
            .rev()
            .take_while(|entry| {
                entry.changes.is_empty()
                    && !entry.effects.is_empty()
                    && entry.effects.iter().all(is_refused)
            })
            .count();
        let last = new.last()?.effects.last()?;
        (n_refused >= MOST_UNUSABLE)
            .then(|| Stop::EffectRefused(format!("`{}` {}", last.change, last.does)))
    }
}
