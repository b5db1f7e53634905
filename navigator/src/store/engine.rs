//! What both engines do: transactions of SQL with numbered parameters.
//!
//! The statements use what SQLite and PostgreSQL share: `$1` parameters in ascending order, the
//! types BIGINT, TEXT and BYTEA, `ON CONFLICT`, partial indexes.

use super::error::StoreError;

/// A value of a parameter or a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SqlValue {
    /// A column of numbers has no value.
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl From<i64> for SqlValue {
    fn from(number: i64) -> SqlValue {
        SqlValue::Integer(number)
    }
}

impl From<&str> for SqlValue {
    fn from(text: &str) -> SqlValue {
        SqlValue::Text(text.to_owned())
    }
}

/// A row of an answer.
#[derive(Debug, Clone)]
pub(crate) struct SqlRow(pub Vec<SqlValue>);

impl SqlRow {
    /// Returns a number. A column that holds none is a fault of the statement.
    pub(crate) fn integer(&self, at: usize) -> i64 {
        self.maybe_integer(at).expect("the statement names a column of numbers here")
    }

    /// Returns a number, or `None` for a column without a value.
    pub(crate) fn maybe_integer(&self, at: usize) -> Option<i64> {
        match self.0.get(at) {
            Some(SqlValue::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns a text; it is empty for a column without a value.
    pub(crate) fn text(&self, at: usize) -> String {
        match self.0.get(at) {
            Some(SqlValue::Text(text)) => text.clone(),
            _ => String::new(),
        }
    }

    /// Returns bytes; they are empty for a column without a value.
    pub(crate) fn bytes(&self, at: usize) -> Vec<u8> {
        match self.0.get(at) {
            Some(SqlValue::Bytes(bytes)) => bytes.clone(),
            _ => Vec::new(),
        }
    }
}

/// The statements of one transaction.
pub(crate) trait SqlTransaction {
    /// Runs a statement and returns the number of rows that it changed.
    fn execute(&mut self, sql: &str, values: &[SqlValue]) -> Result<u64, StoreError>;

    /// Runs a statement and returns its rows.
    fn query(&mut self, sql: &str, values: &[SqlValue]) -> Result<Vec<SqlRow>, StoreError>;

    /// Reports whether there is a table.
    fn has_table(&mut self, name: &str) -> Result<bool, StoreError>;

    /// Waits until no other transaction uses the store, and keeps others out until the end.
    fn lock_whole(&mut self) -> Result<(), StoreError>;
}

/// The work of a transaction. It may be run again after the engine was away, so it gives the same
/// result where it was done before.
pub(crate) type Work<'w> = dyn FnMut(&mut dyn SqlTransaction) -> Result<(), StoreError> + 'w;

/// An engine with its connection.
pub(crate) trait SqlEngine: Send {
    /// Runs work as one transaction, and undoes it if it fails.
    fn transaction(&mut self, work: &mut Work<'_>) -> Result<(), StoreError>;
}
