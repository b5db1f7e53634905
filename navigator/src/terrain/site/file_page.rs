//! A file of a folder, or a text that a server sends, as a page. Plain text is shown as it is; what
//! has no text is no page.

use std::path::Path;

use site_map::address::decoded;
use site_map::page::text_of;
use site_map::source::folder;
use site_map::source::response::{Response, failed_status};

/// Returns the page of a file, or why it is none.
pub(super) fn page_of(file: Response) -> Result<Response, String> {
    if let Some(encoding) = file.damaged_encoding() {
        return Err(undecodable(encoding));
    }
    let name = name_of(&file);
    if folder::is_html(Path::new(&name)) {
        return Ok(file);
    }
    if !folder::is_text(&file.body) {
        return Err(format!("it is no page (`{name}` is a binary file)"));
    }
    if !is_plain(&name) && file.body.trim_ascii_start().starts_with(b"<") {
        return Ok(file);
    }
    Ok(page_of_text(file))
}

/// Returns what a server answers as a page, or why it is none. What it declares as text and not as
/// HTML is plain text.
pub(super) fn page_of_answer(answer: Response) -> Result<Response, String> {
    if answer.is_page() {
        return Ok(answer);
    }
    if let Some(encoding) = answer.damaged_encoding() {
        return Err(undecodable(encoding));
    }
    let kind = answer.header("content-type").unwrap_or_default().to_ascii_lowercase();
    let is_plain = kind.starts_with("text/") && !kind.starts_with("text/html");
    match (200..300).contains(&answer.status) {
        false => Err(failed_status(answer.status)),
        true if is_plain && folder::is_text(&answer.body) => Ok(page_of_text(answer)),
        true if kind.is_empty() => Err("it is no page".to_owned()),
        true => Err(format!("it is no page ({kind})")),
    }
}

fn undecodable(encoding: &str) -> String {
    format!("it cannot be read: the body is not valid {encoding}, or too large")
}

fn page_of_text(text: Response) -> Response {
    let [title, lines] = [name_of(&text), text_of(&text)].map(|one| escaped(&one));
    // A line break after the tag does not count, so that the first one of the text does.
    let body = format!("<!doctype html><title>{title}</title><pre>\n{lines}");
    let headers = vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
    Response { headers, body: body.into(), ..text }
}

/// Returns the last part of an address, as the name of a file.
fn name_of(file: &Response) -> String {
    decoded(file.address.path().rsplit('/').next().unwrap_or_default())
}

/// Reports whether the name of a file says that it is plain text, whatever it begins with.
fn is_plain(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|one| one.to_str()).unwrap_or_default();
    matches!(extension.to_ascii_lowercase().as_str(), "txt" | "text" | "md")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
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
        assert_eq!(read("c.txt", b"\xff\xfe5\0").unwrap(), ["c.txt", "```\n5\n```"]);
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
