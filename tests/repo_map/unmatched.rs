//! Flags that match nothing: a slip is an error with what was meant, a list may name what is gone.

use insta::assert_snapshot;
use test_support::{Repo, repo};

use crate::run;

fn small() -> Repo {
    repo(
        "\
=== .gitignore
/build/
=== build/out.rs
fn out() {}
=== c#/a.cs
class A {}
=== src/exec/mod.rs
pub struct CommandBuilder;

impl CommandBuilder {
    pub fn push(&mut self) -> u32 {
        1
    }
}
=== src/main.rs
fn main() {}
",
    )
}

/// What the program says of flags that it refuses.
fn refused(args: &[&str]) -> String {
    let done = run(&small(), args);
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{args:?}: {}", done.stderr);
    done.stderr.trim_end().to_owned()
}

#[test]
fn a_flag_that_matches_nothing_is_an_error_with_the_nearest_right_name() {
    assert_snapshot!(refused(&["--level", "srcc/**=full"]), @"repo-map: --level: no file matches \
        `srcc/**` (did you mean `src/**`?)");
    assert_snapshot!(refused(&["--focus", "src/mian.rs"]), @"repo-map: --focus: no file matches \
        `src/mian.rs` (did you mean `src/main.rs`?)");
    assert_snapshot!(refused(&["--focus", "nope"]), @"repo-map: --focus: no file matches `nope` \
        (paths begin at the repository's folder)");
    assert_snapshot!(
        refused(&["--level", "src/exec/mod.rs#CommandBuilder::pusj=full"]),
        @"repo-map: --level: `src/exec/mod.rs` has no item `CommandBuilder::pusj` (did you mean \
            `CommandBuilder::push`?)"
    );
    assert_snapshot!(
        refused(&["explain", "src/exec/mod.rs#CommandBuilder.psuh"]),
        @"repo-map: explain: `src/exec/mod.rs` has no item `CommandBuilder.psuh` (did you mean \
            `CommandBuilder::push`?)"
    );
    assert_snapshot!(
        refused(&["--level", "src/**#pull=full"]),
        @"repo-map: --level: none of the 2 files that `src/**` matches has an item `pull`"
    );
    assert_snapshot!(
        refused(&["--focus", "src/main.rs#main"]),
        @"repo-map: --focus: no file matches `src/main.rs#main` (no item can be named here: did \
            you mean `src/main.rs`?)"
    );
    assert_snapshot!(refused(&["--level", "c#/**=full"]), @r"repo-map: --level: no file matches `c` (did you mean the path `c\#/**`?)");
    for command in ["rank", "tree"] {
        assert!(
            refused(&[command, "--focus", "nope"]).contains("--focus: no file matches `nope`"),
            "{command}"
        );
    }
    assert!(
        refused(&["explain", "src/main.rs", "--level", "nope=full"])
            .contains("--level: no file matches `nope`")
    );
}

#[test]
fn rules_that_exclude_every_file_are_told() {
    let done = run(&small(), &["--include", "src/**", "--exclude", "src/**"]);
    assert_eq!(done.code, 0);
    assert_eq!(
        done.stderr,
        "repo-map: the rules exclude every file (3 in all; of several for a path the last wins)\n"
    );
}

#[test]
fn an_item_whose_file_another_rule_closes_is_said_with_that_rule() {
    let item = ["--level", "src/main.rs#main=full"];
    let shown = |closing: &str, more: &[&str]| {
        let done = run(&small(), &[&["--level", closing], &item[..], more].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        (done.stderr, done.stdout.contains("fn main() {}"))
    };
    let (said, is_shown) = shown("**=exclude", &[]);
    assert_snapshot!(said, @"repo-map: `src/main.rs#main` shows nothing, `**=exclude` wins for its \
        file (drop that rule, or give the file `path` after it)");
    assert!(!is_shown);
    let (said, _) = shown("src=..fold", &["--level", "src/exec/*#push=full"]);
    assert_snapshot!(said, @"repo-map: `src/main.rs#main` shows nothing, `src=exclude..fold` wins \
        for its file (drop that rule, or give the file `path` after it), 1 more");
    let opened = ["--level", "src/main.rs=path"];
    assert_eq!(shown("**=exclude", &opened), (String::new(), true));
    // One file of several is enough.
    let some = [&opened[..], &["--level", "**#main=full"]].concat();
    assert_eq!(shown("**=exclude", &some), (String::new(), true));
}

#[test]
fn a_rule_of_a_plan_that_matches_nothing_is_a_line() {
    let said = |rules: &str| {
        let repo = small();
        repo.write("p.yaml", format!("version: 1\nrules:\n{rules}").as_bytes());
        let done = run(&repo, &["--plan", "p.yaml"]);
        assert_eq!(done.code, 0, "{}", done.stderr);
        done.stderr.trim_end().to_owned()
    };
    let all = "- {path: '**', level: path}\n";
    assert_snapshot!(
        said(&format!("{all}- {{path: 'srcc/**', level: full}}\n- {{path: docs, level: full}}")),
        @"repo-map: p.yaml: `srcc/**` matches nothing (did you mean `src/**`?), 1 more"
    );
    assert_snapshot!(
        said(&format!("{all}- {{path: '**/mian.rs', level: exclude}}")),
        @"repo-map: p.yaml: `**/mian.rs` matches nothing (did you mean `**/main.rs`?)"
    );
    // A plan for many repositories hides what this one does not have.
    let general = "- {path: '/{README,Readme}.rst', level: full}\n- {path: '**/*.pem', level: \
                   exclude}\n- {path: certificates, level: exclude}";
    assert_eq!(said(&format!("{all}{general}\n- {{path: '*.cpp', level: full}}")), "");
}

#[test]
fn what_ignore_rules_hide_is_told_apart_from_what_is_not_there() {
    assert_snapshot!(
        refused(&["--level", "build/**=full"]),
        @"repo-map: --level: `build/**` is no part of the repository as it was scanned (ignore \
            rules hide it) (try `--no-ignore`, `--hidden`)"
    );
    assert_eq!(run(&small(), &["--level", "build/**=full", "--no-ignore"]).code, 0);
}

#[test]
fn a_list_of_paths_may_name_what_is_gone() {
    let repo = small();
    repo.write("list.txt", b"src/main.rs\nsrc/gone.rs\n./src/exec/mod.rs\n");
    let done = run(&repo, &["rank", "--focus-from", "list.txt"]);
    assert_eq!(done.code, 0);
    assert_snapshot!(done.stderr, @"repo-map: --focus-from: 1 of 3 paths are not there (gone, \
        hidden or ignored): src/gone.rs");
}

#[test]
fn an_item_has_a_level_on_the_command_line() {
    let repo = small();
    let shown = run(
        &repo,
        &[
            "--tokens",
            "60",
            "--level",
            "**=..path",
            "--level",
            "src/exec/mod.rs#CommandBuilder::push=full",
        ],
    );
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert_snapshot!(shown.stdout, @"
    # Repository map
    - c#/a.cs
    ## src/exec/mod.rs
    ```rust
    impl CommandBuilder {
        pub fn push(&mut self) -> u32 {
            1
        }
    }
    … 1 more
    ```
    - src/main.rs
    ");
}

#[test]
fn a_goal_may_begin_with_a_dash_and_is_no_flag_of_ours() {
    let done =
        run(&small(), &["rank", "--goal", "--max-count stops the CommandBuilder", "-n", "1"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stdout.contains("src/exec/mod.rs"), "{}", done.stdout);
    assert_snapshot!(refused(&["--goal", "--tokens"]), @"
    error: a value is required for '--goal <TEXT>', and `--tokens` is a flag (`--goal-file` reads \
    a goal like this)

    Usage: repo-map [OPTIONS] [PATH]
           repo-map <COMMAND>

    For more information, try '--help'.
    ");
    assert!(refused(&["rank", "--goal", "-t", "5"]).contains("`-t` is a flag"));
}

#[test]
fn a_goal_with_nothing_to_look_for_is_matched_by_nothing() {
    let repo = small();
    for goal in ["the of and", "x", "xylophone"] {
        for (args, said) in [
            (&["--tokens", "60"][..], "the map is an overview"),
            (&["rank"], "files are ranked without it"),
            (&["explain", "src/main.rs"], "scores come without it"),
        ] {
            let done = run(&repo, &[args, &["--goal", goal]].concat());
            let line = format!(
                "repo-map: nothing matches the goal; {said} (try identifiers from the code, or a \
                 path)\n"
            );
            assert_eq!((done.code, done.stderr), (4, line), "{goal}: {args:?}");
            assert!(!done.stdout.is_empty());
        }
    }
    assert_eq!(run(&repo, &["--goal", ""]).code, 0, "no goal at all");
}

#[test]
fn a_heading_is_found_as_a_reader_remembers_it_if_only_one_is_meant() {
    let manual = repo(
        "\
=== manual.md
# Manual

## Enum Members (aka instances)

They have names.

## Finer points

### Names with `_`

Some are kept.

## Install (Linux) from source

Make it.

## Colors

Red.

## COLORS

Green.
",
    );
    let shown = |name: &str| run(&manual, &["--level", &format!("manual.md#{name}=full")]);
    for name in ["enum members", "Enum members (aka instances)", "names with _"] {
        let done = shown(name);
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
    }
    assert!(shown("enum members").stdout.contains("They have names."));
    assert!(shown("colors").stderr.contains("has no item `colors`"), "two are meant");
    assert!(shown("Enum").stderr.contains("has no item `Enum`"));
    assert!(shown("Install").stderr.contains("has no item `Install`"), "more follows");
}

#[test]
fn an_item_is_found_by_each_of_the_names_that_it_declares() {
    let shop = repo(
        "\
=== shop.rb
class Shop
  attr_accessor :name, :size, :owner
  attr_reader :key

  def open
  end
end
=== limits.go
package limits

var low, high = 1, 9
",
    );
    let shown = |item: &str| {
        let done = run(&shop, &["--level", "**=exclude..path", "--level", &format!("{item}=full")]);
        assert_eq!(done.code, 0, "{item}: {}", done.stderr);
        done.stdout
    };
    let names = ["name", "size", "owner", "Shop.size", "Shop.:name, :size, :owner"];
    for item in names.map(|name| format!("shop.rb#{name}")) {
        assert!(shown(&item).contains("attr_accessor :name, :size, :owner"), "{item}");
    }
    assert!(shown("shop.rb#Shop.key").contains("attr_reader :key"));
    assert!(shown("limits.go#high").contains("var low, high = 1, 9"));
    let other = run(&shop, &["--level", "shop.rb#Other.size=full"]);
    assert!(other.stderr.contains("has no item `Other.size`"), "{}", other.stderr);
}

#[test]
fn no_output_takes_the_place_of_a_list_that_is_read() {
    for flag in ["--goal-file", "--focus-from"] {
        let refused = refused(&[flag, "src/main.rs", "-o", "src/../src/main.rs"]);
        let why = "src/../src/main.rs is read by this command; name another file";
        assert_eq!(refused, format!("repo-map: --output: {why}"));
    }
}

#[test]
fn what_is_named_and_not_there_is_a_mistake_of_the_command_line() {
    for args in [
        &["nowhere"][..],
        &["rank", "nowhere"],
        &["tree", "nowhere"],
        &["explain", "src/main.rs", "--root", "nowhere"],
        &["--plan", "nowhere.yaml"],
        &["--goal-file", "nowhere"],
        &["--focus-from", "nowhere"],
        &["-o", "nowhere/map.md"],
        &["languages", "--test", "nowhere.rs"],
        &["languages", "--test", "src/main.rs", "--query", "nowhere"],
    ] {
        assert!(refused(args).contains("nowhere"), "{args:?}");
    }
}
