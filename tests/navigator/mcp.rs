//! The server for agents: what it costs to know it, what each tool gives, and that nothing passes
//! the caller's tokens.
//!
//! Long: a session is shown message by message.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, OnceLock};

use repo_map::Tokenizer;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{CallToolRequestParams, CallToolResult, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RoleClient, RunningService, ServiceError, ServiceExt};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use test_support::{Sealed, sealed};
use tokio::runtime::Runtime;

use crate::runs::{finalize, flags, says};
use crate::server::Server;
use crate::service;

const GOAL: &str = "where is a session refreshed?";

/// A client that listens for progress.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<(f64, String)>>>);

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.lock().unwrap().push((told.progress, told.message.unwrap_or_default()));
    }
}

/// The official client, and the server as its child.
struct Session {
    runtime: Runtime,
    client: RunningService<RoleClient, Listener>,
    listener: Listener,
    home: Sealed,
}

/// A result: the text, the last line, whether it is an error.
#[derive(Debug, Clone, PartialEq)]
struct Got {
    text: String,
    line: String,
    is_error: bool,
}

impl Got {
    fn of(result: &CallToolResult) -> Got {
        assert!(result.structured_content.is_none(), "what is not asked for is not sent");
        let mut texts = result.content.iter().map(|block| block.as_text().unwrap().text.clone());
        let got = Got {
            text: texts.next().unwrap_or_default(),
            line: texts.next().unwrap_or_default(),
            is_error: result.is_error == Some(true),
        };
        assert_eq!(texts.next(), None);
        got
    }

    fn tokens(&self) -> u32 {
        Tokenizer::O200kBase.count(&self.text) + Tokenizer::O200kBase.count(&self.line)
    }

    /// The name of the plan, from the last line.
    fn plan(&self) -> String {
        let name = self.line.split("plan ").nth(1).unwrap_or_else(|| panic!("no plan in {self:?}"));
        name.chars().take_while(char::is_ascii_hexdigit).collect()
    }
}

impl Session {
    fn new(folder: &Path, flags: &[&str]) -> Session {
        let home = sealed(env!("CARGO_BIN_EXE_navigator"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = Listener::default();
        let mut command = home.command(folder);
        command.arg("mcp").args(flags);
        let client = runtime.block_on(async {
            let child = TokioChildProcess::builder(tokio::process::Command::from(command))
                .stderr(Stdio::null());
            listener.clone().serve(child.spawn().unwrap().0).await.unwrap()
        });
        Session { runtime, client, listener, home }
    }

    fn ask(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        self.runtime.block_on(
            self.client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)),
        )
    }

    fn call(&self, tool: &'static str, arguments: Value) -> Got {
        Got::of(&self.ask(tool, arguments).unwrap())
    }

    /// What the answer is that says why there is nothing.
    fn error(&self, tool: &'static str, arguments: Value) -> String {
        let got = self.call(tool, arguments);
        assert!(got.is_error && got.line.is_empty(), "{got:?}");
        got.text
    }
}

#[test]
fn knowing_the_server_costs_less_than_a_thousand_tokens() {
    let folder = service();
    let site = ["--allow", "reads:docs.example"];
    for flags in [&[][..], &["--model", "ollama/qwen2.5-coder:7b"], &site] {
        let session = Session::new(folder.path(), flags);
        let tools = session.runtime.block_on(session.client.list_tools(None)).unwrap();
        let names: Vec<&str> = tools.tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(names, ["explore", "map", "explain", "replay"]);
        let list = serde_json::to_string(&json!({ "tools": tools.tools })).unwrap();
        let instructions = session.client.peer_info().unwrap().instructions.clone().unwrap();
        let tokens = Tokenizer::O200kBase.count(&list) + Tokenizer::O200kBase.count(&instructions);
        assert!(tokens < 1_000, "{tokens} tokens: {list}");
        let hints: Vec<_> =
            tools.tools.iter().map(|tool| tool.annotations.clone().unwrap()).collect();
        let [has_model, has_sites] = ["--model", "--allow"].map(|flag| flags.contains(&flag));
        // Only what takes addresses reaches beyond the repository.
        for (at, hint) in hints.iter().enumerate().skip(1) {
            assert_eq!(hint.read_only_hint, Some(true));
            assert_eq!(hint.open_world_hint, Some(at == 1 && has_sites));
        }
        // What may cost money is not called read-only, and only then is there a budget to lower.
        assert_eq!(hints[0].read_only_hint, (!has_model).then_some(true));
        assert_eq!(hints[0].open_world_hint, Some(has_model || has_sites));
        let fields = |at: usize| &tools.tools[at].input_schema["properties"];
        assert_eq!(fields(0).get("budget").is_some(), has_model);
        assert_eq!(fields(1).get("path").is_some(), has_sites);
    }
}

#[test]
fn a_session_from_goal_to_replay() {
    let folder = service();
    let session = Session::new(folder.path(), &[]);
    let found = session.call("explore", json!({ "goal": GOAL, "tokens": 600 }));
    assert!(
        !found.is_error
            && found.text.starts_with("# Repository map\n")
            && found.text.contains("pub fn refresh"),
        "{found:?}"
    );
    assert!(found.line.contains(" of 600 tokens; left out of 6 files: "), "{found:?}");

    let levels =
        json!({ "src/session.rs#Session::refresh": "full", "src": "outline", "docs/none": "full" });
    assert!(
        session.error("map", json!({ "levels": levels })).contains("no file matches `docs/none`")
    );
    let map = session.call("map", json!({ "levels": { "src/session.rs": "outline", "src/session.rs#refresh": "full" }, "tokens": 600 }));
    assert!(map.text.contains("self.expires = now + 3600;") && !map.is_error, "{map:?}");
    assert!(
        !map.text.contains("fn answer")
            && session.call("map", json!({})).text.contains("fn answer"),
        "the rest is folded: {map:?}"
    );

    let why = session.call("explain", json!({ "path": "src/session.rs#refresh", "goal": GOAL }));
    assert!(why.text.starts_with("src/session.rs#Session::refresh\n  level   "), "{why:?}");

    let replayed = session.call("replay", json!({ "plan": found.plan(), "tokens": 600 }));
    assert_eq!(replayed.text, found.text);
    assert!(replayed.line.starts_with("identical; "), "{replayed:?}");
    let yaml = session.call("replay", json!({ "plan": found.plan(), "give": "plan" }));
    assert_eq!(session.call("replay", json!({ "plan": yaml.text })).text, found.text);
    folder.write("found.yaml", yaml.text.as_bytes());
    assert_eq!(session.call("replay", json!({ "plan": "found.yaml" })).text, found.text);
    // The plan's file is no part of the repository when the plan is what is asked for.
    let drawn = session.call("map", json!({ "plan": "found.yaml", "tokens": 600 }));
    assert_eq!((drawn.is_error, drawn.text.contains("found.yaml")), (false, false), "{drawn:?}");
    let summary = session.call("replay", json!({ "plan": found.plan(), "give": "summary" }));
    assert!(summary.text.contains("## Left out, and why"), "{summary:?}");
    fs::remove_file(folder.path().join("found.yaml")).unwrap();

    // The same call gives the same bytes, in another session too.
    let again = Session::new(folder.path(), &["--no-cache"]);
    assert_eq!(again.call("explore", json!({ "goal": GOAL, "tokens": 600 })), found);
}

#[test]
fn no_result_is_larger_than_its_tokens() {
    let folder = service();
    let session = Session::new(folder.path(), &[]);
    let plan = session.call("explore", json!({ "goal": GOAL })).plan();
    for tokens in [0, 1, 10, 50, 300] {
        for (tool, mut arguments) in [
            ("explore", json!({ "goal": GOAL })),
            ("explore", json!({ "goal": "zygomorphic quaternion" })),
            ("explore", json!({ "goal": GOAL, "path": "sesion.rs" })),
            ("map", json!({})),
            ("map", json!({ "levels": { "**": "full" } })),
            ("map", json!({ "levels": { "**": "signatures" } })),
            ("explain", json!({ "path": "src/session.rs", "goal": GOAL })),
            ("explain", json!({ "path": "src/sesion.rs" })),
            ("replay", json!({ "plan": plan })),
            ("replay", json!({ "plan": plan, "give": "plan" })),
            ("replay", json!({ "plan": plan, "give": "summary" })),
            ("replay", json!({ "plan": "nowhere.yaml" })),
        ] {
            arguments["tokens"] = json!(tokens);
            let got = session.call(tool, arguments.clone());
            assert!(got.tokens() <= tokens, "{tool} {arguments}: {} tokens: {got:?}", got.tokens());
            assert!(
                got.is_error || !got.text.is_empty() || !got.line.is_empty(),
                "{tool} {arguments}: an empty result: {got:?}"
            );
        }
    }
    // What has to be given is said in the caller's tokens.
    let floors = json!({ "src/session.rs": "full..full", "src/http.rs": "full..full" });
    let tight = session.call("map", json!({ "levels": floors, "tokens": 200 })).line;
    let (_, needed) =
        tight.split_once("the budget is 200; raise it to ").unwrap_or_else(|| panic!("{tight}"));
    let needed: u32 = needed.split(',').next().unwrap().parse().unwrap();
    let enough = |tokens: u32| {
        !session
            .call("map", json!({ "levels": floors, "tokens": tokens }))
            .line
            .contains("conflict")
    };
    assert_eq!((enough(needed), enough(needed - 1)), (true, false));
    let small = session.call("explore", json!({ "goal": GOAL, "tokens": 50 }));
    assert!(small.text.contains("session.rs") && small.line.contains("of 50 tokens"), "{small:?}");
}

#[test]
fn an_error_says_what_to_do_next() {
    let folder = service();
    folder.write("secrets.yaml", b"version: 1\nscan: {mask: \"off\"}\nrules: []\n");
    let session = Session::new(folder.path(), &[]);
    let mut said = String::new();
    for (tool, arguments) in [
        ("explore", json!({})),
        ("explore", json!({ "gaol": "x" })),
        ("explore", json!({ "goal": "x", "tokens": "many" })),
        ("explore", json!({ "goal": "x", "path": "src/sesion.rs" })),
        ("explore", json!({ "goal": "x", "path": "srcs" })),
        ("explore", json!({ "goal": "x", "path": "../other" })),
        ("explore", json!({ "goal": "x", "path": "/etc/passwd" })),
        ("explore", json!({ "goal": "x", "include": ["a[b"] })),
        ("map", json!({ "levels": { "src": "signatures" } })),
        ("map", json!({ "levels": { "src": 3 } })),
        ("map", json!({ "levels": { "src/session.rs#refresh": "path" } })),
        ("map", json!({ "levels": { "src/session.rs#refesh": "full" } })),
        ("map", json!({ "plan": "version: 1\nrules:\n- {path: src, levl: full}\n" })),
        ("map", json!({ "plan": "secrets.yaml" })),
        ("explain", json!({ "path": "src/session.rs#Session::refesh" })),
        ("replay", json!({ "plan": "deadbeef" })),
        ("replay", json!({ "plan": "README.md" })),
        ("replay", json!({ "plan": "version: 1\nrules: []\n" })),
        ("replay", json!({ "plan": "x", "give": "all" })),
    ] {
        said.push_str(&format!(
            "{tool} {arguments}\n  {}\n",
            session.error(tool, arguments.clone()).trim_end().replace('\n', "\n  ")
        ));
    }
    insta::assert_snapshot!(said, @r#"
    explore {}
      `explore` needs `goal`
    explore {"gaol":"x"}
      `explore` takes no `gaol` (did you mean `goal`?)
    explore {"goal":"x","tokens":"many"}
      tokens: `many` is not a number of tokens (`8000`, `8k`)
    explore {"goal":"x","path":"src/sesion.rs"}
      no file matches `src/sesion.rs` (did you mean `src/session.rs`, `tests/session.rs`?)
    explore {"goal":"x","path":"srcs"}
      no file matches `srcs` (did you mean `src/`?)
    explore {"goal":"x","path":"../other"}
      path: `../other` is outside of the repository (paths are relative to its folder, without `..`)
    explore {"goal":"x","path":"/etc/passwd"}
      path: `/etc/passwd` is outside of the repository (paths are relative to its folder, without `..`)
    explore {"goal":"x","include":["a[b"]}
      include: `a[b` is not a valid glob: unclosed character class; missing ']'
    map {"levels":{"src":"signatures"}}
      levels.src: `signatures` is not a level (did you mean `interface`?); levels: exclude, fold, path, outline, interface, body, full
    map {"levels":{"src":3}}
      levels.src: `3` is no level (exclude, fold, path, outline, interface, body, full)
    map {"levels":{"src/session.rs#refresh":"path"}}
      levels.src/session.rs#refresh: `path`: an item takes exclude, outline, interface, body or full
    map {"levels":{"src/session.rs#refesh":"full"}}
      `src/session.rs` has no item `refesh` (did you mean `Session::refresh`?)
    map {"plan":"version: 1\nrules:\n- {path: src, levl: full}\n"}
      plan:3: rules[0].levl: unknown field `levl`, expected one of `path`, `level`, `items`, `why`, `was`, `mark` (did you mean `level`?)
    map {"plan":"secrets.yaml"}
      plan: `scan: {mask: off}` is not allowed here (it takes a server started with `--no-mask`)
    explain {"path":"src/session.rs#Session::refesh"}
      `src/session.rs` has no item `Session::refesh` (did you mean `Session::refresh`?)
    replay {"plan":"deadbeef"}
      plan: no plan of this session is called `deadbeef`, and no file (the same `explore` leaves the same plan; or give its YAML)
    replay {"plan":"README.md"}
      plan: `README.md` is no plan (plans end with .yaml, .yml or .json)
    replay {"plan":"version: 1\nrules: []\n"}
      plan: `plan` is not a flown plan: `map` draws it, and leaves one that can be replayed
    replay {"plan":"x","give":"all"}
      give: `all` is none of context, plan, summary
    "#);
    let unknown = session.ask("explode", json!({})).unwrap_err();
    assert!(
        unknown.to_string().contains("no tool `explode` (explore, map, explain, replay)"),
        "{unknown}"
    );
}

#[test]
#[cfg(unix)]
fn a_link_leads_nowhere() {
    let folder = service();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("plan.yaml"), "version: 1\nrules: []\n").unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
    let session = Session::new(folder.path(), &[]);
    assert_eq!(
        session.error("map", json!({ "plan": "out/plan.yaml" })),
        "plan: `out/plan.yaml` is no file in the repository"
    );
    let root = folder.path().canonicalize().unwrap();
    let absolute = session.call("explain", json!({ "path": root.join("src/http.rs") }));
    assert!(absolute.text.starts_with("src/http.rs\n"), "{absolute:?}");
}

#[test]
fn files_are_read_anew_at_each_call() {
    let folder = service();
    let session = Session::new(folder.path(), &[]);
    let before = session.call("explore", json!({ "goal": GOAL, "tokens": 600 }));
    folder.write(
        "src/renewal.rs",
        b"/// Refreshes a session that has ended.\npub fn refresh_session_again() {}\n",
    );
    let drifted = session.error("replay", json!({ "plan": before.plan() }));
    assert!(
        drifted.starts_with("drifted: ")
            && drifted.ends_with("appeared elsewhere: src/renewal.rs\n"),
        "{drifted}"
    );
    let after = session.call("explore", json!({ "goal": GOAL, "tokens": 600 }));
    assert!(after.text.contains("refresh_session_again"), "{after:?}");
    fs::remove_file(folder.path().join("src/renewal.rs")).unwrap();
    assert_eq!(session.call("explore", json!({ "goal": GOAL, "tokens": 600 })), before);
}

#[test]
fn a_plan_from_elsewhere_does_not_name_what_rules_of_this_machine_hide() {
    let folder = service();
    folder.write(".git/info/exclude", b"offer-*.md\n");
    folder.write("offer-for-acme.md", b"# Offer\n");
    let session = Session::new(folder.path(), &[]);
    let flown = session.call("map", json!({ "tokens": 600 }));
    let plan = session.call("replay", json!({ "plan": flown.plan(), "give": "plan" })).text;
    let (head, tail) = plan.split_once("outside:\n  - offer-for-acme.md\n").unwrap();
    let elsewhere = format!("{head}outside: []\n{tail}");
    let replayed = session.call("replay", json!({ "plan": elsewhere }));
    assert_eq!(replayed.text, flown.text);
    folder.write("src/new.rs", b"fn new() {}\n");
    let drifted = session.error("replay", json!({ "plan": elsewhere }));
    assert!(drifted.contains("src/new.rs") && !drifted.contains("acme"), "{drifted}");
}

#[test]
fn a_caller_narrows_and_corrects_an_exploration() {
    let folder = service();
    let session = Session::new(folder.path(), &[]);
    let only = session.call("explore", json!({ "goal": GOAL, "path": "src/http.rs" })).text;
    assert!(only.contains("src/http.rs") && !only.contains("src/session.rs"), "{only}");
    let without =
        session.call("explore", json!({ "goal": GOAL, "exclude": "src/session.rs" })).text;
    assert!(!without.contains("session.rs\n```"), "{without}");
    let slip = session.call("explore", json!({ "goal": GOAL, "exclude": "src/sesion.rs" }));
    assert!(slip.is_error && slip.text.contains("did you mean `src/session.rs`?"), "{slip:?}");
    let plain = session.call("explore", json!({ "goal": GOAL, "tokens": 150 }));
    let told = session
        .call("explore", json!({ "goal": GOAL, "tokens": 150, "feedback": "mixing of colors" }));
    assert!(
        !plain.text.contains("color.rs") && told.text.contains("color.rs"),
        "{plain:?} {told:?}"
    );
    let nothing = session.call("explore", json!({ "goal": "zygomorphic quaternion" }));
    assert!(
        !nothing.is_error && nothing.line.starts_with("nothing that may be shown matches the goal"),
        "{nothing:?}"
    );
}

#[test]
fn each_turn_is_told_to_a_client_that_listens() {
    let folder = service();
    let session = Session::new(folder.path(), &[]);
    session.call("explore", json!({ "goal": GOAL }));
    let told = session.listener.0.lock().unwrap().clone();
    assert!(told.len() > 1 && told[0].1.starts_with("turn 1: "), "{told:?}");
    assert!(told.windows(2).all(|pair| pair[0].0 < pair[1].0), "{told:?}");
}

#[test]
fn one_purse_for_the_life_of_the_server_which_a_call_can_lower_and_never_raise() {
    let folder = service();
    let breach = says(&finalize(), 100_000, 1_000);
    let server = Server::start(vec![
        says(&finalize(), 5_000, 1_000),
        says(&finalize(), 5_000, 1_000),
        breach,
    ]);
    let flags = flags(&server);
    let mut flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    flags.extend(["--budget", "0.10"]);
    let session = Session::new(folder.path(), &flags);
    let explore = |budget: f64| {
        session.call("explore", json!({ "goal": GOAL, "budget": budget, "tokens": 800 }))
    };
    let lowered = explore(0.000_001);
    assert!(
        lowered.line.contains("spend limit") && lowered.line.ends_with("spent $0.00, $0.10 left"),
        "{lowered:?}"
    );
    assert!(lowered.text.contains("session.rs"), "the best so far is delivered: {lowered:?}");
    assert_eq!(server.received().len(), 0);
    let raised = explore(50.0);
    assert!(raised.line.ends_with("spent $0.007, $0.093 left"), "{raised:?}");
    let again = session.call("explore", json!({ "goal": GOAL, "tokens": 800 }));
    assert!(again.line.ends_with("spent $0.007, $0.086 left"), "{again:?}");
    // Each is a run of its own, with its ledger; the second could have spent no more than the
    // server has.
    let ledger = fs::read_to_string(
        session.home.home().join(".local/state/navigator/runs/00002/ledger.jsonl"),
    )
    .unwrap();
    assert!(ledger.contains("\"limit_pico_usd\":100000000000,"), "{ledger}");
    let replayed = session.home.run(folder.path(), &["replay", "3"]);
    assert_eq!((replayed.code, replayed.stdout), (0, again.text));
    // Who bills more than the maximum is not asked again.
    let breached = explore(0.05);
    assert!(
        breached.line.contains("the provider billed") && breached.line.ends_with(", $0.00 left"),
        "{breached:?}"
    );
    assert!(explore(0.05).line.ends_with("spent $0.00, $0.00 left"));
    assert_eq!(server.received().len(), 3);
}

#[test]
fn what_was_paid_for_is_given_though_it_cannot_be_kept() {
    let folder = service();
    let home = Arc::new(OnceLock::<PathBuf>::new());
    let server = Server::answering({
        let home = Arc::clone(&home);
        move |_| {
            fs::create_dir(
                home.get().unwrap().join(".local/state/navigator/runs/00001/context.md"),
            )
            .unwrap();
            says(&finalize(), 5_000, 1_000)
        }
    });
    let flags = flags(&server);
    let session =
        Session::new(folder.path(), &flags.iter().map(String::as_str).collect::<Vec<_>>());
    home.set(session.home.home().to_owned()).unwrap();
    let found = session.call("explore", json!({ "goal": GOAL, "tokens": 800 }));
    assert!(!found.is_error && found.text.contains("pub fn refresh"), "{found:?}");
    assert!(found.line.ends_with("spent $0.007, $0.493 left"), "{found:?}");
}

/// A server spoken to line by line.
fn raw(folder: &Path) -> (Sealed, std::process::Child) {
    let home = sealed(env!("CARGO_BIN_EXE_navigator"));
    let mut command = home.command(folder);
    command.arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    (home, child)
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

#[test]
fn a_call_that_is_cancelled_is_not_answered_and_the_next_one_is() {
    let folder = service();
    for at in 0..2_000 {
        folder.write(
            &format!("lib/part{}/module{at}.py", at % 50),
            format!("def refresh_{at}(session): pass\n").repeat(30).as_bytes(),
        );
    }
    let (_home, mut child) = raw(folder.path());
    let mut stdin = child.stdin.take().unwrap();
    let call = |id: u32, path: &str| {
        let arguments = json!({ "path": path, "goal": GOAL });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "explain", "arguments": arguments } })
    };
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } });
    let (first, second) = (call(2, "src/session.rs"), call(3, "src/http.rs"));
    stdin
        .write_all(format!("{HELLO}{first}\n{cancelled}\nno message\n{second}\n").as_bytes())
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut ids = Vec::new();
    while ids.last() != Some(&json!(3)) {
        // What is no message is answered without an id.
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("`{line}` is no message: {error}"));
        ids.push(message["id"].clone());
    }
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(
        (ids, rest.as_str(), child.wait().unwrap().code()),
        (vec![json!(1), json!(null), json!(3)], "", Some(0))
    );
}

#[test]
fn what_is_no_request_is_answered_and_the_next_one_too() {
    let folder = service();
    let (_home, mut child) = raw(folder.path());
    let mut stdin = child.stdin.take().unwrap();
    let large = "a".repeat(20 << 20);
    let lines = [
        "no JSON".to_owned(),
        json!([1, 2]).to_string(),
        json!({ "jsonrpc": "2.0", "id": "x", "method": 3 }).to_string(),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "explore", "arguments": "refresh" } }).to_string(),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/dance" }).to_string(),
        format!(r#"{{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{{"name":"explore","arguments":{{"goal":"{large}"}}}}}}"#),
        format!(r#"{{"method":"tools/call","params":{{"name":"explore","arguments":{{"goal":"{large}"}}}},"jsonrpc":"2.0","id":5}}"#),
        json!({ "jsonrpc": "2.0", "id": 6, "method": "ping" }).to_string(),
    ];
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut answered = |line: &str| -> String {
        stdin.write_all(format!("{line}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        answer
    };
    for line in HELLO.lines().take(1) {
        answered(line);
    }
    let said: String = lines.iter().map(|line| answered(line)).collect();
    insta::assert_snapshot!(said, @r#"
    {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"not JSON: expected ident at line 1 column 2 (a message is one line)"}}
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a JSON-RPC message (a request has `jsonrpc`, `id` and `method`)"}}
    {"jsonrpc":"2.0","id":"x","error":{"code":-32600,"message":"not a JSON-RPC message (a request has `jsonrpc`, `id` and `method`)"}}
    {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`params` of `tools/call` need `name`, a text; `arguments`, where there are any, is an object"}}
    {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no method `tools/dance`"}}
    {"jsonrpc":"2.0","id":4,"error":{"code":-32600,"message":"the request is too large (a line has at most 16777216 bytes)"}}
    {"jsonrpc":"2.0","id":5,"error":{"code":-32600,"message":"the request is too large (a line has at most 16777216 bytes)"}}
    {"jsonrpc":"2.0","id":6,"result":{}}
    "#);
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_server_ends_well_when_its_input_does() {
    let folder = service();
    // The end of the input ends its last line too.
    let no_line_end = HELLO.lines().next().unwrap();
    for said in ["", HELLO, no_line_end] {
        let (_home, mut child) = raw(folder.path());
        child.stdin.take().unwrap().write_all(said.as_bytes()).unwrap();
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0));
        assert_eq!(
            ended.stdout.iter().filter(|byte| **byte == b'\n').count(),
            usize::from(!said.is_empty())
        );
    }
    let home = sealed(env!("CARGO_BIN_EXE_navigator"));
    let nowhere = home.run(folder.path(), &["mcp", "nowhere"]);
    assert_eq!((nowhere.code, nowhere.stdout.as_str()), (2, ""), "{}", nowhere.stderr);
    let priceless = home.run(folder.path(), &["mcp", "--model", "openai/no-such-model"]);
    assert_eq!((priceless.code, priceless.stdout.as_str()), (2, ""), "{}", priceless.stderr);
}
