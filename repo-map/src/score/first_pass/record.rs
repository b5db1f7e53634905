//! The goal-independent facts of a file, as the cache stores them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

use crate::score::bag_of_words::Counter;
use crate::score::first_pass::imports::imports;
use crate::score::first_pass::packages::package;
use crate::source::cache::PackKind;
use crate::source::scan::{self, FileEntry, Mark};
use crate::text::mask;

/// The goal-independent facts of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record<'a> {
    pub(super) mark: Option<Mark>,
    /// The file's imports as written, one a line.
    #[serde(borrow)]
    pub(super) imports: Cow<'a, str>,
    /// The name of the package that the file says it is of, or nothing.
    #[serde(borrow)]
    pub(super) package: Cow<'a, str>,
    /// The number of words, and the words as a packed bag.
    pub(super) n_words: u32,
    #[serde(borrow, serialize_with = "as_bytes")]
    pub(super) bag: Cow<'a, [u8]>,
}

/// Serializes as one byte string; a list would be serialized byte by byte.
fn as_bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

impl Record<'_> {
    pub(super) fn of(
        file: &FileEntry,
        bytes: &[u8],
        counter: Option<&mut Counter>,
    ) -> Record<'static> {
        let mark = scan::mark_of(file, bytes);
        if mark.is_some_and(|mark| !mark.has_text()) {
            return Record { mark, ..Record::default() };
        }
        let count = |counter: &mut Counter| match file.is_page() {
            true => counter.count_prose(bytes),
            false => counter.count(bytes),
        };
        let (bag, n_words) = counter.map(count).unwrap_or_default();
        Record {
            mark,
            imports: masked(&imports(&file.path, bytes).join("\n")),
            package: masked(&package(&file.path, bytes).unwrap_or_default()),
            n_words,
            bag: Cow::Owned(bag),
        }
    }
}

fn masked(text: &str) -> Cow<'static, str> {
    Cow::Owned(mask::mask(text).0.into_owned())
}

/// The pack of the records.
pub(crate) const WORDS: PackKind = PackKind { name: "words", most: 512 << 20, one_in: 100 };
