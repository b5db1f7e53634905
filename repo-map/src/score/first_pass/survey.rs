//! Stage one: the facts of every file, from known records and from the bytes of the other files.
//! Nothing is parsed.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::score::bag_of_words::Counter;
use crate::score::first_pass::facts::FileFacts;
use crate::score::first_pass::phrases::Wanted;
use crate::score::first_pass::record::{Record, WORDS};
use crate::score::goal::Goal;
use crate::score::role::Role;
use crate::source::cache::Pack;
use crate::source::progress::{CancelToken, ProgressCount, ProgressSink, Stage};
use crate::source::scan::{self, FileEntry, Tree};
use crate::source::shared_pack::SharedPack;

/// Looks up the goal in every file, in parallel; returns the facts in the order of the tree. A file
/// is read when its record is not in the pack, or to search for a phrase whose words all occur in
/// it. The result of a cancelled survey must not be used.
pub(crate) fn survey(
    tree: &Tree,
    goal: &Goal,
    pack: &SharedPack,
    watcher: Option<&ProgressSink>,
    cancelled: &CancelToken,
) -> Vec<FileFacts> {
    let wanted = Wanted::of(goal, tree);
    let known = pack.now();
    // Skip counting words that neither the goal nor the cache needs.
    let with_words = known.is_kept() || !wanted.words.is_empty();
    let n_bytes = AtomicUsize::new(0);
    let count = ProgressCount::new(watcher, Stage::Read, Some(tree.files.len()));
    let one = |counter: &mut Counter, file: &FileEntry| {
        if cancelled.is_cancelled() {
            return (FileFacts::default(), News::None);
        }
        let (mut facts, news) = survey_file(file, &wanted, &known, with_words.then_some(counter));
        if !matches!(facts.role, Some(Role::Test | Role::Example)) {
            facts.names_types = Vec::new();
        }
        count.one(
            matches!(news, News::None) && known.is_kept() && scan::mark_of_entry(file).is_none(),
        );
        match news {
            // The pack is full; the facts of this file are computed again next time.
            News::Record(_, record)
                if WORDS.most < n_bytes.fetch_add(record.len(), Ordering::Relaxed) =>
            {
                (facts, News::None)
            }
            news => (facts, news),
        }
    };
    let surveyed: Vec<(FileFacts, News)> =
        tree.files.par_iter().map_init(Counter::default, one).collect();
    drop(known);
    let mut facts = Vec::with_capacity(surveyed.len());
    pack.change(|pack| {
        for (file, (of_file, news)) in tree.files.iter().zip(surveyed) {
            match news {
                News::None => {}
                News::Stamp => pack.touch(&file.path, file.stamp),
                News::Record(digest, record) => pack.put(&file.path, file.stamp, digest, record),
            }
            facts.push(of_file);
        }
    });
    facts
}

/// Returns the facts that paths alone give, without reading a file.
pub(crate) fn from_above(tree: &Tree) -> Vec<FileFacts> {
    let one = |file: &FileEntry| FileFacts {
        role: Some(Role::of_file(file)),
        mark: scan::mark_of_entry(file),
        ..FileFacts::default()
    };
    tree.files.iter().map(one).collect()
}

/// The part of a file's facts that the pack does not have yet.
enum News {
    None,
    Stamp,
    Record(blake3::Hash, Vec<u8>),
}

fn survey_file(
    file: &FileEntry,
    wanted: &Wanted,
    pack: &Pack,
    counter: Option<&mut Counter>,
) -> (FileFacts, News) {
    let role = Some(Role::of_file(file));
    if let Some(mark) = scan::mark_of_entry(file) {
        return (FileFacts { role, mark: Some(mark), ..FileFacts::default() }, News::None);
    }
    let known = |digest: &blake3::Hash| {
        postcard::from_bytes::<Record<'_>>(pack.get(&file.path, digest)?).ok()
    };
    if let Some(record) = pack.unchanged(&file.path, file.stamp).and_then(|digest| known(&digest)) {
        return (
            FileFacts { role, ..wanted.look_up(&record, || scan::read_bytes(file).ok()) },
            News::None,
        );
    }
    let bytes = match scan::read_bytes(file) {
        Ok(bytes) => bytes,
        Err(mark) => {
            return (FileFacts { role, mark: Some(mark), ..FileFacts::default() }, News::None);
        }
    };
    let digest = blake3::hash(&bytes);
    if let Some(record) = known(&digest) {
        return (FileFacts { role, ..wanted.look_up(&record, || Some(bytes)) }, News::Stamp);
    }
    let record = Record::of(file, &bytes, counter);
    let news = match pack.is_kept() {
        true => News::Record(digest, postcard::to_stdvec(&record).unwrap_or_default()),
        false => News::None,
    };
    (FileFacts { role, ..wanted.look_up(&record, || Some(bytes)) }, news)
}
