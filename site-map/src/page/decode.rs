//! From the bytes of a page to text: by byte order mark, header, `meta`, and last by what the bytes
//! can be.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::source::response::Response;

/// How far a `meta` element with the encoding can lie from the start, in bytes (HTML standard,
/// "prescan a byte stream to determine its encoding").
const PRESCAN: usize = 1_024;

/// Decodes the body of a response. What is invalid in its encoding becomes U+FFFD.
pub fn text_of(response: &Response) -> String {
    let body = &response.body;
    if let Some((encoding, length)) = Encoding::for_bom(body) {
        return encoding.decode_without_bom_handling(&body[length..]).0.into_owned();
    }
    let declared = response.header("content-type").and_then(charset);
    let declared = declared.or_else(|| in_declaration(body)).or_else(|| in_meta(body));
    let encoding = match declared {
        Some(encoding) => encoding,
        None if std::str::from_utf8(body).is_ok() => UTF_8,
        // The fallback of the HTML standard for most locales.
        None => WINDOWS_1252,
    };
    encoding.decode_without_bom_handling(body).0.into_owned()
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
        check("text/html; charset=nonsense", "é".as_bytes(), "é");
        check("text/html; charset=utf-8", b"a\xffb", "a\u{fffd}b");
    }
}
