//! The exact tokenizers: a text is split into pieces, and the bytes of each piece are merged to
//! tokens.
//!
//! The program starts for one small map as often as for a large one, so nothing is built at the
//! start: the build script lays out all tables, and they are read in place. Libraries that count
//! as fast build their maps and regular expressions first, for 50 to 200 ms.

mod layout;
mod merge;
mod split;
mod table;

use merge::Merger;
use table::TokenTable;

/// A tokenizer's way to split text, and its tokens.
pub(super) struct Vocabulary {
    /// Returns the end of the piece that starts at a position of a text.
    piece_end: fn(&str, usize) -> usize,
    tokens: &'static TokenTable,
}

/// OpenAI's `o200k_base`.
pub(super) static O200K_BASE: Vocabulary =
    Vocabulary { piece_end: split::o200k_piece_end, tokens: &table::O200K_BASE };

/// OpenAI's `cl100k_base`.
pub(super) static CL100K_BASE: Vocabulary =
    Vocabulary { piece_end: split::cl100k_piece_end, tokens: &table::CL100K_BASE };

impl Vocabulary {
    /// Returns the number of tokens of a text. Special tokens count as plain text.
    pub(super) fn count(&self, text: &str) -> usize {
        let mut merger = Merger::default();
        let mut count = 0;
        let mut at = 0;
        while at < text.len() {
            let end = (self.piece_end)(text, at);
            let piece = &text.as_bytes()[at..end];
            count += match self.tokens.rank(piece) {
                Some(_) => 1,
                None => merger.count(piece, self.tokens),
            };
            at = end;
        }
        count
    }
}
