//! What is known of a site from recordings of it: its screens, what can be done on them, and where
//! that leads. Other agents ask it; nothing here acts.

mod actions;
mod answer;
pub mod build;
mod cluster;
pub mod dialect;
pub mod evidence;
mod families;
pub mod feature;
mod foreign;
mod gap_question;
pub mod gap_walker;
pub mod gaps;
pub mod graph;
pub mod import;
pub mod known_way;
pub mod merge;
pub mod model;
mod names;
mod pattern;
pub mod places;
mod private;
mod profile;
pub mod proposal;
pub mod proposer;
pub mod query;
pub mod question;
pub mod reading;
pub mod recognise;
mod renamed;
pub mod route;
pub mod rule;
mod screens;
pub mod sighting;
pub mod template;
mod thresholds;
mod way;
