//! A site that is read from its server: best first, within limits, into a recording.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use repo_map::{CancelToken, Exit, Sanitized};
use serde::{Deserialize, Serialize};
use site_map::Scope;
use site_map::address::{decoded, page_address};
use site_map::explore::{ExploreLimits, SiteExploration, explore};
use site_map::live::changes_since;
use site_map::site::changes::PageChange;
use site_map::site::open;
use site_map::source::http::cookies::Cookies;
use site_map::source::http::crawl::DEPTH;
use site_map::source::http::crawl_report::{CrawlStep, UnreadCause};
use site_map::source::http::fetcher::Fetcher;
use site_map::source::http::options::FetchOptions;
use site_map::source::recording::{Recording, RecordingWriter};
use url::Url;

use super::documents::RunSource;
use crate::app::settings::usage;
use crate::money::effect::{ResourceLimits, Resources};
use crate::run::deadline::Deadline;
use crate::run::decision_log::{EffectOutcome, LogEntry};
use crate::terrain::site::{DocumentPlan, SiteServer};

/// The default limit of requests.
const REQUESTS: u64 = 40;
/// The default limit of bytes.
const BYTES: u64 = 100_000_000;
/// The default time between two requests, in milliseconds.
const DELAY: u64 = 250;
/// The largest number of failed pages that are named.
const MAX_NAMED: usize = 20;

/// Options for reading a site from its server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
pub(crate) struct SiteFlags {
    /// Maximum number of requests: pages, redirects, retries and robots.txt. [default: 40]
    #[arg(help_heading = "Site behind an address", long, value_name = "N")]
    max_requests: Option<u64>,
    /// Maximum number of bytes received. [default: 100000000]
    #[arg(help_heading = "Site behind an address", long, value_name = "N")]
    max_bytes: Option<u64>,
    /// Maximum number of links between the address and a page. [default: 30]
    #[arg(help_heading = "Site behind an address", long, value_name = "N")]
    max_depth: Option<usize>,
    /// Time between two requests, in milliseconds. [default: 250]
    #[arg(help_heading = "Site behind an address", long, value_name = "MS")]
    delay: Option<u64>,
    /// Send the cookies of this file (Netscape's format) to their hosts.
    #[arg(help_heading = "Site behind an address", long, value_name = "FILE")]
    cookies: Option<PathBuf>,
    /// Send all requests through this proxy, which then resolves the names of hosts.
    #[arg(help_heading = "Site behind an address", long, value_name = "URL")]
    proxy: Option<Url>,
    /// Read only addresses whose path begins with this. [default: the folder of the address]
    #[arg(help_heading = "Site behind an address", long, value_name = "PATH")]
    scope: Option<String>,
}

impl SiteFlags {
    /// Refuses limits of requests where none is sent.
    pub(crate) fn check(&self, source: &RunSource) -> Result<()> {
        match self.given() {
            Some(flag) if !matches!(source, RunSource::Address(_)) => {
                let name = source.name();
                Err(usage(flag, format!("`{name}` is no address, so no request is sent")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses what a browser does not use.
    #[cfg(feature = "browser")]
    pub(crate) fn check_in_browser(&self) -> Result<()> {
        let of_browser = SiteFlags { max_requests: None, max_bytes: None, ..self.clone() };
        match of_browser.given() {
            Some(flag) => {
                let why = "it has no effect on a browser (leave it out, or leave out `--browser`)";
                Err(usage(flag, why.to_owned()))
            }
            None => Ok(()),
        }
    }

    /// Returns the first flag that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--max-requests", self.max_requests.is_some()),
            ("--max-bytes", self.max_bytes.is_some()),
            ("--max-depth", self.max_depth.is_some()),
            ("--delay", self.delay.is_some()),
            ("--cookies", self.cookies.is_some()),
            ("--proxy", self.proxy.is_some()),
            ("--scope", self.scope.is_some()),
        ];
        given.iter().find(|(_, is_given)| *is_given).map(|(flag, _)| *flag)
    }

    /// Returns the limit of requests.
    pub(crate) fn max_requests(&self) -> u64 {
        self.max_requests.unwrap_or(REQUESTS)
    }

    /// Returns the limit of bytes.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or(BYTES)
    }

    /// Returns the flags, and where one was not given that of an earlier run.
    pub(crate) fn over(&self, earlier: &SiteFlags) -> SiteFlags {
        SiteFlags {
            max_requests: self.max_requests.or(earlier.max_requests),
            max_bytes: self.max_bytes.or(earlier.max_bytes),
            delay: self.delay.or(earlier.delay),
            scope: self.scope.clone().or_else(|| earlier.scope.clone()),
            max_depth: self.max_depth.or(earlier.max_depth),
            cookies: self.cookies.clone().or_else(|| earlier.cookies.clone()),
            proxy: self.proxy.clone().or_else(|| earlier.proxy.clone()),
        }
    }

    /// Returns what may be fetched from an address on, after what was used already.
    ///
    /// # Errors
    /// If the file of cookies cannot be read.
    pub(crate) fn options(&self, start: &Url, used: Resources) -> Result<FetchOptions> {
        Ok(FetchOptions {
            delay: Duration::from_millis(self.delay.unwrap_or(DELAY)),
            max_requests: self.max_requests().saturating_sub(used.requests),
            max_bytes: self.max_bytes().saturating_sub(used.bytes),
            cookies: self.cookies.as_deref().map(Cookies::read).transpose()?.unwrap_or_default(),
            proxy: self.proxy.clone(),
            ..FetchOptions::of(start)
        })
    }

    /// Returns the flags with at most this many requests.
    #[cfg(feature = "mcp")]
    pub(crate) fn at_most(&self, max_requests: Option<u64>) -> SiteFlags {
        let max_requests = max_requests.map(|most| most.min(self.max_requests()));
        SiteFlags { max_requests: max_requests.or(self.max_requests), ..self.clone() }
    }

    /// Checks that an address lies within the scope that was given.
    ///
    /// # Errors
    /// A sentence, if it does not.
    #[cfg(feature = "mcp")]
    pub(crate) fn check_scope(&self, source: &RunSource) -> Result<(), String> {
        let Some(prefix) = self.scope() else { return Ok(()) };
        let address = page_address(&source.place().display().to_string());
        match address.is_ok_and(|start| Scope::of(&start, Some(prefix)).contains(&start)) {
            true => Ok(()),
            false => Err(format!(
                "`{}` is outside of the scope of the server (`--scope {prefix}`)",
                source.name()
            )),
        }
    }

    /// Asks again for the pages of a recording, each once, and for pages that only links of now
    /// lead to. Without a limit there are requests for as many new pages as an exploration reads.
    ///
    /// # Errors
    /// If the recording cannot be read, or has no page.
    pub(crate) fn ask_again(&self, recording: &Path, cancel: &CancelToken) -> Result<LiveReport> {
        let name = recording.display().to_string();
        let recording = Recording::open(recording)?;
        let recorded = open::scope_of(&recording, &name)?;
        let start = recorded.start();
        let scope = Scope::of(start, Some(self.scope().unwrap_or(recorded.prefix())));
        let n_recorded = recording.len() as u64;
        let options = FetchOptions {
            max_requests: self.max_requests.unwrap_or(n_recorded.saturating_add(REQUESTS)),
            ..self.options(start, Resources::default())?
        };
        let mut fetcher = Fetcher::new(options)?;
        let depth = self.max_depth.unwrap_or(DEPTH);
        let live = changes_since(&mut fetcher, &scope, &recording, depth, |_| {
            if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let of = fetcher.options().max_requests;
        Ok(LiveReport {
            line: format!("{} of {of} requests; {}", fetcher.requests(), live.report),
            n_unasked: live.n_unasked,
            changes: live.changes,
        })
    }

    /// Returns the path that addresses begin with, if it was given.
    pub(crate) fn scope(&self) -> Option<&str> {
        self.scope.as_deref()
    }

    /// Returns the largest number of links between the start and a page.
    pub(crate) fn max_depth(&self) -> usize {
        self.max_depth.unwrap_or_else(|| ExploreLimits::default().depth)
    }

    /// Reads the pages that promise most for a goal into a new recording, until a limit or the
    /// deadline is reached. Half of the limits is kept back if a model may visit more pages.
    ///
    /// # Errors
    /// If the first page cannot be read, or the recording not written.
    pub(crate) fn record(
        &self,
        request: &ReadingRequest<'_>,
        deadline: &Deadline,
        recording: &Path,
        mut progress: impl FnMut(&CrawlStep<'_>),
    ) -> Result<(SiteReport, Fetcher)> {
        let start = page_address(request.address)?;
        let scope = Scope::of(&start, self.scope());
        let options = FetchOptions {
            origin: request.is_confined.then(|| start.clone()),
            ..self.options(&start, Resources::default())?
        };
        let mut fetcher = Fetcher::new(options)?;
        let (requests, bytes) = (self.max_requests(), self.max_bytes());
        fetcher.finish_within(deadline.left());
        if request.keeps_back {
            fetcher.limit(requests.div_ceil(2), bytes.div_ceil(2));
        }
        let limits = ExploreLimits { depth: self.max_depth(), ..ExploreLimits::default() };
        let explored = explore(&mut fetcher, &scope, request.goal, &limits, |step| {
            progress(step);
            match deadline.expired() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        let mut writer = RecordingWriter::create(recording)?;
        for response in &explored.responses {
            writer.append(response)?;
        }
        fetcher.limit(requests, bytes);
        Ok((SiteReport::of(&fetcher, explored, request.keeps_back), fetcher))
    }

    /// Returns the server of a site for visits, with the recording of what was read. A run that
    /// goes on has no fetcher, and has used some of the limits.
    ///
    /// # Errors
    /// If the recording or the file of cookies cannot be read, or TLS not be set up.
    pub(crate) fn server(
        &self,
        fetcher: Option<Fetcher>,
        recording: &Path,
        used: Resources,
    ) -> Result<SiteServer> {
        let recording = RecordingWriter::resume(recording)?;
        let Some(start) = recording.recording().first_address() else {
            bail!("the recording of the run has no page");
        };
        let scope = Scope::of(&start, self.scope());
        let fetcher = match fetcher {
            Some(fetcher) => fetcher,
            None => Fetcher::new(self.options(&start, used)?)?,
        };
        Ok(SiteServer::new(fetcher, recording, scope, self.max_depth()))
    }
}

/// What is read of a site.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadingRequest<'a> {
    /// The address of the first page.
    pub(crate) address: &'a str,
    /// The goal; without one pages are read breadth first.
    pub(crate) goal: &'a str,
    /// No request goes to another origin, not even one that follows a redirect of `/robots.txt`.
    pub(crate) is_confined: bool,
    /// A model may visit more pages with half of the limits.
    pub(crate) keeps_back: bool,
}

/// What came of asking a site again.
#[derive(Debug)]
pub(crate) struct LiveReport {
    /// The requests and what they gave, for people.
    pub(crate) line: String,
    /// The pages that differ, sorted by address.
    pub(crate) changes: Vec<PageChange>,
    /// The number of pages that could not be asked for.
    pub(crate) n_unasked: usize,
}

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
}

/// A page that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct UnreadablePage {
    address: String,
    reason: String,
}

impl SiteReport {
    fn of(fetcher: &Fetcher, explored: SiteExploration, keeps_back: bool) -> SiteReport {
        let report = explored.report;
        let flag = |cause: &UnreadCause| match cause {
            UnreadCause::Requests => Some("--max-requests"),
            UnreadCause::Bytes => Some("--max-bytes"),
            UnreadCause::Depth => Some("--max-depth"),
            _ => None,
        };
        // What was kept back may still be read.
        let is_reached = |cause: &UnreadCause| match cause {
            UnreadCause::Requests => fetcher.requests() >= fetcher.options().max_requests,
            UnreadCause::Bytes => !keeps_back,
            _ => true,
        };
        let unread = report.unread.iter().filter(|(cause, n)| **n > 0 && is_reached(cause));
        let limit = unread.filter_map(|(cause, _)| flag(cause)).next();
        let failed = report.failures.into_iter().map(|failure| UnreadablePage {
            address: Sanitized::line(&decoded(failure.address.as_str())).into_string(),
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
        }
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
        self.lines_for(|flag| format!("`{flag}` reads more"))
    }

    /// Returns the limit of requests.
    #[cfg(feature = "mcp")]
    pub(crate) fn max_requests(&self) -> u64 {
        self.max_requests
    }

    /// Returns the lines with words of the caller's for the flag that reads more.
    pub(crate) fn lines_for(&self, way_out: impl Fn(&str) -> String) -> Vec<String> {
        let mut first = format!(
            "{} of {} requests, {} pages read",
            self.requests, self.max_requests, self.pages
        );
        if self.unread > 0 {
            first += &format!(", {} only known from links", self.unread);
        }
        if let Some(flag) = &self.way_out {
            first += &format!(" ({})", way_out(flag));
        }
        let n_failed = self.failed.len();
        let mut lines = vec![first];
        if n_failed > 0 {
            lines.push(format!("{n_failed} of {} pages failed", self.pages + n_failed));
        }
        let failed = self.failed.iter().take(MAX_NAMED);
        lines.extend(failed.map(|page| format!("{}: {}", page.address, page.reason)));
        if n_failed > MAX_NAMED {
            lines.push(format!("and {} more", n_failed - MAX_NAMED));
        }
        lines
    }

    /// Returns the part of a summary that is about the site.
    pub(crate) fn section(&self) -> String {
        let lines: String = self.lines().iter().map(|line| format!("- {line}\n")).collect();
        format!("\n## Site\n\n{lines}")
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

/// Returns the digest of a recording, as a flown plan keeps it.
///
/// # Errors
/// If it cannot be read, or has no page.
pub(crate) fn recording_digest(recording: &Path) -> Result<Option<String>> {
    let name = recording.display().to_string();
    let facts = open::facts(&Recording::open(recording)?, &name)?;
    Ok(facts.map(|facts| facts.recording))
}
