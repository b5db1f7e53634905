//! The program: settings, run folders, sources, the terminal, the commands, and the server for
//! agents.

pub mod cli;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod run_folder;
#[cfg(feature = "store")]
mod run_purse;
mod settings;
pub(crate) mod source;
mod terminal;
