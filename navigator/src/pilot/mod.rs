//! Who decides: the pilot without a model, and the one that asks a model, with the request it sends
//! and the answer it reads.

pub mod answer;
pub(crate) mod briefing;
pub(crate) mod model_pilot;
pub(crate) mod offline;
pub(crate) mod prompt;
