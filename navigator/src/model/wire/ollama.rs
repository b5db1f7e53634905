//! Ollama: `POST /api/chat`, JSON by `format`.

use serde_json::{Value, json};

use super::{Dialect, SchemaForm, count, messages};
use crate::model::request::{Reply, Request};
use crate::money::price::Usage;

pub(super) fn body(request: &Request, dialect: Dialect<'_>) -> Value {
    let mut body = json!({
        "model": dialect.model,
        "messages": messages(request),
        "stream": false,
        // A window that is too small would silently drop the beginning; without a maximum the
        // output has no end.
        "options": { "num_ctx": request.window, "num_predict": request.output_tokens },
    });
    match dialect.form {
        SchemaForm::Schema => body["format"] = request.schema.clone(),
        SchemaForm::Object => body["format"] = json!("json"),
        SchemaForm::Words => {}
    }
    body
}

pub(super) fn reply(body: &Value) -> Reply {
    Reply {
        text: body["message"]["content"].as_str().unwrap_or_default().to_owned(),
        usage: usage(body),
        model: body["model"].as_str().map(str::to_owned),
        is_cut: body["done_reason"] == "length",
        refusal: None,
        repriced: None,
        price: None,
    }
}

/// Reads the usage. Ollama omits the count of the prompt if all of it came from the cache; the
/// usage is then incomplete and `None` is returned.
fn usage(body: &Value) -> Option<Usage> {
    let (input_tokens, output_tokens) =
        (count(&body["prompt_eval_count"])?, count(&body["eval_count"])?);
    Some(Usage { input_tokens, output_tokens, ..Usage::default() })
}
