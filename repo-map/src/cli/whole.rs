//! Files that are whole or not there: written beside their place and renamed into it, so that a
//! full disk leaves the old one.

#![expect(clippy::disallowed_methods, reason = "the rim: writes files")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::text::sanitize::Sanitized;

/// How the name of a file begins that is not whole yet. One that stays is left over from a process
/// that was killed.
const UNFINISHED: &str = ".unfinished-";

/// Who may read and write a file that is made.
#[derive(Debug, Clone, Copy)]
pub enum Access<'a> {
    /// The user alone.
    Private,
    /// What is usual for files of this user.
    Usual,
    /// Those who could before.
    As(&'a Metadata),
}

/// Writes a file that the user named: whole, or not at all. The file that is there keeps its
/// permissions, a link leads to the file that is written, and a pipe or a device gets the text as
/// it comes.
///
/// # Errors
/// When it cannot be written.
pub fn write_file(path: &Path, text: &Sanitized) -> Result<()> {
    write_named(path, text.as_bytes()).with_context(|| format!("writing {}", path.display()))
}

fn write_named(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let place = followed(path)?;
    let before = match fs::symlink_metadata(&place) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return replace_file(&place, Access::Usual, bytes);
        }
        before => before?,
    };
    if !before.is_file() {
        return fs::write(place, bytes);
    }
    // A file that may not be written is not to be replaced either.
    OpenOptions::new().write(true).open(&place)?;
    let done = replace_file(&place, Access::As(&before), bytes);
    match done.as_ref().map_err(io::Error::kind) {
        // Nothing can be made or renamed in its folder: a file that a container was given alone is
        // mounted like that.
        Err(
            ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::ResourceBusy
            | ErrorKind::CrossesDevices,
        ) => fs::write(place, bytes),
        _ => done,
    }
}

/// Where a path leads, link by link, whether there is anything or not. The system's own links lead
/// to open files, which have no place where another could be put: `/dev/stdout` stays what it is.
fn followed(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&place) {
            Ok(target) if !["/dev", "/proc"].iter().any(|system| place.starts_with(system)) => {
                place = place.parent().unwrap_or(Path::new("")).join(target);
            }
            _ => return Ok(place),
        }
    }
    Err(io::Error::other("too many links"))
}

/// Writes a file beside its place and renames it into it. What was there stays until the new one is
/// on disk.
///
/// # Errors
/// When it cannot be written; then nothing has changed.
pub fn replace_file(place: &Path, access: Access<'_>, bytes: &[u8]) -> io::Result<()> {
    let folder =
        place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside =
        tempfile::Builder::new().prefix(UNFINISHED).make_in(folder, |path| create(path, access))?;
    beside.as_file_mut().write_all(bytes)?;
    beside.as_file().sync_all()?;
    beside.persist(place).map_err(|error| error.error)?;
    sync_folder(folder);
    Ok(())
}

#[cfg(unix)]
fn create(path: &Path, access: Access<'_>) -> io::Result<File> {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
    let mode = if matches!(access, Access::Usual) { 0o666 } else { 0o600 };
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    if let Access::As(before) = access {
        // To give a file away takes the right to; without it the writer is the owner.
        let _ = fchown(&file, Some(before.uid()), Some(before.gid()));
        file.set_permissions(before.permissions())?;
    }
    Ok(file)
}

#[cfg(not(unix))]
fn create(path: &Path, _: Access<'_>) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Has the names in a folder on disk, as far as the system can.
pub fn sync_folder(folder: &Path) {
    // Not every file system knows how, and without it all but a loss of power is survived.
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}
