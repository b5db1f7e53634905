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
mod signals;
mod token;
mod write_limit;

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use repo_map::cli::say;
use tokio::sync::watch;

pub(crate) use callers::{CallScope, CallerEntry, Callers, CurrentCallers, check_name};
pub(crate) use connections::ConnectionLimits;
pub(crate) use gate::{CallGate, CallLimits};
pub(crate) use hosts::HostNames;
pub(crate) use http::{RequestLimits, Service};
pub(crate) use token::new_token;

use signals::{ServerSignal, ServerSignals};

/// The time that cancelled work has to store what it did.
const SETTLE: Duration = Duration::from_secs(5);

/// Reads the callers again. It may block.
pub(crate) type CallersReader = Arc<dyn Fn() -> Result<Callers> + Send + Sync>;

/// Serves until a signal to end, and the calls in flight within the grace. SIGHUP has the callers
/// read again with `reader`; without one, it ends the server too.
///
/// # Errors
/// If the system gives no threads, no events or no signals.
pub(crate) fn serve(
    listener: TcpListener,
    service: Service,
    limits: &ConnectionLimits,
    reader: Option<CallersReader>,
) -> Result<()> {
    // One thread speaks with all callers; the work is done in others.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the server")?;
    let service = Arc::new(service);
    let router = http::router(Arc::clone(&service));
    runtime.block_on(async {
        listener.set_nonblocking(true).context("listening")?;
        let listener = tokio::net::TcpListener::from_std(listener).context("listening")?;
        let address = listener.local_addr().context("listening")?;
        let signals = ServerSignals::new().context("watching for signals")?;
        say(format!(
            "navigator: listening at http://{address} (agents at /mcp, programs at /openapi.json)"
        ));
        let (counter, ends) = watch::channel(0);
        let watched = tokio::spawn(obey(signals, counter, service, reader));
        connections::serve(listener, router, limits, ends).await;
        watched.abort();
        Ok::<_, anyhow::Error>(())
    })?;
    // Calls that were dropped are cancelled; what they reserved is in their ledgers.
    runtime.shutdown_timeout(SETTLE);
    Ok(())
}

/// Counts the signals to end, and reads the callers again at those to reload.
async fn obey(
    mut signals: ServerSignals,
    ends: watch::Sender<usize>,
    service: Arc<Service>,
    reader: Option<CallersReader>,
) {
    loop {
        match (signals.next().await, &reader) {
            (ServerSignal::Reload, Some(reader)) => reload(&service, Arc::clone(reader)).await,
            (ServerSignal::End | ServerSignal::Reload, _) => {
                say("navigator: ending; calls in flight go on (another signal ends them)");
                ends.send_modify(|count| *count += 1);
            }
        }
    }
}

/// Reads the callers again. Those of before stay where the new ones cannot be used.
async fn reload(service: &Service, reader: CallersReader) {
    match tokio::task::spawn_blocking(move || reader()).await {
        Ok(Ok(callers)) => {
            let n = callers.names().len();
            service.gate.keep_desks(&callers);
            service.callers.replace(callers);
            say(format!("navigator: reloaded the callers: {n} may call from now on"));
        }
        Ok(Err(error)) => {
            say(format!("navigator: the callers are still those of before: {error:#}"))
        }
        Err(_) => say("navigator: the callers are still those of before: reading them broke"),
    }
}
