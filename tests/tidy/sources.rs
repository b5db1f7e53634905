//! Source files as these tests read them: their code without comments and tests, and the paths in
//! it.

use std::fs;

use crate::{files, root};

/// A file of the workspace, its path relative to the root.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Whether this is the front of a folder or a crate.
    pub(crate) fn is_front(&self) -> bool {
        self.path.ends_with("/mod.rs") || self.path.ends_with("/lib.rs")
    }

    /// The path of the module within its crate.
    pub(crate) fn module(&self) -> Vec<&str> {
        let inside = self.path.split_once("/src/").map_or("", |(_, inside)| inside);
        let inside = inside.strip_suffix(".rs").unwrap_or(inside);
        let inside = inside.strip_suffix("mod").unwrap_or(inside);
        inside.split('/').filter(|part| !part.is_empty() && *part != "lib").collect()
    }
}

/// The Rust files of a folder.
pub(crate) fn sources(folder: &str) -> Vec<Source> {
    let source = |file: std::path::PathBuf| Source {
        path: file.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(),
        text: fs::read_to_string(&file).unwrap(),
    };
    files(folder, "rs").into_iter().map(source).collect()
}

/// A text without comments and without its tests, which may use whatever they like.
pub(crate) fn production_code(text: &str) -> String {
    let text = text.split("\nmod tests {").next().unwrap_or(text);
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// Every path that stands after `start`, such as `crate::`, with braces opened.
pub(crate) fn paths_after(code: &str, start: &str) -> Vec<Vec<String>> {
    let begins =
        |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
    let starts = code.match_indices(start).map(|(at, _)| at).filter(|at| begins(*at));
    starts.flat_map(|at| tree(&mut code[at + start.len()..].chars().peekable())).collect()
}

/// What a front hands on, and from where: the trees of its `use` lines, `self` left out.
pub(crate) fn trees_of_uses(text: &str) -> Vec<Vec<String>> {
    let code = production_code(text);
    let starts = code.match_indices("use ").map(|(at, _)| at);
    let is_line = |at: &usize| code[..*at].ends_with(['\n', ' ', ')']) || *at == 0;
    starts
        .filter(is_line)
        .flat_map(|at| tree(&mut code[at + "use ".len()..].chars().peekable()))
        .filter(|path| !path.is_empty())
        .collect()
}

/// One tree of a `use`, or a path: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn tree(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Vec<Vec<String>> {
    let mut path: Vec<String> = Vec::new();
    let mut word = String::new();
    loop {
        match chars.peek() {
            Some(c) if c.is_alphanumeric() || *c == '_' => word.extend(chars.next()),
            Some(':') => {
                chars.next();
                if chars.next_if_eq(&':').is_none() {
                    break;
                }
                path.push(std::mem::take(&mut word));
            }
            Some('{') => {
                chars.next();
                return branches(chars, &path);
            }
            Some(c) if c.is_whitespace() && word.is_empty() => {
                chars.next();
            }
            _ => break,
        }
    }
    if !word.is_empty() && word != "self" {
        path.push(word);
    }
    vec![path]
}

fn branches(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    path: &[String],
) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    loop {
        for branch in tree(chars) {
            all.push(path.iter().cloned().chain(branch).collect());
        }
        // What is left of a branch, such as ` as name`.
        while chars.next_if(|c| *c != ',' && *c != '}').is_some() {}
        if chars.next() != Some(',') {
            return all;
        }
    }
}
