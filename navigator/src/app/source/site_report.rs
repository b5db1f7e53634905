//! What came of reading a site from its server: for people, for programs, and for a run that goes
//! on.

use std::collections::{BTreeMap, BTreeSet};

use repo_map::{Exit, Sanitized};
use serde::{Deserialize, Serialize};
use site_map::address::decoded;
use site_map::explore::SiteExploration;
use site_map::source::http::crawl_report::UnreadCause;
use site_map::source::http::fetcher::Fetcher;
use site_map::source::response::way_in;
use url::Url;

use crate::money::effect::{ResourceLimits, Resources};
use crate::run::decision_log::{EffectOutcome, LogEntry};
use crate::shared::n_of;
use crate::terrain::site::DocumentPlan;

/// The largest number of failed pages that are named.
const MAX_NAMED: usize = 20;

/// What came of reading a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SiteReport {
    requests: u64,
    max_requests: u64,
    bytes: u64,
    max_bytes: u64,
    /// The number of pages that were read.
    pages: usize,
    /// The pages that could not be read.
    failed: Vec<UnreadablePage>,
    /// The number of addresses that were only known from links when a limit was reached.
    unread: usize,
    /// The flag that reads more of them.
    way_out: Option<String>,
    /// The numbers of addresses that the person's rules exclude, by their globs.
    #[serde(default)]
    excluded: BTreeMap<String, usize>,
    /// The largest number of links between the start and a page; `None` in an older run.
    #[serde(default)]
    max_depth: Option<usize>,
    /// The time between two requests; `None` in an older run.
    #[serde(default)]
    delay_ms: Option<u64>,
    /// The path that all addresses begin with; `None` in an older run.
    #[serde(default)]
    scope: Option<String>,
}

/// The limits of the reading of a site, all of its run's readings together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadingLimits {
    pub(crate) max_requests: u64,
    pub(crate) max_bytes: u64,
    pub(crate) max_depth: usize,
    pub(crate) delay_ms: u64,
}

/// A page that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct UnreadablePage {
    address: String,
    reason: String,
}

/// Returns an address as a report has it.
fn shown(address: &Url) -> String {
    Sanitized::line(&decoded(address.as_str())).into_string()
}

impl SiteReport {
    /// Makes the report of what a fetcher explored. What was kept back may still be read.
    pub(super) fn of(fetcher: &Fetcher, explored: SiteExploration, keeps_back: bool) -> SiteReport {
        let report = explored.report;
        let flag = |cause: &UnreadCause| match cause {
            UnreadCause::Requests => Some("--max-requests"),
            UnreadCause::Bytes => Some("--max-bytes"),
            UnreadCause::Depth => Some("--max-depth"),
            _ => None,
        };
        let is_reached = |cause: &UnreadCause| match cause {
            UnreadCause::Requests => fetcher.requests() >= fetcher.options().max_requests,
            UnreadCause::Bytes => !keeps_back,
            _ => true,
        };
        let unread = report.unread.iter().filter(|(cause, n)| **n > 0 && is_reached(cause));
        let limit = unread.filter_map(|(cause, _)| flag(cause)).next();
        let failed = [report.failures, report.forbidden, report.elsewhere].into_iter().flatten();
        let failed = failed.map(|failure| UnreadablePage {
            address: shown(&failure.address),
            reason: Sanitized::line(&failure.reason).into_string(),
        });
        SiteReport {
            requests: fetcher.requests(),
            max_requests: fetcher.options().max_requests,
            bytes: fetcher.bytes(),
            max_bytes: fetcher.options().max_bytes,
            pages: report.n_read,
            failed: failed.collect(),
            unread: report.unread.values().sum(),
            way_out: limit.map(str::to_owned),
            excluded: report.excluded,
            max_depth: None,
            delay_ms: None,
            scope: None,
        }
    }

    /// Returns the report of a reading below a path.
    pub(super) fn below(self, prefix: &str) -> SiteReport {
        SiteReport { scope: Some(Sanitized::line(&decoded(prefix)).into_string()), ..self }
    }

    /// Returns the report of a reading together with that of the readings before it. Of a page that
    /// was answered now, or failed again, an earlier failure does not count.
    pub(super) fn following(mut self, before: &SiteReport, answered: &[Url]) -> SiteReport {
        self.requests += before.requests;
        self.bytes += before.bytes;
        self.pages += before.pages;
        let now = self.failed.iter().map(|page| page.address.clone());
        let now: BTreeSet<String> = answered.iter().map(shown).chain(now).collect();
        let mut failed = before.failed.clone();
        failed.retain(|page| !now.contains(&page.address));
        failed.append(&mut self.failed);
        SiteReport { failed, scope: before.scope.clone(), ..self }
    }

    /// Returns the report with other limits of the run.
    pub(crate) fn within(self, limits: ReadingLimits) -> SiteReport {
        let ReadingLimits { max_requests, max_bytes, max_depth, delay_ms } = limits;
        let (max_depth, delay_ms) = (Some(max_depth), Some(delay_ms));
        SiteReport { max_requests, max_bytes, max_depth, delay_ms, ..self }
    }

    /// Reports whether pages were not read because of a rule with this glob.
    pub(crate) fn has_left_out(&self, glob: &str) -> bool {
        self.excluded.contains_key(glob)
    }

    /// Reports whether pages were left unread of which its limits allow some, after so much was
    /// used in all.
    pub(crate) fn can_go_on(&self, used: Resources) -> bool {
        self.unread > 0 && used.requests < self.max_requests && used.bytes < self.max_bytes
    }

    /// Returns the flag that reads more pages.
    pub(crate) fn way_out(&self) -> Option<&str> {
        self.way_out.as_deref()
    }

    /// Returns what reading the site used.
    pub(crate) fn used(&self) -> Resources {
        Resources { requests: self.requests, bytes: self.bytes, steps: 0 }
    }

    /// Returns the limits of the whole run.
    pub(crate) fn limits(&self) -> ResourceLimits {
        ResourceLimits {
            requests: Some(self.max_requests),
            bytes: Some(self.max_bytes),
            steps: None,
        }
    }

    /// Returns the pages that could not be read, with the reasons.
    pub(crate) fn failed(&self) -> Vec<(String, String)> {
        let failed = self.failed.iter();
        failed.map(|page| (page.address.clone(), page.reason.clone())).collect()
    }

    /// Returns the report after the visits of a run, which used so much in all and left so many
    /// pages unread.
    pub(crate) fn after(
        &self,
        log: &[LogEntry<DocumentPlan>],
        used: Resources,
        unread: Option<usize>,
    ) -> SiteReport {
        let mut report = self.clone();
        report.requests = used.requests.max(self.requests);
        report.bytes = used.bytes.max(self.bytes);
        for effect in log.iter().flat_map(|entry| &entry.effects) {
            match effect.outcome {
                EffectOutcome::Done => report.pages += 1,
                // Without a result a limit was the reason.
                EffectOutcome::Failed if effect.result.is_empty() => {}
                EffectOutcome::Failed => report.failed.push(UnreadablePage {
                    address: effect.change.trim_start_matches("visit ").to_owned(),
                    reason: effect.result.clone(),
                }),
                EffectOutcome::Refused | EffectOutcome::OverLimit => {}
            }
        }
        if let Some(unread) = unread {
            report.unread = unread;
            let reached = [
                (report.requests >= report.max_requests, "--max-requests"),
                (report.bytes >= report.max_bytes, "--max-bytes"),
                (self.way_out.as_deref() == Some("--max-depth"), "--max-depth"),
            ];
            let way_out = reached.into_iter().find(|(is_reached, _)| unread > 0 && *is_reached);
            report.way_out = way_out.map(|(_, flag)| flag.to_owned());
        }
        report
    }

    /// Returns the lines for people: what was read, what was not, and each page that failed.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = self.lines_for(|flag| format!("`{flag}` reads more"));
        let way = self.failed.iter().find_map(|page| way_in(&page.reason));
        lines.extend(way.map(str::to_owned));
        lines
    }

    /// Returns the limit of requests.
    #[cfg(feature = "mcp")]
    pub(crate) fn max_requests(&self) -> u64 {
        self.max_requests
    }

    /// Returns the lines with words of the caller's for the flag that reads more.
    pub(crate) fn lines_for(&self, way_out: impl Fn(&str) -> String) -> Vec<String> {
        let mut first = format!(
            "{} of {} requests, {} read",
            self.requests,
            self.max_requests,
            n_of(self.pages, "page")
        );
        if self.unread > 0 {
            first += &format!(", {} only known from links", self.unread);
        }
        let n_excluded: usize = self.excluded.values().sum();
        if n_excluded > 0 {
            first += &format!(", {n_excluded} excluded");
        }
        if let Some(flag) = &self.way_out {
            first += &format!(" ({})", way_out(flag));
        }
        let n_failed = self.failed.len();
        let mut lines = vec![first];
        if n_failed > 0 {
            let pages = n_of(self.pages + n_failed, "page");
            lines.push(format!("{n_failed} of {pages} failed"));
        }
        let failed = self.failed.iter().take(MAX_NAMED);
        lines.extend(failed.map(|page| format!("{}: {}", page.address, page.reason)));
        if n_failed > MAX_NAMED {
            lines.push(format!("and {} more", n_failed - MAX_NAMED));
        }
        lines
    }

    /// Returns what was used of each limit, by the name of the limit.
    pub(crate) fn facts(&self) -> Vec<(String, String)> {
        let requests = format!("{} of {}", self.requests, self.max_requests);
        [vec![("Requests".to_owned(), requests)], self.other_facts()].concat()
    }

    /// Returns the same without the requests.
    fn other_facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![("Bytes", format!("{} of {}", self.bytes, self.max_bytes))];
        facts.extend(self.max_depth.map(|depth| ("Depth", format!("at most {depth} links"))));
        facts.extend(self.delay_ms.map(|delay| ("Delay", format!("{delay} ms"))));
        facts.extend(self.scope.clone().map(|scope| ("Scope", scope)));
        facts.into_iter().map(|(name, what)| (name.to_owned(), what)).collect()
    }

    /// Returns the exit code of a run that would end with this one.
    pub(crate) fn exit(&self, exit: Exit) -> Exit {
        match exit {
            Exit::Finished if self.way_out.is_some() => Exit::LimitReached,
            Exit::Finished if !self.failed.is_empty() => Exit::PagesFailed,
            exit => exit,
        }
    }
}

/// Returns the part of a summary that is about a site: what came of reading it, where a server was
/// asked, and what its pages have that is not shown.
pub(crate) fn section(report: Option<&SiteReport>, left_out: Option<&str>) -> String {
    let mut lines: Vec<String> = report.map(SiteReport::lines).unwrap_or_default();
    // The first line has the requests.
    let limits = report.map(SiteReport::other_facts).unwrap_or_default();
    let limits: Vec<String> =
        limits.into_iter().map(|(name, what)| format!("{name}: {what}")).collect();
    lines.extend((!limits.is_empty()).then(|| limits.join("; ")));
    lines.extend(left_out.map(str::to_owned));
    let lines: String = lines.iter().map(|line| format!("- {line}\n")).collect();
    if lines.is_empty() { lines } else { format!("\n## Site\n\n{lines}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_is_answered_later_has_not_failed() {
        let report = |failed: &[&str]| {
            let page = |address: &&str| serde_json::json!({ "address": address, "reason": "down" });
            let failed: Vec<serde_json::Value> = failed.iter().map(page).collect();
            let report = serde_json::json!({
                "requests": 4, "max_requests": 40, "bytes": 9, "max_bytes": 99, "pages": 1,
                "failed": failed, "unread": 0, "way_out": null, "excluded": {},
            });
            serde_json::from_value::<SiteReport>(report).unwrap()
        };
        let [a, b, c] = ["a%20b", "b", "c"].map(|path| format!("http://docs.example/{path}"));
        let before = report(&["http://docs.example/a b", &b, &c]);
        let answered = [Url::parse(&a).unwrap(), Url::parse("http://docs.example/d").unwrap()];
        let after = report(&[&c]).following(&before, &answered);
        let failed: Vec<String> = after.failed().into_iter().map(|(address, _)| address).collect();
        assert_eq!(failed, [b, c]);
    }
}
