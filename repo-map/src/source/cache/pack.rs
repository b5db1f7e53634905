//! One packed file for each kind of value: what is known of each file of a repository.
//!
//! What is known of a file holds for its content: for the digest of its bytes. A file whose stamp
//! is the one of last time is taken to have the content of last time, unless it was changed so
//! shortly before that a later change could have the same stamp (git calls such files racily clean,
//! and reads them again). Packs are written beside their place and renamed into it, so that a
//! reader sees the old one or the new one; of two writers the last one wins. A pack of another
//! version, or one that does not have the checksum it says, is none.

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

/// Changed with every change of what is kept, or of how it is found out: in bag, words, survey, the
/// marks of scan, graph, history, mask, guard, parse, outline, and the sizes of render.
const SCHEMA: u32 = 6;
/// A file that was changed less than this before it was read may change again without a new stamp:
/// some file systems count in steps of two seconds.
const RACY: Duration = Duration::from_secs(3);
/// What a pack begins with; a checksum and the place of its index end it.
const MAGIC: &[u8; 8] = b"rmcache1";
const DIGEST_BYTES: usize = 32;

/// What a pack is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackKind {
    /// The name of the file.
    pub(crate) name: &'static str,
    /// The most it holds, in bytes; what does not fit is left out.
    pub(crate) most: usize,
    /// The pack is written when one entry in so many is new: to write a large one for few costs
    /// more than finding those few out again.
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
    /// The pack as it lies on disk.
    bytes: Arc<Vec<u8>>,
    entries: BTreeMap<String, PackEntry>,
    /// How many entries are not on disk.
    n_new: usize,
    /// How many times the pack was written.
    age: u32,
    /// When it was read: what changed shortly before may change again unseen.
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
    /// The age of the pack when the entry was last asked for.
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

/// How an entry is listed on disk. The values stand one after the other: all that is ever read of a
/// pack is no larger than it.
#[derive(Serialize, Deserialize)]
struct PackListing<'a> {
    path: &'a str,
    stamp: Option<Stamp>,
    digest: [u8; DIGEST_BYTES],
    used: u32,
    len: u64,
}

impl Pack {
    /// The pack of that kind for the repository at `root`; an empty one, never to be written,
    /// without a cache. `about` is all that its values depend on besides the files.
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

    /// Whether what is put here can be found again by a later run.
    pub(crate) fn is_kept(&self) -> bool {
        self.place.is_some()
    }

    fn load(&mut self, bytes: Vec<u8>) {
        if let Some((age, entries)) = listed(&bytes, &self.version) {
            (self.age, self.entries, self.bytes) = (age, entries, Arc::new(bytes));
        }
    }

    /// The content of a file that has not changed since it was last read.
    pub(crate) fn unchanged(&self, path: &str, stamp: Option<Stamp>) -> Option<blake3::Hash> {
        let entry =
            self.entries.get(path).filter(|entry| entry.stamp.is_some() && entry.stamp == stamp)?;
        Some(blake3::Hash::from_bytes(entry.digest))
    }

    /// What is known of a file with this content.
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

    /// Keeps what was found out of a file with this content.
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

    /// Says that a file with another stamp has the content it had, or that an entry was of use.
    pub(crate) fn touch(&mut self, path: &str, stamp: Option<Stamp>) {
        let (stamp, age) = (self.trusted(stamp), self.age);
        if let Some(entry) = self.entries.get_mut(path) {
            self.n_new += usize::from(entry.stamp != stamp && stamp.is_some());
            (entry.stamp, entry.used) = (stamp, age);
        }
    }

    fn trusted(&self, stamp: Option<Stamp>) -> Option<Stamp> {
        stamp
            .filter(|stamp| self.opened.duration_since(stamp.changed()).is_ok_and(|age| age > RACY))
    }

    /// Writes the pack if enough of it is new. `is_wanted` says which paths there are.
    pub(crate) fn save(&mut self, is_wanted: impl Fn(&str) -> bool) {
        if self.n_new == 0 || self.n_new < self.entries.len() / self.kind.one_in {
            return;
        }
        let Some(place) = &self.place else { return };
        let kept = self.kept(&is_wanted);
        // What was evicted or could not be written is found out again; that is all a cache may
        // cost.
        if self.write(place, &kept).is_ok() {
            self.n_new = 0;
            let _ = place.cache.make_room(&place.folder);
        }
    }

    /// The entries that fit: first those written or asked for last. Paths that are gone stay while
    /// they are few, for a branch may bring them back.
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

/// The age and the entries of a pack; `None` when it is of another version, or not whole.
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
