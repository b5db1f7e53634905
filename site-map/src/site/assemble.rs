//! From responses to a site: pages without twins and without what repeats on all of them, and the
//! links between them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use rayon::prelude::*;
use repo_map::plan::{ExcludedPaths, Rule};
use repo_map::{
    Document, FlightPlan, Judged, Options, PageFacts, SiteFacts, Tree, UnreadPages, counted, n_of,
};
use url::Url;

use crate::address::Scope;
use crate::error::{Error, Result};
use crate::page::{PageBlock, WebPage};
use crate::site::answers::AnswersDigest;
use crate::site::document::{self, LeftOutPage, SitePage, WrittenPage};
use crate::site::linked::LinkedPages;
use crate::site::parsed::{AddressNumbers, ParsedPage};
use crate::site::redirects::PageRedirects;
use crate::site::repeated::Repeated;
use crate::site::{gathered, names, start, titles};
use crate::source::response::Response;

/// How many pages are parsed before their links are packed, and how many bytes their bodies have
/// before the last one is added; bounds the memory.
const CHUNK: usize = 256;
const CHUNK_BYTES: usize = 64 << 20;
/// How many characters of hidden text count for a token; only for the message.
const CHARACTERS_A_TOKEN: usize = 4;

/// The pages of a site.
#[derive(Debug, Clone)]
pub struct Site {
    /// The pages that can be shown, sorted by name.
    pub pages: Vec<SitePage>,
    /// Pages that say the same as another: the address, and the name of that other.
    pub twins: Vec<(Url, String)>,
    /// Pages that only list links: `genindex.html`, a table of contents.
    pub indexes: Vec<LeftOutPage>,
    /// Pages that gather what others say: a manual in one page, beside its chapters.
    pub gathered: Vec<LeftOutPage>,
    /// Pages that say that they do not exist, whatever the status of the response.
    pub missing: Vec<Url>,
    /// Addresses that have no page of their own, and where each leads in the end.
    pub redirects: Vec<(Url, Url)>,
    /// The number of pages that only send their reader to another one.
    pub n_redirects: usize,
    /// The number of blocks that were dropped because they repeat on most pages.
    pub n_repeated: usize,
    /// The number of pages that were read up to a place where they are nested too deeply.
    pub n_cut: usize,
    /// The number of compressed pages that are damaged, or too large.
    pub n_damaged: usize,
    /// The number of elements that no reader of the pages sees, and of characters in them.
    pub n_hidden: (usize, usize),
    /// The names of the pages of the scope that nobody asked a server for, those that most pages
    /// link to first.
    pub unread: Vec<String>,
    /// The name of the page that the site begins with.
    pub(super) start: Option<String>,
    /// The links between pages, by their positions.
    pub(super) links: BTreeSet<(u32, u32)>,
    pub(super) scope: Scope,
    /// The answers of the server; `None` for files of a folder.
    pub(super) facts: Option<SiteFacts>,
    /// The folder or the recording that it was read from, by which a cache finds it.
    pub(super) origin: Option<PathBuf>,
}

impl Site {
    /// Makes a site of responses. What is no page is passed over.
    ///
    /// # Errors
    /// If one of the responses cannot be read, or none is a page.
    pub fn of(scope: &Scope, responses: impl Iterator<Item = Result<Response>>) -> Result<Site> {
        let site = Site::of_any(scope, responses)?;
        if site.pages.is_empty() && site.indexes.is_empty() {
            let message = match (site.n_redirects, site.missing.len()) {
                (0, 0) => "has no HTML page".to_owned(),
                (n, 0) => format!("has no page but those that send their reader elsewhere: {n}"),
                (n, missing) => format!(
                    "has no page but those that send their reader elsewhere or say that they do \
                     not exist: {}",
                    n + missing
                ),
            };
            return Err(Error::NoPages { place: scope.start().to_string(), message });
        }
        Ok(site)
    }

    /// Makes a site of responses of which perhaps none is a page.
    pub(crate) fn of_any(
        scope: &Scope,
        responses: impl Iterator<Item = Result<Response>>,
    ) -> Result<Site> {
        let mut addresses = AddressNumbers::default();
        let mut parsed: Vec<ParsedPage> = Vec::new();
        let mut answers = AnswersDigest::default();
        let mut missing = Vec::new();
        let mut redirects = PageRedirects::default();
        let mut linked = LinkedPages::default();
        let mut n_damaged = 0;
        let mut responses = responses.peekable();
        while responses.peek().is_some() {
            let chunk = next_chunk(&mut responses, CHUNK_BYTES)?;
            answers.add(&chunk);
            linked.add_asked(&chunk);
            redirects.add(&chunk);
            n_damaged += chunk.iter().filter(|one| one.damaged_encoding().is_some()).count();
            let pages: Vec<WebPage> =
                chunk.par_iter().filter(|one| one.is_page()).map(WebPage::of).collect();
            for page in pages {
                match page.says_not_found {
                    true => missing.push(page.address),
                    false => {
                        linked.add_links_of(&page, scope);
                        parsed.push(ParsedPage::of(page, &mut addresses));
                    }
                }
            }
        }
        missing.sort();
        missing.dedup();
        // Of two answers for one address the later one stays, as in a recording.
        parsed.reverse();
        parsed.sort_by(|one, other| one.address.as_str().cmp(other.address.as_str()));
        parsed.dedup_by(|one, other| one.address == other.address);
        let facts = answers.facts(scope);
        let site = Site::of_parsed(scope, parsed, &addresses, &redirects);
        let unread = linked.unread(scope, |name| site.page(name).is_some());
        Ok(Site { missing, facts, unread, n_damaged, ..site })
    }

    fn of_parsed(
        scope: &Scope,
        mut parsed: Vec<ParsedPage>,
        addresses: &AddressNumbers,
        redirects: &PageRedirects,
    ) -> Site {
        drop_shared(&mut parsed);
        let n_links = IncomingLinks::of(&parsed, addresses);
        let repeated =
            Repeated::of(parsed.iter().map(|page| (page.blocks.as_slice(), n_links.of_page(page))));
        let mut site = Site {
            pages: Vec::new(),
            twins: Vec::new(),
            indexes: Vec::new(),
            gathered: Vec::new(),
            missing: Vec::new(),
            redirects: redirects.ends(),
            n_redirects: redirects.n_pages,
            n_repeated: 0,
            n_cut: 0,
            n_damaged: 0,
            n_hidden: (0, 0),
            unread: Vec::new(),
            start: None,
            links: BTreeSet::new(),
            scope: scope.clone(),
            facts: None,
            origin: None,
        };
        let start = start::of(scope, redirects, &parsed);
        let is_start = |page: &ParsedPage| start.as_ref() == Some(&page.address);
        let (parsed, indexes): (Vec<ParsedPage>, Vec<ParsedPage>) =
            parsed.into_iter().partition(|page| is_start(page) || !page.is_index(&repeated));
        site.indexes = document::left_out(indexes, &repeated);
        let parsed = site.without_gathered(parsed, &repeated);
        let names = names::of(scope, parsed.iter().map(|page| &page.address));
        let mut by_text: HashMap<blake3::Hash, usize> = HashMap::new();
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut links: Vec<Vec<u32>> = Vec::new();
        for at in kept_first(start.as_ref(), &parsed, &names, &n_links) {
            let page = &parsed[at];
            let WrittenPage { markdown, sections, n_dropped, has_data } =
                document::write(page, &repeated, is_start(page));
            if is_start(page) {
                site.start = Some(names[at].clone());
            }
            let text = document::digest(page, &repeated, &markdown, is_start(page));
            let number = addresses.0.get(&page.address).copied();
            if let Some(first) = by_text.get(&text).copied().filter(|_| !markdown.is_empty()) {
                site.twins.push((page.address.clone(), site.pages[first].name.clone()));
                numbers.extend(number.map(|number| (number, first as u32)));
                continue;
            }
            by_text.insert(text, site.pages.len());
            numbers.extend(number.map(|number| (number, site.pages.len() as u32)));
            site.n_repeated += n_dropped;
            site.n_cut += usize::from(!page.is_whole);
            site.n_hidden.0 += page.n_hidden_parts;
            site.n_hidden.1 += page.n_hidden;
            links.push(page.links.clone());
            site.pages.push(SitePage {
                name: names[at].clone(),
                address: page.address.clone(),
                title: page.title.clone(),
                markdown,
                sections,
                has_data,
                n_images: page.n_images,
            });
        }
        redirects.add_to(&mut numbers, addresses);
        for (from, targets) in links.iter().enumerate() {
            let to = targets.iter().filter_map(|target| numbers.get(target).copied());
            site.links.extend(to.map(|to| (from as u32, to)).filter(|(from, to)| from != to));
        }
        site.sort();
        site
    }

    /// Takes out the pages that gather others: their sections would stand twice in each context.
    fn without_gathered(
        &mut self,
        parsed: Vec<ParsedPage>,
        repeated: &Repeated,
    ) -> Vec<ParsedPage> {
        let blocks: Vec<&[PageBlock]> = parsed.iter().map(|page| page.blocks.as_slice()).collect();
        let gathered = gathered::gathered(&blocks);
        let (gathered, others): (Vec<_>, Vec<_>) =
            parsed.into_iter().enumerate().partition(|(at, _)| gathered.contains(at));
        let gathered = gathered.into_iter().map(|(_, page)| page).collect();
        self.gathered = document::left_out(gathered, repeated);
        others.into_iter().map(|(_, page)| page).collect()
    }

    /// Sorts the pages by name, and the positions in links with them.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.pages.len()).collect();
        order.sort_by(|one, other| self.pages[*one].name.cmp(&self.pages[*other].name));
        let mut places = vec![0; order.len()];
        for (place, at) in order.iter().enumerate() {
            places[*at] = place as u32;
        }
        let place = |at: &u32| places[*at as usize];
        self.links = self.links.iter().map(|(from, to)| (place(from), place(to))).collect();
        self.pages.sort_by(|one, other| one.name.cmp(&other.name));
        self.twins.sort();
    }

    /// Returns the address and the digest of the answers that the pages come from; `None` for files
    /// of a folder.
    pub fn facts(&self) -> Option<&SiteFacts> {
        self.facts.as_ref()
    }

    /// Returns the pages as a tree of documents. Pages that were not read and that rules exclude
    /// are not named.
    ///
    /// # Errors
    /// If the engine refuses a name, or a glob of the rules does not compile.
    pub fn tree(&self, rules: &[Rule]) -> Result<Tree> {
        let excluded = ExcludedPaths::of(rules)?;
        let documents = self.pages.iter();
        let documents = documents.map(|page| Document::page(&page.name, page.markdown.as_bytes()));
        let unread = self.unread.iter().map(|name| Document::map_name(name));
        let (named, left_out): (Vec<_>, Vec<_>) =
            unread.partition(|name| excluded.glob(name).is_none());
        let globs: BTreeSet<&str> = left_out.iter().flat_map(|name| excluded.globs(name)).collect();
        let excluding_unread = globs.into_iter().map(str::to_owned).collect();
        let unread = UnreadPages::of(named.into_iter());
        let site = self.facts.clone().map(|facts| SiteFacts { unread, ..facts });
        let pages = self.page_facts();
        Ok(Tree { site, excluding_unread, pages, ..Tree::of_documents(documents.collect())? })
    }

    /// Returns what a map says of pages beside their text.
    fn page_facts(&self) -> PageFacts {
        let titled = self.pages.iter().filter_map(|page| {
            Some((Document::map_name(&page.name), titles::beside(&page.name, &page.title)?))
        });
        PageFacts { start: self.start.as_deref().map(Document::map_name), titles: titled.collect() }
    }

    /// Returns the links between pages, by their names.
    pub fn links(&self) -> Vec<(String, String)> {
        let name = |at: u32| self.pages[at as usize].name.clone();
        self.links.iter().map(|(from, to)| (name(*from), name(*to))).collect()
    }

    /// Scores the pages for the goal of a plan.
    ///
    /// # Errors
    /// If a glob of the plan does not compile, or the operation was cancelled.
    pub fn judged(&self, plan: &FlightPlan, options: &Options) -> Result<Judged> {
        let options = Options { origin: self.origin.clone(), ..options.clone() };
        let tree = self.tree(&plan.rules)?;
        Ok(repo_map::open_tree(tree, &self.links(), plan, &options)?)
    }

    /// Returns what was left out, in words; `None` if nothing was.
    pub fn left_out(&self) -> Option<String> {
        let counts = [
            (self.twins.len(), ["page that says", "pages that say"], "the same as another"),
            (self.gathered.len(), ["page that gathers", "pages that gather"], "others"),
            (self.indexes.len(), ["page that only lists", "pages that only list"], "links"),
            (self.missing.len(), ["page that says it does", "pages that say they do"], "not exist"),
            (self.n_redirects, ["page that redirects", "pages that redirect"], "to another"),
            (self.n_repeated, ["block that repeats", "blocks that repeat"], "on most pages"),
            (self.n_cut, ["end of a page", "ends of pages"], "nested too deeply"),
            (self.n_damaged, ["compressed page", "compressed pages"], "damaged or too large"),
        ];
        let words = counts.iter().filter(|(n, ..)| *n > 0);
        let words =
            words.map(|(n, [one, many], rest)| format!("{} {rest}", counted(*n, one, many)));
        let mut words: Vec<String> = words.collect();
        if let (parts @ 1.., n_characters) = self.n_hidden {
            let parts = n_of(parts, "hidden part");
            let tokens = n_characters.div_ceil(CHARACTERS_A_TOKEN);
            words.push(format!("{parts} (about {tokens} tokens)"));
        }
        let pages = n_of(self.pages.len(), "page");
        (!words.is_empty()).then(|| format!("{pages}; left out: {}", words.join(", ")))
    }

    /// Returns the scope by which pages are named.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the name that a page of this site would have which was not read.
    pub fn name_of(&self, address: &Url) -> String {
        self.scope.name(address)
    }

    /// Returns a page by its name.
    pub fn page(&self, name: &str) -> Option<&SitePage> {
        let at = self.pages.binary_search_by(|page| page.name.as_str().cmp(name));
        at.ok().map(|at| &self.pages[at])
    }
}

/// Takes the responses that are parsed together: those that have `n_bytes` with the last one of
/// them.
fn next_chunk(
    responses: &mut impl Iterator<Item = Result<Response>>,
    n_bytes: usize,
) -> Result<Vec<Response>> {
    let mut chunk = Vec::new();
    let mut n_taken = 0;
    while chunk.len() < CHUNK && n_taken < n_bytes {
        let Some(response) = responses.next().transpose()? else { break };
        n_taken += response.body.len();
        chunk.push(response);
    }
    Ok(chunk)
}

/// Returns the positions of pages, of those that say the same first the one that stays: the page
/// that others name as theirs, then the start, then the one that most pages link to, then the one
/// with the shortest name.
fn kept_first(
    start: Option<&Url>,
    pages: &[ParsedPage],
    names: &[String],
    n_links: &IncomingLinks<'_>,
) -> Vec<usize> {
    let known: HashSet<&Url> = pages.iter().map(|page| &page.address).collect();
    let is_own = |page: &ParsedPage| {
        let named = page.canonical.as_ref();
        named.is_none_or(|own| *own == page.address || !known.contains(own))
    };
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by_key(|at| {
        let page = &pages[*at];
        let linked = Reverse(n_links.of_page(page));
        (!is_own(page), start != Some(&page.address), linked, names[*at].len(), *at)
    });
    order
}

/// How many pages link to a page.
struct IncomingLinks<'a> {
    addresses: &'a AddressNumbers,
    /// By the number of the address that they link to.
    n_pages: HashMap<u32, usize>,
}

impl<'a> IncomingLinks<'a> {
    fn of(pages: &[ParsedPage], addresses: &'a AddressNumbers) -> IncomingLinks<'a> {
        let mut n_pages: HashMap<u32, usize> = HashMap::new();
        for target in pages.iter().flat_map(|page| &page.links) {
            *n_pages.entry(*target).or_default() += 1;
        }
        IncomingLinks { addresses, n_pages }
    }

    fn of_page(&self, page: &ParsedPage) -> usize {
        let number = self.addresses.0.get(&page.address);
        number.and_then(|number| self.n_pages.get(number)).copied().unwrap_or(0)
    }
}

/// Takes the name of the site out of titles, and the places above all pages out of breadcrumbs.
fn drop_shared(parsed: &mut [ParsedPage]) {
    let titles: Vec<&str> = parsed.iter().map(|page| page.title.as_str()).collect();
    let site_name = titles::SiteName::of(&titles);
    for page in &mut *parsed {
        page.title = site_name.without(&page.title).to_owned();
    }
    let n_shared = titles::shared_crumbs(parsed.iter().map(|page| page.breadcrumb.as_slice()));
    for page in parsed {
        page.breadcrumb.drain(..n_shared.min(page.breadcrumb.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_ends_with_the_page_that_fills_it() {
        let page = |n: usize| {
            let address = Url::parse(&format!("http://a.example/{n}")).unwrap();
            Ok(Response { address, status: 200, headers: Vec::new(), body: vec![0; 10] })
        };
        let n_chunks = |n_bytes: usize| {
            let mut pages = (0..CHUNK + 1).map(page);
            std::iter::from_fn(|| Some(next_chunk(&mut pages, n_bytes).unwrap().len()))
                .take_while(|n| *n > 0)
                .take(3)
                .collect::<Vec<_>>()
        };
        assert_eq!(n_chunks(25), [3, 3, 3]);
        assert_eq!(n_chunks(CHUNK_BYTES), [CHUNK, 1]);
    }
}
