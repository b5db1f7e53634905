//! The role of a file, by its path alone: source, test, documentation, …
//!
//! Long: lists of names, one a line.

use crate::score::data_paths::is_data;
use crate::score::goal::Goal;
use crate::score::test_paths::is_test;
use crate::source::scan::FileEntry;

/// The role of a file in its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Code of the project itself.
    Source,
    /// Types of code that stands elsewhere: `.d.ts`, `.pyi`, `.rbi`.
    Declaration,
    /// Tests and their fixtures.
    Test,
    /// Prose.
    Docs,
    /// Examples and benchmarks.
    Example,
    /// Build, packaging and tool settings.
    Config,
    /// Third-party code kept in the tree.
    Vendored,
    /// Data, translations, assets.
    Data,
    /// Pages of a site that list what a release changed: they name everything and explain little.
    ReleaseNotes,
    /// Pages of a site that list the other pages or their words, or state a licence.
    Listing,
    /// Pages of a site that print the code behind what other pages explain.
    PrintedCode,
}

const DOCS_FOLDERS: &[&str] =
    &["doc", "docs", "documentation", "man", "website", "changelog", "changelogs"];
const EXAMPLE_FOLDERS: &[&str] = &[
    "example",
    "examples",
    "sample",
    "samples",
    "demo",
    "demos",
    "playground",
    "playgrounds",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "asv_bench",
];
const VENDORED_FOLDERS: &[&str] = &[
    "vendor",
    "vendored",
    "_vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "thirdparties",
    "3rdparty",
    "3rd_party",
    "3rd-party",
    "extlibs",
    "node_modules",
    "bower_components",
    "extern",
    "external",
    "externals",
    "deps",
    "single_include",
    "singleheader",
    "single-header",
    "amalgamation",
    "amalgamated",
    "nonstd",
];
/// What a bundler writes. In a folder `dist`, code of other languages is written by hand.
const WEB_EXTENSIONS: &[&str] = &["js", "mjs", "cjs", "ts", "css", "html", "json", "map"];
const DOCS_EXTENSIONS: &[&str] = &[
    "md", "rst", "txt", "adoc", "asc", "asciidoc", "markdown", "mdx", "rdoc", "tex", "texi", "org",
];
const CONFIG_EXTENSIONS: &[&str] = &[
    "toml",
    "yaml",
    "yml",
    "json",
    "ini",
    "cfg",
    "conf",
    "lock",
    "properties",
    "gradle",
    "cmake",
    "bazel",
    "bzl",
    "mk",
    "nix",
    "spec",
    "xml",
];
const LEGAL_NAMES: &[&str] = &[
    "LICENSE",
    "LICENCE",
    "UNLICENSE",
    "COPYING",
    "COPYRIGHT",
    "NOTICE",
    "AUTHORS",
    "CODE_OF_CONDUCT",
    "PATENTS",
];
const RELEASE_NOTES: &[&str] = &[
    "whatsnew",
    "what-s-new",
    "changelog",
    "changelogs",
    "changes",
    "release",
    "releases",
    "releasenotes",
    "news",
    "history",
];
const LISTINGS: &[&str] = &[
    "contents",
    "toc",
    "bookindex",
    "glossary",
    "bibliography",
    "modindex",
    "py-modindex",
    "concept-index",
    "option-index",
    "variable-index",
    "sitemap",
    // Javadoc.
    "allclasses-index",
    "allpackages-index",
    "deprecated-list",
    "overview-tree",
    "package-tree",
    "package-use",
    "serialized-form",
    // Doxygen.
    "annotated",
    "hierarchy",
    "inherits",
    "license",
    "licence",
    "copying",
    "copyright",
    "legal",
];
/// Folders of pages that Javadoc makes: where a class is used, and an index by letters.
const LISTING_FOLDERS: &[&str] = &["class-use", "index-files"];

/// Reports whether a page is about releases, by the parts of its path.
fn is_of_releases(path: &str) -> bool {
    path.split('/').any(|part| {
        let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
        let stem = stem.replace(['_', ' '], "-");
        RELEASE_NOTES.contains(&stem.as_str()) || stem.starts_with("release-")
    })
}

/// Reports whether a page lists the others, or says under which terms they may be used, by its own
/// name or that of its folder. What lists the members of a class ends with `-members` (Doxygen).
fn is_listing(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase().replace('_', "-");
    let in_folder = |wanted: &str| folders.split('/').any(|folder| folder == wanted);
    LISTINGS.contains(&stem.strip_prefix("ch-").unwrap_or(&stem))
        || stem.starts_with("genindex")
        || stem.ends_with("-members")
        || LISTING_FOLDERS.iter().any(|folder| in_folder(folder))
        || stem.rsplit_once('-').is_some_and(|(of, part)| match of {
            "functions" | "globals" | "namespacemembers" => is_part_of_index(part),
            _ => in_folder("search") && is_part_of_index(part),
        })
}

/// Reports whether a page of an index is about a letter or a kind of names, by the end of its name:
/// `functions_a`, `functions_func`, `search/all_1f` of Doxygen.
fn is_part_of_index(part: &str) -> bool {
    part.len() == 1
        || part.len() == 2 && part.chars().all(|c| c.is_ascii_hexdigit())
        || ["defs", "enum", "eval", "func", "rela", "type", "vars"].contains(&part)
}

/// Reports whether a page prints a file of code, by the names that generators give to such pages:
/// `_modules/a/b.html` of Sphinx, `src-html/A.html` of Javadoc, `src/a/b.rs.html` of rustdoc,
/// `a_8c_source.html` of Doxygen, which writes `_8` for a dot.
///
/// Code repeats the words of the page that explains it, so it crowds that page: of 45 questions
/// about Django, 28 of the wrong pages among the first five were such ones, and one was right.
fn prints_code(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let in_folder = |wanted: &str| folders.split('/').any(|folder| folder == wanted);
    in_folder("_modules")
        || in_folder("src-html")
        || in_folder("src") && stem.ends_with(".rs")
        || stem.ends_with("_source") && stem.contains("_8")
}

impl Role {
    /// Returns the role of a file.
    pub(crate) fn of_file(file: &FileEntry) -> Role {
        match file.is_page() {
            // The pages of a site are what it is made of.
            true => Role::of_page(&file.path),
            false => Role::of(&file.path),
        }
    }

    /// Returns the role of a page by its path.
    pub fn of_page(path: &str) -> Role {
        match path {
            path if is_of_releases(path) => Role::ReleaseNotes,
            path if prints_code(path) => Role::PrintedCode,
            path if is_listing(path) => Role::Listing,
            _ => Role::Source,
        }
    }

    /// Returns the role of a path.
    pub fn of(path: &str) -> Role {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, extension) =
            without_template_ending(name).rsplit_once('.').unwrap_or((name, ""));
        let extension = extension.to_ascii_lowercase();
        let folders: Vec<String> = folders.split('/').map(str::to_ascii_lowercase).collect();
        let within = |names: &[&str]| folders.iter().any(|folder| names.contains(&folder.as_str()));
        let is_at_top = |name: &str| folders.first().is_some_and(|first| first == name);
        let is_built = WEB_EXTENSIONS.contains(&extension.as_str())
            && folders.iter().any(|folder| is_output_of_a_build(folder));
        if within(VENDORED_FOLDERS) || is_built || is_at_top("dependencies") {
            return Role::Vendored;
        }
        if LEGAL_NAMES.iter().any(|legal| stem.to_ascii_uppercase().starts_with(legal))
            && folders.len() <= 1
            && !is_code(&extension)
        {
            return Role::Data;
        }
        if is_test(path, &folders) {
            return Role::Test;
        }
        if within(EXAMPLE_FOLDERS) {
            return Role::Example;
        }
        if is_data(path, &folders, &stem.to_ascii_lowercase(), &extension) {
            return Role::Data;
        }
        if is_manifest_of_words(name) {
            return Role::Config;
        }
        if DOCS_EXTENSIONS.contains(&extension.as_str())
            || folders.first().is_some_and(|first| DOCS_FOLDERS.contains(&first.as_str()))
        {
            return Role::Docs;
        }
        if is_declaration(name) {
            return Role::Declaration;
        }
        if CONFIG_EXTENSIONS.contains(&extension.as_str())
            || extension.is_empty()
            || name.starts_with('.')
        {
            return Role::Config;
        }
        Role::Source
    }

    /// Reports whether it is that of text whose words are names of code only by chance.
    pub(crate) fn is_prose(self) -> bool {
        matches!(self, Role::Config | Role::Data | Role::Docs | Role::ReleaseNotes)
    }

    /// Returns the word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Source => "source",
            Role::Declaration => "declaration",
            Role::Test => "test",
            Role::Docs => "docs",
            Role::Example => "example",
            Role::Config => "config",
            Role::Vendored => "vendored",
            Role::Data => "data",
            Role::ReleaseNotes => "release notes",
            Role::Listing => "listing",
            Role::PrintedCode => "printed code",
        }
    }

    /// Returns the factor for a score. Most goals are about the project's own code; a goal that
    /// mentions tests or documentation turns that penalty off.
    pub(crate) fn factor(self, goal: Option<&Goal>) -> f64 {
        let mentions = |words: &[&str]| goal.is_some_and(|goal| goal.title_mentions(words));
        match self {
            Role::Source => 1.0,
            // Without a goal they are the public surface. With one they repeat every name of the
            // code that has the answer.
            Role::Declaration if goal.is_none() => 1.0,
            Role::Declaration if mentions(&["type", "typing", "typescript", "stub"]) => 1.0,
            Role::Declaration => 0.5,
            Role::Test if mentions(&["test", "testing", "spec", "fixture", "flaky"]) => 0.8,
            Role::Docs
                if mentions(&[
                    "doc",
                    "documentation",
                    "readme",
                    "changelog",
                    "tutorial",
                    "typo",
                ]) =>
            {
                0.8
            }
            Role::Example if mentions(&["example", "benchmark", "demo", "sample"]) => 0.8,
            Role::Config
                if mentions(&[
                    "config",
                    "configuration",
                    "packaging",
                    "build",
                    "ci",
                    "workflow",
                    "dependency",
                ]) =>
            {
                0.8
            }
            Role::Data if mentions(&["translation", "locale", "fixture", "asset", "dataset"]) => {
                0.6
            }
            Role::ReleaseNotes
                if mentions(&["changelog", "release", "upgrade", "migrate", "deprecated"]) =>
            {
                0.9
            }
            Role::Listing
                if mentions(&["license", "licence", "copyright", "legal", "glossary", "term"]) =>
            {
                0.9
            }
            Role::PrintedCode if mentions(&["source", "implementation", "implemented"]) => 0.9,
            Role::PrintedCode => 0.5,
            Role::Config | Role::ReleaseNotes | Role::Listing => 0.4,
            Role::Docs => 0.3,
            Role::Test | Role::Example => 0.25,
            Role::Vendored | Role::Data => 0.1,
        }
    }
}

/// Returns the factor for code that the project has replaced and for migrations, which repeat the
/// words of every model, unless the goal is about them.
pub(crate) fn factor_of_age(path: &str, goal: Option<&Goal>) -> f64 {
    let is_about = |words: &[&str]| goal.is_some_and(|goal| goal.title_mentions(words));
    let is_old = is_legacy(path) && !is_about(&["legacy", "deprecated", "obsolete", "old"]);
    let is_step = is_migration(path) && !is_about(&["migration", "migrate", "schema"]);
    if is_old || is_step { 0.4 } else { 1.0 }
}

/// Reports whether a path lies in a folder of code that the project has replaced, as one of the
/// words of the folder's name says: `legacy`, `old_migrations`, `deprecated-v1`.
fn is_legacy(path: &str) -> bool {
    let (folders, _) = path.rsplit_once('/').unwrap_or_default();
    let words = ["legacy", "deprecated", "obsolete", "attic", "old"];
    folders.split('/').any(|folder| has_word(folder, &words))
}

/// Reports whether a file is one of the numbered or dated steps that make the schema of a database:
/// `migrations/0001_initial.py`, `db/migrate/20240501_add_votes.rb`, `migration/V2__votes.sql`.
fn is_migration(path: &str) -> bool {
    let is_numbered = |part: &str| {
        let part = part.strip_prefix('V').unwrap_or(part);
        part.starts_with(|first: char| first.is_ascii_digit())
    };
    let mut parts = path.split('/');
    parts.any(|folder| has_word(folder, &["migrations", "migration", "migrate"]))
        && parts.any(is_numbered)
}

/// Reports whether one of the words in a name is one of these.
fn has_word(name: &str, words: &[&str]) -> bool {
    name.split(['_', '-']).any(|word| words.iter().any(|one| one.eq_ignore_ascii_case(word)))
}

/// Reports whether a file only declares what code in another file defines.
pub(crate) fn is_declaration(path: &str) -> bool {
    [".pyi", ".rbi", ".d.ts", ".d.mts", ".d.cts"].iter().any(|ending| path.ends_with(ending))
}

/// Reports whether a folder is named like those that bundlers of web pages write to.
fn is_output_of_a_build(folder: &str) -> bool {
    folder == "dist" || folder.ends_with("-dist") || folder.ends_with("_dist")
}

/// Returns the name of what a template of a file becomes: `phpunit.xml` of `phpunit.xml.dist`.
fn without_template_ending(name: &str) -> &str {
    let endings = [".dist", ".in", ".example", ".sample"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// Reports whether a file says what a project needs or how it is built, though its ending is that
/// of prose or of code.
fn is_manifest_of_words(name: &str) -> bool {
    let is_text = name.ends_with(".txt");
    name == "CMakeLists.txt"
        || is_text && (name.starts_with("requirements") || name.starts_with("constraints"))
        || name.ends_with(".gradle.kts")
}

fn is_code(extension: &str) -> bool {
    !matches!(extension, "" | "md" | "txt" | "rst" | "html" | "mit" | "apache")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_page_tells_its_role() {
        for (path, role) in [
            ("library/json.html", Role::Source),
            ("whatsnew/3.6.html", Role::ReleaseNotes),
            ("license.html", Role::Listing),
            ("genindex-Q.html", Role::Listing),
            ("ch-concept_index.html", Role::Listing),
            ("java.base/java/util/class-use/List.html", Role::Listing),
            ("index-files/index-1.html", Role::Listing),
            ("java/util/package-tree.html", Role::Listing),
            ("classEigen_1_1Map-members.html", Role::Listing),
            ("functions_func.html", Role::Listing),
            ("search/all_1f.html", Role::Listing),
            ("library/functions.html", Role::Source),
            ("topics/functions_library.html", Role::Source),
            ("_modules/django/db/models/query.html", Role::PrintedCode),
            ("_modules/releases.html", Role::ReleaseNotes),
            ("api/src-html/com/shop/Cart.html", Role::PrintedCode),
            ("src/core/iter/mod.rs.html", Role::PrintedCode),
            ("a_8c_source.html", Role::PrintedCode),
            ("src/introduction.html", Role::Source),
            ("topics/open_source.html", Role::Source),
            ("c/io/fopen.html", Role::Source),
            ("a/Glossary.html", Role::Listing),
            ("library/contents/parts.html", Role::Source),
        ] {
            assert_eq!(Role::of_page(path), role, "{path}");
        }
    }

    #[test]
    fn a_path_tells_its_role() {
        for (path, role) in [
            ("src/session.rs", Role::Source),
            ("tests/auth/test_views.py", Role::Test),
            ("src/a.test.ts", Role::Test),
            ("index.d.ts", Role::Declaration),
            ("src/requests/api.pyi", Role::Declaration),
            ("test/types/index.d.ts", Role::Test),
            ("pkg/server_test.go", Role::Test),
            ("src/UnitTests/Mappers/Enums.cs", Role::Test),
            ("Shop.Tests/Cart.cs", Role::Test),
            ("src/shop.tests/Cart.cs", Role::Test),
            ("app/src/androidTest/java/a/Cart.kt", Role::Test),
            ("t/lib/Till/Test.pm", Role::Test),
            ("Contests/Entry.cs", Role::Source),
            ("src/Latest/Cart.cs", Role::Source),
            ("django/test/client.py", Role::Source),
            ("docs/intro.md", Role::Docs),
            ("README.rst", Role::Docs),
            ("Cargo.toml", Role::Config),
            ("third_party/zlib/inflate.c", Role::Vendored),
            ("3rdparty/zlib/inflate.c", Role::Vendored),
            ("extlibs/headers/gl.h", Role::Vendored),
            ("packages/io/client-dist/io.js", Role::Vendored),
            ("dist/io.d.ts", Role::Vendored),
            ("cargo-dist/src/config.rs", Role::Source),
            ("amalgamation/all.c", Role::Vendored),
            ("dependencies/jsoncpp/json.h", Role::Vendored),
            ("fastapi/dependencies/utils.py", Role::Source),
            ("examples/hello.rs", Role::Example),
            ("assets/js/live/dom.ts", Role::Source),
            ("assets/css/app.css", Role::Data),
            ("api/i18n/Messages.scala", Role::Source),
            ("src/i18n/index.ts", Role::Source),
            ("src/i18n/pt-BR.ts", Role::Data),
            ("src/locales/fr.js", Role::Data),
            ("admin/static/admin/js/core.js", Role::Data),
            ("certificates/elk.p8", Role::Data),
            ("requirements.txt", Role::Config),
            ("requirements-dev.txt", Role::Config),
            ("db/CMakeLists.txt", Role::Config),
            ("build.gradle.kts", Role::Config),
            ("phpunit.xml.dist", Role::Config),
            ("config.h.in", Role::Source),
            ("till-test/src/jvmMain/Till.kt", Role::Source),
            ("till-test/src/jvmTest/Till.kt", Role::Test),
            ("integration-tests/app/src/main/java/App.java", Role::Test),
            ("django/conf/locale/de/LC_MESSAGES/django.po", Role::Data),
        ] {
            assert_eq!(Role::of(path), role, "{path}");
        }
    }
}
