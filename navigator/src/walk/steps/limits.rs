//! Limits of a walk.

use std::time::Duration;

use crate::money::effect::{Permit, ResourceLimits};
use crate::shared::CancelToken;
use crate::walk::pilot::view::VIEW_TOKENS;

/// The most steps of a walk, where nothing else is set.
pub const DEFAULT_STEPS: u32 = 15;

/// Limits that end a walk before its pilot does.
#[derive(Debug, Clone)]
pub struct WalkLimits {
    /// The maximum number of steps: clicks, ways back, opened addresses, searches, extracts.
    pub steps: u32,
    /// The maximum number of turns: an answer that cannot be used is one without a step.
    pub turns: u32,
    /// The maximum size of the view of a page, in tokens.
    pub view_tokens: u32,
    /// The maximum time.
    pub time: Option<Duration>,
    /// Ends the walk at once, with what was extracted.
    pub cancel: CancelToken,
    /// Limits of requests and bytes.
    pub resources: ResourceLimits,
    /// Effects that happen without a question.
    pub allow: Vec<Permit>,
}

impl Default for WalkLimits {
    fn default() -> Self {
        WalkLimits {
            steps: DEFAULT_STEPS,
            turns: 2 * DEFAULT_STEPS,
            view_tokens: VIEW_TOKENS,
            time: None,
            cancel: CancelToken::new(),
            resources: ResourceLimits::default(),
            allow: Vec::new(),
        }
    }
}
