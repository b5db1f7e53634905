//! Imports resolved to files by the parts of their paths.

use std::collections::HashMap;

use crate::score::data_paths::is_code;
use crate::score::families::family;
use crate::score::includes::is_header;
use crate::source::scan::Tree;

/// The maximum number of files that an import may resolve to; with more it is ignored.
const MAX_TARGETS: usize = 12;
/// The maximum number of files of one name among which the nearest are looked for; of more, the
/// name says nothing.
const MAX_NAMED: usize = 1_000;

/// Resolves an import to files by the parts of their paths.
pub(super) struct Resolver<'a> {
    paths: Vec<Vec<&'a str>>,
    names: Vec<&'a str>,
    families: Vec<Option<&'static str>>,
    /// Files by the last part of their paths, sorted by their parts from the last one on.
    by_last: HashMap<&'a str, Vec<u32>>,
    /// Files by the names of the two folders around them.
    by_package: HashMap<[&'a str; 2], Vec<u32>>,
    by_path: HashMap<&'a str, u32>,
    /// Extensions and files by the path without its extension.
    by_stem: HashMap<&'a str, Vec<(&'a str, u32)>>,
}

/// Extensions that imports of TypeScript write for files with another one.
const COMPILED: &[&str] = &[".js", ".mjs", ".cjs", ".jsx"];

/// The headers of C's standard library. A project has one of them only if it is such a library.
const STANDARD: &[&str] = &[
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
];

/// The extensions of modules of Python.
const MODULES: &[&str] = &["py", "pyi", "pyx"];

/// File names that represent their folder.
const INDEX_NAMES: &[&str] = &["__init__", "mod", "index", "lib", "main", "init"];

impl<'a> Resolver<'a> {
    pub(super) fn of(tree: &'a Tree) -> Resolver<'a> {
        let mut resolver = Resolver {
            paths: Vec::new(),
            names: Vec::new(),
            families: Vec::new(),
            by_last: HashMap::new(),
            by_package: HashMap::new(),
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
            let last_folder = folder.rsplit('/').next().unwrap_or_default();
            if let [.., above, around, _] = parts[..]
                && around == last_folder
            {
                resolver.by_package.entry([above, around]).or_default().push(at);
            }
            resolver.paths.push(parts);
            resolver.names.push(name);
            resolver.families.push(family(&file.path));
        }
        let Resolver { by_last, paths, .. } = &mut resolver;
        let from_last = |file: &u32| paths[*file as usize].iter().rev();
        by_last.values_mut().for_each(|files| {
            files.sort_by(|one, other| from_last(one).cmp(from_last(other)));
        });
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
        let is_python = [".py", ".pyi"].iter().any(|extension| from.ends_with(extension));
        if is_python && import.starts_with('.') {
            return self.within_package(folder, import).into_iter().collect();
        }
        let of_family = family(from);
        if of_family == Some("c") && STANDARD.contains(&import) {
            let own = self.by_path.get(&*format!("include/{import}"));
            return own.copied().into_iter().collect();
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
        let name = import.rsplit('/').next().unwrap_or(import);
        // The last part may be a name within the file instead of the file.
        for parts in [&parts[..], &parts[..parts.len().saturating_sub(1)]] {
            let meant = |file: u32| {
                self.can_mean(of_family, name, file)
                    && (!is_python || self.begins_a_package(file, parts))
            };
            let found = self.ending_with(folder, parts, (name, is_relative), meant);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// Returns the file that a relative import of Python means: one dot is the own folder, each
    /// further one the folder around. The last part may be a name within the file.
    fn within_package(&self, folder: &str, import: &str) -> Option<u32> {
        let names = import.trim_start_matches('.');
        let ups = "../".repeat(import.len() - names.len() - 1);
        let path = joined(folder, &format!("{ups}{}", names.replace('.', "/")))?;
        let around = path.rsplit_once('/').map_or("", |(around, _)| around);
        [path.as_str(), around].iter().find_map(|path| {
            let index = format!("{path}/__init__");
            let stems = [path, index.trim_start_matches('/')];
            let files = stems.iter().filter_map(|stem| self.by_stem.get(stem)).flatten();
            let mut modules = files.filter(|(extension, _)| MODULES.contains(extension));
            modules.next().map(|(_, file)| *file)
        })
    }

    /// Reports whether code of a family can mean a file by a name that is not its path: a file of
    /// the same family, or one that is called exactly so. A header is called as it is included, or
    /// made from a template (`config.h.in`). `svelte.config.js` is no module `svelte`.
    fn can_mean(&self, from: Option<&str>, name: &str, file: u32) -> bool {
        let own = self.names[file as usize];
        if own == name {
            return true;
        }
        if matches!(from, None | Some("c")) && is_header(name) {
            return own.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        }
        if from == Some("javascript") {
            let end = own.split_once('.').map_or("", |(_, end)| end);
            if end.contains('.') && !end.starts_with("d.") {
                return false;
            }
        }
        match (from, self.families[file as usize]) {
            (None, _) => true,
            (_, None) => {
                let extension = own.rsplit('.').next().unwrap_or(own);
                is_code(extension) || MODULES.contains(&extension)
            }
            // Modules of these can be written in a language that is compiled.
            (Some("lua" | "python" | "ruby"), Some("c" | "rust")) => true,
            (from, of) => from == of,
        }
    }

    /// Reports whether what an import of Python says of a path is all of it, but for folders that
    /// are no packages: `typing` is not `shop/typing.py` where there is a `shop/__init__.py`.
    fn begins_a_package(&self, file: u32, parts: &[&str]) -> bool {
        let path = &self.paths[file as usize];
        let n_same = path.iter().rev().zip(parts.iter().rev()).take_while(|(a, b)| a == b).count();
        let above = path[..path.len() - n_same].join("/");
        above.is_empty() || !self.by_path.contains_key(&*format!("{above}/__init__.py"))
    }

    /// Returns the files that a relative path without its extension means: the one with the
    /// extension of the file that imports it, else all, else the index of a folder.
    fn beside(&self, from: &str, folder: &str, import: &str) -> Vec<u32> {
        let is_path = import.starts_with("./") || import.starts_with("../") || import == "..";
        let Some(path) = joined(folder, import).filter(|_| is_path) else { return Vec::new() };
        let source = COMPILED.iter().find_map(|end| path.strip_suffix(end));
        let index = format!("{path}/index");
        let stems = [Some(path.as_str()), source, Some(index.trim_start_matches('/'))];
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

    /// Returns the files whose paths end with the most of these parts; of several, those with that
    /// `name`, and of these those nearest to `folder`.
    fn ending_with(
        &self,
        folder: &str,
        parts: &[&str],
        (name, is_relative): (&str, bool),
        is_meant: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
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
        // Those with the most parts in common stand around the place of the parts themselves.
        let is_before = |file: &u32| self.paths[*file as usize].iter().rev().lt(parts.iter().rev());
        let (before, after) = files.split_at(files.partition_point(is_before));
        let beside = before.last().into_iter().chain(after.first());
        let best = beside.map(|file| common(*file)).max().unwrap_or(0);
        let start = before.partition_point(|file| common(*file) < best);
        let n_after = after.partition_point(|file| common(*file) == best);
        let found = &files[start..before.len() + n_after];
        if best > 0 && (best == parts.len() || best >= 2) && found.len() <= MAX_NAMED {
            let mut found: Vec<u32> =
                found.iter().copied().filter(|file| is_meant(*file)).collect();
            found.sort_unstable();
            let is_named = |file: &u32| self.names[*file as usize] == name;
            if found.iter().any(is_named) {
                found.retain(is_named);
            }
            if best == 1 && found.len() > 1 || found.len() > MAX_TARGETS || is_relative {
                let nearest = found.iter().map(|file| near(*file)).max().unwrap_or(0);
                found.retain(|file| near(*file) == nearest);
            }
            if found.len() <= 3 || best >= 2 && found.len() <= MAX_TARGETS {
                return found;
            }
        }
        // In Go, Java and similar languages a package is a folder.
        let [.., above, around] = parts else { return Vec::new() };
        let in_package = self.by_package.get(&[*above, *around]);
        let files = in_package.filter(|files| files.len() <= 4 * MAX_TARGETS);
        files.into_iter().flatten().copied().filter(|file| is_meant(*file)).collect()
    }
}

/// Resolves a relative path against a folder; `None` when it leaves the tree.
pub(super) fn joined(folder: &str, path: &str) -> Option<String> {
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
            "shop/stock.cpp",
            "shop/stock.h",
            "shop/stock.py",
            "test/stock.cpp",
            "y.ts",
            "z/fast.pyx",
            "z/slow.js",
            "z/slow/__init__.py",
            "docs/typing.md",
            "fs/string.pony",
            "include/stdio.h",
            "index.js",
            "linux/include/stddef.h",
            "out/conf.h.in",
            "ui/vite.config.js",
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
        assert_eq!(resolve("app/z.py", "models"), [""; 0], "it is in a package");
        assert_eq!(resolve("app/db/z.py", ".models.Model"), ["app/db/models.py"]);
        assert_eq!(resolve("app/db/z.py", "..db"), ["app/db/__init__.py"]);
        assert_eq!(resolve("app/db/z.py", "...app.cart"), ["app/__init__.py"]);
        assert_eq!(resolve("app/z.py", ".models"), ["app/__init__.py"], "a name in it");
        assert_eq!(resolve("z/a.py", ".fast.sort"), ["z/fast.pyx"]);
        assert_eq!(resolve("z/a.py", ".slow"), ["z/slow/__init__.py"]);
        assert_eq!(resolve("fs/a.c", "linux/fs.h"), ["include/linux/fs.h"]);
        assert_eq!(resolve("src/a.js", "../lib/x"), ["lib/x.js"]);
        assert_eq!(resolve("src/main.rs", "crate::scan::walk"), ["src/scan.rs"]);
        assert_eq!(resolve("src/a.js", "react"), [""; 0]);
        assert_eq!(resolve("ui/a.cpp", "stock.h"), ["shop/stock.h"], "of many with that stem");
        assert_eq!(resolve("z.py", "typing"), [""; 0], "no page");
        assert_eq!(resolve("fs/a.c", "string.h"), [""; 0], "no file of another language");
        assert_eq!(resolve("fs/a.c", "stddef.h"), [""; 0], "of the standard library");
        assert_eq!(resolve("fs/a.c", "stdio.h"), ["include/stdio.h"], "of a standard library");
        assert_eq!(resolve("fs/a.c", "conf.h"), ["out/conf.h.in"]);
        assert_eq!(resolve("src/a.js", "vite"), [""; 0], "no settings");
        assert_eq!(resolve("test/a.js", ".."), ["index.js"]);
    }

    #[test]
    fn a_name_of_very_many_files_means_none() {
        let paths = |n: usize| (0..n).map(|at| format!("d{at}/cart.rs")).collect::<Vec<_>>();
        let resolve = |n: usize| {
            let paths = paths(n);
            let tree = Tree::of_paths(&paths.iter().map(String::as_str).collect::<Vec<_>>());
            Resolver::of(&tree).resolve("d7/x/y.rs", "cart").len()
        };
        assert_eq!([MAX_NAMED, MAX_NAMED + 1].map(resolve), [1, 0]);
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
}
