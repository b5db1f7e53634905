//! Pages that a site has and that are not on its map, with the reason.

use std::fmt;

use repo_map::plan::{ExcludedPaths, Rule};
use repo_map::{Document, Level, LevelRange};
use url::Url;

use crate::error::Result;
use crate::site::assemble::Site;

/// Why a page is left out. Other pages have the names of maps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftOutCause {
    /// It says the same as this one.
    Twin(String),
    /// It only lists links.
    Index,
    /// It gathers what others say.
    Gathering,
    /// It says that it does not exist.
    Missing,
    /// It only sends its reader to this one.
    Redirect(String),
}

/// What the page does.
impl fmt::Display for LeftOutCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOutCause::Twin(other) => write!(f, "says the same as `{other}`"),
            LeftOutCause::Index => f.write_str("only lists links"),
            LeftOutCause::Gathering => f.write_str("gathers others"),
            LeftOutCause::Missing => f.write_str("says that it does not exist"),
            LeftOutCause::Redirect(to) => write!(f, "redirects to `{to}`"),
        }
    }
}

impl Site {
    /// Returns the pages that are left out, with the reason.
    pub fn left_out_pages(&self) -> impl Iterator<Item = (&Url, LeftOutCause)> {
        let redirects = self.redirects.iter();
        let redirects = redirects.map(move |(from, to)| {
            (from, LeftOutCause::Redirect(Document::map_name(&self.name_of(to))))
        });
        let missing = self.missing.iter().map(|address| (address, LeftOutCause::Missing));
        let indexes = self.indexes.iter().map(|page| (&page.address, LeftOutCause::Index));
        let gathered = self.gathered.iter().map(|page| (&page.address, LeftOutCause::Gathering));
        let twins = self.twins.iter();
        let twins = twins.map(|(twin, name)| (twin, LeftOutCause::Twin(Document::map_name(name))));
        redirects.chain(missing).chain(indexes).chain(gathered).chain(twins)
    }

    /// Says why a page is left out, by its name; `None` for pages that the site does not have.
    pub fn left_out_page(&self, name: &str) -> Option<String> {
        let name = Document::map_name(name);
        let (_, cause) = self.left_out_pages().find(|(page, _)| self.map_name_of(page) == name)?;
        Some(format!("`{name}` is left out: {cause}"))
    }

    /// Says why a rule matches no page; `None` if it matches one, or none that is left out.
    ///
    /// # Errors
    /// If its glob does not compile.
    pub fn left_out_by(&self, rule: &Rule) -> Result<Option<String>> {
        let glob = Rule::new(&rule.path, LevelRange::exactly(Level::Exclude));
        let globs = ExcludedPaths::of(&[glob])?;
        let matches = |name: &str| globs.glob(name).is_some();
        // Few pages are left out, and most rules match none of them.
        let mut names = self.left_out_pages().map(|(page, _)| self.map_name_of(page));
        let Some(name) = names.find(|name| matches(name)) else { return Ok(None) };
        let is_of_map = self.pages.iter().any(|page| matches(&Document::map_name(&page.name)));
        Ok(if is_of_map { None } else { self.left_out_page(&name) })
    }

    fn map_name_of(&self, address: &Url) -> String {
        Document::map_name(&self.name_of(address))
    }
}
