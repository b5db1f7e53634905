//! `site-map diff`: what changed on a site.

use std::path::Path;

use anyhow::Result;
use repo_map::cli::{Exit, TableFormat, say, write_out};
use repo_map::n_of;
use repo_map::plan::ExcludedPaths;

use crate::cli::args::SiteDiffArgs;
use crate::cli::masked::masked_lines;
use crate::cli::{record, source};
use crate::live::{LiveLimits, changes_since};
use crate::site::changes::{PageChange, changes};
use crate::site::open;
use crate::source::http::fetcher::Fetcher;
use crate::source::http::options::FetchOptions;

/// Compares two readings of a site, or a recording with the site as it is now.
pub(super) fn diff(args: &SiteDiffArgs) -> Result<Exit> {
    let (changes, n_failed) = match &args.after {
        Some(after) => {
            let before = source::of_disk(&args.before, None)?;
            (changes(&before, &source::of_disk(after, None)?), 0)
        }
        None => since(args)?,
    };
    let out = match args.format {
        TableFormat::Json => masked_lines(&changes)?,
        TableFormat::Text => {
            changes.iter().map(|change| format!("{change}\n")).collect::<String>().into()
        }
    };
    write_out(None, &out)?;
    Ok(match (changes.is_empty(), n_failed) {
        (false, _) => Exit::Drifted,
        (true, 0) => Exit::Finished,
        (true, _) => Exit::PagesFailed,
    })
}

/// Returns what changed since the recording, and how many of its pages could not be asked for.
fn since(args: &SiteDiffArgs) -> Result<(Vec<PageChange>, usize)> {
    let recording = source::open_recording(Path::new(&args.before))?;
    let scope = open::scope_of(&recording, &args.before)?;
    let options =
        FetchOptions { max_requests: args.max_requests, ..args.connection.options(scope.start())? };
    // The person named the recording, and not what is in it.
    if let Some(origin) = options.headers.origin() {
        say(format!("site-map: `--header` goes to {origin}, where the recording began"));
    }
    let mut fetcher = Fetcher::new(options)?;
    let limits =
        LiveLimits { excluded: ExcludedPaths::of(&args.exclude)?, ..LiveLimits::default() };
    let told = record::told("site-map");
    let live = changes_since(&mut fetcher, &scope, &recording, &limits, told)?;
    say(format!("site-map: {}; {}", n_of(fetcher.requests(), "request"), live.report));
    record::say_unmatched(&args.exclude, &live.report);
    Ok((live.changes, live.n_unasked))
}
