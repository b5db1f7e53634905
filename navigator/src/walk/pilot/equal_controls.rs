//! Which of several controls with one name a goal means.

use std::collections::BTreeSet;

use crate::walk::pilot::WalkTurn;
use crate::walk::pilot::evidence::evidence_words;
use crate::walk::pilot::orders::GoalOrders;
use crate::walk::pilot::phrases::topic_of;
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};

/// Counts the words of a goal in the row of each entry: the text around controls with one name.
pub(crate) fn words_in_rows(lower: &str, screen: &Screen) -> Vec<usize> {
    let goal = names_in(lower);
    let rows = screen.entries.iter().map(|entry| entry.control.as_ref()?.beside.as_deref());
    rows.map(|row| row.map_or(0, |row| names_in(row).intersection(&goal).count())).collect()
}

/// Reports whether an entry is the one that a goal means of those with its name: the first or the
/// second one, if it says so; else the one in whose row stand most of its words; and of radios the
/// first one, since only one can be checked.
pub(crate) fn is_meant(
    goal: &GoalOrders<'_>,
    at: usize,
    turn: &WalkTurn<'_>,
    in_rows: &[usize],
    number: usize,
) -> bool {
    let WalkTurn { screen, destroying, .. } = turn;
    let Some(entry) = screen.entry(number) else { return false };
    let is_same = |(other, _): &(&ScreenEntry, usize)| {
        other.kind == entry.kind && other.label.eq_ignore_ascii_case(&entry.label)
    };
    let same = screen.entries.iter().zip(1..).filter(is_same).map(|(_, number)| number);
    let same: Vec<usize> = same.collect();
    let most = same.iter().map(|one| in_rows[*one - 1]).max().unwrap_or_default();
    let nth = goal.ordinal(at, at + entry.label.len());
    let is_by_row = nth.is_none();
    if is_by_row && in_rows[number - 1] < most {
        return false;
    }
    // What the goal names stands in no row: it is not what would be destroyed.
    let is_destroying = same.len() > 1 && destroying.contains(&number);
    if is_by_row && most == 0 && is_destroying && says_more(&goal.lower, entry) {
        return false;
    }
    let nth = nth.or_else(|| (entry.kind == EntryKind::Radio).then_some(1));
    same.len() < 2 || nth.is_none_or(|nth| same.get(nth - 1) == Some(&number))
}

/// Reports whether a goal has words beside the label of an entry and those that say what to do.
fn says_more(lower: &str, entry: &ScreenEntry) -> bool {
    let label = evidence_words(&entry.label);
    !evidence_words(&topic_of(lower, true)).is_subset(&label)
}

/// Reports whether a control is for the thing that words name: all of them stand in its row, or, of
/// one without a row, in the names of its page.
pub(crate) fn is_for(words: &[String], screen: &Screen, entry: &ScreenEntry) -> bool {
    let beside = entry.control.as_ref().and_then(|control| control.beside.as_deref());
    let around = beside.map_or_else(|| names_in(&screen.place().join(" ")), names_in);
    words.iter().flat_map(|word| evidence_words(word)).all(|word| around.contains(&word))
}

/// Returns the words of a text, and what stands between its spaces: `b.txt` as a whole.
fn names_in(text: &str) -> BTreeSet<String> {
    let is_sign = |c: char| !c.is_alphanumeric();
    let whole = text.split_whitespace().map(|name| name.trim_matches(is_sign).to_lowercase());
    evidence_words(text).into_iter().chain(whole.filter(|name| !name.is_empty())).collect()
}
