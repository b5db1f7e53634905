//! The store of a team: purses, runs and knowledges that many machines share.
//!
//! An embedded SQLite file, or a PostgreSQL server. Both engines run the same SQL behind one trait
//! (`engine`); what is kept is written once, over that trait. Each transaction first compares the
//! version of the store with that of this program.

mod connection;
mod engine;
mod error;
mod files;
mod migrations;
mod place;
#[cfg(feature = "postgres")]
mod postgres;
mod purse_account;
mod purses;
mod sqlite;
mod transfer;
mod turnstile;

pub use connection::{Store, StoreVersion};
pub use error::StoreError;
pub use files::{StoredFile, StoredFolder, StoredKind};
pub use place::StorePlace;
pub use purse_account::StoredPurse;
pub use purses::{HeldReservation, PurseState, check_purse_name};
