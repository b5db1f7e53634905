//! The reasons why a walk in a browser cannot go on.

use crate::browser::error::BrowserError;

/// The reason why a walk in a browser cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserWalkError {
    /// The browser has ended, or cannot be started.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// The recording cannot be written or read.
    #[error(transparent)]
    Recording(#[from] site_map::Error),
}

impl BrowserWalkError {
    /// Reports whether a browser that ran has ended: another one can go on.
    pub(super) fn has_ended(&self) -> bool {
        matches!(self, BrowserWalkError::Browser(BrowserError::Ended { .. }))
    }
}
