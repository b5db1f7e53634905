//! The command line: streams, files, exit codes.

use std::fs;

use test_support::sealed;

use crate::service;

#[test]
fn standard_output_carries_the_context_alone_and_the_run_is_kept() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let ran = navigator.run(
        folder.path(),
        &["explore", "--goal", "where is a session refreshed?", "--tokens", "600"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("# Repository map\n"), "{}", ran.stdout);
    assert!(
        ran.stderr.starts_with("navigator: offline pilot: no model, no network, no cost; "),
        "{}",
        ran.stderr
    );
    let run = navigator.home().join(".local/state/navigator/runs/00001");
    let mut kept: Vec<String> = fs::read_dir(&run)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    kept.sort();
    let all = [
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
    assert_eq!(kept, all);
    assert_eq!(fs::read_to_string(run.join("context.md")).unwrap(), ran.stdout);
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(run.join("report.json")).unwrap()).unwrap();
    assert_eq!((&report["stop"], &report["map"]), (&"finished".into(), &ran.stdout.into()));
}

#[test]
fn outputs_go_where_they_are_asked_and_are_no_part_of_the_repository() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let outputs =
        ["--out", "flight", "-o", "flight/ctx.md", "--summary-out", "s.md", "--json-out", "j.json"];
    let args = [&["explore", "-g", "session refresh", "--no-cache"][..], &outputs].concat();
    for _ in 0..2 {
        let ran = navigator.run(folder.path(), &args);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    }
    let context = fs::read_to_string(folder.path().join("flight/ctx.md")).unwrap();
    assert!(
        !context.contains("flight") && !context.contains("s.md") && !context.contains("j.json"),
        "{context}"
    );
    let replayed = navigator.run(folder.path(), &["replay", "flight/plan.yaml"]);
    assert_eq!((replayed.code, replayed.stdout), (0, context), "{}", replayed.stderr);
    assert!(fs::read_dir(navigator.home()).unwrap().next().is_none(), "nothing is left at home");
}

#[test]
fn a_run_whose_time_ends_during_the_scan_delivers_a_view_from_above() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    for at in 0..4_000 {
        folder.write(
            &format!("lib/part{}/module{at}.py", at % 50),
            format!("def refresh_{at}(session): pass\n").repeat(30).as_bytes(),
        );
    }
    let ran = navigator
        .run(folder.path(), &["explore", "-g", "session refresh", "--max-time", "0s", "-t", "400"]);
    assert_eq!(ran.code, 6, "{}", ran.stderr);
    assert!(ran.stdout.contains("lib/") && !ran.stdout.contains("def "), "{}", ran.stdout);
    assert!(
        ran.stderr
            .contains("time limit during the scan: the context shows the repository from above"),
        "{}",
        ran.stderr
    );
    let replayed = navigator.run(folder.path(), &["replay", "1"]);
    assert_eq!((replayed.code, replayed.stdout), (0, ran.stdout), "{}", replayed.stderr);
}

#[test]
fn events_are_one_json_object_a_line() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let ran = navigator.run(folder.path(), &["explore", "-g", "session refresh", "--events"]);
    let events: Vec<serde_json::Value> =
        ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[1], kinds[kinds.len() - 1]), ("started", "scanned", "ended"));
    assert!(
        kinds[2..kinds.len() - 1].chunks(2).all(|pair| pair == ["projected", "turn"])
            && kinds.len() > 3,
        "{kinds:?}"
    );
    assert_eq!(
        navigator.run(folder.path(), &["explore", "-g", "session refresh", "--quiet"]).stderr,
        ""
    );
    let ran = navigator.run(folder.path(), &["explore", "nowhere", "-g", "session", "--events"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.stderr, @r#"
    {"event":"started","pilot":"offline","limit_pico_usd":500000000000,"soft":null,"purse":null}
    {"event":"failed","code":2,"message":"cannot open nowhere: No such file or directory (os error 2)"}
    "#);
}

#[test]
fn every_reachable_end_has_its_exit_code() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    folder.write("bounds.yaml", b"version: 1\nrules:\n- {path: src, level: full}\n");
    folder.write("bad.yaml", b"version: 1\nrules:\n- {path: src, levl: full}\n");
    for (args, code) in [
        (&["explore", "-g", "session"][..], 0),
        (&["explore", "nowhere", "-g", "session"], 2),
        (&["explore"], 2),
        (&["explore", "-g", "session", "--plan", "bad.yaml"], 2),
        (&["explore", "-g", "session", "--budget", "8000"], 2),
        (&["explore", "-g", "session", "--tokens", "60", "--plan", "bounds.yaml"], 3),
        (&["explore", "-g", "session", "--tokens", "1"], 3),
        (&["explore", "-g", "zygomorphic quaternion"], 4),
        (&["explore", "-g", "the of and"], 4),
        (&["explore", "-g", "--session is lost"], 0),
        (&["explore", "-g", "--tokens"], 2),
        (&["explore", "--resume", "1", "--profile", "none"], 2),
        (&["explore", "-g", "session", "--max-turns", "1"], 6),
        (&["explore", "-g", "session", "--max-time", "0s"], 6),
        (&["replay", "bounds.yaml"], 2),
    ] {
        let ran = navigator.run(folder.path(), args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
    }
    let help = navigator.run(folder.path(), &["explore", "--help"]).stdout;
    for code in (0..=12).chain([130]) {
        let code = format!("{code} ");
        assert!(
            help.lines().any(|line| line.trim_start().starts_with(&code)),
            "{code} is not in the help"
        );
    }
}

#[test]
fn a_context_in_conflict_is_not_said_to_be_finished() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    for tokens in ["0", "1"] {
        let args = ["explore", "-g", "session", "--tokens", tokens];
        let ran = navigator.run(service().path(), &args);
        assert!(ran.stderr.contains("navigator: this is the best effort: 0 of "), "{}", ran.stderr);
        assert!(!ran.stderr.contains("finished"), "{}", ran.stderr);
    }
}

#[test]
fn only_words_near_what_was_typed_are_suggested() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let refused = |args: &[&str]| {
        let ran = navigator.run(service().path(), args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        ran.stderr
    };
    let far =
        "error: unexpected argument '--strict' found\n\nFor more information, try '--help'.\n";
    assert_eq!(refused(&["explore", "--strict"]), far);
    let near = refused(&["explore", "--tokes", "8"]);
    assert!(near.contains("tip: a similar argument exists: '--tokens'\n"), "{near}");
    let command = refused(&["expore"]);
    assert!(command.contains("tip: a similar subcommand exists: 'explore'\n"), "{command}");
    assert!(!refused(&["zygomorphic"]).contains("tip:"));
}

#[test]
fn a_goal_comes_from_a_file_or_from_standard_input() {
    let navigator = sealed(env!("CARGO_BIN_EXE_navigator"));
    let folder = service();
    let goal = folder.write("goal.txt", b"where is a session refreshed?\n");
    let direct = navigator.run(
        folder.path(),
        &["explore", "-g", "where is a session refreshed?", "--exclude", "goal.txt"],
    );
    let from_file = navigator
        .run(folder.path(), &["explore", "--goal-file", "goal.txt", "--exclude", "goal.txt"]);
    let mut command = navigator.command(folder.path());
    command
        .args(["explore", "--goal-file", "-", "--exclude", "goal.txt"])
        .stdin(fs::File::open(goal).unwrap());
    let from_stdin = test_support::ran(command.output().unwrap());
    assert_eq!(from_file.stdout, direct.stdout);
    assert_eq!(from_stdin.stdout, direct.stdout);
}
