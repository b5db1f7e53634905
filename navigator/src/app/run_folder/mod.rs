//! The folder of a run: one file for each output, readable by the user only. Files that must
//! survive a crash are on disk when a method returns, and a file is written whole or not at all.
//! Files that no run has written are neither replaced nor removed.

#![expect(clippy::disallowed_methods, reason = "the rim: keeps runs")]

mod written;

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::settings::not_there;
use crate::money::ledger::{Journal, LedgerLine};
use crate::money::versioned;
use crate::run::decision_log;
use crate::run::plan::Plan;
use crate::run::state::{self, State};
use crate::shared::{Access, Sanitized, replace_file, sync_folder};
use crate::walk::state::{self as walk_state, WalkState};
pub(crate) use written::{IGNORE, ledger_in, state_in};
use written::{
    LedgerFile, Written, check_ended, check_foreign, digest, foreign, hide, unhide, write,
};

/// The context.
pub(crate) const CONTEXT: &str = "context.md";
/// The flown plan.
pub(crate) const PLAN: &str = "plan.yaml";
/// The summary.
pub(crate) const SUMMARY: &str = "summary.md";
/// The JSON report of the context.
pub(crate) const REPORT: &str = "report.json";
/// The decision log.
pub(crate) const DECISION_LOG: &str = "decision-log.jsonl";
/// The ledger: reservations and settlements, call by call.
pub(crate) const LEDGER: &str = "ledger.jsonl";
/// The request, for resuming the run.
pub(crate) const ASKED: &str = "asked.json";
/// The recording of the site that was read.
pub(crate) const RECORDING: &str = "recording.warc.gz";
/// The format version of a stored request.
const ASKED_VERSION: u32 = 1;
/// The state of the run.
pub(crate) const STATE: &str = "state.json";
/// The log of what the guard of a browser stopped and let pass.
pub(crate) const SECURITY_LOG: &str = "security.jsonl";
/// The record of files that runs have written here.
const WRITTEN: &str = "written.json";
/// The lock of the process that works on the run.
pub(crate) const LOCK: &str = "lock";

/// Every file that a run may have in its folder. The records of ownership come last.
pub(crate) const FILES: [&str; 12] = [
    CONTEXT,
    PLAN,
    SUMMARY,
    REPORT,
    RECORDING,
    DECISION_LOG,
    LEDGER,
    SECURITY_LOG,
    ASKED,
    STATE,
    WRITTEN,
    LOCK,
];

/// The state of a run, as it is stored.
pub trait RunState: Sized {
    /// Returns the state as JSON.
    fn to_json(&self) -> Sanitized;

    /// Reads a stored state.
    ///
    /// # Errors
    /// A sentence, if it is damaged, or of a newer version.
    fn from_json(text: &str) -> Result<Self, String>;

    /// Returns the decisions so far, one JSON line each.
    fn log_lines(&self) -> Sanitized;

    /// Reports whether the run has ended.
    fn has_ended(&self) -> bool;
}

impl<P: Plan> RunState for State<P> {
    fn to_json(&self) -> Sanitized {
        state::to_json(self)
    }

    fn from_json(text: &str) -> Result<State<P>, String> {
        state::from_json(text).map_err(|error| error.to_string())
    }

    fn log_lines(&self) -> Sanitized {
        decision_log::to_lines(&self.log)
    }

    fn has_ended(&self) -> bool {
        self.ended.is_some()
    }
}

impl RunState for WalkState {
    fn to_json(&self) -> Sanitized {
        walk_state::to_json(self)
    }

    fn from_json(text: &str) -> Result<WalkState, String> {
        walk_state::from_json(text).map_err(|error| error.to_string())
    }

    fn log_lines(&self) -> Sanitized {
        Sanitized::json_lines(&self.path).expect("a path is plain data")
    }

    fn has_ended(&self) -> bool {
        self.ended.is_some()
    }
}

/// The folder of a run, locked against other processes until dropped. `R` is the type of the
/// request, `S` that of the state.
#[derive(Debug)]
pub struct RunFolder<R, S> {
    /// The path of the folder.
    pub path: PathBuf,
    /// Folders and files created for it, in this order.
    made: Vec<PathBuf>,
    _lock: File,
    of: PhantomData<fn() -> (R, S)>,
}

impl<R: Serialize + DeserializeOwned, S: RunState> RunFolder<R, S> {
    /// Creates the folder of a new run, with the first free number.
    ///
    /// # Errors
    /// If it cannot be created, or there is no home directory.
    pub fn create() -> Result<RunFolder<R, S>> {
        let runs = runs_folder().context("there is no home directory")?;
        let making = || format!("making a folder in {}", runs.display());
        make_folder(&runs).with_context(making)?;
        let mut number = numbers(&runs).with_context(making)?.last().copied().unwrap_or(0) + 1;
        loop {
            let path = runs.join(format!("{number:05}"));
            match private_folder().create(&path) {
                Ok(()) => {
                    sync_folder(&runs);
                    return RunFolder::hold(path.clone(), vec![path]);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error).with_context(making),
            }
        }
    }

    /// Uses a folder of the user's choice for a new run. The outputs of an earlier run are removed
    /// when the new one begins.
    ///
    /// # Errors
    /// If it cannot be created, another process works on it, its run has not ended, or it contains
    /// files that no run has written.
    pub fn at(path: &Path) -> Result<RunFolder<R, S>> {
        let made =
            make_folder(path).with_context(|| format!("making the folder {}", path.display()))?;
        check_ended::<R, S>(path)?;
        check_foreign::<R, S>(path, &FILES, "--out", "name another folder")?;
        RunFolder::hold(path.to_owned(), made)
    }

    /// Opens the folder of a run to resume it.
    ///
    /// # Errors
    /// If there is no such run, or another process works on it.
    pub fn open(run: &str) -> Result<RunFolder<R, S>> {
        let path = find(run)?;
        if !path.join(ASKED).is_file() {
            bail!(
                "{} is not the folder of a run that can be continued: none began there (a run \
                 that is killed while it scans leaves nothing to go on from)",
                path.display()
            );
        }
        let folder = RunFolder::hold(path, Vec::new())?;
        // Report files of a newer navigator as such before comparing them with those of this
        // version.
        folder.resume()?;
        Written::read(&folder.path).context(
            "the run does not say what it has written, so its ledger cannot be trusted \
                (begin a new run)",
        )?;
        check_foreign::<R, S>(
            &folder.path,
            &[CONTEXT, PLAN, SUMMARY, REPORT, DECISION_LOG],
            "--resume",
            "move it away",
        )?;
        Ok(folder)
    }

    fn hold(path: PathBuf, mut made: Vec<PathBuf>) -> Result<RunFolder<R, S>> {
        let lock = path.join(LOCK);
        let opening = || format!("opening {}", lock.display());
        let file = match private_file().write(true).create_new(true).open(&lock) {
            Ok(file) => {
                made.push(lock.clone());
                file
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                OpenOptions::new().write(true).open(&lock).with_context(opening)?
            }
            Err(error) => return Err(error).with_context(opening),
        };
        match file.try_lock() {
            Ok(()) => Ok(RunFolder { path, made, _lock: file, of: PhantomData }),
            Err(TryLockError::WouldBlock) => {
                bail!("another process works on the run in {}", path.display())
            }
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("locking {}", path.display()))
            }
        }
    }

    /// Removes the folders and files created for a run that never began.
    pub fn give_up(self) {
        for path in self.made.iter().rev() {
            // A file or folder that cannot be removed, or is not empty, does no harm.
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
        }
    }

    /// Returns the name of the run for the person: its number or its folder.
    pub fn name(&self) -> PathBuf {
        let is_numbered = runs_folder().is_some_and(|runs| self.path.parent() == Some(&runs));
        self.path
            .file_name()
            .filter(|_| is_numbered)
            .map_or_else(|| self.path.clone(), PathBuf::from)
    }

    /// Writes the request and the initial state of a run, after the recording of its site, and
    /// removes the outputs of an earlier one. A resumed run keeps its files.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn begin(
        &self,
        asked: &R,
        state: &S,
        recording: Option<&Path>,
        is_new: bool,
    ) -> Result<()> {
        if is_new {
            check_foreign::<R, S>(&self.path, &FILES, "--out", "name another folder")?;
            self.empty()?;
            Written::default().write(&self.path)?;
        }
        let begun = recording
            .map_or(Ok(()), |file| self.keep_recording(file))
            .and_then(|()| self.write(ASKED, &versioned::to_json(ASKED_VERSION, asked)))
            .and_then(|()| self.keep(state));
        if begun.is_err() && is_new {
            // The run has not begun. Files that cannot be removed either make it appear as
            // unreadable in lists.
            let _ = self.empty();
        }
        begun?;
        // Those of the state directory lie in no repository.
        if is_new && self.name() == self.path { Ok(hide(&self.path)?) } else { Ok(()) }
    }

    /// Copies a recording into the folder: what a server answered, byte for byte.
    fn keep_recording(&self, file: &Path) -> io::Result<()> {
        let bytes = fs::read(file)?;
        let mut written = Written::read(&self.path).map_err(io::Error::other)?;
        written.digests.entry(RECORDING.to_owned()).or_default().insert(digest(&bytes));
        written.write(&self.path)?;
        replace_file(&self.path.join(RECORDING), Access::Private, &bytes)
    }

    /// Records that the recording in the folder is the run's, as it is now.
    ///
    /// # Errors
    /// If it cannot be read, or the record not be written.
    pub(crate) fn own_recording(&self) -> Result<()> {
        let path = self.path.join(RECORDING);
        if !path.exists() {
            return Ok(());
        }
        let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let mut written = Written::read(&self.path)?;
        written.digests.entry(RECORDING.to_owned()).or_default().insert(digest(&bytes));
        Ok(written.write(&self.path)?)
    }

    /// Removes all files that runs have written.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn empty(&self) -> Result<()> {
        for name in FILES.into_iter().filter(|name| *name != LOCK) {
            match fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error).context(format!("removing {name}"));
                }
                _ => {}
            }
        }
        Ok(unhide(&self.path)?)
    }

    /// Writes the state of the run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, state: &S) -> io::Result<()> {
        self.write(STATE, &state.to_json())?;
        self.write(DECISION_LOG, &state.log_lines())
    }

    /// Reads the request and the last state of the run.
    ///
    /// # Errors
    /// If either is missing or cannot be read.
    pub fn resume(&self) -> Result<(R, S)> {
        stored(&self.path)
            .with_context(|| format!("{} is not a run that can be continued", self.path.display()))
    }

    /// Returns the lines of the ledger and a journal that appends to it. A partial last line, left
    /// by a crash, is cut off.
    ///
    /// # Errors
    /// If it cannot be read or written, or has lost lines: then the spend is unknown.
    pub fn ledger(&self) -> Result<(Vec<LedgerLine>, Box<dyn Journal>)> {
        let path = self.path.join(LEDGER);
        let kept = ledger_in(&self.path).map_err(|error| {
            anyhow::anyhow!(
                "{}: {error:#} (put it back as it was, or begin a new run)",
                path.display()
            )
        })?;
        let opening = || format!("opening {}", path.display());
        let mut file =
            private_file().create(true).append(true).open(&path).with_context(opening)?;
        file.set_len(kept.whole).with_context(opening)?;
        if kept.lacks_line_break {
            file.write_all(b"\n").with_context(opening)?;
        }
        Ok((kept.lines, Box::new(LedgerFile { file, folder: self.path.clone() })))
    }

    /// Writes the final outputs of a run, except those that would replace files no run has written.
    ///
    /// # Errors
    /// If some of them were not written; the others are.
    pub fn leave(&self, files: &[(&'static str, &Sanitized)], state: &S) -> Result<()> {
        let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let foreign = foreign::<R, S>(&self.path, &names);
        let mut done = self.keep(state);
        let mut written = Written::read(&self.path)?;
        for (name, text) in files {
            written.digests.entry((*name).to_owned()).or_default().insert(digest(text.as_bytes()));
        }
        written.write(&self.path)?;
        for (name, text) in files {
            done = done.and(if foreign.contains(name) {
                let path = self.path.join(name);
                Err(io::Error::other(format!(
                    "writing {}: the file there is not the run's (move it away)",
                    path.display()
                )))
            } else {
                self.write(name, text)
            });
        }
        Ok(done?)
    }

    /// Writes a file of the run, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&self, name: &str, text: &Sanitized) -> io::Result<()> {
        write(&self.path, name, text)
    }
}

/// Creates a folder that its user alone reads, with its missing parents.
///
/// # Errors
/// If it cannot be created.
#[cfg(feature = "store")]
pub(crate) fn new_folder(path: &Path) -> io::Result<()> {
    make_folder(path).map(drop)
}

/// Creates a folder and its missing parents; returns those it created.
fn make_folder(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing =
        path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let mut made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    made.reverse();
    private_folder().recursive(true).create(path)?;
    Ok(made)
}

/// Returns a builder of folders readable by the user only.
fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Returns options for files readable by the user only.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Returns the folder of all runs.
pub(crate) fn runs_folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("navigator").join("runs"))
}

pub(crate) fn numbers(runs: &Path) -> io::Result<Vec<u32>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(runs)? {
        numbers.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Finds the folder of a run by its number or its path.
///
/// # Errors
/// If there is no such run.
pub(crate) fn find(run: &str) -> Result<PathBuf> {
    let by_number = run
        .parse::<u32>()
        .ok()
        .and_then(|number| Some(runs_folder()?.join(format!("{number:05}"))));
    match [by_number, Some(PathBuf::from(run))].into_iter().flatten().find(|path| path.is_dir()) {
        Some(path) => Ok(path),
        None => Err(not_there(format!("there is no run `{run}` (`navigator runs` lists them)"))),
    }
}

/// Reports whether a process works on the run in a folder.
pub(crate) fn is_worked_on(folder: &Path) -> bool {
    let lock = OpenOptions::new().write(true).open(folder.join(LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Reads the request and the last state in the folder of a run.
///
/// # Errors
/// If either is missing or cannot be read.
pub(crate) fn stored<R: DeserializeOwned, S: RunState>(folder: &Path) -> Result<(R, S)> {
    let read = |name: &str| {
        fs::read_to_string(folder.join(name)).with_context(|| format!("reading {name}"))
    };
    let asked = request(&read(ASKED)?)?;
    let state = S::from_json(&read(STATE)?)
        .map_err(|message| anyhow::anyhow!("reading {STATE}: {message}"))?;
    Ok((asked, state))
}

/// Reads the text of a stored request.
///
/// # Errors
/// If it is damaged, or of a newer version.
pub(crate) fn request<R: DeserializeOwned>(text: &str) -> Result<R> {
    versioned::from_json(ASKED_VERSION, text)
        .map_err(|message| anyhow::anyhow!("reading {ASKED}: {message}"))
}
