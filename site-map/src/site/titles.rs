//! Titles of pages without the name of the site.

use std::collections::BTreeMap;

/// What stands between the title of a page and the name of its site.
const SEPARATORS: [&str; 7] = [" - ", " — ", " – ", " | ", " :: ", " · ", " » "];
/// The fewest pages of which something can be said.
const MIN_PAGES: usize = 5;

/// Returns the ending that more than half of the titles have, with its separator.
pub(super) fn common_ending<'t>(titles: impl ExactSizeIterator<Item = &'t str>) -> Option<String> {
    let n_pages = titles.len();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for title in titles {
        let starts = SEPARATORS.iter().filter_map(|separator| title.rfind(separator));
        if let Some(start) = starts.max().filter(|start| *start > 0) {
            *counts.entry(&title[start..]).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, n)| *n)?;
    (n_pages >= MIN_PAGES && 2 * most.1 > n_pages).then(|| most.0.to_owned())
}

/// Returns how many of the places above a page are the same for all pages that name some.
pub(super) fn shared_crumbs<'t>(breadcrumbs: impl Iterator<Item = &'t [String]>) -> usize {
    let mut named = breadcrumbs.filter(|crumbs| !crumbs.is_empty());
    let Some(first) = named.next() else { return 0 };
    let shared = |one: &[String], n: usize| {
        one.iter().zip(first).take(n).take_while(|(one, first)| one == first).count()
    };
    named.fold(first.len(), |n, crumbs| shared(crumbs, n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_above_all_pages_are_shared() {
        let check = |crumbs: &[&str], n: usize| {
            let crumbs: Vec<Vec<String>> = crumbs
                .iter()
                .map(|one| one.split_whitespace().map(str::to_owned).collect())
                .collect();
            assert_eq!(shared_crumbs(crumbs.iter().map(Vec::as_slice)), n, "{crumbs:?}");
        };
        check(&["Home A B", "Home A C", "", "Home A"], 2);
        check(&["Home", "Start"], 0);
        check(&["", ""], 0);
    }

    #[test]
    fn the_name_of_the_site_is_what_most_titles_end_with() {
        let titles = ["a - b - Site", "c - Site", "d - Site", "e", "f - Site", "g | Site"];
        assert_eq!(common_ending(titles.into_iter()).as_deref(), Some(" - Site"));
        assert_eq!(common_ending(["a - Site", "b - Site"].into_iter()), None);
    }
}
