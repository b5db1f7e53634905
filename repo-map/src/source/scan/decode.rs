//! Decoding: bytes become sanitized text, with a mark if the file has no text or is shown late.

use std::borrow::Cow;

use crate::source::scan::tree::{FileEntry, Mark, Source};
use crate::text::mask;
use crate::text::sanitize::{Gate, is_line_layout, visible};

pub(super) fn decode(path: &str, bytes: &[u8], gate: Gate) -> Source {
    let digest = blake3::hash(bytes);
    let Some(text) = text_of(bytes) else { return Source::without_text(digest, Mark::Binary) };
    let mark = mark_of_text(path, bytes);
    let (text, n_masked) = if gate.masks { replaced(text, mask::mask) } else { (text, 0) };
    let (text, n_invisible) = if gate.shows_invisible {
        replaced(text, |text| visible(text, is_line_layout))
    } else {
        (text, 0)
    };
    Source { text, digest, mark, n_masked, n_invisible, is_page: false }
}

/// Returns a text with replacements and their number; the same text if nothing is replaced.
fn replaced(text: String, replace: impl Fn(&str) -> (Cow<'_, str>, u32)) -> (String, u32) {
    match replace(&text) {
        (Cow::Owned(replaced), n) => (replaced, n),
        (Cow::Borrowed(_), _) => (text, 0),
    }
}

/// Returns the mark that keeps a file with these bytes at level path, if there is one. The result
/// is the same as that of [`read`], without decoding the text.
pub(crate) fn mark_of(file: &FileEntry, bytes: &[u8]) -> Option<Mark> {
    match is_text(bytes) {
        true if file.is_page() => None,
        true => mark_of_text(&file.path, bytes),
        false => Some(Mark::Binary),
    }
}

fn has_utf16_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

fn is_text(bytes: &[u8]) -> bool {
    if has_utf16_mark(bytes) {
        return text_of(bytes).is_some();
    }
    if memchr::memchr(0, bytes).is_some() {
        return false;
    }
    std::str::from_utf8(bytes).is_ok() || {
        let n_high = bytes.iter().filter(|byte| !byte.is_ascii()).count();
        let n_control = bytes
            .iter()
            .filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
            .count();
        n_high * 10 <= bytes.len() * 3 && n_control * 50 <= bytes.len()
    }
}

/// Decodes bytes: by a byte order mark, else as UTF-8, else as Latin-1. Returns `None` for bytes
/// that are not text.
fn text_of(bytes: &[u8]) -> Option<String> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        let text: String =
            char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        (!text.contains('\0')).then(|| readable(text))
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => return utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => return utf16(rest, u16::from_be_bytes),
        _ => {}
    }
    if !is_text(bytes) {
        return None;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Some(readable(match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }))
}

/// Converts line breaks to `\n` and control characters to their pictures: a map is safe to print
/// and valid in every format.
fn readable(text: String) -> String {
    let is_control = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    let is_plain = |c: char| c == '\n' || c == '\t' || !is_control(c);
    if text.chars().all(is_plain) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            c if is_plain(c) => out.push(c),
            '\u{7f}' => out.push('␡'),
            c => out.push(
                char::from_u32(0x2400 + u32::from(c))
                    .filter(|_| c < ' ')
                    .unwrap_or(char::REPLACEMENT_CHARACTER),
            ),
        }
    }
    out
}

const LOCK_FILES: &[&str] = &[
    "Cargo.lock",
    "Gemfile.lock",
    "Package.resolved",
    "Pipfile.lock",
    "bun.lock",
    "composer.lock",
    "flake.lock",
    "go.sum",
    "go.work.sum",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pdm.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pubspec.lock",
    "uv.lock",
    "yarn.lock",
];

/// The version of the rules for marks. Marks are cached, so a change of the rules needs a new one.
pub(crate) const MARK_RULES: &str = "marks-14";

fn mark_of_text(path: &str, bytes: &[u8]) -> Option<Mark> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if LOCK_FILES.contains(&name)
        || !is_readme(name) && says_it_is_generated(name, bytes)
        || is_generated_go(name, bytes)
        || is_bundle(name, bytes)
        || is_armored(bytes)
        || is_former_map(bytes)
    {
        return Some(Mark::Generated);
    }
    let mut longest_line = 0;
    let mut line_start = 0;
    let mut n_lines = 1;
    for line_end in memchr::memchr_iter(b'\n', bytes) {
        longest_line = longest_line.max(line_end - line_start);
        line_start = line_end + 1;
        n_lines += 1;
    }
    longest_line = longest_line.max(bytes.len() - line_start);
    let squeezed = longest_line > 5_000 && bytes.len() / n_lines > 400;
    let is_minified = name.contains(".min.") && (longest_line > 1_000 || is_of_a_page(name));
    (squeezed || is_minified).then_some(Mark::Minified)
}

/// Reports whether a file is a README, which is what a person reads first even where a program made
/// it from a template.
fn is_readme(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    stem.eq_ignore_ascii_case("readme")
}

/// Reports whether a name is that of a script or style of a web page, where `.min.` says minified.
fn is_of_a_page(name: &str) -> bool {
    [".js", ".mjs", ".cjs", ".css"].iter().any(|extension| name.ends_with(extension))
}

/// Beginnings of a comment with which a generator signs its output.
const SIGNATURES: &[&[u8]] = &[
    b"generated:",
    b"generated using ",
    b"auto-generated",
    b"autogenerated",
    b"automatically generated",
    b"this file is generated",
    b"this file was generated",
    b"this file is auto",
    b"this file was auto",
    b"this file is an amalgamation",
    b"amalgamated source file",
    b"this is a generated file",
    b"this is an autogenerated file",
    b"this class is generated by ",
    b"this class was generated by ",
    b"auto generated by ",
    b"generated by coffeescript",
    b"generated by cython",
    b"generated by datamodel-codegen",
    b"generated by kramdown",
    b"generated by peg.js",
    b"generated by peggy",
    b"generated by re2c",
    b"generated by snowball",
    b"generated by wayland-scanner",
    b"a bison parser, made by ",
    b"a lexical scanner generated by ",
];

/// What comments of some generators have after words of their own: `ANSI-C code produced by gperf
/// version 3.1`, `Generated from Cart.g4 by ANTLR 4.7`.
const BEHIND: &[&[u8]] = &[b" code produced by gperf version ", b".g4 by antlr "];

/// How a comment names its generator, and how it begins when it forbids changes. A file that has
/// both before its code is generated, on whichever lines they are.
const GENERATORS: &[&[u8]] =
    &[b"generated by ", b"generated from ", b"generated using ", b"generated with "];
const PROHIBITIONS: &[&[u8]] = &[b"do not edit", b"do not modify", b"don't edit"];

/// The extensions of prose, and how comments in it begin.
const PROSE: &[(&[&str], &[&[u8]])] = &[
    (&["md", "mdx", "markdown"], &[b"<!--", b"{/*", b"[//]:", b"[comment]:"]),
    (&["rst"], &[b".. "]),
    (&["adoc", "asc", "asciidoc"], &[b"//"]),
    (&["txt"], &[b"#", b"//", b"/*", b";", b"<!--"]),
];

/// The bytes of a file of Go in which the mark of a generator is looked for.
const LONGEST_LICENCE: usize = 16 << 10;

/// Returns how comments begin in a file of prose, by its name.
fn comments_of_prose(name: &str) -> Option<&'static [&'static [u8]]> {
    let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let prose = PROSE.iter().find(|(extensions, _)| extensions.contains(&extension.as_str()));
    prose.map(|(_, comments)| *comments)
}

/// Reports whether a file says that it is generated. By the conventions of generators: Go's `Code
/// generated … DO NOT EDIT.`, `@generated`, and a comment near the top that says both that the file
/// is generated and that it is not to be edited; or, before all code, one that begins with one of
/// [`SIGNATURES`], or two of which one names the generator and the other begins with a prohibition.
/// Prose may say the same of other files: there only comments count, and lines that begin with
/// `This file …`.
fn says_it_is_generated(name: &str, bytes: &[u8]) -> bool {
    let of_prose = comments_of_prose(name);
    let mut is_before_code = true;
    let (mut has_generator, mut has_prohibition) = (false, false);
    bytes[..bytes.len().min(1_500)].split(|byte| *byte == b'\n').take(20).any(|line| {
        let comment = line.trim_ascii_start();
        if !comment.first().is_some_and(u8::is_ascii_punctuation) {
            is_before_code &= comment.is_empty();
            return false;
        }
        let lower = comment.to_ascii_lowercase();
        let has = |words: &[u8]| memchr::memmem::find(&lower, words).is_some();
        let is_punctuation = |byte: &u8| byte.is_ascii_punctuation() || byte.is_ascii_whitespace();
        let start = lower.iter().position(|byte| !is_punctuation(byte)).unwrap_or(0);
        let begins_with =
            |words: &[&[u8]]| words.iter().any(|words| lower[start..].starts_with(words));
        let is_prose =
            of_prose.is_some_and(|marks| !marks.iter().any(|mark| lower.starts_with(mark)));
        if is_prose {
            let is_of_itself = begins_with(&[b"this file"]) && begins_with(SIGNATURES);
            return is_before_code && is_of_itself;
        }
        has_generator |= GENERATORS.iter().any(|words| has(words));
        has_prohibition |= begins_with(PROHIBITIONS);
        let is_signed = begins_with(SIGNATURES) || BEHIND.iter().any(|words| has(words));
        is_before_code && (is_signed || has_generator && has_prohibition)
            || has(b"@generated")
            || has(b"generated") && PROHIBITIONS.iter().any(|words| has(words))
    })
}

/// Reports whether a file of Go is marked as generated before its package clause, as `go help
/// generate` has it: below a licence that may be long.
fn is_generated_go(name: &str, bytes: &[u8]) -> bool {
    let is_mark = |line: &[u8]| {
        line.starts_with(b"// Code generated ") && line.trim_ascii_end().ends_with(b" DO NOT EDIT.")
    };
    let lines = bytes[..bytes.len().min(LONGEST_LICENCE)].split(|byte| *byte == b'\n');
    name.ends_with(".go") && lines.take_while(|line| !line.starts_with(b"package ")).any(is_mark)
}

/// How lines begin that bundlers and compilers put before the modules: esbuild; webpack; Rollup;
/// Browserify; TypeScript and Babel, for modules of Node.js. One is looked for among the first
/// lines.
const BUNDLERS: &[&[u8]] = &[
    b"var __defProp = Object.defineProperty;",
    b"/******/ (() => { // webpackBootstrap",
    b"/******/ (function(modules) { // webpackBootstrap",
    b"(function (global, factory) {",
    b"(function(f){if(typeof exports===\"object\"&&typeof module!==\"undefined\")",
    b"(function(){function r(e,n,t){function o(i,f){if(!n[i])",
    b"(function e(t,n,r){function s(o,u){if(!n[o])",
    b"Object.defineProperty(exports, \"__esModule\", {",
    b"exports.__esModule = true;",
];
const FIRST_LINES: usize = 20;

/// Reports whether a script or style is the output of a bundler or compiler: its last line is the
/// address of a source map, or one of its first lines begins as a bundler's does.
fn is_bundle(name: &str, bytes: &[u8]) -> bool {
    if !is_of_a_page(name) {
        return false;
    }
    let end = bytes.trim_ascii_end();
    let last = &end[memchr::memrchr(b'\n', end).map_or(0, |at| at + 1)..];
    let has_map = [&b"//# sourceMappingURL="[..], b"/*# sourceMappingURL="]
        .iter()
        .any(|mark| last.trim_ascii_start().starts_with(mark));
    let mut first = bytes.split(|byte| *byte == b'\n').take(FIRST_LINES);
    has_map || first.any(|line| BUNDLERS.iter().any(|start| line.starts_with(start)))
}

/// Reports whether a file is a signature, key or certificate in letters (RFC 9580, section 6; RFC
/// 7468), whatever its name: `.asc` is AsciiDoc, too. A signed text goes on with the text.
fn is_armored(bytes: &[u8]) -> bool {
    bytes.starts_with(b"-----BEGIN ") && !bytes.starts_with(b"-----BEGIN PGP SIGNED MESSAGE")
}

/// Reports whether a file is a map that this program wrote: a person leaves a line free below a
/// title.
fn is_former_map(bytes: &[u8]) -> bool {
    let starts: [&[u8]; 4] = [
        b"# Repository map\n- ",
        b"# Repository map\n## ",
        b"<map>\n<file path=\"",
        b"<map>\n<folder path=\"",
    ];
    starts.iter().any(|start| bytes.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_found_under_its_encoding() {
        assert_eq!(text_of(b"\xef\xbb\xbfa\r\nb\rc").as_deref(), Some("a\nb\nc"));
        assert_eq!(text_of(b"\xff\xfeh\0i\0").as_deref(), Some("hi"));
        assert_eq!(text_of(b"caf\xe9 au lait").as_deref(), Some("café au lait"));
        assert_eq!(text_of(b"\x7fELF\0\0"), None);
        assert_eq!(text_of(b"a\x1b[31mb").as_deref(), Some("a␛[31mb"));
        assert_eq!(text_of("a\u{fffe}\u{ffff}b".as_bytes()).as_deref(), Some("a\u{fffd}\u{fffd}b"));
    }

    #[test]
    fn generated_and_minified_files_are_told_from_those_that_mention_it() {
        let go = "// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n";
        assert_eq!(mark_of_text("a.pb.go", go.as_bytes()), Some(Mark::Generated));
        let licence =
            "/*\nPermission is granted.\n".to_owned() + &"Without warranty.\n".repeat(200);
        let below = format!("{licence}*/\n\n{go}");
        assert_eq!(mark_of_text("zz_generated.go", below.as_bytes()), Some(Mark::Generated));
        let template = format!("{licence}*/\n\npackage a\n\nconst head = `\n{go}`\n");
        assert_eq!(mark_of_text("generator.go", template.as_bytes()), None);
        assert_eq!(mark_of_text("Cargo.lock", b"version = 4\n"), Some(Mark::Generated));
        let made =
            b"<!-- Do not edit this file. It is generated automatically from a.txt -->\n\nA.\n";
        assert_eq!(mark_of_text("MANUAL.md", made), Some(Mark::Generated));
        assert_eq!(mark_of_text("README.md", made), None);
        assert_eq!(
            mark_of_text("lint.py", b"def check():\n    return 'generated; do not edit' in text\n"),
            None
        );
        for header in [
            "/* auto-generated on 2024-05-01 */",
            "# Generated: 2024-05-01 by tables.py",
            "** This file is an amalgamation of many separate C source files.",
            "// This file was generated by bindgen",
            "/* A Bison parser, made by GNU Bison 3.8.2.  */",
            "#line 2 \"lexer.c\"\n\n#define A int\n\n/* A lexical scanner generated by flex */",
            "// Generated using SwiftGen — https://github.com/SwiftGen/SwiftGen",
            "// DO NOT EDIT\n//\n// GENERATED BY tables.py from tables.in",
            "/*\n * Tables, generated by tables.py.\n *\n * Do not edit this file!\n */",
            "/* Generated by Cython 0.29.14 */",
            "/* Generated by re2c 3.0 on Mon May  1 12:00:00 2024 */",
            "/* ANSI-C code produced by gperf version 3.1 */",
            "// Generated by CoffeeScript 1.12.7",
            "// Generated from Cart.g4 by ANTLR 4.7.2",
            "# generated by datamodel-codegen:\n#   filename: cart.json",
            "/*\n * THIS IS A GENERATED FILE\n */",
            "/**\n * This class is generated by jOOQ.\n */",
            ".\\\" generated by kramdown",
            "# typed: true\n\n# DO NOT EDIT MANUALLY\n# This is an autogenerated file for `x`.",
        ] {
            let text = format!("{header}\nint a;\n");
            assert_eq!(mark_of_text("a.c", text.as_bytes()), Some(Mark::Generated), "{header}");
        }
        for guide in [
            "# Contributing\n\n- Files in `gen/` are generated: do not edit them.\n",
            "# Generated by hand\n\n- Do not edit `gen/`\n",
            "## Auto-generated code\n\n- `@generated` files are left alone\n",
        ] {
            assert_eq!(mark_of_text("AGENTS.md", guide.as_bytes()), None, "{guide}");
        }
        for header in [
            "<!-- Code generated by gomarkdoc. DO NOT EDIT -->",
            "> This file is generated by cog; do not edit.",
        ] {
            let text = format!("{header}\n\n# API\n");
            assert_eq!(mark_of_text("API.md", text.as_bytes()), Some(Mark::Generated), "{header}");
        }
        let pins = b"#\n# This file is autogenerated by pip-compile\n#\nattrs==23.1\n";
        assert_eq!(mark_of_text("requirements.txt", pins), Some(Mark::Generated));
        let later = b"import a\n# auto-generated keys come first\n";
        assert_eq!(mark_of_text("a.py", later), None);
        let apart =
            b"// Reads tables generated by tables.py\nint a;\n// Do not edit the next line\n";
        assert_eq!(mark_of_text("a.c", apart), None);
        for prose in [
            "# Reads the tables that are generated: see tables.py\n",
            "# Generated by the user: the names of carts.\n",
            "# Generated from the stock of a shop, by hand.\n",
            "# Runs gperf, and reads the code produced by it.\n",
        ] {
            assert_eq!(mark_of_text("a.py", prose.as_bytes()), None, "{prose}");
        }
        assert_eq!(mark_of_text("a.min.js", b"a()\n"), Some(Mark::Minified));
        assert_eq!(mark_of_text("a.min.py", b"a()\n"), None);
        assert_eq!(mark_of_text("a.js", &[b'x'; 9_000]), Some(Mark::Minified));
    }

    #[test]
    fn a_signature_in_letters_is_generated_and_a_text_of_the_same_ending_is_not() {
        let signature = b"-----BEGIN PGP SIGNATURE-----\n\niQIzBAAB\n-----END PGP SIGNATURE-----\n";
        let certificate = b"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
        assert_eq!(mark_of_text("shop.tar.gz.asc", signature), Some(Mark::Generated));
        assert_eq!(mark_of_text("till.pem", certificate), Some(Mark::Generated));
        assert_eq!(mark_of_text("carts.asc", b"== Carts\n\nA cart holds items.\n"), None);
        let signed = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nCarts are safe.\n";
        assert_eq!(mark_of_text("notice.txt.asc", signed), None);
    }

    #[test]
    fn the_output_of_a_bundler_is_generated() {
        let code = "export function add(a, b) {\n  return a + b;\n}\n";
        let mapped = format!("{code}//# sourceMappingURL=shop.js.map\n");
        let style = "a {\n  b: c;\n}\n/*# sourceMappingURL=shop.css.map */";
        let helpers = "\"use strict\";\nvar __create = Object.create;\n\
                       var __defProp = Object.defineProperty;\n";
        let webpack = "/******/ (() => { // webpackBootstrap\n";
        let rollup = "(function (global, factory) {\n  typeof exports === 'object'";
        let compiled = "\"use strict\";\nObject.defineProperty(exports, \"__esModule\", {\n";
        for (name, text) in [
            ("shop.js", mapped.clone()),
            ("shop.css", style.to_owned()),
            ("shop.cjs", format!("{helpers}{code}")),
            ("shop.js", format!("{webpack}{code}")),
            ("shop.js", format!("{rollup}{code}")),
            ("shop.js", format!("{compiled}{code}")),
        ] {
            assert_eq!(mark_of_text(name, text.as_bytes()), Some(Mark::Generated), "{text}");
        }
        let quoted = format!("const end = `\n//# sourceMappingURL=`;\n{code}");
        let by_hand = format!("(function (root, factory) {{\n  factory(root);\n{code}");
        let late = format!("{}{helpers}", "// a\n".repeat(30));
        for (name, text) in [
            ("a.js", code),
            ("a.js", &quoted),
            ("a.js", &by_hand),
            ("a.js", &late),
            ("a.md", &mapped),
        ] {
            assert_eq!(mark_of_text(name, text.as_bytes()), None, "{text}");
        }
    }
}
