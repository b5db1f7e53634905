//! Reads any bytes as a recording, and goes on with it.

#![no_main]

#[path = "../../tests/properties/recordings.rs"]
mod recordings;

thread_local! {
    static RECORDS: recordings::Records = recordings::Records::new();
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| RECORDS.with(|records| records.hold(bytes)));
