//! Sites in the cache: a second question parses nothing, and a change of any file is seen.

use std::path::Path;
use std::thread;
use std::time::Duration;
use std::{fs, io};

use repo_map::cache::Cache;
use site_map::site::kept::KeptSite;
use site_map::site::open;
use site_map::source::recording::{Recording, RecordingWriter};
use site_map::{Response, Site};
use test_support::sealed;

const PAGES: [(&str, &str); 4] = [
    ("index.html", "<h1>Manual</h1><p>All pages.</p><p><a href='a/pumps.html'>Pumps</a></p>"),
    (
        "a/pumps.html",
        "<title>Pumps</title><h1 id='top'>Pumps</h1><h2 id='press'>Pressure</h2>\
         <p>It is 3 bar.</p><img src=x.png>",
    ),
    ("a/valves.html", "<h1>Valves</h1><p>They open at 4 bar.</p>"),
    ("a/twin.html", "<h1>Valves</h1><p>They open at 4 bar.</p>"),
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("a")).unwrap();
    for (name, html) in PAGES {
        fs::write(folder.path().join(name), html).unwrap();
    }
    folder
}

/// Until a change of a file is surely told by its stamp.
fn let_stamps_settle() {
    thread::sleep(Duration::from_millis(3_300));
}

/// All that a site says, whether it was read or kept.
fn told(site: &Site) -> String {
    let Site { pages, twins, indexes, missing, .. } = site;
    let whole = format!("{pages:?}\n{twins:?}\n{indexes:?}\n{missing:?}\n{:?}", site.facts());
    format!("{whole}\n{:?}\n{:?}\n{:?}", site.scope(), site.links(), site.left_out())
}

fn kept(cache: &Path, place: &Path) -> Option<String> {
    KeptSite::open(&Cache::at(cache), place).unwrap().site().as_ref().map(told)
}

/// Reads the folder and keeps its site.
fn keep(cache: &Path, place: &Path) -> String {
    let kept = KeptSite::open(&Cache::at(cache), place).unwrap();
    told(&kept.keep(open::folder(place).unwrap()))
}

/// Changes the only file of the cache that has the pages.
fn damage(cache: &Path, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> io::Result<()> {
    let folder = fs::read_dir(cache)?.next().unwrap()?.path();
    let file = folder.join("pages");
    fs::write(&file, change(fs::read(&file)?))
}

#[test]
fn a_kept_site_is_the_site_until_a_file_changes() {
    let (folder, cache) = (folder(), tempfile::tempdir().unwrap());
    let (place, cache) = (folder.path(), cache.path());
    keep(cache, place);
    assert_eq!(kept(cache, place), None, "the files are too new to be trusted");
    let_stamps_settle();
    let site = keep(cache, place);
    assert!(site.contains("3 bar") && site.contains("press") && site.contains("twin"), "{site}");
    assert_eq!(kept(cache, place), Some(site.clone()));

    let page = place.join("a/pumps.html");
    let html = fs::read_to_string(&page).unwrap();
    fs::write(&page, html.replace("3 bar", "5 bar")).unwrap();
    assert_eq!(kept(cache, place), None, "a page was edited, and is as long as before");
    let_stamps_settle();
    assert!(keep(cache, place).contains("5 bar"));
    assert!(kept(cache, place).unwrap().contains("5 bar"));
    fs::rename(place.join("a/valves.html"), place.join("a/gates.html")).unwrap();
    assert_eq!(kept(cache, place), None, "a page has another name");
    fs::remove_file(place.join("a/gates.html")).unwrap();
    assert_eq!(kept(cache, place), None, "a page has gone");
}

#[test]
fn a_damaged_cache_is_ignored() {
    let (folder, cache) = (folder(), tempfile::tempdir().unwrap());
    let (place, cache) = (folder.path(), cache.path());
    let_stamps_settle();
    let site = keep(cache, place);
    for change in [
        |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec(),
        |mut bytes: Vec<u8>| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            bytes
        },
        |_| Vec::new(),
    ] {
        damage(cache, change).unwrap();
        assert_eq!(kept(cache, place), None);
        assert_eq!(keep(cache, place), site);
        assert_eq!(kept(cache, place).as_ref(), Some(&site));
    }
}

#[test]
fn outputs_are_the_same_with_any_cache() {
    let (folder, program) = (folder(), sealed(env!("CARGO_BIN_EXE_site-map")));
    let_stamps_settle();
    let questions = ["what is the pressure of a pump?", "when does a valve open?"];
    let commands = |question: &'static str| {
        [
            vec!["rank", ".", "--goal", question, "--format", "json"],
            vec![".", "--goal", question, "--tokens", "90"],
            vec!["explain", ".", "a/pumps.html", "--goal", question],
            vec!["tree", "."],
            vec!["links", ".", "index.html"],
        ]
    };
    let answers = |flags: &[&str]| -> Vec<String> {
        let all = questions.into_iter().flat_map(commands);
        let run = |args: Vec<&str>| program.run(folder.path(), &[&args[..], flags].concat());
        all.map(run).map(|answer| format!("{}{}", answer.stdout, answer.stderr)).collect()
    };
    let without = answers(&["--no-cache"]);
    assert_eq!(answers(&[]), without, "cold");
    assert_eq!(answers(&[]), without, "warm");
    let page = folder.path().join("a/pumps.html");
    fs::write(&page, fs::read_to_string(&page).unwrap().replace("Pressure", "Colour")).unwrap();
    let changed = answers(&[]);
    assert_ne!(changed, without);
    assert_eq!(changed, answers(&["--no-cache"]), "after a change");
}

#[test]
fn a_kept_recording_has_its_facts_and_the_pages_that_were_missing() {
    let (at, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = at.path().join("site.warc.gz");
    let mut recording = RecordingWriter::create(&file).unwrap();
    for (path, html) in [("", "<h1>Pumps</h1><p>3 bar"), ("gone", "<h1>Page not found</h1>")] {
        let response = Response {
            address: format!("http://a.example/{path}").parse().unwrap(),
            status: 200,
            headers: vec![("content-type".to_owned(), "text/html".to_owned())],
            body: html.as_bytes().to_vec(),
        };
        recording.append(&response).unwrap();
    }
    drop(recording);
    let_stamps_settle();
    let read = || open::recording(&Recording::open(&file).unwrap(), "site").unwrap();
    let site = KeptSite::open(&Cache::at(cache.path()), &file).unwrap().keep(read());
    assert!(site.facts().is_some() && site.missing.len() == 1, "{}", told(&site));
    assert_eq!(kept(cache.path(), &file), Some(told(&read())));
}
