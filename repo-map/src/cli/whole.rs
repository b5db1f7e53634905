//! Atomic writes: a file is written to a temporary file and renamed into place, so that a full disk
//! leaves the old one.

#![expect(clippy::disallowed_methods, reason = "the rim: writes files")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::Error;
use crate::text::sanitize::Sanitized;

/// The start of a temporary file's name. A remaining one is from a process that was killed.
const UNFINISHED: &str = ".unfinished-";

/// The flag of the plan that is written.
const PLAN_OUT: &str = "--plan-out";

/// The permissions of a new file.
#[derive(Debug, Clone, Copy)]
pub enum Access<'a> {
    /// Readable and writable by the user alone.
    Private,
    /// The system's default for the user.
    Usual,
    /// Those of the file that is replaced.
    As(&'a Metadata),
}

/// Writes a file that the user named, completely or not at all. An existing file keeps its
/// permissions, a link is followed, and a pipe or a device is written directly.
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
    // A file without write permission must not be replaced either.
    OpenOptions::new().write(true).open(&place)?;
    let done = replace_file(&place, Access::As(&before), bytes);
    match done.as_ref().map_err(io::Error::kind) {
        // The folder allows no new file or rename: a container mounts a single file like that.
        Err(
            ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::ResourceBusy
            | ErrorKind::CrossesDevices,
        ) => fs::write(place, bytes),
        _ => done,
    }
}

/// Checks that each output of a command, named by its flag, is a file of its own, and none is the
/// plan that is read, unless a plan is written there, or another file that is read.
///
/// # Errors
/// If two flags name one file, or one names a file that is read. A pipe or a device can be named
/// twice.
pub fn check_distinct(
    outputs: &[(&str, Option<&Path>)],
    plan: Option<&Path>,
    sources: &[&Path],
) -> Result<()> {
    let read: Vec<PathBuf> = sources.iter().filter_map(|source| own_place(source)).collect();
    let mut taken: Vec<(&str, PathBuf)> = Vec::new();
    for (flag, path) in outputs {
        let Some((path, file)) = path.and_then(|path| Some((path, own_place(path)?))) else {
            continue;
        };
        let is_plan = *flag != PLAN_OUT && plan.and_then(own_place).as_ref() == Some(&file);
        let other = taken.iter().find(|(_, other)| *other == file).map(|(flag, _)| *flag);
        let other = other.map(|other| format!("the file of {other}"));
        let other = other.or_else(|| read.contains(&file).then(|| "read by this command".into()));
        if let Some(other) = is_plan.then(|| "the plan that is read".to_owned()).or(other) {
            let message = format!("{} is {other}; name another file", path.display());
            return Err(Error::Plan { file: (*flag).to_owned(), line: None, message }.into());
        }
        taken.push((flag, file));
    }
    Ok(())
}

/// Returns the place of a file that is there or can be made, links followed; nothing for a pipe or
/// a device.
fn own_place(path: &Path) -> Option<PathBuf> {
    let place = followed(path).ok()?;
    if fs::metadata(&place).is_ok_and(|found| !found.is_file()) {
        return None;
    }
    Some(fs::canonicalize(folder_of(&place)).ok()?.join(place.file_name()?))
}

fn folder_of(place: &Path) -> &Path {
    place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Follows a path link by link; the target need not exist. The system's own links lead to open
/// files, which cannot be replaced: `/dev/stdout` stays as it is.
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

/// Writes a temporary file and renames it into place. The old file stays until the new one is on
/// disk.
///
/// # Errors
/// When it cannot be written; then nothing has changed.
pub fn replace_file(place: &Path, access: Access<'_>, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(place);
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
        // Changing the owner needs a privilege; without it the writer is the owner.
        let _ = fchown(&file, Some(before.uid()), Some(before.gid()));
        file.set_permissions(before.permissions())?;
    }
    Ok(file)
}

#[cfg(not(unix))]
fn create(path: &Path, _: Access<'_>) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Flushes the names in a folder to disk, as far as the system can.
pub fn sync_folder(folder: &Path) {
    // Not every file system supports this; without it the files survive everything except a power
    // loss.
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}
