//! Money: pico-USD, prices of models, and the ledger that reserves before a call and settles after
//! it.
//!
//! Integers only. Only the ledger adds up.

pub(crate) mod effect;
pub(crate) mod effect_ledger;
pub mod ledger;
pub(crate) mod pico_usd;
pub mod price;
#[cfg(feature = "models")]
pub(crate) mod prices;
pub(crate) mod versioned;
