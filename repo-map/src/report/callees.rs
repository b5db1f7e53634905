//! The definitions that items use, by the names in their text.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::error::Result;
use crate::map::RepoMap;
use crate::map::items::items_named;
use crate::map::judged::Judged;
use crate::report::cost::{self, ItemCost};
use crate::score::role::Role;
use crate::score::signals::Sources;

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

/// Returns the definitions that items, by path and address, use, those with most callers first: in
/// the same source file, or in one that it depends on. Known are the files judged in depth. A name
/// with many definitions says nothing.
///
/// # Errors
/// If the map is of another tree.
pub fn callees(judged: &Judged, callers: &[(&str, &str)], map: &RepoMap) -> Result<Vec<Callee>> {
    judged.check_map(map)?;
    let judge = judged.judge();
    let Sources { entries, facts, graph, .. } = judge.sources;
    let mut definitions: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
    for (file, entry) in entries.iter().filter(|(file, _)| facts[**file].role() == Role::Source) {
        for (at, item) in entry.depth.outline.items.iter().enumerate() {
            definitions.entry(item.used_name()).or_default().push((*file, at));
        }
    }
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
        for name in names.into_iter().filter(|name| *name != own) {
            let Some(of_name) = definitions.get(name) else { continue };
            let edges = graph.edges_of(user.0);
            let is_known = |file: usize| {
                file == user.0 || edges.iter().any(|(target, _)| *target as usize == file)
            };
            let mut meant = judge.sources.meant(*user, of_name);
            meant.retain(|(file, _)| is_known(*file));
            if meant.len() <= MOST_MEANT {
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
    callees.sort_by_key(|one| (Reverse(one.n_callers), Reverse(one.item.worth)));
    Ok(callees)
}
