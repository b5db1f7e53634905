//! A tree scored for a goal: every file and item has a score, and maps can be made for any rules.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::level::Level;
use crate::map::build::{self, MapInput};
use crate::map::corpus::{Corpus, Since};
use crate::map::effective::RuleLayers;
use crate::map::entries::Entries;
use crate::map::fill::MapBudget;
use crate::map::surveyed::Surveyed;
use crate::map::{FileReport, RepoMap};
use crate::outline::Item;
use crate::plan::{Fill, FlightPlan, Rule, RuleSet};
use crate::render::Style;
use crate::score::first_pass::FileFacts;
use crate::score::goal::Goal;
use crate::score::graph::Graph;
use crate::score::history::Commit;
use crate::score::index::IndexEntry;
use crate::score::judge::{FileScore, Judge, N_JUDGED, TreeScores};
use crate::score::signals::Sources;
use crate::source::location::DocumentKind;
use crate::source::progress::CancelToken;
use crate::source::scan::{self, Mark, Problem, Tree};

/// A repository, scanned and scored for a goal. Maps can be made from it for any rules.
///
/// All methods take `&self`, so that several threads can use it at once. Prices and outlines are
/// made on demand, once.
#[derive(Debug)]
pub struct Judged {
    pub(crate) surveyed: Arc<Surveyed>,
    pub(crate) entries: Entries,
    pub(crate) scores: TreeScores,
    /// The graph of dependencies: imports, and names that one file uses and another defines.
    graph: Graph,
}

/// What changed since a revision.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct ChangedFiles<'a> {
    /// The number of changed files of the tree.
    pub n_files: usize,
    /// The number of changed files that the scan left out: hidden or ignored ones.
    pub n_left_out: usize,
    /// The paths deleted since then.
    pub gone: &'a [String],
}

/// An item with its score.
#[derive(Debug, Clone, Copy)]
pub struct RankedItem<'a> {
    /// The file of the item.
    pub path: &'a str,
    /// The item.
    pub item: &'a Item,
    /// The score in millionths of the best item's.
    pub worth: u32,
}

impl Judged {
    /// Scores the files of a survey. Without evidence for the goal they are scored as without a
    /// goal: what is left, such as the place of a file, makes no overview. Pages without its words
    /// can still be near to it in meaning.
    ///
    /// # Errors
    /// If a glob does not compile, or the operation was cancelled.
    pub(crate) fn of(
        surveyed: Arc<Surveyed>,
        rules: &[Rule],
        cancelled: &CancelToken,
    ) -> Result<Judged> {
        let judged = Judged::scored(surveyed, rules, cancelled)?;
        let is_answered = judged.scores.has_evidence || judged.goal().is_empty();
        if is_answered || judged.tree().kind() == DocumentKind::Page {
            return Ok(judged);
        }
        let without_goal = Arc::new(judged.surveyed.for_goal(""));
        let mut overview = Judged::scored(without_goal, rules, cancelled)?;
        overview.scores.has_evidence = false;
        Ok(overview)
    }

    /// Scores the files for the goal as it is. Files that a person's rules keep at their path or
    /// below do not count towards the number of files judged in depth.
    fn scored(surveyed: Arc<Surveyed>, rules: &[Rule], cancelled: &CancelToken) -> Result<Judged> {
        let Surveyed { corpus, goal, facts, imports, commits, .. } = &*surveyed;
        let Corpus { tree, plan, caches, .. } = &**corpus;
        let bounds = RuleSet::new(rules)?;
        let nothing = BTreeMap::new();
        let sources = Sources {
            tree,
            facts,
            goal,
            commits,
            graph: imports,
            changes: &corpus.since.changes,
            entry_points: &surveyed.entry_points,
            entries: &nothing,
        };
        let at_first = Judge { sources, focus: corpus.focus.as_ref() };
        let first = at_first.first_look();
        let may_rise = |file: usize| {
            bounds
                .verdict(&tree.files[file].path)
                .level
                .is_none_or(|range| range.ceiling >= Level::Outline)
        };
        let chosen = surveyed.most_promising(&first.files, N_JUDGED, plan.context.tokens, may_rise);
        let files: Vec<_> = chosen.iter().map(|file| &tree.files[*file]).collect();
        let (words, outlines) = (caches.words.now(), caches.outlines.now());
        let entries = corpus.reader(&words, &outlines, cancelled).judged(&files, goal);
        cancelled.check()?;
        let entries: BTreeMap<usize, IndexEntry> = chosen.into_iter().zip(entries).collect();
        let mut graph = imports.clone();
        // References would raise the few files that have outlines above those of the main language.
        if !goal.is_empty() || surveyed.code_without_outlines().is_none() {
            graph.add_references(tree, &entries, facts, goal.is_empty());
        }
        let sources = Sources { graph: &graph, entries: &entries, ..sources };
        let scores = Judge { sources, ..at_first }.judge(first);
        let entries = Entries::new(entries, tree.files.len());
        Ok(Judged { surveyed, entries, scores, graph })
    }

    /// Scores the same tree for these words in place of the goal, for example the goal with a
    /// person's feedback. The plan keeps its goal.
    ///
    /// # Errors
    /// If a glob of the plan does not compile.
    pub fn for_goal(&self, words: &str) -> Result<Judged> {
        let surveyed = Arc::new(self.surveyed.for_goal(words));
        Judged::of(surveyed, &self.plan().rules, &CancelToken::new())
    }

    /// Scores the same tree with further rules after those of the plan.
    pub(crate) fn with_rules(&self, rules: &[Rule]) -> Result<Judged> {
        let rules = [&self.plan().rules, rules].concat();
        Judged::of(self.surveyed.with_facts(), &rules, &CancelToken::new())
    }

    /// Makes the map for these rules and the plan's budget.
    ///
    /// # Errors
    /// If a glob does not compile.
    pub fn map(&self, layers: RuleLayers<'_>) -> Result<RepoMap> {
        self.map_within(layers, self.plan().context.tokens)
    }

    /// Makes the map for these rules and another budget in tokens, for example a smaller view.
    ///
    /// # Errors
    /// If a glob does not compile.
    pub fn map_within(&self, layers: RuleLayers<'_>, tokens: u32) -> Result<RepoMap> {
        self.map_filled(layers, tokens, self.plan().context.fill)
    }

    /// Makes the map for these rules, another budget in tokens and another use of it.
    ///
    /// # Errors
    /// If a glob does not compile.
    pub fn map_filled(&self, layers: RuleLayers<'_>, tokens: u32, fill: Fill) -> Result<RepoMap> {
        let Judged { surveyed, entries, scores, .. } = self;
        build::map(MapInput { surveyed, entries, scores }, layers, MapBudget { tokens, fill })
    }

    /// Makes the map for these rules in which nothing rises above what an earlier map shows unless
    /// a rule asks for it; `shown` are the rules of the flown plan of that map. What it shows
    /// stays, as far as what rules ask for leaves room. Without an earlier map the plan says what
    /// is filled in.
    ///
    /// # Errors
    /// If a glob does not compile.
    pub fn map_held(
        &self,
        layers: RuleLayers<'_>,
        tokens: u32,
        shown: Option<&[Rule]>,
    ) -> Result<RepoMap> {
        let Judged { surveyed, entries, scores, .. } = self;
        build::map_held(MapInput { surveyed, entries, scores }, layers, tokens, shown)
    }

    /// Writes the results about files to the cache, for later runs. Results that cannot be written
    /// are computed again then.
    pub fn save_cache(&self) {
        let corpus = self.corpus();
        corpus.caches.save(&corpus.tree, self.entries.iter(), corpus.gate(), corpus.style());
    }

    /// Returns the plan by which the repository was opened.
    pub fn plan(&self) -> &FlightPlan {
        &self.corpus().plan
    }

    /// Returns the files.
    pub fn tree(&self) -> &Tree {
        &self.corpus().tree
    }

    /// Returns the files that could not be read or were outlined only in part.
    pub fn problems(&self) -> Vec<Problem> {
        let unread = self.unread_files().into_iter();
        unread.chain(self.outlined_in_part().map(|(_, problem)| problem)).collect()
    }

    /// Returns the problems with files that could not be read or that a map shows, and those with
    /// files that it does not show and that were outlined only in part.
    pub fn problems_in(&self, map: &RepoMap) -> (Vec<Problem>, Vec<Problem>) {
        let is_shown = |(file, _): &(usize, Problem)| map.files[*file].level > Level::Path;
        let (shown, others): (Vec<_>, Vec<_>) = self.outlined_in_part().partition(is_shown);
        let problems = |of: Vec<(usize, Problem)>| of.into_iter().map(|(_, problem)| problem);
        (
            self.unread_files().into_iter().chain(problems(shown)).collect(),
            problems(others).collect(),
        )
    }

    fn problem(&self, file: usize, message: &str) -> Problem {
        Problem { path: self.tree().files[file].path.clone(), message: message.to_owned() }
    }

    fn outlined_in_part(&self) -> impl Iterator<Item = (usize, Problem)> {
        let of = |(file, entry): (usize, &IndexEntry)| {
            Some((file, self.problem(file, entry.depth.outline.trouble?.as_str())))
        };
        self.entries.iter().filter_map(of)
    }

    fn unread_files(&self) -> Vec<Problem> {
        let of = |file: usize, message: &str| self.problem(file, message);
        let facts = self.facts();
        let unread = (0..facts.len()).filter_map(|file| match facts[file].mark? {
            Mark::Unreadable => Some(of(file, "cannot be read; kept at level path")),
            // Of files in a repository the map has the mark alone: many of them are data.
            Mark::Oversized if self.tree().files[file].is_page() => {
                let most = scan::MAX_PAGE_BYTES >> 20;
                Some(of(file, &format!("is larger than {most} MiB; kept at level path")))
            }
            _ => None,
        });
        self.tree().problems.iter().cloned().chain(unread).collect()
    }

    /// Returns a sentence about the language that most of the code is in, if it has no outlines.
    pub fn without_outlines(&self) -> Option<String> {
        let code = self.surveyed.code_without_outlines()?;
        Some(format!(
            "most of the code has no outline (.{}: {} of {} files) and is shown by path or in full",
            code.extension, code.n_plain, code.n_files
        ))
    }

    /// Returns the position of a path among the files.
    pub(crate) fn position(&self, path: &str) -> Option<usize> {
        self.tree().position(path)
    }

    /// Returns the number of files in the tree.
    pub fn n_files(&self) -> usize {
        self.tree().files.len()
    }

    /// Reports whether any file has evidence; always true without a goal and a revision. A goal
    /// whose words are all too common matches nothing.
    pub fn has_evidence(&self) -> bool {
        let has_nothing_to_look_for = (self.corpus().has_goal || self.since().gone.is_some())
            && self.since().changes.is_empty()
            && self.goal().is_empty();
        self.scores.has_evidence && !has_nothing_to_look_for
    }

    /// Reports whether any file has evidence that a person's rules allow to be shown, at least by
    /// path.
    ///
    /// # Errors
    /// If a glob does not compile.
    pub fn has_evidence_within(&self, person: &[Rule]) -> Result<bool> {
        if !self.has_evidence() || self.goal().is_empty() && self.since().gone.is_none() {
            return Ok(self.has_evidence());
        }
        let bounds = RuleSet::new(person)?;
        let may_be_shown = |path: &str| {
            bounds.verdict(path).level.is_none_or(|range| range.ceiling >= Level::Path)
        };
        let is_evident = |file: usize| {
            self.since().changes.contains_key(&file) || self.scores.files[file].has_evidence()
        };
        Ok((0..self.tree().files.len())
            .any(|file| is_evident(file) && may_be_shown(&self.tree().files[file].path)))
    }

    /// Returns what changed since the revision in the options; `None` without a revision.
    pub fn changed(&self) -> Option<ChangedFiles<'_>> {
        let Since { changes, gone, n_left_out, .. } = self.since();
        let gone = gone.as_deref()?;
        Some(ChangedFiles { n_files: changes.len(), n_left_out: *n_left_out, gone })
    }

    /// Returns every path with its score, best first.
    pub fn ranking(&self) -> Vec<(&str, &FileScore)> {
        let mut order: Vec<usize> = (0..self.tree().files.len()).collect();
        order.sort_by(|a, b| {
            self.scores.files[*b].score.cmp(&self.scores.files[*a].score).then(a.cmp(b))
        });
        order
            .into_iter()
            .map(|file| (self.tree().files[file].path.as_str(), &self.scores.files[file]))
            .collect()
    }

    /// Returns every item of the files judged in depth with its score, best first; equal ones in
    /// path order.
    pub fn item_ranking(&self) -> Vec<RankedItem<'_>> {
        let of_file = |(file, worth): (&usize, &Vec<u32>)| {
            let (path, items) = (
                self.tree().files[*file].path.as_str(),
                &self.entries.judged()[file].depth.outline.items,
            );
            let item = |(item, worth)| RankedItem { path, item, worth };
            items.iter().zip(worth.clone()).map(item).collect::<Vec<_>>()
        };
        let mut ranking: Vec<RankedItem<'_>> = self.scores.items.iter().flat_map(of_file).collect();
        ranking.sort_by_key(|ranked| Reverse(ranked.worth));
        ranking
    }

    /// Returns the files one edge away from a path, in either direction, in map order. An edge is
    /// an import, or a name that one file uses and the other defines. Empty for a path that is not
    /// in the tree.
    pub fn neighbours(&self, path: &str) -> Vec<&str> {
        let Some(file) = self.position(path) else { return Vec::new() };
        let leans_on = |from: usize, to: usize| {
            self.graph.edges_of(from).iter().any(|(target, _)| *target as usize == to)
        };
        let near = (0..self.tree().files.len())
            .filter(|other| *other != file && (leans_on(file, *other) || leans_on(*other, file)));
        near.map(|other| self.tree().files[other].path.as_str()).collect()
    }

    /// Reports whether the tree has exactly this path.
    pub fn has_path(&self, path: &str) -> bool {
        self.position(path).is_some()
    }

    pub(crate) fn corpus(&self) -> &Corpus {
        &self.surveyed.corpus
    }

    pub(crate) fn since(&self) -> &Since {
        &self.corpus().since
    }

    pub(crate) fn goal(&self) -> &Goal {
        &self.surveyed.goal
    }

    pub(crate) fn facts(&self) -> &[FileFacts] {
        &self.surveyed.facts
    }

    pub(crate) fn commits(&self) -> &[Commit] {
        &self.surveyed.commits
    }

    pub(crate) fn style(&self) -> Style {
        self.corpus().style()
    }

    /// Returns the judge that explains scores, with the evidence from which they were made.
    pub(crate) fn judge(&self) -> Judge<'_> {
        let sources = Sources {
            tree: self.tree(),
            facts: self.facts(),
            goal: self.goal(),
            commits: self.commits(),
            graph: &self.graph,
            changes: &self.since().changes,
            entry_points: &self.surveyed.entry_points,
            entries: self.entries.judged(),
        };
        Judge { sources, focus: self.corpus().focus.as_ref() }
    }

    /// Returns the scores of a file's items; `None` for a file that was not judged, or changed
    /// since then and has other items.
    pub(crate) fn item_worth(&self, file: usize, entry: &IndexEntry) -> Option<&[u32]> {
        self.entries.item_worth(&self.scores, file, entry)
    }

    /// Outlines and prices files that have no price yet.
    pub(crate) fn price(&self, files: &[usize]) {
        self.entries.price(files, self.corpus());
    }

    /// Returns the entry of a file with its price.
    pub(crate) fn priced(&self, file: usize) -> &IndexEntry {
        self.price(&[file]);
        self.entries.get(file).expect("a file that was priced has an entry")
    }

    /// Returns the report of a file in a map of this tree.
    ///
    /// # Errors
    /// If the map is of another tree.
    pub(crate) fn report_in<'m>(&self, map: &'m RepoMap, file: usize) -> Result<&'m FileReport> {
        self.check_map(map)?;
        map.files.get(file).ok_or(Error::OtherMap)
    }

    /// # Errors
    /// If the map is of a tree with other paths.
    pub(crate) fn check_map(&self, map: &RepoMap) -> Result<()> {
        let is_ours = map.files.len() == self.n_files()
            && map.tree_digest == self.corpus().tree_facts().digest;
        if is_ours { Ok(()) } else { Err(Error::OtherMap) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::open::open;
    use crate::map::options::Options;
    use crate::outline::parse::hanging;
    use crate::source::cache::Cache;

    #[test]
    fn a_file_whose_parser_hangs_is_a_line_and_the_next_run_knows_it() {
        let files = test_support::repo(&format!(
            "=== a.py\ndef a(): pass\n=== b.py\ndef {}(): pass\n",
            hanging::WORD
        ));
        let cache = tempfile::tempdir().unwrap();
        let run = || {
            let plan =
                FlightPlan::from_yaml("plan", "version: 1\nrules: [{path: '**', level: outline}]")
                    .unwrap();
            let options = Options {
                cache: Some(Cache::at(cache.path())),
                history: false,
                ..Options::default()
            };
            let judged = open(files.path(), &plan, &options).unwrap();
            let map = judged.map(RuleLayers { person: &plan.rules, pilot: &[] }).unwrap();
            judged.save_cache();
            (map.text, judged.problems())
        };
        let (text, problems) = run();
        let line = "its parser does not come back; it has no outline".to_owned();
        assert_eq!(problems, [Problem { path: "b.py".to_owned(), message: line }]);
        assert!(text.contains("fn a\n```\n- b.py (no outline)\n"), "{text}");
        assert_eq!(hanging::forget(), 1);
        assert_eq!(run(), (text, problems));
        assert_eq!(hanging::forget(), 1, "the parser was not asked again");
    }
}
