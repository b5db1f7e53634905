//! A walk over the pages of a site.

use std::collections::BTreeMap;

use site_map::address::{decoded, host_of, page_address};
use site_map::page::{BlockKind, WebPage};
use site_map::source::recording::RecordingWriter;
use site_map::{Error, Scope};
use url::Url;

use super::found::places_of;
use super::pages::SitePages;
use super::screen::{EntryTarget, OpenFolder, address, screen_of};
use super::screen_text::{n_above_title, name};
use crate::money::effect::{Effect, ResourceLimits, Resources};
use crate::run::deadline::Deadline;
use crate::run::text::one_line;
use crate::shared::n_of;
use crate::walk::screen::Screen;
use crate::walk::session::{Move, Moved, Opened, WalkSession};

/// The longest name in a result, in characters.
const MAX_NAME: usize = 120;

/// A walk over the pages of a site. A folder of a tree within a page opens in place.
#[derive(Debug)]
pub struct SiteSession {
    pages: SitePages,
    start: Url,
    page: Option<WebPage>,
    open: Option<OpenFolder>,
    screen: Screen,
    targets: Vec<EntryTarget>,
    /// The pages that going back leads to, with their open folders.
    stack: Vec<(Url, Option<OpenFolder>)>,
    /// What may be read, if that is less than the servers that were named.
    scope: Option<Scope>,
    /// The site is not searched.
    goes_by_links_alone: bool,
    /// The texts above the titles of pages, with the first page of each.
    texts: BTreeMap<String, Url>,
}

/// A place of the site that a move leads to.
struct Destination {
    page: Url,
    fragment: Option<String>,
}

impl SiteSession {
    /// Prepares a walk from an address; reads nothing.
    ///
    /// # Errors
    /// If it is no address.
    pub fn new(pages: SitePages, start: &str) -> Result<SiteSession, Error> {
        Ok(SiteSession {
            pages,
            start: page_address(start)?,
            page: None,
            open: None,
            screen: Screen::default(),
            targets: Vec::new(),
            stack: Vec::new(),
            scope: None,
            goes_by_links_alone: false,
            texts: BTreeMap::new(),
        })
    }

    /// Keeps the walk to addresses of the first page's server whose path begins with `scope`.
    pub fn within(self, scope: Option<&str>) -> SiteSession {
        let scope = scope.map(|path| Scope::of(&self.start, Some(path)));
        SiteSession { scope, ..self }
    }

    /// Makes no searches.
    pub fn by_links_alone(self) -> SiteSession {
        SiteSession { goes_by_links_alone: true, ..self }
    }

    /// Records what servers answer in another file from now on, which has what was recorded so far.
    pub fn record_in(&mut self, recording: RecordingWriter) {
        self.pages.record_in(recording);
    }

    /// Returns the page that a move needs; `None` if it stays on this one, or leads to no page.
    fn destination(&self, step: &Move) -> Option<Destination> {
        let (page, fragment) = match step {
            Move::Start => (self.start.clone(), None),
            Move::Back if self.open.is_some() => return None,
            Move::Back => (self.stack.last()?.0.clone(), None),
            Move::Click(number) => match self.target(*number)? {
                EntryTarget::Folder(_) => return None,
                EntryTarget::Link(at) => {
                    let link = self.page.as_ref()?.links.get(at).filter(|link| link.is_page)?;
                    (link.target.clone(), link.fragment.clone())
                }
            },
            Move::Open(target) => {
                let fragment = Url::parse(target).ok()?.fragment().map(decoded);
                (page_address(target).ok()?, fragment)
            }
            Move::Operate(..) | Move::Search { .. } => return None,
        };
        Some(Destination { page, fragment })
    }

    fn target(&self, number: usize) -> Option<EntryTarget> {
        self.targets.get(number.checked_sub(1)?).copied()
    }

    /// Shows the page with its open folder.
    fn show(&mut self, note: Option<String>) {
        let Some(page) = &self.page else { return };
        let is_repeated =
            |text: &str| self.texts.get(text).is_some_and(|first| *first != page.address);
        let (screen, targets) = screen_of(page, self.open, &is_repeated);
        (self.screen, self.targets) = (screen, targets);
        self.screen.notes.extend(note);
        self.screen.trail = self.stack.iter().map(|(page, _)| address(page.as_str())).collect();
    }

    fn back_in_page(&mut self, open: OpenFolder) -> Moved {
        let parent = self.page.as_ref().and_then(|page| page.trees[open.tree].parent(open.node));
        let left = self.screen.folders.last().cloned().unwrap_or_default();
        self.open = parent.map(|node| OpenFolder { node, ..open });
        self.show(None);
        Moved::done(format!("left the folder '{}'", one_line(&left, MAX_NAME)))
    }

    /// Reads more of the site, and finds what has most of some words.
    fn search(
        &mut self,
        words: &str,
        within: &ResourceLimits,
        deadline: &Deadline,
    ) -> Result<Moved, Error> {
        let scope = self.scope.clone().unwrap_or_else(|| Scope::of(&self.start, None));
        let used = self.pages.read_more(&scope, words, within, deadline)?;
        let site = match self.pages.site(scope.start()) {
            // Plain texts are walked, and are no pages of a site.
            Err(Error::NoPages { .. }) => return Ok(Moved { used, ..failed("no page is known") }),
            site => site?,
        };
        let found = places_of(&site, words)?;
        let pages = n_of(site.pages.len(), "page");
        let result = match found.first() {
            Some(place) => {
                let place = one_line(&place.way.join(" › "), MAX_NAME);
                format!("{pages} known, best of them '{place}'")
            }
            None => format!("{pages} known, none of them with words of the goal"),
        };
        let moved = if found.is_empty() { failed(&result) } else { Moved::done(result) };
        Ok(Moved { found, used, ..moved })
    }

    /// Goes to another page.
    fn visit(&mut self, step: &Move, to: Destination, deadline: &Deadline) -> Result<Moved, Error> {
        let scope = self.scope.as_ref();
        if scope.is_some_and(|scope| !scope.contains(&to.page)) {
            return Ok(failed("it lies outside of the scope"));
        }
        let (answer, used) = self.pages.get(&to.page, (&self.start, scope), deadline)?;
        let response = match answer {
            Ok(response) => response,
            Err(result) => return Ok(Moved { result, used, ..Moved::default() }),
        };
        let page = WebPage::of(&response);
        if let (Some(here), Move::Click(_) | Move::Open(_)) = (&self.page, step) {
            self.stack.push((here.address.clone(), self.open));
        }
        self.open = match step {
            Move::Back => self.stack.pop().and_then(|(_, open)| open),
            _ => None,
        };
        let mut led_to = None;
        if let Some(fragment) = &to.fragment {
            self.open = folder_of(&page, fragment);
            led_to = section_of(&page, fragment);
        }
        for block in &page.blocks[..n_above_title(&page)] {
            if !self.texts.contains_key(&block.text) {
                self.texts.insert(block.text.clone(), page.address.clone());
            }
        }
        self.page = Some(page);
        let title = led_to.as_deref().map(|title| one_line(title, MAX_NAME));
        self.show(title.map(|title| format!("the link leads to the section '{title}'")));
        self.screen.led_to = led_to.and_then(|title| {
            self.screen.sections.iter().position(|section| section.title == title)
        });
        let place = one_line(self.screen.place().last().unwrap_or(&"a page"), MAX_NAME);
        let is_missing = self.page.as_ref().is_some_and(|page| page.says_not_found);
        let result = match (step, self.screen.has_data) {
            (Move::Back, _) => format!("back on '{place}'"),
            (_, true) if is_missing => format!("page '{place}', which says it does not exist"),
            (_, true) => format!("page '{place}'"),
            (_, false) if self.screen.entries.is_empty() => {
                format!("page '{place}', which is empty")
            }
            (_, false) => format!("page '{place}', which only leads on"),
        };
        let opened = Some(Opened::Here);
        Ok(Moved { opened, used, ..Moved::done(result) })
    }
}

impl WalkSession for SiteSession {
    type Error = Error;

    fn screen(&self) -> &Screen {
        &self.screen
    }

    fn can_search(&self) -> bool {
        !self.goes_by_links_alone
    }

    fn effect(&self, step: &Move) -> Effect {
        if let Move::Search { within, .. } = step
            && self.pages.needs_of_search(within).requests > 0
        {
            return Effect::Reads { host: host_of(&self.start) };
        }
        let Some(to) = self.destination(step) else { return Effect::None };
        match self.pages.needs(&to.page).filter(|_| to.page.has_host()) {
            Some(_) => Effect::Reads { host: host_of(&to.page) },
            None => Effect::None,
        }
    }

    fn is_named(&self, host: &str) -> bool {
        !self.pages.is_live() || host_of(&self.start) == host
    }

    fn needs(&self, step: &Move) -> Resources {
        if let Move::Search { within, .. } = step {
            return self.pages.needs_of_search(within);
        }
        let to = self.destination(step);
        to.and_then(|to| self.pages.needs(&to.page)).unwrap_or_default()
    }

    fn go(&mut self, step: &Move, deadline: &Deadline) -> Result<Moved, Error> {
        if let Move::Search { words, within } = step {
            return self.search(words, within, deadline);
        }
        if let Some(to) = self.destination(step) {
            return self.visit(step, to, deadline);
        }
        Ok(match (step, self.open) {
            (Move::Back, Some(open)) => self.back_in_page(open),
            (Move::Back, None) => failed("this is the first page"),
            (Move::Click(number), _) => match self.target(*number) {
                Some(EntryTarget::Folder(folder)) => {
                    self.open = Some(folder);
                    self.show(None);
                    let label = self.screen.folders.last().cloned().unwrap_or_default();
                    let result = format!("opened the folder '{}'", one_line(&label, MAX_NAME));
                    Moved { opened: Some(Opened::Here), ..Moved::done(result) }
                }
                Some(EntryTarget::Link(_)) => {
                    failed("it is a link to a file that is no page; nothing was asked for")
                }
                None => failed("there is no such entry"),
            },
            (Move::Start | Move::Open(_), _) => failed("it is no address of a page"),
            (Move::Operate(..) | Move::Search { .. }, _) => {
                failed("only a live page can be operated")
            }
        })
    }
}

fn failed(why: &str) -> Moved {
    Moved { result: why.to_owned(), ..Moved::default() }
}

/// Returns the folder that a fragment leads to.
fn folder_of(page: &WebPage, fragment: &str) -> Option<OpenFolder> {
    page.trees.iter().enumerate().find_map(|(tree, nodes)| {
        let node = nodes.by_anchor(fragment)?;
        // A leaf is in sight where its folder is open.
        let node = if nodes.is_folder(node) { Some(node) } else { nodes.parent(node) };
        Some(OpenFolder { tree, node: node? })
    })
}

/// Returns the title of the section that a fragment leads to.
fn section_of(page: &WebPage, fragment: &str) -> Option<String> {
    page.blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Heading(heading) if heading.anchors.iter().any(|one| one == fragment) => {
            Some(name(&heading.title))
        }
        _ => None,
    })
}
