//! The program: settings, run folders, the terminal, the commands, and the server for agents.

pub mod cli;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod run_folder;
mod settings;
mod terminal;
