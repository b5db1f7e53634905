//! Where a run is kept: a folder with one file for each thing a run leaves. What must not be lost is on disk when a call here
//! returns; a file is whole or not there.

#![expect(clippy::disallowed_methods, reason = "the rim: keeps runs")]

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy;
use repo_map::FlightPlan;
use serde::{Deserialize, Serialize};

use crate::decision_log;
use crate::ledger::{self, Journal, Line};
use crate::settings::usage;
use crate::state::State;

/// The context.
pub(crate) const CONTEXT: &str = "context.md";
/// The flown plan.
pub(crate) const PLAN: &str = "plan.yaml";
/// What is in and why.
pub(crate) const SUMMARY: &str = "summary.md";
/// The JSON twin of the context.
pub(crate) const REPORT: &str = "report.json";
/// What was decided.
pub(crate) const DECISION_LOG: &str = "decision-log.jsonl";
/// What was reserved and spent, call by call.
pub(crate) const LEDGER: &str = "ledger.jsonl";
/// What was asked, to continue with.
const ASKED: &str = "asked.json";
/// Where the run stands.
const STATE: &str = "state.json";
/// Held by the process that works on the run.
const LOCK: &str = "lock";

/// A file that is being written.
const UNFINISHED: &str = "unfinished";
/// The plan while the person edits it.
pub(crate) const EDITED_PLAN: &str = "edited-plan.yaml";

/// Every file that a run may have in its folder.
pub(crate) const FILES: [&str; 11] = [CONTEXT, PLAN, SUMMARY, REPORT, DECISION_LOG, LEDGER, ASKED, STATE, LOCK, UNFINISHED, EDITED_PLAN];

/// What a run was asked: enough to go on with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// The repository's folder, absolute.
    pub root: PathBuf,
    /// The plan that the run started from, as YAML.
    pub plan: String,
    /// Do not ask git what earlier commits say.
    pub no_history: bool,
    /// The revision since which changes count most.
    #[serde(default)]
    pub diff: Option<String>,
    /// Whether the goal was made up for the revision.
    #[serde(default)]
    pub is_made_up: bool,
    /// The settings in force.
    pub settings: BTreeMap<String, String>,
}

/// A run's folder, held against other processes until dropped.
#[derive(Debug)]
pub(crate) struct RunFolder {
    /// Where it is.
    pub path: PathBuf,
    _lock: File,
}

impl RunFolder {
    /// Makes the folder of a new run, the first free number. `None` where there is no home to keep it in.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub(crate) fn create() -> Result<Option<RunFolder>> {
        let Some(runs) = runs_folder() else { return Ok(None) };
        fs::create_dir_all(&runs)?;
        let mut number = numbers(&runs)?.last().copied().unwrap_or(0) + 1;
        loop {
            let path = runs.join(format!("{number:05}"));
            match fs::create_dir(&path) {
                Ok(()) => return RunFolder::hold(path).map(Some),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Takes a folder of the user's choice for a new run. What an earlier run left in it goes when the new one begins.
    ///
    /// # Errors
    /// When it cannot be made, another process works on it, its run has not ended, or it has files of other making.
    pub(crate) fn at(path: &Path) -> Result<RunFolder> {
        fs::create_dir_all(path).with_context(|| format!("making the folder {}", path.display()))?;
        let has = |name: &str| path.join(name).exists();
        let own = FILES.into_iter().filter(|name| !matches!(*name, LOCK | UNFINISHED));
        if let Some(name) = own.into_iter().find(|name| has(name)).filter(|_| !has(ASKED)) {
            bail!(usage("--out", format!("{} has a {name} that no run has written (name another folder)", path.display())));
        }
        if has(ASKED) && state_in(path).is_none_or(|state| state.ended.is_none()) {
            let path = path.display();
            bail!(usage("--out", format!("{path} has a run that has not ended (`--resume {path}` goes on with it; or remove the folder)")));
        }
        RunFolder::hold(path.to_owned())
    }

    /// Opens the folder of a run to go on with it.
    ///
    /// # Errors
    /// When there is no such run, or another process works on it.
    pub(crate) fn open(run: &str) -> Result<RunFolder> {
        let path = find(run)?;
        if !path.join(ASKED).is_file() {
            bail!("{} is not the folder of a run that can be continued", path.display());
        }
        RunFolder::hold(path)
    }

    fn hold(path: PathBuf) -> Result<RunFolder> {
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path.join(LOCK))?;
        match lock.try_lock() {
            Ok(()) => Ok(RunFolder { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => bail!("another process works on the run in {}", path.display()),
            Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("locking {}", path.display())),
        }
    }

    /// Takes the folder of a run that never began away again, if nothing else is in it.
    pub(crate) fn give_up(self) {
        if !self.path.join(ASKED).exists() {
            // What cannot be removed does no harm.
            let _ = fs::remove_file(self.path.join(LOCK));
            let _ = fs::remove_dir(&self.path);
        }
    }

    /// What a person calls the run: its number, or its folder.
    pub(crate) fn name(&self) -> PathBuf {
        let is_numbered = runs_folder().is_some_and(|runs| self.path.parent() == Some(&runs));
        self.path.file_name().filter(|_| is_numbered).map_or_else(|| self.path.clone(), PathBuf::from)
    }

    /// Writes what a run was asked and where it stands at its beginning, in place of what an earlier run left. One that is
    /// continued keeps all it has.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn begin(&self, asked: &Asked, state: &State, is_new: bool) -> Result<()> {
        for name in FILES.into_iter().filter(|name| is_new && *name != LOCK) {
            match fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error).context(format!("removing {name}")),
                _ => {}
            }
        }
        self.write(ASKED, &serde_json::to_string_pretty(asked)?)?;
        Ok(self.keep(state)?)
    }

    /// Writes where the run stands.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep(&self, state: &State) -> io::Result<()> {
        self.write(STATE, &serde_json::to_string(state)?)?;
        self.write(DECISION_LOG, &decision_log::to_lines(&state.log))
    }

    /// What the run was asked, and where it stood last.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub(crate) fn resume(&self) -> Result<(Asked, State)> {
        let read = |name: &str| {
            fs::read_to_string(self.path.join(name))
                .with_context(|| format!("{} is not a run that can be continued: reading {name}", self.path.display()))
        };
        let asked = serde_json::from_str(&read(ASKED)?).with_context(|| format!("reading {ASKED}"))?;
        let state = serde_json::from_str(&read(STATE)?).with_context(|| format!("reading {STATE}"))?;
        Ok((asked, state))
    }

    /// The ledger so far, and where it goes on. What a crash left of a last line is cut off.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub(crate) fn ledger(&self) -> Result<(Vec<Line>, Box<dyn Journal>)> {
        let path = self.path.join(LEDGER);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
        };
        // What a crash left of a last line goes: it was never acted upon, or its reservation stands before it.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let lines = ledger::lines(&String::from_utf8_lossy(&bytes[..whole]));
        let lines = lines.map_err(|message| anyhow::anyhow!("{}: {message}", path.display()))?;
        let file = OpenOptions::new().create(true).append(true).open(&path).with_context(|| format!("opening {}", path.display()))?;
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
        }
        Ok((lines, Box::new(LedgerFile(file))))
    }

    /// Writes a file of the run: whole, or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let unfinished = self.path.join(UNFINISHED);
        let mut file = File::create(&unfinished)?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        fs::rename(&unfinished, self.path.join(name))
    }
}

/// The ledger on disk.
struct LedgerFile(File);

impl Journal for LedgerFile {
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes())?;
        self.0.sync_data()
    }
}

/// The folder of all runs.
fn runs_folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("navigator").join("runs"))
}

fn state_in(folder: &Path) -> Option<State> {
    serde_json::from_str(&fs::read_to_string(folder.join(STATE)).ok()?).ok()
}

fn numbers(runs: &Path) -> io::Result<Vec<u32>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(runs)? {
        numbers.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// The folder of a run: its number, or its folder itself.
///
/// # Errors
/// When there is no such run.
pub(crate) fn find(run: &str) -> Result<PathBuf> {
    let by_number = run.parse::<u32>().ok().and_then(|number| Some(runs_folder()?.join(format!("{number:05}"))));
    match [by_number, Some(PathBuf::from(run))].into_iter().flatten().find(|path| path.is_dir()) {
        Some(path) => Ok(path),
        None => bail!("there is no run `{run}` (`navigator runs` lists them)"),
    }
}

/// The repository's folder of the run in `folder`.
///
/// # Errors
/// When the run does not say.
pub(crate) fn root_of(folder: &Path) -> Result<PathBuf> {
    let text =
        fs::read_to_string(folder.join(ASKED)).with_context(|| format!("{} does not say which repository it is of", folder.display()))?;
    let asked: Asked = serde_json::from_str(&text).with_context(|| format!("reading {ASKED}"))?;
    Ok(asked.root)
}

/// A run in the list of runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Listing {
    /// Its number.
    pub run: String,
    /// How it ended, or `open` when it did not.
    pub stop: String,
    /// The first line of its goal.
    pub goal: String,
    /// Who decided.
    pub pilot: String,
    /// How many turns were taken.
    pub turns: u32,
    /// The size of its context in tokens.
    pub tokens: Option<u64>,
    /// What was spent.
    pub spent_pico_usd: crate::money::PicoUsd,
    /// The repository's folder.
    pub root: String,
    /// Where it is kept.
    pub folder: PathBuf,
}

/// Every run of the user's, oldest first. One that cannot be read is listed as `unreadable`.
///
/// # Errors
/// When the folder of runs cannot be read.
pub(crate) fn list() -> Result<Vec<Listing>> {
    let Some(runs) = runs_folder().filter(|runs| runs.is_dir()) else { return Ok(Vec::new()) };
    Ok(numbers(&runs)?.into_iter().map(|number| listing(&runs.join(format!("{number:05}")))).collect())
}

fn listing(folder: &Path) -> Listing {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let json = |name: &str| read(name).and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    let asked: Option<Asked> = read(ASKED).and_then(|text| serde_json::from_str(&text).ok());
    let plan = asked.as_ref().and_then(|asked| FlightPlan::from_yaml(ASKED, &asked.plan).ok());
    let state = state_in(folder);
    let lines = read(LEDGER).map(|text| ledger::lines(&text));
    let stop = match (&asked, &state, &lines) {
        (Some(_), Some(state), Some(Ok(_))) => state.ended.clone().unwrap_or_else(|| "open".to_owned()),
        // A run that has not begun yet scans.
        (None, None, None) => "open".to_owned(),
        _ => "unreadable".to_owned(),
    };
    let lines = lines.and_then(Result::ok).unwrap_or_default();
    let pilot = lines.iter().rev().find_map(|line| if let Line::Opened { pilot, .. } = line { Some(pilot.clone()) } else { None });
    Listing {
        run: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        stop,
        goal: plan.and_then(|plan| plan.goal).unwrap_or_default().lines().next().unwrap_or_default().to_owned(),
        pilot: pilot.unwrap_or_default(),
        turns: state.map_or(0, |state| state.turns),
        tokens: json(REPORT).and_then(|report| report["tokens"].as_u64()),
        spent_pico_usd: ledger::spent(&lines),
        root: asked.map(|asked| asked.root.display().to_string()).unwrap_or_default(),
        folder: folder.to_owned(),
    }
}
