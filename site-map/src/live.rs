//! Asking a site again for the pages of a recording.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use url::Url;

use crate::address::Scope;
use crate::error::Result;
use crate::page::targets;
use crate::source::http::crawl::limit_of;
use crate::source::http::crawl_report::{CrawlFailure, CrawlReport, CrawlStep, UnreadCause};
use crate::source::http::fetcher::Fetcher;
use crate::source::http::platform::Platform;
use crate::source::recording::Recording;
use crate::source::response::Response;

/// The status of a page that has not changed.
const NOT_MODIFIED: u16 = 304;

/// A recording as the site answers now.
#[derive(Debug)]
pub struct LiveAnswers {
    /// The pages now: those that have not changed as they were recorded.
    pub responses: Vec<Response>,
    /// What was read, what had not changed (`n_kept`), and what failed.
    pub report: CrawlReport,
}

/// Asks for each recorded page, and for pages of the scope that only links of now lead to. A page
/// that cannot be read now counts as it was recorded, and is a failure of the report.
///
/// # Errors
/// If the recording cannot be read.
pub fn ask_again<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    recording: &Recording,
    mut progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
) -> Result<LiveAnswers> {
    let mut live = LiveAnswers { responses: Vec::new(), report: CrawlReport::default() };
    let mut known: BTreeSet<Url> = BTreeSet::new();
    let mut linked: BTreeSet<Url> = BTreeSet::new();
    let mut todo: Vec<Url> = Vec::new();
    for recorded in recording.responses() {
        let recorded = recorded?;
        known.insert(recorded.address.clone());
        if recorded.is_page() {
            known.extend(links(&recorded, scope));
            todo.push(recorded.address);
        }
    }
    todo.reverse();
    while let Some(address) = todo.pop() {
        let mut recorded = recording.response(&address)?;
        let answer = match &recorded {
            Some(recorded) => fetcher.send_if_changed(recorded),
            None => fetcher.send(&address),
        };
        fetcher.take_passed();
        let failure = match answer {
            Ok(response) if response.status == NOT_MODIFIED => {
                live.report.n_kept += 1;
                live.responses.extend(recorded.take());
                None
            }
            Ok(response) if response.is_page() => {
                live.report.n_read += 1;
                linked.extend(links(&response, scope).filter(|link| known.insert(link.clone())));
                live.responses.push(response);
                None
            }
            // A redirect is followed as a page of its own: the content may only have moved.
            Ok(response) if response.redirect().is_some() => {
                let target = response.redirect().filter(|target| scope.contains(target));
                linked.extend(target.filter(|target| known.insert(target.clone())));
                live.report.n_redirects += 1;
                None
            }
            Ok(response) if matches!(response.status, 404 | 410) => None,
            Ok(response) => Some((format!("status {}", response.status), None)),
            Err(error) => Some((error.to_string(), limit_of(&error))),
        };
        let limit = failure.as_ref().and_then(|(_, limit)| *limit);
        let reason = failure.map(|(reason, _)| reason);
        let step = CrawlStep {
            address: &address,
            failure: reason.as_deref(),
            n_pages: live.report.n_pages(),
            n_queued: todo.len(),
            n_requests: fetcher.requests(),
        };
        let is_stopped = progress(&step).is_break();
        if let Some(reason) = reason {
            live.responses.extend(recorded);
            if limit.is_none() {
                live.report.failures.push(CrawlFailure { address, reason });
            }
        }
        if let Some(cause) = limit.or(is_stopped.then_some(UnreadCause::Stopped)) {
            live.report.unread.insert(cause, todo.len() + usize::from(limit.is_some()));
            for address in todo.drain(..) {
                live.responses.extend(recording.response(&address)?);
            }
            break;
        }
        if todo.is_empty() {
            todo.extend(std::mem::take(&mut linked).into_iter().rev());
        }
    }
    Ok(live)
}

/// Returns the addresses within the scope that a page links to.
fn links(response: &Response, scope: &Scope) -> impl Iterator<Item = Url> {
    targets(response).into_iter().filter(|target| scope.contains(target))
}
