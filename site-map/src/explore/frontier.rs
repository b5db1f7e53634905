//! Pages that are only known from links, and what the links promise for a goal.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use repo_map::plan::ExcludedPaths;
use url::Url;

use crate::address::{Scope, is_other_file};
use crate::explore::frontier_page::{FrontierLink, FrontierPage, MAX_LINKS, links_of};
use crate::explore::limits::ExploreLimits;
use crate::explore::listing::ListedPage;
use crate::explore::promise::{LinkPromise, WantedWord, WantedWords, in_thousandths};
use crate::page::WebPage;
use crate::source::http::crawl_report::count_excluded;

/// What the words of a page of a known site have to promise beside the best one.
const OF_BEST: f64 = 1.0 / 3.0;
/// The largest number of indexes that are read for their links alone.
const MAX_INDEXES: usize = 3;
/// How many pages of a folder may fail, or how many names with one ending be no pages, before the
/// others wait.
const MAX_FAILED: usize = 3;
/// How names end that are most likely no pages, but plain text: the source of a page, of Sphinx.
const TEXT_ENDINGS: [&str; 3] = [".md", ".rst", ".txt"];
/// How many links a page of a list counts as from the start: behind an index.
pub(super) const DEPTH_OF_LISTED: usize = 2;
/// What an index is called, in its address.
const INDEXES: [&str; 10] = [
    "genindex",
    "contents",
    "toc",
    "sitemap",
    "modindex",
    "allclasses",
    "bookindex",
    "theindex",
    "concept-index",
    "general-index",
];

/// A page that links promised and nobody read.
#[derive(Debug, Clone, PartialEq)]
pub struct UnreadPage {
    /// The address.
    pub address: Url,
    /// The words of the first link to it.
    pub title: String,
    /// What the links promise for the goal, by words and by nearness in meaning.
    pub evidence: f64,
    /// The number of links between the start and the page.
    pub depth: usize,
    /// The number of links to it; of a page with very many, of those that count.
    pub n_links: usize,
}

impl UnreadPage {
    /// Returns what pages are sorted by, the one that promises most first; of equals the one
    /// nearest to the start, then by address.
    pub(super) fn rank(&self) -> (Reverse<u64>, usize, &Url) {
        (Reverse(in_thousandths(self.evidence)), self.depth, &self.address)
    }
}

/// The pages that are only known from links.
#[derive(Debug)]
pub(super) struct Frontier {
    goal: WantedWords,
    pages: BTreeMap<Url, FrontierPage>,
    /// The addresses that were asked, and those of the pages that they gave.
    seen: BTreeSet<Url>,
    /// The largest number of links between the start and a page that is read.
    max_depth: usize,
    rules: ExcludedPaths,
    /// The pages that rules exclude, and their numbers by the globs.
    excluded: BTreeSet<Url>,
    n_excluded: BTreeMap<String, usize>,
    n_indexes: usize,
    /// The number of links beyond the limit of their page.
    n_cut: usize,
    n_taken: usize,
    /// Whether a page was taken when a link had a word of the goal.
    was_promised: bool,
    /// What the words of links to pages of a known site that were read promised at most; `None`
    /// where nothing is known of the site.
    most_kept: Option<f64>,
    /// How many pages of a folder failed, by its path, and how many names with an ending were no
    /// pages, by `.ending`; `None` once a page of it was read.
    n_failed: BTreeMap<String, Option<usize>>,
}

/// The page to read next.
#[derive(Debug)]
pub(super) struct NextPage {
    pub(super) address: Url,
    /// The number of links from the start.
    pub(super) depth: usize,
    /// What the links promise for the goal, if that is why the page is read.
    pub(super) promise: Option<LinkPromise>,
    /// Whether the page is read although no link to any page has a word of the goal. Nearness in
    /// meaning does not count here: every link is a little near.
    pub(super) is_blind: bool,
}

impl NextPage {
    /// Returns a page that is read for its links.
    pub(super) fn for_links(address: Url, depth: usize) -> NextPage {
        NextPage { address, depth, promise: None, is_blind: false }
    }
}

impl Frontier {
    /// The frontier before the first page is read.
    pub(super) fn of(goal: &str, start: &Url, limits: &ExploreLimits) -> Frontier {
        Frontier {
            goal: WantedWords::of(goal),
            pages: BTreeMap::new(),
            seen: BTreeSet::from([start.clone()]),
            max_depth: limits.depth,
            rules: limits.excluded.clone(),
            excluded: BTreeSet::new(),
            n_excluded: BTreeMap::new(),
            n_indexes: 0,
            n_cut: 0,
            n_taken: 0,
            was_promised: false,
            most_kept: None,
            n_failed: TEXT_ENDINGS.map(|ending| (ending.to_owned(), Some(MAX_FAILED))).into(),
        }
    }

    /// Returns the number of pages that may be read.
    pub(super) fn len(&self) -> usize {
        self.pages.len() - self.n_too_deep()
    }

    /// Returns the number of pages that are too many links from the start.
    pub(super) fn n_too_deep(&self) -> usize {
        self.pages.values().filter(|page| page.depth > self.max_depth).count()
    }

    /// Returns the number of links beyond the limit of their page, of which nothing is known.
    pub(super) fn n_cut(&self) -> usize {
        self.n_cut
    }

    /// Adds the links of a page that was read, which is so many links from the start.
    pub(super) fn add_links_of(&mut self, page: &WebPage, scope: &Scope, depth: usize) {
        self.seen.insert(page.address.clone());
        for key in [Some(folder_of(&page.address)), ending_of(&page.address)] {
            self.n_failed.extend(key.map(|key| (key, None)));
        }
        let n_within = page.links.iter().filter(|link| scope.contains(&link.target)).count();
        self.n_cut += n_within.saturating_sub(MAX_LINKS);
        for (link, words) in links_of(page, scope) {
            if link.is_page && !self.seen.contains(&link.target) {
                self.add(&link.target, scope, &link.text, words, depth + 1);
            }
        }
        self.pages.remove(&page.address);
    }

    /// Takes note that a page could not be read.
    pub(super) fn note_failed(&mut self, address: &Url) {
        self.count_failed(Some(folder_of(address)));
    }

    /// Takes note that what was answered is no page: a program to download, an archive.
    pub(super) fn note_no_page(&mut self, address: &Url) {
        self.count_failed(ending_of(address));
    }

    fn count_failed(&mut self, key: Option<String>) {
        let Some(key) = key else { return };
        let n_failed = self.n_failed.entry(key).or_insert(Some(0));
        *n_failed = n_failed.map(|n| n + 1);
    }

    /// Reports whether several pages of a folder failed, or several names with one ending were no
    /// pages, and none was read: the others are most likely the same, and wait until nothing else
    /// is left.
    fn is_gone(&self, address: &Url) -> bool {
        let n_failed = |key: String| self.n_failed.get(&key).copied().flatten().unwrap_or(0);
        let keys = [Some(folder_of(address)), ending_of(address)];
        keys.into_iter().flatten().any(|key| n_failed(key) >= MAX_FAILED)
    }

    /// Adds the pages that earlier readings know, within the scope.
    pub(super) fn know(&mut self, pages: &[ListedPage], scope: &Scope) {
        self.add_listed(pages.to_vec(), scope);
        self.most_kept = (!self.pages.is_empty()).then_some(0.0);
    }

    /// Reports whether earlier readings know pages of the site.
    pub(super) fn knows_site(&self) -> bool {
        self.most_kept.is_some()
    }

    /// Takes note of what the words of links to a page that was read had promised.
    pub(super) fn keeps(&mut self, promise: Option<LinkPromise>) {
        let by_words = promise.map_or(0.0, |promise| promise.by_words);
        self.most_kept = self.most_kept.map(|most| most.max(by_words));
    }

    /// Adds the pages of a list within the scope; how many links they are from the start is not
    /// known.
    pub(super) fn add_listed(&mut self, pages: Vec<ListedPage>, scope: &Scope) {
        for page in pages {
            if scope.contains(&page.address) && !self.seen.contains(&page.address) {
                let text = format!("{} {}", page.title, page.notes);
                let words = FrontierLink::of(&text, &page.heading);
                self.add(&page.address, scope, &page.title, words, DEPTH_OF_LISTED);
            }
        }
    }

    fn add(
        &mut self,
        address: &Url,
        scope: &Scope,
        title: &str,
        words: FrontierLink,
        depth: usize,
    ) {
        // Only a request tells of other addresses whether they are pages.
        if is_other_file(address) || self.excluded.contains(address) {
            return;
        }
        if !self.pages.contains_key(address) {
            let name = scope.name(address);
            let excluding = self.rules.globs(&name);
            if !excluding.is_empty() {
                count_excluded(&mut self.n_excluded, &excluding);
                self.excluded.insert(address.clone());
                return;
            }
        }
        let path = address.path().strip_prefix(scope.prefix()).unwrap_or_default();
        let page = self.pages.entry(address.clone()).or_insert_with(|| FrontierPage::at(path));
        page.add(&self.goal, title, words, depth);
    }

    /// Reports whether an address was asked, or is that of a page that was read.
    pub(super) fn was_asked(&self, address: &Url) -> bool {
        self.seen.contains(address)
    }

    /// Returns the numbers of pages that rules exclude, by their globs.
    pub(super) fn excluded(&self) -> BTreeMap<String, usize> {
        self.n_excluded.clone()
    }

    /// Takes the page that was chosen.
    pub(super) fn take(&mut self, next: &NextPage) {
        self.n_taken += 1;
        self.n_indexes += usize::from(next.promise.is_none());
        self.was_promised |= next.promise.is_some() && !next.is_blind;
        self.pages.remove(&next.address);
        self.seen.insert(next.address.clone());
    }

    /// Chooses the page to read next: a few indexes that the start links to, then the page that
    /// promises most.
    pub(super) fn choose(&self) -> Option<NextPage> {
        let is_next = |(address, page): &(&Url, &FrontierPage)| {
            page.depth == 1 && (is_index(address) || page.is_called_index())
        };
        let index = || self.pages.iter().find(is_next);
        let has_indexes = self.n_indexes < MAX_INDEXES && self.max_depth > 0 && !self.knows_site();
        match index().filter(|_| has_indexes) {
            Some((address, page)) => Some(NextPage::for_links(address.clone(), page.depth)),
            None => self.best(),
        }
    }

    /// Reports whether links say nothing of where to look: the start has none, or none so far had
    /// a word of the goal.
    pub(super) fn is_lost(&self, next: Option<&NextPage>) -> bool {
        match next {
            Some(next) => next.is_blind && !self.was_promised && !self.goal.is_empty(),
            None => self.n_taken == 0,
        }
    }

    /// Drops pages that were asked for, whatever came of it.
    pub(super) fn drop_asked<'a>(&mut self, asked: impl Iterator<Item = &'a str>) {
        let asked: BTreeSet<&str> = asked.collect();
        let called = self.pages.iter().filter(|(_, page)| page.is_called_index());
        let called = called.filter(|(address, _)| asked.contains(address.as_str()));
        self.n_indexes += called.filter(|(address, _)| !is_index(address)).count();
        self.pages.retain(|address, _| !asked.contains(address.as_str()));
        let asked: Vec<Url> = asked.into_iter().filter_map(|one| Url::parse(one).ok()).collect();
        self.n_taken += asked.len();
        self.n_indexes += asked.iter().filter(|address| is_index(address)).count();
        self.seen.extend(asked);
    }

    /// Returns the pages that are left, with what their links promise, sorted by address.
    pub(super) fn into_unread(self) -> Vec<UnreadPage> {
        let rarity = self.rarity();
        let unread = |(address, page): (&Url, &FrontierPage)| UnreadPage {
            address: address.clone(),
            title: page.title.clone(),
            evidence: page.promise(&rarity).sum(),
            depth: page.depth,
            n_links: page.links.len(),
        };
        self.pages.iter().map(unread).collect()
    }

    /// Returns the page whose links promise most, by words and by meaning; of equals the one
    /// nearest to the start, then by address. Of a known site only those count whose words promise
    /// enough beside the best one, so that reading ends where the others answer no better.
    fn best(&self) -> Option<NextPage> {
        let rarity = self.rarity();
        let within = self.pages.iter().filter(|(_, page)| page.depth <= self.max_depth);
        let promised: Vec<(&Url, usize, LinkPromise)> =
            within.map(|(address, page)| (address, page.depth, page.promise(&rarity))).collect();
        let by_words = promised.iter().map(|(.., promise)| promise.by_words).fold(0.0, f64::max);
        let is_worth_reading = |promise: &LinkPromise| match self.most_kept {
            Some(most) => {
                let has_word = in_thousandths(promise.by_words) > 0;
                has_word && promise.by_words >= OF_BEST * most.max(by_words)
            }
            None => true,
        };
        let worth = promised.into_iter().filter(|(.., promise)| is_worth_reading(promise));
        let rank = |(address, depth, promise): &(&Url, usize, LinkPromise)| {
            (self.is_gone(address), Reverse(in_thousandths(promise.sum())), *depth)
        };
        let (address, depth, promise) = worth.min_by_key(rank)?;
        let is_blind = in_thousandths(by_words) == 0;
        Some(NextPage { address: address.clone(), depth, promise: Some(promise), is_blind })
    }

    /// Returns the words of the goal with their weights among the pages.
    fn rarity(&self) -> Vec<(&WantedWord, f64)> {
        let n_with = |word: &WantedWord| self.pages.values().filter(|page| page.has(word)).count();
        self.goal.rarity(self.pages.len(), n_with)
    }
}

/// Returns the path of the folder that a page lies in.
fn folder_of(address: &Url) -> String {
    let path = address.path();
    path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()
}

/// Returns the ending of the last part of a path: `.tac`. `None` if it has none.
fn ending_of(address: &Url) -> Option<String> {
    let name = address.path().rsplit('/').next()?;
    let (_, ending) = name.rsplit_once('.')?;
    Some(format!(".{}", ending.to_ascii_lowercase()))
}

/// Reports whether an address is that of an index, by its last part.
fn is_index(address: &Url) -> bool {
    let last = address.path().rsplit('/').next().unwrap_or_default();
    let stem = last.split('.').next().unwrap_or_default().to_ascii_lowercase();
    INDEXES.iter().any(|index| stem == *index || stem.ends_with(&format!("-{index}")))
}
