//! The loop: state and decision log, deadlines and stops, one turn after the other, and what is
//! reported of them.

pub(crate) mod action;
pub(crate) mod deadline;
pub mod decision_log;
pub(crate) mod explore;
pub(crate) mod navigator;
pub(crate) mod pilot;
pub(crate) mod report;
pub mod state;
pub(crate) mod stop;
