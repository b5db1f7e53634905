//! Languages that a plan, a repository or a user refines or adds.

use std::fs;

use insta::assert_snapshot;
use repo_map::{FlightPlan, Options, Replay, ReplayOutcome, RuleLayers};
use test_support::{Repo, repo};

use crate::{map, plan, program, run};

const STORE: &str = r#"
=== store.py
class Store:
    def names(self, db):
        rows = db.execute("SELECT name FROM users WHERE late")
        return [row[0] for row in rows]

    def drop(self, db):
        def now():
            return db.execute("DELETE FROM users")
        return now()

    def greet(self):
        return "hello"
=== BUILD.bzl
def rule(name):
    """One rule."""
    return name
"#;

const SQL: &str = r#"
languages:
- name: python
  query: |
    ((string) @item.snippet (#match? @item.snippet "^.(SELECT|DELETE|INSERT|UPDATE) "))
"#;

fn store() -> Repo {
    repo(STORE)
}

#[test]
fn a_query_of_the_plan_makes_its_captures_items_of_the_file() {
    let plan = format!("{SQL}rules:\n- path: store.py\n  level: interface\n");
    assert_snapshot!(map(&store(), &plan).text, @r#"
    # Repository map
    - ./ +1 file
    ## store.py
    ```python
    class Store:
        def names(self, db): …
            "SELECT name FROM users WHERE late"
        def drop(self, db): …
            "DELETE FROM users"
        def greet(self): …
    ```
    ## Left out
    Folded: 1 file.
    "#);
}

#[test]
fn such_an_item_has_a_level_of_its_own_and_is_found_by_a_goal() {
    let rules = "rules:\n- path: store.py\n  level: path\n  items:\n  - name: DELETE FROM users\n    level: full\n";
    assert_snapshot!(map(&store(), &format!("{SQL}{rules}")).text, @r#"
    # Repository map
    - ./ +1 file
    ## store.py
    ```python
    class Store
        fn drop
            "DELETE FROM users"
    … 3 more
    ```
    ## Left out
    Folded: 1 file.
    "#);
    let found =
        map(&store(), &format!("goal: DELETE FROM users\ncontext: {{ tokens: 60 }}\n{SQL}"));
    assert!(found.text.contains("DELETE"), "{}", found.text);
}

#[test]
fn a_flown_plan_carries_its_languages() {
    let repo = store();
    let flown = map(&repo, &format!("{SQL}rules:\n- path: store.py\n  level: outline\n")).flown;
    let again = FlightPlan::from_yaml("flown.yaml", &flown.to_yaml()).unwrap();
    assert_eq!(again.languages, flown.languages);
    assert!(matches!(
        Replay::of(&again).at(repo.path()).named("flown.yaml").run().unwrap().outcome,
        ReplayOutcome::Identical { .. }
    ));
    let without = FlightPlan { languages: Vec::new(), ..again };
    assert!(matches!(
        Replay::of(&without).at(repo.path()).named("flown.yaml").run().unwrap().outcome,
        ReplayOutcome::Impossible(_)
    ));
}

#[test]
fn a_grammar_reads_a_language_that_is_not_built_in() {
    let rules = "rules:\n- path: '*.bzl'\n  level: interface\n";
    assert!(!map(&store(), rules).text.contains("def rule"));
    let starlark = "languages:\n- name: starlark\n  grammar: python\n  extensions: [bzl]\n";
    assert!(
        map(&store(), &format!("{starlark}{rules}"))
            .text
            .contains("def rule(name):\n    \"\"\"One rule.\"\"\" …")
    );
    let named = "languages:\n- name: starlark\n  grammar: python\n  file_names: [BUILD.bzl]\n";
    assert!(map(&store(), &format!("{named}{rules}")).text.contains("def rule(name)"));
}

#[test]
fn a_query_can_stand_in_the_place_of_the_built_in_one() {
    let plan = SQL.replace("  query:", "  replaces: true\n  query:");
    let text = map(&store(), &format!("{plan}rules:\n- path: store.py\n  level: outline\n")).text;
    assert!(text.contains("SELECT name") && !text.contains("Store"), "{text}");
}

#[test]
fn what_does_not_hold_is_named_with_file_line_and_field() {
    let said = |languages: &str| {
        FlightPlan::from_yaml("plan.yaml", &format!("version: 1\nlanguages:\n{languages}"))
            .unwrap_err()
            .to_string()
    };
    let wrong = [
        said("- name: pyton\n"),
        said("- name: starlark\n"),
        said("- name: starlark\n  grammar: pyhton\n"),
        said("- name: python\n- name: python\n  query: '(strin) @item.snippet'\n"),
        said("- name: python\n  query: '(string) @item.sql'\n"),
        said("- name: python\n  query: '(string) @text'\n"),
        said("- name: python\n  extensions: [.py]\n"),
        said("- name: python\n  grammar: rust\n"),
        said("- name: python\n  querry: x\n"),
    ];
    assert_snapshot!(wrong.join("\n"), @r#"
    plan.yaml:3: languages[0].name: there is no language `pyton` (did you mean `python`? a new one names the language whose grammar reads it: `grammar: python`)
    plan.yaml:3: languages[0].name: there is no language `starlark` (a new one names the language whose grammar reads it: `grammar: python`)
    plan.yaml:3: languages[0].grammar: there is no language `pyhton` (did you mean `python`?)
    plan.yaml:4: languages[1].query: the query does not fit the grammar: Query error at 1:2. Invalid node type "strin"
    plan.yaml:3: languages[0].query: `@item.sql` is no kind of item (there are class, constant, constructor, element, enum, field, function, heading, impl, instruction, interface, key, macro, message, method, module, namespace, object, property, rpc, rule, service, snippet, struct, table, target, test, trait, type, union, variable, variant, view)
    plan.yaml:3: languages[0].query: `@text` means nothing here (captures are item.<kind>, aside, attribute, attribute.apart, below, body, comment, continues, detail, doc, doc.file, name, owner, section.1, section.2, section.3, section.4, section.5, section.6, signature, trait, value, visibility, visibility.below, wrapper, and _… for predicates)
    plan.yaml:3: languages[0].extensions: `.py` is not an extension (write `bzl` for `*.bzl`)
    plan.yaml:3: languages[0].grammar: `python` is built in and has a grammar of its own
    plan.yaml:4: languages[0].querry: unknown field `querry`, expected one of `name`, `grammar`, `extensions`, `file_names`, `query`, `replaces` (did you mean `query`?)
    "#);
}

#[test]
fn query_files_of_a_repository_and_of_a_user_count() {
    let repo = store();
    repo.write(
        ".repo-map/languages/python.scm",
        b"((string) @item.snippet (#match? @item.snippet \"SELECT\"))\n",
    );
    repo.write(".repo-map/languages/broken.scm", b"; grammar: python\n(");
    let program = program();
    let user = program.home().join(".config/repo-map/languages");
    fs::create_dir_all(&user).unwrap();
    fs::write(user.join("starlark.scm"), "; grammar: python\n; extensions: bzl\n").unwrap();
    let args = ["--level", "**=outline", "--plan-out", "flown.yaml"];
    let ran = program.run(repo.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("SELECT name") && ran.stdout.contains("fn rule"), "{}", ran.stdout);
    assert!(ran.stderr.contains("broken.scm: ignored: query: "), "{}", ran.stderr);
    let listed = program.run(repo.path(), &["languages"]).stdout;
    assert_snapshot!(listed.lines().rev().take(2).collect::<Vec<_>>().join("\n"), @"
    python           refined
    starlark         read as python .bzl
    ");
    // The plan needs neither of the files again.
    fs::remove_dir_all(repo.path().join(".repo-map")).unwrap();
    assert_eq!(run(&repo, &["--plan", "flown.yaml"]).stdout, ran.stdout);
    let tried = program.run(repo.path(), &["languages", "--test", "BUILD.bzl"]);
    assert!(
        tried.stdout.contains("function rule (unmarked, lines 1-3, documented)"),
        "{}",
        tried.stdout
    );
}

#[cfg(unix)]
#[test]
fn a_query_file_that_is_a_link_is_not_followed() {
    let repo = store();
    let outside = repo.write("outside.txt", b"((string) @item.snippet)");
    fs::create_dir_all(repo.path().join(".repo-map/languages")).unwrap();
    std::os::unix::fs::symlink(outside, repo.path().join(".repo-map/languages/python.scm"))
        .unwrap();
    let ran = run(&repo, &["--level", "**=outline"]);
    assert!(
        ran.stderr.contains("it is no regular file") && !ran.stdout.contains("hello"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn outlines_of_one_set_of_languages_are_not_taken_for_those_of_another() {
    let repo = store();
    let folder = tempfile::tempdir().unwrap();
    let mapped = |yaml: &str, cached: bool| {
        let plan = plan(&format!("rules:\n- path: store.py\n  level: outline\n{yaml}"));
        let cache = cached.then(|| repo_map::cache::Cache::at(folder.path()));
        let opened =
            repo_map::open(repo.path(), &plan, &Options { cache, ..Options::default() }).unwrap();
        let map = opened.map(RuleLayers { person: &plan.rules, pilot: &[] }).unwrap();
        opened.save_cache();
        map.text
    };
    for yaml in ["", SQL, "", SQL] {
        assert_eq!(mapped(yaml, true), mapped(yaml, false));
    }
    assert_ne!(mapped("", true), mapped(SQL, true));
}

#[test]
fn a_query_that_takes_long_to_compile_is_refused() {
    let said = |query: &str| {
        let rule = format!("version: 1\nlanguages:\n- name: python\n  query: |\n    {query}\n");
        FlightPlan::from_yaml("plan.yaml", &rule).unwrap_err().to_string()
    };
    let large = said(
        r#"; " alone
    ((identifier) @_x (#match? @_x "\\w{90}"))"#,
    );
    assert!(large.contains(r"query: the expression `\\w{90}` is too large"), "{large}");
    let many = r#"((identifier) @_x (#match? @_x "a")) "#.repeat(101);
    assert!(said(&many).contains("query: too many expressions"));
    let optional = format!("(module {}) @_m", "(_)? ".repeat(300));
    assert!(said(&optional).contains("query: too many optional or repeated parts"));
}

#[test]
fn query_files_that_do_not_hold_together_cost_a_line_each() {
    let repo = store();
    for at in 0..103 {
        repo.write(
            &format!(".repo-map/languages/lang{at:03}.scm"),
            format!("; grammar: python\n; extensions: x{at}\n").as_bytes(),
        );
    }
    repo.write(".repo-map/languages/aaa.scm", b"; grammar: python\n; extensions: bzl\n");
    let program = program();
    let user = program.home().join(".config/repo-map/languages");
    fs::create_dir_all(&user).unwrap();
    fs::write(user.join("aaa.scm"), "; grammar: rust\n; extensions: rx\n").unwrap();
    let ran = program.run(repo.path(), &["--level", "**=outline"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("aaa.scm: ignored: grammar: `aaa` is read as rust already"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.matches("too many rules about languages").count(), 4, "{}", ran.stderr);
}
