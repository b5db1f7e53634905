//! The tabs of a walk, one of which is in front.

use std::time::Duration;

use url::Url;

use super::gesture::GestureResult;
use super::live::LiveTab;
use super::news::MAX_NAME;
use crate::browser::error::BrowserError;
use crate::browser::launch::Browser;
use crate::run::deadline::Deadline;
use crate::run::text::one_line;
use crate::shared::CancelToken;

/// The deadline for a new tab.
const TAB: Duration = Duration::from_secs(20);
/// The longest wait for a tab that a page opened.
const OPENING: Duration = Duration::from_secs(5);
/// How long a wait looks for news.
pub(super) const LOOK: Duration = Duration::from_millis(250);

/// The document of the tab in front.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct FrontDocument {
    tab: String,
    n: u64,
}

/// The tabs, in the order in which they were opened.
#[derive(Debug, Default)]
pub(super) struct WalkTabs {
    tabs: Vec<LiveTab>,
    current: usize,
}

impl WalkTabs {
    /// Returns the tab in front.
    pub(super) fn front(&mut self) -> Result<&mut LiveTab, BrowserError> {
        self.tabs.get_mut(self.current).ok_or(BrowserError::Closed)
    }

    /// Returns the document in front: the tab, and how often it was replaced in it.
    pub(super) fn document(&mut self) -> Result<FrontDocument, BrowserError> {
        let front = self.front()?;
        Ok(FrontDocument { tab: front.tab.target().to_owned(), n: front.watch.n_replaced() })
    }

    /// Begins a step: its calls end with it.
    pub(super) fn begin(&mut self, deadline: &Deadline) {
        for tab in &mut self.tabs {
            tab.begin(deadline);
            tab.watch.begin_step();
        }
    }

    /// Opens a tab in front.
    pub(super) fn open(&mut self, browser: &Browser) -> Result<&mut LiveTab, BrowserError> {
        self.tabs.push(LiveTab::new(browser.open_tab(TAB)?, browser.guard())?);
        self.current = self.tabs.len() - 1;
        self.front()
    }

    /// Goes to another tab, by its position among the others.
    pub(super) fn switch(&mut self, other: usize) -> Result<(), String> {
        let others: Vec<usize> = (0..self.tabs.len()).filter(|at| *at != self.current).collect();
        let at = others.get(other).ok_or_else(|| "there is no such tab".to_owned())?;
        self.current = *at;
        Ok(())
    }

    /// Goes back in the history of the tab; a tab without one is closed.
    pub(super) fn back(&mut self) -> GestureResult {
        let (_, last) = self.front()?.history()?;
        if let Some(entry) = last {
            let params = serde_json::json!({ "entryId": entry });
            self.front()?.call("Page.navigateToHistoryEntry", params)?;
            return Ok(Ok(()));
        }
        if self.tabs.len() < 2 {
            return Ok(Err("this is the first page".to_owned()));
        }
        let closed = self.tabs.remove(self.current);
        closed.tab.close(TAB)?;
        self.current = self.tabs.len() - 1;
        Ok(Ok(()))
    }

    /// Closes the tab in front, whose page was stopped, and goes to another one.
    pub(super) fn close_front(&mut self, other: &str) -> Result<(), BrowserError> {
        let stopped = self.tabs.remove(self.current);
        stopped.tab.close(TAB)?;
        let at = self.tabs.iter().position(|one| one.tab.target() == other);
        self.current = at.unwrap_or_else(|| self.tabs.len().saturating_sub(1));
        Ok(())
    }

    /// Takes up tabs that pages opened, the newest in front, and drops those that are gone.
    /// `target` is where the step goes to. Returns how many are new.
    pub(super) fn update(
        &mut self,
        browser: &Browser,
        target: Option<&Url>,
    ) -> Result<usize, BrowserError> {
        let opened = self.front()?.watch.take_opened();
        let n_apart = opened.iter().filter(|(_, has_opener)| !has_opener).count();
        let n_opened = opened.len() - n_apart;
        let wanted = browser.tabs().len().max(self.tabs.len()) + n_opened;
        // A tab that a page opens is attached before it runs, which takes a moment.
        let clock = Deadline::new(Some(OPENING), CancelToken::new());
        while browser.tabs().len() < wanted.min(self.tabs.len() + 1) && clock.expired().is_none() {
            self.front()?.watch.wait(LOOK);
        }
        // A tab that does not know its opener waits for its guard without end: what the link leads
        // to is opened in one of ours.
        let target = target.map(Url::as_str).filter(|_| n_apart > 0);
        if let Some((address, _)) = opened.iter().find(|(one, _)| Some(one.as_str()) == target) {
            let front = self.front()?.tab.target().to_owned();
            let told = self.open(browser)?.go(address)?;
            // One that the guard stopped is empty; another shows the browser's own page with why.
            if told.is_err_and(|why| why.contains("ERR_ABORTED")) {
                self.close_front(&front)?;
                return Ok(0);
            }
            return Ok(1);
        }
        let open = browser.tabs();
        let is_open = |one: &LiveTab| open.iter().any(|tab| tab.target() == one.tab.target());
        let in_front = self.tabs.get(self.current).map(|tab| tab.tab.target().to_owned());
        self.tabs.retain(is_open);
        let n_known = self.tabs.len();
        for tab in open {
            if !self.tabs.iter().any(|one| one.tab.target() == tab.target()) {
                self.tabs.push(LiveTab::new(tab, browser.guard())?);
            }
        }
        let last = self.tabs.len().checked_sub(1).ok_or(BrowserError::Closed)?;
        let is_in_front = |one: &LiveTab| Some(one.tab.target()) == in_front.as_deref();
        self.current = match self.tabs.iter().position(is_in_front) {
            Some(at) if n_known == self.tabs.len() => at,
            _ => last,
        };
        Ok(self.tabs.len() - n_known)
    }

    /// Returns the addresses of the other tabs.
    pub(super) fn others(&self, browser: &Browser) -> Vec<String> {
        let others = browser.targets().into_iter().filter(|target| {
            let is_it =
                |(at, one): (usize, &LiveTab)| at != self.current && one.tab.target() == target.id;
            self.tabs.iter().enumerate().any(is_it)
        });
        others.map(|target| one_line(&target.url, MAX_NAME)).collect()
    }
}
