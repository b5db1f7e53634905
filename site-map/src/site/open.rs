//! Sites from a folder or a recording.

use std::path::Path;

use repo_map::{Progress, ProgressSink, SiteFacts, Stage};
use url::Url;

use crate::address::{Scope, is_same_origin, page_address};
use crate::error::{Error, Result};
use crate::site::answers::AnswersDigest;
use crate::site::assemble::Site;
use crate::source::folder::{self, FOLDER_ADDRESS};
use crate::source::recording::Recording;
use crate::source::response::{Response, robots_among};

/// Makes a site of the HTML files of a folder.
///
/// # Errors
/// If the folder or a file cannot be read, or there is no page.
pub fn folder(root: &Path) -> Result<Site> {
    folder_watched(root, None)
}

/// Does the same, and tells how many files were read.
///
/// # Errors
/// As [`folder()`].
pub fn folder_watched(root: &Path, watcher: Option<&ProgressSink>) -> Result<Site> {
    let start = page_address(FOLDER_ADDRESS)?;
    let files = folder::html_files(root)?;
    if files.is_empty() {
        let message = "has no HTML file (`.html`, `.htm`, `.xhtml`)".to_owned();
        return Err(Error::NoPages { place: root.display().to_string(), message });
    }
    let responses = files.iter().map(|file| folder::read(root, file));
    let responses = counted(responses, files.len(), watcher);
    let other_names = folder::other_names(root, &files)?.into_iter().map(Ok);
    let site = Site::of(&Scope::of(&start, None), responses.chain(other_names));
    site.map_err(|error| match error {
        Error::NoPages { message, .. } => {
            Error::NoPages { place: root.display().to_string(), message }
        }
        other => other,
    })
}

/// Makes a site of a recording. Pages are named by their paths below the folder that all of them
/// share.
///
/// # Errors
/// If the recording cannot be read, or has no page.
pub fn recording(recording: &Recording, name: &str) -> Result<Site> {
    recording_watched(recording, name, None)
}

/// Does the same, and tells how many responses were read.
///
/// # Errors
/// As [`recording()`].
pub fn recording_watched(
    recording: &Recording,
    name: &str,
    watcher: Option<&ProgressSink>,
) -> Result<Site> {
    let responses = counted(recording.responses(), recording.len(), watcher);
    Site::of(&scope_of(recording, name)?, responses)
}

/// Tells of each response that was read.
fn counted<T>(
    responses: impl Iterator<Item = T>,
    n: usize,
    watcher: Option<&ProgressSink>,
) -> impl Iterator<Item = T> {
    let tell = move |done: usize| {
        if let Some(watcher) = watcher {
            watcher.report(Progress { stage: Stage::Read, done, known: 0, of: Some(n) });
        }
    };
    responses.enumerate().map(move |(at, response)| {
        tell(at + 1);
        response
    })
}

/// Returns the address and the digest of a recording, as a flown plan keeps them.
///
/// # Errors
/// If the recording cannot be read, or has no page.
pub fn facts(recording: &Recording, name: &str) -> Result<Option<SiteFacts>> {
    let scope = scope_of(recording, name)?;
    let mut answers = AnswersDigest::default();
    for response in recording.responses() {
        answers.add(&[response?]);
    }
    Ok(answers.facts(&scope))
}

/// Returns the scope of a recording: the folder that all its pages share.
///
/// # Errors
/// If it has no page.
pub fn scope_of(recording: &Recording, name: &str) -> Result<Scope> {
    let pages = recording.in_order();
    let start = pages.first().cloned();
    shared_scope(pages, start, name)
}

/// Makes a site of responses that a server just gave. Its names are those of a recording of them,
/// so that a plan holds for both.
///
/// # Errors
/// If none is a page.
pub fn responses(responses: Vec<Response>, name: &str) -> Result<Site> {
    let addresses = responses.iter().map(|one| &one.address);
    let answer = |address: &Url| responses.iter().find(|one| one.address == *address).cloned();
    let robots = robots_among(addresses.clone(), answer);
    let pages: Vec<Url> = addresses.filter(|one| !robots.contains(one)).cloned().collect();
    let start = pages.first().cloned();
    let scope = shared_scope(pages, start, name)?;
    Site::of(&scope, responses.into_iter().map(Ok))
}

/// Returns the folder that all pages share, with the address that the reading began with.
fn shared_scope(mut pages: Vec<Url>, start: Option<Url>, name: &str) -> Result<Scope> {
    pages.sort();
    let Some(first) = pages.first() else {
        let message = "has no page".to_owned();
        return Err(Error::NoPages { place: name.to_owned(), message });
    };
    let folder =
        pages.iter().fold(Scope::of(first, None).prefix().to_owned(), |folder, address| {
            shared_folder(&folder, address.path())
        });
    let start = start.filter(|start| is_same_origin(start, first));
    Ok(Scope::of(start.as_ref().unwrap_or(first), Some(&folder)))
}

/// Returns the folder that two paths share.
fn shared_folder(one: &str, other: &str) -> String {
    let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let end = one.as_bytes()[..same].iter().rposition(|byte| *byte == b'/');
    one[..end.map_or(0, |end| end + 1)].to_owned()
}
