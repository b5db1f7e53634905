//! Reads any text as a plan.

#![no_main]

#[path = "../../tests/properties/plan_texts.rs"]
mod plan_texts;

libfuzzer_sys::fuzz_target!(|text: &str| {
    plan_texts::hold(text);
    plan_texts::hold(&plan_texts::pieced(text));
});
