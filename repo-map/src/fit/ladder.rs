//! A ladder: the states of one file from nothing to its full text, each with its exact price in
//! tokens and a value, and the upper hull of these points.

use std::cmp::Ordering;

use crate::fit::blocks::{self, BlockGains};
use crate::fit::pinned::{self, PinnedStep};
use crate::fit::problem::{FitCandidate, FitProblem, Shown, Valuation};
use crate::fit::running::{Running, Upgrade, upgraded};
use crate::fit::value::{
    ItemWorth, ItemWorths, full_value, item_value, level_tokens, steeper, value_of_choice,
};
use crate::level::Level;
use crate::outline::ItemKind;
use crate::render::{self, Choice};
use crate::score::index::IndexEntry;
use crate::source::location::DocumentKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FitState {
    Hidden,
    Path,
    /// This number of steps to what rules ask of items: below the floor.
    Part(usize),
    /// The base choice and this number of upgrades.
    Items(usize),
    Full,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) tokens: u32,
    pub(super) value: u64,
    pub(super) state: FitState,
}

/// A step from one state of a file's items to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemStep {
    pub(super) gain: u64,
    /// The step's own tokens, without those of the items around its item.
    pub(super) tokens: u32,
    pub(super) upgrade: Upgrade,
    /// For a body whose signature is no step of its own: the gain and the tokens of the signature.
    signature: Option<(u64, u32)>,
}

/// The divisor for the gain of the rest of the file: it fills what others leave. Values fall with
/// the third power of the worth, so a smaller one lets a large file go before most others.
const BEYOND_SHARE: u64 = 1_000;

/// The states of one file, cheapest first.
#[derive(Clone)]
pub(super) struct Ladder {
    pub(super) file: usize,
    pub(super) points: Vec<Point>,
    /// Positions of the points on the upper hull.
    pub(super) hull: Vec<usize>,
    pub(super) base: Choice,
    /// The value of the path and the base choice.
    base_value: u64,
    /// The tokens beyond which the file counts less.
    share: u32,
    pub(super) steps: Vec<ItemStep>,
    /// The steps to the base choice, where rules ask for items.
    parts: Vec<Upgrade>,
    /// The position of the floor's point.
    pub(super) floor: usize,
    pub(super) at: usize,
    /// The ladder before [`Ladder::drop_larger`].
    whole: Option<Box<Ladder>>,
}

impl Ladder {
    /// Returns a ladder of one state, nothing.
    pub(super) fn empty(file: usize) -> Ladder {
        Ladder {
            file,
            points: vec![Point { tokens: 0, value: 0, state: FitState::Hidden }],
            hull: Vec::new(),
            base: Choice { items: Vec::new(), doc: false },
            base_value: 0,
            share: u32::MAX,
            steps: Vec::new(),
            parts: Vec::new(),
            floor: 0,
            at: 0,
            whole: None,
        }
    }

    pub(super) fn of(problem: &FitProblem<'_>, file: usize) -> Ladder {
        let candidate = &problem.candidates[file];
        let path = &problem.tree.files[file].path;
        let title = problem.tree.title(path);
        let path_line = render::path_line(path, title, candidate.mark, problem.style);
        let path_tokens = problem.style.tokenizer.count(&path_line);
        let value_of_path = problem.valuation.of_path(candidate.worth, path_tokens);
        let mut ladder = Ladder::empty(file);
        ladder.share = problem.share_of(candidate);
        let has_path = !candidate.needs_body && !candidate.needs_items;
        if candidate.ceiling >= Level::Path && has_path {
            let point = Point { tokens: path_tokens, value: value_of_path, state: FitState::Path };
            ladder.points.push(point);
            if candidate.floor >= Level::Path {
                ladder.floor = 1;
            }
        }
        if let Some(entry) = candidate.entry {
            let worths = ItemWorths::of(problem, candidate, entry);
            let has_items = !entry.depth.outline.items.is_empty();
            if has_items && (candidate.ceiling >= Level::Outline || !candidate.pinned.is_empty()) {
                ladder.climb_items(problem, candidate, &worths, entry);
            }
            // The fence of a page without text shows nothing that its path does not.
            let page = &problem.tree.files[file];
            let is_blank = page.is_page() && page.bytes == 0 && candidate.floor < Level::Full;
            let has_text = !is_blank && entry.depth.mark.is_none_or(|mark| mark.has_text());
            let is_near = candidate.floor == Level::Full || worths.is_mostly_near(entry);
            if has_text && is_near && candidate.may_be_full() {
                let tokens = entry.price().full;
                let value = full_value(candidate, &worths, entry, problem.valuation_of(candidate));
                let value = match has_items || tokens <= ladder.share {
                    true => ladder.lowered(value, 0, tokens).max(ladder.value_from(tokens)),
                    // No part of it can be shown.
                    false => value / BEYOND_SHARE,
                };
                let point = Point { tokens, value, state: FitState::Full };
                ladder.points.push(point);
                if candidate.floor == Level::Full {
                    ladder.floor = ladder.points.len() - 1;
                }
            }
        }
        // A state that shows more of a file also shows its path.
        for point in &mut ladder.points {
            if matches!(point.state, FitState::Part(_) | FitState::Items(_) | FitState::Full) {
                point.value += value_of_path;
            }
        }
        ladder.base_value += value_of_path;
        ladder.find_hull();
        ladder
    }

    /// Returns the greatest value of showing items for this number of tokens or more: the whole
    /// file shows the same for no more.
    fn value_from(&self, tokens: u32) -> u64 {
        let dearer = self.points.iter().filter(|point| point.tokens >= tokens);
        dearer.map(|point| point.value).max().unwrap_or(0)
    }

    /// Adds the states that show items: from the floor's choice, one upgrade at a time, in order of
    /// value per token.
    fn climb_items(
        &mut self,
        problem: &FitProblem<'_>,
        candidate: &FitCandidate<'_>,
        worths: &ItemWorths,
        entry: &IndexEntry,
    ) {
        let valuation = problem.valuation_of(candidate);
        let outline = &entry.depth.outline;
        let base = pinned::base_choice(candidate, outline);
        let is_pinned = |item: usize| candidate.pinned.iter().any(|(pinned, _)| *pinned == item);
        let mut steps: Vec<ItemStep> = Vec::new();
        // An item nested in one without a body is part of that item's signature, not a step of its
        // own.
        let is_part = |at: usize| {
            std::iter::successors(outline.items[at].parent, |parent| outline.items[*parent].parent)
                .any(|ancestor| outline.items[ancestor].body.is_none())
        };
        for at in (0..outline.items.len()).filter(|at| !is_pinned(*at) && !is_part(*at)) {
            if !blocks::has_step(candidate, entry, at, problem.tokens) {
                continue;
            }
            item_steps(candidate, worths.at(at), entry, &base, at, valuation, &mut steps);
            let is_section = problem.tree.kind() == DocumentKind::Page
                && outline.items[at].kind == ItemKind::Heading;
            let is_whole = is_section || outline.items[at].has_own_code();
            let has_poor_part =
                is_section && !problem.valuation.has_evidence && worths.has_poor_part(outline, at);
            let is_whole = is_whole && !has_poor_part;
            if outline.items[at].has_children && is_whole && base.items[at] < Level::Body {
                steps.extend(whole_step(candidate, worths.at(at), entry, at, valuation));
            }
        }
        let may_have_doc = candidate.most.as_ref().is_none_or(|most| most.doc);
        if !base.doc
            && may_have_doc
            && entry.price().doc > 0
            && candidate.ceiling >= Level::Interface
        {
            steps.push(ItemStep {
                gain: valuation.of(candidate.worth / 2, entry.price().doc, 1.0),
                tokens: entry.price().doc,
                upgrade: Upgrade::Doc,
                signature: None,
            });
        }
        // The sort is stable: at equal gain per token the first item comes first, and an item's
        // lower level before its higher.
        steps.sort_by(|a, b| steeper(b.gain, b.tokens, a.gain, a.tokens));

        self.climb_to_pinned(pinned::steps(candidate, worths, entry, valuation));
        let shows_nothing = base.items.iter().all(|level| *level < Level::Outline);
        self.base_value = value_of_choice(candidate, worths, entry, &base, valuation);
        if !shows_nothing {
            let tokens = Running::new(outline, entry, &base, &candidate.pinned).tokens();
            let value = self.base_value;
            self.points.push(Point { tokens, value, state: FitState::Items(0) });
        }
        if !shows_nothing || candidate.floor >= Level::Outline {
            self.floor = self.points.len() - 1;
        }
        self.steps = steps;
        self.base = base;
        self.price_steps(0, entry, candidate);
    }

    /// Adds the states below the floor that show some of the items of rules.
    fn climb_to_pinned(&mut self, steps: Vec<PinnedStep>) {
        for (PinnedStep { upgrade, tokens, value }, n) in steps.into_iter().zip(1..) {
            self.parts.push(upgrade);
            self.points.push(Point { tokens, value, state: FitState::Part(n) });
        }
    }

    pub(super) fn find_hull(&mut self) {
        self.find_hull_from(self.floor);
    }

    /// Finds the upper hull of the points from one on.
    fn find_hull_from(&mut self, start: usize) {
        let mut order: Vec<usize> = (start..self.points.len()).collect();
        order
            .sort_by_key(|at| (self.points[*at].tokens, std::cmp::Reverse(self.points[*at].value)));
        let mut hull: Vec<usize> = Vec::new();
        for at in order {
            let point = self.points[at];
            if hull.is_empty() {
                // The start itself is always the first point, even when a higher state is cheaper.
                hull.push(if self.points[start].tokens <= point.tokens { start } else { at });
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

    pub(super) fn tokens(&self) -> u32 {
        self.points[self.at].tokens
    }

    /// Returns the position of the cheapest state that shows items.
    pub(super) fn first_with_items(&self) -> Option<usize> {
        self.points.iter().position(|point| matches!(point.state, FitState::Items(_)))
    }

    /// Puts the ladder on its floor, with all its states.
    pub(super) fn restart(&mut self) {
        if let Some(whole) = self.whole.take() {
            *self = *whole;
        }
        self.at = self.floor;
    }

    /// Drops the states above the present one that need a step of more than `free` tokens: a long
    /// body that does not fit hides no shorter one behind it. Returns whether any was dropped.
    pub(super) fn drop_larger(&mut self, free: u32, candidate: &FitCandidate<'_>) -> bool {
        let Point { tokens, state, .. } = self.points[self.at];
        let taken = match state {
            FitState::Hidden | FitState::Path | FitState::Part(_) => 0,
            FitState::Items(n) => n,
            FitState::Full => return false,
        };
        let is_larger = |step: &ItemStep| step.tokens > free;
        let last = self.points[self.points.len() - 1];
        let is_full_larger =
            last.state == FitState::Full && last.tokens.saturating_sub(tokens) > free;
        let Some(entry) = candidate.entry else { return false };
        if self.at < self.floor {
            return false;
        }
        if !is_full_larger && !self.steps[taken..].iter().any(is_larger) {
            return false;
        }
        if self.whole.is_none() {
            self.whole = Some(Box::new(self.clone()));
        }
        let rest = self.steps.split_off(taken);
        let smaller = |step: ItemStep| match step.signature {
            _ if !is_larger(&step) => Some(step),
            Some((gain, tokens)) if tokens <= free => {
                let upgrade = step.upgrade.at(Level::Interface);
                Some(ItemStep { gain, tokens, upgrade, signature: None })
            }
            _ => None,
        };
        self.steps.extend(rest.into_iter().filter_map(smaller));
        if is_full_larger {
            self.points.pop();
        }
        self.price_steps(taken, entry, candidate);
        self.find_hull_from(self.at);
        true
    }

    /// Returns the gain of a step between two numbers of tokens, less for what lies beyond the
    /// share of the file.
    fn lowered(&self, gain: u64, before: u32, after: u32) -> u64 {
        let beyond = after.saturating_sub(before.max(self.share));
        if beyond == 0 {
            return gain;
        }
        let (beyond, all) = (u64::from(beyond), u64::from(after - before));
        let lost = u128::from(gain) * u128::from(beyond) / u128::from(all);
        gain - lost as u64 + lost as u64 / BEYOND_SHARE
    }

    /// Makes the points of the steps after some that are taken.
    fn price_steps(&mut self, taken: usize, entry: &IndexEntry, candidate: &FitCandidate<'_>) {
        let full = self.points.iter().copied().find(|point| point.state == FitState::Full);
        self.points.retain(|point| match point.state {
            FitState::Hidden | FitState::Path | FitState::Part(_) => true,
            FitState::Items(n) => n <= taken,
            FitState::Full => false,
        });
        let outline = &entry.depth.outline;
        let mut count = Running::new(outline, entry, &self.base, &candidate.pinned);
        let mut value = self.base_value;
        let mut may_end = !candidate.needs_body;
        let mut blocks = BlockGains::default();
        for (n, step) in self.steps.iter().enumerate() {
            let before = count.tokens();
            count.apply(step.upgrade);
            let gain = blocks.beyond(outline, step.upgrade, step.gain);
            value += self.lowered(gain, before, count.tokens());
            may_end |= matches!(step.upgrade, Upgrade::Item(_, level) if level >= Level::Body);
            if n >= taken && may_end {
                let state = FitState::Items(n + 1);
                self.points.push(Point { tokens: count.tokens(), value, state });
            }
        }
        self.points.extend(full);
    }

    pub(super) fn shown(&self, candidate: &FitCandidate<'_>) -> Shown {
        let outline = candidate.entry.map(|entry| &entry.depth.outline);
        match (self.points[self.at].state, outline) {
            (FitState::Hidden, _) => Shown::Exclude,
            (FitState::Full, _) => Shown::Full,
            (FitState::Part(n), Some(outline)) => {
                let upgrades = self.parts[..n].iter().copied();
                let kept_out = pinned::kept_out(candidate);
                Shown::Items(upgraded(Choice::nothing(outline), upgrades, outline, &kept_out))
            }
            (FitState::Items(n), Some(outline)) => {
                let upgrades = self.steps[..n].iter().map(|step| step.upgrade);
                Shown::Items(upgraded(self.base.clone(), upgrades, outline, &candidate.pinned))
            }
            (FitState::Path | FitState::Part(_) | FitState::Items(_), _) => Shown::Path,
        }
    }
}

/// Returns the step that shows all of a section of a page, or of a function around others: its own
/// text beyond the first paragraph or the signature, and the items in it. Its gain is that of its
/// own text. The items in it have steps of their own, which cost nothing more after this one.
fn whole_step(
    candidate: &FitCandidate<'_>,
    worth: ItemWorth,
    entry: &IndexEntry,
    at: usize,
    valuation: Valuation,
) -> Option<ItemStep> {
    let items = &entry.depth.outline.items;
    let price = |at: usize| entry.price().items[at];
    let whole = price(at).whole();
    // The whole text would also show what a rule keeps lower.
    if candidate.most_of(at) < whole || !candidate.pinned.is_empty() {
        return None;
    }
    let inside = items[at + 1..].iter().take_while(|one| one.parent >= Some(at));
    let children = inside.zip(at + 1..).filter(|(one, _)| one.parent == Some(at));
    let nested: u32 = children.map(|(_, child)| price(child).full).sum();
    let (first, own) = (price(at).closed, price(at).at(whole).saturating_sub(nested));
    let gain = worth.value(own, valuation).saturating_sub(worth.value(first, valuation));
    let upgrade = Upgrade::Item(at, whole);
    (own > first).then(|| ItemStep { gain, tokens: own - first, upgrade, signature: None })
}

/// Adds the levels an item can climb to, with falling gain per token.
fn item_steps(
    candidate: &FitCandidate<'_>,
    worth: ItemWorth,
    entry: &IndexEntry,
    base: &Choice,
    at: usize,
    valuation: Valuation,
    steps: &mut Vec<ItemStep>,
) {
    let item = &entry.depth.outline.items[at];
    let price = entry.price().items[at];
    let from = base.items[at];
    let mut states =
        vec![(level_tokens(entry, at, from), item_value(worth, entry, at, from, valuation), from)];
    let mut offer = |level: Level, tokens: u32| {
        if level > from && level <= candidate.most_of(at) {
            states.push((tokens, item_value(worth, entry, at, level, valuation), level));
        }
    };
    if !item.kind.is_member() {
        offer(Level::Outline, price.outline);
    }
    // The first line of the text between items says little of it.
    if !item.kind.is_between() {
        offer(Level::Interface, price.closed);
    }
    // Of a long doc comment the first paragraph is enough.
    let whole = price.whole().min(candidate.most_of(at));
    // An item with nested items in its body shows them one by one. An item without a body may have
    // a doc comment in pieces.
    let has_more = match item.body {
        Some(_) => !item.has_children,
        None => price.at(whole) > price.closed,
    };
    if has_more && whole >= Level::Body {
        offer(whole, price.at(whole));
    }
    // Only states on the hull: a signature that costs as much as the body is not a step.
    let mut hull: Vec<(u32, u64, Level)> = Vec::new();
    for state in states.iter().copied() {
        while let Some(last) = hull.last() {
            let is_better = state.1 > last.1 && state.0 > last.0;
            let bends = hull.len() >= 2 && {
                let before = hull[hull.len() - 2];
                steeper(
                    state.1.saturating_sub(last.1),
                    state.0.saturating_sub(last.0),
                    last.1.saturating_sub(before.1),
                    last.0.saturating_sub(before.0),
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
    let signature = states.iter().find(|state| state.2 == Level::Interface);
    for pair in hull.windows(2) {
        let (below, above) = (pair[0], pair[1]);
        let more = |state: &(u32, u64, Level)| {
            (state.1.saturating_sub(below.1), state.0.saturating_sub(below.0).max(1))
        };
        let (gain, tokens) = more(&above);
        let skips_signature = below.2 < Level::Interface && above.2 >= Level::Body;
        let signature = signature.filter(|_| skips_signature).map(more);
        steps.push(ItemStep { gain, tokens, upgrade: Upgrade::Item(at, above.2), signature });
    }
}
