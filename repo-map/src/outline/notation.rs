//! How a language writes the lines between its definitions: comments, imports, and lines that say
//! nothing alone. A table by line beginnings serves where a grammar has a dozen kinds of nodes.

use crate::outline::language::Language;

/// The line beginnings of a language, without indentation.
pub(super) struct Notation {
    comments: &'static [&'static str],
    imports: &'static [&'static str],
    /// Lines that say nothing alone.
    silent: &'static [&'static str],
    /// Whether text between definitions is worth an item.
    pub(super) has_regions: bool,
    /// Whether a type may hold statements: `set :port, 80` in a class of Ruby.
    pub(super) has_regions_in_types: bool,
}

const SLASHES: &[&str] = &["//", "/*", "*"];

/// Returns the notation of a language whose files import others.
pub(super) fn notation(language: &Language) -> Option<Notation> {
    let of = |comments, imports, silent, has_regions| Notation {
        comments,
        imports,
        silent,
        has_regions,
        has_regions_in_types: language.name == "ruby",
    };
    Some(match language.name {
        "javascript" | "typescript" | "tsx" => {
            of(SLASHES, &["import ", "import{"], &["export *", "export {", "'use ", "\"use "], true)
        }
        "python" => of(&["#", "\"\"\"", "'''"], &["import ", "from "], &["pass", "...", "@"], true),
        "ruby" => of(
            &["#", "=begin", "=end"],
            &["require", "load ", "autoload "],
            &["end", "module ", "private", "protected", "public", "module_function"],
            true,
        ),
        "php" => of(
            &["//", "#", "/*", "*"],
            &["use ", "require", "include"],
            &["<?php", "?>", "namespace ", "declare"],
            true,
        ),
        "lua" => of(&["--"], &["require"], &[], true),
        "c" | "cpp" | "lex" | "yacc" => of(
            SLASHES,
            &["#include", "# include", "#import", "using "],
            // Conditions, what stands around a whole file, and marks between parts of a grammar.
            &["#", "extern \"C\"", "namespace", "inline namespace", "}", "%{", "%}", "%%"],
            true,
        ),
        "csharp" => of(SLASHES, &["using ", "global using "], &[], false),
        "go" => {
            of(SLASHES, &["import ", "import("], &["package ", "var (", "const (", "type ("], true)
        }
        "haskell" => of(&["--", "{-"], &["import "], &[], false),
        "java" | "kotlin" | "scala" | "swift" => of(SLASHES, &["import "], &[], false),
        "ocaml" => of(&["(*"], &["open "], &[], false),
        "protobuf" => of(SLASHES, &["import "], &[], false),
        "rust" => of(
            SLASHES,
            &["use ", "pub use ", "pub(crate) use ", "pub(super) use ", "extern crate "],
            // Attributes of what follows, or of the crate.
            &["#[", "#!["],
            true,
        ),
        _ => return None,
    })
}

/// What a line between definitions is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Import,
    Comment,
    Silent,
    Code,
}

/// Tells the lines of a text apart, one after another.
pub(super) struct LineKinds<'a> {
    notation: &'a Notation,
    /// The kind of the line before, if it goes on: with an open bracket, a comment or a backslash.
    before: Option<LineKind>,
    /// The end of the comment of several lines that is open.
    comment_end: String,
    n_open: i32,
}

impl<'a> LineKinds<'a> {
    pub(super) fn of(notation: &'a Notation) -> LineKinds<'a> {
        LineKinds { notation, before: None, comment_end: String::new(), n_open: 0 }
    }

    /// Returns the kind of the next line that is not blank, given without indentation.
    pub(super) fn next(&mut self, line: &str) -> LineKind {
        let kind = self.before.unwrap_or_else(|| self.notation.kind(line));
        let goes_on = match kind {
            LineKind::Code => false,
            LineKind::Comment if self.before.is_some() => !line.contains(&self.comment_end),
            LineKind::Comment => match self.notation.opened_comment(line) {
                Some((rest, end)) if !rest.contains(&end) => {
                    self.comment_end = end;
                    true
                }
                Some(_) | None => false,
            },
            LineKind::Import | LineKind::Silent => {
                self.n_open = (self.n_open + n_open(line)).max(0);
                self.n_open > 0 || line.ends_with('\\')
            }
        };
        self.before = goes_on.then_some(kind);
        kind
    }
}

impl Notation {
    fn kind(&self, line: &str) -> LineKind {
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        let binds = ["const ", "let ", "var ", "local "];
        let requires = || line.contains("= require(") || line.contains("= require \"");
        match () {
            () if begins(self.imports) || begins(&binds) && requires() => LineKind::Import,
            () if begins(self.comments) => LineKind::Comment,
            () if begins(self.silent) => LineKind::Silent,
            () => LineKind::Code,
        }
    }

    /// Returns what follows the opening mark of a comment of several lines, and the mark that ends
    /// it.
    fn opened_comment<'l>(&self, line: &'l str) -> Option<(&'l str, String)> {
        let has = |mark: &str| self.comments.contains(&mark);
        let pairs = [("/*", "*/"), ("=begin", "=end"), ("\"\"\"", "\"\"\""), ("'''", "'''")];
        let plain = pairs
            .into_iter()
            .filter(|(open, _)| has(open))
            .find_map(|(open, end)| line.strip_prefix(open).map(|rest| (rest, end.to_owned())));
        plain.or_else(|| long_bracket(line).filter(|_| has("--")))
    }
}

/// Returns what follows the opening mark of a comment such as Lua's `--[==[ … ]==]`, and its end.
fn long_bracket(line: &str) -> Option<(&str, String)> {
    let marks = line.strip_prefix("--[")?;
    let rest = marks.trim_start_matches('=');
    let level = &marks[..marks.len() - rest.len()];
    rest.strip_prefix('[').map(|rest| (rest, format!("]{level}]")))
}

/// Returns the number of brackets that a line opens and does not close.
fn n_open(line: &str) -> i32 {
    let of = |byte: u8| match byte {
        b'(' | b'{' | b'[' => 1,
        b')' | b'}' | b']' => -1,
        _ => 0,
    };
    line.bytes().map(of).sum()
}
