//! The graph of dependencies between files: imports resolved by path, and PageRank over it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::score::first_pass::{FileFacts, global_name, is_go_module};
use crate::score::identifiers::is_shell_script;
use crate::score::index::IndexEntry;
use crate::score::words;
use crate::source::cache::{self, PackKind};
use crate::source::scan::Tree;
use crate::source::shared_pack::SharedPack;

/// The maximum number of files that an import may resolve to; with more it is ignored.
const MAX_TARGETS: usize = 12;
/// The same for a package of Go, whose name is exact.
const MAX_PACKAGE: usize = 100;
/// PageRank: the share that follows edges, and the number of rounds (Page et al. 1999 use 0.85).
const DAMPING: f64 = 0.85;
const ROUNDS: usize = 30;

/// The pack of the graph, stored as a whole.
pub(crate) const IMPORTS: PackKind =
    PackKind { name: "imports", most: 256 << 20, one_in: cache::ANY };
const ALL: &str = "imports";

/// Weighted edges from each file to those it depends on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    /// For each file, its targets and their weights, sorted by target. Graphs of one tree share it.
    imports: Arc<Vec<Edges>>,
    /// All edges of the files that have more than those.
    extended: BTreeMap<usize, Edges>,
}

/// The targets of one file and their weights, sorted by target.
type Edges = Vec<(u32, f64)>;

impl Graph {
    /// Returns the graph of imports over the whole tree, read from the pack if the imports are the
    /// same, otherwise resolved and stored.
    pub(crate) fn of_imports(tree: &Tree, facts: &[FileFacts], pack: &SharedPack) -> Graph {
        let mut all = blake3::Hasher::new();
        for (file, facts) in tree.files.iter().zip(facts) {
            for text in [&file.path, &facts.imports] {
                all.update(&text.len().to_le_bytes()).update(text.as_bytes());
            }
        }
        let all = all.finalize();
        let known = pack.now();
        let kept: Option<Vec<Edges>> =
            known.get(ALL, &all).and_then(|edges| postcard::from_bytes(edges).ok());
        if let Some(edges) = kept.filter(|edges| are_of(edges, tree.files.len())) {
            return Graph::new(edges);
        }
        let edges = resolved(tree, facts);
        if known.is_kept() {
            drop(known);
            let bytes = postcard::to_stdvec(&edges).unwrap_or_default();
            pack.change(|pack| pack.put(ALL, None, all, bytes));
        }
        Graph::new(edges)
    }

    fn new(imports: Vec<Edges>) -> Graph {
        Graph { imports: Arc::new(imports), extended: BTreeMap::new() }
    }

    /// The targets of a file and their weights, sorted by target.
    pub(crate) fn edges_of(&self, file: usize) -> &[(u32, f64)] {
        self.extended.get(&file).unwrap_or_else(|| &self.imports[file])
    }

    /// The targets of a file's imports and their weights, sorted by target.
    pub(crate) fn imports_of(&self, file: usize) -> &[(u32, f64)] {
        &self.imports[file]
    }

    /// The edges of every file, in the order of the tree.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        (0..self.imports.len()).map(|file| self.edges_of(file))
    }

    /// Adds edges of another kind.
    pub(crate) fn add(&mut self, file: usize, targets: Vec<(u32, f64)>) {
        let mut all = self.edges_of(file).to_vec();
        all.extend(targets);
        self.extended.insert(file, merged(all));
    }

    /// Adds edges of references between the files judged in depth: from a file that uses a name to
    /// the files that define it. Functions of shell scripts are used by shell scripts alone.
    pub(crate) fn add_references(
        &mut self,
        tree: &Tree,
        entries: &BTreeMap<usize, IndexEntry>,
        facts: &[FileFacts],
    ) {
        const MOST_DEFINERS: usize = 5;
        let is_shell = |file: usize| is_shell_script(&tree.files[file].path);
        let mut definers: HashMap<&str, Vec<u32>> = HashMap::new();
        for (file, entry) in entries {
            for name in entry.names_for_others() {
                definers.entry(name).or_default().push(*file as u32);
            }
        }
        for (file, entry) in entries {
            let mut targets = Vec::new();
            let global: Vec<&str> = facts[*file].imports.lines().filter_map(global_name).collect();
            for (word, n) in &entry.depth.identifiers {
                let files = definers.get(word.as_str()).filter(|_| !global.contains(&&**word));
                let files = files.filter(|files| files.len() <= MOST_DEFINERS);
                let Some(files) = files else { continue };
                let can_use = |target: usize| !is_shell(target) || is_shell(*file);
                let looks_like_code =
                    if words::looks_like_identifier(word) && word.len() >= 8 { 1.0 } else { 0.2 };
                let weight = looks_like_code * libm::sqrt(f64::from(*n)) / files.len() as f64;
                targets.extend(
                    files
                        .iter()
                        .filter(|target| **target as usize != *file && can_use(**target as usize))
                        .map(|target| (*target, weight)),
                );
            }
            self.add(*file, targets);
        }
    }

    /// Computes PageRank with a restart distribution that need not be normalised. Sums run in file
    /// order, so that the result is the same on every machine.
    pub(crate) fn page_rank(&self, restart: &[f64]) -> Vec<f64> {
        let n = self.imports.len();
        let total: f64 = restart.iter().sum();
        if n == 0 || total <= 0.0 {
            return vec![0.0; n];
        }
        let restart: Vec<f64> = restart.iter().map(|weight| weight / total).collect();
        let edges: Vec<&[(u32, f64)]> = self.edges().collect();
        let out: Vec<f64> =
            edges.iter().map(|edges| edges.iter().map(|(_, weight)| weight).sum()).collect();
        let mut rank = restart.clone();
        for _ in 0..ROUNDS {
            let mut next = vec![0.0; n];
            let mut lost = 0.0;
            for (file, edges) in edges.iter().enumerate() {
                if edges.is_empty() {
                    lost += rank[file];
                }
                for (target, weight) in *edges {
                    next[*target as usize] += rank[file] * weight / out[file];
                }
            }
            for (next, restart) in next.iter_mut().zip(&restart) {
                *next = DAMPING * (*next + lost * restart) + (1.0 - DAMPING) * restart;
            }
            rank = next;
        }
        rank
    }
}

/// Whether edges could be those of so many files: what was read from a pack may be anything.
fn are_of(edges: &[Edges], n_files: usize) -> bool {
    let is_edge = |(target, weight): &(u32, f64)| {
        (*target as usize) < n_files && weight.is_normal() && *weight > 0.0
    };
    edges.len() == n_files && edges.iter().flatten().all(is_edge)
}

fn resolved(tree: &Tree, facts: &[FileFacts]) -> Vec<Edges> {
    let resolver = Resolver::of(tree);
    let packages = GoPackages::of(tree, facts);
    facts
        .iter()
        .enumerate()
        .map(|(file, facts)| {
            let mut targets: Vec<(u32, f64)> = Vec::new();
            for import in facts.imports.lines().filter(|import| global_name(import).is_none()) {
                let path = &tree.files[file].path;
                let found = packages
                    .resolve(path, import)
                    .unwrap_or_else(|| resolver.resolve(path, import));
                let weight = 1.0 / found.len().max(1) as f64;
                targets.extend(
                    found
                        .into_iter()
                        .filter(|target| *target as usize != file)
                        .map(|target| (target, weight)),
                );
            }
            merged(targets)
        })
        .collect()
}

fn merged(mut targets: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    targets.sort_by_key(|(target, _)| *target);
    targets.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    targets
}

/// The packages of Go by the names of their modules.
struct GoPackages<'a> {
    /// The name of each module with its folder, longest names first.
    modules: Vec<(&'a str, &'a str)>,
    /// The files of each package but its tests, by folder.
    packages: HashMap<&'a str, Vec<u32>>,
}

impl<'a> GoPackages<'a> {
    fn of(tree: &'a Tree, facts: &'a [FileFacts]) -> GoPackages<'a> {
        let mut modules = Vec::new();
        let mut packages: HashMap<&str, Vec<u32>> = HashMap::new();
        for ((file, facts), at) in tree.files.iter().zip(facts).zip(0..) {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            if is_go_module(&file.path) && !facts.imports.is_empty() {
                modules.push((facts.imports.as_str(), folder));
            }
            if name.ends_with(".go") && !name.ends_with("_test.go") {
                packages.entry(folder).or_default().push(at);
            }
        }
        modules.sort_by_key(|(name, folder)| (Reverse(name.len()), *folder));
        GoPackages { modules, packages }
    }

    /// Returns the files of a package that a file of Go imports, none for a package of others;
    /// `None` if the file is of another language or no module is known.
    fn resolve(&self, from: &str, import: &str) -> Option<Vec<u32>> {
        if !from.ends_with(".go") || self.modules.is_empty() {
            return None;
        }
        let of_module = |(name, folder): &(&str, &str)| {
            let rest = import.strip_prefix(name)?;
            let is_below = rest.is_empty() || rest.starts_with('/');
            is_below.then(|| joined(folder, rest)).flatten()
        };
        let folder = self.modules.iter().find_map(of_module);
        let files = folder.and_then(|folder| self.packages.get(folder.as_str()));
        Some(files.filter(|files| files.len() <= MAX_PACKAGE).cloned().unwrap_or_default())
    }
}

/// Resolves an import to files by the parts of their paths.
struct Resolver<'a> {
    paths: Vec<Vec<&'a str>>,
    by_last: HashMap<&'a str, Vec<u32>>,
    by_folder: HashMap<&'a str, Vec<u32>>,
    by_path: HashMap<&'a str, u32>,
    /// Extensions and files by the path without its extension.
    by_stem: HashMap<&'a str, Vec<(&'a str, u32)>>,
}

/// Extensions that imports of TypeScript write for files with another one.
const COMPILED: &[&str] = &[".js", ".mjs", ".cjs", ".jsx"];

/// File names that represent their folder.
const INDEX_NAMES: &[&str] = &["__init__", "mod", "index", "lib", "main", "init"];

impl<'a> Resolver<'a> {
    fn of(tree: &'a Tree) -> Resolver<'a> {
        let mut resolver = Resolver {
            paths: Vec::new(),
            by_last: HashMap::new(),
            by_folder: HashMap::new(),
            by_path: HashMap::new(),
            by_stem: HashMap::new(),
        };
        for (file, at) in tree.files.iter().zip(0..) {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let stem = name
                .split_once('.')
                .map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
            let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
            if !INDEX_NAMES.contains(&stem) || parts.is_empty() {
                parts.push(stem);
            }
            if let Some(last) = parts.last() {
                resolver.by_last.entry(last).or_default().push(at);
            }
            resolver.by_path.insert(&file.path, at);
            if let Some((stem, extension)) = file.path.rsplit_once('.')
                && !extension.contains('/')
            {
                resolver.by_stem.entry(stem).or_default().push((extension, at));
            }
            resolver.paths.push(parts);
            let last_folder = folder.rsplit('/').next().unwrap_or_default();
            if !last_folder.is_empty() {
                resolver.by_folder.entry(last_folder).or_default().push(at);
            }
        }
        resolver
    }

    fn resolve(&self, from: &str, import: &str) -> Vec<u32> {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        // A path with its extension, relative to the folder or the root, is the simplest case.
        for base in [folder, ""] {
            if let Some(file) =
                joined(base, import).and_then(|path| self.by_path.get(path.as_str()).copied())
            {
                return vec![file];
            }
        }
        let beside = self.beside(from, folder, import);
        if !beside.is_empty() {
            return beside;
        }
        let is_relative = import.starts_with('.');
        let extension = import.rsplit_once('.').filter(|(rest, end)| {
            (rest.contains('/') || end.len() <= 3) && !end.contains('/') && !end.is_empty()
        });
        let body =
            extension.map_or(import, |(rest, _)| if import.contains('/') { rest } else { import });
        let parts: Vec<&str> = body
            .split(['/', '.', ':', '\\'])
            .filter(|part| {
                !part.is_empty() && !matches!(*part, "crate" | "self" | "super" | "*" | "@" | "~")
            })
            .collect();
        // The last part may be a name within the file instead of the file.
        for parts in [&parts[..], &parts[..parts.len().saturating_sub(1)]] {
            let found = self.ending_with(folder, parts, is_relative);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Returns the files that a relative path without its extension means: the one with the
    /// extension of the file that imports it, else all, else the index of a folder.
    fn beside(&self, from: &str, folder: &str, import: &str) -> Vec<u32> {
        let is_path = import.starts_with("./") || import.starts_with("../");
        let Some(path) = joined(folder, import).filter(|_| is_path) else { return Vec::new() };
        let source = COMPILED.iter().find_map(|end| path.strip_suffix(end));
        let index = format!("{path}/index");
        let stems = [Some(path.as_str()), source, Some(&index)];
        let Some(files) = stems.into_iter().flatten().find_map(|stem| self.by_stem.get(stem))
        else {
            return Vec::new();
        };
        let own = from.rsplit_once('.').map_or("", |(_, extension)| extension);
        match files.iter().find(|(extension, _)| *extension == own) {
            Some((_, file)) => vec![*file],
            None => files.iter().map(|(_, file)| *file).collect(),
        }
    }

    /// Returns the files whose paths end with the most of these parts; of several, those nearest to
    /// `folder`.
    fn ending_with(&self, folder: &str, parts: &[&str], is_relative: bool) -> Vec<u32> {
        let Some(last) = parts.last() else { return Vec::new() };
        let common = |file: u32| {
            let file = &self.paths[file as usize];
            file.iter().rev().zip(parts.iter().rev()).take_while(|(a, b)| a == b).count()
        };
        let near = |file: u32| {
            let path = &self.paths[file as usize];
            folder.split('/').zip(path).take_while(|(a, b)| a == *b).count()
        };
        let files = self.by_last.get(last).map_or(&[][..], Vec::as_slice);
        let best = files.iter().map(|file| common(*file)).max().unwrap_or(0);
        if best > 0 && (best == parts.len() || best >= 2) {
            let mut found: Vec<u32> =
                files.iter().copied().filter(|file| common(*file) == best).collect();
            if best == 1 && found.len() > 1 || found.len() > MAX_TARGETS || is_relative {
                let nearest = found.iter().map(|file| near(*file)).max().unwrap_or(0);
                found.retain(|file| near(*file) == nearest);
            }
            if found.len() <= 3 || best >= 2 && found.len() <= MAX_TARGETS {
                return found;
            }
        }
        // In Go, Java and similar languages a package is a folder.
        let files = self.by_folder.get(last).map_or(&[][..], Vec::as_slice);
        let in_package: Vec<u32> = files
            .iter()
            .copied()
            .filter(|file| {
                let path = &self.paths[*file as usize];
                let folders = &path[..path.len() - 1];
                parts.len() >= 2
                    && folders
                        .iter()
                        .rev()
                        .zip(parts.iter().rev())
                        .take_while(|(a, b)| a == b)
                        .count()
                        >= 2
            })
            .collect();
        if in_package.len() <= 4 * MAX_TARGETS { in_package } else { Vec::new() }
    }
}

/// Resolves a relative path against a folder; `None` when it leaves the tree.
fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_find_their_file() {
        let tree = Tree::of_paths(&[
            "app/__init__.py",
            "app/db/models.py",
            "app/db/__init__.py",
            "include/linux/fs.h",
            "lib/x.js",
            "src/a.js",
            "src/scan.rs",
            "y.ts",
        ]);
        let resolver = Resolver::of(&tree);
        let resolve = |from: &str, import: &str| -> Vec<&str> {
            resolver
                .resolve(from, import)
                .into_iter()
                .map(|file| tree.files[file as usize].path.as_str())
                .collect()
        };
        assert_eq!(resolve("z.py", "app.db.models"), ["app/db/models.py"]);
        assert_eq!(resolve("z.py", "app.db.models.Model"), ["app/db/models.py"]);
        assert_eq!(resolve("z.py", "app.db"), ["app/db/__init__.py"]);
        assert_eq!(resolve("fs/a.c", "linux/fs.h"), ["include/linux/fs.h"]);
        assert_eq!(resolve("src/a.js", "../lib/x"), ["lib/x.js"]);
        assert_eq!(resolve("src/main.rs", "crate::scan::walk"), ["src/scan.rs"]);
        assert_eq!(resolve("src/a.js", "react"), [""; 0]);
    }

    #[test]
    fn a_relative_path_without_an_extension_means_the_file_beside() {
        let tree = Tree::of_paths(&[
            "a/b/types.css",
            "a/b/types.ts",
            "a/b/x.ts",
            "a/types.ts",
            "a/ui/index.ts",
        ]);
        let resolver = Resolver::of(&tree);
        let resolve = |import: &str| resolver.resolve("a/b/x.ts", import);
        assert_eq!(resolve("./types"), [1]);
        assert_eq!(resolve("../types"), [3]);
        assert_eq!(resolve("./types.js"), [1], "as compiled");
        assert_eq!(resolve("../ui"), [4]);
    }

    #[test]
    fn packages_of_go_are_found_by_the_names_of_their_modules() {
        let tree = Tree::of_paths(&[
            "client/go.mod",
            "client/lease.go",
            "client/lease_test.go",
            "go.mod",
            "main.go",
            "server/lease/lessor.go",
            "store/open.go",
        ]);
        let module = |imports: &str| FileFacts { imports: imports.into(), ..FileFacts::default() };
        let facts: Vec<FileFacts> =
            ["x.org/app/client/v3", "", "", "x.org/app", "", "", ""].map(module).into();
        let packages = GoPackages::of(&tree, &facts);
        let resolve = |import: &str| packages.resolve("main.go", import);
        assert_eq!(resolve("x.org/app/client/v3"), Some(vec![1]));
        assert_eq!(resolve("x.org/app/store"), Some(vec![6]));
        assert_eq!(resolve("x.org/app/server/lease"), Some(vec![5]));
        assert_eq!(resolve("x.org/app"), Some(vec![4]));
        assert_eq!(resolve("x.org/apple/store"), Some(vec![]), "of another module");
        assert_eq!(packages.resolve("a.py", "store"), None);
    }

    #[test]
    fn rank_flows_to_what_is_leaned_on() {
        let graph = Graph::new(vec![vec![(2, 1.0)], vec![(2, 1.0)], vec![]]);
        let rank = graph.page_rank(&[1.0, 1.0, 1.0]);
        assert!(rank[2] > rank[0] && rank[0] == rank[1]);
    }
}
