//! The table of word vectors: 30 522 rows of 64 signed bytes with a scale each, read in place.
//!
//! Its bytes are the vectors row by row, the scales as little-endian `f32`, and the pieces, each on
//! a line, in the order of BERT's vocabulary. A row with scale 0 has no vector: one of the pieces
//! that are no words.
//!
//! # Origin of the table
//! - Teacher: the sentence model all-MiniLM-L6-v2 (Apache-2.0), 384 dimensions, and its vocabulary,
//!   the 30 522 uncased word pieces of BERT (Apache-2.0).
//! - Texts: sections of documentation under permissive licences: PostgreSQL's manual (PostgreSQL),
//!   the Rust books, reference and standard library (MIT or Apache-2.0), Node.js, Twisted, WebOb,
//!   testtools, Dask, structlog (MIT), SQLite (public domain), Apache httpd, Requests, Tornado,
//!   Selenium, OpenStack SDK, oslo.db, xarray, cryptography (Apache-2.0), and Flask, Werkzeug,
//!   Jinja, Click, Scrapy, setuptools, Sphinx, WTForms, CherryPy, MkDocs, SciPy, scikit-learn,
//!   h5py, Python-Markdown, Varnish (BSD or MIT). None of the sites of the benchmark is among them.
//!   The table holds no text.
//! - Method: the teacher's vectors of the sections, centred, projected on their 64 main axes and
//!   normed, are Y. Each row of A has a section's pieces, √tf times the weight 10⁻⁴ / (10⁻⁴ + p) of
//!   the smooth inverse frequency (Arora, Liang and Ma 2017), normed; p is Zipf's, by the piece's
//!   rank in the vocabulary. E minimises |A E − Y|² + 0.3 |E − E₀|², where E₀ has the teacher's
//!   vectors of each piece alone. `benches/relevance/fit_word_vectors.py` has the method.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The dimensions of a vector.
pub(super) const DIMENSIONS: usize = 64;
/// The number of pieces.
const N_PIECES: usize = 30_522;
/// The number of bytes of all vectors, and of all scales.
const VECTORS: usize = N_PIECES * DIMENSIONS;
const SCALES: usize = N_PIECES * 4;

static BYTES: &[u8] = include_bytes!("table.bin");

/// The table, with its pieces by their spelling: those that start a word and those inside one.
pub(super) struct Table {
    starts: HashMap<&'static str, u16>,
    insides: HashMap<&'static str, u16>,
}

impl Table {
    /// Returns the table, whose pieces are indexed at the first call.
    pub(super) fn get() -> &'static Table {
        static TABLE: LazyLock<Table> = LazyLock::new(|| {
            let pieces = std::str::from_utf8(&BYTES[VECTORS + SCALES..]);
            let pieces = pieces.expect("the table's pieces are text").lines();
            let mut table = Table { starts: HashMap::new(), insides: HashMap::new() };
            for (piece, at) in pieces.zip(0..) {
                match piece.strip_prefix("##") {
                    Some(inside) if !inside.is_empty() => table.insides.insert(inside, at),
                    _ => table.starts.insert(piece, at),
                };
            }
            table
        });
        &TABLE
    }

    /// Returns the row of a piece, at the start of a word or inside one.
    pub(super) fn piece(&self, piece: &str, is_inside: bool) -> Option<u16> {
        let pieces = if is_inside { &self.insides } else { &self.starts };
        pieces.get(piece).copied()
    }

    /// Reports whether a piece has a vector.
    pub(super) fn has_row(&self, piece: u16) -> bool {
        self.row(piece).1 > 0.0
    }

    /// Returns the vector of a piece, as two's complement, and the scale of its values.
    pub(super) fn row(&self, piece: u16) -> (&'static [u8], f64) {
        let at = usize::from(piece);
        let scale = &BYTES[VECTORS + 4 * at..][..4];
        let scale = f32::from_le_bytes([scale[0], scale[1], scale[2], scale[3]]);
        (&BYTES[DIMENSIONS * at..][..DIMENSIONS], f64::from(scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_one_that_was_measured() {
        let digest = blake3::hash(BYTES).to_hex();
        assert_eq!(&digest[..32], "4c5629fdb3377059139c35edca9d8341");
        let table = Table::get();
        assert_eq!(table.starts.len() + table.insides.len(), N_PIECES);
        assert!(table.has_row(table.piece("file", false).expect("a word")));
        assert!(!table.has_row(table.piece("!", false).expect("a character")));
    }
}
