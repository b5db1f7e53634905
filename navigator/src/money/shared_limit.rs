//! A limit of spend that runs of one process share while they go on at the same time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::money::pico_usd::PicoUsd;

/// A limit of spend that runs of one process share. Each call reserves in it before it is sent, so
/// no number of runs passes it. A clone is the same limit.
#[derive(Debug, Clone)]
pub struct SharedLimit(Arc<Mutex<Sums>>);

#[derive(Debug)]
struct Sums {
    limit: PicoUsd,
    /// What was spent, and what is reserved for calls under way.
    counted: PicoUsd,
    is_closed: bool,
}

impl Sums {
    fn left(&self) -> PicoUsd {
        match self.is_closed {
            true => PicoUsd::default(),
            false => PicoUsd(self.limit.0.saturating_sub(self.counted.0)),
        }
    }
}

impl SharedLimit {
    /// Makes a limit of which nothing is spent.
    pub fn new(limit: PicoUsd) -> SharedLimit {
        SharedLimit(Arc::new(Mutex::new(Sums {
            limit,
            counted: PicoUsd::default(),
            is_closed: false,
        })))
    }

    /// Returns the limit, in pico-USD.
    pub fn limit(&self) -> PicoUsd {
        self.sums().limit
    }

    /// Returns what may still be reserved, in pico-USD.
    pub fn left(&self) -> PicoUsd {
        self.sums().left()
    }

    /// Reserves the highest cost of a call. Until it is settled it counts as spent.
    ///
    /// # Errors
    /// If it could pass the limit: what is left.
    pub(super) fn reserve(&self, amount: PicoUsd) -> Result<(), PicoUsd> {
        let mut sums = self.sums();
        if amount > sums.left() {
            return Err(sums.left());
        }
        sums.counted = sums.counted.plus(amount);
        Ok(())
    }

    /// Puts the cost of a call in the place of its reservation.
    pub(super) fn settle(&self, reserved: PicoUsd, spent: PicoUsd) {
        let mut sums = self.sums();
        sums.counted = PicoUsd(sums.counted.0.saturating_sub(reserved.0)).plus(spent);
    }

    /// Lets no run reserve any more.
    pub(super) fn close(&self) {
        self.sums().is_closed = true;
    }

    fn sums(&self) -> MutexGuard<'_, Sums> {
        // A panic elsewhere leaves the sums valid: each change is one assignment.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
