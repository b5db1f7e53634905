//! Money: amounts in pico-USD, prices of models, and the ledger, which reserves before a call and
//! settles after it.
//!
//! All arithmetic is on integers. Only the ledger keeps sums.

pub(crate) mod effect;
pub(crate) mod effect_ledger;
pub mod ledger;
pub(crate) mod ledger_line;
pub(crate) mod pico_usd;
pub mod price;
#[cfg(feature = "models")]
pub(crate) mod prices;
pub(crate) mod purse;
pub(crate) mod shared_limit;
pub(crate) mod versioned;
