//! Builds requests from state and view. The terrain provides the words.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::model::request::Request;
use crate::money::pico_usd::PicoUsd;
use crate::pilot::answer::{KEEP, MOST_CHANGES, MOST_FOCUS};
use crate::pilot::briefing::{Briefing, View};
use crate::run::action::FreeTokens;
use crate::run::decision_log::{ActionKind, LogEntry, NOT_FINALIZED};
use crate::run::pilot::Turn;
use crate::run::terrain::TerrainMap;
use crate::run::text::one_line;
use crate::shared::{Sanitized, Tokenizer};

/// The number of recent decisions that a request quotes in full; of earlier ones it lists the
/// paths.
const WHOLE_DECISIONS: usize = 6;

/// Returns the part that is the same in every request of a run: instructions and goal.
pub(crate) fn stable<T: Briefing>(turn: &Turn<'_, T>) -> Sanitized {
    Sanitized::fill(
        turn.terrain.instructions(),
        &[
            ("boundary", &turn.state.boundary.as_str().into()),
            ("goal", &turn.goal.trim().into()),
            ("more", &turn.terrain.more_instructions().into()),
        ],
    )
}

/// Returns the request of a turn. The same state and view give the same bytes.
pub(crate) fn request<T: Briefing>(
    turn: &mut Turn<'_, T>,
    view: &View,
    notes: &Notes,
    left: Option<PicoUsd>,
    output_tokens: u32,
    window: u32,
) -> Request {
    let (tokens, budget) = (turn.map.tokens(), turn.map.budget());
    let nouns = turn.terrain.nouns();
    let boundary = turn.state.boundary.as_str();
    let what = match view.cut_to {
        None => "The map, which is the context as it stands:".to_owned(),
        Some(cut) => format!(
            "An excerpt of {cut} tokens of the context, which has {tokens} tokens: it holds all of \
             this and more.",
        ),
    };
    let money = left.map_or_else(
        || "The model costs nothing.".to_owned(),
        |left| format!("{} USD are left.", &left.rounded_down()[1..]),
    );
    let resources = turn.resources_left.words().join(", ");
    let money = if resources.is_empty() { money } else { format!("{money} {resources} left.") };
    let feedback: Vec<String> =
        turn.state.feedback.iter().map(|one| one.text.to_string()).collect();
    let refused = turn.state.refusals();
    let own = Sanitized::fill(
        T::TURN,
        &[
            ("view", &what.into()),
            ("boundary", &boundary.into()),
            ("changed", &view.changed),
            ("map", &view.map),
            ("prices", &view.prices),
            ("more", &view.more),
            ("place", &nouns.place.into()),
            ("world", &nouns.world.into()),
            ("log", &log(turn).into()),
            ("found", &notes.found),
            ("refused", &section("Your changes that did not fit:", &refused)),
            ("asked", &section("Your changes in force:", &view.asked)),
            (
                "bounds",
                &section(
                    "The person's rules, which no change passes:",
                    &T::bound_lines(&turn.state.bounds),
                ),
            ),
            ("feedback", &section("The person says:", &feedback)),
            (
                "complaints",
                &section(
                    "Wrong with your last answer, or not as you asked:",
                    &turn.state.complaints,
                ),
            ),
            ("turn", &turn.step.to_string().into()),
            ("turns", &(turn.step + turn.turns_left).to_string().into()),
            ("tokens", &tokens.to_string().into()),
            ("budget", &budget.to_string().into()),
            ("free", &budget.saturating_sub(tokens).to_string().into()),
            ("money", &money.into()),
        ],
    );
    Request {
        stable: stable(turn),
        turn: own,
        schema: schema(turn.terrain.change_schema()),
        output_tokens,
        window,
    }
}

/// What the searches of the last answer found, computed before the view.
pub(crate) struct Notes {
    found: Sanitized,
}

impl Notes {
    /// # Errors
    /// If the map is not of the turn's terrain.
    pub(crate) fn of<T: Briefing>(turn: &mut Turn<'_, T>) -> Result<Notes, T::Error> {
        let mut found = String::new();
        for name in &turn.state.find {
            let mut lines = T::find(turn, name)?;
            if lines.is_empty() {
                lines.push("nothing has this name".to_owned());
            }
            let head = format!("Found by the name `{}`:", one_line(name, 120));
            found.push_str(&section(&head, &lines));
        }
        Ok(Notes { found: found.into() })
    }

    /// Returns the size in tokens of what searches found.
    pub(crate) fn found_tokens(&self, tokenizer: Tokenizer) -> u32 {
        tokenizer.count(&self.found)
    }
}

/// Returns the JSON schema of a reply, given that of a change. Strict schemas require every field.
/// The field for reasoning is the first, so that the model reasons before it decides.
fn schema(change: Value) -> Value {
    let text = json!({ "type": "string" });
    let list =
        |item: Value, most: usize| json!({ "type": "array", "items": item, "maxItems": most });
    let fill: Vec<&str> =
        [KEEP].into_iter().chain(FreeTokens::ALL.map(FreeTokens::as_str)).collect();
    object(json!({
        "reasoning": text,
        "action": { "type": "string", "enum": ["update_flight_plan", "finalize_context"] },
        "changes": list(change, MOST_CHANGES),
        "fill": { "type": "string", "enum": fill },
        "summary": text,
        "focus": list(object(json!({ "path": text, "why": text })), MOST_FOCUS),
    }))
}

/// Returns the strict schema of an object: every field required, no other allowed.
pub(crate) fn object(properties: Value) -> Value {
    let required: Vec<&String> =
        properties.as_object().map(|fields| fields.keys().collect()).unwrap_or_default();
    json!({
        "type": "object",
        "properties": properties.clone(),
        "required": required,
        "additionalProperties": false,
    })
}

fn log<T: Briefing>(turn: &Turn<'_, T>) -> String {
    // Feedback and complaints have their own sections.
    let decided = |entry: &&LogEntry<T::Plan>| {
        matches!(
            entry.action,
            ActionKind::UpdateFlightPlan | ActionKind::FinalizeContext | ActionKind::PersonEdit
        )
    };
    let log: Vec<&LogEntry<T::Plan>> = turn.state.log.iter().filter(decided).collect();
    if log.is_empty() {
        return "none\n".to_owned();
    }
    let mut lines = String::new();
    for (at, entry) in log.iter().enumerate() {
        let mut parts: Vec<String> = entry.paths.iter().take(12).cloned().collect();
        if entry.paths.len() > parts.len() {
            parts.push(format!("{} more", entry.paths.len() - parts.len()));
        }
        parts.extend(entry.find.iter().map(|name| format!("find {name}")));
        parts.extend(entry.free.map(|free| format!("fill {}", free.as_str())));
        let reasoning = if at + WHOLE_DECISIONS >= log.len() {
            format!(" Because: {}", one_line(&entry.reasoning, 400))
        } else {
            String::new()
        };
        let (action, outcome) = match entry.is_not_finalized() {
            true => (ActionKind::FinalizeContext, format!(", {NOT_FINALIZED}")),
            false => (entry.action, String::new()),
        };
        let _ = writeln!(
            lines,
            "{}. {}{outcome}: {} ({} to {} tokens).{reasoning}",
            entry.step,
            action.as_str(),
            one_line(&parts.join(", "), 1_000),
            entry.tokens_before,
            entry.tokens_after
        );
    }
    lines
}

/// Formats a list with a heading; empty for an empty list.
pub(crate) fn section(head: &str, lines: &[String]) -> Sanitized {
    if lines.is_empty() {
        return Sanitized::default();
    }
    let lines: String = lines.iter().map(|line| format!("- {}\n", one_line(line, 600))).collect();
    format!("{head}\n{lines}\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strict_schema_wants_every_field_and_no_other() {
        let text = json!({ "type": "string" });
        let schema = schema(object(json!({ "path": text, "level": text, "why": text })));
        assert_eq!(
            schema["required"],
            json!(["reasoning", "action", "changes", "fill", "summary", "focus"])
        );
        assert_eq!(
            schema["properties"]["changes"]["items"]["required"],
            json!(["path", "level", "why"])
        );
        assert_eq!(schema["additionalProperties"], json!(false));
    }
}
