//! Reads a model's reply into actions of a walk, or into complaints that go back to the model.

use serde_json::{Value, json};

use crate::model::request::Reply;
use crate::pilot::answer::{object_with, text};
use crate::pilot::prompt::object;
use crate::run::text::one_line;
use crate::walk::action::WalkAction;
use crate::walk::label::entry_of;
use crate::walk::pilot::{WalkDecision, WalkTurn};
use crate::walk::state::before;

/// The longest complaint, in characters: it goes into the next request.
const LONGEST_COMPLAINT: usize = 500;
/// The largest number of citations that are read.
const MAX_CITATIONS: usize = 20;
/// The words of actions.
const ACTIONS: [&str; 6] = ["click", "back", "open", "extract", "finish", "give_up"];

/// Returns the words of the actions that can do something on this page. Small models take the first
/// one that is offered, so those that would be refused are not.
pub(crate) fn possible(turn: &WalkTurn<'_>) -> Vec<&'static str> {
    let WalkTurn { screen, state, .. } = turn;
    let back = WalkAction::Back;
    let can = |action: &&&str| match **action {
        "click" => !screen.entries.is_empty(),
        "back" => !screen.trail.is_empty() && !state.has_tried(&before(screen, &back), &back),
        "open" => !screen.trail.is_empty(),
        "extract" => !screen.sections.is_empty(),
        "finish" => !state.extracts.is_empty(),
        _ => true,
    };
    ACTIONS.iter().filter(can).copied().collect()
}

/// Returns the JSON schema of a reply with one of some actions. Strict schemas require every field;
/// the reason comes first, so that the model reasons before it decides.
pub(crate) fn schema(actions: &[&str]) -> Value {
    let text = json!({ "type": "string" });
    let list = |item: &str| json!({ "type": "array", "items": { "type": item } });
    object(json!({
        "reasoning": text,
        "action": { "type": "string", "enum": actions },
        "target": text,
        "sections": list("integer"),
        "answer": text,
        "citations": list("string"),
    }))
}

/// Reads a reply: a JSON object of the schema, or a call such as `click(5)`.
pub(crate) fn read(reply: &Reply, turn: &WalkTurn<'_>) -> WalkDecision {
    let mut decision = WalkDecision::default();
    let said = match (&reply.refusal, object_with(&reply.text, &["action"])) {
        (Some(refusal), _) => Err(format!("there was no answer: {refusal}")),
        (None, Some(said)) => Ok(said),
        (None, None) => call_in(&reply.text).ok_or_else(|| match reply.is_cut {
            true => "the answer was cut before its JSON ended: answer in fewer words".to_owned(),
            false => "the answer holds no JSON object of the form asked for".to_owned(),
        }),
    };
    let actions = said.and_then(|said| {
        decision.why = text(&said, "reasoning");
        actions(&said, turn)
    });
    match actions {
        Ok(actions) => decision.actions = actions,
        Err(complaint) => decision.complaints.push(one_line(&complaint, LONGEST_COMPLAINT)),
    }
    decision
}

fn actions(said: &Value, turn: &WalkTurn<'_>) -> Result<Vec<WalkAction>, String> {
    let target = target_of(said);
    let answer = text(said, "answer");
    let citations = said["citations"].as_array().map(Vec::as_slice).unwrap_or_default();
    let citations = citations.iter().take(MAX_CITATIONS).filter_map(Value::as_str);
    let citations: Vec<String> =
        citations.map(|words| words.trim().to_owned()).filter(|words| !words.is_empty()).collect();
    Ok(match said["action"].as_str().unwrap_or_default() {
        "click" => vec![click(&target, turn)?],
        "back" => vec![WalkAction::Back],
        "open" => vec![open(&target, turn)?],
        "extract" => {
            let extract = WalkAction::Extract { sections: sections(said, &target, turn)? };
            let finish = (!answer.is_empty()).then_some(WalkAction::Finish { answer, citations });
            [extract].into_iter().chain(finish).collect()
        }
        "finish" if answer.is_empty() => return Err("`finish` needs an `answer`".to_owned()),
        "finish" => vec![WalkAction::Finish { answer, citations }],
        "give_up" => {
            let reason = if answer.is_empty() { text(said, "reasoning") } else { answer };
            vec![WalkAction::GiveUp { reason }]
        }
        other => {
            return Err(format!(
                "`action` is \"{other}\": it must be one of {}",
                ACTIONS.join(", ")
            ));
        }
    })
}

/// Returns the target as text: models write numbers both ways.
fn target_of(said: &Value) -> String {
    match &said["target"] {
        Value::Number(number) => number.to_string(),
        _ => text(said, "target"),
    }
}

fn click(target: &str, turn: &WalkTurn<'_>) -> Result<WalkAction, String> {
    let screen = turn.screen;
    let bare = target.trim_start_matches('[').split(']').next().unwrap_or_default().trim();
    let number = match bare.parse::<usize>() {
        Ok(number) if screen.entry(number).is_some() => number,
        // A year is both a number and a label.
        Ok(number) => entry_of(screen, bare).map_err(|_| {
            format!("there is no entry {number}: this page has 1 to {}", screen.entries.len())
        })?,
        Err(_) if target.is_empty() => {
            return Err("`click` needs a `target`: the number or the words of an entry".to_owned());
        }
        Err(_) => entry_of(screen, target)?,
    };
    let label = screen.entry(number).map(|entry| entry.label.clone()).unwrap_or_default();
    Ok(WalkAction::Click { number, label })
}

fn open(target: &str, turn: &WalkTurn<'_>) -> Result<WalkAction, String> {
    let is_known = turn.state.seen.contains_key(target)
        || turn.state.path.iter().any(|step| step.address == target);
    if is_known {
        return Ok(WalkAction::Open { address: target.to_owned() });
    }
    Err(format!("`{target}` was not seen in a link: only addresses of links are opened"))
}

fn sections(said: &Value, target: &str, turn: &WalkTurn<'_>) -> Result<Vec<usize>, String> {
    let listed = said["sections"].as_array().map(Vec::as_slice).unwrap_or_default();
    let named = listed.iter().filter_map(|one| match one {
        Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
        Value::String(name) => {
            name.trim_start_matches(['S', '[']).trim_end_matches(']').parse().ok()
        }
        _ => None,
    });
    let mut numbers: Vec<usize> = named.collect();
    if numbers.is_empty() {
        let of_target = target.split([',', ' ']).map(|one| one.trim_matches(['S', '[', ']']));
        numbers = of_target.filter_map(|one| one.parse().ok()).collect();
    }
    numbers.sort_unstable();
    numbers.dedup();
    let n_sections = turn.screen.sections.len();
    match numbers.iter().find(|number| turn.screen.section(**number).is_none()) {
        Some(wrong) => Err(format!("there is no section {wrong}: this page has 1 to {n_sections}")),
        None => Ok(numbers),
    }
}

/// Reads a call within prose, as small models answer: `click(5)`, `back()`, `extract()`.
fn call_in(reply: &str) -> Option<Value> {
    let calls = ACTIONS.iter().filter_map(|action| {
        let at = reply.find(&format!("{action}("))?;
        let inside = reply[at + action.len() + 1..].split(')').next()?;
        let target = inside.trim().trim_matches(['"', '\'']);
        let answer = if matches!(*action, "finish" | "give_up") { target } else { "" };
        Some((at, json!({ "action": action, "target": target, "answer": answer })))
    });
    calls.min_by_key(|(at, _)| *at).map(|(_, call)| call)
}
