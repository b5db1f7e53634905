//! Heads of HTTP/1 messages, as the proxy reads them and hands them on.

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
    /// Reads a head; `None` if it is none.
    pub(crate) fn parse(bytes: &[u8]) -> Option<RequestHead> {
        let mut space = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut space);
        request.parse(bytes).ok().filter(httparse::Status::is_complete)?;
        Some(RequestHead {
            method: request.method?.to_owned(),
            target: request.path?.to_owned(),
            headers: owned(request.headers),
        })
    }

    /// Returns the first value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Returns the names and values of all headers, one a line.
    pub(crate) fn lines(&self) -> Vec<u8> {
        let line =
            |(name, value): &(String, Vec<u8>)| [name.as_bytes(), b": ", value, b"\n"].concat();
        self.headers.iter().flat_map(line).collect()
    }

    /// Returns the length of the body; `None` if it cannot be known before it is read, or if the
    /// head says two things.
    pub(crate) fn body_length(&self) -> Option<u64> {
        let is_length = |(name, _): &&(String, Vec<u8>)| name == "content-length";
        match self.headers.iter().filter(is_length).count() {
            _ if self.header("transfer-encoding").is_some() => None,
            0 => Some(0),
            1 => self.header("content-length")?.parse().ok(),
            _ => None,
        }
    }

    /// Returns the head as it goes to the server: the target without the host, `Host` from the
    /// address that was judged, and a connection for this request alone.
    pub(crate) fn to_server(&self, url: &Url) -> Vec<u8> {
        let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
        let line = format!("{} {target} HTTP/1.1\r\nHost: {host}\r\n", self.method);
        let kept = self.headers.iter().filter(|(name, _)| name != "host");
        written(line, kept)
    }
}

impl MessageHead {
    /// Reads the head of a response; `None` if it is none.
    pub(crate) fn parse(bytes: &[u8]) -> Option<MessageHead> {
        let mut space = [httparse::EMPTY_HEADER; HEADERS];
        let mut response = httparse::Response::new(&mut space);
        response.parse(bytes).ok().filter(httparse::Status::is_complete)?;
        Some(MessageHead { status: response.code?, headers: owned(response.headers) })
    }

    /// Returns the length of the body; `None` if the body says itself where it ends.
    pub(crate) fn body_length(&self) -> Option<u64> {
        let is_chunked = header(&self.headers, "transfer-encoding").is_some();
        let length = header(&self.headers, "content-length").filter(|_| !is_chunked)?;
        length.parse().ok()
    }

    /// Returns the head as it goes to the browser.
    pub(crate) fn to_client(&self) -> Vec<u8> {
        written(format!("HTTP/1.1 {} Forwarded\r\n", self.status), self.headers.iter())
    }
}

fn owned(headers: &[httparse::Header<'_>]) -> Vec<(String, Vec<u8>)> {
    headers.iter().map(|one| (one.name.to_ascii_lowercase(), one.value.to_vec())).collect()
}

fn header<'a>(headers: &'a [(String, Vec<u8>)], name: &str) -> Option<&'a str> {
    let (_, value) = headers.iter().find(|(one, _)| one == name)?;
    std::str::from_utf8(value).ok().map(str::trim)
}

fn written<'a>(first: String, headers: impl Iterator<Item = &'a (String, Vec<u8>)>) -> Vec<u8> {
    let mut head = first.into_bytes();
    for (name, value) in headers.filter(|(name, _)| !HOP_HEADERS.contains(&name.as_str())) {
        head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
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
            ("Content-Length: 7\nContent-Length: 8\n", None),
            ("Content-Length: 7\nTransfer-Encoding: chunked\n", None),
            ("Content-Length: x\n", None),
        ] {
            assert_eq!(head(&format!("POST / HTTP/1.1\n{lines}\n")).body_length(), length);
        }
    }
}
