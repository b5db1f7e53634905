//! Marks of controls in the text of a live page: `⟦5 button "Save"⟧`.

use std::collections::BTreeSet;

use crate::walk::screen::FOCUSED;

/// The kinds of controls of which only the name is text.
const NAMES_ONLY: [&str; 5] = ["link", "item", "option", "tab", "menu item"];

/// A piece of a text.
enum Piece<'t> {
    Text(&'t str),
    /// A mark: its number, and what stands after it.
    Mark(usize, &'t str),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mark = rest.strip_prefix('⟦').and_then(|mark| {
            // No mark has another one in it.
            let end = mark.find(['⟦', '⟧'])?;
            let after = mark[end..].strip_prefix('⟧')?;
            let (number, words) = mark[..end].split_once(' ')?;
            Some((number.parse().ok()?, words, after))
        });
        if let Some((number, words, after)) = mark {
            rest = after;
            return Some(Piece::Mark(number, words));
        }
        let begin = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest[begin..].find('⟦').map_or(rest.len(), |at| begin + at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(Piece::Text(piece))
    })
}

/// Returns a text as a model reads it, with the numbers of the controls in it, and which of them
/// has the focus. Text of a page that looks like one has a backslash.
pub(crate) fn numbered(text: &str, focused: Option<usize>) -> String {
    let shown = |piece| match piece {
        Piece::Text(text) => escaped(&text.replace('⟦', "[").replace('⟧', "]")),
        Piece::Mark(number, words) if Some(number) == focused => {
            format!("[{number} {words}, {FOCUSED}]")
        }
        Piece::Mark(number, words) => format!("[{number} {words}]"),
    };
    pieces(text).map(shown).collect()
}

fn escaped(text: &str) -> String {
    let looks_so = |after: &str| {
        let number = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_word = |rest: &str| rest.starts_with(char::is_alphabetic);
        number.len() < after.len() && number.strip_prefix(' ').is_some_and(is_word)
    };
    let mut parts = text.split('[');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown += if looks_so(part) { "\\[" } else { "[" };
        shown += part;
    }
    shown
}

/// Returns the numbers of the controls in a text.
pub(crate) fn numbers(text: &str) -> BTreeSet<usize> {
    let number = |piece| match piece {
        Piece::Mark(number, _) => Some(number),
        Piece::Text(_) => None,
    };
    pieces(text).filter_map(number).collect()
}

/// Returns a text without numbers: of links and the like their names, of other controls what they
/// are and say.
pub(crate) fn without(text: &str) -> String {
    let plain = |piece: Piece<'_>| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Mark(_, words) => {
            let is_name = |kind: &&&str| words.strip_prefix(**kind).is_some_and(is_name_only);
            match NAMES_ONLY.iter().find(is_name) {
                Some(kind) => words[kind.len()..].trim().trim_matches('"').to_owned(),
                None => words.to_owned(),
            }
        }
    };
    pieces(text).map(plain).collect()
}

/// Returns the text that stands between the controls.
pub(crate) fn text_between(text: &str) -> String {
    let plain = |piece| match piece {
        Piece::Text(text) => text,
        Piece::Mark(..) => "",
    };
    pieces(text).map(plain).collect()
}

/// Reports whether there is nothing after a kind but a name.
fn is_name_only(rest: &str) -> bool {
    let name = rest.strip_prefix(" \"").and_then(|name| name.strip_suffix('"'));
    name.is_some_and(|name| !name.contains('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_its_controls_with_and_without_numbers() {
        let text = "See ⟦1 link \"the list\"⟧, or ⟦2 field \"Name\" = \"x\"⟧ ⟦ ⟦3⟧";
        assert_eq!(numbers(text), [1, 2].into());
        assert_eq!(
            numbered(text, None),
            "See [1 link \"the list\"], or [2 field \"Name\" = \"x\"] [ [3]"
        );
        let posing = "[5 link \"Next\"] [12], [a 1] ⟦6 button \"Pay\"⟧";
        assert!(numbered(text, Some(2)).contains("[2 field \"Name\" = \"x\", focused]"));
        assert_eq!(numbered(posing, None), "\\[5 link \"Next\"] [12], [a 1] [6 button \"Pay\"]");
        assert_eq!(without(text), "See the list, or field \"Name\" = \"x\" ⟦ ⟦3⟧");
        assert_eq!(without("⟦1 ⟦2 link \"b\"⟧ c⟧"), "⟦1 b c⟧");
    }
}
