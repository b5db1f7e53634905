//! The tree of a vehicle: folders within folders, and leaves that are pages.

use std::collections::{BTreeMap, BTreeSet};

use crate::components::COMPONENTS;
use crate::kind::LeafKind;
use crate::random::{happens, number};
use crate::vehicle::Vehicle;

/// The fewest leaves of a tree, and how many more there are at most.
const MIN_LEAVES: u64 = 700;
const MORE_LEAVES: u64 = 300;
/// How many of the components with electric parts are listed a second time.
const SECOND_PLACES: u64 = 72;
/// How many of the kinds of a component are listed there too.
const SECOND_KINDS: u64 = 75;
/// Of a hundred leaves, those that say nothing, and those that name another page.
const EMPTY: u64 = 3;
const REFERENCES: u64 = 2;
/// Of a hundred diagrams and locations, those that are an image alone.
const IMAGES: u64 = 15;
const SPECIFICATIONS: &str = "Specifications";

/// What the page of a leaf has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafContent {
    /// A value or a text that no other page of the vehicle has.
    Fact,
    /// Nothing.
    Empty,
    /// The name of another page, by its position in the tree.
    Reference(usize),
    /// Images.
    Images,
}

/// A leaf of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ManualLeaf {
    /// What it is about.
    pub kind: LeafKind,
    /// How many leaves of that kind come before it.
    pub nth: usize,
    /// The component, as a position in the list of all.
    pub(crate) component: usize,
    /// What its page has.
    pub content: LeafContent,
}

/// A folder or a leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManualNode {
    /// The names of the folders around it and its own.
    pub path: Vec<String>,
    /// The leaf; `None` for a folder.
    pub leaf: Option<ManualLeaf>,
}

impl ManualNode {
    /// Returns the name.
    pub fn label(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

/// The folders and leaves of a vehicle, a folder before what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManualTree {
    /// The nodes in the order of the pages.
    pub nodes: Vec<ManualNode>,
}

/// A leaf that a tree may have.
struct LeafCandidate {
    path: Vec<String>,
    kind: LeafKind,
    component: usize,
    priority: u64,
}

impl ManualTree {
    /// Makes the tree of a vehicle; it is the same in all years.
    pub fn of(seed: u64, vehicle: &Vehicle) -> ManualTree {
        let model = [vehicle.make, &vehicle.model];
        let mut candidates = candidates(seed, &model);
        let n = MIN_LEAVES + number(seed, &["leaves", model[0], model[1]]) % MORE_LEAVES;
        candidates.sort_by_key(|one| one.priority);
        candidates.truncate(n as usize);
        let kept: BTreeSet<&[String]> = candidates.iter().map(|one| one.path.as_slice()).collect();
        debug_assert_eq!(kept.len(), candidates.len(), "each leaf has a path of its own");
        let mut root = TreeFolder::default();
        candidates.sort_by_key(|one| (one.component, one.kind));
        for one in &candidates {
            root.insert(&one.path, one);
        }
        let mut nodes = Vec::new();
        root.write(&mut Vec::new(), &mut nodes);
        let mut tree = ManualTree { nodes };
        tree.number(seed, &model);
        tree
    }

    /// Returns the node with this path.
    pub fn find(&self, path: &[String]) -> Option<usize> {
        self.nodes.iter().position(|node| node.path == path)
    }

    /// Returns the nodes directly in a folder, or at the top.
    pub fn children(&self, folder: Option<usize>) -> Vec<usize> {
        let path: &[String] = folder.map_or(&[], |at| &self.nodes[at].path);
        let first = folder.map_or(0, |at| at + 1);
        let inside = self.nodes[first..].iter().take_while(|node| node.path.starts_with(path));
        let depth = path.len() + 1;
        let children = inside.enumerate().filter(|(_, node)| node.path.len() == depth);
        children.map(|(at, _)| first + at).collect()
    }

    /// Returns the leaves with their positions.
    pub fn leaves(&self) -> impl Iterator<Item = (usize, &ManualNode, ManualLeaf)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(at, node)| Some((at, node, node.leaf?)))
    }

    /// Counts the leaves of each kind, and decides which pages have nothing to say.
    fn number(&mut self, seed: u64, model: &[&str; 2]) {
        let leaves: Vec<usize> = self.leaves().map(|(at, _, _)| at).collect();
        let mut counts: BTreeMap<LeafKind, usize> = BTreeMap::new();
        let mut n_leaves = 0;
        for at in 0..self.nodes.len() {
            let path = self.nodes[at].path.join("/");
            let Some(leaf) = &mut self.nodes[at].leaf else { continue };
            let count = counts.entry(leaf.kind).or_default();
            leaf.nth = *count;
            *count += 1;
            n_leaves += 1;
            let chance = |name: &str| number(seed, &[name, model[0], model[1], &path]);
            let has_images = matches!(leaf.kind, LeafKind::Connector | LeafKind::Location);
            leaf.content = match chance("content") % 100 {
                percent if percent < EMPTY => LeafContent::Empty,
                percent if percent < EMPTY + REFERENCES => {
                    let others = leaves.len() - 1;
                    let after = n_leaves + (chance("target") % others as u64) as usize;
                    LeafContent::Reference(leaves[after % leaves.len()])
                }
                _ if has_images && chance("images") % 100 < IMAGES => LeafContent::Images,
                _ => LeafContent::Fact,
            };
        }
    }
}

fn candidates(seed: u64, model: &[&str; 2]) -> Vec<LeafCandidate> {
    let mut candidates = Vec::new();
    for (component, row) in COMPONENTS.iter().enumerate() {
        let first: Vec<String> = row.path.iter().map(|part| (*part).to_owned()).collect();
        let name = [model[0], model[1], row.label()];
        let second = row.second_path.clone();
        let second =
            second.filter(|_| happens(SECOND_PLACES, seed, &[&["second"], &name[..]].concat()));
        for kind in row.kinds.iter().copied() {
            let words = [&[kind.question_type()], &name[..]].concat();
            let is_twice = happens(SECOND_KINDS, seed, &[&["twice"], &words[..]].concat());
            for folder in [Some(&first), second.as_ref().filter(|_| is_twice)].into_iter().flatten()
            {
                let mut path = folder.clone();
                path.extend(kind.is_in_specifications().then(|| SPECIFICATIONS.to_owned()));
                path.push(kind.label().to_owned());
                let priority = number(seed, &[&["keep", &folder[0]], &words[..]].concat());
                candidates.push(LeafCandidate { path, kind, component, priority });
            }
        }
    }
    candidates
}

/// A folder while the tree is made.
#[derive(Default)]
struct TreeFolder {
    leaves: Vec<(String, ManualLeaf)>,
    folders: Vec<(String, TreeFolder)>,
}

impl TreeFolder {
    fn insert(&mut self, path: &[String], leaf: &LeafCandidate) {
        let Some((label, rest)) = path.split_first() else { return };
        if rest.is_empty() {
            let LeafCandidate { kind, component, .. } = *leaf;
            let leaf = ManualLeaf { kind, component, nth: 0, content: LeafContent::Fact };
            self.leaves.push((label.clone(), leaf));
            return;
        }
        let known = self.folders.iter().position(|(name, _)| name == label);
        let at = known.unwrap_or_else(|| {
            self.folders.push((label.clone(), TreeFolder::default()));
            self.folders.len() - 1
        });
        self.folders[at].1.insert(rest, leaf);
    }

    fn write(self, around: &mut Vec<String>, nodes: &mut Vec<ManualNode>) {
        let path = |around: &[String], label: String| [around, &[label]].concat();
        for (label, leaf) in self.leaves {
            nodes.push(ManualNode { path: path(around, label), leaf: Some(leaf) });
        }
        for (label, folder) in self.folders {
            around.push(label);
            nodes.push(ManualNode { path: around.clone(), leaf: None });
            folder.write(around, nodes);
            around.pop();
        }
    }
}
