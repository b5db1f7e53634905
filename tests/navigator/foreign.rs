//! Text from outside through every output: names, contents, commits, authors, plans, goals,
//! arguments, answers of models and messages of servers, each with what a terminal obeys, what
//! nobody sees, and a secret.
//!
//! Long: one walk over every output, place by place.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use test_support::foreign::{raw_in, texts};
use test_support::{Ran, Repo, Sealed, ran, repo, sealed};

use crate::page_server::{PageServer, page, redirect, status as page_status};
use crate::programs::program;
use crate::runs::{flags, says};
use crate::server::{Server, status};

/// A secret of its own for each place, so that a failure names the place.
const PLACES: [&str; 17] = [
    "name",
    "content",
    "subject",
    "author",
    "plan-goal",
    "plan-why",
    "plan-glob",
    "plan-field",
    "goal",
    "argument",
    "answer",
    "error",
    "plan-name",
    "feedback",
    "other-name",
    "mcp",
    "page",
];

fn secret(place: &str) -> String {
    let at = PLACES.iter().position(|one| *one == place).unwrap();
    format!("ghp_{}{at:04}", "a1B2".repeat(8))
}

/// Words of the goal, what a terminal obeys, what nobody sees, and the secret of the place.
fn planted(place: &str) -> String {
    format!(
        "session refresh \u{1b}[31m\u{1b}]0;PWN\u{7}\u{9b}2J\u{202e}\u{200b}\u{e0041} {}",
        secret(place)
    )
}

/// The same in double quotes of YAML, where escapes are of YAML's own.
fn planted_yaml(place: &str) -> String {
    format!("\"session refresh \\e[31m\\e]0;PWN\\a\\u202E\\u200B\\U000E0041 {}\"", secret(place))
}

fn planted_repo() -> Repo {
    let folder = repo(
        "=== src/http.rs\nuse crate::session::refresh;\n\npub fn answer() {\n    refresh();\n}\n",
    );
    let code = format!(
        "/// {}\npub fn refresh() -> &'static str {{\n    \"{}\"\n}}\n",
        planted("content"),
        planted("content")
    );
    folder.write("src/session.rs", code.as_bytes());
    for place in ["name", "other-name"] {
        folder.write(
            &format!("src/{}.rs", planted(place)),
            b"/// Refreshes a session.\npub fn refresh_session() {}\n",
        );
    }
    let plan = format!(
        "version: 1\ngoal: {}\nrules:\n  - path: '**'\n    level: ..full\n    why: {}\n  - path: \
         {}\n    level: full\n",
        planted_yaml("plan-goal"),
        planted_yaml("plan-why"),
        planted_yaml("plan-glob"),
    );
    folder.write(".repo-map/plans/p.yaml", plan.as_bytes());
    folder.write("q.yaml", b"version: 1\nrules: [{path: '**', level: path}]\n");
    folder.write("bad.yaml", format!("version: 1\n{}: 1\n", planted_yaml("plan-field")).as_bytes());
    folder.write(&format!("{}.yaml", planted("plan-name")), b"version: 1\nrulez: []\n");
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.env("GIT_CONFIG_GLOBAL", "/dev/null")
            .args(["-c", "user.name=a", "-c", "user.email=a@b"])
            .args(args);
        assert!(
            git.current_dir(folder.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap()
                .success(),
            "{args:?}"
        );
    };
    git(&["init"]);
    git(&["add", "."]);
    git(&[
        "commit",
        "-m",
        &planted("subject"),
        "--author",
        &format!("{} <a@b>", planted("author")),
    ]);
    folder.write(
        "src/http.rs",
        b"use crate::session::refresh;\n\npub fn answer() {\n    refresh()\n}\n",
    );
    git(&["commit", "-am", &format!("Second: {}", planted("subject"))]);
    folder
}

/// What is wrong with a text that was put out.
fn wrong_with(text: &str) -> Option<String> {
    let secret = || PLACES.into_iter().find(|place| text.contains(&secret(place)));
    raw_in(text).or_else(|| secret().map(|place| format!("the secret of {place}")))
}

/// All that was put out, what was wrong with it, and the commands that were walked.
#[derive(Default)]
struct Walk {
    wrong: Vec<String>,
    commands: BTreeSet<String>,
}

impl Walk {
    /// A text as it was put out; where it is JSON, or has lines of it, also what a program reads of
    /// it.
    fn see(&mut self, what: &str, text: &str) {
        let whole = serde_json::from_str(text).ok().into_iter();
        let values: Vec<Value> =
            whole.chain(text.lines().filter_map(|line| serde_json::from_str(line).ok())).collect();
        if text.starts_with("{\"") && values.is_empty() {
            self.wrong.push(format!("{what}: not JSON"));
        }
        let mut all = vec![text.to_owned()];
        values.iter().for_each(|value| texts(value, &mut all));
        self.wrong.extend(
            all.iter().filter_map(|text| wrong_with(text)).map(|wrong| format!("{what}: {wrong}")),
        );
    }

    fn run(&mut self, sealed: &Sealed, name: &str, folder: &Path, args: &[&str]) -> Ran {
        self.commands.insert(format!("{name} {}", args.first().copied().unwrap_or_default()));
        let ran = ran(sealed.command(folder).args(args).stdin(Stdio::null()).output().unwrap());
        let shown: String = args.join(" ").escape_default().take(70).collect();
        self.see(&format!("{name} {shown}: standard output"), &ran.stdout);
        self.see(&format!("{name} {shown}: standard error"), &ran.stderr);
        ran
    }

    /// Every file below a folder. Caches are for machines: of them only secrets count. A recording
    /// is what a server answered, byte for byte.
    fn files(&mut self, folder: &Path) {
        let mut todo = vec![folder.to_path_buf()];
        while let Some(path) = todo.pop() {
            if path.is_dir() {
                todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            if path.ends_with("recording.warc.gz") {
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            if path.to_string_lossy().contains("/.cache/") {
                let leaked = PLACES.into_iter().find(|place| text.contains(&secret(place)));
                self.wrong.extend(
                    leaked.map(|place| format!("{}: the secret of {place}", path.display())),
                );
            } else {
                self.see(&path.display().to_string(), &text);
            }
        }
    }

    /// One session with the server for agents: each call and its answer, line by line.
    fn agent(&mut self, navigator: &Sealed, folder: &Path) {
        self.commands.insert("navigator mcp".to_owned());
        let site = hostile_site();
        let start = site.url("/m/").to_string();
        let allowed = format!("reads:http://127.0.0.1:{}", site.port());
        let mut fly = |args: &[&str]| self.run(navigator, "navigator", folder, args);
        let (_place, known) = hostile_knowledge(&mut fly);
        let mut command = navigator.command(folder);
        let mut child = command
            .args(["mcp", "--allow", &allowed, "--delay", "0", "--knowledge", &known])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut ask = |method: &str, params: Value| {
            let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            writeln!(input, "{request}").unwrap();
            loop {
                let mut line = String::new();
                assert!(output.read_line(&mut line).unwrap() > 0, "the server ended at {method}");
                self.see(&format!("mcp {method}"), &line);
                let answer: Value = serde_json::from_str(&line).unwrap();
                if answer.get("id").is_some() {
                    return answer;
                }
            }
        };
        let client = json!({ "name": planted("mcp"), "version": "1" });
        ask(
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }),
        );
        ask("tools/list", json!({}));
        let progress = json!({ "progressToken": "t" });
        let explored = ask(
            "tools/call",
            json!({ "name": "explore", "arguments": { "goal": planted("goal"), "feedback": planted("feedback") }, "_meta": progress }),
        );
        assert!(explored.to_string().contains("[masked: github-token]"), "{explored}");
        let line = explored["result"]["content"][1]["text"].as_str().unwrap();
        let plan = line.split("plan ").nth(1).unwrap().chars();
        let plan: String = plan.take_while(char::is_ascii_hexdigit).collect();
        for give in ["map", "plan", "summary"] {
            ask(
                "tools/call",
                json!({ "name": "replay", "arguments": { "plan": plan, "give": give } }),
            );
        }
        ask(
            "tools/call",
            json!({ "name": "map", "arguments": { "plan": ".repo-map/plans/p.yaml", "levels": { "src/**": "full" } } }),
        );
        ask(
            "tools/call",
            json!({ "name": "explain", "arguments": { "path": "src/session.rs", "goal": planted("goal") } }),
        );
        agent_of_site(&mut ask, &start);
        agent_of_knowledge(&mut ask);
        let wrong = planted("mcp");
        for arguments in [
            json!({ "path": wrong }),
            json!({ wrong.as_str(): 1 }),
            json!({ "levels": { wrong.as_str(): wrong } }),
            json!({ "plan": wrong }),
            json!({ "plan": format!("version: 1\n{wrong}: 1\n") }),
            json!({ "plan": "bad.yaml" }),
        ] {
            ask("tools/call", json!({ "name": "map", "arguments": arguments }));
            ask("tools/call", json!({ "name": "explain", "arguments": arguments }));
        }
        ask("tools/call", json!({ "name": wrong, "arguments": {} }));
        ask("tools/call", json!({ "name": "map", "arguments": wrong }));
        ask(&wrong, json!({ "name": wrong }));
        drop(input);
        let ended = child.wait_with_output().unwrap();
        self.see("mcp: standard error", &String::from_utf8_lossy(&ended.stderr));
    }
}

/// The server over HTTP: what it answers to a program, and to an agent.
#[cfg(all(unix, feature = "serve"))]
fn walk_serve(walk: &mut Walk, at: &Path, place: &Planted) {
    use crate::http_server::HttpServer;
    walk.commands.insert("navigator serve".to_owned());
    let (goal, argument) = (&place.goal, &place.argument);
    let server = HttpServer::of(at, &["--call-time", "1000"]);
    let mut see = |what: &str, reply: crate::http_server::Reply| {
        walk.see(what, &reply.body);
        walk.see(what, &format!("{:?}", reply.headers));
        reply.body
    };
    let explored = json!({ "goal": goal, "feedback": planted("feedback") });
    let explored = see("explore", server.call("", "explore", &explored));
    assert!(explored.contains("[masked: github-token]"), "{explored}");
    let plan = explored.split("; plan ").nth(1).unwrap();
    let plan: String = plan.chars().take_while(char::is_ascii_hexdigit).collect();
    see("replay", server.call("", "replay", &json!({ "plan": plan, "give": "summary" })));
    for arguments in [
        json!({ "path": argument, "goal": goal }),
        json!({ argument.as_str(): 1 }),
        json!({ "levels": { argument.as_str(): argument } }),
        json!({ "plan": format!("version: 1\n{argument}: 1\n") }),
        json!({ "levels": { "src/**": "full" } }),
    ] {
        for tool in ["map", "explain"] {
            see("a tool", server.call("", tool, &arguments));
            let params = json!({ "name": tool, "arguments": arguments });
            let call =
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            see("a tool for agents", server.post_mcp("", &call));
        }
    }
    let in_a_path: String = argument.bytes().map(|byte| format!("%{byte:02x}")).collect();
    see("another path", server.ask("GET", &format!("/{in_a_path}"), "", ""));
    see("no tool", server.ask("POST", &format!("/v1/tools/{in_a_path}"), "", "{}"));
    see("no JSON", server.ask("POST", "/v1/tools/map", "", argument));
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": argument, "arguments": {} } });
    see("no tool for agents", server.post_mcp("", &call));
    let method = json!({ "jsonrpc": "2.0", "id": argument, "method": argument });
    let reply = server.post_mcp("", &method);
    // The id of a request is sent back as it came.
    let answer = reply.json()["error"].to_string();
    see("no method", crate::http_server::Reply { body: answer, ..reply });
    for path in ["/metrics", "/openapi.json", "/v1/tools"] {
        see(path, server.ask("GET", path, "", ""));
    }
    walk.files(server.home.home());
    server.signal("TERM");
    let (_, lines) = server.ended();
    walk.see("serve: standard error", &lines.join("\n"));
}

/// Walks what an agent asks about a site.
fn agent_of_site(ask: &mut dyn FnMut(&str, Value) -> Value, start: &str) {
    let mut of_site = |tool: &str, arguments: Value| {
        ask("tools/call", json!({ "name": tool, "arguments": arguments })).to_string()
    };
    let goal = planted("goal");
    for most in [3, 8] {
        let asked = json!({ "path": start, "goal": goal, "max_requests": most });
        let explored = of_site("explore", asked);
        assert!(explored.contains(" requests, "), "{explored}");
        let pages = ["plain.html", "moved.html", "gone.html", &planted("page"), "b.html"];
        for page in pages {
            let told = of_site("explain", json!({ "path": format!("{start}{page}") }));
            assert!(told.contains("plain") || !page.contains("plain"), "{told}");
        }
    }
    of_site("explain", json!({ "path": format!("{start}plain.html#{goal}") }));
    of_site("map", json!({ "path": start, "levels": { "**": "full" } }));
}

/// Walks what an agent asks a knowledge of a hostile site.
fn agent_of_knowledge(ask: &mut dyn FnMut(&str, Value) -> Value) {
    let said = planted("mcp");
    for asked in [
        "navigate_to_screen",
        "execute_task",
        "find_screen",
        "get_actions",
        "get_screen_context",
        "fill_action_gaps",
    ] {
        for (target, text) in
            [("", planted("page")), ("start", said.clone()), (&said, said.clone())]
        {
            let page = json!({ "current_url": "file:///index.html", "dom_summary": text });
            let asked = json!({ "instruction_type": asked, "target": target, "context": page });
            let answer = ask("tools/call", json!({ "name": "ask_knowledge", "arguments": asked }));
            assert!(answer["result"]["content"].is_array(), "{answer}");
        }
    }
    let wrong = json!({ "instruction_type": said, "context": { said.as_str(): said } });
    ask("tools/call", json!({ "name": "ask_knowledge", "arguments": wrong }));
}

/// Makes a knowledge of a site whose names and links say hostile things, in a folder of its own.
fn hostile_knowledge(fly: &mut dyn FnMut(&[&str]) -> Ran) -> (tempfile::TempDir, String) {
    let pages = tempfile::tempdir().unwrap();
    let file = pages.path().join("known.json").display().to_string();
    let page = |name: &str, body: &str| fs::write(pages.path().join(name), body).unwrap();
    let text = planted("page");
    page("index.html", &format!("<title>{text}</title><h1>Start</h1><a href=gone.html>{text}</a>"));
    page("b.html", &format!("<title>B</title><h1>{text}</h1><p>{text}"));
    let site = format!("file://{}", pages.path().display());
    assert_eq!(fly(&["knowledge", "build", &site, "-o", &file]).code, 0);
    (pages, file)
}

/// The commands that a program's help lists.
fn commands_of(sealed: &Sealed, name: &str, folder: &Path) -> BTreeSet<String> {
    let help = sealed.run(folder, &["--help"]).stdout;
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    names.filter(|command| *command != "help").map(|command| format!("{name} {command}")).collect()
}

/// The flags of a command that take a file or a folder.
fn file_flags(sealed: &Sealed, folder: &Path, args: &[&str]) -> BTreeSet<String> {
    let help = sealed.run(folder, args).stdout;
    let words: Vec<&str> = help.split_whitespace().collect();
    let takes_file = |pair: &&[&str]| {
        pair[0].starts_with("--") && ["<FILE>", "<DIR>", "<FOLDER>"].contains(&pair[1])
    };
    words.windows(2).filter(takes_file).map(|pair| pair[0].to_owned()).collect()
}

/// What a hostile model answers, turn by turn.
fn hostile_model() -> Server {
    let planted = planted("answer");
    let change = json!([{ "path": "src/session.rs", "level": "full", "why": planted }, { "path": planted, "level": planted, "why": planted }]);
    let update = json!({ "reasoning": planted, "action": "update_flight_plan", "changes": change, "summary": "", "focus": [] });
    let focus =
        json!([{ "path": "src/session.rs", "why": planted }, { "path": planted, "why": planted }]);
    let finalize = json!({ "reasoning": planted, "action": "finalize_context", "changes": [], "summary": planted, "focus": focus });
    Server::start(vec![says(&update, 1_000, 100), says(&finalize, 1_000, 100)])
}

/// The planted words of one walk, and a folder for its output files.
struct Planted {
    goal: String,
    argument: String,
    named: String,
    plan_by_name: String,
    out: tempfile::TempDir,
}

impl Planted {
    fn new() -> Planted {
        Planted {
            goal: planted("goal"),
            argument: planted("argument"),
            named: format!("src/{}.rs", planted("name")),
            plan_by_name: format!("{}.yaml", planted("plan-name")),
            out: tempfile::tempdir().unwrap(),
        }
    }

    fn file(&self, name: &str) -> String {
        self.out.path().join(name).display().to_string()
    }
}

#[test]
fn nothing_foreign_leaves_raw_or_with_a_secret() {
    let folder = planted_repo();
    let at = folder.path();
    let (navigator, repo_map) = (sealed(program("navigator")), sealed(program("repo-map")));
    let (mut walk, place) = (Walk::default(), Planted::new());
    walk_maps(&mut walk, &repo_map, at, &place);
    walk_refusals(&mut walk, &repo_map, at, &place);
    walk_tools(&mut walk, &repo_map, at, &place);
    walk_explorations(&mut walk, &navigator, at, &place);
    walk_walks(&mut walk, &navigator, at, &place);
    walk_visits(&mut walk, &navigator, at, &place);
    walk_models(&mut walk, &navigator, at, &place);
    walk_runs(&mut walk, &navigator, &folder, &place);
    walk.agent(&navigator, at);
    #[cfg(all(unix, feature = "serve"))]
    walk_serve(&mut walk, at, &place);
    #[cfg(feature = "store")]
    walk_store(&mut walk, &navigator, at, &place);
    walk.files(navigator.home());
    walk.files(place.out.path());
    assert!(walk.wrong.is_empty(), "{} wrong:\n{}", walk.wrong.len(), walk.wrong.join("\n"));
    assert_all_is_walked(&walk, &navigator, &repo_map, at);
}

/// A store with a hostile run in it, a purse that a hostile provider is paid from, and requests
/// that are refused.
#[cfg(feature = "store")]
fn walk_store(walk: &mut Walk, navigator: &Sealed, at: &Path, place: &Planted) {
    let Planted { goal, argument, .. } = place;
    // The file of a store has the files of runs, byte for byte: it stays outside.
    let kept = tempfile::tempdir().unwrap();
    let [store, other, hostile] =
        ["team.db", "other.db", "hostile.jsonl"].map(|name| kept.path().join(name));
    let [store, other, hostile] = [store, other, hostile].map(|path| path.display().to_string());
    let mut fly = |args: &[&str]| walk.run(navigator, "navigator", at, args);
    for wanted in ["init", "status", "migrate"] {
        assert_eq!(fly(&["store", wanted, "--store", &store]).code, 0);
        fly(&[
            "store",
            wanted,
            "--store",
            &format!("postgres://{argument}@127.0.0.1:1/{argument}?port={argument}"),
        ]);
        fly(&["store", wanted, "--store", &format!("{argument}://x")]);
    }
    fly(&["store", "init", "--store", &other]);
    fly(&["purse", "create", "team", "--limit", "1", "--store", &store]);
    for args in [
        ["purse", "create", argument, "--limit", "1"],
        ["purse", "create", "x", "--limit", argument],
        ["purse", "change", argument, "--limit", "1"],
        ["purse", "release", argument, argument, "--as-spent"],
        ["purse", "release", "team", argument, "--as-spent"],
        ["purse", "show", argument, "--format", "json"],
        ["store", "add", "run", argument, "--replace"],
        ["store", "add", "knowledge", argument, "--replace"],
        ["store", "get", "run", argument, "--output=x"],
    ] {
        assert_ne!(fly(&[&args[..], &["--store", &store]].concat()).code, 0, "{args:?}");
    }
    let server = hostile_model();
    let model = flags(&server);
    let run = place.file("paid");
    let explore = ["explore", "--goal", goal, "--store", &store];
    let explore: Vec<&str> = explore.into_iter().chain(model.iter().map(String::as_str)).collect();
    assert_eq!(fly(&[&explore[..], &["--purse", argument]].concat()).code, 2);
    fly(&[&explore[..], &["--purse", "team", "--out", &run]].concat());
    fly(&["store", "add", "run", &run, "--store", &store]);
    for format in ["text", "json"] {
        fly(&["store", "list", "--store", &store, "--format", format]);
        let shown = fly(&["purse", "show", "team", "--store", &store, "--format", format]);
        assert!(shown.stdout.contains("team"), "{}{}", shown.stdout, shown.stderr);
    }
    assert_eq!(
        fly(&["store", "get", "run", "paid", "-o", &place.file("got"), "--store", &store]).code,
        0
    );
    fly(&["store", "export", "--store", &store]);
    fs::write(&hostile, format!("{{\"is\":\"store\",\"version\":1}}\n{{\"is\":\"{argument}\"}}"))
        .unwrap();
    assert_ne!(fly(&["store", "import", &hostile, "--store", &other]).code, 0);
    fly(&["store", "remove", "run", "paid", "--store", &store]);
}

/// Maps, explanations, rankings, trees and comparisons, in every form.
fn walk_maps(walk: &mut Walk, repo_map: &Sealed, at: &Path, place: &Planted) {
    let Planted { goal, named, .. } = place;
    let mut map = |args: &[&str]| walk.run(repo_map, "repo-map", at, args);
    let text = map(&["--goal", goal, "-t", "4k"]);
    assert!(
        text.stdout.contains("[masked: github-token]")
            && text.stdout.contains("\\u{202e}\\u{200b}\\u{e0041}"),
        "{}",
        text.stdout
    );
    assert!(text.stderr.contains("invisible characters written out: "), "{}", text.stderr);
    for form in ["markdown", "xml", "json"] {
        map(&["--goal", goal, "--format", form, "--line-numbers"]);
    }
    map(&[
        "--goal",
        goal,
        "-o",
        &place.file("map.md"),
        "--plan-out",
        &place.file("map.yaml"),
        "--report",
        &place.file("map.html"),
    ]);
    for format in ["text", "json"] {
        let explained =
            map(&["explain", "src/session.rs", named, "--goal", goal, "--format", format]);
        assert!(explained.stdout.contains("history"), "the commit is named: {}", explained.stdout);
        map(&["rank", "--goal", goal, "--format", format]);
        map(&["tree", "--files", "--all", "--depth", "9", "--format", format]);
        map(&["diff", ".repo-map/plans/p.yaml", "q.yaml", "--format", format]);
        map(&["diff", &place.file("map.yaml"), "q.yaml", "--format", format]);
    }
    map(&["--sizes"]);
    map(&["--sizes", "--format", "json"]);
    map(&["check", ".repo-map/plans/p.yaml"]);
    map(&["--plan", "p", "--diff", "HEAD~1"]);
}

/// Requests that are refused, each with a planted argument.
fn walk_refusals(walk: &mut Walk, repo_map: &Sealed, at: &Path, place: &Planted) {
    let Planted { argument, plan_by_name, .. } = place;
    let mut map = |args: &[&str]| walk.run(repo_map, "repo-map", at, args);
    for args in [
        ["check", "bad.yaml"],
        ["check", plan_by_name],
        ["explain", argument],
        ["--plan", argument],
        ["--level", argument],
    ] {
        assert_ne!(map(&args).code, 0, "{args:?}");
    }
    for args in [
        ["--focus", argument],
        ["--diff", argument],
        ["--tokens", argument],
        ["--tokenizer", argument],
        [argument, argument],
    ] {
        assert_ne!(map(&args).code, 0, "{args:?}");
    }
}

/// The commands of repo-map that make no map.
fn walk_tools(walk: &mut Walk, repo_map: &Sealed, at: &Path, place: &Planted) {
    let Planted { named, .. } = place;
    let mut map = |args: &[&str]| walk.run(repo_map, "repo-map", at, args);
    map(&["languages"]);
    map(&["languages", "--test", named]);
    map(&["schema"]);
    map(&["completions", "bash"]);
    map(&["man"]);
    map(&["cache", "info"]);
    walk.files(repo_map.home());
    walk.run(repo_map, "repo-map", at, &["cache", "clear"]);
}

/// Explorations without a model, and what they write.
fn walk_explorations(walk: &mut Walk, navigator: &Sealed, at: &Path, place: &Planted) {
    let Planted { goal, argument, named, .. } = place;
    let mut fly = |args: &[&str]| walk.run(navigator, "navigator", at, args);
    assert_eq!(fly(&["explore", "--goal", goal]).code, 0);
    fly(&[
        "explore",
        "--goal",
        goal,
        "--events",
        "--out",
        &place.file("out"),
        "--report",
        &place.file("run.html"),
    ]);
    fly(&[
        "explore",
        "--plan",
        "p",
        "--summary-out",
        &place.file("summary.md"),
        "--json-out",
        &place.file("run.json"),
        "--format",
        "json",
    ]);
    fly(&[
        "explore",
        "--plan",
        "p",
        "--diff",
        "HEAD~1",
        "-o",
        &place.file("context.md"),
        "--plan-out",
        &place.file("plan.yaml"),
    ]);
    for flag in ["--include", "--exclude"] {
        assert_eq!(fly(&["explore", "--goal", goal, flag, argument]).code, 2, "{flag}");
    }
    fly(&["explore", "--goal", goal, "--exclude", named]);
    fly(&["explore", "--goal", goal, "--model", argument]);
    fly(&["explore", "--resume", argument]);
    fly(&["explore", argument, "--goal", goal]);
    let site = tempfile::tempdir().unwrap();
    let content = planted("content");
    let page = format!("<!doctype html><title>{content}</title><h1>Refresh</h1><p>{content}");
    fs::write(site.path().join("index.html"), page).unwrap();
    let site = format!("file://{}", site.path().display());
    let explored = fly(&["explore", &site, "--goal", "refresh", "--out", &place.file("site")]);
    assert!(explored.stdout.contains("# Refresh"), "{}", explored.stdout);
    fly(&["explore", &format!("http://127.0.0.1:1/{argument}"), "--goal", goal, "--events"]);
    let cookies = place.file("cookies.txt");
    fly(&["explore", "http://127.0.0.1:1/", "--goal", goal, "--cookies", &cookies]);
}

/// Walks over pages that say hostile things in every place.
fn walk_walks(walk: &mut Walk, navigator: &Sealed, at: &Path, place: &Planted) {
    let Planted { goal, argument, .. } = place;
    let mut fly = |args: &[&str]| walk.run(navigator, "navigator", at, args);
    let site = tempfile::tempdir().unwrap();
    let text = planted("page");
    // More text than links, or the page only leads on.
    let long = format!("{text} ").repeat(20);
    let page = format!(
        "<!doctype html><title>{text}</title>\
         <nav aria-label=breadcrumb><a href=/>{text}</a></nav>\
         <h1>Refresh {text}</h1><p>Refresh: {long}</p><h2>{text}</h2>\
         <ul><li><a name='{text}'>{text}</a>\
         <ul><li><a href='other.html?{text}'>refresh {text}</a></ul></ul>"
    );
    fs::write(site.path().join("index.html"), &page).unwrap();
    fs::write(site.path().join("other.html"), page.replace("Refresh:", "Session refresh:"))
        .unwrap();
    let site = format!("file://{}", site.path().display());
    let folder = place.file("walk");
    let walked = fly(&["browse", &site, "--goal", "session refresh", "--out", &folder]);
    assert!(walked.stdout.contains("efresh:"), "{}{}", walked.stdout, walked.stderr);
    fly(&["replay", &folder]);
    fly(&["browse", &site, "--goal", goal, "--format", "json", "--events"]);
    fly(&["browse", &site, "--goal", goal, "--start", argument]);
    fly(&["browse", argument, "--goal", goal, "--allow", argument]);
    fly(&["browse", "--resume", argument]);
    fly(&["browse", &format!("http://127.0.0.1:1/{argument}"), "--goal", goal]);
    let server = hostile_model();
    let model = flags(&server);
    let kept = place.file("asked");
    let args: Vec<&str> = ["browse", &site, "--goal", goal, "--out", &kept]
        .into_iter()
        .chain(model.iter().map(String::as_str))
        .collect();
    fly(&args);
    server.received().iter().for_each(|request| walk_request(&request.body));
    let mut n_asked = 0;
    let changing = PageServer::start(move |_| {
        n_asked += 1;
        crate::page_server::page(&format!(
            "<title>{n_asked} {text}</title><h1>{n_asked} {text}</h1><p>{long}"
        ))
    });
    let (again, site) = (place.file("again"), changing.url("/").to_string());
    fly(&["browse", &site, "--goal", "session refresh", "--delay", "0", "--out", &again]);
    let drifted = fly(&["replay", &again, "--rerun"]);
    assert_eq!(drifted.code, 8, "{}{}", drifted.stdout, drifted.stderr);
    walk_knowledge(&mut fly, place, &again);
    // A recording is what the server said, byte for byte.
    fs::remove_file(Path::new(&again).join("recording.warc.gz")).unwrap();
}

/// Knowledge of a hostile walk, and of a hostile file.
fn walk_knowledge(fly: &mut dyn FnMut(&[&str]) -> Ran, place: &Planted, recorded: &str) {
    let [known, other] = ["known.json", "other.json"].map(|name| place.file(name));
    let said = planted("page");
    let screen = json!({
        "screen_id": "home", "name": said, "url_patterns": [said, "^https://a.example/home$"],
        "state_signature": { "required_indicators": [
            { "type": "dom_contains", "value": "Home", "selector": "h1", "reason": said },
            { "type": "dom_contains", "value": said },
        ] },
    });
    let written = tempfile::tempdir().unwrap();
    let named = |name: &str| written.path().join(name).display().to_string();
    let (import, page) = (named("import.json"), named("page.txt"));
    fs::write(&import, json!([screen]).to_string()).unwrap();
    fs::write(&page, &said).unwrap();
    assert_eq!(fly(&["knowledge", "build", recorded, "-o", &known]).code, 0);
    fly(&["knowledge", "import", &import, "-o", &other]);
    assert_eq!(fly(&["knowledge", "merge", &known, &known, "-o", &other]).code, 0);
    for format in ["text", "json"] {
        fly(&["knowledge", "list", &known, "--format", format]);
        fly(&["knowledge", "show", &known, "--format", format]);
        fly(&["knowledge", "show", &known, "--gaps", "--format", format]);
        fly(&["knowledge", "show", &known, &said, "--format", format]);
        for asked in ["navigate-to-screen", "execute-task", "get-actions", "get-screen-context"] {
            fly(&["knowledge", "ask", &known, asked, &said, "--format", format]);
        }
        let page = ["--url", "http://127.0.0.1:1/", "--text", &page, "--format", format];
        fly(&[&["knowledge", "ask", &known, "find-screen"][..], &page].concat());
        fly(&[&["knowledge", "explain", &known][..], &page].concat());
    }
    fly(&["knowledge", "ask", &known, "fill-action-gaps"]);
    fly(&["knowledge", "show", &known, "--report", &place.file("graph.html")]);
    assert_eq!(fly(&["knowledge", "build", &known, "-o", &other]).code, 0);
    let (pages, goal) = (format!("{recorded}/recording.warc.gz"), "how does a session begin?");
    let walk = ["browse", &pages, "--knowledge", &known, "--out"];
    fly(&[&walk[..], &[&place.file("known-walk"), "--goal", goal]].concat());
    fly(&[&walk[..], &[&place.file("gap-walk"), "--fill-gaps"]].concat());
    fly(&["knowledge", "export", &known]);
    fly(&["knowledge", "export", "--schema"]);
    walk_proposals(fly, place);
}

/// Proposals of a hostile model about a hostile site.
fn walk_proposals(fly: &mut dyn FnMut(&[&str]) -> Ran, place: &Planted) {
    let ((_place, hostile), proposed) = (hostile_knowledge(fly), place.file("proposed.json"));
    let known: Value = serde_json::from_str(&fs::read_to_string(&hostile).unwrap()).unwrap();
    let screens = known["screens"].as_array().unwrap();
    let has_actions =
        |screen: &&Value| screen["actions"].as_array().is_some_and(|all| !all.is_empty());
    let from = screens.iter().find(has_actions).unwrap();
    let to = screens.iter().find(|screen| screen != &from).unwrap();
    let (said, confidence) = (planted("answer"), 0.9);
    let proposal = |from: &Value, action: &Value, to: &Value| {
        json!({
            "from_screen_id": from, "action_id": action, "to_screen_id": to,
            "confidence": confidence, "reasoning": said, "values": [],
        })
    };
    let (action, said) = (&from["actions"][0]["action_id"], json!(said));
    let answer = json!({ "proposals": [
        proposal(&from["screen_id"], action, &to["screen_id"]),
        proposal(&said, &said, &said),
        proposal(&from["screen_id"], action, &said),
    ] });
    let server = Server::start(vec![says(&answer, 100, 10), status(400, &planted("error"))]);
    let flags = flags(&server);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let run = place.file("proposals");
    let propose = [&["knowledge", "propose", &hostile][..], &flags].concat();
    fly(&[&propose[..], &["--dry-run"]].concat());
    let kept = fly(&[&propose[..], &["-o", &proposed, "--out", &run]].concat());
    assert!(kept.stderr.contains("1 proposal kept, 2 refused"), "{}", kept.stderr);
    fly(&[&propose[..], &["-o", &proposed, "--out", &run]].concat());
    server.received().iter().for_each(|request| walk_request(&request.body));
}

/// A site whose links, names, pages and redirects say hostile things.
fn hostile_site() -> PageServer {
    let text = planted("page");
    PageServer::start(move |path| match path {
        "/m/" => page(&format!(
            "<title>Start</title><h1>Start</h1><p>Nothing of it stands here yet. \
             <a href=plain.html>{text}</a> <a href=moved.html>{text}</a> \
             <a href=gone.html>{text}</a> \
             <a href='{text}.html'>{text}</a> <a href='b.html?{text}'>b</a>"
        )),
        "/m/moved.html" => redirect(&format!("http://127.0.0.1:1/{}", secret("page"))),
        "/m/plain.html" => page(&format!(
            "<title>{text}</title><h1>{text}</h1><p>{text} of a session. <a href='c.html'>{text}</a>"
        )),
        _ => page_status(404),
    })
}

/// An exploration of a hostile site by a model that visits its pages.
fn walk_visits(walk: &mut Walk, navigator: &Sealed, at: &Path, place: &Planted) {
    let mut fly = |args: &[&str]| walk.run(navigator, "navigator", at, args);
    // The folder's recording is what the server answered, byte for byte: it stays outside.
    let kept = tempfile::tempdir().unwrap();
    let out = kept.path().join("run").display().to_string();
    let page = place.file("visits.html");
    for more in [&["--report", &page, "--out", &out][..], &["--events", "--dry-run"]] {
        let site = hostile_site();
        let start = site.url("/m/").to_string();
        let visit = |name: &str| json!({ "visit": name, "why": planted("answer") });
        let changes: Vec<Value> =
            ["plain.html", "moved.html", "gone.html", &planted("answer")].map(visit).to_vec();
        let update = json!({ "reasoning": "r", "action": "update_flight_plan", "changes": changes,
            "summary": "", "focus": [] });
        let full =
            json!([{ "path": "plain.html", "level": "full", "why": "w" }, { "find": "plain" }]);
        let last = json!({ "reasoning": "r", "action": "update_flight_plan", "changes": full,
            "summary": "", "focus": [] });
        let server = Server::start([update, last].map(|answer| says(&answer, 1_000, 100)).to_vec());
        let model = flags(&server);
        let own = ["explore", &start, "--goal", "nothing", "--delay", "0", "--max-requests", "8"];
        let args: Vec<&str> = own
            .into_iter()
            .chain(more.iter().copied())
            .chain(model.iter().map(String::as_str))
            .collect();
        let ran = fly(&[&args[..], &["--max-turns", "2", "--scope", "/m/"]].concat());
        assert!(more[1] == "--dry-run" || ran.stdout.contains("plain.html"), "{}", ran.stderr);
        server.received().iter().for_each(|request| walk_request(&request.body));
        // The second time it is a knowledge of another site.
        let known = place.file("visits.json");
        fly(&["knowledge", "build", &out, "-o", &known]);
        fly(&["explore", &start, "--goal", "plain", "--delay", "0", "--knowledge", &known]);
    }
    let outputs = ["context.md", "plan.yaml", "summary.md", "report.json", "decision-log.jsonl"];
    for name in outputs.into_iter().chain(["ledger.jsonl", "asked.json", "state.json"]) {
        let text = fs::read_to_string(kept.path().join("run").join(name)).unwrap();
        walk.see(&format!("visits: {name}"), &text);
    }
}

/// Explorations by a hostile model, and by a server that refuses.
fn walk_models(walk: &mut Walk, navigator: &Sealed, at: &Path, place: &Planted) {
    let Planted { goal, .. } = place;
    let mut fly = |args: &[&str]| walk.run(navigator, "navigator", at, args);
    for as_events in [None, Some("--events")] {
        let server = hostile_model();
        let model = flags(&server);
        let page = place.file("model.html");
        let args = ["explore", "--goal", goal, "--report", &page]
            .into_iter()
            .chain(as_events)
            .chain(model.iter().map(String::as_str));
        let args: Vec<&str> = args.collect();
        assert_eq!(fly(&args).code, 0);
        let asked = server.received();
        assert!(asked[0].body.contains("[masked: github-token]"));
        asked.iter().for_each(|request| walk_request(&request.body));
    }
    let refusing = Server::start(vec![status(
        401,
        &json!({ "error": { "message": planted("error") } }).to_string(),
    )]);
    let model = flags(&refusing);
    let with_model: Vec<&str> =
        ["explore", "--goal", goal].into_iter().chain(model.iter().map(String::as_str)).collect();
    fly(&with_model);
    fly(&with_model.iter().copied().chain(["--dry-run"]).collect::<Vec<_>>());
}

/// Runs that are kept, their replays, and lists.
fn walk_runs(walk: &mut Walk, navigator: &Sealed, folder: &Repo, place: &Planted) {
    let at = folder.path();
    let Planted { argument, plan_by_name, .. } = place;
    let mut fly = |args: &[&str]| walk.run(navigator, "navigator", at, args);
    fly(&["runs"]);
    fly(&["runs", "--format", "json"]);
    fly(&["replay", "1"]);
    fly(&["replay", argument]);
    fly(&["replay", plan_by_name]);
    folder.write(&format!("src/{} new.rs", planted("name")), b"fn new() {}\n");
    fs::remove_file(at.join(format!("src/{}.rs", planted("other-name")))).unwrap();
    assert_eq!(fly(&["replay", "1", "--check"]).code, 8);
    fly(&["replay", "1", "--allow-drift", "--report", &place.file("drift.html")]);
    for command in ["models", "config", "runs"] {
        let listed = fly(&[command, "--format", "json"]);
        assert!(
            listed.stdout.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()),
            "{}",
            listed.stdout
        );
    }
    fly(&["models"]);
    fly(&["config"]);
    fly(&["completions", "bash"]);
    fly(&["man"]);
}

/// A new command, or a new flag that takes a file, has to be walked too.
fn assert_all_is_walked(walk: &Walk, navigator: &Sealed, repo_map: &Sealed, at: &Path) {
    for (sealed, name) in [(navigator, "navigator"), (repo_map, "repo-map")] {
        let missing: Vec<String> =
            commands_of(sealed, name, at).difference(&walk.commands).cloned().collect();
        assert!(missing.is_empty(), "not walked: {missing:?}");
    }
    let inputs = ["--cookies", "--goal-file", "--knowledge", "--plan", "--prices"];
    let outputs = ["--json-out", "--out", "--output", "--plan-out", "--report", "--summary-out"];
    let known: BTreeSet<String> = inputs.into_iter().chain(outputs).map(str::to_owned).collect();
    assert_eq!(
        file_flags(navigator, at, &["explore", "--help"]).difference(&known).count(),
        0,
        "a flag with a file is not walked"
    );
    let maps: BTreeSet<String> =
        ["--focus-from"].into_iter().map(str::to_owned).chain(known).collect();
    assert_eq!(
        file_flags(repo_map, at, &["--help"]).difference(&maps).count(),
        0,
        "a flag with a file is not walked"
    );
}

/// A request is JSON: what counts is what the model reads.
fn walk_request(body: &str) {
    let mut all = Vec::new();
    texts(&serde_json::from_str(body).unwrap(), &mut all);
    let wrong: Vec<String> = all.iter().filter_map(|text| wrong_with(text)).collect();
    assert!(wrong.is_empty(), "in a request: {wrong:?}");
}

#[test]
fn names_that_only_a_secret_tells_apart_are_two_files() {
    let folder = planted_repo();
    let repo_map = sealed(program("repo-map"));
    let paths: PathBuf = folder.write("paths.txt", b"");
    let map = repo_map
        .run(folder.path(), &["--level", "src/**=path", "-o", &paths.display().to_string()]);
    assert_eq!(map.code, 0, "{}", map.stderr);
    let name = "- src/session refresh \
        \\u{1b}[31m\\u{1b}]0;PWN\\u{7}\\u{9b}2J\\u{202e}\\u{200b}\\u{e0041} [masked: \
        github-token].rs";
    let text = fs::read_to_string(paths).unwrap();
    assert!(
        text.contains(&format!("{name}\n")) && text.contains(&format!("{name} (2)\n")),
        "{text}"
    );
}
