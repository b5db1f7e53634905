//! What the pages of a recording say of pages that it does not have.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use url::Url;

use crate::address::Scope;
use crate::error::Result;
use crate::explore::frontier::{DEPTH_OF_LISTED, Frontier, UnreadPage};
use crate::explore::limits::ExploreLimits;
use crate::page::WebPage;
use crate::source::recording::Recording;
use crate::source::response::Response;

/// Returns the pages of a scope that links of a recording promise and that nobody asked for, those
/// that promise most first. The same recording gives the same pages.
///
/// # Errors
/// If the recording cannot be read.
pub fn unread_pages(recording: &Recording, scope: &Scope, goal: &str) -> Result<Vec<UnreadPage>> {
    let limits = ExploreLimits { depth: usize::MAX, ..ExploreLimits::default() };
    let mut unread = frontier_of(recording, scope, goal, &limits, |_| true)?.into_unread();
    unread.sort_by(|one, other| one.rank().cmp(&other.rank()));
    Ok(unread)
}

/// Returns the frontier after the pages of a recording were read. An address is asked for again if
/// its status is not final.
///
/// # Errors
/// If the recording cannot be read.
pub(super) fn frontier_of(
    recording: &Recording,
    scope: &Scope,
    goal: &str,
    limits: &ExploreLimits,
    is_final: impl Fn(u16) -> bool,
) -> Result<Frontier> {
    let mut known = RecordedPages::of(recording)?;
    let mut frontier = Frontier::of(goal, scope.start(), limits);
    known.walk(scope.start(), 0, scope, &mut frontier);
    // A page that no link leads to was listed by the site.
    while let Some(address) = known.pages.keys().next().cloned() {
        known.walk(&address, DEPTH_OF_LISTED, scope, &mut frontier);
    }
    let asked = recording.addresses().filter(|(_, status)| is_final(*status));
    frontier.drop_asked(asked.map(|(address, _)| address));
    Ok(frontier)
}

/// The pages of a recording that were not walked yet, and its redirects.
struct RecordedPages {
    pages: BTreeMap<Url, WebPage>,
    redirects: BTreeMap<Url, Url>,
}

impl RecordedPages {
    fn of(recording: &Recording) -> Result<RecordedPages> {
        let mut known = RecordedPages { pages: BTreeMap::new(), redirects: BTreeMap::new() };
        for response in recording.responses() {
            let response: Response = response?;
            if response.is_page() {
                known.pages.insert(response.address.clone(), WebPage::of(&response));
            } else if let Some(target) = response.redirect() {
                known.redirects.insert(response.address, target);
            }
        }
        Ok(known)
    }

    /// Takes the links of all pages that links lead to from an address on, nearest pages first.
    fn walk(&mut self, from: &Url, depth: usize, scope: &Scope, frontier: &mut Frontier) {
        let mut todo = VecDeque::from([(from.clone(), depth)]);
        let mut seen = BTreeSet::new();
        while let Some((address, depth)) = todo.pop_front() {
            if !seen.insert(address.clone()) {
                continue;
            }
            if let Some(target) = self.redirects.get(&address) {
                todo.push_front((target.clone(), depth));
                continue;
            }
            let Some(page) = self.pages.remove(&address) else { continue };
            frontier.add_links_of(&page, scope, depth);
            todo.extend(page.links.into_iter().map(|link| (link.target, depth + 1)));
        }
    }
}
