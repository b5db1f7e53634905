//! The error type of the library: the cause, the file and, for plans, the field.

use std::io;
use std::path::{Path, PathBuf};

use crate::exit::Exit;
use crate::text::sanitize::Sanitized;

/// An error of the library. Messages name the file, the field and the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The folder to map cannot be read.
    #[error("cannot open {}", shown(path))]
    Io {
        /// The file or folder being read or written.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The path to map is a file, not a folder.
    #[error("{} is not a folder", shown(path))]
    NotAFolder {
        /// The path that was given.
        path: PathBuf,
    },
    /// The folder to map is a git directory: it has the files of its repository packed.
    #[error("{} is a bare repository or a git directory: no files are checked out", shown(path))]
    BareRepository {
        /// The path that was given.
        path: PathBuf,
    },
    /// The operation was cancelled.
    #[error("cancelled before the repository was read")]
    Cancelled,
    /// A plan that cannot be parsed, or that is invalid.
    #[error(
        "{}{}: {}",
        Sanitized::line(file),
        line.map(|line| format!(":{line}")).unwrap_or_default(),
        Sanitized::text(message)
    )]
    Plan {
        /// The plan's file name, or the name of its source.
        file: String,
        /// The line in that file, counted from 1; `None` where no line can be named.
        line: Option<usize>,
        /// The field and its defect.
        message: String,
    },
    /// The changes since a revision cannot be determined.
    #[error("revision `{}` {message}", Sanitized::line(revision))]
    Diff {
        /// The revision.
        revision: String,
        /// The cause.
        message: String,
    },
    /// A glob or a rule that was given beside a plan is invalid.
    #[error("{place}: {}", Sanitized::text(message))]
    Rule {
        /// Which one: `focus`, `rules`, `globs`.
        place: &'static str,
        /// What is wrong with it.
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
    /// The plan to replay is not a flown plan.
    #[error("{}: not a flown plan: it has no provenance", Sanitized::line(file))]
    NotFlown {
        /// The plan's file name.
        file: String,
    },
}

/// Returns a path that the user gave, sanitized for a message.
pub(crate) fn shown(path: &Path) -> Sanitized {
    Sanitized::line(&path.display().to_string())
}

/// The result of this crate's fallible functions.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Returns the exit code of a program that ends with this error.
    pub fn exit(&self) -> Exit {
        match self {
            Error::Plan { .. }
            | Error::Rule { .. }
            | Error::NotFlown { .. }
            | Error::NotAFolder { .. }
            | Error::Diff { .. } => Exit::Usage,
            Error::Io { source, .. } => Error::exit_of_io(source),
            _ => Exit::Error,
        }
    }

    /// Returns the exit code of a cause that is an error of this crate.
    pub fn exit_of(cause: &(dyn std::error::Error + 'static)) -> Option<Exit> {
        cause.downcast_ref().map(Error::exit)
    }

    /// Returns the exit code of an error with a file: what a command names has to be there.
    pub fn exit_of_io(error: &io::Error) -> Exit {
        match error.kind() {
            io::ErrorKind::NotFound => Exit::Usage,
            _ => Exit::Error,
        }
    }

    pub(crate) fn document(path: &str, message: &str) -> Error {
        Error::Document { path: path.to_owned(), message: message.to_owned() }
    }

    pub(crate) fn rule(place: &'static str, wrong: impl ToString) -> Error {
        Error::Rule { place, message: wrong.to_string() }
    }

    pub(crate) fn io(path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Io { path: path.into(), source }
    }
}
