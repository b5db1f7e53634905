//! The forms of a page: which controls are of one form, and which of them send it.

use super::control::{ControlRole, PageControl};
use super::dom::{Dom, DomNode};
use super::facts::LiveForm;
use super::names::{Names, plain};
use crate::shared::cut_trimmed;

/// The most forms of a page that are recorded.
const MAX_FORMS: usize = 100;
/// The longest name of a form, in characters.
const MAX_NAME: usize = 80;

/// Returns the forms that have controls, in the order of their first ones.
pub(super) fn forms_of(
    dom: &Dom<'_>,
    names: &Names<'_>,
    controls: &[(usize, PageControl)],
) -> Vec<LiveForm> {
    let mut forms: Vec<(usize, LiveForm)> = Vec::new();
    for ((node, control), number) in controls.iter().zip(1..) {
        let Some(form) = form_of(dom, names, *node) else { continue };
        let known = forms.iter().position(|(one, _)| *one == form);
        let at = match known {
            Some(at) => at,
            None if forms.len() == MAX_FORMS => continue,
            None => {
                let name = name_of(dom, names, form);
                forms.push((form, LiveForm { name, ..LiveForm::default() }));
                forms.len() - 1
            }
        };
        let form = &mut forms[at].1;
        if control.role == ControlRole::Button && sends_form(&dom.nodes[*node]) {
            form.sent_by.push(number);
        } else if !control.role.is_pressed() {
            form.fields.push(number);
        }
    }
    forms.into_iter().map(|(_, form)| form).collect()
}

/// Returns the form that a control is of: the one that it names, else the one around it.
pub(super) fn form_of(dom: &Dom<'_>, names: &Names<'_>, node: usize) -> Option<usize> {
    let is_form = |one: &usize| dom.nodes[*one].tag() == "form";
    match dom.nodes[node].attribute("form") {
        Some(id) => names.node_of(node, id).filter(is_form),
        None => dom.around(node).find(is_form),
    }
}

/// Reports whether a press of an element sends its form.
pub(super) fn sends_form(element: &DomNode<'_>) -> bool {
    let kind = element.attribute("type").unwrap_or_default().to_ascii_lowercase();
    match element.tag() {
        "button" => !matches!(kind.as_str(), "button" | "reset"),
        "input" => matches!(kind.as_str(), "submit" | "image"),
        _ => false,
    }
}

/// Returns what people call a form: its label, its heading, or its legend; empty if it has none.
fn name_of(dom: &Dom<'_>, names: &Names<'_>, form: usize) -> String {
    let of_tags = |tags: &[&str]| {
        let found = dom.inside(form).find(|one| tags.contains(&dom.nodes[*one].tag()));
        found.map(|one| names.text(one)).unwrap_or_default()
    };
    let sources: [&dyn Fn() -> String; 4] = [
        &|| names.referred(form, "aria-labelledby"),
        &|| plain(dom.nodes[form].attribute("aria-label").unwrap_or_default()),
        &|| of_tags(&["h1", "h2", "h3", "h4", "h5", "h6"]),
        &|| of_tags(&["legend"]),
    ];
    let name = sources.iter().map(|source| source()).find(|name| !name.is_empty());
    cut_trimmed(&name.unwrap_or_default(), MAX_NAME).into_owned()
}
