//! Imports resolved to the files of packages, by the names that files declare.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::score::first_pass::{FileFacts, imports_by_name, is_go_module, is_own_name};
use crate::score::resolver::joined;
use crate::source::scan::Tree;

/// The maximum number of files of a package that an import may resolve to.
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

/// The files of namespaces, packages and modules, by the names that they declare.
pub(super) struct NamedPackages<'a> {
    /// The package of each file, or nothing.
    of_file: Vec<&'a str>,
    /// Files by the name of the package and their own, as a class of their name has it.
    by_name: HashMap<String, Vec<u32>>,
    /// Files by the name of the package.
    by_package: HashMap<&'a str, Vec<u32>>,
}

impl<'a> NamedPackages<'a> {
    pub(super) fn of(tree: &'a Tree, facts: &'a [FileFacts]) -> NamedPackages<'a> {
        let mut packages = NamedPackages {
            of_file: Vec::with_capacity(facts.len()),
            by_name: HashMap::new(),
            by_package: HashMap::new(),
        };
        for ((file, facts), at) in tree.files.iter().zip(facts).zip(0..) {
            let is_named = imports_by_name(&file.path) && !facts.package.is_empty();
            let package = if is_named { facts.package.as_str() } else { "" };
            packages.of_file.push(package);
            if !is_named {
                continue;
            }
            let name = match is_own_name(&file.path) {
                true => package.to_owned(),
                false => {
                    packages.by_package.entry(package).or_default().push(at);
                    format!("{package}.{}", stem(&file.path))
                }
            };
            packages.by_name.entry(name).or_default().push(at);
        }
        packages
    }

    /// Returns the files that an import by name means: those of a class or a module, of the class
    /// around a nested one, or all of a package; none for what no file here declares. `None` if
    /// the import is a path, or if the file is of a language whose files declare no names here.
    pub(super) fn resolve(&self, from: u32, path: &str, import: &str) -> Option<Vec<u32>> {
        // `require 'config.php'` is a path, too.
        let is_path = import.contains('/') || import.ends_with(".php");
        let has_names = !self.by_name.is_empty() || is_own_name(path);
        if !imports_by_name(path) || !has_names || is_path {
            return None;
        }
        let name = import.trim_start_matches('\\').replace('\\', ".");
        let name = name.trim_end_matches(".*").trim_end_matches("._");
        let own = self.of_file[from as usize];
        let nested = format!("{own}.{name}");
        // In Haskell a module is imported whole.
        let outer = name.rsplit_once('.').filter(|_| !path.ends_with(".hs"));
        let around = outer.map_or("", |(around, _)| around);
        let files = [name, &nested, around].iter().find_map(|name| self.by_name.get(*name));
        let of_package = || [name, around].iter().find_map(|name| self.by_package.get(*name));
        let files = files.or_else(of_package).filter(|files| files.len() <= MAX_PACKAGE);
        Some(files.cloned().unwrap_or_default())
    }
}

/// Reports whether code of one file can name a type or function of another without its package:
/// both are of one package, the one is of a namespace within that of the other, or it imports it.
/// A file that declares no package, and one of another kind of language, is open to all.
pub(super) fn can_name(
    tree: &Tree,
    facts: &[FileFacts],
    imports: &[(u32, f64)],
    (from, to): (usize, usize),
) -> bool {
    let package = |file: usize| {
        let path = &tree.files[file].path;
        let is_named = imports_by_name(path) && !is_own_name(path);
        is_named.then_some(facts[file].package.as_str()).filter(|package| !package.is_empty())
    };
    let (Some(own), Some(other)) = (package(from), package(to)) else { return true };
    let inner = own.strip_prefix(other);
    let is_within = inner.is_some_and(|inner| inner.is_empty() || inner.starts_with('.'));
    is_within || imports.binary_search_by_key(&(to as u32), |(file, _)| *file).is_ok()
}

/// The name of a file up to its first dot: `Strings.jvm.kt` is one of the files of `Strings`.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_found_by_their_namespaces_and_not_by_their_folders() {
        let tree = Tree::of_paths(&[
            "app/Model.php",
            "src/Collections/Collection.php",
            "src/Database/Collection.php",
            "src/Support/Str.php",
            "util/common/Hex.kt",
            "util/jvm/Hex.jvm.kt",
            "x/status.ex",
        ]);
        let named = |package: &str| FileFacts { package: package.into(), ..FileFacts::default() };
        let names =
            ["App", "A.Support", "A.Database", "A.Support", "io.util", "io.util", "P.Status"];
        let facts: Vec<FileFacts> = names.map(named).into();
        let packages = NamedPackages::of(&tree, &facts);
        let resolve = |import: &str| packages.resolve(0, "app/Model.php", import);
        assert_eq!(resolve("A\\Support\\Collection"), Some(vec![1]));
        assert_eq!(resolve("A\\Support\\Collection\\Inner"), Some(vec![1]), "a nested class");
        assert_eq!(resolve("A\\Support\\value"), Some(vec![1, 3]), "a function of the namespace");
        assert_eq!(resolve("B\\Database\\Collection"), Some(vec![]), "of another project");
        assert_eq!(resolve("./Model.php"), None, "a path");
        assert_eq!(resolve("Model.php"), None, "a path");
        assert_eq!(packages.resolve(1, "src/Collections/Collection.php", "Str"), Some(vec![3]));
        assert_eq!(packages.resolve(0, "Main.kt", "io.util.*"), Some(vec![4, 5]));
        assert_eq!(packages.resolve(0, "Main.kt", "io.util.Hex"), Some(vec![4, 5]));
        assert_eq!(packages.resolve(0, "x/conn.ex", "P.Status"), Some(vec![6]));
        assert_eq!(packages.resolve(0, "a.py", "io.util.Hex"), None);
        assert_eq!(packages.resolve(0, "x/conn.ex", "P.Status.Code"), Some(vec![6]), "nested");
        assert_eq!(packages.resolve(0, "Main.hs", "P.Status.Code"), Some(vec![]), "whole");
        let unnamed = vec![FileFacts::default(); tree.files.len()];
        let unnamed = NamedPackages::of(&tree, &unnamed);
        assert_eq!(
            unnamed.resolve(0, "Main.hs", "Hex.Text"),
            Some(vec![]),
            "no module is declared"
        );
        assert_eq!(
            unnamed.resolve(0, "Main.hs", "Text.Hex"),
            Some(vec![]),
            "no module is declared"
        );
        assert_eq!(unnamed.resolve(0, "Main.kt", "io.util.Hex"), None, "no package is declared");
    }

    #[test]
    fn code_names_what_its_package_and_its_imports_declare() {
        let tree = Tree::of_paths(&["A.cs", "B.cs", "C.cs", "D.cs", "e.py"]);
        let named = |package: &str| FileFacts { package: package.into(), ..FileFacts::default() };
        let facts: Vec<FileFacts> = ["X.Y", "X", "X.Yard", "", "X.Z"].map(named).into();
        let can_name = |from, to| can_name(&tree, &facts, &[(2, 1.0)], (from, to));
        assert!(can_name(0, 1), "of the namespace around");
        assert!(!can_name(1, 0), "of a namespace within");
        assert!(can_name(0, 2), "imported");
        assert!(!can_name(2, 0), "of another namespace");
        assert!(can_name(0, 3) && can_name(3, 0) && can_name(0, 4), "no namespace");
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
