//! A purse: a spend limit that many runs share, on one machine or many.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::money::pico_usd::PicoUsd;

/// The account of one run in a purse. It is written into the run's ledger, so that a resumed run
/// settles the reservations that it made before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PurseAccount {
    /// The name of the purse.
    pub purse: String,
    /// The run's own identifier, drawn at random.
    pub run: String,
}

/// The reason why a purse does not reserve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PurseRefusal {
    /// The amount could pass the limit of the purse.
    Limit {
        /// What is left of it, in pico-USD.
        left: PicoUsd,
    },
    /// The purse does not answer, so nothing may be spent; the reason.
    Away(String),
}

/// A purse, as the ledger of one run uses it.
pub trait Purse: fmt::Debug + Send {
    /// Returns the account of the run.
    fn account(&self) -> &PurseAccount;

    /// Returns what was left when the purse last answered, in pico-USD.
    fn left(&self) -> PicoUsd;

    /// Reserves the highest cost of a call, after all settlements that the purse was not told yet.
    /// A reservation of the same call replaces an earlier one: its call was never sent.
    ///
    /// # Errors
    /// If the amount could pass the limit, or the purse does not answer.
    fn reserve(&mut self, call: u32, amount: PicoUsd) -> Result<(), PurseRefusal>;

    /// Settles a call. If the purse does not answer, it keeps the reservation and is told before
    /// the next one.
    fn settle(&mut self, call: u32, spent: PicoUsd);
}
