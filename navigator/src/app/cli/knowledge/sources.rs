//! A knowledge of recordings: a new one, or a damaged file that is made again.

#![expect(clippy::disallowed_methods, reason = "the rim: reads recordings")]

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use repo_map::cli::say;
use repo_map::{CancelToken, Sanitized};
use site_map::Response;
use site_map::source::folder::{self, html_files};

use crate::app::cli::knowledge::file::{Stored, read};
use crate::app::cli::listing::root_of;
use crate::app::cli::walk::run::{WalkRequest, stored_start};
use crate::app::cli::walk::world::WalkWorld;
use crate::app::run_folder::{self, RECORDING};
use crate::app::settings::{not_there, usage};
use crate::app::source::documents::{RunSource, open_recording};
use crate::knowledge::build::{SeenSite, build};
use crate::knowledge::gaps::proposal::keep_untried;
use crate::knowledge::model::{Knowledge, KnownRecord};
use crate::run::deadline::Deadline;
use crate::shared::n_of;
use crate::terrain::site::screen_of_page;
use crate::walk::state::WalkState;

/// A recording as a knowledge names it, and where it lies.
type NamedRecording = (KnownRecord, PathBuf);

/// Makes a knowledge of recordings. One that is named twice counts once; their order does not
/// matter.
pub(super) fn of_sources(sources: &[PathBuf]) -> Result<Knowledge> {
    let mut recordings: Vec<NamedRecording> = Vec::new();
    let mut proposed = Vec::new();
    for source in sources {
        if !is_knowledge(source) {
            recordings.push((record_of(source)?, source.clone()));
            continue;
        }
        let knowledge = open(source)?;
        proposed.extend(knowledge.inferred);
        let places = recordings_of(&knowledge.records).with_context(|| {
            format!("the recordings of `{}` are not named or not there", source.display())
        })?;
        for place in places {
            recordings.push((record_of(&place)?, place));
        }
    }
    let mut knowledge = made_of(recordings)?;
    keep_untried(&mut knowledge, proposed);
    Ok(knowledge)
}

fn made_of(mut recordings: Vec<NamedRecording>) -> Result<Knowledge> {
    let mut seen = SeenSite::default();
    recordings.sort_by(|a, b| a.0.digest.cmp(&b.0.digest));
    recordings.dedup_by(|a, b| a.0.digest == b.0.digest);
    for (record, source) in recordings {
        look(&mut seen, record, &source).with_context(|| format!("`{}`", source.display()))?;
    }
    if seen.sightings.is_empty() {
        bail!("the recordings have no page");
    }
    Ok(build(seen).knowledge)
}

/// Reports whether a path names a knowledge, and no recording.
pub(super) fn is_knowledge(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
}

/// Returns where recordings lie, if all of them are named and still there.
fn recordings_of(records: &[KnownRecord]) -> Option<Vec<PathBuf>> {
    let sources: Option<Vec<PathBuf>> =
        records.iter().map(|record| record.source.as_ref().map(PathBuf::from)).collect();
    let is_there = |source: &PathBuf| !is_knowledge(source) && source.exists();
    sources.filter(|sources| !sources.is_empty() && sources.iter().all(is_there))
}

/// Returns the recordings that a damaged file was made of, if all of them are there as they were.
/// A file of others may name any folder, and only who has seen a recording knows its digest.
fn unchanged_recordings_of(records: &[KnownRecord]) -> Option<Vec<NamedRecording>> {
    let places = recordings_of(records)?;
    let unchanged = records.iter().zip(places).map(|(record, place)| {
        let found = record_of(&place).ok()?;
        (found.digest == record.digest).then_some((found, place))
    });
    unchanged.collect()
}

/// Returns what is said of a recording: its name, and the digest of what it has.
fn record_of(source: &Path) -> Result<KnownRecord> {
    let name = source.file_name().unwrap_or(source.as_os_str()).to_string_lossy().into_owned();
    let mut digest = blake3::Hasher::new();
    let mut add = |file: &Path, name: &Path| -> Result<()> {
        let bytes = fs::read(file).with_context(|| format!("reading `{}`", file.display()))?;
        digest.update(&bytes).update(name.as_os_str().as_encoded_bytes());
        Ok(())
    };
    // The content of a recording is all that it is, whatever its file is called.
    let unnamed = Path::new("");
    let place = match walk_folder(source) {
        Some(folder) => {
            let asked = run_folder::stored::<WalkRequest, WalkState>(&folder)?.0;
            add(&folder.join(run_folder::STATE), unnamed)?;
            match RunSource::of_stored(&asked.site)?.of_run(&folder) {
                RunSource::Recording(file) => add(&file, unnamed)?,
                RunSource::Folder(_) | RunSource::Pages(_) | RunSource::Address(_) => {}
            }
            folder
        }
        None => match pages_of(source)? {
            RunSource::Recording(file) => {
                add(&file, unnamed)?;
                file
            }
            RunSource::Folder(root) | RunSource::Pages(root) => {
                // A page with another name is another page.
                for file in html_files(&root)? {
                    add(&file, file.strip_prefix(&root).unwrap_or(&file))?;
                }
                root
            }
            RunSource::Address(address) => {
                let message = format!(
                    "`{}` is an address: explore, walk or record it first (`navigator browse`, \
                     `site-map record`)",
                    address.display()
                );
                return Err(usage("SOURCES", message));
            }
        },
    };
    let place = fs::canonicalize(&place).unwrap_or(place);
    Ok(KnownRecord {
        name: Sanitized::line(&name).into_string(),
        digest: digest.finalize().to_hex()[..32].to_owned(),
        n_screens: 0,
        source: Some(Sanitized::line(&place.to_string_lossy()).into_string()),
    })
}

/// Returns the folder of a walk that an argument names.
fn walk_folder(source: &Path) -> Option<PathBuf> {
    let folder = run_folder::find(source.to_str()?).ok()?;
    run_folder::stored::<WalkRequest, WalkState>(&folder).is_ok().then_some(folder)
}

/// Returns the pages that an argument names: the recording of an exploration, a recording, or a
/// folder.
fn pages_of(source: &Path) -> Result<RunSource> {
    if let Some(Ok(folder)) = source.to_str().map(run_folder::find)
        && folder.join(RECORDING).is_file()
    {
        return Ok(RunSource::Recording(folder.join(RECORDING)));
    }
    if let Some(Ok(folder)) = source.to_str().map(run_folder::find)
        && let Ok(root) = root_of(&folder)
    {
        return match RunSource::of_stored(&root)? {
            RunSource::Folder(root) => bail!(
                "run `{}` is one on the repository `{}`, which has no pages (`navigator runs` \
                 lists the walks and the runs on sites)",
                source.display(),
                root.display()
            ),
            pages => Ok(pages),
        };
    }
    match RunSource::of(source)? {
        RunSource::Folder(path) if !path.exists() => {
            let message = format!("there is no run, recording or folder `{}`", path.display());
            Err(not_there(message))
        }
        source => Ok(source),
    }
}

/// Takes note of what a recording shows.
fn look(seen: &mut SeenSite, record: KnownRecord, source: &Path) -> Result<()> {
    let deadline = Deadline::new(None, CancelToken::new());
    if let Some(folder) = walk_folder(source) {
        let (request, state) = run_folder::stored::<WalkRequest, WalkState>(&folder)?;
        let start = stored_start(&request, &folder)?;
        let pages = RunSource::of(&request.site)?.of_run(&folder);
        let session = WalkWorld::recorded(&pages, &start, request.is_in_browser)?;
        let mut session = session.context("the walk has no recording")?;
        seen.walk(record, &mut session, &state, &request.goal, &deadline)?;
        return Ok(());
    }
    let mut screens = Vec::new();
    let mut add = |response: site_map::Result<Response>| match response {
        Ok(response) if response.is_page() => screens.push(screen_of_page(&response)),
        Ok(_) => {}
        // One page that cannot be read is left out.
        Err(error) => say(format!("navigator: {error}")),
    };
    match pages_of(source)? {
        RunSource::Recording(file) => open_recording(&file)?.responses().for_each(add),
        RunSource::Folder(root) | RunSource::Pages(root) => {
            html_files(&root)?.iter().for_each(|file| add(folder::read(&root, file)));
        }
        RunSource::Address(_) => bail!("an address has to be recorded first"),
    }
    screens.sort_by(|a, b| a.address.cmp(&b.address));
    seen.pages(record, screens);
    Ok(())
}

/// Opens a knowledge that has to be whole: who asks a server may not have it read recordings.
///
/// # Errors
/// If it cannot be read, or is damaged.
#[cfg(feature = "mcp")]
pub(in crate::app::cli) fn open_whole(path: &Path) -> Result<Knowledge> {
    match read(path)? {
        Stored::Whole(knowledge) => Ok(*knowledge),
        Stored::Damaged { why, .. } => Err(damaged(path, &why)),
    }
}

fn damaged(path: &Path, why: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "`{}` is damaged: {why} (`navigator knowledge build` makes it again)",
        path.display()
    )
}

/// Opens a knowledge for a command. One that is damaged is made again of its recordings, if they
/// are all there, unchanged.
pub(in crate::app::cli) fn open(path: &Path) -> Result<Knowledge> {
    let (why, records, may_have_proposals) = match read(path)? {
        Stored::Whole(knowledge) => return Ok(*knowledge),
        Stored::Damaged { why, records, may_have_proposals } => (why, records, may_have_proposals),
    };
    let Some(recordings) = unchanged_recordings_of(&records) else {
        let why = format!("{why}; its recordings are not named, not there, or changed");
        return Err(damaged(path, &why));
    };
    let n_recordings = recordings.len();
    let knowledge = made_of(recordings)?;
    say(format!(
        "navigator: `{}` is damaged ({why}): made again of {}{}",
        path.display(),
        n_of(n_recordings, "recording"),
        match may_have_proposals {
            true => "; its proposals, if it had any, are lost (`navigator knowledge propose`)",
            false => "",
        }
    ));
    Ok(knowledge)
}
