//! A Model Context Protocol server: tools for agents and editors, over standard input and output.
//!
//! This is the only async code. It implements the protocol: results, progress and cancellation. All
//! work is done in `work`, in threads that may block.

mod answer;
mod call;
mod explained;
mod explorer;
mod known;
mod lines;
mod missing;
mod named;
mod plans;
mod sites;
mod tools;
mod watch;
mod work;

use std::sync::Arc;

use anyhow::{Context as _, Result};
use repo_map::Sanitized;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{Peer, RequestContext, RoleServer, ServerInitializeError};
use rmcp::{ErrorData, ServiceExt};
use tokio::io::BufReader;
use tokio::sync::{Semaphore, mpsc};

use answer::ToolAnswer;
pub(crate) use explorer::CallSite;
pub use explorer::{Explorer, Offline};
pub(crate) use known::KnownSites;
use lines::MessageLines;
pub(crate) use sites::Sites;
pub use watch::Watch;
pub(crate) use work::Tools;

/// The reason why a call fails, with the way out.
#[derive(Debug)]
pub(crate) struct CallRefused(String);

/// Errors of the work are reported with all their causes.
impl<E: Into<anyhow::Error>> From<E> for CallRefused {
    fn from(error: E) -> CallRefused {
        CallRefused(format!("{:#}", error.into()))
    }
}

/// The number of calls that run at once: each uses all processors, and may hold the index of a
/// whole repository.
const AT_ONCE: usize = 2;

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
        match McpServer::new(tools)
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

/// The tools as a service of the protocol.
struct McpServer {
    work: Arc<Tools>,
    tools: Vec<Tool>,
    at_once: Arc<Semaphore>,
}

impl McpServer {
    fn new(tools: Tools) -> McpServer {
        McpServer {
            tools: tools::tools(&tools.abilities()),
            work: Arc::new(tools),
            at_once: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("navigator", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == request.name).cloned() else {
            let names: Vec<&str> = self.tools.iter().map(|tool| &*tool.name).collect();
            return Err(ErrorData::invalid_params(
                format!("no tool `{}` ({})", Sanitized::line(&request.name), names.join(", ")),
                None,
            ));
        };
        let mut watch = Watch::default();
        let telling = context.meta.get_progress_token().map(|token| {
            let (tell, told) = mpsc::unbounded_channel();
            // After the end of the call nobody receives progress.
            watch.tell = Some(Arc::new(move |line| drop(tell.send(line))));
            tokio::spawn(tell_progress(context.peer.clone(), token, told))
        });
        let cancelled = (context.ct.clone(), watch.cancel.clone());
        let hearing = tokio::spawn(async move {
            cancelled.0.cancelled().await;
            cancelled.1.cancel();
        });
        let answer = self.work(tool, request, watch).await;
        hearing.abort();
        if let Some(telling) = telling {
            // The result comes after every notification.
            let _ = telling.await;
        }
        Ok(result(answer).into())
    }

    /// Handles messages that do not match the protocol's types, of any method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => {
                let message = "`params` of `tools/call` need `name`, a text; `arguments`, where \
                    there are any, is an object";
                ErrorData::invalid_params(message, None)
            }
            "tools/list" | "ping" => ErrorData::invalid_params(
                format!("`params` of `{}` do not hold", request.method),
                None,
            ),
            method => ErrorData::new(
                ErrorCode::METHOD_NOT_FOUND,
                format!("no method `{}`", Sanitized::line(method)),
                None,
            ),
        })
    }
}

impl McpServer {
    /// Runs a call in a thread that may block. A panic becomes an error.
    async fn work(&self, tool: Tool, request: CallToolRequestParams, watch: Watch) -> ToolAnswer {
        let permit = Arc::clone(&self.at_once).acquire_owned().await;
        let work = Arc::clone(&self.work);
        blocking(move || {
            let _permit = permit;
            let known: Vec<&str> = tool.input_schema["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| name.as_str())
                .collect();
            work.call(&tool.name, &known, request.arguments.unwrap_or_default(), &watch)
        })
        .await
    }
}

/// Runs a blocking function; returns its result, or an error if it panicked.
async fn blocking(work: impl FnOnce() -> ToolAnswer + Send + 'static) -> ToolAnswer {
    let broke = || ToolAnswer {
        text: "internal error: see navigator's standard error; the server goes on".into(),
        line: Sanitized::default(),
        is_error: true,
    };
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| broke())
}

/// Returns text and last line as separate blocks, so that the bytes of a map equal those of a
/// replay.
fn result(answer: ToolAnswer) -> CallToolResult {
    let blocks = [answer.text, answer.line]
        .into_iter()
        .filter(|text| !text.is_empty())
        .map(|text| ContentBlock::text(text.into_string()))
        .collect();
    if answer.is_error { CallToolResult::error(blocks) } else { CallToolResult::success(blocks) }
}

/// Sends the progress of a call until it ends. Errors are ignored: the result does not depend on
/// them.
async fn tell_progress(
    peer: Peer<RoleServer>,
    token: ProgressToken,
    mut told: mpsc::UnboundedReceiver<Sanitized>,
) {
    let mut n_told = 0.0;
    while let Some(line) = told.recv().await {
        n_told += 1.0;
        let _ = peer
            .notify_progress(
                ProgressNotificationParam::new(token.clone(), n_told)
                    .with_message(line.into_string()),
            )
            .await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = runtime.block_on(blocking(|| panic!("a parser gave up")));
        assert!(answer.is_error && answer.text.starts_with("internal error: "), "{answer:?}");
    }
}
