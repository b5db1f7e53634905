//! A plan as data: what a pilot changes of a terrain's map, and one change of it.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What pilot and person chose. It is kept in the state and in the decision log.
pub trait Plan: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned {
    /// One change, logged whole.
    type Change: Change;

    /// Takes the changes of one answer in. Pure: the log rebuilds a plan by it.
    fn take(&mut self, changes: &[Self::Change]);

    /// Whether a change would change nothing.
    fn holds(&self, change: &Self::Change) -> bool;

    /// The places that it opens by name.
    fn opened(&self) -> Vec<String>;

    /// What it says that an earlier one did not, by name.
    fn added_since(&self, earlier: &Self) -> Vec<String>;
}

/// One change of a plan.
pub trait Change: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned {
    /// What it is about, as reports name it.
    fn name(&self) -> String;

    /// Whether another change is about the same place.
    fn is_about_same(&self, other: &Self) -> bool;

    /// Whether another change does the same, whatever its reason.
    fn does_same(&self, other: &Self) -> bool;

    /// The place that it asks to be shown at an exact level, with its reason.
    fn asks_for(&self) -> Option<(String, String)>;

    /// Whether it says exactly what comes of it, so that a map without a difference is worth a
    /// complaint.
    fn is_exact(&self) -> bool;
}
