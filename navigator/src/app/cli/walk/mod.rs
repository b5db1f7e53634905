//! What the commands that walk a site share: the folder of a walk, its worlds, the flags of a
//! browser, questions to the person, and steps that are taken again.

pub(super) mod asker;
#[cfg(feature = "browser")]
pub(super) mod browser_flags;
pub(super) mod live;
pub(super) mod observer;
pub(super) mod retaken;
pub(super) mod run;
#[cfg(feature = "browser")]
mod secret_flags;
#[cfg(feature = "browser")]
pub(super) mod sent_again;
pub(super) mod world;

/// The group of flags that open live pages.
pub(super) const LIVE_PAGES: &str = "live_pages";
