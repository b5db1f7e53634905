//! OpenAI Chat Completions: `POST /v1/chat/completions`, for OpenAI and many other servers.

use serde_json::{Value, json};

use super::{Dialect, SchemaForm, count, messages, openai_responses};
use crate::model::request::{Reply, Request};
use crate::money::price::Usage;

pub(super) fn body(request: &Request, dialect: Dialect<'_>) -> Value {
    let mut body = json!({
        "model": dialect.model,
        "messages": messages(request),
    });
    let is_openai = dialect.is_vendor && dialect.provider == "openai";
    // OpenAI's reasoning models reject the old name; most other servers know only the old name.
    body[if is_openai || dialect.completion_tokens {
        "max_completion_tokens"
    } else {
        "max_tokens"
    }] = json!(request.output_tokens);
    match dialect.form {
        SchemaForm::Schema => {
            let schema = json!({ "name": "decision", "strict": true, "schema": request.schema });
            body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
        }
        SchemaForm::Object => body["response_format"] = json!({ "type": "json_object" }),
        SchemaForm::Words => {}
    }
    if is_openai {
        body["service_tier"] = json!("default");
        body["store"] = json!(false);
        if dialect.listed.is_some_and(|listed| listed.reasons) {
            body["reasoning_effort"] = json!("low");
        }
    }
    body
}

pub(super) fn reply(body: &Value) -> Reply {
    let choice = &body["choices"][0];
    let message = &choice["message"];
    let filtered = (choice["finish_reason"] == "content_filter")
        .then(|| "the answer was stopped by a content filter".to_owned());
    Reply {
        text: message["content"].as_str().unwrap_or_default().to_owned(),
        usage: usage(&body["usage"]),
        model: body["model"].as_str().map(str::to_owned),
        is_cut: choice["finish_reason"] == "length",
        refusal: message["refusal"].as_str().map(str::to_owned).or(filtered),
        repriced: openai_responses::repriced(body),
        price: None,
    }
}

/// Reads the usage. Input includes cached input. Output includes reasoning for most servers; if the
/// total shows that it was left out, the total counts.
fn usage(usage: &Value) -> Option<Usage> {
    let input = count(&usage["prompt_tokens"])?;
    let output = count(&usage["completion_tokens"])?;
    let details = &usage["prompt_tokens_details"];
    let cached = count(&details["cached_tokens"])
        .or_else(|| count(&usage["prompt_cache_hit_tokens"]))
        .unwrap_or(0);
    let writes = count(&details["cache_write_tokens"]).unwrap_or(0);
    let beyond = count(&usage["total_tokens"]).map_or(0, |total| total.saturating_sub(input));
    Some(Usage {
        input_tokens: input.saturating_sub(cached).saturating_sub(writes),
        cached_tokens: cached,
        cache_write_tokens: writes,
        cache_write_1h_tokens: 0,
        output_tokens: output.max(beyond),
        reasoning_tokens: count(&usage["completion_tokens_details"]["reasoning_tokens"])
            .unwrap_or(0),
    })
}
