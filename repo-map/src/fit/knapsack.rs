//! The levels of greatest worth that fit the budget.
//!
//! Each file is a ladder of states, from nothing to its full text, each with its exact price in
//! tokens and a value; one state of each is chosen so that the sum of values is greatest within the
//! budget: a multiple-choice knapsack. Climbing the upper hulls of all ladders by value per token
//! comes within one step of the optimum of the relaxed problem (Sinha and Zoltners 1979) and needs
//! no search; single steps then fill what is left.
//!
//! The value of showing something of worth `w` in `t` tokens is `w³ · t^¾`: the first words about a
//! thing say most, and a thing half as likely to matter is worth an eighth. On public issues (8 000
//! tokens) these exponents put most of the functions that a fix changed into the map with their
//! bodies. Values are integers, sums run in file order, ties break by path.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::fit::folders::{FoldLine, Folders, Low, types};
use crate::level::Level;
use crate::outline::{Item, Outline};
use crate::render::{self, Choice, Style};
use crate::score::index::IndexEntry;
use crate::score::judge::{ONE, WORTH_SHOWING};
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

/// A share of the budget for lines that say what stands beside the files that are shown.
const FOLD_SHARE: f64 = 0.08;
/// Files beyond this rank, by worth, are not considered for a line of their own.
const MOST_LADDERS: usize = 5_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FitState {
    Hidden,
    Path,
    /// The base choice and this many upgrades.
    Items(usize),
    Full,
}

#[derive(Debug, Clone, Copy)]
struct Point {
    tokens: u32,
    value: u64,
    state: FitState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Upgrade {
    Item(usize, Level),
    Doc,
}

/// The states of one file, cheapest first.
struct Ladder {
    file: usize,
    points: Vec<Point>,
    /// Positions of the points on the upper hull.
    hull: Vec<usize>,
    base: Choice,
    upgrades: Vec<Upgrade>,
    /// The point that stands for the floor.
    floor: usize,
    at: usize,
}

/// `w³ · t^¾`, in integers.
fn value(worth: u32, tokens: u32, factor: f64) -> u64 {
    let worth = f64::from(worth) / f64::from(ONE);
    let root = libm::sqrt(f64::from(tokens));
    // The linear part keeps what has hardly any worth above nothing: an empty budget is worth less.
    let weight = worth * worth * worth + worth * 1e-4;
    (weight * root * libm::sqrt(root) * factor * 1e12) as u64
}

/// Whether going from `a` to `b` gains more a token than going from `c` to `d`.
fn steeper(gain_a: u64, tokens_a: u32, gain_b: u64, tokens_b: u32) -> Ordering {
    (u128::from(gain_a) * u128::from(tokens_b.max(1)))
        .cmp(&(u128::from(gain_b) * u128::from(tokens_a.max(1))))
}

impl Ladder {
    fn of(problem: &FitProblem<'_>, file: usize) -> Ladder {
        let candidate = &problem.candidates[file];
        let path = &problem.tree.files[file].path;
        let path_tokens =
            problem.style.tokenizer.count(&render::path_line(path, candidate.mark, problem.style));
        let mut ladder = Ladder {
            file,
            points: vec![Point { tokens: 0, value: 0, state: FitState::Hidden }],
            hull: Vec::new(),
            base: Choice { items: Vec::new(), doc: false },
            upgrades: Vec::new(),
            floor: 0,
            at: 0,
        };
        if candidate.ceiling >= Level::Path {
            let point = Point {
                tokens: path_tokens,
                value: value(candidate.worth, path_tokens, 1.0),
                state: FitState::Path,
            };
            ladder.points.push(point);
            if candidate.floor >= Level::Path {
                ladder.floor = 1;
            }
        }
        if let Some(entry) = candidate.entry {
            let has_items = !entry.depth.outline.items.is_empty();
            if has_items && (candidate.ceiling >= Level::Outline || !candidate.pinned.is_empty()) {
                ladder.climb_items(candidate, entry, problem.body_value);
            }
            let may_be_full = candidate.ceiling == Level::Full
                && entry.depth.mark.is_none_or(|mark| mark.has_text());
            if may_be_full && candidate.pinned.is_empty() {
                let point = Point {
                    tokens: entry.price().full,
                    value: full_value(candidate, entry, problem.body_value),
                    state: FitState::Full,
                };
                ladder.points.push(point);
                if candidate.floor == Level::Full {
                    ladder.floor = ladder.points.len() - 1;
                }
            }
        }
        // What shows more of a file shows its path too.
        let of_path = value(candidate.worth, path_tokens, 1.0);
        for point in &mut ladder.points {
            if matches!(point.state, FitState::Items(_) | FitState::Full) {
                point.value += of_path;
            }
        }
        ladder.find_hull();
        ladder
    }

    /// States that show items: from the floor's choice, one upgrade at a time, the best value a
    /// token first.
    fn climb_items(&mut self, candidate: &Candidate<'_>, entry: &IndexEntry, body_value: f64) {
        let outline = &entry.depth.outline;
        let mut base = match candidate.floor {
            Level::Outline | Level::Interface => Choice::uniform(outline, candidate.floor),
            // A file in full but for some items: what holds items is shown around them.
            Level::Full if !candidate.pinned.is_empty() => {
                let of =
                    |item: &Item| if item.has_children { Level::Interface } else { Level::Full };
                Choice { items: outline.items.iter().map(of).collect(), doc: true }
            }
            Level::Full => Choice::uniform(outline, Level::Interface),
            Level::Exclude | Level::Fold | Level::Path => Choice::nothing(outline),
        };
        for (item, level) in &candidate.pinned {
            base.items[*item] = *level;
        }
        base.name_containers(outline);
        let is_pinned = |item: usize| candidate.pinned.iter().any(|(pinned, _)| *pinned == item);
        let mut steps: Vec<(u64, u32, Upgrade)> = Vec::new();
        // What is nested in an item without a body is part of its signature, not a step of its own.
        let is_part = |at: usize| {
            std::iter::successors(outline.items[at].parent, |parent| outline.items[*parent].parent)
                .any(|ancestor| outline.items[ancestor].body.is_none())
        };
        for at in (0..outline.items.len()).filter(|at| !is_pinned(*at) && !is_part(*at)) {
            item_steps(candidate, entry, &base, at, body_value, &mut steps);
        }
        if !base.doc && entry.price().doc > 0 && candidate.ceiling >= Level::Interface {
            steps.push((
                value(candidate.worth / 2, entry.price().doc, 1.0),
                entry.price().doc,
                Upgrade::Doc,
            ));
        }
        // Stable: at the same gain a token the first item comes first, and an item's lower level
        // before its higher.
        steps.sort_by(|a, b| steeper(b.0, b.1, a.0, a.1));

        let mut count = Running::new(outline, entry, &base);
        let shows_nothing = base.items.iter().all(|level| *level < Level::Outline);
        let start = value_of_choice(candidate, entry, &base, body_value);
        let mut total = start;
        if !shows_nothing {
            self.points.push(Point {
                tokens: count.tokens(),
                value: total,
                state: FitState::Items(0),
            });
            self.floor = self.points.len() - 1;
        } else if candidate.floor >= Level::Outline {
            self.floor = self.points.len() - 1;
        }
        for (gain, _, upgrade) in steps {
            count.apply(upgrade);
            total += gain;
            self.upgrades.push(upgrade);
            self.points.push(Point {
                tokens: count.tokens(),
                value: total,
                state: FitState::Items(self.upgrades.len()),
            });
        }
        self.base = base;
    }

    /// The points from the floor on that no mix of two others beats.
    fn find_hull(&mut self) {
        let mut order: Vec<usize> = (self.floor..self.points.len()).collect();
        order
            .sort_by_key(|at| (self.points[*at].tokens, std::cmp::Reverse(self.points[*at].value)));
        let mut hull: Vec<usize> = Vec::new();
        for at in order {
            let point = self.points[at];
            if hull.is_empty() {
                // The floor itself is always the first rung, even when a higher state should be
                // cheaper.
                hull.push(if self.points[self.floor].tokens <= point.tokens {
                    self.floor
                } else {
                    at
                });
                if hull[0] == at {
                    continue;
                }
            }
            if point.value <= self.points[hull[hull.len() - 1]].value {
                continue;
            }
            while hull.len() >= 2 {
                let (a, b) = (self.points[hull[hull.len() - 2]], self.points[hull[hull.len() - 1]]);
                let before = (b.value - a.value, b.tokens - a.tokens);
                let after = (point.value - b.value, point.tokens - b.tokens);
                if steeper(after.0, after.1, before.0, before.1) == Ordering::Less {
                    break;
                }
                hull.pop();
            }
            hull.push(at);
        }
        self.hull = hull;
    }

    fn tokens(&self) -> u32 {
        self.points[self.at].tokens
    }

    fn shown(&self, outline: Option<&Outline>) -> Shown {
        match (self.points[self.at].state, outline) {
            (FitState::Hidden, _) => Shown::Exclude,
            (FitState::Full, _) => Shown::Full,
            (FitState::Items(n), Some(outline)) => {
                let mut choice = self.base.clone();
                for upgrade in &self.upgrades[..n] {
                    match upgrade {
                        Upgrade::Item(item, level) => {
                            choice.items[*item] = choice.items[*item].max(*level)
                        }
                        Upgrade::Doc => choice.doc = true,
                    }
                }
                choice.name_containers(outline);
                Shown::Items(choice)
            }
            (FitState::Path | FitState::Items(_), _) => Shown::Path,
        }
    }
}

/// The levels an item can climb to, as gains a token that fall from one to the next.
fn item_steps(
    candidate: &Candidate<'_>,
    entry: &IndexEntry,
    base: &Choice,
    at: usize,
    body_value: f64,
    steps: &mut Vec<(u64, u32, Upgrade)>,
) {
    let item = &entry.depth.outline.items[at];
    let price = entry.price().items[at];
    let worth = item_worth(candidate, at);
    let from = base.items[at];
    let mut states =
        vec![(level_tokens(entry, at, from), item_value(worth, entry, at, from, body_value), from)];
    let mut offer = |level: Level, tokens: u32| {
        if level > from && level <= candidate.ceiling {
            states.push((tokens, item_value(worth, entry, at, level, body_value), level));
        }
    };
    if item.kind.is_member() {
        offer(Level::Interface, price.closed);
    } else {
        offer(Level::Outline, price.outline);
        offer(Level::Interface, price.closed);
        // What has items of its own in its body shows them one by one.
        if !item.has_children && item.body.is_some() {
            offer(Level::Full, price.full);
        }
    }
    // Only states on the hull: a signature that costs as much as the body is not worth a stop.
    let mut hull: Vec<(u32, u64, Level)> = Vec::new();
    for state in states {
        while let Some(last) = hull.last() {
            let is_better = state.1 > last.1 && state.0 > last.0;
            let bends = hull.len() >= 2 && {
                let before = hull[hull.len() - 2];
                steeper(
                    state.1.saturating_sub(last.1),
                    state.0.saturating_sub(last.0),
                    last.1 - before.1,
                    last.0 - before.0,
                ) != Ordering::Less
            };
            if hull.len() > 1 && (!is_better || bends) && state.1 >= last.1 {
                hull.pop();
            } else {
                break;
            }
        }
        if hull.last().is_none_or(|last| state.1 > last.1 || hull.len() == 1) {
            hull.push(state);
        }
    }
    for pair in hull.windows(2) {
        steps.push((
            pair[1].1.saturating_sub(pair[0].1),
            pair[1].0.saturating_sub(pair[0].0).max(1),
            Upgrade::Item(at, pair[1].2),
        ));
    }
}

fn item_worth(candidate: &Candidate<'_>, at: usize) -> u32 {
    candidate.item_worth.and_then(|items| items.get(at).copied()).unwrap_or(candidate.worth / 2)
}

fn level_tokens(entry: &IndexEntry, at: usize, level: Level) -> u32 {
    let price = entry.price().items[at];
    match level {
        Level::Exclude | Level::Fold | Level::Path => 0,
        Level::Outline => price.outline,
        Level::Interface => price.closed,
        Level::Full => price.full,
    }
}

fn item_value(worth: u32, entry: &IndexEntry, at: usize, level: Level, body_value: f64) -> u64 {
    let tokens = level_tokens(entry, at, level);
    let item = &entry.depth.outline.items[at];
    let factor = if item.kind.is_member() { 0.3 } else { 1.0 };
    if level == Level::Full {
        let signature = entry.price().items[at].closed.min(tokens);
        let of_signature = value(worth, signature, factor);
        return of_signature
            + (value(worth, tokens, factor).saturating_sub(of_signature) as f64 * body_value)
                as u64;
    }
    value(worth, tokens, factor)
}

fn value_of_choice(
    candidate: &Candidate<'_>,
    entry: &IndexEntry,
    choice: &Choice,
    body_value: f64,
) -> u64 {
    let items = choice.items.iter().enumerate();
    let of_items: u64 = items
        .map(|(at, level)| item_value(item_worth(candidate, at), entry, at, *level, body_value))
        .sum();
    of_items + if choice.doc { value(candidate.worth / 2, entry.price().doc, 1.0) } else { 0 }
}

/// The full text is worth its items and, a little, what stands between them.
fn full_value(candidate: &Candidate<'_>, entry: &IndexEntry, body_value: f64) -> u64 {
    if entry.depth.outline.items.is_empty() {
        return (value(candidate.worth, entry.price().full, 1.0) as f64 * body_value) as u64;
    }
    let mut of_items = 0;
    let mut tokens = 0;
    for (at, item) in entry.depth.outline.items.iter().enumerate() {
        let level = if item.has_children { Level::Interface } else { Level::Full };
        of_items += item_value(item_worth(candidate, at), entry, at, level, body_value);
        tokens += level_tokens(entry, at, level);
    }
    of_items + value(candidate.worth / 2, entry.price().full.saturating_sub(tokens), body_value)
}

/// The price of a choice while it grows, exact after every upgrade.
struct Running<'a> {
    outline: &'a Outline,
    entry: &'a IndexEntry,
    levels: Vec<Level>,
    n_shown_children: Vec<u32>,
    n_hidden: usize,
    sum: u32,
}

impl<'a> Running<'a> {
    fn new(outline: &'a Outline, entry: &'a IndexEntry, base: &Choice) -> Running<'a> {
        let mut running = Running {
            outline,
            entry,
            levels: vec![Level::Exclude; outline.items.len()],
            n_shown_children: vec![0; outline.items.len()],
            n_hidden: outline.items.iter().filter(|item| !item.kind.is_member()).count(),
            sum: entry.price().frame + if base.doc { entry.price().doc } else { 0 },
        };
        // Containers stand before what is nested in them, so an item at full silences the items
        // below it.
        for (at, level) in base.items.iter().enumerate() {
            let silenced = std::iter::successors(outline.items[at].parent, |parent| {
                outline.items[*parent].parent
            })
            .any(|ancestor| outline.items[ancestor].covers_children(base.items[ancestor]));
            if silenced {
                running.n_hidden -= usize::from(!outline.items[at].kind.is_member());
            } else if *level >= Level::Outline {
                running.raise(at, *level);
            }
        }
        running
    }

    fn tokens(&self) -> u32 {
        self.sum + if self.n_hidden > 0 { self.entry.price().gap } else { 0 }
    }

    fn price(&self, at: usize) -> u32 {
        let price = self.entry.price().items[at];
        match self.levels[at] {
            Level::Exclude | Level::Fold | Level::Path => 0,
            Level::Outline => price.outline,
            Level::Interface if self.n_shown_children[at] > 0 => price.open,
            Level::Interface => price.closed,
            Level::Full => price.full,
        }
    }

    fn apply(&mut self, upgrade: Upgrade) {
        match upgrade {
            Upgrade::Doc => self.sum += self.entry.price().doc,
            Upgrade::Item(at, level) => {
                if std::iter::successors(self.outline.items[at].parent, |parent| {
                    self.outline.items[*parent].parent
                })
                .any(|ancestor| self.outline.items[ancestor].covers_children(self.levels[ancestor]))
                {
                    return;
                }
                self.raise(at, level);
            }
        }
    }

    fn raise(&mut self, at: usize, level: Level) {
        if self.levels[at] >= level {
            return;
        }
        let was_hidden = self.levels[at] < Level::Outline;
        self.sum -= self.price(at);
        self.levels[at] = level;
        self.sum += self.price(at);
        if was_hidden {
            self.n_hidden -= usize::from(!self.outline.items[at].kind.is_member());
            if let Some(parent) = self.outline.items[at].parent {
                self.raise(parent, Level::Outline);
                self.sum -= self.price(parent);
                self.n_shown_children[parent] += 1;
                self.sum += self.price(parent);
            }
        }
    }
}

/// The best selection for the budget.
pub(crate) fn fit(problem: &FitProblem<'_>) -> Fitted {
    let mut ladders = ladders(problem);
    let count = |text: &str| problem.style.tokenizer.count(text);
    let header = count(render::header(problem.style));
    let least_footer = count(&render::footer(&[], problem.style));
    // First the footer goes, then the header, then the map is empty.
    let rims: [(u32, bool); 3] = [(header, true), (header + least_footer, false), (0, false)];
    let mut outcome = None;
    for (rim, has_footer) in rims {
        let fitted = fit_within(problem, &mut ladders, rim, has_footer);
        let shows_something = fitted.shown.iter().any(|shown| *shown != Shown::Exclude);
        // A footer that eats a quarter of the budget says less than what it takes the place of.
        let is_modest = !has_footer
            || u64::from((problem.footer)(&fitted.shown)) * 4 <= u64::from(problem.tokens);
        let is_best = shows_something && fitted.shortage.is_none() && is_modest;
        if is_best {
            return fitted;
        }
        if outcome.is_none()
            || shows_something
                && outcome.as_ref().is_some_and(|last: &Fitted| {
                    last.shown.iter().all(|one| *one == Shown::Exclude)
                })
        {
            outcome = Some(fitted);
        }
    }
    outcome.unwrap_or(Fitted {
        shown: vec![Shown::Exclude; problem.candidates.len()],
        shortage: None,
        value: 0,
    })
}

/// The files that may get a line of their own: those with a floor, and the best of the rest.
fn ladders(problem: &FitProblem<'_>) -> Vec<Ladder> {
    let mut files: Vec<usize> = (0..problem.candidates.len())
        .filter(|file| {
            let candidate = &problem.candidates[*file];
            candidate.floor >= Level::Path
                || !candidate.pinned.is_empty()
                || candidate.ceiling >= Level::Path && candidate.worth >= WORTH_SHOWING
        })
        .collect();
    if files.len() > MOST_LADDERS {
        let is_due = |file: &usize| {
            problem.candidates[*file].floor >= Level::Path
                || !problem.candidates[*file].pinned.is_empty()
        };
        files.sort_by_key(|file| {
            (!is_due(file), std::cmp::Reverse(problem.candidates[*file].worth), *file)
        });
        let n_due = files.iter().filter(|file| is_due(file)).count();
        files.truncate(MOST_LADDERS.max(n_due));
        files.sort_unstable();
    }
    use rayon::prelude::*;
    files.into_par_iter().map(|file| Ladder::of(problem, file)).collect()
}

/// How a round divides what the rim leaves.
#[derive(Debug, Clone, Copy)]
struct Shares {
    footer: u32,
    folds: u32,
}

fn fit_within(
    problem: &FitProblem<'_>,
    ladders: &mut [Ladder],
    rim: u32,
    has_footer: bool,
) -> Fitted {
    let room = problem.tokens.saturating_sub(rim);
    let mut shares = Shares {
        footer: if has_footer {
            (problem.footer)(&vec![Shown::Exclude; problem.candidates.len()])
        } else {
            0
        },
        folds: (f64::from(room) * FOLD_SHARE) as u32,
    };
    let mut best: Option<((u64, u64), Fitted)> = None;
    for _ in 0..6 {
        let (fitted, used, folds) = one_round(problem, ladders, room, shares);
        let footer = if has_footer { (problem.footer)(&fitted.shown) } else { 0 };
        let total = u64::from(used) + u64::from(footer);
        if total > u64::from(room) {
            // The footer came out longer than was kept for it.
            shares.footer = shares.footer.max(footer) + (total - u64::from(room)) as u32;
            continue;
        }
        let free = u64::from(room) - total;
        if best.as_ref().is_none_or(|(most, _)| (fitted.value, total) > *most) {
            best = Some(((fitted.value, total), fitted));
        }
        if free * 100 <= u64::from(room) {
            break;
        }
        shares = Shares { footer: footer + footer / 20, folds };
    }
    match best {
        Some((_, fitted)) => fitted,
        None => {
            let shares = Shares { footer: room, folds: 0 };
            one_round(problem, ladders, room, shares).0
        }
    }
}

/// Chooses with fixed shares: floors first, then the steepest steps, single steps to fill, then
/// lines for folders. Returns what is used without rim and footer, and what the lines for folders
/// cost.
fn one_round(
    problem: &FitProblem<'_>,
    ladders: &mut [Ladder],
    room: u32,
    shares: Shares,
) -> (Fitted, u32, u32) {
    let body = room.saturating_sub(shares.footer);
    let mut shown: Vec<Shown> = problem.candidates.iter().map(|_| Shown::Exclude).collect();

    let must_fold = fold_lines(problem, ladders, |candidate| candidate.floor >= Level::Fold, true);
    let fold_floor: u32 = must_fold.iter().map(|line| line.tokens).sum();
    // Files that rise break folders into more lines; where those must stand, the files get less
    // room until they do.
    let mut reserve = fold_floor.max(shares.folds);
    let (mut used, may_fold) = loop {
        let mut used = meet_floors(problem, ladders, body.saturating_sub(fold_floor));
        let files_room = body.saturating_sub(reserve);
        climb(ladders, files_room, &mut used);
        fill(ladders, files_room, &mut used, |_| true);
        let lines =
            fold_lines(problem, ladders, |candidate| candidate.ceiling >= Level::Fold, false);
        let due: u32 = lines.iter().filter(|line| line.is_due).map(|line| line.tokens).sum();
        if used + due <= body || reserve >= body {
            break (used, lines);
        }
        reserve = (due + due / 8 + 1).max(reserve + reserve / 2 + 1).min(body);
    };

    // Lines for folders: those that must stand, then those with most behind them for their length.
    let mut folds = 0;
    let mut chosen: Vec<FoldLine> = Vec::new();
    for PricedLine { line, tokens, .. } in may_fold {
        if used + folds + tokens <= body {
            folds += tokens;
            chosen.push(line);
        }
    }
    let low: Vec<Low> = low_of(problem, ladders, |candidate| candidate.ceiling >= Level::Fold);
    for line in &chosen {
        for file in problem.folders.files_of(*line, &low) {
            shown[file] = Shown::Fold;
        }
    }
    // What is still free goes to files that no folder's line stands for, so that no line changes.
    used += folds;
    let is_free = |ladder: &Ladder| {
        ladder.points[ladder.at].state != FitState::Hidden || shown[ladder.file] == Shown::Exclude
    };
    let mut free: Vec<bool> = ladders.iter().map(is_free).collect();
    fill_chosen(ladders, body, &mut used, &mut free);
    let mut value = 0;
    for ladder in ladders.iter() {
        let outline = problem.candidates[ladder.file].entry.map(|entry| &entry.depth.outline);
        let state = ladder.shown(outline);
        if state != Shown::Exclude {
            shown[ladder.file] = state;
        }
        value += ladder.points[ladder.at].value;
    }
    let is_missing = |(candidate, shown): &(&Candidate<'_>, &Shown)| {
        candidate.is_due && candidate.floor == Level::Fold && **shown == Shown::Exclude
    };
    let unfolded =
        problem.candidates.iter().zip(&shown).enumerate().filter(|(_, pair)| is_missing(pair));
    let below = ladders
        .iter()
        .filter(|ladder| ladder.at < ladder.floor && problem.candidates[ladder.file].is_due);
    let below_floor: Vec<usize> =
        below.map(|ladder| ladder.file).chain(unfolded.map(|(file, _)| file)).collect();
    let shortage =
        (!below_floor.is_empty()).then(|| shortage(problem, ladders, fold_floor, below_floor));
    (Fitted { shown, shortage, value }, used, folds)
}

/// Puts every ladder on its floor. When they do not all fit, a person's come first, then the
/// worthiest, and the others stay as low as they must. Returns what is used.
fn meet_floors(problem: &FitProblem<'_>, ladders: &mut [Ladder], room: u32) -> u32 {
    let needed: u64 =
        ladders.iter().map(|ladder| u64::from(ladder.points[ladder.floor].tokens)).sum();
    for ladder in ladders.iter_mut() {
        ladder.at = ladder.floor;
    }
    if needed <= u64::from(room) {
        return needed as u32;
    }
    let candidate = |ladder: &Ladder| &problem.candidates[ladder.file];
    let mut order: Vec<usize> = (0..ladders.len()).filter(|at| ladders[*at].floor > 0).collect();
    order.sort_by_key(|at| {
        let ladder = &ladders[*at];
        let candidate = candidate(ladder);
        (
            !candidate.is_due,
            std::cmp::Reverse(candidate.worth),
            ladder.points[ladder.floor].tokens,
            *at,
        )
    });
    let mut used = 0;
    for at in order {
        let ladder = &mut ladders[at];
        let fits = |point: &Point| used + point.tokens <= room;
        ladder.at = (0..=ladder.floor).rev().find(|at| fits(&ladder.points[*at])).unwrap_or(0);
        used += ladder.tokens();
    }
    used
}

/// What it would take to meet every floor of a person's.
fn shortage(
    problem: &FitProblem<'_>,
    ladders: &[Ladder],
    fold_floor: u32,
    mut below_floor: Vec<usize>,
) -> Shortage {
    below_floor.sort_unstable();
    let floor_tokens = |ladder: &Ladder| ladder.points[ladder.floor].tokens;
    let due = || {
        ladders.iter().filter(|ladder| problem.candidates[ladder.file].is_due && ladder.floor > 0)
    };
    let dearest = due()
        .map(|ladder| (ladder.file, floor_tokens(ladder)))
        .max_by_key(|(file, tokens)| (*tokens, std::cmp::Reverse(*file)));
    let needed =
        due().map(|ladder| u64::from(floor_tokens(ladder))).sum::<u64>() + u64::from(fold_floor);
    let needed = u32::try_from(needed).unwrap_or(u32::MAX).max(problem.tokens.saturating_add(1));
    Shortage { needed, below_floor, dearest }
}

/// A step up one ladder's hull, ordered by gain a token.
struct FitStep {
    gain: u64,
    tokens: u32,
    ladder: usize,
    to: usize,
}

impl PartialEq for FitStep {
    fn eq(&self, other: &FitStep) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for FitStep {}

impl PartialOrd for FitStep {
    fn partial_cmp(&self, other: &FitStep) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FitStep {
    fn cmp(&self, other: &FitStep) -> Ordering {
        steeper(self.gain, self.tokens, other.gain, other.tokens)
            .then(other.ladder.cmp(&self.ladder))
    }
}

fn next_on_hull(ladder: &Ladder, position: usize) -> Option<FitStep> {
    let to = *ladder.hull.iter().find(|to| {
        ladder.points[**to].value > ladder.points[ladder.at].value
            && ladder.points[**to].tokens > ladder.tokens()
    })?;
    let (from, point) = (ladder.points[ladder.at], ladder.points[to]);
    Some(FitStep {
        gain: point.value - from.value,
        tokens: point.tokens - from.tokens,
        ladder: position,
        to,
    })
}

/// Takes the steepest step of all ladders until one does not fit; that ladder rests, the others go
/// on.
fn climb(ladders: &mut [Ladder], room: u32, used: &mut u32) {
    let mut heap: BinaryHeap<FitStep> = ladders
        .iter()
        .enumerate()
        .filter_map(|(position, ladder)| next_on_hull(ladder, position))
        .collect();
    // Once some steps no longer fit, cheaper ones far less steep would; they wait for the steps
    // between hull points.
    let mut n_refused = 0;
    while let Some(step) = heap.pop() {
        if *used + step.tokens > room {
            n_refused += 1;
            if n_refused > 40 {
                break;
            }
            continue;
        }
        *used += step.tokens;
        ladders[step.ladder].at = step.to;
        heap.extend(next_on_hull(&ladders[step.ladder], step.ladder));
    }
}

fn fill(ladders: &mut [Ladder], room: u32, used: &mut u32, may: impl Fn(&Ladder) -> bool) {
    let mut chosen: Vec<bool> = ladders.iter().map(may).collect();
    fill_chosen(ladders, room, used, &mut chosen);
}

/// Single steps, hull or not, the steepest first, until nothing fits.
fn fill_chosen(ladders: &mut [Ladder], room: u32, used: &mut u32, chosen: &mut [bool]) {
    // Floors may take more than their share; then there is nothing to fill.
    if *used >= room {
        return;
    }
    let next = |ladder: &Ladder, position: usize, room: u32| -> Option<FitStep> {
        let from = ladder.points[ladder.at];
        let better = ladder.points.iter().enumerate().skip(ladder.at + 1);
        better
            .filter(|(_, point)| {
                point.value > from.value && point.tokens.saturating_sub(from.tokens) <= room
            })
            .map(|(to, point)| FitStep {
                gain: point.value - from.value,
                tokens: point.tokens.saturating_sub(from.tokens),
                ladder: position,
                to,
            })
            .next()
    };
    let mut heap: BinaryHeap<FitStep> = BinaryHeap::new();
    for (position, ladder) in ladders.iter().enumerate() {
        if chosen[position] {
            heap.extend(next(ladder, position, room.saturating_sub(*used)));
        }
    }
    while let Some(step) = heap.pop() {
        let ladder = &ladders[step.ladder];
        let delta = i64::from(ladder.points[step.to].tokens) - i64::from(ladder.tokens());
        if i64::from(*used) + delta > i64::from(room) {
            // What did not fit never will; a later point of the same ladder may.
            if let Some(other) = next(ladder, step.ladder, room.saturating_sub(*used)) {
                heap.push(other);
            }
            continue;
        }
        *used = (i64::from(*used) + delta) as u32;
        ladders[step.ladder].at = step.to;
        heap.extend(next(&ladders[step.ladder], step.ladder, room.saturating_sub(*used)));
    }
}

fn low_of(
    problem: &FitProblem<'_>,
    ladders: &[Ladder],
    may_fold: impl Fn(&Candidate<'_>) -> bool,
) -> Vec<Low> {
    let mut low: Vec<Low> = problem
        .candidates
        .iter()
        .map(|candidate| if may_fold(candidate) { Low::Fold } else { Low::Exclude })
        .collect();
    for ladder in ladders {
        if ladder.points[ladder.at].state != FitState::Hidden {
            low[ladder.file] = Low::Shown;
        }
    }
    low
}

/// A line for folded files.
struct PricedLine {
    line: FoldLine,
    tokens: u32,
    /// Whether a rule wants one of its files folded at least.
    is_due: bool,
}

/// The lines for folded files with their prices: in map order for those that must stand, otherwise
/// first those that must, then by the worth behind them for their length.
fn fold_lines(
    problem: &FitProblem<'_>,
    ladders: &[Ladder],
    may_fold: impl Fn(&Candidate<'_>) -> bool,
    at_floors: bool,
) -> Vec<PricedLine> {
    let mut low = low_of(problem, &[], &may_fold);
    for ladder in ladders {
        let at = if at_floors { ladder.floor } else { ladder.at };
        if ladder.points[at].state != FitState::Hidden {
            low[ladder.file] = Low::Shown;
        }
    }
    let mut lines: Vec<(bool, u64, FoldLine, u32)> = problem
        .folders
        .lines(&low)
        .into_iter()
        .map(|line| {
            let tokens = problem.style.tokenizer.count(&fold_text(
                problem.tree,
                problem.folders,
                line,
                &low,
                problem.style,
            ));
            let mut behind = 0;
            let mut is_due = false;
            for file in problem.folders.files_of(line, &low) {
                // A file without evidence still counts: where most of the repository is, is worth
                // knowing.
                behind += u64::from(problem.candidates[file].worth) + 2_000;
                is_due |= problem.candidates[file].floor >= Level::Fold;
            }
            let strays = if line.is_whole { 1 } else { 2 };
            (is_due, behind / strays, line, tokens)
        })
        .collect();
    if !at_floors {
        lines.sort_by(|a, b| {
            b.0.cmp(&a.0).then_with(|| steeper(b.1, b.3, a.1, a.3)).then(a.2.cmp(&b.2))
        });
    }
    lines.into_iter().map(|(is_due, _, line, tokens)| PricedLine { line, tokens, is_due }).collect()
}

/// The text of a line for folded files.
pub(crate) fn fold_text(
    tree: &Tree,
    folders: &Folders,
    line: FoldLine,
    low: &[Low],
    style: Style,
) -> String {
    let folder = &folders.list[line.folder];
    let files: Vec<&str> =
        folders.files_of(line, low).map(|file| tree.files[file].path.as_str()).collect();
    if line.is_whole {
        render::fold_line(&folder.path, files.len(), &types(files.iter().copied()), style)
    } else {
        render::strays_line(&folder.path, files.len(), style)
    }
}

#[cfg(test)]
mod tests {
    use test_support::Dice;

    use super::*;

    fn ladder(file: usize, dice: &mut Dice) -> Ladder {
        let mut points = vec![Point { tokens: 0, value: 0, state: FitState::Hidden }];
        for at in 0..dice.roll(6) as usize + 1 {
            let last = points[points.len() - 1];
            let tokens = last.tokens + 1 + dice.roll(30) as u32;
            points.push(Point {
                tokens,
                value: last.value + dice.roll(1_000),
                state: FitState::Items(at),
            });
        }
        let base = Choice { items: Vec::new(), doc: false };
        let mut ladder =
            Ladder { file, points, hull: Vec::new(), base, upgrades: Vec::new(), floor: 0, at: 0 };
        ladder.find_hull();
        ladder
    }

    /// The greatest value of one point of each ladder within the room, by trying every sum of
    /// tokens.
    fn optimum(ladders: &[Ladder], room: u32) -> u64 {
        let mut best = vec![0; room as usize + 1];
        for ladder in ladders {
            best = (0..=room)
                .map(|used| {
                    let fits = ladder.points.iter().filter(|point| point.tokens <= used);
                    fits.map(|point| best[(used - point.tokens) as usize] + point.value)
                        .max()
                        .unwrap_or(0)
                })
                .collect();
        }
        best[room as usize]
    }

    #[test]
    fn the_fit_comes_close_to_the_optimum() {
        let (mut got, mut most, mut worst) = (0, 0, 1.0_f64);
        for seed in 0..400 {
            let mut dice = Dice(seed);
            let n = 2 + dice.roll(12) as usize;
            let mut ladders: Vec<Ladder> = (0..n).map(|file| ladder(file, &mut dice)).collect();
            let room = 20 + dice.roll(200) as u32;
            let mut used = 0;
            climb(&mut ladders, room, &mut used);
            fill(&mut ladders, room, &mut used, |_| true);
            assert!(used <= room && used == ladders.iter().map(Ladder::tokens).sum::<u32>());
            let value: u64 = ladders.iter().map(|ladder| ladder.points[ladder.at].value).sum();
            let optimum = optimum(&ladders, room);
            assert!(value <= optimum);
            got += value;
            most += optimum;
            worst = worst.min(value as f64 / optimum.max(1) as f64);
        }
        // Small cases are the hard ones: a step is a large part of the room. Measured: 98.2 % of
        // the optimum over all cases, 58 % in the worst.
        assert!(got as f64 >= 0.97 * most as f64, "{:.4} of the optimum", got as f64 / most as f64);
        assert!(worst > 0.5, "worst case {worst:.3}");
    }
}
