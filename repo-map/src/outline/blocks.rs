//! The blocks of long functions, as items of their own: a budget that cannot hold such a function
//! whole has room for those parts of it that match.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::outline::item::{Item, ItemKind, LineStarts, Outline};
use crate::outline::notation::{LineKind, LineKinds, Notation};

/// The name of every block; `@n` says which.
const NAME: &str = "(block)";
/// A body of more lines has blocks.
const LONG_BODY: usize = 100;
/// A block ends with the statement that makes it so many lines.
const ENOUGH_LINES: usize = 20;
/// A block of more lines is divided further inside its statements.
const MANY_LINES: usize = 50;
/// Words that go on with the statement above them.
const CONTINUING: [&str; 12] = [
    "catch", "do", "done", "elif", "else", "elsif", "end", "ensure", "except", "finally", "rescue",
    "then",
];
/// So many lines that are left over make no block of their own.
const FEW_LINES: usize = 5;

/// Returns the blocks of the long functions that hold no other items.
pub(super) fn in_functions(
    notation: &Notation,
    outline: &Outline,
    text: &str,
    line_starts: &LineStarts,
) -> Vec<Item> {
    let mut found = Vec::new();
    // Functions may share a name.
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for (at, function) in outline.items.iter().enumerate() {
        let is_long = (function.lines.1 - function.lines.0) as usize > LONG_BODY;
        let holds_items = || {
            let next = outline.items.get(at + 1);
            next.is_some_and(|next| next.span.start < function.span.end)
        };
        if !function.kind.is_function() || !is_long || holds_items() {
            continue;
        }
        let Some(body) = own_body(function, text) else { continue };
        let lines = body_lines(notation, text, body);
        if lines.len() <= LONG_BODY {
            continue;
        }
        let mut blocks = Vec::new();
        divide(&lines, 0..lines.len(), 0, &mut blocks);
        for block in blocks {
            let span = lines[block.start].words.start..lines[block.end - 1].words.end;
            let nth = counts.entry(&function.qualified).and_modify(|n| *n += 1).or_insert(1);
            let block = Item::of_text(ItemKind::Block, NAME, *nth, span, text, line_starts);
            found.push(block.within(function, at));
        }
    }
    found
}

/// Returns a body without its doc comment, in whole lines: those of its brackets are none of it.
fn own_body(function: &Item, text: &str) -> Option<Range<usize>> {
    let body = function.body.clone()?;
    let doc_end = function.doc.as_ref().map_or(0, |doc| doc.end);
    let from = body.start.max(doc_end.min(body.end));
    let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
    // A body without brackets begins with its first statement.
    let has_bracket = text[from..].starts_with(['{', '(', '[']);
    let start = match !has_bracket && text[line..from].trim().is_empty() {
        true => line,
        false => from + text[from..body.end].find('\n')? + 1,
    };
    let last_line = start + text[start..body.end].rfind('\n')? + 1;
    let is_bracket = text[last_line..body.end].trim().starts_with(['}', ')', ']']);
    Some(start..if is_bracket { last_line } else { body.end })
}

/// A line of a body that is not blank.
struct BodyLine {
    /// Without its indentation and what follows its last character.
    words: Range<usize>,
    indentation: usize,
    /// Whether it may be the first line of a block: it is no directive, goes on with no statement,
    /// and has neither comment nor attribute above it.
    begins: bool,
}

fn body_lines(notation: &Notation, text: &str, body: Range<usize>) -> Vec<BodyLine> {
    let mut lines = Vec::new();
    let mut kinds = LineKinds::of(notation);
    let mut after_lead = false;
    let mut start = body.start;
    for line in text[body].split_inclusive('\n') {
        let words = line.trim();
        let indentation = line.len() - line.trim_start().len();
        let from = start + indentation;
        start += line.len();
        if words.is_empty() {
            after_lead = false;
            continue;
        }
        let kind = kinds.next(words);
        let is_attribute = words.starts_with("#[") || words.starts_with('@');
        let is_directive = kind == LineKind::Silent && words.starts_with('#') && !is_attribute;
        let begins = !after_lead && !is_directive && !goes_on(words);
        after_lead = kind == LineKind::Comment || is_attribute;
        lines.push(BodyLine { words: from..from + words.len(), indentation, begins });
    }
    lines
}

/// Reports whether a line goes on with the statement above it.
fn goes_on(words: &str) -> bool {
    let end = words.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(words.len());
    words.starts_with(['}', ')', ']', '{']) || CONTINUING.contains(&&words[..end])
}

/// Divides lines where statements begin that are indented by `least` at the least.
fn divide(lines: &[BodyLine], part: Range<usize>, least: usize, blocks: &mut Vec<Range<usize>>) {
    let inside = || part.clone().skip(1).filter(|at| lines[*at].begins);
    let indented = inside().map(|at| lines[at].indentation).filter(|one| *one >= least);
    let Some(indentation) = indented.min().filter(|_| part.len() > MANY_LINES) else {
        blocks.push(part);
        return;
    };
    let mut start = part.start;
    let ends = inside().filter(|at| lines[*at].indentation == indentation);
    for end in ends.chain([part.end]) {
        let is_rest = part.end - end <= FEW_LINES && end < part.end;
        if end == part.end || !is_rest && end - start >= ENOUGH_LINES {
            divide(lines, start..end, indentation + 1, blocks);
            start = end;
        }
    }
}
