//! What a knowledge gives a walk: known ways, and the gaps that nobody has tried.

pub mod gap_walker;
pub mod known_way;
mod way;
