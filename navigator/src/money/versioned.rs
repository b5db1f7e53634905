//! Versioned JSON: stored values carry the version of their format, so that an older program
//! refuses them with a reason.

use crate::shared::Sanitized;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Returns a value as one line of JSON that starts with its version.
pub(crate) fn to_json<T: Serialize>(version: u32, value: &T) -> Sanitized {
    #[derive(Serialize)]
    struct Versioned<'v, T> {
        version: u32,
        #[serde(flatten)]
        value: &'v T,
    }
    Sanitized::json(&Versioned { version, value }).expect("what is kept is plain data")
}

/// Reads a versioned value. A value without a version is of version 1.
///
/// # Errors
/// A sentence, if the version is later than `newest` or the value cannot be read.
pub(crate) fn from_json<T: DeserializeOwned>(newest: u32, text: &str) -> Result<T, String> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(default = "first")]
        version: u32,
    }
    let Head { version } = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if version > newest {
        return Err(format!(
            "its format has version {version}, this navigator reads versions up to {newest} (use \
             a newer navigator)"
        ));
    }
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn first() -> u32 {
    1
}
