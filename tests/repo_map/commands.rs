//! The commands beside the map, in words and in JSON: `rank`, `tree`, `check`, `diff`, `cache`,
//! `languages`, `schema`.

use insta::assert_snapshot;
use serde_json::Value;
use test_support::{Ran, Repo, repo, service};

use crate::{program, run};

const GOAL: [&str; 3] = ["--no-history", "--goal", "refresh a session"];

/// Everything that a run says.
fn page(ran: &Ran) -> String {
    format!("exit {}\n{}{}", ran.code, ran.stdout, ran.stderr)
}

fn json_lines(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rank_prints_as_many_files_as_are_asked() {
    let repo = service();
    let rank = |more: &[&str]| run(&repo, &[&["rank"], &GOAL[..], more].concat());
    assert_snapshot!(page(&rank(&[])), @"
    exit 0
    1.000  src/session.rs  definitions 1.00, folder 0.35, items 1.00, name 1.00, rank 0.83, rare \
    1.00, title 1.00, words 0.82
    0.572  src/http.rs  folder 0.65, items 0.73, rank 0.61, rare 1.00, title 0.39, words 0.65
    0.185  tests/session.rs  items 0.72, name 1.00, rank 0.30, rare 0.53, title 0.38, words 1.00
    0.082  src/color.rs  folder 1.00, rank 0.61
    0.054  README.md  items 0.28, rank 1.00, rare 0.33, title 0.15, words 0.20
    0.000  assets/logo.svg  rank 0.19
    ");
    for (limit, n) in [("0", 0), ("1", 1), ("3", 3), ("99", 6)] {
        let limited = rank(&["-n", limit]);
        assert_eq!(limited.stdout.lines().count(), n, "{limit}: {}", limited.stdout);
        assert!(rank(&[]).stdout.starts_with(&limited.stdout));
    }
}

#[test]
fn rank_says_the_same_in_words_and_in_json() {
    let repo = service();
    let words = run(&repo, &[&["rank"], &GOAL[..]].concat()).stdout;
    let lines = json_lines(&run(&repo, &[&["rank", "--format", "json"], &GOAL[..]].concat()));
    let in_words: Vec<String> = lines
        .iter()
        .map(|file| {
            let parts: Vec<String> = file["parts"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| format!("{name} {:.2}", value.as_f64().unwrap()))
                .filter(|part| !part.ends_with(" 0.00"))
                .collect();
            let score = file["score"].as_f64().unwrap();
            format!("{score:.3}  {}  {}", file["path"].as_str().unwrap(), parts.join(", "))
        })
        .collect();
    assert_eq!(words.lines().collect::<Vec<_>>(), in_words);
}

#[test]
fn a_tree_goes_as_deep_as_is_asked_and_hides_what_is_small() {
    let text = "word ".repeat(2_000);
    let repo = repo(&format!(
        "=== a/b/c/d.rs\nfn d() {{}}\n=== a/big.txt\n{text}\n=== tiny/one.txt\n1\n\
         === small/two.txt\n2\n=== small/three.txt\n3\n"
    ));
    let tree = |more: &[&str]| run(&repo, &[&["tree"], more].concat()).stdout;
    assert_snapshot!(tree(&["--depth", "0"]), @"
    full  interface  outline  path                            of full: █ outline ▓ interface ░ \
    the rest
    2073         52       51    34  █░░░░░░░░░░░░░░░░░░░░░░░  ./  5 files
    ");
    assert_snapshot!(tree(&["--depth", "1"]), @"
    full  interface  outline  path                            of full: █ outline ▓ interface ░ \
    the rest
    2073         52       51    34  █░░░░░░░░░░░░░░░░░░░░░░░  ./  5 files
    2031         25       24    16  █░░░░░░░░░░░░░░░░░░░░░░░  ├─ a/  2 files
      28         18       18    12  █                         ├─ small/  2 files
      14          9        9     6  █                         └─ tiny/  1 file
    ");
    assert_snapshot!(tree(&["--depth", "1", "--all"]), @"
    full  interface  outline  path                            of full: █ outline ▓ interface ░ \
    the rest
    2073         52       51    34  █░░░░░░░░░░░░░░░░░░░░░░░  ./  5 files
    2031         25       24    16  █░░░░░░░░░░░░░░░░░░░░░░░  ├─ a/  2 files
      28         18       18    12  █                         ├─ small/  2 files
      14          9        9     6  █                         └─ tiny/  1 file
    ");
    assert_snapshot!(tree(&["--depth", "9", "--all", "--files"]), @"
    full  interface  outline  path                            of full: █ outline ▓ interface ░ \
    the rest
    2073         52       51    34  █░░░░░░░░░░░░░░░░░░░░░░░  ./  5 files
    2031         25       24    16  █░░░░░░░░░░░░░░░░░░░░░░░  ├─ a/  2 files
    2013          9        9     9  █░░░░░░░░░░░░░░░░░░░░░░░  │  ├─ big.txt
      18         16       15     7  █                         │  └─ b/  1 file
      18         16       15     7  █                         │     └─ c/  1 file
      18         16       15     7  █                         │        └─ d.rs
      28         18       18    12  █                         ├─ small/  2 files
      14          9        9     6  █                         │  ├─ three.txt
      14          9        9     6  █                         │  └─ two.txt
      14          9        9     6  █                         └─ tiny/  1 file
      14          9        9     6  █                            └─ one.txt
    ");
    let json = run(&repo, &["tree", "--depth", "9", "--files", "--format", "json"]);
    let paths: Vec<String> =
        json_lines(&json).iter().map(|line| line["path"].as_str().unwrap().to_owned()).collect();
    assert_snapshot!(paths.join("\n"), @"
    ./
    a/
    a/b/
    a/b/c/
    a/b/c/d.rs
    a/big.txt
    small/
    small/three.txt
    small/two.txt
    tiny/
    tiny/one.txt
    ");
}

#[test]
fn a_check_of_a_plan_without_rules_leaves_levels_to_the_fit() {
    let repo = service();
    repo.write("plan.yaml", b"version: 1\ngoal: sessions\n");
    assert_snapshot!(page(&run(&repo, &["check", "plan.yaml"])), @"
    exit 0
    plan.yaml: valid, 0 rules over 6 files
      no rule: 6 files (the fit decides)
    ");
}

#[test]
fn a_check_counts_what_each_rule_matches_and_wins() {
    let repo = service();
    repo.write(
        "plan.yaml",
        b"version: 1\nrules:\n- {path: '**', level: ..interface}\n- {path: src, level: outline..}\n\
          - {path: /src/http.rs, items: [{name: answer, level: full}, {name: reply, level: \
          full}]}\n\
          - {path: sr, level: full}\n- {path: '*.{rs,svg}', level: path}\n",
    );
    assert_snapshot!(page(&run(&repo, &["check", "plan.yaml"])), @"
    exit 0
    plan.yaml: valid, 5 rules over 6 files
      rules[0] ** exclude..interface: matches 6, wins 1
      rules[1] src outline..full: matches 3, wins 0  later rules win everywhere
      rules[2] /src/http.rs items: matches 1, wins 1
        item `reply` is in none of them
      rules[3] sr full: matches 0, wins 0  matches nothing (did you mean `src`?)
      rules[4] *.{rs,svg} path: matches 5, wins 5
      no rule: 0 files (at most fold)
    ");
}

#[test]
fn a_plan_that_is_wrong_is_refused_as_the_page_on_plans_says() {
    let repo = service();
    let refused = |yaml: &str| {
        repo.write("review.yaml", yaml.as_bytes());
        let ran = run(&repo, &["check", "review.yaml"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{yaml}");
        ran.stderr
    };
    let rules = |rule: &str| refused(&format!("version: 1\nrules:\n{rule}\n"));
    let mut said = String::new();
    for rule in [
        "- path: src\n  level: signatures",
        "- path: src\n  level: full..path",
        "- path: src\n  level: ''",
        "- path: src\n  level: a..b..c",
        "- pattern: src\n  level: path",
        "- path: ''\n  level: path",
        "- path: '!docs'\n  level: path",
        "- path: 'a[b'\n  level: path",
        "- path: src",
        "- level: path",
        "- path: src\n  items: [{name: a, level: path}]",
        "- path: src\n  items: [{name: a, level: outline..full}]",
        "- path: src\n  items: [{name: '', level: full}]",
        "- src",
    ] {
        said.push_str(&rules(rule));
    }
    for plan in [
        "",
        "- path: src\n",
        "version: 2\n",
        "version: one\n",
        "rules: []\n",
        "version: 1\nversion: 1\n",
        "version: 1\ncontext: {tokens: [8]}\n",
        "version: 1\ncontext: {tokens: -1}\n",
        "version: 1\ncontext: {tokenizer: gpt2}\n",
        "version: 1\ncontext: {format: json}\n",
        "version: 1\nscan: {mask: some}\n",
        "version: 1\nscan: {hidden: maybe}\n",
        "version: 1\nrules: {path: src}\n",
        "version: 1\n\tgoal: x\n",
        "version: 1\ngoal: [a]\n",
    ] {
        said.push_str(&refused(plan));
    }
    assert_snapshot!(said, @r#"
    repo-map: review.yaml:4: rules[0].level: `signatures` is not a level (did you mean `interface`?)
    repo-map: review.yaml:4: rules[0].level: `full..path` is an impossible range: its floor is above its ceiling (did you mean `path..full`?)
    repo-map: review.yaml:4: rules[0].level: `` is not a level (one of exclude, fold, path, outline, interface, body, full)
    repo-map: review.yaml:4: rules[0].level: `a` is not a level (one of exclude, fold, path, outline, interface, body, full)
    repo-map: review.yaml:3: rules[0].pattern: unknown field `pattern`, expected one of `path`, `level`, `items`, `why`, `was`, `mark` (did you mean `path`?)
    repo-map: review.yaml:3: rules[0].path: an empty glob matches nothing (`**` matches every path)
    repo-map: review.yaml:3: rules[0].path: `!docs`: a plan has no negated globs (give `docs` the level `exclude` instead)
    repo-map: review.yaml:3: rules[0].path: `a[b` is not a valid glob: unclosed character class; missing ']'
    repo-map: review.yaml:3: rules[0]: a rule needs a `level`, or `items`
    repo-map: review.yaml:3: rules[0]: missing field `path`
    repo-map: review.yaml:4: rules[0].items[0].level: `path` is a level for paths; an item takes exclude, outline, interface, body or full
    repo-map: review.yaml:4: rules[0].items[0].level: `outline..full` is not a level (one of exclude, fold, path, outline, interface, body, full)
    repo-map: review.yaml:4: rules[0].items[0].name: an item's name cannot be empty
    repo-map: review.yaml:3: rules[0]: invalid type: string "src", expected a rule: a `path` and a `level`
    repo-map: review.yaml: the plan is empty (the least is `version: 1`)
    repo-map: review.yaml:1: invalid type: sequence, expected a plan: fields and their values, `version: 1` among them
    repo-map: review.yaml:1: version: this tool reads plans of version 1, not 2
    repo-map: review.yaml:1: version: invalid type: string "one", expected u32
    repo-map: review.yaml:1: missing field `version`
    repo-map: review.yaml:1: duplicate field `version`
    repo-map: review.yaml:2: context.tokens: invalid type: sequence, expected a number of tokens (`8000`, `8k`)
    repo-map: review.yaml:2: context.tokens: `-1` is not a whole number of tokens
    repo-map: review.yaml:2: context.tokenizer: unknown variant `gpt2`, expected one of `o200k_base`, `cl100k_base`, `bytes/4`
    repo-map: review.yaml:2: context.format: unknown variant `json`, expected `markdown` or `xml`
    repo-map: review.yaml:2: scan.mask: unknown variant `some`, expected `secrets-3` or `off`
    repo-map: review.yaml:2: scan.hidden: invalid type: string "maybe", expected a boolean
    repo-map: review.yaml:2: rules: invalid type: map, expected a sequence
    repo-map: review.yaml:2: version: found a tab character that violates indentation at line 2 column 1, while scanning a plain scalar
    repo-map: review.yaml:2: goal: invalid type: sequence, expected a string
    "#);
}

#[test]
fn two_plans_are_compared_in_words_in_json_and_by_the_exit_code() {
    let repo = service();
    repo.write(
        "a.yaml",
        b"version: 1\ngoal: one\ncontext: {tokens: 100}\nrules:\n\
          - {path: src, level: path}\n- {path: '*.md', level: full}\n",
    );
    repo.write(
        "b.yaml",
        b"version: 1\ngoal: two\ncontext: {tokens: 200, format: xml}\nscan: {hidden: true}\n\
          rules:\n- {path: src, level: outline}\n- {path: docs, level: exclude}\n",
    );
    let diff = |more: &[&str]| page(&run(&repo, &[&["diff"], more].concat()));
    assert_snapshot!(diff(&["a.yaml", "b.yaml"]), @"
    exit 0
    budget: 100 → 200
    format: markdown → xml
    goal: one → two
    hidden: false → true
    only the first has the rule: 2
      src  path
      *.md  full
    only the second has the rule: 2
      src  outline
      docs  exclude
    ");
    assert_snapshot!(diff(&["a.yaml", "b.yaml", "--format", "json", "--exit-code"]), @r#"
    exit 8
    {"asked":{"budget":["100","200"],"format":["markdown","xml"],"goal":["one","two"],"hidden":["false","true"]},"tokens":null,"other_bytes":false,"levels":[],"removed":[{"path":"src","level":"path"},{"path":"*.md","level":"full"}],"added":[{"path":"src","level":"outline"},{"path":"docs","level":"exclude"}],"changed":[],"appeared":[],"gone":[]}
    "#);
    assert_snapshot!(diff(&["a.yaml", "a.yaml", "--exit-code"]), @"
    exit 0
    the plans have the same request and the same result
    ");
    assert_snapshot!(diff(&["a.yaml", "nowhere.yaml"]), @"
    exit 2
    repo-map: nowhere.yaml: cannot be read: No such file or directory (os error 2)
    ");
}

#[test]
fn a_cache_lists_the_repositories_it_knows_and_forgets_them() {
    let (one, two) = (service(), service());
    let program = program();
    let cache = |command: &str| {
        let said = page(&program.run(one.path(), &["cache", command]));
        let said = said.replace(&program.home().display().to_string(), "HOME");
        let root = |repo: &Repo| repo.path().canonicalize().unwrap().display().to_string();
        said.replace(&root(&one), "ONE").replace(&root(&two), "TWO")
    };
    assert_snapshot!(cache("info"), @"
    exit 0
    HOME/.cache/repo-map: 0 repositories, 0.0 MB
    ");
    let goal = [&["rank"], &GOAL[..]].concat();
    program.run(one.path(), &[&goal[..], &["--no-cache"]].concat());
    assert_snapshot!(cache("info"), @"
    exit 0
    HOME/.cache/repo-map: 0 repositories, 0.0 MB
    ");
    program.run(one.path(), &goal);
    program.run(two.path(), &goal);
    let listed = cache("info");
    let first = listed.lines().nth(1).unwrap();
    assert!(first.contains("2 repositories"), "{listed}");
    assert!(listed.contains("  ONE\n") && listed.contains("  TWO\n"), "{listed}");
    assert!(cache("clear").starts_with("exit 0\nremoved "));
    assert_snapshot!(cache("info"), @"
    exit 0
    HOME/.cache/repo-map: 0 repositories, 0.0 MB
    ");
    let elsewhere = tempfile::tempdir().unwrap();
    let mut command = program.command(one.path());
    command.args(["cache", "info"]).env("REPO_MAP_CACHE", elsewhere.path());
    let named = test_support::ran(command.output().unwrap());
    assert!(named.stdout.starts_with(elsewhere.path().to_str().unwrap()), "{}", named.stdout);
}

#[test]
fn every_language_is_listed_with_the_files_that_belong_to_it() {
    let listed = run(&service(), &["languages"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (0, ""));
    assert_snapshot!(listed.stdout, @"
    asciidoc         .adoc .asc .asciidoc
    bash             .sh .bash .zsh .ksh .bats .bashrc .bash_profile .profile .zshrc
    c                .c .h
    cpp              .cc .cpp .cxx .c++ .cppm .ixx .hh .hpp .hxx .h++ .ipp .inl .tpp .cu .cuh
    csharp           .cs .csx
    css              .css
    dockerfile       .dockerfile .containerfile Dockerfile Containerfile
    elixir           .ex .exs mix.lock
    go               .go
    haskell          .hs
    html             .html .htm .xhtml
    java             .java
    javascript       .js .mjs .cjs .jsx
    json             .json .jsonc .json5 .geojson .webmanifest .babelrc .eslintrc .prettierrc
    kotlin           .kt .kts
    lex              .l .lex
    lua              .lua .rockspec
    make             .mk .mak Makefile makefile GNUmakefile
    markdown         .md .markdown .mdown .mkd .mdx
    ocaml            .ml
    ocaml-interface  .mli
    php              .php .phtml .php5 .phps
    protobuf         .proto
    python           .py .pyi .pyw SConstruct SConscript
    rdoc             .rdoc
    rst              .rst
    ruby             .rb .rake .gemspec .ru .rbi Rakefile Gemfile Vagrantfile Podfile
    rust             .rs
    scala            .scala .sc .sbt
    sql              .sql .ddl .psql
    swift            .swift
    toml             .toml Cargo.lock Pipfile poetry.lock uv.lock
    typescript       .ts .mts .cts
    tsx              .tsx
    yacc             .y .yacc .yy
    yaml             .yaml .yml .clang-format .clang-tidy
    zig              .zig .zon
    ");
}

#[test]
fn the_schema_says_what_a_plan_may_hold() {
    let schema = run(&service(), &["schema"]);
    assert_eq!((schema.code, schema.stderr.as_str()), (0, ""));
    let schema: Value = serde_json::from_str(&schema.stdout).unwrap();
    let mut page = String::new();
    let mut list = |name: &str, of: &Value| {
        let Some(properties) = of["properties"].as_object() else { return };
        let keys: Vec<&str> = properties.keys().map(String::as_str).collect();
        page.push_str(&format!("{name}: {} (must: {})\n", keys.join(" "), of["required"]));
    };
    list("plan", &schema);
    for (name, of) in schema["$defs"].as_object().unwrap() {
        list(name, of);
    }
    assert_snapshot!(page, @r#"
    plan: version goal context scan languages rules provenance (must: ["version"])
    Context: tokens tokenizer format fill line_numbers (must: null)
    Scan: hidden no_ignore mask invisible ignored outside (must: null)
    LanguageRule: name grammar extensions file_names query replaces (must: ["name"])
    Rule: path level items why was mark (must: ["path"])
    ItemRule: name level (must: ["name","level"])
    Provenance: tool map tree site pages files (must: ["tool","map","tree"])
    MapFacts: tokens digest (must: ["tokens","digest"])
    TreeFacts: files digest paths (must: ["files","digest","paths"])
    SiteFacts: address recording unread (must: ["address","recording"])
    UnreadPages: pages named (must: ["pages","named"])
    PageFacts: start titles (must: null)
    "#);
}

#[test]
fn explain_of_two_paths_is_that_of_each() {
    let repo = service();
    let explain = |path: &str| run(&repo, &[&["explain", path], &GOAL[..]].concat());
    let plain = explain("src/session.rs");
    assert_snapshot!(page(&plain), @"
    exit 0
    src/session.rs
      level   full (no rule: the fit decides)
      rank    1 of 6, score 1.000, role source
      tokens  path 5, outline 30, interface 124, full 155
      words       0.821 × 1.00  session 0.43, refresh 0.39
      items       1.000 × 0.40  Session::refresh 1.00
      title       1.000 × 0.40  Session::refresh 0.53, Session@2 0.25, Session 0.22
      definitions 1.000 × 0.30  refresh 1.00
      name        1.000 × 0.30  session 1.00
      rare        1.000 × 0.20  refresh 0.67, session 0.33
      folder      0.348 × 0.20  src/http.rs 0.35
      rank        0.828 × 0.01  src/http.rs
      sum         2.498 × 1.00 for its role, over 2.498 of the best = 1.000
      item    1.000 full      method Session::refresh (lines 11-18)
      item    0.708 full      struct Expired (lines 25-26)
      item    0.692 full      impl Session@2 (lines 10-23)
      item    0.684 full      struct Session@1 (lines 3-8)
      item    0.560 full      method Session::is_expired (lines 20-22)
    ");
    assert_eq!(explain("./src/session.rs").stdout, plain.stdout);
    let two = run(&repo, &[&["explain", "src/http.rs", "src/color.rs"], &GOAL[..]].concat()).stdout;
    assert_eq!(two, explain("src/http.rs").stdout + &explain("src/color.rs").stdout);
}

#[test]
fn explain_names_the_rule_that_gave_a_level() {
    let repo = service();
    repo.write(
        "plan.yaml",
        b"version: 1\nrules:\n- {path: '**', level: path}\n- {path: src/http.rs, level: exclude}\n\
          - {path: src/color.rs, items: [{name: mix, level: full}]}\n",
    );
    let rule = |path: &str, more: &[&str]| {
        let args = [&["explain", path, "--plan", "plan.yaml", "--format", "json"][..], more];
        let one = &json_lines(&run(&repo, &args.concat()))[0];
        format!("{path} {} {} ({})\n", more.join(" "), one["level"], one["rule"])
    };
    let said = [
        rule("README.md", &[]),
        rule("src/http.rs", &[]),
        rule("src/color.rs", &[]),
        rule("src/http.rs", &["--level", "src=outline"]),
    ];
    assert_snapshot!(said.concat(), @r#"
    README.md  "path" ("rules[0]")
    src/http.rs  "exclude" ("rules[1]")
    src/color.rs  "path" ("rules[0]")
    src/http.rs --level src=outline "outline" ("rules[3]")
    "#);
}
