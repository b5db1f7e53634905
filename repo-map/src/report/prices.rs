//! The price of each folder and file of a repository, in tokens, and the pack that keeps them.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::fit::folders::types;
use crate::level::Level;
use crate::map::corpus::Corpus;
use crate::map::judged::Judged;
use crate::render::{self, Choice, Page, Style};
use crate::source::cache::Pack;
use crate::source::progress::{ProgressCount, Stage};
use crate::source::scan::{self, FileEntry, Mark};
use crate::text::sanitize::Gate;

/// The cost of a path at each level that it has, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathPrice {
    /// The path; folders end with a slash.
    pub path: String,
    /// A folder has a cost at level fold alone, a file at level path and above.
    pub tokens: BTreeMap<Level, u32>,
}

/// The levels that a file has a price at; without text it has none at the last.
const LEVELS_OF_FILE: [Level; 4] = [Level::Path, Level::Outline, Level::Interface, Level::Full];

/// The price of a file in the pack: at each level from path on that it has.
type KeptPrice = (Style, Vec<u32>);

/// Returns the cost of each folder as one line, and of each file at each level. Reads and outlines
/// every file whose price is not in the cache; [`Judged::save_cache`] keeps it there.
pub fn prices(judged: &Judged) -> Vec<PathPrice> {
    let Corpus { tree, folders, watcher, caches, .. } = judged.corpus();
    let style = judged.style();
    let folders = folders.list.par_iter().filter(|folder| !folder.files.is_empty());
    let folders = folders.map(|folder| {
        let files = &tree.files[folder.files.clone()];
        let types = types(files.iter().map(|file| file.path.as_str()));
        let line = render::fold_line(&folder.path, files.len(), &types, tree.kind(), style);
        PathPrice {
            path: folder.path.clone(),
            tokens: BTreeMap::from([(Level::Fold, style.tokenizer.count(&line))]),
        }
    });
    let counted = ProgressCount::new(watcher.as_ref(), Stage::Price, Some(tree.files.len()));
    let kept = caches.levels.now();
    let files = tree.files.par_iter().map(|file| {
        let digest = digest_of(judged, file).filter(|_| kept.is_kept());
        let price = digest.and_then(|digest| kept_price(&kept, file, &digest, style));
        counted.one(price.is_some());
        (price.unwrap_or_else(|| file_price(judged, file)), digest)
    });
    let files: Vec<(PathPrice, Option<blake3::Hash>)> = files.collect();
    drop(kept);
    caches.levels.change(|levels| {
        for (price, digest) in &files {
            if let Some(digest) = digest {
                keep_price(levels, price, digest, style);
            }
        }
    });
    let mut prices: Vec<PathPrice> = folders.collect();
    prices.extend(files.into_iter().map(|(price, _)| price));
    prices.sort_by(|a, b| {
        scan::map_order(a.path.trim_end_matches('/'), b.path.trim_end_matches('/'))
    });
    prices
}

/// Returns the digest of what the prices of a file depend on: its content, and the title beside its
/// path. `None` for a file that is not read. Prices depend on the gate too, so only those of the
/// default are kept.
fn digest_of(judged: &Judged, file: &FileEntry) -> Option<blake3::Hash> {
    let corpus = judged.corpus();
    if corpus.gate() != Gate::default() {
        return None;
    }
    let unchanged = corpus.caches.words.now().unchanged(&file.path, file.stamp);
    let content = unchanged.or_else(|| Some(blake3::hash(&scan::read_bytes(file).ok()?)))?;
    let with_title = |title: &str| blake3::hash(&[content.as_bytes(), title.as_bytes()].concat());
    Some(corpus.tree.title(&file.path).map_or(content, with_title))
}

fn kept_price(
    kept: &Pack,
    file: &FileEntry,
    digest: &blake3::Hash,
    style: Style,
) -> Option<PathPrice> {
    let (of_style, tokens): KeptPrice = postcard::from_bytes(kept.get(&file.path, digest)?).ok()?;
    let is_sound = matches!(tokens.len(), 3 | 4) && of_style == style;
    let tokens = LEVELS_OF_FILE.into_iter().zip(tokens).collect();
    is_sound.then(|| PathPrice { path: file.path.clone(), tokens })
}

fn keep_price(levels: &mut Pack, price: &PathPrice, digest: &blake3::Hash, style: Style) {
    let tokens: Vec<u32> = price.tokens.values().copied().collect();
    let bytes = postcard::to_stdvec(&(style, tokens)).unwrap_or_default();
    match levels.get(&price.path, digest) == Some(&bytes[..]) {
        true => levels.touch(&price.path, None),
        false => levels.put(&price.path, None, *digest, bytes),
    }
}

fn file_price(judged: &Judged, file: &FileEntry) -> PathPrice {
    let (corpus, style) = (judged.corpus(), judged.style());
    let count = |text: &str| style.tokenizer.count(text);
    let source = scan::read(file, corpus.gate());
    let (language, outline) = corpus.languages.outline_of(&file.path, &source);
    let page = Page::new(&file.path, language, &source.text, &outline);
    let has_text = source.mark.is_none_or(Mark::has_text);
    let mark = source.mark.map(Mark::as_str);
    let title = corpus.tree.title(&file.path);
    let line = |mark: Option<&str>| count(&render::path_line(&file.path, title, mark, style));
    let partial = |level: Level| {
        if !has_text || outline.items.is_empty() {
            // A file without an outline is shown as a path, with this mark.
            return line(mark.or(Some(render::NO_OUTLINE)));
        }
        let choice = Choice::uniform(&outline, level);
        page.partial(&choice, style).iter().map(|block| count(block)).sum()
    };
    let mut tokens = BTreeMap::from([(Level::Path, line(mark))]);
    tokens.extend([Level::Outline, Level::Interface].map(|level| (level, partial(level))));
    if has_text {
        tokens.insert(Level::Full, count(&page.full(style)));
    }
    PathPrice { path: file.path.clone(), tokens }
}
