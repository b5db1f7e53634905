//! The answers of `DOMSnapshot.captureSnapshot` as one tree: frames stand in their elements, shadow
//! roots are flat as the browser has them.

use std::collections::BTreeMap;
use std::rc::Rc;

use url::Url;

use super::captured::{
    BoxBounds, BoxTable, DocumentSnapshot, NodeTable, PageSnapshot, SnapshotNumber, SnapshotTexts,
    number_at,
};

/// The computed styles that a snapshot needs, in this order.
pub(crate) const STYLES: [&str; 12] = [
    "display",
    "visibility",
    "opacity",
    "cursor",
    "pointer-events",
    "overflow-x",
    "overflow-y",
    "position",
    "flex-direction",
    "background-color",
    "fill",
    "user-select",
];

/// The deepest nesting of frames that is read.
const MAX_FRAMES_DEEP: usize = 16;

/// The snapshot of a frame, with those of the frames in it that have a process of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FrameCapture {
    /// The session that the snapshot came from, as a position among all.
    pub(crate) session: usize,
    pub(crate) snapshot: PageSnapshot,
    /// The frames, by the backend node of the element that has them.
    pub(crate) frames: BTreeMap<i64, FrameCapture>,
}

/// A rectangle in pixels of the top page.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn is_empty(self) -> bool {
        self.width() <= 0.0 || self.height() <= 0.0
    }

    pub(super) fn within(self, other: Area) -> Area {
        Area {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    pub(super) fn has(self, x: f64, y: f64) -> bool {
        self.left <= x && x < self.right && self.top <= y && y < self.bottom
    }
}

/// What is drawn of a node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DrawnBox<'c> {
    pub(super) area: Area,
    /// Higher is drawn later.
    pub(super) order: i64,
    texts: &'c SnapshotTexts,
    /// The values of [`STYLES`], as texts.
    styles: &'c [SnapshotNumber],
}

impl<'c> DrawnBox<'c> {
    pub(super) fn style(&self, name: &str) -> &'c str {
        let at = STYLES.iter().position(|style| *style == name);
        at.map_or("", |at| self.texts.at(number_at(self.styles, at)))
    }
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NodeKind<'c> {
    /// An element, by its name in lower case.
    Element(Rc<str>),
    /// A text.
    Text(&'c str),
    /// A document: the page, or that of a frame.
    Document(Rc<DocumentFacts>),
}

/// What is known of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct DocumentFacts {
    /// The address that relative ones are joined to.
    pub(super) base: Option<Url>,
    pub(super) title: String,
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DomNode<'c> {
    pub(super) kind: NodeKind<'c>,
    pub(super) parent: Option<usize>,
    /// The document that the node stands in, as a node.
    pub(super) document: usize,
    texts: &'c SnapshotTexts,
    /// Names and values, in turns.
    attributes: &'c [SnapshotNumber],
    /// What is drawn; `None` for what is not.
    pub(super) drawn: Option<DrawnBox<'c>>,
    /// The value of a field.
    pub(super) value: Option<&'c str>,
    pub(super) is_checked: bool,
    pub(super) is_selected: bool,
    /// The browser found a listener for the mouse.
    pub(super) is_clickable: bool,
    /// The session, and the number that the session knows the node by.
    pub(super) place: (usize, i64),
}

impl<'c> DomNode<'c> {
    /// Returns the document of a page that has nothing.
    fn nothing(texts: &'c SnapshotTexts) -> DomNode<'c> {
        DomNode {
            kind: NodeKind::Document(Rc::default()),
            parent: None,
            document: 0,
            texts,
            attributes: &[],
            drawn: None,
            value: None,
            is_checked: false,
            is_selected: false,
            is_clickable: false,
            place: (0, 0),
        }
    }

    /// Returns the name of an element; empty for other nodes.
    pub(super) fn tag(&self) -> &str {
        match &self.kind {
            NodeKind::Element(tag) => tag,
            _ => "",
        }
    }

    /// Returns the value of an attribute, by its name in lower case.
    pub(super) fn attribute(&self, name: &str) -> Option<&'c str> {
        let mut pairs = self.attributes.chunks_exact(2);
        let is_it = |pair: &&[SnapshotNumber]| self.texts.at(pair[0]).eq_ignore_ascii_case(name);
        pairs.find(is_it).map(|pair| self.texts.at(pair[1]))
    }

    pub(super) fn style(&self, name: &str) -> &'c str {
        self.drawn.as_ref().map_or("", |drawn| drawn.style(name))
    }
}

/// A page with its frames. Node 0 is its document.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Dom<'c> {
    pub(super) nodes: Vec<DomNode<'c>>,
    /// The children of all nodes, one list behind the other.
    children: Vec<u32>,
    /// Where the list of each node ends.
    ends: Vec<u32>,
    /// What is in sight of the top page.
    pub(super) viewport: Area,
    pub(super) address: String,
}

impl<'c> Dom<'c> {
    /// Makes the tree of a page that is seen through a window of so many pixels.
    pub(super) fn of(capture: &'c FrameCapture, window: (f64, f64)) -> Dom<'c> {
        let mut dom = Dom::default();
        let top = FramePlace { dx: 0.0, dy: 0.0, order: 0, parent: None, depth: 0 };
        dom.add(capture, 0, top);
        let texts = &capture.snapshot.texts;
        if dom.nodes.is_empty() {
            dom.nodes.push(DomNode::nothing(texts));
        }
        dom.link();
        if let Some(document) = capture.snapshot.documents.first() {
            let (left, top) = (document.scroll_offset_x, document.scroll_offset_y);
            dom.viewport = Area { left, top, right: left + window.0, bottom: top + window.1 };
            dom.address = texts.at(document.address).to_owned();
        }
        dom
    }

    pub(super) fn children(&self, node: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let begin = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = begin as usize..self.ends[node] as usize;
        self.children[range].iter().map(|child| *child as usize)
    }

    /// Returns a node and those around it, innermost first.
    pub(super) fn around(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |at| self.nodes[*at].parent)
    }

    /// Returns a node and those in it, in the order of the page.
    pub(super) fn inside(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let mut todo = vec![node];
        std::iter::from_fn(move || {
            let next = todo.pop()?;
            todo.extend(self.children(next).rev());
            Some(next)
        })
    }

    /// Returns the beginnings (`true`) and the ends of a node and of those in it.
    pub(super) fn walk(&self, node: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        let mut todo = vec![(node, true)];
        std::iter::from_fn(move || {
            let (next, is_begin) = todo.pop()?;
            if is_begin {
                todo.push((next, false));
                todo.extend(self.children(next).rev().map(|child| (child, true)));
            }
            Some((next, is_begin))
        })
    }

    /// Lists the children of each node. A node comes after the one that it stands in.
    fn link(&mut self) {
        let parents = || self.nodes.iter().map(|node| node.parent);
        self.ends = vec![0; self.nodes.len()];
        for parent in parents().flatten() {
            self.ends[parent] += 1;
        }
        let mut n_children = 0;
        for end in &mut self.ends {
            // Moves on to the end of the list while it is filled.
            n_children += std::mem::replace(end, n_children);
        }
        self.children = vec![0; n_children as usize];
        for (child, parent) in parents().enumerate() {
            let Some(parent) = parent else { continue };
            self.children[self.ends[parent] as usize] = u32::try_from(child).unwrap_or_default();
            self.ends[parent] += 1;
        }
    }

    /// Adds a document of a capture, with the frames in it.
    fn add(&mut self, capture: &'c FrameCapture, at: usize, frame: FramePlace) {
        let snapshot = &capture.snapshot;
        let Some(document) = snapshot.documents.get(at) else { return };
        let first = self.nodes.len();
        let mut nodes = DocumentNodes::of(snapshot, document, capture.session);
        let boxes = DocumentBoxes::of(&snapshot.texts, document, &frame);
        // Nodes that are dropped lead to no place; parents come before their children.
        let mut places: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
        for index in 0..nodes.len() {
            let parent = nodes.parent(index);
            let around = match parent {
                Some(parent) => match places.get(parent) {
                    Some(Some(place)) => Some(*place),
                    _ => {
                        places.push(None);
                        continue;
                    }
                },
                None => frame.parent,
            };
            let place = self.nodes.len();
            let Some(node) = nodes.node(index, boxes.drawn(index)) else {
                places.push(None);
                continue;
            };
            self.nodes.push(DomNode { parent: around, document: first, ..node });
            places.push(Some(place));
        }
        for (index, place) in places.into_iter().enumerate() {
            let Some(place) = place.filter(|_| frame.depth < MAX_FRAMES_DEEP) else { continue };
            let backend = self.nodes[place].place.1;
            if let Some(inner) = nodes.content(index) {
                let frame = self.frame(place, snapshot.documents.get(inner), &frame, false);
                self.add(capture, inner, frame);
            } else if let Some(inner) = capture.frames.get(&backend) {
                let frame = self.frame(place, inner.snapshot.documents.first(), &frame, true);
                self.add(inner, 0, frame);
            }
        }
    }

    /// Returns where the document of an element's frame lies.
    fn frame(
        &self,
        owner: usize,
        document: Option<&DocumentSnapshot>,
        around: &FramePlace,
        is_apart: bool,
    ) -> FramePlace {
        let drawn = self.nodes[owner].drawn.as_ref();
        let area = drawn.map(|drawn| drawn.area).unwrap_or_default();
        // The border of a frame is the same on both sides.
        let inner = document.and_then(|document| document.layout.bounds.first());
        let BoxBounds([_, _, width, height]) = inner.copied().unwrap_or_default();
        let border = |outer: f64, inner: f64| ((outer - inner) / 2.0).clamp(0.0, 4.0);
        let (across, down) = document
            .map(|document| (document.scroll_offset_x, document.scroll_offset_y))
            .unwrap_or_default();
        FramePlace {
            dx: area.left + border(area.width(), width) - across,
            dy: area.top + border(area.height(), height) - down,
            // A process counts what it draws from 0.
            order: if is_apart { drawn.map_or(0, |drawn| drawn.order) } else { around.order },
            parent: Some(owner),
            depth: around.depth + 1,
        }
    }
}

/// Where a document lies in the page.
struct FramePlace {
    dx: f64,
    dy: f64,
    order: i64,
    parent: Option<usize>,
    depth: usize,
}

/// The nodes of a document.
struct DocumentNodes<'c> {
    snapshot: &'c PageSnapshot,
    document: &'c DocumentSnapshot,
    nodes: &'c NodeTable,
    session: usize,
    values: BTreeMap<usize, &'c str>,
    checked: Vec<usize>,
    selected: Vec<usize>,
    clickable: Vec<usize>,
    contents: BTreeMap<usize, usize>,
    /// The names of elements, each once.
    tags: BTreeMap<SnapshotNumber, Rc<str>>,
}

impl<'c> DocumentNodes<'c> {
    fn of(
        snapshot: &'c PageSnapshot,
        document: &'c DocumentSnapshot,
        session: usize,
    ) -> DocumentNodes<'c> {
        let nodes = &document.nodes;
        let values = nodes.input_value.pairs().chain(nodes.text_value.pairs());
        let contents = nodes.content_document_index.pairs();
        DocumentNodes {
            values: values.map(|(node, value)| (node, snapshot.texts.at(value))).collect(),
            checked: nodes.input_checked.positions().collect(),
            selected: nodes.option_selected.positions().collect(),
            clickable: nodes.is_clickable.positions().collect(),
            contents: contents.filter_map(|(node, one)| Some((node, one.position()?))).collect(),
            tags: BTreeMap::new(),
            snapshot,
            document,
            nodes,
            session,
        }
    }

    fn len(&self) -> usize {
        self.nodes.node_name.len()
    }

    fn parent(&self, index: usize) -> Option<usize> {
        number_at(&self.nodes.parent_index, index).position()
    }

    fn content(&self, index: usize) -> Option<usize> {
        self.contents.get(&index).copied()
    }

    /// Returns the name of an element in lower case.
    fn tag(&mut self, name: SnapshotNumber) -> Rc<str> {
        let text = self.snapshot.texts.at(name);
        let tag = || Rc::from(text.to_ascii_lowercase());
        Rc::clone(self.tags.entry(name).or_insert_with(tag))
    }

    /// Returns a node; `None` for those that a page does not show: comments, scripts, marks of
    /// lists.
    fn node(&mut self, index: usize, drawn: Option<DrawnBox<'c>>) -> Option<DomNode<'c>> {
        let texts = &self.snapshot.texts;
        let kind = match number_at(&self.nodes.node_type, index).value() {
            1 => match self.tag(number_at(&self.nodes.node_name, index)) {
                tag if tag.starts_with("::") => return None,
                tag if matches!(&tag[..], "script" | "style" | "noscript" | "template") => {
                    return None;
                }
                tag => NodeKind::Element(tag),
            },
            3 => NodeKind::Text(texts.at(number_at(&self.nodes.node_value, index))),
            9 => NodeKind::Document(Rc::new(DocumentFacts {
                base: Url::parse(texts.at(self.document.base)).ok(),
                title: texts.at(self.document.title).to_owned(),
            })),
            _ => return None,
        };
        let is_in = |list: &[usize]| list.binary_search(&index).is_ok();
        let backend = self.nodes.backend_node_id.get(index);
        Some(DomNode {
            kind,
            attributes: self.nodes.attributes.row(index),
            drawn,
            value: self.values.get(&index).copied(),
            is_checked: is_in(&self.checked),
            is_selected: is_in(&self.selected),
            is_clickable: is_in(&self.clickable),
            place: (self.session, backend.map_or(0, |backend| backend.value())),
            ..DomNode::nothing(texts)
        })
    }
}

/// What is drawn of a document.
struct DocumentBoxes<'c> {
    texts: &'c SnapshotTexts,
    boxes: &'c BoxTable,
    /// The first box of each node, from 1; 0 is none.
    of_nodes: Vec<u32>,
    dx: f64,
    dy: f64,
    order: i64,
}

impl<'c> DocumentBoxes<'c> {
    fn of(
        texts: &'c SnapshotTexts,
        document: &'c DocumentSnapshot,
        frame: &FramePlace,
    ) -> DocumentBoxes<'c> {
        let boxes = &document.layout;
        let mut of_nodes = vec![0; document.nodes.node_name.len()];
        for (node, number) in boxes.node_index.iter().zip(1..) {
            let first = node.position().and_then(|node| of_nodes.get_mut(node));
            if let Some(first) = first.filter(|first| **first == 0) {
                *first = number;
            }
        }
        DocumentBoxes { texts, boxes, of_nodes, dx: frame.dx, dy: frame.dy, order: frame.order }
    }

    /// Returns what is drawn of a node.
    fn drawn(&self, node: usize) -> Option<DrawnBox<'c>> {
        let at = self.of_nodes.get(node)?.checked_sub(1)? as usize;
        let bounds = self.boxes.bounds.get(at).copied().unwrap_or_default();
        let BoxBounds([left, top, width, height]) = bounds;
        let (left, top) = (left + self.dx, top + self.dy);
        let area = Area { left, top, right: left + width, bottom: top + height };
        let order = self.boxes.paint_orders.get(at).map_or(0, |order| order.value());
        let styles = self.boxes.styles.row(at);
        Some(DrawnBox { area, order: order + self.order, texts: self.texts, styles })
    }
}
