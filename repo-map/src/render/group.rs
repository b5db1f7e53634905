//! The keyword of a declaration in a group of Go, which stands before the group: `const (`,
//! `type (`, `var (`.

use crate::outline::language::Language;
use crate::outline::{Item, ItemKind};

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
