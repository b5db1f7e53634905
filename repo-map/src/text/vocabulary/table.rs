//! The ranks of tokens, looked up in tables that the build script wrote (see [`layout`]).

use super::layout;

/// The tokens of a tokenizer and their ranks. Nothing is built at the start: the bytes are read
/// where the program's file is mapped.
pub(super) struct TokenTable {
    index: &'static [u8],
    entries: &'static [u8],
    /// The binary logarithm of the number of buckets.
    bits: u32,
}

/// The tokens of `o200k_base`.
pub(super) static O200K_BASE: TokenTable = TokenTable::new(
    include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.index")),
    include_bytes!(concat!(env!("OUT_DIR"), "/o200k_base.entries")),
);

/// The tokens of `cl100k_base`.
pub(super) static CL100K_BASE: TokenTable = TokenTable::new(
    include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.index")),
    include_bytes!(concat!(env!("OUT_DIR"), "/cl100k_base.entries")),
);

impl TokenTable {
    const fn new(index: &'static [u8], entries: &'static [u8]) -> TokenTable {
        TokenTable { index, entries, bits: (index.len() / 4).ilog2() }
    }

    /// Returns the rank of a token: merges to a lower rank come first.
    pub(super) fn rank(&self, token: &[u8]) -> Option<u32> {
        let bucket = layout::bucket(token, self.bits);
        let bucket = &self.entries[self.start(bucket)..self.start(bucket + 1)];
        entries(bucket).find(|(bytes, _)| *bytes == token).map(|(_, rank)| rank)
    }

    fn start(&self, bucket: usize) -> usize {
        let at = bucket * 4;
        let bytes = [self.index[at], self.index[at + 1], self.index[at + 2], self.index[at + 3]];
        u32::from_le_bytes(bytes) as usize
    }
}

/// Returns the tokens and ranks of consecutive entries.
fn entries(mut entries: &[u8]) -> impl Iterator<Item = (&[u8], u32)> {
    std::iter::from_fn(move || {
        let [length, low, middle, high, rest @ ..] = entries else { return None };
        let (token, rest) = rest.split_at(usize::from(*length));
        entries = rest;
        Some((token, u32::from_le_bytes([*low, *middle, *high, 0])))
    })
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    /// Asserts that a table holds the tokens of the file that OpenAI publishes, by the SHA-256 that
    /// OpenAI's own library checks.
    fn assert_holds_the_published_tokens(table: &TokenTable, count: usize, sha256: &str) {
        let mut all: Vec<(&[u8], u32)> = entries(table.entries).collect();
        all.sort_by_key(|(_, rank)| *rank);
        assert_eq!(all.len(), count);
        let mut published = Sha256::new();
        for (token, rank) in all {
            assert_eq!(table.rank(token), Some(rank));
            published.update(format!("{} {rank}\n", STANDARD.encode(token)));
        }
        let published = published.finalize();
        assert_eq!(published.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), sha256);
    }

    #[test]
    fn the_tables_hold_the_tokens_that_openai_publishes() {
        assert_holds_the_published_tokens(
            &O200K_BASE,
            199_998,
            "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        );
        assert_holds_the_published_tokens(
            &CL100K_BASE,
            100_256,
            "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        );
    }
}
