//! What the applications need of HTTP/1.1: a request read, an answer written, forms decoded.

use std::fmt::Write as _;
use std::io::{BufRead, Read as _, Write};

/// The longest line of a request, and the largest number of lines.
const MAX_LINE: u64 = 16 << 10;
const MAX_LINES: usize = 100;
/// The longest body of a request.
const MAX_BODY: usize = 1 << 20;

/// A request as it arrived.
#[derive(Debug)]
pub(super) struct HttpRequest {
    pub(super) method: String,
    /// The path, decoded, without the query.
    pub(super) path: String,
    pub(super) body: String,
    query: Vec<(String, String)>,
    cookies: Vec<(String, String)>,
}

impl HttpRequest {
    /// Reads a request; none when the client has nothing to ask, or what it asks is no HTTP.
    pub(super) fn read(reader: &mut impl BufRead) -> std::io::Result<Option<Self>> {
        let mut head = Vec::new();
        for _ in 0..MAX_LINES {
            let mut line = String::new();
            reader.take(MAX_LINE).read_line(&mut line)?;
            match line.trim_end() {
                "" => break,
                line => head.push(line.to_owned()),
            }
        }
        let Some(mut words) = head.first().map(|line| line.split(' ')) else { return Ok(None) };
        let (Some(method), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let header = |name: &str| {
            head[1..]
                .iter()
                .filter_map(|line| line.split_once(':'))
                .find(|(one, _)| one.eq_ignore_ascii_case(name))
                .map_or("", |(_, value)| value.trim())
        };
        let length = header("content-length").parse().unwrap_or(0).min(MAX_BODY);
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let cookies = header("cookie").split("; ").filter_map(|one| one.split_once('='));
        Ok(Some(Self {
            method: method.to_owned(),
            path: decoded(path),
            body: String::from_utf8_lossy(&body).into_owned(),
            query: pairs(query),
            cookies: cookies.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        }))
    }

    /// A parameter of the query, or nothing.
    pub(super) fn parameter(&self, name: &str) -> &str {
        of(&self.query, name).unwrap_or_default()
    }

    /// A cookie.
    pub(super) fn cookie(&self, name: &str) -> Option<&str> {
        of(&self.cookies, name)
    }

    /// The fields of the form that was sent.
    pub(super) fn form(&self) -> HttpForm {
        HttpForm(pairs(&self.body))
    }
}

/// The fields of a form, in order.
#[derive(Debug)]
pub(super) struct HttpForm(Vec<(String, String)>);

impl HttpForm {
    /// A field without the spaces around it, or nothing.
    pub(super) fn field(&self, name: &str) -> &str {
        of(&self.0, name).unwrap_or_default().trim()
    }
}

/// An answer, and the screen that it shows.
#[derive(Debug)]
pub(super) struct HttpAnswer {
    pub(super) status: &'static str,
    pub(super) kind: &'static str,
    pub(super) body: String,
    /// The name of the screen, when the answer shows one or says that one is on show.
    pub(super) at: Option<String>,
    pub(super) headers: Vec<(&'static str, String)>,
}

impl HttpAnswer {
    /// A body that is no screen of its own: a style, a script, data.
    pub(super) fn of(kind: &'static str, body: impl Into<String>) -> Self {
        Self { status: "200 OK", kind, body: body.into(), at: None, headers: Vec::new() }
    }

    /// A page that shows a screen.
    pub(super) fn page(at: &str, body: String) -> Self {
        Self { at: Some(at.to_owned()), ..Self::of("text/html; charset=utf-8", body) }
    }

    /// The next page after a form was sent.
    pub(super) fn see(target: &str) -> Self {
        let to_there = Self { status: "303 See Other", ..Self::of("text/plain", "") };
        to_there.with("Location", target.to_owned())
    }

    /// No content.
    pub(super) fn nothing() -> Self {
        Self { status: "204 No Content", ..Self::of("text/plain", "") }
    }

    /// Nothing is there.
    pub(super) fn missing() -> Self {
        Self { status: "404 Not Found", ..Self::of("text/plain", "not found\n") }
    }

    /// The same answer with a header.
    pub(super) fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Writes the answer, after which the connection is closed.
    pub(super) fn write(&self, stream: &mut impl Write) -> std::io::Result<()> {
        // Nothing is stored: the server has to see each page that is shown.
        let mut text = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nConnection: close\r\n",
            self.status,
            self.kind,
            self.body.len()
        );
        for (name, value) in &self.headers {
            let _ = write!(text, "{name}: {value}\r\n");
        }
        text.push_str("\r\n");
        text.push_str(&self.body);
        stream.write_all(text.as_bytes())?;
        stream.flush()
    }
}

/// A text within HTML, or within a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn of<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
}

/// The names and values of a query or a form.
fn pairs(text: &str) -> Vec<(String, String)> {
    let parts = text.split('&').filter(|part| !part.is_empty());
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decoded(&name.replace('+', " ")), decoded(&value.replace('+', " ")))
    };
    parts.map(pair).collect()
}

/// A text with its `%XX` decoded; what is no such code stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            Some(_) | None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_with_its_query_cookies_and_form() {
        let form = "name=J%C3%B6rg&note=a%26b";
        let text = format!(
            "POST /search/a%20b?q=two+words&n=1 HTTP/1.1\r\nHost: x\r\n\
             Cookie: a=1; session=7\r\nContent-Length: {}\r\n\r\n{form}",
            form.len()
        );
        let request = HttpRequest::read(&mut text.as_bytes()).unwrap().unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/search/a b"));
        assert_eq!(request.parameter("q"), "two words");
        assert_eq!(request.cookie("session"), Some("7"));
        assert_eq!(request.form().field("name"), "Jörg");
        assert_eq!(request.form().field("note"), "a&b");
    }

    #[test]
    fn a_connection_without_a_request_gives_none() {
        assert!(HttpRequest::read(&mut "".as_bytes()).unwrap().is_none());
    }
}
