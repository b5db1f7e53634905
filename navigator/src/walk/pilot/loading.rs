//! What a live page has yet to load, or to show of a list, for the pilot without a model.

use crate::walk::action::{ControlOperation, ScrollTo, WalkAction};
use crate::walk::outcome::StepOutcome;
use crate::walk::pilot::WalkTurn;
use crate::walk::pilot::choice::WalkChoice;
use crate::walk::screen::{EntryKind, ScreenEntry};
use crate::walk::state::before;

/// The most times that a walk waits for a page that says that it loads.
const MAX_WAITS: usize = 3;

/// What leads on to the next part of a list.
const NEXT: [&str; 6] = ["load more", "more", "next", "next page", "older", "show more"];

/// Waits for a live page that says that it loads.
pub(super) fn wait_first(turn: &WalkTurn<'_>) -> Option<WalkChoice> {
    let operation = ControlOperation::Wait { text: String::new() };
    let action = WalkAction::Operate { number: 0, label: String::new(), operation };
    let address = &turn.screen.address;
    let waits = turn.state.path.iter().filter(|step| step.action == action);
    // A page may say so for ever, and so may all pages of a site.
    let was_in_vain = waits.clone().any(|step| step.outcome != StepOutcome::Done);
    let n_waits = waits.filter(|step| step.address == *address).count();
    let loads = turn.screen.is_live
        && turn.screen.sections.iter().any(|section| section.text.lines().any(says_loading));
    let can_wait = n_waits < MAX_WAITS
        && !was_in_vain
        && turn.steps_left > 1
        && !turn.state.has_tried(&before(turn.screen, &action), &action);
    let why = "the page says that it loads".to_owned();
    (loads && can_wait).then_some(WalkChoice { action, why, evidence: 1.0 })
}

/// Reports whether a line says that something comes later: `Loading…`, `Jobs: loading`.
fn says_loading(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    let bare = line.trim_end_matches(['.', '…']);
    let before = bare.strip_suffix("loading").or_else(|| bare.strip_suffix("please wait"));
    let has_dots = line.ends_with('…') || line.ends_with("...");
    before.is_some_and(|before| {
        let before = before.trim_end();
        before.is_empty() || before.ends_with(':') || has_dots
    })
}

/// Looks at what may load below a live page before a walk is given up. A page that shows nothing
/// new after that is scrolled once.
pub(super) fn scroll_first(turn: &WalkTurn<'_>, choice: WalkChoice) -> WalkChoice {
    let operation = ControlOperation::Scroll { to: ScrollTo::Bottom };
    let action = WalkAction::Operate { number: 0, label: String::new(), operation };
    let gives_up = matches!(choice.action, WalkAction::GiveUp { .. });
    let is_new = || !turn.state.has_tried(&before(turn.screen, &action), &action);
    // What is below is taken by another step.
    match gives_up && turn.screen.goes_on_below && turn.steps_left > 1 && is_new() {
        true => WalkChoice { action, why: "more may load below".to_owned(), evidence: 0.0 },
        false => choice,
    }
}

/// Goes on to the next part of a list, where a page says that there is one.
pub(super) fn next_part(turn: &WalkTurn<'_>) -> Option<WalkChoice> {
    let leads_on = |entry: &ScreenEntry| {
        let name = entry.label.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        matches!(entry.kind, EntryKind::Link | EntryKind::Button)
            && NEXT.contains(&name.as_str())
            && !entry.is("disabled")
    };
    let (entry, number) = turn.screen.entries.iter().zip(1..).find(|(entry, _)| leads_on(entry))?;
    let action = WalkAction::Click { number, label: entry.label.clone() };
    let is_new = !turn.state.has_tried(&before(turn.screen, &action), &action);
    let why = "what the goal names may be further on in the list".to_owned();
    (is_new && turn.steps_left > 1).then_some(WalkChoice { action, why, evidence: 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_that_it_loads() {
        for line in ["Loading…", "  Jobs: loading", "Please wait...", "Fetching, loading..."] {
            assert!(says_loading(line), "{line}");
        }
        for line in [
            "Lazy loading",
            "Images use lazy loading.",
            "Downloading files",
            "Loading dock 3",
            "What is loading",
        ] {
            assert!(!says_loading(line), "{line}");
        }
    }
}
