//! Pages that say "not found" although the server says that they were: soft 404s.

use repo_map::spaced_words;
use url::Url;

use crate::address::decoded;
use crate::page::model::PageBlock;

/// What the title of such a page says, in one of its parts.
const TITLES: [&str; 11] = [
    "404 error",
    "404 not found",
    "404 page not found",
    "error 404",
    "not found",
    "oops that page can t be found",
    "page does not exist",
    "page not found",
    "page not found 404",
    "that page can t be found",
    "this page does not exist",
];
/// The number of the status. Alone it is a title too, and so beside the name of a site: beside
/// other words it may be that of a section or an issue.
const STATUS: &str = "404";
/// What stands between the parts of a title.
const SEPARATORS: [&str; 7] = ["|", " - ", "–", "—", "·", ":", "•"];
/// The longest text of such a page, in bytes. A page about the status has more to say.
const MOST_TEXT: usize = 2_000;

/// Reports whether a page says that it does not exist: by one of its titles, with little text, and
/// not below an address that promises such words, as a manual of HTTP has.
pub(super) fn says_not_found(address: &Url, titles: [&str; 2], blocks: &[PageBlock]) -> bool {
    titles.iter().any(|title| is_of_missing(title))
        && blocks.iter().map(|block| block.text.len()).sum::<usize>() <= MOST_TEXT
        && !promises_such_words(address)
}

fn promises_such_words(address: &Url) -> bool {
    // Servers of files show this page where there is none.
    if address.path().ends_with("/404.html") {
        return false;
    }
    let place = format!("{}?{}", address.path(), address.query().unwrap_or_default());
    let words: String = decoded(&place).chars().filter(|c| c.is_alphanumeric()).collect();
    words.contains(STATUS) || words.to_lowercase().contains("notfound")
}

fn is_of_missing(title: &str) -> bool {
    // The parts and all of them: "404: page not found", "404 | A site".
    let says = |part: &str| TITLES.contains(&spaced_words(part).as_str());
    let parts = SEPARATORS.iter().flat_map(|separator| title.split(separator));
    let is_status = title.split('|').any(|part| spaced_words(part) == STATUS);
    is_status || says(title) || parts.into_iter().any(says)
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
        assert!(is_of_missing("Page not found (404)"), "Django");
        assert!(is_of_missing("Oops! That page can’t be found."), "WordPress");
        assert!(!is_of_missing("Pages that can't be found by a search"));
        assert!(!is_of_missing("Why a page is not found by the crawler"));
        for title in ["NotFoundError", "404 – Crash on start", "404 - Coolant sensor", "HTTP-404"]
        {
            assert!(!is_of_missing(title), "{title}");
        }
    }

    #[test]
    fn addresses_of_pages_about_the_status() {
        for (place, promises) in [
            ("show_bug.cgi?id=404", true),
            ("Not%20Found.html", true),
            ("errors/not-found", true),
            ("sections/coolant.html", false),
            ("manual/404.html", false),
        ] {
            let address = Url::parse(&format!("https://a.example/{place}")).unwrap();
            assert_eq!(promises_such_words(&address), promises, "{place}");
        }
    }
}
