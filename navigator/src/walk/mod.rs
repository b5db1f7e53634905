//! Walks: one page at a time, with no memory but the path.
//!
//! ```text
//! session ─► screen ─► view ─► pilot ─► actions ─► session
//!    └──────────── state: path with results, extracts ────┘
//! ```
//!
//! A session is the world (a site over HTTP, a recording, a browser). A pilot sees the screen
//! and the state, and decides. What a walk delivers are extracts: slices of pages, never words of
//! the pilot.

pub mod action;
mod confidence;
pub mod extract;
pub mod guarded;
pub mod known;
mod letters;
mod noun_words;
pub mod outcome;
pub mod pilot;
pub mod report;
pub mod rerun;
pub mod screen;
pub mod session;
pub mod state;
mod statements;
pub mod steps;
pub mod words;
