//! The deadline of a run and its cancellation. The clock can end a run but never appears in its
//! results.

#![expect(clippy::disallowed_methods, reason = "the rim: reads the clock")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::run::stop::Stop;
use crate::shared::CancelToken;

/// The interval at which a wait checks for cancellation.
pub(crate) const POLL: Duration = Duration::from_millis(40);

/// The running clock of a run.
#[derive(Debug)]
pub struct Deadline {
    started: Instant,
    time: Option<Duration>,
    cancel: CancelToken,
    /// The time that does not count, in nanoseconds.
    paused: AtomicU64,
}

impl Deadline {
    /// Starts the clock.
    pub fn new(time: Option<Duration>, cancel: CancelToken) -> Deadline {
        Deadline { started: Instant::now(), time, cancel, paused: AtomicU64::new(0) }
    }

    /// Returns the reason why the run must end now, if there is one.
    pub fn expired(&self) -> Option<Stop> {
        if self.cancel.is_cancelled() {
            return Some(Stop::Interrupted);
        }
        (self.left() == Some(Duration::ZERO)).then_some(Stop::TimeLimit)
    }

    /// Returns the remaining time; `None` without a limit.
    pub fn left(&self) -> Option<Duration> {
        let paused = Duration::from_nanos(self.paused.load(Ordering::Relaxed));
        self.time.map(|time| time.saturating_sub(self.started.elapsed().saturating_sub(paused)))
    }

    /// Runs a function without counting its time.
    pub fn pausing<T>(&self, act: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = act();
        let nanos = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.paused.fetch_add(nanos, Ordering::Relaxed);
        done
    }

    /// Waits for a time, or until the run must end.
    pub fn wait(&self, time: Duration) {
        let started = Instant::now();
        while self.expired().is_none() {
            let left = time.saturating_sub(started.elapsed());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(POLL));
        }
    }
}
