//! The folders of a tree, and the lines that replace folded files.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::source::scan::Tree;

/// The folders of a tree. A folder's files are a range of the tree's files, because the tree is
/// sorted folder by folder.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    /// The folders in order, the root first and each folder before its subfolders.
    pub(crate) list: Vec<Folder>,
}

#[derive(Debug, Clone)]
pub(crate) struct Folder {
    /// The path, with a slash at its end; the root is `./`.
    pub(crate) path: String,
    pub(crate) files: Range<usize>,
    /// The files in the folder itself, not in its subfolders.
    pub(crate) direct: Vec<usize>,
    pub(crate) folders: Vec<usize>,
}

/// The state of a file for folding: excluded, part of a folder's line, or shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Low {
    Exclude,
    Fold,
    /// Level path or higher: the file has a block of its own.
    Shown,
}

/// A line in the place of folded files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FoldLine {
    pub(crate) folder: usize,
    /// Whether all files of the folder are folded, or only the rest beside shown files.
    pub(crate) is_whole: bool,
}

impl Folders {
    pub(crate) fn of(tree: &Tree) -> Folders {
        let root = Folder {
            path: "./".to_owned(),
            files: 0..tree.files.len(),
            direct: Vec::new(),
            folders: Vec::new(),
        };
        let mut list = vec![root];
        let mut open: Vec<usize> = vec![0];
        for (at, file) in tree.files.iter().enumerate() {
            let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
            while open.len() > 1 && !is_within(folder, &list[open[open.len() - 1]].path) {
                let closed = open.pop().unwrap_or(0);
                list[closed].files.end = at;
            }
            loop {
                let inside = list[open[open.len() - 1]].path.trim_end_matches('/').len();
                let inside = if open.len() == 1 { 0 } else { inside + 1 };
                if folder.len() < inside || folder.is_empty() || folder.len() + 1 == inside {
                    break;
                }
                let end = folder[inside..].find('/').map_or(folder.len(), |slash| inside + slash);
                let next = list.len();
                list[open[open.len() - 1]].folders.push(next);
                list.push(Folder {
                    path: format!("{}/", &folder[..end]),
                    files: at..tree.files.len(),
                    direct: Vec::new(),
                    folders: Vec::new(),
                });
                open.push(next);
                if end == folder.len() {
                    break;
                }
            }
            let parent = open[open.len() - 1];
            list[parent].direct.push(at);
        }
        Folders { list }
    }

    /// Returns the lines for folded files, given the state of each file. A maximal folder whose
    /// files are all folded becomes one line; the folded files of a folder beside shown ones become
    /// one line.
    pub(crate) fn lines(&self, low: &[Low]) -> Vec<FoldLine> {
        let mut lines = Vec::new();
        let mut todo = vec![0];
        while let Some(at) = todo.pop() {
            let folder = &self.list[at];
            if !folder.files.is_empty()
                && low[folder.files.clone()].iter().all(|low| *low == Low::Fold)
            {
                lines.push(FoldLine { folder: at, is_whole: true });
                continue;
            }
            if folder.direct.iter().any(|file| low[*file] == Low::Fold) {
                lines.push(FoldLine { folder: at, is_whole: false });
            }
            todo.extend(folder.folders.iter().rev());
        }
        lines.sort_unstable();
        lines
    }

    /// Returns the files that a line replaces.
    pub(crate) fn files_of<'a>(
        &'a self,
        line: FoldLine,
        low: &'a [Low],
    ) -> impl Iterator<Item = usize> + 'a {
        let folder = &self.list[line.folder];
        let (whole, rest) = if line.is_whole {
            (folder.files.clone(), &[][..])
        } else {
            (0..0, &folder.direct[..])
        };
        whole.chain(rest.iter().copied()).filter(|file| low[*file] == Low::Fold)
    }
}

fn is_within(folder: &str, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    folder.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the three most frequent extensions with their counts: `py 12, html 3`.
pub(crate) fn types<'a>(paths: impl Iterator<Item = &'a str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or(path);
        let extension = name
            .rsplit_once('.')
            .filter(|(stem, _)| !stem.is_empty())
            .map_or("other", |(_, extension)| extension);
        let is_plain = extension.len() <= 12
            && extension
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        *counts.entry(if is_plain { extension } else { "other" }).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let named: Vec<String> =
        counts.iter().take(3).map(|(extension, n)| format!("{extension} {n}")).collect();
    let rest = if counts.len() > 3 { ", …" } else { "" };
    format!("{}{rest}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_hold_the_files_below_them() {
        let tree = Tree::of_paths(&["a/b/1", "a/b/2", "a/c/d/3", "a-b/4", "5", "z/e/f/6"]);
        let folders = Folders::of(&tree);
        let seen: Vec<(&str, usize, usize)> = folders
            .list
            .iter()
            .map(|folder| (folder.path.as_str(), folder.files.len(), folder.direct.len()))
            .collect();
        assert_eq!(
            seen,
            [
                ("./", 6, 1),
                ("a/", 3, 0),
                ("a/b/", 2, 2),
                ("a/c/", 1, 0),
                ("a/c/d/", 1, 1),
                ("a-b/", 1, 1),
                ("z/", 1, 0),
                ("z/e/", 1, 0),
                ("z/e/f/", 1, 1)
            ]
        );
    }

    #[test]
    fn a_maximal_folded_folder_is_one_line() {
        let tree = Tree::of_paths(&["a/b/1", "a/b/2", "a/c/d/3", "a/x", "a/y", "q/1"]);
        let folders = Folders::of(&tree);
        let lines = |shown: &str| -> Vec<String> {
            let low: Vec<Low> = tree
                .files
                .iter()
                .map(|file| if file.path == shown { Low::Shown } else { Low::Fold })
                .collect();
            let name = |line: &FoldLine| {
                format!(
                    "{}{}",
                    if line.is_whole { "" } else { "+" },
                    folders.list[line.folder].path
                )
            };
            folders.lines(&low).iter().map(name).collect()
        };
        assert_eq!(lines(""), ["./"]);
        assert_eq!(lines("a/x"), ["+a/", "a/b/", "a/c/", "q/"]);
        assert_eq!(lines("a/b/1"), ["+a/", "+a/b/", "a/c/", "q/"]);
    }
}
