//! Quotes of code in a goal: paths, stack frames, verbatim phrases.

use std::sync::LazyLock;

use regex::Regex;

use crate::score::goal::template::{BLOB_PATH, NOISE, regex};
use crate::score::goal::value::Frame;

const MAX_PHRASES: usize = 120;
static PYTHON_FRAME: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"File "([^"\n]+)", line (\d+)(?:, in ([\w.]+))?"#));
/// Matches `a.rs:1:2`, `f (a.js:1:2)`, `pkg.C.m(C.java:1)`, `a.cs:line 1`, `a.cpp(1)`, `a.ts(1,2)`,
/// `a.php on line 1`, `a.py#L1`.
static OTHER_FRAME: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:([\w.$<>]+) ?\()?([\w@./\\+-]+\.[A-Za-z][A-Za-z+]{0,4})(?::(?:line )?|\(|#L|,? (?:on |at )?line )(\d+)",
    )
});

static PATH: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"[\w@.+-]+(?:[/\\][\w@.+-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}\b|[\w@.+-]+(?:/[\w@.+-]+)+/?")
});

static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| regex(r#""([^"\n]{10,200})"|'([^'\n]{10,200})'|`([^`\n]{10,200})`"#));

static MESSAGE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?m)(?:\w*(?:Error|Exception|Warning)|\berror(?:\[\w+\])?|\bpanicked at[^:\n]*|\bfatal|\bpanic):\s*(.{6,200})$",
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
        if path.len() > 2 && !paths.contains(&path) && paths.len() < 200 {
            paths.push(path);
        }
    }
    paths
}

/// Returns the stack frames, innermost first. Python prints the innermost frame last, other
/// languages print it first.
pub(super) fn frames(text: &str) -> Vec<Frame> {
    let python = |found: regex::Captures<'_>| {
        let function = found.get(3).map(|function| function.as_str().to_owned());
        Some(Frame { path: with_slashes(&found[1]), line: found[2].parse().ok()?, function })
    };
    let mut all: Vec<Frame> = PYTHON_FRAME.captures_iter(text).filter_map(python).collect();
    all.reverse();
    let other = |found: regex::Captures<'_>| {
        let path = with_slashes(&found[2]);
        let line = found[3].parse().ok()?;
        let Some(call) = found.get(1) else { return Some(Frame { path, line, function: None }) };
        let mut names: Vec<&str> = call.as_str().split('.').collect();
        let function = names.pop().map(str::to_owned);
        names.pop();
        // A Java frame names the package, whose folders its file is in.
        let in_package = !names.is_empty() && path.ends_with(".java") && !path.contains('/');
        let path = if in_package { format!("{}/{path}", names.join("/")) } else { path };
        Some(Frame { path, line, function })
    };
    all.extend(OTHER_FRAME.captures_iter(text).filter_map(other));
    let mut frames: Vec<Frame> = Vec::new();
    for frame in all {
        if frames.len() < 100 && !frames.contains(&frame) {
            frames.push(frame);
        }
    }
    frames
}

fn with_slashes(path: &str) -> String {
    path.replace('\\', "/")
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
    fn frames_of_every_language_are_read() {
        let one = |text: &str| {
            let frame = frames(text).into_iter().next()?;
            Some((frame.path, frame.line, frame.function.unwrap_or_default()))
        };
        for (text, path, line, function) in [
            ("  File \"/srv/a/x.py\", line 12, in save", "/srv/a/x.py", 12, "save"),
            ("   3: at src/x.rs:12:5", "src/x.rs", 12, ""),
            ("at com.shop.cart.Cart.add(Cart.java:12)", "com/shop/cart/Cart.java", 12, "add"),
            ("    at Cart.add (/srv/lib/x.js:12:3)", "/srv/lib/x.js", 12, "add"),
            ("    at file:///srv/lib/x.mjs:12:3", "///srv/lib/x.mjs", 12, ""),
            ("\t/go/src/x.go:12 +0x1d", "/go/src/x.go", 12, ""),
            ("at A.B() in C:\\src\\X.cs:line 12", "/src/X.cs", 12, ""),
            ("src/x.c:12:5: error: no", "src/x.c", 12, ""),
            ("src\\x.cpp(12): error C2065", "src/x.cpp", 12, ""),
            ("src/x.ts(12,5): error TS2304", "src/x.ts", 12, ""),
            ("thrown in /srv/x.php on line 12", "/srv/x.php", 12, ""),
            ("see lib/x.py#L12", "lib/x.py", 12, ""),
        ] {
            let expected = (path.to_owned(), line, function.to_owned());
            assert_eq!(one(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn messages_of_logs_and_panics_are_phrases() {
        for text in [
            "2024-05-01 ERROR could not open the voucher file",
            "thread 'main' panicked at src/a.rs:1:2:\ncould not open the voucher file",
            "[warning] could not open the voucher file",
        ] {
            let phrases = phrases(text);
            assert!(phrases.iter().any(|phrase| phrase == "not open the voucher"), "{phrases:?}");
        }
    }
}
