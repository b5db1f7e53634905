//! Pages without headings, whose sections begin with a short bold line.

use std::collections::HashSet;

use ego_tree::NodeId;
use scraper::{ElementRef, Node};

use crate::page::element::{is_heading, plain_text};
use crate::page::generator::Generator;
use crate::page::generator_rows::Structure;

/// The fewest bold lines that are headings. One or two are labels.
const MIN_LINES: usize = 3;
/// The longest bold line that is a heading, in characters.
const MAX_TITLE: usize = 80;

/// The bold lines of a page that are its headings.
#[derive(Default)]
pub(super) struct BoldHeadings {
    lines: HashSet<NodeId>,
    pub(super) level: u8,
}

impl BoldHeadings {
    /// Finds the bold lines of a page that has no headings but one. Each begins a paragraph and is
    /// a line of its own, and no two say the same, as labels do.
    pub(super) fn of(content: ElementRef<'_>, generator: &Generator) -> BoldHeadings {
        let is_titled = |one: &ElementRef<'_>| {
            is_heading(*one) || generator.structure(*one) == Some(Structure::Heading)
        };
        let headings = content.descendent_elements().filter(is_titled);
        let mut headings = headings.filter(|one| generator.shows(*one));
        let first = headings.next();
        if headings.next().is_some() {
            return BoldHeadings::default();
        }
        let paragraphs = content.descendent_elements().filter(|one| one.value().name() == "p");
        let paragraphs = paragraphs.filter(|one| !is_apart(*one, content));
        let lines: Vec<_> = paragraphs.filter_map(bold_line).collect();
        // The title of an example stands in a part of its own.
        let around = lines.first().and_then(|(paragraph, _)| paragraph.parent());
        let is_beside = |paragraph: ElementRef<'_>| paragraph.parent() == around;
        let lines = lines.iter().filter(|(paragraph, _)| is_beside(*paragraph));
        let lines: Vec<ElementRef<'_>> = lines.map(|(_, line)| *line).collect();
        let titles: HashSet<String> = lines.iter().map(|line| plain_text(*line)).collect();
        if titles.len() < MIN_LINES || titles.len() < lines.len() {
            return BoldHeadings::default();
        }
        let rank = first.and_then(|one| one.value().name().strip_prefix('h')?.parse::<u8>().ok());
        let level = rank.map_or(2, |rank| (rank + 1).min(6));
        BoldHeadings { lines: lines.iter().map(|line| line.id()).collect(), level }
    }

    pub(super) fn has(&self, element: ElementRef<'_>) -> bool {
        self.lines.contains(&element.id())
    }
}

/// Reports whether an element stands in what is no section: an item, a cell, a quote.
fn is_apart(element: ElementRef<'_>, content: ElementRef<'_>) -> bool {
    let above = element.ancestors().take_while(|above| above.id() != content.id());
    above.filter_map(ElementRef::wrap).any(|above| {
        matches!(above.value().name(), "li" | "dd" | "dt" | "td" | "th" | "blockquote" | "form")
    })
}

/// Returns a paragraph with the bold words that are its first line, if they are short and no label.
fn bold_line(paragraph: ElementRef<'_>) -> Option<(ElementRef<'_>, ElementRef<'_>)> {
    let mut nodes = paragraph.descendants().skip(1).filter(|node| match node.value() {
        Node::Text(text) => !text.trim().is_empty(),
        Node::Element(element) => element.name() != "a" || element.attr("href").is_some(),
        _ => false,
    });
    let bold = ElementRef::wrap(nodes.next()?)?;
    let title = plain_text(bold);
    let is_title = matches!(bold.value().name(), "b" | "strong")
        && title.starts_with(char::is_alphanumeric)
        && !title.ends_with(['.', ':', ',', ';', '!'])
        && title.chars().count() <= MAX_TITLE;
    let after = nodes.find(|node| !node.ancestors().any(|above| above.id() == bold.id()));
    let is_line = after.is_none_or(|after| {
        after.value().as_element().is_some_and(|element| element.name() == "br")
    });
    (is_title && is_line).then_some((paragraph, bold))
}
