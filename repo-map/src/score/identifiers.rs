//! The identifiers of a text: the words by which it can use what is defined elsewhere.

use crate::outline::language::{self, Language};
use crate::score::words;

/// Calls `see` with each word of a text that can be the name of an item. A keyword or a built-in
/// type of the language is one only where it must be the name of a member: in `rows.get(1)`, but
/// neither in `get() = field` nor in `Row::class`.
pub(crate) fn for_each_identifier<'a>(
    text: &'a str,
    language: Option<&'static Language>,
    mut see: impl FnMut(&'a [u8]),
) {
    let reserved = language.map(Language::reserved_words);
    let text = text.as_bytes();
    words::for_each_word(text, |word, start| {
        let is_reserved = reserved.is_some_and(|words| words.contains(word));
        if !is_reserved || is_member(&text[..start], &text[start + word.len()..]) {
            see(word);
        }
    });
}

/// Reports whether the word between two texts is a member's: after a dot or an arrow, or called
/// after two colons.
fn is_member(before: &[u8], after: &[u8]) -> bool {
    match before {
        // The end of a range or of a rest.
        [.., b'.', b'.'] => false,
        [.., b'.'] | [.., b'-', b'>'] => true,
        [.., b':', b':'] => after.starts_with(b"("),
        _ => false,
    }
}

/// Extensions of style sheets and data. Their words are no names of code beside them.
const NO_CODE: &[&str] = &[
    "css",
    "csv",
    "ini",
    "json",
    "less",
    "po",
    "properties",
    "sass",
    "scss",
    "svg",
    "toml",
    "tsv",
    "yaml",
    "yml",
];

/// Reports whether a file is a script of a shell, whose functions code of other languages cannot
/// use.
pub(crate) fn is_shell_script(path: &str) -> bool {
    language::of_path(path).is_some_and(|language| language.name == "bash")
}

/// Reports whether a file can use what code defines.
pub(crate) fn refers_to_code(path: &str) -> bool {
    path.rsplit_once('.').is_none_or(|(_, extension)| !NO_CODE.contains(&extension))
}
