//! Exchanges: what was chosen last gives way to a longer step that did not fit, where that is worth
//! more.
//!
//! Climbing takes steps by their gain per token. When it comes to a long body, shorter ones have
//! left too little room for it, and steps of much less worth would fill that room. So the way back
//! down the ladders is tried for each step that does not fit: what loses least per token goes
//! first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::fit::climb::{FitStep, climb, fill};
use crate::fit::ladder::Ladder;

/// The maximum number of exchanges: each is a look at all ladders.
const MOST: usize = 20;
/// What an exchange must gain, in percent of what it loses: worth is an estimate, and bodies of
/// nearly the same worth would only change places.
const LEAST_GAIN: u64 = 115;

/// A longer step of one ladder, and what gives way to it.
struct Exchange {
    ladder: usize,
    gain: u64,
    /// Ladders and their new points. Those that step back come first, so that the sum of tokens
    /// stays within the room.
    moves: Vec<(usize, usize)>,
}

/// Takes the exchange that gains most, again and again, and fills what each leaves free.
pub(super) fn exchange(ladders: &mut [Ladder], room: u32, used: &mut u32) {
    for _ in 0..MOST {
        // Floors may use more than their share.
        let Some(free) = room.checked_sub(*used) else { return };
        let back = steps_back(ladders);
        let offers = (0..ladders.len()).filter_map(|at| offer(ladders, at, &back, free));
        let best = offers.max_by_key(|offer| (offer.gain, Reverse(offer.ladder)));
        let Some(Exchange { moves, .. }) = best else { return };
        for (at, to) in moves {
            *used = *used - ladders[at].tokens() + ladders[at].points[to].tokens;
            ladders[at].at = to;
        }
        climb(ladders, room, used);
        fill(ladders, room, used, |_| true);
    }
}

/// Returns all steps down the ladders, those that lose least per token first.
fn steps_back(ladders: &[Ladder]) -> Vec<FitStep> {
    let back = |ladder: usize, at: usize| step_back(&ladders[ladder], ladder, at).map(Reverse);
    let highest = ladders.iter().enumerate().filter_map(|(at, ladder)| back(at, ladder.at));
    let mut heap: BinaryHeap<Reverse<FitStep>> = highest.collect();
    let mut steps = Vec::new();
    while let Some(Reverse(step)) = heap.pop() {
        heap.extend(back(step.ladder, step.to));
        steps.push(step);
    }
    steps
}

/// Returns the step to the nearest state below that is cheaper and worth less. A file that is shown
/// by its items keeps the best of them: that it is there at all is worth more than its value says.
fn step_back(ladder: &Ladder, position: usize, at: usize) -> Option<FitStep> {
    let from = ladder.points[at];
    let first = ladder.first_with_items().filter(|first| *first <= at);
    let least = ladder.floor.max(first.unwrap_or(0));
    let mut below = (least..at).rev();
    let to = below.find(|to| {
        let point = ladder.points[*to];
        point.tokens < from.tokens && point.value < from.value
    })?;
    let point = ladder.points[to];
    let (gain, tokens) = (from.value - point.value, from.tokens - point.tokens);
    Some(FitStep { gain, tokens, ladder: position, to })
}

/// Returns the next state of a ladder in exchange for steps back of others, if that gains.
fn offer(ladders: &[Ladder], position: usize, back: &[FitStep], free: u32) -> Option<Exchange> {
    let ladder = &ladders[position];
    let from = ladder.points[ladder.at];
    let (to, point) = ladder
        .points
        .iter()
        .enumerate()
        .skip(ladder.at + 1)
        .find(|(_, point)| point.value > from.value && point.tokens > from.tokens)?;
    let (gain, tokens) = (point.value - from.value, point.tokens - from.tokens);
    let (mut lost, mut freed) = (0_u64, free);
    let mut moves: BTreeMap<usize, usize> = BTreeMap::new();
    let mut others = back.iter().filter(|step| step.ladder != position);
    while freed < tokens {
        let step = others.next()?;
        lost += step.gain;
        freed += step.tokens;
        if gain <= lost.saturating_mul(LEAST_GAIN) / 100 {
            return None;
        }
        moves.insert(step.ladder, step.to);
    }
    let moves = moves.into_iter().chain([(position, to)]).collect();
    Some(Exchange { ladder: position, gain: gain - lost, moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::ladder::{FitState, Point};

    fn ladder(file: usize, items: &[(u32, u64)]) -> Ladder {
        let mut ladder = Ladder::empty(file);
        let items = items.iter().enumerate();
        ladder.points.extend(items.map(|(at, (tokens, value))| Point {
            tokens: *tokens,
            value: *value,
            state: FitState::Items(at),
        }));
        ladder.find_hull();
        ladder
    }

    /// Returns the tokens of a file of three short items and of one with a long one.
    fn tokens(room: u32, long: (u32, u64)) -> [u32; 2] {
        let short = ladder(0, &[(10, 100), (30, 200), (60, 290)]);
        let mut ladders = [short, ladder(1, &[long])];
        let mut used = 0;
        climb(&mut ladders, room, &mut used);
        fill(&mut ladders, room, &mut used, |_| true);
        exchange(&mut ladders, room, &mut used);
        let tokens = ladders.map(|ladder| ladder.tokens());
        assert_eq!(used, tokens.iter().sum::<u32>());
        tokens
    }

    #[test]
    fn a_long_step_comes_in_for_what_is_worth_clearly_less() {
        assert_eq!(tokens(110, (95, 250)), [10, 95]);
        assert_eq!(tokens(110, (95, 200)), [60, 0], "190 would go");
    }

    #[test]
    fn a_shown_file_keeps_its_best_item() {
        assert_eq!(tokens(100, (95, 340)), [60, 0]);
    }
}
