//! Servers as sources: a polite client, its limits, and the recording of a whole site.

mod client;
pub mod cookies;
pub mod crawl;
pub mod crawl_report;
mod earlier_answers;
pub mod error;
pub mod fetcher;
// For navigator, whose secrets are given in the same way.
#[doc(hidden)]
pub mod given_value;
pub mod headers;
pub mod options;
pub mod platform;
pub mod public_address;
pub mod redirect_chain;
mod robots;
