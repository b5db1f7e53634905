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
}

const SLASHES: &[&str] = &["//", "/*", "*"];

/// Returns the notation of a language whose files import others.
pub(super) fn notation(language: &Language) -> Option<Notation> {
    let of = |comments, imports, silent, has_regions| Notation {
        comments,
        imports,
        silent,
        has_regions,
    };
    Some(match language.name {
        "javascript" | "typescript" | "tsx" => {
            of(SLASHES, &["import ", "import{"], &["export *", "export {", "'use ", "\"use "], true)
        }
        "python" => of(&["#", "\"\"\"", "'''"], &["import ", "from "], &["pass", "...", "@"], true),
        "ruby" => of(
            &["#", "=begin", "=end"],
            &["require", "load ", "autoload "],
            &["end", "module "],
            true,
        ),
        "php" => of(
            &["//", "#", "/*", "*"],
            &["use ", "require", "include"],
            &["<?php", "?>", "namespace ", "declare"],
            true,
        ),
        "lua" => of(&["--"], &["require"], &[], true),
        "c" | "cpp" => of(SLASHES, &["#include", "# include", "#import", "using "], &[], false),
        "csharp" => of(SLASHES, &["using ", "global using "], &[], false),
        "go" => of(SLASHES, &["import ", "import("], &[], false),
        "haskell" => of(&["--", "{-"], &["import "], &[], false),
        "java" | "kotlin" | "scala" | "swift" => of(SLASHES, &["import "], &[], false),
        "ocaml" => of(&["(*"], &["open "], &[], false),
        "protobuf" => of(SLASHES, &["import "], &[], false),
        "rust" => of(
            SLASHES,
            &["use ", "pub use ", "pub(crate) use ", "pub(super) use ", "extern crate "],
            &[],
            false,
        ),
        _ => return None,
    })
}

impl Notation {
    pub(super) fn is_comment(&self, line: &str) -> bool {
        self.comments.iter().any(|mark| line.starts_with(mark))
    }

    /// Reports whether a line begins an import.
    pub(super) fn is_import(&self, line: &str) -> bool {
        let binds = ["const ", "let ", "var ", "local "].iter().any(|word| line.starts_with(word));
        binds && (line.contains("= require(") || line.contains("= require \""))
            || self.imports.iter().any(|import| line.starts_with(import))
    }

    /// Reports whether a line says nothing alone.
    pub(super) fn is_silent(&self, line: &str) -> bool {
        self.silent.iter().any(|word| line.starts_with(word))
    }
}

/// Returns the number of brackets that a line opens and does not close.
pub(super) fn n_open(line: &str) -> i32 {
    let of = |byte: u8| match byte {
        b'(' | b'{' | b'[' => 1,
        b')' | b'}' | b']' => -1,
        _ => 0,
    };
    line.bytes().map(of).sum()
}
