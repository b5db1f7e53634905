//! Scores: every file, and every item of the files judged in depth, gets a score with named parts.
//!
//! With a goal, each signal is divided by its largest value over the tree and the weighted signals
//! are summed; the weights come from the project's relevance experiments on public issues and the
//! files their fixes changed (`docs/relevance.md`). Without a goal, files on which the rest of the
//! tree depends score highest. Scores are quantised to integers before anything compares them.

use std::collections::{BTreeMap, BTreeSet};

use crate::outline::{Item, ItemKind};
use crate::plan::Globs;
use crate::score::defined::{declares_only, defined, is_callable};
use crate::score::graph;
use crate::score::index::IndexEntry;
use crate::score::landmark::{Landmark, is_empty_entry, landmarks};
use crate::score::overview::{self, OverviewFile};
use crate::score::repeated::RepeatedSections;
use crate::score::role::{self, Role};
pub use crate::score::signals::Signal;
use crate::score::signals::{
    Causes, FileSignals, ItemPart, ItemSignals, Scores, Sources, max_normed, total,
};
use crate::score::surface;

/// The number of files parsed and judged in depth, the same with and without a cache.
pub(crate) const N_JUDGED: usize = 250;
/// The maximum number of bytes parsed, for any number of files: a second's work.
pub(crate) const MOST_BYTES: u64 = 4 << 20;
/// The number of the best of them that get prices: only these can rise above their path.
pub(crate) const N_PRICED: usize = 200;
/// The score 1.0 as an integer.
pub const ONE: u32 = 1_000_000;
/// The minimum value of the path signal with which a goal names a file.
const NAMED: f64 = 0.99;
/// The factor for an item that declares what another one defines with its body.
const DECLARED: f64 = 0.7;
/// The factor for an item that is marked deprecated, unless the goal is about such items.
const DEPRECATED: f64 = 0.7;
/// The minimum score with which a file is shown to fill a budget.
pub(crate) const WORTH_SHOWING: u32 = 1;

/// The score of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileScore {
    /// The weighted sum of the parts times the factor for the file's role, in millionths of the
    /// best file's.
    pub score: u32,
    /// The signals of the file, between 0 and 1, in millionths.
    pub parts: BTreeMap<Signal, u32>,
}

impl FileScore {
    /// Reports whether the goal matches the file itself, and not only its place or the files around
    /// it.
    pub(crate) fn has_evidence(&self) -> bool {
        Signal::AT_FIRST
            .iter()
            .chain(&Signal::IN_DEPTH)
            .any(|signal| self.parts.contains_key(signal))
    }

    /// Reports whether the goal names the file by its path.
    pub(crate) fn is_named(&self) -> bool {
        let part = self.parts.get(&Signal::Path).copied().unwrap_or(0);
        f64::from(part) >= NAMED * f64::from(ONE)
    }
}

/// The scores of all files and items.
#[derive(Debug, Clone, Default)]
pub(crate) struct TreeScores {
    pub(crate) files: Vec<FileScore>,
    /// The scores of the items of each file judged in depth, in millionths.
    pub(crate) items: BTreeMap<usize, Vec<u32>>,
    /// Any file has evidence.
    pub(crate) has_evidence: bool,
}

/// The judge: the sources of evidence, and the files that a person points at.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub(crate) sources: Sources<'a>,
    pub(crate) focus: Option<&'a Globs>,
}

type SignalScores = BTreeMap<Signal, Scores>;

/// The result of the first stage.
pub(crate) struct FirstLook<'a> {
    pub(crate) files: Vec<FileScore>,
    signals: SignalScores,
    file_signals: FileSignals<'a>,
}

/// The reasons for a score: the sum of value × weight, times `factor`, over `best`.
pub(crate) struct Reasons {
    pub(crate) parts: Vec<Reason>,
    pub(crate) factor: f64,
    pub(crate) best: f64,
}

/// One signal of one file or item.
pub(crate) struct Reason {
    pub(crate) signal: &'static str,
    pub(crate) value: f64,
    pub(crate) weight: f64,
    /// The causes; their shares add up to the value.
    pub(crate) causes: Causes,
}

impl<'a> Judge<'a> {
    /// Stage one, without parsing: selects the files to judge in depth.
    pub(crate) fn first_look(&self) -> FirstLook<'a> {
        let file_signals = FileSignals::of(self.sources);
        let own = self.own_signals(&file_signals, &Signal::AT_FIRST);
        let mut signals = own.clone();
        signals.extend(self.whatever_the_goal(&file_signals));
        FirstLook { files: self.sum(&signals).0, signals: own, file_signals }
    }

    /// Stage two, with the outlines of these files.
    pub(crate) fn judge(&self, first: FirstLook<'a>) -> TreeScores {
        let file_signals = first.file_signals.in_depth(self.sources);
        let (signals, has_evidence) = self.in_depth(&file_signals, first.signals);
        let (files, _) = self.sum(&signals);
        let items = match self.sources.goal.is_empty() {
            true => self.items_of_overview(&files),
            false => self.items(&file_signals, &files).0,
        };
        TreeScores { files, items, has_evidence }
    }

    /// Returns the reasons for the score of a file.
    pub(crate) fn reasons(&self, file: usize) -> Reasons {
        let file_signals = self.file_signals();
        let (signals, _) = self.signals(&file_signals);
        let around = self.around(&file_signals, &signals);
        let causes = |signal: Signal| match around.iter().find(|(one, _)| *one == signal) {
            Some((_, causes)) => causes[file].clone(),
            None => file_signals.causes(signal, file),
        };
        let reason = |(signal, scores): (&Signal, &Scores)| {
            let causes = in_shares(causes(*signal), scores[file]);
            Reason { signal: signal.as_str(), value: scores[file], weight: signal.weight(), causes }
        };
        let parts = signals.iter().filter(|(_, scores)| scores[file] > 0.0).map(reason).collect();
        Reasons { parts, factor: self.factor_of(file, &signals), best: self.sum(&signals).1 }
    }

    /// Returns the reasons for the score of an item, in a file judged in depth for a goal.
    pub(crate) fn item_reasons(&self, file: usize, item: usize) -> Reasons {
        let file_signals = self.file_signals();
        let (files, _) = self.sum(&self.signals(&file_signals).0);
        let (_, best) = self.items(&file_signals, &files);
        let scores = of_one(&files);
        let items = ItemSignals::of(&file_signals, &scores);
        let reason = |part: ItemPart| Reason {
            signal: part.signal.as_str(),
            value: part.value,
            weight: part.weight,
            causes: in_shares(items.causes(part.signal, file, item), part.value),
        };
        let parts = items.parts(file, item).into_iter().filter(|part| part.value > 0.0);
        let parts = parts.map(reason).collect();
        let elsewhere = self.elsewhere(&files);
        let factor = self.factors_of_items(&items, &files[file], file, &elsewhere)[item];
        Reasons { parts, factor, best }
    }

    fn file_signals(&self) -> FileSignals<'a> {
        FileSignals::of(self.sources).in_depth(self.sources)
    }

    fn signals(&self, file_signals: &FileSignals<'_>) -> (SignalScores, bool) {
        self.in_depth(file_signals, self.own_signals(file_signals, &Signal::AT_FIRST))
    }

    /// Returns all signals, given those of the first stage, and whether the goal has any.
    fn in_depth(
        &self,
        file_signals: &FileSignals<'_>,
        mut signals: SignalScores,
    ) -> (SignalScores, bool) {
        let mut has_evidence = true;
        if !self.sources.goal.is_empty() {
            signals.extend(self.own_signals(file_signals, &Signal::IN_DEPTH));
            has_evidence = !self.sources.changes.is_empty()
                || signals.values().flatten().any(|score| *score > 0.0);
            for (signal, causes) in self.around(file_signals, &signals) {
                signals.insert(signal, max_normed(causes.iter().map(total).collect()));
            }
        }
        signals.extend(self.whatever_the_goal(file_signals));
        if file_signals.has_meaning() {
            let scores = self.sum(&signals).0.into_iter().map(|file| file.score);
            signals.insert(Signal::Meaning, file_signals.meanings(scores));
        }
        (signals, has_evidence)
    }

    fn own_signals(&self, file_signals: &FileSignals<'_>, of: &[Signal]) -> SignalScores {
        of.iter()
            .filter(|_| !self.sources.goal.is_empty())
            .map(|signal| (*signal, file_signals.scores(*signal)))
            .collect()
    }

    fn whatever_the_goal(&self, file_signals: &FileSignals<'_>) -> SignalScores {
        let focus = |file| f64::from(u8::from(self.is_in_focus(file)));
        let focus = (0..self.sources.tree.files.len()).map(focus).collect();
        let mut signals = BTreeMap::from([(Signal::Rank, self.rank()), (Signal::Focus, focus)]);
        if self.sources.goal.is_empty() && self.sources.changes.is_empty() {
            let value = |landmark: Option<_>| landmark.map_or(0.0, |(_, value)| value);
            let landmarks = self.landmarks().into_iter().map(value).collect();
            signals.insert(Signal::Landmark, landmarks);
        }
        if !self.sources.changes.is_empty() {
            signals.extend(
                [Signal::Changed, Signal::Near].map(|signal| (signal, file_signals.scores(signal))),
            );
        }
        signals
    }

    /// Returns the signals from the files around a file, given the signals of each file itself.
    fn around(
        &self,
        file_signals: &FileSignals<'_>,
        signals: &SignalScores,
    ) -> [(Signal, Vec<Causes>); 2] {
        let own = |of: &[Signal], file: usize| {
            of.iter()
                .filter_map(|signal| Some(signal.weight() * signals.get(signal)?[file]))
                .sum::<f64>()
        };
        let n = self.sources.tree.files.len();
        // Few tests are judged in depth, so signals that only those can have do not count.
        let likeness = max_normed((0..n).map(|file| own(&Signal::OF_TEXT, file)).collect());
        // Definitions are in both lists, and count once.
        let is_new = |signal: &Signal| !Signal::AT_FIRST.contains(signal);
        let in_depth = Signal::IN_DEPTH.into_iter().filter(is_new);
        let all: Vec<Signal> = Signal::AT_FIRST.into_iter().chain(in_depth).collect();
        let with_roles =
            max_normed((0..n).map(|file| own(&all, file) * self.factor(file)).collect());
        [
            (Signal::Tests, file_signals.of_tests(&likeness)),
            (Signal::Folder, file_signals.of_folder(&with_roles)),
        ]
    }

    /// Returns the scores of files: the weighted sums times the factors for roles, in millionths of
    /// the largest; and the largest.
    fn sum(&self, signals: &SignalScores) -> (Vec<FileScore>, f64) {
        let n = self.sources.tree.files.len();
        let score = |file: usize| {
            let sum: f64 =
                signals.iter().map(|(signal, scores)| signal.weight() * scores[file]).sum();
            sum * self.factor_of(file, signals)
        };
        let scores: Scores = (0..n).map(score).collect();
        let best = scores.iter().copied().fold(0.0, f64::max);
        let scores = max_normed(scores);
        let worth = |file: usize| {
            let parts = signals.iter().map(|(signal, scores)| (*signal, quantised(scores[file])));
            FileScore {
                score: quantised(scores[file]),
                parts: parts.filter(|(_, part)| *part > 0).collect(),
            }
        };
        ((0..n).map(worth).collect(), best)
    }

    /// Returns the factor for a file's role. Files in the focus and changed files have 1, and so
    /// have landmarks. Paths that the goal spells out, and the tests and documents of changed
    /// files, have at least 0.8.
    fn factor_of(&self, file: usize, signals: &SignalScores) -> f64 {
        self.factor_if(file, |signal| signals.get(&signal).map_or(0.0, |scores| scores[file]))
    }

    fn factor_if(&self, file: usize, part: impl Fn(Signal) -> f64) -> f64 {
        let mark = self.sources.facts[file].mark;
        // What a tool wrote is where a rare name of the goal is defined.
        let is_written = mark.is_some_and(|mark| mark.has_text());
        match self.is_in_focus(file) || self.sources.changes.contains_key(&file) {
            true => 1.0,
            false if part(Signal::Landmark) > 0.0 && mark.is_none() => 1.0,
            false if part(Signal::Path) >= NAMED || part(Signal::Near) > 0.0 => {
                self.factor(file).max(0.8)
            }
            false if is_written && part(Signal::Definitions) >= NAMED => self.factor(file).max(0.5),
            false => self.factor(file),
        }
    }

    /// Returns the same factor for a file whose score is known.
    pub(crate) fn factor_by(&self, file: usize, score: &FileScore) -> f64 {
        let part = |signal: Signal| score.parts.get(&signal).copied().unwrap_or(0);
        self.factor_if(file, |signal| f64::from(part(signal)) / f64::from(ONE))
    }

    /// Returns the factor for the role of a file.
    fn factor(&self, file: usize) -> f64 {
        let goal = (!self.sources.goal.is_empty()).then_some(self.sources.goal);
        let facts = &self.sources.facts[file];
        let of_age = || role::factor_of_age(&self.sources.tree.files[file].path, goal);
        match facts.mark {
            None => facts.role().factor(goal) * of_age(),
            Some(mark) if mark.has_text() => facts.role().factor(goal) * 0.1,
            Some(_) => 0.01,
        }
    }

    /// Returns the factor for the role of each item of a file: that of the file, softened, because
    /// the file's score has it already; that of a test in a file of sources; and less for an item
    /// that only declares what another one defines, or repeats a section of another page.
    fn factors_of_items(
        &self,
        items: &ItemSignals<'_, '_>,
        score: &FileScore,
        file: usize,
        elsewhere: &FoundElsewhere<'_>,
    ) -> Scores {
        let entry = &self.sources.entries[&file];
        let outline = &entry.depth.outline;
        if self.sources.changes.contains_key(&file) {
            return vec![1.0; outline.items.len()];
        }
        if self.is_in_focus(file) {
            let is_text = |item: &Item| f64::from(u8::from(item.kind != ItemKind::Imports));
            return outline.items.iter().map(is_text).collect();
        }
        let of_file = libm::sqrt(self.factor_by(file, score));
        // Softer than for a file of tests: fixes change such tests often.
        let of_test = libm::sqrt(libm::sqrt(Role::Test.factor(Some(self.sources.goal))));
        let path = &self.sources.tree.files[file].path;
        let is_about_deprecated = self.sources.goal.title_mentions(&["deprecated", "deprecation"]);
        let one = |(at, item): (usize, &Item)| {
            let role = if outline.is_test(at) { of_file.min(of_test) } else { of_file };
            let is_declared_only = is_callable(item)
                && (declares_only(path, item) || entry.forwards(at))
                && elsewhere.defined.contains(&*item.name);
            match item.kind {
                // Imports come with an item that is shown in full, unless a line of them is quoted.
                ItemKind::Imports if items.traced(file, at).is_none() => 0.0,
                // A namespace without a block only repeats where the file is.
                ItemKind::Namespace if item.body.is_none() && !item.has_children => 0.0,
                _ if !is_about_deprecated && entry.is_deprecated(at) => DEPRECATED * role,
                _ if is_declared_only => DECLARED * role,
                _ => elsewhere.repeated.factor(file, at) * role,
            }
        };
        outline.items.iter().enumerate().map(one).collect()
    }

    fn elsewhere(&self, files: &[FileScore]) -> FoundElsewhere<'a> {
        FoundElsewhere { defined: defined(self.sources), repeated: self.repeated(files) }
    }

    /// Returns the sections of the pages judged in depth that a better one of them has too.
    fn repeated(&self, files: &[FileScore]) -> RepeatedSections {
        let Sources { tree, entries, .. } = self.sources;
        let pages = entries.iter().filter(|(file, _)| tree.files[**file].is_page());
        RepeatedSections::of(
            pages.map(|(file, entry)| (*file, files[*file].score, entry.sections())),
        )
    }

    fn is_in_focus(&self, file: usize) -> bool {
        self.focus.is_some_and(|focus| focus.is_match(&self.sources.tree.files[file].path))
    }

    /// Returns PageRank over imports, softened by a square root: ranks fall steeply, but the tenth
    /// file is worth more than a tenth.
    fn rank(&self) -> Scores {
        let Sources { tree, facts, graph, .. } = self.sources;
        let n_files = tree.files.len();
        let restart = |file: usize| match () {
            () if self.is_in_focus(file) => 100.0,
            // A newcomer begins there; with a goal no page is the start.
            () if tree.is_start(&tree.files[file].path) => n_files as f64,
            () => facts[file].role().factor(None),
        };
        let restart: Scores = (0..n_files).map(restart).collect();
        let is_overview = self.sources.goal.is_empty();
        let is_site = tree.pages.start.is_some();
        let mut rank = match is_overview && !is_site {
            true => surface::page_rank(graph, &restart),
            false => graph.page_rank(&restart, graph::DAMPING),
        };
        let factors = match is_overview {
            true => surface::factors(tree),
            false => vec![1.0; tree.files.len()],
        };
        let has_edges = graph.edges().any(|edges| !edges.is_empty());
        for ((rank, factor), file) in rank.iter_mut().zip(&factors).zip(&tree.files) {
            // The readme at the root describes the repository.
            let is_readme = !is_overview
                && !file.path.contains('/')
                && file.path.to_ascii_lowercase().starts_with("readme");
            *rank = libm::sqrt(*rank) * factor * if is_readme { 3.0 } else { 1.0 };
            if !has_edges {
                // No dependency is known, so files nearer to the root rank higher.
                *rank /= file.path.split('/').count() as f64;
            }
        }
        if is_overview {
            surface::raise_front_doors(&mut rank, self.sources, &self.landmarks());
            surface::raise_public_headers(&mut rank, self.sources);
            surface::raise_shown(&mut rank, self.sources, &self.landmarks(), &factors);
            surface::weigh_types(&mut rank, self.sources, &factors);
        }
        max_normed(rank)
    }

    /// Returns the landmark of each file that is one, with its value.
    fn landmarks(&self) -> Vec<Option<(Landmark, f64)>> {
        let Sources { tree, facts, entry_points, .. } = self.sources;
        let files = tree.files.iter().map(|file| (file.path.as_str(), file.leads_to.as_deref()));
        let found = landmarks(files, entry_points, tree.pages.start.as_deref());
        let begins = |(at, found): (usize, Option<(Landmark, f64)>)| {
            let is_empty = is_empty_entry(tree.files[at].bytes, &facts[at].imports);
            found.filter(|(landmark, _)| !is_empty || *landmark != Landmark::Entry)
        };
        found.into_iter().enumerate().map(begins).collect()
    }

    /// Returns the scores of items without a goal, in millionths.
    fn items_of_overview(&self, files: &[FileScore]) -> BTreeMap<usize, Vec<u32>> {
        let Sources { tree, entries, graph, .. } = self.sources;
        let landmarks = self.landmarks();
        let one = |(file, entry): (&usize, &'a IndexEntry)| {
            let path = tree.files[*file].path.as_str();
            let landmark = landmarks[*file].map(|(landmark, _)| landmark);
            let score = f64::from(files[*file].score) / f64::from(ONE);
            (*file, OverviewFile { path, entry, score, landmark })
        };
        let repeated = self.repeated(files);
        let of_file = |(file, scores): (usize, Scores)| {
            let scores = scores.into_iter().enumerate();
            (file, scores.map(|(at, one)| quantised(repeated.factor(file, at) * one)).collect())
        };
        let scores = overview::item_scores(&entries.iter().map(one).collect(), graph);
        scores.into_iter().map(of_file).collect()
    }

    /// Returns the weighted sums of every item's signals, in millionths of the largest; and the
    /// largest.
    fn items(
        &self,
        file_signals: &FileSignals<'_>,
        files: &[FileScore],
    ) -> (BTreeMap<usize, Vec<u32>>, f64) {
        let scores = of_one(files);
        let items = ItemSignals::of(file_signals, &scores);
        let score = |file: usize, at: usize| {
            items.parts(file, at).iter().map(|part| part.weight * part.value).sum::<f64>()
        };
        let elsewhere = self.elsewhere(files);
        let judged = self.sources.entries.iter().filter(|(_, entry)| entry.is_judged());
        let all: BTreeMap<usize, Scores> = judged
            .map(|(file, _)| {
                let factors = self.factors_of_items(&items, &files[*file], *file, &elsewhere);
                let scores = factors.iter().enumerate();
                (*file, scores.map(|(at, factor)| factor * score(*file, at)).collect())
            })
            .collect();
        let best = all.values().flatten().copied().fold(1e-9, f64::max);
        (
            all.into_iter()
                .map(|(file, scores)| {
                    (file, scores.into_iter().map(|score| quantised(score / best)).collect())
                })
                .collect(),
            best,
        )
    }
}

/// What other files have of an item.
struct FoundElsewhere<'a> {
    /// The names of functions with a body.
    defined: BTreeSet<&'a str>,
    repeated: RepeatedSections,
}

fn of_one(files: &[FileScore]) -> Scores {
    files.iter().map(|file| f64::from(file.score) / f64::from(ONE)).collect()
}

/// Scales causes so that their shares add up to `value`, largest first.
fn in_shares(mut causes: Causes, value: f64) -> Causes {
    let total = total(&causes).max(f64::MIN_POSITIVE);
    causes.iter_mut().for_each(|(_, share)| *share *= value / total);
    causes.sort_by(|a, b| b.1.total_cmp(&a.1));
    causes
}

fn quantised(score: f64) -> u32 {
    libm::round(score * f64::from(ONE)) as u32
}
