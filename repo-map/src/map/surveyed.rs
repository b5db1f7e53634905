//! The survey of a corpus for a goal: facts of every file without parsing, the graph of imports,
//! and commit history.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::fit::folders::Folders;
use crate::level::Level;
use crate::map::corpus::{Corpus, OpenRequest, Since};
use crate::map::file_caches::FileCaches;
use crate::map::options::Options;
use crate::outline::languages::Languages;
use crate::plan::{FlightPlan, Rule};
use crate::score::data_paths;
use crate::score::entry_points;
use crate::score::first_pass::{self, FileFacts};
use crate::score::goal::Goal;
use crate::score::graph::Graph;
use crate::score::history;
use crate::score::judge::{FileScore, MOST_BYTES};
use crate::score::role::Role;
use crate::source::cache::Cache;
use crate::source::changes;
use crate::source::location::DocumentKind;
use crate::source::progress::CancelToken;
use crate::source::scan::{self, FileEntry, Mark, Tree};

/// The size in bytes from which files, such as notebooks with their pictures, leave a quarter of
/// what is judged to smaller ones.
const LARGE: u64 = 128 << 10;

/// The facts of every file for a goal.
#[derive(Debug)]
pub(crate) struct Surveyed {
    pub(crate) corpus: Arc<Corpus>,
    pub(crate) goal: Arc<Goal>,
    pub(crate) facts: Vec<FileFacts>,
    /// The graph of imports.
    pub(crate) imports: Graph,
    pub(crate) commits: Arc<Vec<history::Commit>>,
    /// The files in which packages and programs begin, by their text; for an overview only.
    pub(crate) entry_points: BTreeSet<usize>,
    /// No file was read, because the map needs only paths.
    is_from_above: bool,
}

impl Surveyed {
    /// Surveys a tree for the goal of its plan.
    ///
    /// # Errors
    /// If git cannot list the changes, or the operation was cancelled.
    pub(crate) fn of(
        mut tree: Tree,
        links: Vec<(usize, u32)>,
        request: OpenRequest,
        options: &Options,
    ) -> Result<Surveyed> {
        let cancelled = &options.cancel;
        let OpenRequest { mut plan, languages, focus } = request;
        plan.scan.ignored.extend(tree.own.iter().cloned());
        let since = since(&tree, &plan, &languages, options)?;
        let words = plan.goal.as_deref().filter(|_| !options.without_goal).unwrap_or_default();
        let goal = Goal::read(&since.with_names(words));
        let has_goal = !words.trim().is_empty();
        // Who has a goal does not read from the beginning.
        let start = if has_goal { tree.pages.start.take() } else { None };
        let contents = start.and_then(|start| tree.position(&start));
        let contents = contents.filter(|at| is_contents(&tree.files[*at]));
        let is_from_above = is_from_above(&plan, &goal) && since.changes.is_empty();
        let cache = options.cache.as_ref().filter(|_| !is_from_above);
        let root = tree.root.as_deref().or(options.origin.as_deref());
        let caches = FileCaches::open(cache.zip(root), tree.kind(), &languages);
        let corpus = Corpus {
            caches,
            folders: Folders::of(&tree),
            contents,
            watcher: options.watcher.clone(),
            has_goal,
            tree_facts: Default::default(),
            plan,
            languages,
            focus,
            tree,
            links,
            since,
        };
        let (mut facts, commits) = match is_from_above {
            true => (first_pass::from_above(&corpus.tree), Vec::new()),
            false => read(&corpus, &goal, options, cache),
        };
        lower(&mut facts, corpus.contents);
        if let Err(cancelled) = cancelled.check() {
            corpus.caches.save_words();
            return Err(cancelled);
        }
        Ok(Surveyed {
            imports: imports(&corpus, &facts),
            entry_points: match is_from_above {
                true => BTreeSet::new(),
                false => entry_points(&corpus, &goal),
            },
            corpus: Arc::new(corpus),
            goal: Arc::new(goal),
            facts,
            commits: Arc::new(commits),
            is_from_above,
        })
    }

    /// Surveys the same tree for these words in place of the goal; the plan keeps its goal.
    pub(crate) fn for_goal(&self, words: &str) -> Surveyed {
        self.anew(Arc::new(Goal::read(&self.corpus.since.with_names(words))))
    }

    /// Returns this survey if it has read the files, else one that does.
    pub(crate) fn with_facts(self: &Arc<Surveyed>) -> Arc<Surveyed> {
        match self.is_from_above {
            true => Arc::new(self.anew(Arc::clone(&self.goal))),
            false => Arc::clone(self),
        }
    }

    /// Returns the `n` files with the highest scores that may rise above their path; fewer if those
    /// are large, and more as long as they could not fill the budget.
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
        // Where nothing tells files apart, those of a package come before those of its parts.
        let depth = |file: usize| match &self.corpus.tree.files[file] {
            file if file.is_page() => 0,
            file => file.path.matches('/').count(),
        };
        order.sort_by_key(|file| (Reverse(worth[*file].score), depth(*file), *file));
        let (mut bytes, mut bytes_of_large) = (0, 0);
        let enough = 16 * u64::from(tokens);
        let mut rank = 0..;
        order.retain(|file| {
            let size = self.corpus.tree.files[*file].bytes.min(scan::MAX_FILE_BYTES);
            let is_large = size > LARGE;
            let is_within = rank.next().is_some_and(|at| at < n)
                && bytes < MOST_BYTES
                && !(is_large && bytes_of_large + size > MOST_BYTES / 4 * 3);
            let is_taken = is_within || bytes < enough;
            bytes += if is_taken { size } else { 0 };
            bytes_of_large += if is_taken && is_large { size } else { 0 };
            is_taken
        });
        order.sort_unstable();
        order
    }

    /// Returns the code that most of a repository is written in, if it has no outlines.
    pub(crate) fn code_without_outlines(&self) -> Option<PlainCode> {
        let (mut n_files, mut plain) = (0, BTreeMap::<String, usize>::new());
        for (file, facts) in self.corpus.tree.files.iter().zip(&self.facts) {
            let extension = file.path.rsplit_once('.').map_or("", |(_, end)| end);
            let extension = extension.to_ascii_lowercase();
            let is_source = !file.is_page() && facts.role() == Role::Source && facts.mark.is_none();
            if !is_source || !data_paths::is_code(&extension) {
                continue;
            }
            n_files += 1;
            if !self.corpus.languages.claims(&file.path) {
                *plain.entry(extension).or_default() += 1;
            }
        }
        let (extension, n_plain) = plain.into_iter().max_by_key(|(_, n)| *n)?;
        (2 * n_plain > n_files).then_some(PlainCode { extension, n_plain, n_files })
    }

    fn anew(&self, goal: Arc<Goal>) -> Surveyed {
        let Corpus { tree, caches, watcher, .. } = &*self.corpus;
        let mut facts =
            first_pass::survey(tree, &goal, &caches.words, watcher.as_ref(), &CancelToken::new());
        lower(&mut facts, self.corpus.contents);
        Surveyed {
            corpus: Arc::clone(&self.corpus),
            entry_points: entry_points(&self.corpus, &goal),
            goal,
            imports: imports(&self.corpus, &facts),
            facts,
            commits: Arc::clone(&self.commits),
            is_from_above: false,
        }
    }
}

/// Code in a language without outlines.
pub(crate) struct PlainCode {
    pub(crate) extension: String,
    /// The number of source files with that extension, and of all source files.
    pub(crate) n_plain: usize,
    pub(crate) n_files: usize,
}

/// The fewest lines of a table of contents, and their share of the page, as a fraction.
const MIN_ENTRIES: usize = 30;
const ENTRIES: (usize, usize) = (2, 3);

/// Reports whether most lines of a page are headings and items of lists.
fn is_contents(page: &FileEntry) -> bool {
    let text = scan::read_bytes(page).unwrap_or_default();
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let (mut n_entries, mut n_lines) = (0, 0);
    for line in lines.filter(|line| !line.is_empty()) {
        n_entries += usize::from(line.starts_with(b"- ") || line.starts_with(b"#"));
        n_lines += 1;
    }
    n_entries >= MIN_ENTRIES && n_entries * ENTRIES.1 >= n_lines * ENTRIES.0
}

/// Counts a table of contents as a list of the other pages: it has the words of all their titles.
fn lower(facts: &mut [FileFacts], contents: Option<usize>) {
    if let Some(facts) = contents.and_then(|at| facts.get_mut(at)) {
        facts.role = Some(Role::Listing);
    }
}

/// Returns the changes since the revision in the options.
fn since(
    tree: &Tree,
    plan: &FlightPlan,
    languages: &Languages,
    options: &Options,
) -> Result<Since> {
    let Some(revision) = &options.diff else { return Ok(Since::default()) };
    let Some(root) = &tree.root else {
        let message = "needs a folder, and these documents have none".to_owned();
        return Err(Error::Diff { revision: revision.clone(), message });
    };
    Ok(Since::of(tree, changes::since(root, revision)?, languages, plan.scan.gate()))
}

/// Returns the graph of imports and of given links.
fn imports(corpus: &Corpus, facts: &[FileFacts]) -> Graph {
    let mut graph = Graph::of_imports(&corpus.tree, facts, &corpus.caches.imports);
    let mut links: BTreeMap<usize, Vec<(u32, f64)>> = BTreeMap::new();
    for (from, to) in &corpus.links {
        // A link is as certain as an import with a single possible file.
        links.entry(*from).or_default().push((*to, 1.0));
    }
    links.into_iter().for_each(|(from, targets)| graph.add(from, targets));
    graph
}

/// The maximum depth of a path that is read for entry points; the maximum number of manifests, and
/// of sources at one depth.
const DEEPEST_ENTRY: usize = 2;
const MOST_MANIFESTS: usize = 20;
const MOST_SOURCES: usize = 300;
/// The maximum number of files at one depth that define `main` and are not just tools.
const MOST_PROGRAMS: usize = 3;

/// Returns the files in which packages and programs begin, by their text; none with a goal. Of the
/// files that define `main` they are the ones nearest to the root.
fn entry_points(corpus: &Corpus, goal: &Goal) -> BTreeSet<usize> {
    let tree = &corpus.tree;
    if !goal.is_empty() || tree.kind() == DocumentKind::Page {
        return BTreeSet::new();
    }
    let path = |at: usize| tree.files[at].path.as_str();
    let text = |at: usize| scan::read(&tree.files[at], corpus.gate()).text;
    let depth = |at: usize| path(at).matches('/').count();
    let is_manifest = |at: &usize| depth(*at) <= DEEPEST_ENTRY && entry_points::is_read(path(*at));
    let manifests = (0..tree.files.len()).filter(is_manifest).take(MOST_MANIFESTS);
    let named = manifests.flat_map(|at| entry_points::named_by(path(at), &text(at), tree));
    let programs_at = |wanted: usize| -> Vec<usize> {
        let is_near = |at: &usize| depth(*at) == wanted && entry_points::may_define_main(path(*at));
        let near: Vec<usize> = (0..tree.files.len()).filter(is_near).take(MOST_SOURCES).collect();
        let defines = |at: &usize| entry_points::defines_main(path(*at), &text(*at));
        let mut programs: Vec<usize> = near.into_par_iter().filter(defines).collect();
        // Beside `src/` lie tools, as in `utils/`.
        let is_in_src = |at: &usize| path(*at).split('/').any(|folder| folder == "src");
        if programs.iter().any(is_in_src) {
            programs.retain(is_in_src);
        }
        programs
    };
    let programs = (0..=DEEPEST_ENTRY).map(programs_at).find(|programs| !programs.is_empty());
    let programs = programs.filter(|programs| programs.len() <= MOST_PROGRAMS);
    named.chain(programs.into_iter().flatten()).collect()
}

/// Reads files and commits. git is another process and runs in parallel.
fn read(
    corpus: &Corpus,
    goal: &Goal,
    options: &Options,
    cache: Option<&Cache>,
) -> (Vec<FileFacts>, Vec<history::Commit>) {
    let Corpus { tree, caches, watcher, .. } = corpus;
    let cancelled = &options.cancel;
    let with_history = !goal.is_empty() && options.history;
    let root = tree.root.as_deref().filter(|_| with_history);
    std::thread::scope(|scope| {
        let watcher = watcher.as_ref();
        let read = move |root| history::commits(root, cache, watcher, cancelled);
        let commits = root.map(|root| scope.spawn(move || read(root)));
        let facts = first_pass::survey(tree, goal, &caches.words, watcher, cancelled);
        (facts, commits.and_then(|commits| commits.join().ok()).unwrap_or_default())
    })
}

/// Reports whether a plan makes an overview: without a goal to look up, and with no path above its
/// name. Then no file is read, and the map states only facts known without contents.
fn is_from_above(plan: &FlightPlan, goal: &Goal) -> bool {
    let is_low = |rule: &Rule| rule.level.is_none_or(|range| range.ceiling <= Level::Path);
    // The last rule that gives a path a level counts.
    let counts = plan.rules.iter().rposition(|rule| rule.path == "**" && rule.level.is_some());
    let are_low = counts.is_some_and(|from| plan.rules[from..].iter().all(is_low));
    goal.is_empty() && are_low && plan.rules.iter().all(|rule| rule.items.is_none())
}
