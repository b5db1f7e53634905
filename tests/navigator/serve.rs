//! The server over HTTP: the official client, a plain one, and the description for programs get the
//! same answers as a client over standard input.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rmcp::handler::client::ClientHandler;
use rmcp::model::{CallToolRequestParams, CallToolResult, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RoleClient, ServiceExt};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};
use test_support::repo;

use crate::http_server::{HttpServer, bearer};
use crate::knowledge::{known, navigator};
use crate::service;
use crate::tools::Tools;
use crate::walks::manual;

const GOAL: &str = "where is a session refreshed?";

/// Adds a caller to a file, and returns its token.
pub(crate) fn caller(folder: &std::path::Path, name: &str, flags: &[&str]) -> String {
    let sealed = navigator();
    let args = [&["serve", "token", name, "--callers", "callers.toml"], flags].concat();
    let made = sealed.run(folder, &args);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    made.stdout.trim_end().to_owned()
}

/// A client that listens for progress.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<String>>>);

impl ClientHandler for Told {
    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.lock().unwrap().push(told.message.unwrap_or_default());
    }
}

/// The texts of a result as `Tools` shows them.
fn shown(result: &CallToolResult) -> String {
    let texts: Vec<&str> =
        result.content.iter().map(|block| block.as_text().unwrap().text.trim_end()).collect();
    let mark = if result.is_error == Some(true) { "error: " } else { "" };
    format!("{mark}{}", texts.join("\n-- "))
}

#[test]
fn the_official_client_gets_what_a_client_over_standard_input_gets() {
    let folder = service();
    let at = repo("");
    let token = caller(at.path(), "agent", &[]);
    let callers = at.path().join("callers.toml");
    let server = HttpServer::of(folder.path(), &["--callers", callers.to_str().unwrap()]);
    let mut over_stdio = Tools::of(folder.path(), &[]);
    let told = Told::default();
    // The client builds a TLS configuration, although it needs none here.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let config =
            StreamableHttpClientTransportConfig::with_uri(format!("http://{}/mcp", server.address))
                .auth_header(token);
        let transport = StreamableHttpClientTransport::from_config(config);
        let client = told.clone().serve(transport).await.unwrap();
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["explore", "map", "explain", "replay"]);
        let info = client.peer_info().unwrap();
        assert!(info.instructions.as_deref().unwrap().contains("Begin with `explore`"));
        for (tool, arguments) in [
            ("explore", json!({ "goal": GOAL, "tokens": 600 })),
            ("map", json!({ "levels": { "src": "outline" } })),
            ("explain", json!({ "path": "src/session.rs", "goal": GOAL })),
            ("explain", json!({ "path": "src/sesion.rs" })),
            ("replay", json!({ "plan": "deadbeef" })),
        ] {
            let Value::Object(fields) = arguments.clone() else { unreachable!() };
            let call = CallToolRequestParams::new(tool).with_arguments(fields);
            let result = client.call_tool(call).await.unwrap();
            assert_eq!(shown(&result), over_stdio.call(tool, arguments), "{tool}");
        }
        let unknown = client.call_tool(CallToolRequestParams::new("explode")).await.unwrap_err();
        assert!(unknown.to_string().contains("no tool `explode` (explore, map"), "{unknown}");
        client.cancel().await.unwrap();
    });
    let told = told.0.lock().unwrap().clone();
    assert!(told.iter().any(|line| line.starts_with("turn 1: ")), "{told:?}");
    assert!(server.line_with("explore").contains("navigator: agent explore answered 0."));
}

#[test]
fn a_plain_client_gets_the_same_as_json() {
    let folder = service();
    let server = HttpServer::of(folder.path(), &[]);
    let mut over_stdio = Tools::of(folder.path(), &[]);
    let asked = json!({ "goal": GOAL, "tokens": 600 });
    let found = server.call("", "explore", &asked);
    assert_eq!(found.status, 200, "{found:?}");
    let found = found.json();
    let said = over_stdio.call("explore", asked);
    let (text, note) = said.rsplit_once("\n-- ").unwrap();
    assert_eq!((found["text"].as_str().unwrap().trim_end(), &found["note"]), (text, &json!(note)));

    let plan = note.split("plan ").nth(1).unwrap();
    let again = server.call("", "replay", &json!({ "plan": plan, "tokens": 600 })).json();
    assert_eq!(again["text"], found["text"]);
    let by_agent = server.agent("", "replay", &json!({ "plan": plan, "tokens": 600 }));
    assert_eq!(by_agent["result"]["content"][0]["text"], found["text"]);
    let overview = server.ask("POST", "/v1/tools/map", "", "");
    assert_eq!(overview.status, 200, "no body is no arguments: {overview:?}");

    let refused = server.call("", "explore", &json!({ "gaol": "x" }));
    assert_eq!(refused.refused(), (422, "tool_error".to_owned()));
    let error = "`explore` takes no `gaol` (did you mean `goal`?)";
    assert_eq!(refused.json()["error"], error);
    let no_room = server.call("", "explain", &json!({ "path": "src/nowhere.rs", "tokens": 0 }));
    assert_eq!(
        (no_room.status, &no_room.json()["error"]),
        (422, &json!("the result has no room: raise `tokens`"))
    );
}

/// A knowledge in a folder, and a server that has it.
fn with_knowledge() -> (test_support::Repo, test_support::Repo, HttpServer) {
    let at = known(&navigator(), &manual());
    let folder = service();
    let file = at.path().join("known.json");
    let server = HttpServer::of(folder.path(), &["--knowledge", file.to_str().unwrap()]);
    (at, folder, server)
}

#[test]
fn a_knowledge_answers_in_its_own_words() {
    let (_at, _folder, server) = with_knowledge();
    let page = json!({ "current_url": "file:///c12.html" });
    let found = server.call(
        "",
        "ask_knowledge",
        &json!({ "instruction_type": "find_screen", "context": page }),
    );
    assert_eq!(found.status, 200, "{found:?}");
    let screen = found.json()["result"]["screen_id"].clone();
    let way = json!({ "instruction_type": "navigate_to_screen", "target": screen });
    let way = server.call("", "ask_knowledge", &way).json();
    assert_eq!(way["actions"][0]["params"]["target"], "file:///c12.html", "{way}");
    let nowhere = json!({ "instruction_type": "navigate_to_screen", "target": "the moon" });
    let nowhere = server.call("", "ask_knowledge", &nowhere);
    assert_eq!((nowhere.status, &nowhere.json()["success"]), (422, &json!(false)));
    assert!(nowhere.json()["error"].as_str().unwrap().contains("the moon"), "{nowhere:?}");
}

/// A value that a schema allows.
fn example(name: &str, schema: &Value) -> Value {
    match schema["enum"].as_array() {
        Some(words) => words[0].clone(),
        None if name == "path" => json!("src/session.rs"),
        None => json!(GOAL),
    }
}

#[test]
fn each_operation_of_the_description_answers_as_described() {
    let (_at, _folder, server) = with_knowledge();
    let described = server.ask("GET", "/openapi.json", "", "").json();
    assert_eq!(described["openapi"], "3.1.0");
    let listed = server.ask("GET", "/v1/tools", "", "").json();
    let mut operations = BTreeSet::new();
    for tool in listed["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let path = format!("/v1/tools/{name}");
        let operation = &described["paths"][&path]["post"];
        operations.insert(path.clone());
        assert_eq!(operation["operationId"], name);
        assert_eq!(operation["description"], tool["description"]);
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(*schema, tool["input_schema"]);
        let needed = schema["required"].as_array().cloned().unwrap_or_default();
        let arguments: serde_json::Map<String, Value> = needed
            .iter()
            .map(|name| name.as_str().unwrap())
            .map(|name| (name.to_owned(), example(name, &schema["properties"][name])))
            .collect();
        // What is asked exists or does not; without what is needed, nothing does.
        let good = server.call("", name, &arguments.into());
        let bad = server.call("", name, &json!({ "no such argument": 1 }));
        assert_eq!(bad.status, 422, "{name}");
        for reply in [&good, &bad] {
            let described = &operation["responses"][reply.status.to_string()];
            let schema = described["content"]["application/json"]["schema"]["$ref"].as_str();
            let schema =
                schema.unwrap_or_else(|| panic!("{name}: {} is not described", reply.status));
            let schema = described_at(&server, schema);
            for field in schema["required"].as_array().unwrap() {
                assert!(reply.json().get(field.as_str().unwrap()).is_some(), "{name}: {reply:?}");
            }
            assert_eq!(reply.headers["content-type"], "application/json");
        }
    }
    let paths: BTreeSet<String> = described["paths"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(paths, operations);
}

/// What a reference within the description leads to.
fn described_at(server: &HttpServer, reference: &str) -> Value {
    let described = server.ask("GET", "/openapi.json", "", "").json();
    described.pointer(reference.strip_prefix('#').unwrap()).unwrap().clone()
}

#[test]
fn a_request_that_is_none_says_why() {
    let folder = service();
    let server = HttpServer::of(folder.path(), &["--max-body", "1000"]);
    let large = json!({ "goal": "x".repeat(1_000) }).to_string();
    let text = "Content-Type: text/plain\r\n";
    let refused: Vec<String> = [
        ("GET", "/", "", ""),
        ("GET", "/v1/tools/map", "", ""),
        ("DELETE", "/healthz", "", ""),
        ("POST", "/v1/tools/maps", "", "{}"),
        ("POST", "/v1/tools/%1b[31m", "", "{}"),
        ("POST", "/v1/tools/map", text, "{}"),
        ("POST", "/v1/tools/map", "", "{"),
        ("POST", "/v1/tools/map", "", "[]"),
        ("POST", "/v1/tools/explore", "", &large),
    ]
    .map(|(method, path, headers, body)| {
        let reply = server.ask(method, path, headers, body);
        format!("{method} {path} {}\n  {}", reply.status, reply.body)
    })
    .into();
    insta::assert_snapshot!(refused.join("\n"), @r#"
    GET / 404
      {"error":"nothing is here (`GET /openapi.json` lists the tools)","reason":"path"}
    GET /v1/tools/map 405
      {"error":"another method is needed here","reason":"method"}
    DELETE /healthz 405
      {"error":"another method is needed here","reason":"method"}
    POST /v1/tools/maps 404
      {"error":"no tool `maps` (explore, map, explain, replay)","reason":"tool"}
    POST /v1/tools/%1b[31m 404
      {"error":"no tool `\\u{1b}[31m` (explore, map, explain, replay)","reason":"tool"}
    POST /v1/tools/map 415
      {"error":"the body is no JSON (`Content-Type: application/json`)","reason":"media_type"}
    POST /v1/tools/map 400
      {"error":"the body is no JSON object: EOF while parsing an object at line 1 column 1","reason":"json"}
    POST /v1/tools/map 400
      {"error":"the body is no JSON object: invalid type: sequence, expected a map at line 1 column 0","reason":"json"}
    POST /v1/tools/explore 413
      {"error":"the body has more than 1000 bytes","reason":"large"}
    "#);
    // A body whose length nobody says is counted.
    let mut connection = server.connect();
    connection.send(
        "POST /v1/tools/map HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
    );
    for _ in 0..3 {
        connection.send(&format!("190\r\n{}\r\n", "x".repeat(0x190)));
    }
    assert_eq!(connection.reply().unwrap().refused(), (413, "large".to_owned()));
    let bad = server.post_mcp("", &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/dance" }));
    assert!(bad.body.contains("no method `tools/dance`"), "{bad:?}");
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(server.post_mcp("", &ready).status, 202);
    assert_eq!(server.ask("GET", "/mcp", "Accept: text/event-stream\r\n", "").status, 405);
}

#[test]
fn figures_count_calls_and_name_nothing_of_them() {
    let folder = service();
    let server = HttpServer::of(folder.path(), &[]);
    server.call("", "explore", &json!({ "goal": "zygomorphic quaternion" }));
    server.agent("", "map", &json!({ "levels": { "nowhere-42": "full" } }));
    server.ask("GET", "/nowhere-42", "", "");
    server.call("", "explode-42", &json!({}));
    assert_eq!(
        server.figure("", "navigator_calls_total{tool=\"explore\",outcome=\"answered\"}"),
        1
    );
    assert_eq!(server.figure("", "navigator_calls_total{tool=\"map\",outcome=\"error\"}"), 1);
    assert_eq!(server.figure("", "navigator_refused_total{reason=\"path\"}"), 1);
    let reply = server.ask("GET", "/metrics", "", "");
    assert_eq!(reply.headers["content-type"], "text/plain; version=0.0.4");
    let text = reply.body;
    for foreign in ["zygomorphic", "nowhere-42", "explode-42", "session", "local"] {
        assert!(!text.contains(foreign), "{text}");
    }
    let mut declared = BTreeSet::new();
    for line in text.lines() {
        if let Some(kind) = line.strip_prefix("# TYPE ") {
            declared.insert(kind.split(' ').next().unwrap());
        } else if !line.starts_with("# HELP ") {
            let (name, value) = line.rsplit_once(' ').unwrap();
            assert!(value.parse::<f64>().is_ok(), "{line}");
            let name = name.split('{').next().unwrap();
            let of_histogram = ["_bucket", "_sum", "_count"];
            let base = of_histogram.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
            assert!(declared.contains(base), "{line}");
        }
    }
    assert_eq!(server.ask("GET", "/healthz", "", "").body, "ok\n");
}

#[test]
fn a_model_is_paid_from_one_limit() {
    let folder = service();
    let answer = crate::runs::says(&crate::runs::finalize(), 5_000, 1_000);
    let model = crate::server::Server::start(vec![answer]);
    let flags = crate::runs::flags(&model);
    let mut flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    flags.extend(["--budget", "0.10"]);
    let server = HttpServer::of(folder.path(), &flags);
    let left = || {
        let text = server.ask("GET", "/metrics", "", "").body;
        let line = text.lines().find_map(|line| line.strip_prefix("navigator_spend_left_usd "));
        line.unwrap().to_owned()
    };
    assert_eq!(left(), "0.10");
    let found = server.call("", "explore", &json!({ "goal": GOAL, "tokens": 800 })).json();
    assert!(found["note"].as_str().unwrap().ends_with("spent $0.007, $0.093 left"), "{found}");
    assert_eq!(left(), "0.093");
    let bearer = bearer("whatever");
    assert_eq!(server.ask("GET", "/v1/tools", &bearer, "").status, 200, "a token is not needed");
}

#[test]
fn an_exploration_does_not_wait_for_that_of_another_caller() {
    let (folder, mut n_asked) = (service(), 0);
    // The first request of a model is never answered.
    let model = crate::server::Server::answering(move |_| {
        n_asked += 1;
        match n_asked {
            1 => crate::server::Answer::Silence,
            _ => crate::runs::says(&crate::runs::finalize(), 5_000, 1_000),
        }
    });
    let flags = crate::runs::flags(&model);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let server = HttpServer::of(folder.path(), &flags);
    let arguments = json!({ "goal": GOAL, "tokens": 800 });
    let waiting = server.begin("", "explore", &arguments);
    while !model.was_asked().is_cancelled() {
        std::thread::yield_now();
    }
    let found = server.call("", "explore", &arguments).json();
    let note = found["note"].as_str().unwrap().to_owned();
    let (spent, left) = note.rsplit_once("; ").unwrap().1.split_once(", ").unwrap();
    assert_eq!(spent, "spent $0.007", "{note}");
    // What is reserved for the call under way counts as spent.
    let amount = |text: &str| text.trim_start_matches('$').parse::<f64>().unwrap();
    assert!(amount(left.trim_end_matches(" left")) < 0.493, "{note}");
    drop(waiting);
}
