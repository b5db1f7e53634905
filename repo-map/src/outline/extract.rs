//! Text → items: the only user of queries and cursors.
//!
//! A language's query says which nodes are items, names, bodies, comments; this file joins the
//! captures by position: doc comments and attributes are drawn to the item below them, wrappers
//! (decorators, `export`, templates) widen it, and items nest by containment. Nothing walks the
//! syntax tree node by node, so the work is linear in the captures whatever the shape of the file.
//! Broken source is input: what can be read is returned.

use std::collections::HashMap;
use std::fmt;
use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};
use tree_sitter::{Query, QueryCursor, QueryCursorOptions, StreamingIterator, Tree};

use crate::level::Level;
use crate::outline::catch_panic::catch_panic;
use crate::outline::language::Language;
use crate::outline::parse::{self, NoTree};
use crate::outline::parse_limits;
use crate::outline::worker::Lost;

/// The most items an outline holds; a file with more keeps its first ones and says so.
pub(crate) const MAX_ITEMS: usize = 5_000;
/// Keys of configuration files are items down to this depth (1 is the top).
const KEY_DEPTH: usize = 3;
/// Nodes deeper than this are no items: on its way to one the cursor looks at all that are around
/// it.
const MAX_DEPTH: u32 = 300;
/// So many bytes that are not in a text's language are nothing to speak of.
const SMALL_LOSS: usize = 1_000;
/// A constant's value longer than this many bytes is elided at level interface.
const LONG_VALUE: usize = 100;
/// The longest name kept, in characters: selectors and headings can be of any length.
const LONG_NAME: usize = 160;

/// What can be addressed and shown on its own inside a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The name alone: `refresh`.
    pub name: String,
    /// The name with those of the items around it: `Session::refresh`.
    pub qualified: String,
    /// 1 for the first item of that qualified name in the file, 2 for the second.
    pub nth: u32,
    /// What an outline prints after the kind; differs from the name where that alone would mislead
    /// (`Display for Session`).
    pub title: String,
    /// What kind of thing it is.
    pub kind: ItemKind,
    /// Who can use it, as far as the syntax says.
    pub visibility: Visibility,
    /// The item in bytes, with its attributes, decorators and the doc comments above it.
    pub span: Range<usize>,
    /// From the start of the span to the end of the signature.
    pub head: Range<usize>,
    /// The doc comment, wherever it stands: above, below, or first in the body.
    pub doc: Option<Range<usize>>,
    /// What level interface leaves out.
    pub body: Option<Range<usize>>,
    /// First and last line of the span, counted from 1.
    pub lines: (u32, u32),
    /// The position in the outline of the item around this one.
    pub parent: Option<usize>,
    /// Whether other items are nested in this one and are what its body is made of: a snippet in a
    /// function is not.
    pub has_children: bool,
}

impl Item {
    /// Whether showing the item at `level` shows the items nested in it too: its whole text, or a
    /// signature that is the whole text.
    pub(crate) fn covers_children(&self, level: Level) -> bool {
        level == Level::Full || level == Level::Interface && self.body.is_none()
    }

    /// The address of the item in its file: the qualified name, with `@n` when it is not the first
    /// of that name.
    pub fn address(&self) -> String {
        if self.nth == 1 {
            self.qualified.clone()
        } else {
            format!("{}@{}", self.qualified, self.nth)
        }
    }
}

/// The items of one file, in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Items in source order: an item stands before those nested in it.
    pub items: Vec<Item>,
    /// The comment that describes the whole file.
    pub doc: Option<Range<usize>>,
    /// What kept the outline from being complete, for the report.
    pub trouble: Option<Trouble>,
}

impl Outline {
    /// Whether every range can be cut out of the text. Those of its own outline can; one from a
    /// pack may be anything.
    pub(crate) fn fits(&self, text: &str) -> bool {
        let of_item = |item: &Item| {
            [Some(item.span.clone()), Some(item.head.clone()), item.doc.clone(), item.body.clone()]
        };
        let mut ranges = self.items.iter().flat_map(of_item).chain([self.doc.clone()]).flatten();
        ranges.all(|range| text.get(range).is_some())
    }
}

/// Why an outline is missing or incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The parser did not end within the work its size allows.
    Stopped,
    /// The text is nested too deep to be parsed.
    TooDeep,
    /// More than 5 000 items.
    TooManyItems,
    /// Only the head of the text was parsed.
    Cut,
    /// Much of the text is not in its language.
    Broken,
    /// Something here panicked over it.
    Failed,
    /// The parser made no progress any more, and was left behind.
    Hung,
    /// It was not parsed: too many parsers were left behind before.
    Refused,
}

macro_rules! kinds {
    ($($variant:ident $word:literal $label:literal,)*) => {
        /// What kind of thing an item is. The word is what queries capture as `@item.<word>` and
        /// what reports print.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "their words say what they are")]
        pub enum ItemKind { $($variant,)* }

        impl ItemKind {
            /// Every kind.
            pub const ALL: &[ItemKind] = &[$(ItemKind::$variant,)*];

            /// The word for this kind.
            pub fn as_str(self) -> &'static str {
                match self { $(ItemKind::$variant => $word,)* }
            }

            /// What an outline prints before the name; empty where the name says enough.
            pub(crate) fn label(self) -> &'static str {
                match self { $(ItemKind::$variant => $label,)* }
            }

            fn of(word: &str) -> Option<ItemKind> {
                match word { $($word => Some(ItemKind::$variant),)* _ => None }
            }
        }
    };
}

kinds! {
    Class "class" "class",
    Constant "constant" "const",
    Constructor "constructor" "fn",
    Element "element" "",
    Enum "enum" "enum",
    Field "field" "field",
    Function "function" "fn",
    Heading "heading" "",
    Impl "impl" "impl",
    Instruction "instruction" "",
    Interface "interface" "interface",
    Key "key" "",
    Macro "macro" "macro",
    Message "message" "message",
    Method "method" "fn",
    Module "module" "mod",
    Namespace "namespace" "namespace",
    Object "object" "object",
    Property "property" "property",
    Rpc "rpc" "rpc",
    Rule "rule" "",
    Service "service" "service",
    Snippet "snippet" "",
    Struct "struct" "struct",
    Table "table" "table",
    Target "target" "",
    Test "test" "test",
    Trait "trait" "trait",
    Type "type" "type",
    Union "union" "union",
    Variable "variable" "var",
    Variant "variant" "variant",
    View "view" "view",
}

impl ItemKind {
    /// Code that runs, or is run to get a value: what is nested in it is its own business.
    fn hides_nested(self) -> bool {
        matches!(
            self,
            ItemKind::Function
                | ItemKind::Method
                | ItemKind::Constructor
                | ItemKind::Macro
                | ItemKind::Rpc
                | ItemKind::Test
                | ItemKind::Property
                | ItemKind::Field
        )
    }

    /// Part of its container rather than a thing of its own: shown from level interface on, not in
    /// an outline.
    pub fn is_member(self) -> bool {
        matches!(self, ItemKind::Field | ItemKind::Variant)
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Who can use an item, as far as its own syntax says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Visibility {
    /// Marked private, protected, internal or by a leading underscore.
    Private,
    /// Nothing is said; what that means depends on the language.
    Unmarked,
    /// Marked public or exported.
    Public,
}

impl Visibility {
    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Private => "private",
            Visibility::Unmarked => "unmarked",
            Visibility::Public => "public",
        }
    }
}

impl From<NoTree> for Trouble {
    fn from(why: NoTree) -> Trouble {
        match why {
            NoTree::Stopped => Trouble::Stopped,
            NoTree::Lost(Lost::Hung) => Trouble::Hung,
            NoTree::Lost(Lost::Refused) => Trouble::Refused,
            NoTree::Lost(Lost::Panicked) => Trouble::Failed,
        }
    }
}

impl Trouble {
    /// Whether the text alone is to blame, so that another run finds the same.
    pub(crate) fn is_of_the_text(self) -> bool {
        self != Trouble::Refused
    }

    /// What happened, in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Trouble::Stopped => {
                "the parser was stopped, the text takes more work than its size allows; its \
                 outline may be incomplete"
            }
            Trouble::TooDeep => "nested too deep to be parsed; it has no outline",
            Trouble::Cut => {
                "only its head was parsed, the rest would take too much work; its outline may \
                 miss items"
            }
            Trouble::Failed => {
                "could not be outlined, by a mistake of this program; it has no outline"
            }
            Trouble::Broken => "much of it could not be parsed; its outline may miss items",
            Trouble::TooManyItems => {
                "has more items than an outline holds; the last ones are left out"
            }
            Trouble::Hung => "its parser does not come back; it has no outline",
            Trouble::Refused => {
                "was not parsed, since too many parsers did not come back; it has no outline"
            }
        }
    }
}

const CAPTURES: &[&str] = &[
    "attribute",
    "below",
    "body",
    "comment",
    "continues",
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
    "wrapper",
];

/// A query compiled for a language, its captures checked.
///
/// # Errors
/// A sentence that says what does not fit.
pub(crate) fn checked_query(language: &Language, query: &str) -> Result<Query, String> {
    let query = Query::new(&language.grammar(), query)
        .map_err(|error| format!("the query does not fit the grammar: {error}"))?;
    for name in query.capture_names() {
        match name.strip_prefix("item.") {
            Some(kind) if ItemKind::of(kind).is_none() => {
                let kinds: Vec<&str> = ItemKind::ALL.iter().map(|kind| kind.as_str()).collect();
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

/// The outline of `text` in `language`.
pub fn outline(language: &'static Language, text: &str) -> Outline {
    outline_with(language, language.compiled_query(), text)
}

/// The outline of `text` by a query of the caller's: how a new query file is tried out.
pub(crate) fn outline_with(language: &Language, query: &Query, text: &str) -> Outline {
    catch_panic(|| contained(language, query, text)).unwrap_or(without_items(Trouble::Failed))
}

fn without_items(trouble: Trouble) -> Outline {
    Outline { trouble: Some(trouble), ..Outline::default() }
}

fn contained(language: &Language, query: &Query, text: &str) -> Outline {
    if parse_limits::is_too_deep(language, text) {
        return without_items(Trouble::TooDeep);
    }
    let head = parse_limits::parsable(language, text);
    let parsed = parse::ended(head);
    let tree = match parse::parse(language, &parsed) {
        Ok(tree) => tree,
        Err(why) => return without_items(why.into()),
    };
    let (captures, stopped) = capture(query, &tree, &parsed, head.len());
    let mut outline = assemble(language, captures, text);
    outline.trouble = match outline.trouble {
        _ if stopped => Some(Trouble::Stopped),
        None if lost(&tree) > SMALL_LOSS.max(head.len() / 4) => Some(Trouble::Broken),
        None if head.len() < text.len() => Some(Trouble::Cut),
        trouble => trouble,
    };
    outline
}

/// How many bytes the parser could make nothing of: those of error nodes outside of what it read
/// within them. Only the parts of the tree that hold errors are looked at.
fn lost(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut lost = 0;
    // For each node on the way down, whether it is an error.
    let mut around = vec![false];
    loop {
        let node = cursor.node();
        let is_leaf = node.child_count() == 0;
        if is_leaf && (node.is_error() || around.last() == Some(&true)) {
            lost += node.byte_range().len();
        }
        if node.has_error() && cursor.goto_first_child() {
            around.push(node.is_error());
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return lost;
            }
            around.pop();
        }
    }
}

/// What the query found, as positions in the text.
#[derive(Default)]
struct Captures {
    found: Vec<Captured>,
    /// Comments and attributes by the position where they end, white space apart.
    leading: HashMap<usize, Leading>,
    /// Comments that may belong to the item above them, by where they start.
    below: HashMap<usize, usize>,
    /// Nodes that widen the item they end with.
    wrappers: HashMap<usize, Vec<usize>>,
    file_doc: Vec<Range<usize>>,
}

#[derive(Clone, Copy)]
struct Leading {
    start: usize,
    is_comment: bool,
}

struct Captured {
    kind: ItemKind,
    node: Range<usize>,
    name: Option<Range<usize>>,
    /// The type a function belongs to when it stands outside of it: a Go receiver.
    owner: Option<Range<usize>>,
    of_trait: Option<Range<usize>>,
    signature_end: Option<usize>,
    body: Option<Range<usize>>,
    doc: Option<Range<usize>>,
    visibility: Option<Range<usize>>,
    /// Another part of the item before it, when that has the same name: a further equation of a
    /// function.
    continues: bool,
    /// The rank of a heading: its section ends before the next of the same or a higher one.
    section: Option<u8>,
    /// Where the pattern stands in the query.
    pattern: usize,
}

/// Runs the query over a tree of `text`, of which the first `len` bytes are the file's; `true` when
/// it was stopped for the work it took.
fn capture(query: &Query, tree: &Tree, text: &str, len: usize) -> (Captures, bool) {
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
        let pattern = one.pattern_index;
        for capture in one.captures() {
            let range = capture.node.byte_range();
            let range = trimmed(text, range.start.min(len)..range.end.min(len));
            match names[capture.index as usize] {
                "comment" => {
                    // A grammar may count a comment behind an attribute to it.
                    captures
                        .leading
                        .entry(range.end)
                        .or_insert(Leading { start: range.start, is_comment: true });
                }
                "attribute" => {
                    captures
                        .leading
                        .insert(range.end, Leading { start: range.start, is_comment: false });
                }
                "below" => {
                    captures.below.insert(range.start, range.end);
                }
                "wrapper" => captures.wrappers.entry(range.end).or_default().push(range.start),
                "doc.file" => captures.file_doc.push(range),
                name => match name.strip_prefix("item.").map(ItemKind::of) {
                    Some(Some(kind)) => item = Some(Captured::new(kind, range, pattern)),
                    Some(None) | None => parts.push((name, range)),
                },
            }
        }
        if let Some(mut item) = item {
            for (name, range) in parts {
                item.set(name, range, text);
            }
            captures.found.push(item);
        }
    }
    drop(matches);
    (captures, stopped)
}

impl Captured {
    fn new(kind: ItemKind, node: Range<usize>, pattern: usize) -> Captured {
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
            section: None,
            pattern,
        }
    }

    fn set(&mut self, capture: &str, range: Range<usize>, text: &str) {
        match capture {
            "name" => {
                // Several names are one dotted name: `a` and `b` of `a.b`.
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
            "section.1" => self.section = Some(1),
            "section.2" => self.section = Some(2),
            "section.3" => self.section = Some(3),
            "section.4" => self.section = Some(4),
            "section.5" => self.section = Some(5),
            "section.6" => self.section = Some(6),
            _ => {}
        }
    }

    /// Two patterns that found the same node are one item; the first pattern's word counts.
    fn merge(&mut self, other: Captured) {
        self.name = self.name.take().or(other.name);
        self.owner = self.owner.take().or(other.owner);
        self.of_trait = self.of_trait.take().or(other.of_trait);
        self.signature_end = self.signature_end.or(other.signature_end);
        self.body = self.body.take().or(other.body);
        self.doc = self.doc.take().or(other.doc);
        self.visibility = self.visibility.take().or(other.visibility);
        self.continues |= other.continues;
        self.section = self.section.or(other.section);
    }
}

/// The range without white space at its ends; some grammars count the line break after a node to
/// it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    start..(start + slice.trim().len())
}

fn assemble(language: &Language, mut captures: Captures, text: &str) -> Outline {
    let mut found = std::mem::take(&mut captures.found);
    found.sort_by_key(|item| (item.node.start, std::cmp::Reverse(item.node.end), item.pattern));
    found.dedup_by(|later, earlier| {
        let same = later.node == earlier.node;
        if same {
            earlier.merge(std::mem::replace(later, Captured::new(later.kind, 0..0, 0)));
        }
        same
    });

    end_sections(&mut found, text);

    let line_starts = LineStarts::of(text);
    let mut outline = Outline::default();
    let mut open: Vec<(usize, Range<usize>)> = Vec::new();
    let mut seen: HashMap<String, u32> = HashMap::new();
    for item in found {
        while open.last().is_some_and(|(_, node)| node.end <= item.node.start) {
            open.pop();
        }
        let parent = open.last().map(|(position, _)| *position);
        // A snippet needs no name of its own: it is what it says.
        let name = item
            .name
            .clone()
            .or_else(|| (item.kind == ItemKind::Snippet).then(|| item.node.clone()));
        let Some(name) =
            name.map(|name| tidy_name(item.kind, &text[name])).filter(|name| !name.is_empty())
        else {
            continue;
        };
        if item.continues
            && let Some(before) = outline
                .items
                .last_mut()
                .filter(|before| before.parent == parent && before.name == name)
        {
            continue_item(before, &item.node, &line_starts);
            continue;
        }
        if let Some(parent) = parent {
            if outline.items[parent].kind.hides_nested() && item.kind != ItemKind::Snippet {
                continue;
            }
            if item.kind == ItemKind::Key && open.len() >= KEY_DEPTH {
                continue;
            }
        }
        if outline.items.len() == MAX_ITEMS {
            outline.trouble = Some(Trouble::TooManyItems);
            break;
        }
        let qualified = match parent {
            Some(parent) => {
                format!("{}{}{name}", outline.items[parent].qualified, language.separator)
            }
            None => match &item.owner {
                Some(owner) => format!("{}{}{name}", &text[owner.clone()], language.separator),
                None => name.clone(),
            },
        };
        let nth = *seen.entry(qualified.clone()).and_modify(|nth| *nth += 1).or_insert(1);
        if let Some(parent) = parent {
            let parent = &mut outline.items[parent];
            parent.has_children = !parent.kind.hides_nested();
        }
        open.push((outline.items.len(), item.node.clone()));
        let mut around = open.iter().rev().nth(1).map_or(0..text.len(), |(_, node)| node.clone());
        // Items stand in the order of the text: what is drawn to one does not reach beyond the one
        // before.
        around.start = around.start.max(outline.items.last().map_or(0, |before| before.span.start));
        outline.items.push(place(
            item,
            name,
            qualified,
            nth,
            parent,
            around,
            &captures,
            text,
            &line_starts,
        ));
    }
    clip(&mut outline.items, text, &line_starts);
    outline.doc = first_block(captures.file_doc, text).filter(|doc| {
        outline
            .items
            .first()
            .is_none_or(|first| doc.end <= first.span.start || doc.start >= first.span.end)
    });
    outline
}

/// A section has no node of its own: it goes from its heading to the next one of its rank or
/// higher.
fn end_sections(found: &mut [Captured], text: &str) {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut ends: Vec<(usize, usize)> = Vec::new();
    for (at, item) in found.iter().enumerate() {
        let Some(rank) = item.section else { continue };
        while let Some((_, before)) = open.pop_if(|(other, _)| *other >= rank) {
            ends.push((before, item.node.start));
        }
        open.push((rank, at));
    }
    ends.extend(open.into_iter().map(|(_, at)| (at, text.len())));
    for (at, end) in ends {
        let start = found[at].node.start;
        found[at].node.end = start + text[start..end].trim_end().len();
    }
}

/// The first of some comments, with those that follow without a blank line between.
fn first_block(mut comments: Vec<Range<usize>>, text: &str) -> Option<Range<usize>> {
    comments.sort_by_key(|comment| (comment.start, comment.end));
    comments.into_iter().reduce(|block, next| {
        let gap = text.get(block.end..next.start).unwrap_or_default();
        let follows =
            gap.trim().is_empty() && gap.bytes().filter(|byte| *byte == b'\n').count() <= 1;
        if follows { block.start..block.end.max(next.end) } else { block }
    })
}

fn continue_item(item: &mut Item, node: &Range<usize>, line_starts: &LineStarts) {
    item.span.end = item.span.end.max(node.end);
    if let Some(body) = &mut item.body {
        body.end = body.end.max(node.end);
    }
    item.lines.1 = line_starts.line(item.span.end.max(1) - 1);
}

/// Some grammars count what stands above an item, its comment say, to the item before, and in
/// broken code a node can go on behind the one around it: an item ends before the next of its
/// siblings, and with its parent.
fn clip(items: &mut [Item], text: &str, line_starts: &LineStarts) {
    let mut last_of: HashMap<Option<usize>, usize> = HashMap::new();
    for at in 0..items.len() {
        let start = items[at].span.start;
        let Some(before) = last_of.insert(items[at].parent, at) else { continue };
        if items[before].head.end <= start {
            end_by(&mut items[before], start, text, line_starts);
        }
    }
    for at in 0..items.len() {
        let start = items[at].span.start;
        let around = std::iter::successors(items[at].parent, |parent| items[*parent].parent);
        let parent = around.into_iter().find(|parent| start < items[*parent].span.end);
        items[at].parent = parent;
        if let Some(parent) = parent {
            items[parent].has_children = !items[parent].kind.hides_nested();
            let end = items[parent].span.end;
            end_by(&mut items[at], end, text, line_starts);
        }
    }
}

/// Takes from an item what lies behind `end`, and the white space before that.
fn end_by(item: &mut Item, end: usize, text: &str, line_starts: &LineStarts) {
    if item.span.end <= end {
        return;
    }
    let end = item.span.start + text[item.span.start..end].trim_end().len();
    item.span.end = end;
    item.lines.1 = line_starts.line(end.max(1) - 1);
    item.head.end = item.head.end.min(end);
    let within = |range: Range<usize>| {
        Some(range.start..range.end.min(end)).filter(|range| range.start < range.end)
    };
    item.doc = item.doc.take().and_then(within);
    item.body = item.body.take().and_then(within);
}

#[allow(clippy::too_many_arguments)]
fn place(
    item: Captured,
    name: String,
    qualified: String,
    nth: u32,
    parent: Option<usize>,
    around: Range<usize>,
    captures: &Captures,
    text: &str,
    line_starts: &LineStarts,
) -> Item {
    let (start, end) = widen(&item.node, &around, captures, text);
    let (start, doc_above) = draw_leading(start, around.start, captures, text);
    let node_end = end;
    let doc = item.doc.or(doc_above).or_else(|| doc_below(end, captures, text));
    let end = doc.as_ref().map_or(end, |doc| end.max(doc.end));
    let body = item.body.filter(|body| body.start < node_end).or_else(|| {
        let rest = item.signature_end?..node_end;
        (!text[rest.clone()].trim().is_empty()).then(|| trimmed(text, rest))
    });
    let head_end = item.signature_end.or(body.as_ref().map(|body| body.start)).unwrap_or(node_end);
    let head = start..(start + text[start..head_end.max(start)].trim_end().len());
    let visibility = visibility(&name, item.visibility.map(|range| &text[range]));
    let title = match item.of_trait {
        None if item.owner.is_some() => qualified.clone(),
        Some(of_trait) => format!("{} for {name}", tidy_name(item.kind, &text[of_trait])),
        None => name.clone(),
    };
    Item {
        name,
        qualified,
        nth,
        title,
        kind: item.kind,
        visibility,
        lines: (line_starts.line(start), line_starts.line(end.max(start + 1) - 1)),
        span: start..end,
        head,
        doc,
        body,
        parent,
        has_children: false,
    }
}

/// Decorators, `export` and templates wrap the node they end with; a semicolon may follow. What
/// wraps the item around is not this item's.
fn widen(
    node: &Range<usize>,
    around: &Range<usize>,
    captures: &Captures,
    text: &str,
) -> (usize, usize) {
    let mut range = node.clone();
    loop {
        let after_semicolon = match text[range.end..].trim_start().strip_prefix(';') {
            Some(rest) => text.len() - rest.len(),
            None => range.end,
        };
        let wider = [range.end, after_semicolon].into_iter().find_map(|end| {
            let starts = captures.wrappers.get(&end)?;
            starts
                .iter()
                .copied()
                .filter(|start| *start < range.start && *start >= around.start)
                .max()
                .map(|start| start..end)
        });
        match wider {
            Some(wider) => range = wider,
            None => return (range.start, range.end),
        }
    }
}

/// Comments and attributes directly above belong to the item. A blank line, or code on the
/// comment's own line, ends the search, and so does what stands before `from`.
fn draw_leading(
    start: usize,
    from: usize,
    captures: &Captures,
    text: &str,
) -> (usize, Option<Range<usize>>) {
    let mut start = start;
    let mut doc: Option<Range<usize>> = None;
    loop {
        let above = text[..start].trim_end();
        let gap = &text[above.len()..start];
        let Some(leading) = captures.leading.get(&above.len()) else { break };
        let own_line =
            text[..leading.start].bytes().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        let starts_its_line = matches!(own_line, None | Some(b'\n'));
        let blank_line_between = gap.bytes().filter(|byte| *byte == b'\n').count() > 1;
        // An attribute may share its line with the item, a comment may not follow code.
        if blank_line_between || (leading.is_comment && !starts_its_line) || leading.start < from {
            break;
        }
        if leading.is_comment {
            doc = Some(leading.start..doc.map_or(above.len(), |doc| doc.end));
        }
        start = leading.start;
    }
    (start, doc)
}

/// A comment directly below an item is its own when nothing follows it directly: a blank line, the
/// end of what is around.
fn doc_below(end: usize, captures: &Captures, text: &str) -> Option<Range<usize>> {
    let n_line_breaks = |gap: &str| gap.bytes().filter(|byte| *byte == b'\n').count();
    let after = &text[end..];
    let start = end + (after.len() - after.trim_start().len());
    let doc_end = *captures.below.get(&start)?;
    let rest = &text[doc_end..];
    let next = rest.trim_start();
    let stands_alone = n_line_breaks(&rest[..rest.len() - next.len()]) > 1
        || next.is_empty()
        || ["end", "}", ")", "]"].iter().any(|closer| next.starts_with(closer));
    let same_line = n_line_breaks(&text[end..start]) == 0;
    (same_line || n_line_breaks(&text[end..start]) == 1 && stands_alone).then_some(start..doc_end)
}

fn visibility(name: &str, marker: Option<&str>) -> Visibility {
    match marker {
        Some(marker) => {
            let private = [
                "private",
                "protected",
                "internal",
                "fileprivate",
                "local",
                "static",
                "defp",
                "defmacrop",
                "defguardp",
                "typep",
            ];
            let mut words = marker.split(|c: char| !c.is_alphanumeric());
            let is_private =
                marker.starts_with("pub(") || words.clone().any(|word| private.contains(&word));
            if is_private && !words.any(|word| word == "public") {
                Visibility::Private
            } else {
                Visibility::Public
            }
        }
        None if name.starts_with('_') && !(name.starts_with("__") && name.ends_with("__"))
            || name.starts_with('#') =>
        {
            Visibility::Private
        }
        None => Visibility::Unmarked,
    }
}

/// A name on one line: white space folded, quotes around keys and marks around headings dropped,
/// cut when endless.
fn tidy_name(kind: ItemKind, name: &str) -> String {
    let bare = ['"', '\'', '`']
        .iter()
        .find_map(|quote| {
            name.strip_prefix(*quote)?.strip_suffix(*quote).filter(|inner| !inner.contains(*quote))
        })
        .unwrap_or(name);
    let bare = match kind {
        ItemKind::Heading => bare.trim_end().trim_end_matches('#'),
        ItemKind::Variable => bare.trim_end_matches(['+', '?', '!', ':']),
        _ => bare,
    };
    let mut words = String::new();
    for word in bare.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    match words.char_indices().nth(LONG_NAME) {
        Some((cut, _)) => format!("{}…", &words[..cut]),
        None => words,
    }
}

/// Where each line of a text begins.
pub(crate) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(crate) fn of(text: &str) -> LineStarts {
        LineStarts(
            std::iter::once(0)
                .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1))
                .collect(),
        )
    }

    /// The line that holds the byte at `offset`, counted from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.0.partition_point(|start| *start <= offset) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scanner of Ruby has a kilobyte for what is open, and its parser ends the process when
    /// that is passed by one byte.
    #[test]
    fn ruby_with_too_much_open_at_once_is_not_parsed() {
        let words = format!("x(<<{0}, <<{0}, <<{0}, <<{1})\n", "A".repeat(255), "B".repeat(242));
        let strings = format!("x(<<TEXT) {}", "\"#{".repeat(300));
        let language = crate::outline::language::named("ruby").unwrap();
        for text in [words, strings] {
            assert_eq!(outline(language, &text).trouble, Some(Trouble::TooDeep));
        }
        let many = "f(<<~RUBY).g do |a|\n  text\nRUBY\nend\n".repeat(1_000);
        assert_eq!(outline(language, &many).trouble, None);
    }

    #[test]
    fn text_nested_deep_is_not_parsed_and_says_so() {
        for (language, text) in [
            ("json", "[".repeat(200_000)),
            ("python", "(".repeat(200_000)),
            ("html", "<div>".repeat(40_000)),
        ] {
            let language = crate::outline::language::named(language).unwrap();
            let outline = outline(language, &text);
            assert_eq!(
                (outline.items.len(), outline.trouble),
                (0, Some(Trouble::TooDeep)),
                "{}",
                language.name
            );
        }
    }
}
