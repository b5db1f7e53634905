//! The captures of a language's query in a syntax tree, as positions in the text: the only user of
//! queries and cursors.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use tree_sitter::{Query, QueryCursor, QueryCursorOptions, StreamingIterator, Tree};

use crate::outline::item::ItemKind;
use crate::outline::language::Language;

/// The maximum depth of a node that can be an item: the cursor visits all nodes around it.
const MAX_DEPTH: u32 = 300;
/// A constant's value longer than this many bytes is elided at level interface.
const LONG_VALUE: usize = 100;
const CAPTURES: &[&str] = &[
    "aside",
    "attribute",
    "attribute.apart",
    "below",
    "body",
    "comment",
    "continues",
    "detail",
    "doc",
    "doc.file",
    "name",
    "owner",
    "section.1",
    "section.2",
    "section.3",
    "section.4",
    "section.5",
    "section.6",
    "signature",
    "trait",
    "value",
    "visibility",
    "visibility.below",
    "wrapper",
];

/// Compiles a query for a language and checks its captures.
///
/// # Errors
/// A sentence with the first mismatch.
pub(crate) fn checked_query(language: &Language, query: &str) -> Result<Query, String> {
    let query = Query::new(&language.grammar(), query)
        .map_err(|error| format!("the query does not fit the grammar: {error}"))?;
    for name in query.capture_names() {
        match name.strip_prefix("item.") {
            Some(kind) if ItemKind::of(kind).is_none() => {
                let kinds = ItemKind::ALL.iter().map(|kind| kind.as_str());
                let kinds: Vec<&str> = kinds.filter(|kind| ItemKind::of(kind).is_some()).collect();
                return Err(format!(
                    "`@item.{kind}` is no kind of item (there are {})",
                    kinds.join(", ")
                ));
            }
            None if !CAPTURES.contains(name) && !name.starts_with('_') => {
                return Err(format!(
                    "`@{name}` means nothing here (captures are item.<kind>, {}, and _… for \
                     predicates)",
                    CAPTURES.join(", ")
                ));
            }
            Some(_) | None => {}
        }
    }
    Ok(query)
}

/// The captures of a query, as positions in the text.
#[derive(Default)]
pub(super) struct Captures {
    pub(super) found: Vec<Captured>,
    /// Comments and attributes by the position where they end, ignoring white space.
    pub(super) leading: HashMap<usize, Leading>,
    /// Comments that may belong to the item above them: end by start.
    pub(super) below: HashMap<usize, usize>,
    /// Nodes that widen the item they end with: their starts by their end.
    pub(super) wrappers: HashMap<usize, Vec<usize>>,
    pub(super) file_doc: Vec<Range<usize>>,
    /// Quotes and the like, whose content is no item of this file.
    pub(super) asides: Vec<Range<usize>>,
    /// Markers of the visibility of all members of a type that stand below them.
    pub(super) visibilities: Vec<Range<usize>>,
}

#[derive(Clone, Copy)]
pub(super) struct Leading {
    pub(super) start: usize,
    pub(super) kind: LeadingKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LeadingKind {
    Comment,
    Attribute,
    /// One that a blank line may separate from its item.
    AttributeApart,
}

impl Leading {
    fn new(start: usize, kind: LeadingKind) -> Leading {
        Leading { start, kind }
    }
}

pub(super) struct Captured {
    pub(super) kind: ItemKind,
    pub(super) node: Range<usize>,
    pub(super) name: Option<Range<usize>>,
    /// The type of a function declared outside of it, such as a Go receiver.
    pub(super) owner: Option<Range<usize>>,
    pub(super) of_trait: Option<Range<usize>>,
    pub(super) signature_end: Option<usize>,
    pub(super) body: Option<Range<usize>>,
    pub(super) doc: Option<Range<usize>>,
    pub(super) visibility: Option<Range<usize>>,
    /// Whether it is another part of the item before it if the names are equal: a further equation
    /// of a function.
    pub(super) continues: bool,
    /// The braces that it stands in, if it is an item only in a type that is too long to be shown
    /// whole.
    pub(super) detail: Option<Range<usize>>,
    /// The rank of a heading: its section ends before the next of the same or a higher one.
    pub(super) section: Option<u8>,
    /// The position of the pattern in the query.
    pub(super) pattern: usize,
    /// Whether it does not end in the part of the text that was parsed.
    pub(super) is_open: bool,
}

/// Runs the query over a tree of `text`, of which the first `len` bytes are the file's. Returns the
/// captures, and `true` when the query was stopped at its work limit.
pub(super) fn capture(query: &Query, tree: &Tree, text: &str, len: usize) -> (Captures, bool) {
    let mut captures = Captures::default();
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(256);
    cursor.set_max_start_depth(Some(MAX_DEPTH));
    let mut steps_left = 5_000 + text.len() / 16;
    let mut stopped = false;
    let mut go_on = |_: &_| {
        steps_left = steps_left.saturating_sub(1);
        stopped = steps_left == 0;
        if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let names = query.capture_names();
    let options = QueryCursorOptions::new().progress_callback(&mut go_on);
    let mut matches =
        cursor.matches_with_options(query, tree.root_node(), text.as_bytes(), options);
    while let Some(one) = matches.next() {
        let mut item: Option<Captured> = None;
        let mut parts: Vec<(&str, Range<usize>)> = Vec::new();
        let mut is_readable = true;
        let pattern = one.pattern_index;
        for capture in one.captures() {
            let range = capture.node.byte_range();
            let is_open = range.end > len;
            let range = trimmed(text, range.start.min(len)..range.end.min(len));
            match names[capture.index as usize] {
                "comment" => {
                    // A grammar may include in an attribute the comment behind it.
                    captures
                        .leading
                        .entry(range.end)
                        .or_insert(Leading::new(range.start, LeadingKind::Comment));
                }
                "attribute" => captures.set_attribute(range, LeadingKind::Attribute),
                "attribute.apart" => captures.set_attribute(range, LeadingKind::AttributeApart),
                "below" => {
                    captures.below.insert(range.start, range.end);
                }
                "wrapper" => captures.wrappers.entry(range.end).or_default().push(range.start),
                "doc.file" => captures.file_doc.push(range),
                "aside" => captures.asides.push(range),
                "visibility.below" => captures.visibilities.push(range),
                name => match name.strip_prefix("item.").map(ItemKind::of) {
                    Some(Some(kind)) => {
                        item = Some(Captured { is_open, ..Captured::new(kind, range, pattern) });
                    }
                    Some(None) | None => {
                        // Of variants that macros make, words of comments would be left.
                        let is_broken =
                            || capture.node.kind() == "enumerator_list" && capture.node.has_error();
                        is_readable &= name != "detail" || !is_broken();
                        parts.push((name, range));
                    }
                },
            }
        }
        if let Some(mut item) = item.filter(|_| is_readable) {
            for (name, range) in parts {
                item.set(name, range, text);
            }
            captures.found.push(item);
        }
    }
    drop(matches);
    (captures, stopped)
}

impl Captures {
    /// Adds the captures in a part of the text that begins at `start`.
    pub(super) fn append(&mut self, part: Captures, start: usize) {
        let moved = |range: Range<usize>| range.start + start..range.end + start;
        self.found.extend(part.found.into_iter().map(|item| item.moved(&moved)));
        self.leading.extend(part.leading.into_iter().map(|(end, leading)| {
            (end + start, Leading { start: leading.start + start, ..leading })
        }));
        self.below.extend(part.below.into_iter().map(|(at, end)| (at + start, end + start)));
        self.wrappers.extend(
            part.wrappers.into_iter().map(|(end, starts)| {
                (end + start, starts.into_iter().map(|at| at + start).collect())
            }),
        );
        self.file_doc.extend(part.file_doc.into_iter().map(moved));
        self.asides.extend(part.asides.into_iter().map(moved));
        self.visibilities.extend(part.visibilities.into_iter().map(moved));
    }

    fn set_attribute(&mut self, range: Range<usize>, kind: LeadingKind) {
        self.leading.insert(range.end, Leading::new(range.start, kind));
    }

    /// Adds attributes that the parser did not see.
    pub(super) fn add_attributes(&mut self, ranges: Vec<Range<usize>>) {
        for range in ranges {
            let leading = Leading::new(range.start, LeadingKind::Attribute);
            self.leading.entry(range.end).or_insert(leading);
        }
    }
}

impl Captured {
    pub(super) fn new(kind: ItemKind, node: Range<usize>, pattern: usize) -> Captured {
        Captured {
            kind,
            node,
            name: None,
            owner: None,
            of_trait: None,
            signature_end: None,
            body: None,
            doc: None,
            visibility: None,
            continues: false,
            detail: None,
            section: None,
            pattern,
            is_open: false,
        }
    }

    /// Ends an item, and its body where that ends with it.
    pub(super) fn end_at(&mut self, end: usize) {
        let body = self.body.as_mut().filter(|body| body.end == self.node.end);
        body.into_iter().for_each(|body| body.end = end);
        self.node.end = end;
    }

    /// Reports whether a block is a part of the body, or of a type without one of its own: not of
    /// what stands before the body of a class.
    pub(super) fn may_hold(&self, block: &Range<usize>) -> bool {
        self.body.as_ref().is_none_or(|body| body.start <= block.start)
    }

    /// Makes a block with members a part of the body of a type.
    pub(super) fn hold(&mut self, block: Range<usize>) {
        let body = self.body.get_or_insert_with(|| block.clone());
        body.end = body.end.max(block.end);
    }

    fn set(&mut self, capture: &str, range: Range<usize>, text: &str) {
        match capture {
            "name" => {
                // Several name captures form one dotted name: `a` and `b` of `a.b`.
                self.name = Some(match self.name.take() {
                    Some(name) => name.start..range.end,
                    None => range,
                });
            }
            "owner" => self.owner = Some(range),
            "trait" => self.of_trait = Some(range),
            "signature" => self.signature_end = Some(range.end),
            "body" => self.body = Some(range),
            "value" if range.len() > LONG_VALUE || text[range.clone()].contains('\n') => {
                self.body = Some(range)
            }
            "doc" => {
                self.doc = Some(match self.doc.take() {
                    Some(doc) => doc.start.min(range.start)..doc.end.max(range.end),
                    None => range,
                });
            }
            "visibility" => self.visibility = Some(range),
            "continues" => self.continues = true,
            "detail" => {
                let before = text[range.clone()].find('{').unwrap_or(0);
                self.detail = Some(range.start + before..range.end);
            }
            "section.1" => self.section = Some(1),
            "section.2" => self.section = Some(2),
            "section.3" => self.section = Some(3),
            "section.4" => self.section = Some(4),
            "section.5" => self.section = Some(5),
            "section.6" => self.section = Some(6),
            _ => {}
        }
    }

    fn moved(self, moved: &impl Fn(Range<usize>) -> Range<usize>) -> Captured {
        Captured {
            node: moved(self.node),
            name: self.name.map(moved),
            owner: self.owner.map(moved),
            of_trait: self.of_trait.map(moved),
            signature_end: self.signature_end.map(|end| moved(end..end).end),
            body: self.body.map(moved),
            doc: self.doc.map(moved),
            visibility: self.visibility.map(moved),
            detail: self.detail.map(moved),
            ..self
        }
    }

    /// Merges two patterns' captures of the same node into one item; the first pattern's kind wins.
    pub(super) fn merge(&mut self, other: Captured) {
        self.name = self.name.take().or(other.name);
        self.owner = self.owner.take().or(other.owner);
        self.of_trait = self.of_trait.take().or(other.of_trait);
        self.signature_end = self.signature_end.or(other.signature_end);
        self.body = self.body.take().or(other.body);
        self.doc = self.doc.take().or(other.doc);
        self.visibility = self.visibility.take().or(other.visibility);
        self.continues |= other.continues;
        self.detail = self.detail.take().or(other.detail);
        self.section = self.section.or(other.section);
    }
}

/// Returns the range without white space at its ends; some grammars include the line break after a
/// node.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..(start + slice.trim().len())
}
