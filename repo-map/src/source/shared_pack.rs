//! A pack that several threads use at once: they read it as it was, and change it by turns.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::source::cache::Pack;

/// A pack that is read and changed through a shared reference. No lock is held while a pack is
/// read, so readers may work in parallel for as long as they like.
pub(crate) struct SharedPack(Mutex<Arc<Pack>>);

impl SharedPack {
    pub(crate) fn new(pack: Pack) -> SharedPack {
        SharedPack(Mutex::new(Arc::new(pack)))
    }

    /// The pack as it is now.
    pub(crate) fn now(&self) -> Arc<Pack> {
        Arc::clone(&self.lock())
    }

    /// Changes the pack. It is copied if another thread still reads it.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Pack)) {
        change(Arc::make_mut(&mut self.lock()));
    }

    /// A change that broke off leaves a pack of which less can be found again, and no more.
    fn lock(&self) -> MutexGuard<'_, Arc<Pack>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.now().fmt(f)
    }
}
