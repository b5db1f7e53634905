//! What a walk finds: files in map order, their marks, and what stood in the way.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::source::location::Location;
use crate::source::scan::file_id::{FileId, Stamp};

/// What the walk goes by.
#[derive(Debug, Clone, Default)]
pub struct ScanOptions {
    /// Walk hidden files and folders too (never `.git`).
    pub hidden: bool,
    /// Walk what ignore rules hide too.
    pub no_ignore: bool,
    /// Paths that are not part of the repository: the run's own outputs, the plan. In map notation,
    /// relative to the root.
    pub ignored: Vec<String>,
    /// Paths that rules from outside the tree took away when the plan was flown. `None` honours the
    /// rules of this machine.
    pub outside: Option<Vec<String>>,
    /// A file that is no part of the repository wherever it lies: what standard output goes to.
    pub own: Option<FileId>,
}

/// The files of a repository, sorted, nothing read yet.
#[derive(Debug, Clone)]
pub struct Tree {
    /// The folder that was walked; documents in memory have none.
    pub root: Option<PathBuf>,
    /// Every file, in the order of the map.
    pub files: Vec<FileEntry>,
    /// What rules from outside the tree took away: the largest folders and single files, a folder
    /// with a slash at its end.
    pub outside: Vec<String>,
    /// Folders and files the walk could not enter.
    pub problems: Vec<Problem>,
    /// Where [`ScanOptions::own`] lies in the tree, if it does.
    pub own: Vec<String>,
}

/// One file of the tree.
#[derive(Debug, Clone)]
pub struct FileEntry {
    /// The path from the root with `/` between its parts, in map notation (see [`notation`]).
    pub path: String,
    /// Where to read it.
    pub location: Location,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// A symbolic link: named, never followed.
    pub is_link: bool,
    pub(crate) id: Option<FileId>,
    pub(crate) stamp: Option<Stamp>,
}

/// A file or folder that could not be read. It never ends a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path, where one is known.
    pub path: String,
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Why a file is kept at level path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// Not text.
    Binary,
    /// Written by a program: says so at its top, or is a lock file.
    Generated,
    /// Squeezed onto few lines.
    Minified,
    /// Larger than [`MAX_FILE_BYTES`].
    Oversized,
    /// A symbolic link.
    Link,
    /// Cannot be read.
    Unreadable,
}

impl Mark {
    /// Every mark.
    pub const ALL: [Mark; 6] = [
        Mark::Binary,
        Mark::Generated,
        Mark::Minified,
        Mark::Oversized,
        Mark::Link,
        Mark::Unreadable,
    ];

    /// The word in maps, plans and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::Binary => "binary",
            Mark::Generated => "generated",
            Mark::Minified => "minified",
            Mark::Oversized => "oversized",
            Mark::Link => "link",
            Mark::Unreadable => "unreadable",
        }
    }

    /// Whether there is text that a rule could still ask for by name.
    pub(crate) fn has_text(self) -> bool {
        match self {
            Mark::Generated | Mark::Minified => true,
            Mark::Binary | Mark::Oversized | Mark::Link | Mark::Unreadable => false,
        }
    }
}

/// What reading a file gave.
#[derive(Debug, Clone)]
pub struct Source {
    /// The text: UTF-8, `\n` line breaks, no control characters; past the gate. Empty where the
    /// mark says there is none.
    pub text: String,
    /// BLAKE3 of the bytes on disk.
    pub digest: blake3::Hash,
    /// Why it is kept at level path, if it is.
    pub mark: Option<Mark>,
    /// How many secrets were masked.
    pub n_masked: u32,
    /// How many invisible characters were written out.
    pub n_invisible: u32,
}

impl Source {
    /// What there is of a file without text.
    pub(super) fn without_text(digest: blake3::Hash, mark: Mark) -> Source {
        Source { text: String::new(), digest, mark: Some(mark), n_masked: 0, n_invisible: 0 }
    }
}
