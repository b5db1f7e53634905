//! The errors of a browser: of a page, after which the browser goes on, and of the browser itself.

use std::path::PathBuf;
use std::time::Duration;

/// The reason why a browser, or a page in it, did not do as asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrowserError {
    /// No browser was found.
    #[error(
        "no Chromium was found (install it, for example with `apt-get install chromium`, or name \
         the program)"
    )]
    NotFound,
    /// The named program is no file.
    #[error("there is no browser at `{}`", program.display())]
    NoProgram {
        /// The named program.
        program: PathBuf,
    },
    /// The browser could not be started.
    #[error("the browser could not be started: {message}")]
    Launch {
        /// The reason.
        message: String,
    },
    /// This platform has no support for it yet.
    #[error("a browser can be driven on Unix only")]
    Unsupported,
    /// The browser ended, or closed its pipe.
    #[error("the browser has ended: {message}")]
    Ended {
        /// The reason.
        message: String,
    },
    /// A call had no answer before its deadline.
    #[error("`{method}` had no answer within {} ms", deadline.as_millis())]
    Deadline {
        /// The method.
        method: String,
        /// The deadline.
        deadline: Duration,
    },
    /// The page crashed.
    #[error("the page has crashed")]
    Crashed,
    /// The target was closed.
    #[error("the page was closed")]
    Closed,
    /// The browser refused a call.
    #[error("`{method}` failed: {message}")]
    Refused {
        /// The method.
        method: String,
        /// The message of the browser.
        message: String,
    },
    /// An answer of the browser about a page is larger than what is read.
    #[error(
        "the page is too large to show: what the browser tells of it has more than {} MiB",
        largest >> 20
    )]
    TooLarge {
        /// The largest size that is read, in bytes.
        largest: u64,
    },
    /// An answer lacks a field.
    #[error("the answer to `{method}` has no `{field}`")]
    Answer {
        /// The method.
        method: String,
        /// The missing field.
        field: String,
    },
    /// A text is no rule of what may leave.
    #[error(
        "`{text}` is not a rule (`POST:https://shop.example/search`; a `/` at the end allows \
             all below)"
    )]
    Rule {
        /// The text.
        text: String,
    },
    /// The proxy or the log of the guard cannot be opened. No browser runs without them.
    #[error("the guard cannot be set up: {message}")]
    Guard {
        /// The reason.
        message: String,
    },
}

impl BrowserError {
    /// Reports whether the browser itself is of no more use, not just a page of it.
    pub fn is_of_browser(&self) -> bool {
        match self {
            BrowserError::NotFound
            | BrowserError::NoProgram { .. }
            | BrowserError::Launch { .. }
            | BrowserError::Unsupported
            | BrowserError::Guard { .. }
            | BrowserError::Ended { .. } => true,
            BrowserError::Deadline { .. }
            | BrowserError::Crashed
            | BrowserError::Closed
            | BrowserError::Refused { .. }
            | BrowserError::TooLarge { .. }
            | BrowserError::Rule { .. }
            | BrowserError::Answer { .. } => false,
        }
    }
}
