//! Pages that say "not found" although the server says that they were: soft 404s.

use url::Url;

use crate::page::model::PageBlock;

/// What the title of such a page says, in one of its parts.
const TITLES: [&str; 9] = [
    "404",
    "404 error",
    "404 not found",
    "404 page not found",
    "error 404",
    "not found",
    "page does not exist",
    "page not found",
    "this page does not exist",
];
/// What stands between the parts of a title.
const SEPARATORS: [char; 7] = ['|', '-', '–', '—', '·', ':', '•'];
/// The longest text of such a page, in bytes. A page about the status has more to say.
const MOST_TEXT: usize = 2_000;

/// Reports whether a page says that it does not exist: by one of its titles, with little text, and
/// not below an address that promises such words, as a manual of HTTP has.
pub(super) fn says_not_found(address: &Url, titles: [&str; 2], blocks: &[PageBlock]) -> bool {
    titles.iter().any(|title| is_of_missing(title))
        && blocks.iter().map(|block| block.text.len()).sum::<usize>() <= MOST_TEXT
        && !address.path().contains("404")
        && !address.path().to_lowercase().replace(['-', '_'], "").contains("notfound")
}

fn is_of_missing(title: &str) -> bool {
    // The parts and all of them: "404: page not found", "404 | A site".
    let said = |part: &str| {
        let words: Vec<&str> =
            part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        TITLES.contains(&words.join(" ").to_lowercase().as_str())
    };
    said(title) || title.split(SEPARATORS).any(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_pages_that_do_not_exist() {
        for title in ["404", "Page not found – Example", "404 | Docs", "404: Page Not Found"] {
            assert!(is_of_missing(title), "{title}");
        }
        assert!(is_of_missing("Example: Page Not Found."));
        assert!(!is_of_missing("Why a page is not found by the crawler"));
        assert!(!is_of_missing("NotFoundError"));
    }
}
