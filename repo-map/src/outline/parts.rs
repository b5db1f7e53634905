//! The parts of a long Markdown text, which are parsed one by one.
//!
//! Parsing a part takes memory many times its size. A part begins at a heading, so that the
//! sections of all parts are those of the text.

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
}
