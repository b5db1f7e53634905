//! The program: settings, the folder of a run, the terminal, the commands, and the server for
//! agents.

pub mod cli;
#[cfg(feature = "mcp")]
mod mcp;
mod recording;
mod run_folder;
mod settings;
mod terminal;
