//! Splits text into the pieces that are merged on their own, as the patterns of the tokenizers say.
//!
//! The patterns are regular expressions with alternatives; the first one that matches wins. They
//! are written out here by hand, because to compile one takes longer than a small map: each
//! alternative is a function that returns the end of its match, and the pattern stands above it.

use super::layout::class::{CASELESS, LOWER, MARK, NEWLINE, NUMBER, OTHER, SPACE, UPPER};
use super::layout::{BLOCKS, PAGE};

/// The classes of all characters (see [`super::layout`]).
static CLASSES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes"));

/// `\p{L}`
const LETTER: u8 = UPPER | LOWER | CASELESS;
/// `[^\s\p{L}\p{N}]`
const PUNCTUATION: u8 = OTHER | MARK;
/// `[^\r\n\p{L}\p{N}]`: what may come before a word.
const LEAD: u8 = PUNCTUATION | SPACE;

/// Returns the end of the piece of `o200k_base` that starts at `at`.
pub(super) fn o200k_piece_end(text: &str, at: usize) -> usize {
    None.or_else(|| cased_word(text, at))
        .or_else(|| number(text, at))
        .or_else(|| {
            let end = punctuation(text, at)?;
            Some(
                end + text[end..].bytes().take_while(|b| matches!(b, b'\r' | b'\n' | b'/')).count(),
            )
        })
        .unwrap_or_else(|| {
            let space = Space::at(text, at);
            space.newline_end.unwrap_or_else(|| space.end_before_word(text))
        })
}

/// Returns the end of the piece of `cl100k_base` that starts at `at`.
pub(super) fn cl100k_piece_end(text: &str, at: usize) -> usize {
    None.or_else(|| contraction(text, at))
        .or_else(|| word(text, at))
        .or_else(|| number(text, at))
        .or_else(|| {
            let end = punctuation(text, at)?;
            Some(end + text[end..].bytes().take_while(|b| matches!(b, b'\r' | b'\n')).count())
        })
        .unwrap_or_else(|| {
            let space = Space::at(text, at);
            // `\s++$|\s*[\r\n]|\s+(?!\S)|\s`
            match space.newline_end {
                Some(end) if space.end < text.len() => end,
                Some(_) | None => space.end_before_word(text),
            }
        })
}

/// `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+C?` or else
/// `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*C?`,
/// where `C` is a contraction.
fn cased_word(text: &str, at: usize) -> Option<usize> {
    let (class, after) = class_at(text, at)?;
    let led = if class & LEAD == 0 { None } else { CasedRun::at(text, after) };
    // A mark may lead a word or be its first letter. The first alternative is tried with both
    // before the second one is.
    let run = led
        .filter(|run| run.has_lower || class != MARK)
        .or_else(|| if class & (LETTER | MARK) == 0 { None } else { CasedRun::at(text, at) })?;
    Some(contraction(text, run.end).unwrap_or(run.end))
}

/// A run of upper-case letters, then of lower-case letters. Letters without case and marks are
/// both.
struct CasedRun {
    end: usize,
    /// Whether the run has one that may stand for the lower-case letters.
    has_lower: bool,
}

impl CasedRun {
    fn at(text: &str, at: usize) -> Option<CasedRun> {
        let mut upper_end = at;
        let mut both_end = None;
        while let Some((class, end)) = class_at(text, upper_end)
            && class & (UPPER | CASELESS | MARK) != 0
        {
            upper_end = end;
            both_end = if class == UPPER { both_end } else { Some(end) };
        }
        let lower_end = skip(text, upper_end, LOWER);
        if lower_end > upper_end {
            let end = skip(text, lower_end, LOWER | CASELESS | MARK);
            return Some(CasedRun { end, has_lower: true });
        }
        match both_end {
            Some(end) => Some(CasedRun { end, has_lower: true }),
            None if upper_end > at => Some(CasedRun { end: upper_end, has_lower: false }),
            None => None,
        }
    }
}

/// `[^\r\n\p{L}\p{N}]?+\p{L}++`
fn word(text: &str, at: usize) -> Option<usize> {
    let (class, after) = class_at(text, at)?;
    let start = if class & LEAD == 0 { at } else { after };
    let end = skip(text, start, LETTER);
    (end > start).then_some(end)
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`
fn contraction(text: &str, at: usize) -> Option<usize> {
    let rest = text.as_bytes().get(at..)?.strip_prefix(b"'")?;
    let length = match rest {
        [b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => 1,
        [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] | [b'l' | b'L', b'l' | b'L', ..] => 2,
        // The long s is an `s` where case does not matter.
        _ if rest.starts_with("ſ".as_bytes()) => "ſ".len(),
        _ => return None,
    };
    Some(at + 1 + length)
}

/// `\p{N}{1,3}`
fn number(text: &str, at: usize) -> Option<usize> {
    let mut end = at;
    for _ in 0..3 {
        match class_at(text, end) {
            Some((NUMBER, after)) => end = after,
            Some(_) | None => break,
        }
    }
    (end > at).then_some(end)
}

/// ` ?[^\s\p{L}\p{N}]+`
fn punctuation(text: &str, at: usize) -> Option<usize> {
    let start = at + usize::from(text.as_bytes()[at] == b' ');
    let end = skip(text, start, PUNCTUATION);
    (end > start).then_some(end)
}

/// A run of white space.
struct Space {
    start: usize,
    end: usize,
    /// Where the last character of the run starts.
    last: usize,
    /// The end of the last `\r` or `\n`.
    newline_end: Option<usize>,
}

impl Space {
    fn at(text: &str, start: usize) -> Space {
        let mut space = Space { start, end: start, last: start, newline_end: None };
        while let Some((class, end)) = class_at(text, space.end)
            && class & (SPACE | NEWLINE) != 0
        {
            space.last = space.end;
            space.end = end;
            space.newline_end = if class == NEWLINE { Some(end) } else { space.newline_end };
        }
        space
    }

    /// `\s+(?!\S)|\s+`: the last character goes with what follows, if anything does.
    fn end_before_word(&self, text: &str) -> usize {
        let is_whole = self.end == text.len() || self.last == self.start;
        if is_whole { self.end } else { self.last }
    }
}

/// Returns the end of a run of characters of a set of classes.
fn skip(text: &str, mut at: usize, classes: u8) -> usize {
    while let Some((class, end)) = class_at(text, at)
        && class & classes != 0
    {
        at = end;
    }
    at
}

/// Returns the class of a character and its end.
#[inline]
fn class_at(text: &str, at: usize) -> Option<(u8, usize)> {
    let byte = *text.as_bytes().get(at)?;
    let (code, length) = if byte.is_ascii() {
        (usize::from(byte), 1)
    } else {
        let character = text[at..].chars().next()?;
        (character as usize, character.len_utf8())
    };
    let page = usize::from(CLASSES[code / PAGE]);
    Some((CLASSES[BLOCKS + page * PAGE + code % PAGE], at + length))
}
