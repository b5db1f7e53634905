//! Crawls: the order of pages, faults, resumption, and sites without end.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use insta::assert_snapshot;
use site_map::Response;
use site_map::address::{Scope, link_target};
use site_map::source::http::crawl::{CrawlLimits, record};
use site_map::source::http::crawl_report::CrawlReport;
use site_map::source::http::options::FetchOptions;
use site_map::source::recording::{Recording, RecordingWriter};
use tempfile::TempDir;
use url::Url;

use crate::platform::{fetcher, options};
use crate::server::{PageAnswer, PageServer, links, page, redirect, status, text};

/// The links of a page of tests.
fn links_of(response: &Response) -> Option<Vec<Url>> {
    let text = String::from_utf8_lossy(&response.body);
    let hrefs = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let links = hrefs.filter_map(|href| link_target(&response.address, href)).map(|(url, _)| url);
    (text != "missing").then(|| links.collect())
}

struct CrawlRun {
    start: Url,
    options: FetchOptions,
    limits: CrawlLimits,
    folder: TempDir,
}

impl CrawlRun {
    fn of(server: &PageServer, start: &str) -> CrawlRun {
        let start = server.url(start);
        let options = FetchOptions { retries: 0, ..options(&start) };
        let folder = tempfile::tempdir().unwrap();
        CrawlRun { start, options, limits: CrawlLimits::default(), folder }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("site.warc.gz")
    }

    fn crawl(&self) -> CrawlReport {
        self.crawl_up_to(usize::MAX)
    }

    /// Stops as a person does, after so many addresses.
    fn crawl_up_to(&self, most: usize) -> CrawlReport {
        let (mut fetcher, _) = fetcher(self.options.clone());
        let mut sink = RecordingWriter::resume(&self.path()).unwrap();
        let mut n = 0;
        let scope = Scope::of(&self.start, None);
        record(&mut fetcher, &scope, &self.limits, links_of, &mut sink, |_| {
            n += 1;
            if n < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })
        .unwrap()
    }

    fn text(&self, report: &CrawlReport) -> String {
        report.to_string().replace(&origin(&self.start), "http://a")
    }
}

fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Addresses and statuses of a recording, without the origin.
fn recorded(path: &Path) -> Vec<String> {
    let recording = Recording::open(path).unwrap();
    let lines = recording
        .addresses()
        .map(|(address, status)| format!("{} {status}", Url::parse(address).unwrap().path()));
    lines.collect()
}

fn manual() -> PageServer {
    PageServer::of(vec![
        (
            "/robots.txt",
            PageAnswer::Whole(200, Vec::new(), b"User-agent: *\nDisallow: /3/no\n".to_vec()),
        ),
        ("/3/", links(&["b", "a", "moved", "away", "no", "/2/", "../3/b#x", "mailto:x@y", "pic"])),
        ("/3/a", links(&["c", "gone", "cut", "soft"])),
        ("/3/b", links(&["c", "circle1", "b.png"])),
        ("/3/c", page("end")),
        ("/3/soft", page("missing")),
        ("/3/moved", redirect("/3/c")),
        ("/3/away", redirect("http://other.example/")),
        ("/3/circle1", redirect("circle2")),
        ("/3/circle2", redirect("circle1")),
        ("/3/pic", PageAnswer::Whole(200, vec![("Content-Type", "image/png".into())], vec![1, 2])),
        ("/3/cut", PageAnswer::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx".to_vec())),
    ])
}

#[test]
fn a_scope_is_recorded_breadth_first_and_each_failure_is_a_line() {
    let server = manual();
    let run = CrawlRun::of(&server, "/3/");
    let report = run.crawl();
    assert_snapshot!(run.text(&report), @"
    4 of 8 pages failed; redirects: 2; redirects out of the scope: 1; files \
    that are no pages: 2; forbidden by robots.txt: 1
    http://a/3/gone: status 404
    http://a/3/cut: the body ends after 1 of 9 bytes
    http://a/3/soft: says that it does not exist, with status 200
    http://a/3/circle2: redirect loop
    http://a/3/no: robots.txt forbids it
    http://a/3/away: redirects to http://other.example/, out of the scope
    ");
    assert_snapshot!(server.paths().join(" "), @"/3/ /3/b /3/a /3/moved /3/away /3/pic /3/c /3/circle1 /3/gone /3/cut /3/soft /3/circle2");
    assert_snapshot!(recorded(&run.path()).join("\n"), @"
    /3/ 200
    /3/a 200
    /3/away 302
    /3/b 200
    /3/c 200
    /3/circle1 302
    /3/circle2 302
    /3/gone 404
    /3/moved 302
    /3/soft 200
    /robots.txt 200
    ");
}

#[test]
fn a_crawl_that_was_stopped_goes_on_and_asks_nothing_twice() {
    let whole = {
        let server = manual();
        let run = CrawlRun::of(&server, "/3/");
        (run.crawl().n_pages(), recorded(&run.path()), server.paths().len())
    };
    for most in 1..whole.2 {
        let server = manual();
        let run = CrawlRun::of(&server, "/3/");
        run.crawl_up_to(most);
        let report = run.crawl();
        assert_eq!((report.n_pages(), recorded(&run.path())), (whole.0, whole.1.clone()), "{most}");
        let mut paths = server.paths();
        // What gave no response may be asked again.
        paths.retain(|path| !["/3/cut", "/3/pic"].contains(&path.as_str()));
        let n = paths.len();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), n, "{most}");
    }
}

#[test]
fn a_crawl_killed_while_it_writes_goes_on_at_the_last_whole_record() {
    let server = manual();
    let run = CrawlRun::of(&server, "/3/");
    run.crawl();
    let (bytes, whole) = (fs::read(run.path()).unwrap(), recorded(&run.path()));
    for part in [3, 5, 9] {
        fs::write(run.path(), &bytes[..bytes.len() * part / 10]).unwrap();
        run.crawl();
        assert_eq!(recorded(&run.path()), whole, "{part}");
    }
}

#[test]
fn a_failure_of_a_moment_is_asked_again_by_the_next_run() {
    let mut n = 0;
    let server = PageServer::start(move |path| match path {
        "/" => links(&["a"]),
        "/a" if n == 0 => {
            n += 1;
            status(503)
        }
        "/a" => page("fine"),
        _ => status(404),
    });
    let run = CrawlRun::of(&server, "/");
    assert_snapshot!(run.text(&run.crawl()), @"
    1 of 2 pages failed
    http://a/a: status 503
    ");
    assert_snapshot!(run.text(&run.crawl()), @"2 pages; recorded before: 1");
    assert_eq!(recorded(&run.path()), ["/ 200", "/a 200", "/robots.txt 404"]);
}

#[test]
fn sites_without_end_stop_at_a_limit_that_is_said() {
    // Each page links to new ones; each day of a calendar to the next; each link has a session.
    let server = PageServer::start(|path| match path.split_once('?') {
        None if path == "/robots.txt" => status(404),
        None if path.starts_with("/new/") => {
            let (a, b) = (format!("{path}a/"), format!("{path}b/"));
            links(&[&a, &b])
        }
        Some(("/calendar/", query)) => {
            let day: u32 = query.trim_start_matches("day=").parse().unwrap();
            links(&[&format!("?day={}", day + 1)])
        }
        _ => links(&["/session/?sid=1&x=2", "/session/;jsessionid=3", "/session/?PHPSESSID=4"]),
    });
    let mut run = CrawlRun::of(&server, "/new/");
    run.limits.pages = 20;
    assert_snapshot!(run.text(&run.crawl()), @"20 pages; not read, beyond the limit of pages: 21");
    let mut run = CrawlRun::of(&server, "/new/");
    run.limits.depth = 3;
    assert_snapshot!(run.text(&run.crawl()), @"15 pages; not read, too many links from the start: 16");
    let mut run = CrawlRun::of(&server, "/new/");
    run.options.max_requests = 10;
    assert_snapshot!(run.text(&run.crawl()), @"9 pages; not read, beyond the limit of requests: 10");
    let mut run = CrawlRun::of(&server, "/new/");
    run.options.max_bytes = 1_000;
    assert_snapshot!(run.text(&run.crawl()), @"15 pages; not read, beyond the limit of bytes: 16");
    let mut run = CrawlRun::of(&server, "/calendar/?day=1");
    run.limits.depth = usize::MAX;
    assert_snapshot!(run.text(&run.crawl()), @"100 pages; not read, too many queries of one path: 1");
    let run = CrawlRun::of(&server, "/session/");
    assert_snapshot!(run.text(&run.crawl()), @"2 pages");
}

#[test]
fn a_start_without_a_page_is_a_failure() {
    let server = PageServer::of(vec![
        (
            "/robots.txt",
            PageAnswer::Whole(200, Vec::new(), b"User-agent: *\nDisallow: /no/".to_vec()),
        ),
        ("/away/", redirect("/en/")),
    ]);
    for (start, expected) in [
        (
            "/away/",
            "1 of 1 page failed\nhttp://a/away/: redirects out of the scope, to http://a/en/ (start there)",
        ),
        ("/404/", "1 of 1 page failed\nhttp://a/404/: status 404"),
        ("/no/", "0 pages; forbidden by robots.txt: 1\nhttp://a/no/: robots.txt forbids it"),
    ] {
        let run = CrawlRun::of(&server, start);
        assert_eq!(run.text(&run.crawl()), expected);
    }
}

#[test]
fn a_page_of_100_000_links_is_one_page() {
    let hrefs: String = (0..100_000).map(|n| format!("<a href=\"p{n}\">x</a>")).collect();
    let server = PageServer::start(move |path| match path {
        "/" => page(&hrefs),
        _ => page("x"),
    });
    let mut run = CrawlRun::of(&server, "/");
    run.limits.pages = 3;
    assert_snapshot!(run.text(&run.crawl()), @"3 pages; not read, beyond the limit of pages: 99998");
}

#[test]
fn a_server_that_stops_answering_ends_the_crawl_and_a_later_run_goes_on() {
    let mut n = 0;
    let hrefs: Vec<String> = (0..30).map(|n| format!("p{n}")).collect();
    let hrefs: Vec<&str> = hrefs.iter().map(String::as_str).collect();
    let index = links(&hrefs);
    let server = PageServer::start(move |path| {
        n += 1;
        match path {
            "/" => index.clone(),
            _ if (5..15).contains(&n) => PageAnswer::Raw(Vec::new()),
            _ => page("x"),
        }
    });
    let run = CrawlRun::of(&server, "/");
    let text = run.text(&run.crawl());
    assert_snapshot!(text.lines().next().unwrap(), @"10 of 13 pages failed; not read, the server stopped answering: 18");
    let text = run.text(&run.crawl());
    assert_snapshot!(text.lines().next().unwrap(), @"31 pages; recorded before: 3");
}

#[test]
fn a_report_of_many_failures_shows_the_first_ones() {
    let hrefs: Vec<String> = (0..103).map(|n| format!("p{n}")).collect();
    let hrefs: Vec<&str> = hrefs.iter().map(String::as_str).collect();
    let server = PageServer::of(vec![("/", links(&hrefs))]);
    let run = CrawlRun::of(&server, "/");
    let report = run.crawl();
    let text = run.text(&report);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((report.failures.len(), lines.len()), (103, 102));
    assert_eq!(lines[0], "103 of 104 pages failed");
    assert_eq!(lines[100..], ["http://a/p99: status 404", "... and 3 more"]);
}

/// Two connections ask for more at a time, and record the same pages in the same order.
#[test]
fn connections_side_by_side_record_what_one_records() {
    let answers = |path: &str| match path {
        "/" => links(&["/a.html", "/b.html", "/c.html", "/gone.html", "/d.html"]),
        "/robots.txt" => text("User-agent: *\nDisallow: /c.html\n"),
        "/a.html" => links(&["/e.html"]),
        "/gone.html" => status(404),
        // Its end alone says how long it is.
        "/b.html" => PageAnswer::Raw([&b"HTTP/1.1 200 OK\r\n\r\n"[..], &[b'x'; 9_000]].concat()),
        _ => page("<p>text</p>"),
    };
    let recorded = |concurrency: usize, max_requests: u64| {
        let server = PageServer::start(answers);
        let mut run = CrawlRun::of(&server, "/");
        run.options.concurrency = concurrency;
        run.options.max_requests = max_requests;
        run.options.page_bytes = 8_000;
        let report = run.crawl();
        let recording = Recording::open(&run.path()).unwrap();
        let paths: Vec<String> = recording
            .addresses()
            .map(|(address, _)| address.split('/').next_back().unwrap().to_owned())
            .collect();
        assert!(server.received().len() as u64 <= max_requests);
        (paths, report.to_string().replace(&server.port().to_string(), "PORT"))
    };
    for max_requests in [100, 5, 6, 7] {
        let alone = recorded(1, max_requests);
        assert_eq!(recorded(3, max_requests), alone, "{max_requests}");
        assert_eq!(recorded(16, max_requests), alone, "{max_requests}");
    }
}

/// Each page comes as soon as three are asked for.
#[test]
fn connections_side_by_side_are_open_at_the_same_time() {
    let n_waiting = Arc::new(AtomicUsize::new(0));
    let server = PageServer::start(move |path| match path {
        "/" => links(&["/a.html", "/b.html", "/c.html"]),
        "/robots.txt" => status(404),
        _ => PageAnswer::Together(Arc::clone(&n_waiting), 3),
    });
    let mut run = CrawlRun::of(&server, "/");
    run.options.concurrency = 3;
    assert_eq!(run.crawl().n_read, 4);
}
