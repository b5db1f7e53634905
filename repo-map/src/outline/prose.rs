//! The first paragraph of prose in a text with headings. In Markdown, logos, badges and rows of
//! links are passed over.
//!
//! The grammar gives a heading the paragraph right below it. In a README that is often a row of
//! badges, and the sentence that says what the project is comes after it or before any heading.

use std::ops::Range;

use crate::outline::item::{ItemKind, Outline};

/// The fewest words that make a line inside an HTML block prose rather than a label or a menu.
const HTML_WORDS: usize = 4;
/// The most words of an item of a list that names a link.
const MENU_WORDS: usize = 2;
/// The largest block that comes with the paragraph that announces it, in bytes: some hundred
/// tokens.
const MOST_ANNOUNCED: usize = 400;
/// The largest text before the first subheading that is shown with the title of a document, in
/// bytes.
const MOST_INTRO: usize = 600;

/// The most tags, links and images that are open at once: each line looks at all of them.
const MAX_OPEN: usize = 200;

/// Finds the first paragraph of prose in a part of a text.
type FirstProse = fn(&str, Range<usize>) -> Option<Range<usize>>;

/// Gives each heading the first paragraph of its section as its description, and the file the one
/// above its first heading. Front matter is not prose. `fences` are the lines around code.
pub(super) fn describe(
    outline: &mut Outline,
    text: &str,
    first_prose: FirstProse,
    fences: &[&str],
) {
    let starts: Vec<usize> = outline.items.iter().map(|item| item.span.start).collect();
    let end_of = |at: usize| starts.get(at + 1).copied();
    for (at, item) in outline.items.iter_mut().enumerate() {
        if item.kind != ItemKind::Heading {
            continue;
        }
        let is_decoration = |doc: &Range<usize>| {
            let mut open = Vec::new();
            text[doc.clone()].lines().all(|line| n_words_outside(line, &mut open) == 0)
        };
        let end = end_of(at).unwrap_or(item.span.end).min(item.span.end);
        item.has_badges = has_badges(&text[item.span.start..end]);
        item.title = plain_title(&item.title);
        item.head.end = item.head.start + without_badges(&text[item.head.clone()]).len();
        let prose =
            item.doc.take().filter(|doc| !is_decoration(doc) && !is_note(&text[doc.clone()]));
        let prose = prose.or_else(|| first_prose(text, item.head.end.min(end)..end));
        let prose = prose.map(|prose| with_announced(text, prose, end, fences));
        // A heading around all others has the introduction of the document.
        let is_intro = item.has_children && item.parent.is_none();
        item.doc =
            prose.map(|prose| if is_intro { with_intro(text, prose, end, fences) } else { prose });
    }
    if !text.starts_with("---") {
        let preamble = 0..starts.first().copied().unwrap_or(text.len());
        outline.doc = outline.doc.take().or_else(|| first_prose(text, preamble));
    }
}

/// How a paragraph begins that is a note above the description.
const NOTES: &[&str] = &["**Note", "**NOTE", "**Warning", "**WARNING", "**Important", "Note:"];

fn is_note(paragraph: &str) -> bool {
    let rest = NOTES.iter().find_map(|note| paragraph.strip_prefix(note));
    rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// Returns the first paragraph of prose; `None` where a list, a table or code comes first. A quote
/// above it is a note or a motto, and is the prose where no paragraph follows it, as is a note.
pub(super) fn first_prose(text: &str, within: Range<usize>) -> Option<Range<usize>> {
    let mut at = within.start;
    let mut is_html = false;
    let (mut is_comment, mut in_note) = (false, false);
    let mut quote: Option<Range<usize>> = None;
    let mut prose: Option<Range<usize>> = None;
    // What the lines before leave open, such as a link, and where the first of them begins.
    let mut open: Vec<char> = Vec::new();
    let mut open_from: Option<usize> = None;
    for line in text[within].split_inclusive('\n') {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        let line = line.trim();
        if line.is_empty() {
            open.clear();
            (open_from, in_note) = (None, false);
        }
        let begin = open_from.unwrap_or(start);
        let n_words = n_words_outside(line, &mut open);
        // A lesser sign can be one.
        open.retain(|closer| *closer != '>');
        open_from = (!open.is_empty() && !line.starts_with("[![")).then_some(begin);
        if let Some(prose) = &mut prose {
            if line.is_empty() || is_other_block(line) || is_html && n_words == 0 {
                break;
            }
            prose.end = start + line.len();
            continue;
        }
        if is_comment || line.starts_with("<!--") {
            is_comment = !line.contains("-->");
            continue;
        }
        in_note |= !is_html && is_note(line);
        if in_note || !is_html && line.starts_with('>') {
            quote.get_or_insert(start..start).end = start + line.len();
            continue;
        }
        is_html = !line.is_empty() && (is_html || line.starts_with('<'));
        // An appeal is no description: `Show your love: mugs and stickers are now available!`
        if is_html && line.ends_with('!') {
            continue;
        }
        // The line before code may have no word of its own, and what follows is none of prose.
        let is_fence = !is_html && ["```", "~~~"].iter().any(|fence| line.starts_with(fence));
        if is_fence {
            return quote;
        }
        if line.is_empty() || n_words < if is_html { HTML_WORDS } else { 1 } {
            continue;
        }
        if !is_html && is_other_block(line) {
            if is_of_menu(line, n_words) {
                continue;
            }
            return quote;
        }
        prose = Some(begin..start + line.len());
    }
    prose.or(quote)
}

/// Reports whether an item of a list only says where a link leads: `- Website: https://…`.
fn is_of_menu(line: &str, n_words: usize) -> bool {
    let is_item = line.starts_with(['-', '*', '+']);
    is_item && n_words <= MENU_WORDS && (line.contains("://") || line.contains("]("))
}

/// Extends a paragraph that ends with a colon by the block that it announces, unless that is long.
fn with_announced(text: &str, prose: Range<usize>, end: usize, fences: &[&str]) -> Range<usize> {
    let is_announcing = text[prose.clone()].trim_end().ends_with(':');
    let Some(rest) = text.get(prose.end..end).filter(|_| is_announcing) else { return prose };
    let mut at = prose.end;
    let mut block: Option<Range<usize>> = None;
    let mut fence: Option<&str> = None;
    for line in rest.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let words = line.trim();
        if words.is_empty() && fence.is_none() {
            if block.is_some() {
                break;
            }
            continue;
        }
        block = Some(block.map_or(start, |block| block.start)..start + line.trim_end().len());
        match fence {
            Some(mark) if words.starts_with(mark) => break,
            Some(_) => {}
            None => fence = fences.iter().copied().find(|mark| words.starts_with(mark)),
        }
    }
    match block.filter(|block| block.len() <= MOST_ANNOUNCED) {
        Some(block) => prose.start..block.end,
        None => prose,
    }
}

/// Extends the first paragraph of a section by the ones after it, up to its first subheading, as
/// far as they are not long.
fn with_intro(text: &str, prose: Range<usize>, end: usize, fences: &[&str]) -> Range<usize> {
    let mut shown = prose.end;
    let mut at = prose.end;
    let mut is_code = false;
    for line in text.get(prose.end..end).unwrap_or_default().split_inclusive('\n') {
        let is_fence = fences.iter().any(|mark| line.trim_start().starts_with(mark));
        is_code ^= is_fence;
        at += line.len();
        if at - prose.start > MOST_INTRO {
            break;
        }
        if line.trim().is_empty() || is_code {
            continue;
        }
        if !is_fence && (is_aside(line.trim()) || is_definition(line.trim())) {
            break;
        }
        shown = at - (line.len() - line.trim_end().len());
    }
    prose.start..shown
}

/// Reports whether more than a quarter of a section is badges, logos and rows of links.
fn has_badges(section: &str) -> bool {
    let is_badge = |line: &&str| is_aside(line.trim()) && n_plain_words(line) < 2;
    let n_bytes: usize = section.lines().filter(is_badge).map(str::len).sum();
    4 * n_bytes > section.len()
}

/// Reports whether a line is no text: an image, a badge, a row of links, HTML, a directive.
fn is_aside(line: &str) -> bool {
    ["<", "![", "[![", ".. "].iter().any(|mark| line.starts_with(mark))
}

/// Reports whether a line says where the links of a name lead: `[docs]: https://docs.example.org`.
fn is_definition(line: &str) -> bool {
    line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).is_some_and(|(name, _)| {
        !name.is_empty() && !name.starts_with('^') && !name.contains(['[', ']'])
    })
}

/// Returns the text of a heading without badges at its end.
fn without_badges(head: &str) -> &str {
    let badges = ["[![", "![", "<img", "<a "].iter().filter_map(|mark| head.find(mark)).min();
    let Some((title, badges)) = badges.and_then(|at| head.split_at_checked(at)) else {
        return head;
    };
    let title = title.trim_end_matches(|c: char| c.is_whitespace()).trim_end_matches("&nbsp;");
    let has_words = |text: &str| n_plain_words(&text.replace("&nbsp;", " ")) > 0;
    if has_words(title) && !has_words(badges) && !badges.contains('\n') { title } else { head }
}

/// Returns a title as text: links by their words, without images and tags. Code stays as it is.
fn plain_title(title: &str) -> String {
    let title = without_badges(title).replace("&nbsp;", " ");
    let mut plain = String::new();
    let mut rest = title.as_str();
    while let Some(at) = rest.find(['[', '`']) {
        if rest[at..].starts_with('`') {
            let end = rest[at + 1..].find('`').map_or(rest.len(), |end| at + end + 2);
            plain.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let link = rest[at..].find("](").and_then(|middle| {
            let words = &rest[at + 1..at + middle];
            let end = rest[at + middle..].find(')')?;
            (!words.contains('[')).then_some((words, at + middle + end + 1))
        });
        let Some((words, end)) = link else { break };
        plain.push_str(&rest[..at]);
        plain.push_str(words);
        rest = &rest[end..];
    }
    plain.push_str(rest);
    let plain = plain.trim();
    if plain.is_empty() { title } else { plain.to_owned() }
}

/// Reports whether a line begins a list, a table, a quote, a heading, or code.
pub(super) fn is_other_block(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && number.starts_with(". ");
    let starts = ["```", "~~~", "- ", "* ", "+ ", "|", ">", "#", "---", "==="];
    is_numbered || starts.iter().any(|start| line.starts_with(start))
}

/// Returns the number of words outside of tags, images, links and addresses.
pub(super) fn n_plain_words(line: &str) -> usize {
    n_words_outside(line, &mut Vec::new())
}

/// The same for a line within what the lines before it leave open.
fn n_words_outside(line: &str, open: &mut Vec<char>) -> usize {
    if is_definition(line.trim()) {
        return 0;
    }
    let mut plain = String::new();
    let mut before = ' ';
    for c in line.chars() {
        match c {
            '<' if open.len() < MAX_OPEN => open.push('>'),
            '[' if open.len() < MAX_OPEN => open.push(']'),
            '(' if before == ']' && open.len() < MAX_OPEN => open.push(')'),
            _ if open.last() == Some(&c) => {
                open.pop();
            }
            _ if open.is_empty() => plain.push(c),
            _ => {}
        }
        before = c;
    }
    plain
        .split_whitespace()
        .filter(|word| !word.contains("://") && word.contains(char::is_alphabetic))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FENCES: &[&str] = &["```", "~~~"];

    fn check(text: &str, prose: Option<&str>) {
        assert_eq!(first_prose(text, 0..text.len()).map(|range| &text[range]), prose, "{text}");
    }

    #[test]
    fn a_note_is_the_prose_where_nothing_follows_it() {
        check(
            "[![a](b)](c)\n\n**Note**: it is\nyoung.\n\nIt keeps logs.\n",
            Some("It keeps logs."),
        );
        check("**Note**: it is\nyoung.\n\n```\nmake\n```\n", Some("**Note**: it is\nyoung."));
        check("**Notebook** keeps logs.\n\nMore.\n", Some("**Notebook** keeps logs."));
        check("Notes are kept.\n\nMore.\n", Some("Notes are kept."));
    }

    #[test]
    fn what_stays_open_is_bounded() {
        let mut open = Vec::new();
        n_words_outside(&"[](<".repeat(1_000), &mut open);
        assert_eq!(open.len(), MAX_OPEN);
    }

    #[test]
    fn a_paragraph_that_announces_a_block_comes_with_it() {
        let check = |text: &str, shown: &str| {
            let end = text.find('\n').unwrap();
            assert_eq!(&text[with_announced(text, 0..end, text.len(), FENCES)], shown);
        };
        check("Type:\n\n```\nmake\n\nrun\n```\n\nMore.\n", "Type:\n\n```\nmake\n\nrun\n```");
        check("Run:\n\n    % make\n    % run\n\nMore.\n", "Run:\n\n    % make\n    % run");
        check("It has:\n- one\n- two\n\nMore.\n", "It has:\n- one\n- two");
        check("No colon.\n\n    % make\n", "No colon.");
        check("The end:\n\n", "The end:");
        let long = format!("All:\n\n{}", "- one of many\n".repeat(50));
        check(&long, "All:");
    }

    #[test]
    fn titles_are_the_words_of_headings() {
        let badge = "[![Build](https://ci.example.org/b.svg)](https://ci.example.org)";
        assert_eq!(without_badges(&format!("# Logs&nbsp;{badge}")), "# Logs");
        assert_eq!(without_badges("# See [the docs](https://d)"), "# See [the docs](https://d)");
        assert_eq!(without_badges(badge), badge);
        assert_eq!(plain_title(&format!("Logs&nbsp;{badge}")), "Logs");
        assert_eq!(plain_title("[1.2.0](https://a) (2020), a[0]"), "1.2.0 (2020), a[0]");
        assert_eq!(plain_title("`Map[K, V](f)` of [a](b)"), "`Map[K, V](f)` of a");
    }

    #[test]
    fn the_text_before_the_first_subheading_is_shown_whole() {
        let text = "One.\n\nTwo:\n\n```\na\n\n# b\n```\n\n[![badge](b)](c)\n\nThree.\n";
        let shown = with_intro(text, 0..4, text.len(), FENCES);
        assert_eq!(&text[shown], "One.\n\nTwo:\n\n```\na\n\n# b\n```");
        let long = format!("One.\n\n{}", "Many words.\n".repeat(400));
        assert!(with_intro(&long, 0..4, long.len(), FENCES).end < 700);
    }

    #[test]
    fn a_section_with_many_badges_is_known() {
        let badges = "[![CI](https://ci.example.org/b.svg)](https://ci.example.org)\n".repeat(3);
        let links = "<a href=\"https://example.org/download\">Download</a> ·\n".repeat(3);
        let words = "It keeps logs in files, and finds what you look for in them.\n";
        for (section, expected) in [
            (format!("# Logs\n\n{badges}\n{words}"), true),
            (format!("# Logs\n\n{links}\n{words}"), true),
            (format!("# Logs\n\n{badges}\n{}", words.repeat(12)), false),
            (format!("# Logs\n\n<p>{words}</p>\n"), false),
        ] {
            assert_eq!(has_badges(&section), expected, "{section}");
        }
    }

    #[test]
    fn prose_is_found_past_logos_badges_and_menus() {
        check("A parser.\nIt is small.\n\nMore.\n", Some("A parser.\nIt is small."));
        check(
            "<p align=\"center\">\n  <img src=\"a.svg\" alt=\"a logo of five words here\"><br>\n  \
             A <i>cat(1)</i> clone with wings.\n</p>\n\nMore.\n",
            Some("A <i>cat(1)</i> clone with wings."),
        );
        check(
            "[![Build](https://a/b.svg)](https://a)\n[![image](https://c)](\nhttps://d)\n\n\
             [Docs](x) | [Chat](y)\n\n**Fast** web framework for [Node](z).\n",
            Some("**Fast** web framework for [Node](z)."),
        );
        check(
            "[![CRAN\nstatus](https://a/b.svg)](https://a)\n[![A b\nc d](e)](f)\n\nA parser.\n",
            Some("A parser."),
        );
        check("[The\nproject](x) parses.\n", Some("[The\nproject](x) parses."));
        check(
            "- Website: https://a\n- Chat: [the chat of all](b)\n\n<img src=\"c\">\n\nA parser.\n",
            Some("A parser."),
        );
        check("- [a](b) is one of many\n\nA parser.\n", None);
        check("<!--\nnot shown at all, ever\n-->\n\nShown.\n```sh\nrun\n```\n", Some("Shown."));
        check(
            "[![a][b]][c]\n\n[b]: https://a/b.svg\n[c]: LICENSE\n\nA parser.\n",
            Some("A parser."),
        );
        check(
            "<kbd>\n  Mugs and stickers are now available!\n</kbd>\n\nA parser.\n",
            Some("A parser."),
        );
        check("[^1]: A note is prose.\n", Some("[^1]: A note is prose."));
        check("- a list comes first\n\nThen prose.\n", None);
        check("> **Note:** old.\n> Use b.\n\nA parser.\n", Some("A parser."));
        check("> Peace of\n> mind.\n\n[![b](c)](d)\n", Some("> Peace of\n> mind."));
        check("> A motto.\n\n- a list\n", Some("> A motto."));
        check("```sh\nmake\n```\n", None);
        check("```\nmake all\n```\n\nIt is built.\n", None);
        check("", None);
    }
}
