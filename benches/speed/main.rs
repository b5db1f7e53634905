//! What a map costs, stage by stage, on generated trees of two sizes: where a throughput is given,
//! cost is linear in it, and a larger tree has that of a smaller one; where none is given, all
//! trees take the same time but for what `first stage` takes of it.
//!
//! `cargo bench -p repo-map`; with `LARGE=1` on a tree of 78 000 files as well, which takes long,
//! and with `REPO=/path/to/a/repository` on a real one.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a benchmark writes its own input"
)]

mod generated;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use repo_map::cache::Cache;
use repo_map::language::{self, Language};
use repo_map::plan::Rule;
use repo_map::scan::{self, FileEntry, ScanOptions};
use repo_map::{
    FlightPlan, Gate, Judged, Level, LevelRange, Options, Replay, RuleLayers, Tokenizer, outline,
};

const GOAL: &str = "how is the session of a user decoded when a request has no cookie?";
const OTHER_GOAL: &str = "a column of the table is lost after a migration";
/// Parsers and tokenizers are given files from all over the tree, so many bytes at most: what they
/// take of a byte is the same in a tree of any size, and the largest trees would take hours.
const MOST_BYTES: u64 = 8 << 20;

fn speed(criterion: &mut Criterion) {
    let sizes = [1_000, 10_000, 78_000];
    let n_sizes = if std::env::var_os("LARGE").is_some() { 3 } else { 2 };
    for n in &sizes[..n_sizes] {
        let tree = generated::tree(*n);
        // What was written just now could change again unseen, and is not trusted by the cache.
        std::thread::sleep(Duration::from_secs(4));
        stages(criterion, &n.to_string(), tree.path());
    }
    if let Ok(real) = std::env::var("REPO") {
        stages(criterion, "real", Path::new(&real));
    }
}

fn stages(criterion: &mut Criterion, name: &str, root: &Path) {
    let files = scan::walk(root, &ScanOptions::default()).unwrap().files;
    let mut group = criterion.benchmark_group(name);
    group
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(2));
    of_files(&mut group, root, &files);
    of_repositories(&mut group, root, &files);
    group.finish();
    flat(criterion, name, root);
}

/// The stages of a single file, on one core.
fn of_files(group: &mut BenchmarkGroup<'_, WallTime>, root: &Path, files: &[FileEntry]) {
    group.throughput(Throughput::Elements(files.len() as u64));
    group.bench_function("walk", |bench| {
        bench.iter(|| scan::walk(root, &ScanOptions::default()).unwrap())
    });

    let n_bytes: u64 = files.iter().map(|file| file.bytes).sum();
    let one_in = usize::try_from(n_bytes / MOST_BYTES).unwrap() + 1;
    let files: Vec<&FileEntry> = files.iter().step_by(one_in).collect();
    group.throughput(Throughput::Bytes(files.iter().map(|file| file.bytes).sum()));
    group.bench_function("read", |bench| {
        bench.iter(|| {
            files.iter().for_each(|file| drop(black_box(scan::read(file, Gate::default()))))
        })
    });

    let texts: Vec<(Option<&'static Language>, String)> = files
        .iter()
        .map(|file| (language::of_path(&file.path), scan::read(file, Gate::default()).text))
        .collect();
    group.throughput(Throughput::Bytes(texts.iter().map(|(_, text)| text.len() as u64).sum()));
    group.bench_function("count", |bench| {
        bench.iter(|| {
            texts.iter().map(|(_, text)| u64::from(Tokenizer::default().count(text))).sum::<u64>()
        });
    });

    let sources: Vec<(&'static Language, &str)> =
        texts.iter().filter_map(|(language, text)| Some(((*language)?, text.as_str()))).collect();
    group.throughput(Throughput::Bytes(sources.iter().map(|(_, text)| text.len() as u64).sum()));
    group.bench_function("outline", |bench| {
        bench.iter(|| {
            sources
                .iter()
                .map(|(language, text)| outline::outline(language, text).items.len())
                .sum::<usize>()
        });
    });
}

/// Everything from opening a repository to its map. What reads all files is measured by bytes, what
/// reads few by files. A small tree has a lower throughput, since outlines cost it as much as a
/// large one.
fn of_repositories(group: &mut BenchmarkGroup<'_, WallTime>, root: &Path, files: &[FileEntry]) {
    group.throughput(Throughput::Bytes(files.iter().map(|file| file.bytes).sum()));
    group.bench_function("open without a cache, first stage", |bench| {
        bench.iter(|| repo_map::open(root, &paths_only(), &options(None)).unwrap());
    });
    group.bench_function("open without a cache", |bench| bench.iter(|| open(root, GOAL, None)));
    let and_keep = |folder: &tempfile::TempDir| {
        let repo = open(root, GOAL, Some(folder));
        repo.map(RuleLayers::default()).unwrap();
        repo.save_cache();
        repo
    };
    let empty = || tempfile::tempdir().unwrap();
    group.bench_function("open, map and keep", |bench| {
        bench.iter_batched(empty, |folder| (and_keep(&folder), folder), BatchSize::PerIteration);
    });

    group.throughput(Throughput::Elements(files.len() as u64));
    let folder = empty();
    let repo = and_keep(&folder);
    group.bench_function("open again", |bench| bench.iter(|| open(root, GOAL, Some(&folder))));
    group.bench_function("open again with another goal", |bench| {
        bench.iter(|| open(root, OTHER_GOAL, Some(&folder)))
    });
    group.bench_function("map", |bench| {
        bench.iter(|| repo.map(RuleLayers::default()).unwrap().tokens)
    });
    let flown = repo.map(RuleLayers::default()).unwrap().flown;
    group.bench_function("replay", |bench| {
        bench.iter(|| Replay::of(&flown).at(root).run().unwrap().outcome)
    });
}

/// What does not depend on the size of the repository: outlines are made of so many files whatever
/// their number. The cache knows of every file what the first stage asks, and no outline.
fn flat(criterion: &mut Criterion, name: &str, root: &Path) {
    let folder = tempfile::tempdir().unwrap();
    repo_map::open(root, &paths_only(), &options(Some(&folder))).unwrap().save_cache();
    let judge =
        |plan: &FlightPlan| repo_map::open(root, plan, &options(Some(&folder))).unwrap().n_files();
    criterion.bench_function(&format!("{name}/open again, first stage"), |bench| {
        bench.iter(|| judge(&paths_only()))
    });
    criterion.bench_function(&format!("{name}/open again, outlines new"), |bench| {
        bench.iter(|| judge(&plan(GOAL)))
    });
}

fn open(root: &Path, goal: &str, cache: Option<&tempfile::TempDir>) -> Judged {
    repo_map::open(root, &plan(goal), &options(cache)).unwrap()
}

fn plan(goal: &str) -> FlightPlan {
    FlightPlan { goal: Some(goal.into()), ..FlightPlan::default() }
}

/// A plan by which no file may rise to an outline, so that none is made.
fn paths_only() -> FlightPlan {
    FlightPlan { rules: vec![Rule::new("**", LevelRange::exactly(Level::Path))], ..plan(GOAL) }
}

/// Without history: git's time is git's.
fn options(cache: Option<&tempfile::TempDir>) -> Options {
    Options {
        history: false,
        cache: cache.map(|folder| Cache::at(folder.path())),
        ..Options::default()
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(2));
    targets = speed
}
criterion_main!(benches);
