//! A page that is only known from links: what they say of it, and what that promises.

use std::collections::{BTreeMap, BTreeSet};

use repo_map::findable_words;

use crate::address::Scope;
use crate::explore::promise::{LinkPromise, WantedWord, WantedWords, by_meaning};
use crate::page::{PageLink, WebPage};

/// The largest number of links of one page that are kept; an index of a large manual has more.
pub(super) const MAX_LINKS: usize = 20_000;
/// The largest number of links that count for one page, the first ones.
const MAX_LINKS_TO_A_PAGE: usize = 200;
/// What the words of an address count beside those of a link.
const OF_ADDRESS: f64 = 0.6;
/// What the words of the heading above a link count beside its own.
const OF_HEADING: f64 = 0.3;
/// What the words beside a link count beside its own: the rest of its row or item.
const OF_BESIDE: f64 = 0.3;
/// What all links to a page together count beside the best one.
const OF_ALL: f64 = 0.3;
/// What a page about releases counts beside others: it names everything and explains little.
const OF_RELEASES: f64 = 0.4;
/// The largest number of words that a folder around a link counts with, and all of them.
const MAX_FOLDER_WORDS: usize = 12;
const MAX_WORDS_OF_FOLDERS: usize = 50;
/// What the links to an index say.
const NAMES_OF_INDEXES: [&str; 4] = ["index", "general index", "concept index", "book index"];

/// A page that is only known from links.
#[derive(Debug, Default)]
pub(super) struct FrontierPage {
    /// The words of the first link, as they stand.
    pub(super) title: String,
    pub(super) links: Vec<FrontierLink>,
    of_address: BTreeSet<String>,
    pub(super) depth: usize,
    /// How near the nearest link is to the goal in meaning, from 0 to 1.
    nearness: f64,
}

/// The topic words of a link, of what stands beside it, and of the heading above it.
#[derive(Debug)]
pub(super) struct FrontierLink {
    own: BTreeSet<String>,
    beside: BTreeSet<String>,
    of_heading: BTreeSet<String>,
}

impl FrontierPage {
    /// Returns a page that no link is known to yet, by the path of its address.
    pub(super) fn at(path: &str) -> FrontierPage {
        FrontierPage { of_address: findable_words(path).collect(), ..Self::default() }
    }

    pub(super) fn add(
        &mut self,
        goal: &WantedWords,
        title: &str,
        link: FrontierLink,
        depth: usize,
    ) {
        if self.title.is_empty() {
            self.title = title.to_owned();
        }
        self.depth = if self.links.is_empty() { depth } else { self.depth.min(depth) };
        if self.links.len() < MAX_LINKS_TO_A_PAGE {
            self.nearness = self.nearness.max(goal.nearness(title, &link.of_heading));
            self.links.push(link);
        }
    }

    pub(super) fn has(&self, word: &WantedWord) -> bool {
        word.is_in(&self.of_address) || self.links.iter().any(|link| link.has(word) > 0.0)
    }

    /// Returns what the links promise. By words it is what the best link has, and a share of what
    /// all of them have; by meaning it is what the nearest link has.
    pub(super) fn promise(&self, rarity: &[(&WantedWord, f64)]) -> LinkPromise {
        let of_link = |link: &FrontierLink| {
            let of_word = |word: &WantedWord| {
                let address = if word.is_in(&self.of_address) { OF_ADDRESS } else { 0.0 };
                link.has(word).max(address)
            };
            let sum: f64 = rarity.iter().map(|(word, rarity)| rarity * of_word(word)).sum();
            // Longer texts have more words by chance.
            sum / ((4 + link.own.len() + self.of_address.len()) as f64).sqrt()
        };
        let best = self.links.iter().map(of_link).fold(0.0, f64::max);
        let all: f64 =
            rarity.iter().filter(|(word, _)| self.has(word)).map(|(_, rarity)| rarity).sum();
        let factor = if self.is_of_releases() { OF_RELEASES } else { 1.0 };
        LinkPromise {
            by_words: factor * (best + OF_ALL * all / (4.0 + self.links.len() as f64).sqrt()),
            by_meaning: factor * by_meaning(self.nearness, rarity),
        }
    }

    /// Reports whether the first link to the page calls it an index.
    pub(super) fn is_called_index(&self) -> bool {
        NAMES_OF_INDEXES.contains(&self.title.trim().to_lowercase().as_str())
    }

    fn is_of_releases(&self) -> bool {
        ["whatsnew", "changelog", "release"].iter().any(|word| self.of_address.contains(*word))
    }
}

impl FrontierLink {
    pub(super) fn of(text: &str, heading: &str) -> FrontierLink {
        let [own, of_heading] = [text, heading].map(|text| findable_words(text).collect());
        FrontierLink { own, beside: BTreeSet::new(), of_heading }
    }

    fn has(&self, word: &WantedWord) -> f64 {
        let parts = [(&self.own, 1.0), (&self.beside, OF_BESIDE), (&self.of_heading, OF_HEADING)];
        let has_it = |(words, _): &(&BTreeSet<String>, f64)| word.is_in(words);
        parts.into_iter().find(has_it).map_or(0.0, |(_, count)| count)
    }
}

/// Returns what a page says of others within the scope.
pub(super) fn links_of<'p>(page: &'p WebPage, scope: &Scope) -> Vec<(&'p PageLink, FrontierLink)> {
    let headings: Vec<BTreeSet<String>> =
        page.blocks.iter().map(|block| findable_words(&block.text).take(12).collect()).collect();
    let mut folders = words_of_folders(page);
    let within = page.links.iter().enumerate().filter(|(_, link)| scope.contains(&link.target));
    let known = within.take(MAX_LINKS).map(|(at, link)| {
        let heading = link.under.and_then(|at| headings.get(at)).cloned().unwrap_or_default();
        let of_heading = folders.remove(&at).unwrap_or(heading);
        let [own, beside] = [&link.text, &link.beside].map(|text| findable_words(text).collect());
        (link, FrontierLink { own, beside, of_heading })
    });
    known.collect()
}

/// Returns the words of the folders that links of a tree stand in, by the position of the link.
fn words_of_folders(page: &WebPage) -> BTreeMap<usize, BTreeSet<String>> {
    let mut of_links = BTreeMap::new();
    for tree in &page.trees {
        let mut around: Vec<BTreeSet<String>> = Vec::new();
        for node in &tree.nodes {
            around.truncate(usize::from(node.depth));
            let words = around.last().cloned().unwrap_or_default();
            of_links.extend(node.link.map(|link| (link, words.clone())));
            let own = findable_words(&node.label).take(MAX_FOLDER_WORDS);
            let room = MAX_WORDS_OF_FOLDERS.saturating_sub(words.len());
            around.push(words.into_iter().chain(own.take(room)).collect());
        }
    }
    of_links
}
