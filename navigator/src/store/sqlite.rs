//! SQLite, in a file of this machine.

use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::types::{ToSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior, params_from_iter,
};

use super::engine::{SqlEngine, SqlRow, SqlTransaction, SqlValue, Work};
use super::error::StoreError;
use super::turnstile::{self, NoTurn};

/// The longest wait for the turn to write, for one transaction, and again for a process that writes
/// without one.
const BUSY: Duration = Duration::from_secs(10);

/// A connection to a file.
pub(crate) struct SqliteEngine {
    connection: Connection,
    path: PathBuf,
}

impl SqliteEngine {
    /// Opens the file of a store; `is_new` creates it if there is none, for its user alone.
    ///
    /// # Errors
    /// If there is none, or it cannot be opened.
    pub(crate) fn open(path: &Path, is_new: bool) -> Result<SqliteEngine, StoreError> {
        if is_new {
            create_private(path).map_err(|error| engine_error(path, &error.to_string()))?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(|error| {
            match error.sqlite_error_code() {
                Some(ErrorCode::CannotOpen) => StoreError::Missing { place: place_of(path) },
                _ => told(path, &error),
            }
        })?;
        let set = || -> rusqlite::Result<()> {
            connection.busy_timeout(BUSY)?;
            // A log that is written ahead lets readers go on while one process writes. `FULL`: a
            // reservation is on disk when its transaction ends.
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)
        };
        set().map_err(|error| told(path, &error))?;
        Ok(SqliteEngine { connection, path: path.to_owned() })
    }
}

/// Creates a file that only its user reads, with the folders above it.
#[expect(clippy::disallowed_methods, reason = "the rim: makes the file of a store")]
fn create_private(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

impl SqlEngine for SqliteEngine {
    fn transaction(&mut self, work: &mut Work<'_>) -> Result<(), StoreError> {
        let SqliteEngine { connection, path } = self;
        let _turn = turnstile::turn(path, BUSY).map_err(|NoTurn| StoreError::Away {
            place: place_of(path),
            message: "others write, and their turn does not end".to_owned(),
        })?;
        // At once a writer: two readers that both become writers would block each other.
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|error| told(path, &error))?;
        let mut statements = FileStatements { transaction, path };
        work(&mut statements)?;
        statements.transaction.commit().map_err(|error| told(path, &error))
    }
}

struct FileStatements<'c> {
    transaction: Transaction<'c>,
    path: &'c Path,
}

impl SqlTransaction for FileStatements<'_> {
    fn execute(&mut self, sql: &str, values: &[SqlValue]) -> Result<u64, StoreError> {
        let done = self
            .transaction
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params_from_iter(values)));
        done.map(|n| n as u64).map_err(|error| told(self.path, &error))
    }

    fn query(&mut self, sql: &str, values: &[SqlValue]) -> Result<Vec<SqlRow>, StoreError> {
        let read = || -> rusqlite::Result<Vec<SqlRow>> {
            let mut statement = self.transaction.prepare_cached(sql)?;
            let columns = statement.column_count();
            let rows = statement.query_map(params_from_iter(values), |row| {
                let cells = (0..columns).map(|at| row.get_ref(at).map(cell));
                Ok(SqlRow(cells.collect::<rusqlite::Result<_>>()?))
            })?;
            rows.collect()
        };
        read().map_err(|error| told(self.path, &error))
    }

    fn has_table(&mut self, name: &str) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1";
        Ok(!self.query(sql, &[name.into()])?.is_empty())
    }

    fn lock_whole(&mut self) -> Result<(), StoreError> {
        // Every transaction is the only one that writes.
        Ok(())
    }
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            SqlValue::Null => ToSqlOutput::Owned(Value::Null),
            SqlValue::Integer(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            SqlValue::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            SqlValue::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}

fn cell(value: ValueRef<'_>) -> SqlValue {
    match value {
        ValueRef::Integer(number) => SqlValue::Integer(number),
        ValueRef::Text(text) => SqlValue::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => SqlValue::Bytes(bytes.to_vec()),
        // No statement of ours keeps numbers with a fraction.
        ValueRef::Null | ValueRef::Real(_) => SqlValue::Null,
    }
}

fn place_of(path: &Path) -> String {
    path.display().to_string()
}

fn engine_error(path: &Path, message: &str) -> StoreError {
    StoreError::Engine { place: place_of(path), message: message.to_owned() }
}

fn told(path: &Path, error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StoreError::Away { place: place_of(path), message: error.to_string() }
        }
        Some(ErrorCode::NotADatabase) => StoreError::Place {
            place: place_of(path),
            message: "the file is not of SQLite (name another with `--store`)".to_owned(),
        },
        _ => engine_error(path, &error.to_string()),
    }
}
