//! The account of one run in a purse of the store: what the ledger reserves in.

use super::connection::Store;
use super::error::StoreError;
use crate::money::pico_usd::PicoUsd;
use crate::money::purse::{Purse, PurseAccount, PurseRefusal};

/// A purse of a store, for one run.
#[derive(Debug)]
pub struct StoredPurse {
    store: Store,
    account: PurseAccount,
    /// The machine, process and folder of the run, for people who look at what is held.
    holder: String,
    /// What was left when the store last answered.
    left: PicoUsd,
    /// Settlements that the store was not told yet.
    untold: Vec<(u32, PicoUsd)>,
}

impl StoredPurse {
    /// Opens the account of a run.
    ///
    /// # Errors
    /// If the store has no such purse, or does not answer.
    pub fn open(
        mut store: Store,
        account: PurseAccount,
        holder: String,
    ) -> Result<StoredPurse, StoreError> {
        let left = store.purse(&account.purse)?.left();
        Ok(StoredPurse { store, account, holder, left, untold: Vec::new() })
    }

    /// Tells the store the settlements that it has not heard of.
    fn tell(&mut self) -> Result<(), StoreError> {
        while let Some((call, spent)) = self.untold.first().copied() {
            self.left = self.store.settle(&self.account, call, spent)?.left();
            self.untold.remove(0);
        }
        Ok(())
    }
}

impl Purse for StoredPurse {
    fn account(&self) -> &PurseAccount {
        &self.account
    }

    fn left(&self) -> PicoUsd {
        self.left
    }

    fn reserve(&mut self, call: u32, amount: PicoUsd) -> Result<(), PurseRefusal> {
        let away = |error: StoreError| PurseRefusal::Away(error.to_string());
        self.tell().map_err(away)?;
        let answer = self.store.reserve(&self.account, call, amount, &self.holder).map_err(away)?;
        self.left = match &answer {
            Ok(purse) => purse.left(),
            Err(PurseRefusal::Limit { left }) => *left,
            Err(PurseRefusal::Away(_)) => self.left,
        };
        answer.map(drop)
    }

    fn settle(&mut self, call: u32, spent: PicoUsd) {
        self.untold.push((call, spent));
        // What cannot be told now is told before the next reservation; until then it is held.
        let _ = self.tell();
    }
}
