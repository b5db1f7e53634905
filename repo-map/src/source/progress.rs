//! Progress reporting and cancellation.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::{Error, Result};

/// A stage of opening or mapping a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Files are being found.
    Walk,
    /// The words of every file are being counted.
    Read,
    /// Commits are being read, beside that.
    History,
    /// The most promising files are being outlined.
    Outline,
    /// Files are being priced.
    Price,
}

impl Stage {
    /// Returns the word in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Walk => "finding",
            Stage::Read => "reading",
            Stage::History => "reading the history",
            Stage::Outline => "outlining",
            Stage::Price => "pricing",
        }
    }
}

/// The progress of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The stage.
    pub stage: Stage,
    /// The number of finished files, or of commits.
    pub done: usize,
    /// The number of those that were known from the cache.
    pub known: usize,
    /// The number of all of them; `None` until all are found. A stage has ended when all are done.
    pub of: Option<usize>,
}

/// A function that receives progress, from any thread, many times a second.
#[derive(Clone)]
pub struct ProgressSink(Arc<dyn Fn(Progress) + Send + Sync>);

impl ProgressSink {
    /// Returns a sink that calls `report`, which must be quick.
    pub fn new(report: impl Fn(Progress) + Send + Sync + 'static) -> ProgressSink {
        ProgressSink(Arc::new(report))
    }

    /// Reports progress.
    pub fn report(&self, progress: Progress) {
        (self.0)(progress);
    }
}

impl fmt::Debug for ProgressSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProgressSink")
    }
}

/// Ends a long operation from anywhere: its clones are one token. Once cancelled, it stays so.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that nothing has cancelled yet.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// Asks the operation to end soon.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Reports whether the operation should end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

/// Counts the files of a stage for a sink, if there is one.
pub(crate) struct ProgressCount<'a> {
    watcher: Option<&'a ProgressSink>,
    stage: Stage,
    of: Option<usize>,
    done: AtomicUsize,
    known: AtomicUsize,
}

/// The number of files or commits between two reports.
const STRIDE: usize = 64;

impl<'a> ProgressCount<'a> {
    pub(crate) fn new(
        watcher: Option<&'a ProgressSink>,
        stage: Stage,
        of: Option<usize>,
    ) -> ProgressCount<'a> {
        ProgressCount { watcher, stage, of, done: AtomicUsize::new(0), known: AtomicUsize::new(0) }
    }

    /// Counts one more finished file, or a commit.
    pub(crate) fn one(&self, was_known: bool) {
        self.known.fetch_add(usize::from(was_known), Ordering::Relaxed);
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        if done.is_multiple_of(STRIDE) {
            self.report(done, self.of.filter(|of| done < *of));
        }
    }

    fn report(&self, done: usize, of: Option<usize>) {
        if let Some(watcher) = self.watcher {
            watcher.report(Progress {
                stage: self.stage,
                done,
                known: self.known.load(Ordering::Relaxed),
                of,
            });
        }
    }
}

impl Drop for ProgressCount<'_> {
    /// Reports the end of the stage.
    fn drop(&mut self) {
        let done = self.done.load(Ordering::Relaxed);
        self.report(done, Some(done));
    }
}
