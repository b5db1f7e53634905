//! Secrets by name: typed where they belong, found in what leaves, masked in what is shown.
//!
//! ```text
//! value ─► needles (plain, hex, Base64) ─► store ─► guard: which requests carry it
//!                                            └────► screens, log, results: `{{secret:NAME}}`
//! ```

mod encoded;
pub(crate) mod form;
mod needle;
pub mod store;
