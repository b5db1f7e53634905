//! Sizes that stay small: files, functions, lines; and names of types that say one thing each.

use std::collections::BTreeMap;

use crate::rim::CRATES;
use crate::sources::{Source, production_code, sources};

const LONGEST_FILE: usize = 500;
const LONGEST_FUNCTION: usize = 80;
const LONGEST_LINE: usize = 100;
/// The median file of a crate has at most this many lines.
const MEDIAN_FILE: usize = 160;

/// All Rust files that people write and read here.
fn all() -> Vec<Source> {
    ["repo-map", "site-map", "navigator", "benches", "tests", "fuzz/fuzz_targets"]
        .iter()
        .flat_map(|folder| sources(folder))
        .collect()
}

/// Files with too many lines whose header gives no reason for it (`Long:`).
fn long_files(files: &[Source]) -> Vec<String> {
    let header = |file: &Source| -> String {
        file.text.lines().take_while(|line| line.starts_with("//!")).collect()
    };
    files
        .iter()
        .filter(|file| file.text.lines().count() > LONGEST_FILE && !header(file).contains("Long: "))
        .map(|file| format!("{}: {} lines", file.path, file.text.lines().count()))
        .collect()
}

/// Functions with too many lines, from `fn` to the brace that closes it.
fn long_functions(files: &[Source]) -> Vec<String> {
    let mut long = Vec::new();
    for file in files {
        let lines: Vec<&str> = file.text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let code = line.trim_start();
            let is_function = code.split_once("fn ").is_some_and(|(before, _)| {
                before.split_whitespace().all(|word| {
                    word.starts_with("pub") || ["const", "async", "unsafe"].contains(&word)
                })
            });
            if !is_function || !code.contains('(') || line.ends_with(['}', ';']) {
                continue;
            }
            let close = format!("{}}}", &line[..line.len() - code.len()]);
            let n = lines[at..].iter().take_while(|line| **line != close).count() + 1;
            let n = n - n_of_shown_text(&lines[at..(at + n).min(lines.len())]);
            if n > LONGEST_FUNCTION {
                let name = code.split_once("fn ").map_or(code, |(_, name)| name);
                let name = name.split(['(', '<']).next().unwrap_or(name);
                long.push(format!("{}: {name}: {n} lines", file.path));
            }
        }
    }
    long
}

/// The lines that stand whole inside a string: texts as they are expected are not code.
fn n_of_shown_text(lines: &[&str]) -> usize {
    let mut closes: Option<String> = None;
    let mut n_shown = 0;
    for line in lines {
        let was_inside = closes.is_some();
        let mut rest = *line;
        loop {
            match &closes {
                Some(close) => match rest.split_once(close.as_str()) {
                    Some((_, after)) => (rest, closes) = (after, None),
                    None => break,
                },
                None => match raw_string(rest).or_else(|| snapshot(rest)) {
                    Some((after, close)) => (rest, closes) = (after, Some(close)),
                    None => break,
                },
            }
        }
        n_shown += usize::from(was_inside && closes.is_some());
    }
    n_shown
}

/// What stands behind the opening of an inline snapshot that is no raw string, and what closes it.
fn snapshot(line: &str) -> Option<(&str, String)> {
    line.split_once("@\"").map(|(_, after)| (after, "\"".to_owned()))
}

/// Lines with too many columns. A raw string, and a word without a space, cannot be broken; the
/// strings of tests and benchmarks are shown as they are.
fn long_lines(files: &[Source]) -> Vec<String> {
    let mut long = Vec::new();
    for file in files {
        let mut closes: Option<String> = None;
        for (at, line) in file.text.lines().enumerate() {
            let was_inside = closes.is_some();
            let mut rest = line;
            loop {
                match &closes {
                    Some(close) => match rest.split_once(close.as_str()) {
                        Some((_, after)) => (rest, closes) = (after, None),
                        None => break,
                    },
                    None => match raw_string(rest) {
                        Some((after, close)) => (rest, closes) = (after, Some(close)),
                        None => break,
                    },
                }
            }
            let is_raw = was_inside || raw_string(line).is_some();
            let can_be_broken = line.trim().trim_start_matches("// ").contains(' ');
            let is_snapshot = !file.path.contains("/src/")
                && without_strings(line).chars().count() <= LONGEST_LINE;
            if line.chars().count() > LONGEST_LINE && !is_raw && !is_snapshot && can_be_broken {
                long.push(format!("{}:{}", file.path, at + 1));
            }
        }
    }
    long
}

/// A line without what stands in its string literals: tests show texts as they are.
fn without_strings(line: &str) -> String {
    let quotes = line.replace("\\\\", "").replace("\\\"", "");
    quotes.split('"').step_by(2).collect()
}

/// What stands behind the first raw string's opening, and what closes it.
fn raw_string(line: &str) -> Option<(&str, String)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    line.match_indices('r').find_map(|(at, _)| {
        let rest = line[at + 1..].trim_start_matches('#');
        let marks = &line[at + 1..line.len() - rest.len()];
        let before = line[..at].strip_suffix('b').unwrap_or(&line[..at]);
        let opens = rest.starts_with('"') && !before.ends_with(is_word);
        opens.then(|| (&rest[1..], format!("\"{marks}")))
    })
}

/// Names of types that are declared more than once.
fn names_twice(files: &[Source]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for file in files {
        for line in production_code(&file.text).lines() {
            let mut words = line.split([' ', '<', '(', ';', '{', ':']);
            let first = words.find(|word| {
                !word.starts_with("pub") && !["crate)", "super)", "in", "unsafe"].contains(word)
            });
            if line.starts_with(' ')
                || !first.is_some_and(|word| {
                    ["struct", "enum", "trait", "type", "union"].contains(&word)
                })
            {
                continue;
            }
            if let Some(name) = words.next() {
                places.entry(name.to_owned()).or_default().push(&file.path);
            }
        }
    }
    // Each crate has one `Error` and one `Result`, as crates do.
    places.retain(|name, places| places.len() > 1 && name != "Error" && name != "Result");
    places.into_iter().map(|(name, places)| format!("{name}: {}", places.join(", "))).collect()
}

#[test]
fn no_file_is_long_without_a_reason_and_no_function_is_long() {
    let all = all();
    let long = [long_files(&all), long_functions(&all)].concat();
    assert_eq!(long, [""; 0], "too long");
}

#[test]
fn the_median_file_is_short() {
    for folder in ["repo-map/src", "site-map/src", "navigator/src"] {
        let mut lines: Vec<usize> =
            sources(folder).iter().map(|file| file.text.lines().count()).collect();
        lines.sort_unstable();
        let median = lines[lines.len() / 2];
        assert!(median <= MEDIAN_FILE, "{folder}: {median} lines");
    }
}

#[test]
fn no_line_is_long() {
    let long = long_lines(&all());
    assert!(long.is_empty(), "{long:#?}");
}

#[test]
fn no_type_name_is_declared_twice() {
    let files: Vec<Source> = CRATES.iter().flat_map(|folder| sources(folder)).collect();
    let twice = names_twice(&files);
    assert!(twice.is_empty(), "{twice:#?}");
}

#[test]
fn what_is_too_long_or_named_twice_is_found() {
    let file = |text: String| [Source { path: "a.rs".to_owned(), text }];
    let lines = |n: usize| "x\n".repeat(n);
    assert_eq!(long_files(&file(lines(501))), ["a.rs: 501 lines"]);
    assert_eq!(long_files(&file(format!("//! Long: a table.\n{}", lines(501)))), [""; 0]);

    let function = |n: usize| format!("    pub fn f() {{\n{}    }}\n", lines(n));
    assert_eq!(long_functions(&file(function(78))), [""; 0]);
    assert_eq!(long_functions(&file(function(79))), ["a.rs: f: 81 lines"]);

    let shown = format!("    fn f() {{\n    g(@\"\n{}    \");\n    }}\n", lines(90));
    assert_eq!(long_functions(&file(shown)), [""; 0]);

    let wide = "x ".repeat(51);
    let raw = format!("let a = r#\"\n{wide}\n\"#;\n");
    assert_eq!(long_lines(&file(format!("{raw}{wide}"))), ["a.rs:4"]);
    assert_eq!(long_lines(&file(format!("\"{}\"", "x".repeat(120)))), [""; 0]);

    let twice = "pub(crate) struct A;\nenum A {}\ntype B = A;\n".to_owned();
    assert_eq!(names_twice(&file(twice)), ["A: a.rs, a.rs"]);
}
