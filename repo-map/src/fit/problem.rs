//! What is fitted, and what comes out: candidates with their bounds, what each file shows, floors
//! that cannot be met.

use crate::fit::folders::{Folders, Low};
use crate::level::Level;
use crate::render::{Choice, Style};
use crate::score::index::IndexEntry;
use crate::source::scan::Tree;

/// What the map shows of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shown {
    Exclude,
    Fold,
    Path,
    Items(Choice),
    Full,
}

impl Shown {
    pub(crate) fn low(&self) -> Low {
        match self {
            Shown::Exclude => Low::Exclude,
            Shown::Fold => Low::Fold,
            Shown::Path | Shown::Items(_) | Shown::Full => Low::Shown,
        }
    }
}

/// One file as the fit sees it.
#[derive(Debug, Clone)]
pub(crate) struct Candidate<'a> {
    pub(crate) floor: Level,
    pub(crate) ceiling: Level,
    /// Whether a person set the floor: then missing it is a conflict, otherwise a demotion.
    pub(crate) is_due: bool,
    /// Millionths of the best file's worth.
    pub(crate) worth: u32,
    /// Said on the file's line at level path.
    pub(crate) mark: Option<&'static str>,
    /// Outline and prices, for files that were looked at in depth.
    pub(crate) entry: Option<&'a IndexEntry>,
    pub(crate) item_worth: Option<&'a [u32]>,
    /// Items that a rule gives a level, by position.
    pub(crate) pinned: Vec<(usize, Level)>,
}

/// What is to be fitted.
pub(crate) struct FitProblem<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) folders: &'a Folders,
    pub(crate) candidates: Vec<Candidate<'a>>,
    pub(crate) tokens: u32,
    pub(crate) style: Style,
    /// How much of a body's value counts: with a goal bodies matter, without one an overview does.
    pub(crate) body_value: f64,
    /// The footer's size for a selection, in tokens.
    pub(crate) footer: &'a (dyn Fn(&[Shown]) -> u32 + Sync),
}

/// Floors that cannot be met together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shortage {
    /// The least budget that meets every floor.
    pub(crate) needed: u32,
    /// Files shown below their floor, by position.
    pub(crate) below_floor: Vec<usize>,
    /// The file whose floor costs most, and that cost.
    pub(crate) dearest: Option<(usize, u32)>,
}

/// The outcome of a fit.
#[derive(Debug, Clone)]
pub(crate) struct Fitted {
    pub(crate) shown: Vec<Shown>,
    pub(crate) shortage: Option<Shortage>,
    /// The sum of the values of what is shown.
    pub(crate) value: u64,
}
