//! Reads any bytes as a page, and maps a site with it.

#![no_main]

#[path = "../../tests/properties/pages.rs"]
mod pages;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    pages::hold(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        pages::hold(pages::pieced(text).as_bytes());
    }
});
