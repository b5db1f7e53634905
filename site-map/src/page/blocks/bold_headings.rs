//! Sections that begin with a short bold line: of pages without headings, and those that have a
//! fragment.

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
    /// Finds the bold lines of a page that has no headings but one, and of any page those that
    /// links lead to. Each begins a paragraph and is a line of its own, and no two say the same, as
    /// labels do.
    pub(super) fn of(content: ElementRef<'_>, generator: &Generator) -> BoldHeadings {
        let is_titled = |one: &ElementRef<'_>| {
            is_heading(*one) || generator.structure(*one) == Some(Structure::Heading)
        };
        let headings = content.descendent_elements().filter(is_titled);
        let headings = headings.filter(|one| generator.shows(*one));
        let rank = |one: ElementRef<'_>| one.value().name().strip_prefix('h')?.parse().ok();
        let ranks: Vec<Option<u8>> = headings.map(rank).collect();
        let paragraphs = content.descendent_elements().filter(|one| one.value().name() == "p");
        let paragraphs = paragraphs.filter(|one| !is_apart(*one, content));
        let lines = paragraphs.filter_map(bold_line);
        let lines: Vec<_> = lines.filter(|(_, line)| ranks.len() < 2 || is_named(*line)).collect();
        // The title of an example stands in a part of its own.
        let around = lines.first().and_then(|(paragraph, _)| paragraph.parent());
        let is_beside = |paragraph: ElementRef<'_>| paragraph.parent() == around;
        let lines = lines.iter().filter(|(paragraph, _)| is_beside(*paragraph));
        let lines: Vec<ElementRef<'_>> = lines.map(|(_, line)| *line).collect();
        let titles: HashSet<String> = lines.iter().map(|line| plain_text(*line)).collect();
        if titles.len() < MIN_LINES || titles.len() < lines.len() {
            return BoldHeadings::default();
        }
        let lowest = ranks.into_iter().flatten().max();
        let level = lowest.map_or(2, |rank| rank.saturating_add(1).min(6));
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

/// Reports whether a fragment leads to a bold line: it stands in or before an `<a name=…>`.
fn is_named(line: ElementRef<'_>) -> bool {
    let is_name = |one: ElementRef<'_>| {
        let one = one.value();
        one.name() == "a" && one.attr("id").or_else(|| one.attr("name")).is_some()
    };
    let around = line.parent().into_iter().chain(line.prev_siblings());
    around.filter_map(ElementRef::wrap).chain(line.child_elements()).any(is_name)
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
