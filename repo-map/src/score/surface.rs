//! The public surface of a project, by files: what those who use it read before what those who
//! change it read. It decides ranks without a goal alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::outline::{Item, ItemKind, Visibility};
use crate::score::bag_of_words;
use crate::score::families::family;
use crate::score::first_pass::hash_of_type;
use crate::score::graph::Graph;
use crate::score::index::IndexEntry;
use crate::score::landmark::{Landmark, is_internal, is_own, is_upkeep};
use crate::score::role::Role;
use crate::score::signals::Sources;
use crate::source::scan::{FileEntry, Tree};

/// The share of a rank that follows imports and uses: less than [`graph::DAMPING`], or the helpers
/// at the end of all chains come first.
///
/// [`graph::DAMPING`]: crate::score::graph::DAMPING
const DAMPING: f64 = 0.5;
/// The part that does not count of what a file has though none uses it.
const UNUSED: f64 = 0.7;
/// The factors for files that a project keeps to itself, and for those that only keep it up.
const INTERNAL: f64 = 0.5;
const UPKEEP: f64 = 0.3;
/// The factor for files of a version that a later one stands beside.
const EARLIER: f64 = 0.5;
/// The factor for files of one platform, beside one for all.
const VARIANT: f64 = 0.5;
/// The least rank of a file with so many functions that are handed on, as a part of the best rank.
const FRONT_DOOR: f64 = 0.6;
const MANY_FUNCTIONS: f64 = 8.0;
/// The number of files that use a header, or a type, which many do.
const MANY_USERS: f64 = 10.0;
/// The number of names that the README uses with which a file counts as a front door, and the most
/// files that define such a name.
const MANY_SHOWN: f64 = 2.0;
const MOST_DEFINERS: usize = 4;
/// The factor for a file that no test and no example names by its type, and the root of the share
/// of the most users with which a file has 1.
const NOT_NAMED: f64 = 0.5;
const NAMED_BY_MANY: f64 = 0.3;
/// The maximum number of items of an entry point that is an index.
const MOST_OF_INDEX: usize = 30;
/// The names of files in which a package begins, and no program.
const INDEXES: &[&str] = &["__init__", "index", "lib"];
/// The extensions of headers of C, C++ and CUDA.
pub(super) const HEADERS: &[&str] = &["cuh", "h", "hh", "hpp", "hxx"];

/// Returns PageRank over imports and uses, in which the users of a file count more than theirs.
pub(super) fn page_rank(graph: &Graph, restart: &[f64]) -> Vec<f64> {
    let mut rank = graph.page_rank(restart, DAMPING);
    let share = |(rank, restart): (&f64, &f64)| rank / restart;
    let unused = rank.iter().zip(restart).map(share).fold(f64::INFINITY, f64::min);
    for (rank, restart) in rank.iter_mut().zip(restart) {
        *rank -= UNUSED * unused * restart;
    }
    rank
}

/// Returns the factor of each file.
pub(super) fn factors(tree: &Tree) -> Vec<f64> {
    let inner = inner_headers(tree);
    let of_languages = factors_of_languages(tree);
    let last = last_versions(tree);
    let names: BTreeSet<&str> = tree.files.iter().map(|file| name_of(&file.path)).collect();
    let of_file = |(at, file): (usize, &FileEntry)| {
        let is_inside = is_internal(&file.path) || inner.get(at).is_some_and(|is_inner| *is_inner);
        let inside = if is_inside { INTERNAL } else { 1.0 };
        let upkeep = if is_upkeep(&file.path) { UPKEEP } else { 1.0 };
        let is_earlier = versions(&file.path)
            .any(|(folder, version)| last.get(folder).is_some_and(|last| version < *last));
        let earlier = if is_earlier { EARLIER } else { 1.0 };
        let variant = if is_variant(&file.path, &names) { VARIANT } else { 1.0 };
        inside
            * upkeep
            * earlier
            * variant
            * of_languages.get(&family(&file.path)).copied().unwrap_or(1.0)
    };
    tree.files.iter().enumerate().map(of_file).collect()
}

/// Reports whether a file of Kotlin is that of one platform, beside one for all: `Date.jvm.kt`.
fn is_variant(path: &str, names: &BTreeSet<&str>) -> bool {
    let mut parts = name_of(path).split('.');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(stem), Some(_), Some("kt"), None) => names.contains(&*format!("{stem}.kt")),
        _ => false,
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The fewest files that a folder has in common with an earlier version in it.
const LEAST_IN_COMMON: usize = 3;

/// Returns the last version that each folder has of what is in it: `src/v3` and `src/v4`. Where
/// most files of `shop/v1` have the names of those in `shop`, these are a later version than any.
fn last_versions(tree: &Tree) -> BTreeMap<&str, u32> {
    let mut last: BTreeMap<&str, u32> = BTreeMap::new();
    // The files of each version, and how many of them its folder has.
    let mut common: BTreeMap<(&str, u32), (usize, usize)> = BTreeMap::new();
    for file in &tree.files {
        for (folder, version) in versions(&file.path) {
            let seen = last.entry(folder).or_default();
            *seen = version.max(*seen);
            let (above, name) = file.path.rsplit_once('/').unwrap_or_default();
            // The major versions of a module of Go are folders, and newer than what is beside them.
            if above.rsplit_once('/').is_some_and(|(around, _)| around == folder)
                && !name.ends_with(".go")
            {
                let (n, n_common) = common.entry((folder, version)).or_default();
                *n += 1;
                *n_common += usize::from(tree.position(&format!("{folder}/{name}")).is_some());
            }
        }
    }
    for ((folder, _), (n, n_common)) in common {
        if n_common >= LEAST_IN_COMMON && 2 * n_common > n {
            last.insert(folder, u32::MAX);
        }
    }
    last
}

/// Returns the versions that folders of a path are called by, with the folder around each.
fn versions(path: &str) -> impl Iterator<Item = (&str, u32)> {
    path.match_indices("/v").filter_map(|(at, _)| {
        let (version, _) = path[at + 2..].split_once('/')?;
        Some((&path[..at], version.parse().ok()?))
    })
}

/// Returns the factor for the files of each family of languages: the root of its number of files
/// over that of the largest one. A few scripts that build the project use each other more than its
/// many files do.
fn factors_of_languages(tree: &Tree) -> BTreeMap<Option<&'static str>, f64> {
    let mut counts: BTreeMap<Option<&'static str>, f64> = BTreeMap::new();
    for file in tree.files.iter().filter(|file| Role::of(&file.path) == Role::Source) {
        *counts.entry(family(&file.path)).or_default() += 1.0;
    }
    counts.remove(&None);
    let most = counts.values().copied().fold(1.0, f64::max);
    counts.into_iter().map(|(family, n)| (family, libm::sqrt(n / most))).collect()
}

/// Returns whether each file is a header that a library of C or C++ does not hand out: those in
/// folders `include` are for its users. No file, where few headers lie in such a folder.
fn inner_headers(tree: &Tree) -> Vec<bool> {
    let is_header = |path: &str| has_extension(path, HEADERS) && is_own(path);
    let is_public = |path: &str| path.split('/').any(|folder| folder == "include");
    let headers = || tree.files.iter().map(|file| &file.path).filter(|path| is_header(path));
    let n_public = headers().filter(|path| is_public(path)).count();
    if 4 * n_public < headers().count().max(1) {
        return Vec::new();
    }
    tree.files.iter().map(|file| is_header(&file.path) && !is_public(&file.path)).collect()
}

/// Raises the ranks of the files whose functions the index of a package names: users of the
/// package call these first, though nothing within it does.
pub(super) fn raise_front_doors(
    rank: &mut [f64],
    sources: Sources<'_>,
    landmarks: &[Option<(Landmark, f64)>],
) {
    let Sources { tree, entries, graph, .. } = sources;
    let best = rank.iter().copied().fold(0.0, f64::max);
    let is_entry = |file: usize| landmarks[file].is_some_and(|(one, _)| one == Landmark::Entry);
    // What a program names it uses itself.
    let is_of_package = |file: usize| {
        let name = tree.files[file].path.rsplit('/').next().unwrap_or_default();
        INDEXES.contains(&name.split('.').next().unwrap_or(name))
    };
    let is_door = |file: usize, entry| is_entry(file) && is_of_package(file) && is_index(entry);
    for (file, entry) in entries.iter().filter(|(file, entry)| is_door(**file, entry)) {
        let names = &entry.depth.identifiers;
        let is_named = |item: &&Item| {
            let is_function = item.kind == ItemKind::Function && item.parent.is_none();
            is_function && names.binary_search_by(|(name, _)| name.cmp(&item.name)).is_ok()
        };
        for (target, _) in graph.imports_of(*file) {
            let target = *target as usize;
            let Some(other) = entries.get(&target) else { continue };
            let n = other.depth.outline.items.iter().filter(is_named).count();
            let least = FRONT_DOOR * best * (n as f64 / MANY_FUNCTIONS).min(1.0);
            rank[target] = rank[target].max(least);
        }
    }
}

/// Raises the ranks of the files that define what the code in the README uses: a newcomer meets
/// that first.
pub(super) fn raise_shown(
    rank: &mut [f64],
    sources: Sources<'_>,
    landmarks: &[Option<(Landmark, f64)>],
    factors: &[f64],
) {
    let Sources { tree, facts, entries, .. } = sources;
    let best = rank.iter().copied().fold(0.0, f64::max);
    let is_readme = |file: usize| landmarks[file].is_some_and(|(one, _)| one == Landmark::Readme);
    let shown: BTreeSet<&str> = entries
        .iter()
        .filter(|(file, _)| is_readme(**file))
        .flat_map(|(_, entry)| entry.shown_names())
        .collect();
    let mut definers: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (file, entry) in entries {
        if facts[*file].role() != Role::Source || !is_own(&tree.files[*file].path) {
            continue;
        }
        for item in &entry.depth.outline.items {
            let is_open = item.kind.is_type() || item.kind == ItemKind::Function;
            let name = item.used_name();
            if is_open
                && item.name == name
                && shown.contains(name)
                && item.visibility != Visibility::Private
            {
                definers.entry(name).or_default().insert(*file);
            }
        }
    }
    let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
    for files in definers.values().filter(|files| files.len() <= MOST_DEFINERS) {
        for file in files {
            *shares.entry(*file).or_default() += 1.0 / files.len() as f64;
        }
    }
    for (file, share) in shares {
        let least = FRONT_DOOR * best * factors[file] * libm::sqrt((share / MANY_SHOWN).min(1.0));
        rank[file] = rank[file].max(least);
    }
}

/// Raises the ranks of headers in folders `include` by the number of files elsewhere that include
/// them: programs and examples use the library through these, though little within it does.
pub(super) fn raise_public_headers(rank: &mut [f64], sources: Sources<'_>) {
    let files = &sources.tree.files;
    let is_public = |path: &str| path.split('/').any(|folder| folder == "include");
    let mut n_users: BTreeMap<usize, u32> = BTreeMap::new();
    for user in (0..files.len()).filter(|user| !is_public(&files[*user].path)) {
        for target in sources.graph.imports_of(user).iter().map(|(target, _)| *target as usize) {
            let path = &files[target].path;
            if has_extension(path, HEADERS) && is_public(path) && is_own(path) {
                *n_users.entry(target).or_default() += 1;
            }
        }
    }
    raise_used(rank, n_users.into_iter().map(|(file, n)| (file, f64::from(n))).collect(), |_| 1.0);
}

/// Weighs the ranks of files by the number of tests and examples that name the types which the
/// files are called by: these use a library as its users do. This holds for the languages in which
/// most files are called by a type; there, files of helpers are for the library itself.
pub(super) fn weigh_types(rank: &mut [f64], sources: Sources<'_>, factors: &[f64]) {
    let Sources { tree, facts, .. } = sources;
    let folders: BTreeSet<u64> = (tree.files.iter())
        .filter_map(|file| file.path.rsplit_once('/'))
        .flat_map(|(folders, _)| folders.split('/'))
        .map(|folder| bag_of_words::hash(folder.as_bytes()))
        .collect();
    let mut definers: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    // The files of each family of languages, and how many of them are called by a type.
    let mut called: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut is_weighed = vec![false; rank.len()];
    for (file, entry) in tree.files.iter().enumerate() {
        let is_source = facts[file].role() == Role::Source && is_own(&entry.path);
        let Some(family) = family(&entry.path).filter(|_| is_source) else { continue };
        let of_type = hash_of_type(&entry.path);
        // In `use Shop\Database\Cart` the word `Database` is that of a folder.
        is_weighed[file] = of_type.is_none_or(|of_type| !folders.contains(&of_type));
        let of_type = of_type.filter(|of_type| facts[file].defines_types.contains(of_type));
        let (n, n_called) = called.entry(family).or_default();
        *n += 1;
        if let Some(of_type) = of_type {
            *n_called += 1;
            definers.entry(of_type).or_default().push(file);
        }
    }
    let mut n_users: BTreeMap<usize, f64> = BTreeMap::new();
    for files in
        facts.iter().flat_map(|facts| &facts.names_types).filter_map(|name| definers.get(name))
    {
        for file in files.iter().filter(|file| is_weighed[**file]) {
            *n_users.entry(*file).or_default() += 1.0 / files.len() as f64;
        }
    }
    let most = n_users.values().copied().fold(0.0, f64::max);
    if most < MANY_USERS {
        return;
    }
    let is_usual = |file: usize| {
        let counts = family(&tree.files[file].path).and_then(|family| called.get(family));
        counts.is_some_and(|(n, n_called)| 2 * n_called > *n)
    };
    for file in (0..rank.len()).filter(|file| is_weighed[*file] && is_usual(*file)) {
        let share = libm::sqrt(n_users.get(&file).copied().unwrap_or_default() / most);
        rank[file] *= NOT_NAMED + (1.0 - NOT_NAMED) * (share / NAMED_BY_MANY).min(1.0);
    }
    raise_used(rank, n_users, |file| factors[file]);
}

/// Raises the ranks of files by the number of their users outside.
fn raise_used(rank: &mut [f64], n_users: BTreeMap<usize, f64>, factor: impl Fn(usize) -> f64) {
    let best = rank.iter().copied().fold(0.0, f64::max);
    let most = n_users.values().copied().fold(MANY_USERS, f64::max);
    for (file, n) in n_users {
        let least = FRONT_DOOR * best * factor(file) * libm::sqrt(n / most);
        rank[file] = rank[file].max(least);
    }
}

/// Reports whether the name of a file ends with one of some extensions.
pub(super) fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// Reports whether an entry point defines little itself.
pub(super) fn is_index(entry: &IndexEntry) -> bool {
    entry.depth.outline.items.len() <= MOST_OF_INDEX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_an_earlier_version_count_half() {
        let tree = Tree::of_paths(&[
            "shop/cart.py",
            "shop/price.py",
            "shop/types.py",
            "shop/v1/cart.py",
            "shop/v1/price.py",
            "shop/v1/types.py",
            "src/v3/a.ts",
            "src/v4/a.ts",
            "api/v1/pods.py",
            "api/pods.py",
        ]);
        let factors = factors(&tree);
        let of = |path: &str| factors[tree.position(path).unwrap()];
        assert_eq!(of("shop/v1/cart.py"), EARLIER * of("shop/cart.py"));
        assert_eq!(of("src/v3/a.ts"), EARLIER * of("src/v4/a.ts"));
        assert_eq!(of("api/v1/pods.py"), of("api/pods.py"), "one name may be of something else");
    }
}
