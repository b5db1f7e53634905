//! Outlines any text, and what can be made of the fixtures of all languages.

#![no_main]

#[path = "../../tests/properties/outlines.rs"]
mod outlines;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| outlines::hold(bytes));
