//! From snapshots of a live page to text that needs no browser: HTML without scripts, styles and
//! hidden text, in which each control is marked, and what is known of the controls.
//!
//! ```text
//! DOMSnapshot of each frame ─► Dom ─► Layout ─► controls ─► HTML with marks ─► Response
//!                              one tree  what is seen
//! ```
//!
//! Pure functions: the same snapshots give the same bytes. The response is what a run records; a
//! replay reads it as it reads any other page.

mod captured;
mod control;
mod controls;
mod dom;
mod facts;
mod forms;
mod html;
mod layout;
mod looks;
mod masked;
mod names;
mod page;
mod roles;
mod rows;
#[cfg(test)]
mod tests;

pub(crate) use captured::PageSnapshot;
pub(crate) use control::{ControlPlace, ControlRole, ControlState, PageControl};
pub(crate) use dom::{FrameCapture, STYLES};
pub(crate) use facts::{LiveForm, ScreenFacts};
pub(crate) use page::ScreenPage;
