//! The purse that a run spends from, by its settings.

use std::process;

use anyhow::{Result, anyhow};

use crate::app::settings::{Settings, store_place, usage};
use crate::money::ledger::LedgerLine;
use crate::money::purse::PurseAccount;
use crate::run::state::boundary;
use crate::shared::Sanitized;
use crate::store::{Store, StoreError, StorePlace, StoredPurse, check_purse_name};

/// A purse and its store.
#[derive(Debug, Clone)]
pub(crate) struct RunPurse {
    purse: String,
    place: StorePlace,
}

impl RunPurse {
    /// Returns the purse that the settings name, which must be there now: a run that cannot be paid
    /// does not begin.
    ///
    /// # Errors
    /// If the name of the purse or the place of the store cannot be used, the store has no such
    /// purse, or does not answer.
    pub(crate) fn of(settings: &Settings) -> Result<Option<RunPurse>> {
        let Some(purse) = settings.purse() else { return Ok(None) };
        check_purse_name(purse).map_err(|error| usage("--purse", error.to_string()))?;
        let place = store_place(settings)?;
        Store::at(place.clone()).purse(purse).map_err(refused)?;
        Ok(Some(RunPurse { purse: purse.to_owned(), place }))
    }

    /// Returns the name of the purse.
    pub(crate) fn name(&self) -> &str {
        &self.purse
    }

    /// Opens the account of a run: that of its ledger, or a new one. `run` names the run for people
    /// who look at what is held.
    ///
    /// # Errors
    /// If the store has no such purse, or does not answer.
    pub(crate) fn open(&self, lines: &[LedgerLine], run: &str) -> Result<StoredPurse> {
        let before = lines.iter().rev().find_map(|line| match line {
            LedgerLine::Opened { purse: Some(account), .. } if account.purse == self.purse => {
                Some(account.clone())
            }
            _ => None,
        });
        let account =
            before.unwrap_or_else(|| PurseAccount { purse: self.purse.clone(), run: boundary() });
        let holder = format!("{run}, process {} on {}", process::id(), machine());
        let holder = Sanitized::line(&holder).into_string();
        StoredPurse::open(Store::at(self.place.clone()), account, holder).map_err(refused)
    }
}

fn refused(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Unknown { .. } => usage("--purse", error.to_string()),
        _ => anyhow!("--purse: {error} (nothing is spent without it)"),
    }
}

/// Returns the name of this machine.
fn machine() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = "this machine".to_owned();
    name
}
