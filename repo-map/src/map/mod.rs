//! Maps: a repository is scanned, scored and mapped within a budget, and the map is rebuilt from
//! its flown plan.

pub(crate) mod build;
pub(crate) mod compose;
pub(crate) mod corpus;
pub(crate) mod drift;
pub(crate) mod effective;
pub(crate) mod entries;
mod exact;
mod file_caches;
mod fill;
pub(crate) mod flown;
pub(crate) mod items;
pub(crate) mod judged;
pub(crate) mod open;
pub(crate) mod options;
pub(crate) mod replay;
mod repo_map;
mod requests;
mod surveyed;
pub(crate) mod tree_facts;

pub use repo_map::{Conflict, FileReport, ItemReport, Part, PartKind, RepoMap, RuleOrigin};
pub(crate) use repo_map::{ConflictCause, and_more};
