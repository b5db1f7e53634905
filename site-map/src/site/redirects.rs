//! Where addresses lead that have no page of their own.

use std::collections::{BTreeMap, HashMap};

use url::Url;

use crate::site::parsed::AddressNumbers;
use crate::source::response::{MAX_REDIRECTS, Response};

/// Redirects, by status or by a page that only sends its reader on.
#[derive(Debug, Default)]
pub(super) struct PageRedirects {
    targets: BTreeMap<Url, Url>,
    /// The number of pages that only send their reader on.
    pub(super) n_pages: usize,
}

impl PageRedirects {
    /// Adds those among some responses.
    pub(super) fn add(&mut self, responses: &[Response]) {
        for response in responses {
            let Some(target) = response.redirect() else { continue };
            self.n_pages += usize::from(response.is_html());
            self.targets.insert(response.address.clone(), target);
        }
    }

    /// Adds the addresses that lead to pages to the positions of pages by the numbers of their
    /// addresses: a link to one is a link to the page.
    pub(super) fn add_to(&self, pages: &mut HashMap<u32, u32>, addresses: &AddressNumbers) {
        for from in self.targets.keys() {
            let number = |address| addresses.0.get(address).copied();
            let page = number(self.end_of(from)).and_then(|to| pages.get(&to).copied());
            pages.extend(number(from).zip(page));
        }
    }

    /// Returns each address that leads to another one, and where it leads in the end.
    pub(super) fn ends(&self) -> Vec<(Url, Url)> {
        self.targets.keys().map(|from| (from.clone(), self.end_of(from).clone())).collect()
    }

    /// Returns where an address leads in the end; in a circle, to some place of it.
    pub(super) fn end_of<'u>(&'u self, from: &'u Url) -> &'u Url {
        let way = std::iter::successors(Some(from), |address| self.targets.get(address));
        way.take(MAX_REDIRECTS + 1).last().unwrap_or(from)
    }
}
