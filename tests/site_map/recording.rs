//! Recordings: what was written is read, whatever becomes of the end of the file.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::{GzDecoder, MultiGzDecoder};
use flate2::write::GzEncoder;
use site_map::Response;
use site_map::address::page_address;
use site_map::site::open;
use site_map::source::http::options::FetchOptions;
use site_map::source::recording::{DamagedRange, Recording, RecordingTail, RecordingWriter};

use crate::platform::{fetcher, options};
use crate::server::{PageServer, page};

fn response(address: &str, status: u16, body: &[u8]) -> Response {
    Response {
        address: page_address(address).unwrap(),
        status,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: body.to_vec(),
    }
}

fn three() -> Vec<Response> {
    vec![
        response("http://a/", 301, b""),
        response("http://a/gone", 404, "nicht da: ü".as_bytes()),
        response("http://a/raw", 200, &[0, 255, 13, 10, 13, 10]),
    ]
}

fn write(path: &Path, responses: &[Response]) {
    let mut writer = RecordingWriter::create(path).unwrap();
    for response in responses {
        writer.append(response).unwrap();
    }
}

fn read(path: &Path) -> Vec<Response> {
    Recording::open(path).unwrap().responses().map(Result::unwrap).collect()
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    write(&path, &three());
    assert_eq!(read(&path), three());
    let recording = Recording::open(&path).unwrap();
    assert_eq!((recording.len(), recording.tail()), (3, RecordingTail::Whole));
    let gone = page_address("http://a/gone").unwrap();
    assert_eq!(recording.status(&gone), Some(404));
    assert_eq!(recording.response(&gone).unwrap().unwrap(), three()[1]);
    assert_eq!(recording.response(&page_address("http://a/x").unwrap()).unwrap(), None);
}

#[test]
fn a_recording_that_is_compressed_again_has_the_same_digest() {
    let folder = tempfile::tempdir().unwrap();
    let (path, again) = (folder.path().join("site.warc.gz"), folder.path().join("again.warc.gz"));
    write(&path, &three());
    let bytes = fs::read(&path).unwrap();
    let (mut left, mut stored) = (&bytes[..], Vec::new());
    while !left.is_empty() {
        let mut member = GzDecoder::new(left);
        let mut record = Vec::new();
        member.read_to_end(&mut record).unwrap();
        left = member.into_inner();
        let mut encoder = GzEncoder::new(&mut stored, Compression::none());
        encoder.write_all(&record).unwrap();
        encoder.finish().unwrap();
    }
    assert_ne!(stored, bytes);
    fs::write(&again, &stored).unwrap();
    let facts = |path: &Path| open::facts(&Recording::open(path).unwrap(), "a").unwrap().unwrap();
    assert_eq!(facts(&again), facts(&path));
    // Another answer makes another one.
    let other = folder.path().join("other.warc.gz");
    write(&other, &[response("http://a/raw", 200, &[0])]);
    assert_ne!(facts(&other).recording, facts(&path).recording);
}

#[test]
fn the_last_response_of_an_address_wins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let later = response("http://a/gone", 200, b"back");
    write(&path, &[three(), vec![later.clone()]].concat());
    assert_eq!(read(&path), [three()[0].clone(), later, three()[2].clone()]);
}

#[test]
fn a_recording_cut_anywhere_opens_to_its_last_whole_record_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("whole.warc.gz");
    write(&path, &[]);
    let mut ends = vec![fs::metadata(&path).unwrap().len()];
    for one in three() {
        RecordingWriter::resume(&path).unwrap().append(&one).unwrap();
        ends.push(fs::metadata(&path).unwrap().len());
    }
    let bytes = fs::read(&path).unwrap();
    let is_near_an_end = |n: usize| ends.iter().any(|end| end.abs_diff(n as u64) < 20);
    let cuts = usize::try_from(ends[0]).unwrap()..=bytes.len();
    for n in cuts.filter(|n| n % 10 == 0 || is_near_an_end(*n)) {
        // Some file systems flush a file that is written anew, which takes long.
        let cut = folder.path().join(format!("{n}.warc.gz"));
        fs::write(&cut, &bytes[..n]).unwrap();
        let n_whole = ends.iter().filter(|end| **end <= n as u64).count() - 1;
        let lost = n as u64 - ends[n_whole];
        let tail = if lost == 0 { RecordingTail::Whole } else { RecordingTail::Cut(lost) };
        assert_eq!(read(&cut), three()[..n_whole], "{n}");
        assert_eq!(Recording::open(&cut).unwrap().tail(), tail, "{n}");

        let mut writer = RecordingWriter::resume(&cut).unwrap();
        assert_eq!(writer.recording().tail(), tail, "{n}");
        for one in &three()[n_whole..] {
            writer.append(one).unwrap();
        }
        drop(writer);
        assert_eq!(read(&cut), three(), "{n}");
        assert_eq!(Recording::open(&cut).unwrap().tail(), RecordingTail::Whole);
    }
}

#[test]
fn a_recording_with_a_damaged_end_is_read_to_the_damage_and_never_shortened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    write(&path, &three()[..2]);
    let end = fs::metadata(&path).unwrap().len();
    RecordingWriter::resume(&path).unwrap().append(&three()[2]).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let n = bytes.len();
    bytes[usize::try_from(end).unwrap()] = 0;
    fs::write(&path, &bytes).unwrap();

    assert_eq!(read(&path), three()[..2]);
    let tail = Recording::open(&path).unwrap().tail();
    assert_eq!(tail, RecordingTail::Damaged(n as u64 - end));
    let error = RecordingWriter::resume(&path).unwrap_err().to_string();
    assert!(error.contains("are no records (copy the file, cut the copy there"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn records_that_are_not_compressed_are_read_and_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let (path, plain) = (folder.path().join("site.warc.gz"), folder.path().join("site.warc"));
    write(&path, &three());
    let mut bytes = Vec::new();
    MultiGzDecoder::new(&fs::read(&path).unwrap()[..]).read_to_end(&mut bytes).unwrap();
    fs::write(&plain, &bytes).unwrap();
    assert_eq!(read(&plain), three());
    let error = RecordingWriter::resume(&plain).unwrap_err().to_string();
    assert!(error.contains("its records are not compressed: it is read, and not continued"));
    // A record that was cut, or whose length is wrong, is none.
    fs::write(&plain, &bytes[..bytes.len() - 20]).unwrap();
    assert_eq!(read(&plain), three()[..2]);
    assert!(Recording::open(&plain).unwrap().tail() != RecordingTail::Whole);
}

#[test]
fn a_body_that_cannot_be_decoded_is_counted_and_shown_as_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc");
    let html = "<!DOCTYPE html><html><body><h1>Pump</h1><p>It runs.</p></body></html>";
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(html.as_bytes()).unwrap();
    let whole = encoder.finish().unwrap();
    let bodies = [&whole[..], &whole[..whole.len() / 2], html.as_bytes()];
    let mut bytes = Vec::new();
    for (body, name) in bodies.iter().zip(["whole", "half", "decoded"]) {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
        let length = head.len() + body.len();
        write!(
            bytes,
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/m/{name}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n\
             {head}"
        )
        .unwrap();
        bytes.extend([body, &b"\r\n\r\n"[..]].concat());
    }
    fs::write(&path, bytes).unwrap();
    let site = open::recording(&Recording::open(&path).unwrap(), "site.warc").unwrap();
    let names: Vec<&str> = site.pages.iter().map(|page| page.name.as_str()).collect();
    assert_eq!((names, site.twins.len(), site.n_damaged), (vec!["whole"], 1, 1));
    assert!(site.pages[0].markdown.contains("It runs."));
}

#[test]
fn names_do_not_depend_on_where_the_rules_for_robots_stand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let html = |text: &str| format!("<!DOCTYPE html><html><body><p>{text}</p></body></html>");
    let with_header = |mut response: Response, name: &str, value: &str| {
        response.headers = vec![(name.to_owned(), value.to_owned())];
        response
    };
    let moved = response("http://b/robots.txt", 301, b"");
    let rules = response("http://a/rules.txt", 200, b"User-agent: *");
    write(
        &path,
        &[
            with_header(moved, "location", "http://a/rules.txt"),
            with_header(rules, "content-type", "text/plain"),
            response("http://b/m/", 200, html("A pump.").as_bytes()),
            response("http://b/m/one", 200, html("A valve.").as_bytes()),
        ],
    );
    let site = open::recording(&Recording::open(&path).unwrap(), "site").unwrap();
    let names: Vec<&str> = site.pages.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["index.html", "one"]);
}

/// Writes a recording; returns the offsets at which its records begin, and its end.
fn bounds(path: &Path) -> Vec<usize> {
    let length = || usize::try_from(fs::metadata(path).unwrap().len()).unwrap();
    let mut writer = RecordingWriter::create(path).unwrap();
    let mut bounds = vec![0, length()];
    for one in three() {
        writer.append(&one).unwrap();
        bounds.push(length());
    }
    bounds
}

#[test]
fn a_changed_byte_costs_its_record_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let bounds = bounds(&path);
    let bytes = fs::read(&path).unwrap();
    for n in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[n] ^= 0x24;
        let path = folder.path().join("changed.warc.gz");
        fs::write(&path, &bytes).unwrap();
        // A file that does not begin as a recording is none.
        let Ok(recording) = Recording::open(&path) else {
            assert!(n < 2, "{n}");
            continue;
        };
        let at = bounds.iter().rposition(|begin| *begin <= n).unwrap();
        let mut expected = three();
        if recording.complaint().is_some() && at > 0 {
            expected.remove(at - 1);
        }
        // A byte that says nothing, such as the time of a member, changes nothing.
        let read: Vec<Response> = recording.responses().map(Result::unwrap).collect();
        assert_eq!(read, expected, "{n}");
        let range = DamagedRange {
            offset: bounds[at] as u64,
            bytes: (bounds[at + 1] - bounds[at]) as u64,
            records: 1,
        };
        let found = (recording.damaged(), recording.tail());
        match recording.complaint() {
            None => assert_eq!(found, (&[][..], RecordingTail::Whole), "{n}"),
            Some(_) if at < 3 => assert_eq!(found, (&[range][..], RecordingTail::Whole), "{n}"),
            Some(_) => assert_ne!(recording.tail(), RecordingTail::Whole, "{n}"),
        }
    }
}

#[test]
fn damage_is_said_with_its_place_and_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let bounds = bounds(&path);
    let mut bytes = fs::read(&path).unwrap();
    // The sums of two members.
    for end in &bounds[2..4] {
        bytes[end - 6] ^= 0xff;
    }
    fs::write(&path, &bytes).unwrap();
    assert_eq!(read(&path), three()[2..]);
    let said = Recording::open(&path).unwrap().complaint().unwrap();
    let n = bounds[3] - bounds[1];
    let place = format!("{n} bytes from byte {} on (at least 2 records)", bounds[1]);
    assert_eq!(said, format!("damaged, and skipped: {place}"));
    let error = RecordingWriter::resume(&path).unwrap_err().to_string();
    let place = format!("{n} bytes after byte {} are no records", bounds[1]);
    assert!(error.contains(&place), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_plain_recording_is_read_on_after_damage() {
    let folder = tempfile::tempdir().unwrap();
    let (path, plain) = (folder.path().join("site.warc.gz"), folder.path().join("site.warc"));
    write(&path, &three());
    let mut text = Vec::new();
    MultiGzDecoder::new(&fs::read(&path).unwrap()[..]).read_to_end(&mut text).unwrap();
    let find = |what: &[u8], from: usize| {
        from + text[from..].windows(what.len()).position(|one| one == what).unwrap()
    };
    let second = find(b"WARC-Target-URI: http://a/gone", 0);
    let length = find(b"Content-Length: ", second) + b"Content-Length: ".len();
    let kind = find(b"WARC/1.1", find(b"nicht da", 0));
    // A length that leads beyond the end, one that is no number, one that is short; the name of a
    // field, the beginning of the next record.
    for (at, byte, lost) in [
        (length, b'9', 1..2),
        (length, b'x', 1..2),
        (length, b'0', 1..2),
        (length - 4, b'x', 1..2),
        (kind, b'w', 1..2),
    ] {
        let mut bytes = text.clone();
        bytes[at] = byte;
        fs::write(&plain, &bytes).unwrap();
        let mut expected = three();
        let lost = if at == kind { 2..3 } else { lost };
        expected.drain(lost);
        assert_eq!(read(&plain), expected, "{at} {}", char::from(byte));
        assert!(Recording::open(&plain).unwrap().complaint().is_some());
    }
    // What was cut may have a whole record in its body: it is none of the recording.
    let inner = &text[find(b"WARC/1.1", second - 200)..kind];
    let outer = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a/outer\r\n\
                 Content-Length: 9999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
    let cut = [&text[..kind], outer.as_bytes(), inner, b"and more"].concat();
    fs::write(&plain, &cut).unwrap();
    let recording = Recording::open(&plain).unwrap();
    assert_eq!(recording.tail(), RecordingTail::Cut((cut.len() - kind) as u64));
    assert_eq!((recording.n_responses(), recording.damaged()), (2, &[][..]));
}

#[test]
fn beginnings_without_end_are_not_read_forever() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.warc");
    let head = "WARC/1.1\r\nWARC-Type: metadata\r\nContent-Length: 12345678\r\n\r\n";
    let mut bytes = b"WARC/1.1\r\nContent-Length: 0\r\n\r\n\r\n\r\n".to_vec();
    bytes.extend(head.repeat(200_000).into_bytes());
    fs::write(&path, &bytes).unwrap();
    // Each of the beginnings leads to the same place, which is no end: all of them together would
    // read terabytes.
    let tail = Recording::open(&path).unwrap().tail();
    assert!(matches!(tail, RecordingTail::Damaged(_) | RecordingTail::Cut(_)), "{tail:?}");
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in ["hello", "a page of text that is longer than the head of a gzip member"] {
        fs::write(&path, text).unwrap();
        let refused = [
            Recording::open(&path).unwrap_err().to_string(),
            RecordingWriter::resume(&path).unwrap_err().to_string(),
        ];
        for error in refused {
            let error = error.replace(&folder.path().display().to_string(), "");
            let expected = "/notes.txt: it is no folder, and begins with no whole record of a \
                            recording (a WARC file, plain or with one gzip member a record)";
            assert_eq!(error, expected);
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let error = RecordingWriter::create(&path).unwrap_err().to_string();
    assert!(error.ends_with("the file exists (`--resume` continues a recording)"), "{error}");
}

#[test]
fn one_process_at_a_time_writes_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("site.warc.gz");
    let writer = RecordingWriter::create(&path).unwrap();
    let error = RecordingWriter::resume(&path).unwrap_err().to_string();
    assert!(error.ends_with("another process writes this recording"), "{error}");
    drop(writer);
    RecordingWriter::resume(&path).unwrap();
}

#[test]
fn what_a_recording_has_counts_as_requests_once_and_not_for_the_limit_of_bytes() {
    let server = PageServer::of(vec![("/b", page("small"))]);
    let [a, b] = ["/a", "/b"].map(|path| server.url(path));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("one.warc.gz");
    let known = [503, 200].map(|status| response(a.as_str(), status, &[b'x'; 5_000]));
    let known = [vec![response(server.url("/robots.txt").as_str(), 404, b"")], known.to_vec()];
    write(&path, &known.concat());
    let (mut fetcher, _) = fetcher(FetchOptions { max_bytes: 1_000, ..options(&a) });
    fetcher.go_on_after(Recording::open(&path).unwrap());
    for _ in 0..3 {
        assert_eq!(fetcher.get(&a).unwrap().body.len(), 5_000);
    }
    assert_eq!(fetcher.get(&b).unwrap().body, b"small");
    assert_eq!((fetcher.requests(), fetcher.bytes()), (4, 15_005));
}
