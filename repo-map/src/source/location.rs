//! The location of a document: on disk or in memory.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;

/// The location of a file's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A file at this path.
    Disk(PathBuf),
    /// These bytes.
    Memory(Arc<[u8]>),
    /// These bytes, which are a page of a site: Markdown, whatever its name ends with.
    Page(Arc<[u8]>),
}

impl Location {
    /// Compares by the name on disk. Documents in memory stay in the order given.
    pub(crate) fn order(&self, other: &Location) -> Ordering {
        match (self, other) {
            (Location::Disk(one), Location::Disk(other)) => one.cmp(other),
            _ => Ordering::Equal,
        }
    }
}
