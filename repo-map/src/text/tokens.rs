//! Token counts. Every size and budget is counted in tokens of a named tokenizer.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
            Tokenizer::O200kBase | Tokenizer::Cl100kBase => vocabulary(self).count(text),
            Tokenizer::BytesDiv4 => text.len().div_ceil(4),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }
}

/// Returns the merges of an exact tokenizer, loaded once per process.
fn vocabulary(tokenizer: Tokenizer) -> &'static tiktoken::CoreBpe {
    tiktoken::get_encoding(tokenizer.as_str())
        .expect("the vocabularies of every exact tokenizer are compiled in")
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

    proptest! {
        #[test]
        fn any_text_counts_as_the_reference_counts_it(
            code in concat!(
                "([ \t]{0,9}|\n|\r\n|[a-z]{1,9}|[A-Z][a-z]+|[0-9]{1,7}|'(s|ll|LL)",
                "|[;{}()/._]{1,4}|<\\|endoftext\\|>){0,60}"
            ),
            any in "\\PC{0,200}",
            raw in any::<String>(),
        ) {
            [code, any, raw].iter().for_each(|text| assert_counts_like_the_reference(text));
        }
    }
}
