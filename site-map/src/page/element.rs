//! Elements: their text, the language of code, and selectors for them.

use scraper::{ElementRef, Selector};

/// How far above a heading or a piece of code its fragment or its language can stand.
pub(super) const NEAR: usize = 3;

/// Returns the text of an element, with single spaces.
pub(super) fn plain_text(element: ElementRef<'_>) -> String {
    let text: String = element.text().collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Compiles a selector of this crate.
pub(super) fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("a test parses a page with each of them")
}

/// Reports whether an element is a link of a heading to itself: `¶`, `#`, `§`.
pub(super) fn is_mark(element: ElementRef<'_>) -> bool {
    let is_link = element.value().name() == "a";
    is_link
        && matches!(
            plain_text(element).as_str(),
            "¶" | "#" | "§" | "🔗" | "¶¶" | "[src]" | "Source"
        )
}

/// Returns the language of a piece of code, as classes near it say.
pub(super) fn language_of(code: ElementRef<'_>) -> String {
    let above = code.ancestors().filter_map(ElementRef::wrap).take(NEAR);
    let below = code.child_elements().take(1);
    let classes = [code].into_iter().chain(below).chain(above);
    for class in classes.flat_map(|one| one.value().classes()) {
        let prefixes =
            ["language-", "highlight-source-", "highlight-", "lang-", "brush:", "source-"];
        let named = prefixes.iter().find_map(|prefix| class.strip_prefix(prefix));
        let named = named.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '+'));
        match named {
            Some("python3" | "pycon" | "pycon3" | "default" | "ipython3") => {
                return "python".into();
            }
            Some("none" | "text" | "plain" | "notranslate") => return String::new(),
            Some(name) => return name.to_owned(),
            None => {}
        }
    }
    String::new()
}
