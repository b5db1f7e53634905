//! What a model reads and writes of a terrain. Only the pilot that asks a model wants it.

use serde_json::Value;

use crate::run::pilot::Turn;
use crate::run::terrain::{ChangeOf, Terrain};
use crate::shared::Sanitized;

/// Why a part of a model's answer cannot be used: the text goes back to the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Complaint(pub String);

impl From<String> for Complaint {
    fn from(text: String) -> Complaint {
        Complaint(text)
    }
}

/// A terrain that a model can be asked about.
pub trait Briefing: Terrain + Sized {
    /// The instructions, the same in every request of a run. `{boundary}` and `{goal}` stand for
    /// themselves.
    const INSTRUCTIONS: &'static str;

    /// What a turn adds to them: `{view}`, `{map}`, `{prices}`, `{log}`, `{asked}`, `{bounds}`,
    /// `{complaints}`, `{feedback}`, `{turn}`, `{turns}`, `{tokens}`, `{budget}`, `{free}`,
    /// `{money}` and `{boundary}` stand for themselves.
    const TURN: &'static str;

    /// The JSON schema of one change in an answer.
    fn change_schema() -> Value;

    /// What a model sees in a turn, in about `tokens` at most: the map may be cut, to no more than
    /// its share.
    ///
    /// # Errors
    /// When the plan or the bounds cannot be used.
    fn view(turn: &mut Turn<'_, Self>, tokens: u32) -> Result<View, Self::Error>;

    /// The pilot's changes in force, and what became of each where that is less.
    fn in_force(turn: &mut Turn<'_, Self>) -> Vec<String>;

    /// The person's bounds, one line each.
    fn bound_lines(bounds: &Self::Plan) -> Vec<String>;

    /// A change as an answer has it.
    ///
    /// # Errors
    /// The complaint, when it cannot be used.
    fn read_change(
        &mut self,
        said: &Value,
        bounds: &Self::Plan,
    ) -> Result<ChangeOf<Self>, Complaint>;

    /// The name of a focus area as an answer has it.
    ///
    /// # Errors
    /// The complaint, when there is no such place.
    fn read_focus(&self, said: &str) -> Result<String, Complaint>;

    /// The complaint about what the bounds do not let through of a change.
    fn beyond(&self, change: &ChangeOf<Self>, bounds: &Self::Plan) -> Option<String>;
}

/// What a model sees of a terrain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The map.
    pub map: Sanitized,
    /// What changes would cost.
    pub prices: Sanitized,
    /// Both, in tokens.
    pub tokens: u32,
    /// The size of the map in it, where that is not the map itself but fitted to fewer tokens.
    pub cut_to: Option<u32>,
}
