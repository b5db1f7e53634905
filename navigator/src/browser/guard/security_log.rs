//! The security log: what was asked, answered, permitted and stopped. JSON lines with their time,
//! only ever appended to.

#![expect(clippy::disallowed_methods, reason = "the rim: a file and the clock")]

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
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
    /// More requests of a step were stopped than are listed.
    StoppedMore {
        /// The number of those that are not.
        n: u64,
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

/// Returns options for a log that its user alone may read.
fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A security log in a file.
#[derive(Debug)]
pub struct SecurityLog {
    file: File,
}

impl SecurityLog {
    /// Opens a log to append to; makes one that is not there. A link is not followed.
    ///
    /// # Errors
    /// If there is something else, or the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<SecurityLog> {
        let kind = match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return SecurityLog::new(path),
            there => there?.file_type(),
        };
        if !kind.is_file() {
            return Err(io::Error::other(format!("{} is no file", path.display())));
        }
        Ok(SecurityLog { file: options().open(path)? })
    }

    fn new(path: &Path) -> io::Result<SecurityLog> {
        Ok(SecurityLog { file: options().create_new(true).open(path)? })
    }

    /// Goes on in a new file, with all lines so far.
    pub(crate) fn move_to(&mut self, path: &Path) -> io::Result<()> {
        let mut lines = Vec::new();
        self.file.rewind()?;
        self.file.read_to_end(&mut lines)?;
        let mut moved = SecurityLog::new(path)?;
        moved.file.write_all(&lines)?;
        *self = moved;
        Ok(())
    }

    /// A log that cannot be written.
    #[cfg(all(test, target_os = "linux"))]
    pub(crate) fn full() -> SecurityLog {
        let file = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        SecurityLog { file }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_goes_on_in_a_new_file_and_follows_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let event = |n: usize| SecurityEvent::Revoked { n };
        let secrets = SecretStore::default();
        let mut log = SecurityLog::open(&at("one")).unwrap();
        log.append(&event(1), &secrets).unwrap();
        log.move_to(&at("two")).unwrap();
        log.append(&event(2), &secrets).unwrap();
        SecurityLog::open(&at("two")).unwrap().append(&event(3), &secrets).unwrap();
        let lines = |name: &str| std::fs::read_to_string(at(name)).unwrap().lines().count();
        assert_eq!((lines("one"), lines("two")), (1, 3));
        assert!(log.move_to(&at("one")).is_err(), "it is there already");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("two"), at("link")).unwrap();
            assert!(SecurityLog::open(&at("link")).is_err());
        }
    }
}
