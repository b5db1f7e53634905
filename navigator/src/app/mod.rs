//! The program: settings, run folders, sources, the terminal, the commands, and the servers for
//! agents.

pub mod cli;
#[cfg(feature = "mcp")]
pub(crate) mod mcp;
pub(crate) mod run_folder;
#[cfg(feature = "store")]
mod run_purse;
#[cfg(feature = "serve")]
pub(crate) mod serve;
mod settings;
pub(crate) mod source;
mod terminal;
