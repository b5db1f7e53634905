//! The folder of a run that asked a model for proposals: what was asked, and what came of it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use repo_map::Sanitized;
use serde::{Deserialize, Serialize};

use crate::app::run_folder::{RunFolder, RunState};
use crate::knowledge::model::InferredTransition;
use crate::money::versioned;

/// The format version of a stored state.
const VERSION: u32 = 1;

/// The folder of a run that asked for proposals.
pub(in crate::app::cli) type ProposalRun = RunFolder<ProposalRequest, ProposalState>;

/// What a model was asked about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::app::cli) struct ProposalRequest {
    /// The file of the knowledge.
    pub(in crate::app::cli) knowledge: PathBuf,
    /// The settings in force.
    pub(in crate::app::cli) settings: BTreeMap<String, String>,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(in crate::app::cli) struct ProposalState {
    /// The number of requests.
    pub(in crate::app::cli) turns: u32,
    /// The proposals that count.
    pub(in crate::app::cli) proposed: Vec<InferredTransition>,
    /// Why others do not.
    pub(in crate::app::cli) refused: Vec<String>,
    /// Why it ended; `None` while it runs.
    pub(in crate::app::cli) ended: Option<String>,
}

impl RunState for ProposalState {
    fn to_json(&self) -> Sanitized {
        versioned::to_json(VERSION, self)
    }

    fn from_json(text: &str) -> Result<ProposalState, String> {
        versioned::from_json(VERSION, text)
    }

    fn log_lines(&self) -> Sanitized {
        Sanitized::json_lines(&self.proposed).expect("proposals are plain data")
    }

    fn has_ended(&self) -> bool {
        self.ended.is_some()
    }
}
