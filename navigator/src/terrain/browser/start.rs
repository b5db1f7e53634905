//! What a walk in a browser begins with.

use std::collections::BTreeSet;
use std::path::PathBuf;

use site_map::source::recording::RecordingWriter;
use url::Url;

use crate::walk::words::WarningWords;

/// What a walk in a browser begins with.
#[derive(Debug)]
pub struct BrowserWalk {
    /// The address of the first page.
    pub start: Url,
    /// The hosts that the person named beside that of the first page.
    pub named_hosts: BTreeSet<String>,
    /// The words of names that the person is asked about before such a control is pressed.
    pub words: WarningWords,
    /// The files that the person named: a page gets no other.
    pub files: Vec<PathBuf>,
    /// Where the screens are recorded.
    pub recording: Option<RecordingWriter>,
}
