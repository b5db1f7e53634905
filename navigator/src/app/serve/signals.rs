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

/// The signals from now on; Windows has Ctrl-C alone.
pub(super) struct ServerSignals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl ServerSignals {
    /// Watches for signals; none of them ends the process by itself any more.
    ///
    /// # Errors
    /// If the system does not allow it.
    #[cfg(unix)]
    pub(super) fn new() -> io::Result<ServerSignals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(ServerSignals {
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    #[cfg(windows)]
    pub(super) fn new() -> io::Result<ServerSignals> {
        Ok(ServerSignals { interrupt: tokio::signal::windows::ctrl_c()? })
    }

    /// Waits for the next signal.
    #[cfg(unix)]
    pub(super) async fn next(&mut self) -> ServerSignal {
        tokio::select! {
            _ = self.interrupt.recv() => ServerSignal::End,
            _ = self.terminate.recv() => ServerSignal::End,
            _ = self.hangup.recv() => ServerSignal::Reload,
        }
    }

    #[cfg(windows)]
    pub(super) async fn next(&mut self) -> ServerSignal {
        match self.interrupt.recv().await {
            Some(()) => ServerSignal::End,
            None => std::future::pending().await,
        }
    }
}
