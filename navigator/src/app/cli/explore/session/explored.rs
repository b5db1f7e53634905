//! What a run found, and its outputs.

use anyhow::Result;
use repo_map::cli::{Exit, say};
use repo_map::{RuleLayers, html};

use crate::app::cli::explore::session::settled::Session;
use crate::app::cli::outcome::{Findings, finish, first_error, write_to};
use crate::app::cli::recording::{Bounds, Story};
use crate::app::source::site_report::SiteReport;
use crate::money::ledger::LedgerLine;
use crate::run::explore::Exploration;
use crate::run::stop::Stop;
use crate::terrain::site::DocumentTerrain;

/// The result of a session.
pub(in crate::app::cli) struct Explored<'a> {
    pub(super) session: Session<'a>,
    pub(super) terrain: DocumentTerrain,
    pub(super) found: Exploration<DocumentTerrain>,
    /// The recording for the page; `None` if no page was requested.
    pub(super) story: Option<Story>,
    pub(super) pilot: String,
    /// The lines of the ledger when this process began.
    pub(super) lines: Vec<LedgerLine>,
}

impl Explored<'_> {
    /// Writes all outputs of the run and returns the exit code. A failure to write the page is
    /// reported and does not affect other outputs.
    pub(in crate::app::cli) fn deliver(self) -> Result<Exit> {
        let Session { args, task, tell, folder, places, may_be_lost, .. } = &self.session;
        let (repo, site) = (self.terrain.repo(), task.site.as_ref());
        let found = Findings { repo, found: &self.found, site };
        let (exit, written) = finish(args, &found, places, folder.as_ref(), *may_be_lost, *tell);
        if let Err(error) = self.write_page() {
            say(format!("navigator: {error:#}"));
        }
        self.terrain.repo().save_cache();
        first_error(written)?;
        Ok(site.map_or(exit, |site| site.exit(exit)))
    }

    fn write_page(&self) -> Result<()> {
        let Explored { session, found, .. } = self;
        let Some(story) = self.story.as_ref().filter(|_| found.stop != Stop::Quit) else {
            return Ok(());
        };
        let bounds = Bounds { turns: session.setup.turns, time: session.setup.time };
        let mut told = story.told(found, &self.pilot, bounds, &self.lines);
        told.facts.extend(session.task.site.iter().flat_map(SiteReport::facts));
        let layers = RuleLayers { person: &found.state.bounds.0, pilot: &found.state.rules.0 };
        write_to(session.places.page.as_ref(), || {
            Ok(html::page(self.terrain.repo(), &found.map, layers, &told)?)
        })
    }
}
