//! Messages of the DevTools protocol as they pass the pipe: JSON that ends with a zero byte. One
//! that is too large, or that no JSON can hold, is still read as far as somebody waits for it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::Receiver;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The largest message that is read. The snapshot of a page of 13 000 elements has 1.6 MB.
pub(crate) const LARGEST_MESSAGE: u64 = 64 << 20;
/// How much is read at a time of one that is larger.
const CHUNK: usize = 1 << 16;

/// A message that was read.
#[derive(Debug, PartialEq)]
pub(crate) struct ReadMessage {
    pub(crate) content: MessageContent,
    /// Its size, as far as it is kept.
    pub(crate) n_bytes: usize,
}

/// What a message says.
#[derive(Debug, PartialEq)]
pub(crate) enum MessageContent {
    /// The answer to a call, by its number.
    Answer(u64, Result<CallAnswer, CallFailure>),
    /// An event: its session, its name and its values.
    Event(Option<String>, String, Value),
}

/// The answer to a call as the browser wrote it: the caller alone knows what it needs of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallAnswer(Vec<u8>);

/// The reason why a call has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CallFailure {
    /// The browser refused the call: its number for the reason, and its words.
    Refused(Option<i64>, String),
    /// The answer is larger than what is read.
    TooLarge,
}

/// What is read of an answer, by the one who made the call.
#[derive(Deserialize)]
struct ResultOf<T> {
    result: Option<T>,
}

impl CallAnswer {
    /// Returns the result; that of an answer without one is empty. `None` if it cannot be read.
    pub(crate) fn read<T: DeserializeOwned + Default>(self) -> Option<T> {
        let read: ResultOf<T> = parsed(&self.0)?;
        Some(read.result.unwrap_or_default())
    }
}

/// What is read of each message at once: all of an event, of an answer no result.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnswerOrEvent {
    id: Option<u64>,
    method: Option<String>,
    session_id: Option<String>,
    #[serde(default)]
    params: Value,
    error: Option<ErrorOfCall>,
}

#[derive(Deserialize)]
struct ErrorOfCall {
    code: Option<i64>,
    message: Option<String>,
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

/// Reads one message; `None` at the end of the pipe. What is no JSON is skipped. An answer that is
/// too large is an error, so that its call fails and nothing else; an event has fewer values.
pub(crate) fn read_message(
    from_browser: &mut impl BufRead,
    largest: u64,
) -> io::Result<Option<ReadMessage>> {
    loop {
        let mut message = Vec::new();
        from_browser.by_ref().take(largest).read_until(0, &mut message)?;
        let n_bytes = message.len();
        let content = if message.pop_if(|last| *last == 0).is_some() {
            whole(message)
        } else if (n_bytes as u64) < largest {
            return Ok(None);
        } else {
            let mut rest = RestOfMessage { from_browser, has_ended: false };
            let read = part(message.chain(&mut rest), CallFailure::TooLarge);
            io::copy(&mut rest, &mut io::sink())?;
            read
        };
        if let Some(content) = content {
            return Ok(Some(ReadMessage { content, n_bytes }));
        }
    }
}

fn whole(message: Vec<u8>) -> Option<MessageContent> {
    let Some(head) = parsed::<AnswerOrEvent>(&message) else {
        let unread = CallFailure::Refused(None, "the answer cannot be read".to_owned());
        return part(&message[..], unread);
    };
    let Some(id) = head.id else {
        return Some(MessageContent::Event(head.session_id, head.method?, head.params));
    };
    let answer = match head.error {
        Some(ErrorOfCall { code, message: Some(text) }) => Err(CallFailure::Refused(code, text)),
        _ => Ok(CallAnswer(message)),
    };
    Some(MessageContent::Answer(id, answer))
}

/// Reads JSON, in which half characters are replaced if there is no other way.
fn parsed<T: DeserializeOwned>(json: &[u8]) -> Option<T> {
    let mended = || mended(&String::from_utf8_lossy(json));
    serde_json::from_slice(json).ok().or_else(|| serde_json::from_str(&mended()).ok())
}

/// Reads what somebody waits for, without keeping the rest.
fn part(message: impl Read, failure: CallFailure) -> Option<MessageContent> {
    let message = BufReader::with_capacity(CHUNK, message);
    let part: PartialMessage = serde_json::from_reader(message).ok()?;
    if let Some(id) = part.id {
        return Some(MessageContent::Answer(id, Err(failure)));
    }
    let params = serde_json::to_value(part.params).ok()?;
    Some(MessageContent::Event(part.session_id, part.method?, params))
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
    use serde_json::json;

    use super::*;

    /// The messages that are read of some that are sent.
    fn read(sent: &[&str], largest: u64) -> Vec<Value> {
        let sent: String = sent.iter().map(|one| format!("{one}\0")).collect();
        let mut sent = sent.as_bytes();
        let messages = std::iter::from_fn(|| read_message(&mut sent, largest).unwrap());
        let told = |message: ReadMessage| match message.content {
            MessageContent::Answer(id, Ok(answer)) => {
                json!({ "id": id, "result": answer.read::<Value>() })
            }
            MessageContent::Answer(id, Err(failure)) => {
                json!({ "id": id, "error": format!("{failure:?}") })
            }
            MessageContent::Event(session, method, params) => {
                json!({ "method": method, "sessionId": session, "params": params })
            }
        };
        messages.map(told).collect()
    }

    #[test]
    fn an_answer_that_is_too_large_is_an_error_of_its_call() {
        let sent = [r#"{"id":12,"result":{"a":"aaaaaaaaaaaaaaa"}}"#, r#"{"id":13}"#];
        let expected =
            [json!({ "id": 12, "error": "TooLarge" }), json!({ "id": 13, "result": null })];
        assert_eq!(read(&sent, 20), expected);
    }

    #[test]
    fn a_refusal_has_its_number_and_its_words() {
        let sent = [r#"{"id":1,"error":{"code":-32001,"message":"no"}}"#];
        let error = json!({ "id": 1, "error": "Refused(Some(-32001), \"no\")" });
        assert_eq!(read(&sent, LARGEST_MESSAGE), [error]);
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
            assert_eq!(read(&sent, largest).last().unwrap()["id"], 1);
        }
    }

    #[test]
    fn half_a_character_is_replaced_and_the_message_is_read() {
        let sent = [
            r#"{"id":1,"result":"a\ud83d"}"#,
            r#"{"id":2,"result":"\ud83d\ude00 \ude00 \\ud83d \ud83d\n \u00e9"}"#,
            r#"{"method":"A.x","params":"a\ud83d"}"#,
        ];
        let expected = [
            json!({ "id": 1, "result": "a\u{fffd}" }),
            json!({ "id": 2, "result": "😀 \u{fffd} \\ud83d \u{fffd}\n é" }),
            json!({ "method": "A.x", "sessionId": null, "params": "a\u{fffd}" }),
        ];
        assert_eq!(read(&sent, LARGEST_MESSAGE), expected);
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_none_and_no_json_is_skipped() {
        let deep = format!(r#"{{"id":7,"result":{}{}}}"#, "[".repeat(200), "]".repeat(200));
        let sent = ["no json", "", &deep, r#"{"id":8"#, r#"{"id":9}"#];
        let expected = [json!({ "id": 7, "result": null }), json!({ "id": 9, "result": null })];
        assert_eq!(read(&sent, LARGEST_MESSAGE), expected);
        let answer = CallAnswer(deep.into_bytes());
        assert_eq!(answer.read::<Value>(), None);
    }
}
