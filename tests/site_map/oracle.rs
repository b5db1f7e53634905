//! A library that turns HTML into Markdown, as an oracle: what it reads of a page, in its order,
//! our Markdown has too.

use scraper::{Html, Node, Selector};

/// What we leave out and the library does not, by name.
const WANTED: [(&str, &str); 6] = [
    ("the head", "head, script, style"),
    (
        "navigation",
        "nav, body > header, .related, .sphinxsidebar, .nav-wrapper, .navheader, .navfooter, #toc, \
         .tsd-breadcrumb",
    ),
    ("marks and links of headings", ".headerlink, .anchor, .hash-link, .permalink"),
    (
        "what a reader does on a page, and to its source",
        "button, .rightside, .md-content__button, .mw-editsection, .td-page-meta, .hideme",
    ),
    ("hidden text", "[hidden], [style*='display:none'], .boring"),
    ("the heading of a wiki, which stands outside of its content", "#firstHeading"),
];

/// Asserts that a Markdown text of ours has every word that the library reads, in the same order.
pub(crate) fn check(html: &str, ours: &str) {
    let theirs = theirs(html);
    let mut left = words(ours);
    for word in words(&theirs) {
        let found = left.any(|one| one == word);
        assert!(found, "`{word}` is missing, or in another place\n--- {theirs}\n+++ {ours}");
    }
}

/// Returns the Markdown of the library, without what we leave out and without addresses.
fn theirs(html: &str) -> String {
    let mut tree = Html::parse_document(html);
    for (_, selector) in WANTED {
        let selector = Selector::parse(selector).unwrap();
        let found: Vec<_> = tree.select(&selector).map(|element| element.id()).collect();
        for id in found {
            tree.tree.get_mut(id).unwrap().detach();
        }
    }
    for node in tree.tree.values_mut() {
        if let Node::Element(element) = node {
            element.attrs.clear();
        }
    }
    htmd::convert(&tree.html()).unwrap()
}

/// The words of a text: escapes and marks of Markdown are none.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[test]
#[should_panic(expected = "`three` is missing, or in another place")]
fn the_oracle_finds_a_word_that_is_lost() {
    check("<h1>One</h1><nav>menu</nav><p>two <b>three</b>", "# One\n\nthree two");
}
