//! A map, and everything that is known about it.

use crate::level::Level;
use crate::plan::FlightPlan;
use crate::text::sanitize::Sanitized;

/// A map, and everything that is known about it.
#[derive(Debug, Clone)]
pub struct RepoMap {
    /// The text, at most as large as the budget.
    pub text: Sanitized,
    /// Its size in tokens: the sum of the parts'.
    pub tokens: u32,
    /// The budget it was fitted to.
    pub budget: u32,
    /// The blocks of the text, in order.
    pub parts: Vec<Part>,
    /// Every file of the tree, in map order.
    pub files: Vec<FileReport>,
    /// Floors that could not be met.
    pub conflict: Option<Conflict>,
    /// The sum of the values the fit maximised; comparable between maps of one repository and goal.
    pub value: u64,
    /// How many secrets were masked in what is shown.
    pub n_masked: u32,
    /// How many invisible characters were written out in what is shown.
    pub n_invisible: u32,
    /// The plan that rebuilds this text.
    pub flown: FlightPlan,
    /// The digest of all paths of the tree.
    pub(crate) tree_digest: String,
}

/// One block of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What the block is for.
    pub kind: PartKind,
    /// The file or folder; empty for header and footer.
    pub path: String,
    /// Its size in tokens.
    pub tokens: u32,
}

/// What a block of a map is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// The first block.
    Header,
    /// A file at level path or above.
    File,
    /// A folded folder.
    Folder,
    /// Folded files beside shown ones.
    RestOfFolder,
    /// What is not in the map.
    Footer,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// The path.
    pub path: String,
    /// The level shown. For a file of which some items differ, the level of the others.
    pub level: Level,
    /// The level that was asked for and did not fit.
    pub requested: Option<Level>,
    /// Items that differ from the file's level.
    pub items: Vec<ItemReport>,
    /// The lines whose text is shown, first and last, counted from 1: of the whole file, of items
    /// shown in full, and of signatures with their doc comments. A line that is shown in part, and
    /// an item that is only named, is not among them.
    pub spans: Vec<(u32, u32)>,
    /// The size of its block in tokens; 0 where it has none.
    pub tokens: u32,
    /// Its worth in millionths of the best file's.
    pub worth: u32,
    /// The rule that gave the level: its position among the person's or the pilot's rules.
    pub rule: Option<RuleOrigin>,
    /// The person's rule that bounds the level, whatever a pilot's say: its position.
    pub bound: Option<usize>,
    /// Why it is kept at level path.
    pub mark: Option<&'static str>,
}

/// The level of an item that differs from its file's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemReport {
    /// The item's address.
    pub name: String,
    /// Its level.
    pub level: Level,
    /// First and last line.
    pub lines: (u32, u32),
}

/// Whose rule it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleOrigin {
    /// The person's rule at this position.
    Person(usize),
    /// The pilot's rule at this position.
    Pilot(usize),
}

/// A constraint conflict: floors that do not fit the budget together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The least budget that meets every floor, in tokens.
    pub needed: u32,
    /// The files shown below their floor.
    pub below_floor: Vec<String>,
    /// One sentence for people: what conflicts, and the cheapest way out.
    pub message: String,
    cause: ConflictCause,
}

/// What a budget is too small for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ConflictCause {
    /// The floors together. The dearest of them: path, level and price.
    Floors { dearest: Option<(String, Level, u32)> },
    /// Any line of a map.
    Line,
}

impl Conflict {
    pub(crate) fn new(
        cause: ConflictCause,
        budget: u32,
        needed: u32,
        below_floor: Vec<String>,
    ) -> Conflict {
        let message = cause.message(budget, needed);
        Conflict { needed, below_floor, message, cause }
    }

    /// The message for a caller who gave `budget` tokens, of which the map is a part, and would
    /// have to give `needed`.
    pub fn message_for(&self, budget: u32, needed: u32) -> String {
        self.cause.message(budget, needed)
    }
}

impl ConflictCause {
    fn message(&self, budget: u32, needed: u32) -> String {
        match self {
            ConflictCause::Floors { dearest } => {
                let lower = dearest.as_ref().map(|(path, floor, cost)| {
                    format!(", or lower a floor (the dearest: `{path}` at {floor} costs {cost})")
                });
                format!(
                    "constraint conflict: what must be shown needs {needed} tokens, the budget is \
                     {budget}; raise it to {needed}{}",
                    lower.unwrap_or_default()
                )
            }
            ConflictCause::Line => format!(
                "constraint conflict: a budget of {budget} tokens holds no line of a map; the \
                 least is {needed}, better are some thousands"
            ),
        }
    }
}
