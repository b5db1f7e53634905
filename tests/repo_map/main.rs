//! What `repo-map` promises, one module a behaviour.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test says what went wrong by failing on the spot"
)]

mod any_input;
mod blocks;
mod bodies;
mod budget;
mod cache;
mod cli;
mod commands;
mod diff;
mod documents;
mod edits;
mod encodings;
mod examples;
mod fill;
mod first_paragraphs;
mod flags;
mod flight_plans;
mod goals;
mod hostile;
mod items_alone;
mod languages;
mod levels;
mod long_types;
mod macros;
mod mistakes;
mod outlines_of_compiled;
mod outlines_of_data;
mod outlines_of_scripts;
#[cfg(unix)]
mod outputs;
mod overviews;
mod overviews_of_languages;
mod own_languages;
mod page;
mod plan_diff;
mod plans;
mod questions;
mod regions;
mod replay;
mod roles;
mod scan;
mod secrets;
mod shell;
mod tests_of;
mod unmatched;
mod uses;
mod worth;

#[path = "../properties/maps.rs"]
mod maps;
#[path = "../properties/outlines.rs"]
mod outlines;
#[path = "../properties/packs.rs"]
mod packs;
#[path = "../properties/plan_texts.rs"]
mod plan_texts;

use repo_map::{FlightPlan, Options, RepoMap, RuleLayers};
use test_support::{Ran, Repo, Sealed, sealed};

/// A plan from its YAML, `version: 1` understood, cut off from the ignore rules of the machine that
/// runs the tests.
fn plan(yaml: &str) -> FlightPlan {
    let mut plan = FlightPlan::from_yaml("plan.yaml", &format!("version: 1\n{yaml}")).unwrap();
    plan.scan.outside = Some(Vec::new());
    plan
}

/// The map that a plan's rules give as a person's.
fn map(repo: &Repo, yaml: &str) -> RepoMap {
    fly(repo, &plan(yaml))
}

fn fly(repo: &Repo, plan: &FlightPlan) -> RepoMap {
    open(repo, plan).map(RuleLayers { person: &plan.rules, pilot: &[] }).unwrap()
}

fn open(repo: &Repo, plan: &FlightPlan) -> repo_map::Judged {
    repo_map::open(repo.path(), plan, &Options { history: false, ..Options::default() }).unwrap()
}

/// The program, with a home of its own.
fn program() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_repo-map"))
}

/// Runs the program in the repository's folder.
fn run(repo: &Repo, args: &[&str]) -> Ran {
    program().run(repo.path(), args)
}
