//! The places of a site that have most of a goal, by the engine that maps it.

use std::collections::BTreeMap;

use repo_map::{Document, FlightPlan, Options, RankedItem};
use site_map::{Result, Site, SitePage};

use super::screen::address;
use super::screen_text::name;
use crate::shared::Sanitized;
use crate::walk::known::KnownPlace;

/// The most pages that are found.
const MAX_PAGES: usize = 3;
/// The most sections of a page that are found.
const MAX_SECTIONS: usize = 4;
/// What a section scores at least beside the best one of its page.
///
/// Measured on 96 goals about twelve manuals, each after a search of 40 requests: three pages have
/// the answer to 17 goals with the best section of each alone; to 31 with those that score 0.7 of
/// it, 4 100 characters a page; to 34 with six that score half, 6 100 characters.
const LEAST_OF_BEST: f64 = 0.7;

/// Returns the best sections of each of the best pages of a site, best first.
///
/// # Errors
/// If the pages cannot be scored.
pub(super) fn places_of(site: &Site, goal: &str) -> Result<Vec<KnownPlace>> {
    let plan = FlightPlan { goal: Some(Sanitized::text(goal)), ..FlightPlan::default() };
    let judged = site.judged(&plan, &Options::default())?;
    if !judged.has_evidence() {
        return Ok(Vec::new());
    }
    let pages = site.pages.iter();
    let by_name: BTreeMap<String, &SitePage> =
        pages.map(|page| (Document::map_name(&page.name), page)).collect();
    let mut items: BTreeMap<&str, Vec<RankedItem<'_>>> = BTreeMap::new();
    for item in judged.item_ranking() {
        items.entry(item.path).or_default().push(item);
    }
    let best = judged.ranking().into_iter().filter_map(|(path, _)| {
        // A page that only leads on has the words of its links.
        let page = by_name.get(path).filter(|page| page.has_data)?;
        let items = items.get(path)?;
        Some((page, items, LEAST_OF_BEST * f64::from(items.first()?.worth)))
    });
    let places = best.take(MAX_PAGES).flat_map(|(page, items, least)| {
        let sections = items.iter().take_while(move |item| f64::from(item.worth) >= least);
        sections.take(MAX_SECTIONS).map(|item| place_of(page, item.item.lines.0))
    });
    Ok(places.collect())
}

/// Returns the place of a line of a page, with the section that it stands in.
fn place_of(page: &SitePage, line: u32) -> KnownPlace {
    let section = page.sections.iter().rfind(|section| section.line <= line);
    let mut target = page.address.clone();
    target.set_fragment(section.and_then(|section| section.anchors.first()).map(String::as_str));
    let title = section.map(|section| name(&section.title));
    let way = [name(&page.title)].into_iter().chain(title).collect();
    KnownPlace { address: address(target.as_str()), way, record: None }
}
