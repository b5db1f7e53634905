//! Reading a site that is not known: best first, by the words of the links that lead to a page and
//! by what they mean, within limits.

mod frontier;
mod frontier_page;
mod known;
mod limits;
mod listing;
mod lists;
mod promise;

use std::ops::ControlFlow;

use repo_map::plan::ExcludedPaths;
use url::Url;

use crate::address::Scope;
use crate::error::{Error, Result};
use crate::explore::frontier::{Frontier, NextPage};
use crate::explore::lists::SiteLists;
use crate::explore::promise::LinkPromise;
use crate::page::WebPage;
use crate::source::http::crawl::{is_silent, limit_of};
use crate::source::http::crawl_report::{CrawlFailure, CrawlReport, CrawlStep, UnreadCause};
use crate::source::http::error::FetchError;
use crate::source::http::fetcher::Fetcher;
use crate::source::http::platform::Platform;
use crate::source::http::redirect_chain::RedirectChain;
use crate::source::recording::RecordingWriter;
use crate::source::response::{
    MAX_REDIRECTS, Response, asks_who_reads, failed_status, with_way_in,
};

pub use frontier::UnreadPage;
pub use known::unread_pages;
pub use limits::ExploreLimits;
pub use listing::ListedPage;

/// The number of addresses in a row without an answer after which a reading ends. Each takes up to
/// four of the few requests that a reading has.
const MAX_SILENT: usize = 3;

/// What was explored.
#[derive(Debug, Default)]
pub struct SiteExploration {
    /// The responses, in the order asked, redirects and rules for robots included.
    pub responses: Vec<Response>,
    /// What failed, and what was left unread.
    pub report: CrawlReport,
    /// What the links to each page that was read had promised for the goal, in the order asked, by
    /// words and by nearness in meaning, as for pages that are left unread.
    /// The start and indexes are read for their links, whatever they promise.
    pub promised: Vec<(Url, f64)>,
    /// The pages that links promise and that were left unread, sorted by address.
    pub unread: Vec<UnreadPage>,
}

/// Reads pages of a scope, the most promising first, until a limit is reached. A site that has
/// nothing for the goal is read breadth first.
///
/// # Errors
/// If the first page cannot be read.
pub fn explore<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    goal: &str,
    limits: &ExploreLimits,
    progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
) -> Result<SiteExploration> {
    let mut frontier = Frontier::of(goal, scope.start(), limits);
    frontier.know(&limits.known, scope);
    let start = NextPage::for_links(scope.start().clone(), 0);
    let (exploration, reason) = read(fetcher, scope, (frontier, Some(start)), limits, progress);
    if exploration.report.n_read == 0 {
        let start = scope.start().as_str();
        if exploration.report.unread.contains_key(&UnreadCause::Requests) {
            return Err(Error::limit_of_requests(start, fetcher.options().max_requests));
        }
        let reason = reason.map(with_way_in);
        let reason = reason.unwrap_or_else(|| match exploration.responses.last() {
            Some(response) => no_page(response),
            None => "has no page".to_owned(),
        });
        return Err(Error::no_page(start, reason));
    }
    Ok(exploration)
}

/// Reads more pages of a scope than a recording has, the most promising first, until a limit is
/// reached, and records them as they come. Nothing that was asked before is asked again, but the
/// rules for robots, the lists of the site, and with headers what its server refused to strangers.
///
/// # Errors
/// If the recording cannot be read or written.
pub fn explore_on<P: Platform>(
    fetcher: &mut Fetcher<P>,
    recording: &mut RecordingWriter,
    scope: &Scope,
    goal: &str,
    limits: &ExploreLimits,
    mut progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
) -> Result<SiteExploration> {
    // What failed for a moment had its retries.
    let is_final = |status| !asks_who_reads(status) || !fetcher.options().ask_again(status);
    let mut frontier = known::frontier_of(recording.recording(), scope, goal, limits, is_final)?;
    let next = frontier.choose().inspect(|page| frontier.take(page));
    let mut written = Ok(());
    let (exploration, _) = read(fetcher, scope, (frontier, next), limits, |step| {
        written = step.answers.iter().try_for_each(|answer| recording.append(answer));
        if written.is_ok() { progress(step) } else { ControlFlow::Break(()) }
    });
    written.map(|()| exploration)
}

/// Reads a page, and then those that promise most. The second value says why the first page that
/// failed did.
fn read<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    (mut frontier, mut next): (Frontier, Option<NextPage>),
    limits: &ExploreLimits,
    mut progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
) -> (SiteExploration, Option<String>) {
    let mut exploration = SiteExploration::default();
    let mut lists = SiteLists::default();
    let mut reason = None;
    let mut n_silent = 0;
    while let Some(NextPage { address, depth, promise, .. }) = next.take() {
        let n_before = exploration.responses.len();
        let n_no_pages = exploration.report.n_no_pages;
        let bounds = (scope, &limits.excluded);
        let was_asked = |target: &Url| frontier.was_asked(target);
        let passed = &mut exploration.responses;
        let answer = get_within(fetcher, bounds, &address, was_asked, passed);
        n_silent = if answer.as_ref().is_err_and(is_silent) { n_silent + 1 } else { 0 };
        let failure = exploration.keep((scope, &address), answer, |page| {
            frontier.add_links_of(&page, scope, depth);
            frontier.keeps(promise);
            (page.address, promise)
        });
        if failure.as_ref().is_some_and(|failure| matches!(failure.kind, FailureKind::Failed)) {
            frontier.note_failed(&address);
        }
        if exploration.report.n_no_pages > n_no_pages {
            frontier.note_no_page(&address);
        }
        let limit = failure.as_ref().and_then(PageFailure::limit);
        let report = &exploration.report;
        let mut answers: Vec<&Response> = exploration.responses[n_before..].iter().collect();
        answers.retain(|answer| !fetcher.is_answered_before(&answer.address));
        let step = CrawlStep {
            address: &address,
            failure: failure.as_ref().map(|failure| failure.reason.as_str()),
            n_pages: report.n_pages(),
            n_queued: frontier.len(),
            n_requests: fetcher.requests(),
            answers: &answers,
        };
        let cause = if progress(&step).is_break() {
            Some(UnreadCause::Stopped)
        } else if limit.is_some() {
            limit
        } else if fetcher.requests() >= fetcher.options().max_requests {
            Some(UnreadCause::Requests)
        } else if report.n_read >= limits.pages {
            Some(UnreadCause::Pages)
        } else if n_silent >= MAX_SILENT {
            Some(UnreadCause::Silent)
        } else {
            let wait = fetcher.asked_to_wait(&address);
            wait.map(|wait| UnreadCause::AskedToWait(wait.as_secs()))
        };
        reason = reason.or(failure.map(|failure| failure.reason));
        if let Some(cause) = cause {
            // A page that a limit cut off is unread too.
            let n_unread = frontier.len() + usize::from(limit.is_some());
            if n_unread > 0 {
                exploration.report.unread.insert(cause, n_unread);
            }
            break;
        }
        let may_list = exploration.report.n_read > 0 && limits.depth >= frontier::DEPTH_OF_LISTED;
        if may_list && !frontier.knows_site() {
            lists.read_named(fetcher, scope, &mut frontier);
        }
        let mut chosen = frontier.choose();
        let is_lost = may_list && frontier.is_lost(chosen.as_ref());
        if is_lost && lists.guess(fetcher, scope, &mut frontier) {
            chosen = frontier.choose();
        }
        next = chosen.inspect(|page| frontier.take(page));
    }
    exploration.end(frontier);
    (exploration, reason)
}

/// What came of reading one page.
#[derive(Debug)]
pub struct VisitedPage {
    /// The responses, in the order asked, redirects and rules for robots included.
    pub responses: Vec<Response>,
    /// The address of the page, or why there is none.
    pub page: std::result::Result<Url, String>,
    /// A limit of the run is the reason.
    pub is_limit: bool,
}

/// Reads one page and follows its redirects within the scope, to pages that no rule excludes.
pub fn visit<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    excluded: &ExcludedPaths,
    address: &Url,
) -> VisitedPage {
    let mut exploration = SiteExploration::default();
    let bounds = (scope, excluded);
    let answer = get_within(fetcher, bounds, address, |_| false, &mut exploration.responses);
    let mut read = None;
    let failure = exploration.keep((scope, address), answer, |page| {
        read = Some(page.address.clone());
        (page.address, None)
    });
    let is_limit = failure.as_ref().is_some_and(|failure| failure.limit().is_some());
    let page = read.ok_or_else(|| match failure {
        Some(failure) => failure.reason,
        None => "it is no page".to_owned(),
    });
    VisitedPage { responses: exploration.responses, page, is_limit }
}

/// Fetches an address and follows its redirects within the scope, to pages that no rule excludes.
/// The last answer is a redirect if it leads out of the scope, or to an address that was asked
/// before. Appends the redirects and repeated failures on the way to `passed`.
fn get_within<P: Platform>(
    fetcher: &mut Fetcher<P>,
    (scope, excluded): (&Scope, &ExcludedPaths),
    address: &Url,
    was_asked: impl Fn(&Url) -> bool,
    passed: &mut Vec<Response>,
) -> std::result::Result<Response, FetchError> {
    let mut chain = RedirectChain::of(address.clone());
    loop {
        let answer = fetcher.send(chain.last());
        passed.extend(fetcher.take_passed());
        let response = answer?;
        let Some(target) = response.redirect().filter(|target| scope.contains(target)) else {
            return Ok(response);
        };
        if !chain.has(&target) && was_asked(&target) {
            return Ok(response);
        }
        passed.push(response);
        chain.follow(target, MAX_REDIRECTS)?;
        if excluded.glob(&scope.name(chain.last())).is_some() {
            return Err(FetchError::Excluded);
        }
    }
}

/// Says what an answer is that has no page.
fn no_page(response: &Response) -> String {
    match response.header("content-type") {
        Some(kind) => format!("has no page of HTML, but `{kind}` (`navigator browse` reads text)"),
        None => "has no page of HTML".to_owned(),
    }
}

/// Why no page came of an address.
struct PageFailure {
    reason: String,
    kind: FailureKind,
}

/// How recordings count what came of an address.
enum FailureKind {
    Failed,
    /// A limit of the run.
    Limit(UnreadCause),
    Forbidden,
    NoPage,
    /// A redirect out of the scope.
    Elsewhere,
    Excluded,
}

impl PageFailure {
    fn of(error: &FetchError) -> PageFailure {
        let kind = match (limit_of(error), error) {
            (Some(limit), _) => FailureKind::Limit(limit),
            (None, FetchError::Robots { .. }) => FailureKind::Forbidden,
            (None, FetchError::NoPage { .. }) => FailureKind::NoPage,
            (None, FetchError::Excluded) => FailureKind::Excluded,
            (None, _) => FailureKind::Failed,
        };
        PageFailure { reason: error.to_string(), kind }
    }

    fn limit(&self) -> Option<UnreadCause> {
        match self.kind {
            FailureKind::Limit(limit) => Some(limit),
            _ => None,
        }
    }
}

impl SiteExploration {
    /// Keeps what was left unread.
    fn end(&mut self, frontier: Frontier) {
        for (cause, n) in
            [(UnreadCause::Depth, frontier.n_too_deep()), (UnreadCause::Links, frontier.n_cut())]
        {
            if n > 0 {
                self.report.unread.insert(cause, n);
            }
        }
        self.report.excluded = frontier.excluded();
        self.unread = frontier.into_unread();
    }

    /// Keeps a response, and what was promised of its page, whose links are taken.
    fn keep(
        &mut self,
        (scope, address): (&Scope, &Url),
        answer: std::result::Result<Response, FetchError>,
        take_links: impl FnOnce(WebPage) -> (Url, Option<LinkPromise>),
    ) -> Option<PageFailure> {
        let mut failure = match answer {
            Ok(response) => {
                let failure = self.read(scope, &response, take_links);
                self.responses.push(response);
                failure?
            }
            Err(error) => PageFailure::of(&error),
        };
        // Without its first page a site has none.
        if address == scope.start() && failure.limit().is_none() {
            failure.kind = FailureKind::Failed;
        }
        let of_address = CrawlFailure { address: address.clone(), reason: failure.reason.clone() };
        match failure.kind {
            FailureKind::Failed => self.report.failures.push(of_address),
            FailureKind::Forbidden => self.report.forbidden.push(of_address),
            FailureKind::NoPage => self.report.n_no_pages += 1,
            FailureKind::Elsewhere => self.report.elsewhere.push(of_address),
            FailureKind::Limit(_) | FailureKind::Excluded => {}
        }
        Some(failure)
    }

    /// Reads the page of a response, if it is one.
    fn read(
        &mut self,
        scope: &Scope,
        response: &Response,
        take_links: impl FnOnce(WebPage) -> (Url, Option<LinkPromise>),
    ) -> Option<PageFailure> {
        let status = response.status;
        let failure = |kind, reason| Some(PageFailure { reason, kind });
        if response.is_page() {
            let page = WebPage::of(response);
            if page.says_not_found {
                let reason = format!("says that it does not exist, with status {status}");
                return failure(FailureKind::Failed, reason);
            }
            let (address, promise) = take_links(page);
            self.promised.extend(promise.map(|promise| (address, promise.sum())));
            self.report.n_read += 1;
            return None;
        }
        match response.redirect() {
            Some(target) if scope.contains(&target) => {
                self.report.n_redirects += 1;
                None
            }
            Some(target) => {
                failure(FailureKind::Elsewhere, format!("redirects to {target}, out of the scope"))
            }
            None if (200..300).contains(&status) => {
                self.report.n_no_pages += 1;
                None
            }
            None => failure(FailureKind::Failed, failed_status(status)),
        }
    }
}
