//! A file of a folder as a page. Plain text is shown as it is; a file without text is no page.

use std::path::Path;

use site_map::address::decoded;
use site_map::source::response::Response;

/// The share of control characters from which on bytes that are no UTF-8 are no text, in percent.
const MAX_CONTROLS: usize = 2;

/// Returns the page of a file, or why it is none.
pub(super) fn page_of(file: Response) -> Result<Response, String> {
    let name = decoded(file.address.path().rsplit('/').next().unwrap_or_default());
    if is_html(&name, &file.body) {
        return Ok(file);
    }
    if !is_text(&file.body) {
        return Err(format!("it is no page (`{name}` is a binary file)"));
    }
    let text = file.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&file.body);
    let mut body = b"<!doctype html><title>".to_vec();
    escape(name.as_bytes(), &mut body);
    // A line break after the tag does not count, so that the first one of the text does.
    body.extend(b"</title><pre>\n");
    escape(text, &mut body);
    Ok(Response { body, ..file })
}

/// Reports whether a file is HTML: by its name, else by its first sign, unless its name says text.
fn is_html(name: &str, body: &[u8]) -> bool {
    let extension = Path::new(name).extension().and_then(|one| one.to_str()).unwrap_or_default();
    match extension.to_ascii_lowercase().as_str() {
        "html" | "htm" | "xhtml" => true,
        "txt" | "text" | "md" => false,
        _ => body.trim_ascii_start().starts_with(b"<") && is_text(body),
    }
}

fn is_text(body: &[u8]) -> bool {
    if body.contains(&0) {
        return false;
    }
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    std::str::from_utf8(body).is_ok()
        || body.iter().filter(is_control).count() * 100 <= MAX_CONTROLS * body.len()
}

fn escape(text: &[u8], body: &mut Vec<u8>) {
    for byte in text {
        match byte {
            b'&' => body.extend(b"&amp;"),
            b'<' => body.extend(b"&lt;"),
            other => body.push(*other),
        }
    }
}

#[cfg(test)]
mod tests {
    use site_map::address::page_address;
    use site_map::page::WebPage;

    use super::*;

    fn read(name: &str, body: &[u8]) -> Result<Vec<String>, String> {
        let address = page_address(&format!("file:///{name}")).unwrap();
        let headers = vec![("content-type".to_owned(), "text/html".to_owned())];
        let page = page_of(Response { address, status: 200, headers, body: body.to_vec() })?;
        let page = WebPage::of(&page);
        Ok([page.title].into_iter().chain(page.blocks.into_iter().map(|one| one.text)).collect())
    }

    #[test]
    fn html_is_read_as_html_text_as_text_and_the_rest_not() {
        let text = "a <b\n\nc &amp; d>  3";
        let fenced = format!("```\n{text}\n```");
        assert_eq!(read("a.txt", text.as_bytes()).unwrap(), ["a.txt", fenced.as_str()]);
        assert_eq!(read("LIESMICH", b"Gr\xf6\xdfe").unwrap(), ["LIESMICH", "```\nGröße\n```"]);
        assert_eq!(read("b.txt", b"\xef\xbb\xbf5").unwrap(), ["b.txt", "```\n5\n```"]);
        let html = "<title>T</title><p>5";
        for name in ["a.html", "a.HTM", "a.php", "a"] {
            assert_eq!(read(name, html.as_bytes()).unwrap(), ["T", "5"], "{name}");
        }
        for (name, body) in [
            ("pump.bin", b"\x7fELF\x02\0\0<p>".as_slice()),
            ("a%20b.txt", b"\x01\x02\x03\xff\xfe"),
            ("c", b"<\0"),
        ] {
            let reason = read(name, body).unwrap_err();
            let name = decoded(name);
            assert_eq!(reason, format!("it is no page (`{name}` is a binary file)"));
        }
    }
}
