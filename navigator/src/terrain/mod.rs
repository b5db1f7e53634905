//! The terrains: one folder for each, with all code that depends on it.

pub mod repo;
