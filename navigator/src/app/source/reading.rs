//! A site that was read from its server for one call, with its recording in a temporary folder.

#![expect(clippy::disallowed_methods, reason = "the rim: keeps what the visits of a run read")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use repo_map::Document;
use repo_map::plan::Rule;
use site_map::address::{decoded, page_address};
use site_map::source::http::fetcher::Fetcher;
use site_map::source::recording::Recording;
use site_map::{Scope, Site};
use tempfile::TempDir;
use url::Url;

use super::documents::{Documents, RunSource};
use super::site::{ReadingRequest, SiteFlags};
use super::site_report::SiteReport;
use crate::app::run_folder::RECORDING;
use crate::run::deadline::Deadline;
use crate::shared::n_of;
use crate::terrain::site::{KnownPages, ReadSite, failed_pages};

/// Returns the address of a page that a caller names.
pub(crate) fn named_address(text: &str) -> site_map::Result<Url> {
    page_address(text)
}

/// Returns the name on the map that an address stands for, with the section behind its `#`.
pub(crate) fn name_of(site: &Site, target: &str) -> site_map::Result<String> {
    let (address, section) =
        target.split_once('#').map_or((target, None), |(path, item)| (path, Some(item)));
    let address = page_address(address)?;
    let page = site.pages.iter().find(|page| page.address == address);
    let name = page.map_or_else(|| site.name_of(&address), |page| page.name.clone());
    let name = Document::map_name(&name);
    Ok(section.map_or_else(|| name.clone(), |section| format!("{name}#{}", decoded(section))))
}

/// A site that was read from its server.
#[derive(Debug)]
pub(crate) struct SiteReading {
    /// The address.
    pub(crate) source: RunSource,
    /// What came of it.
    pub(crate) report: SiteReport,
    /// The limits of the reading.
    pub(crate) flags: SiteFlags,
    /// What read it, for visits to more pages; `None` where none can follow.
    pub(crate) fetcher: Option<Fetcher>,
    folder: TempDir,
    deadline: Deadline,
}

impl SiteReading {
    /// Reads the pages that promise most for a goal and that no rule excludes, from the origin of
    /// the address alone. Half of the limits is kept back if a model may visit more pages.
    ///
    /// # Errors
    /// If the first page cannot be read, or the recording not written.
    pub(crate) fn of(
        source: RunSource,
        (goal, rules): (&str, &[Rule]),
        flags: &SiteFlags,
        keeps_back: bool,
        deadline: Deadline,
        progress: impl Fn(String),
    ) -> Result<SiteReading> {
        let folder = tempfile::tempdir()?;
        let address = source.place().display().to_string();
        let request = ReadingRequest {
            address: &address,
            goal,
            rules,
            known: &[],
            is_confined: true,
            keeps_back,
            before: None,
        };
        let recording = folder.path().join(RECORDING);
        let (report, fetcher) = flags.record(&request, &deadline, &recording, |step| {
            let n_requests = usize::try_from(step.n_requests).unwrap_or(usize::MAX);
            let (requests, pages) = (n_of(n_requests, "request"), n_of(step.n_pages, "page"));
            progress(format!("{requests}: {pages}, {} known from links", step.n_queued));
            Ok(())
        })?;
        let (flags, fetcher) = (flags.clone(), keeps_back.then_some(fetcher));
        Ok(SiteReading { source, report, flags, fetcher, folder, deadline })
    }

    /// Returns the file with the answers of the server.
    pub(crate) fn recording(&self) -> PathBuf {
        self.folder.path().join(RECORDING)
    }

    /// Takes what the visits of a run read: its recording, and what came of it.
    ///
    /// # Errors
    /// If the recording cannot be copied.
    pub(crate) fn take_visits(&mut self, recording: &Path, report: SiteReport) -> Result<()> {
        fs::copy(recording, self.recording())
            .with_context(|| format!("copying {}", recording.display()))?;
        self.report = report;
        Ok(())
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
        RunSource::Recording(self.recording()).documents(None, None)
    }

    /// Returns the addresses that could be read.
    ///
    /// # Errors
    /// If the address is none.
    pub(crate) fn scope(&self) -> Result<Scope> {
        let start = page_address(&self.source.place().display().to_string())?;
        Ok(Scope::of(&start, self.flags.scope()))
    }

    /// Returns what the pages of the recording say of others, for a goal.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub(crate) fn known(&self, site: &Site, goal: &str) -> Result<KnownPages> {
        let recording = Recording::open(&self.recording())?;
        let (scope, max_depth) = (self.scope()?, self.flags.max_depth());
        let read = ReadSite { recording: &recording, site, scope: &scope, max_depth };
        Ok(KnownPages::of(read, goal, &failed_pages(site, self.report.failed()))?)
    }
}
