//! Where a document is: on disk, or in memory.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;

/// Where the bytes of a file are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// In a file at this path.
    Disk(PathBuf),
    /// Here.
    Memory(Arc<[u8]>),
}

impl Location {
    /// By the name on disk. What is in memory stays in the order in which it was given.
    pub(crate) fn order(&self, other: &Location) -> Ordering {
        match (self, other) {
            (Location::Disk(one), Location::Disk(other)) => one.cmp(other),
            _ => Ordering::Equal,
        }
    }
}
