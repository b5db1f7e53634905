//! Whatever others wrote as a knowledge, it is read or refused in a sentence: the property that
//! `fuzz/` looks for exceptions to.

use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};

use crate::imports;

fn config() -> ProptestConfig {
    let failure_persistence = Some(Box::new(FileFailurePersistence::Off) as _);
    ProptestConfig {
        cases: 500,
        rng_seed: RngSeed::Fixed(0x5e55_1017),
        failure_persistence,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_import_of_any_text_is_a_knowledge_or_a_short_error(
        text in any::<String>(),
        pieces in "\u{0}([\u{1}\u{2}]\u{3}\u{4}[\u{5}-\u{7}][\u{8}-\u{1f}]{0,6}\u{f}){0,2}[\u{0}-\u{1f}]{0,8}",
    ) {
        imports::hold(&text);
        imports::hold(&imports::pieced(&pieces));
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_not_repeated_whole() {
    imports::hold(&format!("[\"{}\"]", "+".repeat(3_000)));
}
