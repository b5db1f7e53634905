//! What goes between a call that works and the client that waits: how far it is, and that it is
//! wanted no more.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use repo_map::cli::paced;
use repo_map::{CancelToken, Progress, ProgressSink, Sanitized};

use crate::run::observer::{Checkpoint, Directive, Observer};
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::run::terrain::Terrain;

/// How often a client is told of a scan.
const PACE: Duration = Duration::from_millis(500);

/// The client of one call.
#[derive(Clone, Default)]
pub struct Watch {
    /// Cancels the call.
    pub cancel: CancelToken,
    /// Whoever is told how far it is; none when the client did not ask.
    pub(super) tell: Option<Arc<dyn Fn(Sanitized) + Send + Sync>>,
}

impl Watch {
    /// Whether the call was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    fn say(&self, line: String) {
        if let Some(tell) = &self.tell {
            tell(line.into());
        }
    }

    /// Whoever is told of files being read.
    pub(super) fn watcher(&self) -> Option<ProgressSink> {
        let tell = Arc::clone(self.tell.as_ref()?);
        let line = move |Progress { stage, done, of, .. }: Progress, _: Option<Duration>| {
            let of = of.map_or_else(String::new, |of| format!(" of {of}"));
            tell(format!("{}: {done}{of} files", stage.as_str()).into());
        };
        Some(paced(PACE, line, || ()))
    }
}

/// Tells of each turn, and ends a run that is wanted no more.
impl<T: Terrain> Observer<T> for Watch {
    fn keep(&mut self, _state: &State<T::Plan>) -> io::Result<()> {
        Ok(())
    }

    fn turn(&mut self, report: &TurnReport, _map: &T::Map) {
        self.say(format!("turn {}: {}", report.step, report.size()));
    }

    fn next(&mut self, _checkpoint: &Checkpoint<'_, T>) -> Directive<T::Plan> {
        if self.is_cancelled() { Directive::Interrupt } else { Directive::GoOn }
    }
}
