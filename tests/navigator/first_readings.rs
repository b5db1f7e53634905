//! Runs over a site that are killed while its pages are read for the first time.

use std::fs;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use test_support::{Repo, Sealed, repo, sealed};

use crate::page_server::{PageAnswer, PageServer, page, redirect, status};

const FLAGS: [&str; 8] = [
    "--goal",
    "how is the timeout of a request raised?",
    "-t",
    "400",
    "--delay",
    "0",
    "--max-requests",
    "7",
];

fn manual(path: &str) -> PageAnswer {
    match path {
        "/m/" => page(
            "<title>Manual</title><h1>Manual</h1><p>All about requests. \
             <a href=gone.html>Raise the timeout of a request</a> <a href=old.html>A request</a> \
             <a href=b.html>Colours</a> <a href=c.html>Shapes</a>",
        ),
        "/m/old.html" => redirect("/m/new.html"),
        "/m/new.html" => page(
            "<title>Requests</title><h1>Requests</h1><p>A request is sent, see \
             <a href=timeout.html>its timeout</a>.",
        ),
        "/m/timeout.html" => {
            page("<title>Timeouts</title><h1>Timeouts</h1><p>Raise the timeout of a request to 90.")
        }
        "/m/b.html" | "/m/c.html" => page("<title>Blue</title><h1>Colours</h1><p>Blue."),
        _ => status(404),
    }
}

/// Which request of a server is not answered: the number of requests that come before it.
type Stuck = Arc<Mutex<Option<usize>>>;

/// A server of the manual that does not answer one request.
fn server(stuck: &Stuck) -> PageServer {
    server_of(stuck, manual)
}

fn server_of(stuck: &Stuck, answer: fn(&str) -> PageAnswer) -> PageServer {
    let stuck = Arc::clone(stuck);
    PageServer::start(move |path| {
        let mut left = stuck.lock().unwrap();
        match &mut *left {
            Some(0) => {
                *left = None;
                PageAnswer::Silence
            }
            Some(n) => {
                *n -= 1;
                answer(path)
            }
            None => answer(path),
        }
    })
}

/// Begins a run in the folder `run`, and kills it when a request waits for its answer.
fn killed(navigator: &Sealed, at: &Repo, site: &str, stuck: (&Stuck, usize)) {
    killed_with(navigator, at, site, stuck, &FLAGS);
}

fn killed_with(navigator: &Sealed, at: &Repo, site: &str, stuck: (&Stuck, usize), flags: &[&str]) {
    *stuck.0.lock().unwrap() = Some(stuck.1);
    let mut command = navigator.command(at.path());
    command.args(["explore", site, "--out", "run"]).args(flags);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_stuck = || stuck.0.lock().unwrap().is_none();
    for _ in 0..6_000 {
        if is_stuck() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert!(is_stuck());
    child.kill().unwrap();
    child.wait().unwrap();
}

fn kept(at: &Repo, name: &str) -> String {
    fs::read_to_string(at.path().join("run").join(name)).unwrap()
}

#[test]
fn a_run_killed_at_any_request_of_its_first_reading_ends_with_the_same_bytes() {
    let (navigator, stuck) = (sealed(env!("CARGO_BIN_EXE_navigator")), Stuck::default());
    let server = server(&stuck);
    let site = server.url("/m/").to_string();
    let whole = repo("");
    let args = [&["explore", &site, "--out", "run"][..], &FLAGS].concat();
    let ran = navigator.run(whole.path(), &args);
    assert_eq!(ran.code, 6, "{}", ran.stderr);
    assert!(ran.stdout.contains("Raise the timeout of a request to 90."), "{}", ran.stdout);
    let n_whole = server.received().len();
    assert_eq!(n_whole, 7, "{:?}", server.paths());

    // After robots.txt and the first page, at each request but the last, too.
    for n_before in 2..n_whole {
        let (at, n_sent) = (repo(""), server.received().len());
        killed(&navigator, &at, &site, (&stuck, n_before));
        let runs = navigator.run(at.path(), &args);
        assert_eq!(runs.code, 2, "{}", runs.stderr);
        assert!(runs.stderr.contains("(`--resume run` goes on with it; "), "{}", runs.stderr);
        let resumed = navigator.run(at.path(), &["explore", "--resume", "run"]);
        assert_eq!((resumed.code, &resumed.stdout), (6, &ran.stdout), "{}", resumed.stderr);
        let n_sent = server.received().len() - n_sent;
        // The page that was cut off is asked for again, here with one redirect before it.
        assert!(n_sent == n_whole + 1 || n_sent == n_whole + 2, "{n_sent} of {n_whole}");
        for name in ["plan.yaml", "summary.md", "context.md", "decision-log.jsonl"] {
            assert_eq!(kept(&at, name), kept(&whole, name), "{name} after {n_before} requests");
        }
        let replayed = navigator.run(at.path(), &["replay", "run"]);
        assert_eq!((replayed.code, &replayed.stdout), (0, &ran.stdout), "{}", replayed.stderr);
    }
}

#[test]
fn a_run_killed_before_its_first_page_has_nothing_to_go_on_with() {
    let (navigator, stuck) = (sealed(env!("CARGO_BIN_EXE_navigator")), Stuck::default());
    let (server, at) = (server(&stuck), repo(""));
    let site = server.url("/m/").to_string();
    killed(&navigator, &at, &site, (&stuck, 1));
    let refused = navigator.run(at.path(), &["explore", "--resume", "run"]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(refused.stderr.contains("run is not the folder of a run"), "{}", refused.stderr);
    let args = [&["explore", &site, "--out", "run"][..], &FLAGS].concat();
    let begun = navigator.run(at.path(), &args);
    assert_eq!(begun.code, 6, "{}", begun.stderr);
}

#[test]
fn a_first_reading_that_was_cut_off_keeps_its_scope_and_what_it_used() {
    let (navigator, stuck) = (sealed(env!("CARGO_BIN_EXE_navigator")), Stuck::default());
    let (server, at) = (server(&stuck), repo(""));
    let site = server.url("/m/").to_string();
    killed(&navigator, &at, &site, (&stuck, 3));
    let resume = |flags: &[&str]| {
        navigator.run(at.path(), &[&["explore", "--resume", "run"], flags].concat())
    };
    let mut said = String::new();
    for flags in [["--max-requests", "2"], ["--scope", "/"]] {
        let refused = resume(&flags);
        assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
        said += &refused.stderr;
    }
    insta::assert_snapshot!(said, @"
    navigator: --max-requests: 3 requests were sent already, and 2 is less
    navigator: --scope: a run keeps its scope, because its pages are named by it (begin another run)
    ");
    let more = resume(&["--max-requests", "90"]);
    assert_eq!(more.code, 13, "{}", more.stderr);
    assert!(more.stderr.contains("8 of 90 requests"), "{}", more.stderr);
}

#[test]
fn a_first_reading_without_a_whole_record_begins_again() {
    let (navigator, stuck) = (sealed(env!("CARGO_BIN_EXE_navigator")), Stuck::default());
    let server = server(&stuck);
    let site = server.url("/m/").to_string();
    let args = [&["explore", &site, "--out", "run"][..], &FLAGS].concat();
    let whole = navigator.run(repo("").path(), &args);
    for left in [None, Some(0), Some(9)] {
        let at = repo("");
        killed(&navigator, &at, &site, (&stuck, 3));
        let recording = at.path().join("run/recording.warc.gz");
        let bytes = fs::read(&recording).unwrap();
        match left {
            Some(n) => fs::write(&recording, &bytes[..n]).unwrap(),
            None => fs::remove_file(&recording).unwrap(),
        }
        let resumed = navigator.run(at.path(), &["explore", "--resume", "run"]);
        assert_eq!((resumed.code, &resumed.stdout), (6, &whole.stdout), "{}", resumed.stderr);
        let replayed = navigator.run(at.path(), &["replay", "run"]);
        assert_eq!((replayed.code, &replayed.stdout), (0, &whole.stdout), "{}", replayed.stderr);
    }
}

/// The rules for robots are elsewhere, and four addresses lead to one page.
fn winding(path: &str) -> PageAnswer {
    match path {
        "/robots.txt" => redirect("/a/robots.html"),
        "/m/" => page(
            "<title>Manual</title><h1>Manual</h1><p><a href=1.html>Timeout of a request</a> \
             <a href=2.html>Raise a timeout</a> <a href=3.html>A request</a> \
             <a href=4.html>A timeout</a> <a href=5.html>Shapes</a>",
        ),
        "/m/1.html" | "/m/2.html" | "/m/3.html" | "/m/4.html" => redirect("/m/new.html"),
        "/m/new.html" => page("<title>Timeouts</title><h1>Timeouts</h1><p>Raise it to 90."),
        "/m/5.html" => page("<title>Shapes</title><h1>Shapes</h1><p>Round."),
        _ => status(404),
    }
}

#[test]
fn a_first_reading_goes_on_from_its_start_and_counts_each_request_once() {
    let (navigator, stuck) = (sealed(env!("CARGO_BIN_EXE_navigator")), Stuck::default());
    let (server, at) = (server_of(&stuck, winding), repo(""));
    let site = server.url("/m/").to_string();
    let flags = ["--goal", "how is the timeout of a request raised?", "--delay", "0"];
    let args = [&["explore", &site, "--out", "run"][..], &flags].concat();
    let whole = navigator.run(repo("").path(), &args);
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    // The rules and where they are, the start, four redirects, the page that they lead to, a page.
    assert!(whole.stderr.contains("9 of 40 requests"), "{}", whole.stderr);
    killed(&navigator, &at, &site, (&stuck, 6));
    let resumed = navigator.run(at.path(), &["explore", "--resume", "run", "--max-requests", "40"]);
    assert_eq!((resumed.code, &resumed.stdout), (0, &whole.stdout), "{}", resumed.stderr);
    // The page is not asked for again: it was answered once.
    assert!(resumed.stderr.contains("9 of 40 requests"), "{}", resumed.stderr);
}

#[test]
fn a_misspelt_exclusion_leaves_no_run_behind_and_a_resumed_reading_checks_it() {
    let (navigator, stuck) = (sealed(env!("CARGO_BIN_EXE_navigator")), Stuck::default());
    let (server, at) = (server(&stuck), repo(""));
    let site = server.url("/m/").to_string();
    let explore = |glob: &str| {
        let args = [&["explore", &site, "--out", "run", "--exclude", glob][..], &FLAGS].concat();
        navigator.run(at.path(), &args)
    };
    let refused = explore("tmieout.html");
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("tmieout.html"), "{}", refused.stderr);
    assert!(!at.path().join("run").exists());
    let right = explore("timeout.html");
    assert_eq!(right.code, 13, "a page is gone: {}", right.stderr);

    let cut = repo("");
    let excluding = [&["--exclude", "tmieout.html"][..], &FLAGS].concat();
    killed_with(&navigator, &cut, &site, (&stuck, 3), &excluding);
    let resumed = navigator.run(cut.path(), &["explore", "--resume", "run"]);
    assert_eq!((resumed.code, resumed.stdout.as_str()), (2, ""), "{}", resumed.stderr);
    assert!(resumed.stderr.contains("tmieout.html"), "{}", resumed.stderr);
}
