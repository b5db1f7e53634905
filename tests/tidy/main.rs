//! What must hold of the repository itself.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "these tests read the repository"
)]

mod house;
mod rim;
mod sizes;
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use test_support::{packages, sealed};

/// Pages that are not in the book, where links are checked too.
const PAGES_OUTSIDE_THE_BOOK: [&str; 8] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "repo-map/README.md",
    "repo-map/queries/README.md",
    "navigator/README.md",
    "fuzz/README.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut todo = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|one| one == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn every_source_file_says_what_it_is_for() {
    for file in [
        "repo-map/src",
        "site-map/src",
        "navigator/src",
        "repo-map/examples",
        "navigator/examples",
        "benches",
        "tests/support/src",
        "tests/repo_map",
        "tests/site_map",
        "tests/manual",
        "tests/navigator",
        "tests/teams",
        "tests/docs",
        "tests/properties",
        "tests/tidy",
        "fuzz/fuzz_targets",
    ]
    .iter()
    .flat_map(|folder| files(folder, "rs"))
    {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//! "), "{} has no header", file.display());
    }
}

#[test]
fn every_query_compiles_and_captures_what_the_code_knows() {
    for language in repo_map::language::all() {
        let fixture = files("tests/languages", "").into_iter().chain(
            fs::read_dir(root().join("tests/languages"))
                .unwrap()
                .map(|entry| entry.unwrap().path()),
        );
        let fixture = fixture
            .filter(|path| path.is_file())
            .find(|path| path.file_stem().is_some_and(|stem| stem == language.name));
        let fixture = fixture
            .unwrap_or_else(|| panic!("{} has no fixture in tests/languages", language.name));
        let query = root().join("repo-map/queries").join(format!(
            "{}.scm",
            match language.name {
                "tsx" => "typescript",
                "lex" | "yacc" => "c",
                name => name,
            }
        ));
        let query = fs::read_to_string(query).unwrap();
        // Given as a query of the user's, the capture names are checked too.
        let outline = repo_map::try_out::outline_file(
            &fixture,
            &repo_map::FlightPlan::default(),
            Some(&query),
        )
        .unwrap();
        assert!(
            outline.contains("=== items\n") && outline.lines().count() > 10,
            "{}: {outline}",
            language.name
        );
    }
}

#[test]
fn links_in_the_documentation_resolve() {
    let pages =
        files("docs", "md").into_iter().chain(PAGES_OUTSIDE_THE_BOOK.map(|page| root().join(page)));
    for page in pages {
        let text = outside_of_blocks(&fs::read_to_string(&page).unwrap());
        let folder = page.parent().unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.is_empty() || link.contains("://") {
                continue;
            }
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if target.is_empty() { page.clone() } else { folder.join(target) };
            assert!(target.exists(), "{}: `{link}` leads nowhere", page.display());
            // The book has the pages and what lies beside them, nothing else of the repository.
            let is_in_book = target
                .canonicalize()
                .unwrap()
                .starts_with(root().join("docs").canonicalize().unwrap());
            assert!(
                is_in_book || !page.starts_with(root().join("docs")),
                "{}: `{link}` leads out of the book",
                page.display()
            );
            assert!(
                anchor.is_empty()
                    || anchors(&fs::read_to_string(&target).unwrap())
                        .iter()
                        .any(|one| one == anchor),
                "{}: `{link}`: there is no such heading",
                page.display()
            );
        }
    }
}

#[test]
fn every_page_is_in_the_summary_of_the_book() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for page in files("docs", "md") {
        let name = page.strip_prefix(root().join("docs")).unwrap().to_str().unwrap().to_owned();
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "docs/SUMMARY.md does not name {name}"
        );
    }
}

/// A page without its fenced blocks.
fn outside_of_blocks(text: &str) -> String {
    let mut fence = None;
    let mut kept = String::new();
    for line in text.lines() {
        let rest = line.trim_start().trim_start_matches('`');
        let ticks = line.trim_start().len() - rest.len();
        match fence {
            Some(opened) if ticks >= opened && rest.is_empty() => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}

/// The names by which links reach a page's headings.
fn anchors(text: &str) -> Vec<String> {
    let headings = outside_of_blocks(text);
    let headings = headings
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| -> String {
        let letters = heading
            .to_lowercase()
            .chars()
            .map(|one| if one == ' ' { '-' } else { one })
            .collect::<Vec<_>>();
        letters
            .into_iter()
            .filter(|one| one.is_alphanumeric() || ['-', '_'].contains(one))
            .collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn the_command_line_page_is_the_help() {
    let page = fs::read_to_string(root().join("docs/cli.md")).unwrap();
    let navigator = PathBuf::from(env!("CARGO_BIN_EXE_navigator"));
    for command in [
        "",
        "explore",
        "browse",
        "knowledge",
        "replay",
        "mcp",
        "serve",
        "runs",
        "models",
        "config",
        "store",
        "purse",
    ] {
        let args: Vec<&str> =
            [command, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let help = sealed(&navigator).run(&root(), &args).stdout;
        assert!(
            page.contains(help.trim_end()),
            "docs/cli.md does not have `navigator {}`:\n{help}",
            args.join(" ")
        );
    }
    assert!(page.contains(repo_map::cli::EXIT_CODES), "docs/cli.md does not list the exit codes");
}

/// `1.90`, `1.90.0`: the parts as numbers.
fn version(text: &str) -> Vec<u32> {
    text.split('.').map(|part| part.parse().unwrap()).collect()
}

#[test]
fn no_dependency_asks_for_a_newer_rust_than_we_say() {
    // What only other platforms need is not there after `cargo test` alone: CI fetches it and looks
    // at that too.
    let packages = packages(&root(), std::env::var_os("ALL_PLATFORMS").is_some());
    let text =
        |package: &Value, field: &str| package[field].as_str().unwrap_or_default().to_owned();
    let ours = packages
        .iter()
        .find(|package| package["name"] == "repo-navigator")
        .map(|package| text(package, "rust_version"))
        .unwrap();
    let newer: Vec<String> = packages
        .iter()
        .filter(|package| {
            package["rust_version"]
                .as_str()
                .is_some_and(|theirs| version(theirs) > [version(&ours), vec![0]].concat())
        })
        .map(|package| {
            format!(
                "{} {} needs {}",
                text(package, "name"),
                text(package, "version"),
                text(package, "rust_version")
            )
        })
        .collect();
    assert!(packages.len() > 100 && newer.is_empty(), "newer than {ours}: {newer:#?}");
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(
        readme.contains(&format!("Rust {ours} or later")),
        "README.md says another Rust than {ours}"
    );
}

#[test]
fn every_licence_is_one_that_we_accept() {
    let deny: toml::Table = fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap();
    let accepted: Vec<&str> = deny["licenses"]["allow"]
        .as_array()
        .unwrap()
        .iter()
        .map(|licence| licence.as_str().unwrap())
        .collect();
    let packages = packages(&root(), std::env::var_os("ALL_PLATFORMS").is_some());
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| {
            // `/` is an old way to write `OR`.
            let licence = package["license"].as_str().unwrap_or_default().replace('/', " OR ");
            !is_accepted(&licence, &accepted)
        })
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(packages.len() > 100 && refused.is_empty(), "{refused:#?}");
}

/// Whether the accepted licences meet a licence expression. `AND` binds closer than `OR`.
fn is_accepted(expression: &str, accepted: &[&str]) -> bool {
    let alternatives = split_outside_brackets(expression, " OR ");
    if alternatives.len() > 1 {
        return alternatives.into_iter().any(|one| is_accepted(one, accepted));
    }
    let all = split_outside_brackets(expression, " AND ");
    if all.len() > 1 {
        return all.into_iter().all(|one| is_accepted(one, accepted));
    }
    match expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => is_accepted(inner, accepted),
        None => accepted.contains(&expression),
    }
}

fn split_outside_brackets<'a>(expression: &'a str, word: &str) -> Vec<&'a str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, one) in expression.char_indices() {
        match one {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && expression[at..].starts_with(word) => {
                parts.push(&expression[start..at]);
                start = at + word.len();
            }
            _ => {}
        }
    }
    parts.push(&expression[start..]);
    parts
}

#[test]
fn each_package_has_the_licences_of_the_repository() {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let text = fs::read_to_string(root().join(licence)).unwrap();
        for package in ["repo-map", "navigator"] {
            let copy = root().join(package).join(licence);
            assert_eq!(fs::read_to_string(&copy).unwrap(), text, "{}", copy.display());
        }
    }
}

/// The loop knows no terrain: `repo-map` is used where documents are a terrain, by the command line
/// and the server for one, and through `shared.rs`, which says what else is taken from it.
/// Only the command line uses `site-map`, the terrain of sites, and the guard of a browser, which
/// judges addresses as the client of sites does.
/// `lib.rs` shows a repository in its examples and passes the cancel token on.
#[test]
fn only_the_terrains_and_the_command_line_use_repo_map_and_site_map() {
    let free =
        ["terrain/", "app/source/", "app/cli/", "app/mcp/", "app/serve/", "shared.rs", "lib.rs"];
    let source = root().join("navigator/src");
    let mut n_checked = 0;
    for file in files("navigator/src", "rs") {
        let name = file.strip_prefix(&source).unwrap().to_str().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let is_used = |name: &str| text.lines().any(|line| line.contains(name));
        let of_sites =
            ["app/source/", "app/cli/", "terrain/site/", "terrain/browser/", "browser/guard/"];
        let may_use_sites = of_sites.iter().any(|room| name.starts_with(room));
        assert!(may_use_sites || !is_used("site_map::"), "navigator/src/{name} uses site_map");
        if free.iter().any(|free| name.starts_with(free)) {
            continue;
        }
        n_checked += 1;
        assert!(!is_used("repo_map::"), "navigator/src/{name} uses repo_map");
    }
    assert!(n_checked > 30, "{n_checked} files were looked at");
}
