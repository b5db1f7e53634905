//! From a folder and a plan to what its files are worth.

use std::path::Path;
use std::sync::Arc;

use crate::error::Result;
use crate::map::corpus::{Request, scan_options};
use crate::map::judged::Judged;
use crate::map::options::Options;
use crate::map::surveyed::Surveyed;
use crate::plan::FlightPlan;
use crate::source::scan::{self, ScanOptions, Tree};

/// Scans the repository at `root` and judges its files for the plan's goal.
///
/// # Errors
/// When `root` is not a folder that can be read, a glob does not compile, or it was cancelled.
/// Files that cannot be read are [`Judged::problems`].
pub fn open(root: &Path, plan: &FlightPlan, options: &Options) -> Result<Judged> {
    let request = Request::new(plan, options)?;
    let tree = scan::walk_watched(
        root,
        &ScanOptions { own: options.stdout, ..scan_options(&request.plan) },
        options.watcher.as_ref(),
        &options.cancel,
    )?;
    judged(tree, request, options)
}

fn judged(tree: Tree, request: Request, options: &Options) -> Result<Judged> {
    let cancelled = &options.cancel;
    cancelled.check()?;
    let surveyed = Arc::new(Surveyed::of(tree, request, options)?);
    let rules = &surveyed.corpus.plan.rules;
    Judged::of(Arc::clone(&surveyed), rules, cancelled)
        .inspect_err(|_| surveyed.corpus.caches.save_words())
}
