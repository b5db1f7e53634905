//! Keys as the browser takes them: names, codes, and the text that a key writes.

use serde_json::{Value, json};

use super::live::LiveTab;
use crate::browser::error::BrowserError;

/// The most characters that are typed key by key; longer texts are put in at once.
const MAX_TYPED: usize = 200;

/// Keys that write nothing, or more than their name: name, code, number.
const NAMED: [(&str, &str, u32); 26] = [
    ("Enter", "Enter", 13),
    ("Tab", "Tab", 9),
    ("Escape", "Escape", 27),
    ("Backspace", "Backspace", 8),
    ("Delete", "Delete", 46),
    ("Insert", "Insert", 45),
    ("Home", "Home", 36),
    ("End", "End", 35),
    ("PageUp", "PageUp", 33),
    ("PageDown", "PageDown", 34),
    ("ArrowLeft", "ArrowLeft", 37),
    ("ArrowUp", "ArrowUp", 38),
    ("ArrowRight", "ArrowRight", 39),
    ("ArrowDown", "ArrowDown", 40),
    ("F1", "F1", 112),
    ("F2", "F2", 113),
    ("F3", "F3", 114),
    ("F4", "F4", 115),
    ("F5", "F5", 116),
    ("F6", "F6", 117),
    ("F7", "F7", 118),
    ("F8", "F8", 119),
    ("F9", "F9", 120),
    ("F10", "F10", 121),
    ("F11", "F11", 122),
    ("F12", "F12", 123),
];
/// Other names of keys.
const ALIASES: [(&str, &str); 12] = [
    ("return", "Enter"),
    ("esc", "Escape"),
    ("del", "Delete"),
    ("left", "ArrowLeft"),
    ("up", "ArrowUp"),
    ("right", "ArrowRight"),
    ("down", "ArrowDown"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
    ("page_up", "PageUp"),
    ("page_down", "PageDown"),
    ("space", " "),
];
/// Keys that change others, with the bit that says so.
const MODIFIERS: [(&str, &str, u32, u32); 6] = [
    ("alt", "Alt", 18, 1),
    ("control", "Control", 17, 2),
    ("ctrl", "Control", 17, 2),
    ("meta", "Meta", 91, 4),
    ("cmd", "Meta", 91, 4),
    ("shift", "Shift", 16, 8),
];

/// A key with those that are held while it is pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KeyStroke {
    name: String,
    code: String,
    number: u32,
    text: Option<String>,
    /// The held keys: name, number, bit.
    held: Vec<(&'static str, u32, u32)>,
}

impl KeyStroke {
    fn holds(&self, name: &str) -> bool {
        self.held.iter().any(|(held, ..)| *held == name)
    }

    /// Reports whether a key may press or choose something: what has the focus, an option of a
    /// list, which letters choose too, or, with Alt, what a page gave the key to.
    fn may_press(&self) -> bool {
        let is_command = self.holds("Control") || self.holds("Meta");
        match self.name.as_str() {
            "Enter" | " " => true,
            "Tab" | "Escape" | "Backspace" | "Delete" | "Insert" => false,
            _ => self.holds("Alt") || !is_command,
        }
    }
}

/// Presses keys: `Enter`, `Control+a Delete`.
///
/// # Errors
/// If the browser cannot be used. The inner one is the complaint.
pub(super) fn press(tab: &mut LiveTab, keys: &str) -> Result<Result<(), String>, BrowserError> {
    press_each(tab, keys, |_, _| Ok(Ok(())))
}

/// A key that is about to be pressed.
#[derive(Debug, Default)]
pub(super) struct NextKey {
    pub(super) name: String,
    pub(super) has_alt: bool,
}

/// Presses keys, as [`press`] does. Before one that presses or chooses something, something may
/// speak against it.
pub(super) fn press_each(
    tab: &mut LiveTab,
    keys: &str,
    may_press: impl Fn(&LiveTab, &NextKey) -> Result<Result<(), String>, BrowserError>,
) -> Result<Result<(), String>, BrowserError> {
    // A comma after a name parts keys too.
    let parts = keys.split_whitespace().map(|part| match part.strip_suffix(',') {
        Some(name) if name.chars().count() > 1 => name,
        _ => part,
    });
    let strokes: Result<Vec<KeyStroke>, String> = parts.map(stroke).collect();
    let strokes = match strokes {
        Ok(strokes) => strokes,
        Err(complaint) => return Ok(Err(complaint)),
    };
    for stroke in strokes {
        if stroke.may_press() {
            let key = NextKey { name: stroke.name.clone(), has_alt: stroke.holds("Alt") };
            if let Err(complaint) = may_press(tab, &key)? {
                return Ok(Err(complaint));
            }
        }
        send(tab, &stroke)?;
    }
    Ok(Ok(()))
}

/// Types a text where the cursor is.
///
/// # Errors
/// If the browser cannot be used.
pub(super) fn write(tab: &mut LiveTab, text: &str) -> Result<(), BrowserError> {
    if text.chars().count() > MAX_TYPED {
        tab.call("Input.insertText", json!({ "text": text }))?;
        return Ok(());
    }
    for c in text.chars() {
        match c {
            ' '..='~' => send(tab, &letter(c))?,
            // No key of a common keyboard writes it; or, as Enter, it would send the form.
            _ => drop(tab.call("Input.insertText", json!({ "text": c.to_string() }))?),
        }
    }
    Ok(())
}

fn send(tab: &mut LiveTab, stroke: &KeyStroke) -> Result<(), BrowserError> {
    let mut bits = 0;
    for (name, number, bit) in &stroke.held {
        bits |= bit;
        let down = json!({
            "type": "rawKeyDown", "key": name, "code": format!("{name}Left"), "modifiers": bits,
            "windowsVirtualKeyCode": number,
        });
        tab.call("Input.dispatchKeyEvent", down)?;
    }
    tab.call("Input.dispatchKeyEvent", event(stroke, bits, true))?;
    tab.call("Input.dispatchKeyEvent", event(stroke, bits, false))?;
    for (name, number, bit) in stroke.held.iter().rev() {
        bits &= !bit;
        let up = json!({
            "type": "keyUp", "key": name, "code": format!("{name}Left"), "modifiers": bits,
            "windowsVirtualKeyCode": number,
        });
        tab.call("Input.dispatchKeyEvent", up)?;
    }
    Ok(())
}

fn event(stroke: &KeyStroke, bits: u32, is_down: bool) -> Value {
    // With another key held down than Shift, a letter is a command.
    let text = stroke.text.as_ref().filter(|_| is_down && bits & !8 == 0);
    let kind = match (is_down, text) {
        (true, Some(_)) => "keyDown",
        (true, None) => "rawKeyDown",
        (false, _) => "keyUp",
    };
    let mut event = json!({
        "type": kind, "key": stroke.name, "code": stroke.code, "modifiers": bits,
        "windowsVirtualKeyCode": stroke.number,
    });
    if let Some(text) = text {
        event["text"] = text.as_str().into();
    }
    event
}

fn stroke(keys: &str) -> Result<KeyStroke, String> {
    let mut held = Vec::new();
    let mut rest = keys;
    while let Some((first, after)) = rest.split_once('+').filter(|(_, after)| !after.is_empty()) {
        let name = first.to_lowercase();
        let Some((_, name, number, bit)) = MODIFIERS.iter().find(|(one, ..)| *one == name) else {
            return Err(format!("`{first}` is no key that can be held"));
        };
        held.push((*name, *number, *bit));
        rest = after;
    }
    let mut stroke = match named(rest) {
        Some(stroke) => stroke,
        None => {
            let mut letters = rest.chars();
            match (letters.next(), letters.next()) {
                (Some(only), None) => letter(only),
                _ => return Err(format!("there is no key `{rest}` (Enter, Tab, ArrowDown, a, …)")),
            }
        }
    };
    stroke.held = held;
    Ok(stroke)
}

fn named(name: &str) -> Option<KeyStroke> {
    let lower = name.to_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == lower).map(|(_, name)| *name);
    let name = alias.unwrap_or(name);
    if name == " " {
        return Some(letter(' '));
    }
    let found = NAMED.iter().find(|(one, ..)| one.eq_ignore_ascii_case(name));
    found.map(|(name, code, number)| KeyStroke {
        name: (*name).to_owned(),
        code: (*code).to_owned(),
        number: *number,
        text: (*name == "Enter").then(|| "\r".to_owned()),
        held: Vec::new(),
    })
}

fn letter(c: char) -> KeyStroke {
    let upper = c.to_ascii_uppercase();
    let code = match upper {
        'A'..='Z' => format!("Key{upper}"),
        '0'..='9' => format!("Digit{upper}"),
        ' ' => "Space".to_owned(),
        _ => String::new(),
    };
    // Only letters, digits and the space have the number of their character.
    let number = if code.is_empty() { 0 } else { u32::from(upper) };
    KeyStroke { name: c.to_string(), code, number, text: Some(c.to_string()), held: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_in_the_ways_people_name_them() {
        let read = |keys: &str| {
            stroke(keys).map(|stroke| {
                let held: Vec<&str> = stroke.held.iter().map(|(name, ..)| *name).collect();
                (held.join("+"), stroke.name, stroke.code, stroke.number)
            })
        };
        let key = |held: &str, name: &str, code: &str, number: u32| {
            Ok((held.to_owned(), name.to_owned(), code.to_owned(), number))
        };
        assert_eq!(read("Enter"), key("", "Enter", "Enter", 13));
        assert_eq!(read("ctrl+a"), key("Control", "a", "KeyA", 65));
        assert_eq!(read("Control+Shift+End"), key("Control+Shift", "End", "End", 35));
        assert_eq!(read("+"), key("", "+", "", 0));
        assert_eq!(read("esc"), key("", "Escape", "Escape", 27));
        assert!(read("Hyper+a").is_err() && read("abc").is_err());
    }
}
