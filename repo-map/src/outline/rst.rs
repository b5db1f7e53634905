//! The headings of a text in reStructuredText, read from its lines: a title with an underline of
//! punctuation, with or without an overline. No grammar is needed for them.

use std::ops::Range;

use crate::outline::capture::Captures;
use crate::outline::heading::{heading, lines_of};
use crate::outline::prose;

/// An underline of this length makes a title of a longer line too.
const LONG_LINE: usize = 4;
/// Lines of punctuation that are no underline: a comment, a literal block, a prompt of Python.
const OTHER_MARKS: &[&str] = &["..", "::", ">>>"];

/// Returns the headings of a text. Their ranks follow from the order in which the styles of their
/// lines appear.
pub(super) fn headings(text: &str) -> Captures {
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut captures = Captures::default();
    let lines = lines_of(text);
    // The first line that is not part of a heading before.
    let mut free = 0;
    for (at, title) in lines.iter().enumerate() {
        let line = |at: usize| lines.get(at).map_or("", |line| &text[line.clone()]);
        let before = if at > free { line(at - 1) } else { "" };
        let Some(style) = style_of(before, line(at), line(at + 1)) else { continue };
        free = at + 2;
        let rank = styles.iter().position(|one| *one == style).unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        });
        let start = if style.1 { lines[at - 1].start } else { title.start };
        let node = start..lines[at + 1].end;
        captures.found.push(heading(node.clone(), title.clone(), node.end, rank));
    }
    captures
}

/// Returns the mark under a title, and whether it is over it too; `None` if the line is no title.
fn style_of(before: &str, line: &str, below: &str) -> Option<(char, bool)> {
    let mark = adornment(below)?;
    let width = line.trim_start().chars().count();
    if width == 0 || below.len() < width.min(LONG_LINE) || adornment(line).is_some() {
        return None;
    }
    if adornment(before) == Some(mark) {
        return Some((mark, true));
    }
    // The last line of a paragraph is no title.
    let is_first = before.is_empty() || before.starts_with(".. ");
    (is_first && !line.starts_with([' ', '\t'])).then_some((mark, false))
}

/// Returns the mark of a line that is made of it alone.
fn adornment(line: &str) -> Option<char> {
    let mark = line.chars().next().filter(char::is_ascii_punctuation)?;
    let is_one = line.chars().all(|c| c == mark) && !OTHER_MARKS.contains(&line);
    is_one.then_some(mark)
}

/// Returns the first paragraph of prose: directives, fields and rows of badges are passed over.
/// `None` where a list, a table, a quote or code comes first.
pub(super) fn first_prose(text: &str, within: Range<usize>) -> Option<Range<usize>> {
    let mut at = within.start;
    let mut is_directive = false;
    let mut prose: Option<Range<usize>> = None;
    for line in text[within].split_inclusive('\n') {
        let start = at;
        at += line.len();
        let words = line.trim_end();
        if words.is_empty() {
            if prose.is_some() {
                break;
            }
            continue;
        }
        if let Some(prose) = &mut prose {
            prose.end = start + words.len();
            continue;
        }
        let is_indented = words.starts_with([' ', '\t']);
        if is_directive && is_indented {
            continue;
        }
        is_directive = words == ".." || words.starts_with(".. ") || is_field(words);
        if is_directive || is_badges(words) {
            continue;
        }
        if is_indented || prose::is_other_block(words) || adornment(words).is_some() {
            return None;
        }
        prose = Some(start..start + words.len());
    }
    prose
}

/// Reports whether a line begins a field: `:Author: Me`.
fn is_field(line: &str) -> bool {
    let parts = line.strip_prefix(':').and_then(|line| line.split_once(':'));
    parts.is_some_and(|(name, rest)| !name.is_empty() && (rest.is_empty() || rest.starts_with(' ')))
}

/// Reports whether a line has substitutions alone: `|build| |docs|`.
fn is_badges(line: &str) -> bool {
    let is_badge = |word: &str| word.len() > 2 && word.starts_with('|') && word.ends_with('|');
    line.split_whitespace().all(is_badge)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_headings(text: &str, expected: &[(&str, u8)]) {
        let found = headings(text).found;
        let found: Vec<(&str, u8)> = found
            .iter()
            .map(|one| (text[one.name.clone().unwrap()].trim(), one.section.unwrap()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn titles_are_ranked_by_the_order_of_their_styles() {
        check_headings(
            "=====\n Tool\n=====\n\nUse\n===\n\nOne\n---\n\n.. _two:\nTwo\n---\n\nBuild\n=====\n\n\
             Deep\n~~~~\n",
            &[("Tool", 0), ("Use", 1), ("One", 2), ("Two", 2), ("Build", 1), ("Deep", 3)],
        );
        check_headings("A long title\n----\n\nAnother\n---\n", &[("A long title", 0)]);
        check_headings("A\n===\nB\n===\n", &[("A", 0), ("B", 0)]);
    }

    #[test]
    fn tables_code_and_rules_are_no_titles() {
        for text in [
            "=====  =====\nA      B\n=====  =====\n1      2\n=====  =====\n",
            "Two lines\nof a paragraph\n--------------\n",
            "Code::\n\n    Title\n    =====\n",
            "Text.\n\n-----\n\nMore.\n",
            "+---+\n| a |\n+---+\n",
            "A\n..\n\nB\n>>>\n",
        ] {
            check_headings(text, &[]);
        }
    }

    #[test]
    fn prose_is_found_past_directives_fields_and_badges() {
        let check = |text: &str, prose: Option<&str>| {
            assert_eq!(first_prose(text, 0..text.len()).map(|range| &text[range]), prose, "{text}");
        };
        check(
            ".. image:: a.svg\n   :target: b\n\n   More of it.\n\n|build| |docs|\n\n:Author: Me\n\n\
             A tool.\nIt is small.\n\nMore.\n",
            Some("A tool.\nIt is small."),
        );
        check(":func:`run` starts it.\n", Some(":func:`run` starts it."));
        check("- a list comes first\n\nThen prose.\n", None);
        check("    code\n\nThen prose.\n", None);
        check("", None);
    }
}
