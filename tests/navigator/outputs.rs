//! What an exploration leaves, and where: files that are asked for, the folder of the run, events,
//! checks of a replay.

use std::fs;
use std::path::Path;

use serde_json::Value;
use test_support::{Repo, Sealed, sealed};

use crate::service;

const GOAL: &str = "where is a session refreshed?";

fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

/// The files below a folder, by their paths.
fn files(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => all.extend(files(&entry.path()).iter().map(|file| format!("{name}/{file}"))),
            false => all.push(name),
        }
    }
    all.sort();
    all
}

/// Explores a folder in a few tokens.
fn explore(navigator: &Sealed, folder: &Repo, more: &[&str]) -> test_support::Ran {
    let args = ["explore", "-g", GOAL, "--no-history", "--no-cache", "--tokens", "200"];
    navigator.run(folder.path(), &[&args[..], more].concat())
}

#[test]
fn each_output_has_a_flag_and_its_own_content() {
    let (navigator, folder, out) = (navigator(), service(), tempfile::tempdir().unwrap());
    let path = |name: &str| out.path().join(name).to_str().unwrap().to_owned();
    let plain = explore(&navigator, &folder, &[]);
    let flags = [
        ("-o", path("context.md")),
        ("--plan-out", path("plan.yaml")),
        ("--summary-out", path("summary.md")),
        ("--json-out", path("report.json")),
        ("--report", path("page.html")),
    ];
    let flags: Vec<&str> = flags.iter().flat_map(|(flag, path)| [*flag, path]).collect();
    let ran = explore(&navigator, &folder, &flags);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(
        files(out.path()),
        ["context.md", "page.html", "plan.yaml", "report.json", "summary.md"]
    );
    let read = |name: &str| fs::read_to_string(out.path().join(name)).unwrap();
    assert_eq!(read("context.md"), plain.stdout);
    let report: Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!((&report["map"], &report["goal"]), (&plain.stdout.as_str().into(), &GOAL.into()));
    assert_eq!(report["tool"], concat!("navigator ", env!("CARGO_PKG_VERSION")));
    assert!(read("page.html").starts_with("<!doctype html>"), "{}", &read("page.html")[..60]);
    insta::assert_snapshot!(read("summary.md"), @"
    # Summary

    Goal: where is a session refreshed?

    - Ended: finished
    - Pilot: offline, 2 turns, 0 calls, $0.00 spent
    - Context: 200 of 200 tokens
    - 2 of 6 files are shown in 200 of 200 tokens; another wave of paths would add nothing of worth

    ## In, and why

    - `src/session.rs`: full, 155 tokens: name 1.00, title 0.58, words 0.23

    ## Left out, and why

    - files folded into lines for folders: 3; not shown: 1
      - 3: open, and too weak beside the best (`fill: all` shows more)
      - 1: open, and worth too little for its tokens
    - files shown by path or by some of their items: 1
    - `src/http.rs` came nearest (worth 0.55)
    - `src/color.rs` came nearest (worth 0.21)
    - `README.md` came nearest (worth 0.08)

    ## Decisions

    1. update_flight_plan (101 → 200 tokens): zoom in on the 6 paths with most evidence, first \
    src/session.rs (name 1.00, title 0.58, words 0.23); fold the rest
    2. finalize_context (200 → 200 tokens): 2 of 6 files are shown in 200 of 200 tokens; another \
    wave of paths would add nothing of worth
    ");
    let plan = read("plan.yaml");
    let (asked, _) = plan.split_once("provenance:").unwrap();
    insta::assert_snapshot!(asked, @"
    version: 1
    goal: where is a session refreshed?
    context:
      tokens: 200
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
      level: full
      why: 'full, 155 tokens: name 1.00, title 0.58, words 0.23'
    - path: /tests/session.rs
      level: path
    ");
}

#[test]
fn the_context_has_the_form_that_is_asked_and_the_run_keeps_the_map() {
    let (navigator, folder) = (navigator(), service());
    let markdown = explore(&navigator, &folder, &[]).stdout;
    let xml = explore(&navigator, &folder, &["--format", "xml"]).stdout;
    insta::assert_snapshot!(xml, @r#"
    <map>
    <folder path="./" more="1"/>
    <folder path="src/" more="2"/>
    <file path="src/session.rs"><![CDATA[
    ⋮
    /// A session of one user.
    pub struct Session {
        /// The token the client keeps.
        pub token: String,
        expires: u64,
    }
    impl Session {
        /// Makes the session live longer; fails when it has expired.
        pub fn refresh(&mut self, now: u64) -> Result<(), Expired> {
            if now > self.expires {
                return Err(Expired);
            }
            self.expires = now + 3600;
            Ok(())
        }
        fn is_expired
    }
    ⋮
    /// The session is over.
    pub struct Expired;
    ]]></file>
    <file path="tests/session.rs"/>
    <left-out>
    Folded: 3 files.
    Not shown: 1 file (assets/ 1).
    </left-out>
    </map>
    "#);
    let json = explore(&navigator, &folder, &["--format", "json"]).stdout;
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["map"], markdown);
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    insta::assert_snapshot!(keys.join(" "), @"tool goal budget tokens tokenizer free fill \
        conflict masked invisible problems parts files map stop stop_line turns purse saving \
        summary decisions");
    for (run, context) in [("1", &markdown), ("2", &xml), ("3", &markdown)] {
        let replayed = navigator.run(folder.path(), &["replay", run]);
        assert_eq!((replayed.code, &replayed.stdout), (0, context), "{run}: {}", replayed.stderr);
    }
}

#[test]
fn a_folder_of_ones_own_holds_what_the_state_directory_would() {
    let (navigator, folder) = (navigator(), service());
    let ran = explore(&navigator, &folder, &["--out", "flight"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    insta::assert_snapshot!(files(&folder.path().join("flight")).join("\n"), @"
    .gitignore
    asked.json
    context.md
    decision-log.jsonl
    ledger.jsonl
    lock
    plan.yaml
    report.json
    state.json
    summary.md
    written.json
    ");
    assert_eq!(fs::read_dir(navigator.home()).unwrap().count(), 0, "and nothing is at home");
    let listed = navigator.run(folder.path(), &["runs", "--format", "json"]);
    assert_eq!((listed.code, listed.stdout.as_str()), (0, ""));
    for target in ["flight", "flight/plan.yaml"] {
        let replayed = navigator.run(folder.path(), &["replay", target]);
        assert_eq!((replayed.code, &replayed.stdout), (0, &ran.stdout), "{target}");
    }
    let again = explore(&navigator, &folder, &["--out", "flight"]);
    assert_eq!((again.code, again.stdout), (0, ran.stdout), "its own files are replaced");
}

#[test]
fn runs_are_numbered_and_listed_oldest_first() {
    let (navigator, folder) = (navigator(), service());
    explore(&navigator, &folder, &[]);
    explore(&navigator, &folder, &["--max-turns", "1"]);
    navigator.run(folder.path(), &["explore", "-g", "zygomorphic quaternion", "--no-cache"]);
    let listed = navigator.run(folder.path(), &["runs"]);
    let root = folder.path().canonicalize().unwrap().display().to_string();
    let width = "repository".len().max(root.len());
    let page = listed.stdout.replace(&format!("{root:<width$}"), "ROOT");
    let header = format!("{:<width$}", "repository");
    insta::assert_snapshot!(page.replace(&header, "repository"), @"
    run    stop              pilot    turns  tokens  spent  repository  goal
    00001  finished          offline  2      200     $0.00  ROOT  where is a session refreshed?
    00002  turn_limit        offline  1      200     $0.00  ROOT  where is a session refreshed?
    00003  nothing_relevant  offline  0      98      $0.00  ROOT  zygomorphic quaternion
    ");
}

#[test]
fn the_words_of_a_run_are_for_people_and_say_what_became_of_it() {
    let (navigator, folder) = (navigator(), service());
    insta::assert_snapshot!(explore(&navigator, &folder, &[]).stderr, @"
    navigator: offline pilot: no model, no network, no cost; `--model PROVIDER/NAME` asks a \
    model, `navigator models` lists them
    navigator: scanned 6 files
    navigator: turns 1 to 2 (`-v` prints each): 200 of 200 tokens, 2 files shown; zoom in on the \
    6 paths with most evidence, first src/session.rs (name 1.00, title 0.58, words 0.23); fold \
    the rest
    navigator: finished: 200 of 200 tokens, $0.00
    navigator: replay it: navigator replay 00001
    ");
    insta::assert_snapshot!(explore(&navigator, &folder, &["--max-turns", "1"]).stderr, @"
    navigator: offline pilot: no model, no network, no cost; `--model PROVIDER/NAME` asks a \
    model, `navigator models` lists them
    navigator: scanned 6 files
    navigator: turn 1: 200 of 200 tokens, 2 files shown; zoom in on the 6 paths with most \
    evidence, first src/session.rs (name 1.00, title 0.58, words 0.23); fold the rest
    navigator: stopped at the turn limit; this is the best context so far (raise `--max-turns`): \
    200 of 200 tokens, $0.00
    navigator: replay it: navigator replay 00002
    ");
    folder.write("b.yaml", b"version: 1\nrules: [{path: src, level: full}]\n");
    let flags = ["--plan", "b.yaml", "--tokens", "60"];
    let args = [&["explore", "-g", GOAL, "--no-history", "--no-cache"][..], &flags].concat();
    insta::assert_snapshot!(navigator.run(folder.path(), &args).stderr, @"
    navigator: offline pilot: no model, no network, no cost; `--model PROVIDER/NAME` asks a \
    model, `navigator models` lists them
    navigator: scanned 6 files
    navigator: turns 1 to 2 (`-v` prints each): 57 of 60 tokens, 4 files shown; zoom in on the 6 \
    paths with most evidence, first src/session.rs (name 1.00, title 0.58, words 0.23); fold the \
    rest
    navigator: constraint conflict: what must be shown needs 273 tokens, the budget is 60; raise \
    it to 273, or lower a floor (the dearest: `src/session.rs` at full costs 155)
    navigator: finished: not all that the pilot wanted fits in the token budget (raise \
    `--tokens`): 57 of 60 tokens, $0.00
    navigator: replay it: navigator replay 00003
    ");
    let quiet = navigator.run(folder.path(), &[&args[..], &["--quiet"]].concat()).stderr;
    let reason = "navigator: constraint conflict: what must be shown needs 273 tokens";
    assert!(quiet.starts_with(reason) && quiet.lines().count() == 1, "{quiet}");
    let args = ["explore", "-g", "zygomorphic quaternion", "--no-cache", "--tokens", "60"];
    insta::assert_snapshot!(navigator.run(folder.path(), &args).stderr, @"
    navigator: offline pilot: no model, no network, no cost; `--model \
    PROVIDER/NAME` asks a model, `navigator models` lists them
    navigator: scanned 7 files
    navigator: nothing that may be shown matches the goal; the context is an overview (try \
    identifiers from the code, a path, or lift a rule): 59 of 60 tokens, $0.00
    navigator: replay it: navigator replay 00005
    ");
    let args = [&["explore", "-g", GOAL, "--no-history", "--no-cache"][..], &["-v"]].concat();
    let each = navigator.run(folder.path(), &[&args[..], &["--tokens", "200"]].concat()).stderr;
    assert!(each.contains("navigator: turn 1: ") && each.contains("navigator: turn 2: "), "{each}");
    assert!(!each.contains("turns 1 to"), "{each}");
    for quiet in [&["--quiet"][..], &["-q", "--max-turns", "1"]] {
        assert_eq!(explore(&navigator, &folder, quiet).stderr, "");
    }
}

#[test]
fn every_event_is_a_line_with_what_a_program_needs() {
    let (navigator, folder) = (navigator(), service());
    let ran = explore(&navigator, &folder, &["--events"]);
    let home = navigator.home().display().to_string();
    insta::assert_snapshot!(ran.stderr.replace(&home, "HOME"), @r#"
    {"event":"started","pilot":"offline","limit_pico_usd":500000000000,"soft":null,"purse":null}
    {"event":"scanned","files":6,"problems":[]}
    {"event":"projected","step":1,"projection":{"projected_pico_usd":0,"at_most_pico_usd":0,"request_tokens":0,"view_tokens":0},"left_pico_usd":500000000000}
    {"event":"turn","step":1,"action":"update_flight_plan","reasoning":"zoom in on the 6 paths with most evidence, first src/session.rs (name 1.00, title 0.58, words 0.23); fold the rest","complaints":[],"cost_pico_usd":0,"projection":{"projected_pico_usd":0,"at_most_pico_usd":0,"request_tokens":0,"view_tokens":0},"limit_pico_usd":500000000000,"spent_pico_usd":0,"calls":0,"tokens":200,"budget":200,"files_shown":2,"raised":["src/session.rs"],"lowered":["tests/session.rs","src/http.rs"],"focus":[]}
    {"event":"projected","step":2,"projection":{"projected_pico_usd":0,"at_most_pico_usd":0,"request_tokens":0,"view_tokens":0},"left_pico_usd":500000000000}
    {"event":"turn","step":2,"action":"finalize_context","reasoning":"2 of 6 files are shown in 200 of 200 tokens; another wave of paths would add nothing of worth","complaints":[],"cost_pico_usd":0,"projection":{"projected_pico_usd":0,"at_most_pico_usd":0,"request_tokens":0,"view_tokens":0},"limit_pico_usd":500000000000,"spent_pico_usd":0,"calls":0,"tokens":200,"budget":200,"files_shown":2,"raised":[],"lowered":[],"focus":[{"path":"src/session.rs","why":"full, 155 tokens: name 1.00, title 0.58, words 0.23"}]}
    {"event":"ended","stop":"finished","stop_line":"finished","tokens":200,"budget":200,"masked":0,"invisible":0,"conflict":null,"purse":{"limit_pico_usd":500000000000,"spent_pico_usd":0,"calls":0},"saving":{"sent":0,"with_history":0},"plan":"HOME/.local/state/navigator/runs/00001/plan.yaml","folder":"HOME/.local/state/navigator/runs/00001"}
    "#);
}

/// What a check and a replay say of a folder that has changed since its plan was flown.
fn checked(navigator: &Sealed, folder: &Repo) -> String {
    let mut page = String::new();
    for check in ["--check", "--check=shown"] {
        let ran = navigator.run(folder.path(), &["replay", check, "1"]);
        page.push_str(&format!("{check}: exit {}, {}{}", ran.code, ran.stdout, ran.stderr));
    }
    page
}

#[test]
fn a_check_tells_what_changed_by_where_it_is() {
    let (navigator, folder) = (navigator(), service());
    explore(&navigator, &folder, &[]);
    insta::assert_snapshot!(checked(&navigator, &folder), @"
    --check: exit 0, identical
    --check=shown: exit 0, identical
    ");
    // A file that the map does not show.
    folder.write("assets/new.svg", b"<svg/>\n");
    insta::assert_snapshot!(checked(&navigator, &folder), @"
    --check: exit 8, drifted
    navigator: drifted
      appeared elsewhere: assets/new.svg
    navigator: all that the map shows is as it was (`--check=shown` ignores the rest)
    --check=shown: exit 0, identical in what is shown
    ");
    // A file that it shows, with other line ends, then with other contents.
    let session = folder.path().join("src/session.rs");
    let text = fs::read_to_string(&session).unwrap();
    fs::write(&session, text.replace('\n', "\r\n")).unwrap();
    insta::assert_snapshot!(checked(&navigator, &folder), @"
    --check: exit 8, drifted
    navigator: drifted
      changed: src/session.rs
      appeared elsewhere: assets/new.svg
    navigator: the changed files differ only in line ends (git's `core.autocrlf`?); `* text=auto \
    eol=lf` in .gitattributes, and a fresh checkout, give every machine the same
    --check=shown: exit 8, drifted
    navigator: drifted
      changed: src/session.rs
      appeared elsewhere: assets/new.svg
    navigator: the changed files differ only in line ends (git's `core.autocrlf`?); `* text=auto \
    eol=lf` in .gitattributes, and a fresh checkout, give every machine the same
    ");
    fs::write(&session, text.replace("3600", "7200")).unwrap();
    insta::assert_snapshot!(checked(&navigator, &folder), @"
    --check: exit 8, drifted
    navigator: drifted
      changed: src/session.rs
      appeared elsewhere: assets/new.svg
    --check=shown: exit 8, drifted
    navigator: drifted
      changed: src/session.rs
      appeared elsewhere: assets/new.svg
    ");
    fs::remove_file(&session).unwrap();
    insta::assert_snapshot!(checked(&navigator, &folder), @"
    --check: exit 8, drifted
    navigator: drifted
      gone: src/session.rs
      appeared elsewhere: assets/new.svg
    --check=shown: exit 8, drifted
    navigator: drifted
      gone: src/session.rs
      appeared elsewhere: assets/new.svg
    ");
    // As it was.
    fs::write(&session, text).unwrap();
    fs::remove_file(folder.path().join("assets/new.svg")).unwrap();
    assert!(checked(&navigator, &folder).starts_with("--check: exit 0, identical\n"));
}

#[test]
fn drift_that_is_allowed_fits_again_below_the_levels_of_the_plan() {
    let (navigator, folder) = (navigator(), service());
    explore(&navigator, &folder, &[]);
    folder.write("src/session.rs", b"pub struct Session;\n\npub fn refresh(s: &mut Session) {}\n");
    let allowed = navigator.run(folder.path(), &["replay", "1", "--allow-drift"]);
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    insta::assert_snapshot!(allowed.stdout, @"
    # Repository map
    - ./ +1 file
    - src/ +2 files
    ## src/session.rs (full)
    ```rust
    pub struct Session;

    pub fn refresh(s: &mut Session) {}
    ```
    - tests/session.rs
    ## Left out
    Folded: 3 files.
    Not shown: 1 file (assets/ 1).
    ");
    insta::assert_snapshot!(allowed.stderr, @"
    navigator: drifted
      changed: src/session.rs
    navigator: fitted again: 71 of 200 tokens, the plan's levels as ceilings
    ");
}

#[test]
fn a_replay_takes_a_plan_from_standard_input_and_refuses_what_is_none() {
    let (navigator, folder) = (navigator(), service());
    let ran = explore(&navigator, &folder, &["--plan-out", "flown.yaml"]);
    let fed = |file: &str| {
        let mut command = navigator.command(folder.path());
        let input = fs::File::open(folder.path().join(file)).unwrap();
        test_support::ran(command.args(["replay", "-"]).stdin(input).output().unwrap())
    };
    let replayed = fed("flown.yaml");
    assert_eq!((replayed.code, replayed.stdout), (0, ran.stdout), "{}", replayed.stderr);
    folder.write("text.txt", b"no plan at all\n");
    folder.write("asked.yaml", b"version: 1\n");
    let mut page = String::new();
    for file in ["text.txt", "asked.yaml"] {
        let refused = fed(file);
        page.push_str(&format!("{file}: exit {} {}", refused.code, refused.stderr));
    }
    for target in ["9", "nowhere.yaml", "src"] {
        let refused = navigator.run(folder.path(), &["replay", target]);
        page.push_str(&format!("{target}: exit {} {}", refused.code, refused.stderr));
    }
    insta::assert_snapshot!(page, @r#"
    text.txt: exit 2 navigator: standard input:1: invalid type: string "no plan at all", expected a plan: fields and their values, `version: 1` among them
    asked.yaml: exit 2 navigator: standard input: not a flown plan: it has no provenance (fly it first with `navigator explore --plan`, then replay the plan that leaves)
    9: exit 2 navigator: there is no run `9` (`navigator runs` lists them)
    nowhere.yaml: exit 2 navigator: nowhere.yaml: cannot be read: No such file or directory (os error 2)
    src: exit 1 navigator: `src` is a folder without a run or a flown plan (`navigator runs` lists the runs; `navigator replay PLAN FOLDER` replays a plan over a repository)
    "#);
}

#[test]
fn a_run_in_the_folder_that_it_reads_is_in_no_later_map() {
    let (navigator, folder) = (navigator(), service());
    let explore = |flags: &[&str]| {
        let args = ["explore", "-g", "session", "--fill", "all", "-t", "4k"];
        let explored = navigator.run(folder.path(), &[&args[..], flags].concat());
        assert_eq!(explored.code, 0, "{}", explored.stderr);
        explored.stdout
    };
    let before = explore(&[]);
    assert_eq!(explore(&["--out", "runs/a"]), before);
    assert_eq!(explore(&["--out", "runs/b", "--hidden"]), before);
    assert_eq!(explore(&["--hidden"]), before);
    assert_eq!(navigator.run(folder.path(), &["replay", "runs/b"]).stdout, before);
    // What is beside other files is hidden by their owner alone.
    folder.write("notes/todo.md", b"# Session\n");
    explore(&["--out", "notes"]);
    assert!(!folder.path().join("notes/.gitignore").exists());
    assert!(explore(&[]).contains("notes/todo.md"));
}

#[test]
fn what_is_named_and_not_there_is_a_mistake_of_the_command_line() {
    let (navigator, folder) = (navigator(), service());
    let explore = ["explore", "-g", "session", "-q"];
    for (command, missing) in [
        (&explore[..], &["nowhere"][..]),
        (&explore, &["file://nowhere"]),
        (&explore, &["nowhere.warc.gz"]),
        (&explore, &["--plan", "nowhere.yaml"]),
        (&explore, &["http://127.0.0.1:9/", "--cookies", "nowhere"]),
        (&explore, &["-o", "nowhere/context.md"]),
        (&["explore"], &["--goal-file", "nowhere"]),
        (&["explore"], &["--resume", "7"]),
        (&["browse", "-g", "x"], &["nowhere"]),
        (&["browse", "-g", "x"], &["file://.", "--knowledge", "nowhere"]),
        (&["replay"], &["7"]),
        (&["replay"], &["nowhere.yaml"]),
        (&["knowledge", "build", "-o", "k.json"], &["nowhere"]),
        (&["knowledge", "build", "-o", "k.json"], &["nowhere.json"]),
        (&["knowledge", "show"], &["nowhere.json"]),
        (&["mcp"], &["nowhere"]),
    ] {
        let ran = navigator.run(folder.path(), &[command, missing].concat());
        let wrong = format!("{command:?} {missing:?}: {}", ran.stderr);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{wrong}");
    }
}
