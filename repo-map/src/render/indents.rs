//! The indentation of items that are shown by their names.

use std::borrow::Cow;

use crate::outline::{ItemKind, Outline};

/// The indentation of a nested item where the text shows none.
pub(super) const INDENT: &str = "    ";
/// The longest indentation by one level that is taken from a text, in bytes.
const MOST_INDENT: usize = 8;

/// Returns the white space before the name of each item: as much more than that of the item around
/// it as in the text, because other items stand as in the text. Where the text does not indent, as
/// below headings, it is the least that it has elsewhere; what a namespace or a table of TOML holds
/// without indentation stands below it as in the text.
pub(super) fn indents_of_names<'t>(
    outline: &Outline,
    indentation: impl Fn(usize) -> Cow<'t, str>,
) -> Vec<String> {
    let items = &outline.items;
    let inner = |at: usize| {
        let parent = items[at].parent?;
        let (own, around) = (indentation(at), indentation(parent));
        let inner = own.strip_prefix(around.as_ref())?;
        let is_table = items[parent].title.starts_with('[');
        let least = usize::from(items[parent].kind != ItemKind::Namespace && !is_table);
        (least..=MOST_INDENT).contains(&inner.len()).then(|| inner.to_owned())
    };
    let inner: Vec<Option<String>> = (0..items.len()).map(inner).collect();
    let deeper = inner.iter().flatten().filter(|inner| !inner.is_empty());
    let least = deeper.min_by_key(|inner| inner.len());
    let least = least.map_or(INDENT, String::as_str);
    let mut indents: Vec<String> = Vec::with_capacity(items.len());
    for (at, (item, inner)) in items.iter().zip(&inner).enumerate() {
        let inner = inner.as_deref().unwrap_or(least);
        indents.push(match item.parent {
            Some(parent) => format!("{}{inner}", indents[parent]),
            // The keys of an object in JSON.
            None if item.kind == ItemKind::Key => indentation(at).into_owned(),
            None => String::new(),
        });
    }
    indents
}
