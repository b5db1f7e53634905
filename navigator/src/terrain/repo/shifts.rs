//! The differences between the contexts of two turns: what rose, what fell, and whether the pilot
//! asked for it. Each file stands once.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use repo_map::plan::Rule;
use repo_map::{ItemCost, Judged, Level, RepoMap, cost};

use super::shown::FileShown;
use super::wishes::Wishes;

/// The least number of files that one change of a folder moved alike and that share a line.
const LEAST_ALIKE: usize = 3;

/// A file whose levels differ from those of the turn before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelShift {
    /// The file.
    pub path: String,
    /// The glob or folder of the change in force, if the file has no wish of its own.
    pub glob: Option<String>,
    /// What the context had.
    pub before: FileShown,
    /// What the context has.
    pub after: FileShown,
    /// The items that differ, by address. Empty if only the level of the file differs.
    pub items: BTreeMap<String, ItemShift>,
    /// The cause: of those of its items the one that matters most. Without a wish it is what
    /// happened to the tokens of the file.
    pub cause: ShiftCause,
}

/// An item whose level differs from that of the turn before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemShift {
    /// The level before.
    pub from: Level,
    /// The level now.
    pub to: Level,
    /// The cause.
    pub cause: ShiftCause,
    /// It has no wish of its own, and the item in which it lies did the same.
    pub is_part: bool,
    /// The score in millionths of the best item's.
    pub worth: u32,
    /// The cost of the item at the level that it rose to or fell from, in tokens; `None` for its
    /// name, which has no price of its own.
    pub tokens: Option<u32>,
}

/// The direction of a difference, and whether a change asked for it. In the order in which they
/// matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShiftCause {
    /// It fell below the level that a change asked for.
    Lost,
    /// It rose because a change asked for it.
    RoseAsAsked,
    /// It fell because a change asked for it.
    FellAsAsked,
    /// It fell, and no change had asked for more.
    MadeRoom,
    /// It rose although no change asked for it: the fit had tokens left.
    FilledIn,
}

impl ShiftCause {
    /// Every cause, in the order in which they matter.
    pub const ALL: [ShiftCause; 5] = [
        ShiftCause::Lost,
        ShiftCause::RoseAsAsked,
        ShiftCause::FellAsAsked,
        ShiftCause::MadeRoom,
        ShiftCause::FilledIn,
    ];

    /// Reports whether the pilot had a wish for what differs.
    pub fn is_about_wish(self) -> bool {
        match self {
            ShiftCause::Lost | ShiftCause::RoseAsAsked | ShiftCause::FellAsAsked => true,
            ShiftCause::MadeRoom | ShiftCause::FilledIn => false,
        }
    }

    fn of(from: Level, to: Level, wish: Option<Level>) -> ShiftCause {
        match (to > from, wish) {
            (true, Some(wish)) if wish > from => ShiftCause::RoseAsAsked,
            (true, _) => ShiftCause::FilledIn,
            (false, Some(wish)) if wish > to => ShiftCause::Lost,
            (false, Some(wish)) if wish < from => ShiftCause::FellAsAsked,
            (false, _) => ShiftCause::MadeRoom,
        }
    }
}

impl LevelShift {
    /// Returns by how many tokens the file grew or shrank.
    pub fn tokens(&self) -> u32 {
        self.before.tokens.abs_diff(self.after.tokens)
    }
}

/// Returns the differences between two maps, by cause and size.
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
        let (had, has) = (
            cost::items_shown(repo, &was.path, before)?,
            cost::items_shown(repo, &is.path, after)?,
        );
        let wish = FileWish {
            file: wishes.level_of(is, rules),
            items: wishes.items.get(&is.path),
            had: &had,
        };
        let items = wish.item_shifts(&has);
        let (before, after) =
            (FileShown::in_report(repo, was, before)?, FileShown::in_report(repo, is, after)?);
        let about_wish = items.values().map(|item| item.cause).min();
        let cause = match about_wish.filter(|cause| cause.is_about_wish()) {
            Some(cause) => cause,
            None if items.is_empty() => ShiftCause::of(was.level, is.level, wish.file),
            None if is.tokens < was.tokens => ShiftCause::MadeRoom,
            None => ShiftCause::FilledIn,
        };
        let glob = wishes.glob_of(is, rules);
        shifts.push(LevelShift { path: is.path.clone(), glob, before, after, items, cause });
    }
    shifts.sort_by_key(|shift| (shift.cause, Reverse(shift.tokens())));
    Ok(shifts)
}

/// Returns the differences with a wish, line by line: those that one change of a folder or glob
/// made alike together.
pub(super) fn of_wishes(shifts: &[LevelShift]) -> Vec<Vec<&LevelShift>> {
    let mut alike: BTreeMap<_, Vec<&LevelShift>> = BTreeMap::new();
    let key = |shift: &'_ LevelShift| {
        let is_uniform = shift.before.items.is_none() && shift.after.items.is_none();
        let glob = shift.glob.clone().filter(|_| is_uniform)?;
        Some((glob, shift.cause, shift.before.level, shift.after.level))
    };
    let about_wishes = || shifts.iter().filter(|shift| shift.cause.is_about_wish());
    for shift in about_wishes() {
        if let Some(key) = key(shift) {
            alike.entry(key).or_default().push(shift);
        }
    }
    alike.retain(|_, group| group.len() >= LEAST_ALIKE);
    let mut groups = Vec::new();
    for shift in about_wishes() {
        match key(shift).and_then(|key| alike.get_mut(&key)) {
            // The first of a group stands for all of it.
            Some(group) if !group.is_empty() => groups.push(std::mem::take(group)),
            Some(_) => {}
            None => groups.push(vec![shift]),
        }
    }
    groups
}

/// What changes ask for in one file.
struct FileWish<'a> {
    file: Option<Level>,
    items: Option<&'a BTreeMap<String, Level>>,
    /// The items in the context before.
    had: &'a [ItemCost],
}

impl FileWish<'_> {
    fn item_shifts(&self, has: &[ItemCost]) -> BTreeMap<String, ItemShift> {
        let mut shifts: BTreeMap<String, ItemShift> = BTreeMap::new();
        // An item comes before those nested in it.
        for (was, is) in self.had.iter().zip(has) {
            let (from, to) = (of_items(was.level), of_items(is.level));
            if from == to {
                continue;
            }
            let cause = self.cause(is, from, to);
            let did_same =
                |outer: &ItemShift| (outer.cause, outer.from, outer.to) == (cause, from, to);
            let is_part = self.own(is).is_none()
                && is.container.as_ref().and_then(|outer| shifts.get(outer)).is_some_and(did_same);
            let tokens = match from.max(to) {
                Level::Full => Some(is.full),
                Level::Body => Some(is.body),
                Level::Interface => Some(is.interface),
                _ => None,
            };
            let shift = ItemShift { from, to, cause, is_part, worth: is.worth, tokens };
            shifts.insert(is.name.clone(), shift);
        }
        shifts
    }

    fn cause(&self, item: &ItemCost, from: Level, to: Level) -> ShiftCause {
        let wish = self.own(item).or_else(|| self.of_containers(item)).or(self.file);
        match wish.map(of_items) {
            // A wish for something inside opens what is around it.
            Some(Level::Body | Level::Full) if to < from && self.is_opened(item) => {
                ShiftCause::FellAsAsked
            }
            wish => ShiftCause::of(from, to, wish),
        }
    }

    fn own(&self, item: &ItemCost) -> Option<Level> {
        self.items?.get(&item.name).copied()
    }

    /// Returns the wish for the nearest item around that has one, if it covers what lies inside: an
    /// item in full does, before or after.
    fn of_containers(&self, item: &ItemCost) -> Option<Level> {
        let containers = std::iter::successors(self.container(item), |outer| self.container(outer));
        let (outer, level) =
            containers.filter_map(|outer| Some((outer, *self.items?.get(&outer.name)?))).next()?;
        (level >= Level::Body || outer.level >= Level::Body).then_some(level)
    }

    fn container(&self, item: &ItemCost) -> Option<&ItemCost> {
        let container = item.container.as_ref()?;
        self.had.iter().find(|one| one.name == *container)
    }

    /// Reports whether a change lowers something inside an item, or beside one without a wish.
    fn is_opened(&self, item: &ItemCost) -> bool {
        let lowered = self.items.into_iter().flatten().filter(|(_, level)| **level < Level::Body);
        let lowered: BTreeSet<&str> = lowered.map(|(name, _)| name.as_str()).collect();
        let has_own = self.own(item).is_some();
        let is_in_item = |one: &&ItemCost| {
            std::iter::successors(self.container(one), |outer| self.container(outer))
                .any(|outer| outer.name == item.name)
        };
        let lowered_items = || self.had.iter().filter(|one| lowered.contains(one.name.as_str()));
        lowered_items().any(|one| is_in_item(&one)) || !has_own && !lowered.is_empty()
    }
}

/// Returns what a level leaves of the items of a file: at its path and below, nothing.
fn of_items(level: Level) -> Level {
    match level {
        Level::Exclude | Level::Fold | Level::Path => Level::Exclude,
        level => level,
    }
}
