//! The table of languages: the file names of a language, its grammar, and the query that defines
//! its items.
//!
//! Long: a row for each language.
//!
//! Adding a language is a row here, a query file in `queries/` and a fixture in `tests/languages/`;
//! no logic changes. `queries/README.md` describes the captures of a query.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use tree_sitter::Query;
use tree_sitter_language::LanguageFn;

/// One row of the table.
pub struct Language {
    /// The name in reports and on the command line.
    pub name: &'static str,
    /// The word after a Markdown fence.
    pub fence: &'static str,
    /// File name extensions, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names that belong to the language whatever their extension.
    pub file_names: &'static [&'static str],
    /// The separator of a qualified name: `Session::refresh`, `Session.refresh`.
    pub separator: &'static str,
    pub(crate) grammar: LanguageFn,
    pub(crate) query: &'static str,
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Returns every built-in language, sorted by name.
pub fn all() -> &'static [Language] {
    LANGUAGES
}

/// Returns the language of a file by its name, if outlines support it.
pub fn of_path(path: &str) -> Option<&'static Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = Path::new(name)
        .extension()
        .and_then(|extension| extension.to_str())
        .map(str::to_ascii_lowercase);
    LANGUAGES.iter().find(|language| language.file_names.contains(&name)).or_else(|| {
        let extension = extension?;
        LANGUAGES.iter().find(|language| language.extensions.contains(&extension.as_str())).or_else(
            || {
                // `Dockerfile.dev`, `Makefile.am`: the stem names the language.
                let (stem, rest) = name.split_once('.')?;
                // `Makefile.PL` is a program in Perl.
                if rest == "PL" {
                    return None;
                }
                LANGUAGES.iter().find(|language| language.file_names.contains(&stem))
            },
        )
    })
}

/// Returns the language of that name.
pub fn named(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

impl Language {
    pub(crate) fn grammar(&self) -> tree_sitter::Language {
        self.grammar.into()
    }

    /// Returns the keywords and built-in types of the language, as its grammar has them, made once
    /// per process.
    pub(crate) fn reserved_words(&'static self) -> &'static BTreeSet<Vec<u8>> {
        static WORDS: OnceLock<Vec<OnceLock<BTreeSet<Vec<u8>>>>> = OnceLock::new();
        let words = WORDS.get_or_init(|| LANGUAGES.iter().map(|_| OnceLock::new()).collect());
        words[self.row()].get_or_init(|| {
            let grammar = self.grammar();
            let is_token = |kind: &u16| {
                !grammar.node_kind_is_named(*kind) && grammar.node_kind_is_visible(*kind)
            };
            let tokens = (0..grammar.node_kind_count() as u16).filter(is_token);
            let of_grammar = tokens.filter_map(|kind| grammar.node_kind_for_id(kind));
            let built_in = BUILT_IN_TYPES.iter().find(|(name, _)| *name == self.name);
            let built_in = built_in.into_iter().flat_map(|(_, types)| types.iter().copied());
            of_grammar.chain(built_in).map(|word| word.as_bytes().to_vec()).collect()
        })
    }

    /// Returns the compiled query, made once per process.
    ///
    /// # Panics
    /// When a built-in query does not fit its grammar; a test compiles them all.
    pub(crate) fn compiled_query(&'static self) -> &'static Query {
        static QUERIES: OnceLock<Vec<OnceLock<Query>>> = OnceLock::new();
        let queries = QUERIES.get_or_init(|| LANGUAGES.iter().map(|_| OnceLock::new()).collect());
        queries[self.row()].get_or_init(|| {
            Query::new(&self.grammar(), self.query).unwrap_or_else(|error| {
                panic!("queries for {} do not fit its grammar: {error}", self.name)
            })
        })
    }

    /// Returns the position of the row in the table.
    fn row(&'static self) -> usize {
        LANGUAGES
            .iter()
            .position(|language| std::ptr::eq(language, self))
            .expect("rows live in the table")
    }
}

/// The built-in types and values of languages whose grammars take them for any identifier.
const BUILT_IN_TYPES: &[(&str, &[&str])] = &[
    ("go", &["any", "bool", "byte", "error", "float64", "int", "int64", "rune", "string"]),
    ("swift", &["Self", "false", "nil", "self", "super", "true"]),
    ("python", &["bool", "bytes", "dict", "float", "int", "list", "object", "set", "str", "tuple"]),
];

static LANGUAGES: &[Language] = &[
    #[cfg(feature = "markdown")]
    Language {
        name: "asciidoc",
        fence: "asciidoc",
        extensions: &["adoc", "asc", "asciidoc"],
        file_names: &[],
        separator: ".",
        // Unused: its headings are read without a parser (`asciidoc.rs`).
        grammar: tree_sitter_md::LANGUAGE,
        query: include_str!("../../queries/asciidoc.scm"),
    },
    #[cfg(feature = "bash")]
    Language {
        name: "bash",
        fence: "bash",
        extensions: &["sh", "bash", "zsh", "ksh", "bats"],
        file_names: &[".bashrc", ".bash_profile", ".profile", ".zshrc"],
        separator: ".",
        grammar: tree_sitter_bash::LANGUAGE,
        query: include_str!("../../queries/bash.scm"),
    },
    #[cfg(feature = "c")]
    Language {
        name: "c",
        fence: "c",
        extensions: &["c", "h"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_c::LANGUAGE,
        query: include_str!("../../queries/c.scm"),
    },
    #[cfg(feature = "cpp")]
    Language {
        name: "cpp",
        fence: "cpp",
        extensions: &[
            "cc", "cpp", "cxx", "c++", "cppm", "ixx", "hh", "hpp", "hxx", "h++", "ipp", "inl",
            "tpp", "cu", "cuh",
        ],
        file_names: &[],
        separator: "::",
        grammar: tree_sitter_cpp::LANGUAGE,
        query: include_str!("../../queries/cpp.scm"),
    },
    #[cfg(feature = "csharp")]
    Language {
        name: "csharp",
        fence: "csharp",
        extensions: &["cs", "csx"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_c_sharp::LANGUAGE,
        query: include_str!("../../queries/csharp.scm"),
    },
    #[cfg(feature = "css")]
    Language {
        name: "css",
        fence: "css",
        extensions: &["css"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_css::LANGUAGE,
        query: include_str!("../../queries/css.scm"),
    },
    #[cfg(feature = "dockerfile")]
    Language {
        name: "dockerfile",
        fence: "dockerfile",
        extensions: &["dockerfile", "containerfile"],
        file_names: &["Dockerfile", "Containerfile"],
        separator: ".",
        grammar: tree_sitter_containerfile::LANGUAGE,
        query: include_str!("../../queries/dockerfile.scm"),
    },
    #[cfg(feature = "elixir")]
    Language {
        name: "elixir",
        fence: "elixir",
        extensions: &["ex", "exs"],
        file_names: &["mix.lock"],
        separator: ".",
        grammar: tree_sitter_elixir::LANGUAGE,
        query: include_str!("../../queries/elixir.scm"),
    },
    #[cfg(feature = "go")]
    Language {
        name: "go",
        fence: "go",
        extensions: &["go"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_go::LANGUAGE,
        query: include_str!("../../queries/go.scm"),
    },
    #[cfg(feature = "haskell")]
    Language {
        name: "haskell",
        fence: "haskell",
        extensions: &["hs"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_haskell::LANGUAGE,
        query: include_str!("../../queries/haskell.scm"),
    },
    #[cfg(feature = "html")]
    Language {
        name: "html",
        fence: "html",
        extensions: &["html", "htm", "xhtml"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_html::LANGUAGE,
        query: include_str!("../../queries/html.scm"),
    },
    #[cfg(feature = "java")]
    Language {
        name: "java",
        fence: "java",
        extensions: &["java"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_java::LANGUAGE,
        query: include_str!("../../queries/java.scm"),
    },
    #[cfg(feature = "javascript")]
    Language {
        name: "javascript",
        fence: "js",
        extensions: &["js", "mjs", "cjs", "jsx"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_javascript::LANGUAGE,
        query: include_str!("../../queries/javascript.scm"),
    },
    #[cfg(feature = "json")]
    Language {
        name: "json",
        fence: "json",
        extensions: &["json", "jsonc", "json5", "geojson", "webmanifest"],
        file_names: &[".babelrc", ".eslintrc", ".prettierrc"],
        separator: ".",
        grammar: tree_sitter_json::LANGUAGE,
        query: include_str!("../../queries/json.scm"),
    },
    #[cfg(feature = "kotlin")]
    Language {
        name: "kotlin",
        fence: "kotlin",
        extensions: &["kt", "kts"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_kotlin_ng::LANGUAGE,
        query: include_str!("../../queries/kotlin.scm"),
    },
    #[cfg(feature = "c")]
    Language {
        name: "lex",
        fence: "lex",
        extensions: &["l", "lex"],
        file_names: &[],
        separator: ".",
        // Of the C in it (`grammar.rs`).
        grammar: tree_sitter_c::LANGUAGE,
        query: include_str!("../../queries/c.scm"),
    },
    #[cfg(feature = "lua")]
    Language {
        name: "lua",
        fence: "lua",
        extensions: &["lua", "rockspec"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_lua::LANGUAGE,
        query: include_str!("../../queries/lua.scm"),
    },
    #[cfg(feature = "make")]
    Language {
        name: "make",
        fence: "make",
        extensions: &["mk", "mak"],
        file_names: &["Makefile", "makefile", "GNUmakefile"],
        separator: ".",
        grammar: tree_sitter_make::LANGUAGE,
        query: include_str!("../../queries/make.scm"),
    },
    #[cfg(feature = "markdown")]
    Language {
        name: "markdown",
        fence: "markdown",
        extensions: &["md", "markdown", "mdown", "mkd", "mdx"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_md::LANGUAGE,
        query: include_str!("../../queries/markdown.scm"),
    },
    #[cfg(feature = "ocaml")]
    Language {
        name: "ocaml",
        fence: "ocaml",
        extensions: &["ml"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_ocaml::LANGUAGE_OCAML,
        query: include_str!("../../queries/ocaml.scm"),
    },
    #[cfg(feature = "ocaml")]
    Language {
        name: "ocaml-interface",
        fence: "ocaml",
        extensions: &["mli"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE,
        query: include_str!("../../queries/ocaml-interface.scm"),
    },
    #[cfg(feature = "php")]
    Language {
        name: "php",
        fence: "php",
        extensions: &["php", "phtml", "php5", "phps"],
        file_names: &[],
        separator: "::",
        grammar: tree_sitter_php::LANGUAGE_PHP,
        query: include_str!("../../queries/php.scm"),
    },
    #[cfg(feature = "protobuf")]
    Language {
        name: "protobuf",
        fence: "proto",
        extensions: &["proto"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_proto::LANGUAGE,
        query: include_str!("../../queries/protobuf.scm"),
    },
    #[cfg(feature = "python")]
    Language {
        name: "python",
        fence: "python",
        extensions: &["py", "pyi", "pyw"],
        file_names: &["SConstruct", "SConscript"],
        separator: ".",
        grammar: tree_sitter_python::LANGUAGE,
        query: include_str!("../../queries/python.scm"),
    },
    #[cfg(feature = "markdown")]
    Language {
        name: "rdoc",
        fence: "rdoc",
        extensions: &["rdoc"],
        file_names: &[],
        separator: ".",
        // Unused, like that of AsciiDoc.
        grammar: tree_sitter_md::LANGUAGE,
        query: include_str!("../../queries/rdoc.scm"),
    },
    #[cfg(feature = "markdown")]
    Language {
        name: "rst",
        fence: "rst",
        extensions: &["rst"],
        file_names: &[],
        separator: ".",
        // Unused: its headings are read without a parser (`rst.rs`).
        grammar: tree_sitter_md::LANGUAGE,
        query: include_str!("../../queries/rst.scm"),
    },
    #[cfg(feature = "ruby")]
    Language {
        name: "ruby",
        fence: "ruby",
        extensions: &["rb", "rake", "gemspec", "ru", "rbi"],
        file_names: &["Rakefile", "Gemfile", "Vagrantfile", "Podfile"],
        separator: ".",
        grammar: tree_sitter_ruby::LANGUAGE,
        query: include_str!("../../queries/ruby.scm"),
    },
    #[cfg(feature = "rust")]
    Language {
        name: "rust",
        fence: "rust",
        extensions: &["rs"],
        file_names: &[],
        separator: "::",
        grammar: tree_sitter_rust::LANGUAGE,
        query: include_str!("../../queries/rust.scm"),
    },
    #[cfg(feature = "scala")]
    Language {
        name: "scala",
        fence: "scala",
        extensions: &["scala", "sc", "sbt"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_scala::LANGUAGE,
        query: include_str!("../../queries/scala.scm"),
    },
    #[cfg(feature = "sql")]
    Language {
        name: "sql",
        fence: "sql",
        extensions: &["sql", "ddl", "psql"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_sequel::LANGUAGE,
        query: include_str!("../../queries/sql.scm"),
    },
    #[cfg(feature = "swift")]
    Language {
        name: "swift",
        fence: "swift",
        extensions: &["swift"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_swift::LANGUAGE,
        query: include_str!("../../queries/swift.scm"),
    },
    #[cfg(feature = "toml")]
    Language {
        name: "toml",
        fence: "toml",
        extensions: &["toml"],
        file_names: &["Cargo.lock", "Pipfile", "poetry.lock", "uv.lock"],
        separator: ".",
        grammar: tree_sitter_toml_ng::LANGUAGE,
        query: include_str!("../../queries/toml.scm"),
    },
    #[cfg(feature = "typescript")]
    Language {
        name: "typescript",
        fence: "ts",
        extensions: &["ts", "mts", "cts"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        query: include_str!("../../queries/typescript.scm"),
    },
    #[cfg(feature = "typescript")]
    Language {
        name: "tsx",
        fence: "tsx",
        extensions: &["tsx"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_typescript::LANGUAGE_TSX,
        query: include_str!("../../queries/typescript.scm"),
    },
    #[cfg(feature = "c")]
    Language {
        name: "yacc",
        fence: "yacc",
        extensions: &["y", "yacc", "yy"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_c::LANGUAGE,
        query: include_str!("../../queries/c.scm"),
    },
    #[cfg(feature = "yaml")]
    Language {
        name: "yaml",
        fence: "yaml",
        extensions: &["yaml", "yml"],
        file_names: &[".clang-format", ".clang-tidy"],
        separator: ".",
        grammar: tree_sitter_yaml::LANGUAGE,
        query: include_str!("../../queries/yaml.scm"),
    },
    #[cfg(feature = "zig")]
    Language {
        name: "zig",
        fence: "zig",
        extensions: &["zig", "zon"],
        file_names: &[],
        separator: ".",
        grammar: tree_sitter_zig::LANGUAGE,
        query: include_str!("../../queries/zig.scm"),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_writes_a_makefile_is_none() {
        assert_eq!(of_path("Makefile.am").map(|language| language.name), Some("make"));
        assert!(of_path("Makefile.PL").is_none());
    }
}
