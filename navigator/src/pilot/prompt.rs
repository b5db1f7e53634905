//! State and view in, request out. The words stand in `prompts/`, for people to read and change.

use std::fmt::Write as _;

use repo_map::plan::{Rule, exact_path};
use repo_map::{Level, Sanitized};
use serde_json::{Value, json};

use crate::model::request::Request;
use crate::money::pico_usd::PicoUsd;
use crate::pilot::view::{View, one_line};
use crate::run::decision_log::{ActionKind, LogEntry};
use crate::run::pilot::Turn;

const PILOT: &str = include_str!("../../prompts/pilot.md");
const TURN: &str = include_str!("../../prompts/turn.md");

/// The decisions that stand in a request word for word; of earlier ones the paths alone.
const WHOLE_DECISIONS: usize = 6;
/// The pilot's own changes that stand in a request.
const MOST_ASKED: usize = 40;
/// The person's rules that stand in a request.
const MOST_BOUNDS: usize = 20;

/// What stays the same in every request of a run: instructions and goal.
pub(crate) fn stable(turn: &Turn<'_>) -> Sanitized {
    Sanitized::fill(
        PILOT,
        &[("boundary", &turn.state.boundary.as_str().into()), ("goal", &turn.goal.trim().into())],
    )
}

/// The request of a turn. The same state and view give the same bytes.
pub(crate) fn request(
    turn: &mut Turn<'_>,
    view: &View,
    left: Option<PicoUsd>,
    output_tokens: u32,
    window: u32,
) -> Request {
    let asked = asked_for(turn);
    let boundary = turn.state.boundary.as_str();
    let what = match view.cut_to {
        None => "The map, which is the context as it stands:".to_owned(),
        Some(tokens) => format!(
            "The map, cut to {tokens} tokens for this view. The context itself has {} tokens: \
             `now` in the prices tells what it shows of each file.",
            turn.map.tokens
        ),
    };
    let money = left.map_or_else(
        || "The model costs nothing.".to_owned(),
        |left| format!("{} USD are left.", &left.rounded_down()[1..]),
    );
    let feedback = turn.state.feedback.iter().map(|one| one.text.to_string()).collect();
    let own = Sanitized::fill(
        TURN,
        &[
            ("view", &what.into()),
            ("boundary", &boundary.into()),
            ("map", &view.map),
            ("prices", &view.prices),
            ("log", &log(turn).into()),
            ("asked", &section("Your changes in force:", asked)),
            (
                "bounds",
                &section("The person's rules, which no change passes:", bounds(&turn.state.bounds)),
            ),
            ("feedback", &section("The person says:", feedback)),
            (
                "complaints",
                &section(
                    "Wrong with your last answer, or not as you asked:",
                    turn.state.complaints.clone(),
                ),
            ),
            ("turn", &turn.step.to_string().into()),
            ("turns", &(turn.step + turn.turns_left).to_string().into()),
            ("tokens", &turn.map.tokens.to_string().into()),
            ("budget", &turn.map.budget.to_string().into()),
            ("free", &turn.map.budget.saturating_sub(turn.map.tokens).to_string().into()),
            ("money", &money.into()),
        ],
    );
    Request { stable: stable(turn), turn: own, schema: schema(), output_tokens, window }
}

/// The JSON schema of an answer. Strict schemas want every field; the reasoning comes first, so
/// that it is one.
pub(crate) fn schema() -> Value {
    let text = json!({ "type": "string" });
    let list = |item: Value| json!({ "type": "array", "items": item });
    let object = |properties: Value| {
        let required: Vec<&String> =
            properties.as_object().map(|fields| fields.keys().collect()).unwrap_or_default();
        json!({
            "type": "object",
            "properties": properties.clone(),
            "required": required,
            "additionalProperties": false,
        })
    };
    let level = json!({
        "type": "string",
        "enum": ["exclude", "fold", "path", "outline", "interface", "full"],
    });
    object(json!({
        "reasoning": text,
        "action": { "type": "string", "enum": ["update_flight_plan", "finalize_context"] },
        "changes": list(object(json!({ "path": text, "level": level, "why": text }))),
        "summary": text,
        "focus": list(object(json!({ "path": text, "why": text }))),
    }))
}

fn log(turn: &Turn<'_>) -> String {
    // What was said to the pilot, and what could not be used of its answers, stands in sections of
    // their own.
    let decided = |entry: &&LogEntry| {
        matches!(
            entry.action,
            ActionKind::UpdateFlightPlan | ActionKind::FinalizeContext | ActionKind::PersonEdit
        )
    };
    let log: Vec<&LogEntry> = turn.state.log.iter().filter(decided).collect();
    if log.is_empty() {
        return "none\n".to_owned();
    }
    let mut lines = String::new();
    for (at, entry) in log.iter().enumerate() {
        let paths: Vec<&str> = entry.paths.iter().take(12).map(String::as_str).collect();
        let more = if entry.paths.len() > paths.len() {
            format!(", {} more", entry.paths.len() - paths.len())
        } else {
            String::new()
        };
        let reasoning = if at + WHOLE_DECISIONS >= log.len() {
            format!(" Because: {}", one_line(&entry.reasoning, 400))
        } else {
            String::new()
        };
        let _ = writeln!(
            lines,
            "{}. {}: {}{more} ({} to {} tokens).{reasoning}",
            entry.step,
            entry.action.as_str(),
            one_line(&paths.join(", "), 1_000),
            entry.tokens_before,
            entry.tokens_after
        );
    }
    lines
}

/// What the pilot asked for, and what became of it.
fn asked_for(turn: &mut Turn<'_>) -> Vec<String> {
    let Turn { state, map, repo, .. } = turn;
    let asked = state.asked_for();
    let first = asked.len().saturating_sub(MOST_ASKED);
    let line = |&(glob, item, level): &(&str, Option<&str>, Level)| {
        let path = exact_path(glob).unwrap_or_else(|| glob.to_owned());
        let name = item.map_or_else(|| path.clone(), |item| format!("{path}#{item}"));
        // A glob of many paths has no one level to compare with.
        let shown = repo.shown(&path, item, map).filter(|shown| *shown != level);
        match shown {
            Some(shown) if shown < level => format!(
                "{name} {level}: shown at {shown}, because it did not fit or a later change \
                 covers it"
            ),
            _ => format!("{name} {level}"),
        }
    };
    asked[first..].iter().map(line).collect()
}

fn bounds(rules: &[Rule]) -> Vec<String> {
    let line = |rule: &Rule| {
        let level = rule.level.map(|level| format!(" {level}")).unwrap_or_default();
        let items: Vec<String> = rule
            .items
            .iter()
            .flatten()
            .map(|item| format!(" #{} {}", item.name, item.level))
            .collect();
        format!("{}:{level}{}", rule.path, items.concat())
    };
    let mut lines: Vec<String> = rules.iter().rev().take(MOST_BOUNDS).map(line).collect();
    lines.reverse();
    lines
}

/// A headed list, or nothing.
fn section(head: &str, lines: Vec<String>) -> Sanitized {
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
        let schema = schema();
        assert_eq!(
            schema["required"],
            json!(["reasoning", "action", "changes", "summary", "focus"])
        );
        assert_eq!(
            schema["properties"]["changes"]["items"]["required"],
            json!(["path", "level", "why"])
        );
        assert_eq!(schema["additionalProperties"], json!(false));
    }
}
