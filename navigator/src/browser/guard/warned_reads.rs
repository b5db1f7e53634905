//! Which requests that only read count as more: those that a script begins, to an address that
//! warns, unless a page reads it by itself.

use std::collections::BTreeSet;

use crate::browser::guard::attempt::WaitingRequest;
use crate::browser::guard::request::WireRequest;
use crate::browser::guard::warned_addresses::WarnedAddresses;

/// The most addresses that are known to be read by pages.
const MAX_KNOWN: usize = 500;
/// The most tabs that are known.
const MAX_TABS: usize = 500;

/// What a request that only reads counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadVerdict {
    /// As reading.
    Plain,
    /// As what a page reads by itself.
    ByPage,
    /// As more than reading.
    Warns,
}

/// What is known of reads while a walk goes on.
#[derive(Debug, Default)]
pub(crate) struct WarnedReads {
    /// The addresses that warn in the step.
    addresses: WarnedAddresses,
    /// The digests of those that pages have read by themselves: they may do so again.
    by_pages: BTreeSet<[u8; 32]>,
    /// Something was pressed, and no other page has come since: a timer may do what was pressed.
    is_operated: bool,
    /// The tabs that have had a page.
    tabs: BTreeSet<String>,
}

impl WarnedReads {
    /// Begins a step, in which these addresses warn.
    pub(crate) fn begin_step(&mut self, addresses: WarnedAddresses) {
        self.is_operated |= addresses.operates;
        self.addresses = addresses;
    }

    /// Takes note of what a page reads by itself.
    pub(crate) fn add(&mut self, request: &WireRequest) {
        if self.by_pages.len() < MAX_KNOWN {
            self.by_pages.insert(*request.address().as_bytes());
        }
    }

    /// Takes note of a request that goes on. That of another page ends the timers of the one that
    /// was there; in a new tab it leaves them.
    pub(crate) fn goes_on(&mut self, held: &WaitingRequest) {
        let Some(tab) = held.tab.as_ref().filter(|_| held.is_begun_here) else { return };
        let is_known = self.tabs.contains(tab);
        if !is_known && self.tabs.len() < MAX_TABS {
            self.tabs.insert(tab.clone());
        }
        self.is_operated &= !is_known;
    }

    /// Says what a request counts as that may be read otherwise.
    pub(crate) fn verdict(&self, held: &WaitingRequest, is_asking: bool) -> ReadVerdict {
        let request = &held.request;
        let warns = held.is_begun_here
            && request.is_reading()
            && self.addresses.has(&request.url)
            && !self.by_pages.contains(request.address().as_bytes());
        match warns {
            true if is_asking || self.is_operated => ReadVerdict::Warns,
            true if held.tab.is_none() => ReadVerdict::ByPage,
            _ => ReadVerdict::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tab: Option<&str>, path: &str, is_begun_here: bool) -> WaitingRequest {
        let url = format!("http://a.example{path}").parse().unwrap();
        WaitingRequest {
            id: serde_json::Value::Null,
            is_navigation: tab.is_some(),
            tab: tab.map(str::to_owned),
            is_beacon: false,
            is_begun_here,
            network_id: None,
            request: WireRequest::new("GET", url, "", Some(b"")),
        }
    }

    fn reads(is_operated: bool) -> WarnedReads {
        let mut reads = WarnedReads::default();
        let warns = WarnedAddresses::new(|address| address.path() == "/delete");
        reads.begin_step(warns.operating(is_operated));
        reads
    }

    #[test]
    fn a_read_of_what_warns_counts_by_who_asks_for_it_and_when() {
        use ReadVerdict::{ByPage, Plain, Warns};
        for (tab, path, is_begun_here, is_asking, is_operated, expected) in [
            (None, "/list", true, true, true, Plain),
            (None, "/delete", false, true, true, Plain),
            (None, "/delete", true, true, false, Warns),
            (None, "/delete", true, false, false, ByPage),
            (None, "/delete", true, false, true, Warns),
            (Some("t"), "/delete", true, true, false, Warns),
            (Some("t"), "/delete", true, false, false, Plain),
            (Some("t"), "/delete", true, false, true, Warns),
        ] {
            let held = read(tab, path, is_begun_here);
            let verdict = reads(is_operated).verdict(&held, is_asking);
            assert_eq!(verdict, expected, "{tab:?} {path} {is_begun_here} {is_asking}");
        }
        let mut known = reads(true);
        known.add(&read(None, "/delete", true).request);
        assert_eq!(known.verdict(&read(None, "/delete", true), true), Plain);
    }

    #[test]
    fn a_page_is_operated_until_another_one_takes_its_place() {
        let mut reads = reads(false);
        reads.goes_on(&read(Some("one"), "/", true));
        reads.begin_step(reads.addresses.clone().operating(true));
        let other = read(None, "/delete", true);
        // A new tab, what a server leads it on to, and a frame leave the page as it is.
        for (tab, is_begun_here) in [(Some("two"), true), (Some("two"), false), (None, true)] {
            reads.goes_on(&read(tab, "/", is_begun_here));
            assert_eq!(reads.verdict(&other, false), ReadVerdict::Warns, "{tab:?}");
        }
        reads.goes_on(&read(Some("one"), "/", true));
        assert_eq!(reads.verdict(&other, false), ReadVerdict::ByPage);
    }
}
