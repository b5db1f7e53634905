//! Actions for browser-use that others wrote for a screen: `available_browser_use_actions`.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::knowledge::build::names::slug;
use crate::knowledge::dialect;
use crate::knowledge::import::foreign::{MAX_OF_A_SCREEN, cut};
use crate::knowledge::import::not_taken::NotTakenParts;
use crate::knowledge::model::{KnownAction, KnownScreen};
use crate::run::text::one_line;

/// The longest name of a tool that is repeated, in characters.
const MAX_TOOL: usize = 60;
/// The field of a screen that has them.
pub(super) const FIELD: &str = "available_browser_use_actions";

/// A call of a tool, in the words of others.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OfferedCall {
    #[serde(alias = "tool_name")]
    tool: String,
    #[serde(alias = "parameters")]
    params: Map<String, Value>,
    description: String,
}

/// The control that a call names by more than its number.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OfferedElement {
    role: String,
    name: String,
    under: Option<String>,
    beside: Option<String>,
}

/// Adds the actions that others offer on a screen. One whose control has a number alone says
/// nothing of any later state of the page.
///
/// # Errors
/// If there are too many.
pub(super) fn add_offered(
    screen: &mut KnownScreen,
    offered: Value,
    parts: &mut NotTakenParts,
) -> Result<(), String> {
    let Value::Array(calls) = offered else {
        parts.add(&format!("`{FIELD}` of `screens`"), "it is not an array", 1);
        return Ok(());
    };
    if calls.len() > MAX_OF_A_SCREEN {
        let name = cut(&screen.screen_id);
        return Err(format!("screen `{name}` has more than {MAX_OF_A_SCREEN} of `{FIELD}`"));
    }
    for call in calls {
        let Ok(call) = serde_json::from_value::<OfferedCall>(call) else {
            parts.add(&format!("entries of `{FIELD}`"), "they are not tool calls", 1);
            continue;
        };
        let what = format!("`{}` in `{FIELD}`", one_line(&call.tool, MAX_TOOL));
        let Some((kind, value)) = dialect::of_browser_use(&call.tool, &call.params) else {
            parts.add(&what, "unknown tool", 1);
            continue;
        };
        let element = call.params.get("element").cloned();
        let element: OfferedElement =
            element.and_then(|one| serde_json::from_value(one).ok()).unwrap_or_default();
        if element.name.is_empty() && !dialect::is_of_page(kind) {
            let why = "they name no control: a number or a place holds for one state of a page \
                       (name it by `params.element.name`)";
            parts.add(&what, why, 1);
            continue;
        }
        let described = usize::from(!call.description.is_empty());
        parts.add(&format!("`description` in `{FIELD}`"), "it is made of kind and name", described);
        let action = known_action(kind, value, element);
        if screen.action(&action.action_id).is_none() {
            screen.actions.push(action);
        }
    }
    Ok(())
}

fn known_action(kind: &str, value: Option<String>, element: OfferedElement) -> KnownAction {
    let OfferedElement { role, name, under, beside } = element;
    let texts = [kind, &role, &name, beside.as_deref().unwrap_or_default()];
    let key = [&texts[..], &[value.as_deref().unwrap_or_default()]].concat().join("\n");
    let digest = blake3::hash(key.as_bytes()).to_hex();
    let words = slug(if name.is_empty() { value.as_deref().unwrap_or(kind) } else { &name }, 30);
    KnownAction {
        action_id: format!("{kind}_{words}_{}", &digest[..6]).into(),
        action_type: kind.into(),
        role: cut(&role).into(),
        name: cut(&name).into(),
        under: under.as_deref().map(cut),
        beside: beside.as_deref().map(cut),
        value,
        ..KnownAction::default()
    }
}
