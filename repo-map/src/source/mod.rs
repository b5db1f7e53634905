//! Documents: the walk, the only reader of repositories, git, and the cache between runs.
//!
//! This module reads the disk for a map. Its results are data: paths, text, commits.

pub mod cache;
pub(crate) mod changes;
pub(crate) mod document;
pub(crate) mod git;
pub(crate) mod location;
pub(crate) mod progress;
pub mod scan;
pub(crate) mod shared_pack;
