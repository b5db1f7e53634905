//! The blocks of functions that are too long to be shown whole.

use insta::assert_snapshot;
use test_support::{Repo, repo};

use crate::outlines_of_scripts::items;
use crate::{map, run};

/// Some statements, one a line.
fn lines(indentation: usize, name: &str, n: usize) -> String {
    let line = |at: usize| format!("{:indentation$}{name}_{at}();\n", "");
    (0..n).map(line).collect()
}

/// A map without the lines of [`lines`] but the first of each.
fn without_lines(map: &str) -> String {
    let is_kept = |line: &&str| !line.ends_with("();") || line.ends_with("_0();");
    map.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

/// A function with a statement of several lines, a long loop and a rest.
fn long_function(in_loop: &str) -> String {
    format!(
        "/// Does it all.\npub fn run(jobs: Jobs) -> usize {{\n{}\n    for job in jobs {{\n{}{}        \
         // Said of the next line.\n{}    }}\n    jobs.len()\n}}\n",
        lines(4, "begin", 25),
        lines(8, "first", 22),
        in_loop,
        lines(8, "last", 60),
    )
}

fn with_retry() -> Repo {
    let retry =
        format!("        if job.is_late() {{\n{}        }}\n", lines(12, "retry_payment", 24));
    repo(&format!("=== src/jobs.rs\n{}\nfn other() {{}}\n", long_function(&retry)))
}

#[test]
fn a_long_function_is_divided_where_statements_begin() {
    assert_snapshot!(items("a.rs", &long_function("")), @"
    function run (public, lines 1-115, documented)
    block run.(block) (unmarked, lines 3-22)
    block run.(block)@2 (unmarked, lines 23-43)
    block run.(block)@3 (unmarked, lines 44-63)
    block run.(block)@4 (unmarked, lines 64-83)
    block run.(block)@5 (unmarked, lines 84-103)
    block run.(block)@6 (unmarked, lines 104-114)
    ");
    let short = format!("fn run() {{\n{}}}\n", lines(4, "begin", 99));
    assert_snapshot!(items("a.rs", &short), @"function run (unmarked, lines 1-101)");
    let python = format!(
        "def run(jobs):\n    \"\"\"Does it all.\n\n    At length.\n    \"\"\"\n{}    for job in jobs:\n{}    \
         return 1\n",
        lines(4, "begin", 40).replace(';', ""),
        lines(8, "each", 65).replace(';', "")
    );
    assert_snapshot!(items("a.py", &python), @"
    function run (unmarked, lines 1-112, documented)
    block run.(block) (unmarked, lines 6-25)
    block run.(block)@2 (unmarked, lines 26-45)
    block run.(block)@3 (unmarked, lines 46-65)
    block run.(block)@4 (unmarked, lines 66-85)
    block run.(block)@5 (unmarked, lines 86-105)
    block run.(block)@6 (unmarked, lines 106-112)
    ");
}

#[test]
fn the_first_statement_of_a_body_without_brackets_is_in_the_first_block() {
    let body = lines(4, "begin", 110).replace(';', "");
    let first = |path: &str, text: &str| items(path, text).lines().nth(1).unwrap().to_owned();
    let of_python = first("a.py", &format!("def run():\n{body}"));
    assert_eq!(of_python, "block run.(block) (unmarked, lines 2-21)");
    let of_ruby = first("a.rb", &format!("def run\n{body}end\n"));
    assert_eq!(of_ruby, "block run.(block) (unmarked, lines 2-21)");
}

#[test]
fn a_long_chain_is_divided_between_its_calls() {
    let calls = "        .arg(\n            Arg::new(\"x\"),\n        )\n".repeat(40);
    let items = items("a.rs", &format!("fn app() -> App {{\n    App::new()\n{calls}}}\n"));
    assert_eq!(items.lines().nth(1), Some("block app.(block) (unmarked, lines 2-23)"));
    assert_eq!(items.lines().nth(2), Some("block app.(block)@2 (unmarked, lines 24-44)"));
}

#[test]
fn a_budget_too_small_for_a_function_has_room_for_its_part() {
    let repo = with_retry();
    let goal = ["--goal", "when is the payment of a late job retried? retry_payment"];
    let run = |tokens: &str| run(&repo, &[&goal[..], &["--tokens", tokens]].concat()).stdout;
    assert_snapshot!(without_lines(&run("500")), @"
    # Repository map
    ## src/jobs.rs
    ```rust
    ⋮
    /// Does it all.
    pub fn run(jobs: Jobs) -> usize {
        … lines 23-43

        for job in jobs {
            first_0();
            … lines 44-77
            if job.is_late() {
                retry_payment_0();
            }
            … lines 118-140
        }
        jobs.len()
    }
    … 4 more
    ```
    ");
    // Where there is room it is shown whole.
    assert_snapshot!(without_lines(&run("9000")), @"
    # Repository map
    ## src/jobs.rs (full)
    ```rust
    /// Does it all.
    pub fn run(jobs: Jobs) -> usize {
        begin_0();

        for job in jobs {
            first_0();
            if job.is_late() {
                retry_payment_0();
            }
            // Said of the next line.
            last_0();
        }
        jobs.len()
    }

    fn other() {}
    ```
    ");
}

#[test]
fn a_block_is_addressed_by_its_number() {
    let plan = "context: {tokens: 2000}\nrules:\n- {path: src/jobs.rs, level: path, items: [{name: \
                'run.(block)@3', level: full}]}\n";
    assert_snapshot!(without_lines(map(&with_retry(), plan).text.as_str()), @"
    # Repository map
    ## src/jobs.rs
    ```rust
    ⋮
    /// Does it all.
    pub fn run(jobs: Jobs) -> usize {
            … lines 44-77
            if job.is_late() {
                retry_payment_0();
            }
    }
    … 6 more
    ```
    ");
    // Its rule counts within a function and a file in full.
    let without = "{name: 'run.(block)@3', level: exclude}";
    for rule in [
        format!("{{path: src/jobs.rs, level: full, items: [{without}]}}"),
        format!("{{path: src/jobs.rs, items: [{{name: run, level: full}}, {without}]}}"),
    ] {
        let plan = format!("context: {{tokens: 2000}}\nrules:\n- {rule}\n");
        let text = map(&with_retry(), &plan).text;
        let shown = |name: &str| text.as_str().contains(name);
        assert!(shown("first_1();") && shown("last_59();") && !shown("retry_payment"), "{text}");
    }
}
