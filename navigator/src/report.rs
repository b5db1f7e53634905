//! What a person or a script is told after a turn and at the end.

use repo_map::{Level, RepoMap};
use serde::Serialize;

use crate::action::Focus;
use crate::decision_log::LogEntry;
use crate::money::PicoUsd;
use crate::stop::Stop;

/// What a turn did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnReport {
    /// `turn`.
    pub event: &'static str,
    /// The turn, counted from 1.
    pub step: u32,
    /// `update_flight_plan` or `finalize_context`.
    pub action: &'static str,
    /// Why.
    pub reasoning: String,
    /// What the turn cost, and all turns so far.
    pub cost_pico_usd: PicoUsd,
    /// The sum over all turns.
    pub total_pico_usd: PicoUsd,
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
}

/// The most paths a report names on either side.
const MOST_PATHS: usize = 50;

impl TurnReport {
    /// The report of a turn that led from one map to another.
    pub fn of(entry: &LogEntry, before: &RepoMap, after: &RepoMap, total: PicoUsd) -> TurnReport {
        let moved = |is_so: fn(u32, u32) -> bool| -> Vec<String> {
            let pairs = before.files.iter().zip(&after.files);
            let mut paths: Vec<(u32, &str)> = pairs
                .filter(|(before, after)| is_so(before.tokens, after.tokens))
                .map(|(_, after)| (after.tokens, after.path.as_str()))
                .collect();
            paths.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
            paths.into_iter().take(MOST_PATHS).map(|(_, path)| path.to_owned()).collect()
        };
        TurnReport {
            event: "turn",
            step: entry.step,
            action: entry.action,
            reasoning: entry.reasoning.clone(),
            cost_pico_usd: entry.cost_pico_usd,
            total_pico_usd: total,
            tokens: after.tokens,
            budget: after.budget,
            files_shown: after.files.iter().filter(|file| file.level >= Level::Path).count(),
            raised: moved(|before, after| after > before),
            lowered: moved(|before, after| after < before),
        }
    }

    /// One line for people.
    pub fn line(&self) -> String {
        format!("turn {}: {} of {} tokens, {} files shown; {}", self.step, self.tokens, self.budget, self.files_shown, self.reasoning)
    }
}

/// The summary of an exploration, as Markdown: what is in and why, what is left out, which trade-offs were made.
pub fn summary(goal: &str, pilot: &str, stop: Stop, says: &str, focus: &[Focus], log: &[LogEntry], map: &RepoMap) -> String {
    let mut out = String::from("# Summary\n\n");
    let first_line = goal.lines().next().unwrap_or_default();
    out.push_str(&format!("Goal: {first_line}\n\n"));
    out.push_str(&format!("- Ended: {} ({} turns, {pilot} pilot, $0.00)\n", stop.line(), log.len()));
    out.push_str(&format!("- Context: {} of {} tokens\n", map.tokens, map.budget));
    if map.n_masked > 0 {
        out.push_str(&format!("- Secrets masked: {}\n", map.n_masked));
    }
    if !says.is_empty() {
        out.push_str(&format!("- {says}\n"));
    }
    if !focus.is_empty() {
        out.push_str("\n## In, and why\n\n");
        for one in focus {
            out.push_str(&format!("- `{}`: {}\n", one.path, one.why));
        }
    }
    out.push_str("\n## Left out, and why\n\n");
    let count = |level: Level| map.files.iter().filter(|file| file.level == level).count();
    let (named, folded, excluded) = (count(Level::Path), count(Level::Fold), count(Level::Exclude));
    out.push_str(&format!("- {folded} files are folded into lines for folders, {excluded} are not shown: nothing, or too little, speaks for them at their price\n"));
    out.push_str(&format!("- {named} files are shown by path or by some of their items\n"));
    let mut near: Vec<_> = map.files.iter().filter(|file| file.level < Level::Path && file.worth > 0).collect();
    near.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.path.cmp(&b.path)));
    for file in near.iter().take(5) {
        out.push_str(&format!("- `{}` came nearest (worth {:.2})\n", file.path, f64::from(file.worth) / 1e6));
    }
    let demoted: Vec<_> = map.files.iter().filter(|file| file.was.is_some()).collect();
    if map.conflict.is_some() || !demoted.is_empty() {
        out.push_str("\n## Trade-offs\n\n");
        if let Some(conflict) = &map.conflict {
            out.push_str(&format!("- {}\n", conflict.message));
        }
        for file in demoted.iter().take(20) {
            let was = file.was.map_or("more", Level::as_str);
            out.push_str(&format!("- `{}` is at {} where {was} was asked\n", file.path, file.level));
        }
    }
    out.push_str("\n## Decisions\n\n");
    for entry in log {
        out.push_str(&format!(
            "{}. {} ({} → {} tokens): {}\n",
            entry.step, entry.action, entry.tokens_before, entry.tokens_after, entry.reasoning
        ));
    }
    out
}
