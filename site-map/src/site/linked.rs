//! Pages that the links of others lead to and that nobody asked for.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use url::Url;

use crate::address::{FILE, Scope, is_other_file};
use crate::page::WebPage;
use crate::source::response::Response;

/// The largest number of addresses that are counted.
const MAX_KNOWN: usize = 200_000;

/// What links lead to, and what was asked for.
#[derive(Debug, Default)]
pub(super) struct LinkedPages {
    /// How many pages link to an address.
    n_pages: HashMap<Url, usize>,
    asked: HashSet<Url>,
}

impl LinkedPages {
    /// Adds what was asked for, whatever came of it.
    pub(super) fn add_asked(&mut self, responses: &[Response]) {
        self.asked.extend(responses.iter().map(|response| response.address.clone()));
    }

    /// Adds the links of a page within a scope.
    pub(super) fn add_links_of(&mut self, page: &WebPage, scope: &Scope) {
        // All pages of a folder are read.
        let is_page = |target: &&Url| {
            target.scheme() != FILE && scope.contains(target) && !is_other_file(target)
        };
        let targets: BTreeSet<&Url> =
            page.links.iter().map(|link| &link.target).filter(is_page).collect();
        for target in targets {
            let is_full = self.n_pages.len() == MAX_KNOWN;
            match self.n_pages.get_mut(target) {
                Some(n) => *n += 1,
                None if is_full => {}
                None => drop(self.n_pages.insert(target.clone(), 1)),
            }
        }
    }

    /// Returns the names of the pages that were not asked for and are not on the map, those that
    /// most pages link to first.
    pub(super) fn unread(self, scope: &Scope, is_on_map: impl Fn(&str) -> bool) -> Vec<String> {
        let LinkedPages { n_pages, asked } = self;
        let unread = n_pages.into_iter().filter(|(address, _)| !asked.contains(address));
        let mut names: Vec<(Reverse<usize>, String)> =
            unread.map(|(address, n)| (Reverse(n), scope.name(&address))).collect();
        names.sort();
        // Addresses may share a name.
        let mut seen = HashSet::new();
        let names = names.into_iter().map(|(_, name)| name);
        names.filter(|name| !is_on_map(name) && seen.insert(name.clone())).collect()
    }
}
