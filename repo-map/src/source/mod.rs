//! Documents: the walk, the only reader of repositories, git, and what is kept of them between
//! runs.
//!
//! This is the room that touches the disk for a map. What leaves it is data: paths, text, commits.

pub mod cache;
pub(crate) mod changes;
pub(crate) mod document;
pub(crate) mod git;
pub(crate) mod location;
pub(crate) mod progress;
pub mod scan;
pub(crate) mod shared_pack;
