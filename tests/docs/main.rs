//! The documentation does what it says: every command of README.md and of the pages in docs/ is run
//! here.
//!
//! Each page has a place of its own (`place.rs`): a home, the two programs first on the path, no
//! network, and the folders `reqwest`, `service` and `repo-map` in `~/code`. A page begins in the
//! first of them, but for those in [`IN_THE_CLONE`]. Blocks are run from the top to the bottom by
//! `bash -e -o pipefail`; folder, files and variables carry on from block to block.
//!
//! - `console`: lines that begin with `$ ` are commands (`> ` goes on with one), what follows is
//!   what they print on both streams, compared exactly. `…` alone on a line stands for any lines,
//!   at a line's end for any rest of it. A command may only fail where `echo $?` comes next.
//! - `sh`: must succeed; what it prints is not compared. Lines with `--model` are answered by a
//!   server on this machine.
//! - `console,norun` and `sh,norun`: not run (they install, build, or need a person), but the flags
//!   of our programs must exist.
//! - `…,file=PATH`, any language: the block is written to that file before the next block runs.
//! - `yaml` with `version: 1` is a Flight Plan and must be valid; other `yaml`, `json` and `toml`
//!   must parse.
//!
//! Workflows in docs/examples must parse, and the flags in them exist.
//!
//! `UPDATE_DOCS=1 cargo test -p repo-navigator --test docs` rewrites what the commands of `console`
//! blocks print. Where `…` stood alone between lines, the lines before and after it are kept as
//! many as they were; where it ended a line that still begins so, that line stays.
//! `DOCS_PAGE=tutorial` runs one page.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests read the documentation and run programs"
)]

mod compare;
mod flags;
mod page;
mod place;
mod programs;

// Only the part of it that answers by a function is used here.
#[allow(dead_code, reason = "the tests of navigator use the rest")]
#[path = "../navigator/server.rs"]
mod server;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use repo_map::FlightPlan;
use serde_json::Value;

use crate::page::{Block, Command, Page};
use crate::place::{Place, Template};

/// Pages whose commands are given in a clone of this repository.
const IN_THE_CLONE: [&str; 3] = ["README.md", "docs/flight-plans.md", "docs/install.md"];

/// Pages without commands of a reader: one is made from `--help`, the other is for whoever changes
/// the code.
const OTHERS: [&str; 2] = ["docs/cli.md", "docs/architecture.md"];

/// The most blocks that are not run.
const NOT_RUN: usize = 21;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The pages, README.md first.
fn pages() -> Vec<Page> {
    let mut names: Vec<String> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| format!("docs/{}", path.file_name().unwrap().to_str().unwrap()))
        .filter(|name| !OTHERS.contains(&name.as_str()))
        .collect();
    names.sort();
    names.insert(0, "README.md".to_owned());
    names.into_iter().map(|name| Page::read(&root(), name)).collect()
}

#[test]
fn commands_do_what_the_pages_say() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let only = std::env::var("DOCS_PAGE").unwrap_or_default();
    let template = Template::make(&root());
    let pages: Vec<Page> = pages().into_iter().filter(|page| page.name.contains(&only)).collect();
    assert!(!pages.is_empty(), "no page is called `{only}`");
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let said = run_page(page, &template, update);
                    wrong.lock().unwrap().extend(said);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "{}\n\n(UPDATE_DOCS=1 rewrites what commands print)",
        wrong.join("\n\n")
    );
}

/// Runs a page, and says what is not as it says.
fn run_page(page: &Page, template: &Template, update: bool) -> Vec<String> {
    if !page.blocks.iter().any(|block| block.is_run()) {
        return Vec::new();
    }
    let start = if IN_THE_CLONE.contains(&page.name.as_str()) { "repo-map" } else { "reqwest" };
    let place = Place::of(template, start);
    let mut wrong = Vec::new();
    let mut rewritten = Vec::new();
    for block in &page.blocks {
        let ran = run_block(&place, block);
        for (command, printed) in ran.as_deref().unwrap_or_default() {
            if compare::matches(&command.expected, printed) {
                continue;
            }
            if update {
                let lines = compare::rewrite(&command.expected, printed);
                rewritten.extend(block.longer_fences(&lines).into_iter().flatten());
                rewritten.push((command.lines.clone(), lines));
            } else {
                let (line, said) = compare::difference(&command.expected, printed);
                wrong.push(format!(
                    "{}:{}: `{}`: {said}",
                    page.name,
                    command.lines.start + line + 1,
                    command.text
                ));
            }
        }
        if let Err(said) = ran {
            // What comes below may need what did not happen here.
            wrong.push(format!("{}:{}: {said}", page.name, block.line));
            break;
        }
    }
    if !rewritten.is_empty() {
        fs::write(root().join(&page.name), page.with(rewritten)).unwrap();
    }
    wrong
}

/// What the commands of a block printed, where that is compared.
fn run_block(place: &Place, block: &Block) -> Result<Vec<(Command, Vec<String>)>, String> {
    if let Some(file) = block.file() {
        place.write(file, &block.text());
    } else if block.is_run() && block.language() == "sh" {
        place.run_sh(&block.text())?;
    } else if block.is_run() {
        let commands = block.commands();
        let printed = place.run_console(&commands)?;
        return Ok(commands.into_iter().zip(printed).collect());
    }
    Ok(Vec::new())
}

#[test]
fn flags_in_blocks_that_are_not_run_exist() {
    let pages = pages();
    let not_run: Vec<(&Page, &Block)> = pages
        .iter()
        .flat_map(|page| {
            page.blocks.iter().filter(|block| block.is_not_run()).map(move |block| (page, block))
        })
        .collect();
    let mut wrong = String::new();
    let mut helps = flags::Helps::default();
    for (page, block) in &not_run {
        for unknown in helps.unknown_in(&block.text()) {
            writeln!(wrong, "{}:{}: {unknown}", page.name, block.line).unwrap();
        }
    }
    for workflow in
        fs::read_dir(root().join("docs/examples")).unwrap().map(|entry| entry.unwrap().path())
    {
        let text = fs::read_to_string(&workflow).unwrap();
        let steps: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
        assert!(steps["jobs"].is_mapping(), "{} has no jobs", workflow.display());
        for unknown in helps.unknown_in(&text) {
            writeln!(wrong, "{}: {unknown}", workflow.display()).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(not_run.len() <= NOT_RUN, "{} blocks are not run", not_run.len());
}

#[test]
fn commands_are_marked_as_such() {
    for page in pages() {
        for block in &page.blocks {
            assert!(
                !["bash", "shell", "shell-session"].contains(&block.language()),
                "{}:{}: say `sh` or `console`",
                page.name,
                block.line
            );
            assert!(
                !block.language().is_empty(),
                "{}:{}: a block says what it is (or a fence is one too many)",
                page.name,
                block.line
            );
            let is_command = |line: &String| line.starts_with("$ ");
            assert!(
                block.language() == "console" || !block.lines.iter().any(is_command),
                "{}:{}: commands in a block that nothing runs",
                page.name,
                block.line
            );
        }
    }
}

#[test]
fn plans_and_settings_in_the_pages_parse() {
    let mut n_plans = 0;
    for page in pages() {
        for block in &page.blocks {
            let (text, place) = (block.text(), format!("{}:{}", page.name, block.line));
            let said = match block.language() {
                "yaml" if block.lines.iter().any(|line| line == "version: 1") => {
                    n_plans += 1;
                    FlightPlan::from_yaml(&place, &text).err().map(|error| error.to_string())
                }
                "yaml" => serde_yaml::from_str::<serde_yaml::Value>(&text)
                    .err()
                    .map(|error| error.to_string()),
                "toml" => text.parse::<toml::Table>().err().map(|error| error.to_string()),
                // One value, or one a line.
                "json" => serde_json::Deserializer::from_str(&text)
                    .into_iter::<Value>()
                    .find_map(Result::err)
                    .map(|error| error.to_string()),
                _ => None,
            };
            assert!(said.is_none(), "{place}: {}", said.unwrap_or_default());
        }
    }
    assert!(n_plans > 5, "{n_plans} plans were found");
}

#[test]
fn the_tutorial_is_about_the_version_that_is_locked() {
    let reqwest = place::folder_of_reqwest(&root());
    let folder = reqwest.file_name().unwrap().to_str().unwrap().to_owned();
    for name in ["docs/tutorial.md", "docs/quick-start.md"] {
        let text = fs::read_to_string(root().join(name)).unwrap();
        assert!(
            !text.contains("reqwest-") || text.contains(&folder),
            "{name} is not about {folder}"
        );
    }
}
