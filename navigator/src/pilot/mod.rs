//! The pilots: the offline pilot, and the model pilot with its requests and replies.

pub mod answer;
pub(crate) mod briefing;
pub(crate) mod caller;
pub(crate) mod model_pilot;
pub(crate) mod offline;
pub(crate) mod prompt;
