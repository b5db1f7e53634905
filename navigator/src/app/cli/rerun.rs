//! `navigator replay --rerun`: takes the steps of a walk again on its live pages, and says where
//! they lead elsewhere.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use repo_map::CancelToken;
use repo_map::cli::{Exit, deliver, say};
#[cfg(feature = "browser")]
use site_map::source::recording::{Recording, RecordingWriter};
#[cfg(feature = "browser")]
use tempfile::TempDir;

use super::ReplayArgs;
use super::browse_observer::{BrowseObserver, LastEffect};
use super::live_walk::LiveWalk;
use super::observer::watch_for_interrupt;
use super::progress::Tell;
#[cfg(feature = "browser")]
use super::sent_again::sent_of;
use super::walk_run::{WalkRequest, WalkRun, stored_start};
use super::walk_world::WalkWorld;
use crate::app::run_folder::{RECORDING, SECURITY_LOG};
use crate::app::settings::usage;
use crate::app::source::documents::RunSource;
use crate::app::terminal;
use crate::money::effect::Resources;
use crate::money::effect_ledger::EffectLedger;
use crate::run::deadline::Deadline;
use crate::run::text::n_of;
#[cfg(feature = "browser")]
use crate::terrain::browser::RecordedScreens;
use crate::walk::limits::WalkLimits;
#[cfg(feature = "browser")]
use crate::walk::rerun::n_screens;
use crate::walk::rerun::{Beside, Retaken, rerun};
use crate::walk::retrace::retrace;
use crate::walk::state::WalkState;

/// What the steps before the one that was not taken are.
const AS_RECORDED: &str = "the steps before it lead where they led";

/// Takes the steps of a walk again, and prints the first difference.
pub(super) fn run(args: &ReplayArgs) -> Result<Exit> {
    if args.interactive && !terminal::is_there() {
        say("navigator: interactive mode needs a terminal; without `--interactive` only what \
             `--allow` allows is done");
        return Ok(Exit::NoTerminal);
    }
    // The lock keeps the steps of this out of those of a walk in the security log.
    let folder = WalkRun::open(args.plan.to_str().unwrap_or_default())?;
    let (mut request, mut state) = folder.resume()?;
    check(&request, &state)?;
    request.server = args.site.over(&request.server);
    // A yes was for that walk.
    state.allowed.clear();
    let start = stored_start(&request, &folder.path)?;
    let mut recorded = recorded(&request, &state, &folder.path, &start)?;
    let live = LiveWalk {
        request: &request,
        start: &start,
        allow: &args.allow,
        #[cfg(feature = "browser")]
        is_rerun: true,
        #[cfg(feature = "browser")]
        flags: &args.pages,
    };
    let cancel = CancelToken::new();
    let tell = Tell { quiet: false, events: false };
    watch_for_interrupt(&cancel, tell);
    let limits = WalkLimits {
        resources: live.resources(),
        allow: live.permits()?,
        cancel: cancel.clone(),
        ..WalkLimits::default()
    };
    let refused = refused_then(&live, &folder, &state)?;
    let scratch = tempfile::tempdir()?;
    let file = scratch.path().join(RECORDING);
    let log = folder.path.join(SECURITY_LOG);
    let mut world = match request.is_in_browser {
        true => live.in_browser(&file, &log, &state, Resources::default())?,
        false => live.over_http(&file, Resources::default())?,
    };
    #[cfg(feature = "browser")]
    world.take_again(Some(sent_of(&folder.path, &state).unwrap_or_default()));
    let mut observer = BrowseObserver {
        tell,
        folder: None,
        asker: None,
        interactive: args.interactive,
        is_verbose: false,
        is_free: true,
        interrupted: &cancel,
        view_tokens: request.view_tokens,
        goal: &request.goal,
        last: LastEffect::default(),
    };
    let worlds = Beside { live: &mut world, recorded: &mut recorded };
    let deadline = Deadline::new(None, cancel.clone());
    let effects = &mut EffectLedger::default();
    let done = rerun(worlds, &mut state, &limits, effects, &deadline, &mut observer)?;
    let line = line(&done, &state);
    let text = match &done {
        Retaken::Differs { .. } => format!("{line}\n"),
        Retaken::Same | Retaken::Stopped { .. } => {
            say(format!("navigator: {line}"));
            String::new()
        }
    };
    deliver("navigator", args.output.as_deref(), false, &text.as_str().into())?;
    refused.into_iter().for_each(say);
    Ok(match done {
        Retaken::Same => Exit::Finished,
        Retaken::Differs { .. } => Exit::Drifted,
        Retaken::Stopped { stop, .. } => stop.exit(),
    })
}

/// Checks that a walk has live pages, and seen one of them.
fn check(request: &WalkRequest, state: &WalkState) -> Result<()> {
    if !matches!(RunSource::of(&request.site)?, RunSource::Address(_)) {
        let message =
            "the walk has no live pages, only files (`navigator replay RUN` compares them)";
        return Err(usage("--rerun", message.to_owned()));
    }
    if state.start.is_empty() {
        bail!("the walk has not seen its first page, so there is nothing to compare");
    }
    Ok(())
}

/// Says which step was refused something that `--allow` would allow now: taken again, it is refused
/// again.
fn refused_then(live: &LiveWalk<'_>, run: &WalkRun, state: &WalkState) -> Result<Option<String>> {
    let mut before = state.clone();
    let step = live.cut_before_refused(&mut before, false)?;
    Ok(step.map(|step| {
        format!(
            "navigator: step {} (`{}`) was refused in the walk, so it is stopped here too \
             (`navigator browse --resume {}` with this `--allow` takes it now)",
            before.n_steps() + 1,
            step.action,
            run.name().display()
        )
    }))
}

/// Opens the recording of a walk, to look at beside its live pages.
pub(super) fn recorded(
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
pub(super) fn whole_steps(folder: &Path, state: &WalkState) -> Result<Option<TempDir>> {
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
pub(super) fn line(done: &Retaken, state: &WalkState) -> String {
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
