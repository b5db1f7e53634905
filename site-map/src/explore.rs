//! Reading a site that is not known: best first, by the words of the links that lead to a page,
//! within limits.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use repo_map::topic_words;
use url::Url;

use crate::address::Scope;
use crate::error::{Error, Result};
use crate::page::WebPage;
use crate::source::http::crawl::limit_of;
use crate::source::http::crawl_report::{CrawlFailure, CrawlReport, CrawlStep, UnreadCause};
use crate::source::http::error::FetchError;
use crate::source::http::fetcher::{Fetcher, MAX_REDIRECTS};
use crate::source::http::platform::Platform;
use crate::source::response::Response;

/// The largest number of links of one page that are kept; an index of a large manual has more.
const MAX_LINKS: usize = 20_000;
/// The largest number of links that count for one page, the first ones.
const MAX_LINKS_TO_A_PAGE: usize = 200;
/// What the words of an address count beside those of a link.
const OF_ADDRESS: f64 = 0.6;
/// What the words of the heading above a link count beside its own.
const OF_HEADING: f64 = 0.3;
/// What all links to a page together count beside the best one.
const OF_ALL: f64 = 0.3;
/// What the words of the first line of a goal, which is its title, count beside the others.
const OF_TITLE: f64 = 2.0;
/// What a page about releases counts beside others: it names everything and explains little.
const OF_RELEASES: f64 = 0.4;
/// The largest number of indexes that are read for their links alone.
const MAX_INDEXES: usize = 3;
/// What an index is called, in its address or in links to it.
const INDEXES: [&str; 6] = ["genindex", "contents", "toc", "sitemap", "modindex", "allclasses"];
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
    links: Vec<FrontierLink>,
    of_address: BTreeSet<String>,
    depth: usize,
}

/// The words of a link, and of the heading above it.
#[derive(Debug)]
struct FrontierLink {
    own: BTreeSet<String>,
    of_heading: BTreeSet<String>,
}

/// The words of a goal, with their weights.
struct GoalWords(BTreeMap<String, f64>);

impl GoalWords {
    fn of(goal: &str) -> GoalWords {
        let mut weights = BTreeMap::new();
        let (title, body) = goal.trim().split_once('\n').unwrap_or((goal, ""));
        for (text, weight) in [(title, OF_TITLE), (body, 1.0)] {
            for word in topic_words(text) {
                let known: &mut f64 = weights.entry(word).or_default();
                *known = known.max(weight);
            }
        }
        GoalWords(weights)
    }
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
    let goal = GoalWords::of(goal);
    let mut n_indexes = 0;
    let mut exploration = SiteExploration { responses: Vec::new(), report: CrawlReport::default() };
    let mut frontier: BTreeMap<Url, FrontierPage> = BTreeMap::new();
    let mut seen: BTreeSet<Url> = BTreeSet::from([scope.start().clone()]);
    let mut next = Some((scope.start().clone(), 0));
    let mut reason = None;
    while let Some((address, depth)) = next.take() {
        let answer = get_within(fetcher, scope, &address, &mut exploration.responses);
        exploration.responses.extend(fetcher.take_passed());
        let failure = exploration.keep(&address, answer, |page| {
            seen.insert(page.address.clone());
            for (target, link) in links_of(&page, scope) {
                if !seen.contains(&target) {
                    let path = target.path().strip_prefix(scope.prefix()).unwrap_or_default();
                    let of_address = topic_words(path).into_iter().collect();
                    let new = || FrontierPage { of_address, ..FrontierPage::default() };
                    frontier.entry(target).or_insert_with(new).add(link, depth + 1);
                }
            }
            frontier.remove(&page.address);
        });
        let limit = failure.as_ref().and_then(|failure| failure.limit);
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
        } else if limit.is_some() {
            limit
        } else if fetcher.requests() >= fetcher.options().max_requests {
            Some(UnreadCause::Requests)
        } else if report.n_read >= max_pages {
            Some(UnreadCause::Pages)
        } else {
            None
        };
        reason = reason.or(failure.map(|failure| failure.reason));
        if let Some(cause) = cause {
            // A page that a limit cut off is unread too.
            let n_unread = frontier.len() + usize::from(limit.is_some());
            exploration.report.unread.insert(cause, n_unread);
            break;
        }
        let index = || frontier.iter().find(|(address, page)| page.depth == 1 && is_index(address));
        next = match index().filter(|_| n_indexes < MAX_INDEXES) {
            Some((address, page)) => {
                n_indexes += 1;
                Some((address.clone(), page.depth))
            }
            None => best(&frontier, &goal),
        };
        if let Some((address, _)) = &next {
            frontier.remove(address);
            seen.insert(address.clone());
        }
    }
    if exploration.report.n_read == 0 {
        let reason = reason.unwrap_or_else(|| "has no page".to_owned());
        return Err(Error::address(scope.start().as_str(), reason));
    }
    Ok(exploration)
}

/// Fetches an address and follows its redirects within the scope.
fn get_within<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    address: &Url,
    passed: &mut Vec<Response>,
) -> std::result::Result<Response, FetchError> {
    let mut address = address.clone();
    for _ in 0..=MAX_REDIRECTS {
        let response = fetcher.send(&address)?;
        match response.redirect().filter(|target| scope.contains(target)) {
            Some(target) => address = target,
            None => return Ok(response),
        }
        passed.push(response);
    }
    Err(FetchError::Redirects { limit: MAX_REDIRECTS })
}

/// Why a page was not read.
struct PageFailure {
    reason: String,
    limit: Option<UnreadCause>,
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
                        let redirect = self.responses.last().and_then(Response::redirect);
                        let reason = match redirect {
                            Some(target) => format!("redirects to {target}, out of the scope"),
                            None => format!("status {status}"),
                        };
                        PageFailure { reason, limit: None }
                    }
                }
            }
            Err(error) => PageFailure { limit: limit_of(&error), reason: error.to_string() },
        };
        let reason = failure.reason.clone();
        if failure.limit.is_none() {
            self.report.failures.push(CrawlFailure { address: address.clone(), reason });
        }
        Some(failure)
    }
}

impl FrontierPage {
    fn add(&mut self, link: FrontierLink, depth: usize) {
        self.depth = if self.links.is_empty() { depth } else { self.depth.min(depth) };
        if self.links.len() < MAX_LINKS_TO_A_PAGE {
            self.links.push(link);
        }
    }

    fn has(&self, word: &str) -> bool {
        self.of_address.contains(word) || self.links.iter().any(|link| link.has(word) > 0.0)
    }

    /// Scores the page: its best link, and a share of what all of them have.
    fn score(&self, rarity: &[(&String, f64)]) -> f64 {
        let of_link = |link: &FrontierLink| {
            let of_word = |word: &String| {
                let address = if self.of_address.contains(word) { OF_ADDRESS } else { 0.0 };
                link.has(word).max(address)
            };
            let sum: f64 = rarity.iter().map(|(word, rarity)| rarity * of_word(word)).sum();
            // Longer texts have more words by chance.
            sum / ((4 + link.own.len() + self.of_address.len()) as f64).sqrt()
        };
        let best = self.links.iter().map(of_link).fold(0.0, f64::max);
        let all: f64 =
            rarity.iter().filter(|(word, _)| self.has(word)).map(|(_, rarity)| rarity).sum();
        let factor = if self.is_of_releases() { OF_RELEASES } else { 1.0 };
        factor * (best + OF_ALL * all / (4.0 + self.links.len() as f64).sqrt())
    }

    fn is_of_releases(&self) -> bool {
        ["whatsnew", "changelog", "release"].iter().any(|word| self.of_address.contains(*word))
    }
}

impl FrontierLink {
    fn has(&self, word: &str) -> f64 {
        match (self.own.contains(word), self.of_heading.contains(word)) {
            (true, _) => 1.0,
            (false, true) => OF_HEADING,
            (false, false) => 0.0,
        }
    }
}

/// Reports whether an address is that of an index, by its last part.
fn is_index(address: &Url) -> bool {
    let last = address.path().rsplit('/').next().unwrap_or_default();
    let stem = last.split('.').next().unwrap_or_default().to_ascii_lowercase();
    INDEXES.iter().any(|index| stem == *index || stem.ends_with(&format!("-{index}")))
}

/// Returns what a page says of others within the scope.
fn links_of(page: &WebPage, scope: &Scope) -> Vec<(Url, FrontierLink)> {
    let headings: Vec<BTreeSet<String>> = page
        .blocks
        .iter()
        .map(|block| topic_words(&block.text).into_iter().take(12).collect())
        .collect();
    let within = page.links.iter().filter(|link| scope.contains(&link.target));
    let known = within.take(MAX_LINKS).map(|link| {
        let of_heading = link.under.and_then(|at| headings.get(at)).cloned().unwrap_or_default();
        (
            link.target.clone(),
            FrontierLink { own: topic_words(&link.text).into_iter().collect(), of_heading },
        )
    });
    known.collect()
}

/// Returns the page whose links have the rarest words of the goal; of equals the one nearest to the
/// start, then by address.
fn best(frontier: &BTreeMap<Url, FrontierPage>, goal: &GoalWords) -> Option<(Url, usize)> {
    let n = frontier.len() as f64;
    let rarity: Vec<(&String, f64)> = goal
        .0
        .iter()
        .map(|(word, weight)| {
            let n_with = frontier.values().filter(|page| page.has(word)).count() as f64;
            // The inverse document frequency of BM25.
            (word, weight * ((n - n_with + 0.5) / (n_with + 0.5) + 1.0).ln())
        })
        .collect();
    let mut best: Option<(u64, &Url, &FrontierPage)> = None;
    for (address, page) in frontier {
        // In thousandths, so that equals are equal.
        let score = (1_000.0 * page.score(&rarity)) as u64;
        let is_better = best.is_none_or(|(most, _, other)| {
            (score, std::cmp::Reverse(page.depth)) > (most, std::cmp::Reverse(other.depth))
        });
        if is_better {
            best = Some((score, address, page));
        }
    }
    best.map(|(_, address, page)| (address.clone(), page.depth))
}
