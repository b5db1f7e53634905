//! Pages that are known and not read: which of them is read next, excluded ones, and those that a
//! map says were not read.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use repo_map::plan::{ExcludedPaths, Rule};
use repo_map::{Level, LevelRange};
use serde_json::Value;
use site_map::address::page_address;
use site_map::explore::{ExploreLimits, ListedPage, SiteExploration, explore, explore_on, visit};
use site_map::site::open;
use site_map::source::http::crawl_report::CrawlStep;
use site_map::source::http::options::FetchOptions;
use site_map::source::recording::{Recording, RecordingWriter};
use site_map::{Response, Scope};
use test_support::{Sealed, sealed};

use crate::fetch::with_headers;
use crate::platform::{fetcher, options};
use crate::server::{PageAnswer, PageServer, page, redirect, status};

fn program() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_site-map"))
}

fn answer(path: &str) -> PageAnswer {
    match path {
        "/m/" => page(
            "<h1>Manual</h1><p>All: <a href=old/a.html>The old timeout</a> <a href=b.html>Timeout</a> \
             <a href=c.html>Colours</a> <a href=logo.png>Logo</a> <a href=/x.html>Elsewhere</a>",
        ),
        "/m/b.html" => {
            page("<h1>Timeout</h1><p>It is 90 s. <a href=c.html>c</a> <a href=d.html>d</a>")
        }
        "/m/old/a.html" => page("<h1>Old timeout</h1><p>It was 30 s."),
        "/m/c.html" => page("<h1>Colours</h1><p>Blue."),
        _ => status(404),
    }
}

const FLAGS: [&str; 6] = ["--goal", "timeout", "--delay", "0", "--tokens", "400"];

#[test]
fn a_map_says_which_pages_are_only_known_from_links_and_replays_so() {
    let (server, program, place) =
        (PageServer::start(answer), program(), tempfile::tempdir().unwrap());
    let start = server.url("/m/").to_string();
    let run = |args: &[&str]| program.run(place.path(), args);
    let args =
        [&[start.as_str(), "--max-requests", "3", "--plan-out", "p.yaml"], &FLAGS[..]].concat();
    let read = run(&[&args[..], &["--recording", "m.warc.gz"]].concat());
    assert_eq!(read.code, 6, "{}", read.stderr);
    // Two pages link to `c.html`. A picture and a page out of the scope are none.
    let said = "Not read: 3 pages, known from links (c.html, 2 more).\n";
    assert!(read.stdout.ends_with(said), "{}", read.stdout);
    let replayed = run(&["m.warc.gz", "--plan", "p.yaml"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &read.stdout), "{}", replayed.stderr);
    let again = run(&[&["m.warc.gz"], &FLAGS[..]].concat());
    assert_eq!(again.stdout, read.stdout, "{}", again.stderr);
    let kept = run(&[&["m.warc.gz"], &FLAGS[..]].concat());
    assert_eq!(kept.stdout, read.stdout, "from the cache");

    let json = run(&[&["m.warc.gz", "--format", "json"], &FLAGS[..]].concat());
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["unread"]["named"], serde_json::json!(["c.html", "d.html", "old/a.html"]));
    let parts = json["parts"].as_array().unwrap().iter();
    let sum: u64 = parts.map(|part| part["tokens"].as_u64().unwrap()).sum();
    assert_eq!(sum, json["tokens"].as_u64().unwrap());
    // Excluded pages are not named.
    let without = run(&[&["m.warc.gz", "--level", "old/=exclude"], &FLAGS[..]].concat());
    assert_eq!(without.code, 0, "{}", without.stderr);
    let said = "Not read: 2 pages, known from links (c.html, 1 more).\n";
    assert!(without.stdout.ends_with(said), "{}", without.stdout);
    let typo = run(&[&["m.warc.gz", "--exclude", "odl/"], &FLAGS[..]].concat());
    assert_eq!(typo.code, 2, "{}", typo.stderr);
    let site = open::recording(&Recording::open(&place.path().join("m.warc.gz")).unwrap(), "m");
    assert_eq!(site.unwrap().unread, ["c.html", "d.html", "old/a.html"]);
}

#[test]
fn excluded_pages_are_neither_asked_for_nor_shown() {
    let (server, program) = (PageServer::start(answer), program());
    let start = server.url("/m/").to_string();
    let run = |args: &[&str]| program.run(Path::new("/"), args);
    let map =
        run(&[&[start.as_str(), "--exclude", "old/", "--exclude", "/d.html"], &FLAGS[..]].concat());
    assert_eq!(map.code, 0, "{}", map.stderr);
    assert_eq!(server.paths(), ["/m/", "/m/b.html", "/m/c.html"]);
    assert!(map.stdout.contains("It is 90 s."), "{}", map.stdout);
    assert!(map.stderr.contains("; excluded: 2"), "{}", map.stderr);
    assert!(!map.stdout.contains("Not read") && !map.stdout.contains("old/"), "{}", map.stdout);
    let typo = run(&[&[start.as_str(), "--exclude", "odl/"], &FLAGS[..]].concat());
    assert_eq!(typo.code, 2, "{}", typo.stderr);
    assert!(typo.stderr.contains("--exclude"), "{}", typo.stderr);
    let both = ["--exclude", "old/a.html", "--exclude", "old/"];
    let both = run(&[&[start.as_str()], &both[..], &FLAGS[..]].concat());
    assert_eq!(both.code, 13, "a page is lost, and both globs match: {}", both.stderr);
    assert!(both.stderr.contains("; excluded: 1"), "{}", both.stderr);
    let wrong = run(&[&[start.as_str(), "--exclude", "!b"], &FLAGS[..]].concat());
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
}

#[test]
fn excluded_pages_are_not_recorded() {
    let (server, program, place) =
        (PageServer::start(answer), program(), tempfile::tempdir().unwrap());
    let start = server.url("/m/").to_string();
    let recorded = program.run(
        place.path(),
        &[
            "record",
            &start,
            "-o",
            "m.warc.gz",
            "--delay",
            "0",
            "--exclude",
            "old",
            "--exclude",
            "d.html",
            "--exclude",
            "odl/",
        ],
    );
    let said = "site-map: --exclude: no link leads to `odl/`\n";
    assert!(recorded.stderr.contains(said), "{}", recorded.stderr);
    assert_eq!(recorded.stderr.matches("no link leads to").count(), 1, "{}", recorded.stderr);
    assert_eq!(recorded.code, 0, "no picture is asked for: {}", recorded.stderr);
    assert!(recorded.stderr.contains("; excluded: 2"), "{}", recorded.stderr);
    assert!(!server.paths().iter().any(|path| path.contains("old") || path.contains("d.html")));
}

#[test]
fn a_redirect_to_an_excluded_page_is_not_followed() {
    let server = PageServer::start(|path| match path {
        "/m/" => page("<h1>Manual</h1><p>All: <a href=way.html>The timeout</a>"),
        "/m/way.html" => redirect("/m/old/a.html"),
        _ => status(404),
    });
    let start = server.url("/m/");
    let (scope, why) = (Scope::of(&start, None), "redirects to a page that rules exclude");
    let rule = Rule::new("old/", LevelRange::exactly(Level::Exclude));
    let excluded = ExcludedPaths::of(&[rule]).unwrap();
    let (mut one, _) = fetcher(options(&start));
    let limits = ExploreLimits { excluded: excluded.clone(), ..ExploreLimits::default() };
    let next = |_: &CrawlStep<'_>| ControlFlow::Continue(());
    let explored = explore(&mut one, &scope, "timeout", &limits, next).unwrap();
    assert_eq!((explored.report.n_read, explored.report.failures.len()), (1, 0));
    let (mut other, _) = fetcher(options(&start));
    let visited = visit(&mut other, &scope, &excluded, &server.url("/m/way.html"));
    assert_eq!((visited.page.unwrap_err().as_str(), visited.is_limit), (why, false));
    assert_eq!(visited.responses.last().unwrap().status, 302);
    assert!(!server.paths().contains(&"/m/old/a.html".to_owned()), "{:?}", server.paths());
}

#[test]
fn unread_pages_are_named_once_and_not_if_their_names_are_on_the_map() {
    let long = "x".repeat(5_000);
    let answers = [
        (
            "",
            format!(
                "<h1>M</h1><a href=b.html>b</a><a href=c.html?x=1>c</a><a href=c.html?y=2>c</a>\
                      <a href=b.html?z=1>b</a><a href={long}.html>x</a>"
            ),
        ),
        ("b.html", "<h1>B</h1><p>Text of 3.".to_owned()),
    ];
    let answers = answers.map(|(name, html)| Response {
        address: page_address(&format!("http://a/{name}")).unwrap(),
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html".to_owned())],
        body: html.into_bytes(),
    });
    let site = open::responses(answers.to_vec(), "a").unwrap();
    let mut names = BTreeSet::new();
    assert!(site.unread.iter().all(|name| names.insert(name)), "{:?}", site.unread);
    assert!(site.unread.iter().all(|name| site.page(name).is_none()), "{:?}", site.unread);
    let named = site.tree(&[]).unwrap().site.unwrap().unread.named;
    assert!(named.contains(&format!("{}…", "x".repeat(80))), "{named:?}");
    let rule = Rule::new("**", LevelRange::exactly(Level::Exclude));
    let all = [rule.clone(), Rule { path: "/x*".into(), ..rule }];
    let named = site.tree(&all).unwrap().site.unwrap().unread.named;
    assert!(!named.iter().any(|name| name.starts_with('x')), "{named:?}");
}

#[test]
fn pages_of_a_folder_are_excluded_by_their_paths() {
    let (program, place) = (program(), tempfile::tempdir().unwrap());
    fs::create_dir(place.path().join("more")).unwrap();
    for (name, text) in [("a.html", "Timeout is 90"), ("more/a.html", "Timeout was 30")] {
        fs::write(place.path().join(name), format!("<h1>T</h1><p>{text}.")).unwrap();
    }
    let run = |more: &[&str]| program.run(place.path(), &[&["."], &FLAGS[..2], more].concat());
    assert!(run(&[]).stdout.contains("Timeout was 30."));
    let without = run(&["--exclude", "more"]);
    assert!(!without.stdout.contains("Timeout was 30."), "{}", without.stdout);
    assert!(without.stdout.contains("Not shown: 1 page (more/ 1)."), "{}", without.stdout);
}

#[test]
fn one_page_is_no_recording_and_that_is_said() {
    let (program, place) = (program(), tempfile::tempdir().unwrap());
    fs::write(place.path().join("index.html"), "<h1>T</h1>").unwrap();
    let url = format!("file://{}", place.path().join("index.html").display());
    for source in ["index.html", &url] {
        let refused = program.run(place.path(), &[source]);
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
        let why = "index.html: it is one page (`site-map page` prints it; its folder is a site)\n";
        assert!(refused.stderr.ends_with(why), "{}", refused.stderr);
    }
}

/// Explores a site for a goal.
fn explored_for(server: &PageServer, goal: &str, max_requests: u64) -> SiteExploration {
    let start = server.url("/m/");
    let (mut fetcher, _) = fetcher(FetchOptions { max_requests, ..options(&start) });
    let next = |_: &CrawlStep<'_>| ControlFlow::Continue(());
    let limits = ExploreLimits::default();
    explore(&mut fetcher, &Scope::of(&start, None), goal, &limits, next).unwrap()
}

#[test]
fn what_the_first_page_calls_an_index_is_read_for_its_links() {
    let server = PageServer::start(|path| match path {
        "/m/" => page("<h1>Manual</h1><a href=a.html>Dishwashers</a> <a href=z.html>Index</a>"),
        "/m/z.html" => page(
            "<h1>Index</h1><dl><dt id=ientry-1>timeout, <a href=r.html>Requests</a></dt>\
             <dt id=ientry-2>colour, <a href=c.html>Paint</a></dt></dl>",
        ),
        "/m/r.html" => page("<h1>Requests</h1><p>The timeout is 30 s."),
        _ => page("<h1>Page</h1><p>Text."),
    });
    let found = explored_for(&server, "timeout", 4);
    // The entries of the index count with their words.
    assert_eq!(server.paths(), ["/m/", "/m/z.html", "/m/r.html"]);
    let unread: Vec<&str> = found.unread.iter().map(|page| page.title.as_str()).collect();
    assert_eq!(unread, ["Dishwashers", "colour, Paint"]);
}

#[test]
fn what_stands_beside_a_link_in_its_row_definition_or_item_counts_for_it() {
    let first = "<h1>Manual</h1><table><tr><td><a href=a.html>za</a><td>Encrypt wombats</tr>\
                 <tr><td><a href=b.html>zb</a><td>Compress <a href=x.html>frobnicators</a></table>\
                 <dl><dt><a href=c.html>zc</a><dd>Levitate pumpkins</dl>\
                 <ul><li><a href=d.html>zd</a>: juggle anvils<li><a href=e.html>ze</a></ul>";
    let server = PageServer::start(move |path| match path {
        "/m/" => page(first),
        _ => page("<h1>Page</h1><p>Text."),
    });
    for (goal, wanted) in [
        ("compress", "/m/b.html"),
        ("levitate pumpkins", "/m/c.html"),
        ("anvils", "/m/d.html"),
        ("frobnicators", "/m/x.html"),
    ] {
        let n_before = server.paths().len();
        explored_for(&server, goal, 3);
        assert_eq!(server.paths()[n_before..], ["/m/", wanted], "{goal}");
    }
}

#[test]
fn an_identifier_in_a_link_or_a_goal_is_found_in_other_capitals() {
    let server = PageServer::start(|path| match path {
        "/m/" => page(
            "<h1>Manual</h1><a href=a.html>Ports</a> <a href=z.html>Set up OpenSSL</a> \
             <a href=getelementptr.html>The instruction</a>",
        ),
        _ => page("<h1>Page</h1><p>Text."),
    });
    for (goal, wanted) in [("openssl", "/m/z.html"), ("GetElementPtr", "/m/getelementptr.html")] {
        let n_before = server.paths().len();
        explored_for(&server, goal, 3);
        assert_eq!(server.paths()[n_before..], ["/m/", wanted], "{goal}");
    }
}

#[test]
fn links_beyond_the_limit_of_a_page_are_counted() {
    let hrefs: String = (0..20_010).map(|n| format!("<a href=p{n}.html>x</a>")).collect();
    let server = PageServer::start(move |path| match path {
        "/m/" => page(&hrefs),
        _ => page("x"),
    });
    let found = explored_for(&server, "timeout", 2);
    let text = found.report.to_string();
    let cut = "; not read, links beyond the limit per page: 10";
    assert!(text.contains("beyond the limit of requests: 20000") && text.contains(cut), "{text}");
}

#[test]
fn a_server_that_asks_to_wait_for_long_is_left_alone() {
    let server = PageServer::start(|path| match path {
        "/m/" => page("<h1>Manual</h1><a href=a.html>Timeout</a> <a href=b.html>More</a>"),
        "/robots.txt" => status(404),
        _ => with_headers(429, &[("Retry-After", "3600")], b"later"),
    });
    let found = explored_for(&server, "timeout", 40);
    assert_eq!(server.paths(), ["/m/", "/m/a.html"]);
    let text = found.report.to_string().replace(server.url("/").as_str(), "http://a/");
    assert_eq!(
        text,
        "1 of 2 pages failed; not read, the server asks to wait 3600 s: 1\n\
         http://a/m/a.html: status 429, and the server asks to wait 3600 s"
    );
}

#[test]
fn a_folder_whose_pages_are_gone_waits() {
    let link = |nth: usize| format!("<a href=gone/{nth}.html>The timeout of a request</a> ");
    let gone: String = (0..20).map(link).collect();
    let first = format!("<h1>Manual</h1>{gone}<a href=kept/a.html>Requests</a>");
    let server = PageServer::start(move |path| match path {
        "/m/" => page(&first),
        "/m/kept/a.html" => page("<h1>Requests</h1><p>The timeout is 90 s."),
        _ => status(404),
    });
    let found = explored_for(&server, "timeout of a request", 8);
    assert_eq!(found.report.n_read, 2, "{:?}", server.paths());
}

#[test]
fn names_with_an_ending_that_is_no_page_wait() {
    let link = |nth: usize| format!("<a href=files/{nth}/timeout.tac>timeout of a request</a> ");
    let files: String = (0..20).map(link).collect();
    let first = format!("<h1>Manual</h1>{files}<a href=kept/a.html>Requests</a>");
    let server = PageServer::start(move |path| match path {
        "/m/" => page(&first),
        "/m/kept/a.html" => page("<h1>Requests</h1><p>The timeout is 90 s."),
        "/robots.txt" => status(404),
        _ => with_headers(200, &[("Content-Type", "application/octet-stream")], b"x = 1"),
    });
    let found = explored_for(&server, "timeout of a request", 8);
    assert_eq!(found.report.n_read, 2, "{:?}", server.paths());
}

#[test]
fn sources_of_pages_wait_unless_they_are_pages() {
    let sources = ["_sources/timeout.rst.txt", "timeout.md"];
    let links = sources.map(|name| format!("<a href={name}>timeout of a request</a> ")).concat();
    let first = format!("<h1>Manual</h1>{links}<a href=kept/a.html>Requests</a>");
    let answer = move |path: &str| match path {
        "/m/" | "/m/README.md" => page(&first),
        "/m/kept/a.html" | "/m/timeout.md" => page("<h1>Requests</h1><p>The timeout is 90 s."),
        "/robots.txt" => status(404),
        _ => with_headers(200, &[("Content-Type", "text/plain")], b"Timeout"),
    };
    let server = PageServer::start(answer.clone());
    explored_for(&server, "timeout of a request", 8);
    let read = server.paths();
    let at = |name: &str| read.iter().position(|path| path == name).unwrap();
    let [source, markdown] = ["/m/_sources/timeout.rst.txt", "/m/timeout.md"];
    assert!(at("/m/kept/a.html") < at(source).min(at(markdown)), "{read:?}");
    // Where Markdown is shown as pages, it is no source.
    let server = PageServer::start(answer);
    let start = server.url("/m/README.md");
    let (mut fetcher, _) = fetcher(FetchOptions { max_requests: 8, ..options(&start) });
    let limits = ExploreLimits::default();
    let next = |_: &CrawlStep<'_>| ControlFlow::Continue(());
    explore(&mut fetcher, &Scope::of(&start, None), "timeout of a request", &limits, next).unwrap();
    let read = server.paths();
    let at = |name: &str| read.iter().position(|path| path == name).unwrap();
    assert!(at(markdown) < at(source), "{read:?}");
}

#[test]
fn what_goes_on_records_each_page_before_it_asks_for_the_next_one() {
    let (server, place) = (PageServer::start(answer), tempfile::tempdir().unwrap());
    let (start, file) = (server.url("/m/"), place.path().join("m.warc.gz"));
    let mut writer = RecordingWriter::create(&file).unwrap();
    let (mut fetcher, _) = fetcher(options(&start));
    let scope = Scope::of(&start, None);
    let mut seen = Vec::new();
    let next = |step: &CrawlStep<'_>| {
        // As another process finds the file if this one is killed now.
        let recording = Recording::open(&file).unwrap();
        seen.push((step.address.path().to_owned(), recording.status(step.address).is_some()));
        if seen.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let limits = ExploreLimits::default();
    let goal = "timeout";
    writer.append(&fetcher.send(&start).unwrap()).unwrap();
    let explored = explore_on(&mut fetcher, &mut writer, &scope, goal, &limits, next).unwrap();
    let pages = ["/m/b.html", "/m/d.html", "/m/c.html"];
    assert_eq!(seen, pages.map(|page| (page.to_owned(), true)));
    assert_eq!(explored.report.n_read, 2, "`d.html` is not there");
}

/// A goal of which no link of the manual but one has a word.
const OTHER_WORDS: &str = "delete a folder with everything inside";

fn manual(path: &str) -> PageAnswer {
    match path {
        "/m/" => page(
            "<h1>Manual</h1><a href=a.html>The colour of a newsletter</a> \
             <a href=b.html>Listen on a port</a> <a href=c.html>Remove entire directory trees</a>",
        ),
        "/m/with.html" => page("<h1>With</h1><a href=d.html>Delete mail</a>"),
        "/m/a.html" | "/m/b.html" | "/m/c.html" | "/m/d.html" => page("<h1>Page</h1><p>Text."),
        _ => status(404),
    }
}

/// Explores the manual for the goal; `known` are the names and titles of pages known before.
fn explored(
    server: &PageServer,
    start: &str,
    max_requests: u64,
    known: &[(&str, &str)],
) -> SiteExploration {
    let start = server.url(start);
    let (mut fetcher, _) = fetcher(FetchOptions { max_requests, ..options(&start) });
    let known = known.iter().map(|(name, title)| ListedPage {
        address: start.join(name).unwrap(),
        title: (*title).to_owned(),
        notes: String::new(),
        heading: String::new(),
    });
    let limits = ExploreLimits { known: known.collect(), ..ExploreLimits::default() };
    let next = |_: &CrawlStep<'_>| ControlFlow::Continue(());
    explore(&mut fetcher, &Scope::of(&start, None), OTHER_WORDS, &limits, next).unwrap()
}

#[test]
fn a_link_in_other_words_is_read_first_and_lists_are_asked_for_all_the_same() {
    let server = PageServer::start(manual);
    let first = explored(&server, "/m/", 5, &[]);
    // Robots are the fifth request. No link has a word of the goal.
    assert_eq!(server.paths(), ["/m/", "/llms.txt", "/sitemap.xml", "/m/c.html"]);
    let [near, far @ ..] =
        &[&first.promised[0].1, &first.unread[0].evidence, &first.unread[1].evidence];
    assert!(far.iter().all(|far| *near > *far), "{near} {far:?}");
    // Another reading finds the same, to the last bit.
    let second = explored(&server, "/m/", 5, &[]);
    assert_eq!((first.promised, first.unread), (second.promised, second.unread));
}

#[test]
fn a_word_of_the_goal_keeps_lists_from_being_asked_for() {
    let server = PageServer::start(manual);
    explored(&server, "/m/with.html", 40, &[]);
    assert_eq!(server.paths(), ["/m/with.html", "/m/d.html"]);
}

#[test]
fn links_of_equal_promise_are_read_in_the_order_of_addresses() {
    let server = PageServer::start(|path| match path {
        "/m/" => page(
            "<h1>M</h1><a href=z.html>Remove directories</a><a href=a.html>Shapes</a> \
             <a href=y.html>Directories, remove</a><a href=x.html>Remove directories</a>",
        ),
        "/llms.txt" | "/sitemap.xml" => status(404),
        _ => page("<h1>Page</h1><p>Text."),
    });
    explored(&server, "/m/", 40, &[]);
    let pages = ["/m/x.html", "/m/y.html", "/m/z.html", "/m/a.html"];
    assert_eq!(server.paths()[3..], pages);
}

#[test]
fn of_a_known_site_words_say_what_is_worth_reading_and_nearness_what_comes_first() {
    let server = PageServer::start(manual);
    let known = [
        ("a.html", "Delete mail"),
        ("b.html", "Listen on a port"),
        ("c.html", "Remove entire directory trees"),
        ("d.html", "Delete directory trees"),
    ];
    explored(&server, "/m/", 40, &known);
    assert_eq!(server.paths(), ["/m/", "/m/d.html", "/m/a.html"]);
}
