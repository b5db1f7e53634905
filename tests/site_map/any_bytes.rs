//! Whatever a server sends and whatever lies in a recording, nothing panics and what is promised
//! holds: the properties that `fuzz/` looks for exceptions to.

use proptest::prelude::*;
use test_support::random::config;

use crate::any_page;
use crate::any_recording::Records;
use crate::any_site_plan;

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn a_page_of_any_bytes_has_a_map_that_fits_and_replays(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        pieces in "[\u{0}-\u{1f}a1 ]{0,16}",
    ) {
        any_page::hold(&bytes);
        any_page::hold(any_page::pieced(&pieces).as_bytes());
    }

    #[test]
    fn a_plan_of_a_site_gives_a_map_that_fits_and_replays(pieces in "[\u{0}-\u{1f}a1 ]{0,12}") {
        any_site_plan::hold(&pieces);
        any_site_plan::hold(&any_site_plan::pieced(&format!("\u{0}{pieces}")));
    }
}

#[test]
fn a_recording_of_any_bytes_is_read_as_far_as_it_is_whole() {
    let records = Records::new();
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    let mut runner = proptest::test_runner::TestRunner::new(config(150));
    let hold = |bytes: Vec<u8>| {
        records.hold(&bytes);
        Ok(())
    };
    runner.run(&bytes, hold).unwrap();
}

#[test]
fn the_rules_of_a_plan_of_a_site_are_in_force() {
    let has_other = |rules: &str| {
        let map = any_site_plan::hold(&format!("version: 1\n{rules}")).unwrap();
        map.contains("other.html")
    };
    assert!(has_other(""));
    assert!(!has_other("rules:\n- path: /other.html\n  level: exclude\n"));
}
