//! The cache of all repositories: its folder, the size of each repository, and removal.

#![expect(clippy::disallowed_methods, reason = "the rim: lists and removes what the cache wrote")]

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::source::scan;

/// The maximum size of the cache over all repositories, in bytes; those written longest ago are
/// removed first.
pub const MAX_CACHE_BYTES: u64 = 2 << 30;

/// The cache of all repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// The size of one repository in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheUsage {
    /// The repository's folder when the cache was written.
    pub root: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The time of the last write.
    pub written: SystemTime,
    folder: PathBuf,
}

/// The result of clearing a cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cleared {
    /// The number of bytes removed.
    pub bytes: u64,
    /// Files in the folders of repositories that the cache did not write: they are kept.
    pub foreign: Vec<PathBuf>,
}

impl Cache {
    /// Returns the cache in this folder, which need not exist.
    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the size of each repository, the one written last first.
    ///
    /// # Errors
    /// When the folder exists and cannot be read.
    pub fn usage(&self) -> io::Result<Vec<CacheUsage>> {
        let folders = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            folders => folders?,
        };
        let mut all: Vec<CacheUsage> =
            folders.filter_map(|folder| usage_of(&folder.ok()?.path())).collect();
        all.sort_by(|a, b| b.written.cmp(&a.written).then_with(|| a.root.cmp(&b.root)));
        Ok(all)
    }

    /// Removes the packs of every repository. Files that the cache did not write are kept.
    ///
    /// # Errors
    /// When something cannot be removed; the rest is removed.
    pub fn clear(&self) -> io::Result<Cleared> {
        let mut cleared = Cleared::default();
        let mut failed = None;
        for one in self.usage()? {
            match remove(&one.folder) {
                Ok(foreign) => {
                    cleared.bytes += one.bytes;
                    cleared.foreign.extend(foreign);
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed.map_or(Ok(cleared), Err)
    }

    /// Returns the folder of one repository.
    pub(super) fn of(&self, root: &Path) -> PathBuf {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let name = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        self.folder.join(&name[..NAME_DIGITS])
    }

    /// Removes the repositories written longest ago until the rest fits; `own` stays.
    pub(super) fn make_room(&self, own: &Path) -> io::Result<()> {
        let mut total = 0;
        for one in self.usage()? {
            total += one.bytes;
            if total > MAX_CACHE_BYTES && one.folder != own {
                // If one cannot be removed, continue with the others.
                let _ = remove(&one.folder);
            }
        }
        Ok(())
    }
}

/// The number of hexadecimal digits in the name of a repository's folder. The folder holds only
/// these files: the packs, the path of the repository for people, and the marks that exclude it
/// from repositories and backups.
const NAME_DIGITS: usize = 32;
const FILES: [&str; 9] =
    ["words", "outlines", "levels", "imports", "history", PAGES, ROOT_FILE, IGNORE_FILE, TAG_FILE];

/// The pack of a value made of all files together.
pub(super) const PAGES: &str = "pages";
pub(super) const ROOT_FILE: &str = "root";
pub(super) const IGNORE_FILE: &str = ".gitignore";
pub(super) const TAG_FILE: &str = "CACHEDIR.TAG";
pub(super) const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";
/// The end of the name of an unfinished file. One older than [`LEFT_OVER`] remains from a process
/// that was killed.
const BESIDE: &str = ".new";
/// The number of random letters and digits before that.
const RANDOM: usize = 6;
const LEFT_OVER: Duration = Duration::from_secs(3600);
/// The maximum length of a root's path, in bytes.
const MAX_ROOT_BYTES: usize = 1 << 16;

/// Reports whether a folder is a repository's in a cache; a link is not.
fn is_ours(folder: &Path) -> bool {
    let is_hex =
        |name: &str| name.len() == NAME_DIGITS && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    folder.file_name().and_then(|name| name.to_str()).is_some_and(is_hex)
        && fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir())
}

/// Reports whether a file in a repository's folder was written by the cache, finished or not.
fn is_of_ours(file: &fs::DirEntry) -> bool {
    let is_beside = |name: &str| {
        let name = name
            .strip_suffix(BESIDE)
            .and_then(|name| name.split_at_checked(name.len().checked_sub(RANDOM)?));
        name.is_some_and(|(name, random)| {
            FILES.contains(&name) && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    };
    file.file_name().to_str().is_some_and(|name| FILES.contains(&name) || is_beside(name))
        && file.file_type().is_ok_and(|kind| kind.is_file())
}

/// Returns the size of a repository; `None` for a folder without files of the cache.
fn usage_of(folder: &Path) -> Option<CacheUsage> {
    if !is_ours(folder) {
        return None;
    }
    let root = read(&folder.join(ROOT_FILE), MAX_ROOT_BYTES).unwrap_or_default();
    let root = String::from_utf8_lossy(&root).into_owned();
    let mut usage =
        CacheUsage { root, bytes: 0, written: UNIX_EPOCH, folder: folder.to_path_buf() };
    let mut files = fs::read_dir(folder).ok()?.flatten().filter(is_of_ours).peekable();
    files.peek()?;
    // The file may have been removed meanwhile.
    for metadata in files.filter_map(|file| file.metadata().ok()) {
        usage.bytes += metadata.len();
        usage.written = usage.written.max(metadata.modified().unwrap_or(UNIX_EPOCH));
    }
    Some(usage)
}

/// Removes the cache's files from a repository's folder, and the folder if it is then empty.
/// Returns the other files.
fn remove(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (ours, foreign): (Vec<_>, Vec<_>) = fs::read_dir(folder)?.flatten().partition(is_of_ours);
    for file in ours {
        ignore_gone(fs::remove_file(file.path()))?;
    }
    let mut foreign: Vec<PathBuf> = foreign.into_iter().map(|file| file.path()).collect();
    foreign.sort();
    if foreign.is_empty() {
        ignore_gone(fs::remove_dir(folder))?;
    }
    Ok(foreign)
}

/// Ignores the error that a file is already gone: another process may have removed it first.
fn ignore_gone(removed: io::Result<()>) -> io::Result<()> {
    removed
        .or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// Reads a file of at most `most` bytes.
pub(super) fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let file = scan::open(path)?;
    let len = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(most).min(most));
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Writes a temporary file and renames it into place.
pub(super) fn write(
    folder: &Path,
    name: &str,
    fill: impl FnOnce(&mut fs::File) -> io::Result<()>,
) -> io::Result<()> {
    let mut beside = tempfile::Builder::new()
        .prefix(name)
        .suffix(BESIDE)
        .rand_bytes(RANDOM)
        .tempfile_in(folder)?;
    fill(beside.as_file_mut())?;
    beside.persist(folder.join(name)).map(drop).map_err(|error| error.error)
}

/// Creates the folder of a repository, readable by its user alone: packs contain words of the
/// files.
pub(super) fn make(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    if is_ours(folder) { Ok(()) } else { Err(io::ErrorKind::NotADirectory.into()) }
}

pub(super) fn remove_left_over(folder: &Path) {
    let is_old = |file: &fs::DirEntry| {
        let modified = file.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > LEFT_OVER))
    };
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_beside = |file: &fs::DirEntry| {
        file.file_name().to_string_lossy().ends_with(BESIDE) && is_of_ours(file)
    };
    for file in files.filter(|file| is_beside(file) && is_old(file)) {
        let _ = fs::remove_file(file.path());
    }
}
