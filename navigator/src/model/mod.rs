//! Models: requests and replies, five wire formats, the table of providers, and the only socket to
//! them.
//!
//! A new wire format is a file in `wire/` and a variant of [`wire::Wire`].

#[cfg(feature = "models")]
pub(crate) mod address;
#[cfg(feature = "models")]
pub(crate) mod endpoint;
#[cfg(feature = "models")]
pub mod provider;
#[cfg(feature = "models")]
pub(crate) mod remote;
pub(crate) mod request;
pub(crate) mod retry;
#[cfg(feature = "models")]
pub(crate) mod secret;
#[cfg(feature = "models")]
pub(crate) mod wire;
