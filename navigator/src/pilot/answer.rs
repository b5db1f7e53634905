//! Reads a model's reply into an action, or into complaints that go back to the model.

use serde_json::Value;

use crate::model::request::Reply;
use crate::pilot::briefing::{Briefing, ReadChange};
use crate::run::action::{Action, Focus, FreeTokens};
use crate::run::decision_log::NOT_FINALIZED;
use crate::run::pilot::Decision;
use crate::run::plan::{Change, Plan};
use crate::run::state::State;
use crate::run::text::one_line;
use crate::shared::{Sanitized, n_of};

/// The number of changes that a model is asked to stay within.
pub(crate) const MOST_CHANGES: usize = 20;
/// The number of changes read of a reply: not every server holds a model to the schema.
const MOST_READ: usize = 50;
/// The maximum number of searches in one reply.
const MOST_SEARCHES: usize = 3;
/// The number of changes that cannot be used with a complaint of their own.
const MOST_WRONG: usize = 8;
/// How often a run may search for the same name.
const MOST_REPEATED: usize = 2;
/// The maximum number of focus areas, the best first.
pub(crate) const MOST_FOCUS: usize = 5;
/// The word for a use of free tokens that stays as it is.
pub(crate) const KEEP: &str = "keep";
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
    let Some(answer) = object_with(&reply.text, &["action", "changes"]) else {
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
    let is_update = match answer["action"].as_str() {
        Some("finalize_context") => false,
        Some("update_flight_plan") => true,
        // Changes without an action word are an update.
        None if answer["changes"].as_array().is_some_and(|changes| !changes.is_empty()) => true,
        other => {
            return nothing(format!(
                "`action` is {}: it must be \"update_flight_plan\" or \"finalize_context\"",
                other.map_or_else(|| answer["action"].to_string(), |word| format!("\"{word}\""))
            ));
        }
    };
    let said = Said::read(&answer, terrain, state);
    if is_update { update(&answer, said) } else { finalize(&answer, said, terrain) }
}

fn nothing<P: Plan>(complaint: String) -> Decision<P> {
    Decision { complaints: vec![complaint], ..Decision::default() }
}

/// Finds the JSON object in a text: the whole text, or the first object within prose or fences that
/// has one of the fields of a reply.
pub(crate) fn object_with(text: &str, fields: &[&str]) -> Option<Value> {
    let is_answer =
        |value: &Value| value.is_object() && fields.iter().any(|field| value.get(field).is_some());
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

/// The changes of an answer, sorted by their use.
struct Said<P: Plan> {
    changes: Vec<P::Change>,
    /// Those that the plan has already, and keeps.
    idle: Vec<P::Change>,
    find: Vec<String>,
    free: Option<FreeTokens>,
    complaints: Vec<String>,
    /// How names and changes were read. They do not keep the run going.
    notes: Vec<String>,
}

impl<P: Plan> Said<P> {
    fn read<T: Briefing<Plan = P>>(answer: &Value, terrain: &mut T, state: &State<P>) -> Said<P> {
        let changes = answer["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut said = Said {
            changes: Vec::new(),
            idle: Vec::new(),
            find: Vec::new(),
            free: None,
            complaints: Vec::new(),
            notes: Vec::new(),
        };
        let (mut read, mut wrong) = (Vec::new(), Vec::new());
        for change in changes.iter().take(MOST_READ) {
            let name = text(change, "find");
            if !name.is_empty() {
                match is_searched(&name, state) {
                    true => said.complaints.push(format!(
                        "`{name}` was searched for before, and its matches were shown: search \
                         for another name, change something, or finalize"
                    )),
                    false => said.find.push(name),
                }
                continue;
            }
            match terrain.read_change(change, &state.bounds) {
                Ok(ReadChange { change, note }) => {
                    said.notes.extend(note);
                    add(change, &mut read, &mut said.notes);
                }
                Err(complaint) => wrong.push(complaint.to_string()),
            }
        }
        let n_more = wrong.len().saturating_sub(MOST_WRONG);
        said.complaints.extend(wrong.into_iter().take(MOST_WRONG));
        if n_more > 0 {
            said.complaints.push(format!("{} that cannot be used", n_of(n_more, "more change")));
        }
        // A change already in force counts too if other changes of the answer would revert it.
        let plan = &state.rules;
        let mut rest = plan.clone();
        rest.take(&read.iter().filter(|change| !plan.holds(change)).cloned().collect::<Vec<_>>());
        (said.idle, said.changes) =
            read.into_iter().partition(|change| plan.holds(change) && rest.holds(change));
        let beyond = said.changes.iter().filter_map(|change| terrain.beyond(change, &state.bounds));
        said.complaints.extend(beyond);
        if changes.len() > MOST_READ {
            said.complaints.push(format!(
                "{} changes are too many: the first {MOST_READ} counted",
                changes.len()
            ));
        }
        if said.find.len() > MOST_SEARCHES {
            said.complaints.push(format!("the first {MOST_SEARCHES} searches counted"));
            said.find.truncate(MOST_SEARCHES);
        }
        let fill = text(answer, "fill");
        said.free = FreeTokens::ALL.into_iter().find(|free| free.as_str() == fill);
        if said.free.is_none() && !["", KEEP].contains(&fill.as_str()) {
            said.complaints.push(format!("`fill` is none, near, all or {KEEP}, and not `{fill}`"));
        }
        said
    }

    /// Returns the decision to change levels and go on.
    fn into_update(self, reasoning: String) -> Decision<P> {
        let Said { changes, find, free, complaints, notes, .. } = self;
        let complaints = [complaints, notes].concat();
        let is_empty = changes.is_empty() && find.is_empty() && free.is_none();
        let action = (!is_empty).then_some(Action::UpdateFlightPlan { changes, reasoning });
        Decision { action, find, free, complaints, traffic: None }
    }
}

fn update<P: Plan>(answer: &Value, mut said: Said<P>) -> Decision<P> {
    said.complaints.extend(said.idle.iter().map(|change| {
        format!("`{}` is in force already: change something else, or finalize", change.name())
    }));
    if answer["changes"].as_array().is_none_or(Vec::is_empty) && said.free.is_none() {
        said.complaints.push("`changes` is empty: change something, or finalize".to_owned());
    }
    said.into_update(text(answer, "reasoning"))
}

/// Reads the end of a run. Where a change cannot be used as it stands, or a search has to be
/// answered, the run goes on instead.
fn finalize<T: Briefing>(
    answer: &Value,
    mut said: Said<T::Plan>,
    terrain: &T,
) -> Decision<T::Plan> {
    let summary = [text(answer, "summary"), text(answer, "reasoning")]
        .into_iter()
        .find(|text| !text.is_empty())
        .unwrap_or_default();
    if !said.complaints.is_empty() || !said.find.is_empty() {
        if said.find.is_empty() {
            said.complaints.push(format!("{NOT_FINALIZED}, because of the errors above"));
        }
        return said.into_update(summary);
    }
    let mut focus = Vec::new();
    let areas = answer["focus"].as_array().map(Vec::as_slice).unwrap_or_default();
    for area in areas.iter().take(MOST_FOCUS) {
        match terrain.read_focus(&text(area, "path")) {
            Ok(path) => focus.push(Focus { path, why: text(area, "why") }),
            Err(complaint) => said.complaints.push(complaint.to_string()),
        }
    }
    let Said { changes, free, complaints, notes, .. } = said;
    let complaints = [complaints, notes].concat();
    let action = Some(Action::FinalizeContext { changes, summary, focus });
    Decision { action, free, complaints, ..Decision::default() }
}

/// Reports whether a search would bring nothing new: its answer is in sight, or was twice. Else a
/// run could search for one name until its budget ends.
fn is_searched<P: Plan>(name: &str, state: &State<P>) -> bool {
    let has_name = |find: &[String]| find.iter().any(|other| other == name);
    let n_before = state.log.iter().filter(|entry| has_name(&entry.find)).count();
    has_name(&state.find) || n_before >= MOST_REPEATED
}

/// Adds a change to those of a reply. Of two for the same place the last one counts.
fn add<C: Change>(change: C, changes: &mut Vec<C>, notes: &mut Vec<String>) {
    if let Some(at) = changes.iter().position(|one| one.is_about_same(&change))
        && !changes.remove(at).does_same(&change)
    {
        notes.push(format!("`{}` is changed twice: the last change counts", change.name()));
    }
    changes.push(change);
}

/// Returns the text of a field; empty if the field is missing or not a text.
pub(crate) fn text(value: &Value, field: &str) -> String {
    let text = value[field].as_str().unwrap_or_default();
    Sanitized::text(text).trim().chars().take(2_000).collect()
}
