//! A pack shared by threads: they read snapshots and take turns to change it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::source::cache::Pack;

/// A pack that is read and changed through a shared reference. Reading holds no lock, so readers
/// may work in parallel for any time.
pub(crate) struct SharedPack(Mutex<Arc<Pack>>);

impl SharedPack {
    pub(crate) fn new(pack: Pack) -> SharedPack {
        SharedPack(Mutex::new(Arc::new(pack)))
    }

    /// Returns a snapshot of the pack.
    pub(crate) fn now(&self) -> Arc<Pack> {
        Arc::clone(&self.lock())
    }

    /// Changes the pack. It is copied if another thread still reads it.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Pack)) {
        change(Arc::make_mut(&mut self.lock()));
    }

    /// Locks the pack. A change that panicked may have lost entries, which does no harm.
    fn lock(&self) -> MutexGuard<'_, Arc<Pack>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.now().fmt(f)
    }
}
