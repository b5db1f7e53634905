//! What can be done on a screen, and what was done by a step of a walk.

use std::sync::LazyLock;

use crate::knowledge::build::names::slug;
use crate::knowledge::build::sighting::ScreenSighting;
use crate::knowledge::model::feature::{name_of_control, without_count};
use crate::knowledge::model::shared_text::SharedText;
use crate::knowledge::model::template::AddressTemplate;
use crate::knowledge::model::{EffectClass, GO_BACK, KnownAction, NAVIGATE};
use crate::walk::action::{ControlOperation, ScrollTo, WalkAction};
use crate::walk::pilot::operate::parse_point;
use crate::walk::screen::{EntryKind, Screen, ScreenEntry};
use crate::walk::words::WarningWords;

/// What was done with a control.
pub(super) struct ActionDone {
    pub(super) action_id: SharedText,
    pub(super) value: Option<String>,
    /// The name of the control, where the action stands for many.
    pub(super) label: Option<SharedText>,
    /// The action, if it was done with a control.
    pub(super) action: Option<KnownAction>,
}

impl ActionDone {
    /// What no control does.
    fn on_page(kind: &str, value: Option<String>) -> ActionDone {
        ActionDone { action_id: kind.into(), value, label: None, action: None }
    }
}

/// Returns the action that a step of a walk took; `None` if it used no control of the screen.
pub(super) fn done_on(before: &ScreenSighting, action: &WalkAction) -> Option<ActionDone> {
    let entry = |number: &usize| before.screen.entry(*number);
    let (entry, kind, value) = match action {
        WalkAction::Click { number, .. } => (entry(number)?, "click", None),
        WalkAction::Back => return Some(ActionDone::on_page(GO_BACK, None)),
        WalkAction::Open { address } => {
            return Some(ActionDone::on_page(NAVIGATE, Some(address.clone())));
        }
        WalkAction::Operate { number: 0, operation, .. } => {
            let (kind, value) = operation_kind(operation);
            return Some(ActionDone::on_page(kind, value));
        }
        WalkAction::Operate { number, operation, .. } => {
            let (kind, value) = operation_kind(operation);
            (entry(number)?, kind, value)
        }
        WalkAction::Search { .. }
        | WalkAction::Extract { .. }
        | WalkAction::Finish { .. }
        | WalkAction::GiveUp { .. } => return None,
    };
    let action = action_as(kind, &before.screen, entry)?;
    let label = action.example.is_some().then(|| entry.label.as_str().into());
    let action_id = action.action_id.clone();
    Some(ActionDone { action_id, value, label, action: Some(action) })
}

/// Returns the step of a walk that takes an action on a screen; `None` if the screen does not have
/// its control, or a walk has no such step.
pub(crate) fn step_on(
    screen: &Screen,
    action: &KnownAction,
    label: Option<&str>,
    value: Option<&str>,
) -> Option<WalkAction> {
    let kind = action.action_type.as_str();
    let is_it = |entry: &ScreenEntry| {
        !entry.is("covered")
            && !entry.is("disabled")
            && label.is_none_or(|label| entry.label == label)
            && action_as(kind, screen, entry).is_some_and(|one| one.action_id == action.action_id)
    };
    let at = screen.entries.iter().position(is_it)?;
    let (number, label) = (at + 1, screen.entries[at].label.clone());
    if kind == "click" {
        return Some(WalkAction::Click { number, label });
    }
    let operation = operation_of(kind, value.unwrap_or_default())?;
    Some(WalkAction::Operate { number, label, operation })
}

/// Returns the step of a walk that no control takes, by its kind.
pub(crate) fn step_on_page(kind: &str, value: Option<&str>) -> Option<WalkAction> {
    let operation = operation_of(kind, value.unwrap_or_default())?;
    Some(WalkAction::Operate { number: 0, label: String::new(), operation })
}

/// Reports whether a step of a walk may have taken an action, as far as its label says.
pub(crate) fn is_like(taken: &WalkAction, action: &KnownAction) -> bool {
    let (kind, label) = match taken {
        WalkAction::Click { label, .. } => ("click", label),
        WalkAction::Operate { label, operation, .. } => (operation_kind(operation).0, label),
        _ => return false,
    };
    let name = action.example.as_ref().unwrap_or(&action.name).as_str();
    let is_counted = action.has_count && without_count(label) == Some(name);
    action.action_type == kind && (label == name || is_counted)
}

/// Reports whether a step sets a value of a form: it can be needed before the form is sent.
pub(super) fn sets_value(before: &ScreenSighting, action: &WalkAction) -> bool {
    match action {
        WalkAction::Operate { .. } => true,
        WalkAction::Click { number, .. } => before.screen.entry(*number).is_some_and(|entry| {
            matches!(entry.kind, EntryKind::Checkbox | EntryKind::Radio | EntryKind::Option)
        }),
        _ => false,
    }
}

fn operation_kind(operation: &ControlOperation) -> (&'static str, Option<String>) {
    match operation {
        ControlOperation::ClickAt { right, down } => ("click_at", Some(format!("{right},{down}"))),
        ControlOperation::DoubleClick => ("double_click", None),
        ControlOperation::RightClick => ("right_click", None),
        ControlOperation::Hover => ("hover", None),
        ControlOperation::Fill { text } if text.is_empty() => ("clear", None),
        ControlOperation::Fill { text } => ("input", Some(text.clone())),
        ControlOperation::Select { options } => ("select_dropdown", Some(options.join("\n"))),
        ControlOperation::Check { on: true } => ("check", None),
        ControlOperation::Check { on: false } => ("uncheck", None),
        ControlOperation::Press { keys } => ("send_keys", Some(keys.clone())),
        ControlOperation::Drag { .. } => ("drag_drop", None),
        ControlOperation::SelectText { text } => ("select_text", Some(text.clone())),
        ControlOperation::Scroll { to } => ("scroll", Some(to.as_str().to_owned())),
        ControlOperation::Wait { text } if text.is_empty() => ("wait", None),
        ControlOperation::Wait { text } => ("wait_for_text", Some(text.clone())),
        ControlOperation::Dialog { text } => ("dialog", Some(text.clone())),
        ControlOperation::Upload { file } => ("upload_file", Some(file.clone())),
    }
}

/// Returns the operation of a kind: what [`operation_kind`] takes apart. A drag is not kept whole,
/// and a file is named by the person alone.
fn operation_of(kind: &str, value: &str) -> Option<ControlOperation> {
    Some(match kind {
        "click_at" => {
            let (right, down) = parse_point(value)?;
            ControlOperation::ClickAt { right, down }
        }
        "scroll" => ControlOperation::Scroll { to: ScrollTo::of(value)? },
        "double_click" => ControlOperation::DoubleClick,
        "right_click" => ControlOperation::RightClick,
        "hover" => ControlOperation::Hover,
        "input" => ControlOperation::Fill { text: value.to_owned() },
        "clear" => ControlOperation::Fill { text: String::new() },
        "select_dropdown" => {
            ControlOperation::Select { options: value.lines().map(str::to_owned).collect() }
        }
        "check" => ControlOperation::Check { on: true },
        "uncheck" => ControlOperation::Check { on: false },
        "select_text" => ControlOperation::SelectText { text: value.to_owned() },
        "send_keys" => ControlOperation::Press { keys: value.to_owned() },
        "wait" | "wait_for_text" => ControlOperation::Wait { text: value.to_owned() },
        "dialog" => ControlOperation::Dialog { text: value.to_owned() },
        _ => return None,
    })
}

/// Returns what is usually done with an entry of a screen; `None` if nothing can be done now.
pub(super) fn action_of(screen: &Screen, entry: &ScreenEntry) -> Option<KnownAction> {
    if entry.is("covered") || entry.is("disabled") {
        return None;
    }
    let kind = match entry.kind {
        EntryKind::Field | EntryKind::Slider => "input",
        EntryKind::Select => "select_dropdown",
        EntryKind::Checkbox | EntryKind::Radio => "check",
        EntryKind::File => "upload_file",
        _ => "click",
    };
    action_as(kind, screen, entry)
}

/// Returns something that is done with an entry; `None` if it has no name, or is none of the page.
fn action_as(kind: &str, screen: &Screen, entry: &ScreenEntry) -> Option<KnownAction> {
    if entry.kind == EntryKind::OtherTab {
        return None;
    }
    let template = entry.target.as_deref().and_then(AddressTemplate::of);
    let of_many = template.clone().filter(AddressTemplate::has_parameters);
    let is_of_many = of_many.is_some();
    let name = match of_many {
        Some(template) => template.to_string(),
        None => name_of_control(screen, entry).to_owned(),
    };
    if name.is_empty() {
        return None;
    }
    let control = entry.control.clone().unwrap_or_default();
    let lasting = ["required", "read only", "multiple", "draggable"];
    Some(KnownAction {
        action_id: action_id(kind, entry, &name, is_of_many).into(),
        action_type: kind.into(),
        role: entry.kind.as_str().into(),
        under: entry.under.clone().filter(|_| !is_of_many),
        beside: control.beside.filter(|_| !is_of_many),
        example: is_of_many.then(|| entry.label.as_str().into()),
        has_count: !is_of_many && name != entry.label,
        leads_to: template,
        options: control.options,
        constraints: control
            .states
            .into_iter()
            .filter(|one| lasting.contains(&one.as_str()))
            .collect(),
        rules: control.rules,
        value: None,
        times_there: 0,
        times_done: 0,
        effect: effect_by_name(kind, entry),
        record: None,
        name: name.into(),
    })
}

/// Returns the effect of what nobody has done: its name may warn, as the guard of a walk reads it.
fn effect_by_name(kind: &str, entry: &ScreenEntry) -> EffectClass {
    static WORDS: LazyLock<WarningWords> = LazyLock::new(WarningWords::default);
    let warns = match entry.kind {
        EntryKind::Link => {
            let target = entry.target.as_deref().unwrap_or_default();
            WORDS.warn_in_name(&entry.label) || WORDS.warn_in_address(target)
        }
        // The name of a field says what is written there.
        _ if matches!(kind, "click" | "check") => !WORDS.found_in(&entry.label).is_empty(),
        _ => false,
    };
    if warns { EffectClass::Destroys } else { EffectClass::Unknown }
}

/// Returns the identifier of an action: it is the same on all screens that have the control.
fn action_id(kind: &str, entry: &ScreenEntry, name: &str, is_of_many: bool) -> String {
    let beside = entry.control.as_ref().and_then(|control| control.beside.as_deref());
    let beside = beside.filter(|_| !is_of_many).unwrap_or_default();
    let key = format!("{kind}\n{}\n{name}\n{beside}", entry.kind.as_str());
    let digest = blake3::hash(key.as_bytes()).to_hex();
    let words = match is_of_many {
        true => AddressTemplate::of(name).map(|one| one.last_name().to_owned()).unwrap_or_default(),
        false => name.to_owned(),
    };
    format!("{kind}_{}_{}", slug(&words, 30), &digest[..6])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::action::DragEnd;

    #[test]
    fn what_is_kept_of_an_operation_makes_it_again() {
        let text = || "x".to_owned();
        let file = ControlOperation::Upload { file: text() };
        let drag = ControlOperation::Drag { to: DragEnd::Entry(1) };
        let again = |operation: &ControlOperation| {
            let (kind, value) = operation_kind(operation);
            operation_of(kind, value.as_deref().unwrap_or_default())
        };
        assert_eq!((again(&file), again(&drag)), (None, None));
        for operation in [
            ControlOperation::ClickAt { right: -4, down: 9 },
            ControlOperation::DoubleClick,
            ControlOperation::RightClick,
            ControlOperation::Hover,
            ControlOperation::Fill { text: String::new() },
            ControlOperation::Fill { text: text() },
            ControlOperation::Select { options: vec![text(), "y".to_owned()] },
            ControlOperation::Check { on: true },
            ControlOperation::Check { on: false },
            ControlOperation::Press { keys: text() },
            ControlOperation::SelectText { text: text() },
            ControlOperation::Scroll { to: ScrollTo::Bottom },
            ControlOperation::Wait { text: String::new() },
            ControlOperation::Wait { text: text() },
            ControlOperation::Dialog { text: text() },
        ] {
            assert_eq!(again(&operation).as_ref(), Some(&operation));
        }
    }
}
