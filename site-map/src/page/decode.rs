//! From the bytes of a page to text: by byte order mark, header, `meta`, and last by what the bytes
//! are most likely.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::source::folder::is_text;
use crate::source::response::Response;

/// How far a `meta` element with the encoding can lie from the start, in bytes (HTML standard,
/// "prescan a byte stream to determine its encoding").
const PRESCAN: usize = 1_024;
/// The fewest whole characters that are not there by chance.
const MIN_WHOLE: usize = 3;
/// How many whole characters there are for each broken one, at least, where that is the encoding.
const WHOLE_TO_BROKEN: usize = 20;
/// How much of a body an encoding is guessed from, in bytes.
const GUESSED_FROM: usize = 1 << 20;

/// Decodes the body of a response. What is invalid in its encoding becomes U+FFFD.
pub fn text_of(response: &Response) -> String {
    decoded(response).0
}

/// Decodes the body of a response, and reports whether it is in another encoding than it states.
pub(crate) fn decoded(response: &Response) -> (String, bool) {
    let body = &response.body;
    if let Some((encoding, length)) = Encoding::for_bom(body) {
        return (encoding.decode_without_bom_handling(&body[length..]).0.into_owned(), false);
    }
    let declared = response.header("content-type").and_then(charset);
    let declared = declared.or_else(|| in_declaration(body)).or_else(|| in_meta(body));
    if declared.is_none() && is_binary(body) {
        return (String::new(), false);
    }
    if declared == Some(WINDOWS_1252) && is_surely_utf_8(body) {
        return (UTF_8.decode_without_bom_handling(body).0.into_owned(), true);
    }
    let is_wrong = declared == Some(UTF_8) && !is_mostly_utf_8(body);
    let encoding = declared.filter(|_| !is_wrong).unwrap_or_else(|| guessed(body));
    (encoding.decode_without_bom_handling(body).0.into_owned(), is_wrong)
}

/// Reports whether a body is no text in any encoding: an archive under the name of a page. In
/// UTF-16 every second byte of plain English is zero.
fn is_binary(body: &[u8]) -> bool {
    let start = &body[..body.len().min(PRESCAN)];
    let n_zeros = start.iter().filter(|byte| **byte == 0).count();
    n_zeros > 0
        && 4 * n_zeros < start.len()
        && !is_text(start)
        && std::str::from_utf8(body).is_err()
}

/// Returns the encoding that the bytes of a page are most likely in.
fn guessed(body: &[u8]) -> &'static Encoding {
    if std::str::from_utf8(body).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&body[..body.len().min(GUESSED_FROM)], true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Reports whether no more characters beyond ASCII are broken in UTF-8 than whole: a page that was
/// cut, or quotes another one, has few broken ones.
fn is_mostly_utf_8(body: &[u8]) -> bool {
    let (n_whole, n_broken) = in_utf_8(body);
    n_broken <= n_whole
}

/// Reports whether nearly all characters beyond ASCII are whole in UTF-8, and there are some: in
/// another encoding that does not happen by chance.
fn is_surely_utf_8(body: &[u8]) -> bool {
    let (n_whole, n_broken) = in_utf_8(body);
    n_whole >= MIN_WHOLE && WHOLE_TO_BROKEN * n_broken <= n_whole
}

/// Returns how many characters beyond ASCII are whole in UTF-8, and how many are broken.
fn in_utf_8(body: &[u8]) -> (usize, usize) {
    let (mut n_whole, mut n_broken) = (0, 0);
    for chunk in body.utf8_chunks() {
        n_whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        n_broken += usize::from(!chunk.invalid().is_empty());
    }
    (n_whole, n_broken)
}

/// Returns the encoding of `<?xml version="1.0" encoding="NAME"?>`.
fn in_declaration(body: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&body[..body.len().min(PRESCAN)]);
    let (declaration, _) = head.strip_prefix("<?xml")?.split_once("?>")?;
    named(declaration, "encoding").map(ascii_compatible)
}

fn in_meta(body: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&body[..body.len().min(PRESCAN)]).to_ascii_lowercase();
    let tag = &head[head.find("charset")?..];
    charset(tag).map(ascii_compatible)
}

/// Returns an encoding that a page names in itself. Bytes that could be read up to there are no
/// UTF-16, whatever they say.
fn ascii_compatible(encoding: &'static Encoding) -> &'static Encoding {
    if encoding.is_ascii_compatible() { encoding } else { UTF_8 }
}

fn charset(text: &str) -> Option<&'static Encoding> {
    named(text, "charset")
}

/// Returns the encoding of `KEY=NAME`, with or without quotes.
fn named(text: &str, key: &str) -> Option<&'static Encoding> {
    let at = text.to_ascii_lowercase().find(key)?;
    let value = text[at + key.len()..].trim_start().strip_prefix('=')?;
    let value = value.trim_start().trim_start_matches(['"', '\'']);
    let end = value.find(['"', '\'', ';', '>', '/', ' ']).unwrap_or(value.len());
    Encoding::for_label(&value.as_bytes()[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::page_address;

    fn check(content_type: &str, body: &[u8], text: &str) {
        let headers = vec![("content-type".to_owned(), content_type.to_owned())];
        let address = page_address("http://a/").unwrap();
        let response = Response { address, status: 200, headers, body: body.to_vec() };
        assert_eq!(text_of(&response), text);
    }

    #[test]
    fn the_encoding_is_that_of_mark_header_meta_or_bytes() {
        check("text/html", "café".as_bytes(), "café");
        check("text/html", b"caf\xe9", "café");
        check("text/html; charset=ISO-8859-2", b"\xb3\xf3d\xbc", "łódź");
        check("text/html", b"<meta charset='koi8-r'>\xc4\xc1", "<meta charset='koi8-r'>да");
        check("", b"<?xml encoding='ISO-8859-2'?>\xb3", "<?xml encoding='ISO-8859-2'?>ł");
        check("text/html; charset=utf-8", b"\xff\xfea\0b\0", "ab");
        check("text/html", b"\x1f\x8b\x08\0\x06\x03\xed\x7d\xeb\x72\x1b\xc9\x7a\x01", "");
        check("text/html; charset=nonsense", "é".as_bytes(), "é");
    }

    #[test]
    fn a_wrong_or_missing_declaration_is_made_good() {
        let read = |content_type: &str, body: &[u8]| {
            let headers = vec![("content-type".to_owned(), content_type.to_owned())];
            let address = page_address("http://a/").unwrap();
            decoded(&Response { address, status: 200, headers, body: body.to_vec() })
        };
        let russian = "Температура охлаждающей жидкости показана на панели приборов.";
        let japanese = "冷却水の容量は九リットルです。エンジンを止めてから測ります。";
        for (label, text) in [("koi8-r", russian), ("shift_jis", japanese), ("euc-jp", japanese)] {
            let body = Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned();
            assert_eq!(read("text/html", &body), (text.to_owned(), false), "{label}");
            let declared = "text/html; charset=utf-8";
            assert_eq!(read(declared, &body), (text.to_owned(), true), "{label}");
        }
        // Old pages have an encoding from a template.
        let western = "text/html; charset=ISO-8859-1";
        assert_eq!(read(western, russian.as_bytes()), (russian.to_owned(), true));
        let mostly = [russian.as_bytes(), b"\xff"].concat();
        assert_eq!(read(western, &mostly), (format!("{russian}\u{fffd}"), true));
        assert_eq!(read(western, "caf\u{e9}".as_bytes()), ("cafÃ©".to_owned(), false));
        assert_eq!(read(western, b"d\xe9j\xe0 v\xe9cu"), ("déjà vécu".to_owned(), false));
        let one_broken = [russian.as_bytes(), b"\xff."].concat();
        let text = format!("{russian}\u{fffd}.");
        assert_eq!(read("text/html; charset=utf-8", &one_broken), (text, false));
    }
}
