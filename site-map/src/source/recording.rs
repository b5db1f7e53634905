//! A recording: a WARC file that grows by one record per response, and is read by address.
//!
//! Only offsets are held in memory. A file that was cut opens to its last whole record; one that is
//! damaged is read on at the next whole record, and never continued. Nor are files of other tools
//! whose records are not compressed.

#![expect(clippy::disallowed_methods, reason = "the rim: reads and writes a recording")]

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use flate2::bufread::GzDecoder;
use url::Url;

use crate::error::{Error, Result};
use crate::source::folder::is_html;
use crate::source::record_index::{RecordIndex, RecordPlace, begins_plain};
use crate::source::response::{Response, robots_among};
use crate::source::warc;

pub use crate::source::record_index::{DamagedRange, RecordingTail};

/// A recording, opened to read.
#[derive(Debug)]
pub struct Recording {
    path: PathBuf,
    file: Mutex<File>,
    index: RecordIndex,
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
        match (recording.index.end, recording.index.tail) {
            (0, RecordingTail::Whole | RecordingTail::Cut(_)) => Ok(None),
            _ => recording.checked().map(Some),
        }
    }

    fn index(path: &Path, file: File) -> Result<Recording> {
        let io = |source| io_error(path, source);
        let size = file.metadata().map_err(io)?.len();
        let index = RecordIndex::of(&file, size).map_err(io)?;
        Ok(Recording { path: path.to_owned(), file: Mutex::new(file), index })
    }

    /// Refuses a file that begins with no whole record.
    fn checked(self) -> Result<Recording> {
        if self.index.end > 0 || self.index.tail == RecordingTail::Whole {
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
        self.index.tail
    }

    /// Returns what is damaged before the last whole record, in order.
    pub fn damaged(&self) -> &[DamagedRange] {
        &self.index.damaged
    }

    /// Says what of the recording is not read, and where, for people; `None` if it is whole.
    pub fn complaint(&self) -> Option<String> {
        self.index.complaint()
    }

    /// Returns the number of addresses that have a response.
    pub fn len(&self) -> usize {
        self.index.places.len()
    }

    /// Reports whether the recording has no response.
    pub fn is_empty(&self) -> bool {
        self.index.places.is_empty()
    }

    /// Lists the addresses with the status of their last response, in the order of addresses.
    pub fn addresses(&self) -> impl Iterator<Item = (&str, u16)> {
        self.index.places.iter().map(|(address, place)| (address.as_str(), place.status))
    }

    /// Returns the status of the last response of an address.
    pub fn status(&self, address: &Url) -> Option<u16> {
        self.index.places.get(address.as_str()).map(|place| place.status)
    }

    /// Returns the number of responses of an address, those that were repeated included.
    #[cfg(feature = "http")]
    pub(crate) fn times(&self, address: &Url) -> u64 {
        self.index.times(address.as_str())
    }

    /// Returns the number of responses of all addresses.
    pub fn n_responses(&self) -> u64 {
        self.index.places.values().map(|place| place.n).sum()
    }

    /// Returns the first address that was recorded, rules for robots aside: the one that a run
    /// began with.
    pub fn first_address(&self) -> Option<Url> {
        self.in_order().into_iter().next()
    }

    /// Returns the addresses that were recorded, rules for robots aside, in the order of the file.
    pub(crate) fn in_order(&self) -> Vec<Url> {
        let places = self.index.places.iter();
        let mut places: Vec<(u64, Url)> = places
            .filter_map(|(address, place)| Some((place.offset, Url::parse(address).ok()?)))
            .collect();
        let answer = |address: &Url| self.response(address).ok().flatten();
        let robots = robots_among(places.iter().map(|(_, address)| address), answer);
        places.sort_by_key(|(offset, _)| *offset);
        places.retain(|(_, address)| !robots.contains(address));
        places.into_iter().map(|(_, address)| address).collect()
    }

    /// Returns the address of the first page that was recorded.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn first_page(&self) -> Result<Option<Url>> {
        let mut places: Vec<&RecordPlace> = self.index.places.values().collect();
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
        self.index.places.get(address.as_str()).map(|place| self.read(*place)).transpose()
    }

    /// Reads the last response of each address, in the order of addresses, one at a time.
    pub fn responses(&self) -> impl Iterator<Item = Result<Response>> {
        self.index.places.values().map(|place| self.read(*place))
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
        if recording.index.is_plain {
            let message = "its records are not compressed: it is read, and not continued";
            return Err(Error::recording(path, message));
        }
        let range = recording.damaged().first().map(|range| (range.offset, range.bytes));
        let tail = match recording.tail() {
            RecordingTail::Damaged(bytes) => Some((recording.index.end, bytes)),
            RecordingTail::Whole | RecordingTail::Cut(_) => None,
        };
        if let Some((offset, bytes)) = range.or(tail) {
            let message = format!(
                "{bytes} bytes after byte {offset} are no records (copy the file, cut the copy \
                 there, and continue that)"
            );
            return Err(Error::recording(path, message));
        }
        {
            let file = recording.file.get_mut().unwrap_or_else(PoisonError::into_inner);
            file.set_len(recording.index.end).map_err(io)?;
        }
        let mut writer = RecordingWriter { recording };
        if writer.recording.index.end == 0 {
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
        let place = (self.recording.index.end, record.len() as u64);
        self.write(&record)?;
        self.recording.index.insert(response.address.to_string(), place, response.status);
        Ok(())
    }

    fn write(&mut self, record: &[u8]) -> Result<()> {
        let end = self.recording.index.end;
        let file = self.recording.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        let written = file.seek(SeekFrom::Start(end)).and_then(|_| file.write_all(record));
        if let Err(source) = written {
            // A full disk leaves half a record: take it off, so that the file stays whole.
            let _ = file.set_len(end);
            return Err(Error::Write { path: self.recording.path.clone(), source });
        }
        self.recording.index.end += record.len() as u64;
        Ok(())
    }
}

fn io_error(path: &Path, source: io::Error) -> Error {
    Error::Io { path: path.to_owned(), source }
}
