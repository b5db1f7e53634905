//! A site: its pages as documents of the engine.

mod answers;
mod assemble;
pub mod changes;
mod contents;
mod document;
mod gathered;
pub mod kept;
pub(crate) mod left_out;
mod linked;
mod names;
pub mod open;
mod parsed;
mod redirects;
mod repeated;
mod start;
mod titles;

pub use assemble::Site;
pub use document::{LeftOutPage, SitePage, SiteSection, markdown};
pub use left_out::LeftOutCause;
