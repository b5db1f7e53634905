//! The words of C and C++ by which declarations are told from macros.

/// Words that begin a declaration, or that may stand before its type.
pub(super) const SPECIFIERS: &[&str] = &[
    "consteval",
    "constexpr",
    "constinit",
    "explicit",
    "export",
    "extern",
    "friend",
    "inline",
    "mutable",
    "register",
    "static",
    "thread_local",
    "typedef",
    "typename",
    "virtual",
    "_Noreturn",
    "__inline",
    "__inline__",
    "__extension__",
    "__forceinline",
    "const",
    "volatile",
];
/// The words of built-in types.
pub(super) const TYPES: &[&str] = &[
    "auto", "bool", "char", "char16_t", "char32_t", "char8_t", "double", "float", "int", "long",
    "short", "signed", "unsigned", "void", "wchar_t",
];
/// Words that begin the declaration of a type, a template or a namespace.
pub(super) const HEADS: &[&str] =
    &["class", "enum", "namespace", "struct", "template", "union", "using"];
/// Words after the parameters of a function.
pub(super) const TRAILERS: &[&str] = &["const", "final", "noexcept", "override", "volatile"];

pub(super) fn is_upper(word: &str) -> bool {
    word.len() > 1
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
        && !word.bytes().any(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
}

/// Reports whether a word is a keyword that is neither a specifier nor a type.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "asm"
            | "break"
            | "case"
            | "catch"
            | "co_await"
            | "co_return"
            | "co_yield"
            | "continue"
            | "default"
            | "delete"
            | "do"
            | "else"
            | "false"
            | "final"
            | "for"
            | "goto"
            | "if"
            | "namespace"
            | "new"
            | "nullptr"
            | "operator"
            | "or"
            | "override"
            | "private"
            | "protected"
            | "public"
            | "requires"
            | "return"
            | "sizeof"
            | "static_assert"
            | "static_cast"
            | "switch"
            | "this"
            | "throw"
            | "true"
            | "try"
            | "using"
            | "while"
    )
}
