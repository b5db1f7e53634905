//! The page that a site begins with.

use std::cmp::Reverse;

use url::Url;

use crate::address::{FOLDER_PAGE, Scope};
use crate::site::parsed::ParsedPage;
use crate::site::redirects::PageRedirects;

/// Returns the page that a site begins with: the one that was asked for first, or where that leads.
/// In a folder without one it is the first page of the only folder nearest to the root that has
/// one, or the only page at the root.
pub(super) fn of(scope: &Scope, redirects: &PageRedirects, pages: &[ParsedPage]) -> Option<Url> {
    let page = |address: &Url| pages.iter().map(|page| &page.address).find(|one| *one == address);
    let first = page(scope.start()).or_else(|| page(redirects.end_of(scope.start())));
    let within = || pages.iter().map(|page| &page.address).filter(|one| scope.contains(one));
    let name = |address: &Url| address.path().rsplit('/').next().unwrap_or_default().to_owned();
    let is_first = |address: &&Url| {
        let stem = FOLDER_PAGE.split('.').next().unwrap_or(FOLDER_PAGE);
        let name = name(address);
        name.is_empty() || name.split('.').next() == Some(stem)
    };
    let is_at_root = |address: &&Url| {
        address.path().strip_prefix(scope.prefix()).is_some_and(|path| !path.contains('/'))
    };
    first
        .or_else(|| nearest(within().filter(is_first)))
        .or_else(|| nearest(within().filter(is_at_root)))
        .cloned()
}

/// Returns the address with the fewest folders; `None` if several have as few.
fn nearest<'u>(addresses: impl Iterator<Item = &'u Url>) -> Option<&'u Url> {
    let mut by_depth: Vec<(usize, &Url)> =
        addresses.map(|address| (address.path().matches('/').count(), address)).collect();
    by_depth.sort_by_key(|(depth, _)| Reverse(*depth));
    let (depth, address) = by_depth.pop()?;
    by_depth.last().is_none_or(|(next, _)| *next > depth).then_some(address)
}
