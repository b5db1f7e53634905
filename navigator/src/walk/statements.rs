//! The statements of an extract: what a reader takes in at once. A sentence, the row of a table or
//! the item of a list is one, with the headings and the words that lead to it.

use std::borrow::Cow;

/// The longest statement, in characters: of more, words stand together by chance.
const MAX_STATEMENT: usize = 1_200;
/// What a block of code begins and ends with.
const FENCE: &str = "```";

/// Returns the statements of a text in Markdown, as pages are read into it.
pub(super) fn statements(text: &str) -> Vec<String> {
    let mut reading = Reading::default();
    for block in text.split("\n\n") {
        let lead = std::mem::take(&mut reading.lead);
        reading.block(block, lead);
    }
    reading.found
}

/// Returns a text without its blocks of code, or with them if it has no words beside them and its
/// headings.
pub(super) fn prose(text: &str) -> Cow<'_, str> {
    if !text.contains(FENCE) {
        return Cow::Borrowed(text);
    }
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with(FENCE);
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    let lines: Vec<&str> = lines.collect();
    let mut below = lines.iter().map(|line| line.trim()).filter(|line| heading(line).is_none());
    match below.any(|line| !line.is_empty()) {
        true => Cow::Owned(lines.join("\n")),
        false => Cow::Borrowed(text),
    }
}

/// A text that is read from its beginning.
#[derive(Debug, Default)]
struct Reading<'t> {
    /// The headings above, with their levels.
    headings: Vec<(usize, &'t str)>,
    /// What leads to the next block: `The steps are:`.
    lead: String,
    is_code: bool,
    found: Vec<String>,
}

impl<'t> Reading<'t> {
    /// Reads what stands between two empty lines.
    fn block(&mut self, block: &'t str, lead: String) {
        let mut lead = lead;
        let mut head: Option<&str> = None;
        // The items around the line, with their indentation.
        let mut items: Vec<(usize, &str)> = Vec::new();
        let mut prose = String::new();
        let mut is_definition = false;
        for line in block.lines() {
            let text = line.trim();
            let indent = line.len() - line.trim_start().len();
            if text.starts_with(FENCE) {
                self.is_code = !self.is_code;
            } else if self.is_code {
                self.state(&[&lead, text]);
            } else if let Some((level, title)) = heading(text) {
                self.headings.retain(|(above, _)| *above < level);
                self.headings.push((level, title));
                self.state(&[]);
            } else if text.starts_with('|') {
                match head {
                    None => head = Some(text),
                    Some(head) => self.state(&[&lead, head, text]),
                }
            } else if is_item(text) {
                items.retain(|(outer, _)| *outer < indent);
                items.push((indent, text));
                let around: Vec<&str> = items.iter().map(|(_, item)| *item).collect();
                self.state(&[&[lead.as_str()][..], &around].concat());
            } else {
                prose = format!("{prose} {text}");
                // The term of a definition stands on a line of its own.
                if text.ends_with(':') {
                    self.sentences(&prose, &lead);
                    lead = std::mem::take(&mut prose).trim().to_owned();
                    is_definition = true;
                }
            }
        }
        self.sentences(&prose, &lead);
        if is_definition && !prose.is_empty() {
            self.state(&[&lead, prose.trim()]);
        }
        if block.trim_end().ends_with(':') && !self.is_code {
            self.lead = lead;
        }
    }

    fn sentences(&mut self, prose: &str, lead: &str) {
        for sentence in sentences(prose) {
            self.state(&[lead, sentence]);
        }
    }

    /// Adds a statement, with the headings above it.
    fn state(&mut self, parts: &[&str]) {
        let headings = self.headings.iter().map(|(_, title)| *title);
        let parts = headings.chain(parts.iter().copied()).filter(|part| !part.is_empty());
        let parts: Vec<&str> = parts.collect();
        self.found.push(parts.join(" ").chars().take(MAX_STATEMENT).collect());
    }
}

/// Returns the level of a heading, and its text.
fn heading(line: &str) -> Option<(usize, &str)> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    (level > 0 && title.starts_with(' ')).then(|| (level, title.trim()))
}

/// Reports whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = digits.len() < line.len() && digits.starts_with(['.', ')']);
    let rest = if is_number { &digits[1..] } else { line.trim_start_matches(['-', '*', '+']) };
    rest.len() < line.len() && rest.starts_with(' ')
}

/// Returns the sentences of a text: a sign that ends one stands before a space, and no small letter
/// follows (`e.g. this`).
fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (at, sign) in text.match_indices(['.', '!', '?']) {
        let end = at + sign.len();
        let rest = text[end..].trim_start();
        let is_end = text[end..].starts_with(' ') && !rest.starts_with(char::is_lowercase);
        if is_end && !rest.is_empty() {
            found.push(text[begin..end].trim());
            begin = end;
        }
    }
    found.push(text[begin..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prose_of_a_text_is_what_stands_beside_its_code() {
        let code = "```sh\n# Stop\nstop\n```";
        assert_eq!(prose(&format!("## Stop\n\n{code}\n\nIt ends.")), "## Stop\n\n\nIt ends.");
        assert_eq!(prose("It\n\n- ends\n\n  ```\n  stop\n  ```\n- now"), "It\n\n- ends\n\n- now");
        for whole in ["It ends.".to_owned(), code.to_owned(), format!("## Stop\n\n{code}")] {
            assert_eq!(prose(&whole), whole);
        }
    }

    #[test]
    fn what_is_taken_in_at_once_is_a_statement() {
        let text = "# Pumps\n\nThe first, e.g. this. It has 2.5 l!\nIs it\nso?\n\ncoolant:\nRed. \
                    Cold.\n\n| Year | Oil |\n|---|---|\n| 2011 | 5 l |\n\n## Steps\n\nDo \
                    this:\n\n- One\n  - Inner\n- Two\n\n1. Drain. Wait.\n\n# End\n\n```\n\
                    a = 1\nb = 2\n```";
        assert_eq!(
            statements(text),
            [
                "Pumps",
                "Pumps The first, e.g. this.",
                "Pumps It has 2.5 l!",
                "Pumps Is it so?",
                "Pumps coolant:",
                "Pumps coolant: Red.",
                "Pumps coolant: Cold.",
                "Pumps coolant: Red. Cold.",
                "Pumps | Year | Oil | |---|---|",
                "Pumps | Year | Oil | | 2011 | 5 l |",
                "Pumps Steps",
                "Pumps Steps Do this:",
                "Pumps Steps Do this: - One",
                "Pumps Steps Do this: - One - Inner",
                "Pumps Steps Do this: - Two",
                "Pumps Steps 1. Drain. Wait.",
                "End",
                "End a = 1",
                "End b = 2",
            ]
        );
    }
}
