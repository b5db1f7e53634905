//! A Model Context Protocol server: tools for agents and editors.
//!
//! This room and `serve` have the only async code. It implements the protocol: results, progress
//! and cancellation. All work is done in `work`, in threads that may block.

mod answer;
mod call;
mod explained;
mod explorer;
mod handler;
mod known;
mod lines;
mod missing;
mod named;
mod plans;
mod sites;
mod stdio;
mod toolbox;
mod tools;
mod watch;
mod work;

#[cfg(feature = "serve")]
pub(crate) use answer::ToolAnswer;
pub(crate) use explorer::CallSite;
pub use explorer::{CallFound, CallSpend, Explorer, Offline};
#[cfg(feature = "serve")]
pub(crate) use handler::{CallRunner, McpServer};
pub(crate) use known::KnownSites;
pub(crate) use sites::Sites;
pub(crate) use stdio::serve;
#[cfg(feature = "serve")]
pub(crate) use toolbox::{NamedCall, Toolbox};
#[cfg(feature = "serve")]
pub(crate) use tools::answers_in_json;
pub use watch::Watch;
pub(crate) use work::Tools;

/// The reason why a call fails, with the way out.
#[derive(Debug)]
pub(crate) struct CallRefused(String);

/// Errors of the work are reported with all their causes.
impl<E: Into<anyhow::Error>> From<E> for CallRefused {
    fn from(error: E) -> CallRefused {
        CallRefused(format!("{:#}", error.into()))
    }
}

/// The number of calls that run at once: each uses all processors, and may hold the index of a
/// whole repository.
pub(crate) const AT_ONCE: usize = 2;
