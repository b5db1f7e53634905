//! The file of a knowledge.

#![expect(clippy::disallowed_methods, reason = "the rim: reads files of knowledges")]

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use repo_map::Sanitized;
use repo_map::cli::write_file;
use serde::Deserialize as _;

use crate::app::cli::knowledge::pieces;
use crate::knowledge::model::{Knowledge, KnownRecord, VERSION};

/// The largest file of a knowledge, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// What a file has.
#[derive(Debug)]
pub(in crate::app::cli) enum Stored {
    /// A knowledge.
    Whole(Box<Knowledge>),
    /// One that is damaged, with the recordings that it was made of, as far as it says.
    Damaged {
        why: String,
        records: Vec<KnownRecord>,
        /// It has proposals, or may have had some: no recording has them.
        may_have_proposals: bool,
    },
}

/// Reads the text of a file of at most so many bytes.
///
/// # Errors
/// If it cannot be read, is too large, or is no text.
pub(in crate::app::cli) fn text_of(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(bytes_of(path, most)?)
        .with_context(|| format!("reading `{}`", path.display()))
}

fn bytes_of(path: &Path, most: u64) -> Result<Vec<u8>> {
    let reading = || format!("reading `{}`", path.display());
    let file = File::open(path).with_context(reading)?;
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).with_context(reading)?;
    if bytes.len() as u64 > most {
        bail!("`{}` is larger than {} MiB", path.display(), most >> 20);
    }
    Ok(bytes)
}

/// Reads a knowledge.
///
/// # Errors
/// If the file cannot be read, or is of a newer version.
pub(in crate::app::cli) fn read(path: &Path) -> Result<Stored> {
    let damaged = |text: &str, why: String| Stored::Damaged {
        why,
        records: records_of(text),
        may_have_proposals: !text.contains("\"inferred\":[]"),
    };
    let file = File::open(path).with_context(|| format!("reading `{}`", path.display()))?;
    if let Some(knowledge) = pieces::read(file.take(MAX_BYTES)) {
        return Ok(Stored::Whole(Box::new(knowledge)));
    }
    let text = match String::from_utf8(bytes_of(path, MAX_BYTES)?) {
        Ok(text) => text,
        Err(error) => {
            return Ok(damaged(&String::from_utf8_lossy(error.as_bytes()), error.to_string()));
        }
    };
    let knowledge: Box<Knowledge> = match serde_json::from_str(&text) {
        Ok(knowledge) => knowledge,
        Err(error) => return Ok(damaged(&text, error.to_string())),
    };
    if knowledge.version > VERSION {
        bail!(
            "`{}` is of version {} and this program knows {VERSION}: use a newer one",
            path.display(),
            knowledge.version
        );
    }
    if digest_of(&text).as_deref() != Some(&knowledge.digest) {
        return Ok(damaged(
            &text,
            "its digest is another one (`import` reads what others wrote)".into(),
        ));
    }
    Ok(Stored::Whole(knowledge))
}

/// Returns the recordings that a damaged text names.
fn records_of(text: &str) -> Vec<KnownRecord> {
    let Some((_, rest)) = text.split_once("\"records\":") else { return Vec::new() };
    let mut records = serde_json::Deserializer::from_str(rest);
    Vec::<KnownRecord>::deserialize(&mut records).unwrap_or_default()
}

/// Writes a knowledge, with its digest.
///
/// # Errors
/// If the file cannot be written.
pub(in crate::app::cli) fn write(path: &Path, knowledge: Knowledge) -> Result<()> {
    write_file(path, &text(knowledge)?)
}

/// Returns a knowledge as JSON, with its digest.
pub(in crate::app::cli) fn text(knowledge: Knowledge) -> Result<Sanitized> {
    let bare = Knowledge { digest: String::new(), ..knowledge };
    let digest = digest_of(&Sanitized::json_lines([&bare])?).unwrap_or_default();
    Ok(Sanitized::json_lines([&Knowledge { digest, ..bare }])?)
}

/// Returns the digest of a knowledge's text without the digest in it; `None` if it has no place for
/// one.
fn digest_of(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("\"digest\":\"")?;
    let (_, after) = rest.split_once('"')?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes()).update(after.as_bytes());
    Some(hasher.finalize().to_hex()[..32].to_owned())
}
