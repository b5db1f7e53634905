//! New tokens, drawn at random.

#![expect(clippy::disallowed_methods, reason = "the rim: draws tokens at random")]

use anyhow::{Context as _, Result};

/// What a token begins with, so that programs that look for leaked secrets know it.
const PREFIX: &str = "navigator_";

/// Draws a token of 256 random bits.
///
/// # Errors
/// If the system has no source of chance.
pub(crate) fn new_token() -> Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("drawing a token")?;
    Ok(format!("{PREFIX}{}", blake3::Hash::from_bytes(bytes).to_hex()))
}
