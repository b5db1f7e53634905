//! How far an exploration goes.

use repo_map::plan::ExcludedPaths;

use crate::explore::listing::ListedPage;
use crate::source::http::crawl::CrawlLimits;

/// How far an exploration goes, within the limits of its fetcher.
#[derive(Debug, Clone)]
pub struct ExploreLimits {
    /// The largest number of pages.
    pub pages: usize,
    /// The largest number of links between the start and a page.
    pub depth: usize,
    /// The pages that are not read, by their names on the map.
    pub excluded: ExcludedPaths,
    /// The pages that earlier readings of the site know. With some within the scope, neither
    /// indexes nor lists of the site are read, nor pages whose links have few words of the goal
    /// beside the best one.
    pub known: Vec<ListedPage>,
}

impl Default for ExploreLimits {
    fn default() -> ExploreLimits {
        let CrawlLimits { depth, excluded, .. } = CrawlLimits::default();
        ExploreLimits { pages: usize::MAX, depth, excluded, known: Vec::new() }
    }
}
