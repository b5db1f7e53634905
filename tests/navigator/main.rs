//! What navigator promises: the loop and its limits, what a run leaves, replay, the command line.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests write repositories and read what runs leave")]

mod bounds;
mod cli;
mod money;
mod prompts;
mod replay;
mod runs;
mod server;
mod settings;
mod turns;
mod wires;

use test_support::Repo;

/// A small service with a goal that has an answer: where sessions are refreshed.
fn service() -> Repo {
    test_support::repo(
        "\
=== README.md
# Service

Sessions for a web service.
=== src/session.rs
//! Sessions and their life.

/// A session of one user.
pub struct Session {
    /// The token the client keeps.
    pub token: String,
    expires: u64,
}

impl Session {
    /// Makes the session live longer; fails when it has expired.
    pub fn refresh(&mut self, now: u64) -> Result<(), Expired> {
        if now > self.expires {
            return Err(Expired);
        }
        self.expires = now + 3600;
        Ok(())
    }

    fn is_expired(&self, now: u64) -> bool {
        now > self.expires
    }
}

/// The session is over.
pub struct Expired;
=== src/http.rs
use crate::session::Session;

/// Answers a request with the session's token.
pub fn answer(session: &mut Session, now: u64) -> String {
    match session.refresh(now) {
        Ok(()) => session.token.clone(),
        Err(_) => String::new(),
    }
}
=== src/color.rs
/// Mixes two colors.
pub fn mix(a: u32, b: u32) -> u32 {
    (a + b) / 2
}
=== tests/session.rs
fn a_session_can_be_refreshed() {}
=== assets/logo.svg
<svg/>
",
    )
}
