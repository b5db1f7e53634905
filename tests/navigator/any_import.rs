//! Whatever others wrote as a knowledge, it is read or refused in a sentence: the property that
//! `fuzz/` looks for exceptions to.

use proptest::prelude::*;
use test_support::random::config;

use crate::imports;

proptest! {
    #![proptest_config(config(500))]

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
