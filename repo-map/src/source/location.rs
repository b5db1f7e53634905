//! The location of a document: on disk or in memory.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::sync::Arc;

use crate::text::counts::n_of;

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

/// What the documents of a tree are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// Files of a repository.
    File,
    /// Pages of a site.
    Page,
}

impl DocumentKind {
    /// Returns the noun for one document.
    pub fn noun(self) -> &'static str {
        match self {
            DocumentKind::File => "file",
            DocumentKind::Page => "page",
        }
    }

    /// Returns the noun for all documents.
    pub fn world(self) -> &'static str {
        match self {
            DocumentKind::File => "repository",
            DocumentKind::Page => "site",
        }
    }

    /// Returns the noun for a part of a document.
    pub fn part(self) -> &'static str {
        match self {
            DocumentKind::File => "item",
            DocumentKind::Page => "section",
        }
    }

    /// Returns a number of documents in words: `1 file`, `3 pages`.
    pub(crate) fn count(self, n: usize) -> String {
        n_of(n, self.noun())
    }
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
