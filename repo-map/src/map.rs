//! Repository and plan in, map out: the pipeline from end to end.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use crate::cache::{Cache, Pack};
use crate::error::Result;
use crate::evidence::Sources;
use crate::fit::{self, Candidate, Shortage, Shown};
use crate::flown;
use crate::folders::{Folders, Low};
use crate::goal::Goal;
use crate::graph::{self, Graph};
use crate::history;
use crate::index::{self, Entry};
use crate::level::{Level, LevelRange};
use crate::outline::{Item, Outline};
use crate::plan::{Context, FlightPlan, Globs, ItemRule, Masking, Rule, Rules, TreeFacts, Verdict};
use crate::progress::{Cancelled, Watcher};
use crate::render::{self, Choice, NO_OUTLINE, Page, Style};
use crate::scan::{self, FileId, Mark, Problem, ScanOptions, Tree};
use crate::survey::{self, Facts};
use crate::worth::{self, FileWorth, Judge, MOST_BYTES, N_JUDGED, N_PRICED, Worth};

/// What is asked of a repository besides its plan.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Globs of paths to attend to first.
    pub focus: Vec<String>,
    /// Do not ask git what earlier commits say.
    pub without_history: bool,
    /// Files that are no part of the repository (outputs, the plan), besides those the plan names.
    pub ignored: Vec<String>,
    /// The file that standard output goes to, when it is one: it may lie in the tree.
    pub stdout: Option<FileId>,
    /// Where what was found out about files is kept between runs; without one nothing is. Maps are the same either way.
    pub cache: Option<Cache>,
    /// Who is told how far a long run is.
    pub watcher: Option<Watcher>,
    /// Set when the repository is wanted no more: opening it ends soon, with an error.
    pub cancelled: Option<Arc<AtomicBool>>,
}

/// A repository, scanned and judged for a goal, ready to be mapped by any rules.
#[derive(Debug)]
pub struct Repo {
    pub(crate) plan: FlightPlan,
    pub(crate) tree: Tree,
    pub(crate) folders: Folders,
    pub(crate) facts: Vec<Facts>,
    pub(crate) goal: Goal,
    pub(crate) commits: Vec<history::Commit>,
    pub(crate) graph: Graph,
    pub(crate) focus: Option<Globs>,
    pub(crate) entries: BTreeMap<usize, Entry>,
    pub(crate) worth: Worth,
    packs: Packs,
    watcher: Option<Watcher>,
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
    fn open(cache: Option<&Cache>, root: &Path) -> Packs {
        Packs {
            words: Pack::open(cache, root, survey::WORDS, &[]),
            imports: Pack::open(cache, root, graph::IMPORTS, &[]),
            outlines: Pack::open(cache, root, index::OUTLINES, &index::about_outlines()),
        }
    }
}

/// The bounds and the wishes a map is made by.
#[derive(Debug, Clone, Copy, Default)]
pub struct Layers<'a> {
    /// A person's rules: bounds.
    pub person: &'a [Rule],
    /// A pilot's rules, clamped to the bounds.
    pub pilot: &'a [Rule],
}

/// A map, and everything that is known about it.
#[derive(Debug, Clone)]
pub struct RepoMap {
    /// The text, at most as large as the budget.
    pub text: String,
    /// Its size in tokens: the sum of the parts'.
    pub tokens: u32,
    /// The budget it was fitted to.
    pub budget: u32,
    /// The blocks of the text, in order.
    pub parts: Vec<Part>,
    /// Every file of the tree, in map order.
    pub files: Vec<FileReport>,
    /// Floors that could not be met.
    pub conflict: Option<Conflict>,
    /// The sum of the values the fit maximised; comparable between maps of one repository and goal.
    pub value: u64,
    /// How many secrets were masked in what is shown.
    pub n_masked: u32,
    /// The plan that rebuilds this text.
    pub flown: FlightPlan,
}

/// One block of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What the block is for.
    pub kind: PartKind,
    /// The file or folder; empty for header and footer.
    pub path: String,
    /// Its size in tokens.
    pub tokens: u32,
}

/// What a block of a map is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// The first block.
    Header,
    /// A file at level path or above.
    File,
    /// A folded folder.
    Folder,
    /// Folded files beside shown ones.
    Strays,
    /// What is not in the map.
    Footer,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileReport {
    /// The path.
    pub path: String,
    /// The level shown. For a file of which some items differ, the level of the others.
    pub level: Level,
    /// The level that was asked for and did not fit.
    pub was: Option<Level>,
    /// Items that differ from the file's level.
    pub items: Vec<ItemReport>,
    /// The lines whose text is shown, first and last, counted from 1: of the whole file, of items shown in full, and of
    /// signatures with their doc comments. A line that is shown in part, and an item that is only named, is not among them.
    pub spans: Vec<(u32, u32)>,
    /// The size of its block in tokens; 0 where it has none.
    pub tokens: u32,
    /// Its worth in millionths of the best file's.
    pub worth: u32,
    /// The rule that gave the level: its position among the person's or the pilot's rules.
    pub rule: Option<RuleOrigin>,
    /// Why it is kept at level path.
    pub mark: Option<&'static str>,
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

/// The level of an item that differs from its file's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemReport {
    /// The item's address.
    pub name: String,
    /// Its level.
    pub level: Level,
    /// First and last line.
    pub lines: (u32, u32),
}

/// Whose rule it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleOrigin {
    /// The person's rule at this position.
    Person(usize),
    /// The pilot's rule at this position.
    Pilot(usize),
}

/// A constraint conflict: floors that do not fit the budget together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The least budget that meets every floor, in tokens.
    pub needed: u32,
    /// The files shown below their floor.
    pub below_floor: Vec<String>,
    /// One sentence for people: what conflicts, and the cheapest way out.
    pub message: String,
}

impl Repo {
    /// Scans the repository at `root` and judges its files for the plan's goal.
    ///
    /// # Errors
    /// When `root` is not a folder that can be read, a glob does not compile, or it was cancelled. Files that cannot be read
    /// are [`Repo::problems`].
    pub fn open(root: &Path, plan: &FlightPlan, options: &Options) -> Result<Repo> {
        let focus = match options.focus.is_empty() {
            true => None,
            false => Some(Globs::new(options.focus.iter().map(String::as_str)).map_err(|message| crate::Error::Plan {
                file: "--focus".to_owned(),
                line: None,
                message,
            })?),
        };
        let mut plan = plan.clone();
        plan.scan.ignored.extend(options.ignored.iter().cloned());
        plan.scan.ignored.sort();
        plan.scan.ignored.dedup();
        let (watcher, cancelled) = (options.watcher.as_ref(), Cancelled(options.cancelled.as_deref()));
        let tree = scan::walk_watched(root, &ScanOptions { own: options.stdout, ..scan_options(&plan) }, watcher, cancelled)?;
        cancelled.check()?;
        plan.scan.ignored.extend(tree.own.iter().cloned());
        let goal = plan.goal.as_deref().map(Goal::read).unwrap_or_default();
        let with_history = !goal.is_empty() && !options.without_history;
        let is_from_above = is_from_above(&plan, &goal);
        let cache = options.cache.as_ref().filter(|_| !is_from_above);
        let mut packs = Packs::open(cache, root);
        // git is another process: it reads while the files are.
        let (facts, commits) = std::thread::scope(|scope| {
            let commits = with_history.then(|| scope.spawn(|| history::commits(root, cache)));
            let facts = match is_from_above {
                true => survey::from_above(&tree),
                false => survey::survey(&tree, &goal, &mut packs.words, watcher, cancelled),
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
        let (entries, worth) = (BTreeMap::new(), Worth::default());
        let mut repo = Repo {
            plan,
            tree,
            folders,
            facts,
            goal,
            commits,
            graph,
            focus,
            entries,
            worth,
            packs,
            watcher: options.watcher.clone(),
            tree_facts: OnceLock::new(),
        };
        repo.judge()?;
        Ok(repo)
    }

    /// Judges the files anew for these words in place of the goal: what a person adds to a goal counts as part of it. The
    /// plan keeps its goal.
    ///
    /// # Errors
    /// When a glob of the plan does not compile.
    pub fn judge_for(&mut self, words: &str) -> Result<()> {
        self.goal = Goal::read(words);
        self.facts = survey::survey(&self.tree, &self.goal, &mut self.packs.words, self.watcher.as_ref(), Cancelled(None));
        self.graph = Graph::of_imports(&self.tree, &self.facts, &mut self.packs.imports);
        self.judge()
    }

    /// Keeps what was found out about files in the cache, for later runs. What cannot be written is found out again then.
    pub fn remember(&mut self) {
        if !self.packs.words.is_kept() {
            return;
        }
        let is_masked = !self.unmasked();
        let Repo { tree, entries, packs: Packs { words, imports, outlines }, .. } = self;
        if is_masked {
            // Outlines are kept of masked text only.
            index::keep(outlines, tree, entries);
        }
        let paths: HashSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        words.save(|path| paths.contains(path));
        outlines.save(|path| paths.contains(path));
        imports.save(|_| true);
    }

    /// What could not be read, or not be outlined in whole.
    pub fn problems(&self) -> Vec<Problem> {
        let of = |file: usize, message: &str| Problem { path: self.tree.files[file].path.clone(), message: message.to_owned() };
        let unreadable = (0..self.facts.len()).filter(|file| self.facts[*file].mark == Some(Mark::Unreadable));
        let unreadable = unreadable.map(|file| of(file, "cannot be read; kept at level path"));
        let stopped = self.entries.iter().filter_map(|(file, entry)| Some(of(*file, entry.depth.outline.trouble?.as_str())));
        self.tree.problems.iter().cloned().chain(unreadable).chain(stopped).collect()
    }

    /// The place of a path among the files.
    pub(crate) fn position(&self, path: &str) -> Option<usize> {
        self.tree.files.iter().position(|file| file.path == path)
    }

    /// How many files the tree has.
    pub fn n_files(&self) -> usize {
        self.tree.files.len()
    }

    /// Whether anything speaks for any file: always, without a goal.
    pub fn has_evidence(&self) -> bool {
        self.worth.has_evidence
    }

    /// Every path with its worth, best first.
    pub fn ranking(&self) -> Vec<(&str, &FileWorth)> {
        let mut order: Vec<usize> = (0..self.tree.files.len()).collect();
        order.sort_by(|a, b| self.worth.files[*b].score.cmp(&self.worth.files[*a].score).then(a.cmp(b)));
        order.into_iter().map(|file| (self.tree.files[file].path.as_str(), &self.worth.files[file])).collect()
    }

    /// Every item of the files judged in depth with its worth, best first; of equally good ones the first in path order.
    pub fn item_ranking(&self) -> Vec<RankedItem<'_>> {
        let of_file = |(file, worth): (&usize, &Vec<u32>)| {
            let (path, items) = (self.tree.files[*file].path.as_str(), &self.entries[file].depth.outline.items);
            let item = |(item, worth)| RankedItem { path, item, worth };
            items.iter().zip(worth.clone()).map(item).collect::<Vec<_>>()
        };
        let mut ranking: Vec<RankedItem<'_>> = self.worth.items.iter().flat_map(of_file).collect();
        ranking.sort_by_key(|ranked| Reverse(ranked.worth));
        ranking
    }

    /// The files one edge away from a path, in either direction, in map order: an import, or a name that one says and the other
    /// defines. Empty for a path that is not in the tree.
    pub fn neighbours(&self, path: &str) -> Vec<&str> {
        let Some(file) = self.position(path) else { return Vec::new() };
        let leans_on = |from: usize, to: usize| self.graph.edges[from].iter().any(|(target, _)| *target as usize == to);
        let near = (0..self.tree.files.len()).filter(|other| *other != file && (leans_on(file, *other) || leans_on(*other, file)));
        near.map(|other| self.tree.files[other].path.as_str()).collect()
    }

    pub(crate) fn judge_of<'a>(&'a self, entries: &'a BTreeMap<usize, Entry>) -> Judge<'a> {
        let Repo { tree, facts, goal, commits, graph, .. } = self;
        Judge { sources: Sources { tree, facts, goal, commits, graph, entries }, focus: self.focus.as_ref() }
    }

    pub(crate) fn style(&self) -> Style {
        Style::from(&self.plan.context)
    }

    fn reader(&self) -> index::Reader<'_> {
        let Packs { words, outlines, .. } = &self.packs;
        index::Reader { words, outlines, unmasked: self.unmasked(), watcher: self.watcher.as_ref() }
    }

    fn unmasked(&self) -> bool {
        self.plan.scan.mask == Masking::Off
    }

    fn judge(&mut self) -> Result<()> {
        let bounds = Rules::new(&self.plan.rules)?;
        let nothing = BTreeMap::new();
        let at_first = self.judge_of(&nothing);
        let first = at_first.first_look();
        // What a person's rules keep low takes no place among the files judged in depth.
        let may_rise = |file: usize| bounds.verdict(&self.tree.files[file].path).level.is_none_or(|range| range.ceiling >= Level::Outline);
        let judged = self.most_promising(&first.files, N_JUDGED, self.plan.context.tokens, may_rise);
        let files: Vec<_> = judged.iter().map(|file| &self.tree.files[*file]).collect();
        let entries = judged.iter().copied().zip(self.reader().judged(&files, &self.goal)).collect();
        let mut graph = self.graph.clone();
        worth::add_references(&mut graph, &entries);
        let sources = Sources { graph: &graph, entries: &entries, ..at_first.sources };
        let worth = Judge { sources, ..at_first }.judge(first);
        (self.graph, self.entries, self.worth) = (graph, entries, worth);
        Ok(())
    }

    /// The `n` files of greatest worth that may rise above their path, or fewer when those are large, and more while they could
    /// not fill the budget.
    fn most_promising(&self, worth: &[FileWorth], n: usize, tokens: u32, may_rise: impl Fn(usize) -> bool) -> Vec<usize> {
        let is_candidate = |file: &usize| self.facts[*file].mark.is_none_or(Mark::has_text) && worth[*file].score > 0;
        let mut order: Vec<usize> = (0..worth.len()).filter(is_candidate).filter(|file| may_rise(*file)).collect();
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
        let unpriced = |file: &usize| self.entries.get(file).is_none_or(|entry| !entry.is_priced(style));
        let missing: BTreeSet<usize> = files.iter().copied().filter(unpriced).collect();
        let before: BTreeMap<usize, blake3::Hash> =
            missing.iter().filter_map(|file| Some((*file, self.entries.get(file)?.digest))).collect();
        let known: Vec<_> = missing.iter().map(|file| (&self.tree.files[*file], self.entries.remove(file))).collect();
        let priced = self.reader().priced(known, self.style());
        self.entries.extend(missing.iter().copied().zip(priced));
        // The items of a file that was changed meanwhile are others than those that were judged.
        for (file, _) in before.into_iter().filter(|(file, digest)| self.entries[file].digest != *digest) {
            self.worth.items.remove(&file);
        }
    }

    /// The map that these rules and the plan's budget give.
    ///
    /// # Errors
    /// When a glob does not compile.
    pub fn map(&mut self, layers: Layers<'_>) -> Result<RepoMap> {
        self.map_within(layers, self.plan.context.tokens)
    }

    /// The same for another budget: how a view is made smaller than the map.
    ///
    /// # Errors
    /// When a glob does not compile.
    pub fn map_within(&mut self, layers: Layers<'_>, tokens: u32) -> Result<RepoMap> {
        let person = Rules::new(layers.person)?;
        let pilot = Rules::new(layers.pilot)?;
        let without_rules = layers.person.is_empty() && layers.pilot.is_empty();
        let asks: Vec<Ask> =
            self.tree.files.par_iter().map(|file| Ask::of(person.verdict(&file.path), pilot.verdict(&file.path), without_rules)).collect();
        let due: Vec<usize> =
            (0..asks.len()).filter(|file| asks[*file].range.floor >= Level::Outline || !asks[*file].items.is_empty()).collect();
        let allowed = |file: usize| asks[file].range.ceiling >= Level::Outline;
        let promising = self.most_promising(&self.worth.files, N_PRICED, tokens, allowed);
        self.price(&due);
        self.price(&promising);
        // What an earlier call priced must not change this one.
        let seen: BTreeSet<usize> = due.into_iter().chain(promising).collect();

        let candidates: Vec<Candidate<'_>> =
            asks.iter().enumerate().map(|(file, ask)| self.candidate(file, ask, seen.contains(&file))).collect();
        let marks: Vec<Option<&'static str>> = candidates.iter().map(|candidate| candidate.mark).collect();
        let style = self.style();
        let footer = |shown: &[Shown]| {
            let was = self.demoted(shown, &asks);
            style.tokenizer.count(&render::footer(&footer_lines(&self.tree, shown, &was, tokens), style))
        };
        let problem = fit::Problem {
            tree: &self.tree,
            folders: &self.folders,
            candidates,
            tokens,
            style,
            body_value: if self.goal.is_empty() { 0.3 } else { 1.0 },
            footer: &footer,
        };
        let fitted = fit::fit(&problem);
        let was = self.demoted(&fitted.shown, &asks);
        let selection = Selection { shown: fitted.shown, marks, was };
        let rendered = render_all(&self.tree, &self.folders, &selection, style, tokens, self.unmasked(), &self.entries);
        let conflict = self.conflict(&rendered, fitted.shortage, &asks, tokens);
        Ok(self.report(rendered, fitted.value, conflict, &asks, tokens))
    }

    fn candidate<'s>(&'s self, file: usize, ask: &Ask, is_seen: bool) -> Candidate<'s> {
        let entry = self.entries.get(&file).filter(|_| is_seen);
        let mark = entry.map_or(self.facts[file].mark, |entry| entry.depth.mark);
        let mut range = ask.range;
        let mut said = mark.map(Mark::as_str);
        match mark {
            Some(mark) if !mark.has_text() => range = range.within(LevelRange { floor: Level::Exclude, ceiling: Level::Path }),
            // Generated and minified files are shown in depth only where a rule insists.
            Some(_) if range.floor <= Level::Path => range.ceiling = range.ceiling.min(Level::Path),
            Some(_) | None => {}
        }
        let has_outline = entry.is_some_and(|entry| !entry.depth.outline.items.is_empty());
        if !has_outline && matches!(range.floor, Level::Outline | Level::Interface) {
            range.floor = Level::Path;
            said = said.or(Some(NO_OUTLINE));
        }
        if !has_outline && matches!(range.ceiling, Level::Outline | Level::Interface) {
            range.ceiling = Level::Path;
            said = said.or((ask.is_explicit && entry.is_some()).then_some(NO_OUTLINE));
        }
        let pinned = match entry {
            Some(entry) => pinned(&entry.depth.outline, &ask.items),
            None => Vec::new(),
        };
        Candidate {
            floor: range.floor,
            ceiling: range.ceiling,
            is_due: matches!(ask.rule, Some(RuleOrigin::Person(_))) || ask.is_bounded,
            worth: self.worth.files[file].score,
            mark: said,
            entry,
            item_worth: self.worth.items.get(&file).map(Vec::as_slice),
            pinned,
        }
    }

    /// For each file shown below what a rule asked for, that level.
    fn demoted(&self, shown: &[Shown], asks: &[Ask]) -> Vec<Option<Level>> {
        shown
            .iter()
            .zip(asks)
            .enumerate()
            .map(|(file, (shown, ask))| {
                let outline = self.entries.get(&file).map(|entry| &entry.depth.outline);
                let level = level_of(shown, outline, ask.range.floor);
                let wanted = ask.wanted()?;
                let reachable = match self.facts[file].mark {
                    Some(mark) if !mark.has_text() || ask.range.floor <= Level::Path => wanted.min(Level::Path),
                    _ if matches!(wanted, Level::Outline | Level::Interface) && outline.is_some_and(|outline| outline.items.is_empty()) => {
                        Level::Path
                    }
                    _ => wanted,
                };
                (level < reachable).then_some(wanted)
            })
            .collect()
    }

    fn conflict(&self, rendered: &Rendered, shortage: Option<Shortage>, asks: &[Ask], tokens: u32) -> Option<Conflict> {
        if let Some(shortage) = shortage {
            let below: Vec<String> = shortage.below_floor.iter().map(|file| self.tree.files[*file].path.clone()).collect();
            let mut message = format!(
                "constraint conflict: what must be shown needs {} tokens, the budget is {tokens}; raise it to {}",
                shortage.needed, shortage.needed
            );
            if let Some((file, cost)) = shortage.dearest {
                let floor = asks[file].range.floor;
                message.push_str(&format!(", or lower a floor (the dearest: `{}` at {floor} costs {cost})", self.tree.files[file].path));
            }
            return Some(Conflict { needed: shortage.needed, below_floor: below, message });
        }
        let has_body = rendered.parts.iter().any(|part| !matches!(part.kind, PartKind::Header | PartKind::Footer));
        if has_body {
            return None;
        }
        let needed = self.least_line(asks)?;
        Some(Conflict {
            needed,
            below_floor: Vec::new(),
            message: format!(
                "constraint conflict: a budget of {tokens} tokens holds no line of a map; the least is {needed}, better are some thousands"
            ),
        })
    }

    /// The price of the cheapest line that the rules allow; `None` when they allow none.
    fn least_line(&self, asks: &[Ask]) -> Option<u32> {
        let style = self.style();
        let may = |file: &usize, level: Level| asks[*file].range.ceiling >= level;
        let paths = (0..asks.len())
            .filter(|file| may(file, Level::Path))
            .map(|file| style.tokenizer.count(&render::path_line(&self.tree.files[file].path, None, style)));
        let low: Vec<Low> = (0..asks.len()).map(|file| if may(&file, Level::Fold) { Low::Fold } else { Low::Exclude }).collect();
        let folds = self
            .folders
            .lines(&low)
            .into_iter()
            .map(|line| style.tokenizer.count(&fit::fold_text(&self.tree, &self.folders, line, &low, style)));
        paths.chain(folds).min()
    }

    fn report(&self, rendered: Rendered, value: u64, conflict: Option<Conflict>, asks: &[Ask], budget: u32) -> RepoMap {
        let Rendered { text, parts, tokens, selection, digests, n_masked, mut spans } = rendered;
        let mut sizes: BTreeMap<&str, u32> = BTreeMap::new();
        for part in parts.iter().filter(|part| part.kind == PartKind::File) {
            sizes.insert(&part.path, part.tokens);
        }
        let files: Vec<FileReport> = self
            .tree
            .files
            .iter()
            .enumerate()
            .map(|(at, file)| {
                let outline = self.entries.get(&at).map(|entry| &entry.depth.outline);
                let shown = &selection.shown[at];
                let level = level_of(shown, outline, asks[at].range.floor);
                let items = match (shown, outline) {
                    (Shown::Items(choice), Some(outline)) => differing_items(outline, choice, level),
                    _ => Vec::new(),
                };
                FileReport {
                    path: file.path.clone(),
                    level,
                    was: selection.was[at],
                    items,
                    spans: spans.remove(&at).unwrap_or_default(),
                    tokens: sizes.get(file.path.as_str()).copied().unwrap_or(0),
                    worth: self.worth.files[at].score,
                    rule: asks[at].rule,
                    mark: selection.marks[at],
                }
            })
            .collect();
        let flown = flown::plan_of(self, &files, &digests, &text, tokens, budget);
        RepoMap { text, tokens, budget, parts, files, conflict, value, n_masked, flown }
    }
}

pub(crate) fn scan_options(plan: &FlightPlan) -> ScanOptions {
    ScanOptions {
        hidden: plan.scan.hidden,
        no_ignore: plan.scan.no_ignore,
        unmasked: plan.scan.mask == Masking::Off,
        ignored: plan.scan.ignored.clone(),
        outside: plan.scan.outside.clone(),
        own: None,
    }
}

/// What the rules of both layers ask of one file.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) range: LevelRange,
    pub(crate) rule: Option<RuleOrigin>,
    pub(crate) items: Vec<ItemRule>,
    pub(crate) is_explicit: bool,
    /// A person's floor holds, whoever's rule won.
    pub(crate) is_bounded: bool,
}

impl Ask {
    fn of(person: Verdict<'_>, pilot: Verdict<'_>, without_rules: bool) -> Ask {
        let origin = |verdict: Verdict<'_>, origin: fn(usize) -> RuleOrigin| verdict.rule.map(origin);
        let (range, rule, is_explicit) = match (person.level, pilot.level) {
            (Some(bounds), Some(wish)) => (wish.within(bounds), origin(pilot, RuleOrigin::Pilot), true),
            (Some(bounds), None) => (bounds, origin(person, RuleOrigin::Person), true),
            (None, Some(wish)) => (wish, origin(pilot, RuleOrigin::Pilot), true),
            (None, None) if without_rules => (LevelRange::ANY, None, false),
            // A rule that only names items shows those items.
            (None, None) if !person.items.is_empty() || !pilot.items.is_empty() => (LevelRange::exactly(Level::Path), None, true),
            // Never full by default; the line for the folder itself gives way when there is no room.
            (None, None) => (LevelRange { floor: Level::Exclude, ceiling: Level::Fold }, None, false),
        };
        // An excluded file stays excluded, whatever is wanted of its items, and a person's bounds bind a pilot's items too.
        let bounds = person.level.unwrap_or(LevelRange { floor: Level::Exclude, ceiling: Level::Full });
        let clamped = |rule: &ItemRule| ItemRule { name: rule.name.clone(), level: bounds.of_item(rule.level) };
        let items = match (range.ceiling < Level::Path, person.items.is_empty()) {
            (true, _) => Vec::new(),
            (false, false) => person.items.to_vec(),
            (false, true) if bounds.ceiling <= Level::Path || bounds.floor == Level::Full => Vec::new(),
            (false, true) => pilot.items.iter().map(clamped).collect(),
        };
        let is_bounded = person.level.is_some_and(|bounds| bounds.floor == range.floor);
        Ask { range, rule, items, is_explicit, is_bounded }
    }

    /// The least that a rule asked for; a range is content with any of its levels.
    fn wanted(&self) -> Option<Level> {
        self.is_explicit.then_some(self.range.floor).filter(|level| *level >= Level::Path)
    }
}

/// The items that rules give a level, by position. A name matches whole, or as the end of a qualified name.
pub(crate) fn pinned(outline: &Outline, rules: &[ItemRule]) -> Vec<(usize, Level)> {
    let mut levels: BTreeMap<usize, Level> = BTreeMap::new();
    for rule in rules {
        for item in items_named(outline, &rule.name) {
            levels.insert(item, rule.level);
        }
    }
    levels.into_iter().collect()
}

/// The items a name addresses: all of that qualified name, or of names that end with it; one of them with `@n`.
pub(crate) fn items_named(outline: &Outline, name: &str) -> Vec<usize> {
    // A name may itself end like an address; what is spelled out whole comes first.
    let items = || outline.items.iter().enumerate();
    let addressed: Vec<usize> = items().filter(|(_, item)| format!("{}@{}", item.qualified, item.nth) == name).map(|(at, _)| at).collect();
    if !addressed.is_empty() {
        return addressed;
    }
    let whole: Vec<usize> = items().filter(|(_, item)| item.qualified == name).map(|(at, _)| at).collect();
    if !whole.is_empty() {
        return whole;
    }
    let (name, nth) = match name.rsplit_once('@').and_then(|(name, nth)| Some((name, nth.parse::<u32>().ok()?))) {
        Some((name, nth)) => (name, Some(nth)),
        None => (name, None),
    };
    let plain = |name: &str| name.replace("::", ".");
    let wanted = plain(name);
    let matches = |whole: bool| -> Vec<usize> {
        let is_it = |qualified: &str| {
            let qualified = plain(qualified);
            qualified == wanted || !whole && qualified.strip_suffix(&wanted).is_some_and(|before| before.ends_with('.'))
        };
        let items = outline.items.iter().enumerate();
        items.filter(|(_, item)| is_it(&item.qualified) && nth.is_none_or(|nth| item.nth == nth)).map(|(at, _)| at).collect()
    };
    let exact = matches(true);
    if exact.is_empty() { matches(false) } else { exact }
}

/// The level of a file that is shown: for one with a choice of items, the level that most of them have.
pub(crate) fn level_of(shown: &Shown, outline: Option<&Outline>, asked: Level) -> Level {
    match shown {
        Shown::Exclude => Level::Exclude,
        Shown::Fold => Level::Fold,
        Shown::Path => Level::Path,
        Shown::Full => Level::Full,
        Shown::Items(choice) => outline.map_or(Level::Path, |outline| base_level(outline, choice, asked)),
    }
}

/// The file level from which fewest items differ; of those equally near the one that was asked for, else the lower one.
fn base_level(outline: &Outline, choice: &Choice, asked: Level) -> Level {
    [Level::Path, Level::Outline, Level::Interface]
        .into_iter()
        .min_by_key(|level| (differing(outline, choice, *level).count(), *level != asked, *level))
        .unwrap_or(Level::Path)
}

fn differing<'a>(outline: &'a Outline, choice: &'a Choice, level: Level) -> impl Iterator<Item = usize> + 'a {
    let base = base_choice(outline, level);
    // A doc comment of the file belongs to level interface alone and cannot be asked for by an item's name.
    let doc_differs = outline.doc.is_some() && base.doc != choice.doc;
    let many = if doc_differs { outline.items.len() + 1 } else { 0 };
    (0..outline.items.len()).filter(move |at| base.items[*at] != choice.items[*at]).chain(std::iter::repeat_n(usize::MAX, many))
}

/// What a level for a file means for its items.
pub(crate) fn base_choice(outline: &Outline, level: Level) -> Choice {
    match level {
        Level::Outline | Level::Interface => Choice::uniform(outline, level),
        Level::Full => Choice::uniform(outline, Level::Interface),
        Level::Exclude | Level::Fold | Level::Path => Choice::nothing(outline),
    }
}

/// The shortest address that means this item alone.
fn exact_address(outline: &Outline, at: usize) -> String {
    let item = &outline.items[at];
    if items_named(outline, &item.qualified) == [at] { item.qualified.clone() } else { format!("{}@{}", item.qualified, item.nth) }
}

fn differing_items(outline: &Outline, choice: &Choice, level: Level) -> Vec<ItemReport> {
    let items = differing(outline, choice, level).filter(|at| *at < outline.items.len());
    items.map(|at| ItemReport { name: exact_address(outline, at), level: choice.items[at], lines: outline.items[at].lines }).collect()
}

/// A level for every file, as it is rendered.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) shown: Vec<Shown>,
    pub(crate) marks: Vec<Option<&'static str>>,
    /// The level that was asked for and did not fit.
    pub(crate) was: Vec<Option<Level>>,
}

pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) parts: Vec<Part>,
    pub(crate) tokens: u32,
    pub(crate) selection: Selection,
    /// The bytes of every file shown above level path.
    pub(crate) digests: BTreeMap<String, blake3::Hash>,
    pub(crate) n_masked: u32,
    /// The lines whose text is shown, by position of the file.
    pub(crate) spans: BTreeMap<usize, Vec<(u32, u32)>>,
}

/// The text of a selection: a pure function of the files' bytes, the selection and the budget.
pub(crate) fn render_all(
    tree: &Tree,
    folders: &Folders,
    selection: &Selection,
    style: Style,
    budget: u32,
    unmasked: bool,
    entries: &BTreeMap<usize, Entry>,
) -> Rendered {
    struct Block {
        file: usize,
        blocks: Vec<String>,
        digest: Option<blake3::Hash>,
        n_masked: u32,
        spans: Vec<(u32, u32)>,
    }
    let files: Vec<usize> = (0..tree.files.len()).filter(|file| selection.shown[*file].low() == Low::Shown).collect();
    let blocks: Vec<Block> = files
        .par_iter()
        .map(|file| {
            let path = &tree.files[*file].path;
            let line = || vec![render::path_line(path, selection.marks[*file], style)];
            match &selection.shown[*file] {
                Shown::Exclude | Shown::Fold => Block { file: *file, blocks: Vec::new(), digest: None, n_masked: 0, spans: Vec::new() },
                Shown::Path => Block { file: *file, blocks: line(), digest: None, n_masked: 0, spans: Vec::new() },
                shown @ (Shown::Items(_) | Shown::Full) => {
                    let source = scan::read(&tree.files[*file], unmasked);
                    let language = index::language_of(path, &source);
                    let known = entries.get(file).filter(|entry| entry.is_of(&source));
                    let outline = match (shown, known) {
                        (Shown::Items(_), Some(entry)) => Cow::Borrowed(&entry.depth.outline),
                        (Shown::Items(_), None) => Cow::Owned(index::outline_of(path, &source).1),
                        // Whole files are shown as they are.
                        _ => Cow::Owned(Outline::default()),
                    };
                    let page = Page::new(path, language, &source.text, &outline);
                    let (blocks, spans) = match shown {
                        Shown::Items(choice) if choice.items.len() == outline.items.len() => {
                            (page.partial(choice, style), page.shown_lines(choice))
                        }
                        // The file changed since its items were chosen.
                        Shown::Items(_) => (line(), Vec::new()),
                        _ => (vec![page.full(style)], page.all_lines()),
                    };
                    let n_shown = blocks.iter().map(|block| block.matches("[masked: ").count() as u32).sum();
                    Block { file: *file, blocks, digest: Some(source.digest), n_masked: source.n_masked.min(n_shown), spans }
                }
            }
        })
        .collect();

    let low: Vec<Low> = selection.shown.iter().map(Shown::low).collect();
    // Lines for folders stand where their first file would.
    let mut placed: Vec<((usize, u8), Part, String)> = Vec::new();
    for line in folders.lines(&low) {
        let text = fit::fold_text(tree, folders, line, &low, style);
        let folder = &folders.list[line.folder];
        let kind = if line.is_whole { PartKind::Folder } else { PartKind::Strays };
        let tokens = style.tokenizer.count(&text);
        placed.push(((folder.files.start, u8::from(line.is_whole)), Part { kind, path: folder.path.clone(), tokens }, text));
    }
    let mut digests = BTreeMap::new();
    let mut n_masked = 0;
    let mut spans = BTreeMap::new();
    for block in blocks {
        spans.insert(block.file, block.spans);
        let path = tree.files[block.file].path.clone();
        let tokens = block.blocks.iter().map(|block| style.tokenizer.count(block)).sum();
        if let Some(digest) = block.digest {
            digests.insert(path.clone(), digest);
        }
        n_masked += block.n_masked;
        placed.push(((block.file, 2), Part { kind: PartKind::File, path, tokens }, block.blocks.concat()));
    }
    placed.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.path.cmp(&b.1.path)));

    let mut body: Vec<(Part, String)> = placed.into_iter().map(|(_, part, text)| (part, text)).collect();
    // A file that grew while it was read must not take the map over its budget.
    while size(&body) > u64::from(budget) {
        body.pop();
    }
    let rim = |kind, text: String| (Part { kind, path: String::new(), tokens: style.tokenizer.count(&text) }, text);
    let header = rim(PartKind::Header, render::header(style).to_owned());
    let footer = rim(PartKind::Footer, render::footer(&footer_lines(tree, &selection.shown, &selection.was, budget), style));
    // First the footer goes, then the header.
    let least = rim(PartKind::Footer, render::footer(&[], style));
    let fits = |footer: &(Part, String)| size(&body) + u64::from(header.0.tokens) + u64::from(footer.0.tokens) <= u64::from(budget);
    // A map of nothing says what is not in it, or says nothing.
    let footers = if body.is_empty() { vec![footer] } else { vec![footer, least] };
    let mut all = body.clone();
    if let Some(footer) = footers.into_iter().find(fits).filter(|_| !tree.files.is_empty()) {
        all.insert(0, header);
        all.push(footer);
    }
    all.retain(|(_, text)| !text.is_empty());
    let tokens = size(&all) as u32;
    let text = all.iter().map(|(_, text)| text.as_str()).collect();
    let parts = all.into_iter().map(|(part, _)| part).collect();
    Rendered { text, parts, tokens, selection: selection.clone(), digests, n_masked, spans }
}

fn size(parts: &[(Part, String)]) -> u64 {
    parts.iter().map(|(part, _)| u64::from(part.tokens)).sum()
}

/// What is not in the map: what was asked for and did not fit, and where the rest of the files are. Short, because it
/// is paid for; the JSON twin has every path.
fn footer_lines(tree: &Tree, shown: &[Shown], was: &[Option<Level>], budget: u32) -> Vec<String> {
    let most = (budget / 400).clamp(1, 12) as usize;
    let mut lines = Vec::new();
    let demoted: Vec<usize> = (0..shown.len()).filter(|file| was[*file].is_some() && shown[*file].low() == Low::Shown).collect();
    if !demoted.is_empty() {
        let name = |file: &usize| format!("{} (asked {})", tree.files[*file].path, was[*file].unwrap_or(Level::Full));
        let named: Vec<String> = demoted.iter().take(most).map(name).collect();
        lines.push(format!("Demoted: {}{}.\n", named.join(", "), and_more(demoted.len(), most)));
    }
    let n_folded = shown.iter().filter(|shown| **shown == Shown::Fold).count();
    if n_folded > 0 {
        lines.push(format!("Folded: {}.\n", n_of_files(n_folded)));
    }
    let mut by_folder: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, _) in tree.files.iter().zip(shown).filter(|(_, shown)| **shown == Shown::Exclude) {
        let folder = file.path.split_once('/').map_or("./", |(first, _)| &file.path[..=first.len()]);
        *by_folder.entry(folder).or_default() += 1;
    }
    if !by_folder.is_empty() {
        let n: usize = by_folder.values().sum();
        let mut by_folder: Vec<(&str, usize)> = by_folder.into_iter().collect();
        by_folder.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        let named: Vec<String> = by_folder.iter().take(most).map(|(folder, n)| format!("{folder} {n}")).collect();
        lines.push(format!("Not shown: {} ({}{}).\n", n_of_files(n), named.join(", "), and_more(by_folder.len(), most)));
    }
    lines
}

fn n_of_files(n: usize) -> String {
    if n == 1 { "1 file".to_owned() } else { format!("{n} files") }
}

fn and_more(n: usize, most: usize) -> String {
    if n > most { format!(", {} more", n - most) } else { String::new() }
}

/// Whether a plan shows a repository from above: no goal to be looked up, and no path above its name. Then nothing is read,
/// and nothing is said that only a content tells.
fn is_from_above(plan: &FlightPlan, goal: &Goal) -> bool {
    let is_low = |rule: &Rule| rule.level.is_none_or(|range| range.ceiling <= Level::Path);
    // Of the levels that rules give a path the last counts.
    let counts = plan.rules.iter().rposition(|rule| rule.path == "**" && rule.level.is_some());
    let are_low = counts.is_some_and(|from| plan.rules[from..].iter().all(is_low));
    goal.is_empty() && are_low && plan.rules.iter().all(|rule| rule.items.is_none())
}

/// The context of a plan whose budget was replaced.
pub(crate) fn context_with(context: &Context, tokens: u32) -> Context {
    Context { tokens, ..context.clone() }
}
