//! What is kept on disk says which version of its format it is, so that an older program refuses it
//! with a reason.

use crate::shared::Sanitized;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A value on one line of JSON, its version first.
pub(crate) fn to_json<T: Serialize>(version: u32, value: &T) -> Sanitized {
    #[derive(Serialize)]
    struct Versioned<'v, T> {
        version: u32,
        #[serde(flatten)]
        value: &'v T,
    }
    Sanitized::json(&Versioned { version, value }).expect("what is kept is plain data")
}

/// Reads such a value. One without a version is of the first.
///
/// # Errors
/// A sentence, when it is of a later version than `newest` or cannot be read.
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
