//! Extracts: slices of a screen, each of at most so many tokens.

use crate::shared::{Sanitized, Tokenizer};
use crate::walk::screen::{Screen, ScreenSection};
use crate::walk::state::PageExtract;

/// The most tokens of one extract. A page may have any number.
pub const MAX_EXTRACT_TOKENS: u32 = 4_000;

/// The most characters that are counted to find out that a section is too large.
const MAX_COUNTED: usize = 32_000;

/// Returns the tokens that an extract of one section takes; `None` if an extract has fewer.
pub(crate) fn price_of(
    screen: &Screen,
    section: &ScreenSection,
    tokenizer: Tokenizer,
) -> Option<u32> {
    let text = screen.without_marks(&text_of(section));
    let begin: String = text.chars().take(MAX_COUNTED).collect();
    let of_begin = tokenizer.count(&begin);
    if of_begin >= MAX_EXTRACT_TOKENS {
        return None;
    }
    let trimmed = text.trim();
    let tokens = if begin.len() == trimmed.len() { of_begin } else { tokenizer.count(trimmed) };
    (tokens < MAX_EXTRACT_TOKENS).then_some(tokens)
}

/// Returns the text that an extract takes from a screen: whole sections as long as they fit. Of a
/// first one that is too large it takes the lines that fit.
pub fn extract_of(screen: &Screen, sections: &[usize]) -> PageExtract {
    let place = match sections {
        [only] => screen.place_of(*only),
        _ => screen.place(),
    };
    let place = place.into_iter().map(str::to_owned).collect();
    let numbers: Vec<usize> = match sections {
        [] => (1..=screen.sections.len()).collect(),
        some => some.to_vec(),
    };
    let tokenizer = Tokenizer::default();
    let mut left = MAX_EXTRACT_TOKENS;
    let mut parts: Vec<String> = Vec::new();
    let mut out = Vec::new();
    for number in numbers {
        let Some(section) = screen.section(number) else { continue };
        let text = screen.without_marks(&text_of(section));
        // The space between two sections counts, too.
        let tokens = tokenizer.count(&text) + 1;
        if out.is_empty() && tokens <= left {
            left -= tokens;
            parts.push(text);
        } else {
            if parts.is_empty() {
                parts.push(lines_within(&text, left, tokenizer));
            }
            out.push(number);
        }
    }
    let text = Sanitized::text(parts.join("\n\n").trim()).into_string();
    PageExtract { address: screen.address.clone(), place, text, left_out: out }
}

fn text_of(section: &ScreenSection) -> String {
    match section.title.as_str() {
        "" => section.text.clone(),
        title => format!("{} {title}\n\n{}", "#".repeat(section.level.into()), section.text),
    }
}

/// Returns the lines of a text that fit, and of a line that does not fit its beginning.
fn lines_within(text: &str, tokens: u32, tokenizer: Tokenizer) -> String {
    let mut kept = String::new();
    let mut left = tokens;
    for line in text.split_inclusive('\n') {
        let size = tokenizer.count(line);
        if size > left {
            // No token is shorter than a byte.
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(line.len());
            let ends = line.char_indices().map(|(at, c)| at + c.len_utf8());
            kept.push_str(&line[..ends.take_while(|end| *end <= most).last().unwrap_or(0)]);
            break;
        }
        left -= size;
        kept.push_str(line);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(sizes: &[usize]) -> Screen {
        let section = |(at, n): (usize, &usize)| ScreenSection {
            title: format!("Part {at}"),
            level: 2,
            text: "word word word\n".repeat(*n),
        };
        let sections = sizes.iter().enumerate().map(section).collect();
        Screen { sections, ..Screen::default() }
    }

    #[test]
    fn the_price_of_a_section_is_what_its_extract_takes() {
        let tokenizer = Tokenizer::default();
        let screen = screen(&[0, 1, 300, 1_300, 5_000, 50_000]);
        for (section, number) in screen.sections.iter().zip(1..) {
            let taken = extract_of(&screen, &[number]);
            let price = price_of(&screen, section, tokenizer);
            match taken.left_out.is_empty() {
                true => assert_eq!(price, Some(tokenizer.count(&taken.text)), "{number}"),
                false => assert_eq!(price, None, "{number}"),
            }
        }
    }

    #[test]
    fn an_extract_is_within_its_tokens_and_names_what_is_left_out() {
        let tokenizer = Tokenizer::default();
        for (sizes, asked, left_out) in [
            (&[10, 20][..], &[][..], &[][..]),
            (&[10, 5_000, 10], &[], &[2, 3]),
            (&[5_000, 10], &[], &[1, 2]),
            (&[10, 5_000], &[2], &[2]),
            (&[400, 400, 400], &[3, 1], &[]),
        ] {
            let extract = extract_of(&screen(sizes), asked);
            assert_eq!(extract.left_out, left_out, "{sizes:?} {asked:?}");
            assert!(!extract.text.is_empty());
            assert!(tokenizer.count(&extract.text) <= MAX_EXTRACT_TOKENS);
        }
        let line = Screen {
            sections: vec![ScreenSection {
                title: String::new(),
                level: 0,
                text: "é".repeat(100_000),
            }],
            ..Screen::default()
        };
        let extract = extract_of(&line, &[]);
        assert!(tokenizer.count(&extract.text) <= MAX_EXTRACT_TOKENS && !extract.text.is_empty());
    }
}
