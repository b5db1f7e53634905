//! Text that must not turn into structure: what a page says stays a paragraph, a name, code.

/// Escapes the beginnings of lines that Markdown reads as structure.
pub(crate) fn paragraph(text: &str) -> String {
    let escaped = |(at, line): (usize, &str)| {
        let line = line.trim();
        // A rule below a line makes that line a heading.
        let is_rule = at > 0 && is_rule(line);
        let starts = ["#", "<", "```", "~~~", "- ", "* ", "+ ", "> ", "***"];
        let is_structure = is_rule || starts.iter().any(|start| line.starts_with(start));
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let is_numbered =
            digits > 0 && [". ", ") "].iter().any(|mark| line[digits..].starts_with(mark));
        match (is_structure, is_numbered) {
            (true, _) => format!("\\{line}"),
            (_, true) => format!("{}\\{}", &line[..digits], &line[digits..]),
            _ => line.to_owned(),
        }
    };
    let lines: Vec<String> =
        text.lines().enumerate().map(escaped).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Reports whether Markdown reads a line as one that makes the line above it a heading.
pub(super) fn is_rule(line: &str) -> bool {
    !line.is_empty() && line.chars().all(|c| matches!(c, '=' | '-'))
}

/// Formats code with a fence that its text does not have.
pub(super) fn fenced(code: &str, language: &str) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", code.trim_matches('\n').trim_end())
}

/// Formats code within a line. Spaces that do not break are signs of it.
pub(super) fn code(text: &str) -> String {
    let words = text.split_ascii_whitespace().collect::<Vec<_>>();
    let text = words.join(" ").replace('\u{a0}', " ").trim().to_owned();
    match text.contains('`') {
        _ if text.is_empty() => String::new(),
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

/// Indents all lines but the first. Empty ones get no space at their end.
pub(super) fn hanging(text: &str, indent: &str) -> String {
    let mut lines = text.lines();
    let mut indented = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        indented.push('\n');
        indented.push_str(if line.is_empty() { indent.trim_end() } else { indent });
        indented.push_str(line);
    }
    indented
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            paragraph("# not a title\n<script>\n---\n"),
            "\\# not a title\n\\<script>\n\\---"
        );
        assert_eq!(fenced("a ``` b\n", "sh"), "````sh\na ``` b\n````");
        assert_eq!(code("a ` b"), "`` a ` b ``");
        assert_eq!(code(" a  b\u{a0}\u{a0}c\n"), "`a b  c`");
    }
}
