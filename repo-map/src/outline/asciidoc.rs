//! The headings of a text in AsciiDoc, and in RDoc, whose headings are written the same way: read
//! from the lines, without a grammar.

use std::ops::Range;

use crate::outline::capture::Captures;
use crate::outline::heading::{heading, lines_of};
use crate::outline::prose;

/// The marks of titles that are underlined, by rank.
const UNDERLINES: &[u8] = b"=-~^+";
/// The marks that, four and more in a line of their own, begin and end text in which no line is a
/// heading: listings, literal text, comments, text passed through.
const VERBATIM: &[u8] = b"-./+";
const DEEPEST: usize = 6;
/// How a paragraph begins that is an aside.
const ASIDES: &[&str] = &["NOTE: ", "TIP: ", "IMPORTANT: ", "WARNING: ", "CAUTION: "];

/// Returns the headings of a text in AsciiDoc: `== Use`, or a title with an underline.
pub(super) fn headings(text: &str) -> Captures {
    let mut captures = Captures::default();
    let lines = lines_of(text);
    let mut verbatim: Option<&str> = None;
    // The first line that is not part of a heading before.
    let mut free = 0;
    for (at, range) in lines.iter().enumerate() {
        let line = |at: usize| lines.get(at).map_or("", |line| &text[line.clone()]);
        if at < free {
            continue;
        }
        if let Some(mark) = verbatim {
            verbatim = Some(mark).filter(|mark| line(at) != *mark);
            continue;
        }
        let is_first = at == free || line(at - 1).is_empty() || is_attribute(line(at - 1));
        if let Some(rank) = underlined(line(at), line(at + 1)).filter(|_| is_first) {
            free = at + 2;
            let node = range.start..lines[at + 1].end;
            captures.found.push(heading(node.clone(), range.clone(), node.end, rank));
        } else if let Some((rank, title)) = marked(text, range) {
            free = at + 1;
            captures.found.push(heading(range.clone(), title.clone(), title.end, rank));
        } else if is_verbatim(line(at)) {
            verbatim = Some(line(at));
        }
    }
    captures
}

/// Returns the headings of a text in RDoc, where code is indented and lines are rules.
pub(super) fn headings_of_rdoc(text: &str) -> Captures {
    let mut captures = Captures::default();
    for range in lines_of(text) {
        if let Some((rank, title)) = marked(text, &range) {
            captures.found.push(heading(range, title.clone(), title.end, rank));
        }
    }
    captures
}

/// Returns the rank and the title of a line such as `== Use`, without badges at its end.
fn marked(text: &str, range: &Range<usize>) -> Option<(usize, Range<usize>)> {
    let line = &text[range.clone()];
    let title = line.trim_start_matches('=');
    let rank = line.len() - title.len();
    if !(1..=DEEPEST).contains(&rank) || !title.starts_with([' ', '\t']) {
        return None;
    }
    let start = range.end - title.trim_start().len();
    let title = text[start..range.end].trim_end_matches(['=', ' ', '\t']);
    let links = [" image:", " link:http", " http"].into_iter().filter_map(|mark| title.find(mark));
    let badges = links.min().filter(|at| is_badges(&title[*at..]));
    let title = &title[..badges.unwrap_or(title.len())];
    (!title.is_empty()).then(|| (rank - 1, start..start + title.trim_end().len()))
}

/// Returns the rank of a title by the line below it, which is as long as the title.
fn underlined(line: &str, below: &str) -> Option<usize> {
    let mark = *below.as_bytes().first()?;
    let rank = UNDERLINES.iter().position(|one| *one == mark)?;
    let is_line = below.bytes().all(|byte| byte == mark);
    let is_title = line.starts_with(|c: char| c.is_alphanumeric() || c == '\\' || c == '`');
    let is_as_long = line.chars().count().abs_diff(below.len()) < 2;
    (is_line && is_title && is_as_long && below.len() > 1).then_some(rank)
}

fn is_verbatim(line: &str) -> bool {
    let mark = line.bytes().next().filter(|mark| VERBATIM.contains(mark));
    let is_line = |mark: u8| line.len() >= 4 && line.bytes().all(|byte| byte == mark);
    mark.is_some_and(is_line) || line.starts_with("```")
}

/// Reports whether a line says something of the block below it: `[source,java]`, `[[use]]`, and
/// whether it sets a value: `:toc: left`.
fn is_attribute(line: &str) -> bool {
    let is_value = || {
        let (name, rest) = line.strip_prefix(':')?.split_once(':')?;
        let is_name = |c: char| c.is_alphanumeric() || "-_!".contains(c);
        Some(name.chars().all(is_name) && (rest.is_empty() || rest.starts_with(' ')))
    };
    line.starts_with('[') && line.ends_with(']') || is_value().unwrap_or(false)
}

/// Reports whether a line is a command: `include::a.adoc[]`, `image::logo.svg[]`, `ifdef::env[]`.
fn is_command(line: &str) -> bool {
    let name = line.split_once("::").map(|(name, _)| name);
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase());
    line.ends_with(']') && name.is_some_and(is_name)
}

/// Reports whether a line below a title names its author or its revision.
fn is_of_header(line: &str) -> bool {
    let is_revision = || {
        let version = line.strip_prefix('v').unwrap_or(line);
        version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains(". ")
    };
    line.ends_with('>') && line.contains('@') || is_revision()
}

/// Reports whether a text has images alone, such as `https://a.b[image:c.svg[]]`.
fn is_badges(text: &str) -> bool {
    text.contains("image:") && prose::n_plain_words(text) == 0
}

/// Returns the first paragraph of prose: attributes, commands, comments, asides and rows of badges
/// are passed over. `None` where a list, a table or code comes first.
pub(super) fn first_prose(text: &str, within: Range<usize>) -> Option<Range<usize>> {
    let mut at = within.start;
    let mut comment: Option<&str> = None;
    let is_below_title = within.start > 0 && !text[..within.start].ends_with('\n');
    let (mut is_aside, mut is_header) = (false, is_below_title);
    let mut prose: Option<Range<usize>> = None;
    // The first line is the rest of the title's.
    for line in text[within].split_inclusive('\n') {
        let start = at;
        at += line.len();
        if is_below_title && !text[..start].ends_with('\n') {
            continue;
        }
        let words = line.trim_end();
        if words.is_empty() || prose.is_some() && is_attribute(words) {
            if prose.is_some() {
                break;
            }
            (is_aside, is_header) = (false, false);
            continue;
        }
        if let Some(prose) = &mut prose {
            prose.end = start + words.len();
            continue;
        }
        if let Some(mark) = comment {
            comment = Some(mark).filter(|mark| words != *mark);
            continue;
        }
        if words.starts_with("////") {
            comment = Some(words);
            continue;
        }
        is_aside |= ASIDES.iter().any(|aside| words.starts_with(aside));
        let is_no_text = is_aside
            || words.starts_with("//")
            || is_attribute(words)
            || is_command(words)
            || is_header && is_of_header(words);
        if is_no_text {
            continue;
        }
        let is_list = ["** ", ". ", ".. "].iter().any(|mark| words.starts_with(mark));
        let is_indented = words.starts_with([' ', '\t']);
        if is_list || is_indented || prose::is_other_block(words) || is_verbatim(words) {
            return None;
        }
        let is_rule = !words.contains(char::is_alphanumeric);
        let is_title_of_block = words.starts_with('.');
        if is_badges(words) || is_rule || is_title_of_block {
            continue;
        }
        prose = Some(start..start + words.len());
    }
    prose
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: Captures, text: &str, expected: &[(&str, u8)]) {
        let found: Vec<(&str, u8)> = found
            .found
            .iter()
            .map(|one| (&text[one.name.clone().unwrap()], one.section.unwrap()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn titles_are_marked_or_underlined() {
        let text = "= Tool image:https://a.b/c.svg[Build, link=https://a.b]\nMe <me@a.b>\n\n\
                    [[use]]\n== Use ==\n\n=== One\n====== Six\n\n== See https://a.b[the site]\n";
        let expected =
            [("Tool", 0), ("Use", 1), ("One", 2), ("Six", 5), ("See https://a.b[the site]", 1)];
        check(headings(text), text, &expected);
        let text = "git-add(1)\n==========\n\nNAME\n----\nadds\n\nOPTIONS\n-------\n\nDeep\n~~~~\n";
        check(headings(text), text, &[("git-add(1)", 0), ("NAME", 1), ("OPTIONS", 1), ("Deep", 2)]);
    }

    #[test]
    fn listings_rules_and_blocks_are_no_titles() {
        for text in [
            "[source]\n----\n= a\n\nb\n-\n----\n",
            "....\n== a\n....\n",
            "////\n== a\n////\n",
            "```sh\n== a\n```\n",
            ".Title\n----\nx\n----\n",
            "====\nAn example.\n====\n",
            "=no\n ==  no\n======= no\n==\n",
            "Two lines\nof a paragraph\n--------------\n== a\n--------------\n",
        ] {
            check(headings(text), text, &[]);
        }
        let text = "= Gem\n\n---\n\n== Use\n\n  == code\n";
        check(headings_of_rdoc(text), text, &[("Gem", 0), ("Use", 1)]);
    }

    #[test]
    fn prose_is_found_past_attributes_commands_and_badges() {
        let check = |text: &str, prose: Option<&str>| {
            let title = text.find('\n').unwrap_or(0);
            let found = first_prose(text, title..text.len()).map(|range| &text[range]);
            assert_eq!(found, prose, "{text}");
        };
        check(
            "= Tool\nMe <me@a.b>\nv1.0, 2020-01-01\n:toc: left\n\nimage::a.svg[Logo]\n\n\
             image:https://a.b/c.svg[Build] https://a.b[image:d.svg[]]\n\n////\nNo.\n////\n\
             // No.\nNOTE: Not yet\nready.\n\n[.lead]\nA tool.\nIt is small.\n\nMore.\n",
            Some("A tool.\nIt is small."),
        );
        check("= A\nhttps://a.b[The site] has more.\n", Some("https://a.b[The site] has more."));
        check("= A\n\n* a list\n\nProse.\n", None);
        check("= A\n\n. a list\n\nProse.\n", None);
        check("== A\n\n[source]\n----\ncode\n----\n\nProse.\n", None);
        check("", None);
    }
}
