//! Who decides: the pilot without a model, and the one that asks a model, with the view it sees and
//! the answer it gives.

pub mod answer;
pub(crate) mod model_pilot;
pub(crate) mod offline;
pub(crate) mod prompt;
pub(crate) mod view;
