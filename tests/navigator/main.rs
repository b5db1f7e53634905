//! What navigator promises: the loop and its limits, what a run leaves, replay, the command line.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests write repositories and read what runs leave"
)]

mod any_answer;
mod bounds;
mod cli;
#[cfg(unix)]
mod disk;
mod examples;
#[cfg(feature = "mcp")]
mod foreign;
mod log;
#[cfg(feature = "mcp")]
mod mcp;
mod money;
mod page;
mod prompts;
mod replay;
mod runs;
mod server;
mod settings;
mod turns;
mod wires;

#[path = "../docs/programs.rs"]
mod programs;

#[path = "../properties/answers.rs"]
mod answers;

use test_support::service;
