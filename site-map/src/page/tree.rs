//! A tree inside a page: nested lists whose folders have no address of their own.

use serde::Serialize;

use crate::page::markdown;

/// The lowest rank of a heading.
pub(crate) const MAX_RANK: u8 = 6;

/// A tree inside a page: a nested list whose leaves are links, and whose folders are not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageTree {
    /// The list that draws the tree, as a position among the blocks.
    pub block: usize,
    /// The heading it stands under, as a position among the blocks.
    pub under: Option<usize>,
    /// Folders and leaves in the order of the text: a folder comes before what is in it.
    pub nodes: Vec<TreeNode>,
    /// Whether all of the list was read; a very long one is cut.
    pub is_whole: bool,
}

/// A folder or a leaf of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TreeNode {
    /// How many folders it stands in.
    pub depth: u16,
    /// The name. Names are not unique, not even within a folder.
    pub label: String,
    /// The fragment that leads here.
    pub anchor: Option<String>,
    /// The link, as a position among the links of the page. A folder without an address has none.
    pub link: Option<usize>,
}

/// A folder of a tree as text: a heading, and a list of what stands in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FolderText<'t> {
    /// The folder; `None` for what stands in none.
    pub(crate) folder: Option<&'t TreeNode>,
    /// The rank of its heading.
    pub(crate) rank: u8,
    /// What stands in it and has no heading, as a list of Markdown.
    pub(crate) list: String,
}

impl PageTree {
    /// Returns the nodes that stand in a folder, or those that stand in none.
    pub fn children(&self, folder: Option<usize>) -> Vec<usize> {
        let depth = folder.map_or(0, |folder| self.nodes[folder].depth + 1);
        let inside = folder.map_or(0..self.nodes.len(), |folder| folder + 1..self.end(folder));
        inside.filter(|at| self.nodes[*at].depth == depth).collect()
    }

    /// Returns the nodes that a path of labels leads to, outermost label first; several nodes can
    /// have one path.
    pub fn find<L: AsRef<str>>(&self, labels: &[L]) -> Vec<usize> {
        let mut found: Vec<Option<usize>> = vec![None];
        for label in labels {
            let inside = found.iter().flat_map(|folder| self.children(*folder));
            let named = inside.filter(|at| self.nodes[*at].label == label.as_ref());
            found = named.map(Some).collect();
        }
        found.into_iter().flatten().collect()
    }

    /// Returns the node that a fragment leads to. The slash at the end of a folder's name may be
    /// missing.
    pub fn by_anchor(&self, fragment: &str) -> Option<usize> {
        let bare = |anchor: &str| anchor.trim_end_matches('/').to_owned();
        let wanted = bare(fragment);
        self.nodes
            .iter()
            .position(|node| node.anchor.as_deref().map(bare).as_ref() == Some(&wanted))
    }

    /// Returns the folder that a node stands in.
    pub fn parent(&self, at: usize) -> Option<usize> {
        let depth = self.nodes[at].depth;
        (0..at).rev().find(|above| self.nodes[*above].depth < depth)
    }

    /// Returns the folders around a node and the node itself, outermost first.
    pub fn path(&self, at: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(at), |at| self.parent(*at)).collect();
        path.reverse();
        path
    }

    /// Reports whether other nodes stand in this one.
    pub fn is_folder(&self, at: usize) -> bool {
        self.end(at) > at + 1
    }

    /// Reports whether a folder stands in another.
    pub(crate) fn is_nested(&self) -> bool {
        (0..self.nodes.len()).any(|at| self.nodes[at].depth > 0 && self.is_folder(at))
    }

    /// Returns the position after the last node that stands in this one.
    fn end(&self, at: usize) -> usize {
        let depth = self.nodes[at].depth;
        let after = self.nodes[at + 1..].iter().position(|node| node.depth <= depth);
        after.map_or(self.nodes.len(), |n| at + 1 + n)
    }

    /// Writes each folder as a section below a heading of this rank. A heading ends the section
    /// before it, so the leaves of a folder come before the folders in it. Folders that no rank is
    /// left for stay lists.
    pub(crate) fn sections(&self, below: u8) -> Vec<FolderText<'_>> {
        let mut sections = Vec::new();
        self.write_section(None, below, &mut sections);
        sections
    }

    fn write_section<'t>(
        &'t self,
        folder: Option<usize>,
        rank: u8,
        sections: &mut Vec<FolderText<'t>>,
    ) {
        let is_section = |at: &usize| rank < MAX_RANK && self.is_folder(*at);
        let (folders, others): (Vec<usize>, Vec<usize>) =
            self.children(folder).into_iter().partition(is_section);
        let depth = folder.map_or(0, |folder| self.nodes[folder].depth + 1);
        let mut lines: Vec<String> = Vec::new();
        for node in others.iter().flat_map(|at| &self.nodes[*at..self.end(*at)]) {
            let indent = "  ".repeat(usize::from(node.depth - depth));
            lines.push(format!("{indent}- {}", markdown::paragraph(&node.label)));
        }
        let node = folder.map(|folder| &self.nodes[folder]);
        sections.push(FolderText { folder: node, rank, list: lines.join("\n") });
        for inner in folders {
            self.write_section(Some(inner), rank + 1, sections);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree from lines that are indented by two blanks a level.
    fn tree(text: &str) -> PageTree {
        let node = |line: &str| TreeNode {
            depth: ((line.len() - line.trim_start().len()) / 2) as u16,
            label: line.trim().to_owned(),
            anchor: Some(format!("{}/", line.trim())),
            link: None,
        };
        let nodes = text.lines().map(node).collect();
        PageTree { block: 0, under: None, nodes, is_whole: true }
    }

    #[test]
    fn nodes_are_found_by_their_place_and_by_their_names() {
        let tree = tree("A\n  x\n  B\n    x\n  x\nC\n  x\nd");
        assert_eq!(tree.children(None), [0, 5, 7]);
        assert_eq!(tree.children(Some(0)), [1, 2, 4]);
        assert_eq!(tree.children(Some(7)), [0; 0]);
        assert_eq!(tree.find(&["A", "x"]), [1, 4]);
        assert_eq!(tree.find(&["A", "B", "x"]), [3]);
        assert_eq!(tree.find(&["B"]), [0; 0]);
        assert_eq!((tree.path(3), tree.parent(4)), (vec![0, 2, 3], Some(0)));
        assert_eq!((tree.by_anchor("B"), tree.by_anchor("E/")), (Some(2), None));
        assert!(tree.is_folder(2) && !tree.is_folder(7) && tree.is_nested());
    }

    #[test]
    fn a_folder_is_a_section_that_begins_with_its_leaves() {
        let tree = tree("A\n  B\n    x\n  y\nC\n  D\n    E\n      z\nw");
        let drawn = |below: u8| {
            let sections = tree.sections(below).into_iter();
            let text = sections.map(|one| match one.folder {
                Some(node) => format!("{} {}: {}", one.rank, node.label, one.list),
                None => one.list,
            });
            text.collect::<Vec<_>>()
        };
        assert_eq!(drawn(1), ["- w", "2 A: - y", "3 B: - x", "2 C: ", "3 D: ", "4 E: - z"]);
        assert_eq!(drawn(5), ["- w", "6 A: - B\n  - x\n- y", "6 C: - D\n  - E\n    - z"]);
    }
}
