//! The loop: state and decision log, deadlines and stops, the turns and their reports. It knows
//! terrains only by their trait.

pub(crate) mod action;
pub(crate) mod admission;
mod approval;
pub(crate) mod deadline;
pub mod decision_log;
pub(crate) mod explore;
pub(crate) mod observer;
pub(crate) mod pilot;
pub(crate) mod plan;
pub(crate) mod report;
pub mod state;
pub(crate) mod stop;
pub(crate) mod summary;
pub(crate) mod terrain;
pub(crate) mod text;
