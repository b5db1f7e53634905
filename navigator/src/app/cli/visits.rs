//! Visits of a model to more pages of a site: what the first reading used counts, and the server
//! is at hand.

use std::path::Path;

use anyhow::{Context as _, Result};
use repo_map::Options;
use site_map::source::http::fetcher::Fetcher;

use super::task::Task;
use crate::app::source::site_report::SiteReport;
use crate::money::effect::{Effect, Permit, Resources};
use crate::money::effect_ledger::{EffectLedger, EffectRefusal};
use crate::terrain::site::DocumentTerrain;

/// Lets a model visit pages of the site that a task is about. A run that goes on has no fetcher.
///
/// # Errors
/// If the ledger cannot be written, or the recording not be used.
pub(super) fn connect(
    terrain: &mut DocumentTerrain,
    (task, site): (&Task, &SiteReport),
    fetcher: Option<Fetcher>,
    recording: &Path,
    effects: &mut EffectLedger<'_>,
    options: Options,
) -> Result<()> {
    if effects.used() == Resources::default() {
        let reads = Effect::Reads { host: task.source.host().unwrap_or_default() };
        let reserved = effects.reserve(0, &task.source.name(), &reads, site.used(), &site.limits());
        if let Err(EffectRefusal::Journal(error)) = reserved {
            return Err(error).context("writing the ledger");
        }
        effects.settle(site.used(), true).context("writing the ledger")?;
    }
    let start = task.source.address().context("the run is over no site")?;
    let server =
        task.server.server((&start, &task.plan.rules), fetcher, recording, effects.used())?;
    // Visits before this process may have failed, too.
    let log = task.state.as_ref().map_or(&[][..], |state| &state.log);
    let failed = site.after(log, Resources::default(), None).failed();
    Ok(terrain.connect(server, failed, options)?)
}

/// Returns what visits may do without a question: read from the host that the person named.
pub(super) fn allowed(task: &Task) -> Option<Permit> {
    Effect::Reads { host: task.source.host()? }.permit()
}
