//! The place of the store.

use std::str::FromStr as _;

use etcetera::BaseStrategy as _;

use super::{Settings, usage};
use crate::store::StorePlace;

/// Returns the place of the store: that of the settings, else a file in the state directory.
///
/// # Errors
/// If it is no place, or there is no home directory.
pub(crate) fn store_place(settings: &Settings) -> anyhow::Result<StorePlace> {
    if let Some(place) = settings.get("store", StorePlace::from_str)? {
        return Ok(place);
    }
    let base = etcetera::choose_base_strategy().map_err(|error| {
        usage("--store", format!("{error}, so there is no state directory (name a file)"))
    })?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    Ok(StorePlace::File(state.join("navigator").join("store.db")))
}

/// Returns the address of a store without its password.
pub(super) fn shown(value: &str) -> String {
    value.parse::<StorePlace>().map_or_else(|_| value.to_owned(), |place| place.to_string())
}
