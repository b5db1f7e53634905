//! A store: its place, its connection, and transactions that outlast a server that is away for a
//! moment.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::engine::{SqlEngine, SqlTransaction};
use super::error::StoreError;
use super::migrations::{self, VERSION};
use super::place::StorePlace;
use super::sqlite::SqliteEngine;

/// The waits before a transaction is tried again on a store that does not answer, in milliseconds.
/// Together they outlast the restart of a server.
const WAITS: [u64; 7] = [50, 100, 250, 500, 1_000, 2_000, 4_000];

/// The version of a store, and that of this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreVersion {
    /// The version of the store's format.
    pub found: i64,
    /// The version that this program uses.
    pub known: i64,
}

/// A store. It connects when it is first used, and again after its connection broke.
pub struct Store {
    place: StorePlace,
    engine: Option<Box<dyn SqlEngine>>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Store {
    /// Names the store at a place, without connecting.
    pub fn at(place: StorePlace) -> Store {
        Store { place, engine: None }
    }

    /// Returns the place.
    pub fn place(&self) -> &StorePlace {
        &self.place
    }

    /// Makes the store, or changes that of an earlier program; one that is as it should be stays.
    /// Returns the version that was found; `None` if the store is new.
    ///
    /// # Errors
    /// If it has the format of a later program, or cannot be reached.
    pub fn init(&mut self) -> Result<Option<i64>, StoreError> {
        self.prepare(true)
    }

    /// Changes the store of an earlier program. Returns the version that was found.
    ///
    /// # Errors
    /// If there is none, it has the format of a later program, or cannot be reached.
    pub fn migrate(&mut self) -> Result<i64, StoreError> {
        let missing = StoreError::Missing { place: self.place.to_string() };
        self.prepare(false)?.ok_or(missing)
    }

    fn prepare(&mut self, is_new: bool) -> Result<Option<i64>, StoreError> {
        let place = self.place.to_string();
        self.attempts(is_new, |store| {
            store.lock_whole()?;
            let found = migrations::found(store)?;
            match found {
                Some(found) if found > VERSION => {
                    Err(StoreError::Newer { place: place.clone(), found, known: VERSION })
                }
                Some(found) if found < VERSION => {
                    migrations::migrate(store, found).map(|()| Some(found))
                }
                None if is_new => migrations::migrate(store, 0).map(|()| None),
                found => Ok(found),
            }
        })
    }

    /// Returns the version of the store, whatever it is.
    ///
    /// # Errors
    /// If there is none, or it cannot be reached.
    pub fn version(&mut self) -> Result<StoreVersion, StoreError> {
        let found = self.attempts(false, migrations::found)?;
        let missing = StoreError::Missing { place: self.place.to_string() };
        Ok(StoreVersion { found: found.ok_or(missing)?, known: VERSION })
    }

    /// Runs work in a transaction of a store that has the version of this program. While the store
    /// does not answer, it is tried again for some eight seconds.
    pub(super) fn run<T>(
        &mut self,
        mut work: impl FnMut(&mut dyn SqlTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let place = self.place.to_string();
        self.attempts(false, |store| match migrations::found(store)? {
            Some(VERSION) => work(store),
            None => Err(StoreError::Missing { place: place.clone() }),
            Some(found) if found < VERSION => {
                Err(StoreError::Older { place: place.clone(), found, needed: VERSION })
            }
            Some(found) => Err(StoreError::Newer { place: place.clone(), found, known: VERSION }),
        })
    }

    fn attempts<T>(
        &mut self,
        is_new: bool,
        mut work: impl FnMut(&mut dyn SqlTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut waits = WAITS.iter();
        loop {
            let done = self.attempt(is_new, &mut work);
            if !done.as_ref().is_err_and(StoreError::is_away) {
                return done;
            }
            // What is left of a broken connection is of no use.
            self.engine = None;
            match waits.next() {
                Some(wait) => pause(*wait),
                None => return done,
            }
        }
    }

    fn attempt<T>(
        &mut self,
        is_new: bool,
        work: &mut dyn FnMut(&mut dyn SqlTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let engine = match &mut self.engine {
            Some(engine) => engine,
            none => none.insert(connect(&self.place, is_new)?),
        };
        let mut value = None;
        engine.transaction(&mut |store| {
            value = Some(work(store)?);
            Ok(())
        })?;
        Ok(value.expect("a transaction that succeeds has run its work"))
    }
}

fn connect(place: &StorePlace, is_new: bool) -> Result<Box<dyn SqlEngine>, StoreError> {
    match place {
        StorePlace::File(path) => Ok(Box::new(SqliteEngine::open(path, is_new)?)),
        #[cfg(feature = "postgres")]
        StorePlace::Server(address) => {
            Ok(Box::new(super::postgres::PostgresEngine::connect(address, place)?))
        }
        #[cfg(not(feature = "postgres"))]
        StorePlace::Server(_) => Err(StoreError::Place {
            place: place.to_string(),
            message: "this program was built without the feature `postgres`".to_owned(),
        }),
    }
}

#[expect(clippy::disallowed_methods, reason = "the rim: waits for a store to answer again")]
fn pause(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

/// Returns the time in seconds since 1970, for people who look at what is held.
#[expect(clippy::disallowed_methods, reason = "the rim: when a reservation was made")]
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
