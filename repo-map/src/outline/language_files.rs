//! Query files of a user or a repository: languages refined or added without a plan.
//!
//! `FOLDER/NAME.scm` is a query for the language NAME. Comments at its head set the other fields:
//! `; grammar: python` names the built-in language whose grammar parses a new one, `; extensions:
//! bzl star` and `; file-names: BUILD` claim files, `; replaces` makes the query replace the
//! built-in one.

#![expect(
    clippy::disallowed_methods,
    reason = "the rim: reads the user's folder, and one folder of a repository"
)]

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::outline::languages::{LanguageRule, Languages, MAX_QUERY_BYTES};
use crate::source::scan::Problem;
use crate::text::sanitize::Sanitized;

/// The folder of a repository's query files.
pub const IN_REPOSITORY: &str = ".repo-map/languages";

/// Reads the query files in these folders, in order of folder and name. Returns the rules, and the
/// problems of files that are invalid alone or together with those before them. A missing folder
/// has no files.
pub fn read(folders: &[&Path]) -> (Vec<LanguageRule>, Vec<Problem>) {
    let (mut rules, mut problems) = (Vec::new(), Vec::new());
    let mut in_force = Languages::default();
    for folder in folders {
        let files = files_of(folder).unwrap_or_else(|message| {
            problems.push(Problem { path: shown(folder), message });
            Vec::new()
        });
        for file in files {
            let name = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let rule = text_of(&file).and_then(|text| {
                let rule = rule_of(name, text);
                in_force.add(&rule).map(|()| rule)
            });
            match rule {
                Ok(rule) => rules.push(rule),
                Err(message) => {
                    problems.push(Problem {
                        path: shown(&file),
                        message: format!("ignored: {message}"),
                    });
                }
            }
        }
    }
    (rules, problems)
}

/// Returns a path for people: a name may hold what a terminal obeys.
fn shown(path: &Path) -> String {
    Sanitized::line(&path.display().to_string()).into_string()
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, String> {
    // Like a file, the folder must not be a link; in a repository its parent must not be one
    // either.
    let is_link = |folder: &Path| fs::symlink_metadata(folder).is_ok_and(|of| of.is_symlink());
    if folder.ends_with(IN_REPOSITORY) && folder.ancestors().take(2).any(is_link) {
        return Err("is a link, which is not followed".to_owned());
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "scm")).collect();
    files.sort();
    Ok(files)
}

/// Reads a query file. Links and pipes are refused: a link could lead out of the repository, and
/// reading a pipe could block for ever.
fn text_of(file: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("cannot be read: {error}");
    if !fs::symlink_metadata(file).map_err(failed)?.is_file() {
        return Err("it is no regular file".to_owned());
    }
    let mut text = String::new();
    fs::File::open(file)
        .and_then(|open| open.take(MAX_QUERY_BYTES as u64 + 1).read_to_string(&mut text))
        .map_err(failed)?;
    Ok(text)
}

fn rule_of(name: &str, query: String) -> LanguageRule {
    let mut rule = LanguageRule { name: name.to_owned(), ..LanguageRule::default() };
    let head =
        query.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with(';'));
    for said in head.map(|line| line.trim_start_matches(';').trim()) {
        let words = |list: &str| list.split_whitespace().map(str::to_owned).collect();
        match said.split_once(':') {
            Some(("grammar", grammar)) => rule.grammar = Some(grammar.trim().to_owned()),
            Some(("extensions", list)) => rule.extensions = words(list),
            Some(("file-names", list)) => rule.file_names = words(list),
            None if said == "replaces" => rule.replaces = true,
            Some(_) | None => {}
        }
    }
    // A file without a query may still claim file names.
    let is_empty =
        query.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with(';'));
    rule.query = (!is_empty).then_some(query);
    rule
}
