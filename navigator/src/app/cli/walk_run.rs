//! The folder of a walk, and the request that it keeps.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::app::run_folder::RunFolder;
use crate::app::source::site::SiteFlags;
use crate::walk::state::WalkState;

/// The folder of a walk.
pub(super) type WalkRun = RunFolder<WalkRequest, WalkState>;

/// The request of a walk, with everything needed to resume and to replay it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct WalkRequest {
    /// What the person named: an address, a recording, or `file://FOLDER`.
    pub(super) site: PathBuf,
    /// The first page, where the person named it apart from the site.
    pub(super) start: Option<String>,
    /// The goal.
    pub(super) goal: String,
    /// The maximum number of steps.
    pub(super) max_steps: u32,
    /// The maximum size of the view of a page, in tokens.
    pub(super) view_tokens: u32,
    /// The pages are live, in a browser.
    #[serde(default)]
    pub(super) is_in_browser: bool,
    /// The limits of a server.
    pub(super) server: SiteFlags,
    /// The settings in force.
    pub(super) settings: BTreeMap<String, String>,
}
