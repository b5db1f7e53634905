//! Pages that only send their reader to another one.

use std::fs;
use std::ops::ControlFlow;

use site_map::Scope;
use site_map::explore::{ExploreLimits, explore};
use site_map::site::open;

use crate::platform::{fetcher, options};
use crate::server::{PageServer, page, redirect, status};

fn sent_to(target: &str) -> String {
    format!("<meta http-equiv='Refresh' content='0; url={target}'>The page is <a href=x>there</a>.")
}

#[test]
fn in_a_folder_they_are_left_out_and_links_to_them_are_links_to_their_targets() {
    let folder = tempfile::tempdir().unwrap();
    let pages = [
        ("index.html", "<h1>Manual</h1><p>See <a href=old.html>pumps</a>.".to_owned()),
        ("old.html", sent_to("older.html#top")),
        ("older.html", sent_to("pumps.html")),
        ("pumps.html", "<h1>Pumps</h1><p>3 bar.".to_owned()),
        ("circle.html", sent_to("round.html")),
        ("round.html", sent_to("circle.html")),
        ("clock.html", format!("<h1>Clock</h1>{}", sent_to("clock.html"))),
    ];
    for (name, html) in pages {
        fs::write(folder.path().join(name), html).unwrap();
    }
    let site = open::folder(folder.path()).unwrap();
    let names: Vec<&str> = site.pages.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["clock.html", "index.html", "pumps.html"]);
    assert_eq!(site.links(), [("index.html".to_owned(), "pumps.html".to_owned())]);
    let said = "3 pages; left out: 4 pages that redirect to another";
    assert_eq!(site.left_out().as_deref(), Some(said));
}

#[test]
fn a_server_is_followed_within_the_scope_and_not_for_ever() {
    let server = PageServer::start(|path| match path {
        "/" => page(&sent_to("m/index.html")),
        "/m/index.html" => {
            page("<h1>Manual</h1><a href=pumps.html>Pumps</a> <a href=circle.html>Pumps</a>")
        }
        "/m/pumps.html" => page("<h1>Pumps</h1><p>3 bar."),
        "/m/circle.html" => page(&sent_to("round.html")),
        "/m/round.html" => page(&sent_to("circle.html")),
        _ => status(404),
    });
    let start = server.url("/");
    let (mut fetcher, _) = fetcher(options(&start));
    let (scope, limits) = (Scope::of(&start, None), ExploreLimits::default());
    let explored =
        explore(&mut fetcher, &scope, "pumps", &limits, |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(explored.report.n_read, 2);
    let failures: Vec<&str> =
        explored.report.failures.iter().map(|failure| failure.reason.as_str()).collect();
    assert_eq!(failures, ["redirect loop"]);
    let site = open::responses(explored.responses, "here").unwrap();
    let names: Vec<&str> = site.pages.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["m/index.html", "m/pumps.html"]);
}

#[test]
fn what_recording_counts_as_no_failure_is_none_of_exploring() {
    let server = PageServer::start(|path| match path {
        "/robots.txt" => page("User-agent: *\nDisallow: /m/private"),
        "/m/" => page(
            "<h1>Manual</h1><a href=a>Pumps</a> <a href=b>Pumps</a> <a href=c>Pumps</a>
             <a href=out>Pumps</a> <a href=private>Pumps</a> <a href=self>Pumps</a>",
        ),
        "/m/a" | "/m/b" | "/m/c" => redirect("/m/login"),
        "/m/login" => page("<h1>Login</h1><p>Pumps.</p>"),
        "/m/out" => redirect("/elsewhere"),
        "/m/self" => redirect("/m/self"),
        _ => status(404),
    });
    let start = server.url("/m/");
    let (mut fetcher, _) = fetcher(options(&start));
    let (scope, limits) = (Scope::of(&start, None), ExploreLimits::default());
    let explored =
        explore(&mut fetcher, &scope, "pumps", &limits, |_| ControlFlow::Continue(())).unwrap();
    let report = explored.report;
    assert_eq!((report.n_read, report.n_redirects, report.elsewhere.len()), (2, 2, 1));
    assert_eq!((report.forbidden.len(), report.failures.len()), (1, 1));
    for once in ["/m/login", "/m/self"] {
        assert_eq!(server.paths().iter().filter(|path| *path == once).count(), 1, "{once}");
    }
}
