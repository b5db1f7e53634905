//! Render a site of pages at a level of detail chosen per page, inside a hard token budget.
//!
//! # The pipeline
//!
//! One value a stage: responses (a folder of HTML files, a server, a recording) → [`WebPage`] (the
//! model of one page, from its bytes and address alone) → [`Site`] (the pages that are not twins,
//! without what repeats on all of them, and the links between them) → documents of `repo-map`,
//! which scores, fits, renders, explains and replays them.

pub mod address;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod error;
#[cfg(feature = "http")]
pub mod explore;
#[cfg(feature = "http")]
pub mod live;
pub mod page;
pub mod site;
pub mod source;

pub use address::{Scope, is_other_file};
pub use error::{Error, Result};
pub use page::WebPage;
pub use site::{LeftOutCause, LeftOutPage, Site, SitePage, SiteSection};
pub use source::response::Response;
