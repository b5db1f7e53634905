//! The pages of a site by their addresses. What a server answered is recorded and not asked again.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use site_map::address::{decoded, host_of};
use site_map::explore::{ExploreLimits, explore_on};
use site_map::site::open;
use site_map::source::folder;
use site_map::source::http::error::FetchError;
use site_map::source::http::fetcher::Fetcher;
use site_map::source::http::options::FetchOptions;
use site_map::source::http::redirect_chain::RedirectChain;
use site_map::source::recording::{Recording, RecordingWriter};
use site_map::source::response::{MAX_REDIRECTS, Response};
use site_map::{Error, Result, Scope, Site};
use url::Url;

use super::file_page::{page_of, page_of_answer};
use super::screen::address as masked;
use crate::money::effect::{ResourceLimits, Resources};
use crate::run::deadline::Deadline;

/// The most requests of one page: redirects and retries are rare, and the fetcher holds the limit.
const MAX_REQUESTS_OF_A_PAGE: u64 = 8;

/// The pages of a site.
#[derive(Debug)]
pub struct SitePages(PageOrigin);

#[derive(Debug)]
enum PageOrigin {
    /// A server, and the recording of its answers.
    Live { fetcher: Box<Fetcher>, recording: RecordingWriter },
    /// A recording.
    Recorded(Recording),
    /// A folder of HTML files, and of plain text.
    Folder(PathBuf),
}

impl SitePages {
    /// Reads pages from their server into a recording. Pages that it has already are not asked
    /// again.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn live(
        options: FetchOptions,
        recording: RecordingWriter,
    ) -> std::result::Result<SitePages, FetchError> {
        let fetcher = Box::new(Fetcher::new(options)?);
        Ok(SitePages(PageOrigin::Live { fetcher, recording }))
    }

    /// Records what servers answer in another file from now on, which has what was recorded so far.
    pub(super) fn record_in(&mut self, recording: RecordingWriter) {
        if let PageOrigin::Live { recording: place, .. } = &mut self.0 {
            *place = recording;
        }
    }

    /// Reads pages from a recording.
    pub fn recorded(recording: Recording) -> SitePages {
        SitePages(PageOrigin::Recorded(recording))
    }

    /// Reads pages from a folder of HTML files, and plain text among them. Their addresses begin
    /// with `file:///`.
    pub fn folder(root: &Path) -> SitePages {
        SitePages(PageOrigin::Folder(root.to_owned()))
    }

    /// Reports whether pages are asked for over a network.
    pub(super) fn is_live(&self) -> bool {
        matches!(self.0, PageOrigin::Live { .. })
    }

    /// Returns the most that a page can use; `None` if nothing is asked for it.
    pub(super) fn needs(&self, address: &Url) -> Option<Resources> {
        let PageOrigin::Live { fetcher, recording } = &self.0 else { return None };
        if recording.recording().status(address).is_some_and(is_kept) {
            return None;
        }
        Some(needs_of_a_page(fetcher))
    }

    /// Returns the page of an address, and what was used to get it. Redirects are followed within
    /// its host, to that of the first page, and within the scope. A page that cannot be had is a
    /// sentence.
    ///
    /// # Errors
    /// If the recording or the folder cannot be used.
    pub(super) fn get(
        &mut self,
        address: &Url,
        (start, scope): (&Url, Option<&Scope>),
        deadline: &Deadline,
    ) -> Result<(std::result::Result<Response, String>, Resources)> {
        if let PageOrigin::Live { fetcher, .. } = &mut self.0 {
            fetcher.finish_within(deadline.left());
        }
        let before = self.used();
        let mut chain = RedirectChain::of(address.clone());
        let page = loop {
            let response = match self.one(chain.last())? {
                Ok(response) => response,
                Err(reason) => break Err(reason),
            };
            let Some(target) = response.redirect() else {
                break page_of_answer(response);
            };
            if let Some(reason) = self.not_followed([chain.last(), start], &target, scope) {
                break Err(reason);
            }
            if let Err(error) = chain.follow(target, MAX_REDIRECTS) {
                break Err(error.to_string());
            }
        };
        Ok((page, self.used_since(before)))
    }

    /// Returns why a redirect is not followed; `None` if it is. It may lead to the hosts of some
    /// addresses.
    fn not_followed(
        &self,
        hosts: [&Url; 2],
        target: &Url,
        scope: Option<&Scope>,
    ) -> Option<String> {
        let host = host_of(target);
        let is_of_host = hosts.into_iter().any(|address| host_of(address) == host);
        if !is_of_host && host.is_empty() {
            Some(format!("it redirects to `{}`, which is no web address", masked(target.as_str())))
        } else if !is_of_host && self.is_live() {
            Some(format!("it redirects to another host, `{host}`"))
        } else if scope.is_some_and(|scope| !scope.contains(target)) {
            Some(format!("it redirects out of the scope, to {}", masked(target.as_str())))
        } else {
            None
        }
    }

    /// Returns the response to one address, redirects as they are.
    fn one(&mut self, address: &Url) -> Result<std::result::Result<Response, String>> {
        match &mut self.0 {
            PageOrigin::Recorded(recording) => Ok(recording
                .response(address)?
                .ok_or_else(|| "the recording does not have this page".to_owned())),
            PageOrigin::Folder(root) => Ok(in_folder(root, address)),
            PageOrigin::Live { fetcher, recording } => {
                if recording.recording().status(address).is_some_and(is_kept)
                    && let Some(known) = recording.recording().response(address)?
                {
                    return Ok(Ok(known));
                }
                let answer = fetcher.send(address);
                for passed in fetcher.take_passed() {
                    recording.append(&passed)?;
                }
                if let Ok(response) = &answer {
                    recording.append(response)?;
                }
                Ok(answer.map_err(|error| error.to_string()))
            }
        }
    }

    /// Returns the most that a search can use: all that is left within some limits.
    pub(super) fn needs_of_search(&self, within: &ResourceLimits) -> Resources {
        match &self.0 {
            PageOrigin::Live { fetcher, .. } => {
                let Resources { requests, bytes, steps } = left_of(fetcher);
                let requests = within.requests.map_or(requests, |most| most.min(requests));
                let bytes = within.bytes.map_or(bytes, |most| most.min(bytes));
                Resources { requests, bytes, steps }
            }
            PageOrigin::Recorded(_) | PageOrigin::Folder(_) => Resources::default(),
        }
    }

    /// Reads the pages of a scope that links promise for a goal, as far as the limits go, and
    /// returns what was used. Only a server has more than is known.
    ///
    /// # Errors
    /// If the recording cannot be used.
    pub(super) fn read_more(
        &mut self,
        scope: &Scope,
        goal: &str,
        within: &ResourceLimits,
        deadline: &Deadline,
    ) -> Result<Resources> {
        let (before, needs) = (self.used(), self.needs_of_search(within));
        if let PageOrigin::Live { fetcher, recording } = &mut self.0
            && needs.requests > 0
        {
            fetcher.finish_within(deadline.left());
            let FetchOptions { max_requests, max_bytes, .. } = *fetcher.options();
            fetcher.limit(before.requests + needs.requests, before.bytes + needs.bytes);
            let limits = ExploreLimits::default();
            let read = explore_on(fetcher, recording, scope, goal, &limits, |_| {
                match deadline.expired() {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            });
            fetcher.limit(max_requests, max_bytes);
            read?;
        }
        Ok(self.used_since(before))
    }

    /// Returns the site as far as it is known.
    ///
    /// # Errors
    /// If the recording or the folder cannot be used, or has no page.
    pub(super) fn site(&self, start: &Url) -> Result<Site> {
        match &self.0 {
            PageOrigin::Live { recording, .. } => {
                open::recording(recording.recording(), start.as_str())
            }
            PageOrigin::Recorded(recording) => open::recording(recording, start.as_str()),
            PageOrigin::Folder(root) => open::folder(root),
        }
    }

    fn used(&self) -> Resources {
        match &self.0 {
            PageOrigin::Live { fetcher, .. } => {
                Resources { requests: fetcher.requests(), bytes: fetcher.bytes(), steps: 0 }
            }
            PageOrigin::Recorded(_) | PageOrigin::Folder(_) => Resources::default(),
        }
    }

    fn used_since(&self, before: Resources) -> Resources {
        let now = self.used();
        Resources {
            requests: now.requests - before.requests,
            bytes: now.bytes - before.bytes,
            steps: 0,
        }
    }
}

/// Returns the most that one page can use of what a fetcher has left.
pub(super) fn needs_of_a_page(fetcher: &Fetcher) -> Resources {
    let Resources { requests, bytes, steps } = left_of(fetcher);
    Resources {
        requests: requests.clamp(1, MAX_REQUESTS_OF_A_PAGE),
        bytes: bytes.clamp(1, fetcher.options().page_bytes),
        steps,
    }
}

/// Returns what a fetcher has left of its limits.
fn left_of(fetcher: &Fetcher) -> Resources {
    let options = fetcher.options();
    Resources {
        requests: options.max_requests.saturating_sub(fetcher.requests()),
        bytes: options.max_bytes.saturating_sub(fetcher.bytes()),
        steps: 0,
    }
}

/// Reports whether an answer holds for the whole walk: a page, or a redirect. Failures may pass.
fn is_kept(status: u16) -> bool {
    (200..400).contains(&status)
}

/// Reads the file of an address, which may have a query in its name or be compressed; of a folder
/// its `index.html`.
fn in_folder(root: &Path, address: &Url) -> std::result::Result<Response, String> {
    let outside = || Err("the address does not lie in the folder".to_owned());
    if address.scheme() != "file" {
        return outside();
    }
    let path = decoded(address.path());
    let mut file = root.to_owned();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        // A decoded part may be anything.
        if part == ".." || Path::new(part).is_absolute() {
            return outside();
        }
        file.push(part);
    }
    let missing = || "the folder has no such page".to_owned();
    let query = address.query().map(decoded);
    let file = folder::file_for(&file, query.as_deref()).ok_or_else(missing)?;
    let found = folder::read(root, &file).map_err(|error| match error {
        Error::Io { .. } => missing(),
        other => other.to_string(),
    });
    page_of(found?)
}
