//! The security log: what was asked, answered, permitted and stopped. JSON lines with their time,
//! only ever appended to.

#![expect(clippy::disallowed_methods, reason = "the rim: a file and the clock")]

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;

use crate::browser::secrets::store::SecretStore;

/// An event that a security log keeps. Its texts are sanitized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum SecurityEvent {
    /// A walk began, went on, or is taken again.
    Began {
        /// Which walk it is: several may have used the folder of the log.
        walk: String,
        /// Its steps are taken again, to compare. It stays as it was.
        is_rerun: bool,
    },
    /// A step was begun. What leaves until the next one is its doing.
    Step {
        /// Its number, from 1.
        step: u32,
        /// What is done.
        action: String,
    },
    /// A person was asked.
    Asked {
        /// The question.
        question: String,
    },
    /// A person, or a rule of theirs, answered.
    Answered {
        /// The question.
        question: String,
        /// Whether the answer was yes.
        yes: bool,
    },
    /// One request was permitted, once.
    Permitted {
        /// The origin.
        origin: String,
        /// The request, without values.
        request: String,
        /// The digest of its body.
        body: Option<String>,
    },
    /// Permits that were not used were taken back.
    Revoked {
        /// Their number.
        n: usize,
    },
    /// A request above reading left.
    Released {
        /// The origin.
        origin: String,
        /// The request, without values.
        request: String,
        /// What allowed it: `permit` or `rule`.
        by: &'static str,
    },
    /// A request was stopped.
    Stopped {
        /// The origin.
        origin: String,
        /// The request, without values.
        request: String,
        /// The reason.
        reason: String,
    },
    /// A dialog of a page was answered.
    Dialog {
        /// Its kind.
        kind: String,
        /// Its text, cut.
        message: String,
        /// Whether it was accepted.
        accepted: bool,
    },
    /// A download was refused.
    Download {
        /// The origin.
        origin: String,
    },
}

/// A line of the log.
#[derive(Serialize)]
struct SecurityLine<'a> {
    time: String,
    #[serde(flatten)]
    event: &'a SecurityEvent,
}

/// A security log in a file.
#[derive(Debug)]
pub struct SecurityLog {
    file: File,
}

impl SecurityLog {
    /// Opens a log to append to.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<SecurityLog> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(SecurityLog { file: options.open(path)? })
    }

    /// Appends an event, in one write, with secrets masked.
    pub(crate) fn append(
        &mut self,
        event: &SecurityEvent,
        secrets: &SecretStore,
    ) -> io::Result<()> {
        let time = DateTime::<Utc>::from(SystemTime::now());
        let time = time.to_rfc3339_opts(SecondsFormat::Millis, true);
        let line = serde_json::to_string(&SecurityLine { time, event })?;
        let mut line = secrets.masked(&line).into_owned();
        line.push('\n');
        self.file.write_all(line.as_bytes())
    }
}
