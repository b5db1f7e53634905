//! A recording: a WARC file that grows by one record per response, and is read by address.
//!
//! Only offsets are held in memory. A file that was cut opens to its last whole record. Files of
//! other tools whose records are not compressed are read, and never continued.

#![expect(clippy::disallowed_methods, reason = "the rim: reads and writes a recording")]

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use flate2::bufread::GzDecoder;
use url::Url;

use crate::error::{Error, Result};
use crate::source::folder::is_html;
use crate::source::response::{ROBOTS, Response};
use crate::source::warc;

/// A recording, opened to read.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    file: Mutex<File>,
    places: BTreeMap<String, RecordPlace>,
    /// The end of the last whole record.
    end: u64,
    tail: RecordingTail,
    /// Whether a record is not compressed.
    is_plain: bool,
}

/// The place of a response in the file.
#[derive(Debug, Clone, Copy)]
struct RecordPlace {
    offset: u64,
    length: u64,
    status: u16,
    /// The number of responses of the address, of which this is the last.
    n: u64,
}

/// What follows the last whole record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordingTail {
    /// Nothing: the recording is whole.
    Whole,
    /// A record that was cut, with this number of bytes.
    Cut(u64),
    /// Bytes that are no record; whole ones may follow.
    Damaged(u64),
}

impl RecordingTail {
    /// Says what is wrong with the end, for people; `None` if the recording is whole.
    pub fn complaint(self) -> Option<String> {
        Some(match self {
            RecordingTail::Whole => return None,
            RecordingTail::Cut(bytes) => format!("the last {bytes} bytes are no whole record"),
            RecordingTail::Damaged(bytes) => {
                format!("the last {bytes} bytes are damaged, and are not read")
            }
        })
    }
}

impl Recording {
    /// Opens a recording; reads all of it once, and keeps the offset of each response.
    ///
    /// # Errors
    /// If the file cannot be read, or is no recording.
    pub fn open(path: &Path) -> Result<Recording> {
        let file = File::open(path).map_err(|source| io_error(path, source))?;
        Recording::index(path, file)?.checked()
    }

    /// Opens a recording that a run began; `None` if nothing was written, or no whole record.
    ///
    /// # Errors
    /// If the file cannot be read, or is no recording.
    pub fn open_begun(path: &Path) -> Result<Option<Recording>> {
        let recording = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => Recording::index(path, file.map_err(|source| io_error(path, source))?)?,
        };
        match (recording.end, recording.tail) {
            (0, RecordingTail::Whole | RecordingTail::Cut(_)) => Ok(None),
            _ => recording.checked().map(Some),
        }
    }

    fn index(path: &Path, file: File) -> Result<Recording> {
        let io = |source| io_error(path, source);
        let size = file.metadata().map_err(io)?.len();
        let mut reader = Counted { inner: BufReader::with_capacity(1 << 18, &file), n: 0 };
        reader.inner.seek(SeekFrom::Start(0)).map_err(io)?;
        let (mut places, mut end, mut tail) = (BTreeMap::new(), 0, RecordingTail::Whole);
        let mut is_plain = false;
        while end < size {
            let begins_plain = begins_plain(reader.fill_buf().map_err(io)?);
            is_plain |= begins_plain;
            let record = match begins_plain {
                true => index_plain(&mut reader),
                false => index_one(&mut reader),
            };
            match record {
                Ok(response) => {
                    if let Some((address, status)) = response {
                        let (offset, length) = (end, reader.n - end);
                        let address = String::from(address);
                        let n = times(&places, &address) + 1;
                        places.insert(address, RecordPlace { offset, length, status, n });
                    }
                    end = reader.n;
                }
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    tail = RecordingTail::Cut(size - end);
                    break;
                }
                Err(error) if is_no_record(&error) => {
                    tail = RecordingTail::Damaged(size - end);
                    break;
                }
                Err(error) => return Err(io(error)),
            }
        }
        Ok(Recording { path: path.to_owned(), file: Mutex::new(file), places, end, tail, is_plain })
    }

    /// Refuses a file that begins with no whole record.
    fn checked(self) -> Result<Recording> {
        if self.end > 0 || self.tail == RecordingTail::Whole {
            return Ok(self);
        }
        let message = match is_html(&self.path) {
            true => "it is one page (`site-map page` prints it; its folder is a site)",
            false => {
                "it is no folder, and begins with no whole record of a recording (a WARC file, \
                 plain or with one gzip member a record)"
            }
        };
        Err(Error::recording(&self.path, message))
    }

    /// Returns what follows the last whole record.
    pub fn tail(&self) -> RecordingTail {
        self.tail
    }

    /// Returns the number of addresses that have a response.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Reports whether the recording has no response.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Lists the addresses with the status of their last response, in the order of addresses.
    pub fn addresses(&self) -> impl Iterator<Item = (&str, u16)> {
        self.places.iter().map(|(address, place)| (address.as_str(), place.status))
    }

    /// Returns the status of the last response of an address.
    pub fn status(&self, address: &Url) -> Option<u16> {
        self.places.get(address.as_str()).map(|place| place.status)
    }

    /// Returns the number of responses of an address, those that were repeated included.
    #[cfg(feature = "http")]
    pub(crate) fn times(&self, address: &Url) -> u64 {
        times(&self.places, address.as_str())
    }

    /// Returns the number of responses of all addresses.
    pub fn n_responses(&self) -> u64 {
        self.places.values().map(|place| place.n).sum()
    }

    /// Returns the first address that was recorded, rules for robots aside: the one that a run
    /// began with.
    pub fn first_address(&self) -> Option<Url> {
        let places = self.places.iter().filter_map(|(address, place)| {
            let address = Url::parse(address).ok()?;
            (address.path() != ROBOTS).then_some((place.offset, address))
        });
        places.min_by_key(|(offset, _)| *offset).map(|(_, address)| address)
    }

    /// Returns the address of the first page that was recorded.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn first_page(&self) -> Result<Option<Url>> {
        let mut places: Vec<&RecordPlace> = self.places.values().collect();
        places.sort_by_key(|place| place.offset);
        for place in places {
            let response = self.read(*place)?;
            if response.is_page() {
                return Ok(Some(response.address));
            }
        }
        Ok(None)
    }

    /// Reads the last response of an address. `None` if the recording has none.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn response(&self, address: &Url) -> Result<Option<Response>> {
        self.places.get(address.as_str()).map(|place| self.read(*place)).transpose()
    }

    /// Reads the last response of each address, in the order of addresses, one at a time.
    pub fn responses(&self) -> impl Iterator<Item = Result<Response>> {
        self.places.values().map(|place| self.read(*place))
    }

    fn read(&self, place: RecordPlace) -> Result<Response> {
        let io = |source| io_error(&self.path, source);
        let mut member = Vec::new();
        {
            // One file serves all threads; decoding is outside of the lock.
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(place.offset)).map_err(io)?;
            (&*file).take(place.length).read_to_end(&mut member).map_err(io)?;
        }
        let response = match begins_plain(&member) {
            true => warc::read_response(&mut &member[..]),
            false => warc::read_response(&mut BufReader::new(GzDecoder::new(&member[..]))),
        };
        response.map_err(io)
    }
}

/// A recording that grows.
#[derive(Debug)]
pub struct RecordingWriter {
    recording: Recording,
}

impl RecordingWriter {
    /// Makes a new recording.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<RecordingWriter> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let file = file.map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => {
                Error::recording(path, "the file exists (`--resume` continues a recording)")
            }
            _ => io_error(path, source),
        })?;
        RecordingWriter::begin(path, file)
    }

    /// Continues a recording, or makes a new one. A record that was cut is taken off the end.
    ///
    /// # Errors
    /// If the file cannot be written, is no recording, is damaged before its end, or another
    /// process writes it.
    pub fn resume(path: &Path) -> Result<RecordingWriter> {
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let file = options.open(path).map_err(|source| io_error(path, source))?;
        RecordingWriter::begin(path, file)
    }

    fn begin(path: &Path, file: File) -> Result<RecordingWriter> {
        let io = |source| io_error(path, source);
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::recording(path, "another process writes this recording"));
            }
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let mut recording = Recording::index(path, file)?.checked()?;
        if recording.is_plain {
            let message = "its records are not compressed: it is read, and not continued";
            return Err(Error::recording(path, message));
        }
        if let RecordingTail::Damaged(n) = recording.tail {
            let message = format!(
                "{n} bytes after byte {} are no records (copy the file, cut the copy there, and \
                 continue that)",
                recording.end
            );
            return Err(Error::recording(path, message));
        }
        {
            let file = recording.file.get_mut().unwrap_or_else(PoisonError::into_inner);
            file.set_len(recording.end).map_err(io)?;
        }
        let mut writer = RecordingWriter { recording };
        if writer.recording.end == 0 {
            let info = warc::info_record(SystemTime::now().into()).map_err(io)?;
            writer.write(&info)?;
        }
        Ok(writer)
    }

    /// Returns the recording as far as it is written. Its tail is what was cut off at the start.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Writes a response at the end. The record is whole in the file when this returns.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, response: &Response) -> Result<()> {
        let record = warc::response_record(response, SystemTime::now().into());
        let record = record.map_err(|source| io_error(&self.recording.path, source))?;
        let offset = self.recording.end;
        self.write(&record)?;
        let address = response.address.to_string();
        let n = times(&self.recording.places, &address) + 1;
        let length = record.len() as u64;
        let place = RecordPlace { offset, length, status: response.status, n };
        self.recording.places.insert(address, place);
        Ok(())
    }

    fn write(&mut self, record: &[u8]) -> Result<()> {
        let end = self.recording.end;
        let file = self.recording.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let written = file.seek(SeekFrom::Start(end)).and_then(|_| file.write_all(record));
        if let Err(source) = written {
            // A full disk leaves half a record: take it off, so that the file stays whole.
            let _ = file.set_len(end);
            return Err(Error::Write { path: self.recording.path.clone(), source });
        }
        self.recording.end += record.len() as u64;
        Ok(())
    }
}

fn times(places: &BTreeMap<String, RecordPlace>, address: &str) -> u64 {
    places.get(address).map_or(0, |place| place.n)
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
    let mut end = [0; 4];
    reader.read_exact(&mut end)?;
    match block == head.block_length && end == *b"\r\n\r\n" {
        true => Ok(head.response),
        false => Err(io::Error::from(ErrorKind::InvalidData)),
    }
}

/// Reports whether bytes begin as a record does that is not compressed.
fn begins_plain(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'W')
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

/// The decoder says `InvalidInput` of bytes that are no gzip.
fn is_no_record(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData)
}

fn io_error(path: &Path, source: io::Error) -> Error {
    Error::Io { path: path.to_owned(), source }
}
