//! Lists of elements as browser-use sends them: a control a line, with its number and its tag, and
//! the texts between.
//!
//! It writes `[33]<button aria-label=Save />` and the text of the control on the next line, one tab
//! deeper; older versions write `[33]<button>Save</button>`. A star marks what is new.

use crate::knowledge::accessibility::{SnapshotScreen, kind_of_role};
use crate::knowledge::feature::FeatureKind;
use crate::walk::screen::{EntryControl, EntryKind, Screen, ScreenEntry};

/// What such a list does not say.
const UNSEEN: &[FeatureKind] = &[
    FeatureKind::Title,
    FeatureKind::Dialog,
    FeatureKind::SelectedTab,
    FeatureKind::LeadsTo,
    FeatureKind::Item,
    FeatureKind::State,
];

/// What a text between its controls may be.
const OF_TEXTS: &[FeatureKind] = &[
    FeatureKind::Heading,
    FeatureKind::Field,
    FeatureKind::Select,
    FeatureKind::Link,
    FeatureKind::MenuLink,
];

/// Returns what a text shows, if it is a list of elements.
pub(super) fn elements_of(text: &str) -> Option<SnapshotScreen> {
    let (mut screen, mut texts) = (Screen::default(), Vec::new());
    // The depth of the last control, while its text is read.
    let mut control: Option<usize> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        let depth = line.len() - line.trim_start().len();
        if let Some(element) = element_of(trimmed) {
            screen.entries.push(entry_of(&element));
            control = Some(depth);
        } else if !trimmed.is_empty() && !trimmed.starts_with(['<', '|']) {
            control = control.filter(|outer| depth > *outer);
            match screen.entries.last_mut().filter(|_| control.is_some()) {
                Some(entry) if entry.label.is_empty() && entry.kind != EntryKind::Field => {
                    trimmed.clone_into(&mut entry.label)
                }
                Some(_) => {}
                None => texts.push(trimmed.to_owned()),
            }
        }
    }
    let is_list = !screen.entries.is_empty();
    is_list.then(|| SnapshotScreen {
        screen,
        in_dialog: Vec::new(),
        may_list: true,
        texts,
        of_texts: OF_TEXTS,
        unseen: UNSEEN,
    })
}

/// A line with a control.
struct ListedElement<'t> {
    tag: &'t str,
    attributes: &'t str,
    text: &'t str,
}

fn element_of(line: &str) -> Option<ListedElement<'_>> {
    let (number, rest) = line.split_once('[')?.1.split_once("]<")?;
    number.parse::<u64>().ok()?;
    let end = rest.find([' ', '>', '/']).unwrap_or(rest.len());
    let (tag, rest) = rest.split_at(end);
    let (attributes, text) = rest.split_once('>').unwrap_or((rest, ""));
    let text = text.split("</").next().unwrap_or_default().trim_end_matches("/>");
    Some(ListedElement { tag, attributes: attributes.trim_end_matches('/'), text: text.trim() })
}

impl<'t> ListedElement<'t> {
    /// Returns the value of an attribute: it ends where the next attribute begins.
    fn attribute(&self, name: &str) -> Option<&'t str> {
        let begin = format!(" {name}=");
        let (_, value) = self.attributes.split_once(&begin)?;
        let quote = value.starts_with(['\'', '"']).then(|| &value[..1]);
        if let Some(quote) = quote {
            return value[1..].split(quote).next();
        }
        let next = value.find('=').and_then(|at| value[..at].rfind(' '));
        Some(value[..next.unwrap_or(value.len())].trim())
    }

    fn kind(&self) -> EntryKind {
        let of_role = self.attribute("role").and_then(kind_of_role);
        let of_tag = || match (self.tag, self.attribute("type").unwrap_or("text")) {
            ("a", _) => EntryKind::Link,
            ("button" | "summary", _) | ("input", "button" | "submit" | "reset" | "image") => {
                EntryKind::Button
            }
            ("select", _) => EntryKind::Select,
            ("input", "checkbox") => EntryKind::Checkbox,
            ("input", "radio") => EntryKind::Radio,
            ("input", "range") => EntryKind::Slider,
            ("input", "file") => EntryKind::File,
            ("input" | "textarea", _) => EntryKind::Field,
            _ => EntryKind::Item,
        };
        of_role.unwrap_or_else(of_tag)
    }
}

fn entry_of(element: &ListedElement<'_>) -> ScreenEntry {
    let kind = element.kind();
    let named = ["aria-label", "placeholder", "alt", "title"];
    let named = named.iter().filter_map(|name| element.attribute(name));
    let value = element.attribute("value").filter(|_| kind == EntryKind::Button);
    let has_value = matches!(kind, EntryKind::Field | EntryKind::Select | EntryKind::Slider);
    let text = (!has_value).then_some(element.text);
    let mut names = named.chain(value).chain(text);
    let label = names.find(|name| !name.trim().is_empty()).unwrap_or_default();
    let is_open = ["aria-expanded", "expanded"]
        .iter()
        .any(|name| element.attribute(name).is_some_and(|value| value == "true"));
    let states = if is_open { vec!["expanded".to_owned()] } else { Vec::new() };
    ScreenEntry {
        kind,
        label: label.to_owned(),
        folders: Vec::new(),
        under: None,
        target: None,
        is_content: true,
        control: Some(EntryControl { states, ..EntryControl::default() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_have_the_text_in_them_and_fields_do_not() {
        let text = "Your cart\n[12]<a />\n\tHome\n*[13]<button aria-label=Search all type=submit />\
                    \nName:\n[14]<input type=text name=n />\n\tvalue\n\t[15]<div role=tab />\n\t\t\
                    Details\n[16]<button aria-expanded='true'>More</button>\n<div />\nThe end";
        let found = elements_of(text).unwrap();
        let entries = found.screen.entries.iter();
        let entries: Vec<String> =
            entries.map(|entry| format!("{} {}", entry.kind.as_str(), entry.label)).collect();
        assert_eq!(
            entries,
            ["link Home", "button Search all", "field ", "tab Details", "button More"]
        );
        assert!(found.screen.entries[4].is("expanded"));
        assert_eq!(found.texts, ["Your cart", "Name:", "The end"]);
        assert!(elements_of("Your cart\nNote [1] of the seller").is_none());
    }
}
