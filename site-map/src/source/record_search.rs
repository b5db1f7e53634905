//! The next record after damage: a gzip member, or a line, that begins as a record does.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use flate2::bufread::GzDecoder;

/// How a record begins.
const RECORD: &[u8] = b"WARC/1.";
/// How a gzip member begins whose data are deflated.
const MEMBER: &[u8] = &[0x1f, 0x8b, 8];
/// How many bytes are looked through at once.
const CHUNK: usize = 64 << 10;
/// How much of a member is looked at: enough for its head, a table of codes and the first line.
const PEEK: usize = 1 << 10;
/// The least that a record which is tried costs: a buffer is filled for it.
const LEAST_COST: u64 = 256 << 10;
/// What may be read in vain, as a multiple of the file, and for a small one.
const MOST_TIMES: u64 = 8;
const MOST_OF_SMALL: u64 = 256 << 20;

/// A search for records in a file of which parts are damaged. The work is bounded: a file may be
/// made of beginnings that each lead to its end.
#[derive(Debug)]
pub(super) struct RecordSearch<'f> {
    file: &'f File,
    /// The bytes that may still be read in vain.
    left: u64,
}

impl<'f> RecordSearch<'f> {
    /// Prepares a search in a file of `size` bytes.
    pub(super) fn of(file: &'f File, size: u64) -> RecordSearch<'f> {
        let left = size.saturating_mul(MOST_TIMES).saturating_add(MOST_OF_SMALL);
        RecordSearch { file, left }
    }

    /// Counts what was read of a record that is none. Returns `false` if no other may be tried.
    pub(super) fn pay(&mut self, n_read: u64) -> bool {
        self.left = self.left.saturating_sub(n_read.max(LEAST_COST));
        self.left > 0
    }

    /// Returns the first offset from `from` on, which is at least 1, where a record may begin.
    pub(super) fn next(&mut self, from: u64) -> io::Result<Option<u64>> {
        // The byte before tells whether a line begins.
        let mut begin = from - 1;
        loop {
            let mut bytes = Vec::with_capacity(CHUNK + PEEK);
            self.file.seek(SeekFrom::Start(begin))?;
            self.file.take((CHUNK + PEEK) as u64).read_to_end(&mut bytes)?;
            let is_last = bytes.len() < CHUNK + PEEK;
            let mut starts = 1..if is_last { bytes.len() } else { CHUNK + 1 };
            if let Some(at) = starts.find(|at| begins_at(&bytes, *at)) {
                return Ok(Some(begin + at as u64));
            }
            if is_last {
                return Ok(None);
            }
            begin += CHUNK as u64;
        }
    }
}

fn begins_at(bytes: &[u8], at: usize) -> bool {
    match bytes[at] {
        b'W' => bytes[at - 1] == b'\n' && bytes[at..].starts_with(RECORD),
        0x1f if bytes[at..].starts_with(MEMBER) => {
            let mut start = [0; RECORD.len()];
            let member = &bytes[at..bytes.len().min(at + PEEK)];
            GzDecoder::new(member).read_exact(&mut start).is_ok() && start == *RECORD
        }
        _ => false,
    }
}
