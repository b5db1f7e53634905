//! The whole content of a store as lines of JSON, to move it to another engine or keep a copy.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::connection::Store;
use super::engine::{SqlTransaction, SqlValue};
use super::error::StoreError;
use super::files::{StoredFile, StoredKind, check, put_in};
use crate::shared::Sanitized;

/// A line of an export. A file's line comes with its bytes, so that no export is held as a whole.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
enum ExportLine {
    Store {
        version: i64,
    },
    Purse {
        name: String,
        limit_pico_usd: i64,
        held_pico_usd: i64,
        spent_pico_usd: i64,
    },
    Reservation {
        purse: String,
        run: String,
        call: i64,
        holder: String,
        since: i64,
        reserved_pico_usd: i64,
        spent_pico_usd: Option<i64>,
    },
    File {
        kind: String,
        name: String,
        file: String,
        bytes: String,
    },
}

impl Store {
    /// Exports the store, line by line, purses first.
    ///
    /// # Errors
    /// If the store fails, or `write` does.
    pub fn export(
        &mut self,
        write: &mut dyn FnMut(&Sanitized) -> std::io::Result<()>,
    ) -> Result<(), StoreError> {
        let mut put = |line: &ExportLine| {
            let line = Sanitized::json(line).expect("a line of an export is plain data");
            write(&line)
                .map_err(|error| StoreError::Refused(format!("writing the export: {error}")))
        };
        let (head, files) = self.run(|store| Ok((tables_in(store)?, file_names(store)?)))?;
        head.iter().try_for_each(&mut put)?;
        for (kind, name, file) in files {
            let bytes = self.run(|store| {
                let key = [kind.as_str().into(), name.as_str().into(), file.as_str().into()];
                let rows = store.query(
                    "SELECT bytes FROM navigator_files WHERE kind = $1 AND name = $2 AND file = $3",
                    &key,
                )?;
                Ok(rows.first().map(|row| row.bytes(0)))
            })?;
            // One that was removed meanwhile is not in the export.
            let Some(bytes) = bytes else { continue };
            put(&ExportLine::File { kind, name, file, bytes: STANDARD.encode(bytes) })?;
        }
        Ok(())
    }

    /// Imports an export into a store that is empty, as one transaction. Returns the number of
    /// lines.
    ///
    /// # Errors
    /// If the store is not empty, a line cannot be read, or the store fails; then nothing is kept.
    pub fn import(&mut self, text: &str) -> Result<usize, StoreError> {
        let place = self.place().to_string();
        self.run(|store| {
            for table in ["navigator_purses", "navigator_files"] {
                if !store.query(&format!("SELECT 1 FROM {table} LIMIT 1"), &[])?.is_empty() {
                    return Err(StoreError::Refused(format!(
                        "the store {place} is not empty: an export goes into a new one"
                    )));
                }
            }
            let mut n = 0;
            for (at, line) in text.lines().enumerate() {
                let wrong = |message: String| {
                    StoreError::Refused(format!("line {} of the export: {message}", at + 1))
                };
                let line: ExportLine =
                    serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
                match (at, &line) {
                    (0, ExportLine::Store { version })
                        if *version == super::migrations::VERSION => {}
                    (0, _) | (_, ExportLine::Store { .. }) => {
                        return Err(wrong(format!(
                            "an export begins with the format of the store, and this program reads \
                             {}",
                            super::migrations::VERSION
                        )));
                    }
                    _ => keep(store, line).map_err(|error| wrong(error.to_string()))?,
                }
                n += 1;
            }
            match n {
                0 => Err(StoreError::Refused("the export is empty".to_owned())),
                n => Ok(n),
            }
        })
    }
}

fn tables_in(store: &mut dyn SqlTransaction) -> Result<Vec<ExportLine>, StoreError> {
    let mut lines = vec![ExportLine::Store { version: super::migrations::VERSION }];
    for row in store.query(
        "SELECT name, limit_pico_usd, held_pico_usd, spent_pico_usd FROM navigator_purses \
         ORDER BY name",
        &[],
    )? {
        lines.push(ExportLine::Purse {
            name: row.text(0),
            limit_pico_usd: row.integer(1),
            held_pico_usd: row.integer(2),
            spent_pico_usd: row.integer(3),
        });
    }
    for row in store.query(
        "SELECT purse, run, call, holder, since, reserved_pico_usd, spent_pico_usd \
         FROM navigator_reservations ORDER BY purse, run, call",
        &[],
    )? {
        lines.push(ExportLine::Reservation {
            purse: row.text(0),
            run: row.text(1),
            call: row.integer(2),
            holder: row.text(3),
            since: row.integer(4),
            reserved_pico_usd: row.integer(5),
            spent_pico_usd: row.maybe_integer(6),
        });
    }
    Ok(lines)
}

fn file_names(store: &mut dyn SqlTransaction) -> Result<Vec<(String, String, String)>, StoreError> {
    let rows = store.query("SELECT kind, name, file FROM navigator_files", &[])?;
    let mut names: Vec<_> =
        rows.iter().map(|row| (row.text(0), row.text(1), row.text(2))).collect();
    names.sort();
    Ok(names)
}

fn keep(store: &mut dyn SqlTransaction, line: ExportLine) -> Result<(), StoreError> {
    let maybe = |value: Option<i64>| value.map_or(SqlValue::Null, SqlValue::Integer);
    match line {
        ExportLine::Store { .. } => {}
        ExportLine::Purse { name, limit_pico_usd, held_pico_usd, spent_pico_usd } => {
            store.execute(
                "INSERT INTO navigator_purses \
                 (name, limit_pico_usd, held_pico_usd, spent_pico_usd) VALUES ($1, $2, $3, $4)",
                &[
                    SqlValue::Text(name),
                    limit_pico_usd.into(),
                    held_pico_usd.into(),
                    spent_pico_usd.into(),
                ],
            )?;
        }
        ExportLine::Reservation {
            purse,
            run,
            call,
            holder,
            since,
            reserved_pico_usd,
            spent_pico_usd,
        } => {
            store.execute(
                "INSERT INTO navigator_reservations \
                 (purse, run, call, holder, since, reserved_pico_usd, spent_pico_usd) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
                &[
                    SqlValue::Text(purse),
                    SqlValue::Text(run),
                    call.into(),
                    SqlValue::Text(holder),
                    since.into(),
                    reserved_pico_usd.into(),
                    maybe(spent_pico_usd),
                ],
            )?;
        }
        ExportLine::File { kind, name, file, bytes } => {
            let kind = StoredKind::ALL
                .into_iter()
                .find(|one| one.as_str() == kind)
                .ok_or_else(|| StoreError::Refused(format!("`{kind}` is no kind of files")))?;
            let bytes = STANDARD
                .decode(bytes)
                .map_err(|error| StoreError::Refused(format!("the bytes of `{file}`: {error}")))?;
            let file = StoredFile { name: file, bytes };
            check(kind, &name, std::slice::from_ref(&file))?;
            put_in(store, kind, &name, &file)?;
        }
    }
    Ok(())
}
