//! The selection of greatest value within the budget.
//!
//! Each file is a ladder of states. The fit picks one state of each ladder so that the sum of
//! values is greatest within the budget: a multiple-choice knapsack. Climbing the upper hulls of
//! all ladders by value per token comes within one step of the optimum of the relaxed problem
//! (Sinha and Zoltners 1979) and needs no search. Single steps then fill the free tokens. Sums run
//! in file order, ties break by path.

use crate::fit::climb::{climb, fill, fill_rest};
use crate::fit::exchange::exchange;
use crate::fit::fold_lines::{Demand, PricedLine, fold_lines, least_fold_tokens, low_of};
use crate::fit::folders::{FoldLine, Low};
use crate::fit::ladder::{FitState, Ladder, Point};
use crate::fit::problem::{FitCandidate, FitProblem, Fitted, Shortage, Shown};
use crate::level::Level;
use crate::render;
use crate::score::judge::WORTH_SHOWING;
use crate::source::location::DocumentKind;

/// The share of the budget for lines about folded files beside shown ones.
const FOLD_SHARE: f64 = 0.08;
/// The maximum number of files considered for a line of their own, by worth.
const MOST_LADDERS: usize = 5_000;

/// Returns the best selection for the budget.
pub(crate) fn fit(problem: &FitProblem<'_>) -> Fitted {
    let mut ladders = ladders(problem);
    let count = |text: &str| problem.style.tokenizer.count(text);
    let header = count(render::header(problem.tree.kind(), problem.style));
    let least_footer = count(&render::footer(&[], problem.style));
    // A budget too small for the whole frame loses the footer first, then the header, then the map
    // is empty.
    let rims: [(u32, bool); 3] = [(header, true), (header + least_footer, false), (0, false)];
    let mut outcome = None;
    for (rim, has_footer) in rims {
        let fitted = fit_within(problem, &mut ladders, rim, has_footer);
        let shows_something = fitted.shown.iter().any(|shown| *shown != Shown::Exclude);
        // A footer that takes more than a quarter of the budget displaces more useful text.
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

/// Returns ladders for the files that may get a line of their own: those with a floor, and the best
/// of the rest.
pub(super) fn ladders(problem: &FitProblem<'_>) -> Vec<Ladder> {
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

/// The tokens that a round sets aside for the footer and for fold lines.
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
            // The footer is longer than its share.
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

/// Chooses with fixed shares: floors first, then the steps of greatest gain per token, single steps
/// to fill, then lines for folders. Returns the tokens used without rim and footer, and the tokens
/// of the lines for folders.
fn one_round(
    problem: &FitProblem<'_>,
    ladders: &mut [Ladder],
    room: u32,
    shares: Shares,
) -> (Fitted, u32, u32) {
    // The round before may have dropped states.
    ladders.iter_mut().for_each(Ladder::restart);
    let body = room.saturating_sub(shares.footer);
    let mut shown: Vec<Shown> = problem.candidates.iter().map(|_| Shown::Exclude).collect();

    let (mut used, may_fold, fold_floor) = files_beside_lines(problem, ladders, body, shares);

    // Lines for folders: the required ones, then those whose files have the greatest worth per
    // token.
    let mut folds = 0;
    let mut chosen: Vec<FoldLine> = Vec::new();
    for PricedLine { line, tokens, .. } in may_fold {
        if used + folds + tokens <= body {
            folds += tokens;
            chosen.push(line);
        }
    }
    let low: Vec<Low> = low_of(problem, ladders);
    for line in &chosen {
        for file in problem.folders.files_of(*line, &low) {
            shown[file] = Shown::Fold;
        }
    }
    // Spend the remaining tokens only on files outside of every folder line, so that no line
    // changes.
    used += folds;
    let is_free = |ladder: &Ladder| {
        ladder.points[ladder.at].state != FitState::Hidden || shown[ladder.file] == Shown::Exclude
    };
    let mut free: Vec<bool> = ladders.iter().map(is_free).collect();
    fill_rest(ladders, &problem.candidates, body, &mut used, &mut free);
    let mut value = 0;
    for ladder in ladders.iter() {
        let state = ladder.shown(&problem.candidates[ladder.file]);
        if state != Shown::Exclude {
            shown[ladder.file] = state;
        }
        value += ladder.points[ladder.at].value;
    }
    let is_missing = |(candidate, shown): &(&FitCandidate<'_>, &Shown)| {
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

/// Chooses the states of the files and leaves room for the lines about folded ones. Returns the
/// tokens of the files, the lines beside them, and the price of those that a person's floors need.
fn files_beside_lines(
    problem: &FitProblem<'_>,
    ladders: &mut [Ladder],
    body: u32,
    shares: Shares,
) -> (u32, Vec<PricedLine>, u32) {
    let fold_floor = least_fold_tokens(problem, ladders);
    // A shown file splits a folder's line into several. Where those lines are required, reduce the
    // files' tokens until the lines fit: first beyond their floors, then to a pilot's floors.
    let mut reserve = fold_floor.max(shares.folds);
    let mut reserve_of_pilot = fold_floor;
    loop {
        let room = FloorRoom {
            person: body.saturating_sub(fold_floor),
            pilot: body.saturating_sub(reserve_of_pilot),
        };
        let mut used = meet_floors(problem, ladders, room);
        let files_room = body.saturating_sub(reserve);
        climb(ladders, files_room, &mut used);
        fill(ladders, files_room, &mut used, |_| true);
        if problem.valuation.has_evidence && problem.tree.kind() == DocumentKind::File {
            exchange(ladders, files_room, &mut used);
        }
        let lines = fold_lines(problem, ladders);
        let due = |least: Demand| -> u32 {
            lines.iter().filter(|line| line.demand >= least).map(|line| line.tokens).sum()
        };
        if used + due(Demand::Pilot) <= body {
            return (used, lines, fold_floor);
        }
        if reserve < body {
            reserve = grown(reserve, due(Demand::Pilot)).min(body);
        } else if used + due(Demand::Person) <= body || reserve_of_pilot >= body {
            return (used, lines, fold_floor);
        } else {
            reserve_of_pilot = grown(reserve_of_pilot, due(Demand::Person)).min(body);
        }
    }
}

/// Returns a larger reserve for lines that need `due` tokens beside the files of the last round.
fn grown(reserve: u32, due: u32) -> u32 {
    (due + due / 8 + 1).max(reserve + reserve / 2 + 1)
}

/// The room for the floors of a person and, within it, of a pilot.
#[derive(Debug, Clone, Copy)]
struct FloorRoom {
    person: u32,
    pilot: u32,
}

/// Puts every ladder on its floor. When they do not all fit, the user's floors come first, then
/// those of greatest worth; the others stay lower. Returns the tokens used.
fn meet_floors(problem: &FitProblem<'_>, ladders: &mut [Ladder], room: FloorRoom) -> u32 {
    let needed: u64 =
        ladders.iter().map(|ladder| u64::from(ladder.points[ladder.floor].tokens)).sum();
    ladders.iter_mut().for_each(|ladder| ladder.at = ladder.floor);
    if needed <= u64::from(room.pilot) {
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
        let is_due = problem.candidates[ladder.file].is_due;
        let room = if is_due { room.person } else { room.pilot };
        let fits = |point: &Point| used + point.tokens <= room;
        ladder.at = (0..=ladder.floor).rev().find(|at| fits(&ladder.points[*at])).unwrap_or(0);
        used += ladder.tokens();
    }
    used
}

/// Computes the budget needed to meet every floor that the user set.
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
