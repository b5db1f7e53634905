//! The forms of a screen, as its sightings have them.

use std::collections::BTreeSet;

use crate::knowledge::build::actions::action_of;
use crate::knowledge::model::{KnownForm, KnownScreen};
use crate::walk::screen::Screen;

/// The largest number of forms of a screen.
const MAX_FORMS: usize = 20;

/// Returns the forms of a screen of a record that have fields.
pub(super) fn forms_on(screen: &Screen, record: usize) -> impl Iterator<Item = KnownForm> + '_ {
    let ids = |numbers: &[usize]| {
        let actions = numbers.iter().filter_map(|at| action_of(screen, screen.entry(*at)?));
        actions.map(|action| action.action_id.to_string()).collect::<Vec<_>>()
    };
    let plain = screen.plain_forms.iter().map(move |form| KnownForm {
        name: form.name.clone(),
        fields: form
            .fields
            .iter()
            .filter_map(|field| action_of(screen, field))
            .map(|action| action.action_id.to_string())
            .collect(),
        sent_by: Vec::new(),
        record: Some(record),
    });
    let forms = screen.forms.iter().map(move |form| KnownForm {
        name: form.name.clone(),
        fields: ids(&form.fields),
        sent_by: ids(&form.sent_by),
        record: Some(record),
    });
    forms.chain(plain).filter(|form| !form.fields.is_empty())
}

/// Adds a form to those of its screen. Two forms are one if they have the same name and a field in
/// common.
pub(crate) fn add_form(forms: &mut Vec<KnownForm>, form: KnownForm) {
    let has_same = |known: &KnownForm| {
        known.name == form.name && known.fields.iter().any(|id| form.fields.contains(id))
    };
    let Some(at) = forms.iter().position(has_same) else {
        if forms.len() < MAX_FORMS {
            forms.push(form);
        }
        return;
    };
    let known = &mut forms[at];
    let (fields, sent_by) = (&mut known.fields, &mut known.sent_by);
    for (known, others) in [(fields, form.fields), (sent_by, form.sent_by)] {
        for id in others {
            if !known.contains(&id) {
                known.push(id);
            }
        }
    }
}

/// Leaves out what the screen has no action for, and forms without fields.
pub(crate) fn keep_known(screen: &mut KnownScreen) {
    let known: BTreeSet<&str> =
        screen.actions.iter().map(|action| action.action_id.as_str()).collect();
    for form in &mut screen.forms {
        for ids in [&mut form.fields, &mut form.sent_by] {
            let mut seen = BTreeSet::new();
            ids.retain(|id| known.contains(id.as_str()) && seen.insert(id.clone()));
        }
    }
    screen.forms.retain(|form| !form.fields.is_empty());
}
