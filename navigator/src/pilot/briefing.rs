//! The interface between a terrain and a model: prompts, views, and changes in replies. Only the
//! model pilot uses it.

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

/// A change as it was read from an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadChange<C> {
    /// The change.
    pub change: C,
    /// How its name was read, if nothing has that name: a line for the report and the next turn.
    pub note: Option<String>,
}

impl<C> From<C> for ReadChange<C> {
    fn from(change: C) -> ReadChange<C> {
        ReadChange { change, note: None }
    }
}

/// A terrain that a model can be asked about.
pub trait Briefing: Terrain + Sized {
    /// The part of the request for one turn. `{view}`, `{changed}`, `{map}`, `{prices}`, `{more}`,
    /// `{log}`, `{found}`, `{refused}`, `{asked}`, `{bounds}`, `{complaints}`, `{feedback}`,
    /// `{turn}`, `{turns}`, `{tokens}`, `{budget}`, `{free}`, `{money}`, `{boundary}`, and of the
    /// terrain's nouns `{place}` and `{world}` are placeholders.
    const TURN: &'static str;

    /// Returns the instructions, the same in every request of a run. `{boundary}`, `{goal}` and
    /// `{more}` are placeholders.
    fn instructions(&self) -> &'static str;

    /// Returns the part of the instructions that holds only where the terrain can do more.
    fn more_instructions(&self) -> &'static str {
        ""
    }

    /// Returns the JSON schema of one change in a reply.
    fn change_schema(&self) -> Value;

    /// Returns the view of a turn, of about `tokens` tokens at most. The map may be cut to its
    /// share.
    ///
    /// # Errors
    /// If the plan or the bounds cannot be used.
    fn view(turn: &mut Turn<'_, Self>, tokens: u32) -> Result<View, Self::Error>;

    /// Returns what has a name that the pilot searches for, one line each, with prices; or the
    /// nearest names. By default nothing has a name.
    ///
    /// # Errors
    /// If the map is not of this terrain.
    fn find(_turn: &mut Turn<'_, Self>, _name: &str) -> Result<Vec<String>, Self::Error> {
        Ok(Vec::new())
    }

    /// Lists the person's bounds, one line each.
    fn bound_lines(bounds: &Self::Plan) -> Vec<String>;

    /// Reads one change of a reply. A wrong name that can mean one thing only is read as that.
    ///
    /// # Errors
    /// The complaint, if it cannot be used.
    fn read_change(
        &mut self,
        said: &Value,
        bounds: &Self::Plan,
    ) -> Result<ReadChange<ChangeOf<Self>>, Complaint>;

    /// Reads the name of a focus area in a reply.
    ///
    /// # Errors
    /// The complaint, if there is no such place.
    fn read_focus(&self, said: &str) -> Result<String, Complaint>;

    /// Returns the complaint about a change, or a part of it, that the bounds forbid.
    fn beyond(&self, change: &ChangeOf<Self>, bounds: &Self::Plan) -> Option<String>;
}

/// The view of a terrain for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The changes of the map since the turn before; empty in the first turn.
    pub changed: Sanitized,
    /// The map, or an excerpt of it.
    pub map: Sanitized,
    /// The places that matter, with their levels and the costs of possible changes.
    pub prices: Sanitized,
    /// Further lists of the terrain, each with its heading and between lines with the boundary;
    /// empty if it has none.
    pub more: Sanitized,
    /// The pilot's changes in force that `prices` does not list.
    pub asked: Vec<String>,
    /// The size of the whole view, in tokens.
    pub tokens: u32,
    /// The size of the excerpt in tokens, if the view has one in place of the map.
    pub cut_to: Option<u32>,
}
