//! Purses: limits of spend that many runs share. Reservation and settlement are one transaction
//! each, so that no number of runs passes a limit.

use super::connection::{Store, now};
use super::engine::SqlTransaction;
use super::error::StoreError;
use crate::money::pico_usd::PicoUsd;
use crate::money::purse::{PurseAccount, PurseRefusal};
use crate::shared::Sanitized;

/// The largest limit of a purse: the sums of the store are signed 64-bit numbers.
const LARGEST: PicoUsd = PicoUsd(1_000_000_000_000_000_000);

/// A purse as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurseState {
    /// The name.
    pub name: String,
    /// The limit of spend, in pico-USD.
    pub limit: PicoUsd,
    /// The sum of the reservations that are not settled, in pico-USD.
    pub held: PicoUsd,
    /// The sum of the settlements, in pico-USD. It passes the limit only where a provider billed
    /// more than the maximum that it was given.
    pub spent: PicoUsd,
}

impl PurseState {
    /// Returns what may still be reserved.
    pub fn left(&self) -> PicoUsd {
        PicoUsd(self.limit.0.saturating_sub(self.held.0).saturating_sub(self.spent.0))
    }
}

/// A reservation that is not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldReservation {
    /// The identifier of the run.
    pub run: String,
    /// The number of the call in the run.
    pub call: u32,
    /// Who made it: machine, process and folder of the run.
    pub holder: String,
    /// When it was made, in seconds since 1970.
    pub since: i64,
    /// The amount, in pico-USD.
    pub reserved: PicoUsd,
}

impl Store {
    /// Creates a purse.
    ///
    /// # Errors
    /// If there is one of that name, the name is empty or the limit too large, or the store fails.
    pub fn create_purse(&mut self, name: &str, limit: PicoUsd) -> Result<(), StoreError> {
        check_purse_name(name)?;
        check_limit(limit)?;
        self.run(|store| {
            let made = store.execute(
                "INSERT INTO navigator_purses \
                 (name, limit_pico_usd, held_pico_usd, spent_pico_usd) \
                 VALUES ($1, $2, 0, 0) ON CONFLICT (name) DO NOTHING",
                &[name.into(), signed(limit).into()],
            )?;
            match made {
                0 => Err(StoreError::Refused(format!(
                    "there is a purse `{name}` (`navigator purse change` sets another limit)"
                ))),
                _ => Ok(()),
            }
        })
    }

    /// Sets another limit. One below what is spent and held refuses every further reservation.
    ///
    /// # Errors
    /// If there is no such purse, the limit is too large, or the store fails.
    pub fn change_purse(&mut self, name: &str, limit: PicoUsd) -> Result<(), StoreError> {
        check_limit(limit)?;
        self.run(|store| {
            purse_in(store, name)?;
            store.execute(
                "UPDATE navigator_purses SET limit_pico_usd = $1 WHERE name = $2",
                &[signed(limit).into(), name.into()],
            )?;
            Ok(())
        })
    }

    /// Returns all purses, by name.
    ///
    /// # Errors
    /// If the store fails.
    pub fn purses(&mut self) -> Result<Vec<PurseState>, StoreError> {
        self.run(all_purses)
    }

    /// Returns a purse.
    ///
    /// # Errors
    /// If there is none of that name, or the store fails.
    pub fn purse(&mut self, name: &str) -> Result<PurseState, StoreError> {
        self.run(|store| purse_in(store, name))
    }

    /// Returns the reservations of a purse that are not settled, oldest first.
    ///
    /// # Errors
    /// If there is no such purse, or the store fails.
    pub fn held(&mut self, name: &str) -> Result<Vec<HeldReservation>, StoreError> {
        self.run(|store| {
            purse_in(store, name)?;
            let rows = store.query(
                "SELECT run, call, holder, since, reserved_pico_usd FROM navigator_reservations \
                 WHERE purse = $1 AND spent_pico_usd IS NULL ORDER BY since, run, call",
                &[name.into()],
            )?;
            let held = rows.iter().map(|row| HeldReservation {
                run: row.text(0),
                call: u32::try_from(row.integer(1)).unwrap_or(u32::MAX),
                holder: row.text(2),
                since: row.integer(3),
                reserved: unsigned(row.integer(4)),
            });
            Ok(held.collect())
        })
    }

    /// Settles what a run holds, as unspent or as spent to the last. A settlement that the run
    /// itself makes later replaces this one. Returns the amount that was held.
    ///
    /// # Errors
    /// If there is no such purse, the run holds nothing, or the store fails.
    pub fn release(
        &mut self,
        name: &str,
        run: &str,
        is_spent: bool,
    ) -> Result<PicoUsd, StoreError> {
        self.run(|store| {
            purse_in(store, name)?;
            let rows = store.query(
                "SELECT call, reserved_pico_usd FROM navigator_reservations \
                 WHERE purse = $1 AND run = $2 AND spent_pico_usd IS NULL",
                &[name.into(), run.into()],
            )?;
            if rows.is_empty() {
                return Err(StoreError::Refused(format!(
                    "nothing of the purse `{name}` is held under the identifier `{run}` \
                     (`navigator purse show {name}` lists the identifiers of what is held)"
                )));
            }
            let mut released = PicoUsd::default();
            for row in rows {
                let held = unsigned(row.integer(1));
                let spent = if is_spent { held } else { PicoUsd::default() };
                settle_in(store, (name, run, row.integer(0)), spent)?;
                released = released.plus(held);
            }
            Ok(released)
        })
    }

    /// Reserves an amount for a call of a run. The same reservation twice is one; another amount
    /// for the same call replaces the first. Returns the purse after it.
    pub(super) fn reserve(
        &mut self,
        account: &PurseAccount,
        call: u32,
        amount: PicoUsd,
        holder: &str,
    ) -> Result<Result<PurseState, PurseRefusal>, StoreError> {
        let (name, run, call) = (account.purse.as_str(), account.run.as_str(), i64::from(call));
        self.run(|store| {
            let before = purse_in(store, name)?;
            let rows = store.query(
                "SELECT reserved_pico_usd, spent_pico_usd FROM navigator_reservations \
                 WHERE purse = $1 AND run = $2 AND call = $3",
                &[name.into(), run.into(), call.into()],
            )?;
            if let Some(row) = rows.first() {
                let reserved = unsigned(row.integer(0));
                match row.maybe_integer(1) {
                    None if reserved == amount => return Ok(Ok(before)),
                    None => {}
                    Some(_) => {
                        return Err(StoreError::Refused(format!(
                            "call {call} of the run `{run}` is settled already: the ledger of the \
                             run has lost lines"
                        )));
                    }
                }
                store.execute(
                    "DELETE FROM navigator_reservations \
                     WHERE purse = $1 AND run = $2 AND call = $3",
                    &[name.into(), run.into(), call.into()],
                )?;
                store.execute(
                    "UPDATE navigator_purses SET held_pico_usd = held_pico_usd - $1 \
                     WHERE name = $2",
                    &[signed(reserved).into(), name.into()],
                )?;
            }
            // One conditional update: the second of two runs sees the sums that the first has left.
            let n = match amount > LARGEST {
                true => 0,
                false => store.execute(
                    "UPDATE navigator_purses SET held_pico_usd = held_pico_usd + $1 \
                     WHERE name = $2 AND held_pico_usd + spent_pico_usd <= limit_pico_usd - $1",
                    &[signed(amount).into(), name.into()],
                )?,
            };
            if n == 0 {
                return Ok(Err(PurseRefusal::Limit { left: purse_in(store, name)?.left() }));
            }
            store.execute(
                "INSERT INTO navigator_reservations \
                 (purse, run, call, holder, since, reserved_pico_usd, spent_pico_usd) \
                 VALUES ($1, $2, $3, $4, $5, $6, NULL)",
                &[
                    name.into(),
                    run.into(),
                    call.into(),
                    holder.into(),
                    now().into(),
                    signed(amount).into(),
                ],
            )?;
            purse_in(store, name).map(Ok)
        })
    }

    /// Settles a call of a run. The same settlement twice is one. Returns the purse after it.
    pub(super) fn settle(
        &mut self,
        account: &PurseAccount,
        call: u32,
        spent: PicoUsd,
    ) -> Result<PurseState, StoreError> {
        let call = (account.purse.as_str(), account.run.as_str(), i64::from(call));
        self.run(|store| settle_in(store, call, spent))
    }
}

/// Settles the call `(purse, run, number)`. One that the purse does not have was made before the
/// run used it.
fn settle_in(
    store: &mut dyn SqlTransaction,
    (name, run, call): (&str, &str, i64),
    spent: PicoUsd,
) -> Result<PurseState, StoreError> {
    // The lock of the purse's row, before the reservation is read.
    store.execute(
        "UPDATE navigator_purses SET held_pico_usd = held_pico_usd WHERE name = $1",
        &[name.into()],
    )?;
    let rows = store.query(
        "SELECT reserved_pico_usd, spent_pico_usd FROM navigator_reservations \
         WHERE purse = $1 AND run = $2 AND call = $3",
        &[name.into(), run.into(), call.into()],
    )?;
    let Some(row) = rows.first() else { return purse_in(store, name) };
    let spent = signed(spent.min(LARGEST));
    let (held, before) = match row.maybe_integer(1) {
        None => (row.integer(0), 0),
        Some(before) => (0, before),
    };
    store.execute(
        "UPDATE navigator_reservations SET spent_pico_usd = $1 \
         WHERE purse = $2 AND run = $3 AND call = $4",
        &[spent.into(), name.into(), run.into(), call.into()],
    )?;
    store.execute(
        "UPDATE navigator_purses SET held_pico_usd = held_pico_usd - $1, \
         spent_pico_usd = spent_pico_usd + $2 WHERE name = $3",
        &[held.into(), (spent - before).into(), name.into()],
    )?;
    purse_in(store, name)
}

fn all_purses(store: &mut dyn SqlTransaction) -> Result<Vec<PurseState>, StoreError> {
    let rows = store.query(
        "SELECT name, limit_pico_usd, held_pico_usd, spent_pico_usd FROM navigator_purses \
         ORDER BY name",
        &[],
    )?;
    let purses = rows.iter().map(|row| PurseState {
        name: row.text(0),
        limit: unsigned(row.integer(1)),
        held: unsigned(row.integer(2)),
        spent: unsigned(row.integer(3)),
    });
    Ok(purses.collect())
}

fn purse_in(store: &mut dyn SqlTransaction, name: &str) -> Result<PurseState, StoreError> {
    let rows = store.query(
        "SELECT limit_pico_usd, held_pico_usd, spent_pico_usd FROM navigator_purses \
         WHERE name = $1",
        &[name.into()],
    )?;
    if let Some(row) = rows.first() {
        return Ok(PurseState {
            name: name.to_owned(),
            limit: unsigned(row.integer(0)),
            held: unsigned(row.integer(1)),
            spent: unsigned(row.integer(2)),
        });
    }
    let names: Vec<String> = all_purses(store)?.into_iter().map(|purse| purse.name).collect();
    let hint = match names.is_empty() {
        true => " (`navigator purse create` makes one)".to_owned(),
        false => format!(" (it has {})", names.join(", ")),
    };
    Err(StoreError::Unknown { kind: "purse", name: name.to_owned(), hint })
}

/// Checks the name of a purse: it stands in settings, ledgers and tables, so it is plain text and
/// no secret.
///
/// # Errors
/// If it is neither.
pub fn check_purse_name(name: &str) -> Result<(), StoreError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 100 || !name.chars().all(is_plain) {
        return Err(StoreError::Refused(
            "the name of a purse has letters, digits, `-`, `_` and `.` (at most 100)".to_owned(),
        ));
    }
    match *Sanitized::line(name) == *name {
        true => Ok(()),
        false => Err(StoreError::Refused("the name of a purse looks like a secret".to_owned())),
    }
}

fn check_limit(limit: PicoUsd) -> Result<(), StoreError> {
    match limit > LARGEST {
        true => Err(StoreError::Refused(format!(
            "{limit} is more than a purse can hold ({LARGEST} at most)"
        ))),
        false => Ok(()),
    }
}

fn signed(amount: PicoUsd) -> i64 {
    i64::try_from(amount.0).unwrap_or(i64::MAX)
}

fn unsigned(amount: i64) -> PicoUsd {
    PicoUsd(u64::try_from(amount).unwrap_or_default())
}
