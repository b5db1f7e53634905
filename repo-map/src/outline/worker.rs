//! Runs work that may never end in threads that can be abandoned: a loop in C cannot be stopped
//! from outside.
//!
//! The caller waits in slices for as long as the work makes progress. Time alone ends nothing: on a
//! slow machine progressing work takes more slices, and a process that was suspended for an hour,
//! or a computer that slept, has lost one slice.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::outline::catch_panic::catch_panic;

type Job = Box<dyn FnOnce() + Send>;

/// Idle threads, and a record of abandoned ones.
pub(crate) struct Workers {
    idle: Mutex<Vec<Sender<Job>>>,
    /// The number of abandoned threads that have not returned.
    n_left: Arc<AtomicUsize>,
    /// Digests of the inputs of abandoned threads: they are not tried again.
    hung: Mutex<BTreeSet<[u8; 32]>>,
}

/// The time limit for work without progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StallLimit {
    pub(crate) slice: Duration,
    /// The number of slices in a row without progress after which the work is abandoned.
    pub(crate) slices: u32,
}

/// The maximum number of abandoned threads; then no more work is started. Each takes a processor
/// until the process ends.
pub(crate) const MOST_LEFT: usize = 8;

/// The reason for a missing result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The work makes no progress, now or when it was tried before.
    Hung,
    /// Too many threads were abandoned, or none can be started.
    Refused,
    /// The work panicked.
    Panicked,
}

/// The progress counter of the work.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pulse(Arc<AtomicUsize>);

impl Pulse {
    pub(crate) fn beat(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn beats(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Workers {
    pub(crate) fn new() -> Workers {
        Workers { idle: Mutex::default(), n_left: Arc::default(), hung: Mutex::default() }
    }

    /// Runs `work` in another thread and returns its result. `digest` identifies the work.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        stall_limit: StallLimit,
        digest: impl Fn() -> blake3::Hash,
        work: impl FnOnce(&Pulse) -> T + Send + 'static,
    ) -> Result<T, Lost> {
        if self.is_known_to_hang(&digest) {
            return Err(Lost::Hung);
        }
        let worker = self.worker()?;
        let (pulse, (send, receive)) = (Pulse::default(), mpsc::sync_channel(0));
        let (its_pulse, n_left) = (pulse.clone(), Arc::clone(&self.n_left));
        let job = move || {
            // The channel keeps nothing: what is sent is received, or the work was abandoned.
            if send.send(catch_panic(|| work(&its_pulse))).is_err() {
                n_left.fetch_sub(1, Ordering::Relaxed);
            }
        };
        worker.send(Box::new(job)).map_err(|_| Lost::Refused)?;
        let (mut beats, mut slices) = (0, 0);
        while slices < stall_limit.slices {
            match receive.recv_timeout(stall_limit.slice) {
                Ok(result) => {
                    guard(&self.idle).push(worker);
                    return result.ok_or(Lost::Panicked);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    guard(&self.idle).push(worker);
                    return Err(Lost::Panicked);
                }
                Err(RecvTimeoutError::Timeout) => {
                    let before = std::mem::replace(&mut beats, pulse.beats());
                    slices = if beats == before { slices + 1 } else { 0 };
                }
            }
        }
        self.n_left.fetch_add(1, Ordering::Relaxed);
        let digest = digest();
        guard(&self.hung).insert(*digest.as_bytes());
        Err(Lost::Hung)
    }

    #[cfg(test)]
    pub(crate) fn forget(&self) -> usize {
        guard(&self.hung).clear();
        self.n_left.load(Ordering::Relaxed)
    }

    /// Reports whether the work is known to hang. The digest is computed only if needed; most
    /// processes never need it.
    fn is_known_to_hang(&self, digest: impl Fn() -> blake3::Hash) -> bool {
        let has_any = !guard(&self.hung).is_empty();
        has_any && {
            let digest = digest();
            guard(&self.hung).contains(digest.as_bytes())
        }
    }

    /// Returns an idle thread or starts one. An abandoned thread ends when it returns, since its
    /// channel is closed.
    fn worker(&self) -> Result<Sender<Job>, Lost> {
        if self.n_left.load(Ordering::Relaxed) >= MOST_LEFT {
            return Err(Lost::Refused);
        }
        if let Some(worker) = guard(&self.idle).pop() {
            return Ok(worker);
        }
        let (send, jobs) = mpsc::channel::<Job>();
        let serve = move || {
            for job in jobs {
                catch_panic(job);
            }
        };
        thread::Builder::new().name("parser".to_owned()).spawn(serve).map_err(|_| Lost::Refused)?;
        Ok(send)
    }
}

/// Locks a mutex, ignoring poison: the value behind these locks is consistent at every point.
fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: StallLimit = StallLimit { slice: Duration::from_millis(1), slices: 3 };
    const LONG: StallLimit = StallLimit { slice: Duration::from_secs(60), slices: 3 };

    fn named(name: &str) -> impl Fn() -> blake3::Hash {
        let digest = blake3::hash(name.as_bytes());
        move || digest
    }

    #[test]
    fn work_is_done_by_a_thread_that_waits_for_more() {
        let workers = Workers::new();
        let id = |_: &Pulse| thread::current().id();
        let first = workers.run(LONG, named("a"), id).unwrap();
        assert_ne!(first, thread::current().id());
        assert_eq!(workers.run(LONG, named("b"), id), Ok(first));
    }

    #[test]
    fn a_panic_is_told_and_the_thread_goes_on() {
        let workers = Workers::new();
        let id = workers.run(LONG, named("a"), |_| thread::current().id());
        assert_eq!(
            workers.run(LONG, named("b"), |_| panic!("quietly")),
            Err::<(), _>(Lost::Panicked)
        );
        assert_eq!(workers.run(LONG, named("c"), |_| thread::current().id()), id);
    }

    #[test]
    fn work_without_progress_is_left_behind_once_and_so_many_at_most() {
        let workers = Workers::new();
        let mut held = Vec::new();
        for name in 0..MOST_LEFT {
            let (hold, wait) = mpsc::channel::<()>();
            let hang = move |_: &Pulse| wait.recv().unwrap_or_default();
            assert_eq!(workers.run(SHORT, named(&name.to_string()), hang), Err(Lost::Hung));
            held.push(hold);
            assert_eq!(
                workers.run(LONG, named(&name.to_string()), |_| ()),
                Err(Lost::Hung),
                "it is not tried again"
            );
        }
        assert_eq!(workers.run(LONG, named("other"), |_| 1), Err(Lost::Refused));
        // An abandoned thread that returns frees its place.
        held.pop();
        while workers.n_left.load(Ordering::Relaxed) == MOST_LEFT {
            thread::yield_now();
        }
        assert_eq!(workers.run(LONG, named("other"), |_| 1), Ok(1));
    }

    #[test]
    fn abandoned_work_that_panics_frees_its_place() {
        let workers = Workers::new();
        let (hold, wait) = mpsc::channel::<()>();
        let work = move |_: &Pulse| match wait.recv() {
            Ok(()) => (),
            Err(_) => panic!("quietly"),
        };
        assert_eq!(workers.run(SHORT, named("a"), work), Err(Lost::Hung));
        drop(hold);
        while workers.n_left.load(Ordering::Relaxed) > 0 {
            thread::yield_now();
        }
        assert_eq!(workers.run(LONG, named("b"), |_| 1), Ok(1));
    }

    #[test]
    fn work_that_goes_on_is_waited_for() {
        let (send, slices) = mpsc::channel();
        let work = move |pulse: &Pulse| {
            for _ in 0..20 {
                thread::park_timeout(SHORT.slice);
                pulse.beat();
            }
            send.send(()).unwrap();
        };
        let stall_limit = StallLimit { slices: 1_000, ..SHORT };
        assert_eq!(Workers::new().run(stall_limit, named("a"), work), Ok(()));
        assert_eq!(slices.recv(), Ok(()));
    }
}
