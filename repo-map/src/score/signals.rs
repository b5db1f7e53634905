//! What speaks for a file or an item, and how much it weighs: one function for each kind of
//! evidence, which gives the causes of one file's score.
//!
//! A score is the sum of its causes, so that what is explained is what was counted. Formulas and
//! constants come from the experiments in `docs/relevance.md`; BM25 and its idf are those of
//! Robertson and Zaragoza 2009.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use crate::outline::Item;
use crate::score::first_pass::{FileFacts, Lexicon};
use crate::score::goal::Goal;
use crate::score::graph::Graph;
use crate::score::history::Commit;
use crate::score::index::IndexEntry;
use crate::score::role::Role;
use crate::source::changes::ChangedLines;
use crate::source::scan::Tree;

/// One kind of evidence for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// Words of the goal in the whole file.
    Words,
    /// Words of the goal in the file's best item.
    Items,
    /// Words of the goal's title in the file's three best items.
    Title,
    /// Pairs of words of the goal that follow each other in one item of the file.
    Pairs,
    /// Words of the goal that hardly any other file has.
    Rare,
    /// Identifiers of the goal that the file defines.
    Definitions,
    /// Words of the goal in the file's path.
    Name,
    /// Phrases of the goal stand in the file word for word.
    Phrase,
    /// The goal names the file's path.
    Path,
    /// A stack trace in the goal passes through the file.
    Trace,
    /// Earlier commits whose message resembles the goal changed the file.
    History,
    /// Tests that resemble the goal were changed together with the file.
    Tests,
    /// Other files of the folder have evidence of their own.
    Folder,
    /// A person points at the file.
    Focus,
    /// The file changed since the revision that a person names.
    Changed,
    /// The file leans on one that changed, or such a one on it.
    Near,
    /// How much of the repository leans on the file: all there is without a goal, hardly anything
    /// with one.
    Rank,
}

impl Signal {
    /// Every signal.
    pub const ALL: [Signal; 17] = [
        Signal::Words,
        Signal::Items,
        Signal::Title,
        Signal::Pairs,
        Signal::Rare,
        Signal::Definitions,
        Signal::Name,
        Signal::Phrase,
        Signal::Path,
        Signal::Trace,
        Signal::History,
        Signal::Tests,
        Signal::Folder,
        Signal::Focus,
        Signal::Changed,
        Signal::Near,
        Signal::Rank,
    ];
    /// Those that speak of a file by itself and need no parse.
    pub(crate) const AT_FIRST: [Signal; 8] = [
        Signal::Words,
        Signal::Rare,
        Signal::Definitions,
        Signal::Name,
        Signal::Phrase,
        Signal::Path,
        Signal::Trace,
        Signal::History,
    ];
    /// Those that come from a file's own text and path.
    pub(crate) const OF_TEXT: [Signal; 5] =
        [Signal::Words, Signal::Rare, Signal::Name, Signal::Phrase, Signal::Path];
    /// Those that outlines add, or make better.
    pub(crate) const IN_DEPTH: [Signal; 4] =
        [Signal::Items, Signal::Title, Signal::Pairs, Signal::Definitions];

    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Signal::Words => "words",
            Signal::Items => "items",
            Signal::Title => "title",
            Signal::Pairs => "pairs",
            Signal::Rare => "rare",
            Signal::Definitions => "definitions",
            Signal::Name => "name",
            Signal::Phrase => "phrase",
            Signal::Path => "path",
            Signal::Trace => "trace",
            Signal::History => "history",
            Signal::Tests => "tests",
            Signal::Folder => "folder",
            Signal::Focus => "focus",
            Signal::Changed => "changed",
            Signal::Near => "near",
            Signal::Rank => "rank",
        }
    }

    /// What the signal, between 0 and 1, is multiplied with in the sum. Set by hand on half of the
    /// development issues; learned weights and trees of learned questions did no better on
    /// repositories they had not seen.
    pub fn weight(self) -> f64 {
        match self {
            Signal::Focus | Signal::Changed => 2.0,
            Signal::Words => 1.0,
            Signal::Trace => 0.7,
            Signal::Path | Signal::Tests | Signal::Near => 0.5,
            Signal::Title | Signal::Items => 0.4,
            Signal::Definitions | Signal::Name | Signal::History => 0.3,
            Signal::Pairs | Signal::Rare | Signal::Phrase | Signal::Folder => 0.2,
            // Alone, without a goal, any weight gives the same order; beside a goal it only tells
            // apart what evidence does not.
            Signal::Rank => 0.01,
        }
    }
}

/// A number for every file, in the order of the tree.
pub(crate) type Scores = Vec<f64>;
/// What a score comes from, with the share of each cause.
pub(crate) type Causes = Vec<(Cause, f64)>;

/// One thing that speaks for a file.
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
    /// ChangedLines that changed, from the first to the last.
    Lines(u32, u32),
    /// An item of another file, by its place.
    Use(usize, usize),
}

/// What evidence is drawn from.
#[derive(Clone, Copy)]
pub(crate) struct Sources<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) facts: &'a [FileFacts],
    pub(crate) goal: &'a Goal,
    pub(crate) commits: &'a [Commit],
    pub(crate) graph: &'a Graph,
    /// The lines that changed since the revision a person names, by file.
    pub(crate) changes: &'a BTreeMap<usize, ChangedLines>,
    /// Empty at the first look.
    pub(crate) entries: &'a BTreeMap<usize, IndexEntry>,
}

/// The sources and what is counted over all of them once.
pub(crate) struct Evidence<'a> {
    sources: Sources<'a>,
    /// ln(1 + (n − df + ½) / (df + ½)) of each term over the files that have words, of each pair
    /// over those judged in depth.
    idf: Scores,
    /// In how many of those each stands.
    df: Vec<u32>,
    /// The mean number of words of a file that has any.
    words_of_a_file: f64,
    /// The same of an item judged in depth.
    words_of_an_item: f64,
    /// The goal's terms in each path.
    paths: Vec<Vec<(u16, f64)>>,
    /// How rare each identifier of the goal is among definitions and mentions, between 0 and 1.
    rarity: Scores,
    /// In how many files each phrase stands.
    phrase_df: Vec<u32>,
    /// The file each frame of a trace passes through, where one alone fits.
    framed: Vec<Option<usize>>,
    /// For each of those files, its innermost frame and what that is worth.
    frames: BTreeMap<usize, (usize, f64)>,
    /// For each file, the quoted path that means it and how surely.
    quoted: BTreeMap<usize, (usize, f64)>,
    /// For each file, the commits like the goal that changed it.
    votes: BTreeMap<usize, Causes>,
    /// For each file that one that changed leans on, those that do.
    users_of_changed: BTreeMap<usize, Vec<usize>>,
    /// For each file judged in depth, what the goal's words and its title's say of each item.
    item_scores: BTreeMap<usize, Vec<ItemScore>>,
}

/// What the goal's words say of one item.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ItemScore {
    /// BM25 of the whole goal over items.
    pub(crate) words: f64,
    /// The same of the title alone.
    pub(crate) title: f64,
    /// How many of the goal's pairs, by weight.
    pub(crate) pairs: f64,
}

/// Commits that changed more files than this say little of any of them.
const FILES_OF_A_VOTER: usize = 30;
const FILES_OF_A_TEST_COMMIT: usize = 20;
/// How many commits like the goal vote, and how many tests like it.
const VOTERS: usize = 50;
const TESTS: usize = 15;
/// A phrase in more files than this, and a term in more than that, points nowhere.
const PHRASE_FILES: u32 = 30;
const RARE_FILES: u32 = 10;
/// A path that fits more files than this means none of them.
const QUOTED_FILES: usize = 5;

impl<'a> Evidence<'a> {
    pub(crate) fn of(sources: Sources<'a>) -> Evidence<'a> {
        let Sources { facts, goal, .. } = sources;
        let n = facts.iter().filter(|facts| facts.n_words > 0).count() as f64;
        let n_words: f64 = facts.iter().map(|facts| f64::from(facts.n_words)).sum();
        let mut df = vec![0; goal.n_terms()];
        facts
            .iter()
            .flat_map(|facts| &facts.terms)
            .for_each(|(term, _)| df[usize::from(*term)] += 1);
        let mut phrase_df = vec![0; goal.phrases.len()];
        facts
            .iter()
            .flat_map(|facts| &facts.phrases)
            .for_each(|phrase| phrase_df[usize::from(*phrase)] += 1);
        let mut evidence = Evidence {
            sources,
            idf: df.iter().map(|df| idf(n, *df)).collect(),
            df,
            words_of_a_file: (n_words / n.max(1.0)).max(1.0),
            words_of_an_item: 1.0,
            paths: terms_of_paths(sources.tree, goal),
            rarity: Vec::new(),
            phrase_df,
            framed: Vec::new(),
            frames: BTreeMap::new(),
            quoted: BTreeMap::new(),
            votes: BTreeMap::new(),
            users_of_changed: BTreeMap::new(),
            item_scores: BTreeMap::new(),
        };
        evidence.users_of_changed = evidence.users_of_changed();
        evidence.rarity = evidence.rarity();
        evidence.framed = evidence.framed();
        evidence.frames = evidence.frames();
        evidence.quoted = evidence.quoted();
        evidence.votes = evidence.votes();
        evidence
    }

    /// The same with files judged in depth, which the sources have now.
    pub(crate) fn in_depth<'b>(self, sources: Sources<'b>) -> Evidence<'b>
    where
        'a: 'b,
    {
        let mut evidence: Evidence<'b> = Evidence { sources, ..self };
        let lengths = || {
            sources
                .entries
                .values()
                .flat_map(|entry| entry.item_words.iter().map(|(_, n)| f64::from(*n)))
        };
        evidence.words_of_an_item =
            (lengths().sum::<f64>() / lengths().count().max(1) as f64).max(1.0);
        // A pair is looked for only in the items of files judged in depth: those are what it is
        // rare or frequent among.
        let judged = sources.entries.values().filter(|entry| entry.is_judged());
        let n_judged = judged.clone().count() as f64;
        judged
            .flat_map(IndexEntry::terms)
            .filter(|term| !sources.goal.is_term(*term))
            .for_each(|pair| evidence.df[usize::from(pair)] += 1);
        for pair in sources.goal.terms.len()..evidence.df.len() {
            evidence.idf[pair] = idf(n_judged, evidence.df[pair]);
        }
        evidence.rarity = evidence.rarity();
        // References between files judged in depth are edges, too.
        evidence.users_of_changed = evidence.users_of_changed();
        evidence.item_scores = evidence.item_scores();
        evidence
    }

    /// The score of every file by a signal that needs no other: between 0 and 1.
    pub(crate) fn scores(&self, signal: Signal) -> Scores {
        let scores = (0..self.n_files())
            .into_par_iter()
            .map(|file| total(&self.causes(signal, file)))
            .collect();
        match signal {
            // These say by themselves how sure they are.
            Signal::Path | Signal::Trace | Signal::Changed => scores,
            _ => max_normed(scores),
        }
    }

    /// What a signal counts for one file, before it is divided by the largest sum. Signals that are
    /// about the files around it have functions of their own.
    pub(crate) fn causes(&self, signal: Signal, file: usize) -> Causes {
        match signal {
            Signal::Words => self.words(file),
            Signal::Items => self.best_items(file, 1, |score| score.words),
            Signal::Title => self.best_items(file, 3, |score| score.title),
            Signal::Pairs => self.best_items(file, 1, |score| score.pairs),
            Signal::Rare => self.rare(file),
            Signal::Definitions => self.definitions(file),
            Signal::Name => self.name(file),
            Signal::Phrase => self.phrases(file),
            Signal::History => self.votes.get(&file).cloned().unwrap_or_default(),
            Signal::Path => self
                .quoted
                .get(&file)
                .map(|(path, value)| (Cause::Path(*path), *value))
                .into_iter()
                .collect(),
            Signal::Trace => self
                .frames
                .get(&file)
                .map(|(frame, value)| (Cause::Frame(*frame), *value))
                .into_iter()
                .collect(),
            Signal::Changed => self.changed(file),
            Signal::Near => self.near(file),
            Signal::Tests | Signal::Folder | Signal::Focus => Vec::new(),
            Signal::Rank => self.users(file),
        }
    }

    fn changed(&self, file: usize) -> Causes {
        let lines = self.sources.changes.get(&file);
        lines.map(|lines| (of_lines(lines.iter()), 1.0)).into_iter().collect()
    }

    /// Whoever leans on what changed may have to change with it; what that leans on explains it.
    fn near(&self, file: usize) -> Causes {
        let changes = self.sources.changes;
        let mut others: BTreeMap<usize, f64> = BTreeMap::new();
        for other in self.users_of_changed.get(&file).into_iter().flatten() {
            others.insert(*other, 0.5);
        }
        for (target, _) in &self.sources.graph.edges[file] {
            if changes.contains_key(&(*target as usize)) {
                others.insert(*target as usize, 1.0);
            }
        }
        others
            .into_iter()
            .filter(|(other, _)| *other != file)
            .map(|(other, value)| (Cause::File(other), value))
            .collect()
    }

    /// For each file that one that changed leans on, those that do.
    fn users_of_changed(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for changed in self.sources.changes.keys() {
            for (target, _) in &self.sources.graph.edges[*changed] {
                users.entry(*target as usize).or_default().push(*changed);
            }
        }
        users
    }

    fn n_files(&self) -> usize {
        self.sources.tree.files.len()
    }

    /// √tf of each term, damped by the file's length; a word in a defined name counts two more, one
    /// in the path five.
    fn words(&self, file: usize) -> Causes {
        let facts = &self.sources.facts[file];
        if facts.n_words == 0 {
            return Vec::new();
        }
        let mut tf: BTreeMap<u16, f64> =
            facts.terms.iter().map(|(term, n)| (*term, f64::from(*n))).collect();
        for (term, n) in &facts.named {
            *tf.entry(*term).or_default() += 2.0 * f64::from(*n);
        }
        for (term, n) in &self.paths[file] {
            *tf.entry(*term).or_default() += 5.0 * n;
        }
        let length = libm::sqrt(0.4 + 0.6 * f64::from(facts.n_words) / self.words_of_a_file);
        let of_terms = tf.into_iter().filter(|(term, _)| self.sources.goal.is_term(*term));
        of_terms
            .map(|(term, tf)| {
                (Cause::Term(term), self.weighted_idf(term) * libm::sqrt(tf) / length)
            })
            .collect()
    }

    /// Terms that hardly any file has.
    fn rare(&self, file: usize) -> Causes {
        let goal = self.sources.goal;
        let df = |term: u16| self.df[usize::from(term)];
        let terms = self.sources.facts[file].terms.iter().map(|(term, _)| *term);
        let rare = terms.filter(|term| goal.is_term(*term) && df(*term) <= RARE_FILES);
        rare.map(|term| (Cause::Term(term), goal.weight(term) / f64::from(df(term)))).collect()
    }

    /// Terms in the path, saturated as in BM25; those of the file's own name count twice.
    fn name(&self, file: usize) -> Causes {
        let terms = self.paths[file].iter().filter(|(term, _)| self.sources.goal.is_term(*term));
        terms
            .map(|(term, tf)| {
                (Cause::Term(*term), self.weighted_idf(*term) * tf * 2.2 / (tf + 1.2))
            })
            .collect()
    }

    fn weighted_idf(&self, term: u16) -> f64 {
        self.sources.goal.weight(term) * self.idf[usize::from(term)]
    }

    /// Identifiers of the goal that the file defines, rarer ones more.
    fn definitions(&self, file: usize) -> Causes {
        let identifiers = &self.sources.goal.identifiers;
        let one = |at: u16| {
            (
                Cause::Identifier(at),
                identifiers[usize::from(at)].weight * self.rarity[usize::from(at)],
            )
        };
        self.defined(file).into_iter().map(one).collect()
    }

    /// What the outline says a file defines; the survey's guess where there is none.
    fn defined(&self, file: usize) -> Vec<u16> {
        match self.sources.entries.get(&file).filter(|entry| entry.is_judged()) {
            Some(entry) => {
                let names = entry.names();
                let identifiers = self.sources.goal.identifiers.iter().zip(0..);
                identifiers
                    .filter(|(one, _)| names.contains(one.word.as_str()))
                    .map(|(_, at)| at)
                    .collect()
            }
            None => self.sources.facts[file].defines.clone(),
        }
    }

    /// (ln(1 + n / definers) / ln(1 + n))² · ln(1 + n / mentions) / ln(1 + n) of every identifier.
    fn rarity(&self) -> Scores {
        let n_identifiers = self.sources.goal.identifiers.len();
        let (mut defining, mut mentioning) = (vec![0u32; n_identifiers], vec![0u32; n_identifiers]);
        for (file, facts) in self.sources.facts.iter().enumerate() {
            self.defined(file).into_iter().for_each(|one| defining[usize::from(one)] += 1);
            facts.mentions.iter().for_each(|one| mentioning[usize::from(*one)] += 1);
        }
        let n = self.sources.facts.len() as f64;
        let rare = |count: u32| libm::log1p(n / f64::from(count.max(1))) / libm::log1p(n);
        defining
            .into_iter()
            .zip(mentioning)
            .map(|(defining, mentioning)| rare(defining) * rare(defining) * rare(mentioning))
            .collect()
    }

    /// Phrases that few files hold.
    fn phrases(&self, file: usize) -> Causes {
        let n = self.n_files() as f64;
        let df = |phrase: u16| self.phrase_df[usize::from(phrase)];
        let few = self.sources.facts[file]
            .phrases
            .iter()
            .copied()
            .filter(|phrase| df(*phrase) <= PHRASE_FILES);
        let value = |df: f64| libm::log1p(n / df) / libm::sqrt(df);
        few.map(|phrase| (Cause::Phrase(phrase), value(f64::from(df(phrase))))).collect()
    }

    fn framed(&self) -> Vec<Option<usize>> {
        let one = |(path, _): &(String, u32)| match self.files_ending_with(path)[..] {
            [file] => Some(file),
            _ => None,
        };
        self.sources.goal.frames.iter().map(one).collect()
    }

    /// The innermost frame in the repository counts whole, each one further out 0.7 of the one
    /// before.
    fn frames(&self) -> BTreeMap<usize, (usize, f64)> {
        let mut frames = BTreeMap::new();
        let mut value = 1.0;
        for (frame, file) in
            self.framed.iter().enumerate().filter_map(|(frame, file)| Some((frame, (*file)?)))
        {
            frames.entry(file).or_insert((frame, value));
            value *= 0.7;
        }
        frames
    }

    /// Files whose path ends with one that the goal quotes; a name that several share counts less.
    fn quoted(&self) -> BTreeMap<usize, (usize, f64)> {
        let mut quoted: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for (at, path) in self.sources.goal.paths.iter().enumerate() {
            let files = self.files_ending_with(path);
            let value = 1.0 / libm::sqrt(files.len() as f64);
            for file in files.iter().filter(|_| files.len() <= QUOTED_FILES) {
                let best = quoted.entry(*file).or_insert((at, value));
                if value > best.1 {
                    *best = (at, value);
                }
            }
        }
        quoted
    }

    /// The files that share the most trailing parts with a path, at least its name.
    fn files_ending_with(&self, path: &str) -> Vec<usize> {
        let wanted: Vec<&str> = path.split('/').rev().collect();
        let common =
            |file: &str| file.split('/').rev().zip(&wanted).take_while(|(a, b)| a == *b).count();
        let mut best = 1;
        let mut files = Vec::new();
        for (at, file) in self.sources.tree.files.iter().enumerate() {
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

    /// The files that lean on this one. Rank flows through the whole graph: none has a share of its
    /// own.
    fn users(&self, file: usize) -> Causes {
        let users = self.sources.graph.edges.iter().enumerate();
        let users =
            users.filter(|(_, edges)| edges.iter().any(|(target, _)| *target as usize == file));
        users.map(|(user, _)| (Cause::File(user), 0.0)).collect()
    }

    fn by_path(&self) -> HashMap<&'a str, usize> {
        self.sources
            .tree
            .files
            .iter()
            .enumerate()
            .map(|(at, file)| (file.path.as_str(), at))
            .collect()
    }

    /// The commits most like the goal vote for the files they changed; one of many files says
    /// little of each.
    fn votes(&self) -> BTreeMap<usize, Causes> {
        let Sources { commits, goal, .. } = self.sources;
        let lexicon = Lexicon::of(goal);
        let messages: Vec<(Vec<(u16, u32)>, u32)> =
            commits.par_iter().map(|commit| lexicon.count(commit.message.as_bytes())).collect();
        let mut df = vec![0u32; goal.n_terms()];
        messages
            .iter()
            .flat_map(|(terms, _)| terms)
            .for_each(|(term, _)| df[usize::from(*term)] += 1);
        let n = messages.len() as f64;
        let average = messages.iter().map(|(_, n)| f64::from(*n)).sum::<f64>() / n.max(1.0);
        let likeness = |(terms, n_words): &(Vec<(u16, u32)>, u32)| -> f64 {
            let length = f64::from(*n_words) / average.max(1.0);
            let one = |(term, tf): &(u16, u32)| {
                libm::sqrt(goal.weight(*term))
                    * idf(n, df[usize::from(*term)])
                    * saturated(f64::from(*tf), length)
            };
            terms.iter().filter(|(term, _)| goal.is_term(*term)).map(one).sum()
        };
        let small = messages
            .iter()
            .enumerate()
            .filter(|(at, _)| commits[*at].paths.len() <= FILES_OF_A_VOTER);
        let mut voters: Vec<(f64, usize)> = small
            .map(|(at, message)| (likeness(message), at))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        voters.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let by_path = self.by_path();
        let mut votes: BTreeMap<usize, Causes> = BTreeMap::new();
        for (score, at) in voters.into_iter().take(VOTERS) {
            let paths = &commits[at].paths;
            for file in paths.iter().filter_map(|path| by_path.get(path.as_str())) {
                votes
                    .entry(*file)
                    .or_default()
                    .push((Cause::Commit(at), score / libm::sqrt(paths.len() as f64)));
            }
        }
        votes
    }

    /// Tests whose words are like the goal's vote for the files that were changed together with
    /// them: what a test is about is told by the commits that touched it. `likeness` is what speaks
    /// for each file whatever its role.
    pub(crate) fn of_tests(&self, likeness: &Scores) -> Vec<Causes> {
        let commits = self
            .sources
            .commits
            .iter()
            .filter(|commit| commit.paths.len() <= FILES_OF_A_TEST_COMMIT);
        let is_test =
            |file: &usize| self.sources.facts[*file].role() == Role::Test && likeness[*file] > 0.0;
        let tests = best(likeness, TESTS, is_test);
        let weights: BTreeMap<usize, f64> = tests
            .into_iter()
            .enumerate()
            .map(|(at, file)| (file, likeness[file] / (1.0 + at as f64 / 5.0)))
            .collect();
        let by_path = self.by_path();
        let mut n_commits = vec![0.0; self.n_files()];
        let mut together: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for commit in commits {
            let files: Vec<usize> = commit
                .paths
                .iter()
                .filter_map(|path| by_path.get(path.as_str()).copied())
                .collect();
            files.iter().for_each(|file| n_commits[*file] += 1.0);
            for test in files.iter().filter(|file| weights.contains_key(file)) {
                for file in files.iter().filter(|file| *file != test) {
                    *together.entry((*file, *test)).or_default() +=
                        1.0 / libm::sqrt(files.len() as f64);
                }
            }
        }
        let mut causes = vec![Vec::new(); self.n_files()];
        for ((file, test), n) in together {
            // The cosine of the two files' commits; two and five pretended ones keep chance
            // meetings small.
            let norm = libm::sqrt((n_commits[test] + 2.0) * (n_commits[file] + 5.0));
            causes[file].push((Cause::File(test), weights[&test] * n / norm));
        }
        causes
    }

    /// The three best other files of the same folder.
    pub(crate) fn of_folder(&self, scores: &Scores) -> Vec<Causes> {
        let folder = |file: usize| {
            self.sources.tree.files[file].path.rsplit_once('/').map_or("", |(folder, _)| folder)
        };
        let mut folders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for file in (0..self.n_files()).filter(|file| scores[*file] > 0.0) {
            folders.entry(folder(file)).or_default().push(file);
        }
        for files in folders.values_mut() {
            files.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
            // Whichever file asks, three others are enough.
            files.truncate(4);
        }
        let others = |file: usize| {
            folders
                .get(folder(file))
                .into_iter()
                .flatten()
                .filter(move |other| **other != file)
                .take(3)
        };
        (0..self.n_files())
            .map(|file| others(file).map(|other| (Cause::File(*other), scores[*other])).collect())
            .collect()
    }

    /// BM25 (k1 1.5, b 0.75) of every item's own text, its name three times.
    fn item_scores(&self) -> BTreeMap<usize, Vec<ItemScore>> {
        let goal = self.sources.goal;
        let score = |(terms, n_words): &(Vec<(u16, u32)>, u32)| {
            let length = f64::from(*n_words) / self.words_of_an_item;
            let mut score = ItemScore::default();
            for (term, tf) in terms {
                let (idf, tf) = (self.idf[usize::from(*term)], f64::from(*tf));
                if goal.is_term(*term) {
                    score.words += goal.weight(*term) * idf * saturated(tf, length);
                    score.title += goal.title_weight(*term) * idf * saturated(tf, length);
                } else {
                    score.pairs += goal.weight(*term) * idf * tf / (tf + 1.0);
                }
            }
            score
        };
        self.sources
            .entries
            .par_iter()
            .map(|(file, entry)| (*file, entry.item_words.iter().map(score).collect()))
            .collect()
    }

    fn best_items(&self, file: usize, n: usize, of: impl Fn(&ItemScore) -> f64) -> Causes {
        let Some(scores) = self.item_scores.get(&file) else { return Vec::new() };
        let mut items: Causes =
            scores.iter().map(of).enumerate().map(|(at, score)| (Cause::Item(at), score)).collect();
        items.retain(|(_, score)| *score > 0.0);
        items.sort_by(|a, b| b.1.total_cmp(&a.1));
        items.truncate(n);
        items
    }
}

/// The signals of one item, each between 0 and 1, and what they are multiplied with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ItemSignal {
    /// The worth of its file.
    File,
    /// Words of the goal in the item's own text.
    Words,
    /// Words of the goal's title in it.
    Title,
    /// An item that the goal speaks of uses it.
    Used,
    /// A stack trace in the goal passes through it.
    Trace,
    /// ChangedLines of it changed since the revision that a person names.
    Changed,
    /// Its lines: long functions are changed more often.
    Length,
}

impl ItemSignal {
    pub(crate) const ALL: [ItemSignal; 7] = [
        ItemSignal::File,
        ItemSignal::Words,
        ItemSignal::Title,
        ItemSignal::Used,
        ItemSignal::Trace,
        ItemSignal::Changed,
        ItemSignal::Length,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ItemSignal::File => "file",
            ItemSignal::Words => "words",
            ItemSignal::Title => "title",
            ItemSignal::Used => "used",
            ItemSignal::Trace => "trace",
            ItemSignal::Changed => "changed",
            ItemSignal::Length => "length",
        }
    }

    pub(crate) fn weight(self) -> f64 {
        match self {
            ItemSignal::Changed => 2.0,
            ItemSignal::File | ItemSignal::Words => 1.0,
            ItemSignal::Used | ItemSignal::Trace | ItemSignal::Length => 0.6,
            ItemSignal::Title => 0.2,
        }
    }
}

/// An item that the goal speaks of, by its place: what it uses is worth looking at.
struct Seed {
    worth: f64,
    file: usize,
    item: usize,
}

/// How many items the goal speaks of hand on their worth, and of how many definitions of one name.
const SEEDS: usize = 12;
const MOST_DEFINERS: usize = 6;

/// What speaks for the items of the files judged in depth.
pub(crate) struct ItemEvidence<'e, 'a> {
    evidence: &'e Evidence<'a>,
    files: &'e Scores,
    best: ItemScore,
    /// For an item that others use, the one that says most and what that is worth.
    used: BTreeMap<(usize, usize), ((usize, usize), f64)>,
}

impl<'e, 'a> ItemEvidence<'e, 'a> {
    /// `files` are the scores of the files, between 0 and 1.
    pub(crate) fn of(evidence: &'e Evidence<'a>, files: &'e Scores) -> ItemEvidence<'e, 'a> {
        let most = |of: fn(&ItemScore) -> f64| {
            evidence.item_scores.values().flatten().map(of).fold(1e-9, f64::max)
        };
        let best = ItemScore {
            words: most(|score| score.words),
            title: most(|score| score.title),
            pairs: most(|score| score.pairs),
        };
        let mut items = ItemEvidence { evidence, files, best, used: BTreeMap::new() };
        items.used = items.used();
        items
    }

    /// The value of a signal for an item, between 0 and 1.
    pub(crate) fn value(&self, signal: ItemSignal, file: usize, at: usize) -> f64 {
        let score = || {
            self.evidence
                .item_scores
                .get(&file)
                .and_then(|scores| scores.get(at))
                .copied()
                .unwrap_or_default()
        };
        match signal {
            ItemSignal::File => self.files[file],
            ItemSignal::Words => score().words / self.best.words,
            ItemSignal::Title => score().title / self.best.title,
            ItemSignal::Used => self.used.get(&(file, at)).map_or(0.0, |(_, value)| value.min(1.0)),
            ItemSignal::Trace => self.traced(file, at).map_or(0.0, |(_, value)| value),
            ItemSignal::Changed => f64::from(u8::from(!self.changed(file, at).is_empty())),
            ItemSignal::Length => {
                let item = self.item(file, at);
                // e⁶ is some 400 lines.
                if item.has_children {
                    0.0
                } else {
                    (libm::log1p(f64::from(item.lines.1 - item.lines.0)) / 6.0).min(1.0)
                }
            }
        }
    }

    /// What a value comes from.
    pub(crate) fn causes(&self, signal: ItemSignal, file: usize, at: usize) -> Causes {
        let goal = self.evidence.sources.goal;
        let terms = |weight: &dyn Fn(u16) -> f64| -> Causes {
            let (terms, n_words) = &self.evidence.sources.entries[&file].item_words[at];
            let length = f64::from(*n_words) / self.evidence.words_of_an_item;
            let of_terms =
                terms.iter().filter(|(term, _)| goal.is_term(*term) && weight(*term) > 0.0);
            let share = |term: u16, n: u32| {
                weight(term)
                    * self.evidence.idf[usize::from(term)]
                    * saturated(f64::from(n), length)
            };
            of_terms.map(|(term, n)| (Cause::Term(*term), share(*term, *n))).collect()
        };
        match signal {
            ItemSignal::Words => terms(&|term| goal.weight(term)),
            ItemSignal::Title => terms(&|term| goal.title_weight(term)),
            ItemSignal::Used => self
                .used
                .get(&(file, at))
                .map(|((file, item), value)| (Cause::Use(*file, *item), *value))
                .into_iter()
                .collect(),
            ItemSignal::Trace => self
                .traced(file, at)
                .map(|(frame, value)| (Cause::Frame(frame), value))
                .into_iter()
                .collect(),
            ItemSignal::Changed => {
                let lines = self.changed(file, at);
                if lines.is_empty() { Vec::new() } else { vec![(of_lines(lines.into_iter()), 1.0)] }
            }
            ItemSignal::File | ItemSignal::Length => Vec::new(),
        }
    }

    /// The innermost frame that passes through an item without items of its own, and what that is
    /// worth.
    fn traced(&self, file: usize, at: usize) -> Option<(usize, f64)> {
        let (_, value) = self.evidence.frames.get(&file)?;
        let item = self.item(file, at);
        let holds = |line: u32| !item.has_children && item.lines.0 <= line && line <= item.lines.1;
        let frames = self.evidence.sources.goal.frames.iter().zip(&self.evidence.framed);
        let frame = frames
            .enumerate()
            .find(|(_, ((_, line), framed))| **framed == Some(file) && holds(*line));
        frame.map(|(frame, _)| (frame, *value))
    }

    /// The changed lines of an item without items of its own.
    fn changed(&self, file: usize, at: usize) -> Vec<&'a (u32, u32)> {
        let item = self.item(file, at);
        let lines = self.evidence.sources.changes.get(&file).into_iter().flatten();
        lines.filter(|lines| !item.has_children && overlap(**lines, item.lines)).collect()
    }

    fn item(&self, file: usize, at: usize) -> &'a Item {
        &self.evidence.sources.entries[&file].depth.outline.items[at]
    }

    /// The items that the goal speaks of: by their words, their names, a stack trace.
    fn seeds(&self) -> Vec<Seed> {
        let goal = self.evidence.sources.goal;
        let named: BTreeMap<&str, f64> = goal
            .identifiers
            .iter()
            .filter(|one| one.is_code)
            .map(|one| (one.word.as_str(), one.weight))
            .collect();
        let heaviest = named.values().copied().fold(1e-9, f64::max);
        let mut seeds = Vec::new();
        for (file, entry) in self.source_entries() {
            for (item, one) in entry.depth.outline.items.iter().enumerate() {
                let words = self.value(ItemSignal::Words, file, item);
                let title = self.value(ItemSignal::Title, file, item);
                let name = named.get(one.name.as_str()).map_or(0.0, |weight| weight / heaviest);
                let own = 0.4 * words
                    + 0.4 * title
                    + 0.6 * name
                    + if self.traced(file, item).is_some() { 0.6 } else { 0.0 };
                let own = own + if self.changed(file, item).is_empty() { 0.0 } else { 1.0 };
                if own > 0.0 {
                    seeds.push(Seed { worth: own * (0.3 + 0.7 * self.files[file]), file, item });
                }
            }
        }
        seeds.sort_by(|a, b| {
            b.worth.total_cmp(&a.worth).then((a.file, a.item).cmp(&(b.file, b.item)))
        });
        seeds.truncate(SEEDS);
        seeds
    }

    fn source_entries(&self) -> impl Iterator<Item = (usize, &'a IndexEntry)> {
        let Sources { entries, facts, .. } = self.evidence.sources;
        entries
            .iter()
            .map(|(file, entry)| (*file, entry))
            .filter(|(file, entry)| entry.is_judged() && facts[*file].role() == Role::Source)
    }

    /// What the seeds use, by the names in their text: the rarer a name, the surer it is meant.
    fn used(&self) -> BTreeMap<(usize, usize), ((usize, usize), f64)> {
        let mut definers: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
        let mut users: HashMap<&str, u32> = HashMap::new();
        let mut n_files = 0.0;
        for (file, entry) in self.source_entries() {
            n_files += 1.0;
            for (at, item) in entry.depth.outline.items.iter().enumerate() {
                definers.entry(&item.name).or_default().push((file, at));
            }
            entry
                .depth
                .identifiers
                .iter()
                .for_each(|(word, _)| *users.entry(word).or_default() += 1);
        }
        let mut used: BTreeMap<(usize, usize), ((usize, usize), f64)> = BTreeMap::new();
        for seed in self.seeds() {
            for name in self.evidence.sources.entries[&seed.file].uses_of(seed.item) {
                let Some(targets) =
                    definers.get(name).filter(|targets| targets.len() <= MOST_DEFINERS)
                else {
                    continue;
                };
                let rare = libm::log1p(n_files / f64::from(users.get(name).copied().unwrap_or(1)))
                    / libm::log1p(n_files);
                let value = seed.worth * rare * rare / libm::sqrt(targets.len() as f64);
                for target in targets.iter().filter(|(file, _)| *file != seed.file) {
                    let best = used.entry(*target).or_insert(((seed.file, seed.item), value));
                    if value > best.1 {
                        *best = ((seed.file, seed.item), value);
                    }
                }
            }
        }
        used
    }
}

/// Whether two ranges of lines have one in common.
pub(crate) fn overlap(a: (u32, u32), b: (u32, u32)) -> bool {
    a.0 <= b.1 && b.0 <= a.1
}

fn of_lines<'a>(lines: impl Iterator<Item = &'a (u32, u32)>) -> Cause {
    let (first, last) =
        lines.fold((u32::MAX, 0), |(first, last), lines| (first.min(lines.0), last.max(lines.1)));
    Cause::Lines(first, last)
}

/// The sum of the shares.
pub(crate) fn total(causes: &Causes) -> f64 {
    causes.iter().map(|(_, share)| share).sum()
}

/// The `n` files of greatest score among those that are wanted, best first.
fn best(scores: &Scores, n: usize, is_wanted: impl Fn(&usize) -> bool) -> Vec<usize> {
    let mut files: Vec<usize> = (0..scores.len()).filter(is_wanted).collect();
    files.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    files.truncate(n);
    files
}

/// Divided by the largest, so that signals of different units can be summed.
pub(crate) fn max_normed(mut scores: Scores) -> Scores {
    let most = scores.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        scores.iter_mut().for_each(|score| *score /= most);
    }
    scores
}

fn idf(n: f64, df: u32) -> f64 {
    let df = f64::from(df);
    libm::log1p((n - df + 0.5).max(0.0) / (df + 0.5))
}

/// tf · (k1 + 1) / (tf + k1 · (1 − b + b · length)) with k1 1.5 and b 0.75; the mean length is 1.
fn saturated(tf: f64, length: f64) -> f64 {
    tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * length))
}

/// The terms in every path; those of the file's own name count twice.
fn terms_of_paths(tree: &Tree, goal: &Goal) -> Vec<Vec<(u16, f64)>> {
    let lexicon = Lexicon::of(goal);
    let count = |path: &str| {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let mut tf: BTreeMap<u16, f64> = BTreeMap::new();
        lexicon.for_each_term(folders.as_bytes(), |term| *tf.entry(term).or_default() += 1.0);
        lexicon.for_each_term(stem.as_bytes(), |term| *tf.entry(term).or_default() += 2.0);
        tf.into_iter().collect()
    };
    tree.files.par_iter().map(|file| count(&file.path)).collect()
}
