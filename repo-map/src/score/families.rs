//! Families of programming languages: code of one family can import and name that of its own.

use crate::outline::language;

/// Languages that are no programs, or that stand beside those of any other one.
const NO_PROGRAMS: &[&str] = &[
    "asciidoc",
    "css",
    "dockerfile",
    "html",
    "json",
    "make",
    "markdown",
    "protobuf",
    "rdoc",
    "rst",
    "sql",
    "toml",
    "yaml",
];

/// Returns the family of programming languages of a file; `None` for text that is no program.
pub(super) fn family(path: &str) -> Option<&'static str> {
    match language::of_path(path)?.name {
        "c" | "cpp" | "lex" | "yacc" => Some("c"),
        "java" | "kotlin" | "scala" => Some("java"),
        "javascript" | "tsx" | "typescript" => Some("javascript"),
        "ocaml" | "ocaml-interface" => Some("ocaml"),
        name if NO_PROGRAMS.contains(&name) => None,
        name => Some(name),
    }
}
