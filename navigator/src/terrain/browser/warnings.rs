//! Words that warn, in the names of what a step would press.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use url::Url;

use super::cursor::focused_session;
use super::keys::NextKey;
use super::live::{CALL, LiveTab};
use crate::browser::error::BrowserError;
use crate::browser::guard::warned_addresses::WarnedAddresses;
use crate::browser::snapshot::{ControlRole, PageControl, ScreenPage};
use crate::walk::action::{ControlOperation, DragEnd};
use crate::walk::session::Move;
use crate::walk::words::WarningWords;

/// Returns the texts of what a key would press or choose: of what has the focus, of the button that
/// sends its form, of other options, of what the key is the access key of. `null` if that lies in a
/// frame that cannot be looked into.
const PRESSED_BY_KEY: &str = include_str!("pressed_by_key.js");

/// What earlier steps tell of the warnings of a step.
#[derive(Debug, Default)]
pub(super) struct WalkWarnings {
    /// The links of the pages that were seen, whose names warn: the names by the addresses, without
    /// their fragments, which no server gets.
    links: BTreeMap<String, String>,
    /// What the walk has typed.
    typed: BTreeSet<String>,
}

impl WalkWarnings {
    /// Keeps the links of a page to others: their addresses can be opened from anywhere.
    pub(super) fn see(&mut self, page: &ScreenPage, words: &WarningWords) {
        let here = without_fragment(&page.address);
        for control in &page.facts.controls {
            let target = web_target(control).map(without_fragment);
            let Some(target) = target.filter(|target| *target != here) else { continue };
            let warns = |text: &&str| is_warned(control, here, words, text);
            if let Some(text) = names(control).find(warns) {
                self.links.entry(target.to_owned()).or_insert_with(|| text.to_owned());
            }
        }
    }

    /// Returns the text that warns of a step: of the control that it presses, of the option that
    /// it chooses, of a link to what it opens, or the address. What a press asks of a script, no
    /// wire can tell.
    pub(super) fn warned<'p>(
        &'p self,
        page: &'p ScreenPage,
        words: &WarningWords,
        step: &'p Move,
    ) -> Option<&'p str> {
        let warns = |text: &&str| !words.found_in(text).is_empty();
        let is_warned = |address: &&str| words.warn_in_address(address);
        let number = match step {
            Move::Open(address) => {
                let link = self.links.get(without_fragment(address)).map(String::as_str);
                return link.or_else(|| Some(address.as_str()).filter(is_warned));
            }
            Move::Operate(_, ControlOperation::Select { options }) => {
                return options.iter().map(String::as_str).find(warns);
            }
            Move::Operate(number, ControlOperation::Drag { to }) => {
                let end = match to {
                    DragEnd::Entry(end) => warned_control(page, words, *end),
                    _ => None,
                };
                return warned_control(page, words, *number).or(end);
            }
            Move::Click(number)
            | Move::Operate(
                number,
                ControlOperation::Check { .. }
                | ControlOperation::DoubleClick
                | ControlOperation::RightClick
                | ControlOperation::ClickAt { .. }
                | ControlOperation::SelectText { .. }
                | ControlOperation::Press { .. },
            ) => *number,
            _ => return None,
        };
        warned_control(page, words, number)
    }

    /// Keeps what a step types.
    pub(super) fn keep_typed(&mut self, step: &Move) {
        self.typed.extend(typed_by(step).cloned());
    }

    /// Returns the addresses whose GETs warn in a step: those that command, as that of a link does.
    /// A step that is asked about already has none, nor has a way back, which leads to what was
    /// read. What the walk itself has typed, for example into a field for a search, commands
    /// nothing.
    pub(super) fn of_reads(
        &self,
        page: &ScreenPage,
        words: &WarningWords,
        step: &Move,
    ) -> WarnedAddresses {
        let begun = typed_by(step).cloned();
        if matches!(step, Move::Back) || self.warned(page, words, step).is_some() {
            return WarnedAddresses::default();
        }
        let (words, typed) = (words.clone(), self.typed.clone());
        let warned = WarnedAddresses::new(move |address| {
            words.warn_in_address(&without_typed(address, &typed, begun.as_deref()))
        });
        warned.operating(operates(page, step))
    }
}

/// Reports whether a step does something on the page: a script of it may go on after the step. What
/// follows the controls of a page are its other tabs.
fn operates(page: &ScreenPage, step: &Move) -> bool {
    match step {
        Move::Click(number) => *number <= page.facts.controls.len(),
        Move::Operate(_, operation) => {
            !matches!(operation, ControlOperation::Wait { .. } | ControlOperation::Dialog { .. })
        }
        Move::Start | Move::Open(_) | Move::Back | Move::Search { .. } => false,
    }
}

fn typed_by(step: &Move) -> Option<&String> {
    match step {
        Move::Operate(_, ControlOperation::Fill { text }) => Some(text),
        _ => None,
    }
}

/// The names of fields of an address whose values are looked for.
const SEARCHED: [&str; 9] =
    ["find", "keyword", "keywords", "q", "query", "s", "search", "term", "text"];

/// Returns an address without the values in its query that were typed, or that begin the text which
/// is typed now. A single word is one to search for only in a field that says so: it may be the
/// name of an action.
fn without_typed(address: &Url, typed: &BTreeSet<String>, begun: Option<&str>) -> String {
    let is_typed = |name: &str, value: &str| {
        let is_search = SEARCHED.contains(&name.to_lowercase().as_str());
        let is_whole = typed.contains(value) && (is_search || value.contains(' '));
        is_whole || begun.is_some_and(|text| !value.is_empty() && text.starts_with(value))
    };
    let mut plain = address.clone();
    plain.query_pairs_mut().clear().extend_pairs(address.query_pairs().map(|(name, value)| {
        let value = if is_typed(&name, &value) { "".into() } else { value };
        (name, value)
    }));
    // A plus would join words that a space keeps apart.
    let query = plain.query().map(|query| query.replace('+', "%20"));
    plain.set_query(query.as_deref());
    plain.into()
}

/// Returns the text that warns of pressing a control: its name, the text on it, its tooltip, its
/// address, or the one that its form is sent to with a GET.
pub(super) fn warned_control<'p>(
    page: &'p ScreenPage,
    words: &WarningWords,
    number: usize,
) -> Option<&'p str> {
    let control = page.facts.controls.get(number.checked_sub(1)?)?;
    let here = without_fragment(&page.address);
    let mut names = names(control).filter(|text| is_warned(control, here, words, text));
    let address = web_target(control).filter(|address| match is_plain_link(control, here) {
        true => words.warn_in_address(address),
        false => !words.found_in(address).is_empty(),
    });
    let asked = control.asks_for.as_deref().filter(|asked| words.warn_in_address(asked));
    names.next().or(address).or(asked)
}

/// Reports whether a name of a control warns. That of a plain link does where it commands.
fn is_warned(control: &PageControl, here: &str, words: &WarningWords, name: &str) -> bool {
    match is_plain_link(control, here) {
        true => words.warn_in_name(name),
        false => !words.found_in(name).is_empty(),
    }
}

/// Reports whether a control is a link that only opens its address, as far as the page says. One
/// that leads to the top of its own page has a script that does something else.
fn is_plain_link(control: &PageControl, here: &str) -> bool {
    control.role == ControlRole::Link
        && !control.is_handled
        && web_target(control).is_some_and(|target| {
            without_fragment(target) != here || target.split('#').nth(1).is_some_and(is_name)
        })
}

/// Reports whether a fragment names a place on a page, and no state of its script.
fn is_name(fragment: &str) -> bool {
    !fragment.is_empty() && !fragment.starts_with(['/', '!'])
}

/// Returns what a control is called, what stands on it, and its tooltip, if they say what a press
/// of it does: the name of a field says what is written there. A page chooses roles, and not what a
/// link is.
fn names(control: &PageControl) -> impl Iterator<Item = &str> {
    let is_pressed = control.role.is_pressed() || control.role.is_box();
    let says_effect = is_pressed || web_target(control).is_some();
    let texts = [control.drawn_text.as_deref(), control.title.as_deref()];
    let names = [Some(control.name.as_str())].into_iter().chain(texts);
    names.flatten().filter(move |_| says_effect)
}

/// Returns the address of a link that asks a server.
fn web_target(control: &PageControl) -> Option<&str> {
    control.target.as_deref().filter(|target| target.starts_with("http"))
}

fn without_fragment(address: &str) -> &str {
    address.split('#').next().unwrap_or(address)
}

/// Returns the text of what a key would press or choose, if a word in it warns.
/// Keys go to what has the focus now, whatever frame a step began in.
///
/// # Errors
/// If the browser cannot be used, or does not say it. The inner one is the complaint.
pub(super) fn warned_of_key(
    tab: &LiveTab,
    key: &NextKey,
    words: &WarningWords,
) -> Result<Result<Option<String>, String>, BrowserError> {
    let session = tab.session(focused_session(tab)?);
    let NextKey { name, has_alt } = key;
    let expression = json!({
        "expression": format!("({PRESSED_BY_KEY})({}, {has_alt})", json!(name)),
        "contextId": session.own_world()?,
        "returnByValue": true,
    });
    let mut answer = session.call("Runtime.evaluate", expression, CALL)?;
    let Value::Array(texts) = answer["result"]["value"].take() else {
        let complaint = match tab.is_asked() {
            true => "a request of the page waits for an answer: press the other keys after it",
            false => "the cursor is in a frame of another site: name the control to press",
        };
        return Ok(Err(complaint.to_owned()));
    };
    let texts = texts.into_iter().filter_map(|text| text.as_str().map(str::to_owned));
    Ok(Ok(texts.into_iter().find(|text| !words.found_in(text).is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_what_was_typed_is_read_as_the_address_is() {
        let words = WarningWords::default();
        let typed: BTreeSet<String> = ["delete my account".to_owned(), "delete".to_owned()].into();
        for (rest, warns) in [
            ("?q=delete+my+account", false),
            ("?q=delete", false),
            ("?name=delete", true),
            ("?name=delete%20my%20account&x=remove", true),
            ("?title=How%20to%20delete", false),
            ("?title=How+to+delete", false),
            // What is encoded in a value is no part of the address.
            ("?x=%23a.delete=1", true),
            ("?x=a%26delete%3D1", true),
        ] {
            let address = Url::parse(&format!("http://a.example/find{rest}")).unwrap();
            let plain = without_typed(&address, &typed, None);
            assert_eq!(words.warn_in_address(&plain), warns, "{rest}: {plain}");
        }
    }
}
