//! The languages of a run: the built-in ones, with the changes and additions of a plan.

use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tree_sitter::Query;

use crate::outline::catch_panic::catch_panic;
use crate::outline::language::{self, Language};
use crate::outline::macros::is_cpp_header;
use crate::outline::{self, Outline};
use crate::source::scan::Source;
use crate::text::suggest::nearest;

/// The maximum size of a query, in bytes; the largest built-in one has 7 000.
pub(crate) const MAX_QUERY_BYTES: usize = 16 << 10;
/// The maximum number of language rules in one plan.
const MOST_RULES: usize = 100;

/// A query for a built-in language, or an additional language that a built-in grammar parses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a language: a `name` and its fields")]
pub struct LanguageRule {
    /// A built-in language (`repo-map languages`), or a new name.
    pub name: String,
    /// For a new name: the built-in language whose grammar parses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grammar: Option<String>,
    /// Additional file name extensions, without the dot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extensions: Vec<String>,
    /// Additional whole file names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_names: Vec<String>,
    /// A tree-sitter query with the captures of `queries/README.md`. It finds items in addition to
    /// the grammar's own query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The query replaces the grammar's own, instead of preceding it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaces: bool,
}

/// The languages with a plan's rules applied, compiled. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Languages {
    rows: Arc<Vec<LanguageRow>>,
    n_rules: usize,
}

/// A language that a rule changes or adds.
#[derive(Debug)]
struct LanguageRow {
    name: String,
    base: &'static Language,
    extensions: Vec<String>,
    file_names: Vec<String>,
    /// `None`: the base language's own query.
    query: Option<(String, Query)>,
}

impl Languages {
    /// Applies rules in order. Of two queries for one language the later comes first, where it
    /// takes precedence.
    ///
    /// # Errors
    /// The position of the invalid rule, and a sentence that names its field.
    pub(crate) fn new(rules: &[LanguageRule]) -> Result<Languages, (usize, String)> {
        let mut languages = Languages::default();
        for (at, rule) in rules.iter().enumerate() {
            languages.add(rule).map_err(|message| (at, message))?;
        }
        Ok(languages)
    }

    /// Adds one rule. An invalid rule changes nothing.
    ///
    /// # Errors
    /// A sentence that names the field.
    pub(crate) fn add(&mut self, rule: &LanguageRule) -> Result<(), String> {
        if self.n_rules == MOST_RULES {
            return Err(format!("name: too many rules about languages (at most {MOST_RULES})"));
        }
        let rows = Arc::get_mut(&mut self.rows).ok_or("name: the languages are in use already")?;
        add(rows, rule)?;
        self.n_rules += 1;
        Ok(())
    }

    /// Returns the language of a file, by its name, its first line, or (C or C++) its text.
    pub(crate) fn of(&self, path: &str, source: &Source) -> Option<&'static Language> {
        if source.is_page {
            return language::named("markdown");
        }
        self.row_of(path).map(|row| row.base).or_else(|| built_in(path, source))
    }

    /// Reports whether files of this name have a language.
    pub(crate) fn claims(&self, path: &str) -> bool {
        self.row_of(path).is_some() || language::of_path(path).is_some()
    }

    /// Returns the outline of a file's text, and the language whose grammar parsed it.
    pub(crate) fn outline_of(
        &self,
        path: &str,
        source: &Source,
    ) -> (Option<&'static Language>, Outline) {
        let row = if source.is_page { None } else { self.row_of(path) };
        let Some(language) = self.of(path, source) else {
            // A file without text has no outline either, but its language is not the cause.
            return (None, Outline::default());
        };
        let row = row.or_else(|| self.rows.iter().find(|row| row.name == language.name));
        let outline = match row.and_then(|row| row.query.as_ref()) {
            Some((_, query)) => outline::outline_with(language, query, &source.text),
            None => outline::outline(language, &source.text),
        };
        (Some(language), outline)
    }

    /// Returns everything that outlines depend on except built-in queries.
    pub(crate) fn about(&self) -> String {
        let of_row = |row: &LanguageRow| {
            format!(
                "{} {} {:?} {:?} {:?}\n",
                row.name,
                row.base.name,
                row.extensions,
                row.file_names,
                row.query.as_ref().map(|(text, _)| text)
            )
        };
        self.rows.iter().map(of_row).collect()
    }

    /// Returns the rule that claims a file's name; later rules first.
    fn row_of(&self, path: &str) -> Option<&LanguageRow> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        let has_extension = |row: &&LanguageRow| {
            extension.is_some_and(|extension| {
                row.extensions.iter().any(|one| one.eq_ignore_ascii_case(extension))
            })
        };
        let rows = || self.rows.iter().rev();
        rows()
            .find(|row| row.file_names.iter().any(|one| one == name))
            .or_else(|| rows().find(has_extension))
    }
}

fn add(rows: &mut Vec<LanguageRow>, rule: &LanguageRule) -> Result<(), String> {
    if rule.name.is_empty()
        || !rule.name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+'))
    {
        return Err(format!(
            "name: `{}` is no name for a language (letters, digits, `-`, `_`)",
            rule.name
        ));
    }
    let names = || language::all().iter().map(|language| language.name);
    let base = match (&rule.grammar, rows.iter().find(|row| row.name == rule.name)) {
        (Some(grammar), _) => language::named(grammar).ok_or_else(|| {
            let near = nearest(grammar, names()).map_or(String::new(), |near| {
                format!(
                    " (did you \
                mean `{near}`?)"
                )
            });
            format!("grammar: there is no language `{grammar}`{near}")
        })?,
        (None, Some(row)) => row.base,
        (None, None) => language::named(&rule.name).ok_or_else(|| {
            let near = nearest(&rule.name, names())
                .map_or(String::new(), |near| format!("did you mean `{near}`? "));
            format!(
                "name: there is no language `{}` ({near}a new one names the language whose \
                 grammar reads it: `grammar: python`)",
                rule.name
            )
        })?,
    };
    if let Some(row) = rows.iter().find(|row| row.name == rule.name && row.base.name != base.name) {
        return Err(format!("grammar: `{}` is read as {} already", rule.name, row.base.name));
    }
    if language::named(&rule.name).is_some_and(|own| own.name != base.name) {
        return Err(format!("grammar: `{}` is built in and has a grammar of its own", rule.name));
    }
    if let Some(bad) = rule.extensions.iter().find(|one| one.is_empty() || one.contains(['/', '.']))
    {
        return Err(format!("extensions: `{bad}` is not an extension (write `bzl` for `*.bzl`)"));
    }
    if let Some(bad) = rule.file_names.iter().find(|one| one.is_empty() || one.contains('/')) {
        return Err(format!("file_names: `{bad}` is no name of a file"));
    }
    let known = rows.iter().position(|row| row.name == rule.name);
    let query = match &rule.query {
        Some(query) => {
            Some(joined(base, query, known.and_then(|at| rows[at].query.as_ref()), rule.replaces)?)
        }
        None => None,
    };
    let at = known.unwrap_or_else(|| {
        rows.push(LanguageRow {
            name: rule.name.clone(),
            base,
            extensions: Vec::new(),
            file_names: Vec::new(),
            query: None,
        });
        rows.len() - 1
    });
    let row = &mut rows[at];
    row.extensions.extend(rule.extensions.iter().cloned());
    row.file_names.extend(rule.file_names.iter().cloned());
    row.query = query.or(row.query.take());
    Ok(())
}

/// Puts a query before the earlier ones, or in their place.
fn joined(
    base: &Language,
    query: &str,
    before: Option<&(String, Query)>,
    replaces: bool,
) -> Result<(String, Query), String> {
    if query.len() > MAX_QUERY_BYTES {
        return Err(format!("query: too large (at most {MAX_QUERY_BYTES} bytes)"));
    }
    // First alone, so that an error names its own lines.
    let alone = checked(base, query)?;
    if replaces {
        return Ok((query.to_owned(), alone));
    }
    let both = format!("{query}\n{}", before.map_or(base.query, |(text, _)| text));
    let compiled = checked(base, &both)?;
    Ok((both, compiled))
}

/// The maximum number of regular expressions in a query, and the maximum size of one, compiled, in
/// bytes. A query may come with a repository, and nothing else limits the time to compile it.
const MOST_EXPRESSIONS: usize = 100;
const MOST_COMPILED: usize = 256 << 10;
/// The maximum number of optional or repeated parts in a pattern. Each multiplies the paths through
/// the pattern: compiling takes their third power. Built-in queries have up to 19.
const MOST_OPTIONAL: usize = 100;

fn checked(base: &Language, query: &str) -> Result<Query, String> {
    let is_optional =
        |pair: &&[u8]| matches!(pair, [b')' | b']' | b'"' | b'_', b'?' | b'*' | b'+']);
    if query.as_bytes().windows(2).filter(is_optional).count() > MOST_OPTIONAL {
        return Err(format!(
            "query: too many optional or repeated parts (at most {MOST_OPTIONAL})"
        ));
    }
    if query.matches("match?").count() > MOST_EXPRESSIONS {
        return Err(format!("query: too many expressions (`#match?`; at most {MOST_EXPRESSIONS})"));
    }
    let is_large = |text: &&str| {
        let compiled = regex::bytes::RegexBuilder::new(&text.replace("\\\\", "\\"))
            .size_limit(MOST_COMPILED)
            .build();
        matches!(compiled, Err(regex::Error::CompiledTooBig(_)))
    };
    // Check the text between quotes and outside of them, because a comment may hold a single quote.
    // Text that is not an expression does no harm here.
    if let Some(large) = query.replace("\\\"", "").split('"').find(is_large) {
        return Err(format!("query: the expression `{large}` is too large"));
    }
    let compiled = catch_panic(|| outline::checked_query(base, query))
        .unwrap_or_else(|| Err("the query cannot be compiled".to_owned()));
    compiled.map_err(|message| format!("query: {message}"))
}

/// Returns the built-in language of a file.
fn built_in(path: &str, source: &Source) -> Option<&'static Language> {
    let language = language::of_path(path).or_else(|| language_of_shebang(&source.text));
    if path.ends_with(".h") && is_cpp_header(&source.text) {
        language::named("cpp")
    } else {
        language
    }
}

fn language_of_shebang(text: &str) -> Option<&'static Language> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let program =
        line.split(['/', ' ']).rfind(|word| !word.is_empty() && !word.starts_with('-'))?;
    match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "sh" | "bash" | "zsh" | "dash" | "ksh" => language::named("bash"),
        "node" => language::named("javascript"),
        other => language::named(other),
    }
}
