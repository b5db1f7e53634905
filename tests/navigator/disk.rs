//! Disks that are full or read-only, and folders that have files of others.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};
use test_support::{Ran, Repo, Sealed, ran, sealed};

use crate::runs::{finalize, flags, says};
use crate::server::Server;
use crate::service;

const GOAL: &str = "where is a session refreshed?";
const EXPLORE: [&str; 4] = ["explore", "-g", GOAL, "--no-cache"];

/// Every file that a run leaves in its folder.
const FILES: [&str; 10] = [
    "asked.json",
    "context.md",
    "decision-log.jsonl",
    "ledger.jsonl",
    "lock",
    "plan.yaml",
    "report.json",
    "state.json",
    "summary.md",
    "written.json",
];

fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

/// Explores with a state directory of this name.
fn explore_keeping_in(state: &Path, folder: &Repo, args: &[&str]) -> Ran {
    ran(navigator()
        .command(folder.path())
        .env("XDG_STATE_HOME", state)
        .args(EXPLORE)
        .args(args)
        .output()
        .unwrap())
}

/// A model that has a file shown.
fn zoom() -> Value {
    let change = json!({ "path": "src/color.rs", "level": "full", "why": "w" });
    json!({ "reasoning": "r", "action": "update_flight_plan", "changes": [change], "summary": "", "focus": [] })
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn without_a_place_for_the_run_the_offline_pilot_delivers_and_a_model_is_not_asked() {
    let folder = service();
    let state = folder.write("README.md", b"# Service\n").join("state");
    let right = navigator().run(folder.path(), &EXPLORE);
    let offline = explore_keeping_in(&state, &folder, &[]);
    assert_eq!((offline.code, &offline.stdout), (right.code, &right.stdout), "{}", offline.stderr);
    let why = format!(
        "making a folder in {}/navigator/runs: Not a directory (os error 20)",
        state.display()
    );
    let said = format!("navigator: the run is not kept: {why} (`--out DIR` keeps it elsewhere)\n");
    assert!(offline.stderr.contains(&said), "{}", offline.stderr);
    assert!(!offline.stderr.contains("replay it"), "{}", offline.stderr);

    let server = Server::start(vec![says(&finalize(), 2_000, 50)]);
    let flags = flags(&server);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let refused = explore_keeping_in(&state, &folder, &flags);
    assert_eq!((refused.code, refused.stdout.as_str(), server.received().len()), (1, "", 0));
    let said = format!(
        "there is no place for the ledger, and a model is not asked without one: {why} (`--out \
         DIR` names a place)\n"
    );
    assert!(refused.stderr.ends_with(&said), "{}", refused.stderr);
    let elsewhere = explore_keeping_in(&state, &folder, &[&flags[..], &["--out", "run"]].concat());
    assert_eq!((elsewhere.code, server.received().len()), (0, 1), "{}", elsewhere.stderr);
}

#[test]
fn a_disk_that_becomes_full_costs_the_offline_pilot_no_context() {
    let navigator = navigator();
    let folder = service();
    let long = "/// Refreshes a session.\npub fn refresh_session() {}\n".repeat(400);
    folder.write("src/refresh.rs", long.as_bytes());
    let right = navigator.run(folder.path(), &EXPLORE);
    let on_full_disk = |blocks: u32, args: &[&str]| {
        let mut command = navigator.command_on_full_disk(folder.path(), blocks);
        ran(command.args(EXPLORE).args(args).output().unwrap())
    };
    // First not even the beginning can be written, then all but the context.
    for (blocks, file) in [(0, "written.json"), (16, "context.md")] {
        let full = on_full_disk(blocks, &[]);
        assert_eq!((full.code, &full.stdout), (right.code, &right.stdout), "{}", full.stderr);
        let said =
            format!("/{file}: File too large (os error 27) (`--out DIR` keeps it elsewhere)\n");
        assert!(
            full.stderr.contains("navigator: the run is not kept: writing ")
                && full.stderr.contains(&said),
            "{}",
            full.stderr
        );
    }
    // A folder that was asked for is an error, after the context.
    let asked = on_full_disk(16, &["--out", "run"]);
    assert_eq!((asked.code, asked.stdout.len()), (1, right.stdout.len()), "{}", asked.stderr);
    assert!(
        asked.stderr.ends_with("navigator: writing run/context.md: File too large (os error 27)\n"),
        "{}",
        asked.stderr
    );

    let places = [
        "-o",
        "old.md",
        "--plan-out",
        "old.yaml",
        "--summary-out",
        "old.txt",
        "--json-out",
        "old.json",
        "--report",
        "old.html",
    ];
    for name in places.iter().skip(1).step_by(2) {
        folder.write(name, b"as it was");
    }
    assert_eq!(on_full_disk(1, &places).code, 1);
    for name in places.iter().skip(1).step_by(2) {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "as it was", "{name}");
    }
    assert!(
        !names(folder.path()).iter().any(|name| name.starts_with(".unfinished")),
        "nothing is left beside them"
    );
}

#[test]
fn a_model_is_not_asked_again_when_the_run_cannot_be_written_and_what_was_paid_for_is_delivered() {
    let navigator = navigator();
    let folder = service();
    let state = navigator.home().join(".local/state/navigator/runs/00001/state.json");
    let server = Server::answering({
        let state = state.clone();
        move |_| {
            fs::remove_file(&state).unwrap();
            fs::create_dir(&state).unwrap();
            says(&zoom(), 1_000, 100)
        }
    });
    let flags = flags(&server);
    let ran = navigator.run(
        folder.path(),
        &EXPLORE.into_iter().chain(flags.iter().map(String::as_str)).collect::<Vec<_>>(),
    );
    assert_eq!((ran.code, server.received().len()), (1, 1), "{}", ran.stderr);
    assert!(ran.stdout.contains("(a + b) / 2"), "{}", ran.stdout);
    assert!(
        ran.stderr.contains(&format!("writing {}: Is a directory", state.display())),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_run_is_for_its_user_alone() {
    let navigator = navigator();
    let folder = service();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    fs::create_dir(folder.path().join("theirs")).unwrap();
    fs::set_permissions(folder.path().join("theirs"), fs::Permissions::from_mode(0o755)).unwrap();
    for (args, run, expected) in [
        (&[][..], navigator.home().join(".local/state/navigator/runs/00001"), 0o700),
        (&["--out", "new/run"], folder.path().join("new/run"), 0o700),
        (&["--out", "theirs"], folder.path().join("theirs"), 0o755),
    ] {
        assert_eq!(navigator.run(folder.path(), &[&EXPLORE[..], args].concat()).code, 0);
        // One that lies in a repository hides itself.
        let hides = (!args.is_empty()).then_some(".gitignore");
        let all: Vec<&str> = hides.into_iter().chain(FILES).collect();
        assert_eq!(
            (mode(&run), names(&run)),
            (expected, all.iter().map(|f| f.to_string()).collect())
        );
        for name in FILES {
            assert_eq!(mode(&run.join(name)), 0o600, "{name}");
        }
    }
}

/// A repository beside the folder for a run, so that what is planted there is not part of it.
fn with_run(folder: &Repo, args: &[&str]) -> Ran {
    navigator()
        .run(&folder.path().join("code"), &[&EXPLORE[..], &["--out", "../run"], args].concat())
}

fn planted() -> Repo {
    test_support::repo("=== code/src/session.rs\n/// A session.\npub fn refresh_session() {}\n")
}

#[test]
fn files_of_others_stay_in_the_folder_of_a_run() {
    const NEVER_OURS: [&str; 4] =
        ["unfinished", "edited-plan.yaml", ".unfinished-abcdef", "notes.md"];
    for name in FILES.into_iter().chain(NEVER_OURS) {
        let may_be_there = name == "lock" || NEVER_OURS.contains(&name);
        let code = if may_be_there { 0 } else { 2 };
        for text in ["theirs", ""] {
            // In a folder without a run; where the scan fails nothing goes either.
            let folder = planted();
            let file = folder.write(&format!("run/{name}"), text.as_bytes());
            let failed = with_run(&folder, &["nowhere"]);
            assert!(
                failed.code != 0 && names(&folder.path().join("run")) == [name],
                "{name}: {}",
                failed.stderr
            );
            let ran = with_run(&folder, &[]);
            assert_eq!(ran.code, code, "{name}: {}", ran.stderr);
            assert_eq!(fs::read_to_string(&file).unwrap(), text, "{name}");
            if code == 2 {
                assert!(
                    ran.stderr.contains(&format!("../run has a {name} that no run has written")),
                    "{}",
                    ran.stderr
                );
            }
        }
        // In the folder of an earlier run, which a second one takes otherwise.
        let folder = planted();
        assert_eq!((with_run(&folder, &[]).code, with_run(&folder, &[]).code), (0, 0));
        let file = folder.write(&format!("run/{name}"), b"theirs");
        for (args, code) in [(&["nowhere"][..], 2), (&[], code)] {
            let ran = with_run(&folder, args);
            assert_eq!(ran.code, code, "{name} {args:?}: {}", ran.stderr);
            assert_eq!(fs::read_to_string(&file).unwrap(), "theirs", "{name} {args:?}");
        }
        // In that of a run that goes on.
        let folder = planted();
        assert_eq!(with_run(&folder, &["--max-turns", "1"]).code, 6);
        let file = folder.write(&format!("run/{name}"), b"theirs");
        let resumed =
            navigator().run(folder.path(), &["explore", "--resume", "run", "--max-turns", "9"]);
        assert_eq!(resumed.code == 0, may_be_there, "{name}: {}", resumed.stderr);
        assert_eq!(fs::read_to_string(&file).unwrap(), "theirs", "{name}");
    }
}

#[test]
fn a_scan_that_fails_takes_away_what_was_made_for_it_alone() {
    let folder = planted();
    let failed = |out: &str| {
        navigator().run(folder.path(), &[&EXPLORE[..], &["nowhere", "--out", out]].concat()).code
    };
    fs::create_dir(folder.path().join("theirs")).unwrap();
    assert_eq!((failed("theirs"), failed("theirs/new/run"), failed("new/run")), (2, 2, 2));
    assert_eq!(names(folder.path()), ["code", "theirs"]);
    assert!(names(&folder.path().join("theirs")).is_empty());
}

#[test]
fn what_comes_while_the_run_goes_on_is_not_replaced_either() {
    let navigator = navigator();
    let folder = service();
    let run = navigator.home().join(".local/state/navigator/runs/00001");
    let server = Server::answering({
        let summary = run.join("summary.md");
        move |_| {
            fs::write(&summary, "theirs").unwrap();
            says(&finalize(), 2_000, 50)
        }
    });
    let flags = flags(&server);
    let ran = navigator.run(
        folder.path(),
        &EXPLORE.into_iter().chain(flags.iter().map(String::as_str)).collect::<Vec<_>>(),
    );
    assert_eq!(
        (ran.code, fs::read_to_string(run.join("summary.md")).unwrap().as_str()),
        (1, "theirs"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.ends_with("summary.md: the file there is not the run's (move it away)\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read_to_string(run.join("context.md")).unwrap(), ran.stdout);
}
