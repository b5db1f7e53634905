//! Imports resolved to the files of packages, by the names that files declare.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::score::first_pass::{FileFacts, is_go_module};
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

#[cfg(test)]
mod tests {
    use super::*;

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
