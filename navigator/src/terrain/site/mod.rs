//! Sites of pages. Explored, they are documents of which more can be read (`documents.rs`, with
//! what a model reads of them in `briefing.rs`). Walked, each page over HTTP, of a recording or of
//! a folder is a screen (`session.rs`).

mod briefing;
mod documents;
mod file_page;
mod found;
mod known;
mod pages;
mod plan;
mod screen;
mod screen_text;
mod server;
mod session;

pub use documents::DocumentTerrain;
#[cfg(feature = "mcp")]
pub(crate) use known::{KnownPages, ReadSite, failed_pages};
pub use pages::SitePages;
pub use plan::{DocumentChange, DocumentPlan, PageVisit};
#[cfg(feature = "cli")]
pub(crate) use screen::screen_of_page;
pub use server::SiteServer;
pub use session::SiteSession;

#[cfg(feature = "browser")]
pub(super) use screen::address as masked_address;
#[cfg(feature = "browser")]
pub(super) use screen_text::name;
