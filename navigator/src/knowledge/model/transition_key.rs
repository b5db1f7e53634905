//! What makes two transitions one.

use crate::knowledge::model::Transition;
use crate::knowledge::model::shared_text::SharedText;

/// What makes two transitions one: where, what, on which of many, and where to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::knowledge) struct TransitionKey {
    from_screen_id: SharedText,
    action_id: Option<SharedText>,
    label: Option<SharedText>,
    to_screen_id: SharedText,
}

impl Transition {
    /// Returns what tells the transition from others.
    pub(in crate::knowledge) fn key(&self) -> TransitionKey {
        TransitionKey {
            from_screen_id: self.from_screen_id.clone(),
            action_id: self.action_id.clone(),
            label: self.label.clone(),
            to_screen_id: self.to_screen_id.clone(),
        }
    }
}
