//! The bodies of functions of Kotlin, by their brackets.

use std::ops::Range;

use crate::outline::macros::bodies::is_certain;
use crate::outline::macros::code::CodeTokens;
use crate::outline::macros::tokens::{TokenKind, tokens};

/// The maximum number of tokens from `fun` to the brace, with all parameters as one.
const MAX_HEAD: usize = 200;
/// How often the inside of a block is looked at whose end is not certain.
const MAX_UNCERTAIN: usize = 20;

/// Returns the outermost bodies of functions, with their braces, whose end is certain. That of
/// `fun a() = run {` is the block.
pub(super) fn bodies_of_kotlin(text: &str) -> Vec<Range<usize>> {
    let all = tokens(text);
    let code = CodeTokens::of(text, &all);
    let closers = closers(&code);
    let mut bodies = Vec::new();
    let (mut at, mut n_uncertain) = (0, 0);
    while at < code.len() {
        let open = (code.word(at) == Some("fun")).then(|| opening(&code, at)).flatten();
        at += 1;
        let Some((open, close)) = open.and_then(|open| Some((open, closers[open]?))) else {
            continue;
        };
        let body = code.range(open..close + 1);
        match is_certain(text, &body) {
            true => bodies.push(body),
            false if n_uncertain < MAX_UNCERTAIN => {
                n_uncertain += 1;
                continue;
            }
            false => {}
        }
        at = close;
    }
    bodies
}

/// Returns the brace that opens the body of the function whose keyword stands at a place. It stands
/// on the line on which the parameters end, or behind a `=` at the end of that line.
fn opening(code: &CodeTokens<'_>, keyword: usize) -> Option<usize> {
    let mut at = keyword;
    // A receiver or a call stands in round brackets, too.
    let mut has_parameters = false;
    for _ in 0..MAX_HEAD {
        at += 1;
        match code.kind(at)? {
            TokenKind::Mark(b'{') => return has_parameters.then_some(at),
            TokenKind::Mark(b'}') => return None,
            _ if has_parameters && code.begins_line(at) && !code.is(at - 1, b'=') => return None,
            TokenKind::Mark(b'(') => {
                at = code.closing(at)?;
                has_parameters = true;
            }
            _ => {}
        }
    }
    None
}

/// Returns the brace that closes each one that opens a block, by position.
fn closers(code: &CodeTokens<'_>) -> Vec<Option<usize>> {
    let mut closers = vec![None; code.len()];
    let mut open: Vec<usize> = Vec::new();
    for at in 0..code.len() {
        if code.is(at, b'{') {
            open.push(at);
        } else if let Some(begin) = open.pop_if(|_| code.is(at, b'}')) {
            closers[begin] = Some(at);
        }
    }
    closers
}
