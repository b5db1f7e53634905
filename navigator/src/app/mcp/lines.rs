//! Reads the messages of a client, one per line of standard input. An invalid line is answered with
//! an error, and reading continues.

use std::fmt;
use std::io;
use std::sync::Arc;

use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

/// The maximum length of a line. The rest of a longer line is read and dropped.
const MAX_LINE_BYTES: usize = 16 << 20;
/// The length of the end of a long line that is searched for an id.
const TAIL_BYTES: usize = 128;
/// The number of errors that may wait for a client that does not read.
const MOST_REFUSALS: usize = 16;

/// The client's side of the connection.
pub(super) struct MessageLines<R, W> {
    input: R,
    output: Arc<Mutex<W>>,
    /// The line being read. It is a field because reading may be cancelled and restarted.
    line: Vec<u8>,
    /// The end of a line that is too long.
    tail: Option<Vec<u8>>,
    /// Errors being written, each in its own task, because reading may be cancelled.
    refusals: JoinSet<io::Result<()>>,
}

impl<R, W> MessageLines<R, W> {
    pub(super) fn new(input: R, output: W) -> MessageLines<R, W> {
        MessageLines {
            input,
            output: Arc::new(Mutex::new(output)),
            line: Vec::new(),
            tail: None,
            refusals: JoinSet::new(),
        }
    }
}

impl<R, W> Transport<RoleServer> for MessageLines<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write(Arc::clone(&self.output), message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            while self.refusals.len() >= MOST_REFUSALS {
                self.refusals.join_next().await;
            }
            if self.read_line().await.is_none() {
                while self.refusals.join_next().await.is_some() {}
                return None;
            }
            let (line, tail) = (std::mem::take(&mut self.line), self.tail.take());
            let refused = match tail {
                Some(tail) => too_long(&line, &tail),
                None => match message(&line) {
                    Ok(message) => return Some(message),
                    Err(None) => continue,
                    Err(Some(refused)) => refused,
                },
            };
            self.refusals.spawn(write(Arc::clone(&self.output), refused));
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.flush().await
    }
}

impl<R: AsyncBufRead + Unpin, W> MessageLines<R, W> {
    /// Reads to the end of a line; `None` at the end of the input, which ends the last line too.
    /// After a cancellation it continues at the same position.
    async fn read_line(&mut self) -> Option<()> {
        loop {
            let read = self.input.fill_buf().await.ok()?;
            if read.is_empty() {
                let has_line = !self.line.is_empty() || self.tail.is_some();
                return has_line.then_some(());
            }
            let end = read.iter().position(|byte| *byte == b'\n');
            let part = &read[..end.unwrap_or(read.len())];
            match &mut self.tail {
                None if self.line.len() + part.len() <= MAX_LINE_BYTES => {
                    self.line.extend_from_slice(part)
                }
                tail => {
                    let tail = tail.get_or_insert_default();
                    tail.extend_from_slice(&part[part.len().saturating_sub(TAIL_BYTES)..]);
                    tail.drain(..tail.len().saturating_sub(TAIL_BYTES));
                }
            }
            let n_read = end.map_or(read.len(), |end| end + 1);
            self.input.consume(n_read);
            if end.is_some() {
                return Some(());
            }
        }
    }
}

async fn write<W: AsyncWrite + Unpin>(
    output: Arc<Mutex<W>>,
    message: impl Serialize,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

/// Reads the message of a line, or returns the error to send: none for an empty line or an invalid
/// notification.
fn message(line: &[u8]) -> Result<RxJsonRpcMessage<RoleServer>, Option<Value>> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Err(None);
    }
    if let Ok(message) = serde_json::from_slice(line) {
        return Ok(message);
    }
    match serde_json::from_slice::<Value>(line) {
        Err(wrong) => Err(Some(error(
            None,
            ErrorData::parse_error(format!("not JSON: {wrong} (a message is one line)"), None),
        ))),
        Ok(value) if value["method"].is_string() && value["id"].is_null() => Err(None),
        Ok(value) => {
            let id = RequestId::deserialize(&value["id"]).ok();
            Err(Some(error(
                id,
                ErrorData::invalid_request(
                    "not a JSON-RPC message (a request has `jsonrpc`, `id` and `method`)",
                    None,
                ),
            )))
        }
    }
}

fn too_long(line: &[u8], tail: &[u8]) -> Value {
    let why = format!("the request is too large (a line has at most {MAX_LINE_BYTES} bytes)");
    error(id_at_start(line).or_else(|| id_at_end(tail)), ErrorData::invalid_request(why, None))
}

/// Makes a JSON-RPC error; the id is null if the request's id is unknown.
fn error(id: Option<RequestId>, error: ErrorData) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

/// Reads the id of a message of which only the start is available.
fn id_at_start(line: &[u8]) -> Option<RequestId> {
    struct Start<'a>(&'a mut Option<RequestId>);
    impl<'de> Visitor<'de> for Start<'_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a message")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
            while let Some(name) = map.next_key::<String>()? {
                match name.as_str() {
                    "id" => *self.0 = Some(map.next_value()?),
                    _ => drop(map.next_value::<IgnoredAny>()?),
                }
            }
            Ok(())
        }
    }
    let mut id = None;
    // The text ends early, so an error is expected.
    let _ = serde_json::Deserializer::from_slice(line).deserialize_map(Start(&mut id));
    id
}

/// Reads the id at the end of a message, where some clients write it: the id before the last brace
/// is that of the message.
fn id_at_end(tail: &[u8]) -> Option<RequestId> {
    let last = String::from_utf8_lossy(tail);
    let (_, id) = last.trim_end().strip_suffix('}')?.rsplit_once("\"id\":")?;
    serde_json::from_str(id).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_input_ends_its_last_line() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let input = &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"[..];
        let mut lines = MessageLines::new(input, tokio::io::sink());
        runtime.block_on(async {
            assert!(lines.receive().await.is_some());
            assert!(lines.receive().await.is_none());
        });
    }

    #[test]
    fn the_id_of_a_request_that_is_too_large_is_found_at_either_end() {
        let text = |id: Option<RequestId>| json!(id).to_string();
        assert_eq!(
            text(id_at_start(
                br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":8,"goal":"aaaa"#
            )),
            "7"
        );
        assert_eq!(
            text(id_at_start(br#"{"method":"tools/call","params":{"id":8,"goal":"aaaa"#)),
            "null"
        );
        assert_eq!(text(id_at_end(br#"aaaa"}},"jsonrpc":"2.0","id":"x-1"}"#)), r#""x-1""#);
        assert_eq!(text(id_at_end(br#"aaaa","id":3}}"#)), "null");
        assert_eq!(text(id_at_end(br#"aaaa \"id\":3"}"#)), "null");
    }
}
