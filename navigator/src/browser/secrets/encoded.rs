//! Characters as addresses, forms, HTML and JSON write them.

/// How often a percent sign may be escaped again.
const MAX_ESCAPED: usize = 2;
/// The longest character reference of HTML, with `&` and `;`.
const MAX_REFERENCE: usize = 10;
/// References by name.
const NAMED: [(&[u8], u8); 5] =
    [(b"amp", b'&'), (b"lt", b'<'), (b"gt", b'>'), (b"quot", b'"'), (b"apos", b'\'')];

/// The bytes that an escape stands for, and where it ends.
pub(super) type Decoded = (Vec<u8>, usize);

/// Reports whether a byte can begin an escape.
pub(super) fn is_escape(byte: u8) -> bool {
    matches!(byte, b'%' | b'+' | b'&' | b'\\')
}

/// Returns all that the escape at a place of a text may stand for.
pub(super) fn decoded(text: &[u8], at: usize) -> Vec<Decoded> {
    let rest = &text[at..];
    let found = match rest.first() {
        Some(b'+') => vec![(vec![b' '], 1)],
        Some(b'%') => percent(rest),
        Some(b'&') => reference(rest).into_iter().collect(),
        Some(b'\\') => backslash(rest).into_iter().collect(),
        _ => Vec::new(),
    };
    found.into_iter().map(|(bytes, length)| (bytes, at + length)).collect()
}

/// `%41`, and `%2541`, which is the same escaped again.
fn percent(rest: &[u8]) -> Vec<Decoded> {
    let level = |n: usize| {
        let begin = 1 + 2 * n;
        let is_escaped = rest.get(1..begin)?.chunks(2).all(|two| two == b"25");
        let byte = u8::try_from(hex(rest.get(begin..begin + 2)?)?).ok()?;
        is_escaped.then_some((vec![byte], begin + 2))
    };
    (0..=MAX_ESCAPED).filter_map(level).collect()
}

/// `&amp;`, `&#38;`, `&#x26;`.
fn reference(rest: &[u8]) -> Option<Decoded> {
    let end = rest.iter().take(MAX_REFERENCE).position(|byte| *byte == b';')?;
    let inside = &rest[1..end];
    if let Some((_, byte)) = NAMED.iter().find(|(name, _)| *name == inside) {
        return Some((vec![*byte], end + 1));
    }
    let number = match inside.strip_prefix(b"#")? {
        [b'x' | b'X', digits @ ..] => hex(digits)?,
        digits => std::str::from_utf8(digits).ok()?.parse().ok()?,
    };
    Some((utf8(char::from_u32(number)?), end + 1))
}

/// `\"`, `\u0041`, `\x41`; of two halves of a pair the whole.
fn backslash(rest: &[u8]) -> Option<Decoded> {
    match rest.get(1)? {
        b'u' => {
            let first = hex(rest.get(2..6)?)?;
            if let Some(c) = char::from_u32(first) {
                return Some((utf8(c), 6));
            }
            let second = rest.get(6..8).filter(|next| *next == b"\\u").and(rest.get(8..12))?;
            let pair = [first, hex(second)?].map(|half| half as u16);
            let c = char::decode_utf16(pair).next()?.ok()?;
            Some((utf8(c), 12))
        }
        b'x' => Some((utf8(char::from_u32(hex(rest.get(2..4)?)?)?), 4)),
        byte @ (b'"' | b'\'' | b'/' | b'\\') => Some((vec![*byte], 2)),
        _ => None,
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    let is_hex = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    u32::from_str_radix(std::str::from_utf8(digits).ok().filter(|_| is_hex)?, 16).ok()
}

fn utf8(c: char) -> Vec<u8> {
    c.to_string().into_bytes()
}
