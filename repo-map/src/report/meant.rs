//! The one path or item that a name which does not exist can mean.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::map::items::items_named;
use crate::map::judged::Judged;
use crate::outline::Item;
use crate::plan::Rule;
use crate::report::cost;
use crate::report::find::{self, WantedName};
use crate::source::scan::Tree;
use crate::text::suggest;

/// Returns the path and the name of the one item that an address can mean which addresses none:
/// in its file, or the file that alone has such a path, an item whose name differs in case,
/// underscores or separators, else in what is around it; else the item that alone has this name in
/// the repository; else one in its file whose name is misspelt. `None` if several are as near.
///
/// # Errors
/// If a glob does not compile.
pub fn item(
    judged: &Judged,
    path: &str,
    item: &str,
    person: &[Rule],
) -> Result<Option<(String, String)>> {
    let path = match judged.has_path(path) {
        true => Some(path.to_owned()),
        false => self::path(judged.tree(), path, person)?,
    };
    let file = path.as_deref().and_then(|path| judged.position(path));
    let outline = file.map(|file| &judged.priced(file).depth.outline);
    let in_file = |name: &str| path.clone().zip(Some(name.to_owned()));
    if outline.is_some_and(|outline| !items_named(outline, item).is_empty()) {
        return Ok(in_file(item));
    }
    let items = outline.map_or(&[][..], |outline| &outline.items);
    let item = item.replace('#', ".").replace("::", ".");
    let ends = item.match_indices('.').map(|(at, _)| &item[at + 1..]);
    for end in std::iter::once(item.as_str()).chain(ends) {
        let wanted = WantedName::of(end);
        let near = qualified(items, |one| wanted.is_name_of(one));
        if !near.is_empty() {
            return Ok(only(near).and_then(in_file));
        }
    }
    let elsewhere = find::defined(judged, &item, person)?;
    if !elsewhere.is_empty() {
        return Ok(only(elsewhere));
    }
    let last = item.rsplit('.').next().unwrap_or(&item);
    let names: BTreeSet<&str> = items.iter().map(|one| one.name.as_str()).collect();
    let misspelt = suggest::misspelt(last, names);
    let meant = misspelt.and_then(|name| only(qualified(items, |one| one.name == name)));
    Ok(meant.and_then(in_file))
}

/// Returns the qualified names of the items that are accepted.
fn qualified(items: &[Item], is_it: impl Fn(&Item) -> bool) -> BTreeSet<&str> {
    items.iter().filter(|one| is_it(one)).map(|one| one.qualified.as_str()).collect()
}

/// Returns the one file or folder that a path can mean which is none: the end of its path is the
/// whole of the other, in either direction, but for case; else the one in its folder whose name is
/// misspelt. `None` if several are. Folders end with a slash; nothing that a person's rules keep
/// out is meant.
///
/// # Errors
/// If a glob does not compile.
pub fn path(tree: &Tree, said: &str, person: &[Rule]) -> Result<Option<String>> {
    let is_folder = said.ends_with('/');
    let said = said.trim_start_matches("./").trim_matches('/').to_lowercase();
    if said.is_empty() || said.contains(['*', '?', '[', '{']) {
        return Ok(None);
    }
    let kept_out: BTreeSet<&str> = cost::kept_out(tree, person)?.into_iter().collect();
    let files = tree.files.iter().map(|file| file.path.as_str());
    let mut places = BTreeSet::new();
    for file in files.filter(|file| !kept_out.contains(file)) {
        let folders = file.match_indices('/').map(|(at, _)| &file[..=at]);
        places.extend(folders.chain(Some(file).filter(|_| !is_folder)));
    }
    let near: BTreeSet<&str> =
        places.iter().copied().filter(|place| is_same_end(&said, place)).collect();
    let meant = if near.is_empty() { misspelt(&said, &places) } else { only(near) };
    Ok(meant.map(str::to_owned))
}

/// Returns the place in the folder of a path whose name is the only one near enough to be
/// misspelt.
fn misspelt<'t>(said: &str, places: &BTreeSet<&'t str>) -> Option<&'t str> {
    let parts = |path: &'_ str| match path.rsplit_once('/') {
        Some((folder, name)) => (folder.to_owned(), name.to_owned()),
        None => (String::new(), path.to_owned()),
    };
    let (folder, name) = parts(said);
    let siblings: Vec<(String, &'t str)> = places
        .iter()
        .map(|place| (parts(&place.trim_end_matches('/').to_lowercase()), *place))
        .filter(|((of, _), _)| *of == folder)
        .map(|((_, name), place)| (name, place))
        .collect();
    let meant = suggest::misspelt(&name, siblings.iter().map(|(name, _)| name.as_str()))?;
    let named: BTreeSet<&str> =
        siblings.iter().filter(|(name, _)| name == meant).map(|(_, place)| *place).collect();
    only(named)
}

/// Reports whether one of two paths is the end of the other, but for case. A path of one name is
/// the end of too many.
fn is_same_end(said: &str, place: &str) -> bool {
    let place = place.trim_end_matches('/').to_lowercase();
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    ends(&place, said) || place.contains('/') && ends(said, &place)
}

fn only<T: Ord>(all: BTreeSet<T>) -> Option<T> {
    let mut all = all.into_iter();
    all.next().filter(|_| all.next().is_none())
}
