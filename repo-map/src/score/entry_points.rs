//! Where a program or a library begins, by more than the names of files: what manifests name, and
//! the files that define `main`.

use serde_json::Value;
use toml::Table;

use crate::score::landmark::is_own;
use crate::source::scan::Tree;

/// The maximum number of entry points of one manifest: of many exports the first ones count.
const MOST_OF_MANIFEST: usize = 8;
/// How many paths of a manifest are looked for.
const MOST_PATHS: usize = 200;
/// The ends of paths in a `package.json` that are no code: data, and types of the code beside them.
const ASIDE: &[&str] = &[".json", ".d.ts", ".d.cts", ".d.mts"];
/// The extensions of languages whose programs begin in a function `main`.
const WITH_MAIN: &[&str] = &["c", "cc", "cpp", "cxx", "go", "rs", "swift", "zig"];

/// Reports whether [`named_by`] reads a manifest.
pub(crate) fn is_read(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("package.json" | "pyproject.toml" | "Cargo.toml"))
}

/// Returns the files that a manifest names as those in which its package begins.
pub(crate) fn named_by(manifest: &str, text: &str, tree: &Tree) -> Vec<usize> {
    let (folder, name) = manifest.rsplit_once('/').unwrap_or(("", manifest));
    let candidates = match name {
        "package.json" => of_package(text, folder.is_empty()),
        "Cargo.toml" => of_crate(text),
        _ => of_project(text),
    };
    let mut files = Vec::new();
    for path in candidates.into_iter().take(MOST_PATHS) {
        if files.len() == MOST_OF_MANIFEST {
            break;
        }
        let path = path.trim_start_matches("./");
        let path = if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
        let endings = ["", ".js", ".ts", "/index.js", "/index.ts"];
        let file = endings.iter().find_map(|ending| tree.position(&format!("{path}{ending}")));
        files.extend(file.filter(|file| !files.contains(file)));
    }
    files
}

/// Returns the paths that a `package.json` names. Those of types repeat what the code has. The
/// exports of a package in a folder are many: the one that goes by the package's name counts.
fn of_package(text: &str, is_root: bool) -> Vec<String> {
    let Ok(package) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let of_keys = ["main", "module", "bin"].map(|key| package.get(key));
    let exports = package.get("exports").and_then(|exports| match exports {
        // Without paths, its keys are conditions: `import`, `require`.
        Value::Object(paths) if !is_root && paths.keys().any(|key| key.starts_with('.')) => {
            paths.get(".")
        }
        exports => Some(exports),
    });
    let mut paths = Vec::new();
    of_keys.into_iter().chain([exports]).flatten().for_each(|value| add_paths(value, &mut paths));
    paths
}

fn add_paths(value: &Value, paths: &mut Vec<String>) {
    match value {
        Value::String(path) if ASIDE.iter().all(|end| !path.ends_with(end)) => {
            paths.push(path.clone());
        }
        Value::Object(fields) => fields.values().for_each(|value| add_paths(value, paths)),
        Value::Array(values) => values.iter().for_each(|value| add_paths(value, paths)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the paths that a `Cargo.toml` names.
fn of_crate(text: &str) -> Vec<String> {
    let Ok(manifest) = text.parse::<Table>() else { return Vec::new() };
    let programs = manifest.get("bin").and_then(toml::Value::as_array).into_iter().flatten();
    let targets = manifest.get("lib").into_iter().chain(programs);
    targets.filter_map(|target| Some(target.get("path")?.as_str()?.to_owned())).collect()
}

/// Returns the files that the scripts of a `pyproject.toml` can be in.
fn of_project(text: &str) -> Vec<String> {
    let Ok(manifest) = text.parse::<Table>() else { return Vec::new() };
    let poetry = manifest.get("tool").and_then(|tool| tool.get("poetry"));
    let of = |project: &toml::Value| {
        let scripts = project.get("scripts").and_then(toml::Value::as_table);
        scripts
            .into_iter()
            .flat_map(Table::values)
            .filter_map(toml::Value::as_str)
            .flat_map(of_script)
            .collect::<Vec<_>>()
    };
    manifest.get("project").into_iter().chain(poetry).flat_map(of).collect()
}

/// Returns the files that a script of Python can be in: `shop.cart:main`.
fn of_script(place: &str) -> Vec<String> {
    let module = place.split(':').next().unwrap_or_default().replace('.', "/");
    let in_folder =
        |folder: &str| [format!("{folder}{module}.py"), format!("{folder}{module}/__init__.py")];
    ["", "src/"].into_iter().flat_map(in_folder).collect()
}

/// Reports whether a path is that of the project's own code in a language with [`defines_main`].
/// Programs such as `testinstall.cc` only try a library, and `build.rs` only builds its package.
pub(crate) fn may_define_main(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_aside = name.starts_with("test") || name == "build.rs";
    WITH_MAIN.contains(&extension(path)) && is_own(path) && !is_aside
}

/// Reports whether a text defines the function in which a program begins.
pub(crate) fn defines_main(path: &str, text: &str) -> bool {
    let is_definition = |line: &str| match extension(path) {
        "go" => line.starts_with("func main()"),
        "rs" => {
            let line = line.trim_start_matches("pub ").trim_start_matches("async ");
            line.starts_with("fn main()")
        }
        "swift" => line == "@main" || line.starts_with("@main "),
        "zig" => line.starts_with("pub fn main("),
        _ => is_main_of_c(line),
    };
    match extension(path) {
        "go" | "rs" | "swift" | "zig" => text.lines().any(is_definition),
        _ => outside_of_tests(text).any(is_definition),
    }
}

/// Reports whether a line of C or C++ names `main`; its type can stand on the line above.
fn is_main_of_c(line: &str) -> bool {
    let is_code = line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let (before, after) = line.split_once("main").unwrap_or_default();
    let is_name = before.is_empty() || before.ends_with([' ', '*']);
    is_code && is_name && after.trim_start().starts_with('(') && !line.ends_with(';')
}

/// Returns the lines of C or C++ that are in no `#if` of a test: many a file of a library has a
/// `main` in `#ifdef CRC_TEST_MAIN`, which only tries that file.
fn outside_of_tests(text: &str) -> impl Iterator<Item = &str> {
    // For each open conditional, whether it or one around it is one of a test.
    let mut open: Vec<bool> = Vec::new();
    let is_in_test = |open: &[bool]| open.last().copied().unwrap_or_default();
    text.lines().filter(move |line| {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            return !is_in_test(&open);
        };
        if directive.starts_with("if") {
            open.push(is_for_tests(directive) || is_in_test(&open));
        } else if directive.starts_with("endif") {
            open.pop();
        } else if directive.starts_with("el") && open.pop().is_some() {
            open.push(is_for_tests(directive) || is_in_test(&open));
        }
        false
    })
}

/// Reports whether the condition of a directive asks for a test: `#ifdef TEST_MAIN`, `#if 0`.
fn is_for_tests(directive: &str) -> bool {
    let mut words = directive.split(|c: char| !c.is_ascii_alphanumeric()).skip(1);
    let is_of_tests = |word: &str| {
        let word = word.to_ascii_uppercase();
        ["BENCH", "DEMO", "EXAMPLE", "MAIN", "TEST"].iter().any(|of| word.starts_with(of))
    };
    directive.trim_end() == "if 0" || !directive.starts_with("ifndef") && words.any(is_of_tests)
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_name_programs_however_they_are_written() {
        let python = ["shop/cart.py", "shop/cart/__init__.py", "src/shop/cart.py"];
        for text in [
            "[project.scripts]\nshop = \"shop.cart:main\" # sells\n",
            "[project]\nscripts = { shop = 'shop.cart:main' }\n",
            "tool.poetry.scripts.shop = \"shop.cart:main\"\n",
        ] {
            assert_eq!(of_project(text)[..3], python, "{text}");
        }
        let text = "lib = { path = \"a.rs\" }\n[[bin]]\nname = \"b\"\npath = \"b.rs\"\n\
                    [[bin]]\nname = \"c\"\n";
        assert_eq!(of_crate(text), ["a.rs", "b.rs"]);
        assert!(of_crate("[lib]\npath = 3\n").is_empty() && of_project("no = [toml").is_empty());
    }

    #[test]
    fn types_beside_the_code_are_no_entry_points() {
        let text = r#"{"exports": {".": {
            "types": {"require": "./index.d.cts", "default": "./index.d.ts"},
            "default": "./index.js"
        }}}"#;
        assert_eq!(of_package(text, true), ["./index.js"]);
    }

    #[test]
    fn what_tries_or_builds_a_package_is_no_program() {
        assert!(may_define_main("src/serve.rs"));
        for path in ["build.rs", "core/build.rs", "testinstall.cc", "tests/serve.rs"] {
            assert!(!may_define_main(path), "{path}");
        }
    }

    #[test]
    fn many_open_conditionals_cost_no_more_than_one() {
        let text = format!("{}{}", "#if a\n".repeat(60_000), "b\n".repeat(300_000));
        assert!(!defines_main("a.c", &text));
    }

    #[test]
    fn main_is_known_by_the_line_of_its_name() {
        for (path, text) in [
            ("a.c", "int\nmain(int argc, char **argv)\n{\n"),
            ("a.c", "int main (void) {\n"),
            ("a.c", "#ifdef A_TEST\n#endif\n#ifndef _WIN32\nint main(void) {\n"),
            ("a.c", "#ifdef A_TEST\nint run(void);\n#else\nint main(void) {\n"),
            ("a.cc", "auto main() -> int {\n"),
            ("a.go", "package main\n\nfunc main() {\n"),
            ("a.rs", "pub async fn main() {\n"),
            ("a.swift", "@main\nstruct Shop: App {\n"),
            ("a.zig", "pub fn main(init: std.process.Init) !void {\n"),
        ] {
            assert!(defines_main(path, text), "{text}");
        }
        for (path, text) in [
            ("a.c", "int main(int argc, char **argv);\n"),
            ("a.c", "#ifdef A_TEST_MAIN\n# if A\n# endif\nint main(void) {\n#endif\n"),
            ("a.c", "#if 0\nint main(void) {\n#endif\n"),
            ("a.c", "#if 0\n#if a\n#else\nint main(void) {\n#endif\n#endif\n"),
            ("a.c", "// main(void)\nint domain(void) {\n  main(a);\n"),
            ("a.go", "// func main() {\nfunc mainLoop() {\n"),
            ("a.rs", "    fn main() {\n"),
            ("a.zig", "fn main() void {\n"),
        ] {
            assert!(!defines_main(path, text), "{text}");
        }
    }
}
