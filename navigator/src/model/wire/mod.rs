//! The wire formats: a request becomes the JSON of a provider, and the provider's JSON becomes a
//! reply. This module sends nothing.

mod anthropic;
mod gemini;
mod ollama;
mod openai_chat;
mod openai_responses;

use serde_json::{Value, json};

use crate::model::request::{Reply, Request};
use crate::model::secret::Secret;
use crate::money::prices::ModelInfo;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Anthropic Messages.
    Messages,
    /// OpenAI Responses.
    Responses,
    /// OpenAI Chat Completions, which many servers support.
    Chat,
    /// Gemini generateContent.
    Gemini,
    /// Ollama chat.
    Ollama,
}

/// The way in which a reply is constrained to JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemaForm {
    /// A JSON schema.
    Schema,
    /// Any JSON object; the instructions describe its shape.
    Object,
    /// The instructions alone.
    Words,
}

/// The parameters of a body besides the request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect<'a> {
    /// The provider of the model, or the provider whose API the server implements.
    pub(crate) provider: &'a str,
    /// The name of the model in the request.
    pub(crate) model: &'a str,
    /// The row of the price list; `None` for a server other than the vendor's.
    pub(crate) listed: Option<&'a ModelInfo>,
    /// The server is the vendor's: others may not support every parameter.
    pub(crate) is_vendor: bool,
    pub(crate) form: SchemaForm,
    /// Chat Completions names the maximum output `max_completion_tokens`.
    pub(crate) completion_tokens: bool,
}

impl Wire {
    /// Every wire format.
    pub const ALL: [Wire; 5] =
        [Wire::Messages, Wire::Responses, Wire::Chat, Wire::Gemini, Wire::Ollama];

    /// Returns the name of the format in flags.
    pub fn as_str(self) -> &'static str {
        match self {
            Wire::Messages => "messages",
            Wire::Responses => "responses",
            Wire::Chat => "chat",
            Wire::Gemini => "gemini",
            Wire::Ollama => "ollama",
        }
    }

    /// Returns the address of a call for a server's base address.
    pub(crate) fn url(self, base: &str, model: &str) -> String {
        let given = base.trim_end_matches('/');
        let is_bare = given.split_once("://").is_some_and(|(_, rest)| !rest.contains('/'));
        // The base may be the whole address of a call.
        let base = ["/chat/completions", "/responses", "/messages", "/api/chat"]
            .iter()
            .find_map(|end| given.strip_suffix(end))
            .unwrap_or(given);
        let versioned =
            |version: &str| if is_bare { format!("{base}/{version}") } else { base.to_owned() };
        match self {
            Wire::Messages => format!("{}/messages", versioned("v1")),
            Wire::Responses => format!("{}/responses", versioned("v1")),
            Wire::Chat => format!("{}/chat/completions", versioned("v1")),
            Wire::Gemini => format!("{}/models/{model}:generateContent", versioned("v1beta")),
            Wire::Ollama => format!("{base}/api/chat"),
        }
    }

    /// Returns the headers with the key and the version of the format.
    pub(crate) fn headers(self, key: Option<&Secret>) -> Vec<(&'static str, String)> {
        let mut headers = vec![("content-type", "application/json".to_owned())];
        let key = key.map(Secret::reveal);
        match self {
            Wire::Messages => {
                headers.push(("anthropic-version", anthropic::VERSION.to_owned()));
                headers.extend(key.map(|key| ("x-api-key", key.to_owned())));
            }
            Wire::Gemini => headers.extend(key.map(|key| ("x-goog-api-key", key.to_owned()))),
            Wire::Responses | Wire::Chat | Wire::Ollama => {
                headers.extend(key.map(|key| ("authorization", format!("Bearer {key}"))))
            }
        }
        headers
    }

    pub(crate) fn body(self, request: &Request, dialect: Dialect<'_>) -> Value {
        match self {
            Wire::Messages => anthropic::body(request, dialect),
            Wire::Responses => openai_responses::body(request, dialect),
            Wire::Chat => openai_chat::body(request, dialect),
            Wire::Gemini => gemini::body(request, dialect),
            Wire::Ollama => ollama::body(request, dialect),
        }
    }

    /// Reads a reply from the JSON of a successful call. Missing fields stay empty.
    pub(crate) fn reply(self, body: &Value) -> Reply {
        match self {
            Wire::Messages => anthropic::reply(body),
            Wire::Responses => openai_responses::reply(body),
            Wire::Chat => openai_chat::reply(body),
            Wire::Gemini => gemini::reply(body),
            Wire::Ollama => ollama::reply(body),
        }
    }
}

/// Returns the message in the JSON of an error: every format has `error.message`, or `error` as a
/// text.
pub(crate) fn error_message(body: &Value) -> Option<String> {
    let error = &body["error"];
    let message = error["message"]
        .as_str()
        .or_else(|| error.as_str())
        .or_else(|| body["message"].as_str())?;
    let kind = error["type"]
        .as_str()
        .or_else(|| error["status"].as_str())
        .or_else(|| error["code"].as_str());
    Some(kind.map_or_else(|| message.to_owned(), |kind| format!("{kind}: {message}")))
}

/// Reports whether an error is about credit or quota and not about the rate of requests.
pub(crate) fn is_out_of_credit(body: &Value) -> bool {
    let error = &body["error"];
    let codes = [&error["code"], &error["type"], &error["details"]["error_code"]];
    let spent = [
        "insufficient_quota",
        "billing_error",
        "billing_hard_limit_reached",
        "enforced_spend_limit_reached",
        "credit_balance_too_low",
    ];
    codes.iter().filter_map(|code| code.as_str()).any(|code| spent.contains(&code))
}

/// Reports whether an error says that the request is longer than the model's window.
pub(crate) fn is_too_long(message: &str) -> bool {
    let message = message.to_lowercase();
    [
        "exceed_context_size",
        "context_length_exceeded",
        "context length",
        "context size",
        "context window",
        "prompt is too long",
        "too many tokens",
    ]
    .iter()
    .any(|sign| message.contains(sign))
}

/// Returns the window in tokens from an error about length: from a field (llama.cpp), or from the
/// sentences of OpenAI and Anthropic.
pub(crate) fn window_in(body: &Value) -> Option<u32> {
    let field = body["error"]["n_ctx"].as_u64();
    let sentence = || {
        let message = body["error"]["message"].as_str()?;
        let after = message
            .split("maximum context length is ")
            .nth(1)
            .or_else(|| message.split(" tokens > ").nth(1))?;
        after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    field.or_else(sentence).and_then(|window| u32::try_from(window).ok())
}

/// Reports whether an error is about the form of JSON output.
pub(crate) fn is_about_form(message: &str) -> bool {
    let message = message.to_lowercase();
    [
        "response_format",
        "json_schema",
        "output_config",
        "text.format",
        "responsejsonschema",
        "response_json_schema",
        "response schema",
        "grammar",
    ]
    .iter()
    .any(|sign| message.contains(sign))
}

/// Reports whether an error demands the new name of the maximum output in Chat Completions.
pub(crate) fn wants_completion_tokens(message: &str) -> bool {
    message.contains("max_completion_tokens")
}

/// Reads a count from a provider's JSON; `None` if it is missing or not a whole number.
fn count(value: &Value) -> Option<u64> {
    value.as_u64()
}

/// Returns instructions and question as two messages, for Chat Completions and Ollama.
fn messages(request: &Request) -> Value {
    json!([
        { "role": "system", "content": request.stable },
        { "role": "user", "content": request.turn },
    ])
}

/// Returns a text as a JSON part of the given type.
fn text_part(kind: &str, text: &str) -> Value {
    json!({ "type": kind, "text": text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_and_without_a_version() {
        assert_eq!(
            Wire::Chat.url("http://127.0.0.1:8080", "m"),
            "http://127.0.0.1:8080/v1/chat/completions"
        );
        assert_eq!(
            Wire::Chat.url("https://host/openai/v1/", "m"),
            "https://host/openai/v1/chat/completions"
        );
        assert_eq!(
            Wire::Chat.url("http://host/chat/completions", "m"),
            "http://host/chat/completions"
        );
        assert_eq!(
            Wire::Chat.url("https://host/v1/chat/completions", "m"),
            "https://host/v1/chat/completions"
        );
        assert_eq!(
            Wire::Messages.url("https://api.anthropic.com", "m"),
            "https://api.anthropic.com/v1/messages"
        );
        assert_eq!(
            Wire::Ollama.url("http://localhost:11434/", "m"),
            "http://localhost:11434/api/chat"
        );
        assert_eq!(
            Wire::Gemini.url("https://g.example/v1beta", "m"),
            "https://g.example/v1beta/models/m:generateContent"
        );
    }
}
