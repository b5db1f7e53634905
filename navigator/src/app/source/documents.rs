//! From the argument of a command to documents: a repository, or a site of pages, which are
//! documents in memory.

#![expect(clippy::disallowed_methods, reason = "the rim: asks what an argument names")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use repo_map::cache::Cache;
use repo_map::cli::say;
use repo_map::{FlightPlan, Options, ProgressSink, Sanitized, Tree};
use site_map::Site;
use site_map::address::{decoded, host_of, lacking_scheme, page_address};
use site_map::site::kept::KeptSite;
use site_map::site::open;
use site_map::source::folder::path_of;
use site_map::source::recording::Recording;
use url::Url;

use crate::app::run_folder::RECORDING;
use crate::app::settings::usage;
use crate::terrain::repo::{Repository, by_paths};

/// What the begin of an argument says of a folder with pages.
const PAGES: &str = "file://";

/// The place that a run is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RunSource {
    /// A repository.
    Folder(PathBuf),
    /// A folder of HTML pages.
    Pages(PathBuf),
    /// A recording of a site.
    Recording(PathBuf),
    /// The address of a site.
    Address(PathBuf),
}

impl RunSource {
    /// Tells what an argument names.
    ///
    /// # Errors
    /// If it is an address that has no pages.
    pub(crate) fn of(argument: &Path) -> Result<RunSource> {
        let path = argument.to_owned();
        let text = argument.to_str().unwrap_or_default();
        if let Some(scheme) = lacking_scheme(text)
            && !path.exists()
        {
            let message = format!("`{text}` does not exist (an address begins with `{scheme}`)");
            return Err(usage("PATH", message));
        }
        match text.split_once("://") {
            Some(("http" | "https", _)) => {
                let address =
                    page_address(text).map_err(|error| usage("PATH", error.to_string()))?;
                Ok(RunSource::Address(address.as_str().into()))
            }
            Some(("file", _)) => match path_of(text) {
                Some(folder) if folder.is_dir() => Ok(RunSource::Pages(folder)),
                // A file that is none says what it is when it is opened.
                Some(file) if file.is_file() => Ok(RunSource::Recording(file)),
                _ => Err(usage(
                    "PATH",
                    format!("`{text}` is no folder (`{PAGES}FOLDER` is a folder of HTML pages)"),
                )),
            },
            Some(_) if !path.exists() => Err(usage(
                "PATH",
                format!("`{text}` has no pages (only http, https and file have)"),
            )),
            _ if path.is_file() => Ok(RunSource::Recording(path)),
            _ => Ok(RunSource::Folder(path)),
        }
    }

    /// Tells what a stored run is about. Its address is one for people and is not asked again.
    ///
    /// # Errors
    /// If the place does not exist.
    pub(crate) fn of_stored(root: &Path) -> Result<RunSource> {
        match root.to_str().and_then(|text| text.split_once("://")) {
            Some(("http" | "https", _)) => Ok(RunSource::Address(root.to_owned())),
            _ => RunSource::of(root),
        }
    }

    /// Returns the documents of a stored run if they are gone: a folder, a recording, or what was
    /// recorded of an address in the folder of the run.
    pub(crate) fn gone(root: &Path, run: &Path) -> Option<PathBuf> {
        let text = root.to_str().unwrap_or_default();
        let place = match text.split_once("://") {
            Some(("http" | "https", _)) => run.join(RECORDING),
            Some(_) => path_of(text)?,
            None => root.to_owned(),
        };
        (!place.exists()).then_some(place)
    }

    /// Returns the path or the address.
    pub(crate) fn place(&self) -> &Path {
        match self {
            RunSource::Folder(path) | RunSource::Pages(path) => path,
            RunSource::Recording(path) | RunSource::Address(path) => path,
        }
    }

    /// Returns the path or the address for people. Percent-encoding would hide secrets from the
    /// mask.
    pub(crate) fn name(&self) -> String {
        let name = self.place().display().to_string();
        let name = if let RunSource::Address(_) = self { decoded(&name) } else { name };
        Sanitized::line(&name).into_string()
    }

    /// Returns the address of a site behind one.
    pub(crate) fn address(&self) -> Option<Url> {
        let RunSource::Address(address) = self else { return None };
        page_address(address.to_str()?).ok()
    }

    /// Returns the host of an address, with a port that is not the usual one.
    pub(crate) fn host(&self) -> Option<String> {
        self.address().map(|address| host_of(&address))
    }

    /// Returns the place of the documents of a run: those of an address are recorded in the run's
    /// folder.
    pub(crate) fn of_run(self, folder: &Path) -> RunSource {
        match self {
            RunSource::Address(_) => RunSource::Recording(folder.join(RECORDING)),
            source => source,
        }
    }

    /// Returns the folder of the documents, where outputs of a run may lie too.
    pub(crate) fn folder(&self) -> Option<&Path> {
        match self {
            RunSource::Folder(path) | RunSource::Pages(path) => Some(path),
            RunSource::Recording(_) | RunSource::Address(_) => None,
        }
    }

    /// Returns the argument that names the same place from every folder; an address is one for
    /// people.
    ///
    /// # Errors
    /// If the place does not exist.
    pub(crate) fn absolute(&self) -> Result<PathBuf> {
        let place = self.place();
        if let RunSource::Address(_) = self {
            return Ok(self.name().into());
        }
        let path =
            fs::canonicalize(place).with_context(|| format!("opening `{}`", place.display()))?;
        Ok(match self {
            RunSource::Pages(_) => format!("{PAGES}{}", path.display()).into(),
            RunSource::Folder(_) | RunSource::Recording(_) | RunSource::Address(_) => path,
        })
    }

    /// Reads the pages of a site, from the cache if nothing has changed; a repository is read when
    /// it is opened. The watcher is told how many pages of how many were read.
    ///
    /// # Errors
    /// If a page cannot be read, there is none, or the pages lie behind an address.
    pub(crate) fn documents(
        &self,
        cache: Option<&Cache>,
        watcher: Option<&ProgressSink>,
    ) -> Result<Documents> {
        let kept = cache.filter(|_| matches!(self, RunSource::Pages(_) | RunSource::Recording(_)));
        let mut kept = kept.map(|cache| KeptSite::open(cache, self.place())).transpose()?;
        if let Some(site) = kept.as_ref().and_then(KeptSite::site) {
            return Ok(Documents::Site(Arc::new(site)));
        }
        let site = match self {
            RunSource::Folder(root) => return Ok(Documents::Folder(root.clone())),
            RunSource::Pages(root) => open::folder_watched(root, watcher)?,
            RunSource::Recording(file) => {
                let recording = open_recording(file)?;
                // What is wrong is said each time.
                kept = kept.filter(|_| recording.complaint().is_none());
                open::recording_watched(&recording, &file.display().to_string(), watcher)?
            }
            RunSource::Address(_) => {
                let message = format!(
                    "`{}` is not asked again (name the run, or its `{RECORDING}`)",
                    self.name()
                );
                return Err(usage("PATH", message));
            }
        };
        let site = match kept {
            Some(kept) => kept.keep(site),
            None => site,
        };
        Ok(Documents::Site(Arc::new(site)))
    }
}

/// Opens a recording, and says what of it is not read.
///
/// # Errors
/// If the file cannot be read, or is no recording.
pub(crate) fn open_recording(file: &Path) -> Result<Recording> {
    let recording = Recording::open(file)?;
    if let Some(complaint) = recording.complaint() {
        say(format!("navigator: {}: {complaint}", file.display()));
    }
    Ok(recording)
}

/// The documents of a run.
#[derive(Debug, Clone)]
pub(crate) enum Documents {
    /// The files of a repository.
    Folder(PathBuf),
    /// The pages of a site.
    Site(Arc<Site>),
}

impl Documents {
    /// Scores the documents for the plan's goal.
    ///
    /// # Errors
    /// As [`Repository::open`].
    pub(crate) fn open(&self, plan: FlightPlan, options: &Options) -> Result<Repository> {
        Ok(match self {
            Documents::Folder(root) => Repository::open(root, plan, options)?,
            Documents::Site(site) => Repository::over(site.judged(&plan, options)?, plan),
        })
    }

    /// Opens the documents by their paths alone.
    ///
    /// # Errors
    /// As [`Repository::open_unread`].
    pub(crate) fn open_unread(&self, plan: FlightPlan, options: &Options) -> Result<Repository> {
        Ok(match self {
            Documents::Folder(root) => Repository::open_unread(root, plan, options)?,
            Documents::Site(site) => {
                let (paths, options) = by_paths(&plan, options);
                Repository::over(site.judged(&paths, &options)?, plan)
            }
        })
    }

    /// Returns the pages of a site for a plan; `None` for a repository.
    ///
    /// # Errors
    /// If the engine refuses the name of a page.
    pub(crate) fn pages(&self, plan: &FlightPlan) -> Result<Option<Tree>> {
        Ok(match self {
            Documents::Folder(_) => None,
            Documents::Site(site) => Some(site.tree(&plan.rules)?),
        })
    }

    /// Returns the noun for all of them.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Documents::Folder(_) => "repository",
            Documents::Site(_) => "site",
        }
    }

    /// Reports whether no page of a site says anything.
    pub(crate) fn are_empty(&self) -> bool {
        match self {
            Documents::Folder(_) => false,
            Documents::Site(site) => site.pages.iter().all(|page| !page.has_data),
        }
    }

    /// Returns what a site has that is not shown, in words.
    pub(crate) fn left_out(&self) -> Option<String> {
        match self {
            Documents::Folder(_) => None,
            Documents::Site(site) => site.left_out(),
        }
    }
}
