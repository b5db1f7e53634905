//! A site that is walked: pages over HTTP, of a recording or of a folder, as screens.

mod pages;
mod screen;
mod session;

pub use pages::SitePages;
pub use session::SiteSession;
