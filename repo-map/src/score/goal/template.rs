//! Drops text that is not about code: addresses, comments, check lists, version lists, sections
//! about the environment.

use std::sync::LazyLock;

use crate::text::mask;

use regex::Regex;

use crate::score::words;

/// Matches comments, addresses, check lists, version lists, the first lines of a console, and the
/// rows of two-column tables, which are dumps of an environment.
pub(super) static NOISE: LazyLock<Regex> = LazyLock::new(|| {
    let parts = [
        r"(?s:<!--.*?-->)",
        r"https?://[^\s)>\]]+",
        r"(?m:^\s*[-*] \[[ xX]\].*$)",
        r"(?m:^\s*[-*]?\s*[\w.+ -]{1,30}\s*(?:==|:|=)\s*v?\d+(?:\.\d+)+\S*\s*$)",
        r"(?m:^[ \t]*\|[^|\n]{1,40}\|[^|\n]*\|[ \t\r]*$)",
        // What the consoles of Python and Node say at their start.
        r#"(?m:^.*(?:\bType ['"]\.?(?:help|copyright)['"]|\bIPython \d\S* -- ).*$)"#,
        r"(?m:^.*\bPython \d+\.\d+\S* .*\((?:default|main|tags/\S+), .*\d{4}.*$)",
        r"(?m:^(?:\?|%quickref|help|object\?) +-> .*$)",
        // Replacements by the gate: of secrets, and of terminal colours.
        &mask::replacement_pattern(),
        r"\\u\{1b\}\[[0-9;]*m",
    ];
    regex(&parts.join("|"))
});

pub(super) static BLOB_PATH: LazyLock<Regex> =
    LazyLock::new(|| regex(r"/(?:blob|tree|raw)/[^/\s]+/([\w./+-]+)"));

static ENVIRONMENT_HEADING: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:environment|versions?|system info\w*|platform|operating system|checklist|confirmation|code of conduct|install(?:ation|ed)?|dependencies)\b|环境信息",
    )
});

static HEADING: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*(?:#{1,6}\s+(.*)|\*\*([^*]+)\*\*:?\s*)$"));

/// The words of issue templates: a heading made of these words alone is not about this issue.
const TEMPLATE_WORDS: &[&str] = &[
    "actual",
    "additional",
    "alternative",
    "anything",
    "behavior",
    "behaviour",
    "bug",
    "code",
    "command",
    "complete",
    "considered",
    "context",
    "current",
    "describe",
    "description",
    "detail",
    "else",
    "example",
    "expect",
    "expected",
    "feature",
    "fill",
    "fix",
    "happen",
    "happened",
    "info",
    "information",
    "issue",
    "know",
    "like",
    "log",
    "mcve",
    "mvce",
    "minimal",
    "motivation",
    "name",
    "need",
    "observed",
    "other",
    "output",
    "outcome",
    "playground",
    "possible",
    "problem",
    "project",
    "proposal",
    "proposed",
    "relevant",
    "report",
    "reproduce",
    "reproduction",
    "request",
    "result",
    "rule",
    "sample",
    "screenshot",
    "solution",
    "solve",
    "step",
    "suggested",
    "summary",
    "usage",
    "use",
    "case",
    "used",
    "verifiable",
    "went",
    "workaround",
    "wrong",
];

pub(super) fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

/// Returns the text without the headings of issue templates, and without the sections that list
/// versions and machines, from their heading to the next. The first line is the title and stays.
pub(super) fn without_template(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_dropped = false;
    for (position, line) in text.lines().enumerate() {
        let heading = HEADING
            .captures(line)
            .filter(|_| position > 0)
            .and_then(|found| found.get(1).or_else(|| found.get(2)));
        if let Some(heading) = heading {
            is_dropped = ENVIRONMENT_HEADING.is_match(heading.as_str());
        }
        if !is_dropped && !heading.is_some_and(|heading| is_template(heading.as_str())) {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

fn is_template(heading: &str) -> bool {
    let mut is_template = true;
    let mut buffer = Vec::new();
    words::for_each_word(heading.as_bytes(), |word, _| {
        let word = std::str::from_utf8(words::normal_form(word, &mut buffer)).unwrap_or_default();
        is_template &= words::is_stop_word(word) || TEMPLATE_WORDS.contains(&word);
    });
    is_template
}
