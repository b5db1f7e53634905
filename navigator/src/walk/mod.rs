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
pub mod asked;
pub(crate) mod changes;
pub(crate) mod evidence;
pub mod extract;
pub mod field_rules;
pub mod first_steps;
pub(crate) mod form;
pub mod guarded;
pub(crate) mod happen;
pub mod known;
pub(crate) mod label;
pub mod limits;
pub(crate) mod literal;
pub(crate) mod marks;
pub mod observer;
pub mod offline;
pub(crate) mod operate;
pub(crate) mod phrases;
pub mod pilot;
pub(crate) mod reply;
pub mod report;
pub mod rerun;
pub mod retrace;
pub mod screen;
pub mod session;
pub mod state;
pub mod steps;
pub mod turn_report;
pub mod view;
pub mod words;
mod worth;
