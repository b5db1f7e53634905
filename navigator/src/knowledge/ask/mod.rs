//! What other agents ask of a knowledge, and what they are told. Nothing here acts.

mod answer;
mod context;
mod gap_answer;
pub mod graph;
pub mod query;
pub mod question;
pub mod route;
mod step_cost;
