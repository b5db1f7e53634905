//! Files at each of their levels, rendered and counted like a map.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::json_budget::{Object, json as safe_json};
use super::page_source::PageSource;
use crate::level::Level;
use crate::map::FileReport;
use crate::map::items::{base_choice, pinned};
use crate::outline::Outline;
use crate::plan::ItemRule;
use crate::render::{self, Choice, Page, Style};
use crate::source::scan::{self, Mark};

/// The maximum number of files shown at each level, and the maximum of their bytes.
const N_FILES: usize = 300;
const MOST_BYTES: u64 = 4 << 20;
/// The maximum size of an embedded text in bytes; larger ones are left to the command line.
const LARGEST_TEXT: usize = 250_000;
/// The maximum size of an embedded map in bytes.
const LARGEST_MAP: usize = 400_000;

/// The name of the level of a file if the map shows some items at other levels.
const IN_MAP: &str = "as in the map";

/// One file at its levels.
pub(super) struct Detail {
    /// The highest level that the person's rules allow.
    ceiling: Level,
    pub(super) n_masked: u32,
    /// The size at the highest possible level in tokens, and the mark of a file without text.
    pub(super) whole: u32,
    pub(super) textless: Option<Mark>,
    /// Each level of the file, and the state in the map if that is none of the levels: size in
    /// tokens, and text if the rules allow it.
    levels: Vec<(&'static str, u32, Option<String>)>,
    /// The rank of the file among the embedded ones, best first.
    rank: usize,
}

/// Returns the files to embed: those the map shows, then the others by score.
pub(super) fn details(
    subject: &PageSource<'_>,
    order: &[usize],
    ceiling: impl Fn(usize) -> Level + Sync,
) -> BTreeMap<usize, Detail> {
    let shows = |file: &usize| {
        subject.files[*file].level >= Level::Outline || !subject.files[*file].items.is_empty()
    };
    let is_worth_it = |file: &usize| {
        subject.worth.as_ref().is_some_and(|worth| worth[*file].0.score > 0) && !shows(file)
    };
    let may_be_read = |file: &&usize| {
        ceiling(**file) >= Level::Path && scan::mark_of_entry(&subject.tree.files[**file]).is_none()
    };
    let all = order
        .iter()
        .filter(|file| shows(file))
        .chain(order.iter().filter(|file| is_worth_it(file)));
    let mut bytes = 0;
    let chosen: Vec<usize> = all
        .filter(may_be_read)
        .take(N_FILES)
        .take_while(|file| {
            bytes += subject.tree.files[**file].bytes;
            bytes <= MOST_BYTES
        })
        .copied()
        .collect();
    let detail =
        |(rank, file): (usize, &usize)| (*file, detail(subject, *file, rank, ceiling(*file)));
    chosen
        .par_iter()
        .enumerate()
        .with_max_len(4)
        .map(detail)
        .collect::<Vec<_>>()
        .into_iter()
        .collect()
}

fn detail(subject: &PageSource<'_>, file: usize, rank: usize, ceiling: Level) -> Detail {
    let (entry, style) = (&subject.tree.files[file], subject.style());
    let source = scan::read(entry, subject.plan.scan.gate());
    let known = subject.entries.get(file).copied().flatten().filter(|known| known.is_of(&source));
    let outline = match known {
        Some(known) => Cow::Borrowed(&known.depth.outline),
        None => Cow::Owned(subject.languages.outline_of(&entry.path, &source).1),
    };
    let page =
        Page::new(&entry.path, subject.languages.of(&entry.path, &source), &source.text, &outline);
    let textless = source.mark.filter(|mark| !mark.has_text());
    let (title, mark) = (subject.tree.title(&entry.path), source.mark.map(Mark::as_str));
    let line = render::path_line(&entry.path, title, mark, style);
    let mut blocks = vec![(Level::Path, vec![line])];
    if textless.is_none() {
        if !outline.items.is_empty() {
            blocks.extend(
                [Level::Outline, Level::Interface]
                    .map(|level| (level, page.partial(&Choice::uniform(&outline, level), style))),
            );
        }
        blocks.push((Level::Full, vec![page.full(style)]));
    }
    let in_map = in_map(&subject.files[file], &outline).filter(|_| textless.is_none());
    let mut levels: Vec<_> = blocks
        .into_iter()
        .map(|(level, blocks)| sized(level.as_str(), blocks, style, level <= ceiling))
        .collect();
    // A file without text has only its path.
    let whole = levels.last().map_or(0, |(_, tokens, _)| *tokens);
    levels.extend(in_map.map(|choice| sized(IN_MAP, page.partial(&choice, style), style, true)));
    Detail { ceiling, n_masked: source.n_masked, whole, textless, levels, rank }
}

/// Returns the items that the map shows of a file with items at other levels, as a replay finds
/// them.
fn in_map(report: &FileReport, outline: &Outline) -> Option<Choice> {
    let rules: Vec<ItemRule> = report
        .items
        .iter()
        .map(|item| ItemRule { name: item.name.clone(), level: item.level })
        .collect();
    let mut choice = base_choice(outline, report.level);
    pinned(outline, &rules).into_iter().for_each(|(item, level)| choice.items[item] = level);
    (!rules.is_empty()).then_some(choice)
}

fn sized(
    name: &'static str,
    blocks: Vec<String>,
    style: Style,
    is_allowed: bool,
) -> (&'static str, u32, Option<String>) {
    let tokens = blocks.iter().map(|block| style.tokenizer.count(block)).sum();
    (name, tokens, is_allowed.then(|| blocks.concat()))
}

/// Adds sizes, and as many texts as fit: the map first, then the files, best first.
pub(super) fn put(
    document: &mut Object,
    map: &str,
    details: &BTreeMap<usize, Detail>,
    place: &impl Fn(usize) -> Option<u32>,
    bytes: usize,
) {
    let mut order: Vec<(&usize, &Detail)> = details.iter().collect();
    order.sort_by_key(|(_, detail)| detail.rank);
    let rows = order.iter().filter_map(|(file, detail)| {
        let sizes: Vec<Value> =
            detail.levels.iter().map(|(level, tokens, _)| json!([level, tokens])).collect();
        Some(json!([place(**file)?, detail.ceiling, sizes]))
    });
    let before = document.len();
    document.put_rows("prices", rows, 60_000);
    // Space for the names of the following fields and the braces.
    let mut left = bytes.saturating_sub(document.len() - before + 200);
    let map = Some(safe_json(&map)).filter(|map| map.len() <= LARGEST_MAP.min(left));
    left = left.saturating_sub(map.as_ref().map_or(4, String::len));
    document.put_json("map", map.as_deref().unwrap_or("null"));

    let mut rows: Vec<String> = Vec::new();
    let mut n_left_out = 0;
    for (file, detail) in order {
        let Some(place) = place(*file) else { continue };
        let texts: Vec<&Option<String>> = detail.levels.iter().map(|(_, _, text)| text).collect();
        // A larger file does not fit; a smaller one after it may.
        match Some(safe_json(&texts))
            .filter(|row| row.len() <= LARGEST_TEXT && row.len() + 12 <= left)
        {
            Some(row) => {
                left -= row.len() + 12;
                rows.push(format!("\"{place}\":{row}"));
            }
            None => n_left_out += 1,
        }
    }
    document.put("texts_left_out", &n_left_out);
    document.put_json("texts", &format!("{{{}}}", rows.join(",")));
}
