//! `site-map record`: all pages of a site in one file.

#![expect(
    clippy::disallowed_methods,
    reason = "the rim: waits for an interruption, removes a recording without a page"
)]

use std::fs;
use std::ops::ControlFlow;

use anyhow::Result;
use repo_map::cli::{Exit, say};
use repo_map::plan::{ExcludedPaths, Rule};
use repo_map::{CancelToken, n_of};

use crate::Scope;
use crate::address::page_address;
use crate::cli::args::RecordArgs;
use crate::page::targets;
use crate::source::http::crawl::{CrawlLimits, record as record_site};
use crate::source::http::crawl_report::{CrawlReport, CrawlStep, UnreadCause};
use crate::source::http::fetcher::Fetcher;
use crate::source::http::options::FetchOptions;
use crate::source::recording::RecordingWriter;

/// How many pages are read between two lines of progress.
const PAGES_A_LINE: usize = 100;

/// Records a site.
pub(super) fn record(args: &RecordArgs) -> Result<Exit> {
    let start = page_address(&args.address)?;
    let options = FetchOptions {
        max_requests: args.max_requests.unwrap_or(u64::MAX),
        max_bytes: args.max_bytes.unwrap_or(u64::MAX),
        concurrency: args.concurrency.into(),
        ..args.connection.options(&start)?
    };
    let limits = CrawlLimits {
        pages: args.max_pages,
        depth: args.max_depth,
        excluded: ExcludedPaths::of(&args.exclude)?,
        ..CrawlLimits::default()
    };
    let mut sink = match args.resume {
        true => RecordingWriter::resume(&args.output)?,
        false => RecordingWriter::create(&args.output)?,
    };
    let mut fetcher = Fetcher::new(options)?;
    let scope = Scope::of(&start, args.scope.as_deref());
    let report = record_site(&mut fetcher, &scope, &limits, targets, &mut sink, told("site-map"))?;
    let requests = n_of(fetcher.requests(), "request");
    say(format!("site-map: {requests}, {} bytes; {report}", fetcher.bytes()));
    say_unmatched(&args.exclude, &report);
    if report.unread.contains_key(&UnreadCause::Stopped) {
        say(format!("site-map: `--resume -o {}` goes on", args.output.display()));
        return Ok(Exit::Interrupted);
    }
    let has_no_page = report.n_read + report.n_kept == 0;
    let has_more = !report.unread.is_empty() && sink.recording().addresses().next().is_some();
    // Where nothing is left to ask for, the name is free for another try.
    if has_no_page && !has_more && !args.resume {
        drop(sink);
        fs::remove_file(&args.output)?;
        say("site-map: no page was recorded, and no file is kept");
    } else if has_no_page {
        say(format!("site-map: no page was recorded in {}", args.output.display()));
    }
    if has_no_page || !report.failures.is_empty() {
        return Ok(Exit::PagesFailed);
    }
    let is_whole = report.unread.is_empty();
    Ok(if is_whole { Exit::Finished } else { Exit::LimitReached })
}

/// Says which excluded globs match no page: one may be misspelt.
pub(super) fn say_unmatched(excluded: &[Rule], report: &CrawlReport) {
    for rule in excluded.iter().filter(|rule| !report.excluded.contains_key(&rule.path)) {
        say(format!("site-map: --exclude: no link leads to `{}`", rule.path));
    }
}

/// Returns a function that prints progress, and stops when the person interrupts.
pub(super) fn told(program: &'static str) -> impl FnMut(&CrawlStep<'_>) -> ControlFlow<()> {
    let cancel = CancelToken::new();
    let on_signal = cancel.clone();
    // A second handler in one process is an error; the first one stays.
    drop(ctrlc::set_handler(move || on_signal.cancel()));
    move |step| {
        if step.n_pages > 0 && step.n_pages % PAGES_A_LINE == 0 {
            say(format!("{program}: {} pages, {} known", step.n_pages, step.n_queued));
        }
        match cancel.is_cancelled() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
