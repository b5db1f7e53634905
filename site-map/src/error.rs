//! The error type of the library: the cause, the file or address, and the way out.

use std::io;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use repo_map::Sanitized;

/// An error of the library. Messages name the file or the address, and the way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder cannot be opened or read.
    #[error("cannot open {}", Sanitized::line(&path.display().to_string()))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file cannot be written: a full disk, for one.
    #[error("cannot write {}", Sanitized::line(&path.display().to_string()))]
    Write {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// An address that cannot be used.
    #[error("address `{}`: {}", shown(address), Sanitized::line(message))]
    Address {
        /// The address as it was given.
        address: String,
        /// Why not, and the way out.
        message: String,
    },
    /// A site without a page.
    #[error("{}: {}", Sanitized::line(place), Sanitized::line(message))]
    NoPages {
        /// The folder, recording or address.
        place: String,
        /// What was found instead.
        message: String,
    },
    /// A recording that cannot be read or continued.
    #[error("{}: {}", Sanitized::line(&path.display().to_string()), Sanitized::line(message))]
    Recording {
        /// The file.
        path: PathBuf,
        /// Why not, and the way out.
        message: String,
    },
    /// A line of a file of cookies that is none.
    #[error(
        "{}:{line}: no cookie (the format of Netscape has seven fields, separated by tabs)",
        Sanitized::line(&path.display().to_string())
    )]
    Cookies {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The engine refused.
    #[error(transparent)]
    Map(#[from] repo_map::Error),
}

/// Returns an address for people. Percent-encoding would hide secrets from the mask.
pub(crate) fn shown(address: &str) -> Sanitized {
    Sanitized::line(&percent_decode_str(address).decode_utf8_lossy())
}

/// A result of the library.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Makes an error of an address.
    pub(crate) fn address(address: &str, message: impl Into<String>) -> Error {
        Error::Address { address: address.to_owned(), message: message.into() }
    }

    /// Makes an error of a recording.
    pub(crate) fn recording(path: &Path, message: impl Into<String>) -> Error {
        Error::Recording { path: path.to_owned(), message: message.into() }
    }
}
