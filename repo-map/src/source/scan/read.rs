//! Reads the files of a repository. No other code reads their bytes.

#![expect(clippy::disallowed_methods, reason = "the rim: the reader of repositories")]

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use crate::source::location::Location;
use crate::source::scan::decode::decode;
use crate::source::scan::tree::{FileEntry, Mark, Source};
use crate::text::sanitize::Gate;

/// The maximum size of a file in bytes; a larger one is kept at level path.
pub const MAX_FILE_BYTES: u64 = 2 << 20;
/// The same for a page of a site: the Markdown of any page that is fetched is smaller.
pub(crate) const MAX_PAGE_BYTES: u64 = 32 << 20;

/// Reads a file for the map.
///
/// # Errors
/// Never: a file that cannot be read has the mark [`Mark::Unreadable`].
pub fn read(file: &FileEntry, gate: Gate) -> Source {
    match read_bytes(file) {
        Ok(bytes) => {
            let source = decode(&file.path, &bytes, gate);
            // The rules for generated and minified files are about code.
            let mark = source.mark.filter(|mark| !file.is_page() || *mark == Mark::Binary);
            Source { mark, is_page: file.is_page(), ..source }
        }
        Err(mark) => Source::without_text(blake3::hash(b""), mark),
    }
}

/// Extensions of binary files, which are not opened.
const BINARY_EXTENSIONS: &[&str] = &[
    "7z", "a", "avi", "bin", "bmp", "bz2", "class", "dll", "dylib", "eot", "exe", "gif", "gz",
    "icns", "ico", "jar", "jpeg", "jpg", "mov", "mp3", "mp4", "o", "ogg", "otf", "pdf", "png",
    "pyc", "rlib", "so", "tar", "tgz", "tif", "tiff", "ttf", "wasm", "wav", "webm", "webp", "woff",
    "woff2", "xz", "zip", "zst",
];

/// Returns the mark of a file that is not opened, if it is one.
pub(crate) fn mark_of_entry(file: &FileEntry) -> Option<Mark> {
    if file.is_link {
        return Some(Mark::Link);
    }
    let extension = Path::new(&file.path).extension().and_then(|extension| extension.to_str());
    if !file.is_page() && extension.is_some_and(|extension| BINARY_EXTENSIONS.contains(&extension))
    {
        return Some(Mark::Binary);
    }
    let most = if file.is_page() { MAX_PAGE_BYTES } else { MAX_FILE_BYTES };
    (file.bytes > most).then_some(Mark::Oversized)
}

/// Reads the bytes of a file, unless its kind is never read.
pub(crate) fn read_bytes(file: &FileEntry) -> std::result::Result<Vec<u8>, Mark> {
    if let Some(mark) = mark_of_entry(file) {
        return Err(mark);
    }
    // A file with size zero is treated as empty. Those of `/proc` have this size, and some of them
    // block or never end.
    if file.bytes == 0 && file.id.is_some() {
        return Ok(Vec::new());
    }
    let location = match &file.location {
        Location::Memory(bytes) | Location::Page(bytes) => return Ok(bytes.to_vec()),
        Location::Disk(path) => path,
    };
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(file.bytes as usize + 1);
        // The file may have grown since the walk: one byte more than the limit shows it.
        open(location)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match read() {
        Ok(bytes) if bytes.len() as u64 > MAX_FILE_BYTES => Err(Mark::Oversized),
        Ok(bytes) => Ok(bytes),
        Err(_) => Err(Mark::Unreadable),
    }
}

/// Opens a file only if it is still regular: since the walk a pipe or a link may have taken its
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
