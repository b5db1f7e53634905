//! The input and output of the fit: candidates with their bounds, the selection, floors that cannot
//! be met.

use crate::fit::folders::{Folders, Low};
use crate::level::Level;
use crate::render::{Choice, Style};
use crate::score::index::IndexEntry;
use crate::score::judge::ONE;
use crate::source::location::DocumentKind;
use crate::source::scan::Tree;

/// The selection for one file.
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

/// One file as input of the fit.
#[derive(Debug, Clone)]
pub(crate) struct FitCandidate<'a> {
    pub(crate) floor: Level,
    pub(crate) ceiling: Level,
    /// Whether the user set the floor: a missed floor is then a conflict, otherwise a demotion.
    pub(crate) is_due: bool,
    /// The file's score in millionths of the best file's score.
    pub(crate) worth: u32,
    /// Whether the goal names the file by its path.
    pub(crate) is_named: bool,
    /// Whether it is the start of a site, in an overview: a newcomer reads it, and not only what it
    /// is about.
    pub(crate) is_start: bool,
    /// The note on the file's line at level path.
    pub(crate) mark: Option<&'static str>,
    /// Outline and prices, for files judged in depth.
    pub(crate) entry: Option<&'a IndexEntry>,
    pub(crate) item_worth: Option<&'a [u32]>,
    /// The least score of an item that is shown though no rule asks for it.
    pub(crate) least_item: u32,
    /// Whether the file is shown only together with the body of an item.
    pub(crate) needs_body: bool,
    /// Whether the file is not shown by its path alone.
    pub(crate) needs_items: bool,
    /// Items that a rule gives a level: position and level.
    pub(crate) pinned: Vec<(usize, Level)>,
    /// What may be shown of a file that is shown by its items, beside what rules ask for.
    pub(crate) most: Option<Choice>,
}

impl FitCandidate<'_> {
    /// Reports whether the rules and `most` allow the whole file.
    pub(super) fn may_be_full(&self) -> bool {
        self.ceiling == Level::Full && self.pinned.is_empty() && self.most.is_none()
    }

    /// Returns the highest level that an item may climb to.
    pub(super) fn most_of(&self, item: usize) -> Level {
        let most = self.most.as_ref().map_or(Level::Full, |most| most.items[item]);
        self.ceiling.min(most)
    }
}

/// The share of an overview that one file takes before other files are preferred, and the least
/// number of tokens that this is: a small map has room for few files.
const SHARE_OF_FILE: u32 = 3;
const LEAST_SHARE: u32 = 600;
/// The same for a file without an outline, such as a build script, which is shown whole or not at
/// all.
const SHARE_OF_WHOLE: u32 = 8;
/// The same for the start of a site.
const SHARE_OF_START: u32 = 2;

/// The factor for the value of a body of the page that a site begins with.
const BODY_OF_START: f64 = 1.0;

/// How much a thing of some worth adds to a map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Valuation {
    /// The factor for the value of bodies: high with a goal, low for an overview without one.
    pub(crate) body: f64,
    /// Whether scores say what matches a goal. An overview has less to prefer: its values fall
    /// with the third power of the worth.
    pub(crate) has_evidence: bool,
    /// What is valued: of pages that match a goal, more sections are worth more than longer ones.
    pub(crate) kind: DocumentKind,
}

impl Valuation {
    /// Returns `w⁴ · t^¾`, for pages `w⁸ · √t`, for an overview `w³ · t^¾`, in integers.
    pub(super) fn of(self, worth: u32, tokens: u32, factor: f64) -> u64 {
        let worth = f64::from(worth) / f64::from(ONE);
        let root = libm::sqrt(f64::from(tokens));
        let long = root * libm::sqrt(root);
        let square = worth * worth;
        let (weight, length) = match self.kind {
            _ if !self.has_evidence => (square * worth, long),
            DocumentKind::File => (square * square, long),
            DocumentKind::Page => (square * square * square * square, root),
        };
        // The linear part keeps the value of things with very low worth above zero: showing them
        // beats an unused budget.
        let weight = weight + worth * 1e-4;
        (weight * length * factor * 1e12) as u64
    }

    /// Returns the value of a line with the path of a file. One of many folders costs more and says
    /// no more.
    pub(super) fn of_path(self, worth: u32, tokens: u32) -> u64 {
        const OF_NAME: u32 = 8;
        self.of(worth, tokens.min(OF_NAME), 1.0)
    }
}

/// The input of the fit.
pub(crate) struct FitProblem<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) folders: &'a Folders,
    pub(crate) candidates: Vec<FitCandidate<'a>>,
    pub(crate) tokens: u32,
    pub(crate) style: Style,
    /// What a thing of some worth adds.
    pub(crate) valuation: Valuation,
    /// The footer's size for a selection, in tokens.
    pub(crate) footer: &'a (dyn Fn(&[Shown]) -> u32 + Sync),
}

impl FitProblem<'_> {
    /// Returns how much a part of a file adds.
    pub(super) fn valuation_of(&self, candidate: &FitCandidate<'_>) -> Valuation {
        match candidate.is_start {
            true => Valuation { body: BODY_OF_START, ..self.valuation },
            false => self.valuation,
        }
    }

    /// Returns the tokens beyond which a file counts less: `u32::MAX` with a goal, but for the
    /// start of a site.
    pub(super) fn share_of(&self, candidate: &FitCandidate<'_>) -> u32 {
        let is_overview = !self.valuation.has_evidence
            && self.tree.kind() == DocumentKind::File
            && candidate.floor <= Level::Path;
        let is_whole = |entry: &IndexEntry| entry.depth.outline.items.is_empty();
        let share = match candidate.is_start {
            true => SHARE_OF_START,
            false if !is_overview => return u32::MAX,
            false if candidate.entry.is_some_and(is_whole) => SHARE_OF_WHOLE,
            false => SHARE_OF_FILE,
        };
        (self.tokens / share).max(LEAST_SHARE)
    }
}

/// Floors that cannot be met together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shortage {
    /// The smallest budget that meets every floor.
    pub(crate) needed: u32,
    /// Files shown below their floor, by position.
    pub(crate) below_floor: Vec<usize>,
    /// The file whose floor costs most, and its cost in tokens.
    pub(crate) dearest: Option<(usize, u32)>,
}

/// The outcome of a fit.
#[derive(Debug, Clone)]
pub(crate) struct Fitted {
    pub(crate) shown: Vec<Shown>,
    pub(crate) shortage: Option<Shortage>,
    /// The sum of the values of the selected states.
    pub(crate) value: u64,
}
