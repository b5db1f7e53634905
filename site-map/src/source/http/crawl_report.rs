//! What a crawl says: each step, and at its end what was read, what failed and what was left.

use std::collections::BTreeMap;
use std::fmt;

use repo_map::{Sanitized, n_of};
use url::Url;

use crate::error::shown;
use crate::source::response::{Response, way_in};

/// The largest number of lines about failures, and about what is forbidden; a site may have
/// thousands. The lists in the report are whole.
const MAX_LINES: usize = 100;

/// What happened to one address.
#[derive(Debug)]
pub struct CrawlStep<'a> {
    /// The address.
    pub address: &'a Url,
    /// Why it failed.
    pub failure: Option<&'a str>,
    /// The pages so far, failed ones included.
    pub n_pages: usize,
    /// The addresses that are known and not yet asked.
    pub n_queued: usize,
    /// The requests so far.
    pub n_requests: u64,
    /// What the server answered in this step, in order; empty if the caller records answers itself.
    pub answers: &'a [&'a Response],
}

/// Why addresses were not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnreadCause {
    /// The limit of pages.
    Pages,
    /// The limit of requests.
    Requests,
    /// The limit of bytes.
    Bytes,
    /// The limit of links from the start.
    Depth,
    /// The limit of addresses that differ only in their query.
    Queries,
    /// The limit of links of one page; they are counted as they stand, repeated ones too.
    Links,
    /// The server stopped answering.
    Silent,
    /// The server asked to wait for so many seconds.
    AskedToWait(u64),
    /// The person stopped.
    Stopped,
}

/// A page that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrawlFailure {
    /// The address.
    pub address: Url,
    /// Why.
    pub reason: String,
}

/// The outcome of a crawl.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrawlReport {
    /// Pages that were read now.
    pub n_read: usize,
    /// Pages that the recording had before.
    pub n_kept: usize,
    /// Redirects within the scope.
    pub n_redirects: usize,
    /// Redirects out of the scope, which were not followed, in the order asked.
    pub elsewhere: Vec<CrawlFailure>,
    /// Files that are no pages: images, archives.
    pub n_no_pages: usize,
    /// Pages that failed, in the order asked.
    pub failures: Vec<CrawlFailure>,
    /// Addresses that the rules for robots forbid, with the rule's words.
    pub forbidden: Vec<CrawlFailure>,
    /// The numbers of addresses that were not asked.
    pub unread: BTreeMap<UnreadCause, usize>,
    /// The numbers of addresses that rules exclude, by their globs; 0 for a rule if later ones
    /// exclude all that it would.
    pub excluded: BTreeMap<String, usize>,
}

impl CrawlReport {
    /// Returns the number of pages, failed ones included.
    pub fn n_pages(&self) -> usize {
        self.n_read + self.n_kept + self.failures.len()
    }
}

impl fmt::Display for UnreadCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnreadCause::Pages => "beyond the limit of pages",
            UnreadCause::Requests => "beyond the limit of requests",
            UnreadCause::Bytes => "beyond the limit of bytes",
            UnreadCause::Depth => "too many links from the start",
            UnreadCause::Queries => "too many queries of one path",
            UnreadCause::Links => "links beyond the limit per page",
            UnreadCause::Silent => "the server stopped answering",
            UnreadCause::Stopped => "stopped before",
            UnreadCause::AskedToWait(seconds) => {
                return write!(f, "the server asks to wait {seconds} s");
            }
        })
    }
}

/// Counts an address for the first of the globs that exclude it; the others are named.
pub(crate) fn count_excluded(excluded: &mut BTreeMap<String, usize>, globs: &[&str]) {
    for (at, glob) in globs.iter().enumerate() {
        *excluded.entry((*glob).to_owned()).or_default() += usize::from(at == 0);
    }
}

/// One line for the whole, then one for each failure.
impl fmt::Display for CrawlReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages = n_of(self.n_pages(), "page");
        match self.failures.len() {
            0 => f.write_str(&pages)?,
            n => write!(f, "{n} of {pages} failed")?,
        }
        for (n, what) in [
            (self.n_kept, "recorded before"),
            (self.n_redirects, "redirects"),
            (self.elsewhere.len(), "redirects out of the scope"),
            (self.n_no_pages, "files that are no pages"),
            (self.forbidden.len(), "forbidden by robots.txt"),
            (self.excluded.values().sum(), "excluded"),
        ] {
            if n > 0 {
                write!(f, "; {what}: {n}")?;
            }
        }
        for (cause, n) in &self.unread {
            write!(f, "; not read, {cause}: {n}")?;
        }
        for failures in [&self.failures, &self.forbidden, &self.elsewhere] {
            // A server that does not answer says the same of each page.
            let is_same = |failure: &CrawlFailure| failure.reason == failures[0].reason;
            let is_down = self.n_read + self.n_kept == 0 && failures.iter().all(is_same);
            let n_lines = if is_down { 1 } else { MAX_LINES };
            for CrawlFailure { address, reason } in failures.iter().take(n_lines) {
                write!(f, "\n{}: {}", shown(address.as_str()), Sanitized::line(reason))?;
            }
            if failures.len() > n_lines {
                write!(f, "\n... and {} more", failures.len() - n_lines)?;
            }
        }
        if let Some(way) = self.failures.iter().find_map(|failure| way_in(&failure.reason)) {
            write!(f, "\n{way}")?;
        }
        Ok(())
    }
}
