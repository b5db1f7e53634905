//! What a screen is for, as agents are told: its words, its forms and fields, and where it leads.

use serde_json::{Value, json};

use crate::knowledge::model::{Knowledge, KnownAction, KnownForm, KnownScreen};

/// The roles of controls that take a value.
const FIELDS: [&str; 7] = ["field", "checkbox", "radio", "select", "option", "slider", "file"];

/// Returns what is known of a screen.
pub(super) fn context_of(knowledge: &Knowledge, screen: &KnownScreen) -> Value {
    let leads_to: Vec<Value> = knowledge
        .transitions
        .iter()
        .filter(|one| one.from_screen_id == screen.screen_id && one.is_repeatable())
        .map(|one| json!({ "screen_id": one.to_screen_id, "by": one.action_id }))
        .collect();
    let fields = screen.actions.iter().filter(|one| FIELDS.contains(&one.role.as_str()));
    json!({
        "screen_id": screen.screen_id,
        "name": screen.name,
        "content_type": screen.content_type,
        "is_actionable": screen.is_actionable,
        "business_words": screen.business_words,
        "forms": screen.forms.iter().map(|form| form_of(screen, form)).collect::<Vec<Value>>(),
        "fields": fields.map(field_of).collect::<Vec<Value>>(),
        "leads_to": leads_to,
        "addresses": screen.addresses,
        "state_signature": screen.state_signature,
        "times_seen": screen.times_seen,
    })
}

/// Returns a form with its fields, and the controls that send it.
fn form_of(screen: &KnownScreen, form: &KnownForm) -> Value {
    let actions = |ids: &[String], write: &dyn Fn(&KnownAction) -> Value| {
        ids.iter().filter_map(|id| screen.action(id)).map(write).collect::<Vec<Value>>()
    };
    let button = |action: &KnownAction| {
        json!({
            "action_id": action.action_id,
            "name": action.name,
            "role": action.role,
            "effect": action.effect,
        })
    };
    json!({
        "name": form.name,
        "fields": actions(&form.fields, &field_of),
        "sent_by": actions(&form.sent_by, &button),
    })
}

fn field_of(action: &KnownAction) -> Value {
    json!({
        "action_id": action.action_id,
        "name": action.name,
        "role": action.role,
        "options": action.options,
        "constraints": action.constraints,
        "rules": action.rules,
        "under": action.under,
    })
}
