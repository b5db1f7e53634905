//! What can go wrong, and where.

use std::io;
use std::path::{Path, PathBuf};

use crate::text::sanitize::Sanitized;

/// Why a map could not be made. Messages name the file, the field and the way out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The folder to map cannot be read.
    #[error("cannot open {}", shown(path))]
    Io {
        /// What was being read or written.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The path to map is a file.
    #[error(
        "{} is not a folder (give the repository's folder; `--focus` or `--level` select files in \
         it)",
        shown(path)
    )]
    NotAFolder {
        /// The path that was given.
        path: PathBuf,
    },
    /// Whoever asked for the repository wants it no more.
    #[error("cancelled before the repository was read")]
    Cancelled,
    /// A plan does not say what it means.
    #[error(
        "{}{}: {}",
        Sanitized::line(file),
        line.map(|line| format!(":{line}")).unwrap_or_default(),
        Sanitized::text(message)
    )]
    Plan {
        /// The plan's file name, or what it was read from.
        file: String,
        /// Line in that file, counted from 1, where one can be named.
        line: Option<usize>,
        /// The field and what is wrong with it.
        message: String,
    },
    /// What changed since a revision cannot be told.
    #[error("--diff: `{}` {message}", Sanitized::line(revision))]
    Diff {
        /// The revision.
        revision: String,
        /// Why not.
        message: String,
    },
    /// A document cannot be part of a tree.
    #[error("document `{}`: {}", Sanitized::line(path), Sanitized::text(message))]
    Document {
        /// Its name.
        path: String,
        /// Why not.
        message: String,
    },
    /// A map was given to a tree that has other paths than the map.
    #[error("the map is of another repository: its paths are not the paths of this one")]
    OtherMap,
    /// A replay was asked of a plan that no run left behind.
    #[error(
        "{0}: not a flown plan: it has no provenance (fly it first: `navigator explore --plan \
         {0}`, then replay the plan that leaves)",
        Sanitized::line(file)
    )]
    NotFlown {
        /// The plan's file name.
        file: String,
    },
}

/// The path of a file of the user's, in a message.
pub(crate) fn shown(path: &Path) -> Sanitized {
    Sanitized::line(&path.display().to_string())
}

/// The result of this crate's functions that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn document(path: &str, message: &str) -> Error {
        Error::Document { path: path.to_owned(), message: message.to_owned() }
    }

    pub(crate) fn io(path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Io { path: path.into(), source }
    }
}
