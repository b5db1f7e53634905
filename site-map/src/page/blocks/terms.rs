//! Lists of names with explanations: which of their terms are sections.

use ego_tree::NodeRef;
use scraper::{ElementRef, Node};

use super::is_blank;
use crate::page::element::{anchors_in, is_all_code, is_classifier, plain_text};

/// The fewest terms of a list of names that are sections without a fragment, and the shortest list,
/// in bytes. A smaller one is read as a whole.
const MIN_TERMS: usize = 8;
const MIN_REFERENCE: usize = 4_000;

/// The longest term that is read as a name, in characters.
const MAX_TERM: usize = 100;
/// Below how many definitions the terms of a list are looked into.
const MAX_AROUND: u8 = 2;

/// Reports whether a list is large, and all its terms are short, or code, or names with their
/// types: variables, commands, options, parameters.
pub(super) fn is_reference(list: ElementRef<'_>) -> bool {
    let is_short = |term: ElementRef<'_>| plain_text(term).chars().count() <= MAX_TERM;
    has_many(list, "dt", |term| is_all_code(term) || is_name_with_type(term) || is_short(term))
}

/// Reports whether something leads to one of the terms of a list, or a term below one of them is a
/// section: an option would be read as one of another command. `n_around` is the number of
/// definitions around the list.
pub(super) fn has_sections(list: ElementRef<'_>, n_around: u8) -> bool {
    let parts = |name| list.child_elements().filter(move |one| one.value().name() == name);
    let is_section = |one: ElementRef<'_>| {
        one.value().name() == "dt" && (has_anchor(one) || is_option(&plain_text(one)))
    };
    parts("dt").any(has_anchor)
        || n_around < MAX_AROUND
            && parts("dd").any(|text| text.descendent_elements().any(is_section))
}

fn has_anchor(term: ElementRef<'_>) -> bool {
    !anchors_in(term).is_empty()
}

/// Reports whether a term is words without a name that is set off.
pub(super) fn is_prose(term: ElementRef<'_>) -> bool {
    let is_code = |one: ElementRef<'_>| {
        matches!(one.value().name(), "b" | "code" | "kbd" | "samp" | "strong" | "tt" | "var")
    };
    plain_text(term).contains(' ') && !term.descendent_elements().any(is_code)
}

/// Reports whether a list has many parts of this kind and much text, and whether `is` holds for
/// all these parts.
fn has_many(list: ElementRef<'_>, kind: &str, is: impl Fn(ElementRef<'_>) -> bool) -> bool {
    let mut lengths = list.text().map(str::len).scan(0, |length, of_text| {
        *length += of_text;
        Some(*length)
    });
    let parts = || list.child_elements().filter(|one| one.value().name() == kind);
    parts().nth(MIN_TERMS - 1).is_some()
        && lengths.any(|length| length >= MIN_REFERENCE)
        && parts().all(is)
}

/// Reports whether a term is a name alone, or beside its type.
fn is_name_with_type(term: ElementRef<'_>) -> bool {
    term.child_elements().next().is_some_and(is_name)
        && term.child_elements().skip(1).all(is_classifier)
        && !term.children().any(|node| node.value().as_text().is_some_and(|one| !is_blank(one)))
}

/// Returns the name in a term that has its type beside it, as Docutils writes it.
pub(super) fn name_beside_type(term: ElementRef<'_>) -> Option<String> {
    let has_type = is_name_with_type(term) && term.child_elements().nth(1).is_some();
    term.child_elements().next().filter(|_| has_type).map(plain_text)
}

/// Reports whether an element is one word that is set off: a name.
fn is_name(element: ElementRef<'_>) -> bool {
    matches!(element.value().name(), "strong" | "b" | "code" | "tt")
        && !plain_text(element).contains(char::is_whitespace)
}

/// Returns the name that an item of a list begins with, if its explanation stands after it:
/// `timeout (int) – how long`.
pub(super) fn name_of_item(item: ElementRef<'_>) -> Option<ElementRef<'_>> {
    let mut at = item;
    let name = loop {
        let says = |node: &NodeRef<'_, Node>| match node.value() {
            Node::Text(text) => !text.trim().is_empty(),
            Node::Element(_) => node.has_children(),
            _ => false,
        };
        let first = ElementRef::wrap(at.children().find(says)?)?;
        match first.value().name() {
            "p" | "div" | "span" | "a" => at = first,
            _ => break first,
        }
    };
    let text = plain_text(item);
    let rest = text.strip_prefix(plain_text(name).as_str())?;
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '¶' | '#'));
    (is_name(name) && rest.starts_with(['–', '—', '-', ':', '('])).then_some(name)
}

/// Reports whether a list is large, and all its items are names with explanations.
pub(super) fn is_list_of_names(list: ElementRef<'_>) -> bool {
    has_many(list, "li", |item| name_of_item(item).is_some())
}

/// Reports whether a term is an option of a command: `-v`, `--depth <depth>`, `--[no-]tags`.
pub(super) fn is_option(term: &str) -> bool {
    let name = term.trim_start_matches('-').trim_start_matches("[no-]");
    name.len() < term.len() && name.starts_with(|c: char| c.is_ascii_alphabetic())
}
