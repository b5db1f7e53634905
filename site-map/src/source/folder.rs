//! A folder of HTML files: a manual that was downloaded, or the output of a documentation tool.

#![expect(clippy::disallowed_methods, reason = "the rim: reads a folder")]

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use url::Url;

use crate::error::{Error, Result};
use crate::source::response::Response;

/// What a path of an address cannot have, and `%` itself.
const NOT_IN_A_PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`');

/// How much of a file is looked at to tell whether it is text, in bytes.
const LOOKED_AT: usize = 8 << 10;
/// The largest share of control characters in a text, in percent.
const MAX_CONTROLS: usize = 2;
/// The start of a folder's addresses. They are relative to the folder, so that a site is the same
/// wherever it lies.
pub const FOLDER_ADDRESS: &str = "file:///";

/// Returns the path that an argument `file://PATH` names; `None` for any other. A path that is not
/// there as it stands may have percent-encoding, as browsers write it.
pub fn path_of(argument: &str) -> Option<PathBuf> {
    let path = PathBuf::from(argument.strip_prefix("file://")?);
    let decoded = || Url::parse(argument).ok()?.to_file_path().ok();
    Some(if path.exists() { path } else { decoded().unwrap_or(path) })
}

/// Lists the HTML files below a folder, sorted by path.
///
/// # Errors
/// If the folder or one below it cannot be read.
pub fn html_files(root: &Path) -> Result<Vec<PathBuf>> {
    // The error of a walk has the path in its words; that of the folder itself has none.
    fs::metadata(root).map_err(|source| Error::Io { path: root.to_owned(), source })?;
    let mut files = Vec::new();
    for entry in WalkBuilder::new(root).standard_filters(false).build() {
        let entry = entry.map_err(|error| Error::Io {
            path: root.to_owned(),
            source: error.into_io_error().unwrap_or_else(|| ErrorKind::Other.into()),
        })?;
        // A link to a page is that page. A link to a folder or to another file may lead anywhere.
        let is_page =
            || entry.path().canonicalize().is_ok_and(|page| page.is_file() && is_html(&page));
        let is_file = entry.file_type().is_some_and(|kind| {
            kind.is_file() || kind.is_symlink() && is_html(entry.path()) && is_page()
        });
        if is_file && is_html(entry.path()) {
            files.push(entry.into_path());
        }
    }
    files.sort();
    Ok(files)
}

/// Reports whether the name of a file is that of a page.
pub fn is_html(file: &Path) -> bool {
    let extension = file.extension().and_then(|one| one.to_str()).unwrap_or_default();
    matches!(extension.to_ascii_lowercase().as_str(), "html" | "htm" | "xhtml")
}

/// Reports whether the content of a file is text: without zeros at its beginning, unless it is
/// marked as UTF-16, and with hardly any control characters.
pub fn is_text(content: &[u8]) -> bool {
    let start = &content[..content.len().min(LOOKED_AT)];
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let n_controls = start.iter().filter(is_control).count();
    let is_utf_16 = content.starts_with(&[0xFE, 0xFF]) || content.starts_with(&[0xFF, 0xFE]);
    is_utf_16 || !start.contains(&0) && 100 * n_controls <= MAX_CONTROLS * start.len()
}

/// Lists the files that a site is made of: the HTML files of a folder, or a recording.
///
/// # Errors
/// As [`html_files`].
pub fn files_of_site(place: &Path) -> Result<Vec<PathBuf>> {
    if place.is_file() { Ok(vec![place.to_owned()]) } else { html_files(place) }
}

/// Returns the address of a file by its path below the folder.
///
/// # Errors
/// If the path has no address.
pub fn address_of(below: &Path) -> Result<Url> {
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy());
    let parts: Vec<String> =
        parts.map(|part| utf8_percent_encode(&part, NOT_IN_A_PATH).to_string()).collect();
    let text = format!("{FOLDER_ADDRESS}{}", parts.join("/"));
    Url::parse(&text).map_err(|error| Error::address(&text, error.to_string()))
}

/// Reads one file of a folder as a response.
///
/// # Errors
/// If the file cannot be read, or does not lie in the folder.
pub fn read(root: &Path, file: &Path) -> Result<Response> {
    let io = |source| Error::Io { path: file.to_owned(), source };
    let below = file.strip_prefix(root).map_err(|_| io(ErrorKind::InvalidInput.into()))?;
    let address = address_of(below)?;
    let body = fs::read(file).map_err(io)?;
    let is_xhtml = file.extension().is_some_and(|one| one.eq_ignore_ascii_case("xhtml"));
    let kind = if is_xhtml { "application/xhtml+xml" } else { "text/html" };
    let headers = vec![("content-type".to_owned(), kind.to_owned())];
    Ok(Response { address, status: 200, headers, body })
}
