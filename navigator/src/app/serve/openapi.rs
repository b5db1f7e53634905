//! The description of the tools for programs, by OpenAPI 3.1. Each operation is a tool with its own
//! schema; what is no tool is not in it, since programs offer each operation to a model.

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use crate::app::mcp::answers_in_json;

/// Describes tools. `needs_token` says that requests need one.
pub(super) fn description(tools: &[Tool], needs_token: bool) -> Value {
    let paths: Map<String, Value> = tools
        .iter()
        .map(|tool| (format!("/v1/tools/{}", tool.name), json!({ "post": operation(tool) })))
        .collect();
    let mut description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "navigator",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Maps of one repository, each within a limit of tokens.",
        },
        "paths": paths,
        "components": { "schemas": { "Answer": answer(), "JsonAnswer": json_answer(),
            "Refusal": refusal() } },
    });
    if needs_token {
        description["components"]["securitySchemes"] =
            json!({ "token": { "type": "http", "scheme": "bearer" } });
        description["security"] = json!([{ "token": [] }]);
    }
    description
}

fn operation(tool: &Tool) -> Value {
    let schema = if answers_in_json(&tool.name) { "JsonAnswer" } else { "Answer" };
    let refused =
        |description: &str| json!({ "description": description, "content": content("Refusal") });
    json!({
        "operationId": tool.name,
        "summary": tool.description.as_deref().and_then(|text| text.split(['.', ':']).next()),
        "description": tool.description,
        "requestBody": {
            "required": tool.input_schema.contains_key("required"),
            "content": { "application/json": { "schema": tool.input_schema } },
        },
        "responses": {
            "200": { "description": "The answer", "content": content(schema) },
            "400": refused("The body is no JSON object"),
            "401": refused("A token is needed"),
            "403": refused("The token does not allow it, or the server has another name"),
            "422": refused("The tool has no answer; the message says what to do next"),
            "429": refused("Too many calls in a minute; see `Retry-After`"),
            "503": refused("The server is busy; see `Retry-After`"),
            "default": refused("Another refusal"),
        },
    })
}

fn content(schema: &str) -> Value {
    let reference = format!("#/components/schemas/{schema}");
    json!({ "application/json": { "schema": { "$ref": reference } } })
}

fn answer() -> Value {
    json!({
        "type": "object",
        "required": ["text", "note"],
        "properties": {
            "text": { "type": "string", "description": "The map, or another text" },
            "note": { "type": "string", "description": "Its size, what was left out, and the name \
                of its plan" },
        },
    })
}

fn json_answer() -> Value {
    json!({
        "type": "object",
        "required": ["success", "actions"],
        "properties": {
            "success": { "type": "boolean" },
            "actions": { "type": "array", "items": { "type": "object" } },
        },
    })
}

fn refusal() -> Value {
    json!({
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": { "type": "string", "description": "What is wrong, and the way out" },
            "reason": { "type": "string" },
        },
    })
}
