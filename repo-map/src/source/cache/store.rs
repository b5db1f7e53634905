//! The cache of all repositories: its folder, what each repository takes, and what may be removed.

#![expect(clippy::disallowed_methods, reason = "the rim: lists and removes what the cache wrote")]

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::source::scan;

/// The most that all repositories together may take, in bytes; those written longest ago go first.
pub const MAX_CACHE_BYTES: u64 = 2 << 30;

/// The cache of all repositories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
}

/// What a repository takes in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CacheUsage {
    /// The repository's folder, as it was when the cache was written.
    pub root: String,
    /// In bytes.
    pub bytes: u64,
    /// When it was last written.
    pub written: SystemTime,
    folder: PathBuf,
}

/// What was removed from a cache.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cleared {
    /// In bytes.
    pub bytes: u64,
    /// What is not the cache's in the folders of repositories: it stays there.
    pub foreign: Vec<PathBuf>,
}

impl Cache {
    /// The cache in this folder, which need not exist.
    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What each repository takes, the one written last first.
    ///
    /// # Errors
    /// When the folder is there and cannot be read.
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

    /// Removes what is kept of every repository. Nothing that is not ours is touched.
    ///
    /// # Errors
    /// When something cannot be removed; the rest is.
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

    /// The folder of one repository.
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
                // What cannot be removed keeps nothing else in its place.
                let _ = remove(&one.folder);
            }
        }
        Ok(())
    }
}

/// A repository's folder is named by so many hexadecimal digits, and holds these files and nothing
/// else: the packs, the root for people, and what says to others that neither a repository nor a
/// backup wants any of it.
const NAME_DIGITS: usize = 32;
const FILES: [&str; 7] =
    ["words", "outlines", "imports", "history", ROOT_FILE, IGNORE_FILE, TAG_FILE];

pub(super) const ROOT_FILE: &str = "root";
pub(super) const IGNORE_FILE: &str = ".gitignore";
pub(super) const TAG_FILE: &str = "CACHEDIR.TAG";
pub(super) const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";
/// How a file ends that is not whole yet; one this old is left over from a process that was killed.
const BESIDE: &str = ".new";
/// How many letters and digits stand before that, drawn at random.
const RANDOM: usize = 6;
const LEFT_OVER: Duration = Duration::from_secs(3600);
/// The longest path of a root.
const MAX_ROOT_BYTES: usize = 1 << 16;

/// Whether a folder is a repository's in a cache: a link to elsewhere is none.
fn is_ours(folder: &Path) -> bool {
    let is_hex =
        |name: &str| name.len() == NAME_DIGITS && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    folder.file_name().and_then(|name| name.to_str()).is_some_and(is_hex)
        && fs::symlink_metadata(folder).is_ok_and(|metadata| metadata.is_dir())
}

/// Whether a file in a repository's folder is one that we write, whole or not yet.
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

/// What a repository takes; `None` for a folder that has nothing of ours.
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
    // A file may be gone by now.
    for metadata in files.filter_map(|file| file.metadata().ok()) {
        usage.bytes += metadata.len();
        usage.written = usage.written.max(metadata.modified().unwrap_or(UNIX_EPOCH));
    }
    Some(usage)
}

/// Removes our files of a repository's folder, and the folder when that leaves nothing. Gives what
/// is not ours.
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

/// Another process may have removed it first.
fn ignore_gone(removed: io::Result<()>) -> io::Result<()> {
    removed
        .or_else(|error| if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
}

/// A file of at most so many bytes.
pub(super) fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let file = scan::open(path)?;
    let len = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(most).min(most));
    file.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Writes a file beside its place and renames it into it.
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

/// Makes the folder of a repository, for its user alone: packs have words of the files.
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
