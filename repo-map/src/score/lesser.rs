//! Items that say less than their words: those that nobody should use, and functions that only hand
//! on.

use std::ops::Range;

use crate::outline::{Item, ItemKind, Outline};

/// The marks of what nobody should use any more: annotations, attributes, tags in comments.
const DEPRECATED: &[&str] = &[
    "@Deprecated",
    "@deprecated",
    "#[deprecated",
    "[[deprecated",
    "[Obsolete",
    // Go, Swift, and PEP 702 of Python.
    "// Deprecated:",
    "@available(*, deprecated",
    "@warnings.deprecated",
    "@typing_extensions.deprecated",
];

/// The first words of the comment of what is only kept for code that uses it already.
const OUTDATED: &[&str] = &[
    "Backward compatib",
    "Backward-compatib",
    "Backwards compatib",
    "Backwards-compatib",
    "Deprecated",
];

/// Returns the items with such a mark in the comment or the attributes in front of them.
pub(super) fn deprecated(outline: &Outline, text: &str) -> Vec<usize> {
    let is_marked = |range: &Range<usize>| {
        let text = text.get(range.clone()).unwrap_or_default();
        // As C has it: `__attribute__ ((deprecated("use b")))`.
        DEPRECATED.iter().any(|mark| text.contains(mark))
            || text.contains("__attribute__") && text.contains("(deprecated")
    };
    let is_deprecated = |(_, item): &(usize, &Item)| {
        let says_so = || {
            let doc = item.doc.clone().and_then(|doc| text.get(doc)).unwrap_or_default();
            let words = doc.trim_start_matches(|c: char| !c.is_alphanumeric());
            OUTDATED.iter().any(|start| words.starts_with(start))
        };
        let is_marked =
            || [Some(&item.head), item.doc.as_ref()].into_iter().flatten().any(is_marked);
        !item.kind.is_between() && (is_marked() || says_so())
    };
    outline.items.iter().enumerate().filter(is_deprecated).map(|(at, _)| at).collect()
}

/// The maximum length in bytes of the body of a function that only hands on.
const LONGEST_FORWARD: usize = 160;

/// Returns the functions that only hand their arguments on: the short body is one statement, and
/// calls a function of the same name on something else; on itself it would be a recursion. Methods
/// of an `impl` are none: a change of a trait changes those that hand on too.
pub(super) fn forwards(outline: &Outline, text: &str) -> Vec<usize> {
    let hands_on = |(_, item): &(usize, &Item)| {
        let is_in_impl =
            item.parent.is_some_and(|parent| outline.items[parent].kind == ItemKind::Impl);
        let body = item.body.clone().filter(|body| body.len() <= LONGEST_FORWARD && !is_in_impl);
        let Some(body) = body.filter(|_| item.kind.is_function()).and_then(|b| text.get(b)) else {
            return false;
        };
        let name = item.used_name();
        is_one_statement(body)
            && body.match_indices(name).any(|(at, _)| {
                body[at + name.len()..].starts_with('(') && body[..at].ends_with(['.', ':', '>'])
            })
    };
    outline.items.iter().enumerate().filter(hands_on).map(|(at, _)| at).collect()
}

/// Reports whether a body has no end of a line and no semicolon outside of brackets, except around
/// its only statement.
fn is_one_statement(body: &str) -> bool {
    let is_around = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';');
    let mut depth = 0_i32;
    body.trim_matches(is_around).chars().all(|c| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        depth > 0 || !matches!(c, '\n' | ';')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::{language, outline};

    #[test]
    fn a_body_that_only_calls_its_name_on_something_else_hands_on() {
        let text = "package s\n\nfunc GET(p string) Routes {\n\treturn engine().GET(p)\n}\n\n\
                    func PUT(p string) Routes {\n\tcount()\n\treturn engine().PUT(p)\n}\n\n\
                    func Fact(n int) int {\n\treturn n * Fact(n-1)\n}\n\n\
                    func (g *Group) GET(p string) Routes {\n\treturn g.handle(p)\n}\n";
        let outline = outline(language::named("go").unwrap(), text);
        assert_eq!(forwards(&outline, text), [0]);
    }

    #[test]
    fn a_comment_that_begins_with_it_marks_what_is_deprecated() {
        let text = "def a():\n    \"\"\"Backward compatible method based on `b`.\"\"\"\n\n\
                    def b():\n    \"\"\"Drops labels.\n\n    Backward compatible.\"\"\"\n";
        let outline = outline(language::named("python").unwrap(), text);
        assert_eq!(deprecated(&outline, text), [0]);
    }
}
