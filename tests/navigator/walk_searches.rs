//! Searches of walks without a model: when one is made, what it may use, and what comes of it.

use navigator::walk::action::WalkAction;
use navigator::walk::pilot::offline::OfflineWalker;
use navigator::walk::report::WalkReport;
use navigator::walk::state::WalkState;
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::{Walked, walk};
use navigator::{EffectLedger, ResourceLimits};
use site_map::source::recording::Recording;
use test_support::{repo, sealed};

use crate::page_server::{PageServer, page, status};
use crate::walks::{Listed, live_session};

const GOAL: &str = "interrupted backup";

/// A manual whose links say nothing of the page that answers.
fn manual() -> PageServer {
    PageServer::of(vec![
        (
            "/",
            page(
                "<h1>Manual</h1><ul><li><a href=auto.html>Automating a backup</a>
                <li><a href=more.html>More</a><li><a href=keys.html>Keys</a></ul>",
            ),
        ),
        ("/auto.html", page("<h1>Automating</h1><p>A script makes a backup each night.")),
        ("/keys.html", page("<h1>Keys</h1><p>Each repository has a key of its own.")),
        ("/more.html", page("<h1>More</h1><a href=faq.html>Common topics</a>")),
        (
            "/faq.html",
            page(
                "<h1>Common topics</h1><h2>Keys</h2><p>They can be changed.
                <h2>If a backup stops mid-way</h2><p>An interrupted backup goes on at the last
                checkpoint: begin it again.",
            ),
        ),
    ])
}

fn walked_on(server: &PageServer, goal: &str) -> Walked {
    let (folder, limits) = (repo(""), WalkLimits::default());
    let mut session = live_session(&server.url("/"), &folder);
    let (mut pilot, state) = (OfflineWalker::default(), WalkState::first());
    let effects = EffectLedger::default();
    walk(&mut session, goal, state, &mut pilot, &limits, effects, &mut ()).unwrap()
}

#[test]
fn what_links_do_not_say_is_searched_for_and_comes_first() {
    let server = manual();
    let walked = walked_on(&server, GOAL);
    let report = WalkReport::of(&walked, GOAL);
    let steps: Vec<&str> = report.path_taken.iter().map(|step| step.action.as_str()).collect();
    assert!(steps.contains(&"search 'interrupted backup'"), "{steps:?}");
    assert!(report.content.starts_with("## If a backup stops mid-way"), "{}", report.content);
    assert_eq!(report.url, server.url("/faq.html").as_str());
    // Links led to another page: nothing says which of them is right.
    assert_eq!(walked.stop.as_str(), "given_up");
    let text = report.text().to_string();
    assert_eq!(text.matches("From: ").count(), report.extracts.len(), "{text}");
    // A stored walk may lack what its path took.
    let mut damaged = walked;
    damaged.state.extracts.clear();
    assert_eq!(WalkReport::of(&damaged, GOAL).content, "");
}

#[test]
fn a_section_that_is_called_as_the_goal_is_taken_without_those_that_mention_it() {
    let server = PageServer::of(vec![
        ("/", page("<h1>Manual</h1><a href=more.html>More</a><a href=notes.html>Notes</a>")),
        ("/notes.html", page("<h1>Notes</h1><p>The size of a message has a limit.")),
        ("/more.html", page("<h1>More</h1><a href=options.html>Options</a>")),
        (
            "/options.html",
            page(
                "<h1>Options</h1><h2>bounce_size_limit</h2><p>The size of what goes back; the value
                of size_limit holds for it too.<h2>size_limit</h2><p>The largest message.",
            ),
        ),
    ]);
    let report = WalkReport::of(&walked_on(&server, "`size_limit`"), "`size_limit`");
    assert_eq!(report.content, "## size_limit\n\nThe largest message.", "{:?}", report.path_taken);
}

#[test]
fn a_search_is_within_the_limits_of_its_walk_and_recorded() {
    let links: String = (0..30).map(|n| format!("<a href={n}.html>Backup {n}</a>")).collect();
    let front = format!("<h1>Manual</h1>{links}");
    let server = PageServer::start(move |path| match path {
        "/" => page(&front),
        "/robots.txt" => status(404),
        path => page(&format!("<h1>Backup {path}</h1><p>It goes on.</p>")),
    });
    let folder = repo("");
    // Its fetcher has no limit.
    let mut session = live_session(&server.url("/"), &folder);
    let resources = ResourceLimits { requests: Some(12), ..ResourceLimits::default() };
    let limits = WalkLimits { resources, ..WalkLimits::default() };
    let search = WalkAction::Search { words: GOAL.to_owned() };
    let mut pilot = Listed(vec![search, WalkAction::GiveUp { reason: String::new() }]);
    let (state, effects) = (WalkState::first(), EffectLedger::default());
    let walked = walk(&mut session, GOAL, state, &mut pilot, &limits, effects, &mut ()).unwrap();
    assert_eq!(walked.used.requests, 12, "{:?}", walked.stop);
    let recording = Recording::open(&folder.path().join("r.warc.gz")).unwrap();
    let asked: Vec<String> = server.paths();
    for path in asked.iter().filter(|path| *path != "/robots.txt") {
        assert!(recording.status(&server.url(path)).is_some(), "{path}");
    }
}

#[test]
fn a_search_is_not_made_again_when_its_walk_goes_on_or_is_replayed() {
    let (server, at) = (manual(), repo(""));
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let site = server.url("/").to_string();
    let flags = ["--goal", GOAL, "--delay", "0", "--out", "run", "--max-steps", "3"];
    let begun = navigator.run(at.path(), &[&["browse", &site], &flags[..]].concat());
    assert_eq!(begun.code, 4, "{}", begun.stderr);
    assert!(begun.stdout.contains("An interrupted backup goes on"), "{}", begun.stdout);
    let n_asked = server.received().len();
    let again = ["browse", "--resume", "run", "--max-steps", "9", "-v"];
    let resumed = navigator.run(at.path(), &again);
    assert_eq!(resumed.code, 4, "{}", resumed.stderr);
    assert!(!resumed.stderr.contains("search 'interrupted backup' →"), "{}", resumed.stderr);
    assert_eq!(server.received().len(), n_asked, "all pages were read");
    drop(server);
    let replayed = navigator.run(at.path(), &["replay", "run"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &resumed.stdout), "{}", replayed.stderr);
}
