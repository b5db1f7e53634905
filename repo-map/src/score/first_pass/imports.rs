//! Import lines of a file, recognised by their form, for the graph of files.

/// The maximum number of import lines kept of a file, and the maximum length of one in bytes.
const MAX_IMPORTS: usize = 200;
const LONGEST_IMPORT: usize = 400;

/// Returns the parts of import lines that name other files, as written; of a `go.mod` the name of
/// its module, with which the imports of its packages begin.
pub(super) fn imports(path: &str, bytes: &[u8]) -> Vec<String> {
    if is_go_module(path) {
        return module(bytes).into_iter().collect();
    }
    let mut imports = Vec::new();
    let mut is_in_block = false;
    for line in bytes.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        // Go: `import (`, then one package a line, some with another name before it.
        is_in_block = line == b"import (" || is_in_block && line != b")";
        if line.len() > LONGEST_IMPORT || line.len() < 4 {
            continue;
        }
        let is_package = is_in_block && line.ends_with(b"\"");
        if !is_package && !looks_like_import(line) {
            continue;
        }
        let Ok(line) = std::str::from_utf8(line) else { continue };
        targets(line, &mut imports);
        if imports.len() >= MAX_IMPORTS {
            imports.truncate(MAX_IMPORTS);
            break;
        }
    }
    imports
}

/// Reports whether a file names a module of Go.
pub(crate) fn is_go_module(path: &str) -> bool {
    path.rsplit('/').next() == Some("go.mod")
}

fn module(bytes: &[u8]) -> Option<String> {
    let lines = bytes.split(|byte| *byte == b'\n');
    let name =
        lines.map(|line| line.trim_ascii()).find_map(|line| line.strip_prefix(b"module "))?;
    let name = std::str::from_utf8(name).ok()?.split("//").next()?;
    Some(name.trim().trim_matches('"').to_owned()).filter(|name| !name.is_empty())
}

fn looks_like_import(line: &[u8]) -> bool {
    let starts = |words: &[&[u8]]| words.iter().any(|word| line.starts_with(word));
    match line.first() {
        Some(b'i') => starts(&[b"import ", b"import\t", b"include ", b"include("]),
        Some(b'f') => starts(&[b"from "]),
        Some(b'u') => starts(&[b"use ", b"using "]),
        Some(b'#') => starts(&[b"#include", b"# include", b"#import"]),
        Some(b'r') => starts(&[b"require ", b"require(", b"require_once", b"require_relative "]),
        Some(b'p') => starts(&[b"pub use ", b"pub mod ", b"pub(crate) use ", b"pub(crate) mod "]),
        Some(b'm') => starts(&[b"mod "]),
        Some(b'e') => starts(&[b"export * ", b"export {", b"extern crate "]),
        Some(b'@') => starts(&[b"@import"]),
        Some(b'a') => starts(&[b"alias "]),
        Some(b'"') => line.ends_with(b"\"") && line.len() > 3,
        Some(b'}') => starts(&[b"} from "]),
        Some(b'c' | b'l' | b'v') => memchr::memmem::find(line, b"require(").is_some(),
        _ => false,
    }
}

/// Adds the names of files or modules in an import line. `from a.b import c` names `a.b` and
/// perhaps `a.b.c`.
fn targets(line: &str, imports: &mut Vec<String>) {
    let mut push = |target: &str| {
        if target.len() > 1 {
            imports.push(target.to_owned());
        }
    };
    let quoted = line.split(['"', '\'']).skip(1).step_by(2).collect::<Vec<_>>();
    if let Some(include) = line
        .split_once('<')
        .and_then(|(_, rest)| rest.split_once('>'))
        .filter(|_| line.starts_with('#'))
    {
        push(include.0);
    } else if !quoted.is_empty() {
        quoted.iter().for_each(|target| push(target));
    } else if let Some((module, names)) =
        line.strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
    {
        let module = module.trim();
        push(module);
        for name in names.trim_matches(['(', ')', ' ']).split(',') {
            let name = name.split_whitespace().next().unwrap_or_default();
            let dot = if module.ends_with('.') { "" } else { "." };
            push(&format!("{module}{dot}{name}"));
        }
    } else {
        let words = line
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '{' | '}' | '(' | ')'));
        words.filter(|word| !is_import_word(word)).for_each(push);
    }
}

fn is_import_word(word: &str) -> bool {
    matches!(
        word,
        "import"
            | "from"
            | "use"
            | "using"
            | "require"
            | "pub"
            | "pub(crate)"
            | "mod"
            | "as"
            | "crate"
            | "static"
            | "export"
            | "extern"
            | "alias"
            | "include"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_many_languages_are_recognised() {
        let text = "from django.db import models, router\nimport os.path\nuse \
            crate::scan::{walk, Tree};\n\
                    #include <linux/fs.h>\n#include \"a.h\"\nconst x = \
                    require('./lib/x');\nimport { y } from '../y';\nprint(1)\n";
        assert_eq!(
            imports("a", text.as_bytes()),
            [
                "django.db",
                "django.db.models",
                "django.db.router",
                "os.path",
                "crate::scan::",
                "walk",
                "Tree",
                "linux/fs.h",
                "a.h",
                "./lib/x",
                "../y"
            ]
        );
    }

    #[test]
    fn go_imports_packages_under_other_names_and_its_modules_have_one() {
        let text = "package a\n\nimport (\n\t\"io\"\n\n\tv3 \"x.org/a/v3\"\n\t_ \"x.org/b\"\n)\n\n\
                    var s = \"no import\"\n";
        assert_eq!(imports("a.go", text.as_bytes()), ["io", "x.org/a/v3", "x.org/b"]);
        let module = "// The service.\nmodule x.org/a/v3 // v3\n\nrequire x.org/b v1.0.0\n";
        assert_eq!(imports("sub/go.mod", module.as_bytes()), ["x.org/a/v3"]);
    }
}
