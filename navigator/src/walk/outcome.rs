//! What came of a step.

use serde::{Deserialize, Serialize};

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// What it is for: something changed, was opened, sent, taken or found.
    Done,
    /// It was done, and nothing that can be seen came of it.
    Nothing,
    /// What it is for was stopped without a question: a download, or what it would have sent.
    Stopped,
    /// It was not done: the result says why. The page may have changed by itself.
    #[default]
    Failed,
}

impl StepOutcome {
    /// Reports whether the step was done, and not stopped.
    pub fn is_done(self) -> bool {
        matches!(self, StepOutcome::Done | StepOutcome::Nothing)
    }

    /// Returns its name, as it is stored.
    pub fn as_str(self) -> &'static str {
        match self {
            StepOutcome::Done => "done",
            StepOutcome::Nothing => "nothing",
            StepOutcome::Stopped => "stopped",
            StepOutcome::Failed => "failed",
        }
    }
}
