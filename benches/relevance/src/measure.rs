//! One instance → what our ranking and our maps are worth for it, and what others would be.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use repo_map::outline::ItemKind;
use repo_map::worth::FileScore;
use repo_map::{FileReport, FlightPlan, Judged, Level, Options, RankedItem, RepoMap, RuleLayers};

use crate::answers::{Parts, RankedAnswer};
use crate::bm25::{self, Bm25};
use crate::checkout;
use crate::instance::Instance;
use crate::pack::{self, Sizes};
use crate::score::{AtBudget, GoldPlaces, InstanceOutcome, N_RANKED, Share, function_name};

/// How many files in the order of BM25 are tried before a budget counts as full.
const N_PACKED: usize = 100;

/// What is measured.
#[derive(Debug, Clone)]
pub(crate) struct BenchTask {
    /// Budgets in tokens, ascending.
    pub(crate) budgets: Vec<u32>,
    pub(crate) with_history: bool,
    /// Rank, and make no map.
    pub(crate) rank_only: bool,
}

/// What one instance gave.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) outcome: InstanceOutcome,
    pub(crate) answer: RankedAnswer,
    pub(crate) parts: Parts,
}

/// Measures an instance in its tree.
pub(crate) fn measure(
    instance: &Instance,
    root: &Path,
    task: &BenchTask,
    sizes: &mut Sizes,
) -> Result<Measured> {
    let clock = Stopwatch::start();
    let repo = open(instance, root, task)?;
    let ranking = repo.ranking();
    let ranking_ms = clock.ms();
    let files: Vec<String> =
        ranking.iter().take(N_RANKED).map(|(path, _)| (*path).to_owned()).collect();
    let functions = functions(&repo);
    let parts = Parts::of(instance, &ranking);
    let near = near(&repo, instance);
    let bm25 = bm25_ranking(instance, root, &ranking);

    // The largest map first: it is the one that is timed, and the others find their files parsed.
    let clock = Stopwatch::start();
    let mut map_ms = 0;
    let mut maps = Vec::new();
    for budget in task.budgets.iter().rev().filter(|_| !task.rank_only) {
        maps.push(repo.map_within(RuleLayers::default(), *budget)?);
        if maps.len() == 1 {
            map_ms = clock.ms();
        }
    }
    let spans = maps.first().map(shown_lines).unwrap_or_default();
    maps.reverse();
    let others =
        if maps.is_empty() { Others::default() } else { Others::of(instance, root, &bm25, sizes) };
    let budgets = maps.iter().map(|map| at_budget(instance, map, &near, &others)).collect();

    let outcome = InstanceOutcome {
        instance_id: instance.instance_id.clone(),
        with_history: task.with_history,
        files: GoldPlaces::of(
            instance.gold_files.iter().map(String::as_str),
            files.iter().map(String::as_str),
        ),
        functions: function_places(instance, &functions),
        bm25: GoldPlaces::of(
            instance.gold_files.iter().map(String::as_str),
            bm25.iter().map(String::as_str),
        ),
        ranking_ms,
        map_ms: ranking_ms + map_ms,
        budgets,
    };
    let seconds = f64::from(outcome.map_ms) / 1_000.0;
    let answer = RankedAnswer {
        instance_id: instance.instance_id.clone(),
        files,
        functions,
        spans,
        seconds,
    };
    Ok(Measured { outcome, answer, parts })
}

fn open(instance: &Instance, root: &Path, task: &BenchTask) -> Result<Judged> {
    let mut plan =
        FlightPlan { goal: Some(instance.goal.as_str().into()), ..FlightPlan::default() };
    plan.context.tokens = task.budgets.last().copied().unwrap_or(plan.context.tokens);
    // The ignore rules of this machine are no part of the instance.
    plan.scan.outside = Some(Vec::new());
    let options = Options { history: task.with_history, ..Options::default() };
    repo_map::open(root, &plan, &options).with_context(|| format!("cannot open {}", root.display()))
}

/// The functions of our ranking in the notation of the gold, without repetitions.
fn functions(repo: &Judged) -> Vec<String> {
    let is_function = |kind: ItemKind| {
        matches!(
            kind,
            ItemKind::Function | ItemKind::Method | ItemKind::Constructor | ItemKind::Property
        )
    };
    let ranking = repo.item_ranking();
    let rooms = ranking
        .iter()
        .filter(|ranked| matches!(ranked.item.kind, ItemKind::Module | ItemKind::Namespace));
    let rooms: BTreeSet<(&str, &str)> =
        rooms.map(|ranked| (ranked.path, ranked.item.qualified.as_str())).collect();
    let name = |ranked: &RankedItem<'_>| {
        let name =
            without_room(&ranked.item.qualified, |room| rooms.contains(&(ranked.path, room)));
        format!("{}:{}", ranked.path, name.replace("::", "."))
    };
    let mut seen = BTreeSet::new();
    let names = ranking.iter().filter(|ranked| is_function(ranked.item.kind)).map(name);
    names.filter(|name| seen.insert(name.clone())).take(N_RANKED).collect()
}

/// A qualified name within its module or namespace: the gold does not name those.
fn without_room(qualified: &str, is_room: impl Fn(&str) -> bool) -> &str {
    let cuts = qualified.match_indices("::").chain(qualified.match_indices('.'));
    let rooms = cuts.filter(|(at, _)| is_room(&qualified[..*at]));
    rooms
        .map(|(at, separator)| &qualified[at + separator.len()..])
        .min_by_key(|rest| rest.len())
        .unwrap_or(qualified)
}

fn function_places(instance: &Instance, functions: &[String]) -> GoldPlaces {
    let gold: BTreeSet<&str> =
        instance.gold_functions.iter().map(|name| function_name(name)).collect();
    GoldPlaces::of(gold, functions.iter().map(|name| function_name(name)))
}

/// The gold files and the files one edge away from any.
fn near(repo: &Judged, instance: &Instance) -> BTreeSet<String> {
    let neighbours =
        instance.gold_files.iter().flat_map(|file| repo.neighbours(file)).map(str::to_owned);
    neighbours.chain(instance.gold_files.iter().cloned()).collect()
}

fn bm25_ranking(instance: &Instance, root: &Path, ranking: &[(&str, &FileScore)]) -> Vec<String> {
    let mut bm25 = Bm25::of_goal(&instance.goal);
    let candidates = ranking
        .iter()
        .map(|(path, _)| path)
        .filter(|path| bm25::is_candidate(path, &instance.language));
    for (path, text) in candidates.filter_map(|path| Some((path, checkout::text(root, path)?))) {
        bm25.add(path, &text);
    }
    bm25.ranking().into_iter().take(N_RANKED).map(str::to_owned).collect()
}

/// Whole files in the order they are packed in, with their sizes.
#[derive(Debug, Default)]
struct Others {
    bm25: Vec<(String, u32)>,
    oracle: Vec<(String, u32)>,
}

impl Others {
    fn of(instance: &Instance, root: &Path, bm25: &[String], sizes: &mut Sizes) -> Others {
        let mut sized =
            |path: &String| Some((path.clone(), sizes.of(&checkout::text(root, path)?)));
        let bm25 = bm25.iter().take(N_PACKED).filter_map(&mut sized).collect();
        let mut oracle: Vec<(String, u32)> = instance.gold_files.iter().filter_map(sized).collect();
        oracle.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
        Others { bm25, oracle }
    }
}

fn at_budget(
    instance: &Instance,
    map: &RepoMap,
    near: &BTreeSet<String>,
    others: &Others,
) -> AtBudget {
    let files: BTreeMap<&str, &FileReport> =
        map.files.iter().map(|file| (file.path.as_str(), file)).collect();
    let names_items = |path: &String| {
        files
            .get(path.as_str())
            .is_some_and(|file| file.level >= Level::Outline || !file.items.is_empty())
    };
    let shows =
        |path: &str, lines: (u32, u32)| files.get(path).is_some_and(|file| shows(file, lines));
    let functions = instance
        .gold_function_spans
        .iter()
        .map(|(name, lines)| shows(name.split(':').next().unwrap_or(name), *lines));
    let edits = instance
        .gold_edits
        .iter()
        .flat_map(|(path, edits)| edits.iter().map(move |lines| shows(path, *lines)));
    let in_depth: Vec<&FileReport> = map.files.iter().filter(|file| is_in_depth(file)).collect();
    let packed = |files: &[(String, u32)]| {
        let files: Vec<(&str, u32)> =
            files.iter().map(|(path, tokens)| (path.as_str(), *tokens)).collect();
        pack::held(instance, &pack::pack(&files, map.budget))
    };
    AtBudget {
        tokens: map.budget,
        used: map.tokens,
        files: Share::of(instance.gold_files.iter().map(names_items)),
        functions: Share::of(functions),
        edits: Share::of(edits),
        precision: Share::of(in_depth.iter().map(|file| instance.gold_files.contains(&file.path))),
        nearness: Share::of(in_depth.iter().map(|file| near.contains(&file.path))),
        bm25: packed(&others.bm25),
        oracle: packed(&others.oracle),
    }
}

/// Whether a map shows these lines of a file whole, bodies and all. An edit at the end of a file
/// names a line after its last.
fn shows(file: &FileReport, lines: (u32, u32)) -> bool {
    file.level == Level::Full
        || file.spans.iter().any(|span| span.0 <= lines.0 && lines.1 <= span.1)
}

/// Whether a map shows a signature of a file, or more.
fn is_in_depth(file: &FileReport) -> bool {
    file.level >= Level::Interface || file.items.iter().any(|item| item.level >= Level::Interface)
}

/// Every line that a map shows, of the file of greatest worth first.
fn shown_lines(map: &RepoMap) -> Vec<(String, u32, u32)> {
    let mut files: Vec<&FileReport> = map.files.iter().collect();
    files.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.path.cmp(&b.path)));
    files
        .iter()
        .flat_map(|file| file.spans.iter().map(|(first, last)| (file.path.clone(), *first, *last)))
        .collect()
}

/// Time that passes: part of what is measured.
struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "a benchmark takes the time")]
    fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    fn ms(&self) -> u32 {
        self.0.elapsed().as_millis() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_namespaces_are_no_part_of_a_functions_name() {
        let rooms = ["fmt", "fmt::detail", "tests"];
        let name = |qualified| without_room(qualified, |room| rooms.contains(&room));
        assert_eq!(name("fmt::detail::writer::write"), "writer::write");
        assert_eq!(["tests::quick", "tests", "a.fmt.b"].map(name), ["quick", "tests", "a.fmt.b"]);
    }
}
