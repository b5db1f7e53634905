//! Titles of pages without the name of the site.

use std::collections::{BTreeMap, BTreeSet};

use repo_map::{Sanitized, cut_trimmed, lower_words};

/// What stands between the title of a page and the name of its site.
const SEPARATORS: [&str; 9] = [" - ", " — ", " – ", " -- ", " | ", " :: ", " · ", " » ", ": "];
/// The fewest pages of which something can be said.
const MIN_PAGES: usize = 5;

/// The longest name of a site with its separator, in bytes: a long title may have many separators.
const MAX_SITE_NAME: usize = 300;

/// What most titles begin and end with: the name of the site and its separator, or the name in
/// parentheses, as Javadoc and Texinfo write it.
pub(super) struct SiteName {
    beginning: String,
    ending: String,
}

impl SiteName {
    /// Finds the name of a site by the titles of its pages.
    pub(super) fn of<'t>(titles: &[&'t str]) -> SiteName {
        let places = |title: &'t str| {
            SEPARATORS.iter().flat_map(move |separator| title.match_indices(separator))
        };
        let beginnings = |title: &'t str| {
            places(title).map(|(start, separator)| &title[..start + separator.len()]).collect()
        };
        let endings = |title: &'t str| {
            let in_parentheses = title.find(" (").filter(|_| title.ends_with(')'));
            let starts = places(title).map(|(start, _)| start).chain(in_parentheses);
            starts.map(|start| &title[start..]).collect()
        };
        SiteName { beginning: most(titles, beginnings), ending: most(titles, endings) }
    }

    /// Returns a title without the name of the site. A title that is nothing else stays.
    pub(super) fn without<'t>(&self, title: &'t str) -> &'t str {
        let own = title.strip_prefix(&self.beginning).unwrap_or(title);
        let own = own.strip_suffix(&self.ending).unwrap_or(own);
        if own.is_empty() { title } else { own }
    }
}

/// Returns the longest of the parts that more than half of the titles have.
fn most<'t>(titles: &[&'t str], parts: impl Fn(&'t str) -> Vec<&'t str>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let parts = |title| parts(title).into_iter().filter(|part| part.len() <= MAX_SITE_NAME);
    for part in titles.iter().flat_map(|title| BTreeSet::from_iter(parts(title))) {
        *counts.entry(part).or_default() += 1;
    }
    let common = counts.into_iter().filter(|(_, n)| 2 * n > titles.len());
    let longest = common.map(|(part, _)| part).max_by_key(|part| part.len());
    longest.filter(|_| titles.len() >= MIN_PAGES).unwrap_or_default().to_owned()
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

/// The longest title that stands beside a name, in characters.
const MAX_BESIDE: usize = 60;
/// The fewest characters of a word that says something, and how many two words share at their
/// beginning if they are of one family.
const MIN_WORD: usize = 3;
const SHARED_STEM: usize = 4;

/// Returns the title that stands beside the name of a page where a map shows the name alone: for a
/// name that has no word of the title.
pub(super) fn beside(name: &str, title: &str) -> Option<String> {
    let words = |text: &str| -> Vec<String> {
        lower_words(text).filter(|word| word.chars().count() >= MIN_WORD).collect()
    };
    let stem = |word: &str| word.chars().take(SHARED_STEM).collect::<String>();
    let lower = name.to_lowercase();
    let of_name: Vec<String> = words(name).iter().map(|word| stem(word)).collect();
    let is_in_name = |word: &String| lower.contains(word) || of_name.contains(&stem(word));
    let of_title = words(title);
    if of_title.is_empty() || of_title.iter().any(is_in_name) {
        return None;
    }
    Some(cut_trimmed(&Sanitized::line(title), MAX_BESIDE).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_stands_beside_a_name_that_says_nothing_of_it() {
        let long = "A very long title of a page that goes on and on until its readers give up";
        for (name, title, shown) in [
            ("ch06s02.html", "6.2. Components", Some("6.2. Components")),
            ("node118.html", "Plot", Some("Plot")),
            ("gimp-concepts-docks.html", "2.3. Dialogs and Docking", None),
            ("library/os.path.html", "os.path — Common pathname manipulations", None),
            ("intro.html", "Introduction", None),
            ("x.html", "", None),
            ("x.html", "7.", None),
            ("x.html", long, Some("A very long title of a page that goes on and on until its re…")),
        ] {
            assert_eq!(beside(name, title).as_deref(), shown, "{name}: {title}");
        }
    }

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
    fn the_name_of_the_site_is_what_most_titles_begin_or_end_with() {
        let check = |titles: &str, own: &str| {
            let titles: Vec<&str> = titles.split('/').collect();
            let name = SiteName::of(&titles);
            let without: Vec<&str> = titles.iter().map(|title| name.without(title)).collect();
            assert_eq!(without.join("/"), own);
        };
        check("a - b - Site/c - Site/d - Site/e/f - Site/g | Site", "a - b/c/d/e/f/g | Site");
        check("a - A - Site/b - A - Site/c - A - Site/d - A - Site/e", "a/b/c/d/e");
        check("a - Site/b - Site", "a - Site/b - Site");
        check("Site: a/Site: b: c/Site: d/e/Site: ", "a/b: c/d/e/Site: ");
        check("Site -- a/Site -- b/Site -- c/Site -- d/Site", "a/b/c/d/Site");
        check("a (S 17 & K 17)/b (S 17 & K 17)/c (S 17 & K 17)/d/e (f)", "a/b/c/d/e (f)");
        check("a (S (version 7))/b (S (version 7))/c (S (version 7))/d/e", "a/b/c/d/e");
        check("1. a/1. b/2. a/2. b/2. c", "1. a/1. b/2. a/2. b/2. c");
        let long = ["a", "b", "c", "d", "e"].map(|own| format!("{own} - {}", "Site".repeat(100)));
        check(&long.join("/"), &long.join("/"));
    }
}
