//! The map of a repository with its sizes, levels and flown plan.

use crate::level::Level;
use crate::plan::FlightPlan;
use crate::source::location::DocumentKind;
use crate::text::counts::n_of;
use crate::text::sanitize::Sanitized;

/// The most items that a sentence names.
const MAX_LACKING: usize = 3;

/// A map with its sizes, levels and flown plan.
#[derive(Debug, Clone)]
pub struct RepoMap {
    /// The text, at most as large as the budget.
    pub text: Sanitized,
    /// The size in tokens: the sum of the parts.
    pub tokens: u32,
    /// The budget in tokens.
    pub budget: u32,
    /// The blocks of the text, in order.
    pub parts: Vec<Part>,
    /// Every file of the tree, in map order.
    pub files: Vec<FileReport>,
    /// Floors that do not fit.
    pub conflict: Option<Conflict>,
    /// The sum of the values that the fit maximised; comparable between maps of one repository and
    /// goal.
    pub value: u64,
    /// The number of secrets masked in the shown text.
    pub n_masked: u32,
    /// The number of invisible characters escaped in the shown text.
    pub n_invisible: u32,
    /// The plan that rebuilds this text.
    pub flown: FlightPlan,
    /// The digest of all paths of the tree.
    pub(crate) tree_digest: String,
    /// What the documents are.
    pub kind: DocumentKind,
}

impl RepoMap {
    /// Returns a sentence about the items that rules ask for and that did not fit; `None` if all
    /// did.
    pub fn lacking(&self) -> Option<String> {
        let name = |file: &FileReport, item: &ItemReport| {
            format!("`{}#{}` (asked {})", file.path, item.name, item.level)
        };
        let names: Vec<String> = self
            .files
            .iter()
            .flat_map(|file| file.lacking.iter().map(move |item| name(file, item)))
            .collect();
        let named = names.iter().take(MAX_LACKING).map(String::as_str).collect::<Vec<_>>();
        let (named, more) = (named.join(", "), and_more(names.len(), MAX_LACKING));
        let tokens = self.budget;
        (!names.is_empty()).then(|| format!("did not fit in {tokens} tokens: {named}{more}"))
    }

    /// Returns a sentence about the tokens that stay free because of the plan's `fill`; `None` if
    /// less than a twentieth does, or nothing was left out.
    pub fn unused(&self) -> Option<String> {
        let (free, fill) = (self.budget.saturating_sub(self.tokens), self.flown.context.fill);
        let n_files = self.files.iter().filter(|file| file.is_weaker()).count();
        let n_items: usize = self.files.iter().map(|file| file.n_weak_items).sum();
        let items = n_of(n_items, "item");
        let left_out = match (n_files, n_items) {
            (0, 0) => return None,
            (_, 0) => self.kind.count(n_files),
            (0, _) => items,
            (_, _) => format!("{} and {items}", self.kind.count(n_files)),
        };
        if u64::from(free) * 20 < u64::from(self.budget) {
            return None;
        }
        Some(format!(
            "{free} of {} tokens stay free: `fill: {}` leaves out {left_out} with weaker evidence \
             (`fill: all` adds them)",
            self.budget,
            fill.as_str(),
        ))
    }
}

/// One block of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The kind of the block.
    pub kind: PartKind,
    /// The file or folder; empty for header and footer.
    pub path: String,
    /// The size in tokens.
    pub tokens: u32,
}

/// The kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// The first block.
    Header,
    /// A file at level path or above.
    File,
    /// A folded folder.
    Folder,
    /// Folded files beside shown ones.
    RestOfFolder,
    /// The summary of files that are not in the map.
    Footer,
}

/// The levels of one file in a map, with the reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// The path.
    pub path: String,
    /// The level shown. If some items differ from it, the level of the others.
    pub level: Level,
    /// The level that was requested and did not fit.
    pub requested: Option<Level>,
    /// Items that differ from the file's level.
    pub items: Vec<ItemReport>,
    /// Items that rules ask for and that are shown below it, with the level asked for. A replay
    /// knows none.
    pub lacking: Vec<ItemReport>,
    /// The lines whose text is shown, first and last, counted from 1: of the whole file, of items
    /// shown in full, and of signatures with their doc comments. Lines shown in part and items
    /// shown by name are not included.
    pub spans: Vec<(u32, u32)>,
    /// The size of its block in tokens; 0 if it has none.
    pub tokens: u32,
    /// The score in millionths of the best file's.
    pub worth: u32,
    /// Whether the goal matches the file itself, and not only its place or the files around it.
    pub has_evidence: bool,
    /// The score that the plan's `fill` requires, if the file has a score and not as much.
    pub needs: Option<u32>,
    /// Whether the plan's `fill` shows the file only together with the body of an item.
    pub needs_body: bool,
    /// The least score of an item that the plan's `fill` shows in it unasked, in millionths of the
    /// best one's; 0 if it shows any.
    pub item_needs: u32,
    /// The number of items with evidence that were left out for that.
    pub n_weak_items: usize,
    /// The rule that gave the level: its position among the person's or the pilot's rules.
    pub rule: Option<RuleOrigin>,
    /// The position of the person's rule that bounds the level for every pilot.
    pub bound: Option<usize>,
    /// The reason why it is kept at level path.
    pub mark: Option<&'static str>,
}

impl FileReport {
    /// Reports whether the file has evidence of its own, and less than the plan's `fill` requires.
    pub fn is_weaker(&self) -> bool {
        self.has_evidence && self.needs.is_some()
    }
}

/// The level of an item that differs from its file's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemReport {
    /// The item's address.
    pub name: String,
    /// Its level.
    pub level: Level,
    /// The first and last line.
    pub lines: (u32, u32),
}

/// The owner and position of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleOrigin {
    /// The person's rule at this position.
    Person(usize),
    /// The pilot's rule at this position.
    Pilot(usize),
}

/// A conflict: floors that do not fit the budget together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The smallest budget that meets every floor, in tokens.
    pub needed: u32,
    /// The files shown below their floor.
    pub below_floor: Vec<String>,
    /// A sentence for people: the conflict, and the cheapest way out.
    pub message: String,
    cause: ConflictCause,
}

/// The cause of a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ConflictCause {
    /// The floors together. The most expensive of them: path, level and price in tokens.
    Floors { dearest: Option<(String, Level, u32)> },
    /// A single line of a map.
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

    /// Returns the message for a caller whose budget, `budget` tokens, covers more than the map and
    /// would have to be `needed` tokens.
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

/// Returns the end of a list that names at most `most` of `n`.
pub(crate) fn and_more(n: usize, most: usize) -> String {
    if n > most { format!(", {} more", n - most) } else { String::new() }
}
