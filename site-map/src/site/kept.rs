//! A site in the cache: a second question on the same pages parses none of them again.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use repo_map::cache::{Cache, WholeValue};
use repo_map::{SiteFacts, UnreadPages};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::address::Scope;
use crate::error::Result;
use crate::site::assemble::Site;
use crate::site::document::{LeftOutPage, SitePage, SiteSection};
use crate::source::folder;

/// The version of kept sites. Raise it with every change of what a page's model, its Markdown or a
/// site is made of.
const SCHEMA: u32 = 26;

/// The place of a site in the cache.
#[derive(Debug)]
pub struct KeptSite {
    origin: PathBuf,
    value: WholeValue,
}

/// A page with all that the cache must give back.
#[derive(Serialize, Deserialize)]
struct KeptPage<'p> {
    name: Cow<'p, str>,
    address: Cow<'p, Url>,
    title: Cow<'p, str>,
    markdown: Cow<'p, str>,
    sections: Vec<KeptSection<'p>>,
    has_data: bool,
    n_images: usize,
}

/// A section of a page.
#[derive(Serialize, Deserialize)]
struct KeptSection<'p> {
    title: Cow<'p, str>,
    anchors: Cow<'p, [String]>,
    line: u32,
    rank: u8,
}

/// A site as it is stored.
#[derive(Serialize, Deserialize)]
struct KeptPages<'p> {
    pages: Vec<KeptPage<'p>>,
    twins: Cow<'p, [(Url, String)]>,
    indexes: Vec<(Cow<'p, Url>, Cow<'p, str>)>,
    gathered: Vec<(Cow<'p, Url>, Cow<'p, str>)>,
    missing: Cow<'p, [Url]>,
    redirects: Cow<'p, [(Url, Url)]>,
    n_redirects: usize,
    n_repeated: usize,
    n_cut: usize,
    n_damaged: usize,
    n_hidden: (usize, usize),
    unread: Cow<'p, [String]>,
    start: Option<Cow<'p, str>>,
    links: Cow<'p, BTreeSet<(u32, u32)>>,
    scope: Cow<'p, Scope>,
    /// The address and the digest of the recording.
    facts: Option<(Cow<'p, str>, Cow<'p, str>)>,
}

impl KeptSite {
    /// Looks for the site of a folder or of a recording. Call it before the pages are read.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    pub fn open(cache: &Cache, place: &Path) -> Result<KeptSite> {
        let files = folder::files_of_site(place)?;
        let about = [env!("CARGO_PKG_VERSION").as_bytes(), &SCHEMA.to_le_bytes()].concat();
        let value = WholeValue::open(cache, place, &files, &about);
        Ok(KeptSite { origin: place.to_owned(), value })
    }

    /// Returns the site, if it is kept and none of its files has changed.
    pub fn site(&self) -> Option<Site> {
        let kept: KeptPages<'_> = postcard::from_bytes(self.value.get()?).ok()?;
        let site = kept.into_site(self.origin.clone());
        site.is_sound().then_some(site)
    }

    /// Keeps the site that was read, as it is: a secret in a page is in the cache too, which only
    /// its user can read, and is masked wherever the page is shown.
    pub fn keep(self, site: Site) -> Site {
        self.value.keep(postcard::to_stdvec(&KeptPages::of(&site)).unwrap_or_default());
        Site { origin: Some(self.origin), ..site }
    }
}

impl<'p> KeptPages<'p> {
    fn of(site: &'p Site) -> KeptPages<'p> {
        let section = |section: &'p SiteSection| KeptSection {
            title: section.title.as_str().into(),
            anchors: section.anchors.as_slice().into(),
            line: section.line,
            rank: section.rank,
        };
        let page = |page: &'p SitePage| KeptPage {
            name: page.name.as_str().into(),
            address: Cow::Borrowed(&page.address),
            title: page.title.as_str().into(),
            markdown: page.markdown.as_str().into(),
            sections: page.sections.iter().map(section).collect(),
            has_data: page.has_data,
            n_images: page.n_images,
        };
        let left_out = |page: &'p LeftOutPage| {
            (Cow::Borrowed(&page.address), Cow::Borrowed(page.markdown.as_str()))
        };
        KeptPages {
            pages: site.pages.iter().map(page).collect(),
            twins: site.twins.as_slice().into(),
            indexes: site.indexes.iter().map(left_out).collect(),
            gathered: site.gathered.iter().map(left_out).collect(),
            missing: site.missing.as_slice().into(),
            redirects: site.redirects.as_slice().into(),
            n_redirects: site.n_redirects,
            n_repeated: site.n_repeated,
            n_cut: site.n_cut,
            n_damaged: site.n_damaged,
            n_hidden: site.n_hidden,
            unread: site.unread.as_slice().into(),
            start: site.start.as_deref().map(Cow::Borrowed),
            links: Cow::Borrowed(&site.links),
            scope: Cow::Borrowed(&site.scope),
            facts: site
                .facts
                .as_ref()
                .map(|facts| (facts.address.as_str().into(), facts.recording.as_str().into())),
        }
    }

    fn into_site(self, origin: PathBuf) -> Site {
        let section = |section: KeptSection<'_>| SiteSection {
            title: section.title.into_owned(),
            anchors: section.anchors.into_owned(),
            line: section.line,
            rank: section.rank,
        };
        let page = |page: KeptPage<'_>| SitePage {
            name: page.name.into_owned(),
            address: page.address.into_owned(),
            title: page.title.into_owned(),
            markdown: page.markdown.into_owned(),
            sections: page.sections.into_iter().map(section).collect(),
            has_data: page.has_data,
            n_images: page.n_images,
        };
        let left_out = |(address, markdown): (Cow<'_, Url>, Cow<'_, str>)| LeftOutPage {
            address: address.into_owned(),
            markdown: markdown.into_owned(),
        };
        Site {
            pages: self.pages.into_iter().map(page).collect(),
            twins: self.twins.into_owned(),
            indexes: self.indexes.into_iter().map(left_out).collect(),
            gathered: self.gathered.into_iter().map(left_out).collect(),
            missing: self.missing.into_owned(),
            redirects: self.redirects.into_owned(),
            n_redirects: self.n_redirects,
            n_repeated: self.n_repeated,
            n_cut: self.n_cut,
            n_damaged: self.n_damaged,
            n_hidden: self.n_hidden,
            unread: self.unread.into_owned(),
            start: self.start.map(Cow::into_owned),
            links: self.links.into_owned(),
            scope: self.scope.into_owned(),
            facts: self.facts.map(|(address, recording)| SiteFacts {
                address: address.into_owned(),
                recording: recording.into_owned(),
                unread: UnreadPages::default(),
            }),
            origin: Some(origin),
        }
    }
}

impl Site {
    /// Reports whether pages and links agree: a cache may contain anything.
    fn is_sound(&self) -> bool {
        let n_pages = self.pages.len();
        self.pages.is_sorted_by(|one, other| one.name < other.name)
            && self.links.iter().all(|(from, to)| (*from.max(to) as usize) < n_pages)
    }
}
