//! How a walk goes on: its steps are taken again, from its recording or on its live pages.

use std::ops::ControlFlow;

use anyhow::{Result, bail};
use repo_map::cli::{Exit, say};
use site_map::source::recording::RecordingWriter;

use crate::app::cli::browse::Browse;
use crate::app::cli::walk::observer::BrowseObserver;
use crate::app::cli::walk::retaken;
use crate::app::cli::walk::run::WalkRun;
#[cfg(feature = "browser")]
use crate::app::cli::walk::sent_again;
use crate::app::cli::walk::world::WalkWorld;
use crate::app::run_folder::{RECORDING, SECURITY_LOG};
use crate::money::effect::Resources;
use crate::money::effect_ledger::EffectLedger;
use crate::run::deadline::Deadline;
use crate::walk::pilot::first_steps::FirstSteps;
use crate::walk::pilot::{WalkDecision, WalkPilot};
use crate::walk::rerun::retrace::retrace;
use crate::walk::rerun::{Beside, Retaken, rerun as retake};
use crate::walk::state::{PathStep, WalkState};
use crate::walk::steps::limits::WalkLimits;

impl Browse<'_> {
    /// Returns the state that the walk goes on from, and the step that it takes first: one that was
    /// refused what it wanted, and may have it now.
    pub(super) fn goes_on_from(&self) -> Result<(WalkState, Option<PathStep>)> {
        let mut state = WalkState { ended: None, ..self.state.clone() };
        let can_ask = self.args.interactive || self.args.ask_on_stdin;
        let refused = match self.args.resume {
            Some(_) => self.live().cut_before_refused(&mut state, can_ask)?,
            None => None,
        };
        Ok((state, refused))
    }

    /// Returns a pilot that takes a refused step first, and says so.
    pub(super) fn taking_first<'p>(
        &self,
        refused: Option<PathStep>,
        state: &WalkState,
        pilot: Box<dyn WalkPilot + 'p>,
    ) -> Box<dyn WalkPilot + 'p> {
        let Some(step) = refused else { return pilot };
        let (number, action) = (state.n_steps() + 1, &step.action);
        self.tell.line(&format!("step {number} (`{action}`) was refused, and is taken now"));
        let PathStep { action, why, is_of_goal, .. } = step;
        let first = WalkDecision { actions: vec![action], why, is_of_goal, ..Default::default() };
        let mut first = Some(first);
        Box::new(FirstSteps::new(Box::new(move |_| first.take()), pilot))
    }

    /// Takes the steps of a walk again that goes on, from its recording.
    pub(super) fn resume(&self, state: &mut WalkState, used: Resources) -> Result<WalkWorld> {
        let Some(folder) = &self.folder else { bail!("a walk goes on in its folder alone") };
        let mut session = self.live().over_http(&folder.path.join(RECORDING), used)?;
        let deadline = Deadline::new(None, self.cancel.clone());
        if let Some(step) = retrace(&mut session, state, &deadline)? {
            bail!("step {step} of the walk leads elsewhere now: its recording is not whole");
        }
        Ok(session)
    }

    /// Takes the steps of a walk again that goes on, on its live pages. Its recording goes on with
    /// the first screen that is new.
    pub(super) fn resume_in_browser(
        &self,
        state: &mut WalkState,
        limits: &WalkLimits,
        (effects, deadline): (&mut EffectLedger<'_>, &Deadline),
        observer: &mut BrowseObserver<'_>,
    ) -> Result<ControlFlow<Retaken, WalkWorld>> {
        let Some(folder) = &self.folder else { bail!("a walk goes on in its folder alone") };
        let scratch = tempfile::tempdir()?;
        let file = scratch.path().join(RECORDING);
        let log = folder.path.join(SECURITY_LOG);
        #[cfg(feature = "browser")]
        let sent = sent_again::sent_of(&folder.path, state);
        let mut live = self.live().in_browser(&file, &log, &self.state, effects.used())?;
        #[cfg(feature = "browser")]
        live.take_again(sent);
        // A walk that was killed at its first page begins with it.
        if !state.start.is_empty() {
            let mut recorded = retaken::recorded(&self.request, state, &folder.path, &self.start)?;
            let worlds = Beside { live: &mut live, recorded: &mut recorded };
            match retake(worlds, state, limits, effects, deadline, observer)? {
                Retaken::Same => {}
                other => {
                    say(format!("navigator: {}", retaken::line(&other, state)));
                    return Ok(ControlFlow::Break(other));
                }
            }
        }
        #[cfg(feature = "browser")]
        {
            live.take_again(None);
            self.keep_cut(folder, state)?;
        }
        live.record_in(RecordingWriter::resume(&folder.path.join(RECORDING))?);
        Ok(ControlFlow::Continue(live))
    }

    /// Keeps a path that ends earlier than the stored one, and then its recording, which may have
    /// more than the path at any time.
    #[cfg(feature = "browser")]
    fn keep_cut(&self, folder: &WalkRun, state: &WalkState) -> Result<()> {
        if state.path.len() == self.state.path.len() {
            return Ok(());
        }
        folder.keep(state)?;
        match retaken::whole_steps(&folder.path, state)? {
            Some(whole) => {
                folder.begin(&self.request, state, Some(&whole.path().join(RECORDING)), false)
            }
            None => Ok(()),
        }
    }

    /// Says what is left of a walk whose pages have changed: all that it had.
    pub(super) fn stays(&self) -> Exit {
        let name = self.folder.as_ref().map(WalkRun::name).unwrap_or_default();
        say(format!(
            "navigator: the walk cannot go on from there, and stays as it was (`navigator replay \
             {}` prints it; begin a new walk for the pages of now)",
            name.display()
        ));
        Exit::Drifted
    }
}
