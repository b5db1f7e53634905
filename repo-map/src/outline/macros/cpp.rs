//! Whether a header is C++ by its code: `.h` is the extension of both languages.

use crate::outline::macros::code::CodeTokens;
use crate::outline::macros::tokens::{Conditional, Token, TokenKind, tokens};

/// Reports whether a header is C++. What only a compiler of C++ reads (`#ifdef __cplusplus`) counts
/// where it declares something of C++: C headers have qualified names and `<atomic>` there.
pub(in crate::outline) fn is_cpp_header(text: &str) -> bool {
    let mut all = tokens(text);
    let declares = {
        let code = CodeTokens::of(text, &all);
        (0..code.len()).any(|at| begins_declaration(&code, at))
    };
    if declares {
        return true;
    }
    remove_branches_for_cpp(text, &mut all);
    let code = CodeTokens::of(text, &all);
    all.iter().any(|token| includes_without_extension(&text[token.range.clone()]))
        || (0..code.len()).any(|at| is_cpp(&code, at))
}

/// Removes the tokens of the branches for C++, with their directives.
fn remove_branches_for_cpp(text: &str, tokens: &mut Vec<Token>) {
    // For each open `#if`, whether its branch or one around it is for C++.
    let mut groups: Vec<bool> = Vec::new();
    let is_in_branch = |groups: &[bool]| groups.last().copied().unwrap_or_default();
    tokens.retain(|token| {
        let line = &text[token.range.clone()];
        let is_for_cpp = || {
            let is_negated = line.contains("ifndef") || line.contains("!defined");
            line.contains("__cplusplus") && !is_negated
        };
        match token.kind {
            TokenKind::Conditional(Conditional::If) => {
                groups.push(is_for_cpp() || is_in_branch(&groups));
            }
            TokenKind::Conditional(Conditional::Else) => {
                let is_open = groups.pop().is_some();
                let is_in = is_for_cpp() || is_in_branch(&groups);
                groups.extend(is_open.then_some(is_in));
            }
            TokenKind::Conditional(Conditional::End) => {
                groups.pop();
            }
            _ => {}
        }
        !is_in_branch(&groups)
    });
}

/// Reports whether a directive includes a header of the standard library, such as `<string>`.
fn includes_without_extension(directive: &str) -> bool {
    let name = directive.strip_prefix('#').map(str::trim_start);
    let name = name.and_then(|line| line.strip_prefix("include")?.trim_start().strip_prefix('<'));
    name.and_then(|name| name.split_once('>'))
        .is_some_and(|(name, _)| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'))
}

/// Reports whether a line begins a declaration that C has not. In C these words are names.
fn begins_declaration(code: &CodeTokens<'_>, at: usize) -> bool {
    let is_declaration = match code.word(at) {
        Some("namespace") => code.word(at + 1).is_some() || code.is(at + 1, b'{'),
        Some("template") => code.is(at + 1, b'<'),
        Some("class") => code.word(at + 1).is_some() && !code.is(at + 2, b';'),
        Some("public" | "private" | "protected") => code.is(at + 1, b':'),
        _ => false,
    };
    is_declaration && code.begins_line(at)
}

/// Reports whether the code at a position is C++: `enum class`, `enum Coin : int`, `constexpr`,
/// `X::y`. In C23 an attribute has a qualified name: `[[gnu::packed]]`.
fn is_cpp(code: &CodeTokens<'_>, at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n);
    match code.word(at) {
        Some("enum") => {
            matches!(code.word(at + 1), Some("class" | "struct"))
                || code.is(at + 2, b':') && code.word(at + 3).is_some()
        }
        Some(word) => word == "constexpr",
        None => {
            let is_name = |at: usize| code.word(at).is_some();
            code.kind(at) == Some(TokenKind::Scope)
                && (is_name(at + 1) || code.is(at + 1, b'~'))
                && before(1).is_some_and(|at| is_name(at) || code.is(at, b'>'))
                && !before(2).is_some_and(|at| code.is(at, b'['))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_cpp_by_its_code() {
        for text in [
            "namespace shop {\n}\n",
            "/* of carts */ template <typename T> struct Cart;",
            "void Cart::add(int item) {\n}\n",
            "Cart::~Cart() {}",
            "#include <string>\nvoid add(int item);",
            "enum class Coin { cent };",
            "enum Coin : unsigned char { cent };",
            "constexpr int limit = 3;",
            "#ifdef __cplusplus\nclass Cart {\n public:\n};\n#endif\n",
            "#ifndef __cplusplus\n#error\n#else\n#endif\nCart::Coin pay();",
            "#ifdef __cplusplus\n#if a\n#else\n#endif\n#endif\nCart::Coin pay();",
        ] {
            assert!(is_cpp_header(text), "{text}");
        }
    }

    #[test]
    fn a_header_of_c_is_no_cpp() {
        for text in [
            "#include <stdint.h>\n#include <sys/types.h>\nvoid add(int item);",
            "/*\n class of carts, see Cart::add\n*/\n// namespace shop {\nvoid add(int item);",
            "struct cart { const char *namespace; unsigned public:1; struct item *class; };",
            "#define CART \\\n  class cart *first; \\\n  shop::cart second\nint add(int item);",
            "#ifdef __cplusplus\n#include <atomic>\nusing std::atomic_int;\nextern \"C\" {\n#else\n\
             #include <stdatomic.h>\n#endif\nint add(int item);",
            "static void stop(void) { __asm__(\"hlt\" :: \"r\"(1) : \"memory\"); }",
            "#ifdef __cplusplus\n#if a\n#else\nusing std::atomic_int;\n#endif\n#endif\n",
            "[[gnu::packed]] struct cart { int n; };",
            "struct cart { enum coin a : 3; enum coin : 2; };",
        ] {
            assert!(!is_cpp_header(text), "{text}");
        }
    }

    #[test]
    fn many_open_conditionals_cost_no_more_than_one() {
        let header = format!("{}{}", "#if a\n".repeat(60_000), ";".repeat(300_000));
        assert!(!is_cpp_header(&header));
    }
}
