//! Kotlin that the grammar does not know: guards in `when`, strings with several dollars, and names
//! such as `get` and `open`, which cost all items of the class around them; context parameters;
//! bodies on one line; constructors below the name of their class; and annotations above plain
//! types and above `actual` and `expect`.

use std::ops::Range;

use crate::outline::macros::Blanking;
use crate::outline::macros::tokens::{Token, TokenKind};

/// Blanks guards (`is Text if it.isLong ->`), and dollars before a quote (`$$"${shown}"`) together
/// with those in the string that begin no template.
pub(super) fn guards_and_dollars(text: &str, all: &[Token]) -> Vec<Blanking> {
    if !text.contains("$$") && !text.contains("when") {
        return Vec::new();
    }
    let mut edits = guards(text, all);
    for pair in all.windows(2) {
        let (dollars, string) = (pair[0].range.clone(), pair[1].range.clone());
        let begins_string = pair[1].kind == TokenKind::Literal
            && text[string.clone()].starts_with('"')
            && dollars.end == string.start
            && text[dollars.clone()].bytes().all(|byte| byte == b'$');
        if begins_string {
            edits.extend(plain_dollars(text, string, dollars.len()));
            edits.push(Blanking::blank(dollars));
        }
    }
    edits
}

/// Blanks the dollars of a string that are too few to begin a template.
fn plain_dollars(text: &str, string: Range<usize>, n_needed: usize) -> Vec<Blanking> {
    let mut edits = Vec::new();
    let mut at = string.start;
    while let Some(found) = memchr::memchr(b'$', &text.as_bytes()[at..string.end]) {
        let start = at + found;
        at = start + text[start..string.end].bytes().take_while(|byte| *byte == b'$').count();
        if at - start < n_needed {
            edits.push(Blanking::blank(start..at));
        }
    }
    edits
}

/// The words that may stand before `class` or `interface`.
const MODIFIERS: &[&str] = &[
    "abstract",
    "actual",
    "annotation",
    "expect",
    "external",
    "final",
    "internal",
    "open",
    "private",
    "protected",
    "public",
    "sealed",
];

/// Returns the annotations before the last one of a type that has neither parameters nor parents:
/// of `@A @B class Shop {` the grammar makes an expression, the call of `class` with a block. With
/// `actual`, `expect` or `annotation class` below them all are returned: a single one loses what it
/// stands before.
pub(super) fn annotations_of_types(text: &str, all: &[Token]) -> Vec<Range<usize>> {
    let word = |at: usize| all.get(at).map_or("", |token| &text[token.range.clone()]);
    let of_type = |at: usize| {
        let is_type = matches!(word(at), "class" | "interface");
        let name = all.get(at + 1).filter(|token| is_type && token.kind == TokenKind::Word)?;
        let end = all.get(at + 2).map_or(text.len(), |token| token.range.start);
        let is_plain = word(at + 2) == "{" || text[name.range.end..end].contains('\n');
        is_plain.then_some(1)
    };
    let of_modifier = |at: usize| {
        let goes_on = all.get(at + 1).is_some_and(|next| next.kind == TokenKind::Word);
        let is_modifier = matches!(word(at), "actual" | "expect") && goes_on
            || word(at) == "annotation" && word(at + 1) == "class";
        is_modifier.then_some(0)
    };
    let mut ranges = Vec::new();
    // How many modifiers stand straight before this place.
    let mut n_modifiers = 0;
    for at in 0..all.len() {
        let n_before = n_modifiers;
        n_modifiers = if MODIFIERS.contains(&word(at)) { n_before + 1 } else { 0 };
        // Each of more modifiers than there are would look at the same annotations.
        if n_before > MODIFIERS.len() {
            continue;
        }
        let Some(n_kept) = of_modifier(at).or_else(|| of_type(at)) else { continue };
        ranges.extend(annotations_before(all, text, at - n_before).skip(n_kept));
    }
    // A type below a modifier was seen twice.
    ranges.sort_by_key(|range: &Range<usize>| range.start);
    ranges.dedup();
    ranges
}

/// Joins `class Name<T>` and the `constructor` below it, as the grammar ends the class with its
/// line. The modifiers and annotations between them are left out.
pub(super) fn constructors_below(text: &str, all: &[Token]) -> Vec<Blanking> {
    let word = |at: usize| all.get(at).map_or("", |token| &text[token.range.clone()]);
    let of_constructor = |at: usize| {
        if word(at) != "constructor" || word(at + 1) != "(" {
            return None;
        }
        let mut end = at;
        while let Some(before) = end.checked_sub(1) {
            end = match annotation_before(all, text, end) {
                Some(annotation) => annotation,
                None if MODIFIERS.contains(&word(before)) => before,
                None => break,
            };
        }
        let last = end.checked_sub(1)?;
        let name = match word(last) {
            ">" => opening_angle(all, text, last)?.checked_sub(1)?,
            _ => last,
        };
        let is_class = name > 0 && all[name].kind == TokenKind::Word && word(name - 1) == "class";
        let gap = all[last].range.end..all[at].range.start;
        (is_class && text[gap.clone()].contains('\n')).then_some(gap)
    };
    let gaps = (0..all.len()).filter_map(of_constructor);
    gaps.map(|range| Blanking { range, by: "", joins_lines: true }).collect()
}

/// Returns the angle bracket that opens the parameters of a type, if it is near.
fn opening_angle(all: &[Token], text: &str, close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev().take(MAX_PARAMETERS) {
        match &text[all[at].range.clone()] {
            ">" => depth += 1,
            "<" => depth -= 1,
            "{" | "}" => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns the context parameters of functions and properties, `context(log: Log)` on a line of
/// its own: the grammar takes them for a call, and loses what follows.
pub(super) fn context_parameters(text: &str, all: &[Token]) -> Vec<Range<usize>> {
    let word = |at: usize| all.get(at).map_or("", |token| &text[token.range.clone()]);
    let of_context = |at: usize| {
        let is_call = word(at) == "context" && word(at + 1) == "(";
        let start = at.checked_sub(1).map_or(0, |before| all[before].range.end);
        let begins_line = at == 0 || text[start..all[at].range.start].contains('\n');
        let end = (is_call && begins_line).then(|| closing(all, text, at + 1)).flatten()?;
        let next = all.get(end + 1)?;
        let is_declared = next.kind == TokenKind::Word || word(end + 1) == "@";
        is_declared.then(|| all[at].range.start..all[end].range.end)
    };
    (0..all.len()).filter_map(of_context).collect()
}

/// How many tokens stand between two brackets at most.
const MAX_PARAMETERS: usize = 500;

/// Returns the round bracket that closes one, if it is near.
fn closing(all: &[Token], text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in all.iter().enumerate().skip(open).take(MAX_PARAMETERS) {
        match &text[token.range.clone()] {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Ends the last member of each type that has its body on one line, `class A { fun a() {} }`: of
/// two such types in a row the grammar reads neither.
pub(super) fn bodies_on_one_line(text: &str, all: &[Token]) -> Vec<Blanking> {
    let word = |at: usize| all.get(at).map_or("", |token| &text[token.range.clone()]);
    let mut edits = Vec::new();
    let mut depth = 0_i32;
    // The types of this line that have not ended, in one pass for all: the depth around each, and
    // its opening brace.
    let mut types: Vec<(i32, Option<usize>)> = Vec::new();
    for at in 0..all.len() {
        let start = at.checked_sub(1).map_or(0, |before| all[before].range.start);
        if text[start..all[at].range.start].contains('\n') {
            types.clear();
        }
        depth += match word(at) {
            "(" | "{" => 1,
            ")" | "}" => -1,
            _ => 0,
        };
        while types.pop_if(|(around, _)| *around > depth).is_some() {}
        match word(at) {
            "{" => {
                let is_opened = |(around, open): &&mut (i32, Option<usize>)| {
                    *around + 1 == depth && open.is_none()
                };
                types.iter_mut().rev().take_while(is_opened).for_each(|one| one.1 = Some(at));
            }
            "}" => {
                while let Some((_, open)) = types.pop_if(|(around, _)| *around == depth) {
                    let has_member = open.is_some_and(|open| open + 1 < at) && word(at - 1) != ";";
                    let gap = all[at - 1].range.end..all[at].range.start;
                    if has_member && !gap.is_empty() {
                        let range = gap.start..gap.start + 1;
                        edits.push(Blanking { range, by: ";", joins_lines: false });
                    }
                }
            }
            ";" | "=" => while types.pop_if(|(around, _)| *around == depth).is_some() {},
            "class" | "interface" | "object" => {
                let before = at.checked_sub(1);
                if before.is_none_or(|before| !matches!(word(before), ":" | "::" | ".")) {
                    types.push((depth, None));
                }
            }
            _ => {}
        }
    }
    edits
}

/// Words that are names, too, where what follows says so.
const SOFT_KEYWORDS: &[&str] = &[
    "abstract",
    "by",
    "crossinline",
    "dynamic",
    "external",
    "final",
    "get",
    "infix",
    "inline",
    "internal",
    "lateinit",
    "noinline",
    "open",
    "override",
    "private",
    "public",
    "sealed",
    "set",
    "suspend",
    "tailrec",
    "vararg",
    "where",
];

/// Soft keywords that a bracket may follow: `val a by (b)`, and types such as `suspend () -> Unit`.
const BEFORE_BRACKETS: &[&str] = &["by", "suspend"];

/// Keywords with which a line goes on the one before it, and which the grammar finds at the start
/// of a longer name, too, such as `in2`.
const CONTINUING: &[&str] = &["as", "by", "else", "in"];

/// Changes the first letter of names that the grammar takes for keywords: of a variable
/// (`open.use { }`, `where?.let { }`, `internal = 1`), of the functions in `row get id` and
/// `open()`, and of `in2.close()` on a line of its own.
pub(super) fn soft_keywords(text: &str, all: &[Token]) -> Vec<Blanking> {
    let word = |at: usize| all.get(at).map_or("", |token| &text[token.range.clone()]);
    let is_operand = |at: usize| {
        let is_end = matches!(word(at), "}" | ")" | "]");
        let is_name = all[at].kind == TokenKind::Word && !SOFT_KEYWORDS.contains(&word(at));
        is_end || is_name || all[at].kind == TokenKind::Literal
    };
    // Whether two tokens stand on one line with white space between them.
    let is_apart = |first: usize| {
        let Some(next) = all.get(first + 1) else { return false };
        let between = &text[all[first].range.end..next.range.start];
        !between.is_empty() && !between.contains('\n')
    };
    let is_infix = |at: usize| {
        let goes_on = matches!(
            all.get(at + 1).map(|token| token.kind),
            Some(TokenKind::Word | TokenKind::Literal)
        );
        at > 0 && goes_on && is_operand(at - 1) && is_apart(at - 1) && is_apart(at)
    };
    // A call on a line of its own, which below a variable would be its accessor.
    let is_call = |at: usize| {
        let end = (word(at + 1) == "(").then(|| closing(all, text, at + 1)).flatten();
        end.is_some_and(|end| !matches!(word(end + 1), "{" | "=" | ":"))
    };
    let is_called = |at: usize| {
        let is_part = at > 0 && matches!(word(at - 1), "fun" | ">" | "." | "@");
        word(at + 1) == "(" && !BEFORE_BRACKETS.contains(&word(at)) && !is_part
    };
    let is_split = |at: usize| {
        let rest = CONTINUING.iter().find_map(|keyword| word(at).strip_prefix(keyword));
        rest.is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit() || next == '_'))
            && at > 0
            && text[all[at - 1].range.end..all[at].range.start].contains('\n')
    };
    let is_name = |at: usize| {
        let is_variable = matches!(word(at + 1), "." | "?" | "!" | "=");
        let is_function = match word(at) {
            "get" | "set" => is_infix(at) || is_call(at),
            _ => is_called(at),
        };
        SOFT_KEYWORDS.contains(&word(at)) && (is_variable || is_function) || is_split(at)
    };
    let names = (0..all.len()).filter(|at| all[*at].kind == TokenKind::Word && is_name(*at));
    names
        .map(|at| all[at].range.start)
        .map(|start| Blanking { range: start..start + 1, by: "_", joins_lines: false })
        .collect()
}

/// Returns the annotations that end before a token, the nearest first.
fn annotations_before<'t>(
    all: &'t [Token],
    text: &'t str,
    mut end: usize,
) -> impl Iterator<Item = Range<usize>> + 't {
    std::iter::from_fn(move || {
        let start = annotation_before(all, text, end)?;
        let range = all[start].range.start..all[end - 1].range.end;
        end = start;
        Some(range)
    })
}

/// How many tokens the arguments of an annotation have at most.
const MAX_ARGUMENTS: usize = 5_000;

/// Returns the first token of the annotation that ends before a token.
fn annotation_before(all: &[Token], text: &str, end: usize) -> Option<usize> {
    let word = |at: usize| &text[all[at].range.clone()];
    let mut at = end.checked_sub(1)?;
    if word(at) == ")" {
        let (close, mut depth) = (at, 1_usize);
        while depth > 0 {
            at = at.checked_sub(1).filter(|at| close - at < MAX_ARGUMENTS)?;
            match word(at) {
                ")" => depth += 1,
                "(" => depth -= 1,
                "{" | "}" => return None,
                _ => {}
            }
        }
        at = at.checked_sub(1)?;
    }
    while at >= 2 && all[at].kind == TokenKind::Word && word(at - 1) == "." {
        at -= 2;
    }
    let mark = at.checked_sub(1)?;
    (all[at].kind == TokenKind::Word && word(mark) == "@").then_some(mark)
}

/// An open bracket.
struct Open {
    at: usize,
    bracket: u8,
    /// The state in the entries of a `when`; `None` in any other bracket.
    entry: Option<Entry>,
}

/// The position in an entry of a `when`.
enum Entry {
    Start,
    Condition,
    /// After an `if`, the byte where it begins.
    Guard(usize),
    Result,
}

fn guards(text: &str, all: &[Token]) -> Vec<Blanking> {
    let mut edits = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let word = |at: usize| all.get(at).map_or("", |token| &text[token.range.clone()]);
    // The position of a `when` whose subject has just ended.
    let mut subject_ended = None;
    for (at, token) in all.iter().enumerate() {
        let before = at.checked_sub(1);
        let is_after_when = before.is_some_and(|before| word(before) == "when")
            || subject_ended.take().is_some_and(|end| Some(end) == before);
        if let Some(entry) = open.last_mut().and_then(|open| open.entry.as_mut()) {
            let start = before.map_or(0, |before| all[before].range.end);
            let is_operator = |at: usize| matches!(word(at), "&" | "|");
            let goes_on = is_operator(at) || before.is_some_and(is_operator);
            if text[start..token.range.start].contains('\n') && !goes_on {
                *entry = Entry::Start;
            }
            *entry = match (&entry, word(at)) {
                (Entry::Condition, "if") => Entry::Guard(token.range.start),
                (Entry::Guard(guard), "->") => {
                    edits.push(Blanking::blank(*guard..token.range.start));
                    Entry::Result
                }
                (Entry::Start | Entry::Condition, "->") => Entry::Result,
                (Entry::Start, _) => Entry::Condition,
                (Entry::Condition, _) => Entry::Condition,
                (Entry::Guard(guard), _) => Entry::Guard(*guard),
                (Entry::Result, _) => Entry::Result,
            };
        }
        match token.kind {
            TokenKind::Mark(bracket @ (b'(' | b'{')) => {
                let entry = (bracket == b'{' && is_after_when).then_some(Entry::Start);
                open.push(Open { at, bracket, entry });
            }
            TokenKind::Mark(b')') => {
                let ended = open.pop_if(|open| open.bracket == b'(');
                let is_subject = |ended: &Open| ended.at > 0 && word(ended.at - 1) == "when";
                subject_ended = ended.filter(is_subject).map(|_| at);
            }
            TokenKind::Mark(b'}') => while open.pop().is_some_and(|open| open.bracket != b'{') {},
            _ => {}
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::macros::edited;
    use crate::outline::macros::tokens::tokens;

    #[test]
    fn many_types_on_a_line_are_read_in_one_pass() {
        let text = "class a,".repeat(20_000);
        assert!(bodies_on_one_line(&text, &tokens(&text)).is_empty());
    }

    #[test]
    fn a_type_on_one_line_ends_where_its_own_brace_closes() {
        let text = "class A(val f: F = { 1 }) { class B { val a = 1 } }; object C {}\nclass D {\n}";
        assert_eq!(
            edited(text, &bodies_on_one_line(text, &tokens(text))),
            "class A(val f: F = { 1 }) { class B { val a = 1;};}; object C {}\nclass D {\n}"
        );
    }

    #[test]
    fn many_modifiers_in_a_row_are_read_once() {
        let text = format!("{}class A", "expect\n".repeat(60_000));
        assert!(annotations_of_types(&text, &tokens(&text)).is_empty());
        let text = "@A @B expect actual class A {}";
        assert_eq!(annotations_of_types(text, &tokens(text)), [0..2, 3..5]);
    }
}
