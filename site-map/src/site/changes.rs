//! What differs between two readings of one site: pages that changed, moved, went or came.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use serde::Serialize;
use url::Url;

use crate::error::shown;
use crate::site::assemble::Site;

/// What stands between two blocks of a page.
const BETWEEN: &str = "\n\n";
/// How many blocks at each edge of a page may be none of what it says.
const EDGE: usize = 3;
/// How often the edges of all pages are looked at: blocks that are taken out make room for others.
const MAX_ROUNDS: usize = 20;
/// The fewest pages of which something can be said.
const MIN_PAGES: usize = 5;
/// The shortest word of hexadecimal letters that is taken for a number.
const MIN_HEX: usize = 8;

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
/// count, nor what differs alike on all pages, or on most of them in numbers alone.
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
    leave_out_varying(&mut old, &mut new);
    let Shared { removed, added } = Shared::of(&old, &new);
    old.values_mut().for_each(|blocks| blocks.retain(|block| !removed.contains(block)));
    new.values_mut().for_each(|blocks| blocks.retain(|block| !added.contains(block)));
    // Of pages with one text, the first one is the last in its list.
    let mut by_text: BTreeMap<&[&str], Vec<&Url>> = BTreeMap::new();
    for (address, text) in new.iter().rev().filter(|(address, _)| !old.contains_key(*address)) {
        by_text.entry(text).or_default().push(address);
    }
    let mut changes = Vec::new();
    let mut moved: BTreeSet<&Url> = BTreeSet::new();
    for (address, text) in &old {
        let kind = match new.get(address) {
            Some(now) if now == text => continue,
            Some(_) => PageChangeKind::Changed,
            None => match by_text.get_mut(text.as_slice()).and_then(Vec::pop) {
                Some(to) => {
                    moved.insert(to);
                    PageChangeKind::Moved { to: to.clone() }
                }
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

/// The blocks of each address.
type Texts<'s> = BTreeMap<&'s Url, Vec<&'s str>>;

/// Returns the content of each address, those of twins and of pages that are not shown too.
fn texts(site: &Site) -> Texts<'_> {
    let pages = site.pages.iter().map(|page| (&page.address, page.markdown.as_str()));
    let twins = site.twins.iter();
    let twins =
        twins.filter_map(|(address, name)| Some((address, site.page(name)?.markdown.as_str())));
    let left_out = site.indexes.iter().chain(&site.gathered);
    let left_out = left_out.map(|page| (&page.address, page.markdown.as_str()));
    let all = pages.chain(twins).chain(left_out);
    all.map(|(address, text)| (address, text.trim_end().split(BETWEEN).collect())).collect()
}

/// Returns a page of each name, with the name as its address has it.
fn by_name(site: &Site) -> BTreeMap<String, &Url> {
    let twins = site.twins.iter().map(|(address, _)| address);
    let left_out = site.indexes.iter().chain(&site.gathered).map(|page| &page.address);
    let addresses = twins.chain(left_out).chain(site.pages.iter().map(|page| &page.address));
    addresses.map(|address| (site.name_of(address), address)).collect()
}

/// Takes out of the edges of all pages what differs on most of them, and in numbers alone: how long
/// a page took, who read it, a nonce.
fn leave_out_varying<'s>(old: &mut Texts<'s>, new: &mut Texts<'s>) {
    let at_start = |n_blocks: usize| 0..n_blocks.min(EDGE);
    let at_end = |n_blocks: usize| n_blocks.saturating_sub(EDGE)..n_blocks;
    for edge in [at_start as fn(usize) -> Range<usize>, at_end] {
        for _ in 0..MAX_ROUNDS {
            let varying = varying(old, new, edge);
            if varying.is_empty() {
                break;
            }
            for blocks in old.values_mut().chain(new.values_mut()) {
                let mut places = 0..;
                let edge = edge(blocks.len());
                blocks.retain(|block| {
                    let is_at_edge = places.next().is_some_and(|at| edge.contains(&at));
                    !is_at_edge || !varying.contains(&without_numbers(block))
                });
            }
        }
    }
}

/// Returns the blocks at an edge, without numbers, of which both readings have another one on more
/// than half of the pages.
fn varying(old: &Texts<'_>, new: &Texts<'_>, edge: fn(usize) -> Range<usize>) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut n_pages = 0;
    for (then, now) in old.iter().filter_map(|(address, then)| Some((then, new.get(address)?))) {
        n_pages += 1;
        if then == now {
            continue;
        }
        let (then, now) = (&then[edge(then.len())], &now[edge(now.len())]);
        let only_in = |one: &[&str], other: &[&str]| -> BTreeSet<String> {
            let blocks = one.iter().filter(|block| !other.contains(block));
            blocks.map(|block| without_numbers(block)).collect()
        };
        for block in &only_in(then, now) & &only_in(now, then) {
            *counts.entry(block).or_default() += 1;
        }
    }
    counts.retain(|_, n| n_pages >= MIN_PAGES && 2 * *n > n_pages);
    counts.into_keys().collect()
}

/// Returns a block with one sign for each word that has a digit, or is a number to the base of 16.
fn without_numbers(block: &str) -> String {
    let is_number = |word: &str| {
        word.contains(char::is_numeric)
            || word.len() >= MIN_HEX && word.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let words = block.split_whitespace().map(|word| if is_number(word) { "0" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// What differs on every page that both readings have: of a few pages a banner is no block that
/// repeats.
#[derive(Debug, Default)]
struct Shared<'s> {
    removed: BTreeSet<&'s str>,
    added: BTreeSet<&'s str>,
}

impl<'s> Shared<'s> {
    fn of(old: &Texts<'s>, new: &Texts<'s>) -> Shared<'s> {
        let both = || old.iter().filter_map(|(address, text)| Some((text, new.get(address)?)));
        let mut shared: Option<(BTreeSet<&'s str>, BTreeSet<&'s str>)> = None;
        let has_many = both().nth(1).is_some();
        for (then, now) in both().filter(|_| has_many) {
            let blocks = |text: &Vec<&'s str>| text.iter().copied().collect::<BTreeSet<&'s str>>();
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
        let (removed, added) = shared.unwrap_or_default();
        Shared { removed, added }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_number_of_varying_blocks_is_taken_out() {
        let pages = (0..MIN_PAGES).map(|n| Url::parse(&format!("http://a.example/{n}")).unwrap());
        let pages: Vec<Url> = pages.collect();
        let with = |block| pages.iter().map(|page| (page, vec![block; 200])).collect::<Texts<'_>>();
        let (mut old, mut new) = (with("took 1 s"), with("took 2 s"));
        leave_out_varying(&mut old, &mut new);
        assert!(old.values().all(|blocks| blocks.len() == 200 - 2 * MAX_ROUNDS * EDGE));
    }
}
