//! A context for whoever reviews what changed since a revision, and a list of what it leaves out.
//!
//! `cargo run -p repo-map --example review -- REVISION [FOLDER]`

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "an example takes arguments and prints what it made"
)]

use std::path::{Path, PathBuf};

use repo_map::{FileReport, FlightPlan, Level, Options, RepoMap, Result, RuleLayers};

/// The map for a review, and what a reviewer has to be told besides: paths that are gone are in no
/// map.
pub(crate) fn context(
    folder: &Path,
    revision: &str,
    tokens: u32,
) -> Result<(RepoMap, Vec<String>)> {
    let mut plan = FlightPlan {
        goal: Some(format!("review what changed since {revision}").into()),
        ..FlightPlan::default()
    };
    plan.context.tokens = tokens;
    let options = Options { diff: Some(revision.to_owned()), ..Options::default() };
    let repo = repo_map::open(folder, &plan, &options)?;
    let map = repo.map(RuleLayers::default())?;
    let changed = repo.changed().unwrap_or_default();
    let n_changed = changed.n_files;
    let mut notes = vec![format!("changed: {n_changed}, tokens: {} of {}", map.tokens, map.budget)];
    notes.extend(changed.gone.iter().map(|path| format!("gone: {path}")));
    notes.extend(left_out(&map.files));
    Ok((map, notes))
}

/// What speaks for a file and is not shown of it: the files a reviewer may have to open, most
/// promising first.
fn left_out(files: &[FileReport]) -> Vec<String> {
    let mut out: Vec<&FileReport> =
        files.iter().filter(|file| file.worth > 0 && file.level < Level::Interface).collect();
    out.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.path.cmp(&b.path)));
    let line = |file: &FileReport| match file.items.len() {
        0 => format!("left out: {} ({})", file.path, file.level),
        n => format!("left out: {} ({}, {n} of its items are shown)", file.path, file.level),
    };
    out.into_iter().map(line).collect()
}

fn main() -> Result<()> {
    let mut args = std::env::args_os().skip(1);
    let revision = args
        .next()
        .map_or_else(|| "HEAD".to_owned(), |revision| revision.to_string_lossy().into_owned());
    let folder = args.next().map_or_else(|| PathBuf::from("."), PathBuf::from);
    let (map, notes) = context(&folder, &revision, 8_000)?;
    print!("{}", map.text);
    notes.iter().for_each(|note| eprintln!("{note}"));
    Ok(())
}
