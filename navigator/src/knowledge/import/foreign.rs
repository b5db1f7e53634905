//! What is not believed of a file that others wrote: its addresses, patterns, scripts and effects.

use url::Url;

use crate::knowledge::dialect;
use crate::knowledge::import::private::{IsPublic, private_in_address, private_in_pattern};
use crate::knowledge::model::template::AddressTemplate;
use crate::knowledge::model::{EffectClass, KnownAction, KnownScreen, NAVIGATE, Transition};
use crate::knowledge::recognise::pattern;
use crate::walk::screen::field_rules::FieldRules;
use crate::walk::words::WarningWords;

/// The largest number of indicators, patterns, addresses or actions of a screen.
pub(super) const MAX_OF_A_SCREEN: usize = 200;
/// The longest text, in bytes.
pub(super) const MAX_TEXT: usize = 20_000;
/// The longest pattern, in bytes.
const MAX_PATTERN: usize = 500;
/// The schemes of what a browser opens without a server: files, scripts, and what it makes itself.
const NO_SERVER: [&str; 7] =
    ["file", "javascript", "vbscript", "data", "blob", "filesystem", "view-source"];
/// The longest identifier, in bytes, and the longest label, in characters.
pub(super) const MAX_ID: usize = 200;

/// Returns an action as nobody has seen or done it. Its file is its record, and says nothing of its
/// effect that can be believed but a warning.
pub(super) fn unseen(action: KnownAction, words: &WarningWords) -> KnownAction {
    let leads_to = action.leads_to.as_ref().map(AddressTemplate::as_str);
    let (example, value) = (action.example.as_deref(), action.value.as_deref());
    let texts = [Some(action.name.as_str()), example, leads_to, value];
    let is_warned = action.effect == EffectClass::Destroys
        || texts.into_iter().flatten().any(|text| !words.found_in(text).is_empty());
    let effect = if is_warned { EffectClass::Destroys } else { EffectClass::Unknown };
    let rules = action.rules.map(FieldRules::gated);
    KnownAction { times_there: 0, times_done: 0, effect, record: Some(0), rules, ..action }
}

pub(super) fn runs_script(screen: &str, action_id: &str) -> String {
    format!("screen `{screen}`: the action `{}` runs a script", cut(action_id))
}

/// Checks a transition from one of some screens, which are in order. Nobody has seen it.
pub(super) fn checked_transition(
    transition: Transition,
    screens: &[KnownScreen],
    is_public: IsPublic,
) -> Result<Transition, String> {
    let name = cut(&transition.from_screen_id);
    let from =
        screens.binary_search_by(|one| one.screen_id.as_str().cmp(&transition.from_screen_id));
    let from = from.ok().map(|at| &screens[at]);
    let ends = [transition.from_screen_id.as_str(), &transition.to_screen_id];
    if ends.into_iter().chain(transition.actions()).any(|id| id.len() > MAX_ID) {
        return Err(format!("screen `{name}`: a transition has an identifier that is too long"));
    }
    if transition.prepared.len() > MAX_OF_A_SCREEN {
        return Err(format!(
            "screen `{name}`: a transition has more than {MAX_OF_A_SCREEN} actions before it"
        ));
    }
    let last = transition.action_id.as_deref().unwrap_or(NAVIGATE);
    let before = transition.prepared.iter().map(|one| (one.action_id.as_str(), &one.value));
    for (id, value) in before.chain([(last, &transition.value)]) {
        let action = from.and_then(|screen| screen.action(id));
        // An action without a control is named by its kind.
        if dialect::runs_code(action.map_or(id, |one| &one.action_type)) {
            return Err(runs_script(&name, id));
        }
        let is_opened = action.is_none_or(|one| dialect::opens(&one.action_type));
        check_value(&name, is_opened, value.as_deref().unwrap_or_default(), is_public)?;
    }
    for address in transition.from_address.iter().chain([&transition.address]) {
        check_address(&name, address, is_public)?;
    }
    let label = transition.label.as_deref().map(|label| cut(label).into());
    Ok(Transition { label, times_seen: 0, last_seen: (0, 0), ..transition })
}

/// Checks what is written, chosen or opened.
pub(super) fn check_value(
    screen: &str,
    is_opened: bool,
    value: &str,
    is_public: IsPublic,
) -> Result<(), String> {
    let value = value.trim();
    if is_opened || value.contains("//") && !value.contains(char::is_whitespace) {
        return check_address(screen, value, is_public);
    }
    match value.len() > MAX_TEXT {
        true => Err(format!("screen `{screen}`: a value is longer than {MAX_TEXT} bytes")),
        false => Ok(()),
    }
}

pub(super) fn cut(text: &str) -> String {
    text.chars().take(MAX_ID).collect()
}

/// Checks a pattern, and returns its size when it is compiled.
pub(super) fn check_pattern(
    screen: &str,
    pattern: &str,
    is_public: IsPublic,
) -> Result<usize, String> {
    if pattern.len() > MAX_PATTERN {
        return Err(format!("screen `{screen}`: a pattern is longer than {MAX_PATTERN} bytes"));
    }
    let size = pattern::size_of(pattern)
        .map_err(|error| format!("screen `{screen}`: the pattern `{pattern}`: {error}"))?;
    refuse_private(screen, private_in_pattern(pattern, is_public))?;
    Ok(size)
}

/// Refuses an address that is no page of a public server.
pub(super) fn check_address(
    screen: &str,
    address: &str,
    is_public: IsPublic,
) -> Result<(), String> {
    if address.len() > MAX_TEXT {
        return Err(format!("screen `{screen}`: an address is longer than {MAX_TEXT} bytes"));
    }
    let url = Url::parse(address).ok();
    match url.as_ref().map(Url::scheme).filter(|scheme| NO_SERVER.contains(scheme)) {
        Some(scheme) => {
            Err(format!("screen `{screen}`: an address of `{scheme}:` is no page of a server"))
        }
        None => refuse_private(screen, private_in_address(address, is_public)),
    }
}

fn refuse_private(screen: &str, private: Option<String>) -> Result<(), String> {
    private.map_or(Ok(()), |host| {
        Err(format!(
            "screen `{screen}`: `{}` is an address of this machine or of a private network",
            cut(&host)
        ))
    })
}
