//! Whatever a model answers, what comes of it stays within the person's rules: the property that `fuzz/` looks for exceptions to.

use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed, TestRunner};

use crate::answers::{Bounded, pieced};

#[test]
fn an_answer_is_read_whatever_it_says() {
    let bounded = std::cell::RefCell::new(Bounded::new());
    let failure_persistence = Some(Box::new(FileFailurePersistence::Off) as _);
    let config = ProptestConfig { cases: 500, rng_seed: RngSeed::Fixed(0x5e55_1017), failure_persistence, ..ProptestConfig::default() };
    // Changes as they should be, of paths as they may be.
    let change = "([\u{8}\u{b}\u{c}\u{e}]|\u{2}[\u{11}-\u{19}]{1,3}\u{3}[\u{5}-\u{7}]\"\\})";
    let answers = format!("[\u{0}\u{1d}]({change}\u{1f}){{0,4}}{change}\u{f}|[\u{0}-\u{1f}]{{0,8}}");
    let hold = |(text, pieces): (String, String)| {
        let mut bounded = bounded.borrow_mut();
        bounded.hold(&text);
        bounded.hold(&pieced(&pieces));
        Ok(())
    };
    TestRunner::new(config).run(&(any::<String>(), answers.as_str()), hold).unwrap();
}

#[test]
fn a_long_answer_has_short_complaints() {
    let long = "long ".repeat(10_000);
    let mut bounded = Bounded::new();
    bounded.hold(&format!("{{\"action\": \"{long}\"}}"));
    bounded.hold(&format!("{{\"action\": [\"{long}\"]}}"));
    bounded.hold(&format!("{{\"changes\": [{{\"path\": \"[{long}\", \"level\": \"full\"}}, {{\"level\": \"{long}\"}}]}}"));
}
