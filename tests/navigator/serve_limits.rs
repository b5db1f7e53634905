//! The server over HTTP within its limits: who may call, how often, how much, how long; and its
//! end.

use std::fs;
use std::sync::mpsc::{Sender, channel};

use serde_json::{Value, json};
use test_support::{Repo, repo};

use crate::http_server::{HttpServer, bearer, request};
use crate::knowledge::navigator;
use crate::page_server::{PageServer, page};
use crate::serve::caller;
use crate::service;

const GOAL: &str = "where is a session refreshed?";

/// A site whose first answer waits until the test lets it, and the flags that allow it.
struct SlowSite {
    /// Dropped first, since this lets the site answer.
    go: Option<Sender<()>>,
    server: PageServer,
    flags: [String; 4],
}

impl SlowSite {
    fn start() -> SlowSite {
        let (go, wait) = channel::<()>();
        let server = PageServer::start(move |_| {
            let _ = wait.recv();
            page(
                "<title>Manual</title><h1>Sessions</h1><p>A session is refreshed here: \
                 <a href=/m/refresh.html>refresh</a> <a href=/m/session.html>session</a>",
            )
        });
        let allow = format!("reads:http://127.0.0.1:{}", server.port());
        let flags = ["--allow".to_owned(), allow, "--delay".to_owned(), "0".to_owned()];
        SlowSite { server, go: Some(go), flags }
    }

    /// A server that may read the site.
    fn navigator(&self, folder: &Repo, more: &[&str]) -> HttpServer {
        let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        HttpServer::of(folder.path(), &[&flags, more].concat())
    }

    /// The arguments of a call that waits for the site.
    fn call(&self) -> Value {
        json!({ "goal": GOAL, "path": self.server.url("/m/") })
    }

    /// Lets the site answer.
    fn go(&mut self) {
        self.go = None;
    }

    /// Whether more than the first page was read.
    fn is_read_on(&self) -> bool {
        self.server.paths().len() > 1
    }
}

const RUNNING: &str = "navigator_calls_running";
const WAITING: &str = "navigator_calls_waiting";

#[test]
fn a_token_allows_what_its_scopes_say_and_nothing_goes_without_one() {
    let (folder, at) = (service(), repo(""));
    let [all, map, figures] = [
        caller(at.path(), "all", &[]),
        caller(at.path(), "map", &["--scope", "map"]),
        caller(at.path(), "figures", &["--scope", "metrics"]),
    ];
    let file = fs::read_to_string(at.path().join("callers.toml")).unwrap();
    assert!(![&all, &map, &figures].into_iter().any(|token| file.contains(&token[10..])));
    let callers = at.path().join("callers.toml");
    let server = HttpServer::of(folder.path(), &["--callers", callers.to_str().unwrap()]);

    let own_digest = blake3::hash(all.as_bytes()).to_hex().to_string();
    for (header, reason) in [
        (String::new(), "no_token"),
        ("Authorization: Basic abc\r\n".to_owned(), "no_token"),
        (bearer(""), "no_token"),
        (bearer(" x"), "unknown_token"),
        (bearer(&all[..all.len() - 1]), "unknown_token"),
        (bearer(&own_digest), "unknown_token"),
    ] {
        for (method, path) in [
            ("GET", "/v1/tools"),
            ("GET", "/openapi.json"),
            ("GET", "/metrics"),
            ("POST", "/v1/tools/map"),
            ("POST", "/mcp"),
            ("GET", "/nowhere"),
        ] {
            let reply = server.ask(method, path, &header, "");
            assert_eq!(reply.refused(), (401, reason.to_owned()), "{path} {header}");
            assert_eq!(reply.headers["www-authenticate"], "Bearer");
        }
    }
    assert_eq!(server.ask("GET", "/healthz", "", "").status, 200);

    let [all, map, figures] = [all, map, figures].map(|token| bearer(&token));
    let names = |token: &str| -> Vec<String> {
        let listed = server.ask("GET", "/v1/tools", token, "").json();
        let tools = listed["tools"].as_array().unwrap().iter();
        let names: Vec<String> = tools.map(|tool| tool["name"].to_string()).collect();
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
        let by_agent = server.post_mcp(token, &message).json();
        let tools = by_agent["result"]["tools"].as_array().unwrap().iter();
        assert_eq!(names, tools.map(|tool| tool["name"].to_string()).collect::<Vec<_>>());
        let described = server.ask("GET", "/openapi.json", token, "").json();
        assert_eq!(described["paths"].as_object().unwrap().len(), names.len());
        names
    };
    assert_eq!(names(&all), ["\"explore\"", "\"map\"", "\"explain\"", "\"replay\""]);
    assert_eq!(names(&map), ["\"map\"", "\"explain\"", "\"replay\""]);
    assert_eq!(names(&figures), [""; 0]);

    let asked = json!({ "goal": GOAL });
    assert_eq!(server.call(&all, "explore", &asked).status, 200);
    assert_eq!(server.call(&map, "explore", &asked).refused(), (403, "scope".to_owned()));
    let result = &server.agent(&map, "explore", &asked)["result"];
    assert_eq!(result["isError"], true);
    assert_eq!(result["content"][0]["text"], "the token does not have the scope `explore`");
    assert_eq!(server.call(&figures, "map", &json!({})).status, 403);
    for (token, status) in [(&all, 403), (&map, 403), (&figures, 200)] {
        assert_eq!(server.ask("GET", "/metrics", token, "").status, status);
    }
}

#[test]
fn what_a_caller_did_is_not_seen_by_another() {
    let (folder, at) = (service(), repo(""));
    let [ada, ben] = ["ada", "ben"].map(|name| bearer(&caller(at.path(), name, &[])));
    let callers = at.path().join("callers.toml");
    let server = HttpServer::of(folder.path(), &["--callers", callers.to_str().unwrap()]);
    let found = server.call(&ada, "explore", &json!({ "goal": GOAL })).json();
    let plan = found["note"].as_str().unwrap().split("plan ").nth(1).unwrap().to_owned();
    let replay = json!({ "plan": plan, "give": "summary" });
    assert_eq!(server.call(&ada, "replay", &replay).status, 200);
    let refused = server.call(&ben, "replay", &replay);
    assert!(refused.body.contains("no plan of this session is called"), "{refused:?}");
}

#[test]
fn no_minute_of_a_caller_has_more_calls_than_its_rate() {
    let (folder, at) = (service(), repo(""));
    let slow = bearer(&caller(at.path(), "slow", &["--rate", "2"]));
    let other = bearer(&caller(at.path(), "other", &[]));
    let callers = at.path().join("callers.toml");
    let server = HttpServer::of(folder.path(), &["--callers", callers.to_str().unwrap()]);
    assert_eq!(server.call(&slow, "map", &json!({})).status, 200);
    // What is no call of a tool does not count.
    assert_eq!(server.ask("GET", "/v1/tools", &slow, "").status, 200);
    assert_eq!(server.call(&slow, "maps", &json!({})).status, 404);
    assert_eq!(server.agent(&slow, "map", &json!({}))["result"]["isError"], false);
    let refused = server.call(&slow, "map", &json!({}));
    assert_eq!(refused.refused(), (429, "rate".to_owned()));
    let wait: u64 = refused.headers["retry-after"].parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let by_agent = &server.agent(&slow, "map", &json!({}))["result"];
    assert_eq!(by_agent["isError"], true);
    let text = by_agent["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("too many calls in a minute: call again in "), "{text}");
    assert_eq!(server.call(&other, "map", &json!({})).status, 200);
    assert!(server.line_with(" rate ").starts_with("navigator: slow map rate 0."));
}

#[test]
#[cfg(unix)]
fn a_reload_puts_other_callers_in_the_place_of_those_before() {
    let folder = service();
    let (ada, ben) = (caller(folder.path(), "ada", &[]), caller(folder.path(), "ben", &[]));
    let file = folder.path().join("callers.toml");
    let callers = file.to_str().unwrap();
    let server = HttpServer::of(folder.path(), &["--callers", callers]);
    let status = |token: &str| server.ask("GET", "/v1/tools", &bearer(token), "").status;
    assert_eq!((status(&ada), status(&ben)), (200, 200));

    let text = std::fs::read_to_string(&file).unwrap();
    let (first, second) = text.split_once("\n\n").unwrap();
    std::fs::write(&file, second).unwrap();
    assert_eq!(status(&ada), 200, "nothing changes without the signal");
    server.signal("HUP");
    server.line_with("reloaded the callers: 1 may call from now on");
    assert_eq!((status(&ada), status(&ben)), (401, 200));

    // A file that cannot be used changes nothing.
    std::fs::write(&file, first.replace("digest", "digits")).unwrap();
    server.signal("HUP");
    let said = server.line_with("the callers are still those of before: --callers: ");
    assert!(said.contains("callers.toml: "), "{said}");
    server.line_with("digits");
    assert_eq!((status(&ada), status(&ben)), (401, 200));

    // Another rate and another scope hold for the next call.
    let changed = second.replace("per_minute = 60", "per_minute = 1");
    std::fs::write(&file, format!("{first}\n\n{changed}")).unwrap();
    let map = || server.call(&bearer(&ben), "map", &json!({ "tokens": 400 })).status;
    assert_eq!(map(), 200);
    server.signal("HUP");
    server.line_with("reloaded the callers: 2 may call from now on");
    assert_eq!((map(), status(&ada)), (429, 200), "the call before counts");
    server.signal("TERM");
    assert_eq!(server.ended().0, Some(0));
}

#[test]
#[cfg(unix)]
fn without_callers_a_hangup_ends_the_server() {
    let server = HttpServer::of(service().path(), &[]);
    server.signal("HUP");
    assert_eq!(server.ended().0, Some(0));
}

#[test]
fn a_page_under_a_name_of_its_own_gets_nothing() {
    let folder = service();
    let chat = "https://chat.example";
    let server = HttpServer::of(folder.path(), &["--host", "maps.example", "--origin", chat]);
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let statuses = |headers: &str| {
        let of_agents = server.post_mcp(headers, &hello).status;
        let of_programs = server.ask("GET", "/v1/tools", headers, "").status;
        let of_tools = server.call(headers, "map", &json!({})).status;
        assert_eq!([of_agents, of_programs], [of_tools; 2], "{headers}");
        of_tools
    };
    for (headers, status) in [
        ("Host: maps.example\r\n", 200),
        ("Host: localhost:1234\r\n", 200),
        ("Host: evil.example\r\n", 403),
        ("Host: 127.0.0.1.evil.example\r\n", 403),
        ("Host: maps.example.\r\n", 403),
        ("Origin: https://chat.example\r\n", 200),
        ("Origin: http://chat.example\r\n", 403),
        ("Origin: https://chat.example:444\r\n", 403),
        ("Origin: null\r\n", 403),
        ("Host: evil.example\r\nOrigin: https://chat.example\r\n", 403),
    ] {
        assert_eq!(statuses(headers), status, "{headers}");
    }
    let asks = format!("Origin: {chat}\r\nAccess-Control-Request-Method: POST\r\n");
    let may = server.ask("OPTIONS", "/v1/tools/map", &asks, "");
    assert_eq!((may.status, may.headers["access-control-allow-origin"].as_str()), (200, chat));
    let other = asks.replace(chat, "https://evil.example");
    let may_not = server.ask("OPTIONS", "/v1/tools/map", &other, "");
    assert!(!may_not.headers.contains_key("access-control-allow-origin"), "{may_not:?}");
}

#[test]
fn calls_beyond_the_queue_are_refused_and_those_in_it_are_answered() {
    let folder = service();
    let mut site = SlowSite::start();
    let server = site.navigator(&folder, &["--at-once", "1", "--max-waiting", "1"]);
    let mut first = server.begin("", "explore", &site.call());
    server.until_figure("", RUNNING, 1);
    let mut second = server.begin("", "map", &json!({}));
    server.until_figure("", WAITING, 1);
    let refused = server.call("", "map", &json!({}));
    assert_eq!(refused.refused(), (503, "busy".to_owned()));
    assert_eq!(refused.headers["retry-after"], "2");
    let by_agent = server.agent("", "map", &json!({}));
    assert_eq!(by_agent["result"]["isError"], true, "{by_agent}");
    assert_eq!((server.figure("", RUNNING), server.figure("", WAITING)), (1, 1));
    site.go();
    let answers = [&mut first, &mut second].map(|call| call.reply().unwrap().status);
    assert_eq!(answers, [200, 200]);
    assert!(site.is_read_on());
    assert_eq!((server.figure("", RUNNING), server.figure("", WAITING)), (0, 0));
    assert_eq!(server.figure("", "navigator_refused_total{reason=\"busy\"}"), 2);
}

#[test]
fn a_call_that_takes_too_long_is_ended() {
    let folder = service();
    let mut site = SlowSite::start();
    let server = site.navigator(&folder, &["--call-time", "1"]);
    let mut first = server.begin("", "explore", &site.call());
    server.until_figure("", RUNNING, 1);
    // Sites are read one after the other, so this one waits.
    let late = server.call("", "explore", &site.call());
    assert_eq!(late.refused(), (504, "time".to_owned()));
    assert_eq!(first.reply().unwrap().refused(), (504, "time".to_owned()));
    site.go();
    server.until_figure("", RUNNING, 0);
    assert!(!site.is_read_on());
}

#[test]
fn a_client_that_leaves_ends_its_call() {
    let folder = service();
    let mut site = SlowSite::start();
    let server = site.navigator(&folder, &["--at-once", "1"]);
    let first = server.begin("", "explore", &site.call());
    server.until_figure("", RUNNING, 1);
    let waits = server.begin("", "map", &json!({}));
    server.until_figure("", WAITING, 1);
    drop(waits);
    assert!(server.line_with("map").contains("local map cancelled"));
    assert_eq!(server.figure("", WAITING), 0);
    drop(first);
    assert!(server.line_with("explore").contains("local explore cancelled"));
    site.go();
    server.until_figure("", RUNNING, 0);
    assert!(!site.is_read_on());

    // The same over the protocol for agents.
    let mut site = SlowSite::start();
    let server = site.navigator(&folder, &[]);
    let params = json!({ "name": "explore", "arguments": site.call() });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut agent = server.connect();
    let accept = "Accept: application/json, text/event-stream\r\n";
    agent.send(&request("POST", "/mcp", accept, &call.to_string()));
    server.until_figure("", RUNNING, 1);
    drop(agent);
    assert!(server.line_with("explore").contains("local explore cancelled"));
    site.go();
    server.until_figure("", RUNNING, 0);
    assert!(!site.is_read_on());
}

#[test]
fn who_sends_slowly_is_not_waited_for() {
    let folder = service();
    let server = HttpServer::of(folder.path(), &["--read-time", "1"]);
    let mut slow_head = server.connect();
    slow_head.send("POST /v1/tools/map HTTP/1.1\r\nHost: local");
    assert!(slow_head.reply().is_none_or(|reply| reply.status == 408));
    let mut slow_body = server.connect();
    let whole = request("POST", "/v1/tools/map", "", "{\"tokens\": 100}");
    slow_body.send(&whole[..whole.len() - 1]);
    assert_eq!(slow_body.reply().unwrap().refused(), (408, "slow".to_owned()));
    let mut idle = server.connect();
    assert!(idle.reply().is_none());
    let mut large_head = server.connect();
    large_head.send(&request("GET", "/healthz", &format!("X: {}\r\n", "x".repeat(40_000)), ""));
    assert!(large_head.reply().is_none_or(|reply| reply.status == 431));
    assert_eq!(server.ask("GET", "/healthz", "", "").status, 200);
}

#[test]
fn who_reads_no_response_is_not_waited_for() {
    let folder = service();
    let server = HttpServer::of(folder.path(), &["--write-time", "1", "--max-connections", "1"]);
    let mut deaf = server.connect();
    deaf.send(&request("GET", "/openapi.json", "", "").repeat(4_000));
    let mut next = server.connect();
    next.send(&request("GET", "/healthz", "", ""));
    assert_eq!(next.reply().unwrap().status, 200);
    drop(deaf);
}

#[test]
fn a_connection_too_many_waits() {
    let folder = service();
    let server = HttpServer::of(folder.path(), &["--max-connections", "1"]);
    let mut first = server.connect();
    first.send(&request("GET", "/healthz", "", ""));
    assert_eq!(first.reply().unwrap().status, 200);
    let mut second = server.connect();
    second.send(&request("GET", "/healthz", "", ""));
    // The first is still served, and the second is not.
    first.send(&request("GET", "/healthz", "", ""));
    assert_eq!(first.reply().unwrap().status, 200);
    drop(first);
    assert_eq!(second.reply().unwrap().status, 200);
}

#[test]
fn a_signal_lets_calls_in_flight_end() {
    let folder = service();
    let mut site = SlowSite::start();
    let server = site.navigator(&folder, &["--at-once", "1"]);
    let mut first = server.begin("", "explore", &site.call());
    server.until_figure("", RUNNING, 1);
    let mut second = server.begin("", "map", &json!({}));
    server.until_figure("", WAITING, 1);
    server.signal("TERM");
    server.line_with("ending; calls in flight go on");
    site.go();
    for call in [&mut first, &mut second] {
        let reply = call.reply().unwrap();
        assert_eq!(reply.status, 200, "{reply:?}");
    }
    let address = server.address;
    let (code, lines) = server.ended();
    assert_eq!((code, lines.last().map(String::as_str)), (Some(0), Some("navigator: ended")));
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[test]
fn calls_that_outlast_the_grace_or_a_second_signal_are_cancelled() {
    for grace in ["0", "1000"] {
        let folder = service();
        let site = SlowSite::start();
        let server = site.navigator(&folder, &["--grace", grace, "--at-once", "1"]);
        let mut first = server.begin("", "explore", &site.call());
        server.until_figure("", RUNNING, 1);
        let mut waits = server.begin("", "map", &json!({}));
        server.until_figure("", WAITING, 1);
        server.signal("INT");
        if grace != "0" {
            server.line_with("ending");
            server.signal("TERM");
        }
        server.line_with("cancelled");
        server.line_with("cancelled");
        assert!(waits.reply().is_none() && first.reply().is_none());
        assert_eq!(server.ended().0, Some(0));
    }
}

#[test]
fn what_would_be_open_to_others_does_not_start() {
    let (folder, at) = (service(), repo(""));
    let home = navigator();
    let token = caller(at.path(), "ada", &[]);
    assert!(token.starts_with("navigator_") && token.len() == 74, "{token}");
    let file = at.path().join("callers.toml");
    let good = fs::read_to_string(&file).unwrap();
    at.write("purse.toml", format!("{good}purse = \"team\"\n").as_bytes());
    at.write("none.toml", b"");
    at.write("bad.toml", b"[[caller]]\nname = \"ada\"\n");
    let path = |name: &str| at.path().join(name).to_str().unwrap().to_owned();
    let mut said = String::new();
    for flags in [
        vec!["--listen".to_owned(), "0.0.0.0:0".to_owned()],
        vec!["--listen".to_owned(), "[::]:0".to_owned()],
        vec!["--listen".to_owned(), "localhost".to_owned()],
        vec!["--callers".to_owned(), path("purse.toml"), "--store".to_owned(), path("team.db")],
        vec!["--callers".to_owned(), path("none.toml")],
        vec!["--callers".to_owned(), path("bad.toml")],
        vec!["--callers".to_owned(), path("nowhere.toml")],
        vec!["--origin".to_owned(), "https://chat.example/".to_owned()],
        vec!["--origin".to_owned(), "chat.example".to_owned()],
        vec!["token".to_owned(), "a b".to_owned()],
        vec!["token".to_owned(), "ada".to_owned(), "--scope".to_owned(), "maps".to_owned()],
        vec!["token".to_owned(), "ada".to_owned(), "--callers".to_owned(), path("callers.toml")],
    ] {
        let args: Vec<&str> =
            ["serve"].into_iter().chain(flags.iter().map(String::as_str)).collect();
        let ran = home.run(folder.path(), &args);
        assert_eq!(ran.stdout, "");
        let line = ran.stderr.lines().take(2).collect::<Vec<_>>().join(" ");
        let line = line.replace(at.path().to_str().unwrap(), "AT");
        said.push_str(&format!("{} {line}\n", ran.code));
    }
    insta::assert_snapshot!(said, @r#"
    2 navigator: --listen: `0.0.0.0:0` can be reached from other machines, and there are no tokens (`--callers FILE` names a file of them, `navigator serve token NAME --callers FILE` makes one)
    2 navigator: --listen: `[::]:0` can be reached from other machines, and there are no tokens (`--callers FILE` names a file of them, `navigator serve token NAME --callers FILE` makes one)
    2 error: invalid value 'localhost' for '--listen <ADDR:PORT>': invalid socket address syntax 
    2 navigator: --callers: for the purse `team` of a caller: there is no store at AT/team.db (`navigator store init` makes one)
    2 navigator: --callers: AT/none.toml: it has no caller (`navigator serve token NAME --callers FILE` adds one)
    2 navigator: --callers: AT/bad.toml: TOML parse error at line 1, column 1   |
    2 navigator: reading AT/nowhere.toml: No such file or directory (os error 2)
    2 error: invalid value 'https://chat.example/' for '--origin <ORIGIN>': did you mean `https://chat.example`? 
    2 error: invalid value 'chat.example' for '--origin <ORIGIN>': an origin is a scheme and a host (`https://chat.example`) 
    2 navigator: NAME: a name has at most 64 letters, digits and `-_.@`
    2 error: invalid value 'maps' for '--scope <SCOPE>'   [possible values: map, explore, knowledge, metrics]
    1 navigator: adding to AT/callers.toml: two callers are called `ada`: rename one
    "#);
    assert_eq!(fs::read_to_string(&file).unwrap(), good);

    let alone = home.run(folder.path(), &["serve", "token", "ben", "--rate", "5"]);
    let digest = blake3::hash(alone.stdout.trim_end().as_bytes()).to_hex().to_string();
    assert!(alone.stderr.contains(&format!("digest = \"{digest}\"")), "{}", alone.stderr);
    assert!(!alone.stderr.contains(alone.stdout.trim_end()));
}
