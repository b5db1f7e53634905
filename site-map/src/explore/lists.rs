//! When the lists of a site are read: those that `robots.txt` names within a share of the requests,
//! those at their usual places only where links say nothing.

use std::collections::VecDeque;

use url::Url;

use crate::address::{Scope, is_same_origin};
use crate::explore::frontier::Frontier;
use crate::explore::listing::{self, SiteListing};
use crate::source::http::fetcher::Fetcher;
use crate::source::http::platform::Platform;
use crate::source::response::Response;

/// The largest number of sitemaps that are read.
const MAX_SITEMAPS: usize = 3;
/// The share of the requests that sitemaps may take: one of so many.
const SHARE: u64 = 10;
/// Where sites list their pages: one request each.
const USUAL_PLACES: [(&str, ListingReader); 2] =
    [("/llms.txt", listing::llms_txt), ("/sitemap.xml", listing::sitemap)];

type ListingReader = fn(&Response) -> SiteListing;

/// What was read of the lists of a site.
#[derive(Debug, Default)]
pub(super) struct SiteLists {
    has_read_named: bool,
    has_guessed: bool,
}

impl SiteLists {
    /// Reads the sitemaps that `robots.txt` names, the first time.
    pub(super) fn read_named<P: Platform>(
        &mut self,
        fetcher: &mut Fetcher<P>,
        scope: &Scope,
        frontier: &mut Frontier,
    ) {
        if std::mem::replace(&mut self.has_read_named, true) {
            return;
        }
        let mut named: VecDeque<Url> = fetcher.sitemaps(scope.start()).iter().cloned().collect();
        // A list that fails costs a request too.
        let limit = fetcher.requests() + fetcher.options().max_requests / SHARE;
        let mut n_read = 0;
        while n_read < MAX_SITEMAPS && fetcher.requests() < limit {
            let Some(address) = named.pop_front() else { break };
            let Some(response) = response(fetcher, scope, &address) else { continue };
            n_read += 1;
            let SiteListing { pages, lists } = listing::sitemap(&response);
            frontier.add_listed(pages, scope);
            let (within, others): (Vec<Url>, Vec<Url>) =
                lists.into_iter().partition(|list| scope.contains(list));
            within.into_iter().chain(others).for_each(|list| named.push_back(list));
        }
    }

    /// Asks for lists at their usual places, the first time. Returns whether it did.
    pub(super) fn guess<P: Platform>(
        &mut self,
        fetcher: &mut Fetcher<P>,
        scope: &Scope,
        frontier: &mut Frontier,
    ) -> bool {
        if std::mem::replace(&mut self.has_guessed, true) {
            return false;
        }
        // A site whose rules name its sitemaps has no other.
        let n_places =
            if fetcher.sitemaps(scope.start()).is_empty() { USUAL_PLACES.len() } else { 1 };
        for (path, read) in &USUAL_PLACES[..n_places] {
            let place = scope.start().join(path).ok();
            if let Some(response) = place.and_then(|place| response(fetcher, scope, &place)) {
                frontier.add_listed(read(&response).pages, scope);
            }
        }
        true
    }
}

/// Fetches a list of the site's origin, and leaves a request for a page. `None` if there is no
/// list; a page that says so is none.
fn response<P: Platform>(
    fetcher: &mut Fetcher<P>,
    scope: &Scope,
    address: &Url,
) -> Option<Response> {
    let has_requests = fetcher.requests() + 1 < fetcher.options().max_requests;
    if !has_requests || !is_same_origin(address, scope.start()) {
        return None;
    }
    let response = fetcher.send_for_listing(address).ok()?;
    ((200..300).contains(&response.status) && !response.is_html()).then_some(response)
}
