//! Records of WARC 1.1: one gzip member each, from a response and back.
//!
//! The body is stored decoded, so the HTTP head of a record has the decoded length and no
//! encodings. Records of other tools may have both, and are decoded here.

use std::io::{self, BufRead, Read, Write};

use chrono::{DateTime, SecondsFormat, Utc};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use url::Url;

use crate::address::page_address;
use crate::source::content_encoding::MAX_BODY;
use crate::source::response::{Response, page_headers};

/// The largest head of a record or of a response that is read.
const MAX_HEAD: u64 = 1 << 20;

/// The head of a record: what an index needs.
#[derive(Debug)]
pub(crate) struct RecordHead {
    /// The address and the status of a response; `None` for other kinds of record.
    pub(crate) response: Option<(Url, u16)>,
    /// The bytes of the block that follow.
    pub(crate) block_length: u64,
}

/// Makes the first record of a file: the tool that wrote it.
pub(crate) fn info_record(date: DateTime<Utc>) -> io::Result<Vec<u8>> {
    let block = format!(
        "software: site-map/{}\r\nformat: WARC File Format 1.1\r\n\
         conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\
         \r\n",
        env!("CARGO_PKG_VERSION")
    );
    record("warcinfo", "application/warc-fields", &[], date, block.as_bytes())
}

/// Makes the record of a response.
pub(crate) fn response_record(response: &Response, date: DateTime<Utc>) -> io::Result<Vec<u8>> {
    let mut block = http_head(response).into_bytes();
    block.extend_from_slice(&response.body);
    let fields = [
        ("WARC-Target-URI", response.address.to_string()),
        ("WARC-Payload-Digest", sha256(&response.body)),
    ];
    record("response", "application/http;msgtype=response", &fields, date, &block)
}

fn http_head(response: &Response) -> String {
    let reason = reason_phrase(response.status);
    let mut head = format!("HTTP/1.1 {} {reason}\r\n", response.status);
    for (name, value) in page_headers(response.headers.clone()) {
        // A line break would begin another header.
        let line = format!("{name}: {value}").replace(['\r', '\n', '\0'], " ");
        head.push_str(&line);
        head.push_str("\r\n");
    }
    head.push_str(&format!("content-length: {}\r\n\r\n", response.body.len()));
    head
}

/// Returns the reason phrase of the common statuses; it has no meaning, but readers expect one.
fn reason_phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

fn record(
    kind: &str,
    content_type: &str,
    fields: &[(&str, String)],
    date: DateTime<Utc>,
    block: &[u8],
) -> io::Result<Vec<u8>> {
    let date = date.to_rfc3339_opts(SecondsFormat::Secs, true);
    let digest = sha256(block);
    let mut head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Date: {date}\r\n");
    for (name, value) in fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let id = record_id(&format!("{head}{digest}"));
    head.push_str(&format!(
        "WARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Block-Digest: {digest}\r\n\
         Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        block.len()
    ));
    let mut member = GzEncoder::new(Vec::new(), Compression::default());
    member.write_all(head.as_bytes())?;
    member.write_all(block)?;
    member.write_all(b"\r\n\r\n")?;
    member.finish()
}

/// Makes a UUID of version 8 from the content: equal records have equal names.
fn record_id(content: &str) -> String {
    let hash = blake3::hash(content.as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.as_bytes()[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// The digest as archives write it: in base 32.
fn sha256(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::from("sha256:");
    for five in Sha256::digest(bytes).chunks(5) {
        let mut group = [0; 8];
        group[3..3 + five.len()].copy_from_slice(five);
        let bits = u64::from_be_bytes(group);
        for at in 0..8 {
            let is_used = at * 5 < five.len() * 8;
            let index = (bits >> (35 - at * 5)) & 31;
            text.push(if is_used { char::from(ALPHABET[index as usize]) } else { '=' });
        }
    }
    text
}

/// Reads the head of a record, and of a response its status.
///
/// # Errors
/// If it is no record; the decoder's `UnexpectedEof` if it is cut.
pub(crate) fn read_head(reader: &mut impl BufRead) -> io::Result<RecordHead> {
    let mut lines = head_lines(reader)?;
    if !lines.first().is_some_and(|line| line.starts_with("WARC/")) {
        return Err(invalid("a record does not begin with `WARC/`"));
    }
    lines.remove(0);
    let fields = fields(&lines);
    let length = value(&fields, "content-length").and_then(|length| length.parse().ok());
    let length: u64 = length.ok_or_else(|| invalid("a record has no length"))?;
    let is_response = value(&fields, "warc-type") == Some("response");
    // Old tools write the address in angle brackets.
    let address = value(&fields, "warc-target-uri").filter(|_| is_response);
    let address = address.map(|text| text.trim_start_matches('<').trim_end_matches('>'));
    let Some(address) = address.and_then(|text| page_address(text).ok()) else {
        return Ok(RecordHead { response: None, block_length: length });
    };
    let mut status_line = Vec::new();
    let n = reader.by_ref().take(length.min(MAX_HEAD)).read_until(b'\n', &mut status_line)?;
    let status = String::from_utf8_lossy(&status_line);
    let status = status.split(' ').nth(1).and_then(|status| status.trim().parse().ok());
    let response = status.map(|status| (address, status));
    Ok(RecordHead { response, block_length: length - n as u64 })
}

/// Reads the record of a response. A body that is text already, as some tools record it, is not
/// decoded, whatever its headers say.
///
/// # Errors
/// If it is none.
pub(crate) fn read_response(reader: &mut impl BufRead) -> io::Result<Response> {
    let head = read_head(reader)?;
    let (address, status) = head.response.ok_or_else(|| invalid("a record is no response"))?;
    let mut block = reader.by_ref().take(head.block_length);
    let headers = fields(&head_lines(&mut block)?);
    let mut body = Vec::new();
    block.take(MAX_BODY as u64).read_to_end(&mut body)?;
    let lower = |text: &str| text.to_ascii_lowercase();
    if value(&headers, "transfer-encoding").is_some_and(|one| lower(one).contains("chunked")) {
        body = without_chunks(&body).unwrap_or(body);
    }
    let encoding = value(&headers, "content-encoding").unwrap_or_default().to_owned();
    let is_text = str::from_utf8(&body).is_ok() || body.trim_ascii_start().starts_with(b"<");
    let response = Response { address, status, headers: page_headers(headers), body };
    Ok(match encoding.is_empty() || is_text {
        true => response,
        false => response.decoded(&encoding),
    })
}

/// Reads lines up to an empty one.
fn head_lines(reader: &mut impl BufRead) -> io::Result<Vec<String>> {
    let mut reader = reader.by_ref().take(MAX_HEAD);
    let mut lines = Vec::new();
    loop {
        let mut line = Vec::new();
        if reader.read_until(b'\n', &mut line)? == 0 {
            return Err(invalid("a head has no end"));
        }
        let line = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
        if line.is_empty() {
            return Ok(lines);
        }
        lines.push(line);
    }
}

/// Splits `name: value` lines; names in lower case.
fn fields(lines: &[String]) -> Vec<(String, String)> {
    let pairs = lines.iter().filter_map(|line| line.split_once(':'));
    pairs.map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned())).collect()
}

fn value<'a>(fields: &'a [(String, String)], name: &str) -> Option<&'a str> {
    fields.iter().find(|(one, _)| one == name).map(|(_, value)| value.as_str())
}

/// Joins the chunks of a body; `None` where it has none, although its head says so.
fn without_chunks(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let size = std::str::from_utf8(&bytes[..end]).ok()?.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(bytes.get(end + 1..)?.get(..size)?);
        bytes = bytes[end + 1 + size..].strip_prefix(b"\r\n")?;
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use flate2::bufread::GzDecoder;

    use super::*;

    fn text_of(member: &[u8]) -> String {
        let mut text = String::new();
        GzDecoder::new(member).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_record_has_the_head_and_the_decoded_body() {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let response = Response {
            address: page_address("http://a/b?c=1").unwrap(),
            status: 404,
            headers: vec![
                header("content-type", "text/html"),
                header("content-encoding", "gzip"),
                header("x", "one\r\ntwo: 2"),
            ],
            body: b"hello\n".to_vec(),
        };
        let date = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
        let member = response_record(&response, date).unwrap();
        insta::assert_snapshot!(text_of(&member).replace("\r\n", "\n"), @r"
        WARC/1.1
        WARC-Type: response
        WARC-Date: 2023-11-14T22:13:20Z
        WARC-Target-URI: http://a/b?c=1
        WARC-Payload-Digest: sha256:LCI3LNJC2XPQQ3IP6CYRB66Z2IN3J7DRMOXTJUECQ2ROQRXWXYBQ====
        WARC-Record-ID: <urn:uuid:b96248c6-22c6-8e75-86ed-4c941598036a>
        WARC-Block-Digest: sha256:WDXM37BCYY7ILNGAPJVGMILIMOMQIWWYHPE6HRKHB2IKW55GFBUQ====
        Content-Type: application/http;msgtype=response
        Content-Length: 92

        HTTP/1.1 404 Not Found
        content-type: text/html
        x: one  two: 2
        content-length: 6

        hello
        ");
        let back = read_response(&mut BufReader::new(GzDecoder::new(&member[..]))).unwrap();
        assert_eq!(back.body, response.body);
        assert_eq!(back.headers, [header("content-type", "text/html"), header("x", "one  two: 2")]);
    }

    #[test]
    fn a_body_that_is_text_already_is_not_decoded() {
        for encoding in ["utf-8", "gzip", "br"] {
            let answer = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {encoding}\r\n\r\nhello");
            let record = format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/\r\n\
                 Content-Length: {}\r\n\r\n{answer}\r\n\r\n",
                answer.len()
            );
            assert_eq!(read_response(&mut record.as_bytes()).unwrap().body, b"hello");
        }
    }

    #[test]
    fn records_of_other_tools_are_decoded() {
        let chunked = "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
                       5;x=1\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
        let record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a/>\r\n\
             Content-Length: {}\r\n\r\n{chunked}\r\n\r\n",
            chunked.len()
        );
        let response = read_response(&mut record.as_bytes()).unwrap();
        assert_eq!((response.address.as_str(), response.status), ("http://a/", 200));
        assert_eq!(response.body, b"hello world");
        assert_eq!(without_chunks(b"<html>"), None);
    }
}
