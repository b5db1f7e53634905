//! Tables of contents as lists of definitions: each term is a link, and below it stand further
//! terms.

use scraper::{ElementRef, Node};

use super::BlockWriter;
use crate::page::element::plain_text;
use crate::page::markdown;
use crate::page::model::BlockKind;

impl BlockWriter<'_> {
    /// Writes a table of contents as a nested list.
    pub(super) fn contents_list(&mut self, list: ElementRef<'_>) {
        self.flush_leads();
        let mut lines = Vec::new();
        self.contents_entries(list, 0, &mut lines);
        if !lines.is_empty() {
            self.push(BlockKind::List, lines.join("\n"));
        }
    }

    fn contents_entries(&mut self, list: ElementRef<'_>, depth: usize, lines: &mut Vec<String>) {
        for part in list.child_elements() {
            if !self.shows(part) {
                continue;
            }
            match part.value().name() {
                "dt" => {
                    let words = self.words(part);
                    let linked = link_in(part).map(plain_text).unwrap_or_default();
                    self.links_in(part);
                    // A number before a link says nothing.
                    self.plain.add(words.split_once(linked.trim()).map_or("", |(_, after)| after));
                    if !words.is_empty() {
                        let words = markdown::paragraph(&words);
                        lines.push(format!("{}- {words}", "  ".repeat(depth)));
                    }
                }
                "dd" => {
                    for inner in part.child_elements() {
                        self.contents_entries(inner, depth + 1, lines);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Reports whether each term of a list is a link, perhaps with a number before it, and nothing else
/// is said in it. An index has such terms too; no term of it has further ones below.
pub(super) fn is_contents_list(list: ElementRef<'_>) -> bool {
    let is_nested = list.descendent_elements().any(|one| one.value().name() == "dd");
    is_nested && is_of_links(list)
}

fn is_of_links(list: ElementRef<'_>) -> bool {
    list.children().all(|node| match (node.value(), ElementRef::wrap(node)) {
        (_, Some(part)) if part.value().name() == "dt" => is_link(part),
        (_, Some(part)) if part.value().name() == "dd" => {
            let is_list = |one: ElementRef<'_>| one.value().name() == "dl" && is_of_links(one);
            part.children().all(|node| match (node.value(), ElementRef::wrap(node)) {
                (_, Some(element)) => is_list(element),
                (Node::Text(text), None) => text.trim().is_empty(),
                (_, None) => true,
            })
        }
        (Node::Text(text), None) => text.trim().is_empty(),
        (_, element) => element.is_none(),
    })
}

/// Returns the only link in a term.
fn link_in(term: ElementRef<'_>) -> Option<ElementRef<'_>> {
    let mut links = term.descendent_elements().filter(|one| one.attr("href").is_some());
    links.next().filter(|_| links.next().is_none())
}

/// Reports whether a term is a link: `Chapter 1.` may stand before it, and what it is for after it.
fn is_link(term: ElementRef<'_>) -> bool {
    let Some(link) = link_in(term) else { return false };
    let words = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (all, linked) = (words(plain_text(term)), words(plain_text(link)));
    let before = all.split_once(&linked).map(|(before, _)| before.trim());
    before.is_some_and(|before| !linked.is_empty() && (before.is_empty() || before.ends_with('.')))
}
