//! Walks with the program: they are kept, replayed, taken again and resumed.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_support::{Ran, Sealed, ran, repo, sealed};

use crate::page_server::{PageAnswer, PageServer, page, status};
use crate::walks::{GOAL, MANUAL, manual};

fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

#[test]
fn the_program_walks_and_replays_and_says_what_changed() {
    let (navigator, manual, at) = (navigator(), manual(), repo(""));
    let site = format!("file://{}", manual.path().display());
    let args = ["browse", &site, "--goal", GOAL, "--format", "json"];
    let walked = navigator.run(at.path(), &args);
    assert_eq!(walked.code, 0, "{}", walked.stderr);
    let report: Value = serde_json::from_str(&walked.stdout).unwrap();
    assert_eq!(report["success"], true);
    assert_eq!(report["path_taken"][0]["action"], "click 2 '2012 Averon'");
    assert_eq!((&report["tokens_used"]["input"], &report["steps_taken"]), (&json!(0), &json!(3)));
    let replayed = navigator.run(at.path(), &["replay", "1"]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    assert!(replayed.stdout.contains("9.5 L"), "{}", replayed.stdout);
    let runs = navigator.run(at.path(), &["runs"]);
    assert!(runs.stdout.contains("finished") && runs.stdout.contains(GOAL), "{}", runs.stdout);
    let rerun = navigator.run(at.path(), &["replay", "1", "--rerun"]);
    assert_eq!((rerun.code, rerun.stdout.as_str()), (2, ""));
    assert!(rerun.stderr.contains("the walk has no live pages"), "{}", rerun.stderr);
    let page = manual.path().join("c12.html");
    fs::write(&page, fs::read_to_string(&page).unwrap().replace("9.5", "9.6")).unwrap();
    let drifted = navigator.run(at.path(), &["replay", "1", "--check"]);
    assert_eq!((drifted.code, drifted.stdout.as_str()), (8, "drifted\n"));
    assert!(drifted.stderr.contains("step 2 ("), "{}", drifted.stderr);
}

#[test]
fn a_disk_that_becomes_full_ends_a_walk_that_can_be_resumed() {
    let (navigator, manual, at) = (navigator(), manual(), repo(""));
    // Words that no compression makes small: the record of a page is larger than the limit.
    let mut state = 1_u64;
    let noise = (0..30_000).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("{:x} ", state >> 40)
    });
    let large = manual.path().join("c12.html");
    let html = fs::read_to_string(&large).unwrap();
    fs::write(&large, format!("{html}<p>{}", noise.collect::<String>())).unwrap();
    let files = manual.path().to_owned();
    let server = PageServer::start(move |path| {
        let name = path.trim_start_matches('/');
        let file = files.join(if name.is_empty() { "index.html" } else { name });
        fs::read_to_string(file).map_or_else(|_| status(404), |html| page(&html))
    });
    let start = server.url("/").to_string();
    let args = ["browse", &start, "--goal", GOAL, "--out", "run", "--format", "json"];
    let mut command = navigator.command_on_full_disk(at.path(), 80);
    let full = ran(command.args(args).output().unwrap());
    let why = "cannot write run/recording.warc.gz: File too large (os error 27)";
    assert_eq!((full.code, full.stdout.as_str()), (1, ""), "{}", full.stderr);
    assert!(full.stderr.contains(why), "{}", full.stderr);
    let resumed = navigator.run(at.path(), &["browse", "--resume", "run", "--format", "json"]);
    // The page that answers has too much noise; what is extracted of another one is no answer.
    assert_eq!(resumed.code, 4, "{}", resumed.stderr);
    let undisturbed = navigator.run(at.path(), &[&args[..4], &args[6..]].concat());
    let path = |ran: &Ran| {
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let steps = report["path_taken"].as_array().unwrap();
        steps.iter().map(|step| step["action"].clone()).collect::<Vec<Value>>()
    };
    assert_eq!(path(&resumed), path(&undisturbed), "{}", resumed.stdout);
    let replayed = navigator.run(at.path(), &["replay", "run"]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    assert!(replayed.stdout.starts_with("# Capacity"), "{}", replayed.stdout);
}

#[test]
fn the_limit_of_turns_is_the_one_that_was_given() {
    let (navigator, at) = (navigator(), manual());
    let walk = |more: &[&str]| {
        let args = ["browse", "file://.", "--goal", GOAL, "-q"];
        navigator.run(at.path(), &[&args, more].concat())
    };
    assert_eq!((walk(&["--max-turns", "1"]).code, walk(&[]).code), (6, 0));
}

#[test]
fn a_walk_that_ended_early_goes_on_from_its_recording() {
    let pages = MANUAL.split("=== ").skip(1).map(|page| page.split_once('\n').unwrap());
    let pages: Vec<(String, String)> =
        pages.map(|(name, html)| (format!("/{name}"), html.to_owned())).collect();
    let server = PageServer::start(move |path| {
        let found = pages.iter().find(|(name, _)| name == path);
        found.map_or_else(|| status(404), |(_, html)| page(html))
    });
    let (navigator, at) = (navigator(), repo(""));
    let site = server.url("/index.html").to_string();
    let flags = ["--goal", GOAL, "--delay", "0", "--out", "run", "--max-steps", "1"];
    let begun = navigator.run(at.path(), &[&["browse", &site], &flags[..]].concat());
    assert_eq!(begun.code, 6, "{}", begun.stderr);
    let n_asked = server.received().len();
    assert_eq!(n_asked, 3, "robots.txt and two pages");
    let again = ["browse", "--resume", "run", "--max-steps", "9"];
    let resumed = navigator.run(at.path(), &again);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(resumed.stdout.contains("9.5 L"), "{}", resumed.stdout);
    assert_eq!(server.received().len(), n_asked + 2, "robots.txt again, and one page");
    drop(server);
    let replayed = navigator.run(at.path(), &["replay", "run"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &resumed.stdout), "{}", replayed.stderr);
    let finished = navigator.run(at.path(), &again);
    assert_eq!(finished.code, 2, "{}", finished.stderr);
}

#[test]
fn a_walk_is_taken_again_on_its_server_and_says_where_it_leads_elsewhere() {
    let litres = Arc::new(AtomicU32::new(5));
    let now = Arc::clone(&litres);
    let server = PageServer::start(move |path| match path {
        "/m/" => page("<title>Manual</title><ul><li><a href=c.html>Coolant capacity</a></ul>"),
        "/m/c.html" => page(&format!(
            "<title>Capacity</title><p>Coolant of the 2012 Averon: 9.{} L",
            now.load(Ordering::SeqCst)
        )),
        _ => status(404),
    });
    let (navigator, at) = (navigator(), repo(""));
    let site = server.url("/m/").to_string();
    let flags = ["--goal", GOAL, "--delay", "0", "--out", "run"];
    let walked = navigator.run(at.path(), &[&["browse", &site], &flags[..]].concat());
    assert_eq!(walked.code, 0, "{}", walked.stderr);
    let n_asked = server.received().len();
    let again = || navigator.run(at.path(), &["replay", "run", "--rerun"]);
    let same = again();
    assert_eq!((same.code, same.stdout.as_str()), (0, ""), "{}", same.stderr);
    assert_eq!(same.stderr, "navigator: the first page and 2 steps lead where they led\n");
    assert_eq!(server.received().len(), 2 * n_asked);
    litres.store(6, Ordering::SeqCst);
    let drifted = again();
    assert_eq!((drifted.code, drifted.stderr.as_str()), (8, ""));
    insta::assert_snapshot!(drifted.stdout, @"step 1 (`click 1 'Coolant capacity'`) differs: only numbers changed: 'Coolant of the 2012 Averon: 9.6 L'; text gone: 'Coolant of the 2012 Averon: 9.5 L'");
    let few = navigator.run(at.path(), &["replay", "run", "--rerun", "--max-requests", "2"]);
    assert_eq!(few.code, 6, "{}", few.stderr);
    let files = navigator.run(at.path(), &["replay", "run", "--rerun", "--check"]);
    assert_eq!(files.code, 2, "{}", files.stderr);
}

#[test]
fn a_page_with_the_address_of_a_recorded_screen_is_replayed_as_a_page() {
    let html = "<title>A</title><h1>Averon</h1><p>Coolant capacity of the 2012 Averon: 9.5 L";
    let server = PageServer::start(move |_| page(html));
    let (navigator, at) = (navigator(), repo(""));
    let site = server.url("/?navigator-screen=1").to_string();
    let flags = ["--goal", GOAL, "--delay", "0", "--out", "run", "--max-steps", "1"];
    navigator.run(at.path(), &[&["browse", &site], &flags[..]].concat());
    let replayed = navigator.run(at.path(), &["replay", "run", "--check"]);
    assert_eq!((replayed.code, &replayed.stdout[..]), (0, "identical\n"), "{}", replayed.stderr);
}

#[test]
fn a_security_log_that_no_run_has_written_stays() {
    let (navigator, at) = (navigator(), manual());
    for (name, line, code) in
        [("foreign", "mine", 2), ("other", "{\"time\":\"1\",\"event\":\"stopped\"}\n", 2)]
    {
        let log = at.path().join(name).join("security.jsonl");
        fs::create_dir(at.path().join(name)).unwrap();
        fs::write(&log, line).unwrap();
        let ran =
            navigator.run(at.path(), &["browse", "file://.", "--goal", GOAL, "--out", name, "-q"]);
        assert_eq!((ran.code, fs::read_to_string(&log).unwrap()), (code, line.to_owned()));
        assert!(ran.stderr.contains("security.jsonl that no run has written"), "{}", ran.stderr);
    }
}

#[test]
fn what_cannot_be_walked_is_refused_with_a_way_out() {
    let (navigator, at) = (navigator(), manual());
    fs::create_dir(at.path().join("without-index")).unwrap();
    let mut said = String::new();
    for args in [
        &["browse", "file://."][..],
        &["browse", "file://.", "--goal", " "],
        &["browse", "file://.", "--goal", "x", "--start", "none.html"],
        &["browse", "file://without-index", "--goal", "x"],
        &["browse", "file://.", "--goal", "x", "--allow", "everything"],
        &["browse", "http://127.0.0.1:1/", "--goal", "x", "--allow", "POST:http://127.0.0.1:1/a"],
        &["browse", "http://127.0.0.1:1/", "--goal", "x", "--allow", "sends:127.0.0.1"],
        &["browse", "http://127.0.0.1:1/", "--goal", "x", "--allow", "destroys:Delete"],
        &["browse", "file://.", "--goal-file", "2011.html", "-o", "2011.html"],
        &["browse", "http://a.example/", "--goal", "x", "--cookies", "b12.html", "-o", "b12.html"],
        &["browse", "http://a.example/", "--goal", "x", "--header", "X-Key=file:k", "-o", "k"],
        &["browse", "http://a.example/", "--goal", "x", "--header", "@./k", "-o", "k"],
        &["browse", "http://a.example/", "--browser", "-g", "x", "--secret", "w=file:k", "-o", "k"],
        &["browse", "http://127.0.0.1:1/", "--goal", "x"],
        &["browse", "file://.", "--goal", "x", "--max-requests", "3"],
        &["browse", "--resume", "7"],
    ] {
        let refused = navigator.run(at.path(), &[args, &["-q"]].concat());
        said += &format!("{}: {}", refused.code, refused.stderr);
        assert_eq!(refused.stdout, "");
    }
    insta::assert_snapshot!(said, @r"
    2: navigator: browse: no goal (give `--goal TEXT` or `--goal-file FILE`)
    2: navigator: browse: no goal (give `--goal TEXT` or `--goal-file FILE`)
    13: navigator: file:///none.html: the folder has no such page (`--start PAGE` names the first page: `2011.html`, `2012.html`, `b12.html`, 3 more)
    13: navigator: file:///index.html: the folder has no such page (it has no HTML file)
    2: navigator: --allow: `everything` allows nothing (`reads:HOST`, `sends:HOST`, `destroys:NAME`)
    2: navigator: --allow: `POST:http://127.0.0.1:1/a` allows nothing: without `--browser` a walk sends no such request
    2: navigator: --allow: `sends:127.0.0.1` is for the usual port, and the first page has another one (`sends:127.0.0.1:1`)
    2: navigator: --allow: `destroys:Delete` allows nothing: without `--browser` a walk only reads
    2: navigator: --output: 2011.html is read by this command; name another file
    2: navigator: --output: b12.html is read by this command; name another file
    2: navigator: --output: k is read by this command; name another file
    2: navigator: --output: k is read by this command; name another file
    2: navigator: --output: k is read by this command; name another file
    13: navigator: http://127.0.0.1:1/: the server at `http://127.0.0.1:1` cannot be reached: Connection refused (os error 111) (is the address right, and does the server run?)
    2: navigator: --max-requests: `.` is no address, so no request is sent
    2: navigator: there is no run `7` (`navigator runs` lists them)
    ");
}

#[test]
fn the_name_of_a_file_is_a_start_as_it_is_written() {
    let (navigator, at) = (navigator(), repo(""));
    let name = "100 & 25 %25.html";
    fs::write(at.path().join(name), "<h1>Capacity</h1><p>Coolant of the 2012 Averon: 9.5 L")
        .unwrap();
    let walked =
        navigator.run(at.path(), &["browse", "file://.", "--start", name, "--goal", GOAL, "-q"]);
    assert_eq!(walked.code, 0, "{}", walked.stderr);
    assert!(walked.stdout.contains("9.5 L"), "{}", walked.stdout);
}

#[test]
fn a_page_that_only_leads_to_another_is_followed_within_the_folder() {
    let (navigator, at) = (navigator(), repo(""));
    let sent = |target: &str| format!("<meta http-equiv=refresh content='0; url={target}'>");
    let write = |name: &str, html: &str| fs::write(at.path().join(name), html).unwrap();
    write("index.html", &sent("a.html"));
    write("a.html", "<h1>Capacity</h1><p>Coolant of the 2012 Averon: 9.5 L");
    let browse = || navigator.run(at.path(), &["browse", "file://.", "--goal", GOAL, "-q"]);
    let walked = browse();
    assert_eq!(walked.code, 0, "{}", walked.stderr);
    assert!(walked.stdout.contains("9.5 L"), "{}", walked.stdout);
    write("index.html", &sent("http://other.example/a.html"));
    let refused = browse();
    assert_eq!((refused.code, refused.stdout.as_str()), (13, ""));
    assert!(refused.stderr.contains("does not lie in the folder"), "{}", refused.stderr);
}

#[test]
fn a_walk_that_fails_at_its_first_page_keeps_what_an_earlier_one_left() {
    let server = PageServer::start(|path| match path {
        "/m/index.html" => page("<h1>Capacity</h1><p>Coolant of the 2012 Averon: 9.5 L"),
        _ => status(404),
    });
    let (navigator, at) = (navigator(), repo(""));
    let browse = |site: &str| {
        let flags = ["--goal", GOAL, "--delay", "0", "--out", "run"];
        navigator.run(at.path(), &[&["browse", site], &flags[..]].concat())
    };
    let kept = browse(server.url("/m/index.html").as_str());
    assert_eq!(kept.code, 0, "{}", kept.stderr);
    let ledger = fs::read_to_string(at.path().join("run/ledger.jsonl")).unwrap();
    assert!(ledger.contains("\"requests\":2"), "the first page counts: {ledger}");
    let failed = browse(server.url("/gone.html").as_str());
    assert_eq!((failed.code, failed.stdout.as_str()), (13, ""), "{}", failed.stderr);
    assert!(failed.stderr.contains("status 404"), "{}", failed.stderr);
    drop(server);
    let replayed = navigator.run(at.path(), &["replay", "run"]);
    assert_eq!((replayed.code, &replayed.stdout), (0, &kept.stdout), "{}", replayed.stderr);
}

#[test]
fn the_time_limit_cuts_a_slow_page_short() {
    let server = PageServer::start(|path| match path {
        "/robots.txt" => status(404),
        "/m/" => page(
            "<h1>Manual</h1><p>Coolant: see the <a href=slow.html>capacity of the 2012 Averon</a>",
        ),
        _ => PageAnswer::Drip,
    });
    let (navigator, at) = (navigator(), repo(""));
    let run = |command: &str, page: &str| {
        let site = server.url(page).to_string();
        let flags = ["--goal", GOAL, "--delay", "0", "--max-time", "2s"];
        let begun = Instant::now();
        let ran = navigator.run(at.path(), &[&[command, site.as_str()], &flags[..]].concat());
        // A page alone may take 30 seconds.
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
        ran
    };
    let explored = run("explore", "/m/");
    assert_eq!(explored.code, 6, "{}", explored.stderr);
    assert!(explored.stderr.contains("2 requests") || explored.stderr.contains("3 of 40 requests"));
    let walked = run("browse", "/m/");
    assert_eq!(walked.code, 6, "{}", walked.stderr);
    let failed = run("browse", "/m/slow.html");
    assert_eq!(failed.code, 13, "{}", failed.stderr);
    assert!(failed.stderr.contains("the time limit of the run is reached"), "{}", failed.stderr);
}

#[test]
fn a_host_that_may_not_be_read_is_named_once_with_a_way_out() {
    let (navigator, at) = (navigator(), repo(""));
    let start = page("<h1>Home</h1><p><a href='https://pumps.example/'>Pressure of the pump</a>");
    let server = PageServer::of(vec![("/", start)]);
    let address = server.url("/").to_string();
    let goal = "pressure of the pump";
    let walked = navigator.run(at.path(), &["browse", &address, "--goal", goal, "-v"]);
    let refused: Vec<&str> =
        walked.stderr.lines().filter(|line| line.contains("was refused")).take(2).collect();
    assert_eq!(
        refused[0],
        "navigator: `click 1 'Pressure of the pump'` was refused: it reads from `pumps.example`, \
         and there is no terminal to ask at (`--allow reads:pumps.example` allows it)"
    );
    assert!(refused.get(1).is_none_or(|line| line.contains("stopped because")), "{refused:?}");
}

#[test]
fn a_limit_of_requests_that_is_reached_before_the_first_page_is_one() {
    let server = PageServer::start(|_| page("<h1>Manual</h1><p>Text."));
    let site = server.url("/").to_string();
    let flags = ["--goal", "text", "--delay", "0", "--max-requests", "1"];
    let none = navigator().run(repo("").path(), &[&["browse", &site], &flags[..]].concat());
    assert_eq!((none.code, none.stdout.as_str()), (6, ""), "{}", none.stderr);
    assert!(none.stderr.contains("the limit of 1 request is reached"), "{}", none.stderr);
}
