//! The answers of `DOMSnapshot.captureSnapshot` as one tree: frames stand in their elements, shadow
//! roots are flat as the browser has them.

use std::collections::BTreeMap;

use serde_json::Value;
use url::Url;

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
    /// The answer of `DOMSnapshot.captureSnapshot`.
    pub(crate) snapshot: Value,
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
pub(super) struct DrawnBox {
    pub(super) area: Area,
    /// Higher is drawn later.
    pub(super) order: i64,
    /// The values of [`STYLES`].
    styles: Vec<String>,
}

impl DrawnBox {
    pub(super) fn style(&self, name: &str) -> &str {
        let at = STYLES.iter().position(|style| *style == name);
        at.and_then(|at| self.styles.get(at)).map_or("", String::as_str)
    }
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// An element, by its name in lower case.
    Element(String),
    /// A text.
    Text(String),
    /// A document: the page, or that of a frame.
    Document(DocumentFacts),
}

/// What is known of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocumentFacts {
    /// The address that relative ones are joined to.
    pub(super) base: Option<Url>,
    pub(super) title: String,
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DomNode {
    pub(super) kind: NodeKind,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// The document that the node stands in, as a node.
    pub(super) document: usize,
    attributes: Vec<(String, String)>,
    /// What is drawn; `None` for what is not.
    pub(super) drawn: Option<DrawnBox>,
    /// The value of a field.
    pub(super) value: Option<String>,
    pub(super) is_checked: bool,
    pub(super) is_selected: bool,
    /// The browser found a listener for the mouse.
    pub(super) is_clickable: bool,
    /// The session, and the number that the session knows the node by.
    pub(super) place: (usize, i64),
}

impl DomNode {
    /// Returns the document of a page that has nothing.
    fn nothing() -> DomNode {
        DomNode {
            kind: NodeKind::Document(DocumentFacts { base: None, title: String::new() }),
            parent: None,
            children: Vec::new(),
            document: 0,
            attributes: Vec::new(),
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

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn style(&self, name: &str) -> &str {
        self.drawn.as_ref().map_or("", |drawn| drawn.style(name))
    }
}

/// A page with its frames. Node 0 is its document.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Dom {
    pub(super) nodes: Vec<DomNode>,
    /// What is in sight of the top page.
    pub(super) viewport: Area,
    pub(super) address: String,
}

impl Dom {
    /// Makes the tree of a page that is seen through a window of so many pixels.
    pub(super) fn of(capture: &FrameCapture, window: (f64, f64)) -> Dom {
        let mut dom = Dom::default();
        let top = FramePlace { dx: 0.0, dy: 0.0, order: 0, parent: None, depth: 0 };
        dom.add(capture, 0, top);
        if dom.nodes.is_empty() {
            dom.nodes.push(DomNode::nothing());
        }
        let document = &capture.snapshot["documents"][0];
        let number = |name: &str| document[name].as_f64().unwrap_or_default();
        let (left, top) = (number("scrollOffsetX"), number("scrollOffsetY"));
        dom.viewport = Area { left, top, right: left + window.0, bottom: top + window.1 };
        dom.address = text_at(&capture.snapshot, &document["documentURL"]).to_owned();
        dom
    }

    pub(super) fn children(&self, node: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        self.nodes[node].children.iter().copied()
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

    /// Adds a document of a capture, with the frames in it.
    fn add(&mut self, capture: &FrameCapture, at: usize, frame: FramePlace) {
        let snapshot = &capture.snapshot;
        let document = &snapshot["documents"][at];
        let first = self.nodes.len();
        let nodes = NodeColumns::of(snapshot, document);
        let mut drawn = drawn_boxes(snapshot, document, &frame);
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
            let Some(node) = nodes.node(index, capture.session, drawn.remove(&index)) else {
                places.push(None);
                continue;
            };
            self.nodes.push(DomNode { parent: around, document: first, ..node });
            if let Some(around) = around {
                self.nodes[around].children.push(place);
            }
            places.push(Some(place));
        }
        for (index, place) in places.into_iter().enumerate() {
            let Some(place) = place.filter(|_| frame.depth < MAX_FRAMES_DEEP) else { continue };
            let backend = self.nodes[place].place.1;
            if let Some(inner) = nodes.content(index) {
                let frame = self.frame(place, &snapshot["documents"][inner], &frame, false);
                self.add(capture, inner, frame);
            } else if let Some(inner) = capture.frames.get(&backend) {
                let frame = self.frame(place, &inner.snapshot["documents"][0], &frame, true);
                self.add(inner, 0, frame);
            }
        }
    }

    /// Returns where the document of an element's frame lies.
    fn frame(
        &self,
        owner: usize,
        document: &Value,
        around: &FramePlace,
        is_apart: bool,
    ) -> FramePlace {
        let drawn = self.nodes[owner].drawn.as_ref();
        let area = drawn.map(|drawn| drawn.area).unwrap_or_default();
        let number = |name: &str| document[name].as_f64().unwrap_or_default();
        // The border of a frame is the same on both sides.
        let inner = document["layout"]["bounds"][0].as_array().map(Vec::as_slice);
        let size = |at: usize| inner.and_then(|b| b.get(at)?.as_f64()).unwrap_or_default();
        let border = |outer: f64, inner: f64| ((outer - inner) / 2.0).clamp(0.0, 4.0);
        FramePlace {
            dx: area.left + border(area.width(), size(2)) - number("scrollOffsetX"),
            dy: area.top + border(area.height(), size(3)) - number("scrollOffsetY"),
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

/// The columns of the nodes of a document.
struct NodeColumns<'s> {
    snapshot: &'s Value,
    document: &'s Value,
    nodes: &'s Value,
    values: BTreeMap<usize, &'s str>,
    checked: Vec<usize>,
    selected: Vec<usize>,
    clickable: Vec<usize>,
    contents: BTreeMap<usize, usize>,
}

impl<'s> NodeColumns<'s> {
    fn of(snapshot: &'s Value, document: &'s Value) -> NodeColumns<'s> {
        let nodes = &document["nodes"];
        let indices = |name: &str| -> Vec<usize> { numbers(&nodes[name]["index"]) };
        let texts = |name: &str| {
            let values = nodes[name]["value"].as_array().map(Vec::as_slice).unwrap_or_default();
            let texts = values.iter().map(|value| text_at(snapshot, value));
            indices(name).into_iter().zip(texts).collect::<Vec<_>>()
        };
        let contents = numbers(&nodes["contentDocumentIndex"]["value"]);
        NodeColumns {
            values: texts("inputValue").into_iter().chain(texts("textValue")).collect(),
            checked: indices("inputChecked"),
            selected: indices("optionSelected"),
            clickable: indices("isClickable"),
            contents: indices("contentDocumentIndex").into_iter().zip(contents).collect(),
            snapshot,
            document,
            nodes,
        }
    }

    fn len(&self) -> usize {
        self.nodes["nodeName"].as_array().map_or(0, Vec::len)
    }

    fn parent(&self, index: usize) -> Option<usize> {
        self.nodes["parentIndex"][index].as_u64().and_then(|parent| usize::try_from(parent).ok())
    }

    fn content(&self, index: usize) -> Option<usize> {
        self.contents.get(&index).copied()
    }

    /// Returns a node; `None` for those that a page does not show: comments, scripts, marks of
    /// lists.
    fn node(&self, index: usize, session: usize, drawn: Option<DrawnBox>) -> Option<DomNode> {
        let name = text_at(self.snapshot, &self.nodes["nodeName"][index]);
        let kind = match self.nodes["nodeType"][index].as_u64()? {
            1 => match name.to_ascii_lowercase() {
                tag if tag.starts_with("::") => return None,
                tag if matches!(&tag[..], "script" | "style" | "noscript" | "template") => {
                    return None;
                }
                tag => NodeKind::Element(tag),
            },
            3 => NodeKind::Text(text_at(self.snapshot, &self.nodes["nodeValue"][index]).to_owned()),
            9 => NodeKind::Document(DocumentFacts {
                base: Url::parse(text_at(self.snapshot, &self.document["baseURL"])).ok(),
                title: text_at(self.snapshot, &self.document["title"]).to_owned(),
            }),
            _ => return None,
        };
        let pairs = self.nodes["attributes"][index].as_array().map(Vec::as_slice);
        let pairs = pairs.unwrap_or_default().chunks_exact(2);
        let attributes = pairs.map(|pair| {
            let [name, value] = [0, 1].map(|at| text_at(self.snapshot, &pair[at]).to_owned());
            (name.to_ascii_lowercase(), value)
        });
        let is_in = |list: &[usize]| list.binary_search(&index).is_ok();
        Some(DomNode {
            kind,
            parent: None,
            children: Vec::new(),
            document: 0,
            attributes: attributes.collect(),
            drawn,
            value: self.values.get(&index).map(|value| (*value).to_owned()),
            is_checked: is_in(&self.checked),
            is_selected: is_in(&self.selected),
            is_clickable: is_in(&self.clickable),
            place: (session, self.nodes["backendNodeId"][index].as_i64().unwrap_or_default()),
        })
    }
}

/// Returns what is drawn of the nodes of a document, by their positions in it.
fn drawn_boxes(
    snapshot: &Value,
    document: &Value,
    frame: &FramePlace,
) -> BTreeMap<usize, DrawnBox> {
    let layout = &document["layout"];
    let mut drawn = BTreeMap::new();
    for (at, index) in numbers(&layout["nodeIndex"]).into_iter().enumerate() {
        let bound = |side: usize| layout["bounds"][at][side].as_f64().unwrap_or_default();
        let (left, top) = (bound(0) + frame.dx, bound(1) + frame.dy);
        let area = Area { left, top, right: left + bound(2), bottom: top + bound(3) };
        let styles = layout["styles"][at].as_array().map(Vec::as_slice).unwrap_or_default();
        let styles = styles.iter().map(|style| text_at(snapshot, style).to_owned()).collect();
        let order = layout["paintOrders"][at].as_i64().unwrap_or_default() + frame.order;
        drawn.entry(index).or_insert(DrawnBox { area, order, styles });
    }
    drawn
}

fn numbers(list: &Value) -> Vec<usize> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|one| usize::try_from(one.as_u64()?).ok()).collect()
}

/// Returns the string that a number of a snapshot means.
fn text_at<'s>(snapshot: &'s Value, index: &Value) -> &'s str {
    let at = index.as_u64().and_then(|at| usize::try_from(at).ok());
    at.and_then(|at| snapshot["strings"][at].as_str()).unwrap_or_default()
}
