//! The choice of what an excerpt of the context draws in a view: lines first, then names, then
//! bodies, those of changed files and those not drawn yet before others.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use repo_map::{ExcerptOf, ExcerptSizes, Judged, RepoMap, excerpt};

/// The part of an excerpt that the lines of folders may take, in percent.
const FOLDER_SHARE: u32 = 15;
/// The part of an excerpt that lines and names of items may take, in percent.
const NAMES_SHARE: u32 = 50;
/// A file of at most this size, in tokens, is drawn whole or by name.
const SMALL_FILE: u32 = 250;

/// The number of bodies of one file after which the worth of the next is halved, so that one file
/// does not take all the space.
const FALL_OFF: u64 = 6;

/// The claim of a file or item to the space of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Claim {
    /// It changed since the turn before.
    Changed,
    /// It matters and was not drawn yet.
    New,
    /// It was drawn in an earlier turn.
    Drawn,
    /// Nobody asked for it.
    Filler,
}

/// A file that an excerpt may draw.
pub(super) struct Excerptible<'a> {
    pub(super) path: &'a str,
    pub(super) is_filler: bool,
}

/// What was changed and drawn, by file and item; for a whole file the item is empty.
pub(super) struct Attention<'a> {
    pub(super) changed: &'a BTreeSet<(String, String)>,
    pub(super) drawn: &'a BTreeSet<(String, String)>,
}

impl Attention<'_> {
    fn claim(&self, path: &str, item: &str, is_filler: bool) -> Claim {
        let key = (path.to_owned(), item.to_owned());
        let whole = (path.to_owned(), String::new());
        if is_filler {
            Claim::Filler
        } else if self.changed.contains(&key) || self.changed.contains(&whole) {
            Claim::Changed
        } else if self.drawn.contains(&key) {
            Claim::Drawn
        } else {
            Claim::New
        }
    }
}

/// A choice of what to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) files: BTreeMap<String, ExcerptOf>,
    /// The tokens for lines of folders.
    pub(super) for_folders: u32,
}

/// A part that can be added to an excerpt.
struct Unit {
    claim: Claim,
    worth: Reverse<u32>,
    file: usize,
    /// Empty for the whole file.
    item: String,
    tokens: u32,
}

/// Chooses what to draw in at most about `tokens`; `files` in the order in which they matter.
///
/// # Errors
/// If the map is of another tree.
pub(super) fn choose(
    repo: &Judged,
    map: &RepoMap,
    files: &[Excerptible<'_>],
    attention: &Attention<'_>,
    tokens: u32,
) -> repo_map::Result<Cut> {
    let mut sizes = Vec::new();
    for file in files {
        sizes.push(excerpt::sizes(repo, map, file.path)?.unwrap_or_default());
    }
    let folders = excerpt::folder_tokens(repo, map)?;
    let for_folders = folders.min(tokens * FOLDER_SHARE / 100);
    let mut space = CutSpace { sizes: &sizes, files, left: tokens, drawn: BTreeMap::new() };
    // The header of a map.
    space.left = space.left.saturating_sub(8 + for_folders);
    let floor = space.left * (100 - NAMES_SHARE) / 100;
    for (at, sizes) in sizes.iter().enumerate() {
        space.add(at, ExcerptOf::Line, sizes.line, floor + floor / 2);
    }
    for (at, file) in files.iter().enumerate() {
        if let (Some(names), false) = (sizes[at].names, file.is_filler) {
            let more = names.saturating_sub(sizes[at].line);
            space.raise(at, ExcerptOf::Items(BTreeSet::new()), more, floor);
        }
    }
    let mut units = units(&sizes, files, attention);
    units.sort_by(|a, b| {
        (a.claim, a.worth, a.file, &a.item).cmp(&(b.claim, b.worth, b.file, &b.item))
    });
    for unit in units {
        space.draw(&unit);
    }
    Ok(Cut {
        files: space.drawn.into_iter().map(|(at, cut)| (files[at].path.to_owned(), cut)).collect(),
        for_folders,
    })
}

/// Lists the bodies of the files and, of small files, the whole.
fn units(
    sizes: &[ExcerptSizes],
    files: &[Excerptible<'_>],
    attention: &Attention<'_>,
) -> Vec<Unit> {
    let mut units = Vec::new();
    for (file, (size, about)) in sizes.iter().zip(files).enumerate() {
        if about.is_filler {
            continue;
        }
        let unit = |item: &str, tokens: u32, worth: u32| Unit {
            claim: attention.claim(about.path, item, about.is_filler),
            worth: Reverse(worth),
            file,
            item: item.to_owned(),
            tokens,
        };
        if size.whole <= SMALL_FILE || size.names.is_none() {
            let worth = size.bodies.first().map_or(0, |body| body.worth);
            units.push(unit("", size.whole, worth));
        } else {
            let bodies = size.bodies.iter().enumerate();
            units.extend(bodies.map(|(at, body)| {
                let worth = u64::from(body.worth) * FALL_OFF / (FALL_OFF + at as u64);
                unit(&body.name, body.tokens, worth as u32)
            }));
        }
    }
    units
}

/// The space of an excerpt while it is filled.
struct CutSpace<'a> {
    sizes: &'a [ExcerptSizes],
    files: &'a [Excerptible<'a>],
    left: u32,
    drawn: BTreeMap<usize, ExcerptOf>,
}

impl CutSpace<'_> {
    /// Adds a file unless less than `keep` tokens would remain.
    fn add(&mut self, at: usize, cut: ExcerptOf, tokens: u32, keep: u32) -> bool {
        // A filler is named in the list of fillers; its line is the first to go.
        let keep = keep.saturating_mul(if self.files[at].is_filler { 2 } else { 1 });
        if self.left < tokens.saturating_add(keep) {
            return false;
        }
        self.left -= tokens;
        self.drawn.insert(at, cut);
        true
    }

    /// Draws more of a file that has a line.
    fn raise(&mut self, at: usize, cut: ExcerptOf, more: u32, keep: u32) -> bool {
        self.drawn.contains_key(&at) && self.add(at, cut, more, keep)
    }

    fn draw(&mut self, unit: &Unit) {
        let at = unit.file;
        let size = &self.sizes[at];
        match self.drawn.get(&at).cloned() {
            Some(ExcerptOf::Items(mut bodies)) if !unit.item.is_empty() => {
                bodies.insert(unit.item.clone());
                let is_all = bodies.len() == size.bodies.len();
                if self.raise(at, ExcerptOf::Items(bodies), unit.tokens, 0) && is_all {
                    self.complete(at);
                }
            }
            Some(ExcerptOf::Line) if !unit.item.is_empty() => {
                let names = size.names.unwrap_or(size.line).saturating_sub(size.line);
                let bodies = BTreeSet::from([unit.item.clone()]);
                self.raise(at, ExcerptOf::Items(bodies), names + unit.tokens, 0);
            }
            Some(ExcerptOf::Whole) => {}
            Some(drawn) => {
                let has = match drawn {
                    ExcerptOf::Items(_) => size.names.unwrap_or(size.line),
                    _ => size.line,
                };
                self.raise(at, ExcerptOf::Whole, unit.tokens.saturating_sub(has), 0);
            }
            None => {
                self.add(at, ExcerptOf::Whole, size.whole, 0);
            }
        }
    }

    /// Draws the rest of a file of which all bodies are drawn, if there is room.
    fn complete(&mut self, at: usize) {
        let size = &self.sizes[at];
        let bodies: u32 = size.bodies.iter().map(|body| body.tokens).sum();
        let more = size.whole.saturating_sub(size.names.unwrap_or(0) + bodies);
        self.raise(at, ExcerptOf::Whole, more, 0);
    }
}
