//! The recording of a walk beside its live pages, and what came of steps that were taken again.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use repo_map::CancelToken;
#[cfg(feature = "browser")]
use site_map::source::recording::{Recording, RecordingWriter};
#[cfg(feature = "browser")]
use tempfile::TempDir;

use crate::app::cli::walk::run::WalkRequest;
use crate::app::cli::walk::world::WalkWorld;
#[cfg(feature = "browser")]
use crate::app::run_folder::RECORDING;
use crate::app::source::documents::RunSource;
use crate::run::deadline::Deadline;
use crate::shared::n_of;
#[cfg(feature = "browser")]
use crate::terrain::browser::RecordedScreens;
use crate::walk::rerun::Retaken;
#[cfg(feature = "browser")]
use crate::walk::rerun::n_screens;
use crate::walk::rerun::retrace::retrace;
use crate::walk::state::WalkState;

/// What the steps before the one that was not taken are.
const AS_RECORDED: &str = "the steps before it lead where they led";

/// Opens the recording of a walk, to look at beside its live pages.
pub(in crate::app::cli) fn recorded(
    request: &WalkRequest,
    state: &WalkState,
    folder: &Path,
    start: &str,
) -> Result<WalkWorld> {
    let source = RunSource::of(&request.site)?.of_run(folder);
    let is_live = request.is_in_browser;
    let open =
        || WalkWorld::recorded(&source, start, is_live)?.context("the walk has no recording");
    let deadline = Deadline::new(None, CancelToken::new());
    if let Some(step) = retrace(&mut open()?, &mut state.clone(), &deadline)? {
        bail!("the recording of the walk is not whole: its step {step} leads elsewhere");
    }
    open()
}

/// Copies the screens of a recording that the steps of a state have shown, where it has more: those
/// of a step that was cut short. `None` if it has no more.
#[cfg(feature = "browser")]
pub(in crate::app::cli) fn whole_steps(
    folder: &Path,
    state: &WalkState,
) -> Result<Option<TempDir>> {
    let recorded = RecordedScreens::new(Recording::open(&folder.join(RECORDING))?);
    let n = n_screens(state);
    let Some(recorded) = recorded.filter(|recorded| recorded.n_screens() > n) else {
        return Ok(None);
    };
    let scratch = tempfile::tempdir()?;
    let mut copy = RecordingWriter::create(&scratch.path().join(RECORDING))?;
    recorded.copy_first(n, &mut copy)?;
    Ok(Some(scratch))
}

/// Says what came of the steps of a walk that were taken again.
pub(in crate::app::cli) fn line(done: &Retaken, state: &WalkState) -> String {
    let named = |step: usize| match step.checked_sub(1).and_then(|at| state.path.get(at)) {
        Some(at) => format!("step {step} (`{}`)", at.action),
        None => "the first page".to_owned(),
    };
    match done {
        Retaken::Same => {
            format!("the first page and {} lead where they led", n_of(state.path.len(), "step"))
        }
        Retaken::Differs { step, how } => format!("{} differs: {how}", named(*step)),
        Retaken::Stopped { step, stop } => {
            format!("{} was not taken: {}", named(*step), stop.line_with(AS_RECORDED))
        }
    }
}
