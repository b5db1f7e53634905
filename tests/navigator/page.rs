//! The page of a run: the levels turn by turn, what was decided and what it cost, and where it may
//! lie.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use test_support::{Sealed, sealed};

use crate::server::{Answer, Server, status};
use crate::service;

const GOAL: &str = "where is a session refreshed?";

fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

fn document(page: &Path) -> Value {
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once("id=\"document\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// The levels after every step that is known, one digit a file.
fn frames(document: &Value) -> Vec<String> {
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    let digit = |value: &Value| char::from(b'0' + number(value) as u8);
    let start = document["start"].as_array().unwrap().iter();
    let mut frames: Vec<Vec<char>> =
        vec![start.flat_map(|run| std::iter::repeat_n(digit(&run[1]), number(&run[0]))).collect()];
    for runs in document["changes"].as_array().unwrap() {
        let mut next = frames[frames.len() - 1].clone();
        let mut end = 0;
        for run in runs.as_array().unwrap() {
            let from = end + number(&run[0]);
            end = from + number(&run[1]);
            next[from..end].fill(digit(&run[2]));
        }
        frames.push(next);
    }
    frames.into_iter().map(|frame| frame.into_iter().collect()).collect()
}

/// An answer of a Chat Completions server that used so many tokens.
fn says(answer: &Value, input: u64, output: u64) -> Answer {
    let usage = json!({ "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output });
    let message = json!({ "role": "assistant", "content": answer.to_string() });
    status(200, &json!({ "model": "own", "choices": [{ "message": message, "finish_reason": "stop" }], "usage": usage }).to_string())
}

#[test]
fn the_offline_pilots_page_goes_from_the_first_look_to_the_map() {
    let (navigator, folder) = (navigator(), service());
    let args = ["explore", "--goal", GOAL, "-t", "600", "--report", "page.html"];
    let ran = navigator.run(folder.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = document(&folder.path().join("page.html"));
    let frames = frames(&page);
    assert_eq!(frames.len(), page["steps"].as_array().unwrap().len() + 1);
    assert_eq!(
        frames.last().unwrap(),
        page["tree"]["levels"].as_str().unwrap(),
        "the last turn's levels are the map's"
    );
    assert_ne!(frames.first(), frames.last());
    assert_eq!(page["steps"].as_array().unwrap().last().unwrap()["tokens"], page["tokens"]);
    assert_eq!((&page["map"], page["goal"].as_str()), (&json!(ran.stdout), Some(GOAL)));

    // The page lies in the repository: a second run sees nothing of it, and writes the same bytes.
    let bytes = fs::read(folder.path().join("page.html")).unwrap();
    assert_eq!(navigator.run(folder.path(), &args).stdout, ran.stdout);
    assert_eq!(fs::read(folder.path().join("page.html")).unwrap(), bytes);
}

#[test]
fn a_models_page_has_every_amount_exactly() {
    let zoom = json!({ "reasoning": "open it", "action": "update_flight_plan", "changes": [{ "path": "src/color.rs", "level": "full", "why": "w" }], "summary": "", "focus": [] });
    let focus = json!([{ "path": "src/session.rs", "why": "here" }]);
    let done = json!({ "reasoning": "r", "action": "finalize_context", "changes": [], "summary": "all there", "focus": focus });
    let server = Server::start(vec![says(&zoom, 1_234, 56), says(&done, 999, 7)]);
    let (navigator, folder) = (navigator(), service());
    let url = server.url();
    let args = [
        "explore",
        "--goal",
        GOAL,
        "-t",
        "900",
        "--report",
        "page.html",
        "--model",
        "openai/own",
        "--base-url",
        &url,
    ];
    let ran = navigator.run(
        folder.path(),
        &[&args[..], &["--price-in", "1", "--price-out", "2", "--window", "32000"]].concat(),
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = document(&folder.path().join("page.html"));
    assert_eq!(page["amounts"], json!(["projected", "at most a call", "spent", "spent in all"]));
    let steps = page["steps"].as_array().unwrap();
    assert_eq!(
        (steps[0]["text"].as_str(), steps[1]["text"].as_str()),
        (Some("open it"), Some("all there"))
    );
    assert_eq!(steps[0]["amounts"][2], json!(["1346000000", "$0.001346"]));
    assert_eq!(steps[1]["amounts"][3], json!(["2359000000", "$0.002359"]));
    assert_eq!(page["limit"], json!(["500000000000", "$0.50"]));
    assert_eq!(frames(&page).last().unwrap(), page["tree"]["levels"].as_str().unwrap());
}

#[test]
fn a_run_that_is_continued_tells_its_earlier_turns_without_their_levels() {
    let (navigator, folder) = (navigator(), service());
    let first =
        navigator.run(folder.path(), &["explore", "--goal", GOAL, "-t", "600", "--max-turns", "1"]);
    assert_eq!(first.code, 6, "{}", first.stderr);
    let ran = navigator.run(
        folder.path(),
        &["explore", "--resume", "1", "--max-turns", "9", "--report", "page.html"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page = document(&folder.path().join("page.html"));
    assert_eq!(page["start_at"], json!(1));
    assert!(page["steps"][0]["title"].as_str().unwrap().starts_with("Turn 1: "));
    assert_eq!(
        page["changes"].as_array().unwrap().len() + 1,
        page["steps"].as_array().unwrap().len()
    );
}

#[test]
fn a_replay_has_a_page_and_a_drifted_one_only_when_that_is_allowed() {
    let (navigator, folder) = (navigator(), service());
    let explored = navigator
        .run(folder.path(), &["explore", "--goal", GOAL, "-t", "600", "--plan-out", "plan.yaml"]);
    let page = folder.path().join("page.html");
    let replay = ["replay", "plan.yaml", "--report", "page.html"];
    let ran = navigator.run(folder.path(), &replay);
    assert_eq!((ran.code, &ran.stdout), (0, &explored.stdout));
    assert_eq!(
        (&document(&page)["map"], &document(&page)["ranking"]),
        (&json!(ran.stdout), &Value::Null)
    );
    assert_eq!(navigator.run(folder.path(), &replay).code, 0, "the page is no drift");

    fs::remove_file(&page).unwrap();
    folder.write("src/http.rs", b"// nothing here any more\n");
    assert_eq!(navigator.run(folder.path(), &replay).code, 8);
    assert!(!page.exists(), "no page of a map that was not made");
    let allowed = navigator.run(folder.path(), &[&replay[..], &["--allow-drift"]].concat());
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    assert_eq!(document(&page)["map"], json!(allowed.stdout));
    assert!(document(&page)["notes"][0].as_str().unwrap().contains("fitted again"));
}

#[test]
fn a_page_without_a_folder_to_lie_in_is_refused_before_anything_begins() {
    let (navigator, folder) = (navigator(), service());
    let ran =
        navigator.run(folder.path(), &["explore", "--goal", GOAL, "--report", "nowhere/page.html"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("--report: nowhere/page.html cannot be written"), "{}", ran.stderr);
}
