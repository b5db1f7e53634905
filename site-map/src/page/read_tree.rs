//! From a nested list to the tree that it draws. A tree is known by its structure: folders that are
//! no links, and leaves that are nothing but links.

use std::collections::HashMap;

use ego_tree::NodeId;
use scraper::{ElementRef, Node};
use url::Url;

use crate::address::decoded;
use crate::page::generator::Generator;
use crate::page::model::PageLink;
use crate::page::parse;
use crate::page::tree::{PageTree, TreeNode};

/// The longest label, in characters; a longer one is prose.
const MAX_LABEL: usize = 200;
/// The largest number of nodes of a tree.
const MAX_NODES: usize = 20_000;
/// The deepest folder; lists that go deeper are no tree.
const MAX_TREE_DEPTH: u16 = 50;
/// What stands in documents, and in no label.
const BLOCKS: [&str; 11] =
    ["pre", "table", "dl", "blockquote", "form", "h1", "h2", "h3", "h4", "h5", "h6"];

/// What is known of the page around a list.
pub(super) struct ListPlace<'p> {
    pub(super) generator: &'p Generator,
    pub(super) page: &'p Url,
    pub(super) links: &'p [PageLink],
    /// The elements that are links, with their positions among the links.
    pub(super) linked: &'p HashMap<NodeId, Option<usize>>,
    pub(super) block: usize,
    pub(super) under: Option<usize>,
}

/// Returns the tree that a list draws, if it draws one.
pub(super) fn read(list: ElementRef<'_>, place: &ListPlace<'_>) -> Option<PageTree> {
    let mut has_lists = false;
    for inside in list.descendent_elements().skip(1) {
        if BLOCKS.contains(&inside.value().name()) {
            return None;
        }
        has_lists |= is_list(inside);
    }
    if !has_lists {
        return None;
    }
    let mut reader = TreeReader { place, nodes: Vec::new(), is_prose: false, is_whole: true };
    reader.list(list, 0);
    let TreeReader { nodes, is_prose, is_whole, .. } = reader;
    let mut tree = PageTree { block: place.block, under: place.under, nodes, is_whole };
    let (folders, leaves): (Vec<usize>, Vec<usize>) =
        (0..tree.nodes.len()).partition(|at| tree.is_folder(*at));
    let is_link = |at: &&usize| {
        let link = tree.nodes[**at].link.map(|link| &place.links[link]);
        link.is_some_and(|link| link.target != *place.page && link.text == tree.nodes[**at].label)
    };
    let leads_here = |at: &usize| {
        let link = tree.nodes[*at].link.map(|link| &place.links[link]);
        link.is_some_and(|link| link.target == *place.page)
    };
    let toggles: Vec<usize> = folders.iter().copied().filter(leads_here).collect();
    let n_links = leaves.iter().filter(is_link).count();
    let has_folders = folders.iter().any(|at| !is_link(&at));
    // A link to the page itself opens a folder; it is no address of its own.
    toggles.into_iter().for_each(|at| tree.nodes[at].link = None);
    (!is_prose && has_folders && 2 * n_links > leaves.len()).then_some(tree)
}

/// Reads the nodes of a list and of the lists in it.
struct TreeReader<'p> {
    place: &'p ListPlace<'p>,
    nodes: Vec<TreeNode>,
    is_prose: bool,
    is_whole: bool,
}

/// The parts of an item: its label, and the lists in it.
#[derive(Default)]
struct ListItem<'h> {
    label: String,
    anchor: Option<String>,
    link: Option<usize>,
    lists: Vec<ElementRef<'h>>,
}

impl TreeReader<'_> {
    fn list(&mut self, list: ElementRef<'_>, depth: u16) {
        self.is_prose |= depth > MAX_TREE_DEPTH;
        if self.is_prose {
            return;
        }
        let shown = list.child_elements().filter(|one| self.place.generator.shows(*one));
        for child in shown {
            if is_list(child) {
                // Between two items: it belongs to the one before it.
                let inside =
                    depth + u16::from(self.nodes.last().is_some_and(|one| one.depth >= depth));
                self.list(child, inside);
                continue;
            }
            if self.nodes.len() >= MAX_NODES {
                self.is_whole = false;
                return;
            }
            let mut item = ListItem { anchor: anchor_of(child), ..ListItem::default() };
            self.parts(child, &mut item, 0);
            let label = item.label.split_whitespace().collect::<Vec<_>>().join(" ");
            if label.is_empty() && item.lists.is_empty() && item.link.is_none() {
                continue;
            }
            self.is_prose |= label.is_empty() || label.chars().count() > MAX_LABEL;
            let ListItem { anchor, link, lists, .. } = item;
            self.nodes.push(TreeNode { depth, label, anchor, link });
            for inner in lists {
                self.list(inner, depth + 1);
            }
        }
    }

    /// Collects what belongs to an item itself.
    fn parts<'h>(&self, element: ElementRef<'h>, item: &mut ListItem<'h>, depth: usize) {
        if depth == parse::MAX_DEPTH {
            return;
        }
        let generator = self.place.generator;
        for child in element.children() {
            if let Node::Text(text) = child.value() {
                item.label.push_str(text);
            }
            let Some(child) = ElementRef::wrap(child) else { continue };
            if !generator.shows(child) {
                continue;
            }
            if is_list(child) {
                item.lists.push(child);
                continue;
            }
            item.anchor = item.anchor.take().or_else(|| anchor_of(child));
            let link = self.place.linked.get(&child.id()).copied().flatten();
            item.link = item.link.or(link);
            self.parts(child, item, depth + 1);
            // Words of two elements are two words, unless both stand within a line.
            if matches!(child.value().name(), "div" | "p" | "br" | "summary" | "details") {
                item.label.push(' ');
            }
        }
    }
}

fn is_list(element: ElementRef<'_>) -> bool {
    matches!(element.value().name(), "ul" | "ol" | "menu")
}

/// Returns the fragment that leads to an element.
fn anchor_of(element: ElementRef<'_>) -> Option<String> {
    let named = element.attr("id").or_else(|| element.attr("name"))?;
    Some(decoded(named)).filter(|anchor| !anchor.is_empty())
}
