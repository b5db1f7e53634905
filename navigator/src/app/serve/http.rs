//! What is at each path, and what every request passes before: the names of the server, its token,
//! and the limits of its body.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Extension, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, http::request::Parts};
use rmcp::model::JsonObject;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use tokio::time::timeout;
use tower_http::cors::CorsLayer;

use super::callers::{CallScope, CurrentCallers, NoCaller, ServerCaller};
use super::gate::CallGate;
use super::hosts::HostNames;
use super::openapi;
use super::refusal::{CallRefusal, RefusedFor, RequestRefusal, json_response, tool_error};
use crate::app::mcp::{McpServer, NamedCall, ToolAnswer, Watch, answers_in_json};

/// The limits of requests.
#[derive(Debug, Clone)]
pub(crate) struct RequestLimits {
    /// The maximum size of a body, in bytes.
    pub(crate) body: usize,
    /// The maximum time until the head of a request is read, and again until its body is.
    pub(crate) read: Duration,
}

/// What requests are served with.
pub(crate) struct Service {
    pub(crate) gate: Arc<CallGate>,
    pub(crate) callers: CurrentCallers,
    pub(crate) hosts: HostNames,
    pub(crate) limits: RequestLimits,
}

/// Returns the paths of a server.
pub(super) fn router(service: Arc<Service>) -> Router {
    let behind_the_token = Router::new()
        .route("/v1/tools", get(list))
        .route("/v1/tools/{name}", post(call))
        .route("/openapi.json", get(describe))
        .route("/metrics", get(metrics))
        .route_service("/mcp", mcp(&service))
        .method_not_allowed_fallback(async || RequestRefusal::Method)
        .fallback(async || RequestRefusal::Path)
        .layer(from_fn_with_state(Arc::clone(&service), admit))
        .with_state(Arc::clone(&service));
    let with_pages = match service.hosts.origins.is_empty() {
        true => behind_the_token,
        false => behind_the_token.layer(cors(&service.hosts.origins)),
    };
    // A probe knows neither names nor tokens.
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .method_not_allowed_fallback(async || RequestRefusal::Method)
        .merge(with_pages)
        .layer(from_fn_with_state(service, count_refused))
}

/// Serves the protocol for agents. A request stands for itself, without a session: none can be
/// taken over, none is kept, and a call ends when its connection does.
fn mcp(service: &Service) -> StreamableHttpService<McpServer<CallGate>, NeverSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(&service.hosts.names)
        .with_allowed_origins(&service.hosts.origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(service.limits.body);
    let gate = Arc::clone(&service.gate);
    StreamableHttpService::new(
        move || Ok(McpServer::new(Arc::clone(&gate))),
        Arc::new(NeverSessionManager::default()),
        config,
    )
}

/// Lets pages of some origins call.
fn cors(origins: &[String]) -> CorsLayer {
    let origins: Vec<HeaderValue> =
        origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect();
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers([header::RETRY_AFTER])
}

/// Checks a request, and adds its caller to it.
async fn admit(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Result<Response, RequestRefusal> {
    service.hosts.check(request.uri(), request.headers())?;
    let found = service.callers.get().find(token(request.headers()));
    let caller = found.map_err(|NoCaller { has_token }| {
        if has_token { RequestRefusal::UnknownToken } else { RequestRefusal::NoToken }
    })?;
    let (mut parts, body) = request.into_parts();
    let body = whole(&parts, body, &service.limits).await?;
    // Nothing behind this needs the token.
    parts.headers.remove(header::AUTHORIZATION);
    parts.extensions.insert(caller);
    Ok(next.run(Request::from_parts(parts, Body::from(body))).await)
}

/// Returns the token of a request.
fn token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Reads a body within its limits of size and time.
async fn whole(parts: &Parts, body: Body, limits: &RequestLimits) -> Result<Bytes, RequestRefusal> {
    let announced =
        parts.headers.get(header::CONTENT_LENGTH).and_then(|n| n.to_str().ok()?.parse().ok());
    if announced.is_some_and(|n: usize| n > limits.body) {
        return Err(RequestRefusal::Large(limits.body));
    }
    match timeout(limits.read, to_bytes(body, limits.body)).await {
        Ok(Ok(body)) => Ok(body),
        // A connection that broke gets no response.
        Ok(Err(_)) => Err(RequestRefusal::Large(limits.body)),
        Err(_) => Err(RequestRefusal::Slow(limits.read)),
    }
}

/// Counts what was refused before it was a call.
async fn count_refused(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    if let Some(RefusedFor(reason)) = response.extensions().get() {
        service.gate.figures.count_refused(reason);
    }
    response
}

async fn list(
    State(service): State<Arc<Service>>,
    Extension(caller): Extension<Arc<ServerCaller>>,
) -> Response {
    let tools = service.gate.tools_of(&caller).into_iter().map(|tool| {
        json!({ "name": tool.name, "description": tool.description,
            "input_schema": tool.input_schema })
    });
    json_response(StatusCode::OK, &json!({ "tools": tools.collect::<Vec<_>>() }))
}

async fn describe(
    State(service): State<Arc<Service>>,
    Extension(caller): Extension<Arc<ServerCaller>>,
) -> Response {
    let tools = service.gate.tools_of(&caller);
    let description = openapi::description(&tools, service.callers.get().need_tokens());
    json_response(StatusCode::OK, &description)
}

async fn metrics(
    State(service): State<Arc<Service>>,
    Extension(caller): Extension<Arc<ServerCaller>>,
) -> Result<Response, RequestRefusal> {
    if !caller.scopes.contains(&CallScope::Metrics) {
        return Err(RequestRefusal::Scope(CallScope::Metrics));
    }
    let text = service.gate.figures.text(&service.gate.gauges());
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

async fn call(
    State(service): State<Arc<Service>>,
    Extension(caller): Extension<Arc<ServerCaller>>,
    Path(tool): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ToCall> {
    let arguments = arguments(&headers, &body)?;
    let is_json = answers_in_json(&tool);
    let call = NamedCall { tool, arguments, watch: Watch::default() };
    let ToolAnswer { text, line, is_error } = service.gate.call(&caller, call).await?;
    Ok(match (is_json, is_error) {
        (true, _) if text.starts_with('{') => {
            let status = if is_error { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
            (status, [(header::CONTENT_TYPE, "application/json")], text.into_string())
                .into_response()
        }
        // The caller's tokens may leave no room for a message.
        (_, true) if text.is_empty() => tool_error("the result has no room: raise `tokens`"),
        (_, true) => tool_error(&text),
        (_, false) => {
            json_response(StatusCode::OK, &json!({ "text": text.as_str(), "note": line.as_str() }))
        }
    })
}

/// Reads the arguments of a call. An empty body is a call without arguments.
fn arguments(headers: &HeaderMap, body: &[u8]) -> Result<JsonObject, RequestRefusal> {
    if body.is_empty() {
        return Ok(JsonObject::new());
    }
    let is_json = |value: &HeaderValue| {
        let text = value.to_str().unwrap_or_default();
        text.split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    };
    if !headers.get(header::CONTENT_TYPE).is_some_and(is_json) {
        return Err(RequestRefusal::MediaType);
    }
    serde_json::from_slice(body).map_err(|error| RequestRefusal::Json(error.to_string()))
}

/// Why a request to a tool has no answer.
enum ToCall {
    Request(RequestRefusal),
    Call(CallRefusal),
}

impl From<RequestRefusal> for ToCall {
    fn from(refusal: RequestRefusal) -> ToCall {
        ToCall::Request(refusal)
    }
}

impl From<CallRefusal> for ToCall {
    fn from(refusal: CallRefusal) -> ToCall {
        ToCall::Call(refusal)
    }
}

impl IntoResponse for ToCall {
    fn into_response(self) -> Response {
        match self {
            ToCall::Request(refusal) => refusal.into_response(),
            ToCall::Call(refusal) => refusal.into_response(),
        }
    }
}
