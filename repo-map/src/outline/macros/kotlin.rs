//! Kotlin 2.2, which the grammar does not know: guards in `when` and strings with several dollars.
//!
//! One of them costs all items of the class around it.

use std::ops::Range;

use crate::outline::macros::Blanking;
use crate::outline::macros::tokens::{Token, TokenKind, tokens};

/// Blanks guards (`is Text if it.isLong ->`), and dollars before a quote (`$$"${shown}"`) together
/// with those in the string that begin no template.
pub(super) fn guards_and_dollars(text: &str) -> Vec<Blanking> {
    if !text.contains("$$") && !text.contains("when") {
        return Vec::new();
    }
    let all = tokens(text);
    let mut edits = guards(text, &all);
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
