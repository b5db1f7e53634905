//! Lines that a grammar takes for the wrong thing: annotated accessors of Kotlin, the conditionals
//! of automake and of Swift, and what looks like a here-document of Ruby.

use std::ops::Range;

use crate::outline::macros::Blanking;

/// Blanks the annotations of accessors of Kotlin.
pub(super) fn lines_of_kotlin(text: &str) -> Vec<Blanking> {
    let mut edits = Vec::new();
    let mut begin = 0;
    let mut annotation: Option<Range<usize>> = None;
    for line in text.split_inclusive('\n') {
        let start = begin;
        begin += line.len();
        let words = line.trim();
        let code = start + (line.len() - line.trim_start().len());
        if words.is_empty() || words.starts_with("//") {
            continue;
        }
        if words.starts_with('@') {
            annotation = Some(code..code + words.len());
            continue;
        }
        if let Some(annotation) = annotation.take()
            && (words.starts_with("get(") || words.starts_with("set("))
        {
            edits.push(Blanking::blank(annotation));
        }
    }
    edits
}

/// Blanks the conditionals of Swift, which cost the type around them where they stand between the
/// cases of a `switch`; each of their branches is whole. Blanks functions of another library, too,
/// which have no body: `@_silgen_name("CGSMainConnectionID") func …`, and `()` as the last
/// statement of a block.
pub(super) fn lines_of_swift(text: &str) -> Vec<Blanking> {
    let mut edits = Vec::new();
    let mut begin = 0;
    // The function of another library that the lines before belong to.
    let mut foreign: Option<Range<usize>> = None;
    for line in text.split_inclusive('\n') {
        let range = begin..begin + line.trim_end().len();
        begin += line.len();
        let words = line.trim();
        let begins_foreign = words.starts_with("@_silgen_name(");
        let is_other = ["//", "@", "#"].iter().any(|mark| words.starts_with(mark));
        if words.is_empty() || is_other {
            edits.extend(foreign.take().map(Blanking::blank));
        }
        let conditionals = ["#if", "#elseif", "#else", "#endif"];
        if words == "()" && text[begin..].trim_start().starts_with('}') {
            edits.push(Blanking::blank(range));
        } else if begins_foreign {
            foreign = Some(range);
        } else if conditionals.contains(&words.split_whitespace().next().unwrap_or_default()) {
            edits.push(Blanking::blank(range));
        } else {
            foreign = foreign.filter(|_| !words.contains('{'));
            if let Some(foreign) = &mut foreign {
                foreign.end = range.end;
            }
        }
    }
    edits.extend(foreign.map(Blanking::blank));
    edits
}

/// Blanks `if CONDITION`, `else` and `endif` of automake, which the grammar takes for names.
pub(super) fn conditionals_of_automake(text: &str) -> Vec<Blanking> {
    let mut edits = Vec::new();
    let mut begin = 0;
    // For each open conditional, whether it is one of automake: those of make itself are read.
    let mut open: Vec<bool> = Vec::new();
    for line in text.split_inclusive('\n') {
        let start = begin;
        begin += line.len();
        let mut words = line.split_whitespace();
        let is_blanked = match words.next() {
            Some("ifdef" | "ifndef" | "ifeq" | "ifneq") => {
                open.push(false);
                false
            }
            Some("if") if line.starts_with("if") && is_condition(words.next(), words.next()) => {
                open.push(true);
                true
            }
            Some("else") => open.last() == Some(&true),
            Some("endif") => open.pop() == Some(true),
            _ => false,
        };
        if is_blanked {
            edits.push(Blanking::blank(start..start + line.trim_end().len()));
        }
    }
    edits
}

fn is_condition(word: Option<&str>, next: Option<&str>) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    next.is_none() && word.is_some_and(|word| word.trim_start_matches('!').bytes().all(is_part))
}

/// Blanks each `<<` before a quote that is not closed on its line. The word of a here-document is,
/// so this one stands in a string, and the scanner would take many lines for its word.
pub(super) fn unclosed_heredocs_of_ruby(text: &str) -> Vec<Blanking> {
    let bytes = text.as_bytes();
    let is_unclosed = |at: &usize| {
        let rest = &bytes[at + 2..];
        let rest = rest.strip_prefix(b"-").or(rest.strip_prefix(b"~")).unwrap_or(rest);
        match rest {
            [quote @ (b'\'' | b'"' | b'`'), rest @ ..] => {
                rest.iter().find(|byte| *byte == quote || **byte == b'\n') != Some(quote)
            }
            _ => false,
        }
    };
    let found = memchr::memmem::find_iter(bytes, b"<<").filter(is_unclosed);
    found.map(|at| Blanking::blank(at..at + 2)).collect()
}

/// Returns the end of the string and of the blocks that the head of a text leaves open, by the
/// indentation of lines, which formatted code has.
pub(super) fn closing_ends_of_elixir(head: &str) -> String {
    let mut open_blocks: Vec<usize> = Vec::new();
    let mut open_string: Option<&str> = None;
    for line in head.lines() {
        let words = line.trim();
        if let Some(quotes) = open_string {
            open_string = Some(quotes).filter(|quotes| !words.starts_with(quotes));
            continue;
        }
        open_string =
            ["\"\"\"", "'''"].into_iter().find(|quotes| line.matches(quotes).count() == 1);
        let indentation = line.len() - line.trim_start().len();
        let is_block = words.ends_with(" do");
        if is_block || words == "end" {
            let is_around = |block: &usize| *block < indentation;
            open_blocks.truncate(open_blocks.iter().take_while(|block| is_around(block)).count());
        }
        if is_block {
            open_blocks.push(indentation);
        }
    }
    let closers = open_string.into_iter().chain(open_blocks.iter().map(|_| "end"));
    closers.map(|closer| format!("{closer}\n")).collect()
}
