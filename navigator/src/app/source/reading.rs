//! A site that was read from its server for one call, with its recording in a temporary folder.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use tempfile::TempDir;

use super::documents::{Documents, RunSource};
use super::site::{ReadingRequest, SiteFlags, SiteReport};
use crate::app::run_folder::RECORDING;
use crate::run::deadline::Deadline;

/// A site that was read from its server.
#[derive(Debug)]
pub struct SiteReading {
    /// The address.
    pub(crate) source: RunSource,
    /// What came of it.
    pub(crate) report: SiteReport,
    folder: TempDir,
    deadline: Deadline,
}

impl SiteReading {
    /// Reads the pages that promise most for a goal, from the origin of the address alone.
    ///
    /// # Errors
    /// If the first page cannot be read, or the recording not written.
    pub(crate) fn of(
        source: RunSource,
        goal: &str,
        flags: &SiteFlags,
        deadline: Deadline,
        progress: impl Fn(String),
    ) -> Result<SiteReading> {
        let folder = tempfile::tempdir()?;
        let address = source.place().display().to_string();
        let request =
            ReadingRequest { address: &address, goal, is_confined: true, keeps_back: false };
        let recording = folder.path().join(RECORDING);
        let (report, _) = flags.record(&request, &deadline, &recording, |step| {
            let (pages, queued, requests) = (step.n_pages, step.n_queued, step.n_requests);
            progress(format!("{requests} requests: {pages} pages, {queued} known from links"));
        })?;
        Ok(SiteReading { source, report, folder, deadline })
    }

    /// Returns the file with the answers of the server.
    pub(crate) fn recording(&self) -> PathBuf {
        self.folder.path().join(RECORDING)
    }

    /// Returns the remaining time of the call; `None` without a limit.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.deadline.left()
    }

    /// Reads the pages of the recording.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn documents(&self) -> Result<Documents> {
        RunSource::Recording(self.recording()).documents(None)
    }
}
