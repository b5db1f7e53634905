//! What a team promises: a purse that no number of machines passes, and a store that is the same on
//! both engines. Each test runs on SQLite and on PostgreSQL.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests start programs and read what runs leave"
)]

mod callers;
mod engines;
mod folders;
mod machines;
mod purses;
mod tls;
mod versions;

#[expect(dead_code, reason = "the tests of the server use all of it")]
#[path = "../navigator/http_server.rs"]
mod http_server;
#[expect(dead_code, reason = "the tests of the wires use all of it")]
#[path = "../navigator/server.rs"]
mod server;
