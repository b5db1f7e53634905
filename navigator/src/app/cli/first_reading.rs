//! The first reading of a site: what its server answers is in the run's folder at once, so that a
//! run that is killed meanwhile goes on with it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use repo_map::cli::say;
use repo_map::plan::Rule;
use site_map::address::page_address;
use site_map::source::http::crawl_report::CrawlStep;
use site_map::source::recording::{Recording, RecordingWriter};

use super::listing::{DocumentRun, RunRequest};
use super::progress::Tell;
use crate::app::run_folder::RECORDING;
use crate::app::settings::usage;
use crate::app::source::documents::RunSource;
use crate::knowledge::model::Knowledge;
use crate::knowledge::model::places::places_for;
use crate::money::effect::Resources;
use crate::run::state::State;
use crate::terrain::repo;
use crate::terrain::site::DocumentPlan;
use crate::walk::known::KnownPlace;

/// Opens the file of a knowledge. One that is damaged is made again of runs, so what opens it knows
/// more than a first reading.
pub(super) type OpenKnowledge = fn(&Path) -> Result<Knowledge>;

/// The knowledge that an exploration begins with.
#[derive(Debug, Args)]
pub(super) struct KnownSiteArgs {
    /// Begin with what is known of the site: a file of `navigator knowledge build`. The pages whose
    /// places have most words of the goal are read first, and those that promise little beside
    /// them are not.
    #[arg(
        help_heading = "Site behind an address",
        long,
        value_name = "FILE",
        conflicts_with = "resume"
    )]
    knowledge: Option<PathBuf>,
}

impl KnownSiteArgs {
    /// Returns the file of the knowledge.
    pub(super) fn file(&self) -> Option<&Path> {
        self.knowledge.as_deref()
    }

    /// Returns the places of a site that the knowledge has for a goal, best first.
    ///
    /// # Errors
    /// If there is a knowledge and no site that is read from its server, or if it is damaged.
    pub(super) fn places(
        &self,
        (source, goal): (&RunSource, &str),
        open: OpenKnowledge,
    ) -> Result<Vec<KnownPlace>> {
        let Some(file) = &self.knowledge else { return Ok(Vec::new()) };
        let RunSource::Address(address) = source else {
            let name = source.name();
            let why = format!("`{name}` is no address, so no request is sent");
            return Err(usage("--knowledge", why));
        };
        let site = page_address(&address.display().to_string())?;
        let places = places_for(&open(file)?.places, goal, &site);
        if places.is_empty() {
            say(format!(
                "navigator: --knowledge: no page of this site in `{}` has a word of the goal; \
                 exploring without it",
                file.display()
            ));
        }
        Ok(places)
    }
}

/// A first reading that is kept in the folder of its run. The run begins there with its first page,
/// so that one without a page leaves an earlier run in the folder.
pub(super) struct FirstReading<'a> {
    folder: Option<&'a DocumentRun>,
    asked: RunRequest,
    state: State<DocumentPlan>,
    writer: Option<RecordingWriter>,
    /// The run is in its folder.
    has_begun: bool,
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
        if let Some(file) = recording.as_ref().filter(|file| file.exists())
            && Recording::open_begun(file)?.is_none()
        {
            fs::remove_file(file)?;
        }
        let writer = recording.map(|file| RecordingWriter::resume(&file)).transpose()?;
        Ok(FirstReading {
            folder,
            asked,
            state: State::first(DocumentPlan(bounds), DocumentPlan(repo::overview_rules())),
            has_begun: writer.is_some(),
            writer,
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
        self.has_begun
    }

    /// Keeps what the server answered in a step.
    ///
    /// # Errors
    /// If it cannot be written, and the run must not be lost.
    pub(super) fn keep(&mut self, step: &CrawlStep<'_>, tell: Tell) -> Result<()> {
        let kept = self.write(step);
        if tell.kept(self.may_be_lost, kept)?.is_none() {
            // It is tried again with the first turn, with the whole recording.
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
            self.has_begun = true;
            self.writer = Some(RecordingWriter::create(&folder.path.join(RECORDING))?);
        }
        for answer in step.answers {
            self.writer.iter_mut().try_for_each(|writer| writer.append(answer))?;
        }
        Ok(())
    }
}

/// Returns the address that a stored run began with. A request of an older version has it only as
/// people read it, and its recording begins with it.
pub(super) fn start_of(asked: &RunRequest, folder: &Path) -> PathBuf {
    let recorded = || Recording::open(&folder.join(RECORDING)).ok()?.first_address();
    let start = asked.start.clone().or_else(|| recorded().map(String::from));
    start.map_or_else(|| asked.root.clone(), PathBuf::from)
}

/// Returns the requests that were answered to a first reading that was cut off.
///
/// # Errors
/// If the recording cannot be read.
pub(super) fn used_before(folder: &Path) -> Result<Resources> {
    let recording = Recording::open_begun(&folder.join(RECORDING))?;
    let requests = recording.map_or(0, |recording| recording.n_responses());
    Ok(Resources { requests, ..Resources::default() })
}
