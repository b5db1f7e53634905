//! Names of languages that end in signs: `C++`, `g++`, `C#`. In code such signs are operators, so
//! these names are read in goals and in prose alone, beside the words that they begin with.

/// The names, in small letters.
const NAMES: [&str; 4] = ["c++", "g++", "c#", "f#"];
/// How `C++` is spelled where no sign may stand: `CXX_STANDARD`, `cpp`.
const PLAIN: (&str, [&str; 2]) = ("c++", ["cpp", "cxx"]);

/// Returns the name that begins with the word at `start`, as it is written; `None` if it is a word
/// without signs, or the signs are an operator.
pub(crate) fn signed_word<'a>(text: &'a [u8], start: usize, word: &[u8]) -> Option<&'a [u8]> {
    if word.len() != 1 || !matches!(text.get(start + 1), Some(b'+' | b'#')) {
        return None;
    }
    let rest = &text[start..];
    let is_start = |name: &&&str| {
        rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    };
    let name = NAMES.iter().find(is_start)?;
    // `C++17` is a version of it.
    let goes_on = match rest.get(name.len()) {
        Some(b'+' | b'#' | b'=' | b'_') => true,
        Some(byte) => byte.is_ascii_alphabetic(),
        None => false,
    };
    (!goes_on).then(|| &rest[..name.len()])
}

/// Returns how a name is spelled without its signs.
pub(crate) fn without_signs(name: &str) -> &'static [&'static str] {
    if name == PLAIN.0 { &PLAIN.1 } else { &[] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_languages_are_told_from_operators() {
        let check = |text: &str, name: Option<&str>| {
            let start = text.find(|c: char| c.is_alphanumeric()).unwrap();
            let end = text[start..]
                .find(|c: char| !c.is_alphanumeric())
                .map_or(text.len(), |n| start + n);
            let found = signed_word(text.as_bytes(), start, &text.as_bytes()[start..end]);
            assert_eq!(found.map(|name| std::str::from_utf8(name).unwrap()), name, "{text}");
        };
        check("C++", Some("C++"));
        check("(c++11)", Some("c++"));
        check("C# and", Some("C#"));
        check("g++ -o", Some("g++"));
        for text in ["C", "i++;", "a+b", "#include", "C+", "c++x", "c+++d", "f#x", "vec++"] {
            check(text, None);
        }
    }
}
