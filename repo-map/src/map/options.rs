//! What a caller sets besides the plan.

use crate::source::cache::Cache;
use crate::source::progress::{CancelToken, ProgressSink};
use crate::source::scan::FileId;

/// How to open a repository, besides its plan.
#[derive(Debug, Clone)]
pub struct Options {
    /// Globs of paths to attend to first.
    pub focus: Vec<String>,
    /// A revision: what changed since then, what leans on that and what it leans on is worth most.
    pub diff: Option<String>,
    /// Score files without the words of the plan's goal.
    pub without_goal: bool,
    /// Ask git what earlier commits say.
    pub history: bool,
    /// Files that are no part of the repository (outputs, the plan), besides those the plan names.
    pub ignored: Vec<String>,
    /// The file that standard output goes to, when it is one: it may lie in the tree.
    pub stdout: Option<FileId>,
    /// Keeps what was found out about files between runs; without one nothing is kept. Maps are
    /// the same either way.
    pub cache: Option<Cache>,
    /// Receives the progress of a long run.
    pub watcher: Option<ProgressSink>,
    /// Ends the opening soon, with an error.
    pub cancel: CancelToken,
}

impl Default for Options {
    /// History is asked for; there is neither a cache nor anything else.
    fn default() -> Options {
        Options {
            focus: Vec::new(),
            diff: None,
            without_goal: false,
            history: true,
            ignored: Vec::new(),
            stdout: None,
            cache: None,
            watcher: None,
            cancel: CancelToken::new(),
        }
    }
}
