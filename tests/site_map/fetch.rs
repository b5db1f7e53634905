//! Fetching: faults of servers, redirects, private addresses, manners and limits.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use insta::assert_snapshot;
use site_map::Response;
use site_map::source::http::cookies::Cookies;
use site_map::source::http::error::FetchError;
use site_map::source::http::fetcher::Fetcher;
use site_map::source::http::options::FetchOptions;
use url::Url;

use crate::headers::sent;
use crate::platform::{fetcher, options};
use crate::server::{PageAnswer, PageServer, page, redirect, status};

pub(crate) fn with_headers(
    status: u16,
    headers: &[(&'static str, &str)],
    body: &[u8],
) -> PageAnswer {
    let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    PageAnswer::Whole(status, headers, body.to_vec())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What one answer gives, without retries.
fn failure_of(answer: PageAnswer, change: impl Fn(&mut FetchOptions)) -> String {
    let server = PageServer::of(vec![("/", answer)]);
    let mut options = options(&server.url("/"));
    options.retries = 0;
    change(&mut options);
    let (mut fetcher, _) = fetcher(options);
    fetcher.get(&server.url("/")).unwrap_err().to_string()
}

#[test]
fn a_response_has_the_decoded_body_and_no_headers_of_the_transfer() {
    let headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip")];
    let server = PageServer::of(vec![("/", with_headers(200, &headers, &gzip(b"<p>hello")))]);
    let (mut fetcher, _) = fetcher(options(&server.url("/")));
    let response = fetcher.get(&server.url("/")).unwrap();
    assert_eq!(response.body, b"<p>hello");
    assert_eq!(response.headers, [("content-type".to_owned(), "text/html".to_owned())]);
    assert_eq!(fetcher.requests(), 2);
    let head = &server.received()[1].head;
    let agent = concat!("user-agent: site-map/", env!("CARGO_PKG_VERSION"), " (+https://");
    assert!(head.contains(agent), "{head}");
    assert!(head.contains("accept-encoding: gzip, br, zstd\r\n"), "{head}");
    assert!(!head.contains("cookie") && !head.contains("referer"), "{head}");
}

#[test]
fn statuses_are_responses() {
    let server = PageServer::of(vec![("/gone", status(410))]);
    let (mut fetcher, platform) = fetcher(options(&server.url("/")));
    assert_eq!(fetcher.get(&server.url("/nowhere")).unwrap().status, 404);
    assert_eq!(fetcher.get(&server.url("/gone")).unwrap().status, 410);
    assert_eq!(platform.waits(), [0; 0]);
}

#[test]
fn a_failure_of_a_moment_is_repeated_with_growing_waits() {
    let mut n = 0;
    let server = PageServer::start(move |path| {
        n += usize::from(path == "/");
        match (path, n) {
            ("/", 1) => status(500),
            ("/", 2) => PageAnswer::Raw(Vec::new()),
            ("/", 3) => with_headers(429, &[("Retry-After", "7")], b""),
            ("/", _) => page("fine"),
            _ => status(404),
        }
    });
    let (mut fetcher, platform) = fetcher(options(&server.url("/")));
    assert_eq!(fetcher.get(&server.url("/")).unwrap().body, b"fine");
    assert_eq!(platform.waits(), [500, 1_000, 7_000]);
    let passed = fetcher.take_passed().into_iter().map(|response| response.status);
    assert_eq!(passed.collect::<Vec<_>>(), [404, 500, 429]);
    assert_eq!(fetcher.requests(), 5);
}

#[test]
fn retries_end_and_a_wait_that_is_too_long_is_not_waited() {
    let busy = with_headers(503, &[("Retry-After", "61")], b"");
    let server = PageServer::of(vec![("/", busy), ("/b", page("fine"))]);
    let (mut patient, platform) = fetcher(options(&server.url("/")));
    let wait = Duration::from_secs(61);
    let asked = Err(FetchError::AskedToWait { status: 503, wait });
    assert_eq!(patient.get(&server.url("/")), asked);
    let n_requests = patient.requests();
    assert_eq!(patient.get(&server.url("/b")), asked, "nothing more is sent");
    assert_eq!((patient.requests(), platform.waits()), (n_requests, vec![]));
    assert_eq!(patient.take_passed().last().map(|response| response.status), Some(503));
    for (headers, waits) in [
        (vec![], vec![500, 1_000, 2_000]),
        (
            vec![
                ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("Retry-After", "Sun, 06 Nov 1994 08:49:40 GMT"),
            ],
            vec![3_000; 3],
        ),
    ] {
        let server = PageServer::of(vec![("/", with_headers(503, &headers, b""))]);
        let (mut fetcher, platform) = fetcher(options(&server.url("/")));
        assert_eq!(fetcher.get(&server.url("/")).unwrap().status, 503);
        assert_eq!(platform.waits(), waits, "{headers:?}");
    }
}

#[test]
fn bodies_that_are_cut_slow_or_endless_are_errors_of_the_page() {
    let raw = |text: &str| PageAnswer::Raw(text.as_bytes().to_vec());
    let small = |options: &mut FetchOptions| options.page_bytes = 100_000;
    let quick = |options: &mut FetchOptions| options.request_time = Duration::from_millis(200);
    let cut = raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<html>");
    assert_snapshot!(failure_of(cut, |_| {}), @"the body ends after 6 of 100 bytes");
    let chunk = raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n");
    assert_snapshot!(failure_of(chunk, |_| {}), @"the body is cut: unexpected EOF during chunk size line");
    assert_snapshot!(failure_of(raw("HTTP/1.1 20"), |_| {}), @"no response: connection closed before message completed");
    assert_snapshot!(failure_of(raw("hello, this is no HTTP\r\n\r\n"), |_| {}), @"no response: invalid HTTP version parsed");
    let two = raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\n<html>");
    assert_snapshot!(failure_of(two, |_| {}), @"no response: invalid content-length parsed");
    let head = raw(&format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(2 << 20)));
    let error = failure_of(head, |_| {});
    assert!(error.starts_with("no response: "), "{error}");
    let declared = raw("HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n<html>");
    assert_snapshot!(failure_of(declared, small), @"the page is larger than 100000 bytes");
    assert_snapshot!(failure_of(PageAnswer::Endless, small), @"the page is larger than 100000 bytes");
    let start = Instant::now();
    assert_snapshot!(failure_of(PageAnswer::Drip, quick), @"no complete answer within 0.2 s");
    assert_snapshot!(failure_of(PageAnswer::Silence, quick), @"no complete answer within 0.2 s");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn the_time_of_a_run_ends_requests_and_waits() {
    let server = PageServer::start(|path| match path {
        "/slow" => PageAnswer::Drip,
        "/busy" => with_headers(503, &[("Retry-After", "30")], b"later"),
        _ => page("<h1>Here</h1>"),
    });
    let (mut fetcher, platform) = fetcher(options(&server.url("/")));
    fetcher.finish_within(Some(Duration::from_millis(200)));
    let start = Instant::now();
    let late = |result: Result<Response, FetchError>| result.unwrap_err().to_string();
    assert_snapshot!(late(fetcher.get(&server.url("/slow"))), @"the time limit of the run is reached");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    // A wait that would end too late is not begun.
    assert_eq!(fetcher.get(&server.url("/busy")).unwrap().status, 503);
    assert_eq!(platform.waits(), [0_u64; 0]);
    fetcher.finish_within(Some(Duration::ZERO));
    let n_sent = server.received().len();
    assert_snapshot!(late(fetcher.get(&server.url("/"))), @"the time limit of the run is reached");
    assert_eq!(server.received().len(), n_sent);
    fetcher.finish_within(None);
    assert_eq!(fetcher.get(&server.url("/")).unwrap().status, 200);
}

#[test]
fn encodings_that_lie_and_bombs_are_errors_of_the_page() {
    let encoded =
        |encoding: &str, body: &[u8]| with_headers(200, &[("Content-Encoding", encoding)], body);
    assert_snapshot!(failure_of(encoded("gzip", b"<html>"), |_| {}), @"the body is not valid gzip: unexpected end of file");
    assert_snapshot!(failure_of(encoded("rot13", b"<ugzy>"), |_| {}), @"the encoding `rot13` is unknown");
    let bomb = gzip(&vec![b'x'; 30 << 20]);
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    assert_snapshot!(failure_of(encoded("gzip", &bomb), |_| {}), @"the page is larger than 20971520 bytes");
}

#[test]
fn a_file_that_is_no_page_is_not_read() {
    let server = PageServer::of(vec![
        ("/a", with_headers(200, &[("Content-Type", "image/png")], &[0; 5_000])),
        ("/b", with_headers(200, &[("Content-Type", "application/zip")], &[0; 5_000])),
        ("/c", with_headers(200, &[("Content-Type", "application/xhtml+xml")], b"<html/>")),
        ("/d", with_headers(200, &[("Content-Type", "text/plain")], b"text")),
    ]);
    let (mut fetcher, _) = fetcher(options(&server.url("/")));
    for path in ["/a", "/b"] {
        let error = fetcher.get(&server.url(path)).unwrap_err();
        assert!(matches!(error, FetchError::NoPage { .. }), "{error}");
    }
    let n_bytes = "status 404".len() as u64;
    assert_eq!(fetcher.bytes(), n_bytes);
    assert!(fetcher.get(&server.url("/c")).is_ok() && fetcher.get(&server.url("/d")).is_ok());
    assert_eq!(fetcher.bytes(), n_bytes + 11);
}

#[test]
fn redirects_are_followed_hop_by_hop_and_counted() {
    let server = PageServer::start(|path| match path {
        "/a" => redirect("/b?utm_source=x#part"),
        "/b" => redirect("c"),
        "/c" => page("there"),
        "/circle" => redirect("/circle2"),
        "/circle2" => redirect("circle"),
        "/script" => redirect("javascript:alert(1)"),
        _ => match path.strip_prefix("/n").and_then(|n| n.parse::<u32>().ok()) {
            Some(n) => redirect(&format!("/n{}", n + 1)),
            None => status(404),
        },
    });
    let (mut fetcher, _) = fetcher(options(&server.url("/")));
    let response = fetcher.get(&server.url("/a")).unwrap();
    assert_eq!((response.address, response.body), (server.url("/c"), b"there".to_vec()));
    let passed = fetcher.take_passed().into_iter().map(|hop| (hop.address, hop.status));
    let passed: Vec<_> = passed.collect();
    assert_eq!(passed[1..], [(server.url("/a"), 302), (server.url("/b"), 302)]);
    assert_eq!(fetcher.requests(), 4);

    assert_eq!(fetcher.get(&server.url("/circle")).unwrap_err(), FetchError::RedirectLoop);
    let before = fetcher.requests();
    let error = fetcher.get(&server.url("/n1")).unwrap_err();
    assert_eq!(error, FetchError::Redirects { limit: 10 });
    assert_eq!(fetcher.requests() - before, 11);
    assert_eq!(fetcher.get(&server.url("/script")).unwrap().status, 302);
}

#[test]
fn private_addresses_are_refused_unless_the_host_is_named() {
    let inner = PageServer::start(|_| panic!("a private server was asked"));
    let port = inner.port();
    let targets = [
        format!("http://localhost:{port}/"),
        format!("http://127.0.0.2:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.2]:{port}/"),
        format!("http://inner.example:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://0.0.0.0/".to_owned(),
    ];
    // 2130706433 is 127.0.0.1: here the person names the server by its name.
    let outer = PageServer::start({
        let targets = targets.clone();
        move |path| match path.trim_start_matches('/').parse::<usize>() {
            Ok(n) => redirect(&targets[n]),
            Err(_) => status(404),
        }
    });
    let url = |path: &str| {
        let mut url = outer.url(path);
        url.set_host(Some("docs.example")).unwrap();
        url
    };
    let (mut fetcher, platform) = fetcher(options(&url("/")));
    platform.name("docs.example", &["127.0.0.1"]);
    platform.name("localhost", &["::1", "127.0.0.1"]);
    platform.name("inner.example", &["10.0.0.1"]);
    for (n, target) in targets.iter().enumerate() {
        let error = fetcher.get(&url(&format!("/{n}"))).unwrap_err();
        assert!(matches!(error, FetchError::Private { .. }), "{target}: {error}");
    }
    assert_eq!(outer.paths().len(), targets.len());
}

#[test]
fn a_name_cannot_lead_elsewhere_after_its_check() {
    let server = PageServer::of(vec![("/", page("docs"))]);
    let mut url = server.url("/");
    url.set_host(Some("docs.example")).unwrap();
    let (mut named, platform) = fetcher(options(&url));
    platform.name("docs.example", &["127.0.0.1"]);
    assert_eq!(named.get(&url).unwrap().body, b"docs");
    // Each further request would fail, if the client asked DNS again.
    platform.name("docs.example", &[]);
    assert_eq!(named.get(&url).unwrap().body, b"docs");

    let (mut unnamed, platform) = fetcher(options(&server.url("/")));
    assert_snapshot!(unnamed.get(&url).unwrap_err(), @"cannot resolve `docs.example`: no such name");
    platform.name("docs.example", &["127.0.0.1", "::1"]);
    assert_snapshot!(unnamed.get(&url).unwrap_err(), @"`docs.example` is an address of a private network (name the host to allow it)");
    assert_eq!(server.paths().len(), 2);
}

#[test]
fn robots_are_obeyed_unless_the_person_says_otherwise_for_a_named_host() {
    let robots = "User-agent: *\nDisallow: /private/\nCrawl-delay: 2\n";
    let server = PageServer::of(vec![
        ("/robots.txt", with_headers(200, &[], robots.as_bytes())),
        ("/", page("one")),
        ("/away", redirect("/private/x")),
        ("/private/x", page("secret")),
    ]);
    let (mut obeying, platform) = fetcher(options(&server.url("/")));
    assert_eq!(obeying.get(&server.url("/")).unwrap().body, b"one");
    assert_snapshot!(obeying.get(&server.url("/private/x")).unwrap_err(), @"robots.txt forbids it");
    assert!(matches!(obeying.get(&server.url("/away")), Err(FetchError::Robots { .. })));
    assert_eq!(server.paths(), ["/", "/away"]);
    assert_eq!(platform.waits(), [2_000]);

    let mut other = options(&server.url("/"));
    other.ignores_robots = true;
    let (mut ignoring, platform) = fetcher(other);
    assert_eq!(ignoring.get(&server.url("/away")).unwrap().body, b"secret");
    assert_eq!((ignoring.requests(), platform.waits()), (2, Vec::new()));
}

#[test]
fn robots_that_cannot_be_read_forbid_all_and_robots_that_are_large_are_cut() {
    let large = format!("User-agent: *\nDisallow: /no\n{}Disallow: /\n", "# x\n".repeat(200_000));
    for (answer, expected) in [
        (status(503), "robots.txt cannot be read, so all is forbidden: its server answers 503"),
        (
            PageAnswer::Raw(Vec::new()),
            "robots.txt cannot be read, so all is forbidden: no response",
        ),
        (with_headers(200, &[], large.as_bytes()), "robots.txt forbids it"),
        (
            with_headers(200, &[], b"User-agent: *\nCrawl-delay: 3600"),
            "robots.txt asks for 3600 s between requests, which is too long",
        ),
    ] {
        let server = PageServer::of(vec![("/robots.txt", answer), ("/no", page("x"))]);
        let (mut fetcher, _) = fetcher(options(&server.url("/")));
        let error = fetcher.get(&server.url("/no")).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        let n_asked = server.received().len();
        assert_eq!(fetcher.get(&server.url("/no")).unwrap_err().to_string(), error);
        assert_eq!((server.received().len(), server.paths().len()), (n_asked, 0), "{error}");
    }
}

#[test]
fn a_server_that_is_down_forbids_nothing_and_cannot_be_reached() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("http://127.0.0.1:{port}/").parse().unwrap();
    let (mut fetcher, _) = fetcher(options(&address));
    let error = fetcher.get(&address).unwrap_err().to_string();
    let expected = format!("the server at `http://127.0.0.1:{port}` cannot be reached: ");
    assert!(error.starts_with(&expected), "{error}");
    assert!(error.ends_with(" (is the address right, and does the server run?)"), "{error}");
}

#[test]
fn a_fetcher_of_one_origin_asks_no_other() {
    let other = PageServer::start(|_| page("x"));
    let (rules, target) = (other.url("/robots.txt"), other.url("/"));
    let server = PageServer::start(move |path| match path {
        "/robots.txt" => redirect(rules.as_str()),
        "/away" => redirect(target.as_str()),
        _ => page("x"),
    });
    let mut confined = options(&server.url("/"));
    let (mut free, _) = fetcher(confined.clone());
    assert_eq!(free.get(&server.url("/away")).unwrap().address, other.url("/"));
    let n_free = other.received().len();
    assert_eq!(n_free, 3, "a page, and the rules of both");

    confined.origin = Some(server.url("/"));
    let (mut fetcher, _) = fetcher(confined.clone());
    let error = fetcher.get(&server.url("/")).unwrap_err().to_string();
    let why = "robots.txt cannot be read, so all is forbidden: it leads to another origin, ";
    assert!(error.starts_with(why), "{error}");
    confined.ignores_robots = true;
    let (mut fetcher, _) = crate::platform::fetcher(confined);
    let error = fetcher.get(&server.url("/away")).unwrap_err();
    assert!(matches!(error, FetchError::OtherOrigin { .. }), "{error}");
    assert_eq!(other.received().len(), n_free);
}

#[test]
fn requests_to_an_origin_keep_their_distance() {
    let server = PageServer::of(vec![("/", page("x"))]);
    let mut options = options(&server.url("/"));
    options.delay = Duration::from_millis(250);
    let (mut fetcher, platform) = fetcher(options);
    fetcher.get(&server.url("/")).unwrap();
    fetcher.get(&server.url("/")).unwrap();
    assert_eq!(platform.waits(), [250, 250]);
}

#[test]
fn limits_of_requests_and_bytes_are_never_passed() {
    let server = PageServer::start(|path| match path {
        "/robots.txt" => with_headers(200, &[], &[b'#'; 1_000]),
        "/endless" => PageAnswer::Endless,
        "/busy" => status(503),
        _ => page(&"x".repeat(1_000)),
    });
    let mut few = options(&server.url("/"));
    few.max_requests = 3;
    let (mut fetcher, _) = fetcher(few.clone());
    assert!(fetcher.get(&server.url("/a")).is_ok() && fetcher.get(&server.url("/b")).is_ok());
    let error = fetcher.get(&server.url("/c")).unwrap_err();
    assert!(error.is_limit(), "{error}");
    assert_eq!((server.received().len(), fetcher.requests()), (3, 3));
    // Retries count; the last response is what there is.
    let (mut fetcher, _) = crate::platform::fetcher(few);
    assert_eq!(fetcher.get(&server.url("/busy")).unwrap().status, 503);
    assert_eq!(fetcher.requests(), 3);

    for (path, max_bytes, is_ok) in [
        ("/a", 2_000, true),
        ("/a", 1_999, false),
        ("/a", 999, false),
        ("/endless", 100_000, false),
    ] {
        let mut options = options(&server.url("/"));
        options.max_bytes = max_bytes;
        let (mut fetcher, _) = crate::platform::fetcher(options);
        let result = fetcher.get(&server.url(path));
        assert_eq!(result.is_ok(), is_ok, "{path} {max_bytes}");
        assert!(fetcher.bytes() <= max_bytes, "{path} {max_bytes}");
        if let Err(error) = result {
            assert_eq!(error, FetchError::MaxBytes { limit: max_bytes });
        }
    }
}

#[test]
fn a_known_page_is_sent_only_if_it_changed() {
    let headers = [("ETag", "\"1\""), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")];
    let mut n = 0;
    let server = PageServer::start(move |path| {
        n += usize::from(path == "/");
        match n {
            0 => status(404),
            1 => with_headers(200, &headers, b"one"),
            2 => with_headers(304, &headers, b""),
            _ => page("two"),
        }
    });
    let (mut fetcher, _) = fetcher(options(&server.url("/")));
    let known = fetcher.send(&server.url("/")).unwrap();
    assert_eq!(fetcher.send_if_changed(&known).unwrap().status, 304);
    let changed = fetcher.send_if_changed(&known).unwrap();
    assert_eq!((changed.status, changed.body), (200, b"two".to_vec()));
    let heads: Vec<String> = server.received().into_iter().map(|request| request.head).collect();
    assert!(!heads[1].contains("if-"), "{}", heads[1]);
    for line in ["if-none-match: \"1\"\r\n", "if-modified-since: Sun, 06 Nov 1994 08:49:37 GMT\r\n"]
    {
        assert!(heads[2].contains(line), "{}", heads[2]);
    }
}

#[test]
fn given_cookies_go_to_their_hosts_and_paths_alone() {
    let folder = tempfile::tempdir().unwrap();
    let read = |text: &str| {
        let file = folder.path().join("cookies.txt");
        fs::write(&file, text).unwrap();
        Cookies::read(&file)
    };
    let given = "# Netscape HTTP Cookie File\n\n\
        127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tabc=1\r\n\
        #HttpOnly_127.0.0.1\tFALSE\t/m\tFALSE\t0\tm\t2\n\
        127.0.0.1\tFALSE\t/\tTRUE\t0\tsecure\t3\n\
        .0.0.1\tFALSE\t/\tFALSE\t0\tother\t4\n\
        27.0.0.1\tTRUE\t/\tFALSE\t0\tother\t5\n";
    let server = PageServer::of(vec![("/m/a", page("a")), ("/mm", page("b"))]);
    let cookies = read(given).unwrap();
    assert_eq!(format!("{cookies:?}"), "[5 cookies]");
    let (mut fetcher, _) = fetcher(FetchOptions { cookies, ..options(&server.url("/")) });
    fetcher.get(&server.url("/m/a")).unwrap();
    fetcher.get(&server.url("/mm")).unwrap();
    let cookie = |path: &str| sent(&server, path, "cookie").unwrap_or_default();
    assert_eq!([cookie("/m/a"), cookie("/mm")], ["session=abc=1; m=2", "session=abc=1"]);
    let refused = read("127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\n").unwrap_err().to_string();
    assert!(refused.contains("cookies.txt:1: no cookie"), "{refused}");
    assert!(read("127.0.0.1\tFALSE\t/\tFALSE\t0\tx\ta;b\n").is_err(), "one pair a line");
}

#[test]
fn a_proxy_takes_all_requests_and_resolves_names() {
    let proxy = PageServer::start(|path| match path {
        "http://docs.example/3/" => page("by proxy"),
        _ => status(404),
    });
    let start = Url::parse("http://docs.example/3/").unwrap();
    let options = FetchOptions { proxy: Some(proxy.url("/")), ..options(&start) };
    // This platform knows no name at all.
    let (mut fetcher, _) = fetcher(options);
    assert_eq!(fetcher.get(&start).unwrap().body, b"by proxy");
    let paths = proxy.received().into_iter().map(|request| request.path);
    assert_eq!(
        paths.collect::<Vec<_>>(),
        ["http://docs.example/robots.txt", "http://docs.example/3/"]
    );
    let private = fetcher.get(&Url::parse("http://10.0.0.1/").unwrap());
    assert!(matches!(private, Err(FetchError::Private { .. })), "{private:?}");
    let other = Url::parse("socks5://127.0.0.1/").unwrap();
    let refused = Fetcher::new(FetchOptions { proxy: Some(other), ..FetchOptions::of(&start) });
    assert!(refused.unwrap_err().to_string().contains("address of http or https"));
}
