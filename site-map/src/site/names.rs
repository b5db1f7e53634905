//! Names of pages as documents: the path of the address below the start, one for each.

use std::collections::{HashMap, HashSet};

use url::Url;

use crate::address::{FOLDER_PAGE, Scope};

/// Returns a name for each address, in their order: the path below the scope, and for other pages
/// the host and the whole path.
pub(super) fn of<'u>(scope: &Scope, addresses: impl Iterator<Item = &'u Url>) -> Vec<String> {
    let names: Vec<String> = addresses.map(|address| scope.name(address)).collect();
    unique(&names)
}

/// Gives pages whose name is also that of a folder, or of another page, a name of their own.
fn unique(names: &[String]) -> Vec<String> {
    let folders_of = |name| str::match_indices(name, '/').map(|(at, _)| &name[..at]);
    let folders: HashSet<&str> = names.iter().flat_map(|name| folders_of(name.as_str())).collect();
    let mut taken: HashSet<String> = HashSet::new();
    // The last number of each name that several pages have.
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut given = Vec::new();
    for name in names {
        let mut name = name.clone();
        while folders.contains(name.as_str()) {
            name = format!("{name}/{FOLDER_PAGE}");
        }
        let number = numbers.entry(name.clone()).or_insert(1);
        let mut one = name.clone();
        while folders.contains(one.as_str()) || !taken.insert(one.clone()) {
            *number += 1;
            one = format!("{name}~{number}");
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
        // A server may answer any path.
        check(
            &["http://a/x", "http://a/x/index.html/y"],
            &["x/index.html/index.html", "x/index.html/y"],
        );
        check(&["http://a/b", "http://a//b", "http://a/b~2/c"], &["b", "b~3", "b~2/c"]);
        check(&["file:///a/b.html", "file:///a/c.html"], &["b.html", "c.html"]);
        check(&["http://a/"], &["index.html"]);
    }
}
