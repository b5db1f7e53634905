//! Landmarks of a repository, by their paths: the README, manifests, entry points. They are where a
//! newcomer starts to read.

use std::collections::{BTreeMap, BTreeSet};

use crate::score::guide::guide;
use crate::score::role::Role;

/// A file that tells a newcomer what the project is or where its code begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Landmark {
    /// The document that describes the project.
    Readme,
    /// The page that a site begins with.
    Start,
    /// A page of a site that is written for newcomers.
    Guide,
    /// The file in which a package states its name, its dependencies and its commands.
    Manifest,
    /// The file in which a program or a library begins.
    Entry,
}

/// The names of READMEs in small letters, best first.
const READMES: &[&str] = &[
    "readme.md",
    "readme.markdown",
    "readme.rst",
    "readme.adoc",
    "readme.asciidoc",
    "readme.org",
    "readme.rdoc",
    "readme.txt",
    "readme",
];
const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "composer.json",
    "mix.exs",
    "Package.swift",
    "CMakeLists.txt",
    "Chart.yaml",
    "meson.build",
    "build.zig",
    "build.sbt",
    "dune-project",
    "pubspec.yaml",
    "deno.json",
];
const MANIFEST_EXTENSIONS: &[&str] = &["gemspec", "csproj", "fsproj", "cabal", "opam"];
const ENTRY_STEMS: &[&str] = &["main", "__main__", "lib", "index", "Main", "Program"];
const ENTRY_EXTENSIONS: &[&str] = &[
    "rs", "go", "py", "js", "mjs", "cjs", "jsx", "ts", "mts", "tsx", "c", "cc", "cpp", "cxx",
    "java", "kt", "swift", "cs", "php", "rb", "ex", "hs", "scala", "zig", "dart", "lua",
];
const INTERNAL_FOLDERS: &[&str] =
    &["internal", "internals", "private", "detail", "details", "impl"];
/// Folders at the top with programs for those who keep the project up; `hack` is one anywhere.
const UPKEEP_FOLDERS: &[&str] = &[".ci", "ci", "devtools", "hack", "script", "scripts"];
/// Folders of which each one below is a package.
const PACKAGE_FOLDERS: &[&str] = &["crates", "libs", "modules", "packages"];
const PROGRAM_FOLDERS: &[&str] = &["bin", "exe"];
/// The maximum number of programs in such a folder: more are tools for those who keep the project
/// up, beside those that a manifest names.
const MOST_PROGRAMS: usize = 6;

/// Returns the landmark of each path that is one, with a value between 0 and 1: less the deeper it
/// lies. `begins` are the positions of further entry points, `start` is the page that a site begins
/// with, if the tree is one. A link is what it leads to.
pub(crate) fn landmarks<'a>(
    files: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    begins: &BTreeSet<usize>,
    start: Option<&str>,
) -> Vec<Option<(Landmark, f64)>> {
    let (paths, targets): (Vec<&str>, Vec<Option<&str>>) = files.unzip();
    let readme = (0..paths.len()).filter_map(|at| {
        let order = readme_order(paths[at])?;
        let what = match targets[at] {
            Some(target) => paths.iter().position(|path| *path == target)?,
            None => at,
        };
        Some((order, what))
    });
    let readme = readme.min().map(|(_, at)| at);
    let folders: BTreeSet<&str> =
        paths.iter().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
    let mut n_programs: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths.iter().filter(|path| is_program(path)) {
        *n_programs.entry(folder_of(path)).or_default() += 1;
    }
    let of = |(at, path): (usize, &&str)| {
        if start == Some(*path) {
            return Some((Landmark::Start, 1.0));
        }
        if let Some(value) = start.and_then(|_| guide(path)) {
            return Some((Landmark::Guide, value));
        }
        if readme == Some(at) {
            return Some((Landmark::Readme, 1.0));
        }
        let depth = path.matches('/').count() as i32;
        if is_manifest(path) {
            return Some((Landmark::Manifest, 0.8 * libm::pow(0.3, f64::from(depth))));
        }
        let is_program = || is_program(path) && n_programs[&folder_of(path)] <= MOST_PROGRAMS;
        let is_begin = ((is_entry(path) || is_program()) && is_own(path) && !is_upkeep(path))
            || is_of_library(path, &folders)
            || begins.contains(&at) && is_own(path);
        let depth = if is_in_package(path) { depth - 1 } else { depth };
        is_begin.then(|| (Landmark::Entry, 0.5 * libm::pow(0.7, f64::from(depth))))
    };
    paths.iter().enumerate().map(of).collect()
}

/// A file of so few bytes that imports nothing is no entry point.
const EMPTY: u64 = 12;

/// Reports whether nothing begins in a file, by its size and its imports: `# empty`.
pub(crate) fn is_empty_entry(bytes: u64, imports: &str) -> bool {
    bytes <= EMPTY && imports.is_empty()
}

/// Reports whether a path lies in one of several packages of a project: `packages/parser/index.js`.
fn is_in_package(path: &str) -> bool {
    let mut parts = path.split('/');
    parts.next().is_some_and(|first| PACKAGE_FOLDERS.contains(&first)) && parts.count() > 1
}

/// Returns the order of READMEs of the whole project, best first; `None` for other files.
/// Translations (`README.de.md`) are other files. Where the README at the root is a link, it is
/// that of a package below: the package with the shortest name is the one that others extend.
fn readme_order(path: &str) -> Option<(usize, usize)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_ascii_lowercase();
    let order = READMES.iter().position(|known| *known == name)?;
    let known = ["", ".github", "docs"];
    // `packages/toolkit`, and `toolkit`, but not `website`.
    let within = |of_all: &&str| folder.strip_prefix(*of_all)?.strip_prefix('/');
    let package = PACKAGE_FOLDERS.iter().find_map(within).unwrap_or(folder);
    let is_package = || {
        let code = Role::of(&format!("{folder}/a.rs"));
        !package.contains('/') && Role::of(path) == Role::Docs && code == Role::Source
    };
    match known.iter().position(|known| *known == folder) {
        Some(at) => Some((at, order)),
        None => is_package().then_some((known.len() + folder.len(), order)),
    }
}

fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let is_named = MANIFESTS.contains(&name) || MANIFEST_EXTENSIONS.contains(&extension);
    is_named && is_own(path)
}

fn is_entry(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path);
    let folder = parts.next().unwrap_or_default();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    // The folder `bin` of OCaml holds all modules of its programs.
    let is_named =
        ENTRY_STEMS.contains(&stem) && ENTRY_EXTENSIONS.contains(&extension) || name == "main.ml";
    // `gson/Gson.java` carries the name of what its folder holds.
    let is_of_folder = !folder.is_empty()
        && stem.eq_ignore_ascii_case(folder)
        && matches!(extension, "java" | "kt" | "cs" | "scala");
    // A package of Python begins with the `__init__` of its top folder.
    let is_package = name == "__init__.py" && parts.all(|part| matches!(part, "src" | "lib"));
    is_named || is_of_folder || is_package
}

/// Reports whether a file lies in a folder of programs.
fn is_program(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    PROGRAM_FOLDERS.contains(&folders.rsplit('/').next().unwrap_or(folders))
        && (extension.is_empty() || ENTRY_EXTENSIONS.contains(&extension))
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Reports whether a file has the name of the library that lies beside it: `lib/rack.rb` is the
/// beginning of `lib/rack/`.
fn is_of_library(path: &str, folders: &BTreeSet<&str>) -> bool {
    let Some((stem, extension)) = path.rsplit_once('.') else { return false };
    let is_in_lib = stem.split('/').rev().nth(1) == Some("lib");
    is_in_lib && ENTRY_EXTENSIONS.contains(&extension) && folders.contains(stem) && is_own(path)
}

/// Reports whether a path lies in a folder that its project keeps to itself, or is a file that it
/// does by its name: `_compat.py`.
pub(crate) fn is_internal(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_c = [".c", ".h"].iter().any(|extension| name.ends_with(extension));
    let is_so = |folder: &str| {
        INTERNAL_FOLDERS.iter().any(|internal| folder.eq_ignore_ascii_case(internal))
            || folder.ends_with("-private")
            || folder.starts_with('_') && !folder.starts_with("__")
            // What C lacks on some platform; elsewhere it is for those who use the project.
            || folder == "compat" && is_c
    };
    let is_private = name.starts_with('_') && !name.starts_with("__");
    is_private || folders.split('/').any(is_so)
}

/// Reports whether a path lies in a folder of programs that only keep the project up.
pub(crate) fn is_upkeep(path: &str) -> bool {
    path.split_once('/').is_some_and(|(folder, _)| UPKEEP_FOLDERS.contains(&folder))
        || path.contains("/hack/")
}

/// Reports whether a path is part of the project's own code and settings.
pub(crate) fn is_own(path: &str) -> bool {
    match Role::of(path) {
        Role::Source | Role::Declaration | Role::Config => true,
        // `CMakeLists.txt` looks like prose.
        Role::Docs => path.ends_with("CMakeLists.txt"),
        Role::Test | Role::Example | Role::Vendored | Role::Data => false,
        Role::ReleaseNotes | Role::Listing | Role::PrintedCode => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files<'a>(paths: &'a [&'a str]) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
        paths.iter().map(|path| (*path, None))
    }

    #[test]
    fn landmarks_are_known_by_their_paths() {
        let paths = [
            "README.de.md",
            "README.md",
            "docs/README.md",
            "Cargo.toml",
            "crates/a/Cargo.toml",
            "src/main.rs",
            "src/flask/__init__.py",
            "src/flask/json/__init__.py",
            "bin/tool",
            "bin/main.ml",
            "bin/arg.ml",
            "gson/Gson.java",
            "tests/main.rs",
            "vendor/lib.rs",
            "src/session.rs",
            "lib/rack.rb",
            "lib/rack/lint.rb",
            "lib/other.rb",
        ];
        let found = landmarks(files(&paths), &BTreeSet::new(), None);
        let found: Vec<(&str, Landmark, u32)> = paths
            .into_iter()
            .zip(found)
            .filter_map(|(path, landmark)| Some((path, landmark?)))
            .map(|(path, (landmark, value))| (path, landmark, (value * 100.0) as u32))
            .collect();
        let expected = [
            ("README.md", Landmark::Readme, 100),
            ("Cargo.toml", Landmark::Manifest, 80),
            ("crates/a/Cargo.toml", Landmark::Manifest, 7),
            ("src/main.rs", Landmark::Entry, 35),
            ("src/flask/__init__.py", Landmark::Entry, 24),
            ("bin/tool", Landmark::Entry, 35),
            ("bin/main.ml", Landmark::Entry, 35),
            ("gson/Gson.java", Landmark::Entry, 35),
            ("lib/rack.rb", Landmark::Entry, 35),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn many_programs_in_one_folder_are_tools_for_those_who_keep_the_project_up() {
        let programs = ["bin/a.js", "bin/b.js", "bin/c.js", "bin/d.js", "bin/e.js", "bin/f.js"];
        let entry = Some((Landmark::Entry, 0.35));
        assert_eq!(landmarks(files(&programs), &BTreeSet::new(), None), [entry; 6]);
        let many = [&programs[..], &["bin/g.js"]].concat();
        assert_eq!(landmarks(files(&many), &BTreeSet::new(), None), [None; 7]);
        // The manifest names one.
        assert_eq!(landmarks(files(&many), &BTreeSet::from([2]), None)[2], entry);
    }

    #[test]
    fn nothing_begins_in_an_empty_file() {
        assert!(is_empty_entry(7, "") && !is_empty_entry(30, "./lib/shop"));
        assert!(!is_empty_entry(400, ""));
    }

    #[test]
    fn folders_that_a_project_keeps_to_itself_are_known_by_name() {
        for path in ["a/internal/b.go", "Sources/Private/A.swift", "compat/a.h", "src/_a/b.py"] {
            assert!(is_internal(path), "{path}");
        }
        for path in ["compat/src/index.ts", "src/internal.go", "src/__init__.py"] {
            assert!(!is_internal(path), "{path}");
        }
    }

    #[test]
    fn a_readme_in_any_markup_is_one() {
        for name in ["README.adoc", "README.rdoc", "README.org", "Readme.asciidoc", "README"] {
            let readme = Some((Landmark::Readme, 1.0));
            assert_eq!(landmarks(files(&[name]), &BTreeSet::new(), None), [readme], "{name}");
        }
    }

    #[test]
    fn without_a_readme_at_the_root_that_of_the_main_package_is_one() {
        let paths =
            ["axum-core/README.md", "axum/README.md", "ex/a/README.md", "examples/README.md"];
        let found = landmarks(files(&paths), &BTreeSet::new(), None);
        let readme = Some((Landmark::Readme, 1.0));
        assert_eq!(found, [None, readme, None, None]);
        let paths = [
            "website/README.md",
            "packages/tools/README.md",
            "packages/a/README.md",
            "a/b/README.md",
        ];
        let found = landmarks(files(&paths), &BTreeSet::new(), None);
        assert_eq!(found, [None, None, readme, None]);
    }

    #[test]
    fn a_readme_that_is_a_link_is_the_one_that_it_leads_to() {
        let readme = Some((Landmark::Readme, 1.0));
        for (link, expected) in [
            ("packages/zed/README.md", [None, None, readme]),
            ("packages/gone/README.md", [None, readme, None]),
        ] {
            let files = [
                ("README.md", Some(link)),
                ("packages/a/README.md", None),
                ("packages/zed/README.md", None),
            ];
            let found = landmarks(files.into_iter(), &BTreeSet::new(), None);
            assert_eq!(found, expected, "{link}");
        }
    }
}
