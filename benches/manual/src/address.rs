//! Addresses of pages: how names stand in them, and how a page links to another.

use std::path::PathBuf;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What is written as it is.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Returns the names as a path with a slash after each.
pub(crate) fn folder(names: &[impl AsRef<str>]) -> String {
    let part = |name: &str| format!("{}/", utf8_percent_encode(name, KEPT));
    names.iter().map(|name| part(name.as_ref())).collect()
}

/// Returns the names that a path consists of; the last one is empty in a path of a folder.
pub(crate) fn names(path: &str) -> Option<Vec<String>> {
    let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
    let decoded = |part: &str| percent_decode_str(part).decode_utf8().ok().map(Into::into);
    path.split('/').map(decoded).collect()
}

/// Returns the file of an address below the folder of a manual: `Averon/2005/index.html`.
pub fn file_of(address: &str) -> PathBuf {
    let mut names = names(address).unwrap_or_default();
    if let Some(last) = names.last_mut().filter(|last| last.is_empty()) {
        *last = "index.html".to_owned();
    }
    names.iter().collect()
}

/// Returns a link from one path to another.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let same = from.bytes().zip(to.bytes()).take_while(|(a, b)| a == b).count();
    let shared = from[..same].rfind('/').map_or(0, |at| at + 1);
    let up = "../".repeat(from[shared..].matches('/').count());
    match format!("{up}{}", &to[shared..]) {
        here if here.is_empty() => "./".to_owned(),
        link => link,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_from_one_page_to_another() {
        assert_eq!(folder(&["Engine, Cooling", "It's"]), "Engine%2C%20Cooling/It%27s/");
        assert_eq!(names("/a%20b/c?x").unwrap(), ["a b", "c"]);
        assert_eq!(names("/").unwrap(), [""]);
        for (from, to, link) in [
            ("/", "/A/", "A/"),
            ("/A/2005/", "/", "../../"),
            ("/A/b.html", "/A/c.html", "c.html"),
            ("/A/B/", "/A/C/D/", "../C/D/"),
            ("/A/", "/A/", "./"),
        ] {
            assert_eq!(relative(from, to), link);
        }
    }
}
