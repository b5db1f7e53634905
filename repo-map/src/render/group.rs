//! Declarations in a group of Go (`const (`, `type (`, `var (`), drawn as if each stood alone: with
//! the keyword of the group and without its indentation, which would make them members of the type
//! above.

use std::borrow::Cow;

use crate::outline::language::Language;
use crate::outline::{Item, ItemKind};

/// Removes the indentation of an item's group from the lines of a rendered block. With line numbers
/// it stands behind them.
pub(super) fn without_indentation<'b>(
    language: Option<&Language>,
    item: &Item,
    indentation: &str,
    block: &'b str,
) -> Cow<'b, str> {
    let is_go = language.is_some_and(|language| language.name == "go");
    // Of a text over several lines the white space is a part.
    let has_long_text = || block.lines().any(|line| line.matches('`').count() % 2 == 1);
    if !is_go || item.parent.is_some() || indentation.is_empty() || has_long_text() {
        return Cow::Borrowed(block);
    }
    let without = |line: &str| {
        let is_number = |number: &&str| number.bytes().all(|byte| byte.is_ascii_digit());
        let number = line.split_once(": ").map(|(number, _)| number).filter(is_number);
        let (number, code) = line.split_at(number.map_or(0, |number| number.len() + 2));
        format!("{number}{}", code.strip_prefix(indentation).unwrap_or(code))
    };
    Cow::Owned(block.split_inclusive('\n').map(without).collect())
}

/// Adds the keyword of its group to the rendered source of an item. The source ends at `end` in the
/// text.
pub(super) fn with_keyword(
    language: Option<&Language>,
    item: &Item,
    text: &str,
    end: usize,
    mut source: String,
) -> String {
    let keyword = match item.kind {
        _ if language.is_none_or(|language| language.name != "go") => return source,
        ItemKind::Constant => "const ",
        ItemKind::Variable => "var ",
        kind if kind.is_type() => "type ",
        _ => return source,
    };
    let above = item.doc.as_ref().filter(|doc| doc.start == item.span.start);
    let declared = above.map_or(item.span.start, |doc| doc.end);
    let Some(declaration) = text.get(declared..end).map(str::trim_start) else { return source };
    let word = declaration.split(|c: char| !c.is_alphanumeric() && c != '_').next();
    let Some(word) = word.filter(|word| !word.is_empty() && *word != keyword.trim_end()) else {
        return source;
    };
    // The declaration is the end of the source, whatever is cut from the comment above it.
    let n_breaks = declaration.matches('\n').count();
    let line = source.rmatch_indices('\n').nth(n_breaks).map_or(0, |(at, _)| at + 1);
    if let Some(at) = source[line..].find(word) {
        source.insert_str(line + at, keyword);
    }
    source
}
