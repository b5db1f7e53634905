//! Elements: their text, the language of code, and selectors for them.

use scraper::{ElementRef, Selector};

use crate::address::decoded;

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

/// Reports whether an element is a link of a heading to itself: `¶`, `#`, `§`, a picture.
pub(super) fn is_mark(element: ElementRef<'_>) -> bool {
    if element.value().name() != "a" {
        return false;
    }
    let is_near = element.attr("href").is_some_and(|href| href.starts_with('#'));
    match plain_text(element).as_str() {
        "¶" | "#" | "§" | "🔗" | "¶¶" | "[src]" => true,
        "" => is_near && element.child_elements().any(|one| one.value().name() == "img"),
        _ => false,
    }
}

/// Reports whether elements of a name begin and end a paragraph. All others stand within a line,
/// those of a page's own too, as browsers have it.
pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "address"
            | "article"
            | "aside"
            | "blockquote"
            | "body"
            | "caption"
            | "center"
            | "dd"
            | "details"
            | "dialog"
            | "dir"
            | "div"
            | "dl"
            | "dt"
            | "fieldset"
            | "figcaption"
            | "figure"
            | "footer"
            | "form"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "header"
            | "hgroup"
            | "hr"
            | "html"
            | "legend"
            | "li"
            | "listing"
            | "main"
            | "menu"
            | "nav"
            | "ol"
            | "optgroup"
            | "p"
            | "pre"
            | "search"
            | "section"
            | "summary"
            | "table"
            | "tbody"
            | "td"
            | "tfoot"
            | "th"
            | "thead"
            | "tr"
            | "ul"
            | "xmp"
    )
}

/// Reports whether all of an element stands within a line, and says something.
pub(super) fn is_in_line(element: ElementRef<'_>) -> bool {
    let has_block = element.descendent_elements().any(|one| is_block(one.value().name()));
    !has_block && !plain_text(element).is_empty()
}

/// Reports whether an element is a heading.
pub(super) fn is_heading(element: ElementRef<'_>) -> bool {
    matches!(element.value().name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Reports whether an element is code of several lines.
pub(super) fn is_of_lines(element: ElementRef<'_>) -> bool {
    element.value().name() == "pre" && element.text().collect::<String>().trim().contains('\n')
}

/// Returns how many characters an element has, without white space.
pub(super) fn n_signs(element: ElementRef<'_>) -> usize {
    element.text().flat_map(str::chars).filter(|c| !c.is_whitespace()).count()
}

/// Reports whether all that an element says stands in one piece of code.
pub(super) fn is_all_code(element: ElementRef<'_>) -> bool {
    let is_code = |one: &ElementRef<'_>| matches!(one.value().name(), "code" | "tt");
    let code = element.descendent_elements().find(is_code);
    code.is_some_and(|code| n_signs(code) == n_signs(element))
}

/// Reports whether an element is the type of a term, as Docutils writes it.
pub(super) fn is_classifier(element: ElementRef<'_>) -> bool {
    element.value().classes().any(|class| class == "classifier")
}

/// Reports whether an element is a tag that a style sheet of SWI-Prolog or of Doxygen sets apart
/// from what is after it.
pub(super) fn is_tag(element: ElementRef<'_>) -> bool {
    element.value().classes().any(|class| matches!(class, "pred-tag" | "mlabel"))
}

/// Reports whether an element says nothing and a style sheet draws a sign in it, between two words.
pub(super) fn is_separator(element: ElementRef<'_>) -> bool {
    !element.has_children() && element.value().classes().any(|one| one == "sep")
}

/// Returns what stands around a text that is raised or lowered, since plain text has neither:
/// `2^31`, `a_(i+1)`, `[1]` for the mark of a note.
pub(super) fn script_marks(element: ElementRef<'_>) -> [&'static str; 2] {
    let text = plain_text(element);
    let is_note = element.child_elements().any(|one| one.value().name() == "a");
    let is_bare = text.starts_with(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '-' | '−'))
        || matches!(text.as_str(), "" | "st" | "nd" | "rd" | "th" | "TM" | "SM");
    let is_word = text.chars().all(char::is_alphanumeric);
    match (element.value().name(), is_word) {
        _ if is_bare => ["", ""],
        ("sup", _) if is_note => ["[", "]"],
        ("sup", true) => ["^", ""],
        ("sup", false) => ["^(", ")"],
        (_, true) => ["_", ""],
        (_, false) => ["_(", ")"],
    }
}

/// Returns the language of a piece of code, as classes near it say.
pub(super) fn language_of(code: ElementRef<'_>) -> String {
    let above = code.ancestors().filter_map(ElementRef::wrap).take(NEAR);
    // mdBook has a `pre` around the `pre` of a program.
    let below = code.descendent_elements().filter(|one| one.id() != code.id()).take(2);
    let classes = [code].into_iter().chain(below).chain(above);
    for class in classes.flat_map(|one| one.value().classes()) {
        let prefixes =
            ["language-", "highlight-source-", "highlight-", "lang-", "brush:", "source-"];
        let named = prefixes.iter().find_map(|prefix| class.strip_prefix(prefix));
        let named = named.filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == '+'));
        match named {
            Some("python3" | "pycon" | "pycon3" | "ipython3") => {
                return "python".into();
            }
            // Sphinx writes `default` of what names no language.
            Some("default" | "none" | "text" | "plain" | "notranslate") => return String::new(),
            Some(name) => return name.to_owned(),
            None => {}
        }
    }
    String::new()
}

/// Returns the fragments that lead to an element or into it.
pub(super) fn anchors_in(element: ElementRef<'_>) -> Vec<String> {
    let own = element.attr("id").into_iter();
    let inside = element.descendent_elements().skip(1);
    let named = inside.filter_map(|one| one.attr("id").or_else(|| one.attr("name")));
    own.chain(named).map(decoded).collect()
}
