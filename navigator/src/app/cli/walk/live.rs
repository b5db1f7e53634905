//! Opens the live world of a walk: pages over HTTP, or a browser behind its guard.

use std::path::Path;

use anyhow::Result;
#[cfg(not(feature = "browser"))]
use anyhow::bail;
use site_map::address::page_address;
use site_map::source::recording::RecordingWriter;

#[cfg(feature = "browser")]
use crate::app::cli::progress::Tell;
#[cfg(feature = "browser")]
use crate::app::cli::walk::browser_flags::{BrowserFlags, BrowserRules};
use crate::app::cli::walk::run::WalkRequest;
#[cfg(not(feature = "browser"))]
use crate::app::cli::walk::run::permits_of;
use crate::app::cli::walk::world::WalkWorld;
use crate::app::source::documents::{RunSource, open_recording};
#[cfg(feature = "browser")]
use crate::browser::guard::security_log::SecurityEvent;
use crate::money::effect::{Permit, ResourceLimits, Resources};
use crate::terrain::site::{SitePages, SiteSession};
use crate::walk::rerun::cut_before_refused;
use crate::walk::state::{PathStep, WalkState};

/// What is said where the browser runs as root.
#[cfg(feature = "browser")]
const NO_SANDBOX: &str = "the browser runs without its own sandbox, as it does for root (run as \
                          another user to have it)";

/// What the live world of a walk is opened with.
pub(in crate::app::cli) struct LiveWalk<'a> {
    pub(in crate::app::cli) request: &'a WalkRequest,
    /// The address of the first page.
    pub(in crate::app::cli) start: &'a str,
    /// What happens without a question: the values of `--allow`.
    pub(in crate::app::cli) allow: &'a [String],
    #[cfg(feature = "browser")]
    pub(in crate::app::cli) tell: Tell,
    /// Its steps are taken again, to compare.
    #[cfg(feature = "browser")]
    pub(in crate::app::cli) is_rerun: bool,
    #[cfg(feature = "browser")]
    pub(in crate::app::cli) flags: &'a BrowserFlags,
}

impl LiveWalk<'_> {
    /// Prepares a walk over pages; those of an address are recorded.
    pub(in crate::app::cli) fn over_http(
        &self,
        recording: &Path,
        used: Resources,
    ) -> Result<WalkWorld> {
        let pages = match RunSource::of(&self.request.site)? {
            RunSource::Recording(file) => SitePages::recorded(open_recording(&file)?),
            RunSource::Folder(root) | RunSource::Pages(root) => SitePages::folder(&root),
            RunSource::Address(_) => {
                let options = self.request.server.options(&page_address(self.start)?, used)?;
                SitePages::live(options, RecordingWriter::resume(recording)?)?
            }
        };
        let scope = self.request.server.scope();
        let session = SiteSession::new(pages, self.start)?.within(scope);
        let session = if self.request.no_search { session.by_links_alone() } else { session };
        Ok(WalkWorld::Pages(Box::new(session)))
    }

    /// Prepares a walk in a browser. Its log says which walk it is, and which step does what.
    #[cfg(feature = "browser")]
    pub(in crate::app::cli) fn in_browser(
        &self,
        recording: &Path,
        log: &Path,
        state: &WalkState,
        used: Resources,
    ) -> Result<WalkWorld> {
        let start = page_address(self.start)?;
        let rules = BrowserRules::of(self.allow)?;
        let recording = RecordingWriter::resume(recording)?;
        let session = self.flags.session(&start, rules, log, recording)?;
        if !session.browser().is_sandboxed() {
            self.tell.waiting(NO_SANDBOX);
        }
        let guard = session.browser().guard();
        guard.write(&SecurityEvent::Began { walk: state.id(), is_rerun: self.is_rerun });
        guard.limit_requests(self.request.server.max_requests().saturating_sub(used.requests));
        guard.limit_bytes(self.request.server.max_bytes().saturating_sub(used.bytes));
        Ok(WalkWorld::Live(Box::new(session)))
    }

    #[cfg(not(feature = "browser"))]
    pub(in crate::app::cli) fn in_browser(
        &self,
        _recording: &Path,
        _log: &Path,
        _state: &WalkState,
        _used: Resources,
    ) -> Result<WalkWorld> {
        bail!("this program was built without a browser")
    }

    /// Ends the path of a walk before the first step that was refused something that is allowed
    /// now; or, if there is somebody to ask, before a last step that was refused. Returns that
    /// step.
    pub(in crate::app::cli) fn cut_before_refused(
        &self,
        state: &mut WalkState,
        can_ask: bool,
    ) -> Result<Option<PathStep>> {
        #[cfg(feature = "browser")]
        let rules = BrowserRules::of(self.allow)?;
        #[cfg(feature = "browser")]
        return Ok(cut_before_refused(state, |effect| rules.may_allow(effect), can_ask));
        // Only what a live page sends is refused in the middle of a step.
        #[cfg(not(feature = "browser"))]
        Ok(cut_before_refused(state, |_| false, can_ask))
    }

    /// Returns the effects that happen without a question. (Rules of requests are the guard's.)
    ///
    /// # Errors
    /// If one allows nothing here: a rule of requests without a browser, which alone sends; or a
    /// host to send to without the port that the first page has.
    pub(in crate::app::cli) fn permits(&self) -> Result<Vec<Permit>> {
        #[cfg(feature = "browser")]
        {
            let rules = BrowserRules::of(self.allow)?;
            rules.check(&page_address(self.start)?, self.request.is_in_browser)?;
            Ok(rules.permits)
        }
        #[cfg(not(feature = "browser"))]
        permits_of(self.allow)
    }

    /// Returns the limits of requests and bytes.
    pub(in crate::app::cli) fn resources(&self) -> ResourceLimits {
        let server = &self.request.server;
        ResourceLimits {
            requests: Some(server.max_requests()),
            bytes: Some(server.max_bytes()),
            steps: None,
        }
    }
}
