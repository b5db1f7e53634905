//! Links outside of the content: menus, headers, footers, frames.

use std::collections::HashMap;
use std::sync::LazyLock;

use ego_tree::NodeId;
use scraper::{ElementRef, Html, Node, Selector};
use url::Url;

use crate::address::{is_other_file, link_target};
use crate::page::element::{plain_text, selector};
use crate::page::model::PageLink;

static LINKS: LazyLock<Selector> =
    LazyLock::new(|| selector("a[href], area[href], frame[src], iframe[src]"));

/// How far above a link the row or the item can be that it stands in.
const MAX_ABOVE: usize = 6;
/// How many elements of it can stand before the link.
const MAX_BEFORE: usize = 20;
/// The length of what is read beside a link, in characters.
const MAX_BESIDE: usize = 200;

/// Returns the links of a document that are not `linked` yet.
pub(super) fn navigation(
    html: &Html,
    base: &Url,
    linked: &HashMap<NodeId, Option<usize>>,
) -> Vec<PageLink> {
    html.select(&LINKS)
        .filter(|link| !linked.contains_key(&link.id()))
        .filter_map(|link| of_element(link, base, None, false))
        .collect()
}

/// Returns a link, if it leads to a page.
pub(super) fn of_element(
    link: ElementRef<'_>,
    base: &Url,
    under: Option<usize>,
    is_content: bool,
) -> Option<PageLink> {
    let (target, fragment) = link_target(base, link.attr("href").or_else(|| link.attr("src"))?)?;
    let mut text = plain_text(link);
    if text.is_empty() {
        let named = link.attr("title").or_else(|| link.attr("aria-label"));
        let alt = || link.descendent_elements().find_map(|element| element.attr("alt"));
        // A frame without a title has a name for other frames.
        let name = || link.attr("name").filter(|_| link.value().name() == "frame");
        text = named.or_else(alt).or_else(name).unwrap_or_default().trim().to_owned();
    }
    let beside = if is_content { beside(link) } else { String::new() };
    let is_page = !is_other_file(&target) && link.attr("type").is_none_or(promises_page);
    Some(PageLink { text, beside, target, fragment, under, is_content, is_page })
}

/// Reports whether the type that a link declares may be that of a page. It is stricter than
/// `may_have_page`, which judges what a server says of an answer: a link that declares
/// `application/json` leads to a file for programs, and is not worth a request.
fn promises_page(kind: &str) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    let is_of = |one: &str| kind.starts_with(one);
    let is_media = ["image/", "audio/", "video/", "font/", "model/"].into_iter().any(is_of);
    !is_media && (!is_of("application/") || kind.contains("xml"))
}

/// Returns the beginning of what stands beside a link in its row, definition or item, if the link
/// is the first one there: a list of pages often says what they are about.
fn beside(link: ElementRef<'_>) -> String {
    let mut above = link.ancestors().take(MAX_ABOVE).filter_map(ElementRef::wrap);
    let is_entry = |one: &ElementRef<'_>| matches!(one.value().name(), "li" | "dt" | "tr");
    let Some(entry) = above.find(is_entry) else { return String::new() };
    let mut near = entry.descendent_elements().take(MAX_BEFORE);
    let first = near.find(|one| one.value().name() == "a" && one.attr("href").is_some());
    if first.is_none_or(|first| first.id() != link.id()) {
        return String::new();
    }
    let mut text = String::new();
    text_around(entry, link.id(), &mut text);
    let next = entry.next_siblings().find_map(ElementRef::wrap);
    if let Some(definition) = next.filter(|one| one.value().name() == "dd") {
        text_around(definition, link.id(), &mut text);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds the text of an element without one within it, up to the limit and without the lists and
/// tables in it, whose entries describe themselves.
fn text_around(element: ElementRef<'_>, without: NodeId, text: &mut String) {
    let is_own = |name: &str| matches!(name, "ul" | "ol" | "dl" | "table" | "script" | "style");
    let mut todo: Vec<_> = element.children().rev().collect();
    while let Some(node) = todo.pop() {
        let free = MAX_BESIDE.saturating_sub(text.len());
        if free == 0 {
            break;
        }
        match node.value() {
            Node::Text(words) => text.extend(words.chars().take(free)),
            Node::Element(inside) if node.id() != without && !is_own(inside.name()) => {
                text.push(' ');
                todo.extend(node.children().rev());
            }
            _ => {}
        }
    }
}
