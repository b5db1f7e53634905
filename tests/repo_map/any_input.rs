//! Whatever bytes come in, nothing panics and what is promised holds: the properties that `fuzz/` looks for exceptions to.

use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};

use crate::packs::Kept;
use crate::{outlines, plan_texts};

/// The same random inputs on every run.
fn config(cases: u32) -> ProptestConfig {
    let failure_persistence = Some(Box::new(FileFailurePersistence::Off) as _);
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(0x5e55_1017), failure_persistence, ..ProptestConfig::default() }
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..most)
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn a_text_is_a_plan_or_an_error_that_says_where(text in any::<String>(), pieces in "[\u{0}-\u{1f}a1:]{0,12}") {
        plan_texts::hold(&text);
        plan_texts::hold(&plan_texts::pieced(&pieces));
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn an_outline_fits_its_text_whatever_that_is(bytes in bytes(200)) {
        outlines::hold(&bytes);
    }
}

#[test]
fn a_plan_that_breaks_off_is_wrong_on_a_line_that_is_there() {
    for text in ["\r\r/", "version: 1\na", "version: 1\nrules:\n- path: [\n", "a\n--- b\n"] {
        plan_texts::hold(text);
    }
}

#[test]
fn a_cache_hurts_nobody_whatever_is_in_it() {
    let kept = Kept::new();
    let mut runner = proptest::test_runner::TestRunner::new(config(60));
    let hold = |bytes: Vec<u8>| {
        kept.hold(&bytes);
        Ok(())
    };
    runner.run(&bytes(60), hold).unwrap();
}

/// What fuzzing found: in broken Elixir an attribute reached over the item between.
#[test]
fn an_item_does_not_begin_before_the_one_before_it() {
    outlines::hold(b"ff\x19\x02\x02m,");
}
#[test]
fn an_incomplete_rule_is_wrong_on_a_line_whatever_the_style_of_the_list() {
    for text in [
        "version: 1\n!!str rules:\n- path: a",
        "\"rules\": [{path: a, level: full}, {path: b}]\nversion: 1",
        "{version: 1,\nrules: [{path: a}]}",
    ] {
        plan_texts::hold(text);
    }
}

