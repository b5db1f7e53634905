//! Names of pages as documents: the path of the address below the start, one for each.

use std::collections::HashSet;

use url::Url;

use crate::address::{Scope, decoded};

/// What the page of a folder is called, and one whose path is also the path of others.
const FOLDER_PAGE: &str = "index.html";

/// Returns a name for each address, in their order: the path below the scope, and for other pages
/// the host and the whole path.
pub(super) fn of<'u>(scope: &Scope, addresses: impl Iterator<Item = &'u Url>) -> Vec<String> {
    unique(addresses.map(|address| name(scope, address)).collect())
}

/// Returns the name of an address, which another may have too.
pub(super) fn name(scope: &Scope, address: &Url) -> String {
    let path = address.path();
    let below = path.strip_prefix(scope.prefix()).filter(|_| scope.contains(address));
    let host = address.host_str().unwrap_or("local");
    let below = below.map_or_else(|| format!("{host}{path}"), str::to_owned);
    let query = address.query().map(|query| format!("?{query}")).unwrap_or_default();
    let text = below + &query.replace('/', "%2F");
    let parts = text.split('/').map(|part| decoded(part).replace('/', "%2F"));
    let mut parts: Vec<String> = parts.filter(|part| is_name(part)).collect();
    if text.is_empty() || text.ends_with('/') {
        parts.push(FOLDER_PAGE.to_owned());
    }
    parts.join("/")
}

fn is_name(part: &str) -> bool {
    !matches!(part, "" | "." | "..")
}

/// Gives pages whose name is also that of a folder, or of another page, a name of their own.
fn unique(names: Vec<String>) -> Vec<String> {
    let mut folders: HashSet<String> = HashSet::new();
    for name in &names {
        folders.extend(name.match_indices('/').map(|(at, _)| name[..at].to_owned()));
    }
    let mut taken: HashSet<String> = HashSet::new();
    let mut given = Vec::new();
    for name in names {
        let name = if folders.contains(&name) { format!("{name}/{FOLDER_PAGE}") } else { name };
        let mut one = name.clone();
        let mut n = 1;
        while !taken.insert(one.clone()) {
            n += 1;
            one = format!("{name}~{n}");
        }
        given.push(one);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(addresses: &[&str], names: &[&str]) {
        let urls: Vec<Url> = addresses.iter().map(|one| Url::parse(one).unwrap()).collect();
        assert_eq!(of(&Scope::of(&urls[0], None), urls.iter()), names);
    }

    #[test]
    fn a_page_is_named_by_its_path() {
        check(
            &["http://a/3/", "http://a/3/x.html", "http://a/3/x/y%20z.html", "http://a/3/q?a=1/2"],
            &["index.html", "x.html", "x/y z.html", "q?a=1%2F2"],
        );
        check(
            &["http://a/g", "http://a/g/", "http://a/g/h", "http://b/g"],
            &["g/index.html", "g/index.html~2", "g/h", "b/g"],
        );
        check(&["file:///a/b.html", "file:///a/c.html"], &["b.html", "c.html"]);
        check(&["http://a/"], &["index.html"]);
    }
}
