//! OpenAI Responses: `POST /v1/responses`, JSON by a strict schema.

use serde_json::{Value, json};

use super::{Dialect, SchemaForm, count, text_part};
use crate::model::request::{Reply, Request};
use crate::money::price::Usage;

pub(super) fn body(request: &Request, dialect: Dialect<'_>) -> Value {
    let mut body = json!({
        "model": dialect.model,
        "instructions": request.stable,
        "input": [{ "role": "user", "content": [text_part("input_text", &request.turn)] }],
        "max_output_tokens": request.output_tokens,
        "store": false,
        "truncation": "disabled",
    });
    match dialect.form {
        SchemaForm::Schema => {
            body["text"] = json!({ "format": {
                "type": "json_schema", "name": "decision", "schema": request.schema, "strict": true,
            } });
        }
        SchemaForm::Object => body["text"] = json!({ "format": { "type": "json_object" } }),
        SchemaForm::Words => {}
    }
    if dialect.is_vendor {
        // The tier for which the listed price holds; "auto" would follow the project's setting.
        body["service_tier"] = json!("default");
        if dialect.listed.is_some_and(|listed| listed.reasons) {
            body["reasoning"] = json!({ "effort": "low" });
        }
    }
    body
}

pub(super) fn reply(body: &Value) -> Reply {
    let items = body["output"].as_array().map(Vec::as_slice).unwrap_or_default();
    let messages = items.iter().filter(|item| item["type"] == "message");
    let parts: Vec<&Value> =
        messages.filter_map(|item| item["content"].as_array()).flatten().collect();
    let texts = parts
        .iter()
        .filter(|part| part["type"] == "output_text")
        .filter_map(|part| part["text"].as_str());
    let why = body["incomplete_details"]["reason"].as_str().unwrap_or_default();
    let filtered =
        (why == "content_filter").then(|| "the answer was stopped by a content filter".to_owned());
    Reply {
        text: texts.collect(),
        usage: usage(&body["usage"]),
        model: body["model"].as_str().map(str::to_owned),
        is_cut: body["status"] == "incomplete" && filtered.is_none(),
        refusal: parts
            .iter()
            .find_map(|part| part["refusal"].as_str())
            .map(str::to_owned)
            .or(filtered),
        repriced: repriced(body),
        price: None,
    }
}

/// Reads the usage. Input includes cache reads and cache writes; output includes reasoning.
fn usage(usage: &Value) -> Option<Usage> {
    let cached = count(&usage["input_tokens_details"]["cached_tokens"]).unwrap_or(0);
    let writes = count(&usage["input_tokens_details"]["cache_write_tokens"]).unwrap_or(0);
    Some(Usage {
        input_tokens: count(&usage["input_tokens"])?.saturating_sub(cached).saturating_sub(writes),
        cached_tokens: cached,
        cache_write_tokens: writes,
        cache_write_1h_tokens: 0,
        output_tokens: count(&usage["output_tokens"])?,
        reasoning_tokens: count(&usage["output_tokens_details"]["reasoning_tokens"]).unwrap_or(0),
    })
}

/// Returns the name of a service tier that costs more than the default.
pub(super) fn repriced(body: &Value) -> Option<String> {
    let tier = body["service_tier"].as_str()?;
    (!matches!(tier, "default" | "auto" | "flex" | "on_demand" | "standard"))
        .then(|| format!("service_tier is `{tier}`"))
}
