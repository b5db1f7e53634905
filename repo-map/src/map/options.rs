//! The options of a caller besides the plan.

use std::path::PathBuf;

use crate::source::cache::Cache;
use crate::source::progress::{CancelToken, ProgressSink};
use crate::source::scan::FileId;

/// Options for opening a repository, besides its plan.
#[derive(Debug, Clone)]
pub struct Options {
    /// Globs of paths that the caller considers most relevant.
    pub focus: Vec<String>,
    /// A revision: files changed since then score highest, with those they depend on and those that
    /// depend on them.
    pub diff: Option<String>,
    /// Score files without the words of the plan's goal.
    pub without_goal: bool,
    /// Use commit history from git as evidence.
    pub history: bool,
    /// Files that are not part of the repository (outputs, the plan), besides those the plan names.
    pub ignored: Vec<String>,
    /// The file behind standard output, if it is one: it may lie in the tree.
    pub stdout: Option<FileId>,
    /// Stores results about files between runs; `None` stores nothing. Maps are the same either
    /// way.
    pub cache: Option<Cache>,
    /// The folder or file that documents in memory were made of: the cache finds their results by
    /// it, and keeps none without it.
    pub origin: Option<PathBuf>,
    /// Receives the progress of a long run.
    pub watcher: Option<ProgressSink>,
    /// Cancels the opening, which then returns an error.
    pub cancel: CancelToken,
}

impl Default for Options {
    /// Returns options with history, and without a cache or any other option.
    fn default() -> Options {
        Options {
            focus: Vec::new(),
            diff: None,
            without_goal: false,
            history: true,
            ignored: Vec::new(),
            stdout: None,
            cache: None,
            origin: None,
            watcher: None,
            cancel: CancelToken::new(),
        }
    }
}
