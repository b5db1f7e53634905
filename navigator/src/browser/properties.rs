//! What holds of any bytes that a browser or a page sends. The tests try each with a few hundred
//! random inputs, the targets in `fuzz/` with as many as there is time for.

use std::collections::BTreeMap;

use serde_json::Value;
use url::Url;

use super::devtools_message::{MessageContent, read_message};
use super::guard::message::{MessageHead, RequestHead, read_head};
use super::snapshot::{FrameCapture, PageSnapshot, ScreenFacts, ScreenPage};

/// What messages are made of. Control characters of a text stand for these, so that random texts
/// come near to messages.
pub const PIECES: [&str; 32] = [
    "\0",
    "{\"id\":1,\"result\":{",
    "{\"method\":\"Fetch.requestPaused\",\"sessionId\":\"s\",\"params\":{",
    "\"requestId\":\"r\",\"request\":{\"url\":\"http://a/\",\"method\":\"POST\"}",
    "\"error\":{\"code\":-32000,\"message\":\"",
    "\\ud83d",
    "\\ude00",
    "[[[[[[[[[[[[[[[[",
    "}}",
    "\t",
    "\n",
    "\"a\":1,",
    "1e999",
    "\r",
    "\r\n",
    "\r\n\r\n",
    "POST http://a/ HTTP/1.1\r\n",
    "HTTP/1.1 200 OK\r\n",
    "Content-Length: 5\r\n",
    "Content-Length: 6\r\n",
    "Content-Length:",
    "Transfer-Encoding: chunked\r\n",
    "Content_Length: 5\r\n",
    "Host: b\r\n",
    "Connection: keep-alive\r\n",
    "Connection: x-a\r\n",
    "Upgrade: websocket\r\n",
    "A: b\r\n",
    ": ",
    " ",
    "GET /x HTTP/1.0\r\n",
    "\u{a0}",
];

/// Messages on the pipe are read until they end, whatever they are, and one that follows them is
/// read as if they had not been there.
///
/// # Panics
/// If that does not hold.
pub fn hold_messages(bytes: &[u8]) {
    for largest in [16, 300, 1 << 20] {
        let sent = [bytes, b"\0{\"id\":7070707}\0"].concat();
        let mut pipe = &sent[..];
        let mut last = None;
        while let Some(message) = read_message(&mut pipe, largest).expect("memory cannot fail") {
            assert!(message.n_bytes as u64 <= largest);
            last = match message.content {
                MessageContent::Answer(id, answer) => {
                    let _any = answer.map(super::devtools_message::CallAnswer::read::<Value>);
                    Some(id)
                }
                MessageContent::Event(..) => None,
            };
        }
        assert_eq!(last, Some(7_070_707), "at most {largest} bytes");
    }
}

/// A head that the proxy takes leaves it as one that is read in the same way; and one that it
/// takes has no line in it that a server could take for the end.
///
/// # Panics
/// If that does not hold.
pub fn hold_heads(bytes: &[u8]) {
    let Ok(Some(head)) = read_head(&mut &bytes[..]) else { return };
    if let Some(request) = RequestHead::parse(&head) {
        let url: Url = "http://judged.example:81/p?q#f".parse().expect("an address");
        let sent = request.to_server(&url);
        let arrived = RequestHead::parse(&sent)
            .unwrap_or_else(|| panic!("{:?} became {:?}", show(&head), show(&sent)));
        assert_eq!((&arrived.method, arrived.target.as_str()), (&request.method, "/p?q"));
        assert_eq!(arrived.header("host"), Some("judged.example:81"));
        assert_eq!(arrived.header("connection"), Some("close"));
        if let Some(length) = request.body_length() {
            assert_eq!(arrived.body_length(), Some(length), "{:?}", show(&head));
        }
        assert_eq!(arrived.to_server(&url), sent);
        assert_eq!(read_head(&mut &sent[..]).expect("memory cannot fail"), Some(sent));
    }
    if let Some(response) = MessageHead::parse(&head) {
        let sent = response.to_client();
        let arrived = MessageHead::parse(&sent)
            .unwrap_or_else(|| panic!("{:?} became {:?}", show(&head), show(&sent)));
        assert_eq!(arrived.status, response.status);
        assert_eq!(arrived.body_length, response.body_length);
        assert_eq!(arrived.to_client(), sent);
    }
}

fn show(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

/// A snapshot of any columns is a page, the same each time, in which each control has its place,
/// and of which the facts are read as they were written.
///
/// # Panics
/// If that does not hold.
pub fn hold_snapshot(json: &str) {
    let Ok(snapshot) = serde_json::from_str::<PageSnapshot>(json) else { return };
    let captured =
        |snapshot: PageSnapshot| FrameCapture { session: 0, snapshot, frames: BTreeMap::new() };
    let page = ScreenPage::of(&captured(snapshot.clone()), (1280.0, 800.0));
    let again = ScreenPage::of(&captured(snapshot), (1280.0, 800.0));
    assert_eq!(page.html(), again.html());
    assert_eq!(page.places.len(), page.facts.controls.len());
    assert_eq!(ScreenFacts::of(page.html().as_bytes()), Some(page.facts.clone()));
}

/// The snapshot of a page with each kind of control, in which values have changed places: the
/// bytes say which, four at a time.
pub fn mixed_snapshot(bytes: &[u8]) -> String {
    let snapshot = include_str!("snapshot/fixtures/controls.json");
    let mut values: Vec<&str> = snapshot.split_inclusive([',', ':', '[', ']', '{', '}']).collect();
    let is_number = |value: &str| value.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    let numbers: Vec<usize> = (0..values.len()).filter(|at| is_number(values[*at])).collect();
    let texts: Vec<usize> = (0..values.len())
        .filter(|at| values[*at].starts_with('"') && values[*at].ends_with("\","))
        .collect();
    for change in bytes.chunks_exact(4) {
        let [to, from] = [&change[..2], &change[2..]]
            .map(|two| usize::from(u16::from_le_bytes([two[0], two[1]])));
        let kind = if to % 5 == 0 { &texts } else { &numbers };
        let (to, from) = (kind[to % kind.len()], kind[from % kind.len()]);
        // The end of a value is a part of where it stands.
        let end = |value: &str| value.trim_end_matches([',', ']', '}']).len();
        if values[to].len() - end(values[to]) == values[from].len() - end(values[from]) {
            values[to] = values[from];
        }
    }
    values.concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use test_support::random::{config, pieced};

    use super::*;

    proptest! {
        #![proptest_config(config(300))]

        #[test]
        fn bytes_on_the_pipe_lose_no_message_behind_them(
            text in "[\\x00-\\x1f\"a1{}]{0,40}",
        ) {
            hold_messages(text.as_bytes());
            hold_messages(pieced(&text, &PIECES).as_bytes());
        }

        #[test]
        fn a_head_arrives_as_it_was_judged(text in "[\\x0a-\\x1fa: ]{0,12}") {
            hold_heads(format!("\u{10}{text}\u{f}").as_bytes());
            for first in ['\u{10}', '\u{11}', '\u{1e}'] {
                hold_heads(pieced(&format!("{first}{text}\u{f}"), &PIECES).as_bytes());
            }
        }
    }

    proptest! {
        #![proptest_config(config(60))]

        #[test]
        fn a_snapshot_whose_values_changed_places_is_a_page(
            bytes in prop::collection::vec(any::<u8>(), 0..80),
        ) {
            hold_snapshot(&mixed_snapshot(&bytes));
        }
    }

    #[test]
    fn the_snapshot_that_is_mixed_stays_one() {
        let mixed = mixed_snapshot(&[9, 0, 20, 0, 10, 0, 30, 0]);
        assert_ne!(mixed, mixed_snapshot(&[]));
        assert!(serde_json::from_str::<PageSnapshot>(&mixed).is_ok());
    }
}
