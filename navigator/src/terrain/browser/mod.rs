//! The browser as a world to walk: live pages as screens, and what is done to their controls.
//!
//! ```text
//! tab ─► settled ─► snapshot ─► response ─► screen ─► (pilot) ─► gesture ─► told changes
//!                                   └─ recording
//! ```
//!
//! A screen is read from the response that is recorded, so that a replay without a browser sees
//! the same.

mod awaited;
mod begun_step;
mod cursor;
mod dragging;
mod error;
mod gesture;
mod keys;
mod live;
mod mouse;
mod news;
mod recorded;
mod refused;
mod screen;
mod secret_field;
mod selecting;
mod session;
mod start;
mod tabs;
mod warnings;
mod watch;

pub use error::BrowserWalkError;
pub use recorded::RecordedScreens;
pub use session::BrowserSession;
pub use start::BrowserWalk;
