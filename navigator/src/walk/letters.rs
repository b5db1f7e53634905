//! The readings of a text as a page may write it: whole letters in place of parts and variants,
//! without characters that nobody sees, and with Latin letters in place of those that look alike.

use unicode_normalization::UnicodeNormalization as _;

/// Letters of other scripts, with the Latin one that each looks like.
/// <https://www.unicode.org/Public/security/latest/confusables.txt> has them among many more.
const LOOK_ALIKES: [(&str, char); 38] = [
    ("аɑα", 'a'),
    ("АΑ", 'A'),
    ("ВΒ", 'B'),
    ("с", 'c'),
    ("С", 'C'),
    ("ԁ", 'd'),
    ("е", 'e'),
    ("ЕΕ", 'E'),
    ("ɡց", 'g'),
    ("һհ", 'h'),
    ("НΗ", 'H'),
    ("іıι", 'i'),
    ("ІΙ", 'I'),
    ("ј", 'j'),
    ("Ј", 'J'),
    ("кκ", 'k'),
    ("КΚ", 'K'),
    ("ӏ", 'l'),
    ("м", 'm'),
    ("МΜ", 'M'),
    ("ոη", 'n'),
    ("Ν", 'N'),
    ("оοօ", 'o'),
    ("ОΟ", 'O'),
    ("рρ", 'p'),
    ("РΡ", 'P'),
    ("ԛ", 'q'),
    ("ѕ", 's'),
    ("Ѕ", 'S'),
    ("т", 't'),
    ("ТΤ", 'T'),
    ("υս", 'u'),
    ("ѵν", 'v'),
    ("ԝ", 'w'),
    ("х", 'x'),
    ("ХΧ", 'X'),
    ("у", 'y'),
    ("УΥ", 'Y'),
];

/// Returns a text as it stands, composed, and with Latin letters; each that differs from those
/// before it.
pub(super) fn readings(text: &str) -> Vec<String> {
    let mut readings = vec![text.to_owned()];
    if !text.is_ascii() {
        let composed = composed(text);
        let latin: String = composed.chars().map(latin).collect();
        readings.extend([composed, latin]);
        readings.dedup();
    }
    readings
}

/// Composes letters of their parts (`o` and two dots), takes the usual one for each variant
/// (full-width letters), and drops characters that nobody sees, such as soft hyphens.
pub(super) fn composed(text: &str) -> String {
    text.chars().filter(|c| !is_unseen(*c)).nfkc().collect()
}

fn latin(c: char) -> char {
    let alike = LOOK_ALIKES.iter().find(|(letters, _)| letters.contains(c));
    alike.filter(|_| !c.is_ascii()).map_or(c, |(_, latin)| *latin)
}

/// Reports whether a character is drawn as nothing, whatever stands beside it: Unicode's
/// `Default_Ignorable_Code_Point`.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}
