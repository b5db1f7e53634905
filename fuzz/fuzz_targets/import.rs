//! Imports any text as a knowledge.

#![no_main]

#[path = "../../tests/properties/imports.rs"]
mod imports;

libfuzzer_sys::fuzz_target!(|text: &str| {
    imports::hold(text);
    imports::hold(&imports::pieced(text));
});
