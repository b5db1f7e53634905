//! The parts of a long text, which are parsed one by one.
//!
//! Parsing a part takes memory many times its size. A part of Markdown begins at a heading, so that
//! the sections of all parts are those of the text; a part of code begins behind a block.

use std::ops::Range;

/// Returns the parts of a Markdown text, each of at most `most` bytes where that is possible. A
/// block that is longer stays whole.
pub(super) fn markdown_parts(text: &str, most: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    if text.len() <= most {
        parts.push(0..text.len());
        return parts;
    }
    let (mut from, mut at) = (0, 0);
    // The last places in the part where a heading begins, and where a block may end.
    let (mut heading, mut gap) = (None, None);
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        if fence.is_none() && at > from {
            if line.starts_with('#') {
                heading = Some(at);
            } else if line.trim().is_empty() {
                gap = Some(at);
            }
        }
        if at + line.len() - from > most
            && let Some(end) = heading.take().or(gap)
        {
            parts.push(from..end);
            from = end;
            gap = gap.filter(|gap| *gap > end);
        }
        fence = fence_after(line, fence);
        at += line.len();
    }
    parts.push(from..text.len());
    parts
}

/// The maximum number of parts of a text of code; what is behind them belongs to the last.
const MOST_PARTS: usize = 8;

/// Returns the parts of a text of code, each of at most `most` bytes where that is possible: a part
/// begins at a line behind one that only closes a block (`}`, `end`) and is as far to the left.
/// With `is_indented` that may be within a block, such as a module of Elixir.
pub(super) fn code_parts(text: &str, most: usize, is_indented: bool) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut from = 0;
    while text.len() - from > most && parts.len() + 1 < MOST_PARTS {
        let Some(end) = end_of_block(text, from..from + most, is_indented) else { break };
        parts.push(from..end);
        from = end;
    }
    parts.push(from..text.len());
    parts
}

/// Returns the last place in the second half of a range where a block has ended and another line
/// begins, of those furthest to the left.
fn end_of_block(text: &str, range: Range<usize>, is_indented: bool) -> Option<usize> {
    let mut at = range.start;
    let mut closed: Option<usize> = None;
    let mut best: Option<(usize, usize)> = None;
    for line in text[range.start..].split_inclusive('\n') {
        if at + line.len() > range.end {
            break;
        }
        let (start, words) = (at, line.trim());
        at += line.len();
        if words.is_empty() {
            continue;
        }
        let indent = indentation(line);
        let begins = words.starts_with(|c: char| c.is_alphanumeric() || "_@/#[".contains(c));
        let is_end = closed == Some(indent) && begins && (is_indented || indent == 0);
        if is_end && start - range.start > range.len() / 2 {
            best = best.filter(|(least, _)| *least < indent).or(Some((indent, start)));
        }
        closed = matches!(words, "}" | "};" | "})" | "});" | "end").then_some(indent);
    }
    best.map(|(_, start)| start)
}

/// Returns where a block that begins at `start` ends behind a part of the text that ends within it:
/// at the first closing line that is as far to the left, if what follows is further right.
pub(super) fn end_behind(text: &str, start: usize, end_of_part: usize) -> usize {
    let begin = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let indent = indentation(&text[begin..]);
    let mut at = end_of_part;
    for line in text[end_of_part..].split_inclusive('\n') {
        let words = line.trim();
        if !words.is_empty() && indentation(line) <= indent {
            let is_closing = words.starts_with('}') || words.starts_with("end");
            return if is_closing { at + line.trim_end().len() } else { text.trim_end().len() };
        }
        at += line.len();
    }
    text.trim_end().len()
}

/// Returns the number of blanks that a line begins with.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the fence of the code that a line begins or is in.
pub(super) fn fence_after<'a>(line: &'a str, open: Option<&'a str>) -> Option<&'a str> {
    let line = line.trim_end();
    let marks = line.trim_start_matches(' ');
    let mark = marks.chars().next().filter(|mark| matches!(mark, '`' | '~'));
    let length = mark.map_or(0, |mark| marks.len() - marks.trim_start_matches(mark).len());
    let is_fence = length >= 3 && line.len() - marks.len() <= 3;
    let (fence, info) = marks.split_at(if is_fence { length } else { 0 });
    match open {
        Some(open) if is_fence && info.is_empty() && fence.starts_with(open) => None,
        None if is_fence && !(mark == Some('`') && info.contains('`')) => Some(fence),
        _ => open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, most: usize, expected: &[&str]) {
        let parts = markdown_parts(text, most);
        let parts: Vec<&str> = parts.into_iter().map(|part| &text[part]).collect();
        assert_eq!(parts, expected);
        assert_eq!(parts.concat(), text);
    }

    #[test]
    fn a_part_begins_at_a_heading_where_it_can() {
        check("# A\n\none\n", 100, &["# A\n\none\n"]);
        check("# A\n\none\n\n# B\n\ntwo\n", 12, &["# A\n\none\n\n", "# B\n\ntwo\n"]);
        check("one\n\ntwo\n\nthree\n", 8, &["one\n", "\ntwo\n", "\nthree\n"]);
        check("one\ntwo\n# B\nthree\n", 4, &["one\ntwo\n", "# B\nthree\n"]);
    }

    #[test]
    fn code_stays_whole() {
        let code = "````sh\n# no heading\n\n```\n\n````\n";
        check(&format!("{code}# B\n"), 9, &[code, "# B\n"]);
        check("# A\n~~~\n# open\n\n", 5, &["# A\n~~~\n# open\n\n"]);
    }

    #[test]
    fn a_part_of_code_begins_behind_a_block() {
        let check = |text: &str, most: usize, is_indented: bool, expected: &[&str]| {
            let parts = code_parts(text, most, is_indented);
            let parts: Vec<&str> = parts.into_iter().map(|part| &text[part]).collect();
            assert_eq!(parts, expected);
        };
        let one = "int a(void)\n{\n  if (b) {\n  }\n  c();\n}\n\n";
        check(one, 100, false, &[one]);
        check(&one.repeat(3), 60, false, &[one, one, one]);
        let begin = "defmodule A do\n  def a do\n    1\n  end\n\n";
        let more = "  @doc \"b\"\n  def b do\n    2\n  end\n";
        let text = format!("{begin}{more}end\n");
        check(&text, 60, true, &[begin, &format!("{more}end\n")]);
        check(&text, 60, false, &[&text]);
        assert_eq!(end_behind(&text, 0, begin.len()), text.len() - 1);
        let classes = "class A {\n  b() {\n  }\n  c() {}\n}\nd()\n";
        assert_eq!(end_behind(classes, 0, 22), classes.len() - 5);
    }
}
