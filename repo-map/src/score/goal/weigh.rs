//! The text of a goal → weighted terms, pairs and identifiers.
//!
//! The weights come from the project's relevance experiments: a mention in the title counts three
//! times, `inline code` once more.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::outline::language;
use crate::score::goal::frames::frames;
use crate::score::goal::logs::{is_log, logs};
use crate::score::goal::quotes::{phrases, quoted_paths};
use crate::score::goal::template::{NOISE, regex, without_template};
use crate::score::goal::value::{Goal, Identifier, Pair, Term};
use crate::score::signed_words::{signed_word, without_signs};
use crate::score::words;

/// The maximum number of terms, phrases and identifiers; a goal with more keeps those of greatest
/// weight.
const MAX_TERMS: usize = 400;
const MAX_IDENTIFIERS: usize = 300;
/// The maximum number of words of a goal that can be a name.
const MAX_NAME: usize = 12;
/// The weight of a word of the same family as a word of the goal, as a share of that word's.
const RELATIVE: f64 = 0.15;
/// The length in bytes from which the words of a block of code weigh less.
const LONG_BLOCK: f64 = 1_500.0;
/// The weight of a word of a log, once for all logs: what runs often is seldom what is at fault.
const OF_LOG: f64 = 0.3;
static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?s)```.*?(?:```|\z)|`[^`\n]+`"));

impl Goal {
    pub(crate) fn read(text: &str) -> Goal {
        let mut goal = Goal { paths: quoted_paths(text), frames: frames(text), ..Goal::default() };
        let text = without_template(&NOISE.replace_all(text, " "));
        goal.phrases = phrases(&text);
        goal.title_phrases = goal.phrases_in(title_of(&text));
        goal.weigh(&text);
        let words: BTreeSet<String> = words::topic_words(&text).into_iter().collect();
        goal.name = Some(words).filter(|words| words.len() <= MAX_NAME).unwrap_or_default();
        #[cfg(feature = "word-vectors")]
        goal.text.push_str(&text);
        goal
    }

    /// Returns the positions of the phrases of three words and more that stand in a part of the
    /// text: fewer are a name.
    fn phrases_in(&self, part: &str) -> Vec<u16> {
        let is_in = |phrase: &str| phrase.matches(' ').count() > 1 && part.contains(phrase);
        let phrases = self.phrases.iter().zip(0..);
        phrases.filter(|(phrase, _)| is_in(phrase)).map(|(_, at)| at).collect()
    }

    fn weigh(&mut self, text: &str) {
        let mut tally = Tally::of(text);
        let files = self.paths.iter().filter(|path| language::of_path(path).is_some());
        let names: Vec<&str> = files.map(|path| path.rsplit('/').next().unwrap_or(path)).collect();
        words::for_each_word(text.as_bytes(), |word, at| {
            if ends_name(&names, text, at, word) {
                return;
            }
            let place = tally.place(at);
            tally.count_terms(word, &place);
            if let Some(name) = signed_word(text.as_bytes(), at, word) {
                tally.count_terms(name, &place);
            }
            if !place.is_log {
                tally.count_pairs(word, at, &place);
                tally.count_mention(word, at, &place);
            }
        });
        self.terms = with_relatives(heaviest_terms(tally.counts));
        self.pairs = heaviest_pairs(tally.pairs, &self.terms);
        self.identifiers = heaviest_identifiers(tally.mentions);
        self.title_words = tally.title_words;
    }
}

/// Returns the first line of a goal.
fn title_of(text: &str) -> &str {
    text.trim_start().split('\n').next().unwrap_or_default()
}

/// The weighted number of occurrences of a word.
#[derive(Default)]
struct WordCount {
    all: f64,
    title: f64,
    is_of_log: bool,
}

/// The weighted number of occurrences of an identifier, and the confidence that it is one.
#[derive(Default)]
struct Mention {
    weight: f64,
    confidence: f64,
}

/// The place of an occurrence, and its weight there.
struct WordPlace {
    in_title: bool,
    is_inline: bool,
    is_log: bool,
    weight: f64,
    mention_weight: f64,
}

/// A piece of code in a text.
struct CodePiece {
    range: Range<usize>,
    kind: PieceKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Inline,
    Block,
    Log,
}

/// Returns the one of some sorted pieces that a position is in.
fn piece_at(pieces: &[CodePiece], at: usize) -> Option<&CodePiece> {
    let n_before = pieces.partition_point(|piece| piece.range.start <= at);
    pieces[..n_before].last().filter(|piece| at < piece.range.end)
}

/// The counts while the words of a text are read.
struct Tally<'t> {
    bytes: &'t [u8],
    title_end: usize,
    /// The pieces of code between fences and back-ticks, in the order of the text.
    fenced: Vec<CodePiece>,
    /// The logs without a fence, in the order of the text.
    logs: Vec<CodePiece>,
    counts: BTreeMap<String, WordCount>,
    pairs: BTreeMap<(String, String), f64>,
    /// The last word that can be the first of a pair, and its end.
    before: Option<(String, usize)>,
    mentions: BTreeMap<&'t str, Mention>,
    title_words: Vec<String>,
    known_title_words: HashSet<String>,
    buffer: Vec<u8>,
}

impl<'t> Tally<'t> {
    fn of(text: &'t str) -> Tally<'t> {
        let start = text.len() - text.trim_start().len();
        let title_end = start + title_of(text).len();
        let fenced = CODE.find_iter(text).map(|found| CodePiece {
            range: found.range(),
            kind: match found.as_str() {
                inline if !inline.starts_with("```") => PieceKind::Inline,
                log if is_log(log) => PieceKind::Log,
                _ => PieceKind::Block,
            },
        });
        let logs = logs(text).into_iter().map(|range| CodePiece { range, kind: PieceKind::Log });
        Tally {
            bytes: text.as_bytes(),
            title_end,
            fenced: fenced.collect(),
            logs: logs.collect(),
            counts: BTreeMap::new(),
            pairs: BTreeMap::new(),
            before: None,
            mentions: BTreeMap::new(),
            title_words: Vec::new(),
            known_title_words: HashSet::new(),
            buffer: Vec::new(),
        }
    }

    fn place(&self, at: usize) -> WordPlace {
        let in_title = at < self.title_end;
        // A log within a fence is part of it.
        let around = piece_at(&self.fenced, at).or_else(|| piece_at(&self.logs, at));
        let kind = around.map(|piece| (piece.kind, piece.range.len()));
        let (weight, mention_weight) = match kind {
            _ if in_title => (3.0, 3.0),
            Some((PieceKind::Log, _)) => (OF_LOG, 0.0),
            Some((PieceKind::Block, n_bytes)) => (share_of_block(n_bytes), 0.7),
            Some((PieceKind::Inline, _)) => (2.0, 1.5),
            None => (1.0, 1.0),
        };
        let is_inline = matches!(kind, Some((PieceKind::Inline, _)));
        let is_log = !in_title && matches!(kind, Some((PieceKind::Log, _)));
        WordPlace { in_title, is_inline, is_log, weight, mention_weight }
    }

    /// Counts the word and its parts, in normal form.
    fn count_terms(&mut self, word: &[u8], place: &WordPlace) {
        let (counts, buffer) = (&mut self.counts, &mut self.buffer);
        let mut count = |part: &[u8]| {
            let Ok(word) = std::str::from_utf8(words::normal_form(part, buffer)) else {
                return;
            };
            if words::is_stop_word(word)
                || word.bytes().all(|byte| byte.is_ascii_digit())
                || word.len() > 60
            {
                return;
            }
            let entry = counts.entry(word.to_owned()).or_default();
            if place.is_log && std::mem::replace(&mut entry.is_of_log, true) {
                return;
            }
            entry.all += place.weight;
            entry.title += f64::from(u8::from(place.in_title));
        };
        count(word);
        words::for_each_part(word, count);
    }

    /// Counts pairs: words that follow each other on a line, or inside one identifier.
    fn count_pairs(&mut self, word: &[u8], at: usize, place: &WordPlace) {
        if let Some((_, end)) = &mut self.before {
            let has_break = self.bytes[*end..at].iter().any(|byte| matches!(byte, b'\n' | b';'));
            // Stop words may follow: what lies before them is not searched again.
            *end = at;
            if has_break {
                self.before = None;
            }
        }
        words::for_each_subword(word, |part| {
            let Ok(word) = std::str::from_utf8(words::normal_form(part, &mut self.buffer)) else {
                return;
            };
            if words::is_stop_word(word) || word.len() > 60 {
                return;
            }
            if let Some((first, _)) = self.before.replace((word.to_owned(), at + part.len())) {
                *self.pairs.entry((first, word.to_owned())).or_default() += place.weight;
            }
        });
    }

    /// Counts the word as an identifier; its confidence grows with its likeness to code.
    fn count_mention(&mut self, word: &'t [u8], at: usize, place: &WordPlace) {
        let Ok(word) = std::str::from_utf8(word) else { return };
        let lower = word.to_ascii_lowercase();
        let singular = lower.strip_suffix('s').unwrap_or(&lower);
        if place.in_title && self.known_title_words.insert(singular.to_owned()) {
            self.title_words.push(singular.to_owned());
        }
        if word.len() < 3
            || word.bytes().all(|byte| byte.is_ascii_digit())
            || words::is_stop_word(&lower)
        {
            return;
        }
        let (bytes, end) = (self.bytes, at + word.len());
        let is_called = bytes.get(end) == Some(&b'(');
        let is_dotted = at > 0 && matches!(bytes[at - 1], b'.' | b':')
            || matches!(bytes.get(end), Some(b'.' | b':'))
                && bytes.get(end + 1).is_some_and(|byte| words::is_word_byte(*byte));
        let confidence = if words::looks_like_identifier(word) {
            1.0
        } else if is_called || is_dotted || place.is_inline {
            0.6
        } else {
            0.15
        };
        let mention = self.mentions.entry(word).or_default();
        mention.weight += place.mention_weight;
        mention.confidence = mention.confidence.max(confidence);
    }
}

/// Reports whether a word is the extension of a file that the goal names, which says nothing of
/// other files.
fn ends_name(names: &[&str], text: &str, at: usize, word: &[u8]) -> bool {
    let Some(before) = text[..at].strip_suffix('.') else { return false };
    let end = at + word.len();
    let is_called = text[end..].starts_with('(');
    before.ends_with(|c: char| !c.is_whitespace())
        && !is_called
        && names.iter().any(|name| {
            name.len() > word.len()
                && text[..end].ends_with(name)
                && !name.contains(char::is_whitespace)
        })
}

fn heaviest_terms(counts: BTreeMap<String, WordCount>) -> Vec<Term> {
    let mut terms: Vec<Term> = counts
        .into_iter()
        .map(|(word, count)| Term {
            word,
            weight: libm::log1p(count.all),
            title_weight: libm::log1p(count.title),
        })
        .collect();
    keep_heaviest(&mut terms, MAX_TERMS, |term| term.weight);
    terms
}

/// Returns the weight of a word in a block of code of so many bytes: all words of a long log weigh
/// no more than those of a short one.
fn share_of_block(n_bytes: usize) -> f64 {
    (LONG_BLOCK / n_bytes.max(1) as f64).min(1.0)
}

/// Adds the other words of each term's family, which weigh less than the word itself.
fn with_relatives(mut terms: Vec<Term>) -> Vec<Term> {
    let mut relatives: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for term in &terms {
        let plain = without_signs(&term.word).iter().map(|word| (*word).to_owned());
        for word in words::relatives(&term.word).into_iter().chain(plain) {
            let weights = relatives.entry(word).or_default();
            weights.0 = weights.0.max(RELATIVE * term.weight);
            weights.1 = weights.1.max(RELATIVE * term.title_weight);
        }
    }
    relatives.retain(|word, _| !terms.iter().any(|term| term.word == *word));
    let of_relative = |(word, (weight, title_weight))| Term { word, weight, title_weight };
    terms.extend(relatives.into_iter().map(of_relative));
    terms.sort_by(|a, b| a.word.cmp(&b.word));
    terms
}

/// Returns the pairs of greatest weight whose terms were kept.
fn heaviest_pairs(pairs: BTreeMap<(String, String), f64>, terms: &[Term]) -> Vec<Pair> {
    let position = |word: &str| {
        terms.binary_search_by(|term| term.word.as_str().cmp(word)).ok().map(|at| at as u16)
    };
    let mut pairs: Vec<Pair> = pairs
        .into_iter()
        .filter_map(|((first, second), count)| {
            let terms = (position(&first)?, position(&second)?);
            Some(Pair { terms, weight: libm::log1p(count) })
        })
        .collect();
    keep_heaviest(&mut pairs, MAX_TERMS, |pair| pair.weight);
    pairs
}

fn heaviest_identifiers(mentions: BTreeMap<&str, Mention>) -> Vec<Identifier> {
    let mut identifiers: Vec<Identifier> = mentions
        .into_iter()
        .map(|(word, mention)| Identifier {
            word: word.to_owned(),
            weight: libm::log1p(mention.weight) * mention.confidence,
            is_code: mention.confidence >= 0.6,
        })
        .collect();
    keep_heaviest(&mut identifiers, MAX_IDENTIFIERS, |identifier| identifier.weight);
    identifiers
}

/// Keeps the `n` elements of greatest weight, in their order.
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
    fn the_extension_of_a_quoted_path_is_no_word() {
        let words = |text: &str| {
            let goal = Goal::read(text);
            goal.terms.into_iter().map(|term| term.word).collect::<Vec<_>>()
        };
        assert!(!words("In.swift hangs").contains(&"swift".to_owned()));
        assert!(words("swift: In hangs").contains(&"swift".to_owned()));
        assert!(words("call cart.total() twice").contains(&"total".to_owned()));
    }

    #[test]
    fn a_goal_quotes_frames_paths_and_messages() {
        let goal = Goal::read(ISSUE);
        assert_eq!(goal.frames[0].path, "/home/me/app/db/sql/compiler.py");
        assert_eq!((goal.frames[0].line, goal.frames[0].function.as_deref()), (7, Some("as_sql")));
        assert_eq!(goal.paths[0], "db/models/query.py");
        assert!(goal.phrases.contains(&"Cannot combine queries on".to_owned()));
        let weight =
            |word: &str| goal.identifiers.iter().find(|one| one.word == word).map(|one| one.weight);
        assert!(weight("QuerySet") > weight("ordering"));
    }

    #[test]
    fn words_of_one_family_weigh_less_than_the_word_itself() {
        let goal = Goal::read("the file is converted twice");
        let weight = |word: &str| {
            goal.terms.iter().find(|term| term.word == word).map_or(0.0, |term| term.weight)
        };
        assert!(weight("converter") > 0.0 && weight("converter") < weight("converted") / 2.0);
        assert!(goal.terms.is_sorted_by_key(|term| &term.word));
    }

    #[test]
    fn a_long_log_weighs_no_more_than_a_short_one() {
        let line = "worker drained queue\n";
        let goal = Goal::read(&format!("title\n```\n{}```\nplain\n", line.repeat(700)));
        let weight =
            |word: &str| goal.terms.iter().find(|term| term.word == word).map(|term| term.weight);
        let short = Goal::read(&format!("title\n```\n{}```\n", line.repeat(71)));
        let of_short = short.terms.iter().find(|term| term.word == "drained").unwrap().weight;
        assert!((weight("drained").unwrap() - of_short).abs() < 0.1, "{:?}", weight("drained"));
    }

    #[test]
    fn a_log_without_a_fence_weighs_as_one_with_a_fence() {
        let log = "  of the pool\n2024-05-01T10:00:00Z INFO worker drained queue\n".repeat(300);
        let log = log.trim_start_matches("  of the pool\n");
        let weight = |goal: &Goal, word: &str| {
            goal.terms.iter().find(|term| term.word == word).map_or(0.0, |term| term.weight)
        };
        let bare = Goal::read(&format!("title\n{log}\nThe session ends.\n"));
        let fenced = Goal::read(&format!("title\n```\n{log}```\nThe session ends.\n"));
        for word in ["drained", "pool", "session"] {
            let (bare, fenced) = (weight(&bare, word), weight(&fenced, word));
            assert!((bare - fenced).abs() < 0.1, "{word}: {bare} {fenced}");
        }
        let few = Goal::read("title\nWARN drained twice\nERROR drained again\n");
        assert!(weight(&few, "drained") > 1.0);
    }

    #[test]
    fn a_word_of_a_log_counts_once_and_little() {
        let exchange = "* Connected to docs.example (203.0.113.9) port 443\n\
                        > GET /v1/items HTTP/1.1\n< content-length: 0\n";
        let access = "[12/May/2024 10:00:11] \"GET /admin/ HTTP/1.1\" 200\n(0.001) SELECT id\n";
        for (line, word) in [(exchange, "connected"), (access, "admin"), (access, "select")] {
            let goal = Goal::read(&format!("title\n```\n{}```\n", line.repeat(9)));
            let weight = goal.terms.iter().find(|term| term.word == word).unwrap().weight;
            assert_eq!(weight, libm::log1p(OF_LOG), "{word}");
            assert!(goal.identifiers.iter().all(|one| one.word == "title"));
        }
        let code = Goal::read("title\n```\nlet select = admin(GET);\nWARN select\n```\n");
        let select = code.terms.iter().find(|term| term.word == "select").unwrap();
        assert_eq!(select.weight, libm::log1p(2.0));
    }

    #[test]
    fn the_environment_of_the_reporter_is_noise() {
        let goal = Goal::read(ISSUE);
        let has = |word: &str| goal.terms.iter().any(|term| term.word == word);
        assert!(has("session") && has("ordering") && has("union"));
        assert!(!has("linux") && !has("machine") && !has("github"));
    }

    #[test]
    fn the_first_lines_of_a_console_are_noise() {
        let goal = Goal::read(
            "subs is wrong\n\n\
             Python 3.6.4 |Anaconda custom (64-bit)| (default, Dec 21 2017, 15:39:08)\n\
             Type 'copyright', 'credits' or 'license' for more information\n\
             IPython 6.2.1 -- An enhanced Interactive Python. Type '?' for help.\n\
             ?         -> Introduction and overview of IPython's features.\n\n\
             In [1]: expr.subs(a, b)\n",
        );
        let words: Vec<&str> = goal.terms.iter().map(|term| term.word.as_str()).collect();
        assert!(words.contains(&"expr") && words.contains(&"wrong"));
        for word in ["python", "anaconda", "license", "interactive", "overview"] {
            assert!(!words.contains(&word), "{word}");
        }
    }
}
