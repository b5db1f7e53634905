//! The first reading of a site: what its server answers is in the run's folder at once, so that a
//! run that is killed meanwhile goes on with it.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use repo_map::plan::Rule;
use site_map::source::http::crawl_report::CrawlStep;
use site_map::source::recording::{Recording, RecordingWriter};

use super::listing::{DocumentRun, RunRequest};
use super::progress::Tell;
use crate::app::run_folder::RECORDING;
use crate::app::source::documents::RunSource;
use crate::money::effect::Resources;
use crate::run::state::State;
use crate::terrain::repo;
use crate::terrain::site::DocumentPlan;

/// A first reading that is kept in the folder of its run. The run begins there with its first page,
/// so that one without a page leaves an earlier run in the folder.
pub(super) struct FirstReading<'a> {
    folder: Option<&'a DocumentRun>,
    asked: RunRequest,
    state: State<DocumentPlan>,
    writer: Option<RecordingWriter>,
    is_resumed: bool,
    may_be_lost: bool,
}

impl<'a> FirstReading<'a> {
    /// Prepares to keep the reading of a request, with the person's rules. A folder that has the
    /// beginning of it is resumed.
    ///
    /// # Errors
    /// If the recording in the folder cannot be used.
    pub(super) fn of(
        folder: Option<&'a DocumentRun>,
        (asked, bounds): (RunRequest, Vec<Rule>),
        (is_resumed, may_be_lost): (bool, bool),
    ) -> Result<FirstReading<'a>> {
        let recording = folder.filter(|_| is_resumed).map(|folder| folder.path.join(RECORDING));
        Ok(FirstReading {
            folder,
            asked,
            state: State::first(DocumentPlan(bounds), DocumentPlan(repo::overview_rules())),
            writer: recording.map(|file| RecordingWriter::resume(&file)).transpose()?,
            is_resumed,
            may_be_lost,
        })
    }

    /// Returns the recording that the reading goes on after.
    pub(super) fn before(&self) -> Option<PathBuf> {
        let folder = self.folder.filter(|_| self.is_resumed)?;
        Some(folder.path.join(RECORDING))
    }

    /// Reports whether the run is in its folder.
    pub(super) fn has_begun(&self) -> bool {
        self.writer.is_some()
    }

    /// Keeps what the server answered in a step.
    ///
    /// # Errors
    /// If it cannot be written, and the run must not be lost.
    pub(super) fn keep(&mut self, step: &CrawlStep<'_>, tell: Tell) -> Result<()> {
        let kept = self.write(step);
        if tell.kept(self.may_be_lost, kept)?.is_none() {
            // It is tried again with the first turn.
            (self.folder, self.writer) = (None, None);
        }
        Ok(())
    }

    fn write(&mut self, step: &CrawlStep<'_>) -> Result<()> {
        let Some(folder) = self.folder else { return Ok(()) };
        if self.writer.is_none() {
            if step.failure.is_some() || step.n_pages == 0 {
                return Ok(());
            }
            folder.begin(&self.asked, &self.state, None, true)?;
            self.writer = Some(RecordingWriter::create(&folder.path.join(RECORDING))?);
        }
        for answer in step.answers {
            self.writer.iter_mut().try_for_each(|writer| writer.append(answer))?;
        }
        Ok(())
    }
}

/// What a first reading left that was cut off.
pub(super) struct CutReading {
    /// The address, as it was asked: a stored request has it as people read it.
    pub(super) source: RunSource,
    /// The requests that were answered.
    pub(super) used: Resources,
}

impl CutReading {
    /// Reads it from the folder of its run.
    ///
    /// # Errors
    /// If the recording cannot be read, or has no page.
    pub(super) fn of(folder: &Path) -> Result<CutReading> {
        let recording = Recording::open(&folder.join(RECORDING))?;
        let Some(start) = recording.first_address() else {
            bail!("{} has no page of its site yet (begin another run)", folder.display())
        };
        let used = Resources { requests: recording.n_responses(), ..Resources::default() };
        Ok(CutReading { source: RunSource::Address(start.as_str().into()), used })
    }
}
