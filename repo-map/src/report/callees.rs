//! The definitions that items use, by the names in their text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::error::Result;
use crate::map::RepoMap;
use crate::map::items::items_named;
use crate::map::judged::Judged;
use crate::report::cost::{self, ItemCost};
use crate::score::signals::{Sources, UsedNames};
use crate::score::words::looks_like_identifier;

/// A definition that other items use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callee {
    /// The file.
    pub path: String,
    /// The definition, with its level in the map and its costs.
    pub item: ItemCost,
    /// Other items lie in it.
    pub has_parts: bool,
    /// The number of those items that use it.
    pub n_callers: usize,
}

/// The maximum number of definitions that a name in the text of one item can mean.
const MOST_MEANT: usize = 2;
/// The least rarity of a name that says what it means: in a repository of 250 files 30 have it.
/// `get`, `new` and `run` are mostly something else.
const LEAST_RARE: f64 = 0.4;

/// Returns the definitions that items, by path and address, use, those of most worth first: in the
/// same source file, or in one that it imports; in another one only by a name of several words,
/// since `wait` or `matches` is mostly something else there. Known are the files judged in depth. A
/// name with many definitions or in several files says nothing, nor does one that many files have.
///
/// # Errors
/// If the map is of another tree.
pub fn callees(judged: &Judged, callers: &[(&str, &str)], map: &RepoMap) -> Result<Vec<Callee>> {
    judged.check_map(map)?;
    let judge = judged.judge();
    let sources = judge.sources;
    let Sources { entries, graph, .. } = sources;
    let known = UsedNames::of(sources);
    let mut users: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (path, address) in callers {
        let Some(file) = judged.position(path) else { continue };
        let Some(entry) = entries.get(&file) else { continue };
        users.extend(items_named(&entry.depth.outline, address).into_iter().map(|at| (file, at)));
    }
    let mut n_callers: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for user in &users {
        // An item's own name in its text is no use of another of that name.
        let own = entries[&user.0].depth.outline.items[user.1].used_name();
        let names: BTreeSet<&str> = entries[&user.0].uses_of(user.1).collect();
        let imports = graph.imports_of(user.0);
        let is_near = |(file, _): &(usize, usize)| {
            *file == user.0 || imports.iter().any(|(target, _)| *target as usize == *file)
        };
        for name in names.into_iter().filter(|name| *name != own) {
            let mut meant = known.meant(sources, *user, name);
            meant.retain(|one| is_near(one) || looks_like_identifier(name));
            let is_of_one_file = meant.iter().all(|(file, _)| *file == meant[0].0);
            if is_of_one_file && meant.len() <= MOST_MEANT && known.rarity(name) >= LEAST_RARE {
                meant.into_iter().for_each(|one| *n_callers.entry(one).or_default() += 1);
            }
        }
    }
    n_callers.retain(|one, _| !users.contains(one));
    let files: BTreeSet<usize> = n_callers.keys().map(|(file, _)| *file).collect();
    let mut costs: BTreeMap<usize, Vec<ItemCost>> = BTreeMap::new();
    for file in files {
        costs.insert(file, cost::items_shown(judged, &judged.tree().files[file].path, map)?);
    }
    let callee = |((file, at), n_callers): ((usize, usize), usize)| {
        let item = costs[&file].get(at)?.clone();
        let path = judged.tree().files[file].path.clone();
        let has_parts = entries[&file].depth.outline.items[at].has_children;
        Some(Callee { path, item, has_parts, n_callers })
    };
    let mut callees: Vec<Callee> = n_callers.into_iter().filter_map(callee).collect();
    callees.sort_by_key(|one| (Reverse(one.item.worth), Reverse(one.n_callers)));
    Ok(callees)
}
