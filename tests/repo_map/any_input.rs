//! Whatever bytes come in, nothing panics and what is promised holds: the properties that `fuzz/`
//! looks for exceptions to.

use proptest::prelude::*;
use rayon::prelude::*;
use repo_map::language;
use test_support::random::config;

use crate::packs::Kept;
use crate::{outlines, plan_texts};

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
fn every_parser_comes_back_from_text_that_breaks_off() {
    language::all().par_iter().for_each(|language| outlines::hold_of_cuts(language, 16));
}

/// What scanners look for that may not come: the end of a word, a line, a string, a comment, a
/// heredoc, a directive.
#[test]
fn every_parser_comes_back_from_what_is_opened_and_not_closed() {
    let opened = [
        "@X", "@X(", "@X(\"", "\"", "'", "`", "\"\"\"", "'''", "/*", "/**", "//", "#", "#if",
        "#\"", "<!--", "<?php", "<<EOF", "<<~'EOF'", "<<<X", "$a$", "${", "#{", "%w", "%", "\\",
        "{-", "{-#", "(*", "[[", "--[[", "[=[", "@\"", "$\"{", "r#\"", "R\"x(", "|", ">", "-",
        "---\n", "+++\n", "```", "~~~", "<a b=", "<script>", "!<", "&", "*", "%Y", "\\\r",
        "=begin\n", "__END__",
    ];
    for language in language::all() {
        for opened in opened {
            for text in [
                opened.to_owned(),
                format!("a\n{opened}"),
                format!("val a = 1\n{opened}"),
                format!("a = 1\n  {opened} b"),
            ] {
                outlines::comes_back(language, &text);
            }
        }
    }
}

#[test]
fn a_plan_that_breaks_off_is_wrong_on_a_line_that_is_there() {
    for text in ["\r\r/", "version: 1\na", "version: 1\nrules:\n- path: [\n", "a\n--- b\n"] {
        plan_texts::hold(text);
    }
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

#[test]
fn a_cache_hurts_nobody_whatever_is_in_it() {
    let kept = Kept::new();
    // What fuzzing found: the lines of an item ended before they began.
    kept.hold(b"\xbcg(src(^\xff\xab\x85\x05");
    // A state of an item that is worth less than the one before.
    kept.hold(b"2/BBBBB/");
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

/// What fuzzing found: what is nested in an item that ends before its next sibling went on behind
/// it.
#[test]
fn an_item_does_not_end_behind_the_one_around_it() {
    for bytes in [&b"8qqyield"[..], b"\x985OO)\xa7\n", b">>Q(\xe7u\x00\xb3"] {
        outlines::hold(bytes);
    }
}

/// What fuzzing found: a scanner that looks for white space and does not look for the end.
#[test]
fn kotlin_ends_where_an_annotation_is_the_end() {
    outlines::hold(b"MATMOCND");
}
