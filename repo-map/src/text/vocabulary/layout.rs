//! How the vocabulary's tables lie in memory. The build script writes them and the program reads
//! them in place; both compile this file.
//!
//! A table is a hash map in two parts. The index holds the start of each bucket and, last, the end
//! of the last one, as `u32`. The entries of a bucket follow one another: the token's length (one
//! byte), its rank (three bytes) and its bytes. All numbers are little-endian.

/// The character classes that the patterns of the tokenizers tell apart. Each is a bit, so that a
/// set of classes is a number too.
pub(crate) mod class {
    /// `\p{Lu}`, `\p{Lt}`.
    pub(crate) const UPPER: u8 = 1;
    /// `\p{Ll}`.
    pub(crate) const LOWER: u8 = 1 << 1;
    /// `\p{Lm}`, `\p{Lo}`: letters without case.
    pub(crate) const CASELESS: u8 = 1 << 2;
    /// `\p{M}`.
    pub(crate) const MARK: u8 = 1 << 3;
    /// `\p{N}`.
    pub(crate) const NUMBER: u8 = 1 << 4;
    /// `\s` without `\r` and `\n`.
    pub(crate) const SPACE: u8 = 1 << 5;
    /// `\r` and `\n`.
    pub(crate) const NEWLINE: u8 = 1 << 6;
    /// All other characters.
    pub(crate) const OTHER: u8 = 1 << 7;
}

/// The number of characters in a page of the table of classes, which holds the page of each block
/// of as many code points, then the pages: a byte a character.
pub(crate) const PAGE: usize = 256;

/// The number of blocks of code points.
pub(crate) const BLOCKS: usize = 0x11_0000 / PAGE;

/// Returns the bucket of a token in a table of `1 << bits` buckets.
pub(crate) fn bucket(token: &[u8], bits: u32) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| {
        let state = (state ^ word).wrapping_mul(FACTOR);
        state ^ (state >> 32)
    };
    let (words, rest) = token.as_chunks();
    let state =
        words.iter().fold(token.len() as u64, |state, word| mix(state, u64::from_le_bytes(*word)));
    // The last word overlaps itself, so that its bytes are read without a loop.
    let rest = match (rest.first_chunk(), rest.last_chunk(), rest) {
        (Some(first), Some(last), _) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
        }
        (_, _, [first, .., last]) => {
            u64::from_le_bytes([*first, rest[rest.len() / 2], *last, 0, 0, 0, 0, 0])
        }
        (_, _, rest) => rest.first().map_or(0, |byte| u64::from(*byte)),
    };
    let hash = mix(state, rest).wrapping_mul(FACTOR);
    usize::try_from(hash >> (u64::BITS - bits)).unwrap_or(0)
}
