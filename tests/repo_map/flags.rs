//! Flags of a map together: which level wins, what a floor promises, focus, formats and tokenizers
//! at the edges of the budget.
//!
//! Long: outputs stand here as they are printed.

use insta::assert_snapshot;
use serde_json::Value;
use test_support::{Repo, repo, service};

use crate::run;

/// The level of each file under these flags, and those of items that have one of their own.
fn levels(repo: &Repo, flags: &[&str]) -> String {
    let args: Vec<&str> = flags.iter().flat_map(|flag| ["--level", flag]).collect();
    let ran = run(repo, &[&args[..], &["--format", "json", "--tokens", "4k"]].concat());
    assert!(ran.code == 0 || ran.code == 3, "{flags:?}: {}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let mut page = String::new();
    for file in report["files"].as_array().unwrap() {
        let text = |key: &str| file[key].as_str().unwrap_or_default();
        page.push_str(&format!("{} {}\n", text("path"), text("level")));
        for item in file["items"].as_array().into_iter().flatten() {
            page.push_str(&format!("  {} {}\n", item["name"], item["level"]));
        }
    }
    page
}

#[test]
fn of_two_levels_for_a_path_the_last_wins_whatever_is_narrower() {
    let repo = service();
    assert_snapshot!(levels(&repo, &["**=path", "src=outline", "src/http.rs=full"]), @"
    README.md path
    assets/logo.svg path
    src/color.rs outline
    src/http.rs full
    src/session.rs outline
    tests/session.rs path
    ");
    assert_snapshot!(levels(&repo, &["src/http.rs=full", "src=outline", "**=path"]), @"
    README.md path
    assets/logo.svg path
    src/color.rs path
    src/http.rs path
    src/session.rs path
    tests/session.rs path
    ");
    assert_snapshot!(levels(&repo, &["**=exclude", "*.rs=path", "/src/*.rs=interface"]), @"
    README.md exclude
    assets/logo.svg exclude
    src/color.rs interface
    src/http.rs interface
    src/session.rs interface
    tests/session.rs path
    ");
}

#[test]
fn levels_of_items_are_settled_apart_from_those_of_files() {
    let repo = service();
    let item = "src/session.rs#Session::refresh=full";
    assert_snapshot!(levels(&repo, &["**=path", item]), @r#"
    README.md path
    assets/logo.svg path
    src/color.rs path
    src/http.rs path
    src/session.rs path
      "Session@2" "interface"
      "Session::refresh" "full"
    tests/session.rs path
    "#);
    assert_snapshot!(levels(&repo, &[item, "**=path"]), @r#"
    README.md path
    assets/logo.svg path
    src/color.rs path
    src/http.rs path
    src/session.rs path
      "Session@2" "interface"
      "Session::refresh" "full"
    tests/session.rs path
    "#);
    assert_snapshot!(levels(&repo, &["**=path", item, "src=exclude"]), @"
    README.md path
    assets/logo.svg path
    src/color.rs exclude
    src/http.rs exclude
    src/session.rs exclude
    tests/session.rs path
    ");
    assert_snapshot!(
        levels(&repo, &["**=path", item, "src/session.rs#refresh=exclude", "src=outline"]),
        @r#"
    README.md path
    assets/logo.svg path
    src/color.rs outline
    src/http.rs outline
    src/session.rs outline
      "Session::refresh" "exclude"
    tests/session.rs path
    "#
    );
}

#[test]
fn a_glob_of_the_command_line_is_one_of_gitignore() {
    let repo = repo(
        "=== a.rs\n=== b.md\n=== docs/a.md\n=== docs/deep/b.md\n=== src/a.rs\n=== src/docs/c.md\n\
         === src/deep/x1.c\n=== src/deep/x2.h\n=== src/deep/xy.h\n",
    );
    let matched = |glob: &str| {
        let flag = format!("{glob}=path");
        let map = run(&repo, &["--level", "**=exclude", "--level", &flag]);
        assert_eq!(map.code, 0, "{glob}: {}", map.stderr);
        let paths: Vec<&str> =
            map.stdout.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        format!("{glob:<14} {}\n", paths.join(" "))
    };
    let globs = [
        "*.md",
        "docs",
        "docs/",
        "/docs",
        "docs/*.md",
        "docs/**",
        "**/docs/*.md",
        "src/**/*.h",
        "x?.h",
        "x[0-9].*",
        "*.{c,h}",
        "/*",
        "/a.rs",
        "a.rs",
        "src/a.rs",
        "**/deep",
    ];
    assert_snapshot!(globs.map(matched).concat(), @"
    *.md           b.md docs/a.md docs/deep/b.md src/docs/c.md
    docs           docs/a.md docs/deep/b.md src/docs/c.md
    docs/          docs/a.md docs/deep/b.md src/docs/c.md
    /docs          docs/a.md docs/deep/b.md
    docs/*.md      docs/a.md
    docs/**        docs/a.md docs/deep/b.md
    **/docs/*.md   docs/a.md src/docs/c.md
    src/**/*.h     src/deep/x2.h src/deep/xy.h
    x?.h           src/deep/x2.h src/deep/xy.h
    x[0-9].*       src/deep/x1.c src/deep/x2.h
    *.{c,h}        src/deep/x1.c src/deep/x2.h src/deep/xy.h
    /*             a.rs b.md docs/a.md docs/deep/b.md src/a.rs src/deep/x1.c src/deep/x2.h \
    src/deep/xy.h src/docs/c.md
    /a.rs          a.rs
    a.rs           a.rs src/a.rs
    src/a.rs       src/a.rs
    **/deep        docs/deep/b.md src/deep/x1.c src/deep/x2.h src/deep/xy.h
    ");
}

#[test]
fn a_range_says_how_far_the_fit_may_go() {
    let repo = service();
    // A plus is an item with a level of its own.
    let sizes = |range: &str, tokens: &str| {
        let flag = format!("src={range}");
        let ran = run(
            &repo,
            &["--level", "**=exclude", "--level", &flag, "--tokens", tokens, "--format", "json"],
        );
        let report: Value = serde_json::from_str(&ran.stdout).unwrap();
        let shown: Vec<String> = report["files"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|file| file["path"].as_str().unwrap().starts_with("src/"))
            .map(|file| {
                let items = file["items"].as_array().map_or(0, Vec::len);
                format!("{}{}", file["level"].as_str().unwrap(), "+".repeat(items))
            })
            .collect();
        format!("{range:<18} {tokens:>4} tokens, exit {}: {}\n", ran.code, shown.join(" "))
    };
    let mut page = String::new();
    for range in ["path", "path..outline", "..interface", "outline..", "..", "full"] {
        for tokens in ["60", "150", "4000"] {
            page.push_str(&sizes(range, tokens));
        }
    }
    assert_snapshot!(page, @"
    path                 60 tokens, exit 0: path path path
    path                150 tokens, exit 0: path path path
    path               4000 tokens, exit 0: path path path
    path..outline        60 tokens, exit 0: outline outline outline
    path..outline       150 tokens, exit 0: outline outline outline
    path..outline      4000 tokens, exit 0: outline outline outline
    ..interface          60 tokens, exit 0: fold fold path+
    ..interface         150 tokens, exit 0: path path interface+
    ..interface        4000 tokens, exit 0: interface interface interface
    outline..            60 tokens, exit 0: outline outline outline
    outline..           150 tokens, exit 0: interface outline outline+++
    outline..          4000 tokens, exit 0: full full full
    ..                   60 tokens, exit 0: fold fold path+
    ..                  150 tokens, exit 0: path path interface+
    ..                 4000 tokens, exit 0: full full full
    full                 60 tokens, exit 3: path path path
    full                150 tokens, exit 3: full interface path
    full               4000 tokens, exit 0: full full full
    ");
}

#[test]
fn paths_may_begin_as_shells_complete_them() {
    let repo = service();
    let map = |dot: &str| {
        let [focus, level] = ["src/color.rs", "src/*=..path"].map(|one| format!("{dot}{one}"));
        run(&repo, &["--focus", &focus, "--level", &level])
    };
    let [plain, dotted] = ["", "./"].map(map);
    assert_eq!((dotted.code, dotted.stdout), (0, plain.stdout), "{}", dotted.stderr);
}

#[test]
fn a_focus_goes_first_when_room_is_short_and_is_no_floor() {
    let repo = service();
    let map = |more: &[&str]| run(&repo, &[&["--tokens", "75"], more].concat()).stdout;
    assert_snapshot!(map(&[]), @"
    # Repository map
    ## README.md (full)
    ```markdown
    # Service

    Sessions for a web service.
    ```
    - assets/logo.svg
    - src/color.rs
    - src/http.rs
    - src/session.rs
    - tests/session.rs
    ");
    assert_snapshot!(map(&["--focus", "src/color.rs"]), @"
    # Repository map
    ## README.md (full)
    ```markdown
    # Service

    Sessions for a web service.
    ```
    ## src/color.rs (full)
    ```rust
    /// Mixes two colors.
    pub fn mix(a: u32, b: u32) -> u32 {
        (a + b) / 2
    }
    ```
    - src/session.rs
    ");
    assert_snapshot!(map(&["--focus", "src/color.rs", "--level", "src/color.rs=..path"]), @"
    # Repository map
    ## README.md (full)
    ```markdown
    # Service

    Sessions for a web service.
    ```
    - assets/logo.svg
    - src/color.rs
    - src/http.rs
    - src/session.rs
    - tests/session.rs
    ");
}

/// The map for a goal in so many tokens.
fn map_of(repo: &Repo, tokens: u32, more: &[&str]) -> String {
    let tokens = tokens.to_string();
    let flags = ["--goal", "refresh a session", "--tokens", &tokens];
    run(repo, &[&flags[..], more].concat()).stdout
}

#[test]
fn no_format_passes_its_budget_by_any_tokenizer() {
    let repo = service();
    for tokens in [1, 2, 5, 13, 55, 377] {
        for format in ["markdown", "xml"] {
            let map = map_of(&repo, tokens, &["--format", format, "--tokenizer", "bytes/4"]);
            assert!(map.len() <= 4 * tokens as usize, "{} bytes of {tokens}:\n{map}", map.len());
        }
    }
    for tokenizer in ["o200k_base", "cl100k_base"] {
        for tokens in [1, 21, 233] {
            let report = map_of(&repo, tokens, &["--format", "json", "--tokenizer", tokenizer]);
            let report: Value = serde_json::from_str(&report).unwrap();
            let count = report["tokens"].as_u64().unwrap();
            assert!(count <= u64::from(tokens), "{count} of {tokens} by {tokenizer}");
            assert_eq!(
                (&report["tokenizer"], report["free"].as_u64()),
                (&tokenizer.into(), Some(u64::from(tokens) - count))
            );
        }
    }
}

#[test]
fn the_smallest_maps_say_as_much_as_fits() {
    let repo = service();
    let mut page = String::new();
    for (tokens, format) in [
        (1, "markdown"),
        (4, "markdown"),
        (12, "markdown"),
        (30, "markdown"),
        (1, "xml"),
        (12, "xml"),
        (30, "xml"),
    ] {
        let map = map_of(&repo, tokens, &["--format", format]);
        page.push_str(&format!("--- {tokens} tokens of {format}\n{map}"));
    }
    assert_snapshot!(page, @r#"
    --- 1 tokens of markdown
    --- 4 tokens of markdown
    --- 12 tokens of markdown
    # Repository map
    - src/session.rs
    --- 30 tokens of markdown
    # Repository map
    ## src/session.rs
    ```rust
    impl Session
        fn refresh
    struct Expired
    … 2 more
    ```
    --- 1 tokens of xml
    --- 12 tokens of xml
    <file path="src/session.rs"/>
    --- 30 tokens of xml
    <map>
    <folder path="src/" more="2"/>
    <file path="src/session.rs"/>
    </map>
    "#);
}

#[test]
fn xml_names_what_is_kept_at_its_path_and_why() {
    let repo = repo(
        "=== a & b/<c>.rs\n/// Says \"]]>\".\npub fn c() {}\n=== logo.png\nx\n\
         === made.go\n// Code generated by x. DO NOT EDIT.\npackage a\n=== notes.txt\n<b> & ]]>\n",
    );
    let ran = run(&repo, &["--format", "xml", "--level", "**=..full"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_snapshot!(ran.stdout, @r#"
    <map>
    <file path="a &amp; b/&lt;c&gt;.rs" level="full"><![CDATA[
    /// Says "]]]]><![CDATA[>".
    pub fn c() {}
    ]]></file>
    <file path="logo.png" mark="binary"/>
    <file path="made.go" mark="generated"/>
    <file path="notes.txt" level="full"><![CDATA[
    <b> & ]]]]><![CDATA[>
    ]]></file>
    </map>
    "#);
}

#[test]
fn line_numbers_stand_in_every_format() {
    let repo = repo("=== a.rs\n\n/// Adds.\npub fn add() {\n    1;\n}\n");
    let map = |format: &str, level: &str| {
        run(&repo, &["--line-numbers", "--format", format, "--level", level]).stdout
    };
    assert_snapshot!(map("markdown", "a.rs=full"), @"
    # Repository map
    ## a.rs (full)
    ```rust
    1: 
    2: /// Adds.
    3: pub fn add() {
    4:     1;
    5: }
    ```
    ");
    assert_snapshot!(map("markdown", "a.rs=outline"), @"
    # Repository map
    ## a.rs
    ```rust
    2: fn add
    ```
    ");
    assert_snapshot!(map("xml", "a.rs=interface"), @r#"
    <map>
    <file path="a.rs"><![CDATA[
    2: /// Adds.
    3: pub fn add() { … }
    ]]></file>
    </map>
    "#);
}

#[test]
fn many_files_outlined_in_part_are_told_if_the_map_shows_them_and_else_counted() {
    let deep = |at: usize| format!("=== deep{at}.json\n{}\n", "[".repeat(100_000));
    let files: String = (0..4).map(deep).collect();
    let repo = repo(&format!("=== a.rs\npub fn a() {{}}\n{files}"));
    let said = run(&repo, &["--tokens", "60", "--level", "*.rs=full"]).stderr;
    let count = "repo-map: 4 files that this map does not show were outlined in part";
    assert!(said.contains(count) && !said.contains("nested"), "{said}");
    let told = run(&repo, &["--level", "deep1.json=full", "--tokens", "90k"]).stderr;
    assert!(told.contains("deep1.json: nested too deep"), "{told}");
    let item = run(&repo, &["explain", "deep1.json#b"]).stderr;
    assert!(item.contains("has no item `b`") && item.contains("nested too deep"), "{item}");
}

#[test]
fn a_report_lists_its_problems_and_what_was_left_out() {
    let repo = repo(&format!(
        "=== a.rs\npub fn a() {{}}\n=== deep.json\n{}\n=== b.rs\npub fn b() {{}}\n",
        "[".repeat(100_000)
    ));
    let flags = ["--format", "json", "--tokens", "40", "--level", "*.rs=full"];
    let ran = run(&repo, &flags);
    let mut report: Value = serde_json::from_str(&ran.stdout).unwrap();
    report["map"].take();
    assert_snapshot!(serde_json::to_string_pretty(&report).unwrap(), @r#"
    {
      "tool": "repo-map 0.2.0",
      "goal": null,
      "budget": 40,
      "tokens": 36,
      "tokenizer": "o200k_base",
      "free": 4,
      "fill": "near",
      "conflict": null,
      "masked": 0,
      "invisible": 0,
      "problems": [
        "deep.json: nested too deep to be parsed; it has no outline"
      ],
      "parts": [
        {
          "kind": "header",
          "tokens": 4
        },
        {
          "kind": "file",
          "path": "a.rs",
          "tokens": 16
        },
        {
          "kind": "file",
          "path": "b.rs",
          "tokens": 16
        }
      ],
      "files": [
        {
          "path": "a.rs",
          "level": "full",
          "tokens": 16,
          "worth": 1.0,
          "rule": "rules[1]",
          "spans": [
            [
              1,
              1
            ]
          ]
        },
        {
          "path": "b.rs",
          "level": "full",
          "tokens": 16,
          "worth": 1.0,
          "rule": "rules[1]",
          "spans": [
            [
              1,
              1
            ]
          ]
        },
        {
          "path": "deep.json",
          "level": "exclude",
          "tokens": 0,
          "worth": 0.025298,
          "rule": "rules[0]",
          "mark": "minified"
        }
      ],
      "map": null
    }
    "#);
    assert_snapshot!(ran.stderr, @"repo-map: deep.json: nested too deep to be parsed; it has no \
        outline");
}

#[test]
fn a_plan_and_its_flown_plan_make_the_same_map() {
    let repo = service();
    repo.write(
        ".repo-map/plans/mine.yaml",
        b"version: 1\ngoal: refresh a session\ncontext: {tokens: 120}\nrules:\n\
          - {path: '**', level: '..interface'}\n- {path: /src/color.rs, level: exclude}\n",
    );
    let drawn = run(&repo, &["--plan", "mine", "--plan-out", "flown.yaml"]);
    assert_eq!((drawn.code, drawn.stderr.as_str()), (0, ""));
    assert_snapshot!(drawn.stdout, @"
    # Repository map
    - src/http.rs
    ## src/session.rs
    ```rust
    struct Session
    impl Session {
        /// Makes the session live longer; fails when it has expired.
        pub fn refresh(&mut self, now: u64) -> Result<(), Expired> { … }
    }
    ⋮
    /// The session is over.
    pub struct Expired;
    … 1 more
    ```
    - tests/ (1 file: rs 1)
    ## Left out
    Folded: 1 file.
    Not shown: 3 files (./ 1, 2 more).
    ");
    let again = run(&repo, &["--plan", "flown.yaml"]);
    assert_eq!((again.code, again.stdout, again.stderr.as_str()), (0, drawn.stdout, ""));
    let flown = std::fs::read_to_string(repo.path().join("flown.yaml")).unwrap();
    let (asked, _) = flown.split_once("provenance:").unwrap();
    assert_snapshot!(asked, @"
    version: 1
    goal: refresh a session
    context:
      tokens: 120
      tokenizer: o200k_base
      format: markdown
      fill: near
    scan:
      ignored:
      - .repo-map/plans/mine.yaml
      - flown.yaml
      outside: []
    rules:
    - path: '**'
      level: exclude
    - path: /tests/**
      level: fold
    - path: /src/http.rs
      level: path
    - path: /src/session.rs
      level: path
      items:
      - name: Session@1
        level: outline
      - name: Session@2
        level: interface
      - name: Session::refresh
        level: interface
      - name: Expired
        level: interface
    ");
}

#[test]
fn a_plan_by_name_is_the_users_before_the_repositorys() {
    let repo = service();
    let program = crate::program();
    let plan = |glob: &str| format!("version: 1\nrules: [{{path: '{glob}', level: path}}]\n");
    let map = |name: &str| program.run(repo.path(), &["--plan", name]);
    repo.write(".repo-map/plans/one.yaml", plan("*.svg").as_bytes());
    assert_snapshot!(map("one").stdout, @"
    # Repository map
    - ./ +1 file
    - assets/logo.svg
    - src/ (3 files: rs 3)
    - tests/ (1 file: rs 1)
    ## Left out
    Folded: 5 files.
    ");
    let own = program.home().join(".config/repo-map/plans");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("one.yaml"), plan("README.md")).unwrap();
    assert_snapshot!(map("one").stdout, @"
    # Repository map
    - README.md
    - assets/ (1 file: svg 1)
    - src/ (3 files: rs 3)
    - tests/ (1 file: rs 1)
    ## Left out
    Folded: 5 files.
    ");
    // The plan's name is not the name of a file of the repository.
    repo.write("one", b"a file\n");
    repo.write(".repo-map/plans/all.yaml", plan("**").as_bytes());
    repo.write("all", b"a file\n");
    assert!(map("all").stdout.contains("\n- all\n- assets/logo.svg\n- one\n"));
    let none = map("two");
    assert_eq!((none.code, none.stdout.as_str()), (2, ""));
    let said = none.stderr.replace(&own.display().to_string(), "OWN");
    assert_snapshot!(said, @"repo-map: two: no plan of this name (looked for OWN/two.yaml \
        and ./.repo-map/plans/two.yaml)");
}
