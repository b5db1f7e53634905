//! Asking a site again for the pages of a recording: what changed on it since.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use repo_map::plan::ExcludedPaths;
use url::Url;

use crate::address::{Scope, is_other_file};
use crate::error::Result;
use crate::page::targets;
use crate::site::Site;
use crate::site::changes::{PageChange, changes};
use crate::source::http::crawl::{DEPTH, MAX_SILENT, is_silent, limit_of};
use crate::source::http::crawl_report::{
    CrawlFailure, CrawlReport, CrawlStep, UnreadCause, count_excluded,
};
use crate::source::http::error::FetchError;
use crate::source::http::fetcher::Fetcher;
use crate::source::http::platform::Platform;
use crate::source::recording::Recording;
use crate::source::response::{Response, failed_status};

/// The status of a page that has not changed.
const NOT_MODIFIED: u16 = 304;

/// Which pages are asked for.
#[derive(Debug, Clone)]
pub struct LiveLimits {
    /// The largest number of links between a recorded page and one that is new.
    pub depth: usize,
    /// The pages that are neither asked for nor compared, by their names.
    pub excluded: ExcludedPaths,
}

impl Default for LiveLimits {
    fn default() -> LiveLimits {
        LiveLimits { depth: DEPTH, excluded: ExcludedPaths::default() }
    }
}

/// What differs between a recording and its site now.
#[derive(Debug)]
pub struct LiveChanges {
    /// The pages that differ, sorted by address.
    pub changes: Vec<PageChange>,
    /// What was read, what had not changed (`n_kept`), and what failed.
    pub report: CrawlReport,
    /// The number of pages that could not be asked for. They count as unchanged.
    pub n_unasked: usize,
}

/// Asks for each recorded page, and then for pages of the scope that only links of now lead to: the
/// content of a page may have moved there.
///
/// # Errors
/// If the recording cannot be read.
pub fn changes_since<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    recording: &Recording,
    limits: &LiveLimits,
    progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
) -> Result<LiveChanges> {
    let live = ask_again(fetcher, scope, recording, limits, progress)?;
    // What repeats on most pages is judged over the same pages then and now.
    let is_asked = |recorded: &Result<Response>| {
        recorded.as_ref().map_or(true, |Response { address, .. }| {
            !live.unasked.contains(address) && limits.globs(scope, address).is_empty()
        })
    };
    let before = Site::of_any(scope, recording.responses().filter(is_asked))?;
    let after = Site::of_any(scope, live.responses.into_iter().map(Ok))?;
    let changes = changes(&before, &after);
    Ok(LiveChanges { changes, report: live.report, n_unasked: live.unasked.len() })
}

/// A recording as the site answers now.
#[derive(Debug, Default)]
struct LiveAnswers {
    /// The pages now: those that have not changed as they were recorded.
    responses: Vec<Response>,
    report: CrawlReport,
    /// The addresses that failed, or that a limit left out.
    unasked: BTreeSet<Url>,
}

fn ask_again<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    recording: &Recording,
    limits: &LiveLimits,
    mut progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
) -> Result<LiveAnswers> {
    let mut live = LiveAnswers::default();
    let (mut known, mut todo) = recorded_pages(scope, recording)?;
    todo.retain(|page| !live.leave_out(limits, scope, page));
    let mut linked: BTreeSet<Url> = BTreeSet::new();
    let (mut n_waves, mut n_silent) = (0, 0);
    while let Some(address) = todo.pop() {
        let recorded = recording.response(&address)?;
        let answer = match &recorded {
            Some(recorded) => fetcher.send_if_changed(recorded),
            None => fetcher.send(&address),
        };
        fetcher.take_passed();
        let limit = answer.as_ref().err().and_then(limit_of);
        n_silent = if answer.as_ref().is_err_and(is_silent) { n_silent + 1 } else { 0 };
        let mut new = Vec::new();
        let failure = live.keep(answer, recorded, |response| {
            // A redirect is followed as a page of its own: the content may only have moved.
            let targets = response.redirect().map(|to| vec![to]).or_else(|| targets(response));
            let is_page = |target: &Url| scope.contains(target) && !is_other_file(target);
            let within = targets.into_iter().flatten().filter(is_page);
            new.extend(within.filter(|target| known.insert(target.clone())));
        });
        linked.extend(new.into_iter().filter(|target| !live.leave_out(limits, scope, target)));
        let step = CrawlStep {
            address: &address,
            failure: failure.as_deref(),
            n_pages: live.report.n_pages(),
            n_queued: todo.len(),
            n_requests: fetcher.requests(),
            answers: &[],
        };
        let is_stopped = progress(&step).is_break();
        if let Some(reason) = failure {
            live.unasked.insert(address.clone());
            if limit.is_none() {
                live.report.failures.push(CrawlFailure { address, reason });
            }
        }
        let is_down = n_silent >= MAX_SILENT && !todo.is_empty();
        let cause = limit
            .or(is_stopped.then_some(UnreadCause::Stopped))
            .or(is_down.then_some(UnreadCause::Silent));
        if let Some(cause) = cause {
            live.report.unread.insert(cause, todo.len() + usize::from(limit.is_some()));
            live.unasked.append(&mut todo.drain(..).collect());
        } else if todo.is_empty() && n_waves == limits.depth && !linked.is_empty() {
            live.report.unread.insert(UnreadCause::Depth, linked.len());
        } else if todo.is_empty() {
            n_waves += 1;
            todo.extend(std::mem::take(&mut linked).into_iter().rev());
        }
    }
    Ok(live)
}

/// Returns the addresses that a recording has or links to within the scope, and its pages, the last
/// one first.
fn recorded_pages(scope: &Scope, recording: &Recording) -> Result<(BTreeSet<Url>, Vec<Url>)> {
    let (mut known, mut pages) = (BTreeSet::new(), Vec::new());
    for recorded in recording.responses() {
        let recorded = recorded?;
        known.insert(recorded.address.clone());
        if recorded.is_page() {
            let targets = targets(&recorded).unwrap_or_default();
            known.extend(targets.into_iter().filter(|target| scope.contains(target)));
            pages.push(recorded.address);
        }
    }
    pages.reverse();
    Ok((known, pages))
}

impl LiveLimits {
    /// Returns the globs that exclude a page.
    fn globs(&self, scope: &Scope, page: &Url) -> Vec<&str> {
        self.excluded.globs(&scope.name(page))
    }
}

impl LiveAnswers {
    /// Counts a page that rules exclude, and reports whether they do.
    fn leave_out(&mut self, limits: &LiveLimits, scope: &Scope, page: &Url) -> bool {
        let globs = limits.globs(scope, page);
        count_excluded(&mut self.report.excluded, &globs);
        !globs.is_empty()
    }

    /// Keeps what an address answers; the links of a page that differs are taken. Returns why it
    /// failed.
    fn keep(
        &mut self,
        answer: std::result::Result<Response, FetchError>,
        recorded: Option<Response>,
        take_links: impl FnOnce(&Response),
    ) -> Option<String> {
        match answer {
            Ok(response) if response.status == NOT_MODIFIED => {
                self.report.n_kept += 1;
                self.responses.extend(recorded);
            }
            Ok(response) if response.is_page() => {
                self.report.n_read += 1;
                take_links(&response);
                self.responses.push(response);
            }
            Ok(response) if response.redirect().is_some() => {
                self.report.n_redirects += 1;
                take_links(&response);
            }
            Ok(response) if matches!(response.status, 404 | 410) => {}
            Ok(response) if !(200..300).contains(&response.status) => {
                return Some(failed_status(response.status));
            }
            // What is a file of another kind now is no page any more.
            Ok(_) | Err(FetchError::NoPage { .. }) => self.report.n_no_pages += 1,
            Err(error) => return Some(error.to_string()),
        }
        None
    }
}
