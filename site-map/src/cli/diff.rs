//! `site-map diff`: what changed on a site.

use std::path::Path;

use anyhow::Result;
use repo_map::cli::{Exit, TableFormat, say, write_out};

use crate::Site;
use crate::cli::args::SiteDiffArgs;
use crate::cli::masked::masked_lines;
use crate::cli::{record, source};
use crate::live::ask_again;
use crate::site::changes::{PageChange, PageChangeKind, changes};
use crate::site::open;
use crate::source::http::fetcher::Fetcher;
use crate::source::http::options::FetchOptions;
use crate::source::recording::Recording;

/// Compares two readings of a site, or a recording with the site as it is now.
pub(super) fn diff(args: &SiteDiffArgs) -> Result<Exit> {
    let before = source::of_disk(&args.before, None)?;
    let (after, n_failed) = match &args.after {
        Some(after) => (source::of_disk(after, None)?, 0),
        None => now(args)?,
    };
    let changes = changes(&before, &after);
    let out = match args.format {
        TableFormat::Json => masked_lines(&changes)?,
        TableFormat::Text => changes.iter().map(line).collect::<String>().into(),
    };
    write_out(None, &out)?;
    Ok(match (changes.is_empty(), n_failed) {
        (false, _) => Exit::Drifted,
        (true, 0) => Exit::Finished,
        (true, _) => Exit::PagesFailed,
    })
}

fn line(change: &PageChange) -> String {
    let address = &change.address;
    match &change.kind {
        PageChangeKind::Changed => format!("changed  {address}\n"),
        PageChangeKind::Moved { to } => format!("moved    {address} to {to}\n"),
        PageChangeKind::Gone => format!("gone     {address}\n"),
        PageChangeKind::New => format!("new      {address}\n"),
    }
}

/// Returns the site as its server answers now, and how many of its pages failed.
fn now(args: &SiteDiffArgs) -> Result<(Site, usize)> {
    let recording = Recording::open(Path::new(&args.before))?;
    let scope = open::scope_of(&recording, &args.before)?;
    let options =
        FetchOptions { max_requests: args.max_requests, ..args.connection.options(scope.start())? };
    let mut fetcher = Fetcher::new(options)?;
    let live = ask_again(&mut fetcher, &scope, &recording, record::told("site-map"))?;
    say(format!("site-map: {} requests; {}", fetcher.requests(), live.report));
    let n_failed = live.report.failures.len() + live.report.unread.values().sum::<usize>();
    Ok((Site::of(&scope, live.responses.into_iter().map(Ok))?, n_failed))
}
