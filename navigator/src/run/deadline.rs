//! How long a run may take, and who may end it sooner. The clock ends runs; it never shows in one.

#![expect(clippy::disallowed_methods, reason = "the rim: reads the clock")]

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::run::stop::Stop;

/// How often a wait looks whether the person ended it.
pub(crate) const GLANCE: Duration = Duration::from_millis(40);

/// A run's time, running.
#[derive(Debug, Clone)]
pub struct Deadline<'a> {
    started: Instant,
    time: Option<Duration>,
    interrupted: Option<&'a AtomicBool>,
    /// Time that does not count.
    paused: Cell<Duration>,
}

impl<'a> Deadline<'a> {
    /// Starts the clock.
    pub fn new(time: Option<Duration>, interrupted: Option<&'a AtomicBool>) -> Deadline<'a> {
        Deadline { started: Instant::now(), time, interrupted, paused: Cell::default() }
    }

    /// Why the run must end now, if it must.
    pub fn over(&self) -> Option<Stop> {
        if self.interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Stop::Interrupted);
        }
        (self.left() == Some(Duration::ZERO)).then_some(Stop::TimeLimit)
    }

    /// What is left of the time; none without a limit.
    pub fn left(&self) -> Option<Duration> {
        self.time.map(|time| {
            time.saturating_sub(self.started.elapsed().saturating_sub(self.paused.get()))
        })
    }

    /// Does something that takes no time of the run.
    pub fn pausing<T>(&self, act: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let done = act();
        self.paused.set(self.paused.get() + started.elapsed());
        done
    }

    /// Waits, but not past the end of the run.
    pub fn wait(&self, time: Duration) {
        let started = Instant::now();
        while self.over().is_none() {
            let left = time.saturating_sub(started.elapsed());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(GLANCE));
        }
    }
}
