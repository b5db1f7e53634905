//! The error type of the library: the cause, the file or address, and the way out.

use std::io;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
#[cfg(feature = "http")]
use repo_map::n_of;
use repo_map::{Exit, Sanitized};

/// The characters that an address has for its parts.
const MARKS: &[u8] = b"%/?#&=+;:@";

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
    /// A site without a page, or an address whose page cannot be read.
    #[error("{}: {}", Sanitized::line(place), Sanitized::line(message))]
    NoPages {
        /// The folder, recording or address.
        place: String,
        /// What was found instead.
        message: String,
    },
    /// A limit of the run that is reached before the first page.
    #[error("{}: {}", Sanitized::line(place), Sanitized::line(message))]
    Limit {
        /// The address.
        place: String,
        /// The limit.
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

/// Returns an address for people. A character that would be another address where it stands alone,
/// such as the slash of `%2F`, stays encoded. Since percent-encoding would hide secrets from the
/// mask, an address in which something is masked or escaped is decoded as a whole.
pub(crate) fn shown(address: &str) -> Sanitized {
    let decoded = percent_decode_str(address).decode_utf8_lossy();
    let whole = Sanitized::line(&decoded);
    if *whole != *decoded {
        return whole;
    }
    let is_mark = |code: &str| u8::from_str_radix(code, 16).is_ok_and(|one| MARKS.contains(&one));
    let mut kept = String::new();
    for (at, c) in address.char_indices() {
        kept.push(c);
        if c == '%' && address.get(at + 1..at + 3).is_some_and(is_mark) {
            kept.push_str("25");
        }
    }
    Sanitized::line(&percent_decode_str(&kept).decode_utf8_lossy())
}

/// A result of the library.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Returns the exit code of a program that ends with this error.
    pub fn exit(&self) -> Exit {
        match self {
            Error::NoPages { .. } => Exit::PagesFailed,
            Error::Limit { .. } => Exit::LimitReached,
            Error::Map(error) => error.exit(),
            Error::Io { source, .. } | Error::Write { source, .. } => {
                repo_map::Error::exit_of_io(source)
            }
            _ => Exit::Error,
        }
    }

    /// Returns the exit code of a cause that is an error of this crate or of the engine.
    pub fn exit_of(cause: &(dyn std::error::Error + 'static)) -> Option<Exit> {
        let of_site = cause.downcast_ref().map(Error::exit);
        of_site.or_else(|| repo_map::Error::exit_of(cause))
    }

    /// Makes an error of an address.
    pub(crate) fn address(address: &str, message: impl Into<String>) -> Error {
        Error::Address { address: address.to_owned(), message: message.into() }
    }

    /// Makes an error of an address that has no page, or whose page cannot be read.
    #[cfg(feature = "http")]
    pub(crate) fn no_page(address: &str, message: impl Into<String>) -> Error {
        let place = format!("address `{}`", shown(address));
        Error::NoPages { place, message: message.into() }
    }

    /// Makes an error of a limit of requests that is reached before the first page of an address.
    #[cfg(feature = "http")]
    pub fn limit_of_requests(address: &str, limit: u64) -> Error {
        let place = format!("address `{}`", shown(address));
        let requests = n_of(limit, "request");
        let message = format!(
            "the limit of {requests} is reached before its first page (`/robots.txt` is \
             asked for first)"
        );
        Error::Limit { place, message }
    }

    /// Makes an error of a recording.
    pub(crate) fn recording(path: &Path, message: impl Into<String>) -> Error {
        Error::Recording { path: path.to_owned(), message: message.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_as_it_can_be_asked_for() {
        for (address, readable) in [
            ("http://a.example/a%2Fb.html", "http://a.example/a%2Fb.html"),
            ("http://a.example/%C3%A9t%C3%A9%20b?q=%3f", "http://a.example/été b?q=%3f"),
            ("http://a.example/100%25/%zz/%4", "http://a.example/100%25/%zz/%4"),
        ] {
            assert_eq!(shown(address).as_str(), readable);
        }
        let token = "a1B2".repeat(9);
        let secret = shown(&format!("http://a.example/%67hp_{token}%2Fb"));
        assert!(!secret.contains(&token), "{secret}");
    }
}
