//! A browser behind a guard: Chromium as a child process, driven by DevTools over a pipe.
//!
//! ```text
//! process ─► protocol ─► targets ─► guard ─► sessions (tabs, frames) ─► snapshot ─► marked text
//! ```
//!
//! The process dies with this one. Every call has a deadline: a page that hangs or crashes is a
//! step that failed, a browser that does is the end of the run.

pub(crate) mod devtools_message;
pub mod error;
pub mod events;
mod flags;
pub mod guard;
pub mod launch;
pub mod process;
#[cfg(any(test, fuzzing))]
pub mod properties;
pub mod protocol;
pub mod secrets;
pub mod session;
pub(crate) mod snapshot;
pub mod targets;
