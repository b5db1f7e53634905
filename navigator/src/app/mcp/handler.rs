//! The tools as a service of the protocol, whatever transports it: results, progress and
//! cancellation.

use std::future::Future;
use std::sync::Arc;

use repo_map::Sanitized;
use rmcp::ErrorData;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Extensions, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use tokio::sync::mpsc;

use super::answer::ToolAnswer;
use super::toolbox::NamedCall;
use super::{Watch, tools};

/// Admits and runs the calls of a server.
pub(crate) trait CallRunner: Send + Sync + 'static {
    /// Returns the tools that the sender of a request may call.
    fn tools(&self, request: &Extensions) -> Vec<Tool>;

    /// Runs a call. When the future is dropped, the call is cancelled.
    ///
    /// # Errors
    /// If the call is refused: no tool was at work.
    fn run(
        &self,
        call: NamedCall,
        request: &Extensions,
    ) -> impl Future<Output = Result<ToolAnswer, ErrorData>> + Send;
}

/// The tools as a service of the protocol.
pub(crate) struct McpServer<R>(Arc<R>);

impl<R: CallRunner> McpServer<R> {
    pub(crate) fn new(runner: Arc<R>) -> McpServer<R> {
        McpServer(runner)
    }
}

impl<R: CallRunner> ServerHandler for McpServer<R> {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("navigator", env!("CARGO_PKG_VERSION")))
            .with_instructions(tools::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.tools(&context.extensions)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut watch = Watch::default();
        let telling = context.meta.get_progress_token().map(|token| {
            let (tell, told) = mpsc::unbounded_channel();
            // After the end of the call nobody receives progress.
            watch.tell = Some(Arc::new(move |line| drop(tell.send(line))));
            tokio::spawn(tell_progress(context.peer.clone(), token, told))
        });
        let call = NamedCall {
            tool: request.name.into_owned(),
            arguments: request.arguments.unwrap_or_default(),
            watch,
        };
        let answer = tokio::select! {
            answer = self.0.run(call, &context.extensions) => answer,
            // Nobody receives this.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("cancelled", None)),
        };
        if let Some(telling) = telling.filter(|_| answer.is_ok()) {
            // The result comes after every notification.
            let _ = telling.await;
        }
        Ok(result(answer?).into())
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
