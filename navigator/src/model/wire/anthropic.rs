//! Anthropic Messages: `POST /v1/messages`. JSON by `output_config.format`, because newer models
//! reject a forced tool.

use serde_json::{Value, json};

use super::{Dialect, SchemaForm, count, text_part};
use crate::model::request::{Reply, Request};
use crate::money::price::Usage;

/// The API version implemented here.
pub(super) const VERSION: &str = "2023-06-01";
/// An upper estimate of bytes per token on average. A prefix is marked for caching only if it is
/// certainly long enough.
const BYTES_A_TOKEN: usize = 5;

pub(super) fn body(request: &Request, dialect: Dialect<'_>) -> Value {
    let mut stable = text_part("text", &request.stable);
    let cache_from = dialect.listed.and_then(|listed| listed.cache_from);
    if cache_from.is_some_and(|least| request.stable.len() / BYTES_A_TOKEN >= least as usize) {
        stable["cache_control"] = json!({ "type": "ephemeral" });
    }
    let mut body = json!({
        "model": dialect.model,
        "max_tokens": request.output_tokens,
        "system": [stable],
        "messages": [{ "role": "user", "content": [text_part("text", &request.turn)] }],
    });
    if dialect.form == SchemaForm::Schema {
        let schema = without_sizes(&request.schema);
        body["output_config"] = json!({ "format": { "type": "json_schema", "schema": schema } });
    }
    if dialect.is_vendor {
        // The tier for which the listed price holds.
        body["service_tier"] = json!("standard_only");
        if dialect.listed.is_some_and(|listed| listed.regions) {
            body["inference_geo"] = json!("global");
        }
    }
    body
}

/// Returns a schema without the sizes of lists, which this API rejects; the instructions name them.
fn without_sizes(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, value)| *name != "maxItems" || !value.is_number())
            .map(|(name, value)| (name.clone(), without_sizes(value)))
            .collect(),
        Value::Array(values) => values.iter().map(without_sizes).collect(),
        value => value.clone(),
    }
}

pub(super) fn reply(body: &Value) -> Reply {
    let blocks = body["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = blocks
        .iter()
        .filter(|block| block["type"] == "text")
        .filter_map(|block| block["text"].as_str());
    let stop = body["stop_reason"].as_str().unwrap_or_default();
    Reply {
        text: texts.collect(),
        usage: usage(&body["usage"]),
        model: body["model"].as_str().map(str::to_owned),
        is_cut: matches!(stop, "max_tokens" | "model_context_window_exceeded"),
        refusal: (stop == "refusal").then(|| "the provider refused to answer".to_owned()),
        repriced: repriced(&body["usage"]),
        price: None,
    }
}

/// Reads the usage. The three kinds of input do not overlap.
fn usage(usage: &Value) -> Option<Usage> {
    let writes = count(&usage["cache_creation_input_tokens"]).unwrap_or(0);
    let writes_1h = count(&usage["cache_creation"]["ephemeral_1h_input_tokens"]).unwrap_or(0);
    Some(Usage {
        input_tokens: count(&usage["input_tokens"])?,
        cached_tokens: count(&usage["cache_read_input_tokens"]).unwrap_or(0),
        cache_write_tokens: writes.saturating_sub(writes_1h),
        cache_write_1h_tokens: writes_1h,
        output_tokens: count(&usage["output_tokens"])?,
        reasoning_tokens: count(&usage["output_tokens_details"]["thinking_tokens"]).unwrap_or(0),
    })
}

fn repriced(usage: &Value) -> Option<String> {
    let differs = |field: &str, expected: &[&str]| {
        let value = usage[field].as_str()?;
        (!expected.contains(&value)).then(|| format!("{field} is `{value}`"))
    };
    differs("service_tier", &["standard"])
        .or_else(|| differs("speed", &["standard"]))
        .or_else(|| differs("inference_geo", &["global", "not_available"]))
}
