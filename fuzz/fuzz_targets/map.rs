//! Maps any repository by any plan.

#![no_main]

#[path = "../../tests/properties/maps.rs"]
mod maps;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Behind the bytes that are given come more: without any, a choice can take forever.
const MORE: usize = 1 << 16;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut all = vec![0; bytes.len() + MORE];
    blake3::Hasher::new().update(bytes).finalize_xof().fill(&mut all);
    all[..bytes.len()].copy_from_slice(bytes);
    let choices = TestRng::from_seed(RngAlgorithm::PassThrough, &all);
    let mut runner = TestRunner::new_with_rng(Config::default(), choices);
    let Ok(case) = maps::cases().new_tree(&mut runner) else { return };
    let maps::Case { plan, .. } = &case.current();
    let repo = case.current().repo();
    maps::is_within_budget_and_its_size_is_the_count_of_its_text(&repo, plan);
    maps::is_the_same_from_any_number_of_threads(&repo, plan);
    maps::replays_to_the_same_bytes_once_its_plan_was_written_out_and_read_back(&repo, plan);
});
