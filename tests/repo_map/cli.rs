//! The program: wiring, exit codes, what goes to which stream.
//!
//! Long: outputs stand here as they are printed.

use std::io::Write;
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::Value;
use test_support::{Ran, Repo, ran, repo};

use crate::{program, run};

const SMALL: &str = "\
=== README.md
# Numbers

How to add them.
=== assets/logo.bin
x
=== src/add.rs
/// Adds two numbers.
pub fn add(a: u32, b: u32) -> u32 {
    a + b
}

/// Adds many.
pub fn sum(all: &[u32]) -> u32 {
    all.iter().sum()
}
=== src/main.rs
mod add;

fn main() {
    println!(\"{}\", add::add(1, 2));
}
";

fn small() -> Repo {
    repo(SMALL)
}

/// Everything a run says, on one page.
fn page(ran: &Ran) -> String {
    format!("exit {}\n--- stdout\n{}--- stderr\n{}", ran.code, ran.stdout, ran.stderr)
}

#[test]
fn a_map_goes_to_standard_output_and_nothing_else_does() {
    assert_snapshot!(page(&run(&small(), &["--tokens", "120"])), @r#"
    exit 0
    --- stdout
    # Repository map
    ## README.md (full)
    ```markdown
    # Numbers

    How to add them.
    ```
    - assets/logo.bin (binary)
    ## src/add.rs
    ```rust
    ⋮
    /// Adds two numbers.
    pub fn add(a: u32, b: u32) -> u32 { … }
    fn sum
    ```
    ## src/main.rs
    ```rust
    mod add;
    fn main() {
        println!("{}", add::add(1, 2));
    }
    ```
    --- stderr
    "#);
}

#[test]
fn a_goal_directs_what_is_shown() {
    assert_snapshot!(page(&run(&small(), &["--goal", "sum of many numbers", "--tokens", "90"])), @"
    exit 0
    --- stdout
    # Repository map
    - ./ +1 file
    - assets/ (1 file: bin 1)
    - src/ +1 file
    ## src/add.rs
    ```rust
    fn add
    ⋮
    /// Adds many.
    pub fn sum(all: &[u32]) -> u32 {
        all.iter().sum()
    }
    ```
    ## Left out
    Folded: 3 files.
    --- stderr
    ");
}

#[test]
fn a_goal_of_which_nothing_speaks_has_its_own_exit_code() {
    assert_snapshot!(page(&run(&small(), &["--goal", "xylophone", "--tokens", "60"])), @r#"
    exit 4
    --- stdout
    # Repository map
    ## README.md (full)
    ```markdown
    # Numbers

    How to add them.
    ```
    - src/add.rs
    ## src/main.rs (full)
    ```rust
    mod add;

    fn main() {
        println!("{}", add::add(1, 2));
    }
    ```
    --- stderr
    repo-map: nothing matches the goal; the map is an overview (try identifiers from the code, or a path)
    "#);
}

#[test]
fn sizes_are_a_table_or_a_line_of_json_each() {
    assert_snapshot!(page(&run(&small(), &["--sizes"])), @"
    exit 0
    --- stdout
       fold    path  outline interface      full
         18       -        -         -         -  ./
          -       4       11        17        19  README.md
         11       -        -         -         -  assets/
          -       7        7         7         -  assets/logo.bin
         11       -        -         -         -  src/
          -       5       16        57        63  src/add.rs
          -       5       16        19        32  src/main.rs
    --- stderr
    ");
    assert_snapshot!(page(&run(&small(), &["--sizes", "--format", "json"])), @r#"
    exit 0
    --- stdout
    {"path":"./","tokens":{"fold":18}}
    {"path":"README.md","tokens":{"path":4,"outline":11,"interface":17,"full":19}}
    {"path":"assets/","tokens":{"fold":11}}
    {"path":"assets/logo.bin","tokens":{"path":7,"outline":7,"interface":7}}
    {"path":"src/","tokens":{"fold":11}}
    {"path":"src/add.rs","tokens":{"path":5,"outline":16,"interface":57,"full":63}}
    {"path":"src/main.rs","tokens":{"path":5,"outline":16,"interface":19,"full":32}}
    --- stderr
    "#);
}

#[test]
fn the_json_twin_has_every_path_and_its_parts_add_up() {
    let done = run(&small(), &["--format", "json", "--tokens", "120"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let map_report: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(map_report["map"], run(&small(), &["--tokens", "120"]).stdout);
    let sum: u64 = map_report["parts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["tokens"].as_u64().unwrap())
        .sum();
    assert_eq!(map_report["tokens"], sum);
    assert_eq!(map_report["free"], 120 - sum);
    let mut map_report = map_report;
    map_report["map"] = Value::Null;
    assert_snapshot!(serde_json::to_string_pretty(&map_report).unwrap(), @r#"
    {
      "tool": "repo-map 0.2.0",
      "goal": null,
      "budget": 120,
      "tokens": 99,
      "tokenizer": "o200k_base",
      "free": 21,
      "fill": "near",
      "conflict": null,
      "masked": 0,
      "invisible": 0,
      "problems": [],
      "parts": [
        {
          "kind": "header",
          "tokens": 4
        },
        {
          "kind": "file",
          "path": "README.md",
          "tokens": 19
        },
        {
          "kind": "file",
          "path": "assets/logo.bin",
          "tokens": 7
        },
        {
          "kind": "file",
          "path": "src/add.rs",
          "tokens": 39
        },
        {
          "kind": "file",
          "path": "src/main.rs",
          "tokens": 30
        }
      ],
      "files": [
        {
          "path": "README.md",
          "level": "full",
          "tokens": 19,
          "worth": 0.935643,
          "spans": [
            [
              1,
              3
            ]
          ]
        },
        {
          "path": "assets/logo.bin",
          "level": "path",
          "tokens": 7,
          "worth": 0.001125,
          "mark": "binary"
        },
        {
          "path": "src/add.rs",
          "level": "outline",
          "tokens": 39,
          "worth": 0.740741,
          "items": [
            {
              "name": "add",
              "level": "interface",
              "lines": [
                1,
                4
              ]
            }
          ],
          "spans": [
            [
              1,
              2
            ]
          ]
        },
        {
          "path": "src/main.rs",
          "level": "interface",
          "tokens": 30,
          "worth": 1.0,
          "items": [
            {
              "name": "main",
              "level": "full",
              "lines": [
                3,
                5
              ]
            }
          ],
          "spans": [
            [
              1,
              1
            ],
            [
              3,
              5
            ]
          ]
        }
      ],
      "map": null
    }
    "#);
}

#[test]
fn rank_is_a_table_or_a_line_of_json_each() {
    assert_snapshot!(page(&run(&small(), &["rank", "--goal", "add two numbers"])), @"
    exit 0
    --- stdout
    1.000  src/add.rs  definitions 1.00, folder 0.26, items 1.00, name 1.00, pairs 1.00, rank \
    1.00, rare 1.00, title 1.00, words 1.00
    0.332  src/main.rs  definitions 1.00, folder 1.00, items 0.19, rank 1.00, rare 0.18, title \
    0.30, words 0.21
    0.120  README.md  items 0.74, rank 0.60, rare 0.45, title 0.68, words 0.48
    0.000  assets/logo.bin  rank 0.12
    --- stderr
    ");
    let lines =
        run(&small(), &["rank", "--goal", "add two numbers", "--format", "json", "--limit", "2"]);
    let ranked: Vec<Value> =
        lines.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(ranked.len(), 2);
    for one in ranked {
        let mut keys: Vec<&String> = one.as_object().unwrap().keys().collect();
        keys.sort();
        assert_eq!(keys, ["parts", "path", "score"]);
    }
}

#[test]
fn explain_says_why_and_what_would_raise_it() {
    assert_snapshot!(page(&run(&small(), &["explain", "src/add.rs", "--goal", "add two numbers", "--tokens", "60"])), @r#"
    exit 0
    --- stdout
    src/add.rs
      level   outline (no rule: the fit decides)
      rank    1 of 4, score 1.000, role source
      tokens  path 5, outline 16, interface 57, full 63
      words       1.000 × 1.00  two 0.50, add 0.26, number 0.24
      items       1.000 × 0.40  add 1.00
      title       1.000 × 0.40  add 0.92, sum 0.08
      definitions 1.000 × 0.30  add 1.00
      name        1.000 × 0.30  add 1.00
      pairs       1.000 × 0.20  add 1.00
      rare        1.000 × 0.20  two 0.55, number 0.27, add 0.18
      folder      0.265 × 0.20  src/main.rs 0.26
      rank        1.000 × 0.01  README.md, src/main.rs
      sum         2.863 × 1.00 for its role, over 2.863 of the best = 1.000
      item    1.000 full      function add (lines 1-4)
      item    0.510 outline   function sum (lines 6-9)
      raise   to interface: a map of 57 tokens, lowers 2 files and 1 item in 1 file: README.md, src/main.rs, src/add.rs#add
        flag  --level '/src/add.rs=interface..full'
        plan  {"version":1,"rules":[{"path":"**","level":"exclude..full"},{"path":"/src/add.rs","level":"interface..full"}]}
      raise   to full: needs a budget of 63 tokens
        flag  --level '/src/add.rs=full'
        plan  {"version":1,"rules":[{"path":"**","level":"exclude..full"},{"path":"/src/add.rs","level":"full"}]}
    --- stderr
    "#);
    assert_snapshot!(page(&run(&small(), &["explain", "src/add.rs#sum", "--goal", "add two numbers", "--tokens", "60"])), @r#"
    exit 0
    --- stdout
    src/add.rs#sum
      level   outline (no rule: the fit decides)
      rank    1 of 4 (its file), score 0.510, role source
      tokens  outline 3, interface 21, full 26
      room    full needs 23 tokens more, 0 free: what has more value per token comes first; place 2 in its file counts 0.98
      file        1.000 × 1.00
      words       0.082 × 1.00  add 0.08
      length      0.231 × 0.20
      title       0.082 × 0.20  add 0.08
      sum         1.145 × 1.00 for its role, over 2.246 of the best = 0.510
      raise   to interface: a map of 51 tokens, lowers src/add.rs#add
        flag  --level '/src/add.rs#sum=interface'
        plan  {"version":1,"rules":[{"path":"**","level":"exclude..full"},{"path":"/src/add.rs","items":[{"name":"sum","level":"interface"}]}]}
      raise   to full: a map of 56 tokens, lowers src/add.rs#add
        flag  --level '/src/add.rs#sum=full'
        plan  {"version":1,"rules":[{"path":"**","level":"exclude..full"},{"path":"/src/add.rs","items":[{"name":"sum","level":"full"}]}]}
    --- stderr
    "#);
}

#[test]
fn what_explain_says_of_a_score_adds_up_to_the_rank() {
    let repo = small();
    for target in ["src/add.rs", "src/main.rs", "README.md", "src/add.rs#sum"] {
        let done = run(
            &repo,
            &["explain", target, "--goal", "sum of many numbers in src/add.rs", "--format", "json"],
        );
        let one: Value = serde_json::from_str(&done.stdout).unwrap();
        let number = |value: &Value| value.as_f64().unwrap();
        let parts = one["parts"].as_array().unwrap();
        let sum: f64 =
            parts.iter().map(|part| number(&part["value"]) * number(&part["weight"])).sum();
        let score = sum * number(&one["factor"]) / number(&one["best"]);
        assert!(
            (score - number(&one["score"])).abs() < 2e-6,
            "{target}: {score} is not {}",
            one["score"]
        );
        for part in parts {
            let shares: Vec<f64> = part["causes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|cause| number(&cause["share"]))
                .collect();
            let sum: f64 = shares.iter().sum();
            assert!(sum == 0.0 || (sum - number(&part["value"])).abs() < 1e-9, "{target} {part}");
        }
        if !target.contains('#') {
            let ranked = run(
                &repo,
                &["rank", "--goal", "sum of many numbers in src/add.rs", "--format", "json"],
            )
            .stdout;
            let ranked: Vec<Value> =
                ranked.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let at = ranked.iter().position(|file| file["path"] == target).unwrap();
            assert_eq!(one["rank"], at + 1);
            assert_eq!(one["score"], ranked[at]["score"]);
        }
    }
}

#[test]
fn explain_of_an_unknown_path_or_item_suggests_the_nearest() {
    assert_snapshot!(page(&run(&small(), &["explain", "src/ad.rs"])), @"
    exit 2
    --- stdout
    --- stderr
    repo-map: explain: `src/ad.rs` is not a file of this repository (did you mean `src/add.rs`?)
    ");
    assert_snapshot!(page(&run(&small(), &["explain", "src/add.rs#minus"])), @"
    exit 2
    --- stdout
    --- stderr
    repo-map: explain: `src/add.rs` has no item `minus` (`repo-map explain src/add.rs` lists them)
    ");
    assert_snapshot!(page(&run(&small(), &["explain", "xylophone"])), @"
    exit 2
    --- stdout
    --- stderr
    repo-map: explain: `xylophone` is not a file of this repository, or ignore rules hide it
    ");
}

#[test]
fn explain_of_a_folder_says_that_it_is_one() {
    for folder in ["src", "src/"] {
        let ran = run(&small(), &["explain", folder]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("`src` is a folder: name a file or an item"), "{}", ran.stderr);
    }
}

#[test]
fn explain_json_prices_are_those_of_sizes() {
    let explained: Value =
        serde_json::from_str(&run(&small(), &["explain", "src/add.rs", "--format", "json"]).stdout)
            .unwrap();
    let sizes = run(&small(), &["--sizes", "--format", "json"]).stdout;
    let price: Value = sizes
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|price| price["path"] == "src/add.rs")
        .unwrap();
    assert_eq!(explained["tokens"], price["tokens"]);
}

#[test]
fn languages_are_listed_and_tried_on_a_file() {
    let repo = small();
    let listed = run(&repo, &["languages"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (0, ""));
    assert!(listed.stdout.contains("\nrust             .rs\n"), "{}", listed.stdout);
    assert_snapshot!(page(&run(&repo, &["languages", "--test", "src/add.rs"])), @"
    exit 0
    --- stdout
    === outline
    fn add
    fn sum
    === interface
    ⋮
    /// Adds two numbers.
    pub fn add(a: u32, b: u32) -> u32 { … }
    ⋮
    /// Adds many.
    pub fn sum(all: &[u32]) -> u32 { … }
    === items
    function add (public, lines 1-4, documented)
    function sum (public, lines 6-9, documented)
    --- stderr
    ");
    repo.write("rust.scm", b"(function_item name: (identifier) @name) @item.test");
    assert_snapshot!(page(&run(&repo, &["languages", "--test", "src/main.rs", "--query", "rust.scm"])), @r#"
    exit 0
    --- stdout
    === outline
    test main
    === interface
    fn main() {
        println!("{}", add::add(1, 2));
    }
    === items
    region (module) (unmarked, lines 1-1)
    test main (unmarked, lines 3-5)
    --- stderr
    "#);
    repo.write("wrong.scm", b"(function_item name: (identifier) @naem) @item.function");
    assert_snapshot!(page(&run(&repo, &["languages", "--test", "src/main.rs", "--query", "wrong.scm"])), @"
    exit 2
    --- stdout
    --- stderr
    repo-map: src/main.rs: `@naem` means nothing here (captures are item.<kind>, aside, \
    attribute, attribute.apart, below, body, comment, continues, detail, doc, doc.file, name, \
    owner, section.1, section.2, section.3, section.4, section.5, section.6, signature, trait, \
    value, visibility, visibility.below, wrapper, and _… for predicates)
    ");
    assert_snapshot!(page(&run(&repo, &["languages", "--test", "assets/logo.bin"])), @"
    exit 2
    --- stdout
    --- stderr
    repo-map: assets/logo.bin: the file is binary
    ");
}

#[test]
fn strict_writes_nothing_where_best_effort_would_be_delivered() {
    assert_snapshot!(page(&run(&small(), &["--strict", "--tokens", "40", "--level", "src=full"])), @"
    exit 3
    --- stdout
    --- stderr
    repo-map: constraint conflict: what must be shown needs 95 tokens, the budget is 40; raise it \
    to 95, or lower a floor (the dearest: `src/add.rs` at full costs 63)
    repo-map: --strict: 1 file demoted, 0 unreadable; nothing written
    ");
    assert_snapshot!(page(&run(&small(), &["--strict", "--tokens", "40", "--level", "src=path..full"])), @"
    exit 0
    --- stdout
    # Repository map
    ## README.md (full)
    ```markdown
    # Numbers

    How to add them.
    ```
    - assets/logo.bin (binary)
    - src/add.rs
    - src/main.rs
    --- stderr
    ");
    assert_eq!(run(&small(), &["--strict", "--tokens", "4k", "--level", "src=full"]).code, 0);
}

#[test]
fn an_item_of_a_plan_that_does_not_fit_is_said() {
    let repo = small();
    repo.write(
        "plan.yaml",
        b"version: 1\nrules: [{path: src/add.rs, items: [{name: add, level: full}]}]\n",
    );
    let of = |more: &[&str]| run(&repo, &[&["--plan", "plan.yaml"], more].concat());
    let said = "repo-map: did not fit in 20 tokens: `src/add.rs#add` (asked full)\n";
    let small = of(&["--tokens", "20"]);
    assert_eq!((small.code, small.stderr.as_str()), (0, said));
    let strict = of(&["--tokens", "20", "--strict"]);
    assert_eq!((strict.code, strict.stdout.as_str()), (3, ""));
    assert!(strict.stderr.starts_with(said), "{}", strict.stderr);
    assert_eq!(of(&["--tokens", "4k", "--strict"]).code, 0);
}

#[test]
fn a_conflict_delivers_the_best_effort() {
    assert_snapshot!(page(&run(&small(), &["--tokens", "40", "--level", "src=full"])), @r#"
    exit 3
    --- stdout
    # Repository map
    - README.md
    ## src/main.rs (full)
    ```rust
    mod add;

    fn main() {
        println!("{}", add::add(1, 2));
    }
    ```
    --- stderr
    repo-map: constraint conflict: what must be shown needs 95 tokens, the budget is 40; raise it to 95, or lower a floor (the dearest: `src/add.rs` at full costs 63)
    "#);
}

#[test]
fn output_goes_to_a_file_on_request() {
    let repo = small();
    let done = run(&repo, &["--tokens", "120", "-o", "map.md"]);
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (0, "", ""));
    assert_eq!(
        std::fs::read_to_string(repo.path().join("map.md")).unwrap(),
        run(&small(), &["--tokens", "120"]).stdout
    );
}

#[test]
fn a_goal_is_read_from_standard_input() {
    let repo = small();
    let mut child = program()
        .command(repo.path())
        .args(["--goal-file", "-", "--tokens", "90"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"sum of many numbers\n").unwrap();
    let piped = ran(child.wait_with_output().unwrap());
    let flagged = run(&repo, &["--goal", "sum of many numbers", "--tokens", "90"]);
    assert_eq!(
        (piped.code, piped.stdout, piped.stderr),
        (flagged.code, flagged.stdout, flagged.stderr)
    );
}

#[test]
fn eight_thousand_tokens_have_several_spellings() {
    let repo = small();
    let budget = |spelling: &str| {
        serde_json::from_str::<Value>(
            &run(&repo, &["--format", "json", "--tokens", spelling]).stdout,
        )
        .unwrap()["budget"]
            .clone()
    };
    for spelling in ["8k", "8K", "8000", "8_000", "8,000"] {
        assert_eq!(budget(spelling), 8000, "{spelling}");
    }
    assert_eq!(budget("1.5k"), 1500);
}

#[test]
fn what_cannot_be_meant_is_refused_with_exit_code_2() {
    let repo = small();
    let refused = |args: &[&str]| {
        let done = run(&repo, args);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{args:?}");
        done.stderr
    };
    assert_snapshot!(refused(&["--tokens", "lots"]), @"
    error: invalid value 'lots' for '--tokens <N>': `lots` is not a number of tokens (`8000`, `8k`)

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["--level", "src"]), @"
    error: invalid value 'src' for '--level <GLOB=LEVEL>': `src` has no `=` (write GLOB=LEVEL, as \
    in `src/**=interface`)

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["--level", "src=signatures"]), @"
    error: invalid value 'src=signatures' for '--level <GLOB=LEVEL>': `signatures` is not a level \
    (did you mean `interface`?)

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["--level", "a[b=full"]), @"
    error: invalid value 'a[b=full' for '--level <GLOB=LEVEL>': `a[b` is not a valid glob: \
    unclosed character class; missing ']'

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["--focus", "a[b"]), @"repo-map: --focus: `a[b` is not a valid \
        glob: unclosed character class; missing ']'");
    assert_snapshot!(refused(&["--tokenizer", "gpt2"]), @"
    error: invalid value 'gpt2' for '--tokenizer <NAME>': `gpt2` is not a tokenizer (one of \
    o200k_base, cl100k_base, bytes/4)

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["--format", "html"]), @"
    error: invalid value 'html' for '--format <FORMAT>'
      [possible values: markdown, xml, json]

      tip: a similar value exists: 'xml'

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["--goal", "a", "--goal-file", "b"]), @"
    error: the argument '--goal <TEXT>' cannot be used with '--goal-file <FILE>'

    Usage: repo-map --goal <TEXT> [PATH]

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["--nonsense"]), @"
    error: unexpected argument '--nonsense' found

    Usage: repo-map [OPTIONS] [PATH]
           repo-map <COMMAND>

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["explain"]), @"
    error: the following required arguments were not provided:
      <PATH[#ITEM]>...

    Usage: repo-map explain <PATH[#ITEM]>...

    For more information, try '--help'.
    ");
    let near = "error: `explian` is neither a command nor a path (did you mean `explain`?)\n";
    assert!(refused(&["explian"]).starts_with(near));
    assert!(refused(&["explian", "src/add.rs"]).starts_with(near));
    let replay = "error: `replay` is a command of `navigator`: `navigator replay`\n";
    assert!(refused(&["replay", "plan.yaml"]).starts_with(replay));
    assert_snapshot!(refused(&["--tokens", "-1"]), @"
    error: invalid value '-1' for '--tokens <N>': `-1` is not a whole number of tokens

    For more information, try '--help'.
    ");
    assert_snapshot!(refused(&["--tokens", "1.2345k"]), @"
    error: invalid value '1.2345k' for '--tokens <N>': `1.2345k` is not a whole number of tokens

    For more information, try '--help'.
    ");
}

#[test]
fn every_exit_code_is_in_the_help() {
    let help = run(&small(), &["--help"]);
    assert_eq!((help.code, help.stderr.as_str()), (0, ""));
    let (_, codes) = help.stdout.split_once("Exit codes:\n").unwrap();
    let listed: Vec<&str> =
        codes.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        listed,
        ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "130"]
    );
}

#[test]
fn a_closed_pipe_is_success() {
    let repo = small();
    let mut child = program()
        .command(repo.path())
        .arg("--sizes")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let done = ran(child.wait_with_output().unwrap());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
}
