//! The guard: what goes over the wire, and what does not.
//!
//! ```text
//! page ─► held ─┐                        ┌─► server
//!               ├─► judge ◄─ policy, permits ─► log
//! browser ─► proxy ─┘
//! ```
//!
//! Words only warn. A permit is for one request, once.

pub mod attempt;
pub mod dialogs;
pub(crate) mod downloads;
pub(crate) mod held;
pub mod judge;
pub(in crate::browser) mod message;
mod permit;
pub mod policy;
pub(crate) mod proxy;
pub mod request;
pub mod security_log;
pub mod sent;
mod sockets;
pub(crate) mod warned_addresses;
mod warned_reads;
mod web_socket;
