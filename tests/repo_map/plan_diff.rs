//! `repo-map diff`: what differs between two plans, without a repository.

use insta::assert_snapshot;
use test_support::{Repo, service};

use crate::run;

/// Flies a plan and keeps it under a name.
fn flown(repo: &Repo, name: &str, args: &[&str]) {
    let kept = tempfile::tempdir().unwrap();
    let out = kept.path().join("flown.yaml");
    assert_eq!(run(repo, &[args, &["--plan-out", out.to_str().unwrap()]].concat()).code, 0);
    std::fs::copy(out, repo.path().join(name)).unwrap();
}

#[test]
fn flown_plans_differ_in_levels_items_and_files() {
    let repo = service();
    flown(&repo, "a.yaml", &["--level", "**=outline", "--level", "README.md=exclude"]);
    repo.write("src/new.rs", b"pub fn new() {}\n");
    repo.write("src/session.rs", b"pub struct Session;\n");
    flown(
        &repo,
        "b.yaml",
        &[
            "--tokens",
            "4k",
            "--goal",
            "sessions",
            "--level",
            "**=outline",
            "--level",
            "src/session.rs=full",
            "--level",
            "src/new.rs=path",
        ],
    );
    assert_snapshot!(run(&repo, &["diff", "a.yaml", "b.yaml"]).stdout, @"
    budget: 8000 → 4000
    goal: none → sessions
    map: 102 → 172 tokens
    raised: 2
      README.md  exclude → outline
      src/session.rs  outline → full
    changed: 1
      src/session.rs
    appeared: 2
      a.yaml
      src/new.rs
    ");
    assert_eq!(run(&repo, &["diff", "a.yaml", "b.yaml", "--exit-code"]).code, 8);
    let same = run(&repo, &["diff", "a.yaml", "a.yaml", "--exit-code"]);
    assert_eq!(
        (same.code, same.stdout.as_str()),
        (0, "the plans have the same request and the same result\n")
    );
    let json: serde_json::Value =
        serde_json::from_str(&run(&repo, &["diff", "a.yaml", "b.yaml", "--format", "json"]).stdout)
            .unwrap();
    assert_eq!(json["asked"]["budget"], serde_json::json!(["8000", "4000"]));
}

#[test]
fn plans_of_people_differ_in_rules() {
    let repo = service();
    repo.write(
        "a.yaml",
        b"version: 1\nrules:\n- path: src/\n  level: outline\n- path: docs/\n  level: full\n",
    );
    repo.write(
        "b.yaml",
        b"version: 1\nrules:\n- path: docs/\n  level: full\n- path: src/\n  \
        level: outline..full\n  items:\n  - name: refresh\n    level: full\n",
    );
    repo.write(
        "c.yaml",
        b"version: 1\nrules:\n- path: docs/\n  level: full\n- path: src/\n  level: outline\n",
    );
    assert_snapshot!(run(&repo, &["diff", "a.yaml", "b.yaml"]).stdout, @"
    only the first has the rule: 1
      src/  outline
    only the second has the rule: 1
      src/  outline..full (refresh full)
    ");
    assert_snapshot!(run(&repo, &["diff", "a.yaml", "c.yaml"]).stdout, @"rules: one order → \
        another order");
}
