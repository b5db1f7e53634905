//! Walk the tree, honour ignore files, read text: the only reader of a repository's files.
//!
//! A map must be the same on any machine, so the tree of a map is what the tree itself says:
//! `.gitignore`, `.ignore` and `.repomapignore` at every depth, inside git or out. IgnoreRules from
//! outside (the user's global ignore file, `.git/info/exclude`, folders above the root) are
//! honoured as well, and what they took away is recorded, so that a replay elsewhere leaves out the
//! same paths without having the same rules.

#![expect(clippy::disallowed_methods, reason = "the rim: the reader of repositories")]

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ignore::{WalkBuilder, WalkState};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::source::progress::{Cancelled, ProgressCount, ProgressSink, Stage};
use crate::text::mask;
use crate::text::sanitize::{Gate, is_line_layout, visible};

/// A file larger than this many bytes is kept at level path.
pub const MAX_FILE_BYTES: u64 = 2 << 20;
/// The name of this tool's own ignore file.
pub const IGNORE_FILE: &str = ".repomapignore";

/// The files of a folder that say what in it is left out.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", IGNORE_FILE];

/// What the walk goes by.
#[derive(Debug, Clone, Default)]
pub struct ScanOptions {
    /// Walk hidden files and folders too (never `.git`).
    pub hidden: bool,
    /// Walk what ignore rules hide too.
    pub no_ignore: bool,
    /// Paths that are not part of the repository: the run's own outputs, the plan. In map notation,
    /// relative to the root.
    pub ignored: Vec<String>,
    /// Paths that rules from outside the tree took away when the plan was flown. `None` honours the
    /// rules of this machine.
    pub outside: Option<Vec<String>>,
    /// A file that is no part of the repository wherever it lies: what standard output goes to.
    pub own: Option<FileId>,
}

/// A file by what the system knows it by, whatever its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The file that standard output goes to; `None` for a terminal or a pipe, and where files have
    /// no such identity.
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
    fn of(metadata: &fs::Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId { device: metadata.dev(), inode: metadata.ino() }
    }

    #[cfg(not(unix))]
    fn of(_: &fs::Metadata) -> FileId {
        FileId { device: 0, inode: 0 }
    }
}

/// What the file system says of a file without opening it, as far as a change of its content
/// changes it. A content cannot be changed without the time of the last change (ctime), which no
/// program can set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds since 1970.
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// When content, name or rights were last changed.
    pub(crate) fn changed(&self) -> SystemTime {
        let since_1970 = Duration::new(
            self.changed.0.try_into().unwrap_or(0),
            self.changed.1.try_into().unwrap_or(0),
        );
        UNIX_EPOCH + since_1970
    }

    #[cfg(unix)]
    fn of(metadata: &fs::Metadata) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        Some(Stamp {
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// Without a time that no program can set, content is compared.
    #[cfg(not(unix))]
    fn of(_: &fs::Metadata) -> Option<Stamp> {
        None
    }
}

/// The files of a repository, sorted, nothing read yet.
#[derive(Debug, Clone)]
pub struct Tree {
    /// The folder that was walked.
    pub root: PathBuf,
    /// Every file, in the order of the map.
    pub files: Vec<FileEntry>,
    /// What rules from outside the tree took away: the largest folders and single files, a folder
    /// with a slash at its end.
    pub outside: Vec<String>,
    /// Folders and files the walk could not enter.
    pub problems: Vec<Problem>,
    /// Where [`ScanOptions::own`] lies in the tree, if it does.
    pub own: Vec<String>,
}

/// One file of the tree.
#[derive(Debug, Clone)]
pub struct FileEntry {
    /// The path from the root with `/` between its parts, in map notation (see [`notation`]).
    pub path: String,
    /// Where to read it.
    pub location: PathBuf,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// A symbolic link: named, never followed.
    pub is_link: bool,
    pub(crate) id: Option<FileId>,
    pub(crate) stamp: Option<Stamp>,
}

/// A file or folder that could not be read. It never ends a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path, where one is known.
    pub path: String,
    /// What went wrong.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Why a file is kept at level path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// Not text.
    Binary,
    /// Written by a program: says so at its top, or is a lock file.
    Generated,
    /// Squeezed onto few lines.
    Minified,
    /// Larger than [`MAX_FILE_BYTES`].
    Oversized,
    /// A symbolic link.
    Link,
    /// Cannot be read.
    Unreadable,
}

impl Mark {
    /// Every mark.
    pub const ALL: [Mark; 6] = [
        Mark::Binary,
        Mark::Generated,
        Mark::Minified,
        Mark::Oversized,
        Mark::Link,
        Mark::Unreadable,
    ];

    /// The word in maps, plans and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::Binary => "binary",
            Mark::Generated => "generated",
            Mark::Minified => "minified",
            Mark::Oversized => "oversized",
            Mark::Link => "link",
            Mark::Unreadable => "unreadable",
        }
    }

    /// Whether there is text that a rule could still ask for by name.
    pub(crate) fn has_text(self) -> bool {
        match self {
            Mark::Generated | Mark::Minified => true,
            Mark::Binary | Mark::Oversized | Mark::Link | Mark::Unreadable => false,
        }
    }
}

/// What reading a file gave.
#[derive(Debug, Clone)]
pub struct Source {
    /// The text: UTF-8, `\n` line breaks, no control characters; past the gate. Empty where the
    /// mark says there is none.
    pub text: String,
    /// BLAKE3 of the bytes on disk.
    pub digest: blake3::Hash,
    /// Why it is kept at level path, if it is.
    pub mark: Option<Mark>,
    /// How many secrets were masked.
    pub n_masked: u32,
    /// How many invisible characters were written out.
    pub n_invisible: u32,
}

impl Source {
    /// What there is of a file without text.
    fn without_text(digest: blake3::Hash, mark: Mark) -> Source {
        Source { text: String::new(), digest, mark: Some(mark), n_masked: 0, n_invisible: 0 }
    }
}

/// Finds the files of the repository at `root`.
///
/// # Errors
/// When `root` is not a folder that can be read. Anything below it that cannot be read is a
/// [`Problem`] in the result.
pub fn walk(root: &Path, options: &ScanOptions) -> Result<Tree> {
    walk_watched(root, options, None, Cancelled(None))
}

/// The same, watched. Cancelled, it is not to be used.
pub(crate) fn walk_watched(
    root: &Path,
    options: &ScanOptions,
    watcher: Option<&ProgressSink>,
    cancelled: Cancelled<'_>,
) -> Result<Tree> {
    let count = &ProgressCount::new(watcher, Stage::Walk, None);
    let walk_once = |rules, keep| walk_once(root, options.hidden, rules, keep, count, cancelled);
    let metadata = fs::metadata(root).map_err(|source| Error::io(root, source))?;
    if !metadata.is_dir() {
        return Err(Error::NotAFolder { path: root.to_path_buf() });
    }
    fs::read_dir(root).map_err(|source| Error::io(root, source))?;
    let blocking = blocking_ignore_file(root);
    let no_ignore = options.no_ignore || blocking.is_some();
    let mut found = match options.outside.clone() {
        Some(outside) => {
            let outside: HashSet<String> = outside.into_iter().collect();
            let rules = if no_ignore { IgnoreRules::None } else { IgnoreRules::OfTheTree };
            walk_once(rules, Arc::new(move |path| !outside.contains(path)))
        }
        None if no_ignore => walk_once(IgnoreRules::None, Arc::new(|_| true)),
        None => walk_once(IgnoreRules::All, Arc::new(|_| true)),
    };
    let outside = match options.outside.clone() {
        Some(outside) => outside,
        None if no_ignore || !has_rules_from_outside(root, &found) => Vec::new(),
        None => taken_away(root, options.hidden, &found),
    };
    if let Some(name) = blocking {
        let message =
            "no regular file, and would block whoever reads it: no ignore rules are honoured"
                .to_owned();
        found.problems.push(Problem { path: name.to_owned(), message });
    }
    let ignored: HashSet<&str> = options.ignored.iter().map(String::as_str).collect();
    let is_own = |file: &FileEntry| options.own.is_some() && file.id == options.own;
    let own =
        found.files.iter().filter(|file| is_own(file)).map(|file| file.path.clone()).collect();
    found.files.retain(|file| !ignored.contains(file.path.as_str()) && !is_own(file));
    Ok(Tree {
        root: root.to_path_buf(),
        files: found.files,
        outside,
        problems: found.problems,
        own,
    })
}

/// The paths that only rules from outside the tree hide: a second walk without those rules, that
/// does not go below what it finds.
fn taken_away(root: &Path, hidden: bool, kept: &WalkFindings) -> Vec<String> {
    let known: HashSet<String> = kept
        .files
        .iter()
        .map(|file| file.path.clone())
        .chain(kept.folders.iter().cloned())
        .collect();
    let taken = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&taken);
    let keep = move |path: &str| {
        let keep = known.contains(path);
        if !keep {
            lock(&record).push(path.to_owned());
        }
        keep
    };
    walk_once(
        root,
        hidden,
        IgnoreRules::OfTheTree,
        Arc::new(keep),
        &ProgressCount::new(None, Stage::Walk, None),
        Cancelled(None),
    );
    let mut taken = std::mem::take(&mut *lock(&taken));
    taken.sort();
    taken
}

/// Whether there is any rule of this machine that could have hidden something: most often there is
/// none, and no second walk.
fn has_rules_from_outside(root: &Path, found: &WalkFindings) -> bool {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let globally =
        ignore::gitignore::gitconfig_excludes_path().is_some_and(|path| has_rules(&path));
    let above = || {
        root.ancestors().skip(1).any(|folder| {
            has_own_rules(folder) || IGNORE_FILES.iter().any(|name| has_rules(&folder.join(name)))
        })
    };
    globally
        || above()
        || has_own_rules(&root)
        || found.repositories.iter().any(|folder| has_own_rules(folder))
}

/// Whether a folder's git directory excludes anything. A git directory elsewhere may.
fn has_own_rules(folder: &Path) -> bool {
    let git = folder.join(".git");
    match fs::symlink_metadata(&git) {
        Ok(metadata) if metadata.is_dir() => has_rules(&git.join("info/exclude")),
        Ok(_) => true,
        Err(_) => false,
    }
}

fn has_rules(ignore_file: &Path) -> bool {
    let is_file = fs::metadata(ignore_file).is_ok_and(|metadata| metadata.is_file());
    let is_rule = |line: &[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    is_file
        && fs::read(ignore_file).is_ok_and(|text| text.split(|byte| *byte == b'\n').any(is_rule))
}

/// Which ignore rules a walk goes by.
#[derive(Clone, Copy, PartialEq)]
enum IgnoreRules {
    /// Those in the tree and those of this machine.
    All,
    /// Those in the tree alone.
    OfTheTree,
    /// None at all.
    None,
}

#[derive(Default)]
struct WalkFindings {
    files: Vec<FileEntry>,
    /// With a slash at the end.
    folders: Vec<String>,
    /// Those below the root that have a git directory of their own.
    repositories: Vec<PathBuf>,
    problems: Vec<Problem>,
}

/// `keep` sees every path, folders with a slash at their end, and says whether to go on with it.
fn walk_once(
    root: &Path,
    hidden: bool,
    rules: IgnoreRules,
    keep: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    count: &ProgressCount<'_>,
    cancelled: Cancelled<'_>,
) -> WalkFindings {
    let outside = rules == IgnoreRules::All;
    let base = root.to_path_buf();
    let blocked = Arc::new(Mutex::new(Vec::new()));
    let refused = Arc::clone(&blocked);
    let mut walker = WalkBuilder::new(root);
    if rules != IgnoreRules::None {
        walker.add_custom_ignore_filename(IGNORE_FILE);
    }
    let walker = walker
        .ignore(rules != IgnoreRules::None)
        .git_ignore(rules != IgnoreRules::None)
        .hidden(!hidden)
        .parents(outside)
        .git_global(outside)
        .git_exclude(outside)
        .require_git(false)
        .follow_links(false)
        .filter_entry(move |entry| {
            let Ok(relative) = entry.path().strip_prefix(&base) else { return false };
            if relative.as_os_str().is_empty() {
                return true;
            }
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            if is_folder && let Some(name) = blocking_ignore_file(entry.path()) {
                let message = format!(
                    "left out: its `{name}` is no regular file and would block whoever reads it"
                );
                lock(&refused).push(Problem { path: notation(relative, true), message });
                return false;
            }
            entry.file_name() != ".git" && keep(&notation(relative, is_folder))
        })
        .build_parallel();
    let found = Mutex::new(WalkFindings::default());
    walker.run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) => see(root, &entry, &found, count),
                Err(error) => lock(&found).problems.push(problem(root, &error)),
            }
            if cancelled.is_set() { WalkState::Quit } else { WalkState::Continue }
        })
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.problems.append(&mut lock(&blocked));
    // The walk is parallel and finds files in any order.
    found.files.sort_by(|a, b| map_order(&a.path, &b.path));
    number_masked_names(&mut found.files);
    found.problems.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// The walker opens ignore files itself; a pipe or a device in the place of one would hang it.
fn blocking_ignore_file(folder: &Path) -> Option<&'static str> {
    IGNORE_FILES.into_iter().find(|name| {
        fs::metadata(folder.join(name))
            .is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    })
}

fn see(
    root: &Path,
    entry: &ignore::DirEntry,
    found: &Mutex<WalkFindings>,
    count: &ProgressCount<'_>,
) {
    let relative = entry.path().strip_prefix(root).unwrap_or(entry.path());
    let Some(kind) = entry.file_type() else { return };
    if kind.is_dir() {
        let is_repository = fs::symlink_metadata(entry.path().join(".git")).is_ok();
        let mut found = lock(found);
        found.folders.push(notation(relative, true));
        found.repositories.extend(is_repository.then(|| entry.path().to_path_buf()));
    } else if kind.is_file() || kind.is_symlink() {
        let metadata = entry.metadata().ok();
        let file = FileEntry {
            path: notation(relative, false),
            location: entry.path().to_path_buf(),
            bytes: metadata.as_ref().map_or(0, |metadata| metadata.len()),
            is_link: kind.is_symlink(),
            id: metadata.as_ref().map(FileId::of),
            stamp: metadata.as_ref().and_then(Stamp::of),
        };
        lock(found).files.push(file);
        count.one(false);
    }
    // Sockets, pipes and devices have no content to show and may block whoever opens them.
}

fn problem(root: &Path, error: &ignore::Error) -> Problem {
    let mut path = String::new();
    let mut innermost = error;
    loop {
        innermost = match innermost {
            ignore::Error::WithPath { path: at, err } => {
                path = notation(at.strip_prefix(root).unwrap_or(at), false);
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            _ => return Problem { path, message: innermost.to_string() },
        };
    }
}

/// No closure here panics while it holds a lock; should one do so all the same, what was found is
/// still true.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path as maps and plans write it: parts joined by `/`, past the gate. What could not be read on
/// one line of a terminal (control and invisible characters, bytes that are not UTF-8) is written
/// out as `\u{…}` or `\x…`, the backslash doubled, a secret masked. Different names have different
/// notations, but for those that only a secret tells apart.
pub fn notation(path: &Path, is_folder: bool) -> String {
    notation_of(path.components().map(|part| part.as_os_str().as_encoded_bytes()), is_folder)
}

/// The same of a path as git gives it.
pub(crate) fn notation_of_git(path: &[u8]) -> String {
    notation_of(path.split(|byte| *byte == b'/'), false)
}

fn notation_of<'a>(parts: impl Iterator<Item = &'a [u8]>, is_folder: bool) -> String {
    let mut out = String::new();
    for part in parts {
        if !out.is_empty() {
            out.push('/');
        }
        for chunk in part.utf8_chunks() {
            let (masked, _) = mask::mask(chunk.valid());
            let doubled = if masked.contains('\\') {
                Cow::Owned(masked.replace('\\', "\\\\"))
            } else {
                masked
            };
            out.push_str(&visible(&doubled, |_| false).0);
            for byte in chunk.invalid() {
                out.push_str(&format!("\\x{byte:02x}"));
            }
        }
    }
    if is_folder {
        out.push('/');
    }
    out
}

/// Gives names that only a masked secret tells apart a number each, in the order of the names on
/// disk.
fn number_masked_names(files: &mut [FileEntry]) {
    let is_double = |pair: &[FileEntry]| pair[0].path == pair[1].path;
    if !files.windows(2).any(is_double) {
        return;
    }
    files.sort_by(|a, b| map_order(&a.path, &b.path).then_with(|| a.location.cmp(&b.location)));
    let mut taken: HashSet<String> = files.iter().map(|file| file.path.clone()).collect();
    let mut before = String::new();
    for file in files.iter_mut() {
        if file.path != before {
            before.clone_from(&file.path);
            continue;
        }
        let numbered = (2..).map(|n| format!("{before} ({n})")).find(|path| !taken.contains(path));
        file.path = numbered.unwrap_or_default();
        taken.insert(file.path.clone());
    }
    files.sort_by(|a, b| map_order(&a.path, &b.path));
}

/// The order of a map: folder by folder, so that `a/b` stands beside `a/c` and not behind `a-b/c`.
pub fn map_order(a: &str, b: &str) -> std::cmp::Ordering {
    // No byte of a path is smaller than the one that takes the slash's place.
    let key = |byte: &u8| if *byte == b'/' { 0 } else { *byte };
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let n_common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    a[n_common..].first().map(key).cmp(&b[n_common..].first().map(key))
}

/// Reads a file for the map.
///
/// # Errors
/// Never: a file that cannot be read has the mark [`Mark::Unreadable`].
pub fn read(file: &FileEntry, gate: Gate) -> Source {
    match read_bytes(file) {
        Ok(bytes) => decode(&file.path, &bytes, gate),
        Err(mark) => Source::without_text(blake3::hash(b""), mark),
    }
}

/// Extensions of files that are never text; not worth opening.
const BINARY_EXTENSIONS: &[&str] = &[
    "7z", "a", "avi", "bin", "bmp", "bz2", "class", "dll", "dylib", "eot", "exe", "gif", "gz",
    "icns", "ico", "jar", "jpeg", "jpg", "mov", "mp3", "mp4", "o", "ogg", "otf", "pdf", "png",
    "pyc", "rlib", "so", "tar", "tgz", "tif", "tiff", "ttf", "wasm", "wav", "webm", "webp", "woff",
    "woff2", "xz", "zip", "zst",
];

/// Why a file is not even opened, if it is not.
pub(crate) fn mark_of_entry(file: &FileEntry) -> Option<Mark> {
    if file.is_link {
        return Some(Mark::Link);
    }
    let extension = Path::new(&file.path).extension().and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| BINARY_EXTENSIONS.contains(&extension)) {
        return Some(Mark::Binary);
    }
    (file.bytes > MAX_FILE_BYTES).then_some(Mark::Oversized)
}

/// The bytes of a file, unless it is of a kind that is never read.
pub(crate) fn read_bytes(file: &FileEntry) -> std::result::Result<Vec<u8>, Mark> {
    if let Some(mark) = mark_of_entry(file) {
        return Err(mark);
    }
    // A file that says it is empty is taken at its word: those of `/proc` say so, and some of them
    // block or never end.
    if file.bytes == 0 && file.id.is_some() {
        return Ok(Vec::new());
    }
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(file.bytes as usize + 1);
        // The file may have grown since it was listed; one byte more than allowed tells.
        open(&file.location)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) if bytes.len() as u64 > MAX_FILE_BYTES => Err(Mark::Oversized),
        Ok(bytes) => Ok(bytes),
        Err(_) => Err(Mark::Unreadable),
    }
}

/// Opens what is still a regular file: since it was listed, a pipe or a link may have come into its
/// place.
pub(crate) fn open(location: &Path) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NONBLOCK | libc::O_NOFOLLOW,
    );
    let file = options.open(location)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

fn decode(path: &str, bytes: &[u8], gate: Gate) -> Source {
    let digest = blake3::hash(bytes);
    let Some(text) = text_of(bytes) else { return Source::without_text(digest, Mark::Binary) };
    let mark = mark_of_text(path, bytes);
    let (text, n_masked) = if gate.masks { replaced(text, mask::mask) } else { (text, 0) };
    let (text, n_invisible) = if gate.shows_invisible {
        replaced(text, |text| visible(text, is_line_layout))
    } else {
        (text, 0)
    };
    Source { text, digest, mark, n_masked, n_invisible }
}

/// A text with something in it replaced, and how often; the same text where there is nothing to
/// replace.
fn replaced(text: String, replace: impl Fn(&str) -> (Cow<'_, str>, u32)) -> (String, u32) {
    match replace(&text) {
        (Cow::Owned(replaced), n) => (replaced, n),
        (Cow::Borrowed(_), _) => (text, 0),
    }
}

/// Why a file with these bytes is kept at level path, if it is; the same answer as [`read`] without
/// making text of it.
pub(crate) fn mark_of(path: &str, bytes: &[u8]) -> Option<Mark> {
    if is_text(bytes) { mark_of_text(path, bytes) } else { Some(Mark::Binary) }
}

fn has_utf16_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

fn is_text(bytes: &[u8]) -> bool {
    if has_utf16_mark(bytes) {
        return text_of(bytes).is_some();
    }
    if memchr::memchr(0, bytes).is_some() {
        return false;
    }
    std::str::from_utf8(bytes).is_ok() || {
        let n_high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
        let n_control = bytes
            .iter()
            .filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
            .count();
        n_high * 10 <= bytes.len() * 3 && n_control * 50 <= bytes.len()
    }
}

/// Bytes as text: a byte order mark decides, then UTF-8, then Latin-1. `None` for what is not text.
fn text_of(bytes: &[u8]) -> Option<String> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        (!text.contains('\0')).then(|| readable(text))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes),
        _ => {}
    }
    if !is_text(bytes) {
        return None;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Some(readable(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }))
}

/// `\n` line breaks, and control characters as their pictures: a map is safe to print and fits
/// every format.
fn readable(text: String) -> String {
    let is_plain = |c: char| c == '\n' || c == '\t' || !c.is_control();
    if text.chars().all(is_plain) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            c if is_plain(c) => out.push(c),
            '\u{7f}' => out.push('␡'),
            c => out.push(
                char::from_u32(0x2400 + u32::from(c))
                    .filter(|_| c < ' ')
                    .unwrap_or(char::REPLACEMENT_CHARACTER),
            ),
        }
    }
    out
}

const LOCK_FILES: &[&str] = &[
    "Cargo.lock",
    "Gemfile.lock",
    "Package.resolved",
    "Pipfile.lock",
    "bun.lock",
    "composer.lock",
    "flake.lock",
    "go.sum",
    "go.work.sum",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pdm.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pubspec.lock",
    "uv.lock",
    "yarn.lock",
];

fn mark_of_text(path: &str, bytes: &[u8]) -> Option<Mark> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if LOCK_FILES.contains(&name) || says_it_is_generated(bytes) {
        return Some(Mark::Generated);
    }
    let mut longest_line = 0;
    let mut line_start = 0;
    let mut n_lines = 1;
    for line_end in memchr::memchr_iter(b'\n', bytes) {
        longest_line = longest_line.max(line_end - line_start);
        line_start = line_end + 1;
        n_lines += 1;
    }
    longest_line = longest_line.max(bytes.len() - line_start);
    let squeezed = longest_line > 5_000 && bytes.len() / n_lines > 400;
    (squeezed || name.contains(".min.") && longest_line > 1_000).then_some(Mark::Minified)
}

/// The conventions of generators: Go's `Code generated … DO NOT EDIT.`, `@generated`, and a comment
/// near the top that says both that the file is generated and that it is not to be edited.
fn says_it_is_generated(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(1_500)].split(|byte| *byte == b'\n').take(20).any(|line| {
        let comment = line.trim_ascii_start();
        if !comment.first().is_some_and(u8::is_ascii_punctuation) {
            return false;
        }
        let lower = comment.to_ascii_lowercase();
        let has = |words: &[u8]| memchr::memmem::find(&lower, words).is_some();
        has(b"@generated")
            || has(b"generated")
                && (has(b"do not edit") || has(b"do not modify") || has(b"don't edit"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_is_printable_and_keeps_different_names_apart() {
        let of = |name: &str| notation(Path::new(name), false);
        assert_eq!(of("a b/ü.rs"), "a b/ü.rs");
        assert_eq!(of("a\nb\u{1b}[31m"), "a\\u{a}b\\u{1b}[31m");
        assert_eq!(of("a\\u{a}b"), "a\\\\u{a}b");
        assert_eq!(of("x\u{202e}gpj"), "x\\u{202e}gpj");
        assert_eq!(notation(Path::new("src"), true), "src/");
        assert_eq!(notation_of_git(b"a\\b/\xff.rs"), "a\\\\b/\\xff.rs");
        assert_eq!(of(&format!("a/ghp_{}.txt", "a1B2".repeat(9))), "a/[masked: github-token].txt");
    }

    #[test]
    fn text_is_found_under_its_encoding() {
        assert_eq!(text_of(b"\xef\xbb\xbfa\r\nb\rc").as_deref(), Some("a\nb\nc"));
        assert_eq!(text_of(b"\xff\xfeh\0i\0").as_deref(), Some("hi"));
        assert_eq!(text_of(b"caf\xe9 au lait").as_deref(), Some("café au lait"));
        assert_eq!(text_of(b"\x7fELF\0\0"), None);
        assert_eq!(text_of(b"a\x1b[31mb").as_deref(), Some("a␛[31mb"));
    }

    #[test]
    fn generated_and_minified_files_are_told_from_those_that_mention_it() {
        let go = "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n";
        assert_eq!(mark_of_text("a.pb.go", go.as_bytes()), Some(Mark::Generated));
        assert_eq!(mark_of_text("Cargo.lock", b"version = 4\n"), Some(Mark::Generated));
        assert_eq!(
            mark_of_text("lint.py", b"def check():\n    return 'generated; do not edit' in text\n"),
            None
        );
        assert_eq!(mark_of_text("a.js", &[b'x'; 9_000]), Some(Mark::Minified));
    }
}
