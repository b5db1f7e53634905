//! The result of a walk: files in map order, their marks, and problems.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::source::location::Location;
use crate::source::scan::file_id::{FileId, Stamp};
use crate::text::cut::cut;
use crate::text::sanitize;

/// The options of a walk.
#[derive(Debug, Clone, Default)]
pub struct ScanOptions {
    /// Include hidden files and folders (never `.git`).
    pub hidden: bool,
    /// Include files that ignore rules hide.
    pub no_ignore: bool,
    /// Paths that are not part of the repository: the run's own outputs, the plan. In map notation,
    /// relative to the root.
    pub ignored: Vec<String>,
    /// Paths that rules from outside the tree hid when the plan was flown. With `None` the rules of
    /// this machine apply.
    pub outside: Option<Vec<String>>,
    /// A file that is never part of the repository: the target of standard output.
    pub own: Option<FileId>,
}

/// The files of a repository, sorted. Their contents are not read yet.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// The root folder; `None` for documents in memory.
    pub root: Option<PathBuf>,
    /// Every file, in the order of the map.
    pub files: Vec<FileEntry>,
    /// Paths hidden by rules from outside the tree: the largest folders and single files, a folder
    /// with a slash at its end.
    pub outside: Vec<String>,
    /// Folders and files that the walk could not enter.
    pub problems: Vec<Problem>,
    /// The paths of [`ScanOptions::own`] within the tree.
    pub own: Vec<String>,
    /// The site that its pages come from; `None` if no server was asked for them.
    pub site: Option<SiteFacts>,
    /// The globs that exclude pages of the site which were not read.
    pub excluding_unread: Vec<String>,
    /// What a map says of pages beside their text.
    pub pages: PageFacts,
}

impl Tree {
    /// Returns the title that stands beside a path where a map shows the path alone.
    pub(crate) fn title(&self, path: &str) -> Option<&str> {
        self.pages.titles.get(path).map(String::as_str)
    }

    /// Reports whether a path is that of the page that the site begins with.
    pub(crate) fn is_start(&self, path: &str) -> bool {
        self.pages.start.as_deref() == Some(path)
    }
}

/// What a map says of the pages of a site beside their text. Paths are in map notation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields that a run writes")]
pub struct PageFacts {
    /// The page that the site begins with: without a goal it comes first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The titles that stand beside paths which say nothing of them, by path.
    #[serde(
        default,
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "sanitize::named_lines"
    )]
    pub titles: BTreeMap<String, String>,
}

impl PageFacts {
    /// Reports whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        *self == PageFacts::default()
    }
}

/// The site that pages come from, as a flown plan keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields that a run writes")]
pub struct SiteFacts {
    /// The address below which the names of the pages lie.
    #[serde(deserialize_with = "sanitize::line")]
    pub address: String,
    /// BLAKE3 of the recorded answers, decoded.
    pub recording: String,
    /// The pages that are only known from links.
    #[serde(default, skip_serializing_if = "UnreadPages::is_empty")]
    pub unread: UnreadPages,
}

/// Pages that links lead to and that were not read: a map says so, and cannot show them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "fields that a run writes")]
pub struct UnreadPages {
    /// Their number.
    pub pages: usize,
    /// The names of those that most links lead to.
    #[serde(deserialize_with = "sanitize::lines")]
    pub named: Vec<String>,
}

impl UnreadPages {
    /// The largest number of pages that are named.
    const MAX_NAMED: usize = 12;
    /// The longest name, in characters.
    const MAX_NAME: usize = 80;

    /// Takes the names of all of them, those that most links lead to first.
    pub fn of(names: impl Iterator<Item = String>) -> UnreadPages {
        let mut unread = UnreadPages::default();
        for name in names {
            unread.pages += 1;
            if unread.named.len() < UnreadPages::MAX_NAMED {
                unread.named.push(cut(&name, UnreadPages::MAX_NAME).into_owned());
            }
        }
        unread
    }

    /// Reports whether there is none.
    pub fn is_empty(&self) -> bool {
        self.pages == 0
    }
}

/// One file of the tree.
#[derive(Debug, Clone)]
pub struct FileEntry {
    /// The path from the root with `/` between its parts, in map notation (see
    /// [`notation`](super::notation())).
    pub path: String,
    /// The location of its bytes.
    pub location: Location,
    /// The size on disk in bytes.
    pub bytes: u64,
    /// A symbolic link: listed, never followed.
    pub is_link: bool,
    /// The path from the root that a link names, if it is one below the root.
    pub(crate) leads_to: Option<String>,
    pub(crate) id: Option<FileId>,
    pub(crate) stamp: Option<Stamp>,
}

impl FileEntry {
    /// Reports whether the file is a page of a site.
    pub(crate) fn is_page(&self) -> bool {
        matches!(self.location, Location::Page(_))
    }
}

/// A file or folder that could not be read. A problem never ends a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path, if it is known.
    pub path: String,
    /// The error message.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// The reason why a file is kept at level path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Mark {
    /// Not text.
    Binary,
    /// Written by a program: marked as such near its top, or a lock file.
    Generated,
    /// Very long lines, as in minified code.
    Minified,
    /// Larger than [`MAX_FILE_BYTES`](super::MAX_FILE_BYTES).
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

    /// Returns the name in maps, plans and reports.
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

    /// Reports whether the file has text that a rule may show.
    pub(crate) fn has_text(self) -> bool {
        match self {
            Mark::Generated | Mark::Minified => true,
            Mark::Binary | Mark::Oversized | Mark::Link | Mark::Unreadable => false,
        }
    }
}

/// The result of reading a file.
#[derive(Debug, Clone)]
pub struct Source {
    /// The sanitized text: UTF-8, `\n` line breaks, no control characters. Empty if the mark
    /// excludes text.
    pub text: String,
    /// The BLAKE3 digest of the bytes on disk.
    pub digest: blake3::Hash,
    /// The reason why the file is kept at level path, if there is one.
    pub mark: Option<Mark>,
    /// The number of secrets masked.
    pub n_masked: u32,
    /// The number of invisible characters escaped.
    pub n_invisible: u32,
    /// The text is a page of a site: Markdown, whatever the name says.
    pub is_page: bool,
}

impl Source {
    /// Returns the source of a file without text.
    pub(super) fn without_text(digest: blake3::Hash, mark: Mark) -> Source {
        Source {
            text: String::new(),
            digest,
            mark: Some(mark),
            n_masked: 0,
            n_invisible: 0,
            is_page: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_says_of_pages_passes_the_gate() {
        let pages = r#"{"titles": {"a.md": "\u001b]0;x\u0007", "b.md": "Two\nlines"}}"#;
        let pages: PageFacts = serde_json::from_str(pages).unwrap();
        assert_eq!(pages.titles["a.md"], "\\u{1b}]0;x\\u{7}");
        assert_eq!(pages.titles["b.md"], "Two\\u{a}lines");
        let site = r#"{"address": "http://a/\u001b", "recording": "",
                       "unread": {"pages": 1, "named": ["\u202e"]}}"#;
        let site: SiteFacts = serde_json::from_str(site).unwrap();
        assert_eq!(
            (&site.address[..], &site.unread.named[0][..]),
            ("http://a/\\u{1b}", "\\u{202e}")
        );
    }
}
