//! What `explain` tells: of a file, of a page that was read, and of a page that was not.

use repo_map::{Judged, RuleLayers, Sanitized, explain};
use site_map::Site;
use site_map::address::{decoded, page_address};

use super::CallRefused;
use super::call::refused;
use super::missing::no_item;
use super::sites::is_address;
use crate::app::source::documents::Documents;
use crate::app::source::reading::SiteReading;
use crate::terrain::site::notation;

/// A site that was read in this session, and the goal it was read for.
pub(super) struct ExplainedSite<'s> {
    pub(super) reading: &'s SiteReading,
    pub(super) documents: &'s Documents,
    pub(super) goal: Option<&'s Sanitized>,
}

/// Explains a file or an item of it; `None` if there is no such file.
pub(super) fn of_file(repo: &Judged, target: &str) -> Result<Option<String>, CallRefused> {
    if let Some(explanation) = explain::explain(repo, target, RuleLayers::default())? {
        let mut text = String::new();
        repo_map::cli::explain_text(&explanation, &mut text);
        return Ok(Some(text));
    }
    let (path, item) = explain::split_target(repo, target);
    let file = explain::explain(repo, path, RuleLayers::default())?;
    match (file, item) {
        (Some(file), Some(item)) => {
            Err(no_item(path, item, file.items.iter().map(|item| item.name.as_str())))
        }
        _ => Ok(None),
    }
}

/// Explains a page or a section of it, named as on the map or by its address. Of a page that is not
/// on the map it says why; the flag tells which of both it is.
pub(super) fn of_page(
    site: &ExplainedSite<'_>,
    repo: &Judged,
    target: &str,
) -> Result<(String, bool), CallRefused> {
    let Documents::Site(pages) = site.documents else {
        return Err(refused("plan", "it is not of a site"));
    };
    let name = match is_address(target) {
        true => name_of(pages, target)?,
        false => target.to_owned(),
    };
    if let Some(text) = of_file(repo, &name)? {
        return Ok((text, true));
    }
    let goal = site.goal.map_or("", |goal| goal);
    let known = site.reading.known(pages, goal)?;
    let path = explain::split_target(repo, target).0;
    let why = known.why_missing(path).map_err(|why| refused("path", why))?;
    Ok((format!("{why}\n"), false))
}

/// Returns the name on the map that an address stands for, with the section behind its `#`.
fn name_of(site: &Site, target: &str) -> Result<String, CallRefused> {
    let (address, section) =
        target.split_once('#').map_or((target, None), |(path, item)| (path, Some(item)));
    let address = page_address(address).map_err(|error| refused("path", error))?;
    let page = site.pages.iter().find(|page| page.address == address);
    let name = page.map_or_else(|| site.name_of(&address), |page| page.name.clone());
    let name = notation(&name);
    Ok(section.map_or_else(|| name.clone(), |section| format!("{name}#{}", decoded(section))))
}
