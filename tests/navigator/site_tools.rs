//! Sites as what the tools for agents map: which addresses a caller may name, and within which
//! limits.

use std::fs;
use std::sync::mpsc;

use serde_json::{Value, json};
use test_support::repo;

use crate::page_server::{PageAnswer, PageServer, page, redirect, status};
use crate::runs::{flags, says};
use crate::server::Server;
use crate::service;
use crate::tools::Tools;

const GOAL: &str = "how is the timeout of a request raised?";

/// The manual's pages: one answers the goal, and its link is not the first.
fn answer(path: &str) -> PageAnswer {
    match path {
        "/m/" => page(
            "<title>Manual</title><h1>Manual</h1><p><a href=colours.html>Colours</a> \
             <a href=timeouts.html>Timeouts of requests</a> <a href=gone.html>Gone</a>",
        ),
        "/m/colours.html" => page("<title>Colours</title><h1>Colours</h1><p>Set them to blue."),
        "/m/timeouts.html" => page(
            "<title>Timeouts</title><h1>Timeouts</h1><p>Each request has a timeout.\
             <h2>Raise the timeout</h2><p>Set <code>timeout = 90</code>.",
        ),
        _ => status(404),
    }
}

fn manual() -> PageServer {
    PageServer::start(answer)
}

/// The flags that allow the origin of a server.
fn allow(server: &PageServer) -> String {
    format!("reads:{}", server.url("").as_str().trim_end_matches('/'))
}

fn tools_for(server: &PageServer, flags: &[&str]) -> (test_support::Repo, Tools) {
    let folder = service();
    let allow = allow(server);
    let tools = Tools::of(folder.path(), &[&["--allow", &allow, "--delay", "0"], flags].concat());
    (folder, tools)
}

/// The name of the plan, from the last line of an answer.
fn plan_of(said: &str) -> &str {
    said.split("; plan ").nth(1).unwrap().split(';').next().unwrap()
}

/// The text of an answer, without its last line.
fn text_of(said: &str) -> &str {
    said.rsplit_once("\n-- ").unwrap().0
}

#[test]
fn an_address_is_explored_and_what_was_read_is_not_asked_again() {
    let server = manual();
    let (folder, mut tools) = tools_for(&server, &[]);
    let site = server.url("/m/");
    let said = tools.call("explore", json!({ "goal": GOAL, "path": site, "tokens": 500 }));
    assert!(said.starts_with("# Site map\n") && said.contains("Set `timeout = 90`."), "{said}");
    assert!(said.contains("; 5 of 40 requests, 3 pages read; 1 of 4 pages failed; "), "{said}");
    assert!(said.ends_with("/m/gone.html: status 404"), "{said}");
    assert_eq!(server.received().len(), 5);
    let plan = plan_of(&said);

    drop(server);
    let again = tools.call("replay", json!({ "plan": plan, "tokens": 500 }));
    assert_eq!(text_of(&again), text_of(&said));
    let levels = json!({ "colours.html": "full" });
    let map = tools.call("map", json!({ "plan": plan, "levels": levels }));
    assert!(map.contains("Set them to blue.") && !map.contains(" 40 requests"), "{map}");
    let yaml = tools.call("replay", json!({ "plan": plan, "give": "plan" }));
    let by_yaml = tools.call("replay", json!({ "plan": text_of(&yaml), "tokens": 500 }));
    assert_eq!(text_of(&by_yaml), text_of(&said), "the recording is found by its digest");
    let mut later = Tools::of(folder.path(), &[]);
    let unknown = later.call("replay", json!({ "plan": text_of(&yaml) }));
    let why = format!("error: plan: it is of the site at {site}, and its recording (digest ");
    assert!(unknown.starts_with(&why), "{unknown}");
    let summary = tools.call("replay", json!({ "plan": plan, "give": "summary" }));
    assert!(summary.contains("## Site\n\n- 5 of 40 requests"), "{summary}");
    // The exploration is a run, and its folder has the recording.
    let replayed = tools.home.run(folder.path(), &["replay", "1"]);
    assert_eq!((replayed.code, replayed.stdout.trim_end()), (0, text_of(&said)));
    assert_eq!(tools.home.run(folder.path(), &["runs"]).stdout.lines().count(), 2);
}

#[test]
fn only_addresses_of_allowed_origins_are_asked() {
    let (server, other) = (manual(), manual());
    let (_folder, mut tools) = tools_for(&server, &[]);
    let (port, elsewhere) = (server.port(), other.url("/m/"));
    let mut closed = Tools::of(service().path(), &[]);
    let mut said = String::new();
    for path in [
        elsewhere.to_string(),
        format!("http://localhost:{port}/m/"),
        format!("https://127.0.0.1:{port}/m/"),
        format!("http://127.0.0.1:{port}@localhost/m/"),
        "file:///etc".to_owned(),
    ] {
        for tool in ["explore", "map"] {
            let refused = tools.call(tool, json!({ "goal": GOAL, "path": path }));
            assert!(refused.starts_with("error: path: `"), "{refused}");
            said += &format!("{refused}\n");
        }
        let refused = closed.call("explore", json!({ "goal": GOAL, "path": path }));
        assert!(refused.starts_with("error: path: `"), "{refused}");
    }
    let said = said.replace(&elsewhere.port().unwrap().to_string(), "OTHER");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[0],
        "error: path: `http://127.0.0.1:OTHER` is not allowed here (it takes a server started \
         with `--allow reads:http://127.0.0.1:OTHER`)"
    );
    assert!(lines.chunks(2).all(|two| two[0] == two[1]), "{said}");
    assert_eq!((server.received().len(), other.received().len()), (0, 0));
    let refused = closed.call("explore", json!({ "goal": GOAL, "max_requests": 3 }));
    assert!(refused.starts_with("error: `explore` takes no `max_requests`"), "{refused}");
}

#[test]
fn redirects_to_another_origin_are_not_followed() {
    let other = manual();
    let (target, rules) = (other.url("/m/"), other.url("/robots.txt"));
    let server = PageServer::start(move |path| match path {
        "/m/gone.html" => redirect(target.as_str()),
        _ => answer(path),
    });
    let (_folder, mut tools) = tools_for(&server, &[]);
    let said = tools.call("explore", json!({ "goal": GOAL, "path": server.url("/m/") }));
    let line = format!("/m/gone.html: redirects to {}, out of the scope", other.url("/m/"));
    assert!(said.ends_with(&line), "{said}");
    let strict = PageServer::start(move |path| match path {
        "/robots.txt" => redirect(rules.as_str()),
        _ => answer(path),
    });
    let (_folder, mut tools) = tools_for(&strict, &[]);
    let said = tools.call("map", json!({ "path": strict.url("/m/") }));
    assert!(said.contains("it leads to another origin"), "{said}");
    assert_eq!(other.received().len(), 0);
}

#[test]
fn limits_are_those_of_the_server_and_a_call_only_lowers_them() {
    let server = manual();
    let (_folder, mut tools) = tools_for(&server, &["--max-requests", "4"]);
    let mut said = |max_requests: Value| {
        let asked = json!({
            "goal": GOAL, "path": server.url("/m/"), "max_requests": max_requests,
        });
        let said = tools.call("explore", asked);
        assert!(said.contains("Set `timeout = 90`."), "the best first: {said}");
        said.split("; ").find(|one| one.contains(" requests, ")).unwrap().to_owned()
    };
    let lowered = "3 of 3 requests, 2 pages read, 2 only known from links (`max_requests` reads \
                   more)";
    assert_eq!(said(json!(3)), lowered);
    let most = "4 of 4 requests, 3 pages read, 1 only known from links (the server's \
                `--max-requests` ends it)";
    assert_eq!((said(Value::Null), said(json!(1_000))), (most.to_owned(), most.to_owned()));
    assert_eq!(server.received().len(), 3 + 4 + 4);
    let refused = tools.call("explore", json!({ "goal": GOAL, "max_requests": 3 }));
    assert_eq!(refused, "error: max_requests: no request is sent without an address");
}

#[test]
fn a_map_of_an_address_reads_for_its_goal_and_without_one_breadth_first() {
    let server = manual();
    let (_folder, mut tools) = tools_for(&server, &["--scope", "/m/"]);
    let site = server.url("/m/");
    let mut map = |goal: Value| {
        let levels = json!({ "**": "full" });
        let asked = json!({ "path": site, "goal": goal, "levels": levels, "max_requests": 3 });
        tools.call("map", asked)
    };
    let (without, with) = (map(Value::Null), map(json!(GOAL)));
    assert!(without.contains("blue.") && !without.contains("timeout = 90"), "{without}");
    assert!(with.contains("timeout = 90") && !with.contains("blue."), "{with}");
    assert!(with.contains("; 3 of 3 requests, 2 pages read, "), "{with}");
    let replayed = tools.call("replay", json!({ "plan": plan_of(&with) }));
    assert_eq!(text_of(&replayed), text_of(&with));
    // A page or a section that is not there is an error, as it is of a repository.
    let levels = json!({ "timeouts.html#Raise the timeot": "full" });
    let refused = tools.call("map", json!({ "path": site, "levels": levels }));
    assert!(refused.contains("(did you mean `Timeouts.Raise the timeout`?)"), "{refused}");
    let refused = tools.call("map", json!({ "path": "src" }));
    assert_eq!(refused, "error: path: `src` is no address (`levels` names paths)");
    let refused = tools.call("map", json!({ "path": server.url("/other/") }));
    assert!(refused.contains("is outside of the scope of the server (`--scope /m/`)"), "{refused}");
}

#[test]
fn pages_of_a_site_are_explained_without_another_request() {
    let (server, other) = (manual(), manual());
    let (_folder, mut tools) = tools_for(&server, &[]);
    let address = |page: &str| server.url(&format!("/m/{page}")).to_string();
    let unread = tools.call("explain", json!({ "path": address("timeouts.html") }));
    let why = "error: path: no site was read in this session that has it (`explore` or `map` of \
               an address reads the pages behind it)";
    assert_eq!(unread, why);
    let asked = json!({ "goal": GOAL, "path": address(""), "tokens": 500, "max_requests": 3 });
    let part = tools.call("explore", asked);
    let part = plan_of(&part).to_owned();
    let n_asked = server.received().len();

    let mut explain = |path: &str| tools.call("explain", json!({ "path": path, "plan": part }));
    let page = explain("timeouts.html");
    assert!(page.starts_with("timeouts.html\n") && page.contains("words"), "{page}");
    let read = "-- in a map of 8000 tokens; 3 of 3 requests, 2 pages read, 2 only known from links \
                (`max_requests` reads more)";
    assert!(page.ends_with(read), "{page}");
    let section = explain("timeouts.html#Timeouts.Raise the timeout");
    assert!(section.starts_with("timeouts.html#Timeouts.Raise the timeout\n"), "{section}");
    let misspelt = explain("timeouts.html#Raise the timeot");
    assert!(misspelt.contains("(did you mean `Timeouts.Raise the timeout`?)"), "{misspelt}");
    let colours = explain("colours.html");
    let why = "`colours.html` was not read: \"Colours\", about 21 tokens, 1 link from the first \
               page; links promise 0.00 of it, place 1 of 2 not read\n-- ";
    assert!(colours.starts_with(why), "{colours}");
    let nothing = explain("colour.html");
    let why = "error: path: no link leads to `colour.html` (did you mean `colours.html`?)";
    assert_eq!(nothing, why);

    // An address is a page of the last site that has it.
    let mut explain = |path: &str| tools.call("explain", json!({ "path": path }));
    assert_eq!(explain(&address("timeouts.html")), page);
    assert_eq!(explain(&address("timeouts.html#Timeouts.Raise the timeout")), section);
    assert_eq!(explain(&address("colours.html")), colours);
    let refused = explain(other.url("/m/").as_str());
    assert!(refused.contains("is not allowed here"), "{refused}");
    let of_repository = explain("src/http.rs");
    assert!(of_repository.starts_with("src/http.rs\n"), "{of_repository}");
    assert_eq!(server.received().len(), n_asked);
    assert_eq!(other.received().len(), 0);

    tools.call("explore", json!({ "goal": GOAL, "path": address(""), "tokens": 500 }));
    let gone = tools.call("explain", json!({ "path": address("gone.html") }));
    assert!(gone.contains("/m/gone.html` was asked for before: status 404\n-- "), "{gone}");
    let map = tools.call("map", json!({}));
    let asked = json!({ "path": "src/http.rs", "plan": plan_of(&map) });
    let refused = tools.call("explain", asked);
    assert_eq!(refused, "error: plan: it is of the repository, whose paths need no plan here");
    let mut closed = Tools::of(service().path(), &[]);
    let refused = closed.call("explain", json!({ "path": "src/http.rs", "plan": "x" }));
    assert!(refused.starts_with("error: `explain` takes no `plan`"), "{refused}");
}

#[test]
fn reading_a_site_tells_its_progress_and_ends_when_it_is_cancelled() {
    let (release, released) = mpsc::channel::<()>();
    let (ask, asked_for_more) = mpsc::channel();
    let server = PageServer::start(move |path| match path {
        "/m/" => {
            let link = |n: u32| format!("<a href={n}.html>Timeout of request {n}</a> ");
            page(&(0..4).map(link).collect::<String>())
        }
        "/robots.txt" => status(404),
        _ => {
            ask.send(()).unwrap();
            let _ = released.recv();
            page("<h1>Timeouts</h1><p>A request has a timeout.")
        }
    });
    let (_folder, mut tools) = tools_for(&server, &[]);
    let site = server.url("/m/");
    let arguments = json!({ "goal": GOAL, "path": site });
    let asked = json!({
        "name": "explore", "arguments": arguments, "_meta": { "progressToken": "p" },
    });
    let id = tools.send("tools/call", &asked);
    let progress = tools.next();
    assert_eq!(progress["params"]["message"], "2 requests: 1 page, 4 known from links");
    asked_for_more.recv().unwrap();
    tools.notify("notifications/cancelled", &json!({ "requestId": id, "reason": "enough" }));
    assert!(tools.ask("ping", &json!({}))["result"].is_object());
    drop(release);
    // A site is read by one call at a time: this one comes after the end of the cancelled one.
    let none = json!({ "path": site, "max_requests": 0 });
    let id = tools.send("tools/call", &json!({ "name": "map", "arguments": none }));
    let is_progress = |message: &Value| message["method"] == "notifications/progress";
    let mut said = tools.next();
    while is_progress(&said) {
        said = tools.next();
    }
    assert_eq!((&said["id"], &said["result"]["isError"]), (&json!(id), &json!(true)), "{said}");
    assert!(said.to_string().contains("the limit of 0 requests is reached"), "{said}");
    assert_eq!(server.received().len(), 3);
}

#[test]
fn a_model_explores_a_site_as_a_run_with_its_recording() {
    let server = manual();
    let answer = json!({
        "reasoning": "r", "action": "finalize_context", "changes": [], "summary": "all there",
        "focus": [{ "path": "timeouts.html", "why": "it answers" }],
    });
    let model = Server::start(vec![says(&answer, 5_000, 1_000)]);
    let flags = flags(&model);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let (folder, mut tools) = tools_for(&server, &flags);
    let asked = json!({ "goal": GOAL, "path": server.url("/m/"), "tokens": 500 });
    let said = tools.call("explore", asked);
    assert!(said.contains("Set `timeout = 90`."), "{said}");
    assert!(said.contains("; 5 of 40 requests, 3 pages read; "), "{said}");
    assert!(said.ends_with("; spent $0.007, $0.493 left"), "{said}");
    assert!(model.received()[0].body.contains("timeouts.html"));
    drop(server);
    let replayed = tools.home.run(folder.path(), &["replay", "1"]);
    assert_eq!((replayed.code, replayed.stdout.trim_end()), (0, text_of(&said)));
    let runs = tools.home.home().join(".local/state/navigator/runs/00001");
    assert!(runs.join("recording.warc.gz").is_file() && runs.join("ledger.jsonl").is_file());
}

#[test]
fn a_model_visits_pages_within_the_requests_of_its_call() {
    let server = manual();
    let answer = |action: &str, changes: Value| {
        let answer = json!({
            "reasoning": "r", "action": action, "changes": changes, "fill": "keep",
            "summary": "all there", "focus": [],
        });
        says(&answer, 1_000, 100)
    };
    let visit =
        json!([{ "visit": "colours.html", "why": "w" }, { "visit": "gone.html", "why": "w" }]);
    let full = json!([{ "path": "colours.html", "level": "full", "why": "w" }]);
    let model =
        Server::start(vec![answer("update_flight_plan", visit), answer("finalize_context", full)]);
    let flags = flags(&model);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let (folder, mut tools) = tools_for(&server, &flags);
    let site = server.url("/m/");
    let asked = json!({ "goal": GOAL, "path": site, "tokens": 500, "max_requests": 4 });
    let said = tools.call("explore", asked);
    // Two requests for the first page, as half of four, and two for the visits.
    assert_eq!(server.paths(), ["/m/", "/m/colours.html", "/m/gone.html"]);
    assert!(said.contains("Set them to blue."), "{said}");
    let line = "; 4 of 4 requests, 2 pages read, 1 only known from links (`max_requests` reads \
                more); 1 of 3 pages failed; ";
    assert!(said.contains(line), "{said}");
    let schema = model.received()[0].body.clone();
    assert!(schema.contains("timeouts.html") && schema.contains("\"visit\""), "{schema}");

    // What the visits read is the session's, and the run's.
    drop(server);
    let plan = plan_of(&said);
    let again = tools.call("replay", json!({ "plan": plan, "tokens": 500 }));
    assert_eq!(text_of(&again), text_of(&said));
    let known = tools.call("explain", json!({ "plan": plan, "path": "gone.html" }));
    assert!(known.starts_with("`gone.html` was asked for before: status 404"), "{known}");
    let replayed = tools.home.run(folder.path(), &["replay", "1"]);
    assert_eq!((replayed.code, replayed.stdout.trim_end()), (0, text_of(&said)));
    let runs = tools.home.home().join(".local/state/navigator/runs/00001");
    let ledger = fs::read_to_string(runs.join("ledger.jsonl")).unwrap();
    assert_eq!(ledger.matches("\"effect_reserved\"").count(), 3, "{ledger}");
}

#[test]
fn flags_that_allow_nothing_are_refused() {
    let folder = repo("=== a.txt\na\n");
    let home = test_support::sealed(env!("CARGO_BIN_EXE_navigator"));
    let mut said = String::new();
    for flags in [
        &["--allow", "docs.example"][..],
        &["--allow", "sends:docs.example"],
        &["--allow", "reads:https://docs.example/3/"],
        &["--max-requests", "3"],
    ] {
        let refused = home.run(folder.path(), &[&["mcp"], flags].concat());
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        said += &refused.stderr;
    }
    let said = said.replace("reads:HOST`, or `reads:https://HOST` for one scheme", "…");
    let said = said.replace("reads:HOST` allows those of a host", "…");
    insta::assert_snapshot!(said, @"
    navigator: --allow: `docs.example` allows nothing that a caller may do (`…)
    navigator: --allow: `sends:docs.example` allows nothing that a caller may do (`…)
    navigator: --allow: `reads:https://docs.example/3/` allows nothing that a caller may do (`…)
    navigator: --max-requests: no address is allowed, so no request is sent (`--allow …)
    ");
}
