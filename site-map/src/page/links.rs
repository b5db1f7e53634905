//! Links outside of the content: menus, headers, footers, frames.

use std::collections::HashMap;
use std::sync::LazyLock;

use ego_tree::NodeId;
use scraper::{ElementRef, Html, Selector};
use url::Url;

use crate::address::link_target;
use crate::page::element::{NEAR, plain_text, selector};
use crate::page::model::PageLink;

/// The longest note on a link, in characters.
const MAX_NOTES: usize = 200;
/// How many elements of an item are looked at for further items.
const MAX_INSIDE: usize = 50;

static LINKS: LazyLock<Selector> =
    LazyLock::new(|| selector("a[href], area[href], frame[src], iframe[src]"));

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
        text = named.or_else(alt).unwrap_or_default().trim().to_owned();
    }
    let notes = if is_content { notes_on(link) } else { String::new() };
    Some(PageLink { text, target, fragment, notes, under, is_content })
}

/// Returns what an item, a row or the definition of a term says of the link that it begins with.
fn notes_on(link: ElementRef<'_>) -> String {
    let is_part = |one: &ElementRef<'_>| matches!(one.value().name(), "li" | "tr" | "dt");
    let around = link.ancestors().take(NEAR).filter_map(ElementRef::wrap);
    let Some(part) = around.into_iter().find(is_part) else { return String::new() };
    let (own, mut text) = (beginning_of(link), beginning_of(part));
    let Some(rest) = text.strip_prefix(&own).filter(|_| !own.is_empty()) else {
        return String::new();
    };
    text = rest.to_owned();
    if part.descendent_elements().skip(1).take(MAX_INSIDE).any(|one| is_part(&one)) {
        return String::new();
    }
    let after = part.next_siblings().find_map(ElementRef::wrap);
    if let Some(definition) = after.filter(|one| one.value().name() == "dd") {
        text.push(' ');
        text.push_str(&beginning_of(definition));
    }
    let notes = text.trim_matches(|c: char| !c.is_alphanumeric());
    notes.chars().take(MAX_NOTES).collect()
}

/// Returns the first words of an element.
fn beginning_of(element: ElementRef<'_>) -> String {
    let mut text = String::new();
    for part in element.text() {
        text.push_str(part);
        if text.len() > 2 * MAX_NOTES {
            break;
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
