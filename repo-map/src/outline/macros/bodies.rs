//! The bodies of functions of C and C++, by their brackets.

use std::ops::Range;

use crate::outline::macros::code::CodeTokens;
use crate::outline::macros::tokens::{Conditional, TokenKind, tokens};
use crate::outline::macros::vocabulary::TRAILERS;

/// Returns the outermost bodies of functions, with their braces, whose end is certain.
pub(in crate::outline) fn bodies(text: &str) -> Vec<Range<usize>> {
    let all = tokens(text);
    let code = CodeTokens::of(text, &all);
    let mut bodies = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    // The number of braces around the body that is read.
    let mut around: Option<usize> = None;
    let mut head = 0;
    for at in 0..code.len() {
        match code.kind(at) {
            Some(TokenKind::Mark(b'{')) => {
                if around.is_none() && is_body(&code, head, at) {
                    around = Some(open.len());
                }
                open.push(at);
            }
            Some(TokenKind::Mark(b'}')) => {
                let Some(begin) = open.pop() else { continue };
                if around == Some(open.len()) {
                    around = None;
                    bodies.push(code.range(begin..at + 1));
                }
            }
            Some(TokenKind::Mark(b';')) => {}
            _ => continue,
        }
        head = at + 1;
    }
    bodies.retain(|body| is_certain(text, body));
    bodies
}

/// Reports whether a brace opens the body of a function: it stands behind parameters.
fn is_body(code: &CodeTokens<'_>, head: usize, brace: usize) -> bool {
    let is_trailer = |at: &usize| code.word(*at).is_some_and(|word| TRAILERS.contains(&word));
    let last = (head..brace).rev().find(|at| !is_trailer(at));
    let is_type = matches!(code.word(head), Some("class" | "enum" | "namespace" | "union"));
    last.is_some_and(|last| code.is(last, b')')) && !is_type
}

/// Reports whether a body ends where its brackets say. An `#if` group with half a block in each
/// branch misleads them; then a brace within the body begins its line no further right than the
/// last one, or a group is not whole.
pub(super) fn is_certain(text: &str, body: &Range<usize>) -> bool {
    let last = text[..body.end].rfind('\n').map_or(0, |at| at + 1);
    if last <= body.start {
        return false;
    }
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_outside = |line: &str| {
        line.trim_start().starts_with(['{', '}']) && indent(line) <= indent(&text[last..])
    };
    let mut groups = 0_i32;
    for token in tokens(&text[body.clone()]) {
        groups += match token.kind {
            TokenKind::Conditional(Conditional::If) => 1,
            TokenKind::Conditional(Conditional::End) => -1,
            _ => 0,
        };
        if groups < 0 {
            return false;
        }
    }
    groups == 0
        && text[last..body.end].trim() == "}"
        && !text[body.start + 1..last].lines().skip(1).any(is_outside)
}
