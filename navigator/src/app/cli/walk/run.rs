//! The folder of a walk, the request that it keeps, and where the walk begins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use site_map::address::decoded;
use site_map::source::folder::{self, FOLDER_ADDRESS};
use site_map::source::recording::Recording;
use site_map::source::response::with_way_in;

#[cfg(feature = "browser")]
use crate::app::run_folder::RECORDING;
use crate::app::run_folder::RunFolder;
use crate::app::settings::usage;
use crate::app::source::documents::RunSource;
use crate::app::source::site::SiteFlags;
use crate::error::Error;
use crate::money::effect::Permit;
#[cfg(feature = "browser")]
use crate::terrain::browser::RecordedScreens;
use crate::walk::state::WalkState;

/// How many pages of a folder are named.
const N_NAMED: usize = 3;

/// The folder of a walk.
pub(in crate::app::cli) type WalkRun = RunFolder<WalkRequest, WalkState>;

/// The request of a walk, with everything needed to resume and to replay it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in crate::app::cli) struct WalkRequest {
    /// What the person named: an address, a recording, or `file://FOLDER`.
    pub(in crate::app::cli) site: PathBuf,
    /// The first page, where the person named it apart from the site.
    pub(in crate::app::cli) start: Option<String>,
    /// The goal.
    pub(in crate::app::cli) goal: String,
    /// The maximum number of steps.
    pub(in crate::app::cli) max_steps: u32,
    /// The maximum size of the view of a page, in tokens.
    pub(in crate::app::cli) view_tokens: u32,
    /// The pages are live, in a browser.
    #[serde(default)]
    pub(in crate::app::cli) is_in_browser: bool,
    /// The knowledge whose gaps are tried, if that is what the walk is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::app::cli) gaps_of: Option<PathBuf>,
    /// The site is not searched.
    #[serde(default)]
    pub(in crate::app::cli) no_search: bool,
    /// The limits of a server.
    pub(in crate::app::cli) server: SiteFlags,
    /// The settings in force.
    pub(in crate::app::cli) settings: BTreeMap<String, String>,
}

/// Returns the address of the first page of a site: of a recording the page that it began with.
pub(in crate::app::cli) fn start_of(source: &RunSource, request: &WalkRequest) -> Result<String> {
    Ok(match (source, &request.start) {
        // The name of a file may look like an escaped one: `100 %25.html`.
        (RunSource::Folder(root) | RunSource::Pages(root), Some(page))
            if root.join(page).is_file() =>
        {
            folder::address_of(Path::new(page))?.into()
        }
        (RunSource::Folder(_) | RunSource::Pages(_), Some(page)) if !page.contains("://") => {
            format!("{FOLDER_ADDRESS}{page}")
        }
        (_, Some(address)) => address.clone(),
        (RunSource::Address(address), None) => address.display().to_string(),
        (RunSource::Folder(_) | RunSource::Pages(_), None) => format!("{FOLDER_ADDRESS}index.html"),
        (RunSource::Recording(file), None) => match Recording::open(file)?.first_page()? {
            Some(address) => address.to_string(),
            None => {
                let message = "it has no page (`--start ADDRESS` names one)".to_owned();
                return Err(site_map::Error::NoPages { place: source.name(), message }.into());
            }
        },
    })
}

/// Says why there is no first page. In a folder its name may be a guess, and others stand there.
pub(in crate::app::cli) fn no_first_page(
    request: &WalkRequest,
    start: &str,
    reason: &str,
) -> site_map::Error {
    let reason = with_way_in(reason.to_owned());
    let of_folder = RunSource::of(&request.site).ok().filter(|_| start.starts_with(FOLDER_ADDRESS));
    let hint = match of_folder {
        Some(RunSource::Folder(root) | RunSource::Pages(root)) => match first_pages(&root) {
            names if names.is_empty() => " (it has no HTML file)".to_owned(),
            names => format!(" (`--start PAGE` names the first page: {})", names.join(", ")),
        },
        _ => String::new(),
    };
    site_map::Error::NoPages { place: decoded(start), message: format!("{reason}{hint}") }
}

/// Returns the names of a few pages of a folder, those nearest to it first.
fn first_pages(root: &Path) -> Vec<String> {
    let below = |file: &PathBuf| file.strip_prefix(root).map(Path::to_owned).ok();
    let files = folder::html_files(root).unwrap_or_default();
    let mut names: Vec<PathBuf> = files.iter().filter_map(below).collect();
    names.sort_by_key(|name| name.components().count());
    let n_others = names.len().saturating_sub(N_NAMED);
    let others = (n_others > 0).then(|| format!("{n_others} more"));
    let named = names.iter().take(N_NAMED).map(|name| format!("`{}`", name.display()));
    named.chain(others).collect()
}

/// Returns the address of the first page of a stored walk. That of an address is in its recording:
/// the request has it as people read it, with secrets masked.
pub(in crate::app::cli) fn stored_start(request: &WalkRequest, folder: &Path) -> Result<String> {
    let source = RunSource::of(&request.site)?;
    #[cfg(feature = "browser")]
    if request.is_in_browser {
        let named = start_of(&source, request)?;
        let recorded = RecordedScreens::new(Recording::open(&folder.join(RECORDING))?);
        return Ok(recorded.map_or(named.clone(), |recorded| recorded.start(&named)));
    }
    let recorded = source.clone().of_run(folder);
    match (&source, &recorded) {
        (RunSource::Address(_), RunSource::Recording(file)) if file.is_file() => {
            start_of(&recorded, request).or_else(|_| start_of(&source, request))
        }
        _ => start_of(&source, request),
    }
}

/// Reads the permits of effects.
pub(in crate::app::cli) fn permits_of<'a>(
    allow: impl IntoIterator<Item = &'a String>,
) -> Result<Vec<Permit>> {
    let permits: Result<Vec<Permit>, Error> = allow.into_iter().map(|text| text.parse()).collect();
    permits.map_err(|error| usage("--allow", error.to_string()))
}
