//! Messages of the DevTools protocol as they pass the pipe: JSON that ends with a zero byte. One
//! that is too large, or that no JSON can hold, is still read as far as somebody waits for it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::Receiver;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The largest message that is read. The snapshot of a page of 13 000 elements has 1.6 MB.
pub(crate) const LARGEST_MESSAGE: u64 = 64 << 20;
/// How much is read at a time of one that is larger.
const CHUNK: usize = 1 << 16;

/// A message that was read.
#[derive(Debug, PartialEq)]
pub(crate) struct ReadMessage {
    pub(crate) message: Value,
    /// Its size, as far as it is kept.
    pub(crate) n_bytes: usize,
}

/// What is read of a message that is not read whole: which call it answers, or which request a
/// browser holds.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct PartialMessage {
    id: Option<u64>,
    method: Option<String>,
    session_id: Option<String>,
    params: Option<PartialParams>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct PartialParams {
    request_id: Option<String>,
    resource_type: Option<String>,
    request: Option<PartialRequest>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct PartialRequest {
    url: Option<String>,
    method: Option<String>,
    has_post_data: Option<bool>,
}

/// Writes messages until there are no more.
pub(crate) fn write_messages(
    to_browser: &mut impl Write,
    messages: &Receiver<Vec<u8>>,
) -> io::Result<()> {
    for mut message in messages {
        message.push(0);
        to_browser.write_all(&message)?;
        to_browser.flush()?;
    }
    Ok(())
}

/// Reads one message; `None` at the end of the pipe. What is no JSON is skipped. An answer that
/// cannot be read is an error, so that its call fails and nothing else; an event has fewer values.
pub(crate) fn read_message(
    from_browser: &mut impl BufRead,
    largest: u64,
) -> io::Result<Option<ReadMessage>> {
    loop {
        let mut message = Vec::new();
        from_browser.by_ref().take(largest).read_until(0, &mut message)?;
        let n_bytes = message.len();
        let read = if message.pop_if(|last| *last == 0).is_some() {
            whole(&message).or_else(|| part(&message[..], "the answer cannot be read"))
        } else if (n_bytes as u64) < largest {
            return Ok(None);
        } else {
            let mut rest = RestOfMessage { from_browser, has_ended: false };
            let read = part(message.chain(&mut rest), "the answer is too large");
            io::copy(&mut rest, &mut io::sink())?;
            read
        };
        if let Some(message) = read {
            return Ok(Some(ReadMessage { message, n_bytes }));
        }
    }
}

fn whole(message: &[u8]) -> Option<Value> {
    let mended = || mended(&String::from_utf8_lossy(message));
    serde_json::from_slice(message).ok().or_else(|| serde_json::from_str(&mended()).ok())
}

/// Reads what somebody waits for, without keeping the rest.
fn part(message: impl Read, error: &str) -> Option<Value> {
    let message = BufReader::with_capacity(CHUNK, message);
    let part: PartialMessage = serde_json::from_reader(message).ok()?;
    match part.id {
        Some(id) => Some(json!({ "id": id, "error": { "message": error } })),
        None => serde_json::to_value(part).ok(),
    }
}

/// Replaces the escapes of half a character: a page can cut a text in the middle of one, and JSON
/// of such a text is none.
fn mended(message: &str) -> String {
    let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let mut mended = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..];
        let second = || escape.get(6..).and_then(unit);
        let (n, is_half) = match unit(escape) {
            Some(0xd800..0xdc00) if matches!(second(), Some(0xdc00..0xe000)) => (12, false),
            Some(0xd800..0xe000) => (6, true),
            _ => (escape.chars().take(2).map(char::len_utf8).sum(), false),
        };
        mended.push_str(&rest[..at]);
        mended.push_str(if is_half { "\\ufffd" } else { &escape[..n] });
        rest = &escape[n..];
    }
    mended + rest
}

/// What is left of a message, up to the zero byte, which is taken.
struct RestOfMessage<'r, R> {
    from_browser: &'r mut R,
    has_ended: bool,
}

impl<R: BufRead> Read for RestOfMessage<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_ended || buffer.is_empty() {
            return Ok(0);
        }
        let bytes = self.from_browser.fill_buf()?;
        let end = bytes.iter().position(|byte| *byte == 0);
        let n = end.unwrap_or(bytes.len()).min(buffer.len());
        buffer[..n].copy_from_slice(&bytes[..n]);
        self.has_ended = end == Some(n) || bytes.is_empty();
        self.from_browser.consume(n + usize::from(end == Some(n)));
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages that are read of some that are sent.
    fn read(sent: &[&str], largest: u64) -> Vec<Value> {
        let sent: String = sent.iter().map(|one| format!("{one}\0")).collect();
        let mut sent = sent.as_bytes();
        let messages = std::iter::from_fn(|| read_message(&mut sent, largest).unwrap());
        messages.map(|one| one.message).collect()
    }

    #[test]
    fn an_answer_that_is_too_large_is_an_error_of_its_call() {
        let sent = [r#"{"id":12,"result":{"a":"aaaaaaaaaaaaaaa"}}"#, r#"{"id":13}"#];
        let error = json!({ "message": "the answer is too large" });
        assert_eq!(read(&sent, 20), [json!({ "id": 12, "error": error }), json!({ "id": 13 })]);
    }

    #[test]
    fn a_held_request_whose_body_is_too_large_can_still_be_stopped() {
        let body = "x".repeat(200_000);
        let held = json!({
            "method": "Fetch.requestPaused",
            "params": {
                "requestId": "interception-job-1.0",
                "request": {
                    "url": "https://a.example/", "method": "POST", "headers": { "A": "b" },
                    "postData": body, "hasPostData": true, "postDataEntries": [{ "bytes": body }],
                },
                "frameId": "f", "resourceType": "Fetch",
            },
            "sessionId": "s",
        });
        let expected = json!({
            "id": null,
            "method": "Fetch.requestPaused",
            "sessionId": "s",
            "params": {
                "requestId": "interception-job-1.0",
                "resourceType": "Fetch",
                "request": { "url": "https://a.example/", "method": "POST", "hasPostData": true },
            },
        });
        for largest in [10, 1_000, 399_999] {
            let sent = [&held.to_string(), "null", r#"{"id":1}"#];
            assert_eq!(read(&sent, largest)[0], expected);
            assert_eq!(read(&sent, largest).last(), Some(&json!({ "id": 1 })));
        }
    }

    #[test]
    fn half_a_character_is_replaced_and_the_message_is_read() {
        let sent = [
            r#"{"id":1,"result":"a\ud83d"}"#,
            r#"{"id":2,"result":"\ud83d\ude00 \ude00 \\ud83d \ud83d\n \u00e9"}"#,
        ];
        let expected = [
            json!({ "id": 1, "result": "a\u{fffd}" }),
            json!({ "id": 2, "result": "😀 \u{fffd} \\ud83d \u{fffd}\n é" }),
        ];
        assert_eq!(read(&sent, LARGEST_MESSAGE), expected);
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_an_error_of_its_call_and_no_json_is_skipped() {
        let deep = format!(r#"{{"id":7,"result":{}{}}}"#, "[".repeat(200), "]".repeat(200));
        let error = json!({ "message": "the answer cannot be read" });
        let sent = ["no json", "", &deep, r#"{"id":8"#, r#"{"id":9}"#];
        let expected = [json!({ "id": 7, "error": error }), json!({ "id": 9 })];
        assert_eq!(read(&sent, LARGEST_MESSAGE), expected);
    }
}
