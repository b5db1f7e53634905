//! Whole files in place of a map: what fits a budget.

use std::collections::{BTreeSet, HashMap};

use repo_map::Tokenizer;

use crate::instance::Instance;
use crate::score::{Packed, Share};

/// A longer text is estimated at four bytes a token: it fills every budget asked for anyway.
const MAX_COUNTED: usize = 1_000_000;

/// Sizes of texts in tokens, each counted once.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    known: HashMap<blake3::Hash, u32>,
}

impl Sizes {
    pub(crate) fn of(&mut self, text: &str) -> u32 {
        if text.len() > MAX_COUNTED {
            return Tokenizer::BytesDiv4.count(text);
        }
        *self
            .known
            .entry(blake3::hash(text.as_bytes()))
            .or_insert_with(|| Tokenizer::O200kBase.count(text))
    }
}

/// The files that fit the budget, each taken that still does.
pub(crate) fn pack<'a>(files: &[(&'a str, u32)], budget: u32) -> BTreeSet<&'a str> {
    let mut left = budget;
    let mut packed = BTreeSet::new();
    for (path, tokens) in files {
        if let Some(rest) = left.checked_sub(*tokens) {
            left = rest;
            packed.insert(*path);
        }
    }
    packed
}

/// What of an instance's gold is in these files.
pub(crate) fn held(instance: &Instance, packed: &BTreeSet<&str>) -> Packed {
    let path =
        |function: &str| function.split_once(':').map_or(function, |(path, _)| path).to_owned();
    Packed {
        files: Share::of(instance.gold_files.iter().map(|file| packed.contains(file.as_str()))),
        functions: Share::of(
            instance
                .gold_function_spans
                .keys()
                .map(|function| packed.contains(path(function).as_str())),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::tests::instance;

    #[test]
    fn what_does_not_fit_is_passed_over() {
        let files = [("a", 50), ("b", 60), ("c", 40), ("d", 10), ("e", 1)];
        assert_eq!(pack(&files, 100), BTreeSet::from(["a", "c", "d"]));
        assert_eq!(pack(&files, 0), BTreeSet::new());
    }

    #[test]
    fn a_packed_file_brings_its_functions() {
        let instance = instance(
            r#""gold_files": ["a.rs", "b.rs"], "gold_function_spans": {"a.rs:A.f": [1, 2], "a.rs:g": [4, 5], "b.rs:h": [1, 9]}"#,
        );
        let held = held(&instance, &BTreeSet::from(["a.rs", "c.rs"]));
        assert_eq!(
            held,
            Packed { files: Share { part: 1, of: 2 }, functions: Share { part: 2, of: 3 } }
        );
    }

    #[test]
    fn sizes_are_those_of_the_map() {
        let mut sizes = Sizes::default();
        assert_eq!(
            [sizes.of("fn main() {}\n"), sizes.of("fn main() {}\n"), sizes.of("")],
            [4, 4, 0]
        );
        assert_eq!(sizes.of(&"a b\n".repeat(300_000)), 300_000);
    }
}
