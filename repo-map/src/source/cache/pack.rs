//! Packs: one file in the cache for each kind of value, with an entry for each file of a
//! repository.
//!
//! An entry is valid for a file's content, identified by the digest of its bytes. A file with an
//! unchanged stamp is taken to have unchanged content, unless it was changed so recently that a
//! later change could have the same stamp (git calls such files racily clean, and reads them
//! again). Packs are written to a temporary file and renamed, so that a reader sees the old one or
//! the new one; of two writers the last one wins. A pack of another version, or with a wrong
//! checksum, is ignored.

#![expect(
    clippy::disallowed_methods,
    reason = "the rim: reads and writes the cache, looks at the clock for what is too new"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use std::{fmt, fs};

use serde::{Deserialize, Serialize};

use crate::source::cache::store::{
    Cache, IGNORE_FILE, ROOT_FILE, TAG, TAG_FILE, make, read, remove_left_over, write,
};
use crate::source::scan::Stamp;

/// The version of the packs. Raise it with every change of the stored values or of the code that
/// computes them: bag_of_words, words, first_pass, packages, resolver, graph, history,
/// parse_limits, parse, the rest of outline, lesser, index, and the prices of render. (Rules of
/// masking and of marks have versions of their own.)
const SCHEMA: u32 = 38;
/// A file changed less than this before it was read may change again without a new stamp: some file
/// systems have time stamps in steps of two seconds.
const RACY: Duration = Duration::from_secs(3);
/// The first bytes of a pack. A checksum and the position of its index are the last.
const MAGIC: &[u8; 8] = b"rmcache1";
const DIGEST_BYTES: usize = 32;

/// The properties of a kind of pack.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackKind {
    /// The file name.
    pub(crate) name: &'static str,
    /// The maximum size in bytes; entries that do not fit are left out.
    pub(crate) most: usize,
    /// The pack is written when at least one entry in this number is new: writing a large one for
    /// few new entries costs more than computing those again.
    pub(crate) one_in: usize,
}

/// The [`PackKind::one_in`] of packs that are written for a single new entry.
pub(crate) const ANY: usize = usize::MAX;

/// One kind of value for the files of a repository, by path.
#[derive(Clone)]
pub(crate) struct Pack {
    kind: PackKind,
    place: Option<PackPlace>,
    version: blake3::Hash,
    /// The pack as read from disk.
    bytes: Arc<Vec<u8>>,
    entries: BTreeMap<String, PackEntry>,
    /// The number of entries that are not on disk.
    n_new: usize,
    /// The number of times the pack was written.
    age: u32,
    /// The time it was read: a file changed shortly before may change again with the same stamp.
    opened: SystemTime,
}

#[derive(Clone)]
struct PackPlace {
    cache: Cache,
    root: PathBuf,
    folder: PathBuf,
}

#[derive(Clone)]
struct PackEntry {
    stamp: Option<Stamp>,
    digest: [u8; DIGEST_BYTES],
    /// The age of the pack when the entry was last used.
    used: u32,
    value: PackValue,
}

impl fmt::Debug for Pack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} files", self.kind.name, self.entries.len())
    }
}

#[derive(Clone)]
enum PackValue {
    OnDisk(Range<usize>),
    New(Vec<u8>),
}

/// An entry in the index on disk. The values are stored one after the other, so reading a pack
/// never takes more memory than its size.
#[derive(Serialize, Deserialize)]
struct PackListing<'a> {
    path: &'a str,
    stamp: Option<Stamp>,
    digest: [u8; DIGEST_BYTES],
    used: u32,
    len: u64,
}

impl Pack {
    /// Opens the pack of that kind for the repository at `root`; without a cache returns an empty
    /// one that is never written. `about` is everything that its values depend on besides the
    /// files.
    pub(crate) fn open(cache: Option<&Cache>, root: &Path, kind: PackKind, about: &[u8]) -> Pack {
        let mut version = blake3::Hasher::new();
        version
            .update(env!("CARGO_PKG_VERSION").as_bytes())
            .update(&SCHEMA.to_le_bytes())
            .update(about);
        let place = cache.map(|cache| PackPlace {
            cache: cache.clone(),
            root: root.to_path_buf(),
            folder: cache.of(root),
        });
        let mut pack = Pack {
            kind,
            place,
            version: version.finalize(),
            bytes: Arc::default(),
            entries: BTreeMap::new(),
            n_new: 0,
            age: 0,
            opened: SystemTime::now(),
        };
        if let Some(bytes) = pack
            .place
            .as_ref()
            .and_then(|place| read(&place.folder.join(kind.name), 2 * kind.most).ok())
        {
            pack.load(bytes);
        }
        pack
    }

    /// Reports whether entries are kept for a later run.
    pub(crate) fn is_kept(&self) -> bool {
        self.place.is_some()
    }

    fn load(&mut self, bytes: Vec<u8>) {
        if let Some((age, entries)) = listed(&bytes, &self.version) {
            (self.age, self.entries, self.bytes) = (age, entries, Arc::new(bytes));
        }
    }

    /// Returns the content digest of a file that has not changed since it was last read.
    pub(crate) fn unchanged(&self, path: &str, stamp: Option<Stamp>) -> Option<blake3::Hash> {
        let entry =
            self.entries.get(path).filter(|entry| entry.stamp.is_some() && entry.stamp == stamp)?;
        Some(blake3::Hash::from_bytes(entry.digest))
    }

    /// Returns the value for a file with this content.
    pub(crate) fn get(&self, path: &str, digest: &blake3::Hash) -> Option<&[u8]> {
        let entry = self.entries.get(path).filter(|entry| entry.digest == *digest.as_bytes())?;
        Some(self.value(entry))
    }

    fn value<'a>(&'a self, entry: &'a PackEntry) -> &'a [u8] {
        match &entry.value {
            PackValue::OnDisk(range) => &self.bytes[range.clone()],
            PackValue::New(bytes) => bytes,
        }
    }

    /// Stores the value for a file with this content.
    pub(crate) fn put(
        &mut self,
        path: &str,
        stamp: Option<Stamp>,
        digest: blake3::Hash,
        value: Vec<u8>,
    ) {
        let entry = PackEntry {
            stamp: self.trusted(stamp),
            digest: *digest.as_bytes(),
            used: self.age,
            value: PackValue::New(value),
        };
        self.entries.insert(path.to_owned(), entry);
        self.n_new += 1;
    }

    /// Marks the entry as used, and updates its stamp: the file has the same content under another
    /// stamp.
    pub(crate) fn touch(&mut self, path: &str, stamp: Option<Stamp>) {
        let (stamp, age) = (self.trusted(stamp), self.age);
        if let Some(entry) = self.entries.get_mut(path) {
            self.n_new += usize::from(entry.stamp != stamp && stamp.is_some());
            (entry.stamp, entry.used) = (stamp, age);
        }
    }

    /// Returns the stamp of a file that did not change shortly before the pack was opened.
    pub(super) fn trusted(&self, stamp: Option<Stamp>) -> Option<Stamp> {
        stamp
            .filter(|stamp| self.opened.duration_since(stamp.changed()).is_ok_and(|age| age > RACY))
    }

    /// Writes the pack if enough of it is new. `is_wanted` reports whether a path still exists.
    pub(crate) fn save(&mut self, is_wanted: impl Fn(&str) -> bool) {
        if self.n_new == 0 || self.n_new < self.entries.len() / self.kind.one_in {
            return;
        }
        let Some(place) = &self.place else { return };
        let kept = self.kept(&is_wanted);
        // If a write fails, the next run computes the values again; the cache affects only its
        // time.
        if self.write(place, &kept).is_ok() {
            self.n_new = 0;
            let _ = place.cache.make_room(&place.folder);
        }
    }

    /// Returns the entries that fit, those written or used last first. Entries of removed paths
    /// stay while they are few, because a branch may bring the paths back.
    fn kept(&self, is_wanted: &impl Fn(&str) -> bool) -> BTreeSet<&str> {
        let n_gone = self.entries.keys().filter(|path| !is_wanted(path)).count();
        let with_gone = n_gone * 2 <= self.entries.len();
        let mut order: Vec<(&String, &PackEntry)> =
            self.entries.iter().filter(|(path, _)| with_gone || is_wanted(path)).collect();
        order.sort_by(|a, b| b.1.used.cmp(&a.1.used).then(a.0.cmp(b.0)));
        let mut bytes = 0;
        let fits = order.into_iter().take_while(|(path, entry)| {
            bytes += path.len() + self.value(entry).len() + size_of::<PackEntry>();
            bytes <= self.kind.most
        });
        fits.map(|(path, _)| path.as_str()).collect()
    }

    fn write(&self, place: &PackPlace, kept: &BTreeSet<&str>) -> io::Result<()> {
        let folder = &place.folder;
        make(folder)?;
        remove_left_over(folder);
        if !folder.join(ROOT_FILE).exists() {
            let root = place.root.canonicalize()?;
            write(folder, IGNORE_FILE, |file| file.write_all(b"*\n"))?;
            write(folder, TAG_FILE, |file| file.write_all(TAG.as_bytes()))?;
            write(folder, ROOT_FILE, |file| file.write_all(root.to_string_lossy().as_bytes()))?;
        }
        write(folder, self.kind.name, |file| self.write_to(file, kept))
    }

    fn write_to(&self, file: &mut fs::File, kept: &BTreeSet<&str>) -> io::Result<()> {
        let mut out = Summed { out: BufWriter::new(file), sum: blake3::Hasher::new(), n: 0 };
        out.write(MAGIC)?;
        out.write(self.version.as_bytes())?;
        let mut index = Vec::new();
        for (path, entry) in self.entries.iter().filter(|(path, _)| kept.contains(path.as_str())) {
            let value = self.value(entry);
            out.write(value)?;
            let PackEntry { stamp, digest, used, .. } = *entry;
            index.push(PackListing { path, stamp, digest, used, len: value.len() as u64 });
        }
        let index_at = out.n;
        out.write(
            &postcard::to_stdvec(&(self.age.saturating_add(1), index)).map_err(io::Error::other)?,
        )?;
        out.write(&index_at.to_le_bytes())?;
        let sum = out.sum.finalize();
        out.write(sum.as_bytes())?;
        out.out.flush()
    }
}

struct Summed<'a> {
    out: BufWriter<&'a mut fs::File>,
    sum: blake3::Hasher,
    n: u64,
}

impl Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.n += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// Returns the age and the entries of a pack; `None` when it is of another version or corrupt.
fn listed(bytes: &[u8], version: &blake3::Hash) -> Option<(u32, BTreeMap<String, PackEntry>)> {
    let (summed, sum) = bytes.split_last_chunk::<DIGEST_BYTES>()?;
    let rest = summed.strip_prefix(MAGIC)?.strip_prefix(version.as_bytes())?;
    let (rest, index_at) = rest.split_last_chunk::<8>()?;
    if blake3::hash(summed).as_bytes() != sum {
        return None;
    }
    let end = MAGIC.len() + DIGEST_BYTES + rest.len();
    let index_at = usize::try_from(u64::from_le_bytes(*index_at)).ok()?;
    let (age, index): (u32, Vec<PackListing<'_>>) =
        postcard::from_bytes(bytes.get(index_at..end)?).ok()?;
    let mut at = MAGIC.len() + DIGEST_BYTES;
    let entry = |one: PackListing<'_>| {
        let range = at..at.checked_add(usize::try_from(one.len).ok()?)?;
        at = range.end;
        bytes[..index_at].get(range.clone())?;
        let value = PackValue::OnDisk(range);
        Some((
            one.path.to_owned(),
            PackEntry { stamp: one.stamp, digest: one.digest, used: one.used, value },
        ))
    };
    Some((age, index.into_iter().map(entry).collect::<Option<_>>()?))
}
