//! Reads a model's reply into an action, or into complaints that go back to the model.

use serde_json::Value;

use crate::model::request::Reply;
use crate::pilot::briefing::Briefing;
use crate::run::action::{Action, Focus};
use crate::run::pilot::Decision;
use crate::run::plan::{Change, Plan};
use crate::run::state::State;
use crate::run::text::one_line;
use crate::shared::Sanitized;

/// The maximum number of changes in one reply.
const MOST_CHANGES: usize = 50;
/// The maximum length of a complaint, in characters: it goes into the next request, and may quote
/// any part of the reply.
const LONGEST_COMPLAINT: usize = 500;

/// Reads a reply. Unusable parts become complaints; the rest counts.
pub fn read<T: Briefing>(
    reply: &Reply,
    terrain: &mut T,
    state: &State<T::Plan>,
) -> Decision<T::Plan> {
    let mut decision = decision(reply, terrain, state);
    for complaint in &mut decision.complaints {
        *complaint = one_line(complaint, LONGEST_COMPLAINT);
    }
    decision
}

fn decision<T: Briefing>(
    reply: &Reply,
    terrain: &mut T,
    state: &State<T::Plan>,
) -> Decision<T::Plan> {
    if let Some(refusal) = &reply.refusal {
        return nothing(format!("there was no answer: {refusal}"));
    }
    let Some(answer) = object_in(&reply.text) else {
        return nothing(match (reply.text.trim().is_empty(), reply.is_cut) {
            (true, true) => "the answer was empty: all of the output allowed was used up before \
                it"
            .to_owned(),
            (true, false) => "the answer was empty".to_owned(),
            (false, true) => "the answer was cut before its JSON ended: answer in fewer words, \
                with fewer changes"
                .to_owned(),
            (false, false) => "the answer holds no JSON object of the form asked for".to_owned(),
        });
    };
    let changes = answer["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
    match answer["action"].as_str() {
        Some("finalize_context") => finalize(&answer, terrain),
        Some("update_flight_plan") => update(&answer, changes, terrain, state),
        // Changes without an action word are an update.
        None if !changes.is_empty() => update(&answer, changes, terrain, state),
        other => nothing(format!(
            "`action` is {}: it must be \"update_flight_plan\" or \"finalize_context\"",
            other.map_or_else(|| answer["action"].to_string(), |word| format!("\"{word}\""))
        )),
    }
}

fn nothing<P: Plan>(complaint: String) -> Decision<P> {
    Decision { complaints: vec![complaint], ..Decision::default() }
}

/// Finds the JSON object in a text: the whole text, or the first object within prose or fences that
/// has a field of a reply.
fn object_in(text: &str) -> Option<Value> {
    let is_answer = |value: &Value| {
        value.is_object() && (value.get("action").is_some() || value.get("changes").is_some())
    };
    for (open, _) in text.match_indices('{') {
        let mut values = serde_json::Deserializer::from_str(&text[open..]).into_iter::<Value>();
        if let Some(Ok(value)) = values.next()
            && is_answer(&value)
        {
            return Some(value);
        }
        // A reply starts near the beginning; this also bounds the search in a text of braces.
        if open > 100_000 {
            break;
        }
    }
    None
}

fn finalize<T: Briefing>(answer: &Value, terrain: &T) -> Decision<T::Plan> {
    let mut complaints = Vec::new();
    let mut focus = Vec::new();
    let areas = answer["focus"].as_array().map(Vec::as_slice).unwrap_or_default();
    for area in areas.iter().take(MOST_CHANGES) {
        match terrain.read_focus(&text(area, "path")) {
            Ok(path) => focus.push(Focus { path, why: text(area, "why") }),
            Err(complaint) => complaints.push(complaint.to_string()),
        }
    }
    let summary = [text(answer, "summary"), text(answer, "reasoning")]
        .into_iter()
        .find(|text| !text.is_empty())
        .unwrap_or_default();
    Decision { action: Some(Action::FinalizeContext { summary, focus }), complaints, traffic: None }
}

fn update<T: Briefing>(
    answer: &Value,
    changes: &[Value],
    terrain: &mut T,
    state: &State<T::Plan>,
) -> Decision<T::Plan> {
    let mut complaints = Vec::new();
    let mut read = Vec::new();
    for change in changes.iter().take(MOST_CHANGES) {
        match terrain.read_change(change, &state.bounds) {
            Ok(change) => add(change, &mut read, &mut complaints),
            Err(complaint) => complaints.push(complaint.to_string()),
        }
    }
    // A change already in force counts too if other changes of the reply would revert it.
    let plan = &state.rules;
    let mut rest = plan.clone();
    rest.take(&read.iter().filter(|change| !plan.holds(change)).cloned().collect::<Vec<_>>());
    let (idle, good): (Vec<_>, Vec<_>) =
        read.into_iter().partition(|change| plan.holds(change) && rest.holds(change));
    complaints.extend(idle.iter().map(|change| {
        format!("`{}` is in force already: change something else, or finalize", change.name())
    }));
    complaints.extend(good.iter().filter_map(|change| terrain.beyond(change, &state.bounds)));
    if changes.len() > MOST_CHANGES {
        complaints.push(format!(
            "{} changes are too many: the first {MOST_CHANGES} counted",
            changes.len()
        ));
    }
    if changes.is_empty() {
        complaints.push("`changes` is empty: change something, or finalize".to_owned());
    }
    let reasoning = text(answer, "reasoning");
    let action =
        (!good.is_empty()).then_some(Action::UpdateFlightPlan { changes: good, reasoning });
    Decision { action, complaints, traffic: None }
}

/// Adds a change to those of a reply. Of two for the same place the last one counts.
fn add<C: Change>(change: C, changes: &mut Vec<C>, complaints: &mut Vec<String>) {
    if let Some(at) = changes.iter().position(|one| one.is_about_same(&change))
        && !changes.remove(at).does_same(&change)
    {
        complaints.push(format!("`{}` is changed twice: the last change counts", change.name()));
    }
    changes.push(change);
}

/// Returns the text of a field; empty if the field is missing or not a text.
pub(crate) fn text(value: &Value, field: &str) -> String {
    let text = value[field].as_str().unwrap_or_default();
    Sanitized::text(text).trim().chars().take(2_000).collect()
}
