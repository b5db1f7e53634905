//! The plans people use as they are, and the examples of the documentation: all are valid, and do
//! what they say.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use repo_map::{FlightPlan, Level, RepoMap};
use test_support::{Repo, repo};

use crate::{fly, open};

/// A small repository with a bit of everything. The folder for `review-folder.yaml` is the one that
/// plan names.
const SHOP: &str = r#"=== README.md
# Shop

Sells things. Installation: `cargo install shop`.

## Usage

Run `shop`.
=== CHANGELOG.md
# Changelog

## 0.1.0

First.
=== Cargo.toml
[package]
name = "shop"
version = "0.1.0"
=== .github/workflows/ci.yml
on: push
jobs:
  test:
    runs-on: ubuntu-latest
=== .env
PASSWORD=hunter2
=== deploy/server.pem
not a real key
=== docs/guide.md
# Guide

## Tutorial

Buy a thing.
=== src/lib.rs
//! A shop.
pub mod auth;

/// Sells `n` things.
pub fn sell(n: u32) -> u32 {
    auth::session::Session::open().spend(n)
}
=== src/auth/mod.rs
pub mod session;
=== src/auth/session.rs
/// Somebody who is logged in.
pub struct Session {
    left: u32,
}

impl Session {
    /// Logs in.
    pub fn open() -> Session {
        Session { left: 100 }
    }

    /// Spends.
    pub fn spend(&mut self, n: u32) -> u32 {
        self.left -= n;
        self.left
    }
}
=== tests/sell.rs
#[test]
fn selling_is_tested() {
    assert_eq!(shop::sell(1), 99);
}
=== examples/buy.rs
fn main() {
    shop::sell(2);
}
"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder with this extension, by path from the root, with their text.
fn texts(folder: &str, extension: &str) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|found| found == extension) {
            let name = path.file_name().unwrap().to_str().unwrap();
            texts.insert(format!("{folder}/{name}"), fs::read_to_string(&path).unwrap());
        }
    }
    texts
}

/// A plan of `flight-plans/`, cut off from the ignore rules of the machine that runs the tests.
fn published(name: &str) -> FlightPlan {
    let file = format!("flight-plans/{name}.yaml");
    let mut plan =
        FlightPlan::from_yaml(&file, &fs::read_to_string(root().join(&file)).unwrap()).unwrap();
    plan.scan.outside = Some(Vec::new());
    plan
}

/// The map that a published plan gives of the shop.
fn shop(name: &str) -> (Repo, RepoMap) {
    let shop = repo(SHOP);
    let map = fly(&shop, &published(name));
    (shop, map)
}

fn level(map: &RepoMap, path: &str) -> Level {
    map.files
        .iter()
        .find(|file| file.path == path)
        .unwrap_or_else(|| panic!("no file {path}"))
        .level
}

/// Every file that has a block of its own with text in it.
fn shown(map: &RepoMap) -> Vec<(&str, Level)> {
    map.files
        .iter()
        .filter(|file| file.level > Level::Path)
        .map(|file| (file.path.as_str(), file.level))
        .collect()
}

#[test]
fn every_published_plan_says_what_it_is_for_and_why() {
    let plans = texts("flight-plans", "yaml");
    assert!(plans.len() >= 9, "{:?}", plans.keys());
    for (file, text) in &plans {
        let first = text.lines().next().unwrap();
        assert!(
            first.starts_with("# ") && first.ends_with('.'),
            "{file}: the first line is a comment that says what it is for: {first}"
        );
        let plan = FlightPlan::from_yaml(file, text).unwrap();
        assert!(!plan.is_flown(), "{file}: people write it");
        for rule in &plan.rules {
            assert!(rule.why.is_some(), "{file}: the rule for {} does not say why", rule.path);
        }
    }
}

#[test]
fn every_published_plan_fits_any_repository() {
    let shop = repo(SHOP);
    let empty = repo("");
    for (file, text) in texts("flight-plans", "yaml") {
        let mut plan = FlightPlan::from_yaml(&file, &text).unwrap();
        plan.scan.outside = Some(Vec::new());
        assert_eq!(fly(&empty, &plan).conflict, None, "{file}");
        let map = fly(&shop, &plan);
        assert_eq!(map.conflict, None, "{file}");
        assert!(map.tokens <= plan.context.tokens, "{file}");
        assert!(map.text.starts_with("# Repository map\n"), "{file}: {}", map.text);
        assert!(open(&shop, &plan).has_evidence(), "{file}: exit code 4");
        assert!(!map.text.contains("hunter2"), "{file}: {}", map.text);
    }
}

#[test]
fn satellite_names_items_of_source_and_folds_the_rest() {
    let (_shop, map) = shop("satellite");
    assert!(
        shown(&map)
            .iter()
            .all(|(path, level)| path.starts_with("src/") && *level == Level::Outline),
        "{}",
        map.text
    );
    assert!(map.text.contains("fn sell\n") && !map.text.contains("pub fn"), "{}", map.text);
    for line in [
        "- docs/ (1 file: md 1)\n",
        "- examples/ (1 file: rs 1)\n",
        "- tests/ (1 file: rs 1)\n",
        "- Cargo.toml\n",
    ] {
        assert!(map.text.contains(line), "{line} in {}", map.text);
    }
}

#[test]
fn api_surface_shows_signatures_without_bodies_and_no_tests() {
    let (_shop, map) = shop("api-surface");
    assert!(
        map.text.contains("    /// Logs in.\n    pub fn open() -> Session { … }\n"),
        "{}",
        map.text
    );
    assert!(
        shown(&map)
            .iter()
            .all(|(path, level)| path.starts_with("src/") && *level <= Level::Interface),
        "{}",
        map.text
    );
    assert!(
        !map.text.contains("left: 100") && !map.text.contains("selling_is_tested"),
        "{}",
        map.text
    );
    assert_eq!(level(&map, "tests/sell.rs"), Level::Exclude);
}

#[test]
fn docs_only_shows_prose_in_full_and_no_source() {
    let (_shop, map) = shop("docs-only");
    assert_eq!(
        shown(&map),
        [("README.md", Level::Full), ("docs/guide.md", Level::Full)],
        "{}",
        map.text
    );
    assert_eq!(level(&map, "CHANGELOG.md"), Level::Path);
    assert!(
        map.files
            .iter()
            .filter(|file| file.path.ends_with(".rs"))
            .all(|file| file.level <= Level::Fold),
        "{}",
        map.text
    );
}

#[test]
fn configuration_shows_build_and_ci_but_no_passwords() {
    let (_shop, map) = shop("configuration");
    assert_eq!(
        shown(&map),
        [(".github/workflows/ci.yml", Level::Full), ("Cargo.toml", Level::Full)],
        "{}",
        map.text
    );
    assert_eq!(level(&map, ".env"), Level::Exclude);
}

#[test]
fn tests_and_code_shows_both_with_their_bodies() {
    let (_shop, map) = shop("tests-and-code");
    assert!(map.text.contains("assert_eq!(shop::sell(1), 99);"), "{}", map.text);
    assert_eq!(level(&map, "tests/sell.rs"), Level::Full);
    assert!(level(&map, "src/lib.rs") >= Level::Path);
    assert!(
        shown(&map).iter().all(|(path, _)| path.starts_with("src/") || path.starts_with("tests/")),
        "{}",
        map.text
    );
}

#[test]
fn onboarding_shows_readme_and_manifest_and_signatures() {
    let (_shop, map) = shop("onboarding-tokens-32k");
    assert_eq!(
        (level(&map, "README.md"), level(&map, "Cargo.toml")),
        (Level::Full, Level::Full),
        "{}",
        map.text
    );
    assert!(map.text.contains("pub fn open() -> Session { … }"), "{}", map.text);
    assert_eq!(level(&map, "tests/sell.rs"), Level::Fold);
}

#[test]
fn review_folder_shows_the_folder_in_full_and_its_neighbours_by_signature() {
    let (_shop, map) = shop("review-folder");
    assert_eq!(
        (level(&map, "src/auth/mod.rs"), level(&map, "src/auth/session.rs")),
        (Level::Full, Level::Full),
        "{}",
        map.text
    );
    assert!(level(&map, "src/lib.rs") <= Level::Interface);
    assert!(map.text.contains("pub fn sell(n: u32) -> u32 { … }"), "{}", map.text);
}

#[test]
fn review_folder_says_when_the_folder_does_not_fit() {
    let shop = repo(SHOP);
    let mut plan = published("review-folder");
    plan.context.tokens = 40;
    let conflict = fly(&shop, &plan).conflict.unwrap();
    assert!(conflict.message.contains("`src/auth/session.rs` at full"), "{}", conflict.message);
}

#[test]
fn strict_secrets_keeps_secrets_from_a_pilot_that_wants_everything() {
    use repo_map::plan::Rule;
    use repo_map::{LevelRange, RuleLayers};

    let shop = repo(SHOP);
    for path in
        ["id_rsa.pub", "config/credentials.json", "secrets/db.txt", "infra/prod.tfstate", "key.asc"]
    {
        shop.write(path, b"hunter2\n");
    }
    shop.write("config/.env.example", b"PASSWORD=\n");
    let mut plan = published("strict-secrets");
    plan.scan.hidden = true;
    let pilot = [Rule::new("**", LevelRange::exactly(Level::Full))];
    let map = open(&shop, &plan).map(RuleLayers { person: &plan.rules, pilot: &pilot }).unwrap();
    let excluded: Vec<&str> = map
        .files
        .iter()
        .filter(|file| file.level == Level::Exclude)
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(
        excluded,
        [
            ".env",
            "config/credentials.json",
            "deploy/server.pem",
            "id_rsa.pub",
            "infra/prod.tfstate",
            "key.asc",
            "secrets/db.txt"
        ]
    );
    assert!(!map.text.contains("hunter2") && !map.text.contains("server.pem"), "{}", map.text);
    assert_eq!(
        (level(&map, "config/.env.example"), level(&map, "src/lib.rs")),
        (Level::Full, Level::Full),
        "{}",
        map.text
    );
}

/// A plan for one repository goes stale when that repository changes: each of its rules must still
/// match something.
#[test]
fn new_contributor_knows_this_repository() {
    let mut plan = published("new-contributor");
    plan.scan.hidden = true;
    let checked = repo_map::plan_check::check(&root(), &plan, &[]).unwrap();
    for (rule, checked) in plan.rules.iter().zip(&checked.rules) {
        assert!(checked.matches > 0, "{} matches nothing", rule.path);
    }
}

#[test]
fn every_example_of_the_documentation_is_a_valid_plan() {
    let mut pages = texts("docs", "md");
    if let Ok(readme) = fs::read_to_string(root().join("README.md")) {
        pages.insert("README.md".to_owned(), readme);
    }
    let mut n_examples = 0;
    for (page, text) in &pages {
        for (line, yaml) in yaml_blocks(text) {
            if !yaml.starts_with("version: 1") {
                assert!(
                    !yaml.contains("rules:") && !yaml.contains("level:"),
                    "{page}:{line}: an example is a whole plan"
                );
                continue;
            }
            let plan = FlightPlan::from_yaml(&format!("{page}:{line}"), &yaml).unwrap();
            assert_eq!(
                FlightPlan::from_yaml(page, &plan.to_yaml()).unwrap(),
                plan,
                "{page}:{line}"
            );
            n_examples += 1;
        }
    }
    assert!(n_examples >= 6, "only {n_examples} examples found");
}

/// The text between "```yaml" and "```", with the line it begins on.
fn yaml_blocks(markdown: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (at, line) in markdown.lines().enumerate() {
        match (&mut open, line.trim()) {
            (None, "```yaml") => open = Some((at + 2, String::new())),
            (Some(_), "```") => blocks.extend(open.take()),
            (Some((_, block)), _) => {
                block.push_str(line);
                block.push('\n');
            }
            (None, _) => {}
        }
    }
    assert_eq!(open, None, "a block that does not end");
    blocks
}

#[test]
fn the_page_on_flight_plans_names_every_plan() {
    let page = fs::read_to_string(root().join("docs/flight-plans.md")).unwrap();
    for file in texts("flight-plans", "yaml").keys() {
        let name = file.rsplit('/').next().unwrap();
        assert!(page.contains(&format!("| `{name}` |")), "{name} is not in the table");
    }
}
