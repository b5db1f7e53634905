//! On-disk cache of per-file analysis, outside the repository. Safe to delete: it affects the time
//! of a run and nothing else.
//!
//! A repository has a folder in the cache (`store`), with one packed file for each kind of value
//! (`pack`), and one for a value made of all its files together (`whole`).

mod pack;
mod store;
mod whole;

pub(crate) use pack::{ANY, Pack, PackKind};
pub use store::{Cache, CacheUsage, Cleared, MAX_CACHE_BYTES};
pub use whole::WholeValue;
