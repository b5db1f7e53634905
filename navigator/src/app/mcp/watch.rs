//! The connection between a running call and its client: progress and cancellation.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use repo_map::cli::paced;
use repo_map::{CancelToken, Progress, ProgressSink, Sanitized};

use crate::run::deadline::{Deadline, POLL};
use crate::run::observer::{Checkpoint, Directive, Observer};
use crate::run::report::TurnReport;
use crate::run::state::State;
use crate::run::terrain::Terrain;

/// The interval between progress messages of a scan.
const PACE: Duration = Duration::from_millis(500);

/// The client of one call.
#[derive(Clone, Default)]
pub struct Watch {
    /// Cancels the call.
    pub cancel: CancelToken,
    /// Receives progress; `None` if the client did not ask for it.
    pub(super) tell: Option<Arc<dyn Fn(Sanitized) + Send + Sync>>,
}

impl Watch {
    /// Reports whether the call was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Sends progress, if the client asked for it.
    pub(super) fn say(&self, line: String) {
        if let Some(tell) = &self.tell {
            tell(line.into());
        }
    }

    /// Waits until no other call holds a lock; returns `None` if the call is cancelled meanwhile.
    pub(crate) fn wait_for<'a>(&self, turn: &'a Mutex<()>) -> Option<MutexGuard<'a, ()>> {
        let deadline = Deadline::new(None, self.cancel.clone());
        loop {
            match turn.try_lock() {
                Ok(turn) => return Some(turn),
                // A panic elsewhere has left nothing half done behind this lock.
                Err(TryLockError::Poisoned(turn)) => return Some(turn.into_inner()),
                Err(TryLockError::WouldBlock) if self.is_cancelled() => return None,
                Err(TryLockError::WouldBlock) => deadline.wait(POLL),
            }
        }
    }

    /// Returns a progress sink for files being read.
    pub(super) fn watcher(&self) -> Option<ProgressSink> {
        let tell = Arc::clone(self.tell.as_ref()?);
        let line = move |Progress { stage, done, of, .. }: Progress, _: Option<Duration>| {
            let of = of.map_or_else(String::new, |of| format!(" of {of}"));
            tell(format!("{}: {done}{of} files", stage.as_str()).into());
        };
        Some(paced(PACE, line, || ()))
    }
}

/// Sends progress of each turn, and ends a cancelled run.
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
