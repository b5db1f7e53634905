//! The tools for agents, message by message: what each gives for right arguments, in which order
//! they count, and what the flags of the server allow.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};
use test_support::{Sealed, sealed};

use crate::service;

const GOAL: &str = "where is a session refreshed?";

/// A server that is asked line by line, ended when its input is.
pub(crate) struct Tools {
    pub(crate) home: Sealed,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u32,
}

impl Tools {
    pub(crate) fn of(folder: &Path, flags: &[&str]) -> Tools {
        let home = sealed(env!("CARGO_BIN_EXE_navigator"));
        let mut command = home.command(folder);
        command.arg("mcp").args(["--no-history", "--no-cache"]).args(flags);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut tools = Tools { home, child, input, output, asked: 0 };
        let client = json!({ "name": "test", "version": "0" });
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client,
        });
        assert!(tools.ask("initialize", &hello)["result"].is_object());
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        writeln!(tools.input.as_ref().unwrap(), "{ready}").unwrap();
        tools
    }

    /// The answer to a request.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        let answer = self.next();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Sends a request, and returns its id.
    pub(crate) fn send(&mut self, method: &str, params: &Value) -> u32 {
        self.asked += 1;
        let request =
            json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        writeln!(self.input.as_ref().unwrap(), "{request}").unwrap();
        self.asked
    }

    /// Sends a message that has no answer.
    pub(crate) fn notify(&mut self, method: &str, params: &Value) {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        writeln!(self.input.as_ref().unwrap(), "{message}").unwrap();
    }

    /// The next message of the server.
    pub(crate) fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// The texts of a tool's result, one below the other, with a mark where it is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        let blocks = result["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let texts: Vec<&str> =
            blocks.iter().map(|block| block["text"].as_str().unwrap().trim_end()).collect();
        let mark = if result["isError"] == true { "error: " } else { "" };
        format!("{mark}{}", texts.join("\n-- "))
    }

    /// The same without the name of the plan, which another version of the program makes another.
    fn shown(&mut self, tool: &str, arguments: Value) -> String {
        let said = self.call(tool, arguments);
        said.rsplit_once("; plan ").map_or(said.clone(), |(before, _)| before.to_owned())
    }
}

impl Drop for Tools {
    fn drop(&mut self) {
        drop(self.input.take());
        let ended = self.child.wait().unwrap();
        assert!(ended.success() || std::thread::panicking(), "the server failed");
    }
}

#[test]
fn levels_count_in_their_order_and_what_none_matches_is_folded() {
    let folder = service();
    let mut tools = Tools::of(folder.path(), &[]);
    let levels = json!({ "src": "outline", "src/http.rs": "full", "*.md": "path" });
    insta::assert_snapshot!(tools.shown("map", json!({ "levels": levels })), @"
    # Repository map
    - README.md
    - assets/ (1 file: svg 1)
    ## src/color.rs
    ```rust
    fn mix
    ```
    ## src/http.rs (full)
    ```rust
    use crate::session::Session;

    /// Answers a request with the session's token.
    pub fn answer(session: &mut Session, now: u64) -> String {
        match session.refresh(now) {
            Ok(()) => session.token.clone(),
            Err(_) => String::new(),
        }
    }
    ```
    ## src/session.rs
    ```rust
    struct Session
    impl Session
        fn refresh
        fn is_expired
    struct Expired
    ```
    - tests/ (1 file: rs 1)
    ## Left out
    Folded: 2 files.
    -- 156 of 8000 tokens; left out of 6 files: 2 folded
    ");
    let turned = json!({ "src/http.rs": "full", "src": "outline", "src/color.rs": "exclude" });
    insta::assert_snapshot!(tools.shown("map", json!({ "levels": turned })), @"
    # Repository map
    - ./ +1 file
    - assets/ (1 file: svg 1)
    ## src/http.rs
    ```rust
    fn answer
    ```
    ## src/session.rs
    ```rust
    struct Session
    impl Session
        fn refresh
        fn is_expired
    struct Expired
    ```
    - tests/ (1 file: rs 1)
    ## Left out
    Folded: 3 files.
    Not shown: 1 file (src/ 1).
    -- 98 of 8000 tokens; left out of 6 files: 3 folded, 1 not shown
    ");
    let items = json!({ "**": "exclude", "src/session.rs#Session::refresh": "interface" });
    insta::assert_snapshot!(tools.shown("map", json!({ "levels": items })), @"
    # Repository map
    ## Left out
    Not shown: 6 files (src/ 3, ./ 1, assets/ 1, tests/ 1).
    -- 34 of 8000 tokens; left out of 6 files: 6 not shown
    ");
}

#[test]
fn a_map_without_levels_is_an_overview_that_a_goal_directs() {
    let folder = service();
    let mut tools = Tools::of(folder.path(), &[]);
    insta::assert_snapshot!(tools.shown("map", json!({ "tokens": 120 })), @"
    # Repository map
    ## README.md (full)
    ```markdown
    # Service

    Sessions for a web service.
    ```
    ## src/color.rs
    ```rust
    fn mix
    ```
    - src/http.rs
    - src/session.rs
    ## tests/session.rs (full)
    ```rust
    fn a_session_can_be_refreshed() {}
    ```
    ## Left out
    Not shown: 1 file (assets/ 1).
    -- 85 of 120 tokens; left out of 6 files: 1 not shown
    ");
    let goal = json!({ "tokens": 120, "goal": "mix two colors" });
    insta::assert_snapshot!(tools.shown("map", goal), @"
    # Repository map
    - ./ +1 file
    - assets/ (1 file: svg 1)
    - src/ +2 files
    ## src/color.rs (full)
    ```rust
    /// Mixes two colors.
    pub fn mix(a: u32, b: u32) -> u32 {
        (a + b) / 2
    }
    ```
    - tests/ (1 file: rs 1)
    -- 85 of 120 tokens; left out of 6 files: 5 folded
    ");
}

#[test]
fn explain_tells_of_a_path_and_of_an_item() {
    let folder = service();
    let mut tools = Tools::of(folder.path(), &[]);
    insta::assert_snapshot!(tools.call("explain", json!({ "path": "src/color.rs" })), @"
    src/color.rs
      level   full (no rule: the fit decides)
      rank    3 of 6, score 0.459, role source
      tokens  path 5, outline 13, interface 37, full 46
      rank        0.612 × 0.01
      sum         0.006 × 1.00 for its role, over 0.013 of the best = 0.459
      item    0.272 full      function mix (lines 1-4)
    -- in a map of 8000 tokens
    ");
    let item = json!({ "path": "src/session.rs#refresh", "goal": GOAL });
    insta::assert_snapshot!(tools.call("explain", item), @"
    src/session.rs#Session::refresh
      level   full (no rule: the fit decides)
      rank    1 of 6 (its file), score 0.978, role source
      tokens  outline 4, interface 36, full 66
      file        1.000 × 1.00
      words       0.164 × 1.00  session 0.11, refresh 0.05
      length      0.347 × 0.20
      title       0.164 × 0.20  session 0.11, refresh 0.05
      used        0.048 × 0.60  src/http.rs#answer 0.05
      sum         1.295 × 1.00 for its role, over 1.324 of the best = 0.978
    -- in a map of 8000 tokens
    ");
}

#[test]
fn fill_sets_the_use_of_free_tokens_for_an_exploration_and_a_map() {
    let folder = service();
    let mut tools = Tools::of(folder.path(), &[]);
    let calls = [
        ("explore", json!({ "goal": GOAL, "tokens": 600 })),
        ("map", json!({ "goal": GOAL, "tokens": 600, "levels": { "**": "..full" } })),
    ];
    for (tool, arguments) in calls {
        let mut shown = |fill: &str| {
            let mut arguments = arguments.clone();
            arguments["fill"] = json!(fill);
            tools.shown(tool, arguments)
        };
        let (near, all) = (shown("near"), shown("all"));
        assert!(near.len() < all.len(), "{tool}\n{near}\n{all}");
        assert!(all.contains("README.md"), "{tool}\n{all}");
        let refused = shown("some");
        assert!(refused.contains("fill: `some` is not one of none, near, all"), "{refused}");
    }
}

#[test]
fn an_exploration_is_bounded_by_paths_given_as_a_text_or_as_a_list() {
    let folder = service();
    let mut tools = Tools::of(folder.path(), &[]);
    let mut explore = |more: Value| {
        let mut arguments = json!({ "goal": GOAL, "tokens": 150 });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        tools.shown("explore", arguments)
    };
    insta::assert_snapshot!(explore(json!({ "include": "src/http.rs" })), @"
    # Repository map
    ## src/http.rs (full)
    ```rust
    use crate::session::Session;

    /// Answers a request with the session's token.
    pub fn answer(session: &mut Session, now: u64) -> String {
        match session.refresh(now) {
            Ok(()) => session.token.clone(),
            Err(_) => String::new(),
        }
    }
    ```
    ## Left out
    Not shown: 5 files (src/ 2, 3 more).
    -- 96 of 150 tokens; left out of 6 files: 5 not shown
    ");
    let list = explore(json!({ "include": ["src/http.rs", "README.md"] }));
    insta::assert_snapshot!(list, @"
    # Repository map
    - ./ +1 file
    ## src/http.rs (full)
    ```rust
    use crate::session::Session;

    /// Answers a request with the session's token.
    pub fn answer(session: &mut Session, now: u64) -> String {
        match session.refresh(now) {
            Ok(()) => session.token.clone(),
            Err(_) => String::new(),
        }
    }
    ```
    ## Left out
    Folded: 1 file.
    Not shown: 4 files (src/ 2, 2 more).
    -- 109 of 150 tokens; left out of 6 files: 1 folded, 4 not shown
    ");
    assert_eq!(
        explore(json!({ "exclude": "src/session.rs" })),
        explore(json!({ "exclude": ["src/session.rs"] }))
    );
    insta::assert_snapshot!(explore(json!({ "path": "src", "exclude": "src/session.rs" })), @"
    # Repository map
    - src/ +1 file
    ## src/http.rs (full)
    ```rust
    use crate::session::Session;

    /// Answers a request with the session's token.
    pub fn answer(session: &mut Session, now: u64) -> String {
        match session.refresh(now) {
            Ok(()) => session.token.clone(),
            Err(_) => String::new(),
        }
    }
    ```
    ## Left out
    Folded: 1 file.
    Not shown: 4 files (./ 1, 3 more).
    -- 109 of 150 tokens; left out of 6 files: 1 folded, 4 not shown
    ");
}

#[test]
fn tokens_are_a_number_or_a_text_and_the_servers_where_a_call_says_nothing() {
    let folder = service();
    let mut tools = Tools::of(folder.path(), &["--tokens", "100"]);
    let plain = tools.call("map", json!({}));
    assert!(plain.contains(" of 100 tokens"), "{plain}");
    for tokens in [json!(200), json!("200"), json!("0.2k")] {
        let map = tools.call("map", json!({ "tokens": tokens }));
        assert!(map.contains(" of 200 tokens"), "{tokens}: {map}");
    }
}

#[test]
fn a_plan_of_a_result_is_replayed_in_each_of_its_forms() {
    let folder = service();
    let mut tools = Tools::of(folder.path(), &[]);
    let found = tools.call("explore", json!({ "goal": GOAL, "tokens": 150 }));
    let (_, plan) = found.rsplit_once("plan ").unwrap();
    let plan = plan.trim().to_owned();
    let mut replay = |give: &str| {
        let said = tools.call("replay", json!({ "plan": plan, "give": give }));
        said.split_once("provenance:").map_or(said.clone(), |(asked, _)| asked.to_owned())
    };
    let (context, _) = found.rsplit_once("\n-- ").unwrap();
    assert!(replay("context").starts_with(context), "{}", replay("context"));
    insta::assert_snapshot!(replay("summary"), @"
    # Summary

    Goal: where is a session refreshed?

    - Ended: finished
    - Pilot: offline, 2 turns, 0 calls, $0.00 spent
    - Context: 107 of 113 tokens
    - 6 of 113 tokens stay free: `fill: near` leaves out 1 file with weaker evidence \
    (`fill: all` adds them)
    - 2 of 6 files are shown in 107 of 113 tokens; another wave of paths would add nothing of worth

    ## In, and why

    - `src/session.rs`: outline but for 2 items, 62 tokens: name 1.00, title 0.58, words 0.23

    ## Left out, and why

    - files folded into lines for folders: 3; not shown: 1
      - 3: open, and too weak beside the best (`fill: all` shows more)
      - 1: open, and worth too little for its tokens
    - files shown by path or by some of their items: 1
    - `src/http.rs` came nearest (worth 0.55)
    - `src/color.rs` came nearest (worth 0.21)
    - `README.md` came nearest (worth 0.08)

    ## Decisions

    1. update_flight_plan (101 → 107 tokens): zoom in on the 6 paths with most evidence, first \
    src/session.rs (name 1.00, title 0.58, words 0.23); fold the rest
    2. finalize_context (107 → 107 tokens): 2 of 6 files are shown in 107 of 113 tokens; another \
    wave of paths would add nothing of worth
    ");
    insta::assert_snapshot!(replay("plan"), @"
    version: 1
    goal: where is a session refreshed?
    context:
      tokens: 113
      tokenizer: o200k_base
      format: markdown
      fill: near
    scan:
      outside: []
    rules:
    - path: '**'
      level: fold
    - path: /assets/**
      level: exclude
    - path: /src/session.rs
      level: outline
      items:
      - name: Session@1
        level: interface
      - name: Session@2
        level: interface
      why: 'outline but for 2 items, 62 tokens: name 1.00, title 0.58, words 0.23'
    - path: /tests/session.rs
      level: path
    ");
    folder.write("src/session.rs", b"pub struct Session;\n");
    let drifted = tools.call("replay", json!({ "plan": plan }));
    insta::assert_snapshot!(drifted, @"
    error: drifted: the repository is not the one the plan was flown over; `explore` or `map` \
    shows it as it is now
    changed: src/session.rs
    ");
}

#[test]
fn a_plan_looks_no_further_than_the_server_was_allowed_to() {
    let folder = service();
    folder.write(".hidden.rs", b"fn hidden() {}\n");
    folder.write(".gitignore", b"ignored.rs\n");
    folder.write("ignored.rs", b"fn ignored() {}\n");
    let wants = |scan: &str| {
        let rules = "rules:\n- {path: '*.rs', level: ..path}\n";
        json!({ "plan": format!("version: 1\nscan: {{{scan}}}\n{rules}") })
    };
    for (scan, flag, name) in [
        ("hidden: true", "--hidden", ".hidden.rs"),
        ("no_ignore: true", "--no-ignore", "- ignored.rs"),
    ] {
        let refused = Tools::of(folder.path(), &[]).call("map", wants(scan));
        assert!(refused.starts_with("error: plan: ") && refused.contains(flag), "{refused}");
        let allowed = Tools::of(folder.path(), &[flag]).call("map", wants(scan));
        assert!(!allowed.starts_with("error") && allowed.contains(name), "{allowed}");
    }
    let kept = Tools::of(folder.path(), &[]).call("map", wants("invisible: kept"));
    insta::assert_snapshot!(kept, @"error: plan: `scan: {invisible: kept}` is not allowed here \
        (it takes a server started with `--keep-invisible`)");
}

#[test]
fn the_list_of_tools_says_what_each_takes() {
    let folder = service();
    let mut tools = Tools::of(folder.path(), &[]);
    let answer = tools.ask("tools/list", &json!({}));
    let mut page = String::new();
    for tool in answer["result"]["tools"].as_array().unwrap() {
        let schema = &tool["inputSchema"];
        let takes: Vec<&str> =
            schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let name = tool["name"].as_str().unwrap();
        page.push_str(&format!("{name}: {} (must: {})\n", takes.join(" "), schema["required"]));
    }
    insta::assert_snapshot!(page, @r#"
    explore: goal tokens path include exclude feedback fill (must: ["goal"])
    map: levels plan goal tokens fill (must: null)
    explain: path goal tokens (must: ["path"])
    replay: plan give tokens (must: ["plan"])
    "#);
}
