//! Lines for folded files, with their prices.

use crate::fit::folders::{FoldLine, Folders, Low, types};
use crate::fit::ladder::{FitState, Ladder};
use crate::fit::problem::{FitCandidate, FitProblem};
use crate::fit::value::steeper;
use crate::level::Level;
use crate::render::{self, Style};
use crate::source::scan::Tree;

/// Returns for each file whether it is shown, part of a folder's line, or excluded.
pub(super) fn low_of(problem: &FitProblem<'_>, ladders: &[Ladder]) -> Vec<Low> {
    let may_fold = |candidate: &FitCandidate<'_>| candidate.ceiling >= Level::Fold;
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

/// A line for folded files, with its price.
pub(super) struct PricedLine {
    pub(super) line: FoldLine,
    pub(super) tokens: u32,
    /// Who asks for one of its files at level fold or above.
    pub(super) demand: Demand,
}

/// Who asks for a line of folded files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Demand {
    Nobody,
    Pilot,
    /// Without the line a floor is not met.
    Person,
}

/// Returns the lines for folded files with their prices: required ones first, then by the worth of
/// their files per token.
pub(super) fn fold_lines(problem: &FitProblem<'_>, ladders: &[Ladder]) -> Vec<PricedLine> {
    let low = low_of(problem, ladders);
    let mut lines: Vec<(u64, PricedLine)> = problem
        .folders
        .lines(&low)
        .into_iter()
        .map(|line| {
            let mut behind = 0;
            let mut demand = Demand::Nobody;
            for file in problem.folders.files_of(line, &low) {
                let candidate = &problem.candidates[file];
                // A file with score 0 counts too: the location of most files of a repository is
                // useful.
                behind += u64::from(candidate.worth) + 2_000;
                demand = demand.max(demand_of(candidate));
            }
            // A line for the rest of a folder is worth less than one for a whole folder.
            let divisor = if line.is_whole { 1 } else { 2 };
            (behind / divisor, PricedLine { line, tokens: price(problem, line, &low), demand })
        })
        .collect();
    lines.sort_by(|(of_a, a), (of_b, b)| {
        b.demand
            .cmp(&a.demand)
            .then_with(|| steeper(*of_b, b.tokens, *of_a, a.tokens))
            .then(a.line.cmp(&b.line))
    });
    lines.into_iter().map(|(_, line)| line).collect()
}

fn demand_of(candidate: &FitCandidate<'_>) -> Demand {
    match candidate.floor {
        Level::Exclude => Demand::Nobody,
        Level::Fold if candidate.is_due => Demand::Person,
        _ => Demand::Pilot,
    }
}

/// Returns the price of the lines without which a person's floors are not met, beside the files
/// that are shown because of such floors. A line counts all files that may be folded, as it does
/// in a map.
pub(super) fn least_fold_tokens(problem: &FitProblem<'_>, ladders: &[Ladder]) -> u32 {
    let mut low = low_of(problem, &[]);
    for ladder in ladders.iter().filter(|ladder| problem.candidates[ladder.file].is_due) {
        if ladder.points[ladder.floor].state != FitState::Hidden {
            low[ladder.file] = Low::Shown;
        }
    }
    let is_required = |line: &FoldLine| {
        let mut files = problem.folders.files_of(*line, &low);
        files.any(|file| demand_of(&problem.candidates[file]) == Demand::Person)
    };
    let lines = problem.folders.lines(&low).into_iter().filter(is_required);
    lines.map(|line| price(problem, line, &low)).sum()
}

fn price(problem: &FitProblem<'_>, line: FoldLine, low: &[Low]) -> u32 {
    let text = fold_text(problem.tree, problem.folders, line, low, problem.style);
    problem.style.tokenizer.count(&text)
}

/// Renders the text of a line for folded files.
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
    let kind = tree.kind();
    if line.is_whole {
        render::fold_line(&folder.path, files.len(), &types(files.iter().copied()), kind, style)
    } else {
        render::rest_of_folder_line(&folder.path, files.len(), kind, style)
    }
}
