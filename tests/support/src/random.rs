//! Random inputs that are the same on every run, and near to what a program reads.

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// Returns a configuration with which the same inputs come on every run: a failure is one for
/// everybody.
pub fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(0x5e55_1017),
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..Config::default()
    }
}

/// Returns the text with its control characters replaced by pieces: the character 0 by the first
/// one. A random text of these comes nearer to a language than one of letters.
pub fn pieced(text: &str, pieces: &[&str]) -> String {
    text.chars()
        .map(|c| pieces.get(c as usize).map_or_else(|| c.to_string(), ToString::to_string))
        .collect()
}
