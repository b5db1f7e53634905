//! The outline of a file: items with their kinds and positions, and the reasons for an incomplete
//! outline.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::level::Level;
use crate::outline::trouble::Trouble;
use crate::text::cut::cut;

/// The maximum number of items in an outline; a file with more keeps its first ones and reports it.
pub(crate) const MAX_ITEMS: usize = 5_000;
/// The maximum length of the first line of a text in its title, in characters.
const LONG_TITLE: usize = 60;

/// A part of a file that can be addressed and shown on its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The name alone: `refresh`.
    pub name: String,
    /// The name with the names of the items around it: `Session::refresh`.
    pub qualified: String,
    /// 1 for the first item of that qualified name in the file, 2 for the second.
    pub nth: u32,
    /// The text that an outline prints after the kind. It differs from the name where the name
    /// alone would mislead (`Display for Session`).
    pub title: String,
    /// The kind of item.
    pub kind: ItemKind,
    /// The visibility, as far as the syntax shows it.
    pub visibility: Visibility,
    /// The item in bytes, with its attributes, decorators and the doc comments above it.
    pub span: Range<usize>,
    /// From the start of the span to the end of the signature.
    pub head: Range<usize>,
    /// The doc comment: above, below, or first in the body.
    pub doc: Option<Range<usize>>,
    /// The part that level interface leaves out.
    pub body: Option<Range<usize>>,
    /// First and last line of the span, counted from 1.
    pub lines: (u32, u32),
    /// The position of the enclosing item in the outline.
    pub parent: Option<usize>,
    /// Whether nested items make up the body. A function with a nested snippet has none.
    pub has_children: bool,
    /// Whether much of a section is badges, logos and rows of links.
    pub(crate) has_badges: bool,
    /// Whether the compiler writes or forbids its body: `= default`, `= delete`.
    pub(crate) is_given: bool,
    /// Whether it is one of the parts of a type that stand apart: `partial`.
    pub(crate) is_part: bool,
}

impl Item {
    /// Returns an item that is text without a name: between definitions, or in a function. Its
    /// title is the name for all such text and the first line.
    pub(super) fn of_text(
        kind: ItemKind,
        name: &str,
        nth: u32,
        span: Range<usize>,
        text: &str,
        line_starts: &LineStarts,
    ) -> Item {
        let first = text[span.clone()].lines().next().unwrap_or_default().trim_end();
        let head = span.start..span.start + first.len();
        let rest = head.end..span.end;
        Item {
            name: name.to_owned(),
            qualified: name.to_owned(),
            nth,
            title: format!("{name} {}", cut(first, LONG_TITLE)),
            kind,
            visibility: Visibility::Unmarked,
            lines: (line_starts.line(span.start), line_starts.line(span.end - 1)),
            head,
            doc: None,
            body: (!rest.is_empty()).then_some(rest),
            span,
            parent: None,
            has_children: false,
            has_badges: false,
            is_given: false,
            is_part: false,
        }
    }

    /// Puts text without a name into the item that holds it, at a position of the outline.
    pub(super) fn within(self, holder: &Item, at: usize) -> Item {
        let qualified = format!("{}.{}", holder.qualified, self.name);
        Item { qualified, parent: Some(at), ..self }
    }

    /// Returns the label that an outline prints before the title; empty where the title is the
    /// keyword that defines the item.
    pub(crate) fn label(&self) -> &'static str {
        match self.title.as_str() {
            "defexception" | "defstruct" => "",
            _ => self.kind.label(),
        }
    }

    /// Reports whether showing the item at `level` also shows the items nested in it: with its
    /// body, or with a signature that is the whole text.
    pub(crate) fn covers_children(&self, level: Level) -> bool {
        level >= Level::Body || level == Level::Interface && self.body.is_none()
    }

    /// Returns the level that follows for the item from that of its file.
    pub(crate) fn level_in_file(&self, level: Level) -> Level {
        match level {
            level if level < self.kind.shown_from() => Level::Exclude,
            // The items in it have bodies of their own.
            Level::Body if self.has_children => Level::Interface,
            level => level,
        }
    }

    /// Returns the name by which other code uses the item: the last word of a qualified name
    /// (`Ledger::settle`, `self.settle`, `Ledger:settle`, `List<T>.settle`, `:settle`), without the
    /// mark of a method in Ruby and Elixir (`settle!`, `settle?`, `settle=`). Where that is no word
    /// it is the whole name, as it is for prose, keys, paths and selectors.
    pub(crate) fn used_name(&self) -> &str {
        let has_path = match self.kind {
            // Nothing uses `module.exports` by `exports`, or `Shop.Orders` by `Orders`.
            ItemKind::Object | ItemKind::Namespace | ItemKind::Test => false,
            kind => kind.is_code(),
        };
        if !has_path {
            return &self.name;
        }
        let bare = self.name.strip_suffix(['!', '?', '=']).unwrap_or(&self.name);
        let last = match bare.rfind(['.', ':']) {
            // `.settle` and `#settle` are the titles of tests.
            Some(0) if bare.starts_with('.') => return &self.name,
            Some(at) => &bare[at + 1..],
            None => bare,
        };
        let is_word = !last.is_empty()
            && last.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if is_word { last } else { &self.name }
    }

    /// Reports whether the item has text of its own to be shown. What groups others (a type, a
    /// module, a section) is shown by them; a function around others has code beside them.
    pub(crate) fn has_own_code(&self) -> bool {
        !self.has_children || self.kind.is_function()
    }

    /// Takes note of a nested item. Snippets in a function are no parts of it.
    pub(super) fn holds(&mut self, nested: ItemKind) {
        self.has_children |= !self.kind.hides_nested() || nested != ItemKind::Snippet;
    }

    /// Returns the address of the item in its file: the qualified name, with `@n` when it is not
    /// the first of that name.
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
    /// Items in source order: an item comes before those nested in it.
    pub items: Vec<Item>,
    /// The comment that describes the whole file.
    pub doc: Option<Range<usize>>,
    /// The reason for an incomplete outline, for the report.
    pub trouble: Option<Trouble>,
}

impl Outline {
    /// Reports whether an item is a test or part of one, within a file of sources.
    pub(crate) fn is_test(&self, at: usize) -> bool {
        let item = &self.items[at];
        item.kind == ItemKind::Test
            || matches!(item.kind, ItemKind::Module | ItemKind::Namespace)
                && names_tests(&item.name)
            || item.parent.is_some_and(|parent| self.is_test(parent))
    }

    /// Reports whether an item is a function that has [blocks](ItemKind::Block).
    pub(crate) fn has_blocks(&self, at: usize) -> bool {
        // Such a function holds no other items.
        at + 1 < self.items.len() && self.function_of_block(at + 1) == Some(at)
    }

    /// Returns the function of which an item is a block.
    pub(crate) fn function_of_block(&self, at: usize) -> Option<usize> {
        self.items[at].parent.filter(|_| self.items[at].kind == ItemKind::Block)
    }

    /// Reports whether lines touch an item's own code, outside of the items nested in it.
    pub(crate) fn touches_own_code(&self, at: usize, lines: (u32, u32)) -> bool {
        let item = &self.items[at];
        let touches = item.lines.0 <= lines.1 && lines.0 <= item.lines.1;
        if !touches || !item.has_children {
            return touches;
        }
        let nested = self.items[at + 1..].iter().take_while(|one| one.span.start < item.span.end);
        let is_nested = |one: &Item| one.lines.0 <= lines.0 && lines.1 <= one.lines.1;
        item.has_own_code() && !nested.into_iter().any(is_nested)
    }

    /// Reports whether every range is valid in the text. An outline just made of the text is valid;
    /// one from a pack may be corrupt.
    pub(crate) fn fits(&self, text: &str) -> bool {
        let of_item = |item: &Item| {
            [Some(item.span.clone()), Some(item.head.clone()), item.doc.clone(), item.body.clone()]
        };
        let mut ranges = self.items.iter().flat_map(of_item).chain([self.doc.clone()]).flatten();
        ranges.all(|range| text.get(range).is_some())
    }
}

/// Reports whether a module is named as one of tests: `tests`, `sync_tests`, `test_helpers`.
fn names_tests(name: &str) -> bool {
    let is_test = |word: Option<&str>| matches!(word, Some("test" | "tests"));
    is_test(name.split('_').next()) || is_test(name.rsplit('_').next())
}

macro_rules! kinds {
    ($($variant:ident $word:literal $label:literal,)*) => {
        /// The kind of an item. Queries capture it as `@item.<word>`, and reports print the word.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "their words say what they are")]
        pub enum ItemKind { $($variant,)* }

        impl ItemKind {
            /// Every kind.
            pub const ALL: &[ItemKind] = &[$(ItemKind::$variant,)*];

            /// Returns the word for this kind.
            pub fn as_str(self) -> &'static str {
                match self { $(ItemKind::$variant => $word,)* }
            }

            /// Returns the label that an outline prints before the name; empty where the name is
            /// clear without it.
            pub(crate) fn label(self) -> &'static str {
                match self { $(ItemKind::$variant => $label,)* }
            }

            /// Returns the kind that a query captures by this word; no query captures the text
            /// between items.
            pub(super) fn of(word: &str) -> Option<ItemKind> {
                let kind = match word { $($word => ItemKind::$variant,)* _ => return None };
                (!kind.is_between()).then_some(kind)
            }
        }
    };
}

kinds! {
    Block "block" "",
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
    Imports "imports" "",
    Interface "interface" "interface",
    Key "key" "",
    Macro "macro" "macro",
    Message "message" "message",
    Method "method" "fn",
    Module "module" "mod",
    Namespace "namespace" "namespace",
    Object "object" "object",
    Property "property" "property",
    Region "region" "",
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
    /// Reports whether the kind is executed code or evaluated text, whose nested definitions are
    /// local and not items.
    pub(super) fn hides_nested(self) -> bool {
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

    /// Reports whether the kind is a function, alone or of a type.
    pub(crate) fn is_function(self) -> bool {
        matches!(self, ItemKind::Constructor | ItemKind::Function | ItemKind::Method)
    }

    /// Reports whether the kind is a type, or the implementation of one.
    pub(crate) fn is_type(self) -> bool {
        matches!(
            self,
            ItemKind::Class
                | ItemKind::Enum
                | ItemKind::Impl
                | ItemKind::Interface
                | ItemKind::Object
                | ItemKind::Struct
                | ItemKind::Trait
                | ItemKind::Type
                | ItemKind::Union
        )
    }

    /// Reports whether the kind is a definition of code. The others are parts of prose, data, pages
    /// and style sheets, or steps of a build.
    pub(crate) fn is_code(self) -> bool {
        !matches!(
            self,
            ItemKind::Block
                | ItemKind::Element
                | ItemKind::Heading
                | ItemKind::Imports
                | ItemKind::Instruction
                | ItemKind::Key
                | ItemKind::Region
                | ItemKind::Rule
                | ItemKind::Snippet
                | ItemKind::Target
        )
    }

    /// Reports whether the kind is a detail of what is around it, which an outline leaves out: a
    /// part of its container, or the text between items.
    pub fn is_member(self) -> bool {
        self.shown_from() > Level::Outline
    }

    /// Reports whether the kind is text without a name, between items or in a function.
    pub(crate) fn is_between(self) -> bool {
        matches!(self, ItemKind::Block | ItemKind::Imports | ItemKind::Region)
    }

    /// Returns the lowest level at which a file shows its items of this kind. An item can have a
    /// lower level of its own.
    pub(crate) fn shown_from(self) -> Level {
        match self {
            ItemKind::Field | ItemKind::Variant => Level::Interface,
            ItemKind::Block | ItemKind::Imports | ItemKind::Region => Level::Full,
            _ => Level::Outline,
        }
    }
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The visibility of an item, as far as its own syntax shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Visibility {
    /// Marked private, protected, internal or by a leading underscore.
    Private,
    /// Unmarked; the meaning depends on the language.
    Unmarked,
    /// Marked public or exported.
    Public,
}

impl Visibility {
    /// Returns the word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Visibility::Private => "private",
            Visibility::Unmarked => "unmarked",
            Visibility::Public => "public",
        }
    }
}

/// The byte offsets at which the lines of a text begin.
pub(crate) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(crate) fn of(text: &str) -> LineStarts {
        LineStarts(
            std::iter::once(0)
                .chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1))
                .collect(),
        )
    }

    /// Returns the offset at which a line begins, counted from 1.
    pub(crate) fn start(&self, line: u32) -> Option<usize> {
        self.0.get((line as usize).checked_sub(1)?).copied()
    }

    /// Returns the line of the byte at `offset`, counted from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.0.partition_point(|start| *start <= offset) as u32
    }
}

/// Merges adjacent and overlapping ranges of lines.
pub(crate) fn joined_lines(mut ranges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (first, last) in ranges {
        match joined.last_mut() {
            Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
            _ => joined.push((first, last)),
        }
    }
    joined
}
