//! Where a run is kept: a folder with one file for each thing a run leaves, for its user alone.
//! What must not be lost is on disk when a call here returns; a file is whole or not there; and
//! what no run has written is neither replaced nor removed.

#![expect(clippy::disallowed_methods, reason = "the rim: keeps runs")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use etcetera::BaseStrategy;
use repo_map::cli::{Access, replace_file, sync_folder};
use repo_map::plan::Rule;
use repo_map::{FlightPlan, Sanitized};
use serde::{Deserialize, Serialize};

use crate::app::settings::usage;
use crate::money::ledger::{self, Journal, LedgerLine};
use crate::run::decision_log;
use crate::run::state::{self, State};

/// The context.
pub(crate) const CONTEXT: &str = "context.md";
/// The flown plan.
pub(crate) const PLAN: &str = "plan.yaml";
/// What is in and why.
pub(crate) const SUMMARY: &str = "summary.md";
/// The JSON report of the context.
pub(crate) const REPORT: &str = "report.json";
/// What was decided.
pub(crate) const DECISION_LOG: &str = "decision-log.jsonl";
/// What was reserved and spent, call by call.
pub(crate) const LEDGER: &str = "ledger.jsonl";
/// What was asked, to continue with.
const ASKED: &str = "asked.json";
/// Where the run stands.
const STATE: &str = "state.json";
/// What runs have written here.
const WRITTEN: &str = "written.json";
/// Held by the process that works on the run.
const LOCK: &str = "lock";

/// Every file that a run may have in its folder. What says whose they are comes after them.
pub(crate) const FILES: [&str; 10] =
    [CONTEXT, PLAN, SUMMARY, REPORT, DECISION_LOG, LEDGER, ASKED, STATE, WRITTEN, LOCK];

/// What a run was asked: enough to go on with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunRequest {
    /// The repository's folder, absolute.
    pub root: PathBuf,
    /// The plan that the run started from, as YAML.
    pub plan: String,
    /// The pilot's rules that its first turn started from. With them and the plan's the decision
    /// log rebuilds the last rules.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// Do not ask git what earlier commits say.
    pub no_history: bool,
    /// The revision since which changes count most.
    #[serde(default)]
    pub diff: Option<String>,
    /// Whether the goal was made up for the revision.
    #[serde(default)]
    pub goal_is_synthetic: bool,
    /// The settings in force.
    pub settings: BTreeMap<String, String>,
}

/// What runs have written in a folder: so nothing else is taken for theirs, and no line of the
/// ledger goes unnoticed.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Written {
    /// The digests of what was written into the files that a run leaves, by their names.
    digests: BTreeMap<String, BTreeSet<String>>,
    /// How long the ledger is at least.
    ledger_bytes: u64,
}

impl Written {
    fn read(folder: &Path) -> Result<Written> {
        let path = folder.join(WRITTEN);
        let reading = || format!("reading {}", path.display());
        serde_json::from_str(&fs::read_to_string(&path).with_context(reading)?)
            .with_context(reading)
    }

    fn write(&self, folder: &Path) -> io::Result<()> {
        write(folder, WRITTEN, &Sanitized::json(self)?)
    }
}

/// A run's folder, held against other processes until dropped.
#[derive(Debug)]
pub(crate) struct RunFolder {
    /// Where it is.
    pub path: PathBuf,
    /// What was made to hold it, in this order.
    made: Vec<PathBuf>,
    _lock: File,
}

impl RunFolder {
    /// Makes the folder of a new run, the first free number.
    ///
    /// # Errors
    /// When it cannot be made, or there is no home to make it in.
    pub(crate) fn create() -> Result<RunFolder> {
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

    /// Takes a folder of the user's choice for a new run. What an earlier run left in it goes when
    /// the new one begins.
    ///
    /// # Errors
    /// When it cannot be made, another process works on it, its run has not ended, or it has files
    /// of other making.
    pub(crate) fn at(path: &Path) -> Result<RunFolder> {
        let made =
            make_folder(path).with_context(|| format!("making the folder {}", path.display()))?;
        check_foreign(path, &FILES, "--out", "name another folder")?;
        if path.join(ASKED).exists() && state_in(path).is_none_or(|state| state.ended.is_none()) {
            let path = path.display();
            bail!(usage(
                "--out",
                format!(
                    "{path} has a run that has not ended (`--resume {path}` goes on with it; or \
                     remove the folder)"
                )
            ));
        }
        RunFolder::hold(path.to_owned(), made)
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
        let folder = RunFolder::hold(path, Vec::new())?;
        // What a newer navigator has written is said to be that, before its files are compared with
        // what this one writes.
        folder.resume()?;
        Written::read(&folder.path).context(
            "the run does not say what it has written, so its ledger cannot be trusted \
                (begin a new run)",
        )?;
        check_foreign(
            &folder.path,
            &[CONTEXT, PLAN, SUMMARY, REPORT, DECISION_LOG],
            "--resume",
            "move it away",
        )?;
        Ok(folder)
    }

    fn hold(path: PathBuf, mut made: Vec<PathBuf>) -> Result<RunFolder> {
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
            Ok(()) => Ok(RunFolder { path, made, _lock: file }),
            Err(TryLockError::WouldBlock) => {
                bail!("another process works on the run in {}", path.display())
            }
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("locking {}", path.display()))
            }
        }
    }

    /// Takes what was made for a run that never began away again.
    pub(crate) fn give_up(self) {
        for path in self.made.iter().rev() {
            // What cannot be removed, or has something in it, does no harm.
            let _ = fs::remove_file(path).or_else(|_| fs::remove_dir(path));
        }
    }

    /// What a person calls the run: its number, or its folder.
    pub(crate) fn name(&self) -> PathBuf {
        let is_numbered = runs_folder().is_some_and(|runs| self.path.parent() == Some(&runs));
        self.path
            .file_name()
            .filter(|_| is_numbered)
            .map_or_else(|| self.path.clone(), PathBuf::from)
    }

    /// Writes what a run was asked and where it stands at its beginning, in place of what an
    /// earlier run left. One that is continued keeps all it has.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn begin(&self, asked: &RunRequest, state: &State, is_new: bool) -> Result<()> {
        if is_new {
            check_foreign(&self.path, &FILES, "--out", "name another folder")?;
            self.empty()?;
            Written::default().write(&self.path)?;
        }
        let begun = Sanitized::json_pretty(asked)
            .map_err(io::Error::from)
            .and_then(|asked| self.write(ASKED, &asked));
        let begun = begun.and_then(|()| self.keep(state));
        if begun.is_err() && is_new {
            // A beginning is no run; what cannot be removed either is listed as one that cannot be
            // read.
            let _ = self.empty();
        }
        Ok(begun?)
    }

    /// Removes all that runs have written.
    fn empty(&self) -> Result<()> {
        for name in FILES.into_iter().filter(|name| *name != LOCK) {
            match fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error).context(format!("removing {name}"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes where the run stands.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep(&self, state: &State) -> io::Result<()> {
        self.write(STATE, &state::to_json(state))?;
        self.write(DECISION_LOG, &decision_log::to_lines(&state.log))
    }

    /// What the run was asked, and where it stood last.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub(crate) fn resume(&self) -> Result<(RunRequest, State)> {
        let read = |name: &str| {
            fs::read_to_string(self.path.join(name)).with_context(|| {
                format!(
                    "{} is not a run that can be continued: reading {name}",
                    self.path.display()
                )
            })
        };
        let asked =
            serde_json::from_str(&read(ASKED)?).with_context(|| format!("reading {ASKED}"))?;
        let state = state::from_json(&read(STATE)?)
            .map_err(|message| anyhow::anyhow!("reading {STATE}: {message}"))?;
        Ok((asked, state))
    }

    /// The ledger so far, and where it goes on. What a crash left of a last line is cut off.
    ///
    /// # Errors
    /// When it cannot be read or written, or has lost lines: then no one knows what was spent.
    pub(crate) fn ledger(&self) -> Result<(Vec<LedgerLine>, Box<dyn Journal>)> {
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

    /// Writes what a run leaves when it ends, but for what would replace a file of other making.
    ///
    /// # Errors
    /// When some of it was not written; the rest is.
    pub(crate) fn leave(
        &self,
        files: [(&'static str, &Sanitized); 4],
        state: &State,
    ) -> Result<()> {
        let foreign = foreign(&self.path, &files.map(|(name, _)| name));
        let mut done = self.keep(state);
        let mut written = Written::read(&self.path)?;
        for (name, text) in files {
            written.digests.entry(name.to_owned()).or_default().insert(digest(text.as_bytes()));
        }
        written.write(&self.path)?;
        for (name, text) in files {
            done = done.and(if foreign.contains(&name) {
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

    /// Writes a file of the run: whole, or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    fn write(&self, name: &str, text: &Sanitized) -> io::Result<()> {
        write(&self.path, name, text)
    }
}

fn write(folder: &Path, name: &str, text: &Sanitized) -> io::Result<()> {
    let path = folder.join(name);
    replace_file(&path, Access::Private, text.as_bytes()).map_err(|error| {
        io::Error::new(error.kind(), format!("writing {}: {error}", path.display()))
    })
}

/// The ledger on disk.
struct LedgerFile {
    file: File,
    folder: PathBuf,
}

impl Journal for LedgerFile {
    fn write(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(format!("{line}\n").as_bytes())?;
        self.file.sync_data()?;
        let mut written = Written::read(&self.folder).map_err(io::Error::other)?;
        written.ledger_bytes = self.file.metadata()?.len();
        written.write(&self.folder)
    }
}

/// What a ledger's file has.
struct KeptLedger {
    lines: Vec<LedgerLine>,
    /// How many of its bytes are whole lines. What a crash left of a last one was never acted upon,
    /// or its reservation stands before it.
    whole: u64,
    /// The last line is whole but for its end.
    lacks_line_break: bool,
}

/// The ledger in a run's folder.
///
/// # Errors
/// When it cannot be read, or is shorter than it was.
fn ledger_in(folder: &Path) -> Result<KeptLedger> {
    // Read first: a run that goes on meanwhile makes the ledger longer.
    let written = Written::read(folder)?;
    let bytes = match fs::read(folder.join(LEDGER)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        bytes => bytes?,
    };
    let last = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let lacks_line_break = serde_json::from_slice::<LedgerLine>(&bytes[last..]).is_ok();
    let bytes = &bytes[..if lacks_line_break { bytes.len() } else { last }];
    let lines = ledger::lines(&String::from_utf8_lossy(bytes)).map_err(anyhow::Error::msg)?;
    let whole = bytes.len() as u64;
    if whole + u64::from(lacks_line_break) < written.ledger_bytes {
        bail!(
            "it has {whole} of the {} bytes that the run wrote, so what was spent is not known",
            written.ledger_bytes
        );
    }
    Ok(KeptLedger { lines, whole, lacks_line_break })
}

/// Those of the files `names` in a folder that no run has written.
fn foreign(folder: &Path, names: &[&'static str]) -> Vec<&'static str> {
    let written = Written::read(folder).ok();
    let is_ours = |name: &str| {
        let path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Err(error) => return error.kind() == io::ErrorKind::NotFound,
            Ok(there) if !there.is_file() => return false,
            // It is held, and neither written nor removed.
            Ok(_) if name == LOCK => return true,
            Ok(_) => {}
        }
        let (Some(written), Ok(bytes)) = (&written, fs::read(&path)) else { return false };
        match name {
            WRITTEN => true,
            ASKED => serde_json::from_slice::<RunRequest>(&bytes).is_ok(),
            STATE => serde_json::from_slice::<State>(&bytes).is_ok(),
            LEDGER => ledger_in(folder).is_ok(),
            // A run that was killed may have written its state and not yet its log.
            DECISION_LOG => state_in(folder).is_some_and(|state| {
                decision_log::to_lines(&state.log).as_bytes().starts_with(&bytes)
            }),
            _ => written.digests.get(name).is_some_and(|digests| digests.contains(&digest(&bytes))),
        }
    };
    names.iter().copied().filter(|name| !is_ours(name)).collect()
}

fn check_foreign(folder: &Path, names: &[&'static str], flag: &str, way_out: &str) -> Result<()> {
    match foreign(folder, names).first() {
        Some(name) => Err(usage(
            flag,
            format!("{} has a {name} that no run has written ({way_out})", folder.display()),
        )),
        None => Ok(()),
    }
}

fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Makes a folder and those above it, and gives those that were not there.
fn make_folder(path: &Path) -> io::Result<Vec<PathBuf>> {
    let missing =
        path.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let mut made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    made.reverse();
    private_folder().recursive(true).create(path)?;
    Ok(made)
}

/// Folders that are made so are for their user alone.
fn private_folder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Files that are made so are for their user alone.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// The folder of all runs.
fn runs_folder() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.state_dir().unwrap_or_else(|| base.data_dir()).join("navigator").join("runs"))
}

fn state_in(folder: &Path) -> Option<State> {
    state::from_json(&fs::read_to_string(folder.join(STATE)).ok()?).ok()
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
    let by_number = run
        .parse::<u32>()
        .ok()
        .and_then(|number| Some(runs_folder()?.join(format!("{number:05}"))));
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
    let text = fs::read_to_string(folder.join(ASKED))
        .with_context(|| format!("{} does not say which repository it is of", folder.display()))?;
    let asked: RunRequest =
        serde_json::from_str(&text).with_context(|| format!("reading {ASKED}"))?;
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
    pub spent_pico_usd: crate::money::pico_usd::PicoUsd,
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
    Ok(numbers(&runs)?
        .into_iter()
        .map(|number| listing(&runs.join(format!("{number:05}"))))
        .collect())
}

fn listing(folder: &Path) -> Listing {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let json = |name: &str| {
        read(name).and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok())
    };
    let asked: Option<RunRequest> = read(ASKED).and_then(|text| serde_json::from_str(&text).ok());
    let plan = asked.as_ref().and_then(|asked| FlightPlan::from_yaml(ASKED, &asked.plan).ok());
    let state = state_in(folder);
    let ledger = ledger_in(folder).ok();
    let stop = match (&asked, &state, &ledger) {
        (Some(_), Some(state), Some(_)) => state.ended.clone().unwrap_or_else(|| "open".to_owned()),
        // A run that has not begun yet scans.
        (None, None, None) => "open".to_owned(),
        _ => "unreadable".to_owned(),
    };
    let lines = ledger.map(|ledger| ledger.lines).unwrap_or_default();
    let pilot = lines.iter().rev().find_map(|line| {
        if let LedgerLine::Opened { pilot, .. } = line { Some(pilot.clone()) } else { None }
    });
    Listing {
        run: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        stop,
        goal: plan
            .and_then(|plan| plan.goal)
            .unwrap_or_default()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
        pilot: pilot.unwrap_or_default(),
        turns: state.map_or(0, |state| state.turns),
        tokens: json(REPORT).and_then(|report| report["tokens"].as_u64()),
        spent_pico_usd: ledger::spent(&lines),
        root: asked.map(|asked| asked.root.display().to_string()).unwrap_or_default(),
        folder: folder.to_owned(),
    }
}
