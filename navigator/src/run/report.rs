//! What a person or a script is told after a turn and at the end.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use repo_map::plan::{Rule, exact_path};
use repo_map::{FileReport, Level, RepoMap, RuleOrigin, Sanitized};
use serde::Serialize;

use crate::money::pico_usd::PicoUsd;
use crate::pilot::view::n_of;
use crate::run::action::Focus;
use crate::run::decision_log::{ActionKind, LogEntry};
use crate::run::pilot::{Pilot, Projection, Spend};
use crate::run::state::State;
use crate::run::stop::Stop;

/// What a turn did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnReport {
    /// `turn`.
    pub event: &'static str,
    /// The turn, counted from 1.
    pub step: u32,
    /// What was decided.
    pub action: ActionKind,
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
    pub purse: Spend,
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
    /// The report of a turn by its entry in the log, from one map to another.
    pub(crate) fn of(
        entry: &LogEntry,
        before: &RepoMap,
        after: &RepoMap,
        projection: Projection,
        purse: Spend,
    ) -> TurnReport {
        let moved = |is_so: fn(u32, u32) -> bool| -> Vec<String> {
            let pairs = before.files.iter().zip(&after.files);
            let mut paths: Vec<(u32, &str)> = pairs
                .filter(|(before, after)| is_so(before.tokens, after.tokens))
                .map(|(before, after)| (before.tokens.max(after.tokens), after.path.as_str()))
                .collect();
            paths.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
            paths.into_iter().take(MOST_PATHS).map(|(_, path)| path.to_owned()).collect()
        };
        TurnReport {
            event: "turn",
            step: entry.step,
            action: entry.action,
            reasoning: entry.reasoning.clone(),
            complaints: entry.complaints.clone(),
            cost_pico_usd: entry.cost_pico_usd,
            projection,
            purse,
            tokens: after.tokens,
            budget: after.budget,
            files_shown: n_shown(after),
            raised: moved(|before, after| after > before),
            lowered: moved(|before, after| after < before),
            focus: entry.focus.clone(),
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let cost = if self.purse.calls == 0 {
            String::new()
        } else {
            format!(", {}", self.cost_pico_usd.rounded())
        };
        let said = match self.action {
            ActionKind::NoUsableAnswer => {
                format!("no use of the answer: {}", self.complaints.join("; "))
            }
            _ => self.reasoning.clone(),
        };
        let said = said.replace('\n', " ");
        format!("turn {}: {}{cost}; {said}", self.step, self.size())
    }

    /// The size of the map.
    pub(crate) fn size(&self) -> String {
        format!(
            "{} of {} tokens, {} shown",
            self.tokens,
            self.budget,
            n_of(self.files_shown, "file")
        )
    }

    /// The report for a person who decides what comes next, in lines of at most `width` columns,
    /// and no more than 100.
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
                let more = if paths.len() > NAMED {
                    format!(", {} more", paths.len() - NAMED)
                } else {
                    String::new()
                };
                rows.push((head, format!("{}{more}", paths[..paths.len().min(NAMED)].join(", "))));
            }
        }
        rows.extend(
            self.focus.iter().map(|area| ("focus", format!("{}: {}", area.path, area.why))),
        );
        rows.push(("map", self.size()));
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
        let mut out = format!("Turn {}: {}\n", self.step, self.action.as_str());
        for (head, text) in rows {
            let first = format!("  {head:<9}");
            let options = textwrap::Options::new(width)
                .initial_indent(&first)
                .subsequent_indent("           ");
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

/// The summary of an exploration, as Markdown: what is in and why, what is left out, which
/// trade-offs were made.
pub(crate) fn summary(
    goal: &str,
    pilot: &dyn Pilot,
    stop: &Stop,
    state: &State,
    map: &RepoMap,
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
    let _ = writeln!(out, "- Context: {} of {} tokens", map.tokens, map.budget);
    if map.n_masked > 0 {
        let _ = writeln!(out, "- Secrets masked: {}", map.n_masked);
    }
    if map.n_invisible > 0 {
        let _ = writeln!(out, "- Invisible characters written out: {}", map.n_invisible);
    }
    out.push_str(&traffic(state));
    let (says, focus) = state
        .finalized
        .as_ref()
        .map_or(("", [].as_slice()), |(says, focus)| (says.as_str(), focus.as_slice()));
    if !says.is_empty() {
        let _ = writeln!(out, "- {}", says.replace('\n', " "));
    }
    let is_in = |area: &&Focus| {
        map.files.iter().any(|file| file.path == area.path && file.level >= Level::Path)
    };
    let (focus, not_in): (Vec<&Focus>, Vec<&Focus>) = focus.iter().partition(is_in);
    if !focus.is_empty() {
        out.push_str("\n## In, and why\n\n");
        for one in focus {
            let _ = writeln!(out, "- `{}`: {}", one.path, one.why);
        }
    }
    out.push_str(&left_out(map, state));
    out.push_str(&trade_offs(map, state, &not_in));
    out.push_str("\n## Decisions\n\n");
    for entry in &state.log {
        let action = entry.action.as_str();
        let (before, after) = (entry.tokens_before, entry.tokens_after);
        let cost =
            if purse.calls == 0 { String::new() } else { format!(", {}", entry.cost_pico_usd) };
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
    out.into()
}

/// What was sent, and what full history would have sent.
fn traffic(state: &State) -> String {
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

/// The most reasons that are told apart.
const MOST_REASONS: usize = 8;

/// The least worth, in millionths, of a file that came near: less is printed as 0.00.
const LEAST_NEAR: u32 = 10_000;

/// What is not shown, and why.
fn left_out(map: &RepoMap, state: &State) -> String {
    let mut out = String::from("\n## Left out, and why\n\n");
    let count = |level: Level| map.files.iter().filter(|file| file.level == level).count();
    let (named, folded, excluded) = (count(Level::Path), count(Level::Fold), count(Level::Exclude));
    let _ = writeln!(out, "- files folded into lines for folders: {folded}; not shown: {excluded}");
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for file in map.files.iter().filter(|file| file.level < Level::Path) {
        *reasons.entry(reason(file, state)).or_default() += 1;
    }
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    for (reason, n) in reasons.iter().take(MOST_REASONS) {
        let _ = writeln!(out, "  - {n}: {reason}");
    }
    if reasons.len() > MOST_REASONS {
        let _ = writeln!(
            out,
            "  - {}: other rules",
            reasons[MOST_REASONS..].iter().map(|(_, n)| n).sum::<usize>()
        );
    }
    let _ = writeln!(out, "- files shown by path or by some of their items: {named}{}", marks(map));
    let is_near = |file: &&FileReport| {
        file.level < Level::Path
            && file.worth >= LEAST_NEAR
            && kept_low(file, &state.bounds).is_none()
    };
    let mut near: Vec<_> = map.files.iter().filter(is_near).collect();
    near.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.path.cmp(&b.path)));
    for file in near.iter().take(5) {
        let _ = writeln!(
            out,
            "- `{}` came nearest (worth {:.2})",
            file.path,
            f64::from(file.worth) / 1e6
        );
    }
    out
}

/// The person's rule that keeps a file below its path, whatever a pilot asks for.
pub(crate) fn kept_low<'b>(file: &FileReport, bounds: &'b [Rule]) -> Option<&'b Rule> {
    bounds
        .get(file.bound?)
        .filter(|rule| rule.level.is_some_and(|range| range.ceiling < Level::Path))
}

/// Why a file is not shown.
fn reason(file: &FileReport, state: &State) -> String {
    let by = |whose: &str, rule: &Rule| {
        let done = if rule.level.is_some_and(|range| range.ceiling == Level::Exclude) {
            "excluded"
        } else {
            "folded"
        };
        format!(
            "{done} by {whose} rule `{}`",
            exact_path(&rule.path).unwrap_or_else(|| rule.path.clone())
        )
    };
    let of_pilot = match file.rule {
        Some(RuleOrigin::Pilot(at)) => state
            .rules
            .get(at)
            .filter(|rule| rule.level.is_some_and(|range| range.ceiling < Level::Path)),
        _ => None,
    };
    match (kept_low(file, &state.bounds), of_pilot) {
        (Some(rule), _) => by("your", rule),
        (None, Some(rule)) => {
            by("the pilot's", rule)
                + &rule
                    .why
                    .as_ref()
                    .map(|why| format!(": {}", why.replace('\n', " ")))
                    .unwrap_or_default()
        }
        (None, None) if file.rule.is_none() => "folded, because no rule opens it".to_owned(),
        (None, None) if file.was.is_some() => "asked for, and did not fit".to_owned(),
        (None, None) => match file.mark {
            Some(mark) => format!("{mark}, with no more than a path to show"),
            None => "open, and worth too little for its tokens".to_owned(),
        },
    }
}

/// How many files are kept at their path, by what they are.
fn marks(map: &RepoMap) -> String {
    let mut marks: BTreeMap<&str, usize> = BTreeMap::new();
    for mark in
        map.files.iter().filter(|file| file.level == Level::Path).filter_map(|file| file.mark)
    {
        *marks.entry(mark).or_default() += 1;
    }
    let marks: Vec<String> = marks.into_iter().map(|(mark, n)| format!("{n} {mark}")).collect();
    if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) }
}

fn trade_offs(map: &RepoMap, state: &State, not_in: &[&Focus]) -> String {
    let mut lines = Vec::new();
    lines.extend(map.conflict.iter().map(|conflict| conflict.message.clone()));
    for area in not_in {
        let file = map.files.iter().find(|file| file.path == area.path);
        let reason =
            file.map_or_else(|| "there is no such file".to_owned(), |file| reason(file, state));
        lines.push(format!(
            "`{}` was asked for ({}), and is not shown: {reason}",
            area.path, area.why
        ));
    }
    for file in map.files.iter().filter(|file| file.was.is_some()).take(20) {
        let was = file.was.map_or("more", Level::as_str);
        lines.push(format!("`{}` is at {} where {was} was asked", file.path, file.level));
    }
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

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_no_wider_than_the_terminal() {
        let report = TurnReport {
            event: "turn",
            step: 1,
            action: ActionKind::UpdateFlightPlan,
            reasoning: "zoom in on the 8 paths with most evidence, first src/session.rs".to_owned(),
            complaints: Vec::new(),
            cost_pico_usd: PicoUsd(0),
            projection: Projection::default(),
            purse: Spend::default(),
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
