//! Logs pasted into a goal, with and without a fence.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::score::goal::template::regex;

/// The number of lines from which lines of a log are one.
const LEAST_LINES: usize = 5;
/// The number of other lines that may stand between two of a log: what a message wraps to.
const MOST_OTHER_LINES: usize = 3;

/// Matches a line that begins with a time, or with the level of a message.
static LOG_LINE: LazyLock<Regex> = LazyLock::new(|| {
    let parts = [
        r"[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]",
        r"[\[(]?\d\d:\d\d:\d\d",
        r"[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d",
        r"[A-Z][a-z]{2} +\d{1,2}, \d{4} \d",
        r"\[\d{1,2}/[A-Z][a-z]{2}/\d{4}[: ]",
        r"[\[<(](?i:trace|debug|info|warn|warning|error|fatal)[\]>)]",
        r"(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b",
        r"(?:npm|yarn) (?i:err|warn|info|verb)",
        r"[IWEF]\d{4} ",
    ];
    regex(&format!(r"^\s*(?:{})", parts.join("|")))
});

/// Matches what a client prints of what it sends and receives, such as `curl -v`. Without a fence
/// these are lists and quotes of Markdown.
static EXCHANGE_LINE: LazyLock<Regex> = LazyLock::new(|| regex(r"^[*<>{}] "));

/// Reports whether a block of code is a log: at least half of its lines are such lines.
pub(super) fn is_log(block: &str) -> bool {
    let lines = block.lines().filter(|line| line.contains(char::is_alphabetic));
    let is_of_log = |line: &&str| LOG_LINE.is_match(line) || EXCHANGE_LINE.is_match(line);
    let (of_log, others): (Vec<&str>, Vec<&str>) = lines.partition(is_of_log);
    of_log.len() >= LEAST_LINES.max(others.len())
}

/// Returns the logs in a text, in its order.
pub(super) fn logs(text: &str) -> Vec<Range<usize>> {
    let mut logs = Vec::new();
    let mut log: Option<(Range<usize>, usize)> = None;
    let (mut start, mut n_others) = (0, 0);
    for line in text.split_inclusive('\n') {
        let range = start..start + line.len();
        start = range.end;
        n_others += 1;
        if LOG_LINE.is_match(line) {
            n_others = 0;
            let (range_of_log, n_lines) = log.get_or_insert((range.clone(), 0));
            range_of_log.end = range.end;
            *n_lines += 1;
        } else if n_others > MOST_OTHER_LINES {
            logs.extend(log.take());
        }
    }
    logs.extend(log);
    logs.into_iter().filter(|(_, n_lines)| *n_lines >= LEAST_LINES).map(|(log, _)| log).collect()
}
