//! Replay rebuilds the bytes of a run, and says what stands against it.

use std::fs;

use test_support::{Ran, Repo, Sealed, sealed};

use crate::page_server::{PageServer, page, status};
use crate::service;

fn navigator() -> Sealed {
    sealed(env!("CARGO_BIN_EXE_navigator"))
}

/// A run with its plan in the repository, and the context it gave.
fn flown(navigator: &Sealed) -> (Repo, Ran) {
    let folder = service();
    let ran = navigator.run(
        folder.path(),
        &[
            "explore",
            "--goal",
            "where is a session refreshed?",
            "--plan-out",
            "plan.yaml",
            "-t",
            "600",
        ],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    (folder, ran)
}

#[test]
fn replay_gives_the_same_bytes_for_any_number_of_threads_and_from_anywhere() {
    let navigator = navigator();
    let (folder, explored) = flown(&navigator);
    let elsewhere = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.yaml");
    for threads in ["1", "8"] {
        let mut command = navigator.command(elsewhere.path());
        command.env("RAYON_NUM_THREADS", threads).arg("replay").arg(&plan).arg(folder.path());
        let replayed = test_support::ran(command.output().unwrap());
        assert_eq!((replayed.code, &replayed.stdout), (0, &explored.stdout));
    }
    let checked = navigator.run(folder.path(), &["replay", "plan.yaml", "--check"]);
    assert_eq!(
        (checked.code, checked.stdout.as_str(), checked.stderr.as_str()),
        (0, "identical\n", "")
    );
}

#[test]
fn drift_is_named_and_no_context_is_printed() {
    let navigator = navigator();
    let (folder, _) = flown(&navigator);
    folder.write("src/http.rs", b"// nothing here any more\n");
    folder.write("src/new.rs", b"");
    fs::remove_file(folder.path().join("assets/logo.svg")).unwrap();
    let ran = navigator.run(folder.path(), &["replay", "plan.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (8, ""));
    insta::assert_snapshot!(ran.stderr, @"
    navigator: drifted
      changed: src/http.rs
      appeared elsewhere: src/new.rs
      gone elsewhere: assets/logo.svg
    navigator: no context printed (`--allow-drift` fits again with the plan's levels as ceilings)
    ");
    let checked = navigator.run(folder.path(), &["replay", "plan.yaml", "--check"]);
    assert_eq!((checked.code, checked.stdout.as_str()), (8, "drifted\n"));
    let quiet = navigator.run(folder.path(), &["replay", "plan.yaml", "-q"]);
    let listed = ran.stderr.split_inclusive('\n').take(4).collect::<String>();
    assert_eq!((quiet.code, quiet.stderr), (8, listed), "what differs, and no advice");
    let allowed = navigator.run(folder.path(), &["replay", "plan.yaml", "--allow-drift"]);
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    assert!(allowed.stdout.contains("pub fn refresh"), "{}", allowed.stdout);
    assert!(allowed.stderr.contains("fitted again"), "{}", allowed.stderr);
}

#[test]
fn a_replay_in_another_folder_names_the_right_one() {
    let navigator = navigator();
    let (folder, explored) = flown(&navigator);
    let said = |ran: Ran| {
        assert_eq!((ran.code, ran.stdout.as_str()), (8, ""));
        ran.stderr.lines().rev().nth(1).unwrap_or_default().to_owned()
    };
    let in_src = folder.path().join("src");
    let below = navigator.run(&in_src, &["replay", "../plan.yaml"]);
    assert_eq!(
        said(below),
        "navigator: the plan was flown over another folder (did you mean `..`?)"
    );
    assert_eq!(navigator.run(&in_src, &["replay", "../plan.yaml", ".."]).stdout, explored.stdout);
    let (above, name) =
        (folder.path().parent().unwrap(), folder.path().file_name().unwrap().to_str().unwrap());
    let above =
        navigator.run(above, &["replay", &format!("{name}/plan.yaml"), &format!("{name}/src")]);
    assert_eq!(
        said(above),
        format!(
            "navigator: the plan was flown over another folder (did you mean `{name}/src/..`?)"
        )
    );
    // A folder around the repository.
    for path in [
        "README.md",
        "src/session.rs",
        "src/http.rs",
        "src/color.rs",
        "tests/session.rs",
        "assets/logo.svg",
    ] {
        let moved = folder.write(&format!("mono/service/{path}"), b"");
        fs::copy(folder.path().join(path), moved).unwrap();
    }
    let around = navigator.run(&folder.path().join("mono"), &["replay", "../plan.yaml"]);
    assert_eq!(
        said(around),
        "navigator: the plan was flown over another folder (did you mean `service`?)"
    );
}

#[test]
fn a_check_of_what_is_shown_lets_other_files_come_and_go() {
    let navigator = navigator();
    let (folder, _) = flown(&navigator);
    let check = |what: &str| navigator.run(folder.path(), &["replay", "plan.yaml", what]);
    folder.write("src/new.rs", b"");
    let shown = check("--check=shown");
    assert_eq!(
        (shown.code, shown.stdout.as_str(), shown.stderr.as_str()),
        (0, "identical in what is shown\n", "")
    );
    let all = check("--check");
    assert_eq!((all.code, all.stdout.as_str()), (8, "drifted\n"));
    insta::assert_snapshot!(all.stderr, @r"
    navigator: drifted
      appeared elsewhere: src/new.rs
    navigator: all that the map shows is as it was (`--check=shown` ignores the rest)
    ");
    assert_eq!(check("--check=all").stderr, all.stderr);
    let session = fs::read_to_string(folder.path().join("src/session.rs")).unwrap();
    folder.write("src/session.rs", session.replace('\n', "\r\n").as_bytes());
    let shown = check("--check=shown");
    assert_eq!((shown.code, shown.stdout.as_str()), (8, "drifted\n"));
    insta::assert_snapshot!(shown.stderr, @r"
    navigator: drifted
      changed: src/session.rs
      appeared elsewhere: src/new.rs
    navigator: the changed files differ only in line ends (git's `core.autocrlf`?); `* text=auto eol=lf` in .gitattributes, and a fresh checkout, give every machine the same
    ");
}

#[test]
fn a_touched_file_is_no_drift_and_an_edited_plan_is_impossible() {
    let navigator = navigator();
    let (folder, explored) = flown(&navigator);
    let session = folder.path().join("src/session.rs");
    let same = fs::read(&session).unwrap();
    fs::write(&session, same).unwrap();
    assert_eq!(navigator.run(folder.path(), &["replay", "plan.yaml"]).stdout, explored.stdout);

    let plan = fs::read_to_string(folder.path().join("plan.yaml")).unwrap();
    fs::write(folder.path().join("plan.yaml"), plan.replacen("level: full", "level: path", 1))
        .unwrap();
    let ran = navigator.run(folder.path(), &["replay", "plan.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (9, ""));
    assert!(ran.stderr.contains("were edited since it was flown"), "{}", ran.stderr);

    fs::write(folder.path().join("plan.yaml"), "version: 1\nrules: []\n").unwrap();
    let ran = navigator.run(folder.path(), &["replay", "plan.yaml"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("plan.yaml: not a flown plan"), "{}", ran.stderr);
}

#[test]
fn other_ignore_rules_of_the_user_do_not_change_a_replay() {
    let navigator = navigator();
    let folder = service();
    let config = navigator.home().join(".config/git");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("ignore"), "color.rs\n").unwrap();
    let explored = navigator.run(
        folder.path(),
        &["explore", "-g", "session color", "--plan-out", "plan.yaml", "-o", "context.md"],
    );
    assert_eq!(explored.code, 0, "{}", explored.stderr);
    let context = fs::read_to_string(folder.path().join("context.md")).unwrap();
    assert!(!context.contains("color.rs"), "{context}");
    fs::write(config.join("ignore"), "*.rs\n").unwrap();
    let replayed = navigator.run(folder.path(), &["replay", "plan.yaml"]);
    assert_eq!((replayed.code, replayed.stdout), (0, context));
}

#[test]
fn no_output_takes_the_place_of_another_or_of_the_plan() {
    let navigator = navigator();
    let (folder, _) = flown(&navigator);
    let plan = folder.path().join("plan.yaml");
    let before = fs::read(&plan).unwrap();
    let mut said = String::new();
    for args in [
        &["replay", "plan.yaml", "-o", "./plan.yaml"][..],
        &["replay", "plan.yaml", "-o", "a.md", "--report", "a.md"],
        &["explore", "-g", "session", "--plan", "plan.yaml", "--summary-out", "plan.yaml"],
        &["explore", "-g", "session", "-o", "a.md", "--plan-out", "src/../a.md"],
        &["explore", "--goal-file", "goal.txt", "-o", "goal.txt"],
        &["explore", "http://a.example/", "-g", "x", "--cookies", "c.txt", "--report", "c.txt"],
        &["explore", "http://a.example/", "-g", "x", "--knowledge", "k.json", "-o", "k.json"],
        &["replay", "plan.yaml", "--live", "--header", "@h.txt", "-o", "h.txt"],
    ] {
        let refused = navigator.run(folder.path(), args);
        assert_eq!(refused.stdout, "");
        said += &format!("{}: {}", refused.code, refused.stderr);
    }
    insta::assert_snapshot!(said, @"
    2: navigator: --output: ./plan.yaml is the plan that is read; name another file
    2: navigator: --report: a.md is the file of --output; name another file
    2: navigator: --summary-out: plan.yaml is the plan that is read; name another file
    2: navigator: --plan-out: src/../a.md is the file of --output; name another file
    2: navigator: --output: goal.txt is read by this command; name another file
    2: navigator: --report: c.txt is read by this command; name another file
    2: navigator: --output: k.json is read by this command; name another file
    2: navigator: --output: h.txt is read by this command; name another file
    ");
    assert_eq!(fs::read(plan).unwrap(), before);
    for args in [
        &["explore", "-q", "-g", "session", "-o", "/dev/null", "--report", "/dev/null"][..],
        &["explore", "-q", "-g", "session", "--plan", "bounds.yaml", "--plan-out", "bounds.yaml"],
    ] {
        folder.write("bounds.yaml", b"version: 1\n");
        let ran = navigator.run(folder.path(), args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    }
}

#[test]
fn a_run_whose_documents_are_gone_is_impossible_to_replay() {
    let (navigator, place) = (navigator(), tempfile::tempdir().unwrap());
    let server = PageServer::start(|path| match path {
        "/" => page("<h1>Pump</h1><p>The pressure of the pump is 3 bar."),
        _ => status(404),
    });
    let (goal, address) = ("what is the pressure of the pump?", server.url("/").to_string());
    let lost = |command: &str, site: &str, out: &str, gone: &str| {
        let flown = navigator.run(place.path(), &[command, site, "--goal", goal, "--out", out]);
        assert_eq!(flown.code, 0, "{}", flown.stderr);
        assert_eq!(navigator.run(place.path(), &["replay", out]).code, 0);
        fs::rename(place.path().join(gone), place.path().join("elsewhere")).unwrap();
        for more in [&[][..], &["--check"]] {
            let replayed = navigator.run(place.path(), &[&["replay", out][..], more].concat());
            let said = format!("{gone}`, which the run read, is gone\n");
            assert!(replayed.stderr.starts_with("navigator: impossible: `"), "{}", replayed.stderr);
            assert!(replayed.stderr.ends_with(&said), "{}", replayed.stderr);
            let stdout = if more.is_empty() { "" } else { "impossible\n" };
            assert_eq!((replayed.code, replayed.stdout.as_str()), (9, stdout));
        }
    };
    lost("explore", &address, "run", "run/recording.warc.gz");
    lost("browse", &address, "walk", "walk/recording.warc.gz");
    fs::rename(place.path().join("elsewhere"), place.path().join("m.warc.gz")).unwrap();
    lost("explore", "m.warc.gz", "of-file", "m.warc.gz");
}

#[test]
fn a_rule_of_a_plan_that_matches_nothing_is_told_unless_quiet() {
    let (navigator, folder) = (navigator(), service());
    let plan = "version: 1\nrules:\n- {path: '**', level: ..full}\n- {path: scr, level: full}\n";
    fs::write(folder.path().join("plan.yaml"), plan).unwrap();
    let told = |flags: &[&str]| {
        let explore = ["explore", "-g", "session", "--plan", "plan.yaml", "-o", "a.md"];
        let explored = navigator.run(folder.path(), &[&explore[..], flags].concat());
        assert_eq!(explored.code, 0, "{}", explored.stderr);
        explored.stderr
    };
    let line = "navigator: plan.yaml: `scr` matches nothing (did you mean `src`?)\n";
    assert!(told(&[]).contains(line), "{}", told(&[]));
    assert_eq!(told(&["-q"]), "");
}
