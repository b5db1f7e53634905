//! A file of JSON lines, one an instance: appended to as instances end, gone on with after a break,
//! sorted at the end.

#![expect(clippy::disallowed_methods, reason = "the rim: reads and writes the files of a run")]

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The file and what is in it.
#[derive(Debug)]
pub(crate) struct JsonLines {
    path: PathBuf,
    file: File,
    by_id: BTreeMap<String, String>,
}

/// Reads a text file that must be there.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// What is in a file of JSON lines, by the id of the instance. A last line that was not written to
/// its end is left out.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<BTreeMap<String, T>> {
    values(path, &by_id(path, &read_text(path)?)?)
}

impl JsonLines {
    /// Opens the file, or makes it.
    pub(crate) fn open(path: &Path) -> Result<JsonLines> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let by_id = by_id(path, &text)?;
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        file.set_len(whole(&text).len() as u64)?;
        Ok(JsonLines { path: path.to_owned(), file, by_id })
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    /// What is in the file already, by the id of the instance.
    pub(crate) fn values<T: DeserializeOwned>(&self) -> Result<BTreeMap<String, T>> {
        values(&self.path, &self.by_id)
    }

    pub(crate) fn add(&mut self, id: &str, value: &impl Serialize) -> Result<()> {
        let line = format!("{}\n", serde_json::to_string(value)?);
        self.file
            .write_all(line.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))?;
        self.by_id.insert(id.to_owned(), line);
        Ok(())
    }

    /// Writes the lines in the order of the instances, the same however many threads made them.
    pub(crate) fn sort(self) -> Result<()> {
        let lines: Vec<String> = self.by_id.into_values().collect();
        let sorted = self.path.with_extension("sorted");
        let replaced =
            fs::write(&sorted, lines.concat()).and_then(|()| fs::rename(&sorted, &self.path));
        replaced.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn values<T: DeserializeOwned>(
    path: &Path,
    by_id: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, T>> {
    by_id.iter().map(|(id, line)| Ok((id.clone(), parsed(path, line)?))).collect()
}

/// The lines that were written to their end.
fn whole(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |at| at + 1)]
}

fn by_id(path: &Path, text: &str) -> Result<BTreeMap<String, String>> {
    #[derive(Deserialize)]
    struct Id {
        instance_id: String,
    }
    let lines = whole(text).split_inclusive('\n');
    lines.map(|line| Ok((parsed::<Id>(path, line)?.instance_id, line.to_owned()))).collect()
}

fn parsed<T: DeserializeOwned>(path: &Path, line: &str) -> Result<T> {
    let start: String = line.trim_end().chars().take(60).collect();
    serde_json::from_str(line).map_err(|error| {
        anyhow!("{}: `{start}…`: {error}; delete the line or the file", path.display())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_broken_run_goes_on_where_it_was_and_ends_sorted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        fs::write(&path, "{\"instance_id\":\"b\",\"n\":1}\n{\"instance_id\":\"c\",\"n\"").unwrap();
        let mut lines = JsonLines::open(&path).unwrap();
        assert_eq!(["a", "b", "c"].map(|id| lines.has(id)), [false, true, false]);
        lines.add("a", &json!({"instance_id": "a", "n": 2})).unwrap();
        assert_eq!(read::<Value>(&path).unwrap()["a"]["n"], 2);
        lines.sort().unwrap();
        assert_eq!(
            read_text(&path).unwrap(),
            "{\"instance_id\":\"a\",\"n\":2}\n{\"instance_id\":\"b\",\"n\":1}\n"
        );
    }

    #[test]
    fn a_line_that_is_not_ours_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        fs::write(&path, "[1]\n").unwrap();
        let said = read::<Value>(&path).unwrap_err().to_string();
        assert!(
            said.contains("results.jsonl: `[1]…`: ")
                && said.ends_with("; delete the line or the file"),
            "{said}"
        );
    }
}
