//! A disk that becomes full while a walk is recorded.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use navigator::browser::process::find_browser;
use serde_json::Value;
use test_support::{Ran, ran, repo, sealed};

use super::wire_server::{WireServer, html};
use super::{guard, launched};

/// The goal: a page that has room, and one that has none.
const GOAL: &str = "Click on the \"Second\" link, and then on the \"Third\" link.";

/// Words that no compression makes small: their screen is larger than the limit.
fn noise() -> String {
    let mut state = 1_u64;
    let words = (0..30_000).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("{:x} ", state >> 40)
    });
    words.collect()
}

fn path(ran: &Ran) -> Vec<Value> {
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let steps = report["path_taken"].as_array().unwrap();
    steps.iter().map(|step| step["action"].clone()).collect()
}

#[test]
fn a_disk_that_becomes_full_ends_a_walk_in_a_browser_that_can_be_resumed() {
    if launched(guard(&[])).is_none() {
        return;
    }
    let (navigator, at) = (sealed(env!("CARGO_BIN_EXE_navigator")), repo(""));
    // The disk is full for us alone: the browser lifts the limit for itself.
    let program = at.path().join("browser.sh");
    let chromium = find_browser(None).unwrap();
    let script = format!("ulimit -S -f unlimited; exec '{}' \"$@\"", chromium.display());
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();

    let third = format!("<h1>Third</h1><p>{}</p>", noise());
    let server = WireServer::start(move |_| {
        Box::new(move |path| match path {
            "/" => Some(html("<h1>First</h1><a href=/second>Second</a>")),
            "/second" => Some(html("<h1>Second</h1><a href=/third>Third</a>")),
            "/third" => Some(html(&third)),
            _ => None,
        })
    });
    let url = server.url("/");
    let (chromium, program) = (chromium.to_str().unwrap(), program.to_str().unwrap());
    let args = |program| {
        let walk = ["browse", &url, "--browser", "--goal", GOAL, "--format", "json"];
        [&walk[..], &["--chromium", program]].concat()
    };
    let mut command = navigator.command_on_full_disk(at.path(), 80);
    let full = ran(command.args(args(program)).args(["--out", "run"]).output().unwrap());
    let why = "cannot write run/recording.warc.gz: File too large (os error 27)";
    assert_eq!((full.code, full.stdout.as_str()), (1, ""), "{}", full.stderr);
    assert!(full.stderr.contains(why), "{}", full.stderr);

    let again = ["browse", "--resume", "run", "--format", "json", "--chromium", chromium];
    let resumed = navigator.run(at.path(), &again);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let undisturbed =
        navigator.run(at.path(), &[&args(chromium)[..], &["--out", "other"]].concat());
    assert_eq!(undisturbed.code, 0, "{}", undisturbed.stderr);
    assert_eq!(path(&resumed)[..2], ["click 1 'Second'", "click 1 'Third'"]);
    assert_eq!(path(&resumed), path(&undisturbed), "{}", resumed.stdout);
    let replayed = navigator.run(at.path(), &["replay", "run"]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
}
