//! The summary of a run: the contents of the context, the omissions, the decisions.

use std::fmt::Write as _;

use crate::run::action::Focus;
use crate::run::decision_log::EffectOutcome;
use crate::run::pilot::Pilot;
use crate::run::plan::{Change as _, Plan};
use crate::run::state::State;
use crate::run::stop::Stop;
use crate::run::terrain::{Terrain, TerrainMap};
use crate::shared::Sanitized;

/// The maximum number of changes listed with their reasons, where a pilot names no focus.
const MOST_ASKED: usize = 20;
/// The maximum number of effects whose results are listed.
const MOST_RESULTS: usize = 50;

/// Returns the summary of an exploration as Markdown: contents with reasons, omissions, trade-offs.
pub(crate) fn summary<T: Terrain>(
    goal: &str,
    pilot: &dyn Pilot<T>,
    stop: &Stop,
    state: &State<T::Plan>,
    map: &T::Map,
) -> Sanitized {
    let mut out = String::from("# Summary\n\n");
    let first_line = goal.lines().next().unwrap_or_default();
    let _ = writeln!(out, "Goal: {first_line}\n");
    let purse = pilot.purse();
    let _ = writeln!(out, "- Ended: {}", stop.line());
    let _ = writeln!(
        out,
        "- Pilot: {}, {} turns, {} calls, {} spent",
        pilot.name(),
        state.turns,
        purse.calls,
        purse.spent_pico_usd
    );
    let _ = writeln!(out, "- Context: {} of {} tokens", map.tokens(), map.budget());
    for note in map.notes() {
        let _ = writeln!(out, "- {note}");
    }
    out.push_str(&effects(state));
    out.push_str(&traffic(state));
    let (says, focus) = state
        .finalized
        .as_ref()
        .map_or(("", [].as_slice()), |(says, focus)| (says.as_str(), focus.as_slice()));
    if !says.is_empty() {
        let _ = writeln!(out, "- {}", says.replace('\n', " "));
    }
    let is_in =
        |area: &&Focus| map.places().any(|place| place.name == area.path && place.is_shown());
    let (mut areas, not_in): (Vec<&Focus>, Vec<&Focus>) = focus.iter().partition(is_in);
    let asked = asked_for(state);
    if focus.is_empty() {
        areas.extend(asked.iter().filter(is_in));
    }
    if !areas.is_empty() {
        out.push_str("\n## In, and why\n\n");
        for one in areas {
            let _ = writeln!(out, "- `{}`: {}", one.path, one.why);
        }
    }
    out.push_str("\n## Left out, and why\n\n");
    out.push_str(&T::left_out(map, state));
    out.push_str(&trade_offs::<T>(map, state, &not_in));
    out.push_str(&decisions(state, purse.calls > 0));
    out.into()
}

/// Returns what changes in force ask to be shown, in their order, with their reasons.
fn asked_for<P: Plan>(state: &State<P>) -> Vec<Focus> {
    let mut changes: Vec<&P::Change> = Vec::new();
    for change in state.log.iter().flat_map(|entry| &entry.changes) {
        changes.retain(|earlier| !earlier.is_about_same(change));
        changes.push(change);
    }
    let asked = changes.into_iter().filter_map(|change| change.asks_for());
    asked.take(MOST_ASKED).map(|(path, why)| Focus { path, why }).collect()
}

/// Lists the decisions by turn, with their costs if the pilot may have cost money.
fn decisions<P: Plan>(state: &State<P>, with_costs: bool) -> String {
    let mut out = String::from("\n## Decisions\n\n");
    for entry in &state.log {
        let action = entry.action.as_str();
        let (before, after) = (entry.tokens_before, entry.tokens_after);
        let cost = if with_costs { format!(", {}", entry.cost_pico_usd) } else { String::new() };
        let said = if entry.reasoning.is_empty() {
            entry.complaints.join("; ")
        } else {
            entry.reasoning.clone()
        };
        let _ = writeln!(
            out,
            "{}. {action} ({before} → {after} tokens{cost}): {}",
            entry.step,
            said.replace('\n', " ")
        );
    }
    out
}

/// Lists the effects of changes and the refused effects.
fn effects<P: Plan>(state: &State<P>) -> String {
    let outcomes = state.log.iter().flat_map(|entry| &entry.effects).map(|effect| effect.outcome);
    let mut counts = [
        (EffectOutcome::Done, 0),
        (EffectOutcome::Failed, 0),
        (EffectOutcome::Refused, 0),
        (EffectOutcome::OverLimit, 0),
    ];
    for outcome in outcomes {
        for (one, n) in &mut counts {
            *n += usize::from(*one == outcome);
        }
    }
    let counted: Vec<String> = counts
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(outcome, n)| format!("{n} {}", outcome.as_str()))
        .collect();
    if counted.is_empty() {
        return String::new();
    }
    let mut out = format!("- Effects: {}\n", counted.join(", "));
    let effects = state.log.iter().flat_map(|entry| &entry.effects);
    for effect in effects.filter(|effect| !effect.result.is_empty()).take(MOST_RESULTS) {
        let _ = writeln!(out, "  - {}", effect.line());
    }
    out
}

/// Compares the tokens sent with those of a full history.
fn traffic<P: Plan>(state: &State<P>) -> String {
    if state.traffic.is_empty() {
        return String::new();
    }
    let sent: u64 =
        state.traffic.iter().map(|one| u64::from(one.stable) + u64::from(one.own)).sum();
    let mut line = format!("- Sent: {sent} tokens in {} requests", state.traffic.len());
    let saving = state.saving();
    if let Some(percent) = (saving.sent * 100).checked_div(saving.with_history) {
        line.push_str(&format!(
            "; from the third turn on {} where a conversation with its whole history would have \
             sent {} ({} % saved)",
            saving.sent,
            saving.with_history,
            100 - percent
        ));
    }
    line + "\n"
}

/// Lists the differences between the map and the request.
fn trade_offs<T: Terrain>(map: &T::Map, state: &State<T::Plan>, not_in: &[&Focus]) -> String {
    let mut lines = Vec::new();
    lines.extend(map.conflict().map(str::to_owned));
    for area in not_in {
        let reason = T::why_hidden(&area.path, map, state);
        lines.push(format!(
            "`{}` was asked for ({}), and is not shown: {reason}",
            area.path, area.why
        ));
    }
    let short = map.places().filter_map(|place| Some((place, place.requested?)));
    for (place, requested) in short.take(20) {
        lines.push(format!("`{}` is at {} where {requested} was asked", place.name, place.level));
    }
    lines.extend(state.refusals());
    lines.extend(state.feedback.iter().map(|one| {
        format!("after turn {} the person said: {}", one.after, one.text.replace('\n', " "))
    }));
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "\n## Trade-offs\n\n{}",
        lines.iter().map(|line| format!("- {line}\n")).collect::<String>()
    )
}
