//! The tool descriptions for clients. Every session pays for these texts, so they are short.

use repo_map::Fill;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};

/// The instructions for a client at the start of a session.
pub(super) const INSTRUCTIONS: &str = "Maps of one repository, each within a limit of tokens. \
    Begin with `explore`: it finds what matters for a task \
in one call, cheaper than searching and reading files one by one. Go on with `map` for paths you \
choose. Levels, from least to most: exclude, fold, \
path, outline (names), interface (signatures and docs), full (source). Files are read anew at \
each call. The last line of a result says what was \
left out and names its plan.";

/// Returns the tools of a server. `asks_model`: `explore` may cost money. `tokens`: the maximum
/// size of a result if a call does not give one.
pub(super) fn tools(asks_model: bool, tokens: u32) -> Vec<Tool> {
    let tokens = json!({ "type": "integer", "description": format!("Most tokens of the result; \
        {tokens} if not given") });
    vec![explore(asks_model, &tokens), map(&tokens), explain(&tokens), replay(&tokens)]
}

fn explore(asks_model: bool, tokens: &Value) -> Tool {
    let mut fields = json!({
        "goal": text("Task, question, error text or stack trace, with the names you know"),
        "tokens": tokens,
        "path": text("Consider only this file or folder"),
        "include": list("Consider only these globs"),
        "exclude": list("Leave out these globs"),
        "feedback": text("What an earlier context lacked"),
        "fill": fill(),
    });
    if asks_model {
        fields["budget"] = json!({ "type": "number", "description": "Most USD for this call, \
            below the server's own limit" });
    }
    let description = "Find the context for a goal: the files and items that matter, each in as \
        much detail as it is worth, the rest folded.";
    let tool = tool("explore", description, fields, &["goal"]);
    // A tool that may spend money needs consent, and replies of a model differ.
    if asks_model {
        tool.annotate(ToolAnnotations::new().destructive(false).open_world(true))
    } else {
        tool
    }
}

fn map(tokens: &Value) -> Tool {
    let fields = json!({
        "levels": {
            "type": "object",
            "additionalProperties": { "type": "string" },
            "description": "Glob or PATH#ITEM to a level or range (floor..ceiling); the last \
                match wins, the rest is folded: {\"src/**\": \"interface\", \"a.py#f\": \"full\", \
                \"docs\": \"..path\"}",
        },
        "plan": text("Flight Plan: YAML, a file, or the name from an earlier result"),
        "goal": text("Decides where levels leave a choice"),
        "tokens": tokens,
        "fill": fill(),
    });
    tool(
        "map",
        "Show paths at levels of your choice, by `levels` or a plan; without arguments an \
         overview.",
        fields,
        &[],
    )
}

fn explain(tokens: &Value) -> Tool {
    let fields = json!({
        "path": text("PATH or PATH#ITEM"),
        "goal": text("The goal"),
        "tokens": tokens,
    });
    let description = "Why a path is where it is for a goal: rank, evidence, tokens at each \
        level, what would raise it, its best items.";
    tool("explain", description, fields, &["path"])
}

fn replay(tokens: &Value) -> Tool {
    let fields = json!({
        "plan": text("Name from an earlier result, a file, or YAML"),
        "give": { "type": "string", "enum": GIVEN, "description": "Default: context" },
        "tokens": tokens,
    });
    tool(
        "replay",
        "The same bytes again from the plan of an earlier result, or which files changed since.",
        fields,
        &["plan"],
    )
}

/// The values of `give` in `replay`.
pub(super) const GIVEN: [&str; 3] = ["context", "plan", "summary"];

fn tool(name: &'static str, description: &'static str, fields: Value, required: &[&str]) -> Tool {
    let mut schema =
        json!({ "type": "object", "properties": fields, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    let Value::Object(schema) = schema else { unreachable!("a schema is an object") };
    let annotations = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
    Tool::new(name, description, schema).annotate(annotations)
}

fn fill() -> Value {
    let words = Fill::ALL.map(Fill::as_str);
    json!({ "type": "string", "enum": words, "description": "Use of free tokens: none, near the \
        goal, or all" })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn list(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}
