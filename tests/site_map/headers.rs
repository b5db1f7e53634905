//! Headers that a server asks for: they go to one origin, and come back from nowhere.

use std::fs;
use std::io::Read;

use flate2::read::MultiGzDecoder;
use site_map::source::http::cookies::Cookies;
use site_map::source::http::headers::{GivenHeaders, HeaderFlag};
use site_map::source::http::options::FetchOptions;
use test_support::sealed;

use crate::fetch::with_headers;
use crate::platform::{fetcher, options};
use crate::server::{PageServer, page, redirect, status};

/// The value of a header in what a server was sent for a path.
pub(crate) fn sent(server: &PageServer, path: &str, name: &str) -> Option<String> {
    let request = server.received().into_iter().find(|request| request.path == path).unwrap();
    let value = request.head.lines().find_map(|line| line.strip_prefix(name));
    value.map(|value| value.trim_start_matches(": ").to_owned())
}

#[test]
fn a_given_header_goes_to_its_origin_alone_and_comes_back_from_nowhere() {
    let other = PageServer::start(|path| match path {
        "/robots.txt" => redirect("/rules"),
        _ => page("other"),
    });
    let elsewhere = other.url("/there").to_string();
    let server = PageServer::start(move |path| match path {
        "/m/a" => {
            let told = "/m/b?key=sekret-0123456789";
            let headers = [("Location", told), ("X-Told", "Bearer sekret-0123456789")];
            with_headers(302, &headers, b"")
        }
        "/m/away" => redirect(&elsewhere),
        _ => page("you are sekret-0123456789 with biscuit-0123456789"),
    });
    let flags = ["Authorization: Bearer sekret-0123456789", "Cookie: b=2", "X-Two: 2", "X-Two: 3"];
    let flags = flags.map(|flag| HeaderFlag::from(flag.to_owned()));
    let headers = GivenHeaders::read(&flags, &server.url("/m/")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cookies.txt");
    fs::write(&file, "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tbiscuit-0123456789\n").unwrap();
    let cookies = Cookies::read(&file).unwrap();
    let options = FetchOptions { headers, cookies, ..options(&server.url("/")) };
    assert!(!format!("{options:?}").contains("sekret"), "{options:?}");
    let (mut fetcher, _) = fetcher(options);
    let read = fetcher.get(&server.url("/m/a")).unwrap();
    assert_eq!(read.body, b"you are [masked: header] with [masked: header]");
    assert!(!format!("{:?} {read:?}", fetcher.take_passed()).contains("sekret"));
    assert_eq!(fetcher.get(&server.url("/m/away")).unwrap().body, b"other");
    let of_file = "a=biscuit-0123456789";
    for path in ["/robots.txt", "/m/a", "/m/away"] {
        let authorization = sent(&server, path, "authorization");
        assert_eq!(authorization.as_deref(), Some("Bearer sekret-0123456789"), "{path}");
        assert_eq!(sent(&server, path, "cookie"), Some(format!("{of_file}; b=2")), "{path}");
    }
    assert_eq!(server.received()[0].head.matches("x-two: ").count(), 2);
    for path in ["/robots.txt", "/rules", "/there"] {
        assert_eq!(sent(&other, path, "authorization"), None, "{path}");
        assert_eq!(sent(&other, path, "x-two"), None, "{path}");
        assert_eq!(sent(&other, path, "cookie").as_deref(), Some(of_file), "{path}");
    }
}

#[test]
fn a_site_behind_a_token_is_recorded_with_a_header_that_nothing_keeps() {
    const TOKEN: &str = "sekret-0123456789";
    let server = PageServer::answering(|request| {
        let is_known = request.head.contains(&format!("authorization: Bearer {TOKEN}\r\n"));
        match request.path.as_str() {
            "/m/" => page("<h1>Manual</h1><p>All.<a href=inner.html>Inner</a>"),
            "/m/inner.html" if is_known => page(&format!("<h1>Inner</h1><p>For {TOKEN}.")),
            "/m/inner.html" => status(401),
            _ => status(404),
        }
    });
    let (program, place) = (sealed(env!("CARGO_BIN_EXE_site-map")), tempfile::tempdir().unwrap());
    let (start, inner) = (server.url("/m/").to_string(), server.url("/m/inner.html").to_string());
    let way = "`--header 'Name: value'` sends the token or the cookie";
    let record = ["record", &start, "-o", "m.warc.gz", "--delay", "0"];
    let refused = program.run(place.path(), &record);
    assert_eq!(refused.code, 13, "{}", refused.stderr);
    assert!(refused.stderr.contains(way), "{}", refused.stderr);
    let page = program.run(place.path(), &["page", &inner]);
    assert!(page.stderr.contains(&format!("status 401 ({way}")), "{}", page.stderr);

    fs::write(place.path().join("token"), format!("Bearer {TOKEN}\n")).unwrap();
    let header = ["--header", "Authorization=file:token"];
    let resumed = program.run(place.path(), &[&record[..], &["--resume"], &header].concat());
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let map = program.run(place.path(), &["m.warc.gz", "--level", "**=full"]);
    assert!(map.stdout.contains("For [masked: header]."), "{}", map.stdout);
    let mut recording = String::new();
    MultiGzDecoder::new(fs::File::open(place.path().join("m.warc.gz")).unwrap())
        .read_to_string(&mut recording)
        .unwrap();
    assert!(!recording.contains(TOKEN) && !resumed.stderr.contains(TOKEN), "{recording}");
    let wrong = program.run(place.path(), &["page", &inner, "--header", &format!("Host: {TOKEN}")]);
    assert_eq!((wrong.code, wrong.stderr.contains(TOKEN)), (2, false), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("--header: `host`: it belongs to the connection"));
}
