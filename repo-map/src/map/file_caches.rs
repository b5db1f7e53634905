//! The caches of one repository: packs with results of earlier runs.

use std::collections::HashSet;
use std::path::Path;

use crate::outline::languages::Languages;
use crate::render::Style;
use crate::score::index::{self, IndexEntry};
use crate::score::{first_pass, graph};
use crate::source::cache::{self, Cache, Pack, PackKind};
use crate::source::location::DocumentKind;
use crate::source::scan::{self, Tree};
use crate::source::shared_pack::SharedPack;
use crate::text::sanitize::Gate;

/// The pack of the prices of whole files at each level.
const LEVELS: PackKind = PackKind { name: "levels", most: 32 << 20, one_in: cache::ANY };

/// The packs of one repository. Without a cache they are empty and never written.
#[derive(Debug)]
pub(crate) struct FileCaches {
    /// The words of every file.
    pub(crate) words: SharedPack,
    /// The graph of imports.
    pub(crate) imports: SharedPack,
    /// Outlines and prices.
    pub(crate) outlines: SharedPack,
    /// What each file costs at each level, where somebody asked for that.
    pub(crate) levels: SharedPack,
}

impl FileCaches {
    /// Opens the packs of the repository in a folder; the folder is their key in the cache. A
    /// folder can be both a repository and a site, whose values are not the same.
    pub(crate) fn open(
        cache: Option<(&Cache, &Path)>,
        kind: DocumentKind,
        languages: &Languages,
    ) -> FileCaches {
        let (cache, root) =
            cache.map_or((None, Path::new("")), |(cache, root)| (Some(cache), root));
        let about = |rest: &[u8]| match kind {
            DocumentKind::File => rest.to_vec(),
            DocumentKind::Page => [kind.noun().as_bytes(), rest].concat(),
        };
        let open = |kind, about: &[u8]| SharedPack::new(Pack::open(cache, root, kind, about));
        let about_outlines = about(&index::about_outlines(languages));
        FileCaches {
            words: open(first_pass::WORDS, &about(scan::MARK_RULES.as_bytes())),
            imports: open(graph::IMPORTS, &about(&[])),
            outlines: open(index::OUTLINES, &about_outlines),
            levels: open(LEVELS, &about_outlines),
        }
    }

    /// Writes the words alone: after a cancelled run they need not be counted again.
    pub(crate) fn save_words(&self) {
        self.words.change(|words| words.save(|_| true));
    }

    /// Writes new results. Results that cannot be written are computed again by the next run.
    pub(crate) fn save<'e>(
        &self,
        tree: &Tree,
        entries: impl Iterator<Item = (usize, &'e IndexEntry)>,
        gate: Gate,
        style: Style,
    ) {
        if !self.words.now().is_kept() {
            return;
        }
        let paths: HashSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        self.words.change(|words| words.save(|path| paths.contains(path)));
        self.outlines.change(|outlines| {
            // The pack of outlines holds only text that has passed the whole gate.
            if gate == Gate::default() {
                for (file, entry) in entries {
                    entry.keep(outlines, &tree.files[file].path, style);
                }
            }
            outlines.save(|path| paths.contains(path));
        });
        self.levels.change(|levels| levels.save(|path| paths.contains(path)));
        self.imports.change(|imports| imports.save(|_| true));
    }
}
