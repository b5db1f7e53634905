//! Recording of a whole scope: breadth first, in the order of links, resumable, and bounded against
//! sites without end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;

use repo_map::plan::ExcludedPaths;
use url::Url;

use crate::address::{Scope, is_other_file};
use crate::error::Result;
use crate::source::http::crawl_report::{
    CrawlFailure, CrawlReport, CrawlStep, UnreadCause, count_excluded,
};
use crate::source::http::error::FetchError;
use crate::source::http::fetcher::Fetcher;
use crate::source::http::platform::Platform;
use crate::source::http::redirect_chain::RedirectChain;
use crate::source::recording::RecordingWriter;
use crate::source::response::{MAX_REDIRECTS, Response, failed_status};

/// The largest number of addresses that are held in memory: for sites whose pages all link to new
/// ones.
const MAX_KNOWN: usize = 500_000;

/// The number of addresses without any response, one after the other, after which a server is taken
/// to be down.
pub(crate) const MAX_SILENT: usize = 10;

/// How far a crawl goes.
#[derive(Debug, Clone)]
pub struct CrawlLimits {
    /// The largest number of pages, those that the recording had before included.
    pub pages: usize,
    /// The largest number of links between the start and a page.
    pub depth: usize,
    /// The largest number of addresses that differ only in their query.
    pub queries_of_a_path: usize,
    /// The pages that are not read, by their names.
    pub excluded: ExcludedPaths,
}

/// The largest number of links between the start and a page, if none is given.
pub const DEPTH: usize = 30;

impl Default for CrawlLimits {
    fn default() -> CrawlLimits {
        CrawlLimits {
            pages: 50_000,
            depth: DEPTH,
            queries_of_a_path: 100,
            excluded: ExcludedPaths::default(),
        }
    }
}

/// Records the pages of a scope, as `links` names their links; `None` is a page that says that it
/// does not exist. What the recording has is not asked again, except for failures of
/// a moment.
///
/// # Errors
/// If the recording cannot be read or written. A page that fails is a line of the report.
pub fn record<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    limits: &CrawlLimits,
    links: impl FnMut(&Response) -> Option<Vec<Url>>,
    sink: &mut RecordingWriter,
    progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
) -> Result<CrawlReport> {
    let crawl = Crawl {
        fetcher,
        scope,
        limits,
        sink,
        queue: VecDeque::new(),
        seen: BTreeSet::new(),
        queries: BTreeMap::new(),
        report: CrawlReport::default(),
    };
    crawl.run(links, progress)
}

/// An address in the queue.
#[derive(Debug)]
struct QueuedVisit {
    /// The address, and those whose redirects led to it.
    chain: RedirectChain,
    depth: usize,
}

impl QueuedVisit {
    fn address(&self) -> &Url {
        self.chain.last()
    }
}

/// What an address gave.
enum VisitOutcome {
    Response(Response),
    /// A response that the recording had before.
    Kept(Response),
    Failure(FetchError),
}

struct Crawl<'a, P> {
    fetcher: &'a mut Fetcher<P>,
    scope: &'a Scope,
    limits: &'a CrawlLimits,
    sink: &'a mut RecordingWriter,
    queue: VecDeque<QueuedVisit>,
    seen: BTreeSet<String>,
    /// How many queries of each path were seen.
    queries: BTreeMap<String, usize>,
    report: CrawlReport,
}

impl<P: Platform> Crawl<'_, P> {
    fn run(
        mut self,
        mut links: impl FnMut(&Response) -> Option<Vec<Url>>,
        mut progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
    ) -> Result<CrawlReport> {
        self.offer(RedirectChain::of(self.scope.start().clone()), 0);
        let mut n_silent = 0;
        while let Some(visit) = self.queue.pop_front() {
            if self.report.n_pages() >= self.limits.pages {
                self.leave(self.queue.len() + 1, UnreadCause::Pages);
                break;
            }
            let outcome = self.visit(visit.address())?;
            if let VisitOutcome::Failure(error) = &outcome
                && let Some(cause) = limit_of(error)
            {
                self.leave(self.queue.len() + 1, cause);
                break;
            }
            n_silent = match &outcome {
                VisitOutcome::Failure(error) if is_silent(error) => n_silent + 1,
                _ => 0,
            };
            let failure = self.account(&visit, outcome, &mut links);
            let step = CrawlStep {
                address: visit.address(),
                failure: failure.as_deref(),
                n_pages: self.report.n_pages(),
                n_queued: self.queue.len(),
                n_requests: self.fetcher.requests(),
                answers: &[],
            };
            if progress(&step).is_break() {
                self.leave(self.queue.len(), UnreadCause::Stopped);
                break;
            }
            if n_silent >= MAX_SILENT {
                self.leave(self.queue.len(), UnreadCause::Silent);
                break;
            }
            if let Some(wait) = self.fetcher.asked_to_wait(visit.address()) {
                self.leave(self.queue.len(), UnreadCause::AskedToWait(wait.as_secs()));
                break;
            }
        }
        Ok(self.report)
    }

    /// Takes the response from the recording, or asks for it and records it.
    fn visit(&mut self, address: &Url) -> Result<VisitOutcome> {
        let status = self.sink.recording().status(address);
        if status.is_some_and(|status| !self.fetcher.options().ask_again(status))
            && let Some(response) = self.sink.recording().response(address)?
        {
            return Ok(VisitOutcome::Kept(response));
        }
        self.send_ahead(address);
        let result = self.fetcher.send(address);
        for passed in self.fetcher.take_passed() {
            self.sink.append(&passed)?;
        }
        Ok(match result {
            Ok(response) => {
                self.sink.append(&response)?;
                VisitOutcome::Response(response)
            }
            Err(error) => VisitOutcome::Failure(error),
        })
    }

    /// Asks for an address together with the next ones of the queue. The order of the recording is
    /// that of the queue, as if they were asked one after the other.
    fn send_ahead(&mut self, address: &Url) {
        let room = self.fetcher.room_ahead();
        let n_pages = self.limits.pages.saturating_sub(self.report.n_pages());
        let recording = self.sink.recording();
        let options = self.fetcher.options();
        let is_new = |address: &&Url| {
            recording.status(address).is_none_or(|status| options.ask_again(status))
        };
        let queued = self.queue.iter().map(|visit| visit.address()).filter(is_new);
        let next: Vec<Url> =
            std::iter::once(address).chain(queued).take(room.min(n_pages)).cloned().collect();
        if next.len() > 1 {
            self.fetcher.send_ahead(&next);
        }
    }

    /// Counts an outcome and queues what it leads to. Returns why it failed.
    fn account(
        &mut self,
        visit: &QueuedVisit,
        outcome: VisitOutcome,
        links: &mut impl FnMut(&Response) -> Option<Vec<Url>>,
    ) -> Option<String> {
        let (response, is_kept) = match outcome {
            VisitOutcome::Response(response) => (response, false),
            VisitOutcome::Kept(response) => (response, true),
            VisitOutcome::Failure(error) => return self.fail(visit, &error),
        };
        if let Some(target) = response.redirect() {
            return self.redirect(visit, target);
        }
        if !(200..300).contains(&response.status) {
            let reason = failed_status(response.status);
            return self.fail_because(visit, reason);
        }
        let Some(links) = links(&response) else {
            let reason = format!("says that it does not exist, with status {}", response.status);
            return self.fail_because(visit, reason);
        };
        if is_kept {
            self.report.n_kept += 1;
        } else {
            self.report.n_read += 1;
        }
        for link in links {
            self.offer(RedirectChain::of(link), visit.depth + 1);
        }
        None
    }

    fn redirect(&mut self, visit: &QueuedVisit, target: Url) -> Option<String> {
        let mut chain = visit.chain.clone();
        if let Err(error) = chain.follow(target.clone(), MAX_REDIRECTS) {
            return self.fail_because(visit, error.to_string());
        }
        if !self.scope.contains(&target) {
            if chain.first() == self.scope.start() {
                let reason = format!("redirects out of the scope, to {target} (start there)");
                return self.fail_because(visit, reason);
            }
            let reason = format!("redirects to {target}, out of the scope");
            let address = visit.address().clone();
            self.report.elsewhere.push(CrawlFailure { address, reason });
            return None;
        }
        self.report.n_redirects += 1;
        self.offer(chain, visit.depth);
        None
    }

    fn fail(&mut self, visit: &QueuedVisit, error: &FetchError) -> Option<String> {
        let failure = CrawlFailure { address: visit.address().clone(), reason: error.to_string() };
        match error {
            FetchError::Robots { .. } => self.report.forbidden.push(failure),
            FetchError::NoPage { .. } if visit.depth > 0 => self.report.n_no_pages += 1,
            _ => self.report.failures.push(failure),
        }
        Some(error.to_string())
    }

    fn fail_because(&mut self, visit: &QueuedVisit, reason: String) -> Option<String> {
        let address = visit.address().clone();
        self.report.failures.push(CrawlFailure { address, reason: reason.clone() });
        Some(reason)
    }

    /// Queues an address that is in the scope and new, within the limits.
    fn offer(&mut self, chain: RedirectChain, depth: usize) {
        let address = chain.last();
        if !self.scope.contains(address) || self.seen.contains(address.as_str()) {
            return;
        }
        if self.seen.len() >= MAX_KNOWN {
            self.leave(1, UnreadCause::Pages);
            return;
        }
        self.seen.insert(address.to_string());
        let is_start = depth == 0;
        let name = self.scope.name(address);
        let excluding = self.limits.excluded.globs(&name);
        if !is_start && !excluding.is_empty() {
            count_excluded(&mut self.report.excluded, &excluding);
            return;
        }
        if !is_start && is_other_file(address) {
            self.report.n_no_pages += 1;
            return;
        }
        if depth > self.limits.depth {
            self.leave(1, UnreadCause::Depth);
            return;
        }
        if address.query().is_some() {
            let n = self.queries.entry(address.path().to_owned()).or_default();
            *n += 1;
            if *n > self.limits.queries_of_a_path {
                self.leave(1, UnreadCause::Queries);
                return;
            }
        }
        self.queue.push_back(QueuedVisit { chain, depth });
    }

    /// Counts addresses that are not asked.
    fn leave(&mut self, n: usize, cause: UnreadCause) {
        if n > 0 {
            *self.report.unread.entry(cause).or_default() += n;
        }
    }
}

/// Reports whether a failure is that of a server that does not answer.
pub(crate) fn is_silent(error: &FetchError) -> bool {
    matches!(
        error,
        FetchError::Broken { .. }
            | FetchError::Unreachable { .. }
            | FetchError::Deadline { .. }
            | FetchError::Resolve { .. }
    )
}

/// Returns the limit of the run that a failure says is reached.
pub(crate) fn limit_of(error: &FetchError) -> Option<UnreadCause> {
    match error {
        FetchError::MaxRequests { .. } => Some(UnreadCause::Requests),
        FetchError::MaxBytes { .. } => Some(UnreadCause::Bytes),
        FetchError::OutOfTime => Some(UnreadCause::Stopped),
        _ => None,
    }
}
