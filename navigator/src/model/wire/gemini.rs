//! Gemini: `POST /v1beta/models/{model}:generateContent`, JSON by a response schema.

use serde_json::{Value, json};

use super::{Dialect, SchemaForm, count};
use crate::model::request::{Reply, Request};
use crate::money::price::Usage;

/// The maximum of reasoning in tokens, for models that take such a limit.
const THINKING_TOKENS: u32 = 1_024;

pub(super) fn body(request: &Request, dialect: Dialect<'_>) -> Value {
    let mut generation = json!({ "maxOutputTokens": request.output_tokens, "candidateCount": 1 });
    match dialect.form {
        SchemaForm::Schema => {
            generation["responseMimeType"] = json!("application/json");
            generation["responseJsonSchema"] = request.schema.clone();
        }
        SchemaForm::Object => generation["responseMimeType"] = json!("application/json"),
        SchemaForm::Words => {}
    }
    if dialect.listed.is_some_and(|listed| listed.reasons) {
        let takes_tokens = dialect.model.starts_with("gemini-2.");
        generation["thinkingConfig"] = if takes_tokens {
            json!({ "thinkingBudget": THINKING_TOKENS })
        } else {
            json!({ "thinkingLevel": "low" })
        };
    }
    json!({
        "systemInstruction": { "parts": [{ "text": request.stable }] },
        "contents": [{ "role": "user", "parts": [{ "text": request.turn }] }],
        "generationConfig": generation,
    })
}

pub(super) fn reply(body: &Value) -> Reply {
    let candidate = &body["candidates"][0];
    let parts = candidate["content"]["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = parts
        .iter()
        .filter(|part| part["thought"] != true)
        .filter_map(|part| part["text"].as_str());
    let finish = candidate["finishReason"].as_str().unwrap_or_default();
    let blocked = body["promptFeedback"]["blockReason"]
        .as_str()
        .map(|why| format!("the prompt was blocked: {why}"));
    let stopped =
        matches!(finish, "SAFETY" | "RECITATION" | "PROHIBITED_CONTENT" | "BLOCKLIST" | "SPII")
            .then(|| format!("the answer was stopped: {finish}"));
    Reply {
        text: texts.collect(),
        usage: usage(&body["usageMetadata"]),
        model: body["modelVersion"].as_str().map(str::to_owned),
        is_cut: finish == "MAX_TOKENS",
        refusal: blocked.or(stopped),
        repriced: None,
        price: None,
    }
}

/// Reads the usage. The prompt includes cached input; thoughts are billed as output and are not
/// included in the candidates.
fn usage(usage: &Value) -> Option<Usage> {
    let prompt = count(&usage["promptTokenCount"])?;
    let cached = count(&usage["cachedContentTokenCount"]).unwrap_or(0);
    let tools = count(&usage["toolUsePromptTokenCount"]).unwrap_or(0);
    let thoughts = count(&usage["thoughtsTokenCount"]).unwrap_or(0);
    let output = count(&usage["candidatesTokenCount"]).unwrap_or(0).saturating_add(thoughts);
    let beyond = count(&usage["totalTokenCount"])
        .map_or(0, |total| total.saturating_sub(prompt).saturating_sub(tools));
    Some(Usage {
        input_tokens: prompt.saturating_add(tools).saturating_sub(cached),
        cached_tokens: cached,
        output_tokens: output.max(beyond),
        reasoning_tokens: thoughts,
        ..Usage::default()
    })
}
