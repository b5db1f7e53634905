//! The server over standard input and output: one client, whose calls wait for each other.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use repo_map::Sanitized;
use rmcp::model::{Extensions, Tool};
use rmcp::service::ServerInitializeError;
use rmcp::{ErrorData, ServiceExt};
use tokio::io::BufReader;
use tokio::sync::Semaphore;

use super::answer::ToolAnswer;
use super::handler::{CallRunner, McpServer};
use super::lines::MessageLines;
use super::toolbox::{NamedCall, Toolbox};
use super::{AT_ONCE, Tools};

/// Serves until standard input ends.
///
/// # Errors
/// If the client violates the protocol.
pub(crate) fn serve(tools: Tools) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("starting the server")?;
    let served = runtime.block_on(async {
        match McpServer::new(Arc::new(OneClient::new(tools)))
            .serve(MessageLines::new(BufReader::new(tokio::io::stdin()), tokio::io::stdout()))
            .await
        {
            Ok(running) => running.waiting().await.map(drop).context("serving"),
            // A client may disconnect before its first message.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(error).context("serving"),
        }
    });
    // Remaining work is cancelled; its reservations are in the ledger.
    runtime.shutdown_background();
    served
}

/// The calls of the client that started the server.
struct OneClient {
    toolbox: Toolbox,
    at_once: Arc<Semaphore>,
}

impl OneClient {
    fn new(tools: Tools) -> OneClient {
        OneClient { toolbox: Toolbox::new(tools), at_once: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl CallRunner for OneClient {
    fn tools(&self, _: &Extensions) -> Vec<Tool> {
        self.toolbox.descriptions().to_vec()
    }

    async fn run(&self, call: NamedCall, _: &Extensions) -> Result<ToolAnswer, ErrorData> {
        let tool = self
            .toolbox
            .find(&call.tool)
            .map_err(|message| ErrorData::invalid_params(message, None))?;
        let permit = Arc::clone(&self.at_once).acquire_owned().await;
        Ok(self.toolbox.run(tool, call, permit).await.unwrap_or_else(|| ToolAnswer {
            text: "internal error: see navigator's standard error; the server goes on".into(),
            line: Sanitized::default(),
            is_error: true,
        }))
    }
}
