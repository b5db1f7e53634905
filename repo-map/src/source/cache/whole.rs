//! A value made of many files together, in the cache of the folder or the file that holds them.
//!
//! It is valid while each of the files has the path and the stamp of the time when it was made. A
//! file that changed shortly before could change again without a new stamp: then nothing is kept.

use std::path::{Path, PathBuf};

use crate::source::cache::pack::{ANY, Pack, PackKind};
use crate::source::cache::store::{Cache, PAGES};
use crate::source::scan::Stamp;

/// The pack of such a value.
const WHOLE: PackKind = PackKind { name: PAGES, most: 512 << 20, one_in: ANY };
/// The name of the only entry.
const ALL: &str = "all";

/// A value made of many files together, in the cache.
#[derive(Debug)]
pub struct WholeValue {
    pack: Pack,
    /// The digest of all paths and stamps; `None` if a stamp cannot be trusted.
    digest: Option<blake3::Hash>,
}

impl WholeValue {
    /// Looks for the value that was made of these files. They lie in the folder `root`, or are that
    /// file itself. `about` is everything else that the value depends on.
    ///
    /// Call it before the files are read: a change meanwhile is then found by the next run.
    pub fn open(cache: &Cache, root: &Path, files: &[PathBuf], about: &[u8]) -> WholeValue {
        let pack = Pack::open(Some(cache), root, WHOLE, about);
        let mut all = blake3::Hasher::new();
        let mut is_trusted = true;
        for file in files {
            let name = file.strip_prefix(root).unwrap_or(file).as_os_str().as_encoded_bytes();
            let stamp = pack.trusted(Stamp::of_path(file));
            is_trusted &= stamp.is_some();
            all.update(&name.len().to_le_bytes()).update(name);
            all.update(&postcard::to_stdvec(&stamp).unwrap_or_default());
        }
        WholeValue { pack, digest: is_trusted.then(|| all.finalize()) }
    }

    /// Returns the value, if it is kept and none of the files has changed.
    pub fn get(&self) -> Option<&[u8]> {
        self.pack.get(ALL, self.digest.as_ref()?)
    }

    /// Keeps a value for later runs, in place of the one before.
    pub fn keep(mut self, value: Vec<u8>) {
        let Some(digest) = self.digest.filter(|_| value.len() <= WHOLE.most) else { return };
        self.pack.put(ALL, None, digest, value);
        self.pack.save(|_| true);
    }
}
