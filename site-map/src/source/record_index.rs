//! Where the records of a recording lie, and what of it is damaged.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};

use flate2::bufread::GzDecoder;
use repo_map::n_of;
use url::Url;

use crate::source::record_search::RecordSearch;
use crate::source::warc;

/// The end of each record that is not compressed.
const PLAIN_END: &[u8; 4] = b"\r\n\r\n";
/// How many damaged ranges are named.
const MAX_NAMED: usize = 3;

/// Where the records of a recording lie.
#[derive(Debug, Clone)]
pub(super) struct RecordIndex {
    /// The last response of each address.
    pub(super) places: BTreeMap<String, RecordPlace>,
    /// The end of the last whole record.
    pub(super) end: u64,
    pub(super) tail: RecordingTail,
    /// What is damaged before that, in order.
    pub(super) damaged: Vec<DamagedRange>,
    /// Whether a record is not compressed.
    pub(super) is_plain: bool,
}

/// The place of a response in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordPlace {
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) status: u16,
    /// The number of responses of the address, of which this is the last.
    pub(super) n: u64,
}

/// A part of a recording that is no whole record, with whole ones after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DamagedRange {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// The number of records that are seen to begin there; at least 1.
    pub records: u64,
}

/// What follows the last whole record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingTail {
    /// Nothing: the recording ends with a whole record.
    Whole,
    /// A record that was cut, with this number of bytes.
    Cut(u64),
    /// Bytes that are no whole record, of which the first one is damaged.
    Damaged(u64),
}

impl RecordIndex {
    /// Reads a file of `size` bytes once. After a record that is damaged it goes on with the next
    /// whole one. A record that only lacks its end was cut, unless the file ends with a whole one:
    /// the body of a page may have records in it, which are none of the recording.
    pub(super) fn of(file: &File, size: u64) -> io::Result<RecordIndex> {
        let mut index = RecordIndex {
            places: BTreeMap::new(),
            end: 0,
            tail: RecordingTail::Whole,
            damaged: Vec::new(),
            is_plain: false,
        };
        let mut reader = Counted { inner: BufReader::with_capacity(1 << 18, file), n: 0 };
        reader.inner.seek(SeekFrom::Start(0))?;
        let mut search = RecordSearch::of(file, size);
        let (mut at, mut n_damaged, mut before_cut) = (0, 0, None);
        while at < size {
            let is_plain = begins_plain(reader.fill_buf()?);
            let record = if is_plain { index_plain(&mut reader) } else { index_one(&mut reader) };
            let error = match record {
                Ok(response) => {
                    index.add((at, reader.n), response, n_damaged);
                    index.is_plain |= is_plain;
                    (at, n_damaged) = (reader.n, 0);
                    continue;
                }
                Err(error) => error,
            };
            let is_end = error.kind() == ErrorKind::UnexpectedEof;
            if !is_end && !is_no_record(&error) {
                return Err(error);
            }
            if is_end && n_damaged == 0 && before_cut.is_none() {
                let tail = RecordingTail::Cut(size - index.end);
                before_cut = Some(RecordIndex { tail, ..index.clone() });
            }
            n_damaged += 1;
            let begins_as_recording = at > 0 || is_plain || begins_as_member(file)?;
            let next = match begins_as_recording && search.pay(reader.n - at) {
                true => search.next(at + 1)?,
                false => None,
            };
            let Some(next) = next else { break };
            at = next;
            reader.inner.seek(SeekFrom::Start(at))?;
            reader.n = at;
        }
        match (size - index.end, before_cut) {
            (0, _) => Ok(index),
            (_, Some(before)) => Ok(before),
            (bytes, None) => Ok(RecordIndex { tail: RecordingTail::Damaged(bytes), ..index }),
        }
    }

    /// Adds a whole record that lies from one offset to another, after damaged ones.
    fn add(&mut self, (at, end): (u64, u64), response: Option<(Url, u16)>, n_damaged: u64) {
        if n_damaged > 0 {
            let (offset, bytes) = (self.end, at - self.end);
            self.damaged.push(DamagedRange { offset, bytes, records: n_damaged });
        }
        if let Some((address, status)) = response {
            self.insert(String::from(address), (at, end - at), status);
        }
        self.end = end;
    }

    /// Adds the last response of an address, by its offset and length.
    pub(super) fn insert(&mut self, address: String, (offset, length): (u64, u64), status: u16) {
        let n = self.times(&address) + 1;
        self.places.insert(address, RecordPlace { offset, length, status, n });
    }

    /// Returns the number of responses of an address.
    pub(super) fn times(&self, address: &str) -> u64 {
        self.places.get(address).map_or(0, |place| place.n)
    }

    /// Says what is wrong, for people; `None` if all is whole.
    pub(super) fn complaint(&self) -> Option<String> {
        let tail = match self.tail {
            RecordingTail::Whole => None,
            RecordingTail::Cut(bytes) => {
                Some(format!("the last {bytes} bytes are no whole record"))
            }
            RecordingTail::Damaged(bytes) => {
                Some(format!("the last {bytes} bytes are damaged, and are not read"))
            }
        };
        let said: Vec<String> = self.skipped().into_iter().chain(tail).collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    fn skipped(&self) -> Option<String> {
        let of =
            |range: &DamagedRange| format!("{} bytes from byte {} on", range.bytes, range.offset);
        let mut places: Vec<String> = self.damaged.iter().take(MAX_NAMED).map(of).collect();
        let n_others = self.damaged.len() - places.len();
        if n_others > 0 {
            let bytes: u64 = self.damaged[MAX_NAMED..].iter().map(|range| range.bytes).sum();
            places.push(format!("{bytes} bytes at {n_others} more places"));
        }
        let records: u64 = self.damaged.iter().map(|range| range.records).sum();
        let records = n_of(records, "record");
        (!places.is_empty())
            .then(|| format!("damaged, and skipped: {} (at least {records})", places.join(", ")))
    }
}

/// Reads a gzip member to its end, which checks it.
fn index_one(reader: &mut Counted<BufReader<&File>>) -> io::Result<Option<(Url, u16)>> {
    let mut member = BufReader::with_capacity(1 << 16, GzDecoder::new(reader));
    let head = warc::read_head(&mut member)?;
    io::copy(&mut member, &mut io::sink())?;
    Ok(head.response)
}

/// Reads a record that is not compressed to its end: two line breaks.
fn index_plain(reader: &mut Counted<BufReader<&File>>) -> io::Result<Option<(Url, u16)>> {
    let head = warc::read_head(reader)?;
    let block = io::copy(&mut reader.by_ref().take(head.block_length), &mut io::sink())?;
    let mut end = [0; PLAIN_END.len()];
    reader.read_exact(&mut end)?;
    match block == head.block_length && end == *PLAIN_END {
        true => Ok(head.response),
        false => Err(io::Error::from(ErrorKind::InvalidData)),
    }
}

/// Reports whether bytes begin as a record does that is not compressed.
pub(super) fn begins_plain(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'W')
}

/// Reports whether a file begins as a gzip member does. Other files are no recordings, whatever
/// stands in them.
fn begins_as_member(mut file: &File) -> io::Result<bool> {
    let mut begin = [0; 2];
    file.seek(SeekFrom::Start(0))?;
    Ok(file.read_exact(&mut begin).is_ok() && begin == [0x1f, 0x8b])
}

/// The decoder says `InvalidInput` of bytes that are no gzip.
fn is_no_record(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData)
}

/// A reader that counts the bytes it gave.
struct Counted<R> {
    inner: R,
    n: u64,
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.n += n as u64;
        self.inner.consume(n);
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.n += n as u64;
        Ok(n)
    }
}
