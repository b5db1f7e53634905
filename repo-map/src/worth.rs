//! What is worth its tokens: a score with named parts for every file, and one for every item of the files judged in depth.
//!
//! With a goal, each signal is divided by its largest value over the tree and the weighted signals are summed; the
//! weights come from the project's relevance experiments on public issues and the files their fixes changed. Without a
//! goal, what the rest of the tree leans on is worth most. Scores are quantised to integers before anything compares them.

use std::collections::{BTreeMap, HashMap};

use crate::goal::Goal;
use crate::graph::Graph;
use crate::history::Commit;
use crate::index::Entry;
use crate::outline::{Item, Visibility};
use crate::plan::Globs;
use crate::scan::Tree;
use crate::survey::Facts;
use crate::words;

/// How many files are parsed and judged in depth, the same with and without a cache.
pub const N_JUDGED: usize = 500;
/// How many of them, the best, get prices: so many can come into a map above their path.
pub const N_PRICED: usize = 200;
/// A worth of 1.0, in the integers that are compared.
pub const ONE: u32 = 1_000_000;
/// Below this worth nothing is shown to fill a budget.
pub const WORTH_SHOWING: u32 = 1;

/// One kind of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// Words of the goal in the whole file.
    Words,
    /// Words of the goal's title in the file's best items.
    Title,
    /// Identifiers of the goal that the file defines.
    Definitions,
    /// Earlier commits whose message resembles the goal changed the file.
    History,
    /// The goal names the file's path.
    Path,
    /// Phrases of the goal stand in the file word for word.
    Phrase,
    /// A stack trace in the goal passes through the file.
    Trace,
    /// Words of the goal in the file's path.
    Name,
    /// Files with evidence of their own lean on the file.
    Graph,
    /// How much of the repository leans on the file: all there is without a goal, hardly anything with one.
    Rank,
}

impl Signal {
    /// Every signal.
    pub const ALL: [Signal; 10] = [
        Signal::Words,
        Signal::Title,
        Signal::Definitions,
        Signal::History,
        Signal::Path,
        Signal::Phrase,
        Signal::Trace,
        Signal::Name,
        Signal::Graph,
        Signal::Rank,
    ];

    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Signal::Words => "words",
            Signal::Title => "title",
            Signal::Definitions => "definitions",
            Signal::History => "history",
            Signal::Path => "path",
            Signal::Phrase => "phrase",
            Signal::Trace => "trace",
            Signal::Name => "name",
            Signal::Graph => "graph",
            Signal::Rank => "rank",
        }
    }

    /// What the signal, between 0 and 1, is multiplied with in the sum.
    pub fn weight(self) -> f64 {
        match self {
            Signal::Words => 1.0,
            Signal::Title | Signal::Path | Signal::Trace => 0.7,
            Signal::Definitions => 0.35,
            Signal::Name => 0.3,
            Signal::History | Signal::Phrase => 0.2,
            Signal::Graph => 0.1,
            // Alone, without a goal, any weight gives the same order; beside a goal it only tells apart what evidence does not.
            Signal::Rank => 0.01,
        }
    }
}

/// The worth of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileWorth {
    /// The weighted sum of the parts times the factor of the file's role, in millionths of the best file's.
    pub score: u32,
    /// Each signal that says something, between 0 and 1, in millionths.
    pub parts: BTreeMap<Signal, u32>,
}

/// The worth of everything.
#[derive(Debug, Clone, Default)]
pub(crate) struct Worth {
    pub(crate) files: Vec<FileWorth>,
    /// For each file judged in depth, the worth of its items in millionths.
    pub(crate) items: BTreeMap<usize, Vec<u32>>,
    /// Whether anything at all speaks for any file.
    pub(crate) has_evidence: bool,
}

/// What the worth of files is computed from.
pub(crate) struct Evidence<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) facts: &'a [Facts],
    pub(crate) goal: &'a Goal,
    pub(crate) commits: &'a [Commit],
    pub(crate) graph: &'a Graph,
    /// Files that a person points at.
    pub(crate) focus: Option<&'a Globs>,
}

type Scores = Vec<f64>;

/// What a file in focus gains.
const FOCUS: f64 = 1.0;

impl Evidence<'_> {
    /// Stage one: which files are judged in depth, best first, and the signals that need no parse.
    pub(crate) fn first_look(&self) -> BTreeMap<Signal, Scores> {
        let mut signals = BTreeMap::from([(Signal::Rank, self.rank())]);
        if self.goal.is_empty() {
            return signals;
        }
        let frequencies = self.document_frequencies();
        signals.insert(Signal::Words, self.words(&frequencies));
        signals.insert(Signal::Name, self.path_words(&frequencies));
        signals.insert(Signal::Definitions, self.definitions(|file| self.facts[file].defines.clone()));
        signals.insert(Signal::History, self.history());
        signals.insert(Signal::Path, self.quoted_paths());
        signals.insert(Signal::Phrase, self.phrases());
        signals.insert(Signal::Trace, self.trace());
        signals
    }

    /// Stage two: the signals that outlines add, and the worth of items.
    pub(crate) fn judge(&self, mut signals: BTreeMap<Signal, Scores>, entries: &BTreeMap<usize, Entry>) -> Worth {
        if self.goal.is_empty() {
            let files = self.sum(&signals);
            return Worth { items: items_by_references(&files, entries), files, has_evidence: true };
        }
        let frequencies = self.document_frequencies();
        let item_scores = self.item_scores(&frequencies, entries);
        let best_three = |scores: &[(f64, f64)]| {
            let mut titles: Vec<f64> = scores.iter().map(|(_, title)| *title).collect();
            titles.sort_by(|a, b| b.total_cmp(a));
            titles.iter().take(3).sum()
        };
        let mut title = vec![0.0; self.tree.files.len()];
        for (file, scores) in &item_scores {
            title[*file] = best_three(scores);
        }
        signals.insert(Signal::Title, max_normed(title));
        signals.insert(Signal::Definitions, self.definitions(|file| self.defined_by_outline(file, entries)));
        // What the goal says nothing of has nothing to hand on.
        let rank = signals.remove(&Signal::Rank);
        let before_graph = self.sum(&signals);
        let has_evidence = before_graph.iter().any(|worth| !worth.parts.is_empty());
        signals.extend(rank.map(|rank| (Signal::Rank, rank)));
        signals.insert(Signal::Graph, self.flow(&before_graph));
        let files = self.sum(&signals);
        let items = self.items_by_words(&files, &item_scores, entries);
        Worth { files, items, has_evidence }
    }

    /// The weighted sum, times the factor of the role, in millionths of the largest.
    pub(crate) fn sum(&self, signals: &BTreeMap<Signal, Scores>) -> Vec<FileWorth> {
        let goal = (!self.goal.is_empty()).then_some(self.goal);
        let scores: Scores = (0..self.tree.files.len())
            .map(|file| {
                let sum: f64 = signals.iter().map(|(signal, scores)| signal.weight() * scores[file]).sum();
                let facts = &self.facts[file];
                let factor = match facts.mark {
                    None => facts.role().factor(goal),
                    Some(mark) if mark.has_text() => facts.role().factor(goal) * 0.1,
                    Some(_) => 0.01,
                };
                let named = signals.get(&Signal::Path).is_some_and(|path| path[file] >= 0.99);
                // A path that the goal spells out is meant, whatever its role.
                let factor = if named { factor.max(0.8) } else { factor };
                let focus = if self.is_in_focus(file) { FOCUS } else { 0.0 };
                sum * factor + focus
            })
            .collect();
        let scores = max_normed(scores);
        (0..self.tree.files.len())
            .map(|file| {
                let parts = signals.iter().map(|(signal, scores)| (*signal, quantised(scores[file])));
                FileWorth { score: quantised(scores[file]), parts: parts.filter(|(_, part)| *part > 0).collect() }
            })
            .collect()
    }

    fn is_in_focus(&self, file: usize) -> bool {
        self.focus.is_some_and(|focus| focus.is_match(&self.tree.files[file].path))
    }

    /// PageRank over imports, softened by a root: ranks fall steeply, and the tenth file is not worth a tenth.
    fn rank(&self) -> Scores {
        let restart: Scores = (0..self.tree.files.len())
            .map(|file| if self.is_in_focus(file) { 100.0 } else { self.facts[file].role().factor(None) })
            .collect();
        let mut rank = self.graph.page_rank(&restart);
        for (rank, file) in rank.iter_mut().zip(&self.tree.files) {
            // What a repository says of itself stands at its root.
            let is_readme = !file.path.contains('/') && file.path.to_ascii_lowercase().starts_with("readme");
            *rank = libm::sqrt(*rank) * if is_readme { 3.0 } else { 1.0 };
        }
        max_normed(rank)
    }

    /// In how many files each term stands.
    fn document_frequencies(&self) -> Vec<u32> {
        let mut frequencies = vec![0; self.goal.terms.len()];
        for facts in self.facts {
            for (term, _) in &facts.terms {
                frequencies[usize::from(*term)] += 1;
            }
        }
        frequencies
    }

    /// The number of files with words, and ln(1 + (n − df + ½) / (df + ½)), the idf of BM25 (Robertson, Zaragoza 2009).
    fn idf(&self, df: u32) -> f64 {
        let n = self.facts.iter().filter(|facts| facts.n_words > 0).count() as f64;
        let df = f64::from(df);
        libm::log1p((n - df + 0.5).max(0.0) / (df + 0.5))
    }

    /// Words in the file: √tf, damped by length; a word in a defined name counts two more, one in the path five.
    fn words(&self, frequencies: &[u32]) -> Scores {
        let counted: Vec<&Facts> = self.facts.iter().filter(|facts| facts.n_words > 0).collect();
        let average = counted.iter().map(|facts| f64::from(facts.n_words)).sum::<f64>() / counted.len().max(1) as f64;
        let idf: Scores = frequencies.iter().map(|df| self.idf(*df)).collect();
        let paths = self.terms_of_paths();
        let score = |file: usize| {
            let facts = &self.facts[file];
            if facts.n_words == 0 {
                return 0.0;
            }
            let mut tf: BTreeMap<u16, f64> = facts.terms.iter().map(|(term, n)| (*term, f64::from(*n))).collect();
            for (term, n) in &facts.named {
                *tf.entry(*term).or_default() += 2.0 * f64::from(*n);
            }
            for (term, n) in &paths[file] {
                *tf.entry(*term).or_default() += 5.0 * n;
            }
            let length = libm::sqrt(0.4 + 0.6 * f64::from(facts.n_words) / average);
            let sum: f64 =
                tf.iter().map(|(term, tf)| self.goal.terms[usize::from(*term)].weight * idf[usize::from(*term)] * libm::sqrt(*tf)).sum();
            sum / length
        };
        max_normed((0..self.facts.len()).map(score).collect())
    }

    /// Words in the path; those of the file's own name count twice.
    fn path_words(&self, frequencies: &[u32]) -> Scores {
        let paths = self.terms_of_paths();
        let score = |terms: &Vec<(u16, f64)>| {
            let saturated = |(term, tf): &(u16, f64)| {
                self.goal.terms[usize::from(*term)].weight * self.idf(frequencies[usize::from(*term)]) * tf * 2.2 / (tf + 1.2)
            };
            terms.iter().map(saturated).sum()
        };
        max_normed(paths.iter().map(score).collect())
    }

    fn terms_of_paths(&self) -> Vec<Vec<(u16, f64)>> {
        let lexicon = crate::survey::Lexicon::of(self.goal);
        let count = |path: &str| {
            let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let mut tf: BTreeMap<u16, f64> = BTreeMap::new();
            lexicon.for_each_term(folders.as_bytes(), |term| *tf.entry(term).or_default() += 1.0);
            lexicon.for_each_term(stem.as_bytes(), |term| *tf.entry(term).or_default() += 2.0);
            tf.into_iter().collect()
        };
        self.tree.files.iter().map(|file| count(&file.path)).collect()
    }

    /// Identifiers of the goal that a file defines, rarer ones more.
    fn definitions(&self, defined: impl Fn(usize) -> Vec<u16>) -> Scores {
        let n = self.facts.len() as f64;
        let defined: Vec<Vec<u16>> = (0..self.facts.len()).map(defined).collect();
        let mut defining = vec![0u32; self.goal.identifiers.len()];
        let mut mentioning = vec![0u32; self.goal.identifiers.len()];
        for (file, facts) in self.facts.iter().enumerate() {
            defined[file].iter().for_each(|one| defining[usize::from(*one)] += 1);
            facts.mentions.iter().for_each(|one| mentioning[usize::from(*one)] += 1);
        }
        let rarity = |count: u32| libm::log1p(n / f64::from(count.max(1))) / libm::log1p(n);
        let score = |identifiers: &Vec<u16>| {
            let one = |identifier: &u16| {
                let at = usize::from(*identifier);
                let rare = rarity(defining[at]);
                self.goal.identifiers[at].weight * rare * rare * rarity(mentioning[at])
            };
            identifiers.iter().map(one).sum()
        };
        max_normed(defined.iter().map(score).collect())
    }

    /// What the outline says a file defines; the survey's guess where there is none.
    fn defined_by_outline(&self, file: usize, entries: &BTreeMap<usize, Entry>) -> Vec<u16> {
        match entries.get(&file).filter(|entry| !entry.outline.items.is_empty()) {
            Some(entry) => {
                let names = entry.names();
                let identifiers = self.goal.identifiers.iter().zip(0..);
                identifiers.filter(|(one, _)| names.contains(one.word.as_str())).map(|(_, at)| at).collect()
            }
            None => self.facts[file].defines.clone(),
        }
    }

    /// The fifty commits most like the goal vote for the files they changed; a commit of many files says little.
    fn history(&self) -> Scores {
        const VOTERS: usize = 50;
        const MOST_FILES: usize = 30;
        let mut votes = vec![0.0; self.tree.files.len()];
        if self.commits.is_empty() {
            return votes;
        }
        let lexicon = crate::survey::Lexicon::of(self.goal);
        let messages: Vec<(Vec<(u16, u32)>, u32)> = self.commits.iter().map(|commit| lexicon.count(commit.message.as_bytes())).collect();
        let mut df = vec![0u32; self.goal.terms.len()];
        messages.iter().flat_map(|(terms, _)| terms).for_each(|(term, _)| df[usize::from(*term)] += 1);
        let n = messages.len() as f64;
        let average = messages.iter().map(|(_, n)| f64::from(*n)).sum::<f64>() / n;
        let bm25 = |(terms, n_words): &(Vec<(u16, u32)>, u32)| -> f64 {
            let length = 0.25 + 0.75 * f64::from(*n_words) / average.max(1.0);
            let one = |(term, tf): &(u16, u32)| {
                let (df, tf) = (f64::from(df[usize::from(*term)]), f64::from(*tf));
                let idf = libm::log1p((n - df + 0.5) / (df + 0.5));
                libm::sqrt(self.goal.terms[usize::from(*term)].weight) * idf * tf * 2.5 / (tf + 1.5 * length)
            };
            terms.iter().map(one).sum()
        };
        let mut scored: Vec<(u64, usize)> =
            messages.iter().enumerate().map(|(at, message)| ((bm25(message) * 1e6) as u64, at)).filter(|(score, _)| *score > 0).collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let by_path: HashMap<&str, usize> = self.tree.files.iter().enumerate().map(|(at, file)| (file.path.as_str(), at)).collect();
        for (score, at) in scored.into_iter().filter(|(_, at)| self.commits[*at].paths.len() <= MOST_FILES).take(VOTERS) {
            let paths = &self.commits[at].paths;
            for file in paths.iter().filter_map(|path| by_path.get(path.as_str())) {
                votes[*file] += score as f64 / libm::sqrt(paths.len() as f64);
            }
        }
        max_normed(votes)
    }

    /// Files whose path ends with one that the goal quotes; a name that several share counts less.
    fn quoted_paths(&self) -> Scores {
        let mut scores: Scores = vec![0.0; self.tree.files.len()];
        for path in &self.goal.paths {
            let files = self.files_ending_with(path);
            if files.len() <= 5 {
                for file in &files {
                    scores[*file] = scores[*file].max(1.0 / libm::sqrt(files.len() as f64));
                }
            }
        }
        scores
    }

    /// The files that share the most trailing parts with a path, at least its name.
    fn files_ending_with(&self, path: &str) -> Vec<usize> {
        let wanted: Vec<&str> = path.split('/').rev().collect();
        let common = |file: &str| file.split('/').rev().zip(&wanted).take_while(|(a, b)| a == *b).count();
        let mut best = 1;
        let mut files = Vec::new();
        for (at, file) in self.tree.files.iter().enumerate() {
            let n = common(&file.path);
            if n > best {
                best = n;
                files.clear();
            }
            if n == best {
                files.push(at);
            }
        }
        files
    }

    /// Phrases that few files hold.
    fn phrases(&self) -> Scores {
        let n = self.facts.len() as f64;
        let mut holders = vec![0u32; self.goal.phrases.len()];
        self.facts.iter().flat_map(|facts| &facts.phrases).for_each(|phrase| holders[usize::from(*phrase)] += 1);
        let one = |phrase: &u16| {
            let df = f64::from(holders[usize::from(*phrase)]);
            if df > 30.0 { 0.0 } else { libm::log1p(n / df) / libm::sqrt(df) }
        };
        max_normed(self.facts.iter().map(|facts| facts.phrases.iter().map(one).sum()).collect())
    }

    /// The innermost frame in the repository counts whole, each one further out 0.7 of the one before.
    fn trace(&self) -> Scores {
        let mut scores: Scores = vec![0.0; self.tree.files.len()];
        let mut weight = 1.0;
        for (path, _) in &self.goal.frames {
            if let [file] = self.files_ending_with(path)[..] {
                scores[file] = scores[file].max(weight);
                weight *= 0.7;
            }
        }
        scores
    }

    /// What flows from the twenty best files along imports and references.
    fn flow(&self, files: &[FileWorth]) -> Scores {
        let mut best: Vec<usize> = (0..files.len()).filter(|file| files[*file].score > 0).collect();
        best.sort_by(|a, b| files[*b].score.cmp(&files[*a].score).then(a.cmp(b)));
        let mut restart = vec![0.0; files.len()];
        for file in best.into_iter().take(20) {
            restart[file] = f64::from(files[file].score);
        }
        let mut flow = self.graph.page_rank(&restart);
        for (flow, restart) in flow.iter_mut().zip(&restart) {
            if *restart > 0.0 {
                *flow = 0.0;
            }
        }
        max_normed(flow)
    }

    /// For each item, the score of the whole goal and that of its title (BM25, k1 1.5, b 0.75, over items).
    fn item_scores(&self, frequencies: &[u32], entries: &BTreeMap<usize, Entry>) -> BTreeMap<usize, Vec<(f64, f64)>> {
        let lengths = entries.values().flat_map(|entry| entry.item_words.iter().map(|(_, n)| f64::from(*n)));
        let (sum, n) = lengths.fold((0.0, 0.0), |(sum, n), length| (sum + length, n + 1.0));
        let average = if n > 0.0 { sum / n } else { 1.0 };
        let idf: Scores = frequencies.iter().map(|df| self.idf(*df)).collect();
        let score = |(terms, n_words): &(Vec<(u16, u32)>, u32)| {
            let length = 0.25 + 0.75 * f64::from(*n_words) / average.max(1.0);
            let mut both = (0.0, 0.0);
            for (term, tf) in terms {
                let (at, tf) = (usize::from(*term), f64::from(*tf));
                let saturated = idf[at] * tf * 2.5 / (tf + 1.5 * length);
                both.0 += self.goal.terms[at].weight * saturated;
                both.1 += self.goal.terms[at].title_weight * saturated;
            }
            both
        };
        entries.iter().map(|(file, entry)| (*file, entry.item_words.iter().map(score).collect())).collect()
    }

    /// An item is worth a third of its file's worth and two thirds of its own: its words, its name spelled out in the
    /// goal, a stack frame that ends in it.
    fn items_by_words(
        &self,
        files: &[FileWorth],
        scores: &BTreeMap<usize, Vec<(f64, f64)>>,
        entries: &BTreeMap<usize, Entry>,
    ) -> BTreeMap<usize, Vec<u32>> {
        let best = scores.values().flatten().map(|(score, _)| *score).fold(0.0, f64::max).max(1e-9);
        let code_names: Vec<&str> = self.goal.identifiers.iter().filter(|one| one.is_code).map(|one| one.word.as_str()).collect();
        let frames: Vec<(usize, u32)> = self
            .goal
            .frames
            .iter()
            .filter_map(|(path, line)| match self.files_ending_with(path)[..] {
                [file] => Some((file, *line)),
                _ => None,
            })
            .collect();
        scores
            .iter()
            .map(|(file, scores)| {
                let worth = f64::from(files[*file].score) / f64::from(ONE);
                let items = &entries[file].outline.items;
                let one = |(item, (score, _)): (&Item, &(f64, f64))| {
                    let is_named = code_names.contains(&item.name.as_str());
                    let in_trace =
                        frames.iter().any(|(at, line)| at == file && item.lines.0 <= *line && *line <= item.lines.1 && !item.has_children);
                    let own = score / best + if is_named { 0.3 } else { 0.0 } + if in_trace { 0.5 } else { 0.0 };
                    quantised((worth * (1.0 + 2.0 * own.min(1.0)) / 3.0).max(worth * worth / 3.0))
                };
                (*file, items.iter().zip(scores).map(one).collect())
            })
            .collect()
    }
}

/// Without a goal an item is worth what its name is used in other files; private ones half.
fn items_by_references(files: &[FileWorth], entries: &BTreeMap<usize, Entry>) -> BTreeMap<usize, Vec<u32>> {
    let mut users: HashMap<&str, u32> = HashMap::new();
    for (word, _) in entries.values().flat_map(|entry| &entry.identifiers) {
        *users.entry(word).or_default() += 1;
    }
    let most = f64::from(users.values().copied().max().unwrap_or(1));
    let one = |worth: f64, item: &Item| {
        let used = f64::from(users.get(item.name.as_str()).copied().unwrap_or(1));
        let reference = libm::log1p(used) / libm::log1p(most.max(2.0));
        let visible = if item.visibility == Visibility::Private { 0.5 } else { 1.0 };
        quantised(worth * (0.4 + 0.6 * reference) * visible)
    };
    let of_file = |(file, entry): (&usize, &Entry)| {
        let worth = f64::from(files[*file].score) / f64::from(ONE);
        (*file, entry.outline.items.iter().map(|item| one(worth, item)).collect())
    };
    entries.iter().map(of_file).collect()
}

/// Edges of references between the files judged in depth: a file that uses a name leans on the files that define it.
pub(crate) fn add_references(graph: &mut Graph, entries: &BTreeMap<usize, Entry>) {
    const MOST_DEFINERS: usize = 5;
    let mut definers: HashMap<&str, Vec<u32>> = HashMap::new();
    for (file, entry) in entries {
        for name in entry.names() {
            definers.entry(name).or_default().push(*file as u32);
        }
    }
    for (file, entry) in entries {
        let mut targets = Vec::new();
        for (word, n) in &entry.identifiers {
            let Some(files) = definers.get(word.as_str()).filter(|files| files.len() <= MOST_DEFINERS) else { continue };
            let looks_like_code = if words::looks_like_identifier(word) && word.len() >= 8 { 1.0 } else { 0.2 };
            let weight = looks_like_code * libm::sqrt(f64::from(*n)) / files.len() as f64;
            targets.extend(files.iter().filter(|target| **target as usize != *file).map(|target| (*target, weight)));
        }
        graph.add(*file, targets);
    }
}

/// Divided by the largest, so that signals of different units can be summed.
fn max_normed(mut scores: Scores) -> Scores {
    let most = scores.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        scores.iter_mut().for_each(|score| *score /= most);
    }
    scores
}

fn quantised(score: f64) -> u32 {
    libm::round(score * f64::from(ONE)) as u32
}
