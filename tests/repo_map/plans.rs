//! Plans: what is refused and how, whose rules win, what a glob matches.
//!
//! Long: one refused plan after the other, with its message.

use insta::assert_snapshot;
use repo_map::plan::{ItemRule, Masking, Rule};
use repo_map::{FlightPlan, Level, LevelRange, RuleLayers, RuleOrigin};
use test_support::{Ran, Repo, repo};

use crate::{map, open, plan, run};

const SMALL: &str = "\
=== .env
KEY=1
=== README.md
# Numbers
=== docs/guide.md
# Guide
=== src/a.rs
pub fn add() {}
=== src/inner/b.rs
pub fn subtract() {}
";

fn small() -> Repo {
    repo(SMALL)
}

fn check(yaml: &str) -> Ran {
    let repo = small();
    repo.write("plan.yaml", yaml.as_bytes());
    run(&repo, &["check", "plan.yaml"])
}

/// The levels a plan gives, one `path level` a line.
fn levels(repo: &Repo, yaml: &str) -> String {
    map(repo, yaml).files.iter().map(|file| format!("{} {}\n", file.path, file.level)).collect()
}

#[test]
fn check_says_what_each_rule_matches_and_wins() {
    let ran = check(
        "version: 1\nrules:\n- {path: '**', level: path}\n- {path: src, level: outline..full, \
         items: [{name: add, level: full}, {name: nope, level: full}]}\n\
         - {path: /lib, level: full}\n- {path: src/inner, level: fold}\n- {path: src/inner/b.rs, \
         level: full}\n",
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_snapshot!(ran.stdout, @"
    plan.yaml: valid, 5 rules over 4 files
      rules[0] ** path: matches 4, wins 2
      rules[1] src outline..full: matches 2, wins 1
        item `nope` is in none of them
      rules[2] /lib full: matches 0, wins 0  matches nothing
      rules[3] src/inner fold: matches 1, wins 0  later rules win everywhere
      rules[4] src/inner/b.rs full: matches 1, wins 1
      no rule: 0 files (at most fold)
    ");
}

#[test]
fn check_names_items_whose_files_show_none() {
    let ran = check(
        "version: 1\nrules:\n- {path: '**', level: ..fold}\n- {path: src, items: [{name: add, \
         level: full}, {name: subtract, level: full}]}\n- {path: src/inner, level: path}\n",
    );
    assert_snapshot!(ran.stdout, @"
    plan.yaml: valid, 3 rules over 4 files
      rules[0] ** exclude..fold: matches 4, wins 3
      rules[1] src items: matches 2, wins 2
        item `add` is only in files that rules fold or exclude
      rules[2] src/inner path: matches 1, wins 1
      no rule: 0 files (at most fold)
    ");
}

#[test]
fn check_counts_files_that_no_rule_names() {
    assert_snapshot!(check("version: 1\nrules: [{path: '*.md', level: full}]\n").stdout, @"
    plan.yaml: valid, 1 rule over 4 files
      rules[0] *.md full: matches 2, wins 2
      no rule: 2 files (at most fold)
    ");
}

#[test]
fn a_plan_that_does_not_hold_is_refused_with_the_place_and_the_way_out() {
    let refused = |yaml: &str| {
        let ran = check(yaml);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{yaml}");
        ran.stderr
    };
    assert_snapshot!(refused("version: 1\nrulez: []\n"), @"repo-map: plan.yaml:2: rulez: unknown \
        field `rulez`, expected one of `version`, `goal`, `context`, `scan`, `languages`, \
        `rules`, `provenance` (did you mean `rules`?)");
    assert_snapshot!(refused("version: 1\nrules:\n- path: src\n  level: signatures\n"), @"repo-map: plan.yaml:4: rules[0].level: `signatures` is not a level (did you mean `interface`?)");
    assert_snapshot!(refused("version: 1\nrules:\n- path: src\n  level: full..path\n"), @"repo-map: plan.yaml:4: rules[0].level: `full..path` is an impossible range: its floor is above its ceiling (did you mean `path..full`?)");
    assert_snapshot!(refused("version: 1\nrules:\n- path: 'a[b'\n  level: full\n"), @"repo-map: \
        plan.yaml:3: rules[0].path: `a[b` is not a valid glob: unclosed character class; missing \
        ']'");
    assert_snapshot!(refused("version: 1\nrules:\n- path: '!src'\n  level: full\n"), @"repo-map: \
        plan.yaml:3: rules[0].path: `!src`: a plan has no negated globs (give `src` the level \
        `exclude` instead)");
    assert_snapshot!(refused("version: 1\nscan:\n  mask: secrets-1\n"), @"repo-map: plan.yaml:3: \
        scan.mask: unknown variant `secrets-1`, expected `secrets-3` or `off` (did you mean \
        `secrets-3`?)");
    assert_snapshot!(refused("version: 1\nrules:\n- path: src\n  levle: full\n"), @"repo-map: \
        plan.yaml:4: rules[0].levle: unknown field `levle`, expected one of `path`, `level`, \
        `items`, `why`, `was`, `mark` (did you mean `level`?)");
    assert_snapshot!(refused("version: 1\nrules:\n- path: src\n  items: [{name: '', level: \
        full}]\n"), @"repo-map: plan.yaml:4: rules[0].items[0].name: an item's name cannot be empty");
    assert_snapshot!(refused("version: 1\nrules:\n- path: src\n  items: [{name: add, level: \
        fold}]\n"), @"repo-map: plan.yaml:4: rules[0].items[0].level: `fold` is a level for \
            paths; an item takes exclude, outline, interface, body or full");
    assert_snapshot!(refused("version: 1\ncontext: {tokens: -1}\n"), @"repo-map: plan.yaml:2: \
        context.tokens: `-1` is not a whole number of tokens");
    assert_snapshot!(refused("version: 1\ncontext: {tokens: many}\n"), @"repo-map: plan.yaml:2: \
        context.tokens: `many` is not a number of tokens (`8000`, `8k`)");
    assert_snapshot!(refused("version: 1\ncontext: {tokenizer: gpt2}\n"), @"repo-map: \
        plan.yaml:2: context.tokenizer: unknown variant `gpt2`, expected one of `o200k_base`, \
        `cl100k_base`, `bytes/4`");
    assert_snapshot!(refused("version: 1\ncontext: {format: html}\n"), @"repo-map: plan.yaml:2: \
        context.format: unknown variant `html`, expected `markdown` or `xml`");
    assert_snapshot!(refused("rules: []\n"), @"repo-map: plan.yaml:1: missing field `version`");
    assert_snapshot!(refused("- a\n- b\n"), @"repo-map: plan.yaml:1: invalid type: sequence, \
        expected a plan: fields and their values, `version: 1` among them");
    assert_snapshot!(refused("version: 1\nversion: 1\n"), @"repo-map: plan.yaml:1: duplicate \
        field `version`");
    assert_snapshot!(refused("version: [\n"), @"repo-map: plan.yaml:1: version: invalid type: \
        sequence, expected u32");
    assert_snapshot!(refused(""), @"repo-map: plan.yaml: the plan is empty (the least is \
        `version: 1`)");
    assert_snapshot!(refused("# later\n"), @"repo-map: plan.yaml: the plan is empty (the least is \
        `version: 1`)");
}

#[test]
fn a_plan_of_ten_megabytes_is_refused_unread() {
    let repo = small();
    repo.write("plan.yaml", format!("version: 1\n#{}\n", "x".repeat(10 << 20)).as_bytes());
    let ran = run(&repo, &["--plan", "plan.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_snapshot!(ran.stderr, @"repo-map: plan.yaml: too large for a plan (at most 8388608 \
        bytes)");
}

#[test]
fn a_plan_that_is_not_there_or_not_text_is_refused() {
    let repo = small();
    repo.write("latin.yaml", b"goal: caf\xe9\n");
    let missing = run(&repo, &["--plan", "plan.yaml"]);
    assert_snapshot!(format!("{} {}", missing.code, missing.stderr), @"2 repo-map: plan.yaml: \
        cannot be read: No such file or directory (os error 2)");
    let latin = run(&repo, &["check", "latin.yaml"]);
    assert_snapshot!(format!("{} {}", latin.code, latin.stderr), @"2 repo-map: latin.yaml: not \
        UTF-8 text");
}

fn exactly(path: &str, level: Level) -> Rule {
    Rule::new(path, LevelRange::exactly(level))
}

/// The level of each file and whose rule gave it, under a person's rules and a pilot's.
fn verdicts(
    repo: &Repo,
    person: &[Rule],
    pilot: &[Rule],
) -> Vec<(String, Level, Option<RuleOrigin>)> {
    let map = open(repo, &plan("")).map(RuleLayers { person, pilot }).unwrap();
    map.files.into_iter().map(|file| (file.path, file.level, file.rule)).collect()
}

#[test]
fn a_persons_bounds_clamp_a_pilots_rules() {
    let repo = repo("=== a.rs\npub fn a() {}\n=== b.rs\npub fn b() {}\n=== c.rs\npub fn c() {}\n");
    let person = [
        Rule::new("a.rs", LevelRange { floor: Level::Exclude, ceiling: Level::Path }),
        Rule::new("b.rs", LevelRange { floor: Level::Interface, ceiling: Level::Full }),
    ];
    let pilot = [
        exactly("a.rs", Level::Full),
        exactly("b.rs", Level::Fold),
        exactly("c.rs", Level::Outline),
    ];
    assert_eq!(
        verdicts(&repo, &person, &pilot),
        [
            ("a.rs".to_owned(), Level::Path, Some(RuleOrigin::Pilot(0))),
            ("b.rs".to_owned(), Level::Interface, Some(RuleOrigin::Pilot(1))),
            ("c.rs".to_owned(), Level::Outline, Some(RuleOrigin::Pilot(2))),
        ]
    );
}

#[test]
fn an_excluded_secret_stays_excluded() {
    let repo = repo("=== key.rs\npub fn secret() {}\n=== a.rs\npub fn a() {}\n");
    let person = [exactly("**", Level::Full), exactly("key.rs", Level::Exclude)];
    let mut wish = exactly("key.rs", Level::Full);
    wish.items = Some(vec![ItemRule { name: "secret".to_owned(), level: Level::Full }]);
    let repo = open(&repo, &plan(""));
    let map = repo.map(RuleLayers { person: &person, pilot: &[wish] }).unwrap();
    assert_snapshot!(map.text, @"
    # Repository map
    ## a.rs (full)
    ```rust
    pub fn a() {}
    ```
    ## Left out
    Not shown: 1 file (./ 1).
    ");
}

#[test]
fn a_pilot_cannot_show_items_of_a_file_that_a_person_keeps_at_path() {
    let repo = repo("=== a.rs\npub fn secret() {}\n");
    let person = [Rule::new("a.rs", LevelRange { floor: Level::Exclude, ceiling: Level::Path })];
    let mut wish = exactly("a.rs", Level::Full);
    wish.items = Some(vec![ItemRule { name: "secret".to_owned(), level: Level::Full }]);
    let repo = open(&repo, &plan(""));
    let map = repo.map(RuleLayers { person: &person, pilot: &[wish] }).unwrap();
    assert_snapshot!(map.text, @"
    # Repository map
    - a.rs
    ");
}

#[test]
fn a_pilot_cannot_lower_items_below_a_persons_floor() {
    let repo = repo("=== a.rs\n// Above.\n\npub fn shown() {\n    body();\n}\n");
    for (floor, level) in [
        (Level::Outline, Level::Exclude),
        (Level::Interface, Level::Outline),
        (Level::Full, Level::Interface),
    ] {
        let person = [exactly("a.rs", floor)];
        let mut wish = exactly("a.rs", Level::Exclude);
        let open = open(&repo, &plan(""));
        let without = open.map(RuleLayers { person: &person, pilot: &[] }).unwrap();
        wish.items = Some(vec![ItemRule { name: "shown".to_owned(), level }]);
        assert_eq!(
            open.map(RuleLayers { person: &person, pilot: &[wish] }).unwrap().text,
            without.text,
            "{floor}"
        );
    }
}

#[test]
fn a_pilot_cannot_raise_items_above_a_persons_ceiling() {
    let repo = repo("=== a.rs\npub fn secret() {\n    body();\n}\n");
    let person =
        [Rule::new("a.rs", LevelRange { floor: Level::Exclude, ceiling: Level::Interface })];
    let mut wish = exactly("a.rs", Level::Outline);
    wish.items = Some(vec![ItemRule { name: "secret".to_owned(), level: Level::Full }]);
    let repo = open(&repo, &plan(""));
    let map = repo.map(RuleLayers { person: &person, pilot: &[wish] }).unwrap();
    assert_snapshot!(map.text, @"
    # Repository map
    ## a.rs
    ```rust
    pub fn secret() { … }
    ```
    ");
}

#[test]
fn a_path_that_no_rule_matches_is_at_most_folded() {
    assert_snapshot!(levels(&small(), "rules: [{path: /src/a.rs, level: full}]"), @"
    README.md fold
    docs/guide.md fold
    src/a.rs full
    src/inner/b.rs fold
    ");
}

#[test]
fn the_last_rule_that_matches_wins_field_by_field() {
    let yaml = "rules:\n- {path: src, items: [{name: add, level: full}]}\n- {path: '**', level: \
        path}\n- {path: src, level: outline, why: code}\n- {path: inner, level: fold}\n";
    assert_snapshot!(map(&small(), yaml).text, @"
    # Repository map
    - README.md
    - docs/guide.md
    ## src/a.rs
    ```rust
    pub fn add() {}
    ```
    - src/inner/ (1 file: rs 1)
    ## Left out
    Folded: 1 file.
    ");
}

#[test]
fn globs_are_those_of_gitignore() {
    let repo = repo(
        "=== a.md\n=== doc/a.md\n=== doc/b.txt\n=== src/doc/c.txt\n=== src/x/d.txt\n=== d \
         e/f[1].txt\n",
    );
    let matched = |glob: &str| {
        let map = map(
            &repo,
            &format!("rules:\n- {{path: '**', level: exclude}}\n- {{path: '{glob}', level: path}}"),
        );
        map.files
            .into_iter()
            .filter(|file| file.level == Level::Path)
            .map(|file| file.path)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let globs = [
        "*.md",
        "/*.md",
        "doc",
        "doc/",
        "/doc",
        "src/*.txt",
        "src/**/*.txt",
        "src/**",
        "**/doc/*",
        "d e",
        "f\\[1\\].txt",
        "*.{md,txt}",
        "/a.md/",
        "*",
    ];
    let table: String = globs.map(|glob| format!("{glob:<14} {}\n", matched(glob))).concat();
    assert_snapshot!(table, @r"
    *.md           a.md, doc/a.md
    /*.md          a.md
    doc            doc/a.md, doc/b.txt, src/doc/c.txt
    doc/           doc/a.md, doc/b.txt, src/doc/c.txt
    /doc           doc/a.md, doc/b.txt
    src/*.txt      
    src/**/*.txt   src/doc/c.txt, src/x/d.txt
    src/**         src/doc/c.txt, src/x/d.txt
    **/doc/*       doc/a.md, doc/b.txt, src/doc/c.txt
    d e            d e/f[1].txt
    f\[1\].txt     d e/f[1].txt
    *.{md,txt}     a.md, d e/f[1].txt, doc/a.md, doc/b.txt, src/doc/c.txt, src/x/d.txt
    /a.md/         
    *              a.md, d e/f[1].txt, doc/a.md, doc/b.txt, src/doc/c.txt, src/x/d.txt
    ");
}

#[test]
fn a_rule_does_not_resurrect_what_an_ignore_file_hides() {
    let repo = repo("=== .gitignore\nhidden.md\n=== hidden.md\n# Hidden\n=== shown.md\n# Shown\n");
    let ran = run(&repo, &["--level", "*.md=full"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_snapshot!(ran.stdout, @"
    # Repository map
    ## shown.md (full)
    ```markdown
    # Shown
    ```
    ");
}

#[test]
fn flags_win_over_the_plan_and_the_plan_over_defaults() {
    let repo = small();
    repo.write(
        "plan.yaml",
        b"version: 1\ncontext: {tokens: 60, format: xml}\nrules: [{path: '**', level: ..full}, \
            {path: docs, level: exclude}]\n",
    );
    let ran = run(
        &repo,
        &[
            "--plan",
            "plan.yaml",
            "--format",
            "markdown",
            "--tokens",
            "500",
            "--level",
            "/docs=path",
            "--level",
            "src=fold",
            "--level",
            "README.md=full",
        ],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_snapshot!(ran.stdout, @"
    # Repository map
    ## README.md (full)
    ```markdown
    # Numbers
    ```
    - docs/guide.md
    - src/ (2 files: rs 2)
    ## Left out
    Folded: 2 files.
    ");
}

#[test]
fn the_schema_is_json_and_describes_every_field() {
    let ran = run(&small(), &["schema"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let schema: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let mut fields = Vec::new();
    let mut bare = Vec::new();
    let definitions = schema["$defs"].as_object().unwrap();
    for (name, object) in definitions
        .iter()
        .map(|(name, object)| (name.as_str(), object))
        .chain([("FlightPlan", &schema)])
    {
        for (field, value) in object["properties"].as_object().into_iter().flatten() {
            fields.push(format!("{name}.{field}"));
            if value["description"].as_str().is_none_or(str::is_empty) {
                bare.push(format!("{name}.{field}"));
            }
        }
    }
    assert_eq!(bare, Vec::<String>::new());
    fields.sort();
    assert_snapshot!(fields.join("\n"), @"
    Context.fill
    Context.format
    Context.line_numbers
    Context.tokenizer
    Context.tokens
    FlightPlan.context
    FlightPlan.goal
    FlightPlan.languages
    FlightPlan.provenance
    FlightPlan.rules
    FlightPlan.scan
    FlightPlan.version
    ItemRule.level
    ItemRule.name
    LanguageRule.extensions
    LanguageRule.file_names
    LanguageRule.grammar
    LanguageRule.name
    LanguageRule.query
    LanguageRule.replaces
    MapFacts.digest
    MapFacts.tokens
    PageFacts.start
    PageFacts.titles
    Provenance.files
    Provenance.map
    Provenance.pages
    Provenance.site
    Provenance.tool
    Provenance.tree
    Rule.items
    Rule.level
    Rule.mark
    Rule.path
    Rule.was
    Rule.why
    Scan.hidden
    Scan.ignored
    Scan.invisible
    Scan.mask
    Scan.no_ignore
    Scan.outside
    SiteFacts.address
    SiteFacts.recording
    SiteFacts.unread
    TreeFacts.digest
    TreeFacts.files
    TreeFacts.paths
    UnreadPages.named
    UnreadPages.pages
    ");
}

#[test]
fn the_schema_names_every_level_word() {
    let schema = run(&small(), &["schema"]).stdout;
    let missing: Vec<&str> =
        Level::ALL.into_iter().map(Level::as_str).filter(|word| !schema.contains(word)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn plans_name_the_rules_that_mask() {
    assert_eq!(serde_yaml::to_string(&Masking::default()).unwrap().trim(), "secrets-3");
}

#[test]
fn a_plan_written_out_and_read_back_is_the_same_plan() {
    let written = "\
version: 1
goal: |
  two
  lines: with a colon
context:
  tokens: 200
  tokenizer: bytes/4
  format: xml
  line_numbers: true
scan:
  hidden: true
  mask: off
  ignored:
  - out.md
rules:
- path: '**'
  level: ..outline
- path: '/#odd: \"name\".rs'
  level: outline..full
  items:
  - name: a::b@2
    level: full
  why: 'yes'
";
    let plan = FlightPlan::from_yaml("plan.yaml", written).unwrap();
    assert_eq!(FlightPlan::from_yaml("plan.yaml", &plan.to_yaml()).unwrap(), plan);
    assert_snapshot!(plan.to_yaml(), @r#"
    version: 1
    goal: |
      two
      lines: with a colon
    context:
      tokens: 200
      tokenizer: bytes/4
      format: xml
      fill: near
      line_numbers: true
    scan:
      hidden: true
      mask: off
      ignored:
      - out.md
    rules:
    - path: '**'
      level: exclude..outline
    - path: '/#odd: "name".rs'
      level: outline..full
      items:
      - name: a::b@2
        level: full
      why: yes
    "#);
}
