//! Rules in, map out: a repository, scanned and judged, is drawn within a budget, and drawn again
//! from its flown plan.

pub(crate) mod build;
pub(crate) mod compose;
pub(crate) mod effective;
pub(crate) mod flown;
pub(crate) mod items;
pub(crate) mod replay;
pub(crate) mod repo;
mod repo_map;

pub(crate) use repo_map::Lack;
pub use repo_map::{Conflict, FileReport, ItemReport, Part, PartKind, RepoMap, RuleOrigin};
