//! Maps without a goal: what a newcomer needs comes first.

use insta::assert_snapshot;
use serde_json::Value;
use test_support::{Repo, repo};

use crate::run;

/// A library with all that a newcomer could stumble over: badges, a manual in one comment, private
/// helpers, overloads, vendored code, tests.
fn library() -> Repo {
    repo(concat!(
        "=== .gitignore\n/target\n",
        "=== Cargo.toml\n[package]\nname = \"tides\"\ndescription = \"Tide tables\"\n",
        "authors = [\"A. Sailor <a@example.org>\"]\n\n[dependencies]\nserde = \"1\"\n\n",
        "[dev-dependencies]\ninsta = \"1\"\n",
        "=== README.md\n<p align=\"center\"><img src=\"logo.svg\" alt=\"The logo of tides\"></p>\n\n",
        "# tides\n\n[![build](https://ci.example.org/b.svg)](https://ci.example.org)\n",
        "[![docs](https://docs.example.org/b.svg)](https://docs.example.org)\n\n",
        "Computes tide tables for any harbour.\n\n",
        "## Contributing\n\nSend a patch.\n\n",
        "## Usage\n\nCall `Table::of`.\n\n```rust\nTable::of(\"Brest\");\n```\n",
        "=== src/lib.rs\n//! Tide tables.\npub mod table;\npub mod harbour;\n",
        "=== src/main.rs\nuse tides::table::Table;\nfn main() { Table::of(\"Brest\"); }\n",
        "=== src/table.rs\nuse crate::harbour::Harbour;\n",
        "/// A table of tides.\npub struct Table { rows: u32 }\n",
        "impl Table {\n    /// Computes the table of a harbour.\n",
        "    pub fn of(name: &str) -> Table { pad(Harbour::find(name)) }\n}\n",
        "fn pad(harbour: Harbour) -> Table { Table { rows: harbour.depth } }\n",
        "#[cfg(test)]\nmod tests {\n    fn table_of_brest() { super::Table::of(\"Brest\"); }\n}\n",
        "=== src/harbour.rs\n/// A harbour.\npub struct Harbour { pub depth: u32 }\n",
        "impl Harbour {\n    pub fn find(name: &str) -> Harbour { Harbour { depth: 9 } }\n}\n",
        "=== tests/tables.rs\nuse tides::table::Table;\nfn table_has_rows() { Table::of(\"x\"); }\n",
        "=== vendor/moon.rs\npub struct Moon;\npub fn phase_of_moon() -> Moon { Moon }\n",
    ))
}

#[test]
fn a_goal_that_matches_nothing_gives_the_map_without_a_goal() {
    let flags = ["--tokens", "260", "--no-history"];
    let unmatched = run(&library(), &[&flags[..], &["--goal", "xyzzyplugh frobnicate"]].concat());
    assert_eq!(unmatched.stdout, run(&library(), &flags).stdout);
}

/// Returns the files that are landmarks, as `rank` has them.
fn landmarks(repo: &Repo) -> Vec<String> {
    let ranked = run(repo, &["rank", "-n", "50", "--format", "json", "--no-history"]).stdout;
    let is_landmark = |line: &Value| line["parts"]["landmark"].as_f64().is_some();
    let lines = ranked.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut paths: Vec<String> = lines
        .filter(is_landmark)
        .map(|line: Value| line["path"].as_str().unwrap().to_owned())
        .collect();
    paths.sort();
    paths
}

#[test]
fn manifests_name_where_a_package_begins() {
    let package = r#"{"main": "./lib/api.js", "exports": {".": {"types": "./lib/api.d.ts",
        "default": "./lib/api.js"}, "./rules": "./lib/rules.js", "./gone": "./dist/gone.js"}}"#;
    let js = "exports.tide = 1;\n";
    let repo = repo(&format!(
        "=== package.json\n{package}\n=== lib/api.js\n{js}=== lib/api.d.ts\nexport const a: 1;\n\
         === lib/rules.js\n{js}=== lib/other.js\n{js}\
         === py/pyproject.toml\n[project.scripts]\ntide = \"tide.shell:run\"\n\
         === py/tide/shell.py\ndef run(): pass\n=== py/tide/other.py\ndef walk(): pass\n\
         === rs/Cargo.toml\n[package]\nname = \"tide\"\n[[bin]]\npath = \"src/tide.rs\"\n\
         === rs/src/tide.rs\nfn begin() {{}}\n=== rs/src/other.rs\nfn other() {{}}\n",
    ));
    let expected = [
        "lib/api.js",
        "lib/rules.js",
        "package.json",
        "py/pyproject.toml",
        "py/tide/shell.py",
        "rs/Cargo.toml",
        "rs/src/tide.rs",
    ];
    assert_eq!(landmarks(&repo), expected);
}

#[test]
fn what_a_package_exports_does_not_crowd_what_it_runs() {
    let exports: Vec<String> = (0..20)
        .map(|n| {
            format!("    \"./part{n}\": {{ \"types\": \"./{n}.d.ts\", \"require\": \"./{n}.js\" }}")
        })
        .collect();
    let repo = repo(&format!(
        "=== package.json\n{{\n  \"name\": \"tide\",\n  \"exports\": {{\n{}\n  }},\n  \
         \"scripts\": {{\n    \"test\": \"run all\"\n  }},\n  \"dependencies\": {{\n    \
         \"moon\": \"1\"\n  }}\n}}\n=== index.js\nexports.tide = 1;\n",
        exports.join(",\n")
    ));
    let explained = run(&repo, &["explain", "package.json", "--format", "json"]).stdout;
    let explained: Value = serde_json::from_str(&explained).unwrap();
    let names: Vec<&str> = explained["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    let first: Vec<&str> = names.into_iter().take(6).collect();
    let expected =
        ["name", "exports", "scripts", "dependencies", "dependencies.moon", "scripts.test"];
    assert_eq!(first, expected);
}

#[test]
fn of_files_that_nothing_tells_apart_those_nearer_to_the_root_are_read() {
    let parts: String =
        (0..260).map(|n| format!("=== src/Parts/P{n}.cs\nclass P{n} {{ }}\n")).collect();
    let repo = repo(&format!("{parts}=== src/Tide.cs\nclass Tide {{ }}\n"));
    let explained =
        run(&repo, &["explain", "src/Tide.cs", "--tokens", "100", "--format", "json"]).stdout;
    let explained: Value = serde_json::from_str(&explained).unwrap();
    assert_eq!(explained["judged"], true);
}

#[test]
fn the_nearest_file_with_main_is_where_a_program_begins() {
    let main = "int main(void) { return 0; }\n";
    let one = repo(&format!(
        "=== tide.c\n{main}=== tools/table.c\n{main}=== other.c\nint other(void) {{ return 1; }}\n"
    ));
    assert_eq!(landmarks(&one), ["tide.c"]);
    let many = ["a", "b", "c", "d"].map(|name| format!("=== {name}.c\n{main}")).concat();
    assert!(landmarks(&repo(&many)).is_empty());
    let beside = format!(
        "=== src/serve.c\n{main}=== src/crc.c\n#ifdef CRC_TEST_MAIN\n{main}#endif\n{}",
        many.replace("=== ", "=== utils/")
    );
    assert_eq!(landmarks(&repo(&beside)), ["src/serve.c"]);
}

#[test]
fn one_file_takes_no_more_than_a_third_of_an_overview_while_others_have_something() {
    let functions = |file: &str, n: usize| -> String {
        let one = |at| {
            format!("/// Number {at}.\npub fn {file}_{at}(a: u32) -> u32 {{\n    a + {at}\n}}\n")
        };
        (0..n).map(one).collect()
    };
    let users = |n: usize| -> String {
        let uses: String = (0..200).map(|at| format!("    large_{at}(1);\n")).collect();
        let user = |at: usize| {
            let own = functions(&format!("user_{at}"), 9);
            let head = format!("=== src/user_{at}.rs\nuse crate::large::*;\n");
            format!("{head}pub fn user_{at}() {{\n{uses}}}\n{own}")
        };
        (0..n).map(user).collect()
    };
    let large = format!("=== src/large.rs\n{}", functions("large", 200));
    let tokens_of_large = |repo: &Repo| {
        let map = run(repo, &["--tokens", "3000", "--format", "json", "--no-history"]).stdout;
        let map: Value = serde_json::from_str(&map).unwrap();
        let files = map["parts"].as_array().unwrap().clone();
        let large = files.iter().find(|file| file["path"] == "src/large.rs").unwrap();
        large["tokens"].as_u64().unwrap()
    };
    let beside = tokens_of_large(&repo(&format!("{large}{}", users(12))));
    assert!((600..=1100).contains(&beside), "{beside}");
    let alone = tokens_of_large(&repo(&large));
    assert!(alone > 2500, "{alone}");
}

#[test]
fn a_map_without_a_goal_shows_readme_manifest_entry_points_and_surface() {
    let map = run(&library(), &["--tokens", "260", "--no-history"]);
    assert_snapshot!(map.stdout, @r#"
    # Repository map
    ## Cargo.toml
    ```toml
    [package]
    name = "tides"
    description = "Tide tables"
    [dependencies]
    serde = "1"
    … 3 more
    ```
    ## README.md
    ````markdown
    # tides
    Computes tide tables for any harbour.
    ## Contributing

    Send a patch.
    ## Usage

    Call `Table::of`.

    ```rust
    Table::of("Brest");
    ```
    ````
    ## src/harbour.rs (full)
    ```rust
    /// A harbour.
    pub struct Harbour { pub depth: u32 }
    impl Harbour {
        pub fn find(name: &str) -> Harbour { Harbour { depth: 9 } }
    }
    ```
    ## src/lib.rs (full)
    ```rust
    //! Tide tables.
    pub mod table;
    pub mod harbour;
    ```
    ## src/main.rs
    ```rust
    fn main() { … }
    ```
    ## src/table.rs
    ```rust
    ⋮
    /// A table of tides.
    pub struct Table { rows: u32 }
    impl Table
        fn of
    … 3 more
    ```
    - tests/ (1 file: rs 1)
    ## Left out
    Folded: 1 file.
    Not shown: 1 file (vendor/ 1).
    "#);
}

#[test]
fn a_landmark_is_a_part_of_the_score_without_a_goal_only() {
    let library = library();
    let ranked = |more: &[&str]| {
        run(&library, &[&["rank", "--no-history", "--limit", "4"], more].concat()).stdout
    };
    assert_snapshot!(ranked(&[]), @"
    1.000  src/lib.rs  landmark 0.35, rank 1.00
    0.895  README.md  landmark 1.00, rank 0.21
    0.771  Cargo.toml  landmark 0.80, rank 0.24
    0.672  src/harbour.rs  rank 0.91
    ");
    let with_goal = ranked(&["--goal", "depth of a harbour"]);
    assert!(!with_goal.contains("landmark"), "{with_goal}");
}

#[test]
fn a_long_manual_does_not_displace_the_rest_of_the_surface() {
    let manual = "    Each line of this manual says a little more about the app.\n".repeat(60);
    let text = format!(
        "=== app.py\nclass App:\n    \"\"\"An app.\n\n{manual}    \"\"\"\n\n    def run(self):\n        \
         start(self)\n=== server.py\nfrom app import App\ndef start(app: App) -> None:\n    \
         listen(app)\ndef listen(app: App) -> None:\n    pass\n"
    );
    let map = run(&repo(&text), &["--tokens", "400", "--no-history"]).stdout;
    assert!(map.contains("def start(app: App) -> None") && map.contains("class App"), "{map}");
    assert!(!map.contains("Each line of this manual"), "{map}");
}

/// Maps a repository without a goal and without what git knows.
fn overview(files: &str, tokens: &str) -> String {
    run(&repo(files), &["--tokens", tokens, "--no-history"]).stdout
}

#[test]
fn a_long_type_is_shown_before_its_methods() {
    let fields: String = (0..200).map(|n| format!("\tField{n} map[string]int\n")).collect();
    let methods: String = (0..30)
        .map(|n| format!("// Do{n} does it.\nfunc (c *Command) Do{n}() int {{ return {n} }}\n"))
        .collect();
    let map = overview(
        &format!(
            "=== command.go\npackage cli\n// Command is the central type.\n\
             type Command struct {{\n{fields}}}\n{methods}"
        ),
        "120",
    );
    assert!(map.contains("// Command is the central type.\ntype Command struct { … }"), "{map}");
}

#[test]
fn what_another_file_defines_already_counts_little() {
    let api = "/** Maps events. */\nexport interface EventsMap { [event: string]: any }\n";
    let map = overview(
        &format!(
            "=== a/events.ts\n{api}=== b/events.ts\n{api}\
             === b/server.ts\n/** Listens. */\nexport class Server {{ listen() {{}} }}\n"
        ),
        "75",
    );
    assert_eq!(map.matches("export interface EventsMap").count(), 1, "{map}");
    assert!(map.contains("export class Server"), "{map}");
}

#[test]
fn the_text_before_a_subheading_is_shown_or_marked_and_badges_are_not() {
    let readme = "# Logs&nbsp;[![Build](https://ci.example.org/b.svg)](https://ci.example.org)\n\n\
                  Writes logs.\n\nUse it so:\n\n    log()\n\n\
                  [![Logo](https://example.org/logo.png)](https://example.org)\n\nMore words.\n\n\
                  ## Changelog\n\n### 1.0.0\n\nThe first release of all of it, with many words.\n\n\
                  ## Usage\n\nCall `log()`.\n";
    let map = overview(&format!("=== README.md\n{readme}=== log.py\ndef log(): pass\n"), "100");
    assert_snapshot!(map, @"
    # Repository map
    ## README.md
    ```markdown
    # Logs
    Writes logs.

    Use it so:

        log() …
    ## Changelog
    ### 1.0.0

    The first release of all of it, with many words.
    ## Usage

    Call `log()`.
    ```
    ## log.py (full)
    ```python
    def log(): pass
    ```
    ");
}

#[test]
fn a_readme_in_restructuredtext_is_shown_by_its_first_sections() {
    let more = "More of the history of logs, which nobody needs at first.\n".repeat(30);
    let map = overview(
        &format!(
            "=== README.rst\n.. image:: logo.svg\n   :alt: Log\n\n|build| |docs|\n\n\
             ====\nLogs\n====\n\nWrites log files.\n\nUse\n---\n\nStart it::\n\n    log\n\n\
             History\n-------\n\n{more}\nLicense\n-------\n\nNone.\n=== log.py\ndef log(): pass\n"
        ),
        "100",
    );
    assert_snapshot!(map, @"
    # Repository map
    ## README.rst
    ```rst
    ====
    Logs
    ====
    Writes log files.
    Use
    ---

    Start it::

        log
        History
    License
    -------

    None.
    ```
    ## log.py (full)
    ```python
    def log(): pass
    ```
    ");
}

#[test]
fn a_readme_in_asciidoc_is_shown_by_its_first_sections() {
    let more = "More of the history of logs, which nobody needs at first.\n".repeat(30);
    let map = overview(
        &format!(
            "=== README.adoc\n= Logs image:https://a.b/c.svg[Build]\n:toc: left\n\n\
             Writes log files.\n\n== Use\n\nStart it:\n\n----\nlog\n\nlog -v\n----\n\n\
             == History\n\n{more}\n== License\n\nNone.\n=== log.py\ndef log(): pass\n"
        ),
        "100",
    );
    assert_snapshot!(map, @"
    # Repository map
    ## README.adoc
    ```asciidoc
    = Logs
    Writes log files.
    == Use

    Start it:

    ----
    log

    log -v
    ----
        History
    == License

    None.
    ```
    ## log.py (full)
    ```python
    def log(): pass
    ```
    ");
}

#[test]
fn what_is_marked_deprecated_counts_less_than_its_replacement() {
    for (path, text) in [
        (
            "Reply.kt",
            "class Reply {\n  @Deprecated(message = \"moved\")\n  fun gone(): Int = 1\n\n  \
             fun kept(): Int = 1\n}\n",
        ),
        (
            "Reply.java",
            "class Reply {\n  /** @deprecated by kept */\n  int gone() { return 1; }\n\n  \
             /** The other one. */\n  int kept() { return 1; }\n}\n",
        ),
        ("reply.rs", "#[deprecated]\npub fn gone() {}\n\npub fn kept() {}\n"),
        (
            "reply.go",
            "package reply\n\n// Gone is old.\n// Deprecated: use Kept.\nfunc Gone() int {\n\t\
             return 1\n}\n\n// Kept is new.\nfunc Kept() int {\n\treturn 1\n}\n",
        ),
        ("reply.cpp", "[[deprecated]] int gone() { return 1; }\n\nint kept() { return 1; }\n"),
        ("reply.py", "@deprecated(\"no\")\ndef gone():\n    pass\n\ndef kept():\n    pass\n"),
        (
            "Reply.cs",
            "class Reply {\n  [Obsolete]\n  int gone() { return 1; }\n\n  \
                      int kept() { return 1; }\n}\n",
        ),
    ] {
        let explained =
            run(&repo(&format!("=== {path}\n{text}")), &["explain", path, "--format", "json"]);
        let explained: Value = serde_json::from_str(&explained.stdout).unwrap();
        let items = explained["items"].as_array().unwrap();
        let [gone, kept] = ["gone", "kept"].map(|name| {
            let is_it =
                |item: &&Value| item["name"].as_str().unwrap().to_lowercase().ends_with(name);
            items.iter().find(is_it).unwrap()["worth"].as_f64().unwrap()
        });
        assert!(gone < 0.3 * kept, "{path}: {gone} {kept}");
    }
}

#[test]
fn badges_over_two_lines_are_no_description() {
    let text = "# Till\n\n[![CRAN\nstatus](https://a/b.svg)](https://a)\n\
                [![Code\ncoverage](c)](d)\n\n- Website: https://till.example.org\n\n\
                Counts coins.\n\n## Use\n\nRun it.\n";
    let map = overview(&format!("=== README.md\n{text}"), "60");
    assert!(map.contains("Counts coins.") && !map.contains("status"), "{map}");
}

#[test]
fn what_no_one_outside_can_use_counts_less_in_an_overview() {
    for (path, text) in [
        (
            "graph.go",
            "package a\n\ntype inner struct{}\n\nfunc (i inner) Inside() int { return 1 }\n\n\
             type Outer struct{}\n\nfunc (o Outer) Outside() int { return 1 }\n",
        ),
        (
            "Graph.hs",
            "module Graph (outside) where\n\ninside :: Int\ninside = 1\n\noutside :: Int\n\
             outside = 1\n",
        ),
    ] {
        let explained =
            run(&repo(&format!("=== {path}\n{text}")), &["explain", path, "--format", "json"]);
        let explained: Value = serde_json::from_str(&explained.stdout).unwrap();
        let items = explained["items"].as_array().unwrap();
        let [inside, outside] = ["inside", "outside"].map(|end| {
            let is_it =
                |item: &&Value| item["name"].as_str().unwrap().to_lowercase().ends_with(end);
            items.iter().find(is_it).unwrap()["worth"].as_f64().unwrap()
        });
        assert!(inside < 0.7 * outside, "{path}: {inside} {outside}");
    }
}

#[test]
fn large_files_leave_room_for_what_is_small() {
    let repo = repo("=== README.md\n# Shop\n=== notes.md\n# Notes\n\nOf a till with coins.\n");
    let large = format!("# Chapter\n\n{}", "Coins and more coins.\n".repeat(80_000));
    for nth in 0..4 {
        repo.write(&format!("chapter{nth}.md"), large.as_bytes());
    }
    let explained = |path: &str| {
        run(&repo, &["explain", path, "-t", "4000", "--goal", "coins and more coins"]).stdout
    };
    let small = explained("notes.md");
    assert!(small.contains("rank    5 of 6") && !small.contains("not judged in depth"), "{small}");
    assert!(explained("chapter3.md").contains("not judged in depth"));
}
