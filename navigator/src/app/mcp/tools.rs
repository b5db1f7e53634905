//! The tool descriptions for clients. Every session pays for these texts, so they are short.

use std::borrow::Cow;

use repo_map::Fill;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::knowledge::ask::question::InstructionType;
use crate::knowledge::dialect::AgentDialect;

/// The instructions for a client at the start of a session.
pub(super) const INSTRUCTIONS: &str = "Maps of one repository, each within a limit of tokens. \
    Begin with `explore`: it finds what matters for a task \
in one call, cheaper than searching and reading files one by one. Go on with `map` for paths you \
choose. Levels, from least to most: exclude, fold, \
path, outline (names), interface (signatures and docs), body (without long docs), full (source). \
Files are read anew at each call. The last line of a result says what was \
left out and names its plan.";

/// What a server can do beside mapping its repository at no cost.
pub(super) struct Abilities {
    /// `explore` may cost money.
    pub(super) asks_model: bool,
    /// The maximum size of a result if a call does not give one.
    pub(super) tokens: u32,
    /// The origins that may be read; `None` if there are none.
    pub(super) origins: Option<String>,
    /// The maximum number of requests of a call.
    pub(super) max_requests: u64,
    /// The names of the knowledges that can be asked.
    pub(super) knowledges: Vec<String>,
    /// The same with the sites that they are about, in words.
    pub(super) known_sites: String,
}

/// Returns the tools of a server.
pub(super) fn tools(server: &Abilities) -> Vec<Tool> {
    let tokens = json!({ "type": "integer", "description": format!("Most tokens of the result; \
        {} if not given", server.tokens) });
    let mut tools = vec![
        explore(server, &tokens),
        map(server, &tokens),
        explain(server, &tokens),
        replay(&tokens),
    ];
    if !server.knowledges.is_empty() {
        tools.push(ask_knowledge(server, &tokens));
    }
    tools
}

/// Adds the arguments of a tool that takes addresses, and says what it reaches.
fn with_addresses(server: &Abilities, path: &str, mut fields: Value) -> (Value, ToolAnnotations) {
    let closed = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
    let Some(origins) = &server.origins else { return (fields, closed) };
    fields["path"] =
        text(&format!("{path} address of a site instead of the repository: {origins}"));
    fields["max_requests"] = json!({ "type": "integer", "description": format!("Most requests \
        for an address, at most {}", server.max_requests) });
    (fields, ToolAnnotations::new().read_only(true).open_world(true))
}

fn explore(server: &Abilities, tokens: &Value) -> Tool {
    let mut fields = json!({
        "goal": text("Task, question, error text or stack trace, with the names you know"),
        "tokens": tokens,
        "path": text("Consider only this file or folder"),
        "include": list("Consider only these globs"),
        "exclude": list("Leave out these globs"),
        "feedback": text("What an earlier context lacked"),
        "fill": fill(),
    });
    if server.asks_model {
        fields["budget"] = json!({ "type": "number", "description": "Most USD for this call, \
            below the server's own limit" });
    }
    let description = "Find the context for a goal: the files and items that matter, each in as \
        much detail as it is worth, the rest folded.";
    let of_paths = "Consider only this file or folder; or the";
    let (fields, annotations) = with_addresses(server, of_paths, fields);
    // A tool that may spend money needs consent, and replies of a model differ.
    let annotations = match server.asks_model {
        true => ToolAnnotations::new().destructive(false).open_world(true),
        false => annotations,
    };
    tool("explore", description, fields, &["goal"]).annotate(annotations)
}

fn map(server: &Abilities, tokens: &Value) -> Tool {
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
    let (fields, annotations) = with_addresses(server, "The", fields);
    let description = "Show paths at levels of your choice, by `levels` or a plan; without \
        arguments an overview.";
    tool("map", description, fields, &[]).annotate(annotations)
}

fn explain(server: &Abilities, tokens: &Value) -> Tool {
    let mut fields = json!({
        "path": text("PATH or PATH#ITEM"),
        "goal": text("The goal"),
        "tokens": tokens,
    });
    if server.origins.is_some() {
        fields["path"] = text("PATH or PATH#ITEM; or the address of a page of a site read before");
        fields["plan"] = text("An earlier result of a site, whose PATH it is");
    }
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

fn ask_knowledge(server: &Abilities, tokens: &Value) -> Tool {
    let asked = InstructionType::ALL.map(InstructionType::as_str);
    let dialects = AgentDialect::ALL.map(AgentDialect::as_str);
    let of_browser = json!({
        "type": "object",
        "additionalProperties": false,
        "description": "What you know of your browser",
        "properties": {
            "current_url": text("Address of its page"),
            "dom_summary": text("Accessibility snapshot, list of elements, or words of its page"),
            "current_screen_id": text("Its screen, from an earlier answer"),
            "parameters": { "type": "object", "additionalProperties": { "type": "string" },
                "description": "Values for fields, by their names" },
        },
    });
    let mut fields = json!({
        "instruction_type": { "type": "string", "enum": asked },
        "target": text("Screen, task or address; words of its name do, too"),
        "context": of_browser,
        "dialect": { "type": "string", "enum": dialects, "description": "Whose actions to write" },
        "tokens": tokens,
    });
    let mut required = vec!["instruction_type"];
    if server.knowledges.len() > 1 {
        fields["knowledge"] = json!({ "type": "string", "enum": server.knowledges });
        required.push("knowledge");
    }
    let description = format!(
        "Ask what is known of a web application that was explored: {}. The way to a screen as \
         actions for your browser, which screen a page is, what can be done there. Does nothing \
         itself.",
        server.known_sites
    );
    tool("ask_knowledge", description, fields, &required)
}

/// Reports whether the text of a tool's result is JSON.
#[cfg(feature = "serve")]
pub(crate) fn answers_in_json(tool: &str) -> bool {
    tool == "ask_knowledge"
}

/// The values of `give` in `replay`.
pub(super) const GIVEN: [&str; 3] = ["context", "plan", "summary"];

fn tool(
    name: &'static str,
    description: impl Into<Cow<'static, str>>,
    fields: Value,
    required: &[&str],
) -> Tool {
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
