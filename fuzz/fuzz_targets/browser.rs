//! Reads any bytes as what a browser sends: messages on its pipe, heads of requests and responses,
//! snapshots of pages.

#![no_main]

use navigator::browser::properties::{
    PIECES, hold_heads, hold_messages, hold_snapshot, mixed_snapshot,
};
use test_support::random::pieced;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    hold_messages(bytes);
    hold_heads(bytes);
    hold_snapshot(&mixed_snapshot(bytes));
    if let Ok(text) = std::str::from_utf8(bytes) {
        let text = pieced(text, &PIECES);
        hold_messages(text.as_bytes());
        hold_heads(text.as_bytes());
        hold_snapshot(&text);
    }
});
