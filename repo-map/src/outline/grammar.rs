//! The grammars of yacc and lex: C with rules between its parts. The rules are read here, without a
//! parser; the C alone goes to the parser of C.

use std::ops::Range;

use crate::outline::capture::Captured;
use crate::outline::heading::lines_of;
use crate::outline::item::ItemKind;
use crate::outline::language::Language;

/// A grammar, taken apart.
pub(super) struct Grammar {
    /// The C of the file and its comments. All else is spaces, so that positions stay.
    pub(super) code: String,
    pub(super) rules: Vec<Captured>,
}

/// The maximum number of bytes from `%code` to its brace.
const MAX_HEAD: usize = 200;

/// Takes a grammar apart; `None` for files of other languages.
pub(super) fn read(language: &Language, text: &str) -> Option<Grammar> {
    let rules_of = match language.name {
        "yacc" => rules_of_yacc,
        "lex" => rules_of_lex,
        _ => return None,
    };
    let lines = lines_of(text);
    // `%%` begins the rules, and another one ends them.
    let mut marks = lines.iter().filter(|line| text[(*line).clone()].starts_with("%%"));
    let begin = marks.next().map_or(text.len()..text.len(), |line| line.start..line.start + 2);
    let end = marks.next().map_or(text.len()..text.len(), |line| line.start..line.start + 2);
    let mut kept = code_of_declarations(text, &lines, begin.start);
    let mut rules = Vec::new();
    rules_of(text, begin.end..end.start.max(begin.end), &mut rules, &mut kept);
    kept.push(end.end..text.len());
    Some(Grammar { code: only(text, &kept), rules })
}

/// Returns the text with spaces in place of all that is not in some ranges in order.
fn only(text: &str, kept: &[Range<usize>]) -> String {
    let mut code = String::with_capacity(text.len());
    let blank = |code: &mut String, range: Range<usize>| {
        code.extend(text[range].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    };
    for range in kept.iter().filter(|range| !range.is_empty()) {
        let from = code.len();
        blank(&mut code, from..range.start);
        code.push_str(&text[range.clone()]);
    }
    let from = code.len();
    blank(&mut code, from..text.len());
    code
}

/// Returns the C in the declarations, which end at `end`: between `%{` and `%}`, in the braces of
/// `%code` and `%top`, and comments.
fn code_of_declarations(text: &str, lines: &[Range<usize>], end: usize) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let mut free = 0;
    for line in lines.iter().take_while(|line| line.start < end) {
        let words = &text[line.clone()];
        if line.start < free {
            continue;
        }
        if words.starts_with("%{") {
            let rest = &text[line.end..end];
            free = rest.find("\n%}").map_or(end, |at| line.end + at + 1);
            kept.push(line.start + 2..free);
        } else if words.starts_with("%code") || words.starts_with("%top") {
            let mut head = text.as_bytes()[line.start..end].iter().take(MAX_HEAD);
            let Some(open) = head.position(|byte| *byte == b'{') else { continue };
            free = end_of_braces(text, line.start + open, end);
            let is_closed = text.as_bytes()[free - 1] == b'}';
            kept.push(line.start + open + 1..free - usize::from(is_closed));
        } else if words.starts_with("/*") || words.starts_with("//") {
            free = end_of_quoted(text, line.start, end);
            kept.push(line.start..free);
        }
    }
    kept
}

/// Finds the rules of yacc, `name: alternatives;`, and the comments between them. The semicolon may
/// be missing.
fn rules_of_yacc(
    text: &str,
    within: Range<usize>,
    rules: &mut Vec<Captured>,
    kept: &mut Vec<Range<usize>>,
) {
    let bytes = text.as_bytes();
    let mut open: Option<Captured> = None;
    // The last word, which a colon makes the name of a rule, and where what is before it ends.
    let mut word: Option<(Range<usize>, usize)> = None;
    let (mut at, mut last_end) = (within.start, within.start);
    while at < within.end {
        let end = end_of_token(text, at, within.end);
        match bytes[at] {
            b'/' if end > at + 1 => kept.push(at..end),
            byte if byte.is_ascii_whitespace() => {}
            // `name[alias]:`
            b'[' => last_end = end,
            b':' => {
                if let Some((name, end_before)) = word.take() {
                    rules.extend(open.take().map(|rule| ended(text, rule, end_before)));
                    let mut rule = Captured::new(ItemKind::Rule, name.start..name.end, 0);
                    rule.name = Some(name);
                    rule.signature_end = Some(end);
                    open = Some(rule);
                }
                last_end = end;
            }
            b';' => {
                rules.extend(open.take().map(|rule| ended(text, rule, end)));
                (word, last_end) = (None, end);
            }
            byte => {
                word = is_word(byte).then_some((at..end, last_end));
                last_end = end;
            }
        }
        at = end;
    }
    rules.extend(open.map(|rule| ended(text, rule, last_end)));
}

/// Returns a rule that ends at `end`, with its alternatives as its body.
fn ended(text: &str, mut rule: Captured, end: usize) -> Captured {
    let from = rule.signature_end.unwrap_or(end).min(end);
    let n_blank = text[from..end].len() - text[from..end].trim_start().len();
    rule.body = (from + n_blank < end).then_some(from + n_blank..end);
    rule.node.end = end;
    rule
}

/// Finds the rules of lex for a state: `<STATE>{`, up to the next line that begins with `}`. The
/// others have no name.
fn rules_of_lex(
    text: &str,
    within: Range<usize>,
    rules: &mut Vec<Captured>,
    kept: &mut Vec<Range<usize>>,
) {
    let (mut at, mut free) = (within.start, within.start);
    for line in text[within.clone()].split_inclusive('\n') {
        let start = at;
        at += line.len();
        if start < free {
            continue;
        }
        let words = line.trim_end();
        if words.starts_with("/*") {
            free = end_of_quoted(text, start, within.end);
            kept.push(start..free);
        }
        let Some(state) = words.strip_suffix('{').map(str::trim_end) else { continue };
        if !state.starts_with('<') || !state.ends_with('>') {
            continue;
        }
        let body = start + words.len() - 1;
        free = text[body..within.end].find("\n}").map_or(within.end, |n| body + n + 2);
        let mut rule = Captured::new(ItemKind::Rule, start..free, 0);
        rule.name = Some(start..start + state.len());
        rule.body = Some(body..free);
        rules.push(rule);
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// Returns the end of the token of a rule at `at`: braces with what they hold, a string, a comment,
/// a word, a character.
fn end_of_token(text: &str, at: usize, limit: usize) -> usize {
    let rest = &text.as_bytes()[at..limit];
    match rest[0] {
        b'{' => end_of_braces(text, at, limit),
        b'\'' | b'"' | b'/' => end_of_quoted(text, at, limit),
        b'[' => rest.iter().position(|byte| *byte == b']').map_or(limit, |n| at + n + 1),
        byte if is_word(byte) => at + rest.iter().take_while(|byte| is_word(**byte)).count(),
        _ => at + 1,
    }
}

/// Returns the end of the braces of C that open at `at`.
fn end_of_braces(text: &str, mut at: usize, limit: usize) -> usize {
    let bytes = text.as_bytes();
    let mut n_open = 0_usize;
    while at < limit {
        match bytes[at] {
            b'\'' | b'"' | b'/' => {
                at = end_of_quoted(text, at, limit);
                continue;
            }
            b'{' => n_open += 1,
            b'}' => n_open -= 1,
            _ => {}
        }
        at += 1;
        if n_open == 0 {
            break;
        }
    }
    at
}

/// Returns the end of the string, character or comment that begins at `at`, or of the slash. A
/// string ends with its line.
fn end_of_quoted(text: &str, at: usize, limit: usize) -> usize {
    let rest = &text[at..limit];
    if let Some(comment) = rest.strip_prefix("/*") {
        return comment.find("*/").map_or(limit, |n| at + n + 4);
    }
    if rest.starts_with("//") {
        return rest.find('\n').map_or(limit, |n| at + n);
    }
    let bytes = rest.as_bytes();
    let mut n = 1;
    while bytes[0] != b'/' && n < bytes.len() {
        match bytes[n] {
            b'\\' => n += 1,
            b'\n' => break,
            byte if byte == bytes[0] => return at + n + 1,
            _ => {}
        }
        n += 1;
    }
    at + n.min(bytes.len())
}
