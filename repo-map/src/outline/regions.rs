//! Regions: the text at the top of a file between its items. Scripts, routes and calls that set a
//! module up are in no definition; as items of their own they can be addressed and shown.

use std::ops::Range;

use crate::outline::item::{Item, ItemKind, LineStarts, MAX_ITEMS, Outline, Visibility};
use crate::outline::language::Language;

/// The name of every region; `@n` says which.
const NAME: &str = "(module)";
/// The maximum length of the first line in a title, in characters.
const LONG_TITLE: usize = 60;
/// A region ends at the next statement at its indentation after this many lines, and at the next
/// blank line after so many more.
const ENOUGH_LINES: usize = 30;
const MANY_LINES: usize = 60;

/// How a language writes what is no text of a region.
struct Notation {
    comments: &'static [&'static str],
    /// The beginnings of lines that import, or that say nothing alone.
    imports: &'static [&'static str],
}

/// Returns the notation of a language whose files have text between items.
fn notation(language: &Language) -> Option<Notation> {
    let slashes: &[&str] = &["//", "/*", "*"];
    let (comments, imports): (_, &[&str]) = match language.name {
        "javascript" | "typescript" | "tsx" => {
            (slashes, &["import ", "import{", "export *", "export {", "'use ", "\"use "])
        }
        "python" => (&["#", "\"\"\"", "'''"], &["import ", "from ", "pass", "...", "@"]),
        "ruby" => (&["#", "=begin", "=end"], &["require", "load ", "autoload ", "end", "module "]),
        "php" => (
            &["//", "#", "/*", "*"],
            &["<?php", "?>", "use ", "namespace ", "require", "include", "declare"],
        ),
        "lua" => (&["--"], &["require"]),
        _ => return None,
    };
    Some(Notation { comments, imports })
}

/// Adds the regions of a file that has other items. A file without any is one region as a whole,
/// and its level says what is shown of it.
pub(super) fn add_regions(
    language: &Language,
    outline: &mut Outline,
    text: &str,
    line_starts: &LineStarts,
) {
    let Some(notation) = notation(language) else { return };
    if outline.items.is_empty() || outline.trouble.is_some() {
        return;
    }
    let mut regions: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    let doc = outline.doc.clone();
    let spans = outline.items.iter().filter(|item| item.parent.is_none());
    let spans = spans.map(|item| item.span.clone()).chain(std::iter::once(text.len()..text.len()));
    for span in spans {
        // The comment that describes the file is a part of its own.
        if let Some(doc) = doc.as_ref().filter(|doc| from <= doc.start && doc.end <= span.start) {
            notation.find(text, from..doc.start, &mut regions);
            from = doc.end;
        }
        if from < span.start {
            notation.find(text, from..span.start, &mut regions);
        }
        from = from.max(span.end);
    }
    regions.truncate(MAX_ITEMS - outline.items.len());
    insert(outline, regions, text, line_starts);
}

impl Notation {
    /// Finds the regions of one gap between items.
    fn find(&self, text: &str, gap: Range<usize>, regions: &mut Vec<Range<usize>>) {
        let mut region: Option<Region> = None;
        let mut after_blank = false;
        // The brackets that an import leaves open.
        let mut open = 0;
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
            let is_import = open > 0 || self.is_import(words);
            if is_import {
                open = (open + n_open(words)).max(0);
            }
            let indentation = begin - (start - line.len());
            if region.as_ref().is_some_and(|region| region.ends(indentation, after_blank)) {
                regions.extend(region.take().and_then(Region::range));
            }
            after_blank = false;
            let is_code = !is_import && !self.comments.iter().any(|mark| words.starts_with(mark));
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

    fn is_import(&self, words: &str) -> bool {
        let binds = ["const ", "let ", "var ", "local "].iter().any(|word| words.starts_with(word));
        binds && (words.contains("= require(") || words.contains("= require \""))
            || self.imports.iter().any(|import| words.starts_with(import))
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

/// Returns the number of brackets that a line opens and does not close.
fn n_open(line: &str) -> i32 {
    let of = |byte: u8| match byte {
        b'(' | b'{' | b'[' => 1,
        b')' | b'}' | b']' => -1,
        _ => 0,
    };
    line.bytes().map(of).sum()
}

/// Puts regions among the items, in the order of the text.
fn insert(outline: &mut Outline, regions: Vec<Range<usize>>, text: &str, line_starts: &LineStarts) {
    let mut regions = regions.into_iter().zip(1..).peekable();
    if regions.peek().is_none() {
        return;
    }
    let items = std::mem::take(&mut outline.items);
    let mut moved: Vec<usize> = Vec::with_capacity(items.len());
    for mut item in items {
        while let Some((span, nth)) = regions.next_if(|(span, _)| span.start < item.span.start) {
            outline.items.push(region_item(span, nth, text, line_starts));
        }
        moved.push(outline.items.len());
        item.parent = item.parent.map(|parent| moved[parent]);
        outline.items.push(item);
    }
    outline.items.extend(regions.map(|(span, nth)| region_item(span, nth, text, line_starts)));
}

fn region_item(span: Range<usize>, nth: u32, text: &str, line_starts: &LineStarts) -> Item {
    let first = text[span.clone()].lines().next().unwrap_or_default().trim_end();
    let head = span.start..span.start + first.len();
    let rest = head.end..span.end;
    let title = match first.char_indices().nth(LONG_TITLE) {
        Some((cut, _)) => format!("{NAME} {}…", &first[..cut]),
        None => format!("{NAME} {first}"),
    };
    Item {
        name: NAME.to_owned(),
        qualified: NAME.to_owned(),
        nth,
        title,
        kind: ItemKind::Region,
        visibility: Visibility::Unmarked,
        lines: (line_starts.line(span.start), line_starts.line(span.end - 1)),
        head,
        doc: None,
        body: (!rest.is_empty()).then_some(rest),
        span,
        parent: None,
        has_children: false,
    }
}
