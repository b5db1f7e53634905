//! The terrains: a folder each, with all that knows it.

pub mod repo;
