//! The tests of a file: by their names, by the commits that changed both, by what they use.

use crate::map::judged::Judged;
use crate::outline::language;
use crate::score::role::Role;
use crate::score::signals;
use crate::score::words::{for_each_subword, for_each_word};

/// The weights of the evidence that a test is one of a file: that it is named for it, that its name
/// has the file's name in it, the cosine of the commits of both, that it uses the file; and of the
/// evidence for the goal, as a part of that of the best test.
const SAME_NAME: f64 = 1.0;
const NAME_WITHIN: f64 = 0.6;
const CHANGED_TOGETHER: f64 = 3.0;
const USES: f64 = 0.3;
const GOAL: f64 = 0.5;
/// The least evidence that a test is one of a file, without that for the goal.
const LEAST_RELATED: f64 = 0.15;

/// The words of a path that say that it is a test, and those of files that stand for their folder.
const TEST_WORDS: [&str; 4] = ["test", "tests", "spec", "e2e"];
const INDEX_WORDS: [&str; 5] = ["init", "mod", "index", "lib", "main"];

/// Returns the tests that have to do with a file, the most probable first. Empty for a path that is
/// not in the tree.
pub fn tests_of<'j>(judged: &'j Judged, path: &str) -> Vec<&'j str> {
    let Some(file) = judged.position(path) else { return Vec::new() };
    let files = &judged.tree().files;
    let is_test = |at: &usize| *at != file && judged.facts()[*at].role() == Role::Test;
    let tests: Vec<usize> = (0..files.len()).filter(is_test).collect();
    let score = |test: usize| f64::from(judged.scores.files[test].score);
    let best = tests.iter().map(|test| score(*test)).fold(1.0, f64::max);
    let together = signals::changed_with(judged.commits(), path);
    let users = judged.neighbours(path);
    let own = name_words(path);
    let mut probable: Vec<(f64, usize)> = Vec::new();
    for test in tests {
        let test_path = files[test].path.as_str();
        let cosine = together.get(test_path).copied().unwrap_or_default();
        let uses = if users.contains(&test_path) { USES } else { 0.0 };
        let related = named_for(&own, test_path) + CHANGED_TOGETHER * cosine + uses;
        if related >= LEAST_RELATED {
            probable.push((related + GOAL * score(test) / best, test));
        }
    }
    probable.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    probable.into_iter().map(|(_, test)| files[test].path.as_str()).collect()
}

/// Returns the weight of a test's name for a file whose name has these words.
fn named_for(own: &[String], test: &str) -> f64 {
    if own.is_empty() || !is_named_as_test(test) {
        return 0.0;
    }
    let words = name_words(test);
    match own.iter().all(|word| words.contains(word)) {
        true if words.len() == own.len() => SAME_NAME,
        true => NAME_WITHIN,
        false => 0.0,
    }
}

/// Reports whether a test is code that is named for what it tests: what lies deeper in a folder of
/// tests is data for one.
fn is_named_as_test(path: &str) -> bool {
    let is_mark = |word: &str| TEST_WORDS.contains(&word.to_lowercase().as_str());
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut words = Vec::new();
    for_each_word_of(name, |word| words.push(word));
    let is_marked = words.iter().any(|word| is_mark(word));
    let mut near = folders.rsplit('/').take(2);
    language::of_path(path).is_some() && (is_marked || near.any(is_mark))
}

/// Returns the words of a file's name, without those that every test has; of a file that stands for
/// its folder, those of the folder.
fn name_words(path: &str) -> Vec<String> {
    for name in path.rsplit('/') {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let mut words = Vec::new();
        for_each_word_of(stem, |word| words.push(word));
        words.retain(|word| !TEST_WORDS.contains(&word.as_str()));
        let is_index = words.len() == 1 && INDEX_WORDS.contains(&words[0].as_str());
        if !words.is_empty() && !is_index {
            return words;
        }
    }
    Vec::new()
}

/// Calls `see` with the words of a name in lower case.
fn for_each_word_of(name: &str, mut see: impl FnMut(String)) {
    for_each_word(name.as_bytes(), |word, _| {
        for_each_subword(word, |part| see(String::from_utf8_lossy(part).to_lowercase()));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_named_for_a_file_by_the_words_of_both() {
        for (file, test, weight) in [
            ("src/session.rs", "tests/session.rs", SAME_NAME),
            ("handler/tracingHandler.go", "handler/tracing_handler_test.go", SAME_NAME),
            ("axum/src/routing/mod.rs", "axum/src/routing/tests/mod.rs", SAME_NAME),
            ("fmt/std.h", "test/std-test.cc", SAME_NAME),
            ("ext/napoleon/docstring.py", "tests/test_ext_docstring.py", NAME_WITHIN),
            ("src/cards/stats-card.js", "tests/renderStatsCard.test.js", NAME_WITHIN),
            ("src/session.rs", "tests/http.rs", 0.0),
            ("main.rs", "tests/test.rs", 0.0),
            ("code.py", "tests/roots/test-root/special/code.py", 0.0),
            ("src/bat/main.rs", "tests/examples/bat.conf", 0.0),
        ] {
            assert_eq!(named_for(&name_words(file), test), weight, "{file} {test}");
        }
    }
}
