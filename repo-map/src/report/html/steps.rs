//! The steps that led to the map: words, amounts, and the levels that changed.

use serde::Serialize;

use super::json_budget::{LEVELS_BYTES, LONGEST, Object, STEPS_BYTES, cut, json as safe_json};
use super::page_input::{Amount, PageInput, PageTurn};
use super::tree::digit;
use crate::level::Level;

/// Adds the steps with their changes: the levels before the first as runs, then runs of changes.
pub(super) fn put(document: &mut Object, told: &PageInput, place: &impl Fn(usize) -> Option<u32>) {
    #[derive(Serialize)]
    struct TurnRow {
        title: String,
        text: String,
        notes: Vec<String>,
        paths: Vec<String>,
        n_paths: usize,
        tokens: u32,
        amounts: Vec<(String, String)>,
    }
    /// The maximum number of paths and notes listed for a step.
    const NAMED: usize = 50;
    // Amounts are strings, because they may exceed the numbers of a browser.
    let written = |amount: &Amount| (amount.value.to_string(), cut(&amount.text, 100));
    let row = |step: &PageTurn| TurnRow {
        title: cut(&step.title, 200),
        text: cut(&step.text, LONGEST),
        notes: step.notes.iter().take(NAMED).map(|note| cut(note, 500)).collect(),
        paths: step.paths.iter().take(NAMED).map(|path| cut(path, 500)).collect(),
        n_paths: step.paths.len(),
        tokens: step.tokens,
        amounts: step.amounts.iter().map(written).collect(),
    };
    document.put_rows("steps", told.steps.iter().map(row), STEPS_BYTES);
    document.put("amounts", &told.amounts);
    document.put("limit", &told.limit.as_ref().map(written));
    document.put("start_at", &told.start_at);
    document.put("start_tokens", &told.start_tokens);

    let start: Option<Vec<(u32, u32)>> = told.start.as_ref().map(|levels| {
        let placed =
            levels.iter().enumerate().filter_map(|(file, level)| Some((place(file)?, *level)));
        runs(placed.collect()).into_iter().map(|(_, n, level)| (n, level)).collect()
    });
    let start = safe_json(&start);
    let is_known = start.len() < LEVELS_BYTES;
    document.put_json("start", if is_known { &start } else { "null" });
    let mut left = LEVELS_BYTES.saturating_sub(start.len());
    // A step with unknown changes, or without space for them, ends the list of changes: later ones
    // build on it.
    let known = told.steps.iter().skip(told.start_at).map_while(|step| {
        let placed = step
            .changes
            .as_ref()?
            .iter()
            .filter_map(|(file, level)| Some((place(*file as usize)?, *level)));
        let runs = safe_json(&runs(placed.collect()));
        left = left.checked_sub(runs.len() + 1)?;
        Some(runs)
    });
    let known: Vec<String> =
        known.take(if is_known && told.start.is_some() { usize::MAX } else { 0 }).collect();
    document.put_json("changes", &format!("[{}]", known.join(",")));
}

/// Encodes levels as runs: the number of files since the previous run, the number of files in the
/// run, and their level.
fn runs(mut placed: Vec<(u32, Level)>) -> Vec<(u32, u32, u32)> {
    placed.sort_unstable_by_key(|(place, _)| *place);
    let mut runs: Vec<(u32, u32, u32)> = Vec::new();
    let mut end = 0;
    for (place, level) in placed {
        let level = digit(level).to_digit(10).unwrap_or(0);
        match runs.last_mut() {
            Some((_, n, last)) if place == end && *last == level => *n += 1,
            _ => runs.push((place - end, 1, level)),
        }
        end = place + 1;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_run() {
        let placed = vec![(5, Level::Fold), (1, Level::Fold), (2, Level::Fold), (3, Level::Full)];
        assert_eq!(runs(placed), [(1, 2, 1), (0, 1, 6), (1, 1, 1)]);
    }
}
