//! The worlds that the command line walks: pages over HTTP or of a recording, a live browser, and
//! what a browser was seen to show.

use crate::app::source::documents::RunSource;
#[cfg(feature = "browser")]
use crate::browser::guard::sent::SentStep;
use crate::money::effect::{Effect, Resources};
use crate::run::deadline::Deadline;
use crate::run::stop::Stop;
#[cfg(feature = "browser")]
use crate::terrain::browser::{BrowserSession, BrowserWalkError, RecordedScreens};
use crate::terrain::site::{SitePages, SiteSession};
use crate::walk::screen::Screen;
use crate::walk::session::{EffectAnswer, Move, Moved, WalkSession};
use anyhow::Result;
#[cfg(not(feature = "browser"))]
use anyhow::bail;
use site_map::source::recording::{Recording, RecordingWriter};

/// The reason why a walk cannot go on.
#[derive(Debug, thiserror::Error)]
pub(in crate::app::cli) enum WalkWorldError {
    #[error(transparent)]
    Pages(#[from] site_map::Error),
    #[cfg(feature = "browser")]
    #[error(transparent)]
    Browser(#[from] BrowserWalkError),
}

/// A world that the command line walks.
#[derive(Debug)]
pub(in crate::app::cli) enum WalkWorld {
    Pages(Box<SiteSession>),
    #[cfg(feature = "browser")]
    Live(Box<BrowserSession>),
    #[cfg(feature = "browser")]
    Seen(Box<RecordedScreens>),
}

impl WalkWorld {
    /// Opens what a walk left, to take its steps again: the screens of a browser, or pages.
    pub(in crate::app::cli) fn recorded(
        source: &RunSource,
        start: &str,
        is_in_browser: bool,
    ) -> Result<Option<WalkWorld>> {
        #[cfg(not(feature = "browser"))]
        if is_in_browser {
            bail!("this program was built without a browser");
        }
        let pages = match source {
            RunSource::Recording(file) => {
                #[cfg(feature = "browser")]
                if is_in_browser && let Some(seen) = RecordedScreens::new(Recording::open(file)?) {
                    return Ok(Some(WalkWorld::Seen(Box::new(seen))));
                }
                SitePages::recorded(Recording::open(file)?)
            }
            RunSource::Folder(root) | RunSource::Pages(root) => SitePages::folder(root),
            RunSource::Address(_) => return Ok(None),
        };
        Ok(Some(WalkWorld::Pages(Box::new(SiteSession::new(pages, start)?))))
    }

    /// Records what follows in another file, which has what was recorded so far.
    pub(in crate::app::cli) fn record_in(&mut self, recording: RecordingWriter) {
        match self {
            WalkWorld::Pages(session) => session.record_in(recording),
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.record_in(recording),
            #[cfg(feature = "browser")]
            WalkWorld::Seen(_) => {}
        }
    }

    /// Takes steps again from now on: each sends no more than the walk's log says that it has sent.
    /// `None` ends that.
    #[cfg(feature = "browser")]
    pub(in crate::app::cli) fn take_again(&mut self, sent: Option<Vec<SentStep>>) {
        if let WalkWorld::Live(session) = self {
            session.take_again(sent);
        }
    }

    /// Keeps the log of a browser's guard in another file, with what it has so far.
    #[cfg(feature = "browser")]
    pub(in crate::app::cli) fn log_in(&self, file: &std::path::Path) -> std::io::Result<()> {
        match self {
            WalkWorld::Live(session) => session.browser().guard().move_log(file),
            WalkWorld::Pages(_) | WalkWorld::Seen(_) => Ok(()),
        }
    }
}

impl WalkSession for WalkWorld {
    type Error = WalkWorldError;

    fn screen(&self) -> &Screen {
        match self {
            WalkWorld::Pages(session) => session.screen(),
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.screen(),
            #[cfg(feature = "browser")]
            WalkWorld::Seen(session) => session.screen(),
        }
    }

    fn effect(&self, step: &Move) -> Effect {
        match self {
            WalkWorld::Pages(session) => session.effect(step),
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.effect(step),
            #[cfg(feature = "browser")]
            WalkWorld::Seen(session) => session.effect(step),
        }
    }

    fn is_named(&self, host: &str) -> bool {
        match self {
            WalkWorld::Pages(session) => session.is_named(host),
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.is_named(host),
            #[cfg(feature = "browser")]
            WalkWorld::Seen(session) => session.is_named(host),
        }
    }

    fn can_search(&self) -> bool {
        matches!(self, WalkWorld::Pages(session) if session.can_search())
    }

    fn secrets(&self) -> Vec<String> {
        match self {
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.secrets(),
            _ => Vec::new(),
        }
    }

    fn files(&self) -> Vec<String> {
        match self {
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.files(),
            _ => Vec::new(),
        }
    }

    fn needs(&self, step: &Move) -> Resources {
        match self {
            WalkWorld::Pages(session) => session.needs(step),
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.needs(step),
            #[cfg(feature = "browser")]
            WalkWorld::Seen(session) => session.needs(step),
        }
    }

    fn begin_step(&mut self, number: u32, action: &str) {
        match self {
            WalkWorld::Pages(session) => session.begin_step(number, action),
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.begin_step(number, action),
            #[cfg(feature = "browser")]
            WalkWorld::Seen(session) => session.begin_step(number, action),
        }
    }

    fn go(&mut self, step: &Move, deadline: &Deadline) -> Result<Moved, WalkWorldError> {
        Ok(match self {
            WalkWorld::Pages(session) => session.go(step, deadline)?,
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.go(step, deadline)?,
            #[cfg(feature = "browser")]
            WalkWorld::Seen(session) => session.go(step, deadline)?,
        })
    }

    fn answer(
        &mut self,
        answer: EffectAnswer,
        deadline: &Deadline,
    ) -> Result<Moved, WalkWorldError> {
        Ok(match self {
            WalkWorld::Pages(session) => session.answer(answer, deadline)?,
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.answer(answer, deadline)?,
            #[cfg(feature = "browser")]
            WalkWorld::Seen(session) => session.answer(answer, deadline)?,
        })
    }

    fn ended_by(error: &WalkWorldError) -> Option<Stop> {
        match error {
            WalkWorldError::Pages(error) => SiteSession::ended_by(error),
            #[cfg(feature = "browser")]
            WalkWorldError::Browser(error) => BrowserSession::ended_by(error),
        }
    }

    fn log_question(&mut self, question: &str, is_yes: Option<bool>) {
        match self {
            WalkWorld::Pages(session) => session.log_question(question, is_yes),
            #[cfg(feature = "browser")]
            WalkWorld::Live(session) => session.log_question(question, is_yes),
            #[cfg(feature = "browser")]
            WalkWorld::Seen(session) => session.log_question(question, is_yes),
        }
    }
}
