//! The differences between the contexts of two turns, as text: named where a wish is concerned,
//! counted elsewhere.

use std::fmt::Write as _;

use repo_map::plan::exact_path;

use super::shifted_items::{bodies, named};
use super::shifts::{self, ItemShift, LevelShift, ShiftCause};
use crate::run::terrain::Nouns;
use crate::shared::n_of;

/// The maximum number of lines about wishes.
const MOST_LINES: usize = 12;
/// The maximum number of files named in a count.
const MOST_COUNTED: usize = 3;

/// Formats differences, which are in the order in which they matter, in a context with `free`
/// tokens left.
pub(super) fn text(shifts: &[LevelShift], free: u32, nouns: Nouns) -> String {
    let words = ShiftWords::of(shifts, free, nouns);
    let groups = shifts::of_wishes(shifts);
    let (first, rest) = groups.split_at(groups.len().min(MOST_LINES));
    let mut out: String = first.iter().map(|group| words.group(group)).collect();
    if !rest.is_empty() {
        let rest: Vec<&LevelShift> = rest.iter().flatten().copied().collect();
        let tokens: u32 = rest.iter().map(|shift| shift.tokens()).sum();
        let _ = writeln!(out, "… {}, {tokens} tokens", n_more(rest.len(), nouns));
    }
    for cause in [ShiftCause::MadeRoom, ShiftCause::FilledIn] {
        out += &words.count(cause, shifts);
    }
    out
}

/// The words for causes.
struct ShiftWords {
    fell: &'static str,
    nouns: Nouns,
}

impl ShiftWords {
    fn of(shifts: &[LevelShift], free: u32, nouns: Nouns) -> ShiftWords {
        let has_risen = shifts.iter().any(|shift| {
            shift.cause == ShiftCause::RoseAsAsked
                || shift.items.values().any(|item| item.cause == ShiftCause::RoseAsAsked)
        });
        let of_files = shifts.iter().filter(|shift| shift.cause == ShiftCause::MadeRoom);
        let fallen: u32 = of_files.map(LevelShift::tokens).sum();
        // What would still fit has not fallen to make room.
        let is_for_room = has_risen && free <= fallen;
        ShiftWords { fell: if is_for_room { "made room" } else { "fell without a wish" }, nouns }
    }

    fn cause(&self, cause: ShiftCause) -> &'static str {
        match cause {
            ShiftCause::Lost => "fell below your wish",
            ShiftCause::RoseAsAsked => "rose as asked",
            ShiftCause::FellAsAsked => "fell as asked",
            ShiftCause::MadeRoom => self.fell,
            ShiftCause::FilledIn => "filled in without a wish",
        }
    }

    /// Formats the line of files that a change moved alike, or of one file.
    fn group(&self, group: &[&LevelShift]) -> String {
        let [shift, _, ..] = group else { return group.iter().map(|one| self.line(one)).collect() };
        let glob = shift.glob.as_deref().unwrap_or_default();
        let folder = exact_path(glob).map(|folder| format!("{}/", folder.trim_end_matches('/')));
        let glob = folder.unwrap_or_else(|| glob.to_owned());
        let tokens: u32 = group.iter().map(|shift| shift.tokens()).sum();
        format!(
            "{glob}: {}, {} to {}, {}, {tokens} tokens\n",
            n_of(group.len(), self.nouns.place),
            shift.before.level,
            shift.after.level,
            self.cause(shift.cause)
        )
    }

    /// Formats the one line of a file with a wish.
    fn line(&self, shift: &LevelShift) -> String {
        let LevelShift { path, before, after, items, cause, .. } = shift;
        let part = self.nouns.part;
        let mut out = format!("{path}: {} to {}", before.text(part), after.text(part));
        let is_uniform = before.items.is_none() && after.items.is_none();
        let is_one = items.values().all(|item| item.cause == *cause);
        if items.is_empty() || is_uniform && is_one {
            return format!("{out}, {}\n", self.cause(*cause));
        }
        for cause in ShiftCause::ALL {
            let of_cause: Vec<(&str, &ItemShift)> = items
                .iter()
                .filter(|(_, item)| item.cause == cause)
                .map(|(name, item)| (name.as_str(), item))
                .collect();
            if of_cause.is_empty() {
                continue;
            }
            if cause == ShiftCause::RoseAsAsked && after.items.is_none() {
                let _ = write!(out, "; {}", self.cause(cause));
            } else if cause.is_about_wish() {
                out += &named(self.cause(cause), &of_cause);
            } else {
                let n = n_of(of_cause.len(), part);
                let _ = write!(out, "; {n} {}{}", self.cause(cause), bodies(&of_cause));
            }
        }
        out + "\n"
    }

    /// Formats the files without a wish in one line; empty if there are none.
    fn count(&self, cause: ShiftCause, shifts: &[LevelShift]) -> String {
        // A file of the same size without items has no difference that a count can tell.
        let counts = |shift: &&LevelShift| shift.tokens() > 0 || !shift.items.is_empty();
        let of_cause = shifts.iter().filter(|shift| shift.cause == cause);
        let files: Vec<&LevelShift> = of_cause.filter(counts).collect();
        if files.is_empty() {
            return String::new();
        }
        let (first, rest) = files.split_at(files.len().min(MOST_COUNTED));
        let one = |shift: &&LevelShift| {
            let of_cause: Vec<(&str, &ItemShift)> = shift
                .items
                .iter()
                .filter(|(_, item)| item.cause == cause)
                .map(|(name, item)| (name.as_str(), item))
                .collect();
            format!("{} tokens of {}{}", shift.tokens(), shift.path, bodies(&of_cause))
        };
        let mut parts: Vec<String> = first.iter().map(one).collect();
        if !rest.is_empty() {
            let tokens: u32 = rest.iter().map(|shift| shift.tokens()).sum();
            parts.push(format!("{tokens} tokens of {}", n_more(rest.len(), self.nouns)));
        }
        format!("{}: {}\n", self.cause(cause), parts.join(", "))
    }
}

/// Counts the places that are not named.
fn n_more(n: usize, nouns: Nouns) -> String {
    n_of(n, &format!("more {}", nouns.place))
}
