//! A site that is read from its server: best first, within limits, into a recording.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use repo_map::CancelToken;
use repo_map::cli::{first_given, say};
use repo_map::plan::{ExcludedPaths, Rule};
use serde::{Deserialize, Serialize, Serializer};
use site_map::Scope;
use site_map::address::page_address;
use site_map::explore::{ExploreLimits, ListedPage, explore, explore_on};
use site_map::live::{LiveLimits, changes_since};
use site_map::site::changes::PageChange;
use site_map::site::open;
use site_map::source::http::cookies::Cookies;
use site_map::source::http::crawl::DEPTH;
use site_map::source::http::crawl_report::CrawlStep;
use site_map::source::http::fetcher::Fetcher;
use site_map::source::http::headers::{GivenHeaders, HeaderFlag};
use site_map::source::http::options::FetchOptions;
use site_map::source::recording::{Recording, RecordingWriter};
use url::Url;

use super::documents::{RunSource, open_recording};
#[cfg(feature = "mcp")]
use super::origins::AllowedOrigins;
use super::site_report::{ReadingLimits, SiteReport};
use crate::app::settings::usage;
use crate::money::effect::Resources;
use crate::run::deadline::Deadline;
use crate::terrain::site::SiteServer;
use crate::walk::known::KnownPlace;

/// The default limit of requests.
const REQUESTS: u64 = 40;
/// The default limit of bytes.
const BYTES: u64 = 100_000_000;
/// The flag of a header.
const HEADER: &str = "--header";
/// The default time between two requests, in milliseconds.
const DELAY: u64 = 250;

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
    /// Send a header to the scheme, host and port of the address, and nowhere else: `Name: value`,
    /// `Name=env:VAR`, `Name=file:PATH`, or `@FILE` with one a line. No run keeps it. Repeatable.
    #[arg(help_heading = "Site behind an address", long = "header", value_name = "HEADER")]
    #[serde(skip)]
    headers: Vec<HeaderFlag>,
    /// Send all requests through this proxy, which then resolves the names of hosts. No run keeps
    /// its password.
    #[arg(help_heading = "Site behind an address", long, value_name = "URL")]
    #[serde(serialize_with = "without_password")]
    proxy: Option<Url>,
    /// Read only addresses whose path begins with this. [default: the folder of the address]
    #[arg(help_heading = "Site behind an address", long, value_name = "PATH")]
    scope: Option<String>,
}

/// Writes an address without its password: a proxy then asks for it when a run goes on.
fn without_password<S: Serializer>(address: &Option<Url>, out: S) -> Result<S::Ok, S::Error> {
    let mut address = address.clone();
    if let Some(address) = &mut address {
        // An address without a host has no password.
        let _ = address.set_password(None);
    }
    address.serialize(out)
}

impl SiteFlags {
    /// Returns the files that are read for requests.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.cookies.as_deref().into_iter().chain(self.headers.iter().filter_map(HeaderFlag::file))
    }

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
        first_given(&[
            (self.max_requests.is_some(), "--max-requests"),
            (self.max_bytes.is_some(), "--max-bytes"),
            (self.max_depth.is_some(), "--max-depth"),
            (self.delay.is_some(), "--delay"),
            (self.cookies.is_some(), "--cookies"),
            (!self.headers.is_empty(), HEADER),
            (self.proxy.is_some(), "--proxy"),
            (self.scope.is_some(), "--scope"),
        ])
    }

    /// Returns the limit of requests.
    pub(crate) fn max_requests(&self) -> u64 {
        self.max_requests.unwrap_or(REQUESTS)
    }

    /// Returns the limit of bytes.
    pub(crate) fn max_bytes(&self) -> u64 {
        self.max_bytes.unwrap_or(BYTES)
    }

    /// Returns the flags, and where one was not given that of an earlier run. No run keeps headers.
    pub(crate) fn over(&self, earlier: &SiteFlags) -> SiteFlags {
        SiteFlags {
            max_requests: self.max_requests.or(earlier.max_requests),
            max_bytes: self.max_bytes.or(earlier.max_bytes),
            delay: self.delay.or(earlier.delay),
            scope: self.scope.clone().or_else(|| earlier.scope.clone()),
            max_depth: self.max_depth.or(earlier.max_depth),
            cookies: self.cookies.clone().or_else(|| earlier.cookies.clone()),
            headers: self.headers.clone(),
            proxy: self.proxy.clone().or_else(|| earlier.proxy.clone()),
        }
    }

    /// Refuses what a run that goes on over a site cannot change: it used so much already.
    pub(crate) fn check_resumed(&self, source: &RunSource, used: Resources) -> Result<()> {
        self.check(source)?;
        if self.scope.is_some() {
            let why =
                "a run keeps its scope, because its pages are named by it (begin another run)";
            return Err(usage("--scope", why.to_owned()));
        }
        let limits = [
            ("--max-requests", self.max_requests, used.requests, "requests were sent"),
            ("--max-bytes", self.max_bytes, used.bytes, "bytes were received"),
        ];
        for (flag, given, used, what) in limits {
            if let Some(most) = given.filter(|most| *most < used) {
                return Err(usage(flag, format!("{used} {what} already, and {most} is less")));
            }
        }
        Ok(())
    }

    /// Reports whether a limit of what is read was given.
    pub(crate) fn has_limit(&self) -> bool {
        self.max_requests.is_some() || self.max_bytes.is_some() || self.max_depth.is_some()
    }

    /// Returns what may be fetched from an address on, after what was used already.
    ///
    /// # Errors
    /// If the file of cookies or a header cannot be read.
    pub(crate) fn options(&self, start: &Url, used: Resources) -> Result<FetchOptions> {
        Ok(FetchOptions {
            delay: Duration::from_millis(self.delay.unwrap_or(DELAY)),
            max_requests: self.max_requests().saturating_sub(used.requests),
            max_bytes: self.max_bytes().saturating_sub(used.bytes),
            cookies: self.cookies.as_deref().map(Cookies::read).transpose()?.unwrap_or_default(),
            headers: GivenHeaders::read(&self.headers, start)
                .map_err(|error| usage(HEADER, error.to_string()))?,
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

    /// Checks the headers of a server whose callers name the addresses: one origin must be allowed
    /// and no other, since a header goes to one.
    ///
    /// # Errors
    /// If there are headers and several origins, or one cannot be read.
    #[cfg(feature = "mcp")]
    pub(crate) fn check_headers(&self, origins: &AllowedOrigins) -> Result<()> {
        if self.headers.is_empty() {
            return Ok(());
        }
        let Some(only) = origins.only() else {
            let why = "it goes to one scheme, host and port (`--allow reads:https://HOST`, given \
                       once, names those)";
            return Err(usage(HEADER, why.to_owned()));
        };
        self.options(&only, Resources::default()).map(drop)
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

    /// Asks again for the pages of a recording that no rule excludes, each once, and for pages that
    /// only links of now lead to. Without a limit there are requests for as many new pages as an
    /// exploration reads.
    ///
    /// # Errors
    /// If the recording cannot be read, or has no page.
    pub(crate) fn ask_again(
        &self,
        recording: &Path,
        rules: &[Rule],
        cancel: &CancelToken,
    ) -> Result<LiveReport> {
        let name = recording.display().to_string();
        let recording = open_recording(recording)?;
        let recorded = open::scope_of(&recording, &name)?;
        let start = recorded.start();
        let scope = Scope::of(start, Some(self.scope().unwrap_or(recorded.prefix())));
        let n_recorded = recording.len() as u64;
        let options = FetchOptions {
            max_requests: self.max_requests.unwrap_or(n_recorded.saturating_add(REQUESTS)),
            ..self.options(start, Resources::default())?
        };
        // The person named the recording, and not what is in it.
        if let Some(origin) = options.headers.origin() {
            say(format!("navigator: `{HEADER}` goes to {origin}, where the recording began"));
        }
        let mut fetcher = Fetcher::new(options)?;
        let limits = LiveLimits {
            depth: self.max_depth.unwrap_or(DEPTH),
            excluded: ExcludedPaths::of(rules)?,
        };
        let live = changes_since(&mut fetcher, &scope, &recording, &limits, |_| {
            if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let of = fetcher.options().max_requests;
        Ok(LiveReport {
            line: format!("{} of {of} requests; {}", fetcher.requests(), live.report),
            n_unasked: live.n_unasked,
            excluded: live.report.excluded,
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
    /// deadline is reached. Half of the limits is kept back if a model may visit more pages. Each
    /// step is handed to `keep`.
    ///
    /// # Errors
    /// If the first page cannot be read, the recording not written, or a step not kept.
    pub(crate) fn record(
        &self,
        request: &ReadingRequest<'_>,
        deadline: &Deadline,
        recording: &Path,
        mut keep: impl FnMut(&CrawlStep<'_>) -> Result<()>,
    ) -> Result<(SiteReport, Fetcher)> {
        let start = page_address(request.address)?;
        let scope = Scope::of(&start, self.scope());
        let options = FetchOptions {
            origin: request.is_confined.then(|| start.clone()),
            ..self.options(&start, Resources::default())?
        };
        let mut fetcher = Fetcher::new(options)?;
        if let Some(before) = request.before {
            fetcher.go_on_after(Recording::open(before)?);
        }
        let (requests, bytes) = (self.max_requests(), self.max_bytes());
        let mut kept = Ok(());
        fetcher.finish_within(deadline.left());
        if request.keeps_back {
            fetcher.limit(requests.div_ceil(2), bytes.div_ceil(2));
        }
        let known = request.known.iter().filter_map(listed).collect();
        let limits = ExploreLimits { known, ..self.explore_limits(request.rules)? };
        let explored = explore(&mut fetcher, &scope, request.goal, &limits, |step| {
            kept = keep(step);
            match (&kept, deadline.expired()) {
                (Ok(()), None) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        kept?;
        let mut writer = RecordingWriter::create(recording)?;
        for response in &explored.responses {
            writer.append(response)?;
        }
        fetcher.limit(requests, bytes);
        let report = SiteReport::of(&fetcher, explored, request.keeps_back);
        Ok((report.below(scope.prefix()).within(self.limits()), fetcher))
    }

    fn explore_limits(&self, rules: &[Rule]) -> Result<ExploreLimits> {
        let excluded = ExcludedPaths::of(rules)?;
        Ok(ExploreLimits { depth: self.max_depth(), excluded, ..ExploreLimits::default() })
    }

    /// Returns the limits of a whole run.
    pub(crate) fn limits(&self) -> ReadingLimits {
        ReadingLimits {
            max_requests: self.max_requests(),
            max_bytes: self.max_bytes(),
            max_depth: self.max_depth(),
            delay_ms: self.delay.unwrap_or(DELAY),
        }
    }

    /// Reads more pages into the recording of a run that goes on, those that promise most first,
    /// until a limit or the deadline is reached. Returns what came of the whole reading.
    ///
    /// # Errors
    /// If the recording cannot be read or written.
    pub(crate) fn record_on(
        &self,
        start: &Url,
        (before, goal, rules): (&SiteReport, &str, &[Rule]),
        deadline: &Deadline,
        recording: &Path,
    ) -> Result<SiteReport> {
        let mut writer = RecordingWriter::resume(recording)?;
        let mut fetcher = Fetcher::new(self.options(start, before.used())?)?;
        fetcher.finish_within(deadline.left());
        let scope = Scope::of(start, self.scope());
        let limits = self.explore_limits(rules)?;
        let explored = explore_on(&mut fetcher, &mut writer, &scope, goal, &limits, |_| {
            match deadline.expired() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        let answered = explored.responses.iter().map(|response| response.address.clone());
        let answered: Vec<Url> = answered.collect();
        let report = SiteReport::of(&fetcher, explored, false).following(before, &answered);
        Ok(report.within(self.limits()))
    }

    /// Returns the server of a site for visits, with the recording of what was read. A run that
    /// goes on has no fetcher, and has used some of the limits.
    ///
    /// # Errors
    /// If the recording or the file of cookies cannot be read, or TLS not be set up.
    pub(crate) fn server(
        &self,
        (start, rules): (&Url, &[Rule]),
        fetcher: Option<Fetcher>,
        recording: &Path,
        used: Resources,
    ) -> Result<SiteServer> {
        let recording = RecordingWriter::resume(recording)?;
        let (scope, excluded) = (Scope::of(start, self.scope()), ExcludedPaths::of(rules)?);
        let fetcher = match fetcher {
            Some(fetcher) => fetcher,
            None => Fetcher::new(self.options(start, used)?)?,
        };
        Ok(SiteServer::new(fetcher, recording, scope, excluded, self.max_depth()))
    }
}

/// What is read of a site.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadingRequest<'a> {
    /// The address of the first page.
    pub(crate) address: &'a str,
    /// The goal; without one pages are read breadth first.
    pub(crate) goal: &'a str,
    /// The person's rules: a page that they exclude is not asked for.
    pub(crate) rules: &'a [Rule],
    /// The pages that an earlier reading knows, best first.
    pub(crate) known: &'a [KnownPlace],
    /// No request goes to another origin, not even one that follows a redirect of `/robots.txt`.
    pub(crate) is_confined: bool,
    /// A model may visit more pages with half of the limits.
    pub(crate) keeps_back: bool,
    /// The recording of a reading that was cut off, which goes on after it.
    pub(crate) before: Option<&'a Path>,
}

/// Returns what is known of a page: its own name, and those of the places that it stands in.
fn listed(place: &KnownPlace) -> Option<ListedPage> {
    let (title, around) = place.way.split_last()?;
    Some(ListedPage {
        address: page_address(&place.address).ok()?,
        title: title.clone(),
        notes: String::new(),
        heading: around.join(" "),
    })
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
    /// The numbers of pages that rules left out, by their globs.
    pub(crate) excluded: BTreeMap<String, usize>,
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
