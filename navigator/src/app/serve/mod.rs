//! `navigator serve`: the tools for many callers, over HTTP. The protocol for agents is at `/mcp`,
//! the same tools as JSON at `/v1/tools`. Work is done in `mcp`, in threads that may block.
//!
//! A request passes, in this order: the limit of connections (`connections`), the names of the
//! server (`hosts`), its token (`callers`), the limits of its body (`http`). A call passes its
//! scope, its rate (`rate`), the queue and its time (`gate`).

mod callers;
mod connections;
mod gate;
mod hosts;
mod http;
mod metrics;
mod openapi;
mod rate;
mod refusal;
mod token;

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio::sync::watch;

pub(crate) use callers::{CallScope, CallerEntry, Callers, check_name};
pub(crate) use connections::ConnectionLimits;
pub(crate) use gate::{CallGate, CallLimits};
pub(crate) use hosts::HostNames;
pub(crate) use http::{RequestLimits, Service};
pub(crate) use token::new_token;

/// The time that cancelled work has to store what it did.
const SETTLE: Duration = Duration::from_secs(5);

/// The number of signals to end that came so far.
#[derive(Clone)]
pub(crate) struct SignalCount(watch::Receiver<usize>);

/// Counts signals to end.
pub(crate) struct SignalCounter(watch::Sender<usize>);

impl SignalCount {
    pub(crate) fn new() -> (SignalCounter, SignalCount) {
        let (counter, count) = watch::channel(0);
        (SignalCounter(counter), SignalCount(count))
    }

    /// Waits until so many have come.
    async fn reach(&mut self, n: usize) {
        if self.0.wait_for(|count| *count >= n).await.is_err() {
            // Nobody counts: none can come.
            std::future::pending::<()>().await;
        }
    }
}

impl SignalCounter {
    pub(crate) fn count(&self) {
        self.0.send_modify(|count| *count += 1);
    }
}

/// Serves until a signal to end, and the calls in flight within the grace.
///
/// # Errors
/// If the system gives no threads or no events.
pub(crate) fn serve(
    listener: TcpListener,
    service: Service,
    limits: &ConnectionLimits,
    signals: SignalCount,
) -> Result<()> {
    // One thread speaks with all callers; the work is done in others.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the server")?;
    let router = http::router(Arc::new(service));
    runtime.block_on(async {
        listener.set_nonblocking(true).context("listening")?;
        let listener = tokio::net::TcpListener::from_std(listener).context("listening")?;
        connections::serve(listener, router, limits, signals).await;
        Ok::<_, anyhow::Error>(())
    })?;
    // Calls that were dropped are cancelled; what they reserved is in their ledgers.
    runtime.shutdown_timeout(SETTLE);
    Ok(())
}
