//! A repository, scanned and judged: from a folder and a plan to what its files are worth.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::mem;
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;

use crate::error::Result;
use crate::fit::folders::Folders;
use crate::level::Level;
use crate::outline::Item;
use crate::outline::languages::Languages;
use crate::plan::{FlightPlan, Globs, Rule, RuleSet, TreeFacts};
use crate::render::Style;
use crate::score::first_pass::{self, FileFacts};
use crate::score::goal::Goal;
use crate::score::graph::{self, Graph};
use crate::score::history;
use crate::score::index::{self, IndexEntry};
use crate::score::judge::{self, FileScore, Judge, MOST_BYTES, N_JUDGED, TreeScores};
use crate::score::signals::{Sources, overlap};
use crate::source::cache::{Cache, Pack};
use crate::source::changes::{self, ChangedLines, Changes};
use crate::source::progress::{CancelToken, ProgressSink};
use crate::source::scan::{self, FileId, Mark, Problem, ScanOptions, Tree};
use crate::text::sanitize::Gate;

/// What is asked of a repository besides its plan.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Globs of paths to attend to first.
    pub focus: Vec<String>,
    /// A revision: what changed since then, what leans on that and what it leans on is worth most.
    pub diff: Option<String>,
    /// Judge nothing by the words of the plan's goal: they were made up, or come too late.
    pub without_goal: bool,
    /// Do not ask git what earlier commits say.
    pub without_history: bool,
    /// Files that are no part of the repository (outputs, the plan), besides those the plan names.
    pub ignored: Vec<String>,
    /// The file that standard output goes to, when it is one: it may lie in the tree.
    pub stdout: Option<FileId>,
    /// Where what was found out about files is kept between runs; without one nothing is. Maps are
    /// the same either way.
    pub cache: Option<Cache>,
    /// Who is told how far a long run is.
    pub watcher: Option<ProgressSink>,
    /// Ends the opening soon, with an error.
    pub cancel: CancelToken,
}

/// A repository, scanned and judged for a goal, ready to be mapped by any rules.
#[derive(Debug)]
pub struct Repo {
    pub(crate) plan: FlightPlan,
    pub(crate) tree: Tree,
    pub(crate) folders: Folders,
    pub(crate) facts: Vec<FileFacts>,
    pub(crate) goal: Goal,
    /// Whether it was opened for the words of a goal.
    has_goal: bool,
    pub(crate) commits: Vec<history::Commit>,
    pub(crate) graph: Graph,
    pub(crate) focus: Option<Globs>,
    /// Files that are gone since a revision, where one was named.
    gone: Option<Vec<String>>,
    /// The lines that changed since then, by file.
    pub(crate) changes: BTreeMap<usize, ChangedLines>,
    /// The names of the items that did: they count as words of the goal.
    changed_names: String,
    pub(crate) entries: BTreeMap<usize, IndexEntry>,
    pub(crate) worth: TreeScores,
    pub(crate) languages: Languages,
    packs: Packs,
    pub(crate) watcher: Option<ProgressSink>,
    /// What every flown plan says of the tree, made with the first.
    pub(crate) tree_facts: OnceLock<TreeFacts>,
}

/// What is known of the repository's files from earlier runs.
#[derive(Debug)]
struct Packs {
    words: Pack,
    imports: Pack,
    outlines: Pack,
}

impl Packs {
    fn open(cache: Option<&Cache>, root: &Path, languages: &Languages) -> Packs {
        Packs {
            words: Pack::open(cache, root, first_pass::WORDS, &[]),
            imports: Pack::open(cache, root, graph::IMPORTS, &[]),
            outlines: Pack::open(cache, root, index::OUTLINES, &index::about_outlines(languages)),
        }
    }
}

/// An item and what it is worth for the goal.
#[derive(Debug, Clone, Copy)]
pub struct RankedItem<'a> {
    /// The file it is in.
    pub path: &'a str,
    /// The item.
    pub item: &'a Item,
    /// Its worth in millionths of the best item's.
    pub worth: u32,
}

impl Repo {
    /// Scans the repository at `root` and judges its files for the plan's goal.
    ///
    /// # Errors
    /// When `root` is not a folder that can be read, a glob does not compile, or it was cancelled.
    /// Files that cannot be read are [`Repo::problems`].
    pub fn open(root: &Path, plan: &FlightPlan, options: &Options) -> Result<Repo> {
        let focus = match options.focus.is_empty() {
            true => None,
            false => {
                Some(Globs::new(options.focus.iter().map(String::as_str)).map_err(|message| {
                    crate::Error::Plan { file: "--focus".to_owned(), line: None, message }
                })?)
            }
        };
        let languages = in_force(plan)?;
        let mut plan = plan.clone();
        plan.scan.ignored.extend(options.ignored.iter().cloned());
        plan.scan.ignored.sort();
        plan.scan.ignored.dedup();
        let (watcher, cancelled) = (options.watcher.as_ref(), &options.cancel);
        let tree = scan::walk_watched(
            root,
            &ScanOptions { own: options.stdout, ..scan_options(&plan) },
            watcher,
            cancelled,
        )?;
        cancelled.check()?;
        plan.scan.ignored.extend(tree.own.iter().cloned());
        let since =
            options.diff.as_ref().map(|revision| changes::since(root, revision)).transpose()?;
        let changes = since.as_ref().map(|since| changed_lines(&tree, since)).unwrap_or_default();
        let gone = since.map(|since| since.gone);
        let changed_names = changed_names(&tree, &changes, &languages, plan.scan.gate());
        let words = plan.goal.as_deref().filter(|_| !options.without_goal).unwrap_or_default();
        let goal = Goal::read(&with_names(words, &changed_names));
        let has_goal = !words.trim().is_empty();
        let with_history = !goal.is_empty() && !options.without_history;
        let is_from_above = is_from_above(&plan, &goal) && changes.is_empty();
        let cache = options.cache.as_ref().filter(|_| !is_from_above);
        let mut packs = Packs::open(cache, root, &languages);
        // git is another process: it reads while the files are.
        let (facts, commits) = std::thread::scope(|scope| {
            let commits = with_history.then(|| scope.spawn(|| history::commits(root, cache)));
            let facts = match is_from_above {
                true => first_pass::from_above(&tree),
                false => first_pass::survey(&tree, &goal, &mut packs.words, watcher, cancelled),
            };
            (facts, commits.and_then(|commits| commits.join().ok()).unwrap_or_default())
        });
        if let Err(cancelled) = cancelled.check() {
            // What was read until now need not be read again.
            packs.words.save(|_| true);
            return Err(cancelled);
        }
        let graph = Graph::of_imports(&tree, &facts, &mut packs.imports);
        let folders = Folders::of(&tree);
        let (entries, worth) = (BTreeMap::new(), TreeScores::default());
        let mut repo = Repo {
            plan,
            tree,
            folders,
            facts,
            goal,
            has_goal,
            commits,
            graph,
            focus,
            gone,
            changes,
            changed_names,
            entries,
            worth,
            languages,
            packs,
            watcher: options.watcher.clone(),
            tree_facts: OnceLock::new(),
        };
        if let Err(error) = repo.judge(cancelled) {
            repo.packs.words.save(|_| true);
            return Err(error);
        }
        Ok(repo)
    }

    /// Judges the files anew for these words in place of the goal: what a person adds to a goal
    /// counts as part of it. The plan keeps its goal.
    ///
    /// # Errors
    /// When a glob of the plan does not compile.
    pub fn judge_for(&mut self, words: &str) -> Result<()> {
        self.goal = Goal::read(&with_names(words, &self.changed_names));
        self.judge_anew()
    }

    fn judge_anew(&mut self) -> Result<()> {
        self.facts = first_pass::survey(
            &self.tree,
            &self.goal,
            &mut self.packs.words,
            self.watcher.as_ref(),
            &CancelToken::new(),
        );
        self.graph = Graph::of_imports(&self.tree, &self.facts, &mut self.packs.imports);
        self.judge(&CancelToken::new())
    }

    /// Does something as if the plan had these rules more. The judgement that was there is put
    /// back.
    pub(crate) fn with_rules<T>(
        &mut self,
        rules: &[Rule],
        act: impl FnOnce(&mut Repo) -> Result<T>,
    ) -> Result<T> {
        let n_rules = self.plan.rules.len();
        let judged = (
            self.facts.clone(),
            self.graph.clone(),
            mem::take(&mut self.entries),
            mem::take(&mut self.worth),
        );
        self.plan.rules.extend_from_slice(rules);
        let done = self.judge_anew().and_then(|()| act(self));
        self.plan.rules.truncate(n_rules);
        (self.facts, self.graph, self.entries, self.worth) = judged;
        done
    }

    /// Keeps what was found out about files in the cache, for later runs. What cannot be written is
    /// found out again then.
    pub fn remember(&mut self) {
        if !self.packs.words.is_kept() {
            return;
        }
        let is_whole = self.gate() == Gate::default();
        let Repo { tree, entries, packs: Packs { words, imports, outlines }, .. } = self;
        if is_whole {
            // Outlines are kept of text that has passed the gate whole.
            index::keep(outlines, tree, entries);
        }
        let paths: HashSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        words.save(|path| paths.contains(path));
        outlines.save(|path| paths.contains(path));
        imports.save(|_| true);
    }

    /// What could not be read, or not be outlined in whole.
    pub fn problems(&self) -> Vec<Problem> {
        let of = |file: usize, message: &str| Problem {
            path: self.tree.files[file].path.clone(),
            message: message.to_owned(),
        };
        let unreadable =
            (0..self.facts.len()).filter(|file| self.facts[*file].mark == Some(Mark::Unreadable));
        let unreadable = unreadable.map(|file| of(file, "cannot be read; kept at level path"));
        let stopped = self
            .entries
            .iter()
            .filter_map(|(file, entry)| Some(of(*file, entry.depth.outline.trouble?.as_str())));
        self.tree.problems.iter().cloned().chain(unreadable).chain(stopped).collect()
    }

    /// The place of a path among the files.
    pub(crate) fn position(&self, path: &str) -> Option<usize> {
        let at = |path: &str| self.tree.files.iter().position(|file| file.path == path);
        // A person may write a name as it is on disk.
        at(path).or_else(|| at(&scan::notation(Path::new(path), false)))
    }

    /// How many files the tree has.
    pub fn n_files(&self) -> usize {
        self.tree.files.len()
    }

    /// Whether anything speaks for any file: always, without a goal and a revision. A goal of words
    /// that are everywhere has nothing to look for, so nothing matches it.
    pub fn has_evidence(&self) -> bool {
        let has_nothing_to_look_for = (self.has_goal || self.gone.is_some())
            && self.changes.is_empty()
            && self.goal.is_empty();
        self.worth.has_evidence && !has_nothing_to_look_for
    }

    /// The same of the files that a person's rules let be shown, by path at least.
    ///
    /// # Errors
    /// When a glob does not compile.
    pub fn has_evidence_within(&self, person: &[Rule]) -> Result<bool> {
        if !self.has_evidence() || self.goal.is_empty() && self.gone.is_none() {
            return Ok(self.has_evidence());
        }
        let bounds = RuleSet::new(person)?;
        let may_be_shown = |path: &str| {
            bounds.verdict(path).level.is_none_or(|range| range.ceiling >= Level::Path)
        };
        let is_evident =
            |file: usize| self.changes.contains_key(&file) || self.worth.files[file].has_evidence();
        Ok((0..self.tree.files.len())
            .any(|file| is_evident(file) && may_be_shown(&self.tree.files[file].path)))
    }

    /// How many files of the tree changed since the revision of [`Options::diff`], and the paths
    /// that are gone since; `None` without one.
    pub fn changed(&self) -> Option<(usize, &[String])> {
        Some((self.changes.len(), self.gone.as_deref()?))
    }

    /// Every path with its worth, best first.
    pub fn ranking(&self) -> Vec<(&str, &FileScore)> {
        let mut order: Vec<usize> = (0..self.tree.files.len()).collect();
        order.sort_by(|a, b| {
            self.worth.files[*b].score.cmp(&self.worth.files[*a].score).then(a.cmp(b))
        });
        order
            .into_iter()
            .map(|file| (self.tree.files[file].path.as_str(), &self.worth.files[file]))
            .collect()
    }

    /// Every item of the files judged in depth with its worth, best first; of equally good ones the
    /// first in path order.
    pub fn item_ranking(&self) -> Vec<RankedItem<'_>> {
        let of_file = |(file, worth): (&usize, &Vec<u32>)| {
            let (path, items) =
                (self.tree.files[*file].path.as_str(), &self.entries[file].depth.outline.items);
            let item = |(item, worth)| RankedItem { path, item, worth };
            items.iter().zip(worth.clone()).map(item).collect::<Vec<_>>()
        };
        let mut ranking: Vec<RankedItem<'_>> = self.worth.items.iter().flat_map(of_file).collect();
        ranking.sort_by_key(|ranked| Reverse(ranked.worth));
        ranking
    }

    /// The files one edge away from a path, in either direction, in map order: an import, or a name
    /// that one says and the other defines. Empty for a path that is not in the tree.
    pub fn neighbours(&self, path: &str) -> Vec<&str> {
        let Some(file) = self.position(path) else { return Vec::new() };
        let leans_on = |from: usize, to: usize| {
            self.graph.edges[from].iter().any(|(target, _)| *target as usize == to)
        };
        let near = (0..self.tree.files.len())
            .filter(|other| *other != file && (leans_on(file, *other) || leans_on(*other, file)));
        near.map(|other| self.tree.files[other].path.as_str()).collect()
    }

    pub(crate) fn judge_of<'a>(&'a self, entries: &'a BTreeMap<usize, IndexEntry>) -> Judge<'a> {
        let Repo { tree, facts, goal, commits, graph, changes, .. } = self;
        Judge {
            sources: Sources { tree, facts, goal, commits, graph, changes, entries },
            focus: self.focus.as_ref(),
        }
    }

    pub(crate) fn style(&self) -> Style {
        Style::from(&self.plan.context)
    }

    fn reader<'a>(&'a self, cancelled: &'a CancelToken) -> index::OutlineReader<'a> {
        let (Packs { words, outlines, .. }, languages) = (&self.packs, &self.languages);
        index::OutlineReader {
            words,
            outlines,
            languages,
            gate: self.gate(),
            watcher: self.watcher.as_ref(),
            cancelled,
        }
    }

    pub(crate) fn gate(&self) -> Gate {
        self.plan.scan.gate()
    }

    fn judge(&mut self, cancelled: &CancelToken) -> Result<()> {
        let bounds = RuleSet::new(&self.plan.rules)?;
        let nothing = BTreeMap::new();
        let at_first = self.judge_of(&nothing);
        let first = at_first.first_look();
        // What a person's rules keep low takes no place among the files judged in depth.
        let may_rise = |file: usize| {
            bounds
                .verdict(&self.tree.files[file].path)
                .level
                .is_none_or(|range| range.ceiling >= Level::Outline)
        };
        let judged =
            self.most_promising(&first.files, N_JUDGED, self.plan.context.tokens, may_rise);
        let files: Vec<_> = judged.iter().map(|file| &self.tree.files[*file]).collect();
        let entries =
            judged.iter().copied().zip(self.reader(cancelled).judged(&files, &self.goal)).collect();
        cancelled.check()?;
        let mut graph = self.graph.clone();
        judge::add_references(&mut graph, &entries);
        let sources = Sources { graph: &graph, entries: &entries, ..at_first.sources };
        let worth = Judge { sources, ..at_first }.judge(first);
        (self.graph, self.entries, self.worth) = (graph, entries, worth);
        Ok(())
    }

    /// The `n` files of greatest worth that may rise above their path, or fewer when those are
    /// large, and more while they could not fill the budget.
    pub(crate) fn most_promising(
        &self,
        worth: &[FileScore],
        n: usize,
        tokens: u32,
        may_rise: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let is_candidate = |file: &usize| {
            self.facts[*file].mark.is_none_or(Mark::has_text) && worth[*file].score > 0
        };
        let mut order: Vec<usize> =
            (0..worth.len()).filter(is_candidate).filter(|file| may_rise(*file)).collect();
        order.sort_by(|a, b| worth[*b].score.cmp(&worth[*a].score).then(a.cmp(b)));
        let mut bytes = 0;
        let enough = 16 * u64::from(tokens);
        let n_taken = order
            .iter()
            .enumerate()
            .take_while(|(at, file)| {
                let take = *at < n && bytes < MOST_BYTES || bytes < enough;
                bytes += self.tree.files[**file].bytes;
                take
            })
            .count();
        order.truncate(n_taken);
        order.sort_unstable();
        order
    }

    /// Outlines and prices for files that have none yet.
    pub(crate) fn price(&mut self, files: &[usize]) {
        let style = self.style();
        let unpriced =
            |file: &usize| self.entries.get(file).is_none_or(|entry| !entry.is_priced(style));
        let missing: BTreeSet<usize> = files.iter().copied().filter(unpriced).collect();
        let before: BTreeMap<usize, blake3::Hash> = missing
            .iter()
            .filter_map(|file| Some((*file, self.entries.get(file)?.digest)))
            .collect();
        let known: Vec<_> = missing
            .iter()
            .map(|file| (&self.tree.files[*file], self.entries.remove(file)))
            .collect();
        let priced = self.reader(&CancelToken::new()).priced(known, self.style());
        self.entries.extend(missing.iter().copied().zip(priced));
        // The items of a file that was changed meanwhile are others than those that were judged.
        for (file, _) in
            before.into_iter().filter(|(file, digest)| self.entries[file].digest != *digest)
        {
            self.worth.items.remove(&file);
        }
    }
}

pub(crate) fn scan_options(plan: &FlightPlan) -> ScanOptions {
    ScanOptions {
        hidden: plan.scan.hidden,
        no_ignore: plan.scan.no_ignore,
        ignored: plan.scan.ignored.clone(),
        outside: plan.scan.outside.clone(),
        own: None,
    }
}

/// Whether a plan shows a repository from above: no goal to be looked up, and no path above its
/// name. Then nothing is read, and nothing is said that only a content tells.
fn is_from_above(plan: &FlightPlan, goal: &Goal) -> bool {
    let is_low = |rule: &Rule| rule.level.is_none_or(|range| range.ceiling <= Level::Path);
    // Of the levels that rules give a path the last counts.
    let counts = plan.rules.iter().rposition(|rule| rule.path == "**" && rule.level.is_some());
    let are_low = counts.is_some_and(|from| plan.rules[from..].iter().all(is_low));
    goal.is_empty() && are_low && plan.rules.iter().all(|rule| rule.items.is_none())
}

/// A goal, and below it the names of what changed.
fn with_names(goal: &str, names: &str) -> String {
    if names.is_empty() { goal.to_owned() } else { format!("{goal}\n{names}") }
}

/// The changes of the files that are in the tree, by their positions.
fn changed_lines(tree: &Tree, changes: &Changes) -> BTreeMap<usize, ChangedLines> {
    let files = tree.files.iter().enumerate();
    files.filter_map(|(at, file)| Some((at, changes.files.get(&file.path)?.clone()))).collect()
}

/// The most files that are looked into for the names of what changed, and the most names.
const MOST_CHANGED: usize = 200;

/// The names of the items that changed lines lie in, as code.
fn changed_names(
    tree: &Tree,
    changes: &BTreeMap<usize, ChangedLines>,
    languages: &Languages,
    gate: Gate,
) -> String {
    let files: Vec<_> = changes.iter().take(MOST_CHANGED).collect();
    let of_file = |(file, lines): &(&usize, &ChangedLines)| {
        let file = &tree.files[**file];
        let (_, outline) = languages.outline_of(&file.path, &scan::read(file, gate));
        let is_changed = |item: &&Item| {
            !item.has_children && lines.iter().any(|lines| overlap(*lines, item.lines))
        };
        outline.items.iter().filter(is_changed).map(|item| item.name.clone()).collect::<Vec<_>>()
    };
    let names: Vec<String> = files.par_iter().flat_map_iter(of_file).collect();
    let mut seen = HashSet::new();
    let names = names
        .into_iter()
        .filter(|name| name.len() >= 3 && seen.insert(name.clone()))
        .take(MOST_CHANGED);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" ")
}

/// The languages of a plan that was not read from a text, which would have named its file.
pub(crate) fn in_force(plan: &FlightPlan) -> Result<Languages> {
    plan.languages_in_force().map_err(|(_, message)| crate::Error::Plan {
        file: "the plan".to_owned(),
        line: None,
        message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::effective::RuleLayers;
    use crate::outline::parse::hanging;

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
                without_history: true,
                ..Options::default()
            };
            let mut repo = Repo::open(files.path(), &plan, &options).unwrap();
            let map = repo.map(RuleLayers { person: &plan.rules, pilot: &[] }).unwrap();
            repo.remember();
            (map.text, repo.problems())
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
