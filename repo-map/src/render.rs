//! Index × selection → text. One block a path, one block an item; sizes are counted on these very blocks, so that
//! prediction and result cannot disagree.
//!
//! Blocks are cut where no tokenizer merges across: each ends with a line break and begins with neither a line break
//! nor a slash (o200k_base lets punctuation swallow both, as in `}\n//`).

use std::ops::Range;

use crate::outline::Item;

/// Stands for what a level leaves out.
const ELISION: &str = "…";
/// A line that keeps a block from beginning with a slash.
const JOINT: &str = "⋮\n";

/// The item in an outline: its kind and name, indented as it is nested.
pub(crate) fn item_outline(item: &Item, depth: usize) -> String {
    let label = item.kind.label();
    let gap = if label.is_empty() { "" } else { " " };
    at_a_joint(format!("{:width$}{label}{gap}{}\n", "", item.title, width = depth * 2))
}

/// The item's text as it stands.
pub(crate) fn item_full(item: &Item, text: &str) -> String {
    at_a_joint(format!("{}{}\n", indentation(item, text), &text[item.span.clone()]))
}

/// The item's signature and doc comment, the body elided: what comes before its nested items, and what after.
pub(crate) fn item_interface(item: &Item, text: &str, children_shown: bool) -> (String, String) {
    let indentation = indentation(item, text);
    let Some(body) = &item.body else {
        return (item_full(item, text), String::new());
    };
    let mut block = format!("{indentation}{}", &text[item.head.clone()]);
    let mut rest = body.clone();
    if let Some(doc) = item.doc.as_ref().filter(|doc| doc.start >= item.head.end) {
        let line_start = text[..doc.start].rfind('\n').map_or(0, |at| at + 1);
        if text[line_start..doc.start].trim().is_empty() {
            block.push('\n');
            block.push_str(&text[line_start..doc.end]);
        } else {
            block.push(' ');
            block.push_str(&text[doc.clone()]);
        }
        rest = rest.start.max(doc.end)..rest.end.max(doc.end);
    }
    let (open, close) = match text[body.clone()].bytes().next() {
        Some(b'{') => ("{", "}"),
        Some(b'(') => ("(", ")"),
        Some(b'[') => ("[", "]"),
        _ => ("", ""),
    };
    let mut tail = String::new();
    if children_shown {
        if !open.is_empty() {
            block.push(' ');
            block.push_str(open);
            tail = format!("{indentation}{close}\n");
        }
    } else if !open.is_empty() {
        block.push_str(&format!(" {open} {ELISION} {close}"));
    } else if !text[rest].trim().is_empty() {
        block.push_str(&format!(" {ELISION}"));
    }
    block.push('\n');
    (at_a_joint(block), tail)
}

/// White space before the item on its first line.
fn indentation<'a>(item: &Item, text: &'a str) -> &'a str {
    let line: Range<usize> = text[..item.span.start].rfind('\n').map_or(0, |at| at + 1)..item.span.start;
    let before = &text[line];
    if before.trim().is_empty() { before } else { "" }
}

fn at_a_joint(block: String) -> String {
    if block.starts_with('/') { format!("{JOINT}{block}") } else { block }
}
