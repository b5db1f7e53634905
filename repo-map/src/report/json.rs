//! The JSON report of a map for programs: every path with its level, size, score and rule.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::error::Result;
use crate::fit::folders::types;
use crate::level::Level;
use crate::map::corpus::Corpus;
use crate::map::flown;
use crate::map::judged::Judged;
use crate::map::{FileReport, PartKind, RepoMap, RuleOrigin};
use crate::plan::Fill;
use crate::render::{self, Choice, Page, Style};
use crate::score::judge::{FileScore, ONE};
use crate::source::cache::Pack;
use crate::source::progress::{ProgressCount, Stage};
use crate::source::scan::{self, FileEntry, Mark, UnreadPages};
use crate::text::sanitize::Gate;

/// A map as a report. Sizes are tokens; scores are between 0 and 1.
#[derive(Debug, Serialize)]
pub struct MapReport<'a> {
    /// The tool that made the map, with its version.
    pub tool: &'static str,
    /// The plan's goal.
    pub goal: Option<&'a str>,
    /// The maximum size of the map, in tokens.
    pub budget: u32,
    /// The size of the map, in tokens.
    pub tokens: u32,
    /// The name of the tokenizer.
    pub tokenizer: &'static str,
    /// The remaining tokens of the budget.
    pub free: u32,
    /// How much of the budget the fit uses.
    pub fill: Fill,
    /// The reason why some of the plan's floors do not hold, if there is one.
    pub conflict: Option<ReportedConflict<'a>>,
    /// The number of secrets masked in the shown text.
    pub masked: u32,
    /// The number of invisible characters escaped in the shown text.
    pub invisible: u32,
    /// Files that could not be read.
    pub problems: Vec<String>,
    /// Pages of a site that are only known from links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<&'a UnreadPages>,
    /// The blocks of the map in order; their tokens add up to the map's.
    pub parts: Vec<ReportedPart<'a>>,
    /// Every file of the repository, in the order of maps.
    pub files: Vec<ReportedFile<'a>>,
    /// The map itself.
    pub map: &'a str,
}

/// A conflict between floors and budget.
#[derive(Debug, Serialize)]
pub struct ReportedConflict<'a> {
    /// The message, with the way out.
    pub message: &'a str,
    /// The smallest budget for all floors, in tokens.
    pub needed: u32,
    /// The paths that show less than their floor.
    pub below_floor: &'a [String],
}

/// A block of the map.
#[derive(Debug, Serialize)]
pub struct ReportedPart<'a> {
    /// `header`, `file`, `folder`, `strays` or `footer`.
    pub kind: &'static str,
    /// The path it shows; empty if it shows none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub path: &'a str,
    /// The size in tokens.
    pub tokens: u32,
}

/// A file and its levels.
#[derive(Debug, Serialize)]
pub struct ReportedFile<'a> {
    /// The path.
    pub path: &'a str,
    /// The level shown.
    pub level: Level,
    /// The requested level, if it did not fit the budget.
    #[serde(rename = "was", skip_serializing_if = "Option::is_none")]
    pub requested: Option<Level>,
    /// The size of its block in tokens; 0 if it has none.
    pub tokens: u32,
    /// The score for the goal.
    pub worth: f64,
    /// The rule that gave its level: `rules[3]`, `pilot[0]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The reason why it is at most a path: `binary`, `generated`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// Items at another level than the file, with their lines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<ReportedItem<'a>>,
    /// The lines whose text is shown, first and last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<(u32, u32)>,
}

/// An item at another level than its file.
#[derive(Debug, Serialize)]
pub struct ReportedItem<'a> {
    /// The name.
    pub name: &'a str,
    /// The level.
    pub level: Level,
    /// The first and last line, from 1.
    pub lines: (u32, u32),
}

/// Makes the JSON report of a map.
///
/// # Errors
/// If the map is of another tree.
pub fn map_report<'a>(judged: &'a Judged, map: &'a RepoMap) -> Result<MapReport<'a>> {
    judged.check_map(map)?;
    let plan = judged.plan();
    Ok(MapReport {
        tool: flown::TOOL,
        goal: plan.goal.as_deref(),
        budget: map.budget,
        tokens: map.tokens,
        tokenizer: plan.context.tokenizer.as_str(),
        free: map.budget.saturating_sub(map.tokens),
        fill: map.flown.context.fill,
        conflict: map.conflict.as_ref().map(|conflict| ReportedConflict {
            message: &conflict.message,
            needed: conflict.needed,
            below_floor: &conflict.below_floor,
        }),
        masked: map.n_masked,
        invisible: map.n_invisible,
        problems: judged.problems().iter().map(ToString::to_string).collect(),
        unread: judged.tree().site.as_ref().map(|site| &site.unread).filter(|all| !all.is_empty()),
        parts: map
            .parts
            .iter()
            .map(|part| ReportedPart {
                kind: kind(part.kind),
                path: &part.path,
                tokens: part.tokens,
            })
            .collect(),
        files: map.files.iter().map(reported_file).collect(),
        map: &map.text,
    })
}

fn kind(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Header => "header",
        PartKind::File => "file",
        PartKind::Folder => "folder",
        PartKind::RestOfFolder => "strays",
        PartKind::Footer => "footer",
    }
}

fn reported_file(file: &FileReport) -> ReportedFile<'_> {
    ReportedFile {
        path: &file.path,
        level: file.level,
        requested: file.requested,
        tokens: file.tokens,
        worth: of_one(file.worth),
        rule: file.rule.map(rule),
        mark: file.mark,
        items: file
            .items
            .iter()
            .map(|item| ReportedItem { name: &item.name, level: item.level, lines: item.lines })
            .collect(),
        spans: file.spans.clone(),
    }
}

/// Names a rule by its position: `rules[3]`, `pilot[0]`.
pub(crate) fn rule(origin: RuleOrigin) -> String {
    match origin {
        RuleOrigin::Person(at) => format!("rules[{at}]"),
        RuleOrigin::Pilot(at) => format!("pilot[{at}]"),
    }
}

pub(crate) fn of_one(millionths: u32) -> f64 {
    f64::from(millionths) / f64::from(ONE)
}

/// One ranked file: its score and each part of it, between 0 and 1.
#[derive(Debug, Serialize)]
pub struct Ranked<'a> {
    /// The path.
    pub path: &'a str,
    /// The weighted sum of the parts times the factor for the file's role, divided by the best
    /// file's.
    pub score: f64,
    /// Each signal of the file.
    pub parts: BTreeMap<&'static str, f64>,
}

/// Returns a line of the ranking.
pub fn ranked<'a>(path: &'a str, worth: &FileScore) -> Ranked<'a> {
    Ranked { path, score: of_one(worth.score), parts: parts(worth) }
}

pub(crate) fn parts(worth: &FileScore) -> BTreeMap<&'static str, f64> {
    worth.parts.iter().map(|(signal, part)| (signal.as_str(), of_one(*part))).collect()
}

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

/// Returns the digest of a file's content; `None` for a file that is not read. Prices depend on
/// the gate, so only those of the default are kept.
fn digest_of(judged: &Judged, file: &FileEntry) -> Option<blake3::Hash> {
    let corpus = judged.corpus();
    if corpus.gate() != Gate::default() {
        return None;
    }
    let unchanged = corpus.caches.words.now().unchanged(&file.path, file.stamp);
    unchanged.or_else(|| Some(blake3::hash(&scan::read_bytes(file).ok()?)))
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
    let partial = |level: Level| {
        if !has_text || outline.items.is_empty() {
            // A file without an outline is shown as a path, with this mark.
            let mark = mark.or(Some(render::NO_OUTLINE));
            return count(&render::path_line(&file.path, mark, style));
        }
        let choice = Choice::uniform(&outline, level);
        page.partial(&choice, style).iter().map(|block| count(block)).sum()
    };
    let mut tokens =
        BTreeMap::from([(Level::Path, count(&render::path_line(&file.path, mark, style)))]);
    tokens.extend([Level::Outline, Level::Interface].map(|level| (level, partial(level))));
    if has_text {
        tokens.insert(Level::Full, count(&page.full(style)));
    }
    PathPrice { path: file.path.clone(), tokens }
}
