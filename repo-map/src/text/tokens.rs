//! Token counts. Every size and budget is counted in tokens of a named tokenizer.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::vocabulary::{CL100K_BASE, O200K_BASE};

/// A tokenizer: the unit of sizes and budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Tokenizer {
    /// OpenAI's `o200k_base` (GPT-4o and later), exact.
    #[default]
    #[serde(rename = "o200k_base")]
    O200kBase,
    /// OpenAI's `cl100k_base` (GPT-4, GPT-3.5), exact.
    #[serde(rename = "cl100k_base")]
    Cl100kBase,
    /// An estimate: each part of a map counts its UTF-8 bytes divided by four, rounded up.
    #[serde(rename = "bytes/4")]
    BytesDiv4,
}

impl Tokenizer {
    /// Every tokenizer.
    pub const ALL: [Tokenizer; 3] =
        [Tokenizer::O200kBase, Tokenizer::Cl100kBase, Tokenizer::BytesDiv4];

    /// Returns the name used in plans and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Tokenizer::O200kBase => "o200k_base",
            Tokenizer::Cl100kBase => "cl100k_base",
            Tokenizer::BytesDiv4 => "bytes/4",
        }
    }

    /// Returns the size of one part of a map, in tokens. Special tokens in the text
    /// (`<|endoftext|>`) count as plain text.
    ///
    /// For the exact tokenizers the sizes of the parts of a map add up to the count of the whole.
    /// The estimate is defined as that sum.
    pub fn count(self, text: &str) -> u32 {
        let count = match self {
            Tokenizer::O200kBase => O200K_BASE.count(text),
            Tokenizer::Cl100kBase => CL100K_BASE.count(text),
            Tokenizer::BytesDiv4 => text.len().div_ceil(4),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// Parses a number of tokens of a plan or an option: `8000`, `8k`, `8_000`.
///
/// # Errors
/// A sentence, when it is not a whole number.
pub(crate) fn parse_tokens(text: &str) -> std::result::Result<u32, String> {
    let plain: String = text.chars().filter(|c| *c != '_' && *c != ',').collect();
    let (digits, factor) = match plain.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 1_000.0),
        None => match plain.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 1_000_000.0),
            None => (plain.as_str(), 1.0),
        },
    };
    let number: f64 =
        digits.parse().map_err(|_| format!("`{text}` is not a number of tokens (`8000`, `8k`)"))?;
    let tokens = number * factor;
    if tokens > f64::from(u32::MAX) {
        return Err(format!("`{text}` is more than the largest number of tokens, {}", u32::MAX));
    }
    if tokens.fract() == 0.0 && tokens >= 0.0 {
        Ok(tokens as u32)
    } else {
        Err(format!("`{text}` is not a whole number of tokens"))
    }
}

impl std::fmt::Display for Tokenizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for an unknown tokenizer name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{name}` is not a tokenizer (one of {})",
    Tokenizer::ALL.map(Tokenizer::as_str).join(", ")
)]
pub struct UnknownTokenizer {
    /// The name.
    pub name: String,
}

impl FromStr for Tokenizer {
    type Err = UnknownTokenizer;

    fn from_str(name: &str) -> Result<Tokenizer, UnknownTokenizer> {
        Tokenizer::ALL
            .into_iter()
            .find(|tokenizer| tokenizer.as_str() == name)
            .ok_or_else(|| UnknownTokenizer { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Asserts the count that the reference implementation gives, which is four times slower.
    fn assert_counts_like_the_reference(text: &str) {
        assert_eq!(
            Tokenizer::O200kBase.count(text) as usize,
            tiktoken_rs::o200k_base_singleton().count_ordinary(text),
            "{text:?}"
        );
        assert_eq!(
            Tokenizer::Cl100kBase.count(text) as usize,
            tiktoken_rs::cl100k_base_singleton().count_ordinary(text),
            "{text:?}"
        );
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]
    fn source_of_every_language_counts_as_the_reference_counts_it() {
        for file in
            std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/languages")).unwrap()
        {
            let Ok(text) = std::fs::read_to_string(file.unwrap().path()) else { continue };
            assert_counts_like_the_reference(&text);
            text.split_inclusive('\n').for_each(assert_counts_like_the_reference);
        }
    }

    #[test]
    fn every_character_counts_as_the_reference_counts_it() {
        let all: Vec<char> = ('\0'..=char::MAX).collect();
        for some in all.chunks(100) {
            let text: String = some.iter().flat_map(|&c| ['a', c, 'A']).collect();
            assert_counts_like_the_reference(&text);
        }
    }

    #[test]
    fn long_pieces_count_as_the_reference_counts_them() {
        for unit in
            ["a", "Aa", "qzx", "=", "-+", " ", "\t ", "\n", " \n", "7", "漢", "é", "e\u{301}"]
        {
            assert_counts_like_the_reference(&unit.repeat(20_000));
        }
    }

    /// Characters that the patterns tell apart, and their neighbours.
    const CHARACTERS: &[char] = &[
        'a',
        'e',
        'l',
        's',
        't',
        'v',
        'z',
        'A',
        'D',
        'E',
        'L',
        'S',
        'T',
        'ſ',
        'K',
        'é',
        'ß',
        'Ω',
        'ǅ',
        'ʰ',
        'ー',
        'א',
        '漢',
        '字',
        'か',
        '한',
        '\u{301}',
        '\u{20dd}',
        '\u{fe0f}',
        '0',
        '9',
        '½',
        '²',
        '٣',
        'Ⅷ',
        '一',
        ' ',
        ' ',
        ' ',
        '\t',
        '\u{b}',
        '\u{85}',
        '\u{a0}',
        '\u{2028}',
        '\u{3000}',
        '\u{200b}',
        '\u{200d}',
        '\r',
        '\n',
        '\n',
        '/',
        '/',
        '\'',
        '\'',
        '’',
        '.',
        ',',
        ';',
        '(',
        ')',
        '{',
        '}',
        '_',
        '-',
        '=',
        '"',
        '<',
        '>',
        '|',
        '#',
        '\0',
        '€',
        '🦀',
        '𝒜',
        '𝒶',
        '𠮷',
        '\u{10ffff}',
    ];

    // With `PROPTEST_CASES=60000`, these are 300 000 texts.
    proptest! {
        #[test]
        fn any_text_counts_as_the_reference_counts_it(
            code in concat!(
                "([ \t]{0,9}|\n|\r\n|[a-z]{1,9}|[A-Z][a-z]+|[0-9]{1,7}|'(s|ll|LL)",
                "|[;{}()/._]{1,4}|<\\|endoftext\\|>){0,60}"
            ),
            any in "\\PC{0,200}",
            raw in any::<String>(),
            mixed in proptest::collection::vec(proptest::sample::select(CHARACTERS), 0..60),
            letters in "([a-zA-Z]{1,80}[ _]?){0,4}",
        ) {
            let mixed: String = mixed.into_iter().collect();
            [&code, &any, &raw, &mixed, &letters]
                .into_iter()
                .for_each(|text| assert_counts_like_the_reference(text));
        }
    }
}
