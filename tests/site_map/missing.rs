//! Pages that say "not found" with the status of a page.

use std::ops::ControlFlow;

use repo_map::plan::ExcludedPaths;
use site_map::explore::{ExploreLimits, explore, visit};
use site_map::site::open;
use site_map::{Scope, Site};

use crate::platform::{fetcher, options};
use crate::server::{PageServer, page};

const MISSING: &str = "<title>Oops | A manual</title><h1>Page not found</h1><p>Look elsewhere.";

#[test]
fn a_page_that_says_it_does_not_exist_is_a_failure_and_not_in_the_site() {
    let server = PageServer::start(|path| match path {
        "/d/" => page("<h1>Start</h1><a href=gone>Limits</a> <a href=status/404>Status 404</a>"),
        "/d/status/404" => page("<h1>404 Not Found</h1><p>The status of what is not there."),
        _ => page(MISSING),
    });
    let start = server.url("/d/");
    let (mut fetcher, _) = fetcher(options(&start));
    let (scope, limits) = (Scope::of(&start, None), ExploreLimits::default());
    let explored =
        explore(&mut fetcher, &scope, "limits", &limits, |_| ControlFlow::Continue(())).unwrap();
    let failures: Vec<String> = explored
        .report
        .failures
        .iter()
        .map(|failure| format!("{}: {}", failure.address.path(), failure.reason))
        .collect();
    assert_eq!(failures, ["/d/gone: says that it does not exist, with status 200"]);
    let site: Site = open::responses(explored.responses, "here").unwrap();
    let names: Vec<&str> = site.pages.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["index.html", "status/404"]);
    assert_eq!(site.missing, [start.join("gone").unwrap()]);
    let visited =
        visit(&mut fetcher, &scope, &ExcludedPaths::default(), &start.join("other").unwrap());
    assert_eq!(visited.page.unwrap_err(), "says that it does not exist, with status 200");
}
