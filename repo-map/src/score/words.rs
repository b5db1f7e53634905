//! Words of source text: identifiers, and the words inside them.
//!
//! All functions here work on bytes, because every file of a repository is read through them.

use crate::score::signed_words::signed_word;

/// Calls `see` with each identifier-like word and its start. Bytes above ASCII count as letters, so
/// that words of any script stay whole.
pub(crate) fn for_each_word<'a>(text: &'a [u8], mut see: impl FnMut(&'a [u8], usize)) {
    let mut at = 0;
    while at < text.len() {
        if !is_word_byte(text[at]) {
            at += 1;
            continue;
        }
        let start = at;
        while at < text.len() && is_word_byte(text[at]) {
            at += 1;
        }
        see(&text[start..at], start);
    }
}

pub(crate) const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Calls `see` with the parts of an identifier: `parseHTTPHeader_v2` has `parse`, `HTTP`, `Header`,
/// `v`, `2`. A word of one part has none.
pub(crate) fn for_each_part<'a>(word: &'a [u8], mut see: impl FnMut(&'a [u8])) {
    let mut start = 0;
    let mut emit = |start: usize, end: usize| {
        if end > start && end - start < word.len() {
            see(&word[start..end]);
        }
    };
    for at in 1..=word.len() {
        let is_cut = at == word.len() || {
            let (before, here) = (word[at - 1], word[at]);
            let next_is_lower = word.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            before == b'_'
                || here == b'_'
                || before.is_ascii_lowercase() && here.is_ascii_uppercase()
                || before.is_ascii_uppercase() && here.is_ascii_uppercase() && next_is_lower
                || before.is_ascii_digit() != here.is_ascii_digit()
        };
        if is_cut {
            if word[start] != b'_' {
                emit(start, at);
            }
            start = at;
        }
    }
}

/// Calls `see` with the parts of a word, or with the word itself if it has none.
pub(crate) fn for_each_subword<'a>(word: &'a [u8], mut see: impl FnMut(&'a [u8])) {
    let mut has_parts = false;
    for_each_part(word, |part| {
        has_parts = true;
        see(part);
    });
    if !has_parts {
        see(word);
    }
}

/// Reports whether a word looks like an identifier of code: an underscore or a capital inside.
pub(crate) fn looks_like_identifier(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_inner_capital =
        inner.chars().skip(1).any(char::is_uppercase) && inner.chars().any(char::is_lowercase);
    inner.contains('_') || has_inner_capital || word.starts_with('_') && !inner.is_empty()
}

/// Reports whether a word is a keyword before a defined name, in any of the languages.
pub(crate) fn is_definition_keyword(word: &[u8]) -> bool {
    word.len() <= 11
        && matches!(
            word,
            b"def"
                | b"class"
                | b"fn"
                | b"struct"
                | b"enum"
                | b"trait"
                | b"interface"
                | b"func"
                | b"function"
                | b"type"
                | b"module"
                | b"namespace"
                | b"const"
                | b"static"
                | b"object"
                | b"record"
                | b"union"
                | b"impl"
                | b"macro_rules"
                | b"protocol"
                | b"extension"
                | b"defmodule"
                | b"defp"
                | b"defmacro"
                | b"fun"
                | b"define"
                | b"sub"
                | b"package"
                | b"let"
                | b"val"
                | b"typedef"
                | b"message"
                | b"service"
                | b"table"
                | b"TABLE"
                | b"mod"
                | b"var"
        )
}

/// Words that end as plurals do, without whose end they are others.
const NO_PLURALS: [&[u8]; 2] = [b"https", b"news"];

/// Writes into `buffer` the lower-case form under which words are compared: a plural counts as its
/// singular.
pub(crate) fn normal_form<'b>(word: &[u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
    buffer.clear();
    buffer.extend(word.iter().map(u8::to_ascii_lowercase));
    let is_plural = buffer.len() > 3
        && buffer.ends_with(b"s")
        && ![b"ss", b"us", b"is"].iter().any(|end| buffer.ends_with(*end))
        && !NO_PLURALS.contains(&buffer.as_slice());
    if is_plural {
        buffer.pop();
        if buffer.len() > 4 && buffer.ends_with(b"ie") {
            buffer.truncate(buffer.len() - 2);
            buffer.push(b'y');
        }
    }
    buffer
}

/// The endings of one family of words: `convert`, `converted`, `converter`.
const ENDINGS: &[&str] =
    &["", "e", "ed", "er", "or", "ing", "ion", "able", "ate", "ator", "ating", "ation"];
/// The minimum length of a word without its ending: shorter ones are other words by chance.
const LEAST_STEM: usize = 4;

/// Returns the other words of a word's family, in normal form. Only some of them exist; no text has
/// the others.
pub(crate) fn relatives(word: &str) -> Vec<String> {
    if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Vec::new();
    }
    let is_possible =
        |ending: &&&str| word.len() >= LEAST_STEM + ending.len() && word.ends_with(**ending);
    let Some(ending) = ENDINGS.iter().filter(is_possible).max_by_key(|ending| ending.len()) else {
        return Vec::new();
    };
    let stem = &word[..word.len() - ending.len()];
    // `formatted` belongs to `format`.
    let single = match stem.as_bytes() {
        [.., a, b] if a == b && stem.len() > LEAST_STEM && !b"sleaiou".contains(b) => {
            Some(&stem[..stem.len() - 1])
        }
        _ => None,
    };
    let families = [Some(stem), single].into_iter().flatten();
    let words = families.flat_map(|stem| ENDINGS.iter().map(move |end| format!("{stem}{end}")));
    words.filter(|other| other != word && !is_stop_word(other)).collect()
}

/// Words of prose that carry no meaning for code, in normal form, sorted.
const STOP_WORDS: &[&str] = &[
    "about",
    "above",
    "actual",
    "actually",
    "after",
    "again",
    "all",
    "also",
    "am",
    "an",
    "and",
    "another",
    "any",
    "anyone",
    "are",
    "aren",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "behavior",
    "behaviour",
    "being",
    "below",
    "better",
    "between",
    "both",
    "bug",
    "but",
    "by",
    "can",
    "cannot",
    "could",
    "couldn",
    "currently",
    "describe",
    "description",
    "did",
    "didn",
    "do",
    "doe",
    "doesn",
    "doing",
    "don",
    "down",
    "each",
    "eg",
    "etc",
    "even",
    "example",
    "expected",
    "few",
    "following",
    "for",
    "from",
    "further",
    "get",
    "getting",
    "go",
    "got",
    "had",
    "happen",
    "has",
    "have",
    "haven",
    "having",
    "he",
    "hello",
    "help",
    "her",
    "here",
    "hi",
    "how",
    "however",
    "ie",
    "if",
    "in",
    "instead",
    "into",
    "is",
    "isn",
    "issue",
    "it",
    "its",
    "itself",
    "just",
    "know",
    "like",
    "ll",
    "look",
    "make",
    "may",
    "me",
    "might",
    "more",
    "most",
    "my",
    "need",
    "no",
    "nor",
    "not",
    "now",
    "of",
    "off",
    "on",
    "once",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "please",
    "possible",
    "problem",
    "quite",
    "re",
    "reproduce",
    "same",
    "see",
    "seem",
    "shan",
    "she",
    "should",
    "shouldn",
    "since",
    "so",
    "some",
    "something",
    "step",
    "still",
    "such",
    "sure",
    "than",
    "thank",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "think",
    "this",
    "those",
    "through",
    "to",
    "too",
    "try",
    "trying",
    "under",
    "until",
    "up",
    "use",
    "used",
    "user",
    "using",
    "ve",
    "very",
    "want",
    "was",
    "wasn",
    "way",
    "we",
    "well",
    "were",
    "weren",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "without",
    "won",
    "work",
    "working",
    "would",
    "wouldn",
    "you",
    "your",
];

/// Returns the rarity of a word that `df` of `n` texts have: the inverse document frequency of
/// BM25.
pub fn idf(n: f64, df: u32) -> f64 {
    let df = f64::from(df);
    libm::log1p((n - df + 0.5).max(0.0) / (df + 0.5))
}

/// A word of a text with what it says of a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicTerm {
    /// The word as it stands in the text.
    pub typed: String,
    /// Its parts in normal form, without those that say nothing of a topic; the word itself if it
    /// has no parts.
    pub words: Vec<String>,
    /// The normal form of all parts together: `openssl` for `OpenSSL`. `None` for a word without
    /// parts.
    pub whole: Option<String>,
}

/// Returns the words of a text that say something of a topic.
pub fn topic_terms(text: &str) -> Vec<TopicTerm> {
    let mut found = Vec::new();
    let mut buffer = Vec::new();
    for_each_word(text.as_bytes(), |word, start| {
        if let Some(name) = signed_word(text.as_bytes(), start, word) {
            let words = vec![String::from_utf8_lossy(name).to_lowercase()];
            let typed = String::from_utf8_lossy(name).into_owned();
            found.push(TopicTerm { typed, words, whole: None });
        }
        let (mut words, mut joined, mut n_parts) = (Vec::new(), Vec::new(), 0);
        for_each_subword(word, |part| {
            let form = String::from_utf8_lossy(normal_form(part, &mut buffer)).into_owned();
            if !is_stop_word(&form) {
                words.push(form);
            }
            joined.extend_from_slice(part);
            n_parts += 1;
        });
        let whole = String::from_utf8_lossy(normal_form(&joined, &mut buffer)).into_owned();
        let whole = (n_parts > 1).then_some(whole);
        if !words.is_empty() || whole.is_some() {
            let typed = String::from_utf8_lossy(word).into_owned();
            found.push(TopicTerm { typed, words, whole });
        }
    });
    found
}

/// Returns the words of a text in normal form, identifiers in their parts, without those that say
/// nothing of a topic.
pub fn topic_words(text: &str) -> Vec<String> {
    topic_terms(text).into_iter().flat_map(|term| term.words).collect()
}

/// Returns the words by which a goal finds a text: its topic words, and its identifiers as a whole,
/// as people write them in other capitals.
pub fn findable_words(text: &str) -> impl Iterator<Item = String> {
    topic_terms(text).into_iter().flat_map(|term| term.words.into_iter().chain(term.whole))
}

pub(crate) fn is_stop_word(normal_form: &str) -> bool {
    normal_form.len() < 2 || STOP_WORDS.binary_search(&normal_form).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(word: &str) -> Vec<String> {
        let mut out = Vec::new();
        for_each_part(word.as_bytes(), |part| out.push(String::from_utf8_lossy(part).into_owned()));
        out
    }

    #[test]
    fn identifiers_are_split_at_case_digits_and_underscores() {
        assert_eq!(parts("parseHTTPHeader_v2"), ["parse", "HTTP", "Header", "v", "2"]);
        assert_eq!(parts("__init__"), ["init"]);
        assert_eq!(parts("session"), [""; 0]);
        assert_eq!(parts("XMLHttpRequest"), ["XML", "Http", "Request"]);
    }

    #[test]
    fn an_identifier_is_found_by_its_parts_and_as_a_whole() {
        let found: Vec<String> = findable_words("Set up OpenSSL and CXX_STANDARD").collect();
        assert_eq!(found, ["set", "open", "ssl", "openssl", "cxx", "standard", "cxxstandard"]);
        let terms = topic_terms("the OpenSSL versions");
        let typed: Vec<&str> = terms.iter().map(|term| term.typed.as_str()).collect();
        assert_eq!(typed, ["OpenSSL", "versions"]);
        assert_eq!(topic_words("the C++ standard"), ["c++", "standard"]);
    }

    #[test]
    fn stop_words_are_sorted_and_in_the_form_that_is_searched_for() {
        assert!(STOP_WORDS.is_sorted());
        let mut buffer = Vec::new();
        for word in STOP_WORDS {
            assert_eq!(normal_form(word.as_bytes(), &mut buffer), word.as_bytes(), "{word}");
        }
    }

    #[test]
    fn words_of_one_family_meet() {
        for (word, other) in [
            ("converted", "converter"),
            ("validation", "validator"),
            ("serialize", "serializer"),
            ("creating", "creation"),
            ("formatted", "format"),
            ("resolve", "resolving"),
        ] {
            assert!(relatives(word).iter().any(|one| one == other), "{word} {other}");
            let back = relatives(other);
            assert!(word == "formatted" || back.iter().any(|one| one == word), "{other} {word}");
        }
        assert!(!relatives("expect").contains(&"expected".to_owned()), "a stop word");
        assert_eq!(relatives("utf8"), [""; 0]);
        assert_eq!(relatives("set"), [""; 0]);
    }

    #[test]
    fn plurals_meet_their_singular() {
        let normal = |word: &str| {
            String::from_utf8(normal_form(word.as_bytes(), &mut Vec::new()).to_vec()).unwrap()
        };
        assert_eq!(normal("Sessions"), "session");
        assert_eq!(normal("Queries"), "query");
        assert_eq!(normal("class"), "class");
        assert_eq!(normal("status"), "status");
        assert_eq!(normal("HTTPS"), "https");
    }
}
