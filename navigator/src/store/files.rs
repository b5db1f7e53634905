//! Runs and knowledges in the store: folders of files, as they lie on disk.

use std::fmt;

use super::connection::Store;
use super::engine::{SqlTransaction, SqlValue};
use super::error::StoreError;

/// The largest file that the store takes, in bytes: both engines hold one value in memory.
const LARGEST_FILE: usize = 256 << 20;

/// The kind of what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StoredKind {
    /// The folder of a run.
    Run,
    /// The file of a knowledge.
    Knowledge,
}

impl StoredKind {
    /// Both kinds.
    pub const ALL: [StoredKind; 2] = [StoredKind::Run, StoredKind::Knowledge];

    /// Returns the word for the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            StoredKind::Run => "run",
            StoredKind::Knowledge => "knowledge",
        }
    }
}

impl fmt::Display for StoredKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A file of a stored folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// The name, without folders.
    pub name: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// What the store lists of a run or a knowledge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFolder {
    /// Its kind.
    pub kind: StoredKind,
    /// Its name.
    pub name: String,
    /// The number of its files.
    pub n_files: u64,
    /// Their size in bytes.
    pub n_bytes: u64,
}

impl Store {
    /// Adds a run or a knowledge; `replaces` lets it take the place of one of the same name.
    ///
    /// # Errors
    /// If there is one of that name, a name or a file cannot be used, or the store fails.
    pub fn add_files(
        &mut self,
        kind: StoredKind,
        name: &str,
        files: &[StoredFile],
        replaces: bool,
    ) -> Result<(), StoreError> {
        check(kind, name, files)?;
        self.run(|store| {
            if !replaces && !files_in(store, kind, name)?.is_empty() {
                return Err(StoreError::Refused(format!(
                    "there is a {kind} `{name}` (`--replace` puts this one in its place)"
                )));
            }
            remove_in(store, kind, name)?;
            for file in files {
                put_in(store, kind, name, file)?;
            }
            Ok(())
        })
    }

    /// Returns the files of a run or a knowledge, by name.
    ///
    /// # Errors
    /// If there is none of that name, or the store fails.
    pub fn files(&mut self, kind: StoredKind, name: &str) -> Result<Vec<StoredFile>, StoreError> {
        self.run(|store| {
            let files = files_in(store, kind, name)?;
            if files.is_empty() {
                return Err(unknown(store, kind, name)?);
            }
            let whole = |file: String| {
                let rows = store.query(
                    "SELECT bytes FROM navigator_files WHERE kind = $1 AND name = $2 AND file = $3",
                    &[kind.as_str().into(), name.into(), file.as_str().into()],
                )?;
                let bytes = rows.first().map(|row| row.bytes(0)).unwrap_or_default();
                Ok(StoredFile { name: file, bytes })
            };
            files.into_iter().map(whole).collect()
        })
    }

    /// Removes a run or a knowledge.
    ///
    /// # Errors
    /// If there is none of that name, or the store fails.
    pub fn remove_files(&mut self, kind: StoredKind, name: &str) -> Result<(), StoreError> {
        self.run(|store| match remove_in(store, kind, name)? {
            0 => Err(unknown(store, kind, name)?),
            _ => Ok(()),
        })
    }

    /// Lists the runs and knowledges, by kind and name.
    ///
    /// # Errors
    /// If the store fails.
    pub fn folders(&mut self) -> Result<Vec<StoredFolder>, StoreError> {
        self.run(folders_in)
    }
}

fn folders_in(store: &mut dyn SqlTransaction) -> Result<Vec<StoredFolder>, StoreError> {
    let mut folders = Vec::new();
    for kind in StoredKind::ALL {
        let rows = store.query(
            "SELECT name, COUNT(*), CAST(SUM(LENGTH(bytes)) AS BIGINT) FROM navigator_files \
             WHERE kind = $1 GROUP BY name ORDER BY name",
            &[kind.as_str().into()],
        )?;
        folders.extend(rows.iter().map(|row| StoredFolder {
            kind,
            name: row.text(0),
            n_files: u64::try_from(row.integer(1)).unwrap_or_default(),
            n_bytes: u64::try_from(row.integer(2)).unwrap_or_default(),
        }));
    }
    // The collation of a server may differ from that of bytes.
    folders.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    Ok(folders)
}

/// Returns the names of the files of a run or a knowledge.
fn files_in(
    store: &mut dyn SqlTransaction,
    kind: StoredKind,
    name: &str,
) -> Result<Vec<String>, StoreError> {
    let rows = store.query(
        "SELECT file FROM navigator_files WHERE kind = $1 AND name = $2",
        &[kind.as_str().into(), name.into()],
    )?;
    let mut files: Vec<String> = rows.iter().map(|row| row.text(0)).collect();
    files.sort();
    Ok(files)
}

pub(super) fn put_in(
    store: &mut dyn SqlTransaction,
    kind: StoredKind,
    name: &str,
    file: &StoredFile,
) -> Result<(), StoreError> {
    let bytes = SqlValue::Bytes(file.bytes.clone());
    store.execute(
        "INSERT INTO navigator_files (kind, name, file, bytes) VALUES ($1, $2, $3, $4)",
        &[kind.as_str().into(), name.into(), file.name.as_str().into(), bytes],
    )?;
    Ok(())
}

fn remove_in(
    store: &mut dyn SqlTransaction,
    kind: StoredKind,
    name: &str,
) -> Result<u64, StoreError> {
    store.execute(
        "DELETE FROM navigator_files WHERE kind = $1 AND name = $2",
        &[kind.as_str().into(), name.into()],
    )
}

fn unknown(
    store: &mut dyn SqlTransaction,
    kind: StoredKind,
    name: &str,
) -> Result<StoreError, StoreError> {
    const MOST: usize = 10;
    let names: Vec<String> = folders_in(store)?
        .into_iter()
        .filter(|one| one.kind == kind)
        .map(|one| one.name)
        .take(MOST)
        .collect();
    let hint = match names.is_empty() {
        true => " (`navigator store add` puts one there)".to_owned(),
        false => format!(" (it has {})", names.join(", ")),
    };
    Ok(StoreError::Unknown { kind: kind.as_str(), name: name.to_owned(), hint })
}

/// Checks names and sizes. A name becomes that of a file where it is fetched, so it leads nowhere
/// else.
pub(super) fn check(kind: StoredKind, name: &str, files: &[StoredFile]) -> Result<(), StoreError> {
    let is_name = |name: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        !name.is_empty()
            && name.len() <= 100
            && !name.starts_with('.')
            && name.chars().all(is_plain)
    };
    if let Some(wrong) =
        [name].into_iter().chain(files.iter().map(|file| file.name.as_str())).find(|n| !is_name(n))
    {
        return Err(StoreError::Refused(format!(
            "`{wrong}` is not a name for the store: letters, digits, `-`, `_` and `.`, at most 100 \
             (`--name` gives another)"
        )));
    }
    if files.is_empty() {
        return Err(StoreError::Refused(format!("the {kind} `{name}` has no files")));
    }
    match files.iter().find(|file| file.bytes.len() > LARGEST_FILE) {
        Some(large) => Err(StoreError::Refused(format!(
            "`{}` is larger than {} MiB",
            large.name,
            LARGEST_FILE >> 20
        ))),
        None => Ok(()),
    }
}
