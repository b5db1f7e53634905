//! The rim: the files that touch disk, network, terminal, time, environment, processes or chance
//! are those that the code map marks with ◆. (The lint of `clippy.toml` finds who touches them.)

use std::collections::BTreeSet;
use std::fs;

use crate::root;
use crate::sources::{Source, production_code, sources};

/// The folders that the code map lists, each by a table of its own.
pub(crate) const CRATES: [&str; 6] = [
    "repo-map/src",
    "site-map/src",
    "navigator/src",
    "benches/relevance/src",
    "benches/sites/src",
    "benches/manual/src",
];

/// Files with the lint's `expect` outside of their tests; of a front it holds for its folder.
fn expecting(files: &[Source]) -> BTreeSet<String> {
    let expects =
        |file: &&Source| production_code(&file.text).contains("clippy::disallowed_methods");
    let place = |file: &Source| match file.path.strip_suffix("mod.rs") {
        Some(folder) if production_code(&file.text).contains("#![expect(") => folder.to_owned(),
        Some(_) | None => file.path.clone(),
    };
    let expecting: BTreeSet<String> = files.iter().filter(expects).map(place).collect();
    let is_inside = |file: &String| {
        expecting
            .iter()
            .any(|folder| folder.ends_with('/') && folder != file && file.starts_with(folder))
    };
    expecting.iter().filter(|file| !is_inside(file)).cloned().collect()
}

/// What a code map marks: names in backticks before a ◆, within the folder of the table and, where
/// the row begins with a folder, within that.
fn marked(page: &str) -> BTreeSet<String> {
    let mut marked = BTreeSet::new();
    let mut of_table = String::new();
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let names: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        let Some(first) = names.first() else { continue };
        if CRATES.contains(&first.trim_end_matches('/')) {
            of_table = (*first).to_owned();
            continue;
        }
        let after = line.split('`').skip(2).step_by(2);
        for (at, (name, after)) in names.iter().zip(after).enumerate() {
            let folder = if first.ends_with('/') && at > 0 { first } else { "" };
            if after.trim_start().starts_with('◆') {
                marked.insert(format!("{of_table}{folder}{name}"));
            }
        }
    }
    marked
}

#[test]
fn the_code_map_marks_the_files_of_the_rim() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let map = page.split("## Code map").nth(1).unwrap().split("\n## ").next().unwrap();
    let files: Vec<Source> = CRATES.iter().flat_map(|folder| sources(folder)).collect();
    assert_eq!(
        marked(map),
        expecting(&files),
        "docs/architecture.md, and the files with an expect"
    );
}

#[test]
fn the_code_map_has_a_row_for_every_room() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    for folder in ["repo-map/src", "site-map/src", "navigator/src"] {
        for room in fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap()) {
            let row = format!("| `{}/`", room.file_name().to_str().unwrap());
            assert!(!room.path().is_dir() || page.contains(&row), "{folder} has no row {row}");
        }
    }
}

#[test]
fn a_mark_too_few_and_one_too_many_are_found() {
    let file = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let expect = "#![expect(clippy::disallowed_methods, reason = \"the rim\")]\n";
    let in_tests = format!("fn f() {{}}\n#[cfg(test)]\nmod tests {{\n{expect}}}\n");
    let files = [
        file("repo-map/src/a/read.rs", expect),
        file("repo-map/src/a/pure.rs", &in_tests),
        file("repo-map/src/b/mod.rs", expect),
        file("repo-map/src/b/inner.rs", expect),
    ];
    let map = "| `repo-map/src/` | |\n|---|---|\n| `a/` | `read.rs` ◆, `pure.rs`: x |\n\
               | `b/` ◆ | `inner.rs` |\n";
    assert_eq!(marked(map), expecting(&files));
    assert_ne!(marked(&map.replacen(" ◆", "", 1)), expecting(&files));
    assert_ne!(marked(&map.replace("`pure.rs`", "`pure.rs` ◆")), expecting(&files));
}
