//! What a person or a script is told after a turn and at the end.

use std::fmt::Write as _;

use repo_map::{Level, RepoMap};
use serde::Serialize;

use crate::action::Focus;
use crate::decision_log::Kind;
use crate::money::PicoUsd;
use crate::pilot::{Pilot, Projection, Purse};
use crate::state::State;
use crate::stop::Stop;

/// What a turn did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnReport {
    /// `turn`.
    pub event: &'static str,
    /// The turn, counted from 1.
    pub step: u32,
    /// What was decided; none when the answer could not be used.
    pub action: Option<Kind>,
    /// Why.
    pub reasoning: String,
    /// What was wrong with the answer, or did not come out as it was asked.
    pub complaints: Vec<String>,
    /// What the turn cost.
    pub cost_pico_usd: PicoUsd,
    /// What it was to cost.
    pub projection: Projection,
    /// All that was spent so far, against the limit.
    #[serde(flatten)]
    pub purse: Purse,
    /// The map's size after the turn.
    pub tokens: u32,
    /// The map's budget.
    pub budget: u32,
    /// How many files the map shows.
    pub files_shown: usize,
    /// Paths that show more than before, the dearest first.
    pub raised: Vec<String>,
    /// Paths that show less than before.
    pub lowered: Vec<String>,
    /// The areas that matter, when the pilot finalized.
    pub focus: Vec<Focus>,
}

/// The most paths a report names on either side.
const MOST_PATHS: usize = 50;

impl TurnReport {
    /// The report of a turn that led to `state`, from one map to another.
    pub(crate) fn of(state: &State, before: &RepoMap, after: &RepoMap, cost: PicoUsd, projection: Projection, purse: Purse) -> TurnReport {
        let moved = |is_so: fn(u32, u32) -> bool| -> Vec<String> {
            let pairs = before.files.iter().zip(&after.files);
            let mut paths: Vec<(u32, &str)> = pairs
                .filter(|(before, after)| is_so(before.tokens, after.tokens))
                .map(|(before, after)| (before.tokens.max(after.tokens), after.path.as_str()))
                .collect();
            paths.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
            paths.into_iter().take(MOST_PATHS).map(|(_, path)| path.to_owned()).collect()
        };
        let entry = state.log.last().filter(|entry| entry.step == state.turns);
        TurnReport {
            event: "turn",
            step: state.turns,
            action: entry.map(|entry| entry.action),
            reasoning: entry.map(|entry| entry.reasoning.clone()).unwrap_or_default(),
            complaints: state.complaints.clone(),
            cost_pico_usd: cost,
            projection,
            purse,
            tokens: after.tokens,
            budget: after.budget,
            files_shown: n_shown(after),
            raised: moved(|before, after| after > before),
            lowered: moved(|before, after| after < before),
            focus: state.finalized.as_ref().map(|(_, focus)| focus.clone()).unwrap_or_default(),
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let cost = if self.purse.calls == 0 { String::new() } else { format!(", {}", self.cost_pico_usd.rounded()) };
        let said = match self.action {
            Some(_) => self.reasoning.clone(),
            None => format!("no use of the answer: {}", self.complaints.join("; ")),
        };
        let said = said.replace('\n', " ");
        format!("turn {}: {} of {} tokens, {} files shown{cost}; {said}", self.step, self.tokens, self.budget, self.files_shown)
    }

    /// The report for a person who decides what comes next, in lines of at most `width` columns, and no more than 100.
    #[cfg(feature = "cli")]
    pub(crate) fn text(&self, width: usize) -> String {
        const NAMED: usize = 6;
        let width = width.min(100);
        let mut rows = Vec::new();
        if !self.reasoning.is_empty() {
            rows.push(("why", self.reasoning.replace('\n', " ")));
        }
        rows.extend(self.complaints.iter().map(|complaint| ("problem", complaint.clone())));
        for (head, paths) in [("more of", &self.raised), ("less of", &self.lowered)] {
            if !paths.is_empty() {
                let more = if paths.len() > NAMED { format!(", {} more", paths.len() - NAMED) } else { String::new() };
                rows.push((head, format!("{}{more}", paths[..paths.len().min(NAMED)].join(", "))));
            }
        }
        rows.extend(self.focus.iter().map(|area| ("focus", format!("{}: {}", area.path, area.why))));
        rows.push(("map", format!("{} of {} tokens, {} files shown", self.tokens, self.budget, self.files_shown)));
        if self.purse.calls > 0 {
            let cost = format!(
                "{} (projected {}); {} of {} spent, {} left",
                self.cost_pico_usd.rounded(),
                self.projection.projected_pico_usd.rounded(),
                self.purse.spent_pico_usd.rounded(),
                self.purse.limit_pico_usd,
                self.purse.left().rounded_down(),
            );
            rows.push(("cost", cost));
        }
        let mut out = format!("Turn {}: {}\n", self.step, self.action.map_or("no usable answer", Kind::as_str));
        for (head, text) in rows {
            let first = format!("  {head:<9}");
            let options = textwrap::Options::new(width).initial_indent(&first).subsequent_indent("           ");
            out.push_str(&textwrap::fill(&text, options));
            out.push('\n');
        }
        out
    }
}

/// How many files a map shows.
pub(crate) fn n_shown(map: &RepoMap) -> usize {
    map.files.iter().filter(|file| file.level >= Level::Path).count()
}

/// The summary of an exploration, as Markdown: what is in and why, what is left out, which trade-offs were made.
pub(crate) fn summary(goal: &str, pilot: &dyn Pilot, stop: &Stop, state: &State, map: &RepoMap) -> String {
    let mut out = String::from("# Summary\n\n");
    let first_line = goal.lines().next().unwrap_or_default();
    let _ = writeln!(out, "Goal: {first_line}\n");
    let purse = pilot.purse();
    let _ = writeln!(out, "- Ended: {}", stop.line());
    let _ = writeln!(out, "- Pilot: {}, {} turns, {} calls, {} spent", pilot.name(), state.turns, purse.calls, purse.spent_pico_usd);
    let _ = writeln!(out, "- Context: {} of {} tokens", map.tokens, map.budget);
    if map.n_masked > 0 {
        let _ = writeln!(out, "- Secrets masked: {}", map.n_masked);
    }
    out.push_str(&traffic(state));
    let (says, focus) = state.finalized.as_ref().map_or(("", [].as_slice()), |(says, focus)| (says.as_str(), focus.as_slice()));
    if !says.is_empty() {
        let _ = writeln!(out, "- {}", says.replace('\n', " "));
    }
    if !focus.is_empty() {
        out.push_str("\n## In, and why\n\n");
        for one in focus {
            let _ = writeln!(out, "- `{}`: {}", one.path, one.why);
        }
    }
    out.push_str(&left_out(map));
    out.push_str(&trade_offs(map, state));
    out.push_str("\n## Decisions\n\n");
    for entry in &state.log {
        let action = entry.action.as_str();
        let (before, after) = (entry.tokens_before, entry.tokens_after);
        let cost = if purse.calls == 0 { String::new() } else { format!(", {}", entry.cost_pico_usd) };
        let _ = writeln!(out, "{}. {action} ({before} → {after} tokens{cost}): {}", entry.step, entry.reasoning.replace('\n', " "));
    }
    out
}

/// What was sent, and what full history would have sent.
fn traffic(state: &State) -> String {
    if state.traffic.is_empty() {
        return String::new();
    }
    let sent: u64 = state.traffic.iter().map(|one| u64::from(one.stable) + u64::from(one.own)).sum();
    let mut line = format!("- Sent: {sent} tokens in {} requests", state.traffic.len());
    let saving = state.saving();
    if let Some(percent) = (saving.sent * 100).checked_div(saving.with_history) {
        line.push_str(&format!(
            "; from the third turn on {} where a conversation with its whole history would have sent {} ({} % saved)",
            saving.sent,
            saving.with_history,
            100 - percent
        ));
    }
    line + "\n"
}

fn left_out(map: &RepoMap) -> String {
    let mut out = String::from("\n## Left out, and why\n\n");
    let count = |level: Level| map.files.iter().filter(|file| file.level == level).count();
    let (named, folded, excluded) = (count(Level::Path), count(Level::Fold), count(Level::Exclude));
    let _ = writeln!(
        out,
        "- {folded} files are folded into lines for folders, {excluded} are not shown: nothing, or too little, speaks for them at their price"
    );
    let _ = writeln!(out, "- {named} files are shown by path or by some of their items");
    let mut near: Vec<_> = map.files.iter().filter(|file| file.level < Level::Path && file.worth > 0).collect();
    near.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.path.cmp(&b.path)));
    for file in near.iter().take(5) {
        let _ = writeln!(out, "- `{}` came nearest (worth {:.2})", file.path, f64::from(file.worth) / 1e6);
    }
    out
}

fn trade_offs(map: &RepoMap, state: &State) -> String {
    let mut lines = Vec::new();
    lines.extend(map.conflict.iter().map(|conflict| conflict.message.clone()));
    for file in map.files.iter().filter(|file| file.was.is_some()).take(20) {
        let was = file.was.map_or("more", Level::as_str);
        lines.push(format!("`{}` is at {} where {was} was asked", file.path, file.level));
    }
    lines.extend(state.feedback.iter().map(|one| format!("after turn {} the person said: {}", one.after, one.text.replace('\n', " "))));
    if lines.is_empty() {
        return String::new();
    }
    format!("\n## Trade-offs\n\n{}", lines.iter().map(|line| format!("- {line}\n")).collect::<String>())
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_no_wider_than_the_terminal() {
        let report = TurnReport {
            event: "turn",
            step: 1,
            action: Some(Kind::UpdateFlightPlan),
            reasoning: "zoom in on the 8 paths with most evidence, first src/session.rs".to_owned(),
            complaints: Vec::new(),
            cost_pico_usd: PicoUsd(0),
            projection: Projection::default(),
            purse: Purse::default(),
            tokens: 571,
            budget: 600,
            files_shown: 4,
            raised: Vec::new(),
            lowered: Vec::new(),
            focus: Vec::new(),
        };
        insta::assert_snapshot!(report.text(38), @r"
        Turn 1: update_flight_plan
          why      zoom in on the 8 paths with
                   most evidence, first
                   src/session.rs
          map      571 of 600 tokens, 4 files
                   shown
        ");
    }
}
