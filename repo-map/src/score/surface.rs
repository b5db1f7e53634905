//! The public surface of a project, by files: what those who use it read before what those who
//! change it read. It decides ranks without a goal alone.

use std::collections::BTreeMap;

use crate::outline::{Item, ItemKind, language};
use crate::score::index::IndexEntry;
use crate::score::landmark::{Landmark, is_internal, is_own, is_upkeep};
use crate::score::role::Role;
use crate::score::signals::Sources;
use crate::source::scan::{FileEntry, Tree};

/// The factors for files that a project keeps to itself, and for those that only keep it up.
const INTERNAL: f64 = 0.5;
const UPKEEP: f64 = 0.3;
/// The factor for files of a version that a later one stands beside.
const EARLIER: f64 = 0.5;
/// The least rank of a file with so many functions that are handed on, as a part of the best rank.
const FRONT_DOOR: f64 = 0.6;
const MANY_FUNCTIONS: f64 = 8.0;
/// The maximum number of items of an entry point that is an index.
const MOST_OF_INDEX: usize = 30;
/// The names of files in which a package begins, and no program.
const INDEXES: &[&str] = &["__init__", "index", "lib"];
/// Languages that are no programs, or that stand beside those of any other one.
const NO_PROGRAMS: &[&str] = &[
    "asciidoc",
    "css",
    "dockerfile",
    "html",
    "json",
    "make",
    "markdown",
    "protobuf",
    "rdoc",
    "rst",
    "sql",
    "toml",
    "yaml",
];
/// The extensions of headers of C and C++.
pub(super) const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx"];

/// Returns the factor of each file.
pub(super) fn factors(tree: &Tree) -> Vec<f64> {
    let inner = inner_headers(tree);
    let of_languages = factors_of_languages(tree);
    let last = last_versions(tree);
    let of_file = |(at, file): (usize, &FileEntry)| {
        let is_inside = is_internal(&file.path) || inner.get(at).is_some_and(|is_inner| *is_inner);
        let inside = if is_inside { INTERNAL } else { 1.0 };
        let upkeep = if is_upkeep(&file.path) { UPKEEP } else { 1.0 };
        let is_earlier = versions(&file.path)
            .any(|(folder, version)| last.get(folder).is_some_and(|last| version < *last));
        let earlier = if is_earlier { EARLIER } else { 1.0 };
        inside * upkeep * earlier * of_languages.get(&family(&file.path)).copied().unwrap_or(1.0)
    };
    tree.files.iter().enumerate().map(of_file).collect()
}

/// Returns the last version that each folder has of what is in it: `src/v3` and `src/v4`.
fn last_versions(tree: &Tree) -> BTreeMap<&str, u32> {
    let mut last: BTreeMap<&str, u32> = BTreeMap::new();
    for (folder, version) in tree.files.iter().flat_map(|file| versions(&file.path)) {
        let seen = last.entry(folder).or_default();
        *seen = version.max(*seen);
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

/// Returns the family of programming languages of a file; `None` for text that is no program.
fn family(path: &str) -> Option<&'static str> {
    match language::of_path(path)?.name {
        "c" | "cpp" => Some("c"),
        "java" | "kotlin" | "scala" => Some("java"),
        "javascript" | "tsx" | "typescript" => Some("javascript"),
        "ocaml" | "ocaml-interface" => Some("ocaml"),
        name if NO_PROGRAMS.contains(&name) => None,
        name => Some(name),
    }
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

/// Reports whether the name of a file ends with one of some extensions.
pub(super) fn has_extension(path: &str, extensions: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// Reports whether an entry point defines little itself.
pub(super) fn is_index(entry: &IndexEntry) -> bool {
    entry.depth.outline.items.len() <= MOST_OF_INDEX
}
