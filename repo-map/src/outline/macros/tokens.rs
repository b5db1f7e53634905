//! The tokens of C, C++ and C#, as far as macros and directives are recognised by them.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    /// A number, a string or a character.
    Literal,
    /// `::`
    Scope,
    /// `->`
    Arrow,
    /// Any other single byte.
    Mark(u8),
    Conditional(Conditional),
}

/// A line of the preprocessor, with its continuation lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conditional {
    If,
    Else,
    End,
    Other,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
}

/// Returns the tokens of a text without its comments and white space.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut begins_line = true;
    while let Some(byte) = bytes.get(at).copied() {
        let rest = &bytes[at..];
        if byte == b'\n' {
            begins_line = true;
        }
        if byte.is_ascii_whitespace() || byte == b'\\' {
            at += 1;
            continue;
        }
        if let Some(length) = comment(rest) {
            at += length;
            continue;
        }
        let (kind, length) = match byte {
            b'#' if begins_line => directive(rest),
            b'@' if rest.get(1) == Some(&b'"') => (TokenKind::Literal, verbatim_string(rest)),
            b'"' if rest.starts_with(b"\"\"\"") => (TokenKind::Literal, text_block(rest)),
            b'"' | b'\'' => (TokenKind::Literal, quoted(rest)),
            b'R' if rest.get(1) == Some(&b'"') => (TokenKind::Literal, raw_string(rest)),
            b'0'..=b'9' => (TokenKind::Literal, 1 + count(&rest[1..], is_number)),
            _ if is_word(byte) => (TokenKind::Word, count(rest, is_word)),
            b':' if rest.get(1) == Some(&b':') => (TokenKind::Scope, 2),
            b'-' if rest.get(1) == Some(&b'>') => (TokenKind::Arrow, 2),
            _ => (TokenKind::Mark(byte), 1),
        };
        tokens.push(Token { kind, range: at..at + length });
        at += length;
        begins_line = false;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'\'')
}

fn count(bytes: &[u8], goes_on: fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| goes_on(**byte)).count()
}

/// Returns the length of the comment at the beginning, without the line break after it.
fn comment(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'/', b'/', ..] => Some(memchr::memchr(b'\n', bytes).unwrap_or(bytes.len())),
        [b'/', b'*', rest @ ..] => {
            Some(memchr::memmem::find(rest, b"*/").map_or(bytes.len(), |end| end + 4))
        }
        _ => None,
    }
}

/// Returns the length of a string or character. It ends with its line at the latest.
fn quoted(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if *byte == bytes[0] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Returns the length of `@"…"`, in which only a second quote escapes one.
fn verbatim_string(bytes: &[u8]) -> usize {
    let mut at = 2;
    while let Some(quote) = memchr::memchr(b'"', &bytes[at..]) {
        at += quote + 1;
        if bytes.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// Returns the length of a string between three quotes.
fn text_block(bytes: &[u8]) -> usize {
    memchr::memmem::find(&bytes[3..], b"\"\"\"").map_or(bytes.len(), |end| end + 6)
}

/// Returns the length of `R"word(…)word"`.
fn raw_string(bytes: &[u8]) -> usize {
    let word = count(&bytes[2..], |byte| !matches!(byte, b'(' | b')' | b'\\' | b'"' | b'\n'));
    if bytes.get(2 + word) != Some(&b'(') {
        return 1;
    }
    let close = [b")", &bytes[2..2 + word], b"\""].concat();
    memchr::memmem::find(bytes, &close).map_or(bytes.len(), |at| at + close.len())
}

/// Returns the kind and length of a directive. A comment in it may contain line breaks.
fn directive(bytes: &[u8]) -> (TokenKind, usize) {
    let length = end_of_directive(bytes, |_| {});
    let word = bytes[1..length].trim_ascii_start();
    let word = &word[..count(word, is_word)];
    let kind = match word {
        b"if" | b"ifdef" | b"ifndef" => Conditional::If,
        b"elif" | b"else" | b"elifdef" | b"elifndef" => Conditional::Else,
        b"endif" => Conditional::End,
        _ => Conditional::Other,
    };
    (TokenKind::Conditional(kind), length)
}

/// Returns the comments of a directive that it goes on behind, on another line.
pub(super) fn comments_within(directive: &str) -> Vec<Range<usize>> {
    let mut comments = Vec::new();
    end_of_directive(directive.as_bytes(), |comment| comments.push(comment));
    let last = directive.rfind("\\\n").max(directive.rfind("\\\r\n")).unwrap_or(0);
    comments.retain(|comment| comment.end <= last);
    comments
}

/// Returns the end of a directive, and tells its comments.
fn end_of_directive(bytes: &[u8], mut on_comment: impl FnMut(Range<usize>)) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' => break,
            b'\\' => at += 1 + usize::from(bytes.get(at + 1) == Some(&b'\r')),
            b'"' => at += quoted(&bytes[at..]) - 1,
            b'/' if bytes[at..].starts_with(b"//") => {
                at += comment(&bytes[at..]).unwrap_or(1);
                break;
            }
            b'/' => {
                if let Some(length) = comment(&bytes[at..]) {
                    on_comment(at..at + length);
                    at += length - 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    at.min(bytes.len())
}
