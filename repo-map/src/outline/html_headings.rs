//! The headings that Markdown has in HTML: `<h1 align="center">Name</h1>`.
//!
//! The grammar gives their text as a block without parts, so they are looked for in the lines.

use std::ops::Range;

use crate::outline::capture::Captured;
use crate::outline::heading::heading;
use crate::outline::parts::fence_after;

/// The length in bytes within which the end tag of a heading is looked for.
const LONG_HEADING: usize = 2_000;
/// The fewest words of a sentence.
const WORDS_OF_SENTENCE: usize = 4;
/// What is no section of the document, by its beginning and its end. In tables headings are cells.
const HIDING: &[(&str, &str)] = &[("<!--", "-->"), ("<pre", "</pre>"), ("<table", "</table>")];

/// Returns the headings in lines that begin with a tag, outside of code.
pub(super) fn headings(text: &str) -> Vec<Captured> {
    let mut found: Vec<Captured> = Vec::new();
    // `free` is the end of the heading before.
    let (mut at, mut free, mut fence) = (0, 0, None);
    let mut hidden_until: Option<&str> = None;
    let mut may_be_code = true;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let is_fenced = fence.is_some();
        fence = fence_after(line, fence);
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        may_be_code = line.trim().is_empty() || may_be_code && is_indented;
        if is_fenced || fence.is_some() {
            continue;
        }
        if let Some(end) = hidden_until {
            hidden_until = hidden_until.filter(|_| !line.contains(end));
            continue;
        }
        if may_be_code {
            continue;
        }
        let hiding = HIDING.iter().find(|(begin, _)| line.contains(begin));
        if let Some((_, end)) = hiding {
            hidden_until = (!line.contains(end)).then_some(*end);
            continue;
        }
        if !line.trim_start().starts_with('<') {
            continue;
        }
        for (begin, _) in line.match_indices("<h") {
            if start + begin < free {
                continue;
            }
            if let Some((title, rank)) = heading_at(text, start + begin) {
                free = title.end + "</h1>".len();
                if is_title(&text[title.clone()]) {
                    found.push(heading(start + begin..free, title, free, rank));
                }
            }
        }
    }
    found
}

/// Returns the inside of the heading that begins at a place, and its rank.
fn heading_at(text: &str, start: usize) -> Option<(Range<usize>, usize)> {
    let mut end = text.len().min(start + LONG_HEADING);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (tag, inside) = text[start..end].split_once('>')?;
    let name = tag.split_ascii_whitespace().next()?;
    let rank = name.strip_prefix("<h")?.parse().ok().filter(|rank| (1..=6).contains(rank))?;
    let title = start + tag.len() + 1;
    Some((title..title + inside.find(&format!("</h{rank}>"))?, rank))
}

/// Reports whether the inside of a heading names a section: a row of links is a menu, a sentence
/// the description of the project in large letters.
fn is_title(html: &str) -> bool {
    let words = without_tags(html);
    let is_menu = html.matches("<a ").count() > 1;
    let is_sentence =
        words.trim_end().ends_with('.') && words.split_whitespace().count() >= WORDS_OF_SENTENCE;
    let has_heading = html.lines().any(|line| line.trim_start().starts_with(['#', '=', '-']));
    words.contains(char::is_alphanumeric) && !is_menu && !is_sentence && !has_heading
}

/// Returns the text between the tags of HTML.
pub(super) fn without_tags(html: &str) -> String {
    let mut plain = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        plain.push_str(before);
        let Some((_, after)) = tag.split_once('>') else { return plain };
        // `One<br>Two` is two words.
        plain.push_str(if tag.starts_with("br") { " " } else { "" });
        rest = after;
    }
    (plain + rest).replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, u8)]) {
        let found = headings(text);
        let titles: Vec<(String, u8)> = found
            .iter()
            .map(|one| {
                let title = without_tags(&text[one.name.clone().unwrap()]);
                (title.trim().to_owned(), one.section.unwrap())
            })
            .collect();
        let titles: Vec<(&str, u8)> =
            titles.iter().map(|(name, at)| (name.as_str(), *at)).collect();
        assert_eq!(titles, expected, "{text}");
    }

    #[test]
    fn headings_in_html_are_their_text() {
        check("<h1 align=\"center\">Shop</h1>\n", &[("Shop", 1)]);
        check("<div>\n    <h1>\n  <img src=\"a\"><br>\n  <a b>Shop</a>\n</h1>\n", &[("Shop", 1)]);
        check(
            "<p><h2>One</h2><h3 id=\"b\">Two<br>words</h3></p>\n",
            &[("One", 2), ("Two words", 3)],
        );
        check("<h1>\n\nShop &amp; till\n\n</h1>\n", &[("Shop & till", 1)]);
    }

    #[test]
    fn what_only_looks_like_a_heading_is_none() {
        for text in [
            "```html\n<h1>Shop</h1>\n```\n",
            "    <h1>Shop</h1>\n",
            "Text:\n\n    <p>\n    <h1>Shop</h1>\n",
            "<!--\n<h1>Shop</h1>\n-->\n",
            "<table>\n<td>\n<h3>Shop</h3>\n</td></table>\n",
            "The tag `<h1>Shop</h1>`.\n",
            "<h1><img src=\"a.svg\"></h1>\n",
            "<h1>Shop\n",
            "<h1>\n\n# Shop\n\n</h1>\n",
            "<h4><a href=\"a\">Shop</a> | <a href=\"b\">Till</a></h4>\n",
            "<h2>Sells things to people.<br></h2>\n",
            "<hr>Shop</hr>\n<h7>Shop</h7>\n<header>Shop</header>\n",
        ] {
            check(text, &[]);
        }
    }
}
