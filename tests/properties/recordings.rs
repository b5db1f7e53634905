//! What holds of any bytes that lie where a recording should.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use site_map::Response;
use site_map::source::recording::{Recording, RecordingWriter};
use tempfile::TempDir;

/// A folder for recordings, and a whole one.
pub(crate) struct Records {
    folder: TempDir,
    whole: Vec<u8>,
}

fn response(n: u32) -> Response {
    Response {
        address: format!("http://h/{n}").parse().unwrap(),
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: format!("<p>page {n}").into_bytes(),
    }
}

impl Records {
    pub(crate) fn new() -> Records {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("whole.warc.gz");
        let mut writer = RecordingWriter::create(&path).unwrap();
        for n in 0..3 {
            writer.append(&response(n)).unwrap();
        }
        drop(writer);
        let whole = fs::read(&path).unwrap();
        Records { folder, whole }
    }

    /// Reads bytes as a recording, as members of gzip, and behind whole records.
    pub(crate) fn hold(&self, bytes: &[u8]) {
        self.hold_file(bytes);
        self.hold_file(&gzipped(bytes));
        self.hold_file(&[&self.whole, bytes].concat());
        self.hold_file(&[&self.whole[..], &gzipped(bytes)].concat());
        self.hold_damaged(bytes);
    }

    /// A whole recording whose bytes are changed at places that the input names.
    fn hold_damaged(&self, bytes: &[u8]) {
        let mut damaged = self.whole.clone();
        for change in bytes.chunks_exact(3).take(8) {
            let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % damaged.len();
            damaged[at] ^= change[2];
        }
        self.hold_file(&damaged);
    }

    /// A file is no recording, or each response that it lists is one; and a writer that goes on
    /// with it keeps what was whole and what it adds.
    fn hold_file(&self, bytes: &[u8]) {
        let path = self.folder.path().join("any.warc.gz");
        fs::write(&path, bytes).unwrap();
        let Ok(recording) = Recording::open(&path) else { return };
        let before = addresses(&recording);
        for response in recording.responses().flatten() {
            assert!(before.contains(&response.address.to_string()), "{}", response.address);
        }
        drop(recording);
        let Ok(mut writer) = RecordingWriter::resume(&path) else { return };
        let added = response(77);
        writer.append(&added).unwrap();
        drop(writer);
        let recording = Recording::open(&path).unwrap();
        assert_eq!(recording.response(&added.address).unwrap().as_ref(), Some(&added));
        let after = addresses(&recording);
        assert!(before.iter().all(|one| after.contains(one)), "{before:?} {after:?}");
    }
}

fn addresses(recording: &Recording) -> Vec<String> {
    recording.addresses().map(|(address, _)| address.to_owned()).collect()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
