//! Reads any text as the answer of a model.

#![no_main]

#[allow(dead_code, reason = "the tests of navigator use the rest")]
#[path = "../../tests/properties/answers.rs"]
mod answers;

use std::cell::RefCell;

thread_local! {
    static BOUNDED: RefCell<answers::Bounded> = RefCell::new(answers::Bounded::new());
}

libfuzzer_sys::fuzz_target!(|text: &str| BOUNDED.with_borrow_mut(|bounded| {
    bounded.hold(text);
    bounded.hold(&answers::pieced(text));
}));
