//! What a goal says: its words, and what it quotes of the code.
//!
//! A goal is two words ("auth middleware") or a whole issue with logs and templates. What tells
//! nothing about code is dropped first (addresses, comments, check lists, version lists, sections
//! about the environment); then words, identifiers, paths, stack frames and verbatim phrases are
//! drawn from what is left. The weights are those of the project's relevance experiments: a mention
//! in the title counts three times, `inline code` once more.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::score::words;

/// The most terms, phrases and identifiers kept; a goal with more keeps the heaviest.
const MAX_TERMS: usize = 400;
const MAX_PHRASES: usize = 120;
const MAX_IDENTIFIERS: usize = 300;

/// A goal, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Goal {
    /// Words in normal form.
    pub(crate) terms: Vec<Term>,
    /// Identifiers as they are written.
    pub(crate) identifiers: Vec<Identifier>,
    /// Paths and file names as they are written, `/` between the parts.
    pub(crate) paths: Vec<String>,
    /// Frames of stack traces, the innermost first.
    pub(crate) frames: Vec<(String, u32)>,
    /// Verbatim pieces of messages and quoted code.
    pub(crate) phrases: Vec<String>,
    /// Two terms that follow each other.
    pub(crate) pairs: Vec<Pair>,
    /// Every word of the goal's title, lower case, singular: for asking whether it speaks of tests,
    /// docs, …
    spoken: Vec<String>,
}

/// A word of the goal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    pub(crate) word: String,
    /// ln(1 + weighted occurrences).
    pub(crate) weight: f64,
    /// ln(1 + occurrences in the title); 0 for a word that is not in it.
    pub(crate) title_weight: f64,
}

/// Two terms that follow each other in the goal, by their positions among the terms; stop words
/// between them do not count.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pair {
    pub(crate) terms: (u16, u16),
    /// ln(1 + weighted occurrences), as for one term.
    pub(crate) weight: f64,
}

/// An identifier of the goal, compared as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Identifier {
    pub(crate) word: String,
    /// ln(1 + weighted mentions) times how sure it is that the word is an identifier.
    pub(crate) weight: f64,
    /// Whether it looks like code at all: an item of that name deserves a place of its own.
    pub(crate) is_code: bool,
}

/// Comments, addresses, check lists, version lists, and the rows of tables of two columns: dumps of
/// an environment.
static NOISE: LazyLock<Regex> = LazyLock::new(|| {
    let parts = [
        r"(?s:<!--.*?-->)",
        r"https?://[^\s)>\]]+",
        r"(?m:^\s*[-*] \[[ xX]\].*$)",
        r"(?m:^\s*[-*]?\s*[\w.+ -]{1,30}\s*(?:==|:|=)\s*v?\d+(?:\.\d+)+\S*\s*$)",
        r"(?m:^[ \t]*\|[^|\n]{1,40}\|[^|\n]*\|[ \t\r]*$)",
        // What the gate put in the place of secrets, and of the colours of a terminal.
        r"\[masked: [a-z0-9-]+\]",
        r"\\u\{1b\}\[[0-9;]*m",
    ];
    regex(&parts.join("|"))
});
static BLOB_PATH: LazyLock<Regex> =
    LazyLock::new(|| regex(r"/(?:blob|tree|raw)/[^/\s]+/([\w./+-]+)"));
static ENVIRONMENT_HEADING: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:environment|versions?|system info\w*|platform|operating system|checklist|confirmation|code of conduct|install(?:ation|ed)?|dependencies)\b|环境信息",
    )
});
static HEADING: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*(?:#{1,6}\s+(.*)|\*\*([^*]+)\*\*:?\s*)$"));
/// Headings made of these words alone are an issue template's, and say nothing of this issue.
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
static PYTHON_FRAME: LazyLock<Regex> = LazyLock::new(|| regex(r#"File "([^"\n]+)", line (\d+)"#));
static OTHER_FRAME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"([\w@./\\+-]+\.[A-Za-z]{1,5}):(\d+)(?::\d+)?"));
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
static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?s)```.*?(?:```|\z)|`[^`\n]+`"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

impl Goal {
    pub(crate) fn read(text: &str) -> Goal {
        let mut goal = Goal { paths: quoted_paths(text), frames: frames(text), ..Goal::default() };
        let text = without_template(&NOISE.replace_all(text, " "));
        goal.phrases = phrases(&text);
        goal.weigh(&text);
        goal
    }

    /// How many terms and pairs there are. A position is that of a term or, after the terms, of a
    /// pair.
    pub(crate) fn n_terms(&self) -> usize {
        self.terms.len() + self.pairs.len()
    }

    /// Whether a position is a term's.
    pub(crate) fn is_term(&self, at: u16) -> bool {
        usize::from(at) < self.terms.len()
    }

    /// The weight of a term or a pair.
    pub(crate) fn weight(&self, at: u16) -> f64 {
        let at = usize::from(at);
        self.terms
            .get(at)
            .map_or_else(|| self.pairs[at - self.terms.len()].weight, |term| term.weight)
    }

    /// The weight of a term in the title; pairs have none.
    pub(crate) fn title_weight(&self, at: u16) -> f64 {
        self.terms.get(usize::from(at)).map_or(0.0, |term| term.title_weight)
    }

    /// A term or a pair in words.
    pub(crate) fn term_in_words(&self, at: u16) -> String {
        let word = |at: u16| self.terms[usize::from(at)].word.as_str();
        match self.is_term(at) {
            true => word(at).to_owned(),
            false => {
                let (first, second) = self.pairs[usize::from(at) - self.terms.len()].terms;
                format!("{} {}", word(first), word(second))
            }
        }
    }

    /// Whether there is anything to look for.
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty() && self.identifiers.is_empty() && self.paths.is_empty()
    }

    /// Whether the goal uses one of these words (lower case, singular).
    pub(crate) fn speaks_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.spoken.iter().any(|spoken| spoken == word))
    }

    fn weigh(&mut self, text: &str) {
        #[derive(Default)]
        struct Count {
            all: f64,
            title: f64,
        }
        #[derive(Default)]
        struct Mention {
            weight: f64,
            confidence: f64,
        }
        let title_end = {
            let start = text.len() - text.trim_start().len();
            text[start..].find('\n').map_or(text.len(), |at| start + at)
        };
        let code: Vec<(usize, usize, bool)> = CODE
            .find_iter(text)
            .map(|found| (found.start(), found.end(), found.as_str().starts_with("```")))
            .collect();
        let mut counts: BTreeMap<String, Count> = BTreeMap::new();
        let mut pairs: BTreeMap<(String, String), f64> = BTreeMap::new();
        let mut before: Option<(String, usize)> = None;
        let mut mentions: BTreeMap<&str, Mention> = BTreeMap::new();
        let bytes = text.as_bytes();
        let mut buffer = Vec::new();
        words::for_each_word(bytes, |word, at| {
            let in_title = at < title_end;
            let around = code.iter().find(|(start, end, _)| *start <= at && at < *end);
            let is_inline = around.is_some_and(|(_, _, is_block)| !is_block);
            let (n, n_mention) = match (in_title, around) {
                (true, _) => (3.0, 3.0),
                (false, Some((_, _, true))) => (1.0, 0.7),
                (false, Some(_)) => (2.0, 1.5),
                (false, None) => (1.0, 1.0),
            };
            let mut count = |part: &[u8]| {
                let Ok(word) = std::str::from_utf8(words::normal_form(part, &mut buffer)) else {
                    return;
                };
                if words::is_stop_word(word)
                    || word.bytes().all(|byte| byte.is_ascii_digit())
                    || word.len() > 60
                {
                    return;
                }
                let entry = counts.entry(word.to_owned()).or_default();
                entry.all += n;
                entry.title += f64::from(u8::from(in_title));
            };
            count(word);
            words::for_each_part(word, count);
            if before.as_ref().is_some_and(|(_, end)| {
                bytes[*end..at].iter().any(|byte| matches!(byte, b'\n' | b';'))
            }) {
                before = None;
            }
            words::for_each_subword(word, |part| {
                let Ok(word) = std::str::from_utf8(words::normal_form(part, &mut buffer)) else {
                    return;
                };
                if words::is_stop_word(word) || word.len() > 60 {
                    return;
                }
                if let Some((first, _)) = before.replace((word.to_owned(), at + part.len())) {
                    *pairs.entry((first, word.to_owned())).or_default() += n;
                }
            });

            let Ok(word) = std::str::from_utf8(word) else { return };
            let lower = word.to_ascii_lowercase();
            let singular = lower.strip_suffix('s').unwrap_or(&lower);
            if in_title && !self.spoken.iter().any(|spoken| spoken == singular) {
                self.spoken.push(singular.to_owned());
            }
            if word.len() < 3
                || word.bytes().all(|byte| byte.is_ascii_digit())
                || words::is_stop_word(&lower)
            {
                return;
            }
            let end = at + word.len();
            let is_called = bytes.get(end) == Some(&b'(');
            let is_dotted = at > 0 && matches!(bytes[at - 1], b'.' | b':')
                || matches!(bytes.get(end), Some(b'.' | b':'))
                    && bytes.get(end + 1).is_some_and(|byte| words::is_word_byte(*byte));
            let confidence = if words::looks_like_identifier(word) {
                1.0
            } else if is_called || is_dotted || is_inline {
                0.6
            } else {
                0.15
            };
            let mention = mentions.entry(word).or_default();
            mention.weight += n_mention;
            mention.confidence = mention.confidence.max(confidence);
        });
        self.terms = counts
            .into_iter()
            .map(|(word, count)| Term {
                word,
                weight: libm::log1p(count.all),
                title_weight: libm::log1p(count.title),
            })
            .collect();
        keep_heaviest(&mut self.terms, MAX_TERMS, |term| term.weight);
        let position = |word: &str| {
            self.terms
                .binary_search_by(|term| term.word.as_str().cmp(word))
                .ok()
                .map(|at| at as u16)
        };
        self.pairs = pairs
            .into_iter()
            .filter_map(|((first, second), count)| {
                let terms = (position(&first)?, position(&second)?);
                Some(Pair { terms, weight: libm::log1p(count) })
            })
            .collect();
        keep_heaviest(&mut self.pairs, MAX_TERMS, |pair| pair.weight);
        self.identifiers = mentions
            .into_iter()
            .map(|(word, mention)| Identifier {
                word: word.to_owned(),
                weight: libm::log1p(mention.weight) * mention.confidence,
                is_code: mention.confidence >= 0.6,
            })
            .collect();
        keep_heaviest(&mut self.identifiers, MAX_IDENTIFIERS, |identifier| identifier.weight);
    }
}

/// The heaviest `n`, in the order they had.
fn keep_heaviest<T>(list: &mut Vec<T>, n: usize, weight: impl Fn(&T) -> f64) {
    if list.len() <= n {
        return;
    }
    let mut weights: Vec<f64> = list.iter().map(&weight).collect();
    weights.sort_by(|a, b| b.total_cmp(a));
    let least = weights[n - 1];
    list.retain(|one| weight(one) >= least);
    list.truncate(n);
}

/// The text without the headings of issue templates, and without the sections that list versions
/// and machines, from their heading to the next. The first line is the title and stays.
fn without_template(text: &str) -> String {
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

fn quoted_paths(text: &str) -> Vec<String> {
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

/// Python prints the innermost frame last, the others print it first.
fn frames(text: &str) -> Vec<(String, u32)> {
    let frame =
        |found: regex::Captures<'_>| Some((found[1].replace('\\', "/"), found[2].parse().ok()?));
    let mut frames: Vec<(String, u32)> =
        PYTHON_FRAME.captures_iter(text).filter_map(frame).collect();
    frames.reverse();
    frames.extend(OTHER_FRAME.captures_iter(text).filter_map(frame));
    frames.truncate(100);
    frames
}

/// Three and four words in a row of messages and of what is quoted.
fn phrases(text: &str) -> Vec<String> {
    let mut phrases: Vec<String> = Vec::new();
    let quoted = QUOTED
        .captures_iter(text)
        .filter_map(|found| found.iter().skip(1).flatten().next().map(|one| one.as_str()));
    let messages =
        MESSAGE.captures_iter(text).filter_map(|found| found.get(1).map(|one| one.as_str()));
    for piece in messages.chain(quoted) {
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

    const ISSUE: &str = "QuerySet.union() drops ordering\n\
        Calling `Model.objects.none()` fails, see \
        https://github.com/a/b/blob/main/db/models/query.py#L3\n\
        ```\n  File \"/usr/lib/site-packages/app/db/models/query.py\", line 12, in union\n    \
        x()\n  File \"/home/me/app/db/sql/compiler.py\", line 7, in as_sql\n```\n\
        ValueError: Cannot combine queries on two different models\n\
        ### Environment\nPython: 3.11.2\nlinux machine\n### More\nsession tokens\n";

    #[test]
    fn a_goal_quotes_frames_paths_and_messages() {
        let goal = Goal::read(ISSUE);
        assert_eq!(goal.frames[0], ("/home/me/app/db/sql/compiler.py".to_owned(), 7));
        assert_eq!(goal.paths[0], "db/models/query.py");
        assert!(goal.phrases.contains(&"Cannot combine queries on".to_owned()));
        let weight =
            |word: &str| goal.identifiers.iter().find(|one| one.word == word).map(|one| one.weight);
        assert!(weight("QuerySet") > weight("ordering"));
    }

    #[test]
    fn the_environment_of_the_reporter_is_noise() {
        let goal = Goal::read(ISSUE);
        let has = |word: &str| goal.terms.iter().any(|term| term.word == word);
        assert!(has("session") && has("ordering") && has("union"));
        assert!(!has("linux") && !has("machine") && !has("github"));
    }
}
