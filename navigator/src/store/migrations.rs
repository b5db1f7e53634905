//! The format of a store, version by version.
//!
//! A store of version `n` becomes one of version `n + 1` by the statements of that step. A change
//! of the format adds a step; steps that were released never change.

use super::engine::SqlTransaction;
use super::error::StoreError;

/// The table that holds the version.
pub(super) const VERSION_TABLE: &str = "navigator_store";

/// The steps; the first makes version 1.
const STEPS: [&[&str]; 1] = [&[
    "CREATE TABLE navigator_store (version BIGINT NOT NULL)",
    "INSERT INTO navigator_store (version) VALUES (0)",
    "CREATE TABLE navigator_purses (
        name TEXT PRIMARY KEY,
        limit_pico_usd BIGINT NOT NULL,
        held_pico_usd BIGINT NOT NULL,
        spent_pico_usd BIGINT NOT NULL
    )",
    // `spent_pico_usd` is null while the reservation is held.
    "CREATE TABLE navigator_reservations (
        purse TEXT NOT NULL REFERENCES navigator_purses (name),
        run TEXT NOT NULL,
        call BIGINT NOT NULL,
        holder TEXT NOT NULL,
        since BIGINT NOT NULL,
        reserved_pico_usd BIGINT NOT NULL,
        spent_pico_usd BIGINT,
        PRIMARY KEY (purse, run, call)
    )",
    "CREATE INDEX navigator_held ON navigator_reservations (purse) WHERE spent_pico_usd IS NULL",
    "CREATE TABLE navigator_files (
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        file TEXT NOT NULL,
        bytes BYTEA NOT NULL,
        PRIMARY KEY (kind, name, file)
    )",
]];

/// The version that this program uses.
pub(super) const VERSION: i64 = STEPS.len() as i64;

/// Returns the version of a store; `None` if there is none.
///
/// # Errors
/// If the engine fails.
pub(super) fn found(store: &mut dyn SqlTransaction) -> Result<Option<i64>, StoreError> {
    if !store.has_table(VERSION_TABLE)? {
        return Ok(None);
    }
    let rows = store.query("SELECT version FROM navigator_store", &[])?;
    Ok(rows.first().map(|row| row.integer(0)))
}

/// Takes the steps from a version to that of this program. The whole store is locked.
///
/// # Errors
/// If the engine fails.
pub(super) fn migrate(store: &mut dyn SqlTransaction, from: i64) -> Result<(), StoreError> {
    let done = usize::try_from(from).unwrap_or_default();
    for statement in STEPS.iter().skip(done).flat_map(|step| step.iter()) {
        store.execute(statement, &[])?;
    }
    store.execute("UPDATE navigator_store SET version = $1", &[VERSION.into()])?;
    Ok(())
}
