//! Heads of HTTP/1 messages, as the proxy reads them and hands them on. A request that servers
//! could read in two ways is none: what is judged must be what arrives.

use std::io::{self, BufRead, Read};

use url::Url;

/// The largest head of a message.
const LARGEST_HEAD: u64 = 256 << 10;
/// The number of headers of a message.
const HEADERS: usize = 200;
/// Headers that are for one connection only, and an address for other protocols.
const HOP_HEADERS: [&str; 8] = [
    "alt-svc",
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "upgrade",
];
/// Headers that say where a message ends, where it goes, or what becomes of its connection. Some
/// servers read them with `_` in the place of `-`, too.
const FRAMING_HEADERS: [&str; 5] =
    ["connection", "content-length", "host", "transfer-encoding", "upgrade"];

/// The head of a request to a proxy.
#[derive(Debug)]
pub(crate) struct RequestHead {
    /// The method.
    pub(crate) method: String,
    /// The target: a whole address, or a host and port.
    pub(crate) target: String,
    headers: Vec<(String, Vec<u8>)>,
}

/// The head of a response.
#[derive(Debug)]
pub(crate) struct MessageHead {
    /// The status.
    pub(crate) status: u16,
    /// The length of the body; `None` if the body says itself where it ends.
    pub(crate) body_length: Option<u64>,
    headers: Vec<(String, Vec<u8>)>,
}

/// Reads a head up to its empty line; `None` if the connection ends before it does.
pub(crate) fn read_head(incoming: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut head = Vec::new();
    let mut limited = incoming.take(LARGEST_HEAD);
    loop {
        let n = limited.read_until(b'\n', &mut head)?;
        let is_whole = head.ends_with(b"\r\n\r\n") || head.ends_with(b"\n\n");
        if is_whole && !head.trim_ascii().is_empty() {
            return Ok(Some(head));
        }
        if n == 0 {
            return Ok(None);
        }
    }
}

impl RequestHead {
    /// Reads a head; `None` if it is none, or if servers could read it in another way.
    pub(crate) fn parse(bytes: &[u8]) -> Option<RequestHead> {
        if has_bare_breaks(bytes) {
            return None;
        }
        let mut space = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut space);
        request.parse(bytes).ok().filter(httparse::Status::is_complete)?;
        let headers = owned(request.headers);
        let is_disguised = |(name, _): &(String, Vec<u8>)| {
            name.contains('_') && FRAMING_HEADERS.contains(&name.replace('_', "-").as_str())
        };
        (!headers.iter().any(is_disguised)).then_some(RequestHead {
            method: request.method?.to_owned(),
            target: request.path?.to_owned(),
            headers,
        })
    }

    /// Returns the first value of a header, if it is text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(values(&self.headers, name).next()?).ok()
    }

    /// Reports whether there is a header, whatever its value.
    pub(crate) fn has(&self, name: &str) -> bool {
        values(&self.headers, name).next().is_some()
    }

    /// Returns the names and values of all headers, one a line.
    pub(crate) fn lines(&self) -> Vec<u8> {
        let line =
            |(name, value): &(String, Vec<u8>)| [name.as_bytes(), b": ", value, b"\n"].concat();
        self.headers.iter().flat_map(line).collect()
    }

    /// Returns the length of the body; `None` if it cannot be known before it is read, or if the
    /// head says it twice.
    pub(crate) fn body_length(&self) -> Option<u64> {
        let is_told_twice = values(&self.headers, "content-length").count() > 1;
        if self.has("transfer-encoding") || is_told_twice {
            return None;
        }
        content_length(&self.headers).ok().map(Option::unwrap_or_default)
    }

    /// Returns the head as it goes to the server: the target without the host, `Host` from the
    /// address that was judged, and a connection for this request alone.
    pub(crate) fn to_server(&self, url: &Url) -> Vec<u8> {
        let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
        let line = format!("{} {target} HTTP/1.1\r\nHost: {host}\r\n", self.method);
        let kept = self.headers.iter().filter(|(name, _)| name != "host");
        written(line, kept, content_length(&self.headers).ok().flatten())
    }
}

impl MessageHead {
    /// Reads the head of a response; `None` if it is none, or if it says two things of its length.
    pub(crate) fn parse(bytes: &[u8]) -> Option<MessageHead> {
        let mut space = [httparse::EMPTY_HEADER; HEADERS];
        let mut response = httparse::Response::new(&mut space);
        response.parse(bytes).ok().filter(httparse::Status::is_complete)?;
        let headers = owned(response.headers);
        let length = content_length(&headers).ok()?;
        let is_encoded = values(&headers, "transfer-encoding").next().is_some();
        let body_length = length.filter(|_| !is_encoded);
        Some(MessageHead { status: response.code?, body_length, headers })
    }

    /// Returns the head as it goes to the browser.
    pub(crate) fn to_client(&self) -> Vec<u8> {
        let first = format!("HTTP/1.1 {} Forwarded\r\n", self.status);
        written(first, self.headers.iter(), self.body_length)
    }
}

/// What a head says of a length is no number, or two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DoubtfulLength;

/// Returns the length that a head tells; `None` if it tells none.
fn content_length(headers: &[(String, Vec<u8>)]) -> Result<Option<u64>, DoubtfulLength> {
    let mut told = None;
    for value in values(headers, "content-length") {
        // Digits alone: `parse` would take a sign, too.
        let is_number = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
        let text = std::str::from_utf8(value).ok().filter(|_| is_number);
        let length = text.and_then(|text| text.parse().ok()).ok_or(DoubtfulLength)?;
        if told.is_some_and(|known| known != length) {
            return Err(DoubtfulLength);
        }
        told = Some(length);
    }
    Ok(told)
}

/// Reports whether a head has a carriage return without a line feed, or the other way round.
fn has_bare_breaks(head: &[u8]) -> bool {
    let n_pairs = head.windows(2).filter(|pair| *pair == b"\r\n").count();
    let n_breaks = head.iter().filter(|byte| matches!(byte, b'\r' | b'\n')).count();
    n_breaks != 2 * n_pairs
}

fn owned(headers: &[httparse::Header<'_>]) -> Vec<(String, Vec<u8>)> {
    headers.iter().map(|one| (one.name.to_ascii_lowercase(), one.value.to_vec())).collect()
}

/// Returns the values of a header, without the spaces and tabs around them. No others may go: a
/// server would read them.
fn values<'a>(headers: &'a [(String, Vec<u8>)], name: &str) -> impl Iterator<Item = &'a [u8]> {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    headers.iter().filter(move |(one, _)| one == name).map(move |(_, value)| {
        let first = value.iter().position(|byte| !is_blank(byte)).unwrap_or(value.len());
        let last = value.iter().rposition(|byte| !is_blank(byte)).map_or(first, |at| at + 1);
        &value[first..last]
    })
}

/// Writes a head for one message, with the length of its body as a plain number.
fn written<'a>(
    first: String,
    headers: impl Iterator<Item = &'a (String, Vec<u8>)>,
    length: Option<u64>,
) -> Vec<u8> {
    let mut head = first.into_bytes();
    let is_kept = |name: &str| name != "content-length" && !HOP_HEADERS.contains(&name);
    for (name, value) in headers.filter(|(name, _)| is_kept(name)) {
        head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    if let Some(length) = length {
        head.extend(format!("content-length: {length}\r\n").bytes());
    }
    head.extend(b"connection: close\r\n\r\n");
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> RequestHead {
        let bytes = text.replace('\n', "\r\n");
        let bytes = read_head(&mut bytes.as_bytes()).unwrap().unwrap();
        RequestHead::parse(&bytes).unwrap()
    }

    #[test]
    fn a_request_goes_to_the_host_of_its_address() {
        let head = head(
            "POST http://a.example:81/x?y HTTP/1.1\nHost: evil.example\nProxy-Connection: keep\n\
             Content-Length: 2\n\nab",
        );
        assert_eq!(
            (head.target.as_str(), head.body_length()),
            ("http://a.example:81/x?y", Some(2))
        );
        let written = head.to_server(&head.target.parse().unwrap());
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "POST /x?y HTTP/1.1\r\nHost: a.example:81\r\ncontent-length: 2\r\n\
             connection: close\r\n\r\n"
        );
    }

    #[test]
    fn a_body_of_unknown_or_doubtful_length_is_not_read() {
        for (lines, length) in [
            ("", Some(0)),
            ("Content-Length: 7\n", Some(7)),
            ("Content-Length:\t 7 \n", Some(7)),
            ("Content-Length: 7\nContent-Length: 8\n", None),
            ("Content-Length: 7\nContent-Length: 7\n", None),
            ("Content-Length: 7, 7\n", None),
            ("Content-Length: 7\nTransfer-Encoding: chunked\n", None),
            ("Transfer-Encoding: \u{a0}chunked\nContent-Length: 7\n", None),
            ("Transfer-Encoding:\n", None),
            ("Content-Length: x\n", None),
            ("Content-Length: +7\n", None),
            ("Content-Length: -0\n", None),
            ("Content-Length: 0x7\n", None),
            ("Content-Length: 7 7\n", None),
            ("Content-Length: \u{a0}7\n", None),
            ("Content-Length: \u{667}\n", None),
            ("Content-Length:\n", None),
            ("Content-Length: 18446744073709551616\n", None),
        ] {
            let head = head(&format!("POST / HTTP/1.1\n{lines}\n"));
            assert_eq!(head.body_length(), length, "{lines:?}");
        }
    }

    #[test]
    fn a_length_leaves_as_a_plain_number() {
        let head =
            head("POST http://a.example/ HTTP/1.1\nContent-Length: 007\nHost: x\nHost: y\n\n");
        let written = head.to_server(&head.target.parse().unwrap());
        assert_eq!(
            String::from_utf8(written).unwrap(),
            "POST / HTTP/1.1\r\nHost: a.example\r\ncontent-length: 7\r\nconnection: close\r\n\r\n"
        );
    }

    #[test]
    fn a_request_that_can_be_read_in_two_ways_is_none() {
        let is_one = |text: &str| RequestHead::parse(text.as_bytes()).is_some();
        assert!(is_one("POST http://a/ HTTP/1.1\r\nA: b\r\nContent-Length: 1\r\n\r\n"));
        assert!(is_one("GET http://a/ HTTP/1.1\r\nMy_Header: \u{a0}b\r\n\r\n"));
        for text in [
            // A line break that is none for some.
            "POST http://a/ HTTP/1.1\nContent-Length: 1\n\n",
            "POST http://a/ HTTP/1.1\r\nA: b\nContent-Length: 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nA: b\rContent-Length: 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nA: b\r\n\n",
            "POST http://a/ HTTP/1.1\r\nA: b\r\r\nC: d\r\n\r\n",
            // A line that goes on with the next one.
            "POST http://a/ HTTP/1.1\r\nA: b\r\n Content-Length: 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nTransfer-Encoding:\r\n\tchunked\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\n A: b\r\n\r\n",
            // Names that are not those of headers, or are for some.
            "POST http://a/ HTTP/1.1\r\nContent-Length : 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nContent-Length\t: 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nContent-Length\u{b}: 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nContent-Length\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\n: 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nContent_Length: 1\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nTRANSFER_ENCODING: chunked\r\n\r\n",
            // Bytes that end a text for some.
            "POST http://a/ HTTP/1.1\r\nA: b\0\r\n\r\n",
            "POST http://a/ HTTP/1.1\r\nContent-Length: \u{b}1\r\n\r\n",
            // First lines with more or less in them.
            "POST http://a/ x HTTP/1.1\r\n\r\n",
            "POST  http://a/ HTTP/1.1\r\n\r\n",
            "POST\thttp://a/ HTTP/1.1\r\n\r\n",
            "POST http://a/\r\n\r\n",
            "POST http://a/ HTTP/2.0\r\n\r\n",
            "PO(ST http://a/ HTTP/1.1\r\n\r\n",
        ] {
            assert!(!is_one(text), "{text:?}");
        }
    }

    #[test]
    fn a_response_ends_in_one_way() {
        let told = |lines: &str| {
            let head = MessageHead::parse(format!("HTTP/1.1 200 OK\r\n{lines}\r\n").as_bytes());
            head.map(|head| (head.body_length, String::from_utf8(head.to_client()).unwrap()))
        };
        let head =
            |lines: &str| format!("HTTP/1.1 200 Forwarded\r\n{lines}connection: close\r\n\r\n");
        let five = Some((Some(5), head("content-length: 5\r\n")));
        assert_eq!(told("Content-Length: 5\r\n"), five);
        assert_eq!(told("Content-Length: 5\r\nContent-Length: 05\r\n"), five);
        assert_eq!(told("Connection: keep-alive\r\n"), Some((None, head(""))));
        let chunked = Some((None, head("transfer-encoding: chunked\r\n")));
        assert_eq!(told("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), chunked);
        for lines in [
            "Content-Length: 5\r\nContent-Length: 6\r\n",
            "Content-Length: +5\r\n",
            "Content-Length: 5, 5\r\n",
            "Content-Length:\r\n",
            "Content-Length : 5\r\n",
            "A: b\r\n c\r\n",
        ] {
            assert_eq!(told(lines), None, "{lines:?}");
        }
    }
}
