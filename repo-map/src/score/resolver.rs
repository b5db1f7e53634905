//! Imports resolved to files: by the parts of their paths, and by the modules of Go.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::score::first_pass::{FileFacts, is_go_module};
use crate::source::scan::Tree;

/// The maximum number of files that an import may resolve to; with more it is ignored.
const MAX_TARGETS: usize = 12;
/// The same for a package of Go, whose name is exact.
const MAX_PACKAGE: usize = 100;

/// The packages of Go by the names of their modules.
pub(super) struct GoPackages<'a> {
    /// The name of each module with its folder, longest names first.
    modules: Vec<(&'a str, &'a str)>,
    /// The files of each package but its tests, by folder.
    packages: HashMap<&'a str, Vec<u32>>,
}

impl<'a> GoPackages<'a> {
    pub(super) fn of(tree: &'a Tree, facts: &'a [FileFacts]) -> GoPackages<'a> {
        let mut modules = Vec::new();
        let mut packages: HashMap<&str, Vec<u32>> = HashMap::new();
        for ((file, facts), at) in tree.files.iter().zip(facts).zip(0..) {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            if is_go_module(&file.path) && !facts.package.is_empty() {
                modules.push((facts.package.as_str(), folder));
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
    pub(super) fn resolve(&self, from: &str, import: &str) -> Option<Vec<u32>> {
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
pub(super) struct Resolver<'a> {
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
    pub(super) fn of(tree: &'a Tree) -> Resolver<'a> {
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

    pub(super) fn resolve(&self, from: &str, import: &str) -> Vec<u32> {
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
        // The last part may be a name within the file instead of the file, in Haskell never.
        let n_least =
            if from.ends_with(".hs") { parts.len() } else { parts.len().saturating_sub(1) };
        for parts in [&parts[..], &parts[..n_least]] {
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
        assert_eq!(resolve("Main.hs", "Scan.Text"), [""; 0]);
        assert_eq!(resolve("Main.hs", "Text.Scan"), [""; 0]);
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
        let module = |package: &str| FileFacts { package: package.into(), ..FileFacts::default() };
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
}
