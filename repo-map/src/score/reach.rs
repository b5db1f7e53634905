//! What code can name: in Python the files that it imports, and those that the `__init__` of a
//! package hands on; in other languages all files of their family.

use std::collections::BTreeSet;

use crate::score::families::family;
use crate::source::scan::Tree;

/// The name of the files that hand on what they import.
const INDEX: &str = "__init__.py";

/// The files that each file can name.
pub(super) struct NameReach<'a> {
    tree: &'a Tree,
    imports: &'a [Vec<(u32, f64)>],
}

/// The files that one file can name.
pub(super) enum Nameable {
    All,
    OfFamily(&'static str),
    Imported(BTreeSet<u32>),
}

impl<'a> NameReach<'a> {
    /// Takes the targets of the imports of each file.
    pub(super) fn new(tree: &'a Tree, imports: &'a [Vec<(u32, f64)>]) -> NameReach<'a> {
        NameReach { tree, imports }
    }

    pub(super) fn of(&self, file: usize) -> Nameable {
        match family(&self.tree.files[file].path) {
            None => Nameable::All,
            Some("python") => Nameable::Imported(self.imported(file as u32)),
            Some(family) => Nameable::OfFamily(family),
        }
    }

    /// Returns the files that a file imports, by itself or through an index.
    fn imported(&self, file: u32) -> BTreeSet<u32> {
        let mut all = BTreeSet::new();
        let mut open = vec![file];
        while let Some(from) = open.pop() {
            for (target, _) in &self.imports[from as usize] {
                if all.insert(*target) && is_index(&self.tree.files[*target as usize].path) {
                    open.push(*target);
                }
            }
        }
        all
    }

    /// Reports whether code can name what stands in a file; what is no program is open to all.
    pub(super) fn can_name(&self, nameable: &Nameable, target: u32) -> bool {
        let of_target = || family(&self.tree.files[target as usize].path);
        match nameable {
            Nameable::All => true,
            Nameable::OfFamily(own) => of_target().is_none_or(|family| family == *own),
            Nameable::Imported(files) => files.contains(&target) || of_target().is_none(),
        }
    }
}

impl Nameable {
    /// Returns those of the files with a name that an import tells to be meant; `None` if it does
    /// not.
    pub(super) fn meant(&self, files: &[u32]) -> Option<Vec<u32>> {
        let Nameable::Imported(imported) = self else { return None };
        let meant: Vec<u32> =
            files.iter().copied().filter(|file| imported.contains(file)).collect();
        Some(meant).filter(|meant| !meant.is_empty())
    }
}

fn is_index(path: &str) -> bool {
    path.rsplit('/').next() == Some(INDEX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_python_names_what_it_imports() {
        let tree =
            Tree::of_paths(&["a.py", "b.rs", "c.rs", "d.md", "shop/__init__.py", "shop/cart.py"]);
        let edges: [&[u32]; 6] = [&[4], &[], &[], &[], &[5], &[]];
        let imports: Vec<Vec<(u32, f64)>> =
            edges.map(|edges| edges.iter().map(|target| (*target, 1.0)).collect()).into();
        let reach = NameReach::new(&tree, &imports);
        let nameable = |from: usize| {
            let nameable = reach.of(from);
            (0..6).filter(|target| reach.can_name(&nameable, *target)).collect::<Vec<u32>>()
        };
        assert_eq!(nameable(0), [3, 4, 5], "what the index of a package hands on, too");
        assert_eq!(nameable(5), [3]);
        assert_eq!(nameable(1), [1, 2, 3], "all of Rust");
        assert_eq!(nameable(3).len(), 6, "a page names everything");
        assert_eq!(reach.of(0).meant(&[1, 5]), Some(vec![5]));
        assert_eq!(reach.of(0).meant(&[1, 2]), None);
    }
}
