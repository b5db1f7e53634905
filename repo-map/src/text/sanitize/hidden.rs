//! Terminal control characters and invisible characters, and how they are escaped.

use std::borrow::Cow;

/// Returns the text with `\n` as its only line break.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Reports whether a control character is a line break or a tab, which are part of a text.
pub(crate) fn is_line_layout(c: char) -> bool {
    matches!(c, '\n' | '\t')
}

/// Escapes as `\u{…}` every invisible character and every control character that `keep` does not
/// accept; returns the text and the number of characters escaped.
pub(crate) fn visible(text: &str, keep: impl Fn(char) -> bool) -> (Cow<'_, str>, u32) {
    replace_hidden(text, keep, str::to_owned)
}

/// Replaces the same characters: `form` receives the escape of each and returns its replacement.
/// Returns the text and the number of characters replaced.
pub(crate) fn replace_hidden(
    text: &str,
    keep: impl Fn(char) -> bool,
    form: impl Fn(&str) -> String,
) -> (Cow<'_, str>, u32) {
    let hidden = hidden(text, |c| c.is_control() && !keep(c));
    if hidden.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    let mut out = String::with_capacity(text.len() + 8 * hidden.len());
    let mut copied = 0;
    for (at, c) in &hidden {
        out.push_str(&text[copied..*at]);
        out.push_str(&form(&format!("\\u{{{:x}}}", u32::from(*c))));
        copied = at + c.len_utf8();
    }
    out.push_str(&text[copied..]);
    (Cow::Owned(out), hidden.len() as u32)
}

/// Escapes the control and invisible characters of a JSON text. They can occur only within its
/// strings.
pub(super) fn escaped_json(json: String) -> String {
    escaped(json, |c| {
        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
    })
}

pub(super) fn escaped(json: String, escape: impl Fn(char) -> String) -> String {
    let hidden = hidden(&json, |c| c.is_control() && c != '\n');
    if hidden.is_empty() {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 8 * hidden.len());
    let mut copied = 0;
    for (at, c) in &hidden {
        out.push_str(&json[copied..*at]);
        out.push_str(&escape(*c));
        copied = at + c.len_utf8();
    }
    out.push_str(&json[copied..]);
    out
}

/// Returns the hidden characters of a text with their positions in bytes: those that `is_control`
/// accepts, and the invisible ones.
pub(super) fn hidden(text: &str, is_control: impl Fn(char) -> bool) -> Vec<(usize, char)> {
    let is_plain = |byte: u8| byte == b'\n' || byte == b'\t' || (b' '..=b'~').contains(&byte);
    if text.bytes().all(is_plain) && !is_control('\n') && !is_control('\t') {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, c)| *c);
        if is_control(c) || is_invisible(c) && !has_a_use(before, c, after) {
            found.push((at, c));
        }
        before = Some(c);
    }
    found
}

/// Reports whether a character is invisible: it has no width or glyph, and changes the characters
/// beside it or their order, or carries data that people do not see. By Unicode's
/// `Default_Ignorable_Code_Point`, `Bidi_Control`, the line and paragraph separators, and the two
/// characters that XML forbids.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}'..='\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Reports whether an invisible character has its documented effect: a joiner between emoji or
/// letters of scripts other than Latin, or a variation selector behind a character that it varies.
/// Selectors for ideographs are always escaped: they could spell a text, one byte each.
fn has_a_use(before: Option<char>, c: char, after: Option<char>) -> bool {
    let is_latin_or_sign =
        |c: char| c < '\u{370}' || matches!(c, '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{206f}');
    let is_joined = |c: Option<char>| {
        c.is_some_and(|c| !is_latin_or_sign(c) && (!is_invisible(c) || is_of_emoji(c)))
    };
    match c {
        '\u{200c}' | '\u{200d}' => is_joined(before) && is_joined(after),
        '\u{fe0e}' | '\u{fe0f}' => before.is_some_and(|c| {
            !is_invisible(c) && (!c.is_ascii() || c.is_ascii_digit() || matches!(c, '#' | '*'))
        }),
        _ => false,
    }
}

/// Reports whether a character is the variation selector for emoji presentation.
fn is_of_emoji(c: char) -> bool {
    c == '\u{fe0f}'
}
