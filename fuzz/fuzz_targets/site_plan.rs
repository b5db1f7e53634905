//! Reads any text as the plan of a site, and maps a site of two pages with it.

#![no_main]

#[path = "../../tests/properties/site_plans.rs"]
mod site_plans;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _map = site_plans::hold(text);
    let _map = site_plans::hold(&site_plans::pieced(text));
});
