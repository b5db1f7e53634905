//! The differences between the contexts of two turns: what rose, what fell, and whether the pilot
//! asked for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use repo_map::plan::Rule;
use repo_map::{FileReport, Judged, Level, RepoMap};

use super::shown::{FileShown, levels};
use super::wishes::Wishes;

/// The maximum number of files listed for one cause.
const MOST_FILES: usize = 10;
/// The maximum number of items listed for one file and level.
const MOST_ITEMS: usize = 8;

/// A file whose levels differ from those of the turn before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelShift {
    /// The file.
    pub path: String,
    /// What the context had.
    pub before: FileShown,
    /// What the context has.
    pub after: FileShown,
    /// The items with this cause, with their levels before and after.
    pub items: BTreeMap<String, (Level, Level)>,
    /// The cause.
    pub cause: ShiftCause,
}

/// The direction of a difference, and whether a change asked for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShiftCause {
    /// It fell although no change asked for it.
    Fell,
    /// It rose because a change asked for it.
    RoseAsAsked,
    /// It fell because a change asked for it.
    FellAsAsked,
    /// It rose although no change asked for it: the fit had tokens left.
    FilledIn,
}

impl ShiftCause {
    /// Every cause, in the order of a view.
    pub const ALL: [ShiftCause; 4] =
        [ShiftCause::Fell, ShiftCause::RoseAsAsked, ShiftCause::FellAsAsked, ShiftCause::FilledIn];

    /// Returns the words in a view.
    pub fn as_str(self) -> &'static str {
        match self {
            ShiftCause::Fell => "fell without a wish",
            ShiftCause::RoseAsAsked => "rose as asked",
            ShiftCause::FellAsAsked => "fell as asked",
            ShiftCause::FilledIn => "filled in without a wish",
        }
    }

    fn of(before: Level, after: Level, wish: Option<Level>) -> ShiftCause {
        match (after > before, wish) {
            (true, Some(wish)) if wish > before => ShiftCause::RoseAsAsked,
            (true, _) => ShiftCause::FilledIn,
            (false, Some(wish)) if wish < before => ShiftCause::FellAsAsked,
            (false, _) => ShiftCause::Fell,
        }
    }
}

/// Returns the differences between two maps, by cause and path.
///
/// # Errors
/// If a map is of another tree.
pub(super) fn shifts(
    repo: &Judged,
    before: &RepoMap,
    after: &RepoMap,
    rules: &[Rule],
) -> repo_map::Result<Vec<LevelShift>> {
    let wishes = Wishes::of(rules, repo);
    let mut shifts = Vec::new();
    for (was, is) in before.files.iter().zip(&after.files) {
        let is_same = was.level == is.level && was.items == is.items;
        if is_same || was.level.max(is.level) < Level::Path {
            continue;
        }
        let file_wish = wishes.level_of(is, rules);
        let by_cause = causes(repo, (was, before), (is, after), file_wish, &wishes)?;
        for (cause, items) in by_cause {
            shifts.push(LevelShift {
                path: is.path.clone(),
                before: FileShown::in_report(repo, was, before)?,
                after: FileShown::in_report(repo, is, after)?,
                items,
                cause,
            });
        }
    }
    shifts.sort_by_key(|shift| (shift.cause, std::cmp::Reverse(change_of_size(shift))));
    Ok(shifts)
}

fn change_of_size(shift: &LevelShift) -> u32 {
    shift.before.tokens.abs_diff(shift.after.tokens)
}

/// The items that differ, by cause, each with its levels before and after.
type ItemsByCause = BTreeMap<ShiftCause, BTreeMap<String, (Level, Level)>>;

fn causes(
    repo: &Judged,
    (was, before): (&FileReport, &RepoMap),
    (is, after): (&FileReport, &RepoMap),
    file_wish: Option<Level>,
    wishes: &Wishes,
) -> repo_map::Result<ItemsByCause> {
    let (had, has) = (levels(repo, was, before)?, levels(repo, is, after)?);
    let mut by_cause = ItemsByCause::new();
    let names: BTreeSet<&String> = had.keys().chain(has.keys()).collect();
    for name in names {
        let level =
            |levels: &BTreeMap<String, Level>| levels.get(name).copied().unwrap_or(Level::Exclude);
        let (from, to) = (level(&had), level(&has));
        if from != to {
            let own = wishes.items.get(&is.path).and_then(|items| items.get(name)).copied();
            let cause = ShiftCause::of(from, to, own.or(file_wish));
            by_cause.entry(cause).or_default().insert(name.clone(), (from, to));
        }
    }
    if by_cause.is_empty() && was.level != is.level {
        by_cause.insert(ShiftCause::of(was.level, is.level, file_wish), BTreeMap::new());
    }
    Ok(by_cause)
}

/// Formats the differences, one line a file.
pub(super) fn text(shifts: &[LevelShift]) -> String {
    let mut out = String::new();
    for cause in ShiftCause::ALL {
        let of_cause: Vec<&LevelShift> =
            shifts.iter().filter(|shift| shift.cause == cause).collect();
        for shift in of_cause.iter().take(MOST_FILES) {
            let _ = writeln!(
                out,
                "{}: {}: {} to {}{}",
                cause.as_str(),
                shift.path,
                shift.before.text(),
                shift.after.text(),
                items_text(shift)
            );
        }
        if of_cause.len() > MOST_FILES {
            let _ = writeln!(out, "{}: {} more files", cause.as_str(), of_cause.len() - MOST_FILES);
        }
    }
    out
}

/// Lists the items by their level now; those that fell, by the level that they lost. Nothing if the
/// whole file is at one level.
fn items_text(shift: &LevelShift) -> String {
    if shift.before.items.is_none() && shift.after.items.is_none() {
        return String::new();
    }
    let rose = matches!(shift.cause, ShiftCause::RoseAsAsked | ShiftCause::FilledIn);
    let mut out = String::new();
    for level in [Level::Full, Level::Interface, Level::Outline] {
        let is_here = |(from, to): &(Level, Level)| (if rose { *to } else { *from }) == level;
        let names: Vec<&str> = shift
            .items
            .iter()
            .filter(|(_, levels)| is_here(levels))
            .map(|(name, _)| name.as_str())
            .collect();
        if names.is_empty() {
            continue;
        }
        let more = match names.len().saturating_sub(MOST_ITEMS) {
            0 => String::new(),
            n => format!(", {n} more"),
        };
        let when = if rose { "now" } else { "no longer" };
        let named = names[..names.len().min(MOST_ITEMS)].join(", ");
        let _ = write!(out, "; {when} {level}: {named}{more}");
    }
    out
}
