//! How much of a long text is parsed.

use crate::outline::language::Language;

/// The maximum number of bytes of one text that are parsed, and of one whose parser takes quadratic
/// time at lines it cannot read. That of C# takes ten milliseconds for a kilobyte of them, and
/// people write larger classes than that would allow.
pub(super) const MAX_PARSED: usize = 512 << 10;
const MAX_PARSED_SLOWLY: usize = 128 << 10;
const MAX_PARSED_CSHARP: usize = 256 << 10;
/// What the length of a line within a block comment is divided by.
const OF_COMMENT: usize = 4;

/// Returns the maximum number of bytes of one text of a language that are parsed.
pub(super) fn most_parsed(language: &Language) -> usize {
    match language.name {
        "csharp" => MAX_PARSED_CSHARP,
        "elixir" | "haskell" | "ocaml" | "ocaml-interface" => MAX_PARSED_SLOWLY,
        _ => MAX_PARSED,
    }
}

/// Returns the first lines of a text, as many as are parsed.
pub(super) fn head<'a>(language: &Language, text: &'a str) -> &'a str {
    match language.name {
        "java" | "php" | "scala" => lines_of_code(text, most_parsed(language)),
        _ => whole_lines(text, most_parsed(language)),
    }
}

/// Returns the first lines of a text, as many as fit in `most` bytes.
fn whole_lines(text: &str, most: usize) -> &str {
    match text.as_bytes().get(..most) {
        Some(head) => &text[..memchr::memrchr(b'\n', head).map_or(0, |at| at + 1)],
        None => text,
    }
}

/// The same, where lines within a block comment, one token for a parser, count a quarter: a class
/// with a manual in its comments may be long.
fn lines_of_code(text: &str, most: usize) -> &str {
    let (mut code, mut comments, mut is_comment) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        let at = code + comments;
        is_comment |= line.trim_start().starts_with("/*");
        *if is_comment { &mut comments } else { &mut code } += line.len();
        if code + comments / OF_COMMENT > most {
            return &text[..at];
        }
        is_comment &= !line.contains("*/");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_may_be_long_by_its_comments() {
        let java = crate::outline::language::named("java").unwrap();
        let manual = format!("    /**\n{}     */\n", "     * What it does.\n".repeat(40));
        let class =
            format!("class A {{\n{}}}\n", format!("{manual}    void f() {{}}\n").repeat(800));
        assert!(class.len() > MAX_PARSED, "{}", class.len());
        assert_eq!(head(java, &class), class);
        let code = "    void f() { run(); }\n".repeat(50_000);
        assert!(head(java, &code).len() <= MAX_PARSED);
        let comment = format!("/*\n{}", "*\n".repeat(2_000_000));
        assert!(head(java, &comment).len() <= OF_COMMENT * (MAX_PARSED + 1));
    }
}
