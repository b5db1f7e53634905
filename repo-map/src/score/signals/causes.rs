//! The causes of a score with their shares, and the sums and norms made of them.

/// One number for every file, in the order of the tree.
pub(crate) type Scores = Vec<f64>;
/// The causes of a score, with the share of each.
pub(crate) type Causes = Vec<(Cause, f64)>;

/// One reason for a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A term of the goal or, after the terms, a pair of them.
    Term(u16),
    /// An identifier of the goal.
    Identifier(u16),
    /// A path that the goal quotes.
    Path(usize),
    /// A verbatim phrase of the goal.
    Phrase(u16),
    /// A frame of a stack trace in the goal.
    Frame(usize),
    /// An earlier commit.
    Commit(usize),
    /// An item of the file.
    Item(usize),
    /// Another file.
    File(usize),
    /// A range of changed lines, first and last.
    Lines(u32, u32),
    /// An item of another file: the positions of file and item.
    Use(usize, usize),
}

pub(super) fn of_lines<'a>(lines: impl Iterator<Item = &'a (u32, u32)>) -> Cause {
    let (first, last) =
        lines.fold((u32::MAX, 0), |(first, last), lines| (first.min(lines.0), last.max(lines.1)));
    Cause::Lines(first, last)
}

/// Returns the sum of the shares.
pub(crate) fn total(causes: &Causes) -> f64 {
    causes.iter().map(|(_, share)| share).sum()
}

/// Returns the `n` accepted files of greatest score, best first.
pub(super) fn best(scores: &Scores, n: usize, is_wanted: impl Fn(&usize) -> bool) -> Vec<usize> {
    let mut files: Vec<usize> = (0..scores.len()).filter(is_wanted).collect();
    files.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    files.truncate(n);
    files
}

/// Divides the scores by the largest, so that signals of different units can be added.
pub(crate) fn max_normed(mut scores: Scores) -> Scores {
    let most = scores.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        scores.iter_mut().for_each(|score| *score /= most);
    }
    scores
}

/// Returns tf · (k1 + 1) / (tf + k1 · (1 − b + b · length)) with k1 1.5 and b 0.75, the saturation
/// of BM25; the mean length is 1.
pub(super) fn saturated(tf: f64, length: f64) -> f64 {
    tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * length))
}
