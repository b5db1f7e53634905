//! What differs between two readings of one site: pages that changed, moved, went or came.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use url::Url;

use crate::site::assemble::Site;

/// A page that differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PageChange {
    /// The address: of the first reading, or of the second where the page is new.
    pub address: Url,
    /// What happened.
    #[serde(flatten)]
    pub kind: PageChangeKind,
}

/// A line for people.
impl fmt::Display for PageChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = &self.address;
        match &self.kind {
            PageChangeKind::Changed => write!(f, "changed  {address}"),
            PageChangeKind::Moved { to } => write!(f, "moved    {address} to {to}"),
            PageChangeKind::Gone => write!(f, "gone     {address}"),
            PageChangeKind::New => write!(f, "new      {address}"),
        }
    }
}

/// What happened to a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum PageChangeKind {
    /// The content is another one.
    Changed,
    /// The same content has another address.
    Moved {
        /// The address now.
        to: Url,
    },
    /// The page is not there any more.
    Gone,
    /// The page was not there before.
    New,
}

/// Compares two readings, sorted by address. What repeats on most pages of a reading does not
/// count, nor do pages that only list links.
pub fn changes(before: &Site, after: &Site) -> Vec<PageChange> {
    let (old, new) = (texts(before), texts(after));
    let mut by_text: BTreeMap<&str, &Url> = BTreeMap::new();
    for (address, text) in new.iter().rev().filter(|(address, _)| !old.contains_key(*address)) {
        by_text.insert(text, address);
    }
    let mut changes = Vec::new();
    let mut moved: BTreeSet<&Url> = BTreeSet::new();
    for (address, text) in &old {
        let kind = match new.get(address) {
            Some(now) if now == text => continue,
            Some(_) => PageChangeKind::Changed,
            None => match by_text.get(text).filter(|to| moved.insert(to)) {
                Some(to) => PageChangeKind::Moved { to: (*to).clone() },
                None => PageChangeKind::Gone,
            },
        };
        changes.push(PageChange { address: (*address).clone(), kind });
    }
    let is_new = |address: &&&Url| !old.contains_key(**address) && !moved.contains(**address);
    let come = new.keys().filter(is_new);
    changes.extend(
        come.map(|address| PageChange { address: (*address).clone(), kind: PageChangeKind::New }),
    );
    changes.sort();
    changes
}

/// Returns the content of each address, those of twins too.
fn texts(site: &Site) -> BTreeMap<&Url, &str> {
    let pages = site.pages.iter().map(|page| (&page.address, page.markdown.as_str()));
    let twins = site
        .twins
        .iter()
        .filter_map(|(address, name)| Some((address, site.page(name)?.markdown.as_str())));
    pages.chain(twins).collect()
}
