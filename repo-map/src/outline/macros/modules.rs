//! Modules of C++, which the grammar does not know: `export module shop;`, `import std;`, and
//! `export` before declarations.

use std::ops::Range;

use crate::outline::macros::Blanking;
use crate::outline::macros::code::CodeTokens;
use crate::outline::macros::tokens::TokenKind;

/// The maximum number of tokens in the name of a module.
const MAX_NAME: usize = 24;

/// The words of modules in a text.
pub(super) struct Modules {
    pub(super) edits: Vec<Blanking>,
    /// Those that belong to the declaration after them.
    pub(super) attributes: Vec<Range<usize>>,
}

impl Modules {
    pub(super) fn find(code: &CodeTokens<'_>) -> Modules {
        let mut found = Modules { edits: Vec::new(), attributes: Vec::new() };
        // For each open brace, whether it is one of `export {`.
        let mut open: Vec<bool> = Vec::new();
        for at in 0..code.len() {
            let is_exported = at > 0 && code.word(at - 1) == Some("export");
            match code.kind(at) {
                Some(TokenKind::Mark(b'{')) => {
                    open.push(is_exported);
                    if is_exported {
                        found.edits.push(Blanking::blank(code.range(at - 1..at + 1)));
                    }
                }
                Some(TokenKind::Mark(b'}')) if open.pop() == Some(true) => {
                    found.edits.push(Blanking::blank(code.range(at..at + 1)));
                }
                Some(TokenKind::Word) => found.see(code, at, is_exported),
                _ => {}
            }
        }
        found
    }

    /// Looks at a word for one that begins a line of modules or a declaration.
    fn see(&mut self, code: &CodeTokens<'_>, at: usize, is_exported: bool) {
        let begins = code.begins_line(at) || is_exported && code.begins_line(at - 1);
        match code.word(at) {
            Some("module" | "import") if begins => {
                let start = at - usize::from(is_exported);
                let statement = end_of_statement(code, at).map(|end| code.range(start..end + 1));
                self.edits.extend(statement.map(Blanking::blank));
            }
            Some("export") if code.word(at + 1).is_some() => {
                self.edits.push(Blanking::blank(code.range(at..at + 1)));
                self.attributes.push(code.range(at..at + 1));
            }
            _ => {}
        }
    }
}

/// Returns the semicolon of `module NAME;`, `import <NAME>;` or `module;`: words alternate with
/// what joins them, else this is the declaration of a variable or a call.
fn end_of_statement(code: &CodeTokens<'_>, at: usize) -> Option<usize> {
    let end = (at + 1..code.len().min(at + MAX_NAME)).find(|end| code.is(*end, b';'))?;
    let is_of_name = |at: usize| match code.kind(at) {
        Some(TokenKind::Word | TokenKind::Literal) => true,
        Some(TokenKind::Mark(mark)) => b".:<>/".contains(&mark),
        _ => false,
    };
    (at + 1..end).all(is_of_name).then_some(end)
}
