//! Reading a site that is not known: best first, by the words of the links that lead to a page,
//! within limits.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use url::Url;

use crate::address::Scope;
use crate::error::{Error, Result};
use crate::page::WebPage;
use crate::source::http::crawl_report::{CrawlFailure, CrawlReport, CrawlStep, UnreadCause};
use crate::source::http::error::FetchError;
use crate::source::http::fetcher::Fetcher;
use crate::source::http::platform::Platform;
use crate::source::response::Response;

/// The largest number of links of one page that are kept; an index has more than anyone follows.
const MAX_LINKS: usize = 5_000;
/// What the words of an address count beside those of a link.
const OF_ADDRESS: f64 = 0.6;
/// What the words of the heading above a link count beside its own.
const OF_HEADING: f64 = 0.3;

/// What was explored.
#[derive(Debug)]
pub struct SiteExploration {
    /// The responses, in the order asked, redirects and rules for robots included.
    pub responses: Vec<Response>,
    /// What failed, and what was left unread.
    pub report: CrawlReport,
}

/// A page that is only known from links.
#[derive(Debug, Default)]
struct FrontierPage {
    /// The words of links, of headings above them, and of the address; each once.
    of_links: BTreeSet<String>,
    of_headings: BTreeSet<String>,
    of_address: BTreeSet<String>,
    depth: usize,
}

/// Reads pages of a scope, the most promising first, until `max_pages` are read or a limit of the
/// fetcher is reached. A site that has nothing for the goal is read breadth first.
///
/// # Errors
/// If the first page cannot be read.
pub fn explore<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    goal: &str,
    max_pages: usize,
    mut progress: impl FnMut(&CrawlStep<'_>) -> ControlFlow<()>,
) -> Result<SiteExploration> {
    let goal: BTreeSet<String> = words(goal).collect();
    let mut exploration = SiteExploration { responses: Vec::new(), report: CrawlReport::default() };
    let mut frontier: BTreeMap<Url, FrontierPage> = BTreeMap::new();
    let mut seen: BTreeSet<Url> = BTreeSet::from([scope.start().clone()]);
    let mut next = Some((scope.start().clone(), 0));
    while let Some((address, depth)) = next.take() {
        let answer = fetcher.get(&address);
        exploration.responses.extend(fetcher.take_passed());
        let failure = exploration.keep(&address, answer, |page| {
            seen.insert(page.address.clone());
            for (target, known) in links_of(&page, scope, depth + 1) {
                if !seen.contains(&target) {
                    frontier.entry(target).or_default().add(known);
                }
            }
            frontier.remove(&page.address);
        });
        let is_limit = matches!(&failure, Some(failure) if failure.is_limit);
        let report = &exploration.report;
        let step = CrawlStep {
            address: &address,
            failure: failure.as_ref().map(|failure| failure.reason.as_str()),
            n_pages: report.n_pages(),
            n_queued: frontier.len(),
            n_requests: fetcher.requests(),
        };
        let cause = if progress(&step).is_break() {
            Some(UnreadCause::Stopped)
        } else if is_limit || fetcher.requests() >= fetcher.options().max_requests {
            Some(UnreadCause::Requests)
        } else if report.n_read >= max_pages {
            Some(UnreadCause::Pages)
        } else {
            None
        };
        if let Some(cause) = cause {
            exploration.report.unread.insert(cause, frontier.len());
            break;
        }
        next = best(&frontier, &goal);
        if let Some((address, _)) = &next {
            frontier.remove(address);
            seen.insert(address.clone());
        }
    }
    if exploration.report.n_read == 0 {
        let reason = exploration.report.failures.first().map_or("has no page", |one| &one.reason);
        return Err(Error::address(scope.start().as_str(), reason));
    }
    Ok(exploration)
}

/// Why a page was not read.
struct PageFailure {
    reason: String,
    is_limit: bool,
}

impl SiteExploration {
    /// Keeps a response, and hands on its page.
    fn keep(
        &mut self,
        address: &Url,
        answer: std::result::Result<Response, FetchError>,
        mut hand_on: impl FnMut(WebPage),
    ) -> Option<PageFailure> {
        let failure = match answer {
            Ok(response) => {
                let status = response.status;
                let is_page = response.is_page();
                if is_page {
                    hand_on(WebPage::of(&response));
                    self.report.n_read += 1;
                }
                self.responses.push(response);
                match (is_page, (200..300).contains(&status)) {
                    (true, _) => return None,
                    (false, true) => {
                        self.report.n_no_pages += 1;
                        return None;
                    }
                    (false, false) => {
                        PageFailure { reason: format!("status {status}"), is_limit: false }
                    }
                }
            }
            Err(error) => PageFailure { is_limit: error.is_limit(), reason: error.to_string() },
        };
        let reason = failure.reason.clone();
        if !failure.is_limit {
            self.report.failures.push(CrawlFailure { address: address.clone(), reason });
        }
        Some(failure)
    }
}

impl FrontierPage {
    fn add(&mut self, other: FrontierPage) {
        let is_new = self.of_address.is_empty();
        self.depth = if is_new { other.depth } else { self.depth.min(other.depth) };
        self.of_links.extend(other.of_links);
        self.of_headings.extend(other.of_headings);
        self.of_address.extend(other.of_address);
    }

    fn has(&self, word: &str) -> f64 {
        if self.of_links.contains(word) {
            1.0
        } else if self.of_address.contains(word) {
            OF_ADDRESS
        } else if self.of_headings.contains(word) {
            OF_HEADING
        } else {
            0.0
        }
    }
}

/// Returns what a page says of others within the scope.
fn links_of(page: &WebPage, scope: &Scope, depth: usize) -> Vec<(Url, FrontierPage)> {
    let headings: Vec<BTreeSet<String>> =
        page.blocks.iter().map(|block| words(&block.text).take(12).collect()).collect();
    let within = page.links.iter().filter(|link| scope.contains(&link.target));
    within
        .take(MAX_LINKS)
        .map(|link| {
            let known = FrontierPage {
                of_links: words(&link.text).collect(),
                of_headings: link
                    .under
                    .and_then(|at| headings.get(at))
                    .cloned()
                    .unwrap_or_default(),
                of_address: words(
                    link.target.path().strip_prefix(scope.prefix()).unwrap_or_default(),
                )
                .collect(),
                depth,
            };
            (link.target.clone(), known)
        })
        .collect()
}

/// Returns the page whose links have the rarest words of the goal; of equals the one nearest to the
/// start, then by address.
fn best(frontier: &BTreeMap<Url, FrontierPage>, goal: &BTreeSet<String>) -> Option<(Url, usize)> {
    let n = frontier.len() as f64;
    let rarity: Vec<(&String, f64)> = goal
        .iter()
        .map(|word| {
            let n_with = frontier.values().filter(|page| page.has(word) > 0.0).count() as f64;
            // The inverse document frequency of BM25.
            (word, ((n - n_with + 0.5) / (n_with + 0.5) + 1.0).ln())
        })
        .collect();
    let score = |page: &FrontierPage| {
        let sum: f64 = rarity.iter().map(|(word, rarity)| rarity * page.has(word)).sum();
        let length = (page.of_links.len() + page.of_address.len()) as f64;
        // Longer texts have more words by chance. In thousandths, so that equals are equal.
        (1_000.0 * sum / (4.0 + length).sqrt()) as u64
    };
    let by_worth = |page: &FrontierPage| (score(page), std::cmp::Reverse(page.depth));
    let mut best: Option<(&Url, &FrontierPage)> = None;
    for (address, page) in frontier {
        if best.is_none_or(|(_, other)| by_worth(page) > by_worth(other)) {
            best = Some((address, page));
        }
    }
    best.map(|(address, page)| (address.clone(), page.depth))
}

/// Splits a text into words in lower case, without the ending of a plural.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).map(|word| {
        let word = word.to_lowercase();
        match word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s')) {
            Some(stem) => stem.to_owned(),
            None => word,
        }
    })
}
