//! What is known of a site from recordings of it: its screens, what can be done on them, and where
//! that leads. Other agents ask it; nothing here acts.

pub mod ask;
pub mod build;
pub mod dialect;
pub mod evidence;
pub mod gaps;
pub mod import;
pub mod merge;
pub mod model;
pub mod recognise;
pub mod walks;
