//! Searches of walks: when one is made, what it may use, and what comes of it.

use navigator::walk::pilot::asked::ModelWalker;
use navigator::walk::pilot::offline::OfflineWalker;
use navigator::walk::report::WalkReport;
use navigator::walk::state::WalkState;
use navigator::walk::steps::limits::WalkLimits;
use navigator::walk::steps::{Walked, walk};
use navigator::{EffectLedger, Ledger, ModelLimits, PicoUsd, Price, Request, ResourceLimits, Stop};
use serde_json::{Value, json};
use site_map::source::recording::Recording;
use test_support::{Repo, repo, sealed};

use crate::page_server::{PageServer, page, status};
use crate::scripted_model::Scripted;
use crate::walks::live_session;

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

fn walked_on(server: &PageServer, folder: &Repo, limits: &WalkLimits) -> Walked {
    let mut session = live_session(&server.url("/"), folder);
    let (mut pilot, state) = (OfflineWalker::default(), WalkState::first());
    let effects = EffectLedger::default();
    walk(&mut session, GOAL, state, &mut pilot, limits, effects, &mut ()).unwrap()
}

#[test]
fn what_links_do_not_say_is_searched_for_and_comes_first() {
    let (server, folder) = (manual(), repo(""));
    let walked = walked_on(&server, &folder, &WalkLimits::default());
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
fn a_search_is_within_the_limit_of_requests_and_recorded() {
    let (server, folder) = (manual(), repo(""));
    let resources = ResourceLimits { requests: Some(4), ..ResourceLimits::default() };
    let limits = WalkLimits { resources, ..WalkLimits::default() };
    let walked = walked_on(&server, &folder, &limits);
    assert!(walked.used.requests <= 4, "{:?}", walked.used);
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

/// Walks with a model that answers from a list, at most `requests` requests. Returns the walk and
/// what the model was sent.
fn asked_on(server: &PageServer, requests: u64, answers: Vec<Value>) -> (Walked, Vec<Request>) {
    let folder = repo("");
    let model = Scripted { answers, asked: Default::default() };
    let asked = model.asked.clone();
    let mut journal: Vec<String> = Vec::new();
    let ledger = Ledger::new(PicoUsd::DEFAULT_LIMIT, Price::default(), &[], &mut journal);
    let mut pilot =
        ModelWalker::new(Box::new(model), ledger, ModelLimits::default(), Box::new(|_| {}));
    let resources = ResourceLimits { requests: Some(requests), ..ResourceLimits::default() };
    let limits = WalkLimits { resources, ..WalkLimits::default() };
    let mut session = live_session(&server.url("/"), &folder);
    let effects = EffectLedger::default();
    let state = WalkState::first();
    let walked = walk(&mut session, GOAL, state, &mut pilot, &limits, effects, &mut ()).unwrap();
    drop(pilot);
    (walked, asked.lock().unwrap().clone())
}

#[test]
fn a_model_searches_with_words_of_its_own_and_opens_what_was_found() {
    let server = manual();
    let faq = server.url("/faq.html").to_string();
    let (walked, requests) = asked_on(
        &server,
        40,
        vec![
            json!({ "action": "search", "target": "backup stops" }),
            json!({ "action": "search", "target": "backup stops" }),
            json!({ "action": "open", "target": faq }),
            json!({ "action": "extract", "answer": "begin it again", "citations": ["begin it again"] }),
        ],
    );
    assert_eq!(walked.stop, Stop::Finished);
    let first = &requests[0];
    assert!(first.stable.contains("- search: "), "{}", first.stable);
    let found = requests[1].turn.to_string();
    let place = "Common topics › If a backup stops mid-way";
    assert!(found.contains("The last search found these places"), "{found}");
    assert!(found.contains(&faq) && found.contains(place), "{found}");
    // The second time it brings nothing new.
    let again = requests[2].turn.to_string();
    assert!(again.contains("`backup stops` was searched for before"), "{again}");
    assert_eq!(walked.state.n_steps(), 3);
}

#[test]
fn a_search_of_a_model_leaves_half_of_the_requests() {
    let links: String = (0..30).map(|n| format!("<a href={n}.html>Backup {n}</a>")).collect();
    let front = format!("<h1>Manual</h1>{links}");
    let server = PageServer::start(move |path| match path {
        "/" => page(&front),
        "/robots.txt" => status(404),
        path => page(&format!("<h1>Backup {path}</h1>")),
    });
    let search = |words: &str| json!({ "action": "search", "target": words });
    let give_up = json!({ "action": "give_up", "answer": "nothing" });
    let (walked, _) = asked_on(&server, 20, vec![search("backup"), give_up]);
    // The rules for robots and the first page, and half of the 18 that were left.
    assert_eq!(walked.used.requests, 11, "{:?}", walked.used);
}
