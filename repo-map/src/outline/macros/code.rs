//! The tokens of a text without its directives, by position: brackets, names and what follows them.

use std::ops::Range;

use crate::outline::macros::tokens::{Token, TokenKind};

/// The maximum number of tokens between brackets that are skipped.
const MAX_SKIPPED: usize = 2_000;

/// The tokens of the code.
pub(super) struct CodeTokens<'a> {
    text: &'a str,
    tokens: Vec<&'a Token>,
}

impl<'a> CodeTokens<'a> {
    pub(super) fn of(text: &'a str, tokens: &'a [Token]) -> CodeTokens<'a> {
        let is_code = |token: &&Token| !matches!(token.kind, TokenKind::Conditional(_));
        CodeTokens { text, tokens: tokens.iter().filter(is_code).collect() }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns the positions in the text of some tokens.
    pub(super) fn range(&self, tokens: Range<usize>) -> Range<usize> {
        self.tokens[tokens.start].range.start..self.tokens[tokens.end - 1].range.end
    }

    pub(super) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn is(&self, at: usize, mark: u8) -> bool {
        self.kind(at) == Some(TokenKind::Mark(mark))
    }

    /// Returns the word at a position, keywords included.
    pub(super) fn word(&self, at: usize) -> Option<&'a str> {
        let token = self.tokens.get(at).filter(|token| token.kind == TokenKind::Word)?;
        Some(&self.text[token.range.clone()])
    }

    pub(super) fn begins_line(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(0, |before| self.tokens[before].range.end);
        let start = self.tokens.get(at).map_or(self.text.len(), |token| token.range.start);
        before == 0 || self.text[before..start].contains('\n')
    }

    /// Reports whether a blank line stands before the token at a position.
    pub(super) fn is_apart(&self, at: usize) -> bool {
        let (Some(token), Some(before)) = (self.tokens.get(at), at.checked_sub(1)) else {
            return false;
        };
        let between = &self.text[self.tokens[before].range.end..token.range.start];
        let mut lines = between.split('\n').skip(1).peekable();
        while let Some(line) = lines.next() {
            if line.trim().is_empty() && lines.peek().is_some() {
                return true;
            }
        }
        false
    }

    /// Returns the position after a qualified name with its template arguments.
    pub(super) fn after_name(&self, at: usize) -> usize {
        let mut at = at + 1;
        loop {
            if self.is(at, b'<') {
                let Some(close) = self.closing_angle(at) else { return at };
                at = close + 1;
            } else if self.kind(at) == Some(TokenKind::Scope) {
                at += if self.word(at + 1) == Some("template") { 2 } else { 1 };
                at += usize::from(self.word(at).is_some());
            } else {
                return at;
            }
        }
    }

    pub(super) fn after_pointers(&self, at: usize) -> usize {
        let mut at = at;
        while self.is(at, b'*')
            || self.is(at, b'&')
            || matches!(self.word(at), Some("const" | "volatile" | "restrict" | "__restrict"))
        {
            at += 1;
        }
        at
    }

    /// Returns the position of the parenthesis that closes the one at `open`.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        if !self.is(open, b'(') {
            return None;
        }
        let mut depth = 0;
        for at in open..self.tokens.len().min(open + MAX_SKIPPED) {
            match self.tokens[at].kind {
                TokenKind::Mark(b'(') => depth += 1,
                TokenKind::Mark(b')') if depth == 1 => return Some(at),
                TokenKind::Mark(b')') => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Returns the position of the `>` that closes the `<` at `open`.
    pub(super) fn closing_angle(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        let mut at = open;
        while at < self.tokens.len().min(open + MAX_SKIPPED) {
            match self.tokens[at].kind {
                TokenKind::Mark(b'<') => depth += 1,
                TokenKind::Mark(b'>') if depth == 1 => return Some(at),
                TokenKind::Mark(b'>') => depth -= 1,
                TokenKind::Mark(b'(') => at = self.closing(at)?,
                TokenKind::Mark(b';' | b'{' | b'}' | b')') => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }
}
