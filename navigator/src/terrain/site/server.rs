//! The server of a site that is explored: reads one more page into the recording of the run.

use repo_map::plan::ExcludedPaths;
use site_map::explore::{VisitedPage, visit};
use site_map::source::http::fetcher::Fetcher;
use site_map::source::recording::{Recording, RecordingWriter};
use site_map::{Result, Scope, Site};
use url::Url;

use super::known::ReadSite;
use super::pages::needs_of_a_page;
use crate::money::effect::Resources;
use crate::run::deadline::Deadline;

/// The server of a site, and the recording of what it answered.
#[derive(Debug)]
pub struct SiteServer {
    fetcher: Fetcher,
    recording: RecordingWriter,
    scope: Scope,
    excluded: ExcludedPaths,
    max_depth: usize,
}

impl SiteServer {
    /// Takes a fetcher and the recording of what was read so far. Pages are read within the scope
    /// but for those that rules exclude, and at most so many links from its start.
    pub fn new(
        fetcher: Fetcher,
        recording: RecordingWriter,
        scope: Scope,
        excluded: ExcludedPaths,
        max_depth: usize,
    ) -> SiteServer {
        SiteServer { fetcher, recording, scope, excluded, max_depth }
    }

    /// Returns what was read.
    pub(super) fn recording(&self) -> &Recording {
        self.recording.recording()
    }

    /// Returns the scope of the run.
    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns what was read so far, of which these are the pages.
    pub(super) fn read_site<'a>(&'a self, site: &'a Site) -> ReadSite<'a> {
        let (recording, scope, max_depth) = (self.recording(), &self.scope, self.max_depth);
        ReadSite { recording, site, scope, max_depth }
    }

    /// Returns the most that a page can use.
    pub(super) fn needs(&self) -> Resources {
        needs_of_a_page(&self.fetcher)
    }

    /// Reads a page, and returns what came of it and what was used. All answers are in the
    /// recording when this returns.
    ///
    /// # Errors
    /// If the recording cannot be written.
    pub(super) fn read(
        &mut self,
        address: &Url,
        scope: &Scope,
        deadline: &Deadline,
    ) -> Result<(VisitedPage, Resources)> {
        self.fetcher.finish_within(deadline.left());
        let (requests, bytes) = (self.fetcher.requests(), self.fetcher.bytes());
        let visited = visit(&mut self.fetcher, scope, &self.excluded, address);
        for response in &visited.responses {
            self.recording.append(response)?;
        }
        let used = Resources {
            requests: self.fetcher.requests() - requests,
            bytes: self.fetcher.bytes() - bytes,
            steps: 0,
        };
        Ok((visited, used))
    }
}
