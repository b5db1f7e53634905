//! Lines for folded files, with their prices.

use crate::fit::folders::{FoldLine, Folders, Low, types};
use crate::fit::ladder::{FitState, Ladder};
use crate::fit::problem::{FitCandidate, FitProblem};
use crate::fit::value::steeper;
use crate::level::Level;
use crate::render::{self, Style};
use crate::source::scan::Tree;

pub(super) fn low_of(
    problem: &FitProblem<'_>,
    ladders: &[Ladder],
    may_fold: impl Fn(&FitCandidate<'_>) -> bool,
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

/// A line for folded files, with its price.
pub(super) struct PricedLine {
    pub(super) line: FoldLine,
    pub(super) tokens: u32,
    /// Whether a rule requires one of its files at level fold or above.
    pub(super) is_due: bool,
}

/// Returns the lines for folded files with their prices. With `at_floors`, in map order; otherwise
/// lines with required files first, then by the worth of their files per token.
pub(super) fn fold_lines(
    problem: &FitProblem<'_>,
    ladders: &[Ladder],
    may_fold: impl Fn(&FitCandidate<'_>) -> bool,
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
                // A file with score 0 counts too: the location of most files of a repository is
                // useful.
                behind += u64::from(problem.candidates[file].worth) + 2_000;
                is_due |= problem.candidates[file].floor >= Level::Fold;
            }
            // A line for the rest of a folder is worth less than one for a whole folder.
            let divisor = if line.is_whole { 1 } else { 2 };
            (is_due, behind / divisor, line, tokens)
        })
        .collect();
    if !at_floors {
        lines.sort_by(|a, b| {
            b.0.cmp(&a.0).then_with(|| steeper(b.1, b.3, a.1, a.3)).then(a.2.cmp(&b.2))
        });
    }
    lines.into_iter().map(|(is_due, _, line, tokens)| PricedLine { line, tokens, is_due }).collect()
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
