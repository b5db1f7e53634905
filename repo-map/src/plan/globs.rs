//! The globs of rules: compiling and matching them, and globs that match one path only.

use std::sync::LazyLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use regex::Regex;

use crate::level::LevelRange;
use crate::text::mask;
use crate::text::sanitize;

/// Why a text is no glob or no rule of a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleError {
    /// The glob is empty.
    #[error("an empty glob matches nothing (`**` matches every path)")]
    EmptyGlob,
    /// The glob begins with `!`.
    #[error("`!{glob}`: a plan has no negated globs (give `{glob}` the level `exclude` instead)")]
    NegatedGlob {
        /// The glob without the `!`.
        glob: String,
    },
    /// The glob has no name between its slashes.
    #[error("`{glob}` matches nothing (`**` matches every path)")]
    NoPath {
        /// The glob.
        glob: String,
    },
    /// The glob is invalid.
    #[error("`{glob}` is not a valid glob: {message}")]
    Glob {
        /// The glob.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
    /// All globs together are too large to compile.
    #[error("{message}")]
    Globs {
        /// The reason.
        message: String,
    },
    /// The target of a rule ends with `#`.
    #[error("`{target}` names no item after its `#`")]
    NoItem {
        /// The target.
        target: String,
    },
    /// The level is not one for items.
    #[error("`{range}`: an item takes exclude, outline, interface, body or full")]
    ItemLevel {
        /// The level or range.
        range: LevelRange,
    },
}

/// Translates a gitignore-style glob into globs over whole paths. It is anchored when it holds a
/// slash before its end, and a folder matches everything in it.
pub(super) fn globs_of(pattern: &str) -> std::result::Result<Vec<globset::Glob>, RuleError> {
    if pattern.trim().is_empty() {
        return Err(RuleError::EmptyGlob);
    }
    if let Some(rest) = pattern.strip_prefix('!') {
        return Err(RuleError::NegatedGlob { glob: rest.to_owned() });
    }
    let is_folder = pattern.ends_with('/');
    let trimmed = pattern.trim_end_matches('/');
    let body = trimmed.trim_start_matches('/');
    let anchored = trimmed.starts_with('/') || body.contains('/');
    if body.is_empty() {
        return Err(RuleError::NoPath { glob: pattern.to_owned() });
    }
    let base = if anchored || body == "**" { body.to_owned() } else { format!("**/{body}") };
    let mut globs = Vec::new();
    if !is_folder {
        globs.push(base.clone());
    }
    let is_everything = base == "**" || base.ends_with("/**");
    match (is_everything, is_folder) {
        // Everything in any folder: `**/`, `src/**/`.
        (true, true) => globs.push(format!("{base}/*/**")),
        (true, false) => {}
        (false, _) => globs.push(format!("{base}/**")),
    }
    globs
        .iter()
        .map(|glob| {
            GlobBuilder::new(glob).literal_separator(true).backslash_escape(true).build().map_err(
                |error| RuleError::Glob {
                    glob: pattern.to_owned(),
                    message: error.kind().to_string(),
                },
            )
        })
        .collect()
}

/// Checks a glob for use in a rule.
///
/// # Errors
/// When the glob is invalid.
pub fn check_glob(glob: &str) -> std::result::Result<(), RuleError> {
    globs_of(glob).map(|_| ())
}

/// Returns a glob that matches only this path.
pub fn exact_glob(path: &str) -> String {
    let mut glob = String::from("/");
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\' | '!' | '#') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

/// Sanitizes a glob. An escaped character has the same form in paths and globs, so the result still
/// matches.
pub(super) fn sanitized_glob(glob: &str) -> String {
    let (masked, _) = mask::mask(glob);
    let escaped = |found: &regex::Captures<'_>| {
        let inside = &found[0][1..found[0].len() - 1];
        format!(r"\[{inside}\]")
    };
    let masked = MASK.replace_all(&masked, escaped);
    sanitize::replace_hidden(
        &masked,
        |_| false,
        |written_out| exact_glob(written_out)[1..].to_owned(),
    )
    .0
    .into_owned()
}

/// The replacement of a masked secret.
static MASK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&mask::replacement_pattern()).expect("the pattern is valid"));

/// Returns the path of a glob made by [`exact_glob`]; `None` for other globs.
pub fn exact_path(glob: &str) -> Option<String> {
    let mut path = String::new();
    let mut chars = glob.strip_prefix('/')?.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => path.push(chars.next()?),
            '*' | '?' | '[' | ']' | '{' | '}' => return None,
            c => path.push(c),
        }
    }
    Some(path)
}

/// Globs compiled into one matcher.
#[derive(Debug, Clone, Default)]
pub(crate) struct Globs {
    set: GlobSet,
    /// For each compiled glob, the position of its pattern.
    owners: Vec<usize>,
}

impl Globs {
    /// Compiles the patterns.
    ///
    /// # Errors
    /// When a pattern is invalid, or there are too many.
    pub(crate) fn new<'a>(
        patterns: impl IntoIterator<Item = &'a str>,
    ) -> std::result::Result<Globs, RuleError> {
        let mut builder = GlobSetBuilder::new();
        let mut owners = Vec::new();
        for (owner, pattern) in patterns.into_iter().enumerate() {
            for glob in globs_of(pattern)? {
                builder.add(glob);
                owners.push(owner);
            }
        }
        let set = builder.build().map_err(|error| RuleError::Globs {
            message: format!(
                "{} globs are too many to compile together; globs of folders need fewer ({error})",
                owners.len()
            ),
        })?;
        Ok(Globs { set, owners })
    }

    /// Returns the positions of the patterns that match, in order.
    pub(crate) fn matches(&self, path: &str) -> Vec<usize> {
        let mut owners: Vec<usize> =
            self.set.matches(path).into_iter().map(|glob| self.owners[glob]).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    pub(crate) fn is_match(&self, path: &str) -> bool {
        self.set.is_match(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_as_in_gitignore() {
        let matches = |glob: &str, path: &str| Globs::new([glob]).unwrap().is_match(path);
        for (glob, path) in [
            ("**", "a"),
            ("**", "a/b"),
            ("*.md", "docs/x.md"),
            ("docs", "docs/x.md"),
            ("docs", "a/docs/x.md"),
            ("/docs", "docs/x.md"),
            ("docs/", "a/docs/x.md"),
            ("src/**", "src/a/b.rs"),
            ("src/*.rs", "src/a.rs"),
            ("a/**/b", "a/b"),
            ("a/**/b", "a/x/y/b"),
            ("*.{c,h}", "x.h"),
            ("/*", "a"),
            ("/*", "a/b"),
            ("**/x", "x"),
            ("**/", "a/b"),
            ("**/", "a/b/c"),
            ("/**/", "a/b"),
            ("src/**/", "src/a/b.rs"),
            ("old**", "a/older/b"),
        ] {
            assert!(matches(glob, path), "{glob} should match {path}");
        }
        for (glob, path) in [
            ("/docs", "a/docs/x.md"),
            ("docs/", "docs"),
            ("src/*.rs", "src/a/b.rs"),
            ("src/**", "lib/src/a"),
            ("*.md", "md"),
            ("a/b", "x/a/b"),
            ("**/", "a"),
            ("src/**/", "src/a.rs"),
            ("src/**/", "lib/a/b.rs"),
        ] {
            assert!(!matches(glob, path), "{glob} should not match {path}");
        }
        assert!(matches(&exact_glob("a[1]/{b}*\\\\c#.rs"), "a[1]/{b}*\\\\c#.rs"));
    }
}
