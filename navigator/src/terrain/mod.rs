//! The terrains: one folder for each, with all code that depends on it.

#[cfg(feature = "browser")]
pub(crate) mod browser;
pub mod repo;
#[cfg(feature = "sites")]
pub(crate) mod site;
