//! Types secrets into a field: in its own document, whatever has the focus, and only if that
//! document and all around it are at origins that the secrets are for.

use serde_json::{Value, json};
use url::{Origin, Url};

use super::live::{CALL, LiveTab, StepSession};
use crate::browser::error::BrowserError;
use crate::browser::secrets::form::FieldForm;
use crate::browser::secrets::store::SecretStore;
use crate::browser::snapshot::ControlPlace;
use crate::placeholder::{filled, names_in, unknown_name};

/// The origin of a document, and those around it. No script can replace `location`.
const ORIGINS: &str = "function () {
    let all = location.origin;
    for (let i = 0; i < location.ancestorOrigins.length; i++)
        all += ' ' + location.ancestorOrigins[i];
    return all;
}";

/// Writes a text into a field, in the place of what is there. Returns what the field then has:
/// another text than the one that was typed, or nothing of note.
const TYPE: &str = "function (text) {
    this.focus();
    if (this.select) this.select(); else getSelection().selectAllChildren(this);
    if (!document.execCommand('insertText', false, text)) return null;
    const has = this.value ?? this.textContent;
    return has.includes(text) ? '' : has;
}";

/// Clears a field.
const CLEAR: &str = "function () {
    if (this.select) this.select(); else getSelection().selectAllChildren(this);
    document.execCommand('delete');
}";

/// Writes a text with placeholders into a field.
pub(super) fn fill(
    tab: &LiveTab,
    place: ControlPlace,
    text: &str,
    secrets: &SecretStore,
) -> Result<Result<(), String>, BrowserError> {
    if let Some(complaint) = unknown_name(text, &secrets.names()) {
        return Ok(Err(complaint));
    }
    let field = FieldObject::of(tab.session(place.session), place.node)?;
    // The object ends with its document, so what is called next is in the same one.
    let origins = field.call(ORIGINS, &[])?;
    let origins = origins.as_str().unwrap_or_default().split(' ');
    for origin in origins {
        let parsed = Url::parse(origin).map_or_else(|_| Origin::new_opaque(), |url| url.origin());
        let foreign = names_in(text).into_iter().find(|name| !secrets.is_for(name, &parsed));
        if let Some(name) = foreign {
            return Ok(Err(format!(
                "the secret `{name}` is not for {}: it was not typed",
                if origin == "null" { "a page without an origin" } else { origin }
            )));
        }
    }
    let typed = filled(text, |name| secrets.value(name));
    let has = field.call(TYPE, &[&typed])?;
    let Some(form) = has.as_str() else {
        return Ok(Err("nothing can be typed into it".to_owned()));
    };
    if form.is_empty() {
        return Ok(Ok(()));
    }
    let form = names_in(text).first().map(|name| secrets.add_form(name, form));
    let why = match form {
        Some(FieldForm::Whole) => return Ok(Ok(())),
        Some(FieldForm::Beginning) => "takes the beginning of the secret alone",
        Some(FieldForm::Other) | None => "does not take the whole secret",
    };
    field.call(CLEAR, &[])?;
    Ok(Err(format!("the field {why}: it was cleared")))
}

/// A field as scripts have it.
struct FieldObject<'s> {
    session: StepSession<'s>,
    id: Value,
}

impl FieldObject<'_> {
    fn of(session: StepSession<'_>, node: i64) -> Result<FieldObject<'_>, BrowserError> {
        let params = json!({ "backendNodeId": node });
        let mut answer = session.call("DOM.resolveNode", params, CALL)?;
        Ok(FieldObject { session, id: answer["object"]["objectId"].take() })
    }

    /// Calls a function of ours on the field, in its document. A script that throws gives `null`.
    fn call(&self, function: &str, arguments: &[&str]) -> Result<Value, BrowserError> {
        let arguments: Vec<Value> = arguments.iter().map(|one| json!({ "value": one })).collect();
        let params = json!({
            "objectId": self.id, "functionDeclaration": function, "arguments": arguments,
            "returnByValue": true, "userGesture": true,
        });
        let mut answer = self.session.call("Runtime.callFunctionOn", params, CALL)?;
        let has_thrown = answer.get("exceptionDetails").is_some();
        Ok(if has_thrown { Value::Null } else { answer["result"]["value"].take() })
    }
}
