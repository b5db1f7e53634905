//! What navigator promises: the loop and its limits, what a run leaves, replay, the command line.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests write repositories and read what runs leave"
)]

mod any_answer;
mod any_import;
mod bounds;
#[cfg(unix)]
mod browser;
mod cli;
#[cfg(unix)]
mod decisions;
mod disk;
mod examples;
mod first_readings;
#[cfg(feature = "mcp")]
mod foreign;
#[cfg(all(unix, feature = "serve"))]
mod http_server;
mod knowledge;
mod knowledge_answers;
mod knowledge_files;
mod knowledge_proposals;
mod known_sites;
mod live;
mod log;
mod manual_site;
#[cfg(feature = "mcp")]
mod mcp;
mod money;
#[cfg(unix)]
mod names;
#[cfg(feature = "mcp")]
mod numbers;
mod offline_walks;
mod outputs;
mod page;
mod precedence;
mod prompts;
mod purses;
mod replay;
mod runs;
mod scripted;
mod scripted_model;
#[cfg(all(unix, feature = "serve"))]
mod serve;
#[cfg(all(unix, feature = "serve"))]
mod serve_limits;
mod server;
mod settings;
mod site_headers;
#[cfg(feature = "mcp")]
mod site_tools;
mod sites;
#[cfg(feature = "mcp")]
mod terrain;
#[cfg(feature = "mcp")]
mod tools;
mod true_views;
mod turns;
mod view_lines;
mod visits;
mod walk_pages;
mod walk_programs;
mod walk_searches;
mod walks;
mod wires;

#[path = "../properties/imports.rs"]
mod imports;
#[path = "../docs/programs.rs"]
mod programs;

#[expect(dead_code, reason = "the tests of site-map use all of it")]
#[path = "../site_map/server.rs"]
mod page_server;

#[path = "../properties/answers.rs"]
mod answers;
mod refusals;

use navigator::{Exploration, Limits, Navigator, Observer, Pilot, State, Terrain};
use test_support::service;

/// Explores a terrain from a state on.
fn explore<T: Terrain>(
    terrain: &mut T,
    state: State<T::Plan>,
    pilot: &mut dyn Pilot<T>,
    limits: &Limits,
    observer: &mut dyn Observer<T>,
) -> Result<Exploration<T>, T::Error> {
    Navigator::new(terrain)
        .from_state(state)
        .limits(limits.clone())
        .observer(observer)
        .explore(pilot)
}
