//! What earlier walks saw of a site.

use serde::{Deserialize, Serialize};

/// A page that earlier walks saw a link to. It can be opened like one that this walk has seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "sites", derive(schemars::JsonSchema))]
pub struct KnownPlace {
    /// The address.
    pub address: String,
    /// The names of the places that it stands in, outermost first, its own last.
    pub way: Vec<String>,
    /// What it came from first: the position of a record of the knowledge, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<usize>,
}
