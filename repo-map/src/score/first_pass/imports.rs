//! Import lines of a file, recognised by their form, for the graph of files.

use crate::score::first_pass::packages::{imports_by_name, is_go_module};

/// The maximum number of import lines kept of a file, and the maximum length of one in bytes.
const MAX_IMPORTS: usize = 200;
const LONGEST_IMPORT: usize = 400;

/// Returns the parts of import lines that name other files, as written.
pub(super) fn imports(path: &str, bytes: &[u8]) -> Vec<String> {
    if is_go_module(path) {
        return Vec::new();
    }
    let mut imports = Vec::new();
    let mut is_in_block = false;
    let is_php = path.ends_with(".php");
    let has_names = imports_by_name(path);
    for raw in bytes.split(|byte| *byte == b'\n') {
        let line = raw.trim_ascii();
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
        match grouped(line).filter(|_| has_names) {
            Some(names) => imports.extend(names),
            None if is_php && raw.starts_with(b"use ") => uses_of_php(line, &mut imports),
            None => targets(line, &mut imports),
        }
        if imports.len() >= MAX_IMPORTS {
            imports.truncate(MAX_IMPORTS);
            break;
        }
    }
    if is_php {
        classes_of_php(bytes, &mut imports);
    }
    imports
}

/// Returns the names in a group, `A\B\{C, D as E}` or `A.B.{C, D}`, each with what stands before
/// it.
fn grouped(line: &str) -> Option<Vec<String>> {
    let (before, names) = line.split_once('{')?;
    let (names, _) = names.split_once('}')?;
    let before = before.split_whitespace().last().filter(|before| before.ends_with(['\\', '.']))?;
    let one = |name: &str| Some(format!("{before}{}", name.split_whitespace().next()?));
    Some(names.split(',').filter_map(one).collect())
}

/// Adds the classes of PHP itself that a text names where it uses them: `catch (\Exception $one)`.
fn classes_of_php(bytes: &[u8], imports: &mut Vec<String>) {
    for at in memchr::memchr_iter(b'\\', bytes) {
        let is_begin = at > 0 && b" (,|?!:[\t".contains(&bytes[at - 1]);
        let rest = &bytes[at..];
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let name = &rest[..1 + rest[1..].iter().take_while(is_part).count()];
        let is_class = name.get(1).is_some_and(u8::is_ascii_uppercase);
        if !is_begin || !is_class || rest.get(name.len()) == Some(&b'\\') {
            continue;
        }
        let name = String::from_utf8_lossy(name);
        if imports.len() < MAX_IMPORTS && !imports.iter().any(|import| *import == name) {
            imports.push(name.into_owned());
        }
    }
}

/// Adds the names in a `use` of PHP. One without a backslash is a class of PHP itself, whatever
/// other files define in their namespaces; so it keeps one before it.
fn uses_of_php(line: &str, imports: &mut Vec<String>) {
    let line = line.trim_start_matches("use ").trim_end_matches(';');
    for part in line.split(',') {
        let name = part.split(" as ").next().unwrap_or(part).trim().trim_start_matches('\\');
        let is_global = name.len() > 1 && !name.contains(['\\', ' ']);
        match is_global {
            true => imports.push(format!("\\{name}")),
            false => targets(name, imports),
        }
    }
}

/// Returns the name in an import of PHP that no file of a namespace defines: `\Exception`.
pub(crate) fn global_name(import: &str) -> Option<&str> {
    import.strip_prefix('\\').filter(|name| !name.contains('\\'))
}

fn looks_like_import(line: &[u8]) -> bool {
    let starts = |words: &[&[u8]]| words.iter().any(|word| line.starts_with(word));
    let has = |words: &[u8]| memchr::memmem::find(line, words).is_some();
    match line.first() {
        Some(b'i') => starts(&[b"import ", b"import\t", b"include ", b"include("]),
        Some(b'f') => starts(&[b"from "]),
        Some(b'u') => starts(&[b"use ", b"using "]),
        Some(b'#') => starts(&[b"#include", b"# include", b"#import"]),
        Some(b'r') => starts(&[b"require ", b"require(", b"require_once", b"require_relative "]),
        Some(b'p') => {
            starts(&[b"pub use ", b"pub mod ", b"pub(crate) use ", b"pub(crate) mod ", b"part '"])
                || line.starts_with(b"pub const ") && has(b"@import(")
        }
        Some(b'm') => starts(&[b"mod "]),
        Some(b'e') => starts(&[b"export * ", b"export {", b"export '", b"extern crate "]),
        Some(b'@') => starts(&[b"@import"]),
        Some(b'a') => starts(&[b"alias "]),
        Some(b'}') => starts(&[b"} from "]),
        Some(b'c' | b'l' | b'v') => has(b"require(") || has(b"@import("),
        Some(b's') => starts(&[b"source ./", b"source ../"]),
        Some(b'.') => starts(&[b". ./", b". ../"]),
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
        quoted.iter().for_each(|target| match package_of_dart(target) {
            Some((package, rest)) => push(&format!("{package}/lib/{rest}")),
            None => push(target),
        });
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
        // `import qualified Data.Map as Map (Map, empty)` names one module.
        let is_import = line.starts_with("import ");
        let (line, _) = line.split_once(" (").filter(|_| is_import).unwrap_or((line, ""));
        let words = line
            .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '{' | '}' | '(' | ')'));
        words.filter(|word| !is_import_word(word)).for_each(push);
    }
}

/// Returns the parts of `package:shop/cart.dart`, which lies in the folder `lib` of that package.
fn package_of_dart(target: &str) -> Option<(&str, &str)> {
    target.strip_prefix("package:")?.split_once('/')
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
            | "hiding"
            | "include"
            | "qualified"
            | "source"
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
    fn files_of_zig_and_of_shells_name_others() {
        let text = "const a = @import(\"alpha.zig\");\npub const b = @import(\"../b.zig\").B;\n\
                    pub const c = 1;\n";
        let haskell =
            "import qualified Data.Map as M (Map, empty)\nimport Text.Read hiding (lex)\n";
        assert_eq!(imports("x.hs", haskell.as_bytes()), ["Data.Map", "Text.Read"]);
        assert_eq!(imports("x.zig", text.as_bytes()), ["alpha.zig", "../b.zig"]);
        let text = "source ./log.sh\n. ../env.sh\n.\n";
        assert_eq!(imports("x.sh", text.as_bytes()), ["./log.sh", "../env.sh"]);
    }

    #[test]
    fn names_in_a_group_have_what_stands_before_it() {
        let php = "<?php\nuse A\\B\\{C, D as E};\n";
        assert_eq!(imports("a.php", php.as_bytes()), ["A\\B\\C", "A\\B\\D"]);
        let elixir = "  alias A.B.{C, D}\n";
        assert_eq!(imports("a.ex", elixir.as_bytes()), ["A.B.C", "A.B.D"]);
    }

    #[test]
    fn libraries_of_dart_name_their_parts_and_packages() {
        let text =
            "import 'package:shop/src/cart.dart';\nexport 'src/list.dart';\npart 'a.dart';\n";
        assert_eq!(
            imports("a.dart", text.as_bytes()),
            ["shop/lib/src/cart.dart", "src/list.dart", "a.dart"]
        );
    }

    #[test]
    fn a_use_of_php_without_a_namespace_is_of_php_itself() {
        let text = "<?php\nnamespace A\\B;\nuse Exception;\nuse \\Closure as Callback, A\\C\\D;\n\
                    use function A\\f;\nuse A\\E as F;\nclass G {\n    use Macroable;\n    \
                    function f(): ?\\Iterator { throw new \\A\\H(\"\\\\I\"); }\n}\n";
        let found = imports("a.php", text.as_bytes());
        assert_eq!(
            found,
            [
                "\\Exception",
                "\\Closure",
                "A\\C\\D",
                "function",
                "A\\f",
                "A\\E",
                "Macroable",
                "\\Iterator"
            ]
        );
        let global: Vec<&str> = found.iter().filter_map(|import| global_name(import)).collect();
        assert_eq!(global, ["Exception", "Closure", "Iterator"]);
    }

    #[test]
    fn go_imports_packages_under_other_names() {
        let text = "package a\n\nimport (\n\t\"io\"\n\n\tv3 \"x.org/a/v3\"\n\t_ \"x.org/b\"\n)\n\n\
                    var s = \"no import\"\n";
        assert_eq!(imports("a.go", text.as_bytes()), ["io", "x.org/a/v3", "x.org/b"]);
    }
}
