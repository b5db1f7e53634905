//! "Did you mean …": the known names nearest to an unknown one. Both programs use these functions,
//! so that their suggestions agree.

use std::collections::BTreeSet;

/// The maximum number of names suggested.
const MOST: usize = 3;
/// The length of a word for each slip, where it is taken for another one.
const LETTERS_A_SLIP: usize = 5;

/// Returns the candidate nearest to `word`, if one is near enough to be a misspelling; of equally
/// near ones the first by name.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    similar(word, candidates).into_iter().next()
}

/// Returns the candidates that are nearest to `word`, if they are near enough to be a misspelling:
/// one, or several that are equally near.
pub fn nearest_of_all<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> BTreeSet<&'a str> {
    let near = candidates.into_iter().filter_map(|one| Some((edits(word, one)?, one)));
    let near: Vec<(usize, &str)> = near.collect();
    let least = near.iter().map(|(edits, _)| *edits).min();
    near.into_iter().filter(|(edits, _)| Some(*edits) == least).map(|(_, one)| one).collect()
}

/// Returns the only candidate near enough to `word` to be a misspelling, if `word` is no other
/// word: short ones differ from many by a letter (`get`, `set`), and numbers are no slips.
pub fn misspelt<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let [only] = similar(word, candidates)[..] else { return None };
    let is_slip = edits(word, only).is_some_and(|edits| edits <= word.len() / LETTERS_A_SLIP);
    (is_slip && digits(only) == digits(word)).then_some(only)
}

/// Returns the candidates near enough to `word` to be a misspelling, nearest first, at most three.
pub fn similar<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    best(candidates.into_iter().filter_map(|candidate| Some((edits(word, candidate)?, candidate))))
}

/// Returns the nearest paths, as [`similar`] does. The last part of a path decides: a path is
/// mostly wrong in one place, and people remember the file name.
pub fn similar_paths<'a>(
    path: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<&'a str> {
    let name = last(path);
    let near = candidates.into_iter().filter_map(|candidate| {
        Some(((edits(name, last(candidate))?, differing(path, candidate)), candidate))
    });
    best(near)
}

/// Returns ` (did you mean …?)` for the end of a message; empty where nothing is near.
pub fn did_you_mean<T: AsRef<str>>(near: &[T]) -> String {
    let near: Vec<&str> = near.iter().map(AsRef::as_ref).collect();
    if near.is_empty() {
        String::new()
    } else {
        format!(" (did you mean `{}`?)", near.join("`, `"))
    }
}

fn best<'a, K: Ord>(near: impl Iterator<Item = (K, &'a str)>) -> Vec<&'a str> {
    let mut near: Vec<(K, &str)> = near.collect();
    near.sort();
    near.truncate(MOST);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

fn last(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// The longest name that is compared, in bytes.
const LONGEST_NAME: usize = 500;

/// Returns the edit distance of two words, ignoring case; `None` when it is too large for a
/// misspelling.
fn edits(word: &str, candidate: &str) -> Option<usize> {
    let most = 1 + word.len().min(candidate.len()) / 4;
    // The comparison takes time and memory by the product of the lengths.
    if word.len().max(candidate.len()) > LONGEST_NAME {
        return None;
    }
    if letters_apart(word, candidate) > most {
        return None;
    }
    let edits = strsim::damerau_levenshtein(&word.to_lowercase(), &candidate.to_lowercase());
    (edits <= most).then_some(edits)
}

/// Returns a lower bound of the edit distance: the number of letters that one word has and the
/// other has not. It rules out almost every name of a large repository without a comparison letter
/// by letter.
fn letters_apart(a: &str, b: &str) -> usize {
    let mut counts = [0i32; 256];
    let bucket = |c: char| (u32::from(c) & 0xff) as usize;
    a.chars().flat_map(char::to_lowercase).for_each(|c| counts[bucket(c)] += 1);
    b.chars().flat_map(char::to_lowercase).for_each(|c| counts[bucket(c)] -= 1);
    let sum = |of: &dyn Fn(i32) -> i32| counts.iter().map(|n| of(*n)).sum::<i32>() as usize;
    sum(&|n| n.max(0)).max(sum(&|n| (-n).max(0)))
}

/// Returns the length of the longer text without the common prefix and suffix, in bytes.
fn differing(a: &str, b: &str) -> usize {
    let shorter = a.len().min(b.len());
    let before = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let after = a
        .bytes()
        .rev()
        .zip(b.bytes().rev())
        .take_while(|(a, b)| a == b)
        .count()
        .min(shorter - before);
    a.len().max(b.len()) - before - after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_another_word_finds_none() {
        let words = ["budget", "model", "max_turns", "README.md"];
        assert_eq!(similar("bugdet", words), ["budget"]);
        assert_eq!(similar("readme.md", words), ["README.md"]);
        assert_eq!(similar("temperature", words), [""; 0]);
        assert_eq!(did_you_mean(&similar("modle", words)), " (did you mean `model`?)");
        assert_eq!(did_you_mean::<&str>(&[]), "");
    }

    #[test]
    fn a_long_word_with_one_near_is_a_misspelling_of_it() {
        let words = ["refresh", "set", "test_8", "closing", "closed"];
        for (word, meant) in [
            ("refesh", Some("refresh")),
            ("get", None),
            ("test_9", None),
            ("close", Some("closed")),
            ("closedg", None),
            ("other", None),
        ] {
            assert_eq!(misspelt(word, words), meant, "{word}");
        }
    }

    #[test]
    fn of_paths_with_the_same_name_the_one_that_differs_least_comes_first() {
        let paths = ["a/src/index.js", "b/src/index.js", "b/src/other.js", "src/index.js"];
        assert_eq!(
            similar_paths("b/scr/index.js", paths),
            ["b/src/index.js", "a/src/index.js", "src/index.js"]
        );
        assert_eq!(similar_paths("b/src/indx.js", paths)[0], "b/src/index.js");
    }

    #[test]
    fn what_is_skipped_without_a_comparison_is_too_far_apart_for_one() {
        let words = [
            "",
            "a",
            "ab",
            "ba",
            "Ab",
            "session",
            "sesion",
            "noisses",
            "straße",
            "STRASSE",
            "größe",
            "ĀāĀ",
            "ａｂｃ",
        ];
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (*a, *b))) {
            let edits = strsim::damerau_levenshtein(&a.to_lowercase(), &b.to_lowercase());
            assert!(letters_apart(a, b) <= edits, "{a} {b}");
        }
    }
}
