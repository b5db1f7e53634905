//! Text → the word pieces of BERT: lower case without accents, cut at all that is not a letter or a
//! digit, each word the longest pieces from its start (Wu et al. 2016).

use crate::score::word_vectors::table::Table;

/// The maximum length of a word in bytes; a longer one has no pieces.
const LONGEST_WORD: usize = 100;

/// Calls `see` with the row of each piece of a text that has one.
pub(super) fn for_each_piece(text: &str, table: &Table, mut see: impl FnMut(u16)) {
    let mut word = String::new();
    for char in text.chars() {
        if is_ideograph(char) {
            pieces_of(&word, table, &mut see);
            pieces_of(char.encode_utf8(&mut [0; 4]), table, &mut see);
            word.clear();
        } else if char.is_alphanumeric() {
            word.extend(char.to_lowercase().map(without_accent).filter(|char| !is_mark(*char)));
        } else if !is_mark(char) {
            pieces_of(&word, table, &mut see);
            word.clear();
        }
    }
    pieces_of(&word, table, &mut see);
}

/// A word of which any part is no piece has none.
fn pieces_of(word: &str, table: &Table, see: &mut impl FnMut(u16)) {
    if word.len() > LONGEST_WORD {
        return;
    }
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < word.len() {
        let ends = (start + 1..=word.len()).rev().filter(|end| word.is_char_boundary(*end));
        let found = ends.map(|end| (end, table.piece(&word[start..end], start > 0)));
        let Some((end, Some(piece))) = found.into_iter().find(|(_, piece)| piece.is_some()) else {
            return;
        };
        pieces.push(piece);
        start = end;
    }
    pieces.into_iter().filter(|piece| table.has_row(*piece)).for_each(see);
}

/// Reports whether a character is a word of its own.
fn is_ideograph(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Reports whether a character is an accent that follows its letter.
fn is_mark(char: char) -> bool {
    matches!(char, '\u{300}'..='\u{36f}')
}

/// Returns the letter of Latin-1 or Latin Extended-A without its accent. Others stay.
fn without_accent(char: char) -> char {
    match char {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' => 's',
        'ţ' | 'ť' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows that the reference tokenizer gives for these texts, without punctuation.
    #[test]
    fn pieces_are_those_of_the_reference_tokenizer() {
        let check = |text: &str, expected: &[u16]| {
            let mut pieces = Vec::new();
            for_each_piece(text, Table::get(), |piece| pieces.push(piece));
            assert_eq!(pieces, expected, "{text}");
        };
        check("Café-Müller naïve", &[7668, 12304, 15743]);
        check("Cafe\u{301} naïvement", &[7668, 15743, 3672]);
        check(
            "select_related prefetchObjects",
            &[7276, 3141, 3653, 7959, 10649, 16429, 20614, 2015],
        );
        check(
            "unbelievably tokenised WordPieces",
            &[4895, 8671, 2666, 3567, 6321, 19204, 5084, 2773, 11198, 2015],
        );
        check("12 34px 東京 is", &[2260, 4090, 2361, 2595, 1879, 1755, 2003]);
        check("x = y+z; __init__", &[1060, 1061, 1062, 1999, 4183]);
        check("☃ ☃☃ ...", &[]);
    }
}
