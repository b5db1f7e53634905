//! What a fetcher needs of the machine besides sockets: time and DNS. Tests give their own.

#![expect(clippy::disallowed_methods, reason = "the rim: time and DNS")]

use std::io;
use std::net::{IpAddr, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

/// Time and DNS.
pub trait Platform {
    /// Returns the time since some moment before; it never goes back.
    fn now(&self) -> Duration;
    /// Waits.
    fn sleep(&self, time: Duration);
    /// Returns the addresses of a host name.
    ///
    /// # Errors
    /// If the name has none, or DNS cannot be reached.
    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The clock and the DNS of this machine.
#[derive(Debug, Clone, Copy)]
pub struct SystemPlatform {
    start: Instant,
}

impl SystemPlatform {
    /// Starts the clock.
    pub fn start() -> SystemPlatform {
        SystemPlatform { start: Instant::now() }
    }
}

impl Platform for SystemPlatform {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn sleep(&self, time: Duration) {
        thread::sleep(time);
    }

    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok((host, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
    }
}
