//! Evidence of pages that were not read, when a site is explored: sitemaps and `llms.txt`, and the
//! links of a recording.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use flate2::Compression;
use flate2::write::GzEncoder;
use repo_map::plan::ExcludedPaths;
use site_map::Scope;
use site_map::explore::{ExploreLimits, explore, unread_pages, visit};
use site_map::source::http::options::FetchOptions;
use site_map::source::recording::RecordingWriter;

use crate::platform::{fetcher, options};
use crate::server::{PageAnswer, PageServer, page, redirect, status, text};

const GOAL: &str = "how long is the timeout?";

fn file(content_type: &str, body: impl Into<Vec<u8>>) -> PageAnswer {
    PageAnswer::Whole(200, vec![("Content-Type", content_type.to_owned())], body.into())
}

fn gzip(body: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// A sitemap of these addresses, with an image that is no page. It breaks off.
fn sitemap(addresses: &[String]) -> String {
    let url = |address: &String| {
        format!("<url><loc> {address} </loc><image:loc>http://a/d/timeout.png</image:loc></url>\n")
    };
    let urls: String = addresses.iter().map(url).collect();
    format!("<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas\">{urls}<url")
}

/// Returns what an exploration asks for beside `/robots.txt`.
fn asked(
    goal: &str,
    max_requests: u64,
    answer: impl Fn(&str, &str) -> PageAnswer + Send + 'static,
) -> Vec<String> {
    let origin: Arc<OnceLock<String>> = Arc::default();
    let known = Arc::clone(&origin);
    let server = PageServer::start(move |path| answer(path, known.get().unwrap()));
    let start = server.url("/d/");
    origin.set(start.origin().ascii_serialization()).unwrap();
    let (mut fetcher, _) = fetcher(FetchOptions { max_requests, ..options(&start) });
    let (scope, limits) = (Scope::of(&start, None), ExploreLimits::default());
    let explored =
        explore(&mut fetcher, &scope, goal, &limits, |_| ControlFlow::Continue(())).unwrap();
    let responses = explored.responses.iter().map(|response| response.address.path());
    let lists = ["/map.gz", "/more.xml", "/llms.txt", "/sitemap.xml"];
    assert!(!responses.into_iter().any(|path| lists.contains(&path)), "a list is no page");
    server.paths()
}

#[test]
fn archives_and_images_are_not_asked_for() {
    let asked = asked(GOAL, 40, |path, _| match path {
        "/d/" => page(
            "<a href=timeout.pdf>Timeout</a> <a href=manual.tar.gz>Timeout</a> \
             <a href=timeout.png?x=1>Timeout</a> <a href=timeout>Timeout</a> \
             <a href=1.2>Release</a>",
        ),
        "/d/timeout" | "/d/1.2" => page("<h1>Timeout</h1><p>30 seconds."),
        _ => status(404),
    });
    assert_eq!(asked, ["/d/", "/d/timeout", "/d/1.2"]);
}

fn manual(path: &str) -> PageAnswer {
    match path {
        "/d/" => page("<h1>Start</h1><a href=colors>Colors</a> <a href=shapes>Shapes</a>"),
        "/d/colors" | "/d/shapes" => page("<h1>Red and round</h1>"),
        "/d/timeout" | "/d/a&b" => page("<h1>Timeouts</h1><p>30 seconds."),
        _ => status(404),
    }
}

#[test]
fn a_sitemap_that_robots_txt_names_has_addresses() {
    let answer = |path: &str, origin: &str| match path {
        "/robots.txt" => text(&format!("Sitemap: {origin}/map.gz\nSitemap: http://b.example/x\n")),
        "/map.gz" => {
            let index =
                "<sitemapindex><sitemap><loc>ORIGIN/more.xml</loc></sitemap></sitemapindex>";
            file("application/gzip", gzip(&index.replace("ORIGIN", origin)))
        }
        "/more.xml" => {
            let pages = ["/d/timeout", "/elsewhere/timeout", "/d/a&amp;b"];
            let pages = pages.map(|path| format!("{origin}{path}"));
            file("application/xml", sitemap(&pages))
        }
        _ => manual(path),
    };
    let read = asked(GOAL, 40, answer);
    assert_eq!(read[..4], ["/d/", "/map.gz", "/more.xml", "/d/timeout"], "{read:?}");
    assert!(read.contains(&"/d/a&b".to_owned()), "{read:?}");
    assert!(!read.contains(&"/elsewhere/timeout".to_owned()), "{read:?}");
    // A tenth of the requests at most.
    assert_eq!(asked(GOAL, 10, answer)[..4], ["/d/", "/map.gz", "/llms.txt", "/d/shapes"]);
    assert_eq!(asked(GOAL, 9, answer)[..3], ["/d/", "/llms.txt", "/d/shapes"]);
}

#[test]
fn sitemaps_that_are_gone_take_a_tenth_of_the_requests_too() {
    let asked = asked(GOAL, 40, |path, origin| match path {
        "/robots.txt" => {
            text(&(0..60).map(|n| format!("Sitemap: {origin}/{n}.xml\n")).collect::<String>())
        }
        "/d/" => page("<h1>Start</h1><a href=timeout>Timeout</a>"),
        "/d/timeout" => page("<h1>Timeouts</h1><p>30 seconds."),
        _ => status(404),
    });
    assert_eq!(asked, ["/d/", "/0.xml", "/1.xml", "/2.xml", "/3.xml", "/d/timeout"]);
}

#[test]
fn lists_at_usual_places_are_asked_for_once_and_only_if_links_say_nothing() {
    let lost = |path: &str, origin: &str| match path {
        "/llms.txt" => text("# Manual\n\n## Limits\n\n- [Waiting](/d/timeout): the timeout\n"),
        "/sitemap.xml" => file("text/xml", sitemap(&[format!("{origin}/d/more")])),
        _ => manual(path),
    };
    let read = asked(GOAL, 40, lost);
    assert_eq!(read[..4], ["/d/", "/llms.txt", "/sitemap.xml", "/d/timeout"], "{read:?}");
    assert!(read.contains(&"/d/more".to_owned()), "{read:?}");
    let known = asked("which colors are there?", 40, lost);
    assert_eq!(known, ["/d/", "/d/colors", "/d/shapes"]);
    // No goal is no reason, but a start without links is.
    assert_eq!(asked("", 40, lost), ["/d/", "/d/colors", "/d/shapes"]);
    let without_links = move |path: &str, origin: &str| match path {
        "/d/" => page("<h1>Start</h1>"),
        _ => lost(path, origin),
    };
    let read = asked("", 40, without_links);
    assert_eq!(read, ["/d/", "/llms.txt", "/sitemap.xml", "/d/more", "/d/timeout"]);
    // A page in the place of a list is none, and what is not there costs one request each.
    let nothing = |path: &str, _: &str| match path {
        "/llms.txt" => page("<html>not found <a href=/d/timeout>timeout</a>"),
        _ => manual(path),
    };
    let read = asked(GOAL, 40, nothing);
    assert_eq!(read, ["/d/", "/llms.txt", "/sitemap.xml", "/d/shapes", "/d/colors"]);
}

#[test]
fn a_recording_says_which_pages_its_links_promise_and_one_more_can_be_read() {
    let server = PageServer::start(|path| match path {
        "/d/" => page(
            "<h1>Start</h1><a href=colors>Colors</a> <a href=old>Timeouts of old</a> \
             <a href=gone>Timeouts</a> <a href=/elsewhere>Timeouts</a>",
        ),
        "/d/old" => redirect("/d/timeout"),
        "/d/timeout" => page("<h1>Timeouts</h1><a href=limits>How long a timeout is</a>"),
        _ => status(404),
    });
    let (start, place) = (server.url("/d/"), tempfile::tempdir().unwrap());
    let (mut fetcher, _) = fetcher(options(&start));
    let scope = Scope::of(&start, None);
    let mut recording = RecordingWriter::create(&place.path().join("d.warc.gz")).unwrap();
    let unread = |recording: &RecordingWriter| -> Vec<(String, usize)> {
        let pages = unread_pages(recording.recording(), &scope, GOAL).unwrap();
        pages.into_iter().map(|page| (page.address.path().to_owned(), page.depth)).collect()
    };
    let mut read = |address: &str, recording: &mut RecordingWriter| {
        let visited = visit(&mut fetcher, &scope, &ExcludedPaths::default(), &server.url(address));
        visited.responses.iter().for_each(|response| recording.append(response).unwrap());
        visited.page.map(|page| page.path().to_owned())
    };
    assert_eq!(read("/d/", &mut recording), Ok("/d/".to_owned()));
    assert_eq!(recording.recording().first_address(), Some(start.clone()));
    let paths = |pages: &[(&str, usize)]| -> Vec<(String, usize)> {
        pages.iter().map(|(path, depth)| ((*path).to_owned(), *depth)).collect()
    };
    assert_eq!(unread(&recording), paths(&[("/d/gone", 1), ("/d/old", 1), ("/d/colors", 1)]));
    assert_eq!(read("/d/old", &mut recording), Ok("/d/timeout".to_owned()));
    assert_eq!(read("/d/gone", &mut recording), Err("status 404".to_owned()));
    assert_eq!(unread(&recording), paths(&[("/d/limits", 2), ("/d/colors", 1)]));
}
