//! Elements: their text, and selectors for them.

use scraper::{ElementRef, Selector};

/// Returns the text of an element, with single spaces.
pub(super) fn plain_text(element: ElementRef<'_>) -> String {
    let text: String = element.text().collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Compiles a selector of this crate.
pub(super) fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("a test parses a page with each of them")
}
