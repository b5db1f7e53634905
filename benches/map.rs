//! A map from start to end on a generated tree: opening (walk, survey, first look, index, worth) and fitting apart.
//!
//! `cargo bench -p repo-map`; with `REPO=/path/to/a/repository` it runs on a real one as well.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs, reason = "a benchmark writes its own input")]

use std::fmt::Write;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use repo_map::{FlightPlan, Layers, Options, Repo};

/// A tree of `n` Rust files that lean on each other.
fn generated(n: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in 0..n {
        let path = folder.path().join(format!("part{}/module{file}.rs", file % 40));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut text = format!("//! Module {file}.\nuse crate::module{};\n\n", file / 2);
        for item in 0..12 {
            writeln!(text, "/// Handles session {item} of module {file}.").unwrap();
            writeln!(text, "pub fn handle_{file}_{item}(input: &str) -> Option<usize> {{\n    let found = input.find(\"{item}\")?;\n    Some(found + {file})\n}}\n").unwrap();
        }
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn plan(goal: Option<&str>) -> FlightPlan {
    FlightPlan { goal: goal.map(str::to_owned), ..FlightPlan::default() }
}

fn run(criterion: &mut Criterion, name: &str, root: &Path) {
    for (kind, goal) in [("overview", None), ("goal", Some("handle session 7 when the input is empty"))] {
        let plan = plan(goal);
        let options = Options { without_history: true, ..Options::default() };
        criterion
            .bench_function(&format!("{name}/{kind}/open"), |bench| bench.iter(|| Repo::open(root, &plan, &options).unwrap().n_files()));
        let mut repo = Repo::open(root, &plan, &options).unwrap();
        criterion.bench_function(&format!("{name}/{kind}/map"), |bench| bench.iter(|| repo.map(Layers::default()).unwrap().tokens));
    }
}

fn maps(criterion: &mut Criterion) {
    let generated = generated(1_000);
    run(criterion, "generated-1000", generated.path());
    if let Ok(real) = std::env::var("REPO") {
        run(criterion, "real", Path::new(&real));
    }
}

criterion_group! { name = benches; config = Criterion::default().sample_size(10); targets = maps }
criterion_main!(benches);
