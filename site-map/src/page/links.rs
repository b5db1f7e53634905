//! Links outside of the content: menus, headers, footers, frames.

use std::collections::HashMap;
use std::sync::LazyLock;

use ego_tree::NodeId;
use scraper::{ElementRef, Html, Selector};
use url::Url;

use crate::address::link_target;
use crate::page::element::{plain_text, selector};
use crate::page::model::PageLink;

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
        // A frame without a title has a name for other frames.
        let name = || link.attr("name").filter(|_| link.value().name() == "frame");
        text = named.or_else(alt).or_else(name).unwrap_or_default().trim().to_owned();
    }
    Some(PageLink { text, target, fragment, under, is_content })
}
