//! What navigator promises: the loop and its limits, what a run leaves, replay, the command line.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests write repositories and read what runs leave")]

mod any_answer;
mod bounds;
mod cli;
mod examples;
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

#[path = "../properties/answers.rs"]
mod answers;

use test_support::service;
