//! The terrains: one folder for each, with all code that depends on it.

pub mod repo;
#[cfg(feature = "sites")]
pub(crate) mod site;
