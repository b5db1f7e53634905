//! Byte pair encoding: the bytes of a piece are merged to tokens, the pair of lowest rank first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::table::TokenTable;

/// Merges pieces; holds memory that one piece leaves to the next.
#[derive(Default)]
pub(super) struct Merger {
    segments: Vec<Segment>,
    /// The merges to come, lowest rank and then leftmost first. Those of segments that have changed
    /// since stay in it and are skipped.
    merges: BinaryHeap<Reverse<(u32, u32)>>,
}

/// A segment of a piece, at the position of its first byte.
#[derive(Clone, Copy)]
struct Segment {
    /// The position of the segment before; for the first, its own.
    previous: u32,
    /// The end of the segment, where the next one starts.
    end: u32,
    /// The rank of the token that this segment and the next one make up.
    rank: Option<u32>,
}

impl Merger {
    /// Returns the number of tokens of a piece.
    pub(super) fn count(&mut self, piece: &[u8], tokens: &TokenTable) -> usize {
        // The length of a text is at most the size of a file that is read, 32 bits by far.
        let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
        self.segments.clear();
        self.merges.clear();
        self.segments.extend((0..length).map(|at| Segment {
            previous: at.saturating_sub(1),
            end: at + 1,
            rank: None,
        }));
        (0..length).for_each(|at| self.rate(at, piece, tokens));
        let mut count = piece.len();
        while let Some(Reverse((rank, at))) = self.merges.pop() {
            let segment = self.segments[at as usize];
            if segment.rank != Some(rank) {
                continue;
            }
            count -= 1;
            let next = std::mem::replace(
                &mut self.segments[segment.end as usize],
                Segment { previous: at, end: at, rank: None },
            );
            self.segments[at as usize].end = next.end;
            if let Some(after) = self.segments.get_mut(next.end as usize) {
                after.previous = at;
            }
            self.rate(at, piece, tokens);
            if at > 0 {
                self.rate(segment.previous, piece, tokens);
            }
        }
        count
    }

    /// Sets the rank of a segment with the next one, and plans the merge.
    fn rate(&mut self, at: u32, piece: &[u8], tokens: &TokenTable) {
        let end = self.segments[at as usize].end;
        let next = self.segments.get(end as usize);
        let rank = next.and_then(|next| tokens.rank(&piece[at as usize..next.end as usize]));
        self.segments[at as usize].rank = rank;
        self.merges.extend(rank.map(|rank| Reverse((rank, at))));
    }
}
