//! What a newcomer types who knows other programs: a second folder, flags that do not exist, a git
//! directory, and a map that was written into the repository.

use insta::assert_snapshot;
use test_support::{Repo, repo, service};

use crate::run;

/// The first line that a refused run says.
fn refused(repo: &Repo, args: &[&str]) -> String {
    let ran = run(repo, args);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
    ran.stderr.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_second_folder_is_answered_with_the_flag_for_it() {
    let repo = service();
    let advice = "error: `src` is one folder too many, a map has one (`--include src` shows only \
                  what it matches)";
    assert_eq!(refused(&repo, &[".", "src"]), advice);
    assert_eq!(refused(&repo, &["rank", ".", "src"]), advice);
    assert_eq!(refused(&repo, &["tree", ".", "src"]), advice);
    assert_eq!(
        refused(&repo, &["languages", "src"]),
        "error: unexpected argument 'src' found",
        "it takes no folder"
    );
}

#[test]
fn flags_of_other_programs_are_answered_with_what_there_is() {
    let repo = service();
    let said = |flag: &str| run(&repo, &[flag]).stderr;
    assert_snapshot!(said("-q"), @"
    error: unexpected argument '-q' found

      tip: messages go to standard error: `2>/dev/null` drops them

    Usage: repo-map [OPTIONS] [PATH]
           repo-map <COMMAND>

    For more information, try '--help'.
    ");
    assert!(said("--verbose").contains("tip: `repo-map explain PATH` says why"));
    assert!(said("--color").contains("tip: there are no colours"));
    assert!(!said("--nonsense").contains("tip:"), "nothing like it can be passed as a value");
    assert_eq!(
        refused(&repo, &["-t", "-5"]),
        "error: invalid value '-5' for '--tokens <N>': `-5` is not a whole number of tokens"
    );
}

/// The paths that a map of the repository names.
fn paths(repo: &Repo, args: &[&str]) -> String {
    let ran = run(repo, &[args, &["--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let files = report["files"].as_array().unwrap().iter();
    let shown = files.filter(|file| file["level"] != "exclude");
    shown.map(|file| format!("{} ", file["path"].as_str().unwrap())).collect::<String>()
}

#[test]
fn globs_are_included_and_excluded_by_flags() {
    let repo = service();
    assert_eq!(paths(&repo, &["--include", "src"]), "src/color.rs src/http.rs src/session.rs ");
    assert_eq!(
        paths(&repo, &["--include", "./src", "--include", "*.md", "--exclude", "src/color.rs"]),
        "README.md src/http.rs src/session.rs "
    );
    assert_eq!(
        paths(&repo, &["--exclude", "src", "--exclude", "*.svg"]),
        "README.md tests/session.rs "
    );
    // An excluded path stays so, whatever its level; others are free as they are without flags.
    assert_eq!(
        paths(&repo, &["--exclude", "src", "--level", "src/http.rs=full", "--level", "*.md=full"]),
        "README.md assets/logo.svg tests/session.rs "
    );
    assert_eq!(
        paths(&repo, &["--include", "src", "--level", "/README.md=full"]),
        "README.md src/color.rs src/http.rs src/session.rs "
    );
    assert!(run(&repo, &["rank", "--include", "src"]).code == 0);
    for flag in ["--include", "--exclude"] {
        assert_eq!(
            refused(&repo, &[flag, "scr/**"]),
            format!("repo-map: {flag}: no file matches `scr/**` (did you mean `src/**`?)")
        );
    }
    repo.write(".gitignore", b"*.log\n");
    repo.write("a.log", b"line\n");
    let hidden = run(&repo, &["--exclude", "*.log"]);
    assert_eq!(hidden.code, 0);
    assert_eq!(
        hidden.stderr,
        "repo-map: --exclude: `*.log` is no part of the repository as it was scanned (ignore rules \
         hide it)\n"
    );
}

#[test]
fn a_bare_repository_is_an_error_that_says_what_to_map() {
    let repo = repo(
        "=== HEAD\nref: refs/heads/main\n=== config\n[core]\n=== objects/info/packs\nP\n\
         === refs/heads/main\n0\n",
    );
    let ran = run(&repo, &["."]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            1,
            "",
            "repo-map: . is a bare repository or a git directory: no files are checked out (map a \
             folder that `git worktree add` or `git clone` makes of it)\n"
        )
    );
}

#[test]
fn a_map_written_into_the_repository_is_no_source_of_the_next() {
    let repo = service();
    for format in ["markdown", "xml"] {
        assert_eq!(run(&repo, &["--format", format, "-o", "context.md"]).code, 0);
        let next = run(&repo, &[]);
        assert!(next.stdout.contains("\n- context.md (generated)\n"), "{}", next.stdout);
    }
    // A page with the same title, as a person writes it.
    repo.write("context.md", b"# Repository map\n\nWhere everything lies.\n");
    assert!(run(&repo, &[]).stdout.contains("Where everything lies."));
}
