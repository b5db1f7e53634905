//! Why a request or a call is refused: a status, a message with the way out, and a word for the
//! figures.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use repo_map::Sanitized;
use serde_json::{Value, json};

use super::callers::CallScope;

/// Why a request is refused before it is a call.
#[derive(Debug)]
pub(super) enum RequestRefusal {
    /// The `Host` header does not name this server: a page may have made it an address of its own.
    Host,
    /// A page of an origin that is not allowed sent it.
    Origin,
    NoToken,
    UnknownToken,
    Scope(CallScope),
    /// Nothing is at this path.
    Path,
    Method,
    MediaType,
    /// The body has more bytes than this.
    Large(usize),
    /// The body did not come within this time.
    Slow(Duration),
    /// The body is no JSON object.
    Json(String),
}

/// Why a call is refused or has no answer.
#[derive(Debug)]
pub(super) enum CallRefusal {
    /// There is no such tool; the message names those there are.
    Tool(String),
    Scope(CallScope),
    /// The caller has called too often; the time until it may call again.
    Rate(Duration),
    /// As many calls run and wait as may.
    Busy,
    /// The call took longer than this.
    Time(Duration),
    /// The work panicked.
    Broke,
}

/// Marks a response to a refused request, for the figures.
#[derive(Clone, Copy)]
pub(super) struct RefusedFor(pub(super) &'static str);

/// The time after which a caller may try a busy server again.
const WHILE_BUSY: Duration = Duration::from_secs(2);

impl RequestRefusal {
    fn reason(&self) -> &'static str {
        match self {
            RequestRefusal::Host => "host",
            RequestRefusal::Origin => "origin",
            RequestRefusal::NoToken => "no_token",
            RequestRefusal::UnknownToken => "unknown_token",
            RequestRefusal::Scope(_) => "scope",
            RequestRefusal::Path => "path",
            RequestRefusal::Method => "method",
            RequestRefusal::MediaType => "media_type",
            RequestRefusal::Large(_) => "large",
            RequestRefusal::Slow(_) => "slow",
            RequestRefusal::Json(_) => "json",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            RequestRefusal::Host | RequestRefusal::Origin | RequestRefusal::Scope(_) => {
                StatusCode::FORBIDDEN
            }
            RequestRefusal::NoToken | RequestRefusal::UnknownToken => StatusCode::UNAUTHORIZED,
            RequestRefusal::Path => StatusCode::NOT_FOUND,
            RequestRefusal::Method => StatusCode::METHOD_NOT_ALLOWED,
            RequestRefusal::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            RequestRefusal::Large(_) => StatusCode::PAYLOAD_TOO_LARGE,
            RequestRefusal::Slow(_) => StatusCode::REQUEST_TIMEOUT,
            RequestRefusal::Json(_) => StatusCode::BAD_REQUEST,
        }
    }

    fn message(&self) -> String {
        match self {
            RequestRefusal::Host => {
                "the server has another name (start it with `--host NAME`)".to_owned()
            }
            RequestRefusal::Origin => "pages of this origin may not call (start the server with \
                                       `--origin ORIGIN`)"
                .to_owned(),
            RequestRefusal::NoToken => {
                "a token is needed (`Authorization: Bearer TOKEN`)".to_owned()
            }
            RequestRefusal::UnknownToken => {
                "no caller has this token (`navigator serve token NAME` makes one)".to_owned()
            }
            RequestRefusal::Scope(scope) => without_scope(*scope),
            RequestRefusal::Path => {
                "nothing is here (`GET /openapi.json` lists the tools)".to_owned()
            }
            RequestRefusal::Method => "another method is needed here".to_owned(),
            RequestRefusal::MediaType => {
                "the body is no JSON (`Content-Type: application/json`)".to_owned()
            }
            RequestRefusal::Large(most) => format!("the body has more than {most} bytes"),
            RequestRefusal::Slow(most) => {
                format!("the body did not come within {} s", most.as_secs())
            }
            RequestRefusal::Json(why) => format!("the body is no JSON object: {why}"),
        }
    }
}

impl CallRefusal {
    pub(super) fn reason(&self) -> &'static str {
        match self {
            CallRefusal::Tool(_) => "tool",
            CallRefusal::Scope(_) => "scope",
            CallRefusal::Rate(_) => "rate",
            CallRefusal::Busy => "busy",
            CallRefusal::Time(_) => "time",
            CallRefusal::Broke => "broke",
        }
    }

    fn status(&self) -> StatusCode {
        match self {
            CallRefusal::Tool(_) => StatusCode::NOT_FOUND,
            CallRefusal::Scope(_) => StatusCode::FORBIDDEN,
            CallRefusal::Rate(_) => StatusCode::TOO_MANY_REQUESTS,
            CallRefusal::Busy => StatusCode::SERVICE_UNAVAILABLE,
            CallRefusal::Time(_) => StatusCode::GATEWAY_TIMEOUT,
            CallRefusal::Broke => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            CallRefusal::Tool(message) => message.clone(),
            CallRefusal::Scope(scope) => without_scope(*scope),
            CallRefusal::Rate(wait) => {
                format!("too many calls in a minute: call again in {} s", whole_seconds(*wait))
            }
            CallRefusal::Busy => {
                format!("the server is busy: call again in {} s", whole_seconds(WHILE_BUSY))
            }
            CallRefusal::Time(most) => format!(
                "the call took more than {} s and was ended (ask for less: a path, fewer requests)",
                most.as_secs()
            ),
            CallRefusal::Broke => {
                "internal error: see navigator's standard error; the server goes on".to_owned()
            }
        }
    }

    fn retry_after(&self) -> Option<Duration> {
        match self {
            CallRefusal::Rate(wait) => Some(*wait),
            CallRefusal::Busy => Some(WHILE_BUSY),
            CallRefusal::Tool(_)
            | CallRefusal::Scope(_)
            | CallRefusal::Time(_)
            | CallRefusal::Broke => None,
        }
    }
}

fn without_scope(scope: CallScope) -> String {
    format!("the token does not have the scope `{}`", scope.as_str())
}

/// Rounds up: who comes back after that is not too early.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}

/// Returns a response with a JSON body.
pub(super) fn json_response(status: StatusCode, body: &Value) -> Response {
    let body = Sanitized::json(body).map(Sanitized::into_string).unwrap_or_default();
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// Returns an error as JSON.
fn error_response(status: StatusCode, reason: &str, message: &str) -> Response {
    let message = Sanitized::text(message).into_string();
    json_response(status, &json!({ "error": message, "reason": reason }))
}

impl IntoResponse for RequestRefusal {
    fn into_response(self) -> Response {
        let mut response = error_response(self.status(), self.reason(), &self.message());
        if self.status() == StatusCode::UNAUTHORIZED {
            let bearer = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, bearer);
        }
        response.extensions_mut().insert(RefusedFor(self.reason()));
        response
    }
}

impl IntoResponse for CallRefusal {
    fn into_response(self) -> Response {
        let mut response = error_response(self.status(), self.reason(), &self.message());
        if let Some(wait) = self.retry_after() {
            let seconds = HeaderValue::from(whole_seconds(wait));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// Returns the response to a call whose tool has an error for the caller.
pub(super) fn tool_error(message: &str) -> Response {
    error_response(StatusCode::UNPROCESSABLE_ENTITY, "tool_error", message)
}
