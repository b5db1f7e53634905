//! The name that a file gives to its package, by which other files import it.

/// The line that names the package in files with these extensions.
const PACKAGE_LINES: &[(&[&str], &str)] = &[
    (&["cs", "php"], "namespace "),
    (&["ex", "exs"], "defmodule "),
    (&["groovy", "java", "kt", "kts", "scala"], "package "),
    (&["hs"], "module "),
];

/// The bytes in which that line has to begin: a licence may stand above it.
const HEAD: usize = 16 << 10;

/// Returns the name of the package that a file says it is of, its parts joined by `.`: a namespace,
/// a package, a module. That of a `go.mod` is as written.
pub(super) fn package(path: &str, bytes: &[u8]) -> Option<String> {
    let is_go_module = is_go_module(path);
    let before = if is_go_module { "module " } else { package_line(path)? };
    let name = bytes[..bytes.len().min(HEAD)]
        .split(|byte| *byte == b'\n')
        .find_map(|line| line.trim_ascii().strip_prefix(before.as_bytes()))?;
    let name = std::str::from_utf8(name).ok()?.trim_start();
    let name = match is_go_module {
        true => name.split("//").next()?.trim().trim_matches('"').to_owned(),
        false => {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\\');
            let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
            name[..end].replace('\\', ".")
        }
    };
    Some(name).filter(|name| !name.is_empty())
}

/// Reports whether a file names a module of Go.
pub(crate) fn is_go_module(path: &str) -> bool {
    path.rsplit('/').next() == Some("go.mod")
}

/// Reports whether imports of this file name what packages declare.
pub(crate) fn imports_by_name(path: &str) -> bool {
    package_line(path).is_some()
}

/// Reports whether the package that a file of this language names is the file itself.
pub(crate) fn is_own_name(path: &str) -> bool {
    matches!(package_line(path), Some("defmodule " | "module "))
}

fn package_line(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    let of_language = PACKAGE_LINES.iter().find(|(ends, _)| ends.contains(&extension));
    of_language.map(|(_, line)| *line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_name_their_packages() {
        let package = |path, text: &str| package(path, text.as_bytes()).unwrap_or_default();
        let module = "// The service.\nmodule x.org/a/v3 // v3\n\nrequire x.org/b v1.0.0\n";
        assert_eq!(package("sub/go.mod", module), "x.org/a/v3");
        assert_eq!(package("A.php", "<?php\n\nnamespace A\\B;\n\nuse C;\n"), "A.B");
        assert_eq!(package("A.cs", "using System;\n\nnamespace A.B\n{\n"), "A.B");
        assert_eq!(package("A.kt", "// One.\n\npackage a.b\n\nimport c.D\n"), "a.b");
        assert_eq!(package("A.java", "package a.b;\n"), "a.b");
        assert_eq!(package("a.ex", "defmodule A.B do\n"), "A.B");
        assert_eq!(package("A.hs", "{-# LANGUAGE X #-}\nmodule A.B (c) where\n"), "A.B");
        assert_eq!(package("a.py", "package a\n"), "");
    }
}
