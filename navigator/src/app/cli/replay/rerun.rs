//! `navigator replay --rerun`: takes the steps of a walk again on its live pages, and says where
//! they lead elsewhere.

use anyhow::{Result, bail};
use repo_map::CancelToken;
use repo_map::cli::{Exit, deliver, say};

use crate::app::cli::observer::watch_for_interrupt;
use crate::app::cli::replay::args::ReplayArgs;
use crate::app::cli::walk::live::LiveWalk;
use crate::app::cli::walk::observer::{BrowseObserver, LastEffect};
use crate::app::cli::walk::retaken;
use crate::app::cli::walk::run::{WalkRequest, WalkRun, stored_start};
#[cfg(feature = "browser")]
use crate::app::cli::walk::sent_again::{is_ahead, sent_of, told};
use crate::app::run_folder::{RECORDING, SECURITY_LOG};
use crate::app::settings::usage;
use crate::app::source::documents::RunSource;
use crate::app::terminal;
use crate::money::effect::Resources;
use crate::money::effect_ledger::EffectLedger;
use crate::run::deadline::Deadline;
use crate::walk::rerun::{Beside, Retaken, rerun};
use crate::walk::state::WalkState;
use crate::walk::steps::limits::WalkLimits;

/// Takes the steps of a walk again, and prints the first difference.
pub(in crate::app::cli) fn run(args: &ReplayArgs) -> Result<Exit> {
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
    let mut recorded = retaken::recorded(&request, &state, &folder.path, &start)?;
    let tell = args.tell();
    let live = LiveWalk {
        request: &request,
        start: &start,
        allow: &args.allow,
        #[cfg(feature = "browser")]
        tell,
        #[cfg(feature = "browser")]
        is_rerun: true,
        #[cfg(feature = "browser")]
        flags: &args.pages,
    };
    let cancel = CancelToken::new();
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
    {
        let sent = sent_of(&folder.path, &state).unwrap_or_default();
        let ahead: Vec<_> = sent.iter().filter(|one| is_ahead(one, &state)).cloned().collect();
        if let Some(told) = told(&ahead, &state).filter(|_| !args.allow.is_empty()) {
            say(format!("navigator: {told}; what `--allow` permits of it may be sent again"));
        }
        world.take_again(Some(sent));
    }
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
    let line = retaken::line(&done, &state);
    let text = match &done {
        Retaken::Differs { .. } => format!("{line}\n"),
        Retaken::Same | Retaken::Stopped { .. } => {
            tell.line(&line);
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
