//! From a response to the model of its page.

use std::sync::LazyLock;

use scraper::{ElementRef, Html, Node, Selector};
use url::Url;

use crate::address::link_target;
use crate::page::blocks::BlockWriter;
use crate::page::element::{is_heading, plain_text, selector};
use crate::page::generator::Generator;
use crate::page::model::{BlockKind, PageBlock, WebPage};
use crate::page::{decode, links, missing, parse, xhtml};
use crate::source::response::Response;

static BASE: LazyLock<Selector> = LazyLock::new(|| selector("base[href]"));
static TITLE: LazyLock<Selector> = LazyLock::new(|| selector("head > title, title"));
static CANONICAL: LazyLock<Selector> = LazyLock::new(|| selector("link[rel=canonical][href]"));
static CRUMBS: LazyLock<Selector> = LazyLock::new(|| {
    selector(
        "[aria-label=breadcrumb], [aria-label=Breadcrumb], [aria-label=breadcrumbs], \
            .breadcrumbs, .breadcrumb, .theme-doc-breadcrumbs",
    )
});
static CRUMB: LazyLock<Selector> = LazyLock::new(|| selector("li, a"));
static FORM: LazyLock<Selector> = LazyLock::new(|| selector("form"));

impl WebPage {
    /// Makes the model of a page.
    pub fn of(response: &Response) -> WebPage {
        let (text, has_wrong_charset) = decode::decoded(response);
        let text = if response.is_xhtml() { xhtml::as_html(&text) } else { text.into() };
        let (html, is_whole) = parse::parsed(&text);
        let base = html
            .select(&BASE)
            .next()
            .and_then(|base| response.address.join(base.attr("href")?).ok())
            .unwrap_or_else(|| response.address.clone());
        let generator = Generator::of(&html);
        let main = main_of(&html, generator);
        let mut writer = BlockWriter::new(generator, &response.address, &base);
        writer.write_page(main);
        let written = writer.finish();
        let mut links = written.links;
        links.extend(links::navigation(&html, &base, &written.linked));
        let document_title = html.select(&TITLE).next().map(plain_text).unwrap_or_default();
        let title = title_of(&written.blocks, &document_title);
        let titles = [title.as_str(), &document_title];
        let says_not_found = missing::says_not_found(&response.address, titles, &written.blocks);
        WebPage {
            address: response.address.clone(),
            canonical: html
                .select(&CANONICAL)
                .next()
                .and_then(|link| Some(link_target(&base, link.attr("href")?)?.0)),
            title,
            breadcrumb: breadcrumb(&html),
            language: html.root_element().attr("lang").map(str::to_owned),
            generator: generator.row.name,
            blocks: written.blocks,
            links,
            trees: written.trees,
            n_forms: html.select(&FORM).count(),
            forms: written.forms,
            n_images: written.n_images,
            n_hidden: written.n_hidden,
            n_hidden_parts: written.n_hidden_parts,
            has_wrong_charset,
            says_not_found,
            is_whole,
        }
    }
}

/// Returns the addresses that a response links to: none if it is no page, `None` if it is one that
/// says that it does not exist.
pub fn targets(response: &Response) -> Option<Vec<Url>> {
    let page = response.is_page().then(|| WebPage::of(response));
    let is_missing = page.as_ref().is_some_and(|page| page.says_not_found);
    let links = page.into_iter().flat_map(|page| page.links);
    (!is_missing).then(|| links.map(|link| link.target).collect())
}

/// Returns the heading of rank 1 if there is one alone: several are chapters, or the name of the
/// site beside that of the page. One alone may be the first section of a page without a heading.
/// Else returns the title of the document, else the first heading.
fn title_of(blocks: &[PageBlock], of_document: &str) -> String {
    let headings = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading(heading) => Some(heading),
        _ => None,
    });
    let (first, below): (Vec<_>, Vec<_>) = headings.partition(|heading| heading.level == 1);
    match first[..] {
        [only] if is_first_section(&only.title, of_document) => of_document.to_owned(),
        [only] => {
            let between = (of_document, only.title.as_str());
            let own = below.iter().find(|heading| is_named_first(&heading.title, between));
            own.unwrap_or(&only).title.clone()
        }
        [first, ..] if is_before_more(&first.title, of_document) => first.title.clone(),
        _ if !of_document.is_empty() => of_document.to_owned(),
        _ => first.iter().chain(&below).next().map_or(String::new(), |one| one.title.clone()),
    }
}

/// Reports whether the title of a document is that of a heading, and then something after a dash or
/// a bar: `shop open — The manual of the shop`.
fn is_before_more(heading: &str, of_document: &str) -> bool {
    let rest = of_document.strip_prefix(heading).filter(|_| !heading.is_empty());
    let sign = rest.and_then(|rest| rest.trim_start().chars().next());
    sign.is_some_and(|sign| "—–|·".contains(sign))
}

/// Reports whether a heading is `1. Syntax` below a title of a document that lacks it.
fn is_first_section(heading: &str, of_document: &str) -> bool {
    let name = heading.strip_prefix("1. ").unwrap_or_default();
    !name.is_empty() && !of_document.is_empty() && !of_document.contains(name)
}

/// Reports whether the title of a document is a heading and then the name of the site, which is
/// the heading of rank 1 of all pages: `File system | Node.js documentation`.
fn is_named_first(heading: &str, (of_document, site): (&str, &str)) -> bool {
    let [of_document, heading, site] = [of_document, heading, site].map(str::to_lowercase);
    let rest = of_document.strip_prefix(&heading).and_then(|rest| rest.strip_suffix(&site));
    rest.is_some_and(|between| {
        !between.is_empty() && !between.contains(char::is_alphanumeric) && !heading.is_empty()
    })
}

/// Returns the element with the content: the first place of the tool that has text, or what is
/// around several of them. A place that only may be it has most of the text.
fn main_of<'h>(html: &'h Html, generator: &Generator) -> ElementRef<'h> {
    let root = html.root_element();
    let sure = generator.main.iter().find_map(|main| around_all(html, main));
    sure.unwrap_or_else(|| {
        let n_all = text_length(root, generator);
        let has_most = |place: &ElementRef<'_>| 2 * text_length(*place, generator) > n_all;
        let mut places = generator.perhaps.iter().filter_map(|main| around_all(html, main));
        places.find(has_most).unwrap_or(root)
    })
}

/// Returns the element that matches and has text, or the nearest one around all of them.
fn around_all<'h>(html: &'h Html, place: &Selector) -> Option<ElementRef<'h>> {
    let has_text = |element: &ElementRef<'_>| {
        element.text().any(|text| text.contains(|c: char| !c.is_whitespace()))
    };
    let mut found = html.select(place).filter(has_text).filter(|one| !is_named_by_title(*one));
    let first = found.next()?;
    let last = found.next_back().unwrap_or(first);
    let is_around = |one: &ElementRef<'h>| {
        one.id() == last.id() || last.ancestors().any(|above| above.id() == one.id())
    };
    let mut above = [first].into_iter().chain(first.ancestors().filter_map(ElementRef::wrap));
    above.find(is_around)
}

/// Reports whether an element has the id of its own title: a heading such as `main`, or the section
/// below it, is no place for the whole content.
fn is_named_by_title(element: ElementRef<'_>) -> bool {
    let Some(id) = element.attr("id") else { return false };
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let title = element.descendent_elements().find(|one| is_heading(*one)).unwrap_or(element);
    is_heading(element) || letters(&plain_text(title)) == letters(id)
}

/// Returns how much text an element has outside of menus and the like, in bytes.
fn text_length(element: ElementRef<'_>, generator: &Generator) -> usize {
    let mut length = 0;
    let mut todo = vec![element];
    while let Some(element) = todo.pop() {
        for child in element.children() {
            if let Node::Text(text) = child.value() {
                length += text.trim().len();
            }
            todo.extend(ElementRef::wrap(child).filter(|child| !generator.is_noise(*child)));
        }
    }
    length
}

fn breadcrumb(html: &Html) -> Vec<String> {
    let Some(crumbs) = html.select(&CRUMBS).next() else { return Vec::new() };
    let mut names: Vec<String> = Vec::new();
    for crumb in crumbs.select(&CRUMB) {
        let name = plain_text(crumb).trim_matches(['»', '>', '/', '›', ' ']).to_owned();
        if !name.is_empty() && names.last() != Some(&name) {
            names.push(name);
        }
    }
    names
}
