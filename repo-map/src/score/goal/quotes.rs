//! Quotes of code in a goal: paths and verbatim phrases.

use std::sync::LazyLock;

use regex::Regex;

use crate::score::goal::template::{BLOB_PATH, NOISE, regex};

const MAX_PHRASES: usize = 120;
/// The longest path that a goal can name, in bytes: systems have no longer ones.
const MAX_PATH: usize = 4_096;
static PATH: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"[\w@.+-]+(?:[/\\][\w@.+-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}\b|[\w@.+-]+(?:/[\w@.+-]+)+/?")
});

static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| regex(r#""([^"\n]{10,200})"|'([^'\n]{10,200})'|`([^`\n]{10,200})`"#));

static MESSAGE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?m)(?:\w*(?:Error|Exception|Warning)|\b[Ee]rror(?:\[\w+\]| \w{1,6})?|\bpanicked at[^:\n]*|\bfatal|\bpanic) ?:\s*(.{6,200})$",
    )
});

/// Matches a message of a log, a test run or a panic, which [`MESSAGE`] does not see: on the line
/// after the place of the panic, or after a level without a colon.
static LOGGED: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"(?m)panicked at '([^'\n]{6,200})'|panicked at [^\n]*:\d+:\d+:\n(.{6,200})$|",
        r"\b(?:ERROR|FATAL|WARN|WARNING|ERR|Error|Fatal|Warning|warning|FAILED|Failed)",
        r"\]?:? ([^\n]{10,200})$",
    ))
});

pub(super) fn quoted_paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let from_addresses = BLOB_PATH.captures_iter(text).map(|found| found[1].to_owned());
    let plain = NOISE.replace_all(text, " ");
    let from_text = PATH.find_iter(&plain).map(|found| found.as_str().replace('\\', "/"));
    for path in from_addresses.chain(from_text) {
        let path = path.trim_start_matches("./").trim_end_matches(['/', '.']).to_owned();
        if (3..=MAX_PATH).contains(&path.len()) && !paths.contains(&path) && paths.len() < 200 {
            paths.push(path);
        }
    }
    paths
}

/// Returns the sequences of three and four words of messages and quoted text.
pub(super) fn phrases(text: &str) -> Vec<String> {
    let mut phrases: Vec<String> = Vec::new();
    let quoted = QUOTED
        .captures_iter(text)
        .filter_map(|found| found.iter().skip(1).flatten().next().map(|one| one.as_str()));
    let messages =
        MESSAGE.captures_iter(text).filter_map(|found| found.get(1).map(|one| one.as_str()));
    let logged = LOGGED
        .captures_iter(text)
        .filter_map(|found| found.iter().skip(1).flatten().next().map(|one| one.as_str()));
    for piece in messages.chain(quoted).chain(logged) {
        let words: Vec<&str> = piece.split(' ').filter(|word| !word.is_empty()).collect();
        for n in [4, 3] {
            for window in words.windows(n) {
                let phrase = window.join(" ");
                if phrase.len() >= 10 && !phrases.contains(&phrase) {
                    phrases.push(phrase);
                }
            }
        }
        if words.len() < 3
            && piece.len() >= 10
            && !phrases.iter().any(|phrase| phrase == piece.trim())
        {
            phrases.push(piece.trim().to_owned());
        }
        if phrases.len() >= MAX_PHRASES {
            break;
        }
    }
    phrases.truncate(MAX_PHRASES);
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_logs_and_panics_are_phrases() {
        for text in [
            "2024-05-01 ERROR could not open the voucher file",
            "thread 'main' panicked at src/a.rs:1:2:\ncould not open the voucher file",
            "[warning] could not open the voucher file",
            "tool: error 70 : could not open the voucher file",
        ] {
            let phrases = phrases(text);
            assert!(phrases.iter().any(|phrase| phrase == "not open the voucher"), "{phrases:?}");
        }
    }
}
