//! Text before the parse: what no grammar can read is blanked, such as the macros of C and C++.
//!
//! The preprocessor runs before a compiler's parser, but a grammar sees its input. `API int f();`,
//! `BEGIN_NAMESPACE` or half a function in an `#if` derail it for many lines, and definitions are
//! lost or named `if`. This room blanks known shapes with spaces, so every position stays the same.
//! Only the parser reads the result; what is shown is the text itself.

mod bodies;
mod bodies_by_lines;
mod bodies_of_kotlin;
mod code;
mod conditionals;
mod cpp;
mod csharp;
mod declarations;
mod kotlin;
mod line_edits;
mod modules;
mod tokens;
mod typescript;
mod vocabulary;

use std::ops::Range;

use crate::outline::language::Language;
use code::CodeTokens;
use conditionals::{Conditionals, blank_conditionals};
pub(super) use cpp::is_cpp_header;
use declarations::Declarations;
use modules::Modules;
use tokens::{Token, TokenKind, comments_within, tokens};

/// Words that are never the name of a definition in C and C++: a grammar that lost its way takes
/// `if (x) {` for a function.
const KEYWORDS: &[&str] = &[
    "alignof",
    "asm",
    "case",
    "catch",
    "decltype",
    "defined",
    "delete",
    "do",
    "else",
    "for",
    "goto",
    "if",
    "new",
    "noexcept",
    "requires",
    "return",
    "sizeof",
    "static_assert",
    "switch",
    "throw",
    "typeid",
    "while",
];

/// The same for C#.
const CSHARP_KEYWORDS: &[&str] = &[
    "case", "catch", "do", "else", "for", "foreach", "if", "is", "lock", "new", "return", "sizeof",
    "switch", "throw", "typeof", "using", "while",
];

/// A text for the parser, as long as the original.
pub(super) struct Prepared {
    pub(super) text: String,
    /// The macros that belong to the declaration after them.
    pub(super) attributes: Vec<Range<usize>>,
}

/// Returns the text for the parser; `None` when it is the text itself.
pub(super) fn prepare(language: &Language, text: &str) -> Option<Prepared> {
    let (edits, attributes) = match language.name {
        "c" | "cpp" => {
            let mut all = tokens(text);
            let of_macros = comments_of_macros(text, &all);
            let Conditionals { mut edits, mut attributes } =
                blank_conditionals(text, &mut all, true);
            edits.extend(of_macros);
            let declarations = Declarations::find(text, &all, language.name == "c");
            edits.extend(declarations.edits);
            attributes.extend(declarations.attributes);
            if language.name == "cpp"
                && ["export", "import", "module"].iter().any(|word| text.contains(word))
            {
                let modules = Modules::find(&CodeTokens::of(text, &all));
                edits.extend(modules.edits);
                attributes.extend(modules.attributes);
            }
            (edits, attributes)
        }
        "csharp" => {
            let mut all = tokens(text);
            let Conditionals { mut edits, attributes } = blank_conditionals(text, &mut all, false);
            let code = CodeTokens::of(text, &all);
            edits.extend(csharp::extension_blocks(&code));
            edits.extend(csharp::assigning_operators(&code));
            (edits, attributes)
        }
        "kotlin" => {
            let all = tokens(text);
            let mut edits = line_edits::lines_of_kotlin(text);
            edits.extend(kotlin::guards_and_dollars(text, &all));
            edits.extend(kotlin::soft_keywords(text, &all));
            edits.extend(kotlin::bodies_on_one_line(text, &all));
            edits.extend(kotlin::constructors_below(text, &all));
            let mut annotations = kotlin::annotations_of_types(text, &all);
            annotations.extend(kotlin::context_parameters(text, &all));
            annotations.sort_by_key(|range| range.start);
            edits.extend(annotations.iter().cloned().map(Blanking::blank));
            (edits, annotations)
        }
        "make" => (line_edits::conditionals_of_automake(text), Vec::new()),
        "swift" => (line_edits::lines_of_swift(text), Vec::new()),
        "tsx" | "typescript" => (typescript::members_before_signatures(text), Vec::new()),
        "ruby" => (line_edits::unclosed_heredocs_of_ruby(text), Vec::new()),
        _ => return None,
    };
    (!edits.is_empty()).then(|| Prepared { text: edited(text, &edits), attributes })
}

/// Blanks the comments within macros of several lines: a grammar takes a macro to end before one.
fn comments_of_macros(text: &str, all: &[Token]) -> Vec<Blanking> {
    let mut edits = Vec::new();
    for Token { kind, range } in all {
        if matches!(kind, TokenKind::Conditional(_)) {
            let comments = comments_within(&text[range.clone()]).into_iter();
            let in_text = comments.map(|one| range.start + one.start..range.start + one.end);
            edits.extend(in_text.map(|range| Blanking { range, by: "", joins_lines: true }));
        }
    }
    edits
}

/// A body that the parser can do without: the node it is in, and the edits that leave it out.
pub(super) struct Body {
    pub(super) range: Range<usize>,
    edits: Vec<Blanking>,
}

/// Returns the bodies of functions, in languages in which one that cannot be read costs others.
pub(super) fn bodies(language: &Language, text: &str) -> Vec<Body> {
    match language.name {
        "bash" => bodies_by_lines::bodies_of_shell(text),
        "c" | "cpp" => in_braces(bodies::bodies(text)),
        "kotlin" => in_braces(bodies_of_kotlin::bodies_of_kotlin(text)),
        "haskell" => bodies_by_lines::bodies_of_haskell(text),
        _ => Vec::new(),
    }
}

/// Returns the bodies between some braces.
fn in_braces(ranges: Vec<Range<usize>>) -> Vec<Body> {
    let empty = |range: Range<usize>| Body {
        edits: vec![Blanking::blank(range.start + 1..range.end - 1)],
        range,
    };
    ranges.into_iter().map(empty).collect()
}

/// Returns the text with nothing in those bodies.
pub(super) fn without_bodies(text: &str, bodies: &[Body]) -> String {
    let edits = bodies.iter().flat_map(|body| &body.edits);
    edited(text, edits)
}

/// Returns what closes the blocks that the head of a text leaves open, so that the types around its
/// end are read.
pub(super) fn closing(language: &Language, head: &str) -> String {
    match language.name {
        "c" | "cpp" | "csharp" | "java" => closing_brackets(head),
        "elixir" => line_edits::closing_ends_of_elixir(head),
        _ => String::new(),
    }
}

fn closing_brackets(head: &str) -> String {
    let mut open = Vec::new();
    for token in tokens(head) {
        match token.kind {
            TokenKind::Mark(b'{') => open.push('}'),
            TokenKind::Mark(b'(') => open.push(')'),
            TokenKind::Mark(b'}') => while open.pop().is_some_and(|closer| closer != '}') {},
            TokenKind::Mark(b')') => {
                open.pop_if(|closer| *closer == ')');
            }
            _ => {}
        }
    }
    open.into_iter().rev().collect()
}

/// Reports whether a name is a keyword and so names no definition.
pub(super) fn is_keyword(language: &Language, name: &str) -> bool {
    match language.name {
        "c" | "cpp" => KEYWORDS.contains(&name),
        "csharp" => CSHARP_KEYWORDS.contains(&name),
        _ => false,
    }
}

/// The replacement of a range by text that is no longer than it, and by spaces.
struct Blanking {
    range: Range<usize>,
    by: &'static str,
    /// Whether line breaks go too. Otherwise they stay, as a directive ends with its line.
    joins_lines: bool,
}

impl Blanking {
    fn blank(range: Range<usize>) -> Blanking {
        Blanking { range, by: "", joins_lines: false }
    }
}

fn edited<'a>(text: &str, edits: impl IntoIterator<Item = &'a Blanking>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        for byte in &mut bytes[edit.range.clone()] {
            if *byte != b'\n' || edit.joins_lines {
                *byte = b' ';
            }
        }
        bytes[edit.range.start..][..edit.by.len()].copy_from_slice(edit.by.as_bytes());
    }
    // Tokens begin and end between characters.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
