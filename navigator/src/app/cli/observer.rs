//! The command line as an observer: it stores the run, reports progress, and asks the person if
//! there is one.

use std::io;
use std::time::{Duration, Instant};

use repo_map::cli::Exit;
use repo_map::{CancelToken, FlightPlan, RepoMap};

use super::listing::DocumentRun;
use super::progress::{Tell, TurnDetail};
use super::recording::Story;
use crate::app::terminal;
use crate::run::observer::{Checkpoint, Directive, EffectQuestion, Observer};
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::terrain::site::{DocumentPlan, DocumentTerrain};

/// Cancels on the first Ctrl-C, which delivers the best context so far; ends the program on the
/// second. A closed terminal is an interrupt too and may send several signals at once, so signals
/// in quick succession count as one.
pub(super) fn watch_for_interrupt(interrupted: &CancelToken, tell: Tell) {
    const AT_ONCE: Duration = Duration::from_millis(300);
    let interrupted = interrupted.clone();
    let mut first: Option<Instant> = None;
    let handler = move || {
        interrupted.cancel();
        match first {
            None => {
                first = Some(Instant::now());
                tell.waiting(
                    "finishing what is in hand; Ctrl-C again ends at once, without a context",
                );
            }
            Some(first) if first.elapsed() < AT_ONCE => {}
            Some(_) => std::process::exit(Exit::Interrupted as i32),
        }
    };
    if ctrlc::set_handler(handler).is_err() {
        tell.waiting("Ctrl-C cannot be watched; it will end the program without a context");
    }
}

/// The observer of the command line.
pub(super) struct CliObserver<'a> {
    pub(super) tell: &'a Tell,
    pub(super) folder: Option<&'a DocumentRun>,
    /// The run cannot spend money.
    pub(super) is_free: bool,
    pub(super) plan: &'a FlightPlan,
    pub(super) interactive: bool,
    pub(super) detail: TurnDetail,
    /// The turns to be reported together at the end.
    pub(super) turns: Vec<TurnReport>,
    pub(super) asked_before: bool,
    pub(super) interrupted: &'a CancelToken,
    /// The recording for the page; `None` if no page was requested.
    pub(super) story: Option<Story>,
}

impl Observer<DocumentTerrain> for CliObserver<'_> {
    fn keep(&mut self, state: &State<DocumentPlan>) -> io::Result<()> {
        let kept = self.folder.map_or(Ok(()), |folder| {
            // Visits added to the recording.
            if state.log.last().is_some_and(|entry| !entry.effects.is_empty()) {
                folder.own_recording().map_err(io::Error::other)?;
            }
            folder.keep(state)
        });
        // Without money at stake the run continues: its end writes the state again, and reports a
        // failure.
        if self.is_free { Ok(()) } else { kept }
    }

    fn on_map(&mut self, state: &State<DocumentPlan>, map: &RepoMap) {
        if let Some(story) = &mut self.story {
            story.on_map(state, map);
        }
    }

    fn turn(&mut self, report: &TurnReport, map: &RepoMap) {
        if let Some(story) = &mut self.story {
            story.turn(report, map);
        }
        self.tell.turn(report, self.detail);
        if self.detail == TurnDetail::Together {
            self.turns.push(report.clone());
        }
    }

    fn approve(&mut self, question: &EffectQuestion<'_, DocumentTerrain>) -> bool {
        if self.interactive {
            return terminal::approve(question, self.interrupted);
        }
        self.tell.refused(question);
        false
    }

    fn next(&mut self, checkpoint: &Checkpoint<'_, DocumentTerrain>) -> Directive<DocumentPlan> {
        let sends_nothing = checkpoint.projection.is_some_and(|next| next.request_tokens == 0);
        // The first turn needs no approval if nothing leaves the machine.
        let is_first = !std::mem::replace(&mut self.asked_before, true);
        if !self.interactive || sends_nothing && is_first {
            self.tell.projected(checkpoint);
            return Directive::GoOn;
        }
        let scratch = self.folder.map_or_else(std::env::temp_dir, |folder| folder.path.clone());
        terminal::ask(checkpoint, self.plan, &scratch, self.interrupted)
    }
}
