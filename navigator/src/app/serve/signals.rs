//! The signals of the system to a server: to end, and to read its callers again.

#![expect(clippy::disallowed_methods, reason = "the rim: watches for signals")]

use std::io;

/// What a signal asks for.
pub(super) enum ServerSignal {
    /// Ctrl-C or SIGTERM.
    End,
    /// SIGHUP, which Windows has not.
    #[cfg_attr(windows, expect(dead_code))]
    Reload,
}

/// The signals from now on.
#[cfg(unix)]
pub(super) struct ServerSignals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl ServerSignals {
    /// Watches for signals; none of them ends the process by itself any more.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub(super) fn new() -> io::Result<ServerSignals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(ServerSignals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) -> ServerSignal {
        tokio::select! {
            _ = self.interrupt.recv() => ServerSignal::End,
            _ = self.terminate.recv() => ServerSignal::End,
            _ = self.hangup.recv() => ServerSignal::Reload,
        }
    }
}

/// The signals from now on: Ctrl-C alone.
#[cfg(windows)]
pub(super) struct ServerSignals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl ServerSignals {
    /// Watches for signals; none of them ends the process by itself any more.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub(super) fn new() -> io::Result<ServerSignals> {
        tokio::signal::windows::ctrl_c().map(ServerSignals)
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) -> ServerSignal {
        match self.0.recv().await {
            Some(()) => ServerSignal::End,
            None => std::future::pending().await,
        }
    }
}
