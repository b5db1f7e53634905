//! Runs that are kept: listed, replayed, held against a second process, and continued after a kill
//! at any point.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use navigator::ledger::{self, LedgerLine};
use serde_json::{Value, json};
use test_support::{Repo, Sealed, sealed};

use crate::server::{Answer, Server, status};
use crate::service;

const GOAL: &str = "where is a session refreshed?";

/// An answer of a Chat Completions server that used so many tokens.
pub(crate) fn says(answer: &Value, input: u64, output: u64) -> Answer {
    let usage = json!({ "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output });
    let message = json!({ "role": "assistant", "content": answer.to_string() });
    status(200, &json!({ "model": "own", "choices": [{ "message": message, "finish_reason": "stop" }], "usage": usage }).to_string())
}

fn zoom(path: &str) -> Value {
    json!({ "reasoning": "r", "action": "update_flight_plan", "changes": [{ "path": path, "level": "full", "why": "w" }], "summary": "", "focus": [] })
}

pub(crate) fn finalize() -> Value {
    let focus = json!([{ "path": "src/session.rs", "why": "here" }]);
    json!({ "reasoning": "r", "action": "finalize_context", "changes": [], "summary": "all there", "focus": focus })
}

/// Model flags with a price, so that money counts: 1 and 2 USD per million tokens.
pub(crate) fn flags(server: &Server) -> Vec<String> {
    let url = server.url();
    [
        "--model",
        "openai/own",
        "--base-url",
        &url,
        "--price-in",
        "1",
        "--price-out",
        "2",
        "--window",
        "32000",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn start(navigator: &Sealed, folder: &Repo, args: &[&str], server: &Server) -> Child {
    let mut command = navigator.command(folder.path());
    command
        .args(args)
        .args(flags(server))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

fn run_folder(navigator: &Sealed) -> PathBuf {
    navigator.home().join(".local/state/navigator/runs/00001")
}

fn ledger(folder: &Path) -> Vec<LedgerLine> {
    ledger::lines(&fs::read_to_string(folder.join("ledger.jsonl")).unwrap()).unwrap()
}

/// Waits until so many requests are there.
fn wait_for(server: &Server, n: usize) {
    for _ in 0..1_000 {
        if server.received().len() >= n {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("{} requests came, not {n}", server.received().len());
}

#[test]
fn a_run_killed_in_the_middle_of_a_call_goes_on_with_its_money_intact() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let server = Server::start(vec![
        says(&zoom("src/color.rs"), 1_000, 100),
        Answer::Silence,
        says(&finalize(), 2_000, 50),
    ]);
    let mut child =
        start(&navigator, &folder, &["explore", "-g", GOAL, "--tokens", "800"], &server);
    wait_for(&server, 2);

    // While it runs, nobody else can write it.
    let second = navigator.run(folder.path(), &["explore", "--resume", "1"]);
    assert_eq!(second.code, 1);
    assert!(second.stderr.contains("another process works on the run"), "{}", second.stderr);

    child.kill().unwrap();
    child.wait().unwrap();
    let run = run_folder(&navigator);
    let before = ledger(&run);
    let Some(LedgerLine::Reserved { bound, .. }) = before.last() else {
        panic!("the call in flight has its reservation: {before:?}")
    };
    let listed = navigator.run(folder.path(), &["runs", "--format", "json"]).stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let first_call = 1_000 * 1_000_000 + 100 * 2_000_000;
    let with_reservation = first_call + bound.reserved_pico_usd.0;
    assert_eq!(
        (&listed["stop"], &listed["goal"], &listed["turns"]),
        (&json!("open"), &json!(GOAL), &json!(1))
    );
    assert_eq!(listed["spent_pico_usd"], json!(with_reservation));

    // A crash may also tear the line that was being written.
    let torn = fs::read_to_string(run.join("ledger.jsonl")).unwrap() + "{\"event\":\"settl";
    fs::write(run.join("ledger.jsonl"), torn).unwrap();
    let resumed = navigator.run(folder.path(), &["explore", "--resume", "1"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(
        resumed.stdout.contains("pub fn mix(a: u32, b: u32) -> u32 {\n    (a + b) / 2"),
        "what was decided holds:\n{}",
        resumed.stdout
    );
    let report: Value =
        serde_json::from_slice(&fs::read(run.join("report.json")).unwrap()).unwrap();
    let second_call = 2_000 * 1_000_000 + 50 * 2_000_000;
    assert_eq!(report["purse"]["spent_pico_usd"], json!(with_reservation + second_call));
    assert_eq!((&report["turns"], &report["purse"]["calls"]), (&json!(2), &json!(3)));
    // The request after the crash carries the decision before it, and the same boundary.
    let received = server.received();
    assert!(received[2].body.contains("update_flight_plan: src/color.rs"), "{}", received[2].body);
    let stable = |at: usize| received[at].json()["messages"][0]["content"].clone();
    assert_eq!(stable(0), stable(2));

    let replayed = navigator.run(folder.path(), &["replay", "1"]);
    assert_eq!((replayed.code, replayed.stdout), (0, resumed.stdout), "{}", replayed.stderr);
}

#[test]
fn a_ledger_that_has_lost_a_line_is_not_gone_on_with() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let server = Server::start(vec![
        says(&zoom("src/color.rs"), 1_000, 100),
        Answer::Silence,
        says(&finalize(), 2_000, 50),
    ]);
    let mut child = start(&navigator, &folder, &["explore", "-g", GOAL], &server);
    wait_for(&server, 2);
    child.kill().unwrap();
    child.wait().unwrap();
    let path = run_folder(&navigator).join("ledger.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    let last = whole.trim_end().rfind('\n').unwrap() + 1;
    let first = whole.find('\n').unwrap() + 1;
    for (left, bytes) in [
        (None, 0),
        (Some(""), 0),
        (Some(&whole[..last]), last),
        (Some(&whole[first..]), whole.len() - first),
    ] {
        match left {
            Some(left) => fs::write(&path, left).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let refused = navigator.run(folder.path(), &["explore", "--resume", "1", "--budget", "1"]);
        let why = format!(
            "it has {bytes} of the {} bytes that the run wrote, so what was spent is not known",
            whole.len()
        );
        let said = format!(
            "navigator: {}: {why} (put it back as it was, or begin a new run)\n",
            path.display()
        );
        assert_eq!((refused.code, refused.stdout.as_str()), (1, ""));
        assert!(refused.stderr.ends_with(&said), "{}", refused.stderr);
        let listed = navigator.run(folder.path(), &["runs"]).stdout;
        assert_eq!(
            listed.lines().nth(1).unwrap().split_whitespace().nth(1),
            Some("unreadable"),
            "{listed}"
        );
    }
    assert_eq!(server.received().len(), 2);

    // Only the end of the last line is missing, as some editors leave it: the line counts.
    fs::write(&path, whole.trim_end()).unwrap();
    assert_eq!(navigator.run(folder.path(), &["explore", "--resume", "1"]).code, 0);
    assert!(fs::read_to_string(&path).unwrap().starts_with(&whole));
}

#[test]
fn a_run_killed_before_its_first_answer_goes_on_too_and_a_limit_can_be_raised() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let server = Server::start(vec![Answer::Silence, says(&finalize(), 2_000, 50)]);
    let mut child =
        start(&navigator, &folder, &["explore", "-g", GOAL, "--budget", "0.02"], &server);
    wait_for(&server, 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let spent = navigator.run(folder.path(), &["explore", "--resume", "1"]);
    assert_eq!(spent.code, 5, "the reservation in flight leaves too little: {}", spent.stderr);
    assert!(
        spent.stdout.contains("pub fn refresh(&mut self, now: u64)"),
        "the offline pilot's context:\n{}",
        spent.stdout
    );
    assert_eq!(server.received().len(), 1);
    let elsewhere = navigator.run(folder.path(), &["explore", ".", "--resume", "1"]);
    assert_eq!(elsewhere.code, 2, "a run has its own folder: {}", elsewhere.stderr);
    let raised = navigator.run(folder.path(), &["explore", "--resume", "1", "--budget", "0.20"]);
    assert_eq!(raised.code, 0, "{}", raised.stderr);
    assert_eq!(server.received().len(), 2);
}

#[test]
fn a_provider_that_billed_too_much_is_not_asked_again() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let server =
        Server::start(vec![says(&zoom("src/color.rs"), 1_000, 5_000), says(&finalize(), 1, 1)]);
    let flags = flags(&server);
    let args: Vec<&str> =
        ["explore", "-g", GOAL].into_iter().chain(flags.iter().map(String::as_str)).collect();
    let breached = navigator.run(folder.path(), &args);
    assert_eq!(breached.code, 10, "{}", breached.stderr);
    assert!(
        breached.stdout.contains("pub fn refresh(&mut self, now: u64)"),
        "the best so far:\n{}",
        breached.stdout
    );
    let resumed = navigator.run(folder.path(), &["explore", "--resume", "1", "--budget", "1"]);
    assert_eq!((resumed.code, server.received().len()), (10, 1), "{}", resumed.stderr);
    assert!(
        resumed.stderr.contains("the provider billed $0.011 where at most "),
        "{}",
        resumed.stderr
    );
}

#[test]
fn a_folder_for_a_run_keeps_what_is_not_a_runs() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let own = folder.write("plans/plan.yaml", b"version: 1\n");
    let refused = navigator.run(folder.path(), &["explore", "-g", GOAL, "--out", "plans"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (2, ""));
    assert!(
        refused.stderr.contains("plans has a plan.yaml that no run has written"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read_to_string(own).unwrap(), "version: 1\n");

    let server = Server::start(vec![Answer::Silence]);
    let mut child = start(&navigator, &folder, &["explore", "-g", GOAL, "--out", "run"], &server);
    wait_for(&server, 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let refused = navigator.run(folder.path(), &["explore", "-g", GOAL, "--out", "run"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("`--resume run` goes on with it"), "{}", refused.stderr);

    // Without its state a run cannot go on.
    folder.write("run/state.json", b"{");
    let refused = navigator.run(folder.path(), &["explore", "-g", GOAL, "--out", "run"]);
    assert_eq!(refused.code, 2);
    let way_out = "state.json cannot be read, so it cannot go on (name another folder, or remove";
    assert!(refused.stderr.contains(way_out), "{}", refused.stderr);
    fs::remove_dir_all(folder.path().join("run")).unwrap();
    let again = navigator.run(folder.path(), &["explore", "-g", GOAL, "--out", "run"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
}

#[test]
fn what_is_no_run_is_said_to_be_none() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    for args in [&["explore", "--resume", "7"][..], &["replay", "7"]] {
        let none = navigator.run(folder.path(), args);
        assert_eq!(
            (none.code, none.stderr.as_str()),
            (2, "navigator: there is no run `7` (`navigator runs` lists them)\n")
        );
    }
    assert_eq!(
        navigator.run(folder.path(), &["runs"]).stdout,
        "run  stop  pilot  turns  tokens  spent  repository  goal\n"
    );
    let kept = navigator.run(folder.path(), &["explore", "-g", GOAL, "--max-turns", "1"]);
    let run = run_folder(&navigator);
    // Money that cannot be read is not guessed.
    fs::write(run.join("ledger.jsonl"), "not json\n{}\n").unwrap();
    let refused = navigator.run(folder.path(), &["explore", "--resume", "1"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("ledger.jsonl: line 1: "), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(run.join("context.md")).unwrap(), kept.stdout);
}

#[test]
fn a_run_that_goes_on_and_is_killed_has_not_ended() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let server = Server::start(vec![says(&zoom("src/color.rs"), 1_000, 100), Answer::Silence]);
    let flags = flags(&server);
    let args: Vec<&str> = ["explore", "-g", GOAL, "--max-turns", "1"]
        .into_iter()
        .chain(flags.iter().map(String::as_str))
        .collect();
    assert_eq!(navigator.run(folder.path(), &args).code, 6);
    let stop = || {
        navigator
            .run(folder.path(), &["runs"])
            .stdout
            .lines()
            .nth(1)
            .unwrap()
            .split_whitespace()
            .nth(1)
            .unwrap()
            .to_owned()
    };
    assert_eq!(stop(), "turn_limit");
    let mut child =
        start(&navigator, &folder, &["explore", "--resume", "1", "--max-turns", "5"], &server);
    wait_for(&server, 2);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(stop(), "open");
}

#[test]
fn a_run_that_was_killed_while_it_scanned_has_not_begun() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = navigator.home().join(".local/state/navigator/runs/00001");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("lock"), "").unwrap();
    let runs = || navigator.run(navigator.home(), &["runs", "--format", "json"]).stdout;
    let stop = || serde_json::from_str::<Value>(&runs()).unwrap()["stop"].clone();
    let lock = fs::File::open(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(stop(), "open");
    lock.unlock().unwrap();
    assert_eq!(stop(), "not_begun");
    let resumed = navigator.run(navigator.home(), &["explore", "--resume", "1"]);
    assert_eq!(resumed.code, 1);
    assert!(resumed.stderr.contains("none began there"), "{}", resumed.stderr);
}

#[test]
fn a_run_that_never_began_leaves_nothing_and_takes_nothing_away() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let kept = navigator.run(folder.path(), &["explore", "-g", GOAL, "--out", "run"]);
    for args in [&["typo"][..], &["--include", "nothing/**"]] {
        let failed = navigator
            .run(folder.path(), &[&["explore", "-g", GOAL, "--out", "run"], args].concat());
        assert!(failed.code == 1 || failed.code == 2, "{}", failed.stderr);
        assert_eq!(navigator.run(folder.path(), &["replay", "run/plan.yaml"]).stdout, kept.stdout);
        navigator.run(folder.path(), &[&["explore", "-g", GOAL], args].concat());
    }
    assert_eq!(navigator.run(folder.path(), &["runs"]).stdout.lines().count(), 1, "none is listed");
}

#[test]
fn a_run_that_has_finished_is_not_overwritten() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let kept = navigator.run(folder.path(), &["explore", "-g", GOAL]);
    let again = navigator.run(folder.path(), &["explore", "--resume", "1", "--tokens", "100"]);
    assert_eq!((again.code, again.stdout.as_str()), (2, ""));
    assert!(
        again
            .stderr
            .contains("run 00001 has finished (`navigator replay 00001` prints its context)"),
        "{}",
        again.stderr
    );
    assert_eq!(navigator.run(folder.path(), &["replay", "1"]).stdout, kept.stdout);
}

#[test]
fn a_tiny_limit_ends_before_any_call_with_the_offline_context() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let server = Server::start(Vec::new());
    let mut args = vec!["explore", "-g", GOAL, "--budget", "0.0001"];
    let flags = flags(&server);
    args.extend(flags.iter().map(String::as_str));
    let ran = navigator.run(folder.path(), &args);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let offline = navigator.run(folder.path(), &["explore", "-g", GOAL]);
    assert_eq!(ran.stdout, offline.stdout);
    assert!(server.received().is_empty());
}

#[test]
fn a_dry_run_prints_the_request_and_sends_and_keeps_nothing() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let server = Server::start(Vec::new());
    let mut args = vec!["explore", "-g", GOAL, "--dry-run", "--no-cache"];
    let flags = flags(&server);
    args.extend(flags.iter().map(String::as_str));
    let ran = navigator.run(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for part in [
        "The goal:\nwhere is a session refreshed?",
        "# Repository map\n",
        "src/session.rs: now full",
        "What was decided so far, with names from the repository:\n",
    ] {
        assert!(ran.stdout.contains(part), "`{part}` is not in\n{}", ran.stdout);
    }
    assert!(ran.stderr.contains("nothing was sent to openai/own: a request of "), "{}", ran.stderr);
    assert!(server.received().is_empty());
    assert!(fs::read_dir(navigator.home()).unwrap().next().is_none(), "nothing is kept");
}
