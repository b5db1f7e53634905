//! What differs between two readings of one site: pages that changed, moved, went or came.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use url::Url;

use crate::error::shown;
use crate::site::assemble::Site;

/// What stands between two blocks of a page.
const BETWEEN: &str = "\n\n";

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
        let address = shown(self.address.as_str());
        match &self.kind {
            PageChangeKind::Changed => write!(f, "changed  {address}"),
            PageChangeKind::Moved { to } => {
                write!(f, "moved    {address} to {}", shown(to.as_str()))
            }
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
/// count, nor what differs alike on all pages, nor do pages that only list links.
pub fn changes(before: &Site, after: &Site) -> Vec<PageChange> {
    let (mut old, mut new) = (texts(before), texts(after));
    // A recording and a folder of one site have no addresses in common, but names.
    if before.scope().start().origin() != after.scope().start().origin() {
        let (of_old, of_new) = (by_name(before), by_name(after));
        old.retain(|address, _| of_old.get(&before.name_of(address)) == Some(address));
        new.retain(|address, _| of_new.get(&after.name_of(address)) == Some(address));
        let address_in_old = |address| of_old.get(&after.name_of(address)).copied();
        let renamed = new.into_iter();
        new = renamed.map(|(at, text)| (address_in_old(at).unwrap_or(at), text)).collect();
    }
    let Shared { removed, added } = Shared::of(&old, &new);
    leave_out(&removed, &mut old);
    leave_out(&added, &mut new);
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
            None => match by_text.get(text.as_ref()).filter(|to| moved.insert(to)) {
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
fn texts(site: &Site) -> BTreeMap<&Url, Cow<'_, str>> {
    let pages = site.pages.iter().map(|page| (&page.address, page.markdown.as_str().into()));
    let twins = site
        .twins
        .iter()
        .filter_map(|(address, name)| Some((address, site.page(name)?.markdown.as_str().into())));
    pages.chain(twins).collect()
}

/// Returns a page of each name, with the name as its address has it.
fn by_name(site: &Site) -> BTreeMap<String, &Url> {
    let twins = site.twins.iter().map(|(address, _)| address);
    let addresses = twins.chain(site.pages.iter().map(|page| &page.address));
    addresses.map(|address| (site.name_of(address), address)).collect()
}

/// What differs on every page that both readings have: of a few pages a banner is no block that
/// repeats.
#[derive(Debug, Default)]
struct Shared {
    removed: BTreeSet<String>,
    added: BTreeSet<String>,
}

impl Shared {
    fn of(old: &BTreeMap<&Url, Cow<'_, str>>, new: &BTreeMap<&Url, Cow<'_, str>>) -> Shared {
        let both = || old.iter().filter_map(|(address, text)| Some((text, new.get(address)?)));
        let mut shared: Option<(BTreeSet<&str>, BTreeSet<&str>)> = None;
        let has_many = both().nth(1).is_some();
        for (then, now) in both().filter(|_| has_many) {
            let (then, now) = (blocks(then), blocks(now));
            let (removed, added) = match shared {
                Some((removed, added)) => (&(&removed & &then) - &now, &(&added & &now) - &then),
                None => (&then - &now, &now - &then),
            };
            if removed.is_empty() && added.is_empty() {
                return Shared::default();
            }
            shared = Some((removed, added));
        }
        let owned = |blocks: BTreeSet<&str>| blocks.into_iter().map(str::to_owned).collect();
        let (removed, added) = shared.unwrap_or_default();
        Shared { removed: owned(removed), added: owned(added) }
    }
}

/// Takes blocks out of all texts.
fn leave_out(left_out: &BTreeSet<String>, texts: &mut BTreeMap<&Url, Cow<'_, str>>) {
    for text in texts.values_mut().filter(|_| !left_out.is_empty()) {
        let kept: Vec<&str> =
            text.split(BETWEEN).filter(|block| !left_out.contains(block.trim())).collect();
        *text = Cow::Owned(kept.join(BETWEEN));
    }
}

fn blocks(text: &str) -> BTreeSet<&str> {
    text.split(BETWEEN).map(str::trim).collect()
}
