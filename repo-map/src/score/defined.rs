//! The functions that the sources define, beside those that they only declare.

use std::collections::BTreeSet;

use crate::outline::{Item, ItemKind};
use crate::score::role::{self, Role};
use crate::score::signals::Sources;

/// Returns the names of functions that a file of sources judged in depth defines with a body.
pub(crate) fn defined<'a>(sources: Sources<'a>) -> BTreeSet<&'a str> {
    let Sources { tree, facts, entries, .. } = sources;
    let files = entries.iter().filter(|(file, _)| facts[**file].role() == Role::Source);
    files
        .flat_map(|(file, entry)| {
            let path = &tree.files[*file].path;
            let is_whole = move |(at, item): &(usize, &Item)| {
                is_callable(item) && !declares_only(path, item) && !entry.forwards(*at)
            };
            entry.depth.outline.items.iter().enumerate().filter(is_whole)
        })
        .map(|(_, item)| item.name.as_str())
        .collect()
}

pub(crate) fn is_callable(item: &Item) -> bool {
    matches!(
        item.kind,
        ItemKind::Function | ItemKind::Method | ItemKind::Constructor | ItemKind::Property
    )
}

/// Reports whether a function has no body, or only that of a stub.
pub(crate) fn declares_only(path: &str, item: &Item) -> bool {
    item.body.is_none() || role::is_declaration(path) || has_ellipsis(path, item)
}

/// Reports whether the body of a function in Python is `...`, as that of an overload is. No other
/// body of three bytes says anything.
fn has_ellipsis(path: &str, item: &Item) -> bool {
    path.ends_with(".py") && item.body.as_ref().is_some_and(|body| body.len() == "...".len())
}
