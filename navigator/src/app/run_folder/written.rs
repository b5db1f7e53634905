//! The record of files that runs have written in a folder: other files are never mistaken for
//! theirs, and lost lines of the ledger are noticed.

#![expect(clippy::disallowed_methods, reason = "the rim: keeps runs")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    ASKED, DECISION_LOG, FILES, LEDGER, LOCK, RunState, SECURITY_LOG, STATE, WRITTEN, request,
};
use crate::app::settings::usage;
use crate::money::ledger::{self, Journal, LedgerLine};
use crate::shared::{Access, Sanitized, replace_file};

/// The rules that hide the files of a run from maps.
pub(crate) const IGNORE: &str = ".gitignore";
/// The rule that hides all of a folder.
const ALL: &str = "*\n";

/// The record of files that runs have written in a folder.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Written {
    /// The digests of the contents written into each output file, by its name.
    pub(super) digests: BTreeMap<String, BTreeSet<String>>,
    /// The minimum length of the ledger, in bytes.
    ledger_bytes: u64,
}

impl Written {
    pub(super) fn read(folder: &Path) -> Result<Written> {
        let path = folder.join(WRITTEN);
        let reading = || format!("reading {}", path.display());
        serde_json::from_str(&fs::read_to_string(&path).with_context(reading)?)
            .with_context(reading)
    }

    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        write(folder, WRITTEN, &Sanitized::json(self)?)
    }
}

/// The ledger on disk.
pub(super) struct LedgerFile {
    pub(super) file: File,
    pub(super) folder: PathBuf,
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

/// The contents of a ledger file.
pub(crate) struct KeptLedger {
    pub(crate) lines: Vec<LedgerLine>,
    /// The length of the whole lines, in bytes. Nothing was done after a partial last line, or its
    /// reservation is in an earlier line.
    pub(super) whole: u64,
    /// The last line is complete but lacks its line break.
    pub(super) lacks_line_break: bool,
}

/// Reads the ledger in a run's folder.
///
/// # Errors
/// If it cannot be read, or is shorter than recorded.
pub(crate) fn ledger_in(folder: &Path) -> Result<KeptLedger> {
    // Read the record first: a run in progress makes the ledger longer.
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

/// Returns those of the files `names` in a folder that no run has written.
pub(super) fn foreign<R: DeserializeOwned, S: RunState>(
    folder: &Path,
    names: &[&'static str],
) -> Vec<&'static str> {
    let written = Written::read(folder).ok();
    let is_ours = |name: &str| {
        let path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Err(error) => return error.kind() == io::ErrorKind::NotFound,
            Ok(there) if !there.is_file() => return false,
            // The lock is held, and neither written nor removed.
            Ok(_) if name == LOCK => return true,
            Ok(_) => {}
        }
        let (Some(written), Ok(bytes)) = (&written, fs::read(&path)) else { return false };
        match name {
            WRITTEN => true,
            ASKED => std::str::from_utf8(&bytes).is_ok_and(|text| request::<R>(text).is_ok()),
            STATE => std::str::from_utf8(&bytes).is_ok_and(|text| S::from_json(text).is_ok()),
            LEDGER => ledger_in(folder).is_ok(),
            SECURITY_LOG => is_security_log(&bytes),
            // A killed run may have written its state but not yet its log.
            DECISION_LOG => state_in::<S>(folder)
                .is_some_and(|state| state.log_lines().as_bytes().starts_with(&bytes)),
            _ => written.digests.get(name).is_some_and(|digests| digests.contains(&digest(&bytes))),
        }
    };
    names.iter().copied().filter(|name| !is_ours(name)).collect()
}

/// Reports whether a file has lines of a security log alone. A killed run may have begun another.
fn is_security_log(bytes: &[u8]) -> bool {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    bytes[..whole].split_inclusive(|byte| *byte == b'\n').all(|line| {
        let line: Option<Value> = serde_json::from_slice(line).ok();
        line.is_some_and(|line| line["time"].is_string() && line["event"].is_string())
    })
}

/// Checks that a folder has no run that may go on.
pub(super) fn check_ended<R: DeserializeOwned, S: RunState>(folder: &Path) -> Result<()> {
    let asked = fs::read_to_string(folder.join(ASKED));
    if !asked.is_ok_and(|text| request::<R>(&text).is_ok()) {
        return Ok(());
    }
    let path = folder.display();
    let message = match state_in::<S>(folder) {
        Some(state) if state.has_ended() => return Ok(()),
        Some(_) => format!(
            "{path} has a run that has not ended (`--resume {path}` goes on with it; or remove \
             the folder)"
        ),
        None => format!(
            "{path} has a run whose {STATE} cannot be read, so it cannot go on (name another \
             folder, or remove this one)"
        ),
    };
    Err(usage("--out", message))
}

pub(super) fn check_foreign<R: DeserializeOwned, S: RunState>(
    folder: &Path,
    names: &[&'static str],
    flag: &str,
    way_out: &str,
) -> Result<()> {
    match foreign::<R, S>(folder, names).first() {
        Some(name) => Err(usage(
            flag,
            format!("{} has a {name} that no run has written ({way_out})", folder.display()),
        )),
        None => Ok(()),
    }
}

pub(super) fn digest(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Reads the state of the run in a folder.
pub(crate) fn state_in<S: RunState>(folder: &Path) -> Option<S> {
    S::from_json(&fs::read_to_string(folder.join(STATE)).ok()?).ok()
}

/// Hides the files of a run from git and from maps of the folder around it. A folder that has other
/// files too stays as it is.
pub(super) fn hide(folder: &Path) -> io::Result<()> {
    for file in fs::read_dir(folder)? {
        let name = file?.file_name();
        if !FILES.iter().any(|of_run| name == *of_run) {
            return Ok(());
        }
    }
    write(folder, IGNORE, &ALL.into())
}

/// Removes the rules that [`hide`] wrote.
pub(super) fn unhide(folder: &Path) -> io::Result<()> {
    let file = folder.join(IGNORE);
    match fs::read_to_string(&file) {
        Ok(rules) if rules == ALL => fs::remove_file(file),
        _ => Ok(()),
    }
}

/// Writes a file of a run, whole or not at all.
pub(super) fn write(folder: &Path, name: &str, text: &Sanitized) -> io::Result<()> {
    let path = folder.join(name);
    replace_file(&path, Access::Private, text.as_bytes()).map_err(|error| {
        io::Error::new(error.kind(), format!("writing {}: {error}", path.display()))
    })
}
