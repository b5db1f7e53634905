//! The text at the top of a file between its items, as items of its own that can be addressed and
//! shown: its imports, and regions, the scripts, routes and calls that are in no definition.

use std::collections::BTreeMap;
use std::iter::once;
use std::ops::Range;

use crate::outline::blocks;
use crate::outline::imports;
use crate::outline::item::{Item, ItemKind, LineStarts, MAX_ITEMS, Outline};
use crate::outline::language::Language;
use crate::outline::notation::{LineKind, LineKinds, Notation, notation};

/// The name of every region; `@n` says which.
const NAME: &str = "(module)";
/// The name of a file's imports.
const IMPORTS: &str = "(imports)";
/// A region ends at the next statement at its indentation after this many lines, and at the next
/// blank line after so many more.
const ENOUGH_LINES: usize = 30;
const MANY_LINES: usize = 60;

/// Adds imports and regions to a file that has other items. A file without any is one region as a
/// whole, and its level says what is shown of it.
pub(super) fn add_text_between(
    language: &Language,
    outline: &mut Outline,
    text: &str,
    line_starts: &LineStarts,
) {
    let Some(notation) = notation(language) else { return };
    if outline.items.is_empty() || outline.trouble.is_some() {
        return;
    }
    let gaps = gaps(outline, text);
    let mut regions: Vec<Range<usize>> = Vec::new();
    if notation.has_regions {
        gaps.iter().for_each(|gap| notation.find(text, gap.clone(), &mut regions));
    }
    let imports = gaps.into_iter().find_map(|gap| imports::find(&notation, text, gap));
    // Imports amid other code are a part of it.
    let is_apart = |imports: &Range<usize>| {
        regions.iter().all(|region| region.end <= imports.start || imports.end <= region.start)
    };
    let imports = imports.filter(is_apart);
    let regions = regions.into_iter().zip(1..);
    let mut found: Vec<Item> = regions
        .map(|(span, nth)| Item::of_text(ItemKind::Region, NAME, nth, span, text, line_starts))
        .collect();
    let imports =
        imports.map(|span| Item::of_text(ItemKind::Imports, IMPORTS, 1, span, text, line_starts));
    found.extend(imports);
    if notation.has_regions_in_types {
        found.extend(in_types(&notation, outline, text, line_starts));
    }
    found.extend(blocks::in_functions(&notation, outline, text, line_starts));
    found.sort_by_key(|item| item.span.start);
    found.truncate(MAX_ITEMS - outline.items.len());
    insert(outline, found);
}

/// Returns the regions between the members of types.
fn in_types(
    notation: &Notation,
    outline: &Outline,
    text: &str,
    line_starts: &LineStarts,
) -> Vec<Item> {
    let mut found: Vec<Item> = Vec::new();
    // A type may be opened several times.
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    // A type without members is shown whole or by its signature.
    let is_type =
        |item: &Item| matches!(item.kind, ItemKind::Class | ItemKind::Module) && item.has_children;
    for (at, holder) in outline.items.iter().enumerate().filter(|(_, item)| is_type(item)) {
        let Some(body) = holder.body.clone() else { continue };
        let members = outline.items.iter().filter(|item| item.parent == Some(at));
        let mut regions = Vec::new();
        for gap in between(text, body, members.map(|item| item.span.clone())) {
            notation.find(text, gap, &mut regions);
        }
        for span in regions {
            let nth = counts.entry(&holder.qualified).and_modify(|n| *n += 1).or_insert(1);
            let region = Item::of_text(ItemKind::Region, NAME, *nth, span, text, line_starts);
            found.push(region.within(holder, at));
        }
    }
    found
}

/// Returns the text between the items at the top and the comment that describes the file, in whole
/// lines.
fn gaps(outline: &Outline, text: &str) -> Vec<Range<usize>> {
    let items = outline.items.iter().filter(|item| item.parent.is_none());
    let mut spans: Vec<Range<usize>> = items.map(|item| item.span.clone()).collect();
    spans.extend(outline.doc.clone());
    spans.sort_by_key(|span| span.start);
    between(text, 0..text.len(), spans.into_iter())
}

/// Returns the text of a part that is in none of some spans in order. The rest of the line on which
/// a span ends belongs to it.
fn between(
    text: &str,
    part: Range<usize>,
    spans: impl Iterator<Item = Range<usize>>,
) -> Vec<Range<usize>> {
    let mut gaps = Vec::new();
    let mut from = part.start;
    for span in spans.chain(once(part.end..part.end)) {
        if from < span.start {
            gaps.push(from..span.start);
        }
        let rest = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at);
        from = from.max(rest);
    }
    gaps
}

impl Notation {
    /// Finds the regions of one gap between items.
    fn find(&self, text: &str, gap: Range<usize>, regions: &mut Vec<Range<usize>>) {
        let mut region: Option<Region> = None;
        let mut after_blank = false;
        let mut kinds = LineKinds::of(self);
        let mut start = gap.start;
        for line in text[gap].split_inclusive('\n') {
            let end = start + line.trim_end().len();
            let words = line.trim();
            let begin = start + (line.len() - line.trim_start().len());
            start += line.len();
            if words.is_empty() {
                after_blank = true;
                continue;
            }
            let is_code = kinds.next(words) == LineKind::Code;
            let indentation = begin - (start - line.len());
            if region.as_ref().is_some_and(|region| region.ends(indentation, after_blank)) {
                regions.extend(region.take().and_then(Region::range));
            }
            after_blank = false;
            // `if TYPE_CHECKING:` is text only with some text below it.
            let is_head = is_code && words.ends_with(':');
            let is_text = is_code && !is_head && words.contains(char::is_alphanumeric);
            match &mut region {
                Some(region) => region.add(end, is_text, is_code),
                None if is_text || is_head => {
                    region = Some(Region::new(begin..end, indentation, is_text));
                }
                None => {}
            }
        }
        regions.extend(region.and_then(Region::range));
    }
}

/// A region that grows.
struct Region {
    start: usize,
    indentation: usize,
    /// The end of its last line of text, once it has any.
    end: Option<usize>,
    n_lines: usize,
}

impl Region {
    fn new(line: Range<usize>, indentation: usize, is_text: bool) -> Region {
        let end = is_text.then_some(line.end);
        Region { start: line.start, indentation, end, n_lines: 1 }
    }

    fn add(&mut self, end: usize, is_text: bool, is_code: bool) {
        self.n_lines += 1;
        // A closing bracket belongs to the text before it.
        if is_text || is_code && self.end.is_some() {
            self.end = Some(end);
        }
    }

    /// Reports whether a line begins another region.
    fn ends(&self, indentation: usize, after_blank: bool) -> bool {
        // A header without text is none.
        if self.end.is_none() {
            return indentation <= self.indentation;
        }
        after_blank
            && (self.n_lines >= MANY_LINES
                || self.n_lines >= ENOUGH_LINES && indentation <= self.indentation)
    }

    fn range(self) -> Option<Range<usize>> {
        self.end.map(|end| self.start..end)
    }
}

/// Puts items among those of an outline, in the order of the text. Their parents are positions in
/// the outline as it is.
fn insert(outline: &mut Outline, found: Vec<Item>) {
    let mut found = found.into_iter().peekable();
    if found.peek().is_none() {
        return;
    }
    let items = std::mem::take(&mut outline.items);
    let mut moved: Vec<usize> = Vec::with_capacity(items.len());
    let within = |moved: &[usize], mut item: Item| {
        item.parent = item.parent.map(|parent| moved[parent]);
        item
    };
    for item in items {
        while let Some(before) = found.next_if(|found| found.span.start < item.span.start) {
            outline.items.push(within(&moved, before));
        }
        let item = within(&moved, item);
        moved.push(outline.items.len());
        outline.items.push(item);
    }
    outline.items.extend(found.map(|item| within(&moved, item)));
}
