//! The forms in which a value is looked for. Escapes of addresses, forms, HTML and JSON are read
//! as they are met, mixed or not; the case of ASCII letters does not count.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use url::form_urlencoded;

use super::encoded::{decoded, is_escape};

/// The fewest bytes of a needle that are one in a text that is cut after them.
const LEAST_CUT: usize = 4;
/// What a text that is cut ends with.
const CUT: &[u8] = "…".as_bytes();

/// A form of a value.
pub(super) struct Needle {
    bytes: Vec<u8>,
    /// Of Base64, whether letters before and after it hold a part of the value.
    base64: Option<(bool, bool)>,
}

/// The characters of the bytes from 0x80 on in the encoding of old pages, windows-1252.
const OLD: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Returns the forms of a value: itself, as old pages encode it, and, of it as others write it, the
/// hexadecimal digits and Base64 of anything around it.
pub(super) fn needles(value: &str) -> Vec<Needle> {
    let plain = |bytes: Vec<u8>| Needle { bytes, base64: None };
    let mut needles = vec![plain(value.chars().flat_map(old).collect())];
    for text in spellings(value) {
        let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        needles.extend((0..3).map(|before| base64_after(before, &text)));
        needles.extend([plain(digits.into_bytes()), plain(text.into_bytes())]);
    }
    needles
}

/// Returns a value as it stands, and as JSON, HTML, addresses and forms write it: each of these may
/// be written in another one.
fn spellings(value: &str) -> BTreeSet<String> {
    let json = serde_json::Value::from(value).to_string();
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let form: String = form_urlencoded::byte_serialize(value.as_bytes()).collect();
    let quoted = html.replace('"', "&quot;");
    let percent = form.replace('+', "%20");
    let json = json[1..json.len() - 1].to_owned();
    [value.to_owned(), json, html, quoted, form, percent].into()
}

/// Returns a character as forms of old pages send it: a byte, or a reference.
fn old(c: char) -> Vec<u8> {
    let place = OLD.chars().position(|one| one == c).and_then(|at| u8::try_from(0x80 + at).ok());
    match place.or_else(|| u8::try_from(c).ok()) {
        Some(byte) => vec![byte],
        None => format!("&#{};", u32::from(c)).into_bytes(),
    }
}

/// Returns the letters of Base64 that stand for a value alone, with some bytes before it.
fn base64_after(before: usize, value: &str) -> Needle {
    let bytes = [&b"\0\0"[..before], value.as_bytes()].concat();
    let letters = STANDARD_NO_PAD.encode(&bytes);
    let (first, last) = ((before * 8).div_ceil(6), bytes.len() * 8 / 6);
    Needle {
        bytes: letters.as_bytes()[first..last].to_vec(),
        base64: Some((before > 0, bytes.len() * 8 % 6 > 0)),
    }
}

impl Needle {
    /// Reports whether a text with the needle may have a byte where the needle begins.
    pub(super) fn can_begin_with(&self, byte: u8) -> bool {
        is_escape(byte) || self.is_same(byte, self.bytes[0])
    }

    /// Returns where the needle at a place of a text begins and ends; `None` if there is none.
    pub(super) fn span_at(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let end = self.end(text, at)?;
        let Some((has_before, has_after)) = self.base64 else { return Some((at, end)) };
        let is_letter = |at: usize| text.get(at).is_some_and(|byte| is_base64(*byte));
        let begin = at - usize::from(has_before && at > 0 && is_letter(at - 1));
        Some((begin, end + usize::from(has_after && is_letter(end))))
    }

    /// Returns the furthest end of the needle at a place. A text can be read in more ways than can
    /// be tried one by one, so each place of it is read once for each place of the needle.
    fn end(&self, text: &[u8], at: usize) -> Option<usize> {
        let mut furthest = None;
        let mut open = BTreeSet::new();
        let mut next = Some((at, 0));
        while let Some((at, n_read)) = next {
            let is_cut = n_read >= LEAST_CUT && text[at..].starts_with(CUT);
            if n_read == self.bytes.len() || is_cut {
                furthest = furthest.max(Some(at));
                next = open.pop_first();
                continue;
            }
            let byte = text.get(at).copied();
            let escaped = byte.filter(|byte| is_escape(*byte)).map(|_| decoded(text, at));
            for (bytes, end) in escaped.into_iter().flatten() {
                let own = self.bytes.get(n_read..n_read + bytes.len()).unwrap_or_default();
                if own.len() == bytes.len() && self.are_same(&bytes, own) {
                    open.insert((end, n_read + bytes.len()));
                }
            }
            let is_same = byte.is_some_and(|byte| self.is_same(byte, self.bytes[n_read]));
            next = is_same.then_some((at + 1, n_read + 1));
            if !open.is_empty() {
                open.extend(next);
                next = open.pop_first();
            }
        }
        furthest
    }

    fn are_same(&self, bytes: &[u8], own: &[u8]) -> bool {
        bytes.iter().zip(own).all(|(byte, own)| self.is_same(*byte, *own))
    }

    fn is_same(&self, byte: u8, own: u8) -> bool {
        match (self.base64, byte) {
            (None, byte) => byte.eq_ignore_ascii_case(&own),
            // The letters of addresses.
            (Some(_), b'-') => own == b'+',
            (Some(_), b'_') => own == b'/',
            (Some(_), byte) => byte == own,
        }
    }
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}
