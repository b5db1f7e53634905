//! `site-map rank`: the pages in the order of their scores; those too that only links promise.

use std::collections::BTreeMap;

use anyhow::Result;
use repo_map::Document;
use repo_map::cli::{Exit, TableFormat, write_out};
use repo_map::report::json;
use serde::Serialize;
use url::Url;

use crate::cli::args::SiteRankArgs;
use crate::cli::commands::{judged, open_site, relevance};
use crate::cli::masked::masked_lines;
use crate::cli::source::OpenedSite;
use crate::explore::UnreadPage;
use crate::site::SitePage;

/// A page of the ranking as a line of JSON.
#[derive(Serialize)]
struct RankedPage {
    path: String,
    score: f64,
    parts: BTreeMap<&'static str, f64>,
    address: Url,
    title: String,
    /// Whether it says anything beside links, headings and what repeats on most pages; `None` for a
    /// page that was not read.
    has_data: Option<bool>,
    n_images: Option<usize>,
    /// Whether the page was read; links promise the others.
    known: bool,
}

impl RankedPage {
    fn line(&self) -> String {
        let not_read = if self.known { "" } else { " (not read)" };
        format!("{:.3}  {}  {}{not_read}\n", self.score, self.path, self.title)
    }
}

/// Prints the ranking.
pub(super) fn rank(args: &SiteRankArgs) -> Result<Exit> {
    let plan = args.request.plan()?;
    let opened = open_site(&args.source, &args.request, &plan)?;
    let judged = judged(&opened, &args.request, &plan)?;
    let pages = opened.site.pages.iter();
    let by_path: BTreeMap<String, &SitePage> =
        pages.map(|page| (Document::map_name(&page.name), page)).collect();
    let known = judged.ranking().into_iter().filter_map(|(path, score)| {
        let page = by_path.get(path)?;
        let json::Ranked { path, score, parts } = json::ranked(path, score);
        let (path, address, title) = (path.to_owned(), page.address.clone(), page.title.clone());
        let (has_data, n_images) = (Some(page.has_data), Some(page.n_images));
        Some(RankedPage { path, score, parts, address, title, has_data, n_images, known: true })
    });
    let mut pages: Vec<RankedPage> = known.collect();
    let unread = unread(&opened, &pages);
    pages.extend(unread);
    // Stable: pages of one score stay in the order of the ranking, before those not read.
    pages.sort_by(|one, other| other.score.total_cmp(&one.score));
    pages.truncate(args.limit.unwrap_or(usize::MAX));
    let out = match args.format {
        TableFormat::Json => masked_lines(pages)?,
        TableFormat::Text => pages.iter().map(RankedPage::line).collect::<String>().into(),
    };
    write_out(None, &out)?;
    judged.save_cache();
    Ok(opened.exit(relevance(&judged, &plan)))
}

/// Returns the pages that were not read. Their scores are what links promise, in the measure of
/// pages that were read: what those scored for each unit that links had promised of them. If none
/// was read for what links promised, they are measured by the one of which links promise most.
fn unread(opened: &OpenedSite, known: &[RankedPage]) -> Vec<RankedPage> {
    let scores: BTreeMap<&Url, f64> =
        known.iter().map(|page| (&page.address, page.score)).collect();
    let read =
        opened.promised.iter().filter_map(|(page, promise)| Some((scores.get(page)?, promise)));
    let (score, promised) =
        read.fold((0.0, 0.0), |(a, b), (score, promise)| (a + score, b + promise));
    let most = opened.unread.iter().map(|page| page.evidence).fold(0.0, f64::max);
    let unit = match (score > 0.0, most > 0.0) {
        (true, _) => score / promised,
        (false, true) => 1.0 / most,
        (false, false) => 0.0,
    };
    let page = |page: &UnreadPage| RankedPage {
        path: Document::map_name(&opened.site.name_of(&page.address)),
        // As precise as the scores of pages, of which none is above 1.
        score: ((page.evidence * unit).min(1.0) * 1e6).round() / 1e6,
        parts: BTreeMap::from([("links", (page.evidence * 1e6).round() / 1e6)]),
        address: page.address.clone(),
        title: page.title.clone(),
        has_data: None,
        n_images: None,
        known: false,
    };
    opened.unread.iter().map(page).collect()
}
