//! A folder of HTML files: a manual that was downloaded, or the output of a documentation tool.
//!
//! Some are compressed (`page.html.gz`), and mirrors leave pages without an extension, or with that
//! of the program that made them (`page.php?id=3`).

#![expect(clippy::disallowed_methods, reason = "the rim: reads a folder")]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use url::Url;

use crate::address::{FOLDER_PAGE, page_address};
use crate::error::{Error, Result};
use crate::source::content_encoding::MAX_BODY;
use crate::source::response::Response;
use crate::source::sniff::{LOOKED_AT_FOR_HTML, begins_as_html};

/// What a path of an address cannot have, and `%` itself.
const NOT_IN_A_PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`');

/// How much of a file is looked at to tell whether it is text, in bytes.
const LOOKED_AT: usize = 8 << 10;
/// The largest share of control characters in a text, in percent.
const MAX_CONTROLS: usize = 2;
/// How the names of pages end.
const PAGES: [&str; 3] = ["htm", "html", "xhtml"];
/// How the names of programs end whose output mirrors keep by their names.
const PROGRAMS: [&str; 14] = [
    "asp", "aspx", "cfm", "cgi", "do", "jsp", "jspx", "php", "php3", "php4", "php5", "phtml", "pl",
    "shtml",
];
/// How the name of a compressed page ends.
const GZIP: &str = "gz";
/// What stands before a query in the name of a file that a mirror wrote; the second one where names
/// cannot have the first.
const QUERY_MARKS: [char; 2] = ['?', '@'];
/// The status of a page that lies under another name.
const MOVED: u16 = 301;
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

/// Lists the HTML files below a folder, sorted by path; hidden ones are no pages of it.
///
/// # Errors
/// If the folder or one below it cannot be read.
pub fn html_files(root: &Path) -> Result<Vec<PathBuf>> {
    // The error of a walk has the path in its words; that of the folder itself has none.
    let whole =
        fs::canonicalize(root).map_err(|source| Error::Io { path: root.to_owned(), source })?;
    let mut files = Vec::new();
    for entry in WalkBuilder::new(root).standard_filters(false).hidden(true).build() {
        let entry = entry.map_err(|error| Error::Io {
            path: root.to_owned(),
            source: error.into_io_error().unwrap_or_else(|| ErrorKind::Other.into()),
        })?;
        // A link to a page of the folder is that page. Other links may lead anywhere: the folder
        // may be of a stranger.
        let is_page = || {
            let page = entry.path().canonicalize();
            page.is_ok_and(|page| page.is_file() && is_html(&page) && page.starts_with(&whole))
        };
        let is_of_site = entry.file_type().is_some_and(|kind| match is_html(entry.path()) {
            true => kind.is_file() || kind.is_symlink() && is_page(),
            false => kind.is_file() && may_be_html(entry.path()) && is_sniffed(entry.path()),
        });
        if is_of_site {
            files.push(entry.into_path());
        }
    }
    files.sort();
    Ok(files)
}

/// Reports whether the name of a file is that of a page, compressed or not.
pub fn is_html(file: &Path) -> bool {
    PAGES.contains(&extension(file).as_str())
}

/// Reports whether the name of a file leaves open what it is: it has no extension, a number for
/// one, or that of a program.
fn may_be_html(file: &Path) -> bool {
    let extension = extension(file);
    let is_number = extension.bytes().all(|byte| byte.is_ascii_digit());
    !is_compressed(file) && (is_number || PROGRAMS.contains(&extension.as_str()))
}

/// Returns the extension of a name in lower case, without that of a compression, and without a
/// query.
fn extension(file: &Path) -> String {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let name = split_query(name).map_or(name, |(name, _)| name);
    let path = Path::new(name);
    let path =
        if is_compressed(path) { Path::new(path.file_stem().unwrap_or_default()) } else { path };
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    extension.to_ascii_lowercase()
}

fn is_compressed(file: &Path) -> bool {
    file.extension().is_some_and(|one| one.eq_ignore_ascii_case(GZIP))
}

/// Splits a name that a mirror made of an address with a query. Other names may have an `@`.
fn split_query(name: &str) -> Option<(&str, &str)> {
    let [sure, perhaps] = QUERY_MARKS;
    let has_value = |(_, query): &(&str, &str)| query.contains('=');
    name.split_once(sure).or_else(|| name.split_once(perhaps).filter(has_value))
}

/// Reports whether the content of a file begins as HTML does. One that cannot be read does not.
fn is_sniffed(file: &Path) -> bool {
    let start = File::open(file).and_then(|file| {
        let mut start = Vec::new();
        file.take(LOOKED_AT_FOR_HTML).read_to_end(&mut start)?;
        Ok(start)
    });
    start.is_ok_and(|start| begins_as_html(&start))
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

/// Returns the file that an address stands for, by the path that it names and its query: one with
/// the query in its name, the path itself, or the page of the folder; compressed or not.
pub fn file_for(path: &Path, query: Option<&str>) -> Option<PathBuf> {
    let with = |end: &str| {
        let mut name = OsString::from(path);
        name.push(end);
        PathBuf::from(name)
    };
    let queried = query.map(|query| QUERY_MARKS.map(|mark| with(&format!("{mark}{query}"))));
    let mut files: Vec<PathBuf> = queried.into_iter().flatten().collect();
    let compressed = |page: &str| format!("{page}.{GZIP}");
    files.extend([path.to_owned(), with(&compressed(""))]);
    files.extend([path.join(FOLDER_PAGE), path.join(compressed(FOLDER_PAGE))]);
    files.into_iter().find(|file| file.is_file())
}

/// Returns the addresses that links have for files of a folder which lie under other names: of a
/// compressed page without its ending, of a page with a query as the server had it. Each is a
/// redirect to the page.
///
/// # Errors
/// If a path has no address.
pub(crate) fn other_names(root: &Path, files: &[PathBuf]) -> Result<Vec<Response>> {
    let mut redirects: BTreeMap<Url, Response> = BTreeMap::new();
    for file in files {
        let Ok(below) = file.strip_prefix(root) else { continue };
        let target = address_of(below)?;
        for address in linked_as(below)? {
            let headers = vec![("location".to_owned(), target.to_string())];
            let redirect =
                Response { address: address.clone(), status: MOVED, headers, body: Vec::new() };
            redirects.entry(address).or_insert(redirect);
        }
    }
    for file in files {
        if let Ok(below) = file.strip_prefix(root) {
            redirects.remove(&address_of(below)?);
        }
    }
    Ok(redirects.into_values().collect())
}

/// Returns the addresses that links to a file have, beside its own.
fn linked_as(below: &Path) -> Result<Vec<Url>> {
    let mut addresses = Vec::new();
    if is_compressed(below) {
        addresses.push(address_of(&below.with_extension(""))?);
    }
    let name = below.file_name().and_then(OsStr::to_str).unwrap_or_default();
    if let Some((page, query)) = split_query(name) {
        let mut address = address_of(&below.with_file_name(page))?;
        address.set_query(Some(query));
        // Links have the one spelling of an address.
        addresses.push(page_address(address.as_str())?);
    }
    Ok(addresses)
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

/// Reads one file of a folder as a response. A compressed page is decoded; see
/// [`Response::damaged_encoding`]. So is a file that is larger than the body of any answer.
///
/// # Errors
/// If the file cannot be read, or does not lie in the folder.
pub fn read(root: &Path, file: &Path) -> Result<Response> {
    let io = |source| Error::Io { path: file.to_owned(), source };
    let below = file.strip_prefix(root).map_err(|_| io(ErrorKind::InvalidInput.into()))?;
    let address = address_of(below)?;
    let mut body = Vec::new();
    let file_of = File::open(file).map_err(io)?;
    file_of.take(MAX_BODY as u64 + 1).read_to_end(&mut body).map_err(io)?;
    let is_xhtml = extension(file) == "xhtml";
    let kind = if is_xhtml { "application/xhtml+xml" } else { "text/html" };
    let headers = vec![("content-type".to_owned(), kind.to_owned())];
    let response = Response { address, status: 200, headers, body };
    Ok(response.decoded(if is_compressed(file) && is_html(file) { "gzip" } else { "identity" }))
}
