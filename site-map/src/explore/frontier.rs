//! Pages that are only known from links, and what the links promise for a goal.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use repo_map::plan::ExcludedPaths;
use repo_map::topic_words;
use url::Url;

use crate::address::{Scope, is_other_file};
use crate::explore::limits::ExploreLimits;
use crate::explore::listing::ListedPage;
use crate::page::{PageLink, WebPage};
use crate::source::http::crawl_report::count_excluded;

/// The largest number of links of one page that are kept; an index of a large manual has more.
const MAX_LINKS: usize = 20_000;
/// The largest number of links that count for one page, the first ones.
const MAX_LINKS_TO_A_PAGE: usize = 200;
/// What the words of an address count beside those of a link.
const OF_ADDRESS: f64 = 0.6;
/// What the words of the heading above a link count beside its own.
const OF_HEADING: f64 = 0.3;
/// What all links to a page together count beside the best one.
const OF_ALL: f64 = 0.3;
/// What the words of the first line of a goal, which is its title, count beside the others.
const OF_TITLE: f64 = 2.0;
/// What a page about releases counts beside others: it names everything and explains little.
const OF_RELEASES: f64 = 0.4;
/// What a page of a known site has to promise beside the best one that was read.
const OF_BEST: f64 = 1.0 / 3.0;
/// The largest number of indexes that are read for their links alone.
const MAX_INDEXES: usize = 3;
/// How many links a page of a list counts as from the start: behind an index.
pub(super) const DEPTH_OF_LISTED: usize = 2;
/// The largest number of words that a folder around a link counts with, and all of them.
const MAX_FOLDER_WORDS: usize = 12;
const MAX_WORDS_OF_FOLDERS: usize = 50;
/// What an index is called, in its address or in links to it.
const INDEXES: [&str; 6] = ["genindex", "contents", "toc", "sitemap", "modindex", "allclasses"];

/// A page that links promised and nobody read.
#[derive(Debug, Clone, PartialEq)]
pub struct UnreadPage {
    /// The address.
    pub address: Url,
    /// The words of the first link to it.
    pub title: String,
    /// What the links promise for the goal.
    pub evidence: f64,
    /// The number of links between the start and the page.
    pub depth: usize,
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
    goal: GoalWords,
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
    n_taken: usize,
    /// Whether a page was taken because of a word of the goal.
    was_promised: bool,
    /// What the pages of a known site that were read promised at most; `None` where nothing is
    /// known of the site.
    most_kept: Option<f64>,
}

/// A page that is only known from links.
#[derive(Debug, Default)]
struct FrontierPage {
    /// The words of the first link, as they stand.
    title: String,
    links: Vec<FrontierLink>,
    of_address: BTreeSet<String>,
    depth: usize,
}

/// The topic words of a link, and of the heading above it.
#[derive(Debug)]
struct FrontierLink {
    own: BTreeSet<String>,
    of_heading: BTreeSet<String>,
}

/// The page to read next.
#[derive(Debug)]
pub(super) struct NextPage {
    pub(super) address: Url,
    /// The number of links from the start.
    pub(super) depth: usize,
    /// What the links promise for the goal, if that is why the page is read.
    pub(super) evidence: Option<f64>,
}

impl NextPage {
    /// Reports whether the page is read although no link to it has a word of the goal.
    pub(super) fn is_blind(&self) -> bool {
        self.evidence.is_some_and(|evidence| in_thousandths(evidence) == 0)
    }
}

/// The words of a goal, with their weights.
#[derive(Debug)]
struct GoalWords(BTreeMap<String, f64>);

impl GoalWords {
    fn of(goal: &str) -> GoalWords {
        let mut weights = BTreeMap::new();
        let (title, body) = goal.trim().split_once('\n').unwrap_or((goal, ""));
        for (text, weight) in [(title, OF_TITLE), (body, 1.0)] {
            for word in topic_words(text) {
                let known: &mut f64 = weights.entry(word).or_default();
                *known = known.max(weight);
            }
        }
        GoalWords(weights)
    }
}

impl Frontier {
    /// The frontier before the first page is read.
    pub(super) fn of(goal: &str, start: &Url, limits: &ExploreLimits) -> Frontier {
        Frontier {
            goal: GoalWords::of(goal),
            pages: BTreeMap::new(),
            seen: BTreeSet::from([start.clone()]),
            max_depth: limits.depth,
            rules: limits.excluded.clone(),
            excluded: BTreeSet::new(),
            n_excluded: BTreeMap::new(),
            n_indexes: 0,
            n_taken: 0,
            was_promised: false,
            most_kept: None,
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

    /// Adds the links of a page that was read, which is so many links from the start.
    pub(super) fn add_links_of(&mut self, page: &WebPage, scope: &Scope, depth: usize) {
        self.seen.insert(page.address.clone());
        for (link, words) in links_of(page, scope) {
            if !self.seen.contains(&link.target) {
                self.add(&link.target, scope, &link.text, words, depth + 1);
            }
        }
        self.pages.remove(&page.address);
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

    /// Takes note of what a page that was read had promised.
    pub(super) fn keeps(&mut self, evidence: Option<f64>) {
        let most = self.most_kept.map(|most| most.max(evidence.unwrap_or_default()));
        self.most_kept = most;
    }

    /// Adds the pages of a list within the scope; how many links they are from the start is not
    /// known.
    pub(super) fn add_listed(&mut self, pages: Vec<ListedPage>, scope: &Scope) {
        for page in pages {
            if scope.contains(&page.address) && !self.seen.contains(&page.address) {
                let own = topic_words(&format!("{} {}", page.title, page.notes));
                let words = FrontierLink {
                    own: own.into_iter().collect(),
                    of_heading: topic_words(&page.heading).into_iter().collect(),
                };
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
        let of_address = topic_words(path).into_iter().collect();
        let new = || FrontierPage { of_address, ..FrontierPage::default() };
        self.pages.entry(address.clone()).or_insert_with(new).add(title, words, depth);
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
        self.n_indexes += usize::from(next.evidence.is_none());
        self.was_promised |= next.evidence.is_some() && !next.is_blind();
        self.pages.remove(&next.address);
        self.seen.insert(next.address.clone());
    }

    /// Chooses the page to read next: a few indexes that the start links to, then the page that
    /// promises most.
    pub(super) fn choose(&self) -> Option<NextPage> {
        let index = || self.pages.iter().find(|(one, page)| page.depth == 1 && is_index(one));
        let has_indexes = self.n_indexes < MAX_INDEXES && self.max_depth > 0 && !self.knows_site();
        match index().filter(|_| has_indexes) {
            Some((address, page)) => {
                Some(NextPage { address: address.clone(), depth: page.depth, evidence: None })
            }
            None => self.best(),
        }
    }

    /// Reports whether links say nothing of where to look: the start has none, or none so far had
    /// a word of the goal.
    pub(super) fn is_lost(&self, next: Option<&NextPage>) -> bool {
        match next {
            Some(next) => next.is_blind() && !self.was_promised && !self.goal.0.is_empty(),
            None => self.n_taken == 0,
        }
    }

    /// Drops pages that were asked for, whatever came of it.
    pub(super) fn drop_asked<'a>(&mut self, asked: impl Iterator<Item = &'a str>) {
        let asked: BTreeSet<&str> = asked.collect();
        self.pages.retain(|address, _| !asked.contains(address.as_str()));
        let asked: Vec<Url> = asked.into_iter().filter_map(|one| Url::parse(one).ok()).collect();
        self.n_taken += asked.len();
        self.n_indexes += asked.iter().filter(|address| is_index(address)).count();
        self.seen.extend(asked);
    }

    /// Returns the pages that are left, with what their links promise, sorted by address.
    pub(super) fn into_unread(self) -> Vec<UnreadPage> {
        let rarity = self.rarity();
        let unread = |(address, page): (&Url, &FrontierPage)| {
            let (address, title) = (address.clone(), page.title.clone());
            UnreadPage { address, title, evidence: page.score(&rarity), depth: page.depth }
        };
        self.pages.iter().map(unread).collect()
    }

    /// Returns the page whose links have the rarest words of the goal; of equals the one nearest
    /// to the start, then by address.
    fn best(&self) -> Option<NextPage> {
        let rarity = self.rarity();
        let mut best: Option<(u64, NextPage)> = None;
        for (address, page) in self.pages.iter().filter(|(_, page)| page.depth <= self.max_depth) {
            let evidence = page.score(&rarity);
            let score = in_thousandths(evidence);
            let is_better = best.as_ref().is_none_or(|(most, other)| {
                (score, Reverse(page.depth)) > (*most, Reverse(other.depth))
            });
            if is_better {
                let (address, depth) = (address.clone(), page.depth);
                best = Some((score, NextPage { address, depth, evidence: Some(evidence) }));
            }
        }
        best.map(|(_, page)| page).filter(|page| self.is_worth_reading(page))
    }

    /// Reports whether a page promises enough. Of a known site the pages that promise most come
    /// first, so that what is left answers no better.
    fn is_worth_reading(&self, page: &NextPage) -> bool {
        let evidence = page.evidence.unwrap_or_default();
        self.most_kept.is_none_or(|most| !page.is_blind() && evidence >= OF_BEST * most)
    }

    /// Returns the words of the goal with their weights among the pages.
    fn rarity(&self) -> Vec<(&String, f64)> {
        let n = self.pages.len() as f64;
        let words = self.goal.0.iter().map(|(word, weight)| {
            let n_with = self.pages.values().filter(|page| page.has(word)).count() as f64;
            // The inverse document frequency of BM25.
            (word, weight * ((n - n_with + 0.5) / (n_with + 0.5) + 1.0).ln())
        });
        words.collect()
    }
}

impl FrontierPage {
    fn add(&mut self, title: &str, link: FrontierLink, depth: usize) {
        if self.title.is_empty() {
            self.title = title.to_owned();
        }
        self.depth = if self.links.is_empty() { depth } else { self.depth.min(depth) };
        if self.links.len() < MAX_LINKS_TO_A_PAGE {
            self.links.push(link);
        }
    }

    fn has(&self, word: &str) -> bool {
        self.of_address.contains(word) || self.links.iter().any(|link| link.has(word) > 0.0)
    }

    /// Scores the page: its best link, and a share of what all of them have.
    fn score(&self, rarity: &[(&String, f64)]) -> f64 {
        let of_link = |link: &FrontierLink| {
            let of_word = |word: &String| {
                let address = if self.of_address.contains(word) { OF_ADDRESS } else { 0.0 };
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
        factor * (best + OF_ALL * all / (4.0 + self.links.len() as f64).sqrt())
    }

    fn is_of_releases(&self) -> bool {
        ["whatsnew", "changelog", "release"].iter().any(|word| self.of_address.contains(*word))
    }
}

impl FrontierLink {
    fn has(&self, word: &str) -> f64 {
        match (self.own.contains(word), self.of_heading.contains(word)) {
            (true, _) => 1.0,
            (false, true) => OF_HEADING,
            (false, false) => 0.0,
        }
    }
}

/// Returns evidence in thousandths, so that equals are equal.
fn in_thousandths(evidence: f64) -> u64 {
    (1_000.0 * evidence) as u64
}

/// Reports whether an address is that of an index, by its last part.
fn is_index(address: &Url) -> bool {
    let last = address.path().rsplit('/').next().unwrap_or_default();
    let stem = last.split('.').next().unwrap_or_default().to_ascii_lowercase();
    INDEXES.iter().any(|index| stem == *index || stem.ends_with(&format!("-{index}")))
}

/// Returns what a page says of others within the scope.
fn links_of<'p>(page: &'p WebPage, scope: &Scope) -> Vec<(&'p PageLink, FrontierLink)> {
    let headings: Vec<BTreeSet<String>> = page
        .blocks
        .iter()
        .map(|block| topic_words(&block.text).into_iter().take(12).collect())
        .collect();
    let mut folders = words_of_folders(page);
    let within = page.links.iter().enumerate().filter(|(_, link)| scope.contains(&link.target));
    let known = within.take(MAX_LINKS).map(|(at, link)| {
        let heading = link.under.and_then(|at| headings.get(at)).cloned().unwrap_or_default();
        let of_heading = folders.remove(&at).unwrap_or(heading);
        (link, FrontierLink { own: topic_words(&link.text).into_iter().collect(), of_heading })
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
            let own = topic_words(&node.label).into_iter().take(MAX_FOLDER_WORDS);
            let room = MAX_WORDS_OF_FOLDERS.saturating_sub(words.len());
            around.push(words.into_iter().chain(own.take(room)).collect());
        }
    }
    of_links
}
