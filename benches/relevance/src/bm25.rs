//! BM25 over whole files: what search by words alone finds.

use std::collections::{BTreeMap, HashMap};

use repo_map::role::Role;

const K1: f64 = 1.5;
const B: f64 = 0.75;
/// Words of prose that say nothing, sorted.
const STOP_WORDS: &[&[u8]] = &[
    b"a", b"an", b"and", b"are", b"as", b"at", b"be", b"but", b"by", b"can", b"do", b"does",
    b"for", b"from", b"has", b"have", b"how", b"if", b"in", b"is", b"it", b"its", b"no", b"not",
    b"of", b"on", b"or", b"so", b"such", b"that", b"the", b"their", b"then", b"there", b"these",
    b"they", b"this", b"to", b"was", b"we", b"were", b"what", b"when", b"which", b"will", b"with",
    b"you",
];

/// Whether a file can be an answer to an instance of this language: source of the same language by
/// role and extension.
pub(crate) fn is_candidate(path: &str, language: &str) -> bool {
    let extension = path
        .rsplit('/')
        .next()
        .and_then(|name| name.rsplit_once('.'))
        .map_or("", |(_, extension)| extension);
    let extensions: &[&str] = match language {
        "c" => &["c", "h", "l", "y"],
        "cpp" => &["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp"],
        "javascript" | "typescript" => &["cjs", "js", "jsx", "mjs", "svelte", "ts", "tsx", "vue"],
        other => repo_map::language::named(other).map_or(&[], |language| language.extensions),
    };
    extensions.contains(&extension.to_ascii_lowercase().as_str()) && Role::of(path) == Role::Source
}

/// Files and how often they say the words of a goal.
#[derive(Debug)]
pub(crate) struct Bm25 {
    /// Each word of the goal, with its place among the counts and how often the goal says it.
    words: HashMap<Vec<u8>, usize>,
    said: Vec<u32>,
    documents: Vec<Bm25Document>,
}

#[derive(Debug)]
struct Bm25Document {
    path: String,
    n_words: u32,
    counts: Vec<u32>,
}

impl Bm25 {
    pub(crate) fn of_goal(goal: &str) -> Bm25 {
        let mut counts: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        for_each_word(goal.as_bytes(), |word| *counts.entry(word.to_vec()).or_default() += 1);
        let said = counts.values().copied().collect();
        Bm25 {
            words: counts.into_keys().enumerate().map(|(at, word)| (word, at)).collect(),
            said,
            documents: Vec::new(),
        }
    }

    /// Takes in a file; the words of its path count as its first.
    pub(crate) fn add(&mut self, path: &str, text: &str) {
        let mut document =
            Bm25Document { path: path.to_owned(), n_words: 0, counts: vec![0; self.said.len()] };
        for text in [path, text] {
            for_each_word(text.as_bytes(), |word| {
                document.n_words += 1;
                if let Some(at) = self.words.get(word) {
                    document.counts[*at] += 1;
                }
            });
        }
        self.documents.push(document);
    }

    /// The files that say any word of the goal, best first; of equally good ones the first by path.
    pub(crate) fn ranking(&self) -> Vec<&str> {
        let mut ranking: Vec<(f64, &str)> =
            self.scores().into_iter().filter(|(score, _)| *score > 0.0).collect();
        ranking.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        ranking.into_iter().map(|(_, path)| path).collect()
    }

    fn scores(&self) -> Vec<(f64, &str)> {
        let n = self.documents.len() as f64;
        let mean_length =
            self.documents.iter().map(|document| f64::from(document.n_words)).sum::<f64>() / n;
        let weight = |at: usize| {
            let n_with =
                self.documents.iter().filter(|document| document.counts[at] > 0).count() as f64;
            f64::from(self.said[at]) * libm::log(1.0 + (n - n_with + 0.5) / (n_with + 0.5))
        };
        let weights: Vec<f64> = (0..self.said.len()).map(weight).collect();
        let score = |document: &Bm25Document| -> f64 {
            let length = K1 * (1.0 - B + B * f64::from(document.n_words) / mean_length);
            let worth = |(count, weight): (&u32, &f64)| {
                weight * f64::from(*count) * (K1 + 1.0) / (f64::from(*count) + length)
            };
            document.counts.iter().zip(&weights).map(worth).sum()
        };
        self.documents.iter().map(|document| (score(document), document.path.as_str())).collect()
    }
}

/// Calls `see` with every word in lower case: letters, digits and underscores in a row, then the
/// words inside such a name when there are several.
fn for_each_word(text: &[u8], mut see: impl FnMut(&[u8])) {
    let mut lower = Vec::new();
    for name in text
        .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        .filter(|name| !name.is_empty())
    {
        lower.clear();
        lower.extend(name.iter().map(u8::to_ascii_lowercase));
        if STOP_WORDS.binary_search(&lower.as_slice()).is_ok() {
            continue;
        }
        see(&lower);
        let cuts = || (1..name.len()).filter(|at| is_cut(name, *at)).chain([name.len()]);
        if cuts().count() == 1 {
            continue;
        }
        let mut start = 0;
        for end in cuts() {
            let word = &lower[start..end];
            let word = word.strip_prefix(b"_").unwrap_or(word);
            if word.len() > 1 && STOP_WORDS.binary_search(&word).is_err() {
                see(word);
            }
            start = end;
        }
    }
}

/// Whether a new word begins at this byte of a name: `parse|HTTP|Header|_v|2`.
fn is_cut(name: &[u8], at: usize) -> bool {
    let (before, here) = (name[at - 1], name[at]);
    here == b'_'
        || before.is_ascii_digit() != here.is_ascii_digit()
        || here.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || name.get(at + 1).is_some_and(u8::is_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        for_each_word(text.as_bytes(), |word| {
            words.push(String::from_utf8_lossy(word).into_owned())
        });
        words
    }

    #[test]
    fn names_are_words_and_so_are_their_parts() {
        assert_eq!(
            words("the parseHTTPHeader_v2 of utf8"),
            ["parsehttpheader_v2", "parse", "http", "header", "utf8", "utf"]
        );
        assert_eq!(words("__init__ Session"), ["__init__", "init", "session"]);
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn a_rare_word_in_a_short_file_weighs_most() {
        let mut bm25 = Bm25::of_goal("lamp switch");
        bm25.add("long.py", "switch and much more that is said of other things here");
        bm25.add("r.py", "switch");
        bm25.add("q.py", "switch");
        bm25.add("x.py", "lamp");
        bm25.add("other.py", "something else");
        assert_eq!(bm25.ranking(), ["x.py", "q.py", "r.py", "long.py"]);
    }

    #[test]
    fn a_score_is_the_formula_by_hand() {
        // Two files of three words each (path, extension, text), one of them with the word once:
        // the fraction is 1.
        let mut bm25 = Bm25::of_goal("lamp lamp");
        bm25.add("x.py", "lamp");
        bm25.add("y.py", "bulb");
        let scores = bm25.scores();
        assert!(
            (scores[0].0 - 2.0 * libm::log(2.0)).abs() < 1e-12 && scores[1].0 == 0.0,
            "{scores:?}"
        );
        assert_eq!(bm25.ranking(), ["x.py"]);
    }

    #[test]
    fn candidates_are_source_of_the_language() {
        assert!(
            is_candidate("src/lamp.py", "python")
                && is_candidate("include/lamp.h", "cpp")
                && is_candidate("src/a.tsx", "javascript")
        );
        assert!(
            !is_candidate("tests/test_lamp.py", "python")
                && !is_candidate("src/lamp.rs", "python")
                && !is_candidate("Makefile", "c")
        );
    }
}
