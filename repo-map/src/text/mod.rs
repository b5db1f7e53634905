//! Text itself: the gate that foreign text passes, secrets, tokens, and the nearest of known names.
//!
//! Everything that leaves the program is [`sanitize::Sanitized`]. Nothing here knows files or
//! plans.

pub(crate) mod mask;
mod mask_rules;
pub(crate) mod sanitize;
pub mod suggest;
pub(crate) mod tokens;
