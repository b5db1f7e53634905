//! The pages of a site that are only known from links: their names, what links call them, and a
//! guess of their size.

use std::collections::{BTreeMap, BTreeSet};

use repo_map::{Document, suggest};
use site_map::explore::{UnreadPage, unread_pages};
use site_map::source::recording::Recording;
use site_map::source::response::failed_status;
use site_map::{LeftOutCause, Result, Scope, Site};
use url::Url;

use super::screen::address;
use crate::run::text::one_line;
#[cfg(feature = "mcp")]
use crate::shared::n_of;

/// The longest name and the longest title in a list, in characters.
const MAX_NAME: usize = 200;
const MAX_TITLE: usize = 80;
/// The bytes of a token, for guesses.
const BYTES_OF_A_TOKEN: usize = 4;
/// The guess of the size of a page where none was read, in tokens.
const USUAL_TOKENS: usize = 1_000;
/// The most pages that a complaint names.
const MAX_NAMED: usize = 3;

/// A page that is only known from links.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KnownPage {
    /// The name that it would have on the map.
    pub(super) name: String,
    pub(super) address: Url,
    title: String,
    /// A guess of its size in tokens.
    tokens: usize,
    /// What links promise for the goal.
    evidence: f64,
    /// The number of links between the start and the page.
    depth: usize,
}

impl KnownPage {
    /// Formats the page as a line of a list.
    pub(super) fn text(&self) -> String {
        let title = one_line(&self.title, MAX_TITLE);
        let title = if title.is_empty() { String::new() } else { format!(" \"{title}\",") };
        format!("{}:{title} about {} tokens", one_line(&self.name, MAX_NAME), self.tokens)
    }

    /// Reports whether links or the name have a word.
    pub(super) fn has(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.title.to_lowercase().contains(&word) || self.name.to_lowercase().contains(&word)
    }
}

/// What was read of a site, and how far it may be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadSite<'a> {
    /// The answers of the server.
    pub(crate) recording: &'a Recording,
    /// The pages of the recording.
    pub(crate) site: &'a Site,
    /// The scope of the run.
    pub(crate) scope: &'a Scope,
    /// The largest number of links between the start and a page.
    pub(crate) max_depth: usize,
}

/// The pages of a site that are only known from links, those that promise most first.
#[derive(Debug)]
pub(crate) struct KnownPages {
    pages: Vec<KnownPage>,
    /// The pages that are too many links from the start.
    too_deep: BTreeSet<String>,
    /// The pages that were asked for, with what came of it.
    asked: BTreeMap<String, String>,
    /// The path below which pages are named.
    names_below: String,
    /// The scope in which pages can be visited: their names must stay below the same folder.
    scope: Scope,
}

impl KnownPages {
    /// Finds what the pages that were read say of others. Those that failed are left out.
    ///
    /// # Errors
    /// If the recording cannot be read.
    pub(crate) fn of(
        read: ReadSite<'_>,
        goal: &str,
        failed: &BTreeMap<String, String>,
    ) -> Result<KnownPages> {
        let ReadSite { recording, site, .. } = read;
        let sizes = PageSizes::of(site);
        let mut known = KnownPages {
            pages: Vec::new(),
            too_deep: BTreeSet::new(),
            asked: asked(recording, site),
            names_below: site.scope().prefix().to_owned(),
            scope: visited_scope(read.scope, site.scope()),
        };
        let mut names = BTreeSet::new();
        for page in unread_pages(recording, &known.scope, goal)? {
            let name = Document::map_name(&site.name_of(&page.address));
            if failed.contains_key(&name) || !names.insert(name.clone()) {
                continue;
            }
            if page.depth > read.max_depth {
                known.too_deep.insert(name);
                continue;
            }
            let tokens = sizes.guess(&name);
            let UnreadPage { address, title, evidence, depth, .. } = page;
            known.pages.push(KnownPage { name, address, title, tokens, evidence, depth });
        }
        known.asked.extend(failed.clone());
        Ok(known)
    }

    /// Returns the pages, those that promise most first.
    pub(super) fn pages(&self) -> &[KnownPage] {
        &self.pages
    }

    /// Returns the number of pages that were not read.
    pub(super) fn n_unread(&self) -> usize {
        self.pages.len() + self.too_deep.len()
    }

    /// Returns the scope in which pages can be visited.
    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns a page by its name.
    pub(super) fn page(&self, name: &str) -> Option<&KnownPage> {
        self.pages.iter().find(|page| page.name == name)
    }

    /// Returns the page that a pilot means by its name or its address.
    ///
    /// # Errors
    /// A sentence, if it is not known from links.
    pub(super) fn find(&self, said: &str) -> std::result::Result<&KnownPage, String> {
        let name = meant(said);
        self.by_name(name)
            .ok_or_else(|| self.why_not(name).unwrap_or_else(|| self.no_link_to(name)))
    }

    /// Says why a page, named by its name or its address, is not on the map.
    ///
    /// # Errors
    /// A sentence, if no link leads to it.
    #[cfg(feature = "mcp")]
    pub(crate) fn why_missing(&self, said: &str) -> std::result::Result<String, String> {
        let name = meant(said);
        let Some(page) = self.by_name(name) else {
            return self.why_not(name).ok_or_else(|| self.no_link_to(name));
        };
        let place = self.pages.iter().position(|one| one.name == page.name).unwrap_or_default();
        let title = one_line(&page.title, MAX_TITLE);
        let called = if title.is_empty() { String::new() } else { format!("\"{title}\", ") };
        Ok(format!(
            "`{}` was not read: {called}about {} tokens, {} from the first page; links promise \
             {:.2} of it, place {} of {} not read",
            one_line(&page.name, MAX_NAME),
            page.tokens,
            n_of(page.depth, "link"),
            page.evidence,
            place + 1,
            self.pages.len(),
        ))
    }

    fn by_name(&self, name: &str) -> Option<&KnownPage> {
        let is_it = |page: &&KnownPage| {
            page.name == name
                || page.address.as_str() == name
                || address(page.address.as_str()) == name
        };
        self.pages.iter().find(is_it)
    }

    /// Says why a page that is known cannot be read, or need not be.
    fn why_not(&self, said: &str) -> Option<String> {
        let (shown, name) = (one_line(said, MAX_NAME), self.name_of(said));
        match self.asked.get(&name) {
            Some(what) => Some(format!("`{shown}` was asked for before: {what}")),
            None => self
                .too_deep
                .contains(&name)
                .then(|| format!("`{shown}` is too many links from the first page")),
        }
    }

    fn no_link_to(&self, said: &str) -> String {
        let (shown, name) = (one_line(said, MAX_NAME), self.name_of(said));
        format!("no link leads to `{shown}`{}", self.nearest(&name))
    }

    /// Returns the name of a page that a pilot names by its address.
    fn name_of(&self, said: &str) -> String {
        let mut folder = self.scope.start().clone();
        folder.set_query(None);
        folder.set_path(&self.names_below);
        let below = said.strip_prefix(&*address(folder.as_str()));
        below.unwrap_or(said).trim_start_matches('/').to_owned()
    }

    /// Names the pages nearest to a name that is not known, or those that promise most.
    fn nearest(&self, name: &str) -> String {
        let near = suggest::similar_paths(name, self.pages.iter().map(|page| page.name.as_str()));
        if !near.is_empty() {
            return suggest::did_you_mean(&near);
        }
        let best = self.pages.iter().take(MAX_NAMED).map(|page| format!("`{}`", page.name));
        let best: Vec<String> = best.collect();
        match best.is_empty() {
            true => " (all known pages were read)".to_owned(),
            false => format!(" (not read, best first: {})", best.join(", ")),
        }
    }
}

/// Returns the name or the address in what a pilot says: models copy whole lines of the list.
fn meant(said: &str) -> &str {
    let name = said.trim().split('#').next().unwrap_or_default();
    let end = [": \"", ": about "].iter().filter_map(|end| name.find(end)).min();
    name[..end.unwrap_or(name.len())].trim_start_matches("./")
}

/// Returns the reasons of pages that could not be read, by the names that they would have. A visit
/// is logged by the name of its page.
pub(crate) fn failed_pages(
    site: &Site,
    failed: impl IntoIterator<Item = (String, String)>,
) -> BTreeMap<String, String> {
    let name = |address: String| match Url::parse(&address) {
        Ok(address) => Document::map_name(&site.name_of(&address)),
        Err(_) => address,
    };
    failed.into_iter().map(|(address, why)| (name(address), why)).collect()
}

/// Returns what came of each address of a recording, by the name of its page.
fn asked(recording: &Recording, site: &Site) -> BTreeMap<String, String> {
    let mut asked = BTreeMap::new();
    let mut add = |address: &Url, what: String| {
        asked.insert(Document::map_name(&site.name_of(address)), what);
    };
    for (address, status) in recording.addresses() {
        let Ok(address) = Url::parse(address) else { continue };
        match status {
            300..400 => add(&address, "it leads to another page".to_owned()),
            200..300 => add(&address, "it is no page".to_owned()),
            status => add(&address, failed_status(status)),
        }
    }
    let left_out = site.left_out_pages();
    for (page, cause) in left_out.filter(|(_, cause)| !matches!(cause, LeftOutCause::Redirect(_))) {
        add(page, format!("it {cause}"));
    }
    for page in &site.pages {
        add(&page.address, format!("it is `{}` on the map", Document::map_name(&page.name)));
    }
    asked
}

/// Returns the scope of a run, within the folder by which its pages are named: a page outside of it
/// would give all others new names.
fn visited_scope(of_run: &Scope, of_names: &Scope) -> Scope {
    let (run, names) = (of_run.prefix(), of_names.prefix());
    let prefix = if names.len() > run.len() { names } else { run };
    Scope::of(of_run.start(), Some(prefix))
}

/// The sizes of the pages that were read, by folder and of all, in tokens, sorted.
struct PageSizes {
    folders: BTreeMap<String, Vec<usize>>,
    all: Vec<usize>,
}

impl PageSizes {
    fn of(site: &Site) -> PageSizes {
        let mut sizes = PageSizes { folders: BTreeMap::new(), all: Vec::new() };
        for page in &site.pages {
            let tokens = tokens_of(page.markdown.len());
            sizes.folders.entry(folder(&page.name).to_owned()).or_default().push(tokens);
            sizes.all.push(tokens);
        }
        sizes.folders.values_mut().chain([&mut sizes.all]).for_each(|sizes| sizes.sort_unstable());
        sizes
    }

    /// Returns the median of the pages in the same folder, else of all.
    fn guess(&self, name: &str) -> usize {
        let median = |sizes: &Vec<usize>| sizes.get(sizes.len() / 2).copied();
        let own = self.folders.get(folder(name)).and_then(median);
        own.or_else(|| median(&self.all)).unwrap_or(USUAL_TOKENS)
    }
}

/// Returns about how many tokens a text has.
pub(super) fn tokens_of(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_OF_A_TOKEN)
}

fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}
