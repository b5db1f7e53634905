//! From the argument that names a site to the site.

#![expect(clippy::disallowed_methods, reason = "the rim: asks what a path is")]

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use repo_map::cache::Cache;
use repo_map::cli::{Exit, say, watcher};
use repo_map::plan::{ExcludedPaths, Rule};
use repo_map::{Document, FlightPlan, Level, LevelRange, Sanitized, n_of};
use url::Url;

use crate::address::{decoded, lacking_scheme, page_address};
use crate::cli::args::{ConnectionArgs, FetchArgs};
use crate::cli::record;
use crate::explore::{ExploreLimits, SiteExploration, UnreadPage, explore};
use crate::site::kept::KeptSite;
use crate::site::open;
use crate::source::folder;
use crate::source::http::crawl_report::{CrawlReport, UnreadCause};
use crate::source::http::fetcher::Fetcher;
use crate::source::http::options::FetchOptions;
use crate::source::recording::{Recording, RecordingWriter};
use crate::source::response::{failed_status, with_way_in};
use crate::{Error, Response, Scope, Site};

/// The limits of a reading, with the flags that lift them.
const FLAGS: [(UnreadCause, &str); 3] = [
    (UnreadCause::Requests, "--max-requests"),
    (UnreadCause::Bytes, "--max-bytes"),
    (UnreadCause::Depth, "--max-depth"),
];

/// A site that was opened, and what came of reading it from its server.
pub(super) struct OpenedSite {
    pub(super) site: Site,
    pub(super) report: Option<CrawlReport>,
    /// What links had promised of the pages, and promise of those that were not read.
    pub(super) promised: Vec<(Url, f64)>,
    pub(super) unread: Vec<UnreadPage>,
    /// What was used of each limit of its server, for people.
    pub(super) limits: Vec<(String, String)>,
}

impl OpenedSite {
    /// Reports whether pages were not read because of a rule.
    pub(super) fn has_left_out(&self, rule: &Rule) -> bool {
        self.report.as_ref().is_some_and(|report| report.excluded.contains_key(&rule.path))
    }

    /// Says why a page is not on the map, by its name; `None` for pages that nobody knows.
    pub(super) fn missing_page(&self, name: &str) -> Option<String> {
        self.site.left_out_page(name).or_else(|| self.unread_page(name))
    }

    /// Says that a page is only known from links, by its name; `None` for other pages.
    pub(super) fn unread_page(&self, name: &str) -> Option<String> {
        let wanted = Document::map_name(name);
        let of_server =
            |page: &&UnreadPage| Document::map_name(&self.site.name_of(&page.address)) == wanted;
        if let Some(page) = self.unread.iter().find(of_server) {
            let links = n_of(page.n_links, "link");
            let promise = if page.n_links == 1 { "promises" } else { "promise" };
            return Some(format!(
                "`{wanted}` was not read: it is known from {links}, which {promise} {:.2} \
                 (`--max-requests` reads more)",
                page.evidence
            ));
        }
        let is_known = self.site.unread.iter().any(|name| Document::map_name(name) == wanted);
        is_known.then(|| format!("`{wanted}` was not read: it is known from links alone"))
    }

    /// Says that a rule only matches pages that are known from links; `None` for other rules.
    ///
    /// # Errors
    /// If its glob does not compile.
    pub(super) fn unread_by(&self, rule: &Rule) -> Result<Option<String>> {
        let globs =
            ExcludedPaths::of(&[Rule::new(&rule.path, LevelRange::exactly(Level::Exclude))])?;
        let matches = |name: &str| globs.glob(&Document::map_name(name)).is_some();
        if self.site.pages.iter().any(|page| matches(&page.name)) {
            return Ok(None);
        }
        let of_server = self.unread.iter().map(|page| self.site.name_of(&page.address));
        let mut names = of_server.chain(self.site.unread.iter().cloned());
        Ok(names.find(|name| matches(name)).and_then(|name| self.unread_page(&name)))
    }

    /// Returns the exit code of a command that delivers what the reading of a server gave.
    pub(super) fn exit(&self, exit: Exit) -> Exit {
        let is_stopped = |report: &&CrawlReport| report.unread.contains_key(&UnreadCause::Stopped);
        if self.report.as_ref().is_some_and(|report| is_stopped(&report)) {
            return Exit::Interrupted;
        }
        let Some(report) = self.report.as_ref().filter(|_| exit == Exit::Finished) else {
            return exit;
        };
        if FLAGS.iter().any(|(limit, _)| report.unread.contains_key(limit)) {
            return Exit::LimitReached;
        }
        if report.failures.is_empty() { Exit::Finished } else { Exit::PagesFailed }
    }
}

/// Opens the site that an argument names, and says what was left out of it. A server is asked for
/// the pages that the links promise for the goal.
pub(super) fn open_site(
    source: &str,
    fetch: &FetchArgs,
    plan: &FlightPlan,
    cache: Option<&Cache>,
) -> Result<OpenedSite> {
    let opened = match is_address(source) {
        true => explored(source, fetch, plan)?,
        false => OpenedSite {
            site: of_disk(source, cache)?,
            report: None,
            promised: Vec::new(),
            unread: Vec::new(),
            limits: Vec::new(),
        },
    };
    if let Some(left_out) = opened.site.left_out() {
        say(format!("site-map: {left_out}"));
    }
    Ok(opened)
}

fn is_address(source: &str) -> bool {
    source.starts_with("http://") || source.starts_with("https://")
}

/// Refuses addresses that no reader is for: they are no paths.
fn check_scheme(source: &str) -> Result<()> {
    if source.is_empty() {
        let message = "it is empty (`.` is the folder here)".to_owned();
        return Err(repo_map::Error::Rule { place: "site", message }.into());
    }
    if let Some(scheme) = lacking_scheme(source)
        && !Path::new(source).exists()
    {
        let source = Sanitized::line(source);
        let message = format!("`{source}` does not exist (an address begins with `{scheme}`)");
        return Err(repo_map::Error::Rule { place: "address", message }.into());
    }
    match source.split_once("://") {
        Some((scheme, _)) if scheme != "file" && !Path::new(source).exists() => {
            let source = Sanitized::line(source);
            let message =
                format!("`{source}`: only `http://`, `https://` and `file://` can be read");
            Err(repo_map::Error::Rule { place: "address", message }.into())
        }
        _ => Ok(()),
    }
}

/// How far from its beginning the root of a page is looked for, in bytes.
const MAX_BEFORE_ROOT: usize = 8_192;

/// Reads one page: from a file, or from its server as politely as a site.
pub(super) fn page_of(source: &str, connection: &ConnectionArgs) -> Result<Response> {
    if !is_address(source) {
        check_scheme(source)?;
        let file = folder::path_of(source).unwrap_or_else(|| source.into());
        let file = file.canonicalize().with_context(|| source.to_owned())?;
        let page = folder::read(file.parent().unwrap_or(Path::new("/")), &file)?;
        let refused =
            |kind: &str| anyhow!("`{}` is no page of HTML{kind}", Sanitized::line(source));
        if page.damaged_encoding().is_some() {
            return Err(refused(" that can be read: it is damaged, or larger than 128 MiB"));
        }
        if page.damaged_encoding().is_some() {
            return Err(refused(" that can be read: it is damaged, or larger than 128 MiB"));
        }
        return match (folder::is_text(&page.body), text_kind(&file)) {
            (false, _) => Err(refused("")),
            (true, Some(kind)) if !has_html(&page.body) => {
                Err(refused(&format!(", but `{kind}` (`navigator browse` reads text)")))
            }
            (true, _) => Ok(page),
        };
    }
    let address = page_address(source)?;
    let response = Fetcher::new(connection.options(&address)?)?.get(&address);
    let response = response.map_err(|error| Error::no_page(source, error.to_string()))?;
    match response.is_page() {
        true => Ok(response),
        false if (200..300).contains(&response.status) => {
            Err(Error::no_page(source, "has no page of HTML").into())
        }
        false => {
            let reason = with_way_in(failed_status(response.status));
            Err(Error::no_page(source, reason).into())
        }
    }
}

/// Returns the media type of a file whose name is that of a text without HTML: a note, Markdown,
/// data. `None` for any other name.
fn text_kind(file: &Path) -> Option<&'static str> {
    let extension = file.extension().and_then(|one| one.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "txt" | "rst" => Some("text/plain"),
        "md" => Some("text/markdown"),
        "xml" => Some("application/xml"),
        _ => None,
    }
}

/// Reports whether the root of a page stands at the beginning of a content, whatever its name.
fn has_html(content: &[u8]) -> bool {
    let start = &content[..content.len().min(MAX_BEFORE_ROOT)];
    start.windows(5).any(|bytes| bytes.eq_ignore_ascii_case(b"<html"))
}

/// Opens a recording, or a folder of pages: from the cache, if nothing has changed.
pub(super) fn of_disk(source: &str, cache: Option<&Cache>) -> Result<Site> {
    check_scheme(source)?;
    let path = &folder::path_of(source).unwrap_or_else(|| source.into());
    let kept = cache.map(|cache| KeptSite::open(cache, path)).transpose()?;
    if let Some(site) = kept.as_ref().and_then(KeptSite::site) {
        return Ok(site);
    }
    let mut is_whole = true;
    let site = if path.is_file() {
        let recording = open_recording(path)?;
        is_whole = recording.complaint().is_none();
        open::recording_watched(&recording, source, watcher().as_ref())?
    } else {
        open::folder_watched(path, watcher().as_ref())?
    };
    // What is wrong with a recording is said each time.
    Ok(match kept.filter(|_| is_whole) {
        Some(kept) => kept.keep(site),
        None => site,
    })
}

/// Opens a recording, and says what of it is not read.
pub(super) fn open_recording(path: &Path) -> Result<Recording> {
    let recording = Recording::open(path)?;
    if let Some(complaint) = recording.complaint() {
        say(format!("site-map: {}: {complaint}", path.display()));
    }
    Ok(recording)
}

fn explored(source: &str, fetch: &FetchArgs, plan: &FlightPlan) -> Result<OpenedSite> {
    let start = page_address(source)?;
    let options = FetchOptions {
        max_requests: fetch.max_requests,
        max_bytes: fetch.max_bytes,
        ..fetch.connection.options(&start)?
    };
    let scope = Scope::of(&start, fetch.scope.as_deref());
    if let Some(file) = fetch.recording.as_ref().filter(|file| file.exists()) {
        let message = "the file exists; name another one, or map it: `site-map FILE`";
        return Err(Error::recording(file, message).into());
    }
    let mut fetcher = Fetcher::new(options)?;
    let mut sink = fetch.recording.as_deref().map(RecordingWriter::create).transpose()?;
    let limits = ExploreLimits {
        depth: fetch.max_depth,
        excluded: ExcludedPaths::of(&plan.rules)?,
        ..ExploreLimits::default()
    };
    let goal = plan.goal.as_deref().unwrap_or_default();
    let mut tell = record::told("site-map");
    let mut written = Ok(());
    let explored = explore(&mut fetcher, &scope, goal, &limits, |step| {
        let mut answers = step.answers.iter();
        written = sink.as_mut().map_or(Ok(()), |sink| answers.try_for_each(|one| sink.append(one)));
        if written.is_ok() { tell(step) } else { ControlFlow::Break(()) }
    });
    written?;
    // A recording without a page would be in the way of the next try.
    let explored = explored.inspect_err(|_| {
        drop(sink.take());
        fetch.recording.iter().for_each(|file| drop(fs::remove_file(file)));
    })?;
    say(format!(
        "site-map: {} of {} requests, {} of {} bytes; {}",
        fetcher.requests(),
        fetch.max_requests,
        fetcher.bytes(),
        fetch.max_bytes,
        explored.report
    ));
    for (cause, flag) in FLAGS {
        if explored.report.unread.contains_key(&cause) {
            say(format!("site-map: `{flag}` reads more"));
        }
    }
    let SiteExploration { responses, report, promised, unread } = explored;
    let site = open::responses(responses, source)?;
    if unread.is_empty() && site.pages.iter().all(|page| !page.has_data) {
        say("site-map: no page has content over HTTP (`navigator browse URL --browser` reads \
             pages that JavaScript builds)");
    }
    let limits = [
        ("Requests", format!("{} of {}", fetcher.requests(), fetch.max_requests)),
        ("Bytes", format!("{} of {}", fetcher.bytes(), fetch.max_bytes)),
        ("Depth", format!("at most {} links", fetch.max_depth)),
        ("Delay", format!("{} ms", fetcher.options().delay.as_millis())),
        ("Scope", Sanitized::line(&decoded(scope.prefix())).into_string()),
    ];
    let limits = limits.map(|(name, what)| (name.to_owned(), what)).into();
    Ok(OpenedSite { site, report: Some(report), promised, unread, limits })
}
