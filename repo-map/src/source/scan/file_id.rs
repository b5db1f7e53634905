//! File identity and time stamps from the file system: which file it is, and whether it may have
//! changed.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The identity of a file in the file system, independent of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// Returns the file behind standard output; `None` for a terminal or a pipe, and on systems
    /// without such an identity.
    #[cfg_attr(
        unix,
        expect(
            clippy::disallowed_methods,
            reason = "the rim: what standard output is connected to"
        )
    )]
    pub fn of_stdout() -> Option<FileId> {
        #[cfg(unix)]
        {
            use std::os::fd::AsFd;
            let stdout = fs::File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
            let metadata = stdout.metadata().ok()?;
            metadata.is_file().then(|| FileId::of(&metadata))
        }
        #[cfg(not(unix))]
        None
    }

    #[cfg(unix)]
    pub(super) fn of(metadata: &fs::Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId { device: metadata.dev(), inode: metadata.ino() }
    }

    #[cfg(not(unix))]
    fn of(_: &fs::Metadata) -> FileId {
        FileId { device: 0, inode: 0 }
    }
}

/// The metadata of a file that changes whenever its content does, read without opening the file. A
/// change of content updates the time of the last change (ctime), which no program can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    inode: u64,
    bytes: u64,
    /// The modification time, in seconds and nanoseconds since 1970.
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// Returns the time of the last change of content, name or permissions.
    pub(crate) fn changed(&self) -> SystemTime {
        let since_1970 = Duration::new(
            self.changed.0.try_into().unwrap_or(0),
            self.changed.1.try_into().unwrap_or(0),
        );
        UNIX_EPOCH + since_1970
    }

    /// Returns the stamp of the file behind a path.
    #[expect(clippy::disallowed_methods, reason = "the rim: asks whether a file has changed")]
    pub(crate) fn of_path(path: &Path) -> Option<Stamp> {
        Stamp::of(&fs::metadata(path).ok()?)
    }

    #[cfg(unix)]
    pub(super) fn of(metadata: &fs::Metadata) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        Some(Stamp {
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// Without a time that no program can set, callers compare content.
    #[cfg(not(unix))]
    fn of(_: &fs::Metadata) -> Option<Stamp> {
        None
    }
}
