//! Connections: how many there are, how long a head and a write may take, and their graceful end.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::write_limit::WriteLimit;

/// The limits of connections.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionLimits {
    /// The number of open connections; more wait in the queue of the system.
    pub(crate) open: usize,
    /// The maximum time until the head of a request is read. A connection that is idle longer is
    /// closed.
    pub(crate) head: Duration,
    /// The maximum time in which a client takes nothing of what is written to it.
    pub(crate) write: Duration,
    /// The time that calls in flight have when the server ends.
    pub(crate) grace: Duration,
}

/// The maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 32 << 10;

/// The time without new connections after the system refused one: it may have no files left.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Waits until so many signals to end have come.
async fn reach(ends: &mut watch::Receiver<usize>, n: usize) {
    if ends.wait_for(|count| *count >= n).await.is_err() {
        // Nobody counts: none can come.
        std::future::pending::<()>().await;
    }
}

/// Serves connections until the first signal to end. Then those in flight have the grace, or the
/// time until the second signal; what is still open is dropped, which cancels its call.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &ConnectionLimits,
    mut ends: watch::Receiver<usize>,
) {
    let places = Arc::new(Semaphore::new(limits.open));
    let graceful = GracefulShutdown::new();
    let mut open = JoinSet::new();
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head).max_header_size(MAX_HEAD);
    let next = async || {
        let place = Arc::clone(&places).acquire_owned().await;
        loop {
            match listener.accept().await {
                Ok((stream, _)) => return (place, stream),
                Err(_) => sleep(AFTER_FAILURE).await,
            }
        }
    };
    while let Some((place, stream)) = until(reach(&mut ends, 1), next()).await {
        let service = TowerToHyperService::new(router.clone());
        let stream = TokioIo::new(WriteLimit::new(stream, limits.write));
        let connection = builder.serve_connection(stream, service);
        let connection = graceful.watch(connection);
        open.spawn(async move {
            // A connection that breaks is the end of its calls, and no more.
            let _ = connection.await;
            drop(place);
        });
        while open.try_join_next().is_some() {}
    }
    drop(listener);
    let _ = until(reach(&mut ends, 2), timeout(limits.grace, graceful.shutdown())).await;
    open.shutdown().await;
}

/// Waits for a future; returns `None` if an end comes first.
async fn until<T>(end: impl Future<Output = ()>, future: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        () = end => None,
        done = future => Some(done),
    }
}
