//! What the program is to a shell: pipes, the clipboard, completions, manual pages, trees to look
//! at.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use insta::assert_snapshot;
use test_support::{Ran, Repo, ran, repo, service};

use crate::{program, run};

/// Runs with something on standard input.
fn fed(repo: &Repo, args: &[&str], input: &str) -> Ran {
    let program = program();
    let mut command = program.command(repo.path());
    let mut child = command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments ends before it has read anything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    ran(child.wait_with_output().unwrap())
}

#[test]
fn a_tree_shows_folders_with_tokens_per_level_and_bars() {
    let numbers = "number ".repeat(3_000);
    let repo = repo(&format!(
        "=== src/lib.rs\n/// Adds.\npub fn add() {{}}\n=== src/deep/below/a.rs\nfn a() {{}}\n=== \
         docs/big.txt\n{numbers}\n=== x/a.txt\na\n=== y/b.txt\nb\n"
    ));
    assert_snapshot!(run(&repo, &["tree"]).stdout, @"
    full  interface  outline  path                            of full: █ outline ▓ interface ░ \
    the rest
    3079         63       55    33  █░░░░░░░░░░░░░░░░░░░░░░░  ./  5 files
    3013          9        9     9  █░░░░░░░░░░░░░░░░░░░░░░░  ├─ docs/  1 file
      40         38       30    14  █                         ├─ src/  2 files
      20         18       17     9  █                         │  └─ deep/  1 file
      26         16       16    10  █                         └─ 2 more  2 files
    ");
    assert_snapshot!(run(&repo, &["tree", "src", "--depth", "3", "--files"]).stdout, @"
    full  interface  outline  path                            of full: █ outline ▓ interface ░ \
    the rest
      37         35       27    11  ██████████████████▓▓▓▓▓░  ./  2 files
      19         19       12     4  ████████▓▓▓▓▓             ├─ lib.rs
      18         16       15     7  ██████████▓░              └─ deep/  1 file
      18         16       15     7  ██████████▓░                 └─ below/  1 file
      18         16       15     7  ██████████▓░                    └─ a.rs
    ");
    assert_snapshot!(run(&repo, &["tree", "--depth", "1", "--format", "json"]).stdout, @r#"
    {"path":"./","files":5,"tokens":{"path":33,"outline":55,"interface":63,"full":3079}}
    {"path":"docs/","files":1,"tokens":{"path":9,"outline":9,"interface":9,"full":3013}}
    {"path":"src/","files":2,"tokens":{"path":14,"outline":30,"interface":38,"full":40}}
    {"path":"x/","files":1,"tokens":{"path":5,"outline":8,"interface":8,"full":13}}
    {"path":"y/","files":1,"tokens":{"path":5,"outline":8,"interface":8,"full":13}}
    "#);
}

#[test]
fn the_tokens_of_a_tree_are_those_of_its_files() {
    let repo = service();
    let lines = |args: &[&str]| -> Vec<serde_json::Value> {
        run(&repo, args).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let sizes = lines(&["--sizes", "--format", "json"]);
    let whole = &lines(&["tree", "--format", "json"])[0];
    for level in ["path", "outline", "interface"] {
        let of_files = sizes.iter().filter(|size| !size["path"].as_str().unwrap().ends_with('/'));
        let sum: u64 = of_files.map(|size| size["tokens"][level].as_u64().unwrap()).sum();
        assert_eq!(whole["tokens"][level].as_u64(), Some(sum), "{level}");
    }
}

#[test]
fn a_plan_can_come_through_a_pipe() {
    let repo = service();
    let plan = "version: 1\nrules:\n- path: '*.rs'\n  level: outline\n";
    repo.write("plan.yaml", plan.as_bytes());
    let by_file = run(&repo, &["--plan", "plan.yaml"]).stdout;
    fs::remove_file(repo.path().join("plan.yaml")).unwrap();
    let piped = fed(&repo, &["--plan", "-"], plan);
    assert_eq!((piped.code, piped.stdout), (0, by_file), "{}", piped.stderr);
    assert!(
        fed(&repo, &["check", "-"], plan).stdout.starts_with("standard input: valid, 1 rule over")
    );
    let wrong = fed(&repo, &["--plan", "-"], "version: 1\nruls: []\n");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("standard input:2: ruls: unknown field"), "{}", wrong.stderr);
    let twice = fed(&repo, &["--plan", "-", "--goal-file", "-"], plan);
    assert_eq!(twice.code, 2);
    assert!(twice.stderr.contains("standard input can be read only once"), "{}", twice.stderr);
}

#[test]
fn paths_to_attend_to_can_come_through_a_pipe() {
    let repo =
        repo("=== a.rs\nfn first() {}\n=== b.rs\nfn second() {}\n=== c[1].rs\nfn third() {}\n");
    let first = |input: &str| {
        let ranked = fed(&repo, &["rank", "--focus-from", "-", "-n", "1"], input).stdout;
        ranked.split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!(first("b.rs\n"), "b.rs");
    // As git and fd print them; a name is no glob.
    assert_eq!(first("./c[1].rs\n\n"), "c[1].rs");
}

#[test]
fn a_map_can_go_to_the_clipboard() {
    use std::os::unix::fs::PermissionsExt;
    let repo = service();
    let bin = tempfile::tempdir().unwrap();
    let fake = bin.path().join("pbcopy");
    fs::write(&fake, format!("#!/bin/sh\ncat > '{}'\n", bin.path().join("copied").display()))
        .unwrap();
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let program = program();
    let mut command = program.command(repo.path());
    let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap());
    let copied =
        ran(command.args(["--tokens", "200", "--copy"]).env("PATH", path).output().unwrap());
    assert_eq!((copied.code, copied.stdout.as_str()), (0, ""), "{}", copied.stderr);
    assert!(copied.stderr.contains("copied to the clipboard by pbcopy"), "{}", copied.stderr);
    assert_eq!(
        fs::read_to_string(bin.path().join("copied")).unwrap(),
        run(&repo, &["--tokens", "200"]).stdout
    );

    let none = ran(program
        .command(repo.path())
        .args(["--copy"])
        .env("PATH", "/nowhere")
        .output()
        .unwrap());
    assert_eq!(none.code, 1);
    assert!(none.stderr.contains("no clipboard can be reached"), "{}", none.stderr);
}

#[test]
fn every_shell_has_completions_and_every_command_a_page() {
    let repo = repo("=== a\n");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&repo, &["completions", shell]).stdout;
        assert!(script.contains("explain") && script.contains("plan-out"), "{shell}: {script}");
    }
    assert_eq!(run(&repo, &["man", "pages"]).code, 0);
    let mut pages: Vec<String> = fs::read_dir(repo.path().join("pages"))
        .unwrap()
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    assert!(
        ["repo-map.1", "repo-map-explain.1", "repo-map-cache-info.1"]
            .iter()
            .all(|page| pages.iter().any(|one| one == page)),
        "{pages:?}"
    );
    assert_eq!(
        fs::read_to_string(repo.path().join("pages/repo-map.1")).unwrap(),
        run(&repo, &["man"]).stdout
    );
}

#[test]
fn the_version_says_what_the_build_is_made_of() {
    let repo = repo("=== a\n");
    assert_eq!(run(&repo, &["-V"]).stdout, format!("repo-map {}\n", env!("CARGO_PKG_VERSION")));
    let long = run(&repo, &["--version"]).stdout;
    assert!(
        long.contains("languages, tokenizers o200k_base") && long.contains("plans of version 1"),
        "{long}"
    );
}
