//! What `explain` tells: of a file, of a page that was read, and of a page that was not.

use repo_map::{Judged, RuleLayers, Sanitized, explain};

use super::CallRefused;
use super::call::refused;
use super::missing::no_item;
use super::sites::is_address;
use crate::app::source::documents::Documents;
use crate::app::source::reading::{SiteReading, name_of};

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
        true => name_of(pages, target).map_err(|error| refused("path", error))?,
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
