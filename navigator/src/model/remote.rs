//! A model behind a server: the only file that opens a socket to one.
//!
//! It neither retries, follows redirects nor hides a call: each call has its own reservation in the
//! ledger.

#![expect(clippy::disallowed_methods, reason = "the rim: the only socket to a model")]

use std::io::Read;
use std::sync::Once;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::error::Error;
use crate::shared::Sanitized;
use reqwest::blocking::{Client, Response};
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::model::endpoint::ModelEndpoint;
use crate::model::request::{Failure, Model, Reply, Request};
use crate::model::secret::Secret;
use crate::model::wire::{self, Dialect, SchemaForm};
use crate::run::deadline::{Deadline, POLL};

/// The maximum size of a reply; larger ones are errors. A normal reply has a few kilobytes.
const MAX_REPLY_BYTES: u64 = 8 << 20;
/// The maximum length of a list in the schema for a self-hosted server, where a list has one.
const MOST_ITEMS: u64 = 10;
/// The time limit for a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// A model behind a server.
pub struct Remote {
    target: ModelEndpoint,
    key: Option<Secret>,
    form: SchemaForm,
    completion_tokens: bool,
    client: Client,
    /// The time limit of one call.
    call_time: Duration,
}

impl Remote {
    /// Prepares a client; sends nothing.
    ///
    /// # Errors
    /// [`Error::Endpoint`], if a key would travel unencrypted or TLS cannot be set up.
    pub fn new(
        target: ModelEndpoint,
        key: Option<Secret>,
        call_time: Duration,
    ) -> Result<Remote, Error> {
        // Check the address as it will be called: `HTTP://host` and `http:/host` are valid
        // spellings.
        let address = reqwest::Url::parse(&target.base_url).map_err(|error| {
            Error::endpoint(format!("`{}` is not an address: {error}", target.base_url))
        })?;
        let is_in_the_clear = crate::model::address::is_in_the_clear(address.as_str());
        if key.is_some() && is_in_the_clear {
            return Err(Error::endpoint(format!(
                "a key would travel to {} in the clear (use https, or a server on this machine)",
                target.base_url
            )));
        }
        static CRYPTO: Once = Once::new();
        CRYPTO.call_once(|| {
            // If the embedding program has installed a provider already, that one stays.
            let _ = rustls::crypto::ring::default_provider().install_default();
        });
        let mut client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT)
            .timeout(call_time)
            .user_agent(concat!("navigator/", env!("CARGO_PKG_VERSION")));
        if address.scheme() == "http" && !is_in_the_clear {
            // The server is on this machine: its traffic must not pass through a proxy.
            client = client.no_proxy();
        }
        let client = client
            .build()
            .map_err(|error| Error::endpoint(format!("setting up the connection: {error}")))?;
        Ok(Remote { form: target.form, completion_tokens: false, target, key, client, call_time })
    }

    fn scrub(&self, text: &str) -> String {
        let start: String = text.chars().take(600).collect();
        let line = Sanitized::line(&start.replace(['\r', '\n', '\t'], " "));
        self.key.as_ref().map_or_else(|| line.to_string(), |key| key.scrub(&line))
    }

    fn too_slow(&self) -> String {
        format!(
            "{} did not finish its answer within the time of a call, {} s",
            self.target.name,
            self.call_time.as_secs()
        )
    }

    /// Classifies a failed status for billing and for the next attempt.
    fn refused(&mut self, status: u16, headers: &HeaderMap, body: &[u8]) -> Failure {
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let said = wire::error_message(&json)
            .unwrap_or_else(|| String::from_utf8_lossy(body).into_owned());
        let message = self.scrub(
            format!("{} answered {status}: {said}", self.target.name).trim_end_matches([':', ' ']),
        );
        // It is unknown whether a self-hosted server bills what it rejects, but not for a missing
        // key or page.
        let is_sure = self.target.is_vendor || matches!(status, 401 | 403 | 404 | 429);
        // After the server may have begun (500, 502, 504, 520, 524 …) the cost is unknown.
        let is_turned_away = matches!(status, 300..=407 | 409..=499 | 503 | 529);
        let not_billed = is_sure && is_turned_away;
        // Every server finds an invalid request before any work.
        if matches!(status, 400 | 413 | 422 | 500) && wire::is_too_long(&said) {
            return Failure::TooLong {
                message,
                window: wire::window_in(&json),
                not_billed: is_turned_away,
            };
        }
        if matches!(status, 400 | 422)
            && wire::is_about_form(&said)
            && self.form != SchemaForm::Words
        {
            self.form = if self.form == SchemaForm::Schema {
                SchemaForm::Object
            } else {
                SchemaForm::Words
            };
            return Failure::UnsupportedFormat { message, not_billed: true };
        }
        if matches!(status, 400 | 422)
            && wire::wants_completion_tokens(&said)
            && !std::mem::replace(&mut self.completion_tokens, true)
        {
            return Failure::UnsupportedFormat { message, not_billed: true };
        }
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let may_pass = matches!(status, 408 | 409 | 429 | 500..=599)
            && header("x-should-retry") != Some("false");
        if may_pass && !wire::is_out_of_credit(&json) {
            return Failure::Transient { message, retry_after: retry_after(&header), not_billed };
        }
        let way_out = match status {
            401 | 403 if self.key.is_none() => {
                format!(" (no key was sent; set {})", self.target.key_names())
            }
            401 | 403 => format!(" (the key of {} was sent)", self.target.key_names()),
            404 => format!(
                " (is it the right model? {} was asked)",
                self.target.wire.url(&self.target.base_url, &self.target.model)
            ),
            300..=399 => " (a redirect, which is not followed: check the base URL)".to_owned(),
            _ => String::new(),
        };
        Failure::Permanent { message: message + &way_out, not_billed }
    }

    fn read(&mut self, answer: HttpAnswer) -> Result<Reply, Failure> {
        let broken =
            |message: String| Failure::Transient { message, retry_after: None, not_billed: false };
        let body = match answer.body {
            Ok(body) => body,
            Err(why) => return Err(broken(self.scrub(&format!("{}: {why}", self.target.name)))),
        };
        if !(200..300).contains(&answer.status) {
            return Err(self.refused(answer.status, &answer.headers, &body));
        }
        let json: Value = match serde_json::from_slice(&body) {
            Ok(json) => json,
            Err(error) => {
                return Err(broken(format!("{} sent no JSON: {error}", self.target.name)));
            }
        };
        let mut reply = self.target.wire.reply(&json);
        // A request has tokens: a server that reports none does not count, and what it reports
        // settles nothing.
        reply.usage = reply.usage.filter(|usage| usage.all_input() > 0);
        // Some servers pass on another server's failure with a success status.
        if let Some(said) = wire::error_message(&json).filter(|_| reply.text.is_empty()) {
            if reply.usage.is_none() {
                return Err(broken(self.scrub(&format!("{}: {said}", self.target.name))));
            }
            // Keep the reply to settle its usage; the refusal becomes the result.
            reply.refusal = Some(said);
        }
        reply.text =
            self.key.as_ref().map_or_else(|| reply.text.clone(), |key| key.scrub(&reply.text));
        reply.model = reply.model.map(|model| self.scrub(&model));
        reply.refusal = reply.refusal.map(|refusal| self.scrub(&refusal));
        if let Some((answered, price)) = reply
            .model
            .as_ref()
            .and_then(|answered| Some((answered, self.target.other_model(answered)?)))
        {
            reply.price = price;
            reply.repriced.get_or_insert_with(|| format!("`{answered}` answered"));
        }
        reply.repriced = reply.repriced.map(|terms| self.scrub(&terms));
        Ok(reply)
    }
}

impl Model for Remote {
    fn name(&self) -> &str {
        &self.target.name
    }

    fn body(&self, request: &Request) -> String {
        let dialect = Dialect {
            provider: self.target.provider(),
            model: &self.target.model,
            listed: self.target.listed.as_ref(),
            is_vendor: self.target.is_vendor,
            form: self.form,
            completion_tokens: self.completion_tokens,
        };
        if self.target.is_vendor && !self.target.is_local {
            return self.target.wire.body(request, dialect).to_string();
        }
        // Small models can continue a list without end.
        let mut bounded = request.clone();
        let fields = bounded.schema["properties"].as_object_mut().into_iter().flatten();
        for (_, field) in fields {
            if let Some(most) = field.get("maxItems").and_then(Value::as_u64) {
                field["maxItems"] = most.min(MOST_ITEMS).into();
            }
        }
        self.target.wire.body(&bounded, dialect).to_string()
    }

    fn send(&mut self, body: &str, deadline: &Deadline) -> Result<Reply, Failure> {
        let mut call = self
            .client
            .post(self.target.wire.url(&self.target.base_url, &self.target.model))
            .body(body.to_owned());
        for (name, value) in self.target.wire.headers(self.key.as_ref()) {
            call = call.header(name, value);
        }
        // The call runs in its own thread, so that a cancellation or the deadline ends the wait.
        let (send, receive) = mpsc::channel();
        // If the run ended first, the receiver is gone.
        thread::spawn(move || drop(send.send(call.send().map(answer))));
        let mut waited = Duration::ZERO;
        let answered = loop {
            match receive.recv_timeout(POLL) {
                Ok(answered) => break answered,
                Err(RecvTimeoutError::Timeout) if deadline.expired().is_some() => {
                    return Err(Failure::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if waited >= self.call_time => {
                    return Err(Failure::Transient {
                        message: self.too_slow(),
                        retry_after: None,
                        not_billed: false,
                    });
                }
                Err(RecvTimeoutError::Timeout) => waited += POLL,
                Err(RecvTimeoutError::Disconnected) => {
                    let message = format!("the call to {} broke off", self.target.name);
                    return Err(Failure::Transient {
                        message,
                        retry_after: None,
                        not_billed: false,
                    });
                }
            }
        };
        match answered {
            Ok(answer) => self.read(answer),
            Err(error) => {
                // A server that was never reached billed nothing.
                let not_billed = error.is_connect() || error.is_builder();
                let message = match error.is_timeout() && !not_billed {
                    true => self.too_slow(),
                    false => self.scrub(&format!(
                        "{} at {}: {}",
                        self.target.name,
                        self.target.base_url,
                        root_cause(&error)
                    )),
                };
                Err(match error.is_builder() {
                    true => Failure::Permanent { message, not_billed },
                    false => Failure::Transient { message, retry_after: None, not_billed },
                })
            }
        }
    }
}

/// The response, read to its end in the thread of the call.
struct HttpAnswer {
    status: u16,
    headers: HeaderMap,
    body: Result<Vec<u8>, String>,
}

fn answer(response: Response) -> HttpAnswer {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = Vec::new();
    let read = response.take(MAX_REPLY_BYTES + 1).read_to_end(&mut body);
    let body = match read {
        Err(error) => {
            Err(format!("the reply broke off after {} bytes: {}", body.len(), root_cause(&error)))
        }
        Ok(_) if body.len() as u64 > MAX_REPLY_BYTES => {
            Err(format!("the reply is larger than {MAX_REPLY_BYTES} bytes"))
        }
        Ok(_) => Ok(body),
    };
    HttpAnswer { status, headers, body }
}

/// Returns the innermost cause of an error. The outer ones repeat the address.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Returns the wait that the server requests, from the header in milliseconds if there is one. A
/// date is ignored.
fn retry_after<'h>(header: &impl Fn(&str) -> Option<&'h str>) -> Option<Duration> {
    let millis = header("retry-after-ms")
        .and_then(|value| value.trim().parse().ok())
        .map(Duration::from_millis);
    let seconds = || {
        let seconds: f64 = header("retry-after")?.trim().parse().ok()?;
        (0.0..=1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
    };
    millis.or_else(seconds)
}
