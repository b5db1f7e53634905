//! C and C++ before the parse: macros that no grammar can read are blanked.
//!
//! The preprocessor runs before a compiler's parser, but a grammar sees its input. `API int f();`,
//! `BEGIN_NAMESPACE` or half a function in an `#if` derail it for many lines, and definitions are
//! lost or named `if`. This room blanks known shapes with spaces, so every position stays the same.
//! Only the parser reads the result; what is shown is the text itself.

mod code;
mod conditionals;
mod declarations;
mod tokens;
mod vocabulary;

use std::ops::Range;

use crate::outline::language::Language;
use conditionals::blank_conditionals;
use declarations::Declarations;
use tokens::tokens;

/// Words that are never the name of a definition: a grammar that lost its way takes `if (x) {` for
/// a function.
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

/// A text for the parser, as long as the original.
pub(super) struct Prepared {
    pub(super) text: String,
    /// The macros that belong to the declaration after them.
    pub(super) attributes: Vec<Range<usize>>,
}

/// Returns the text for the parser; `None` when it is the text itself.
pub(super) fn prepare(language: &Language, text: &str) -> Option<Prepared> {
    if !reads_macros(language) {
        return None;
    }
    let mut all = tokens(text);
    let mut edits = blank_conditionals(text, &mut all);
    let declarations = Declarations::find(text, &all, language.name == "c");
    edits.extend(declarations.edits);
    (!edits.is_empty())
        .then(|| Prepared { text: edited(text, &edits), attributes: declarations.attributes })
}

/// Reports whether a name is a keyword and so names no definition.
pub(super) fn is_keyword(language: &Language, name: &str) -> bool {
    reads_macros(language) && KEYWORDS.contains(&name)
}

fn reads_macros(language: &Language) -> bool {
    matches!(language.name, "c" | "cpp")
}

/// The replacement of a range by text that is no longer than it, and by spaces.
struct Blanking {
    range: Range<usize>,
    by: &'static str,
}

impl Blanking {
    fn blank(range: Range<usize>) -> Blanking {
        Blanking { range, by: "" }
    }
}

fn edited(text: &str, edits: &[Blanking]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        for byte in &mut bytes[edit.range.clone()] {
            // Line breaks stay: a directive ends with its line.
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        bytes[edit.range.start..][..edit.by.len()].copy_from_slice(edit.by.as_bytes());
    }
    // Tokens begin and end between characters.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
