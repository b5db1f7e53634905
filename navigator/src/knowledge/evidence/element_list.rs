//! Lists of elements as browser-use sends them: a control a line, with its number and its tag, and
//! the texts between.
//!
//! It writes `[33]<button aria-label=Save />` and the text of the control on the next line, one tab
//! deeper; older versions write `[33]<button>Save</button>`. A star marks what is new.

use crate::knowledge::evidence::accessibility::kind_of_role;
use crate::knowledge::evidence::page_text::PageText;
use crate::knowledge::model::feature::FeatureKind;
use crate::walk::screen::EntryKind;

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
pub(super) fn read(text: &str) -> Option<PageText> {
    let mut page = PageText::new(None, OF_TEXTS, UNSEEN);
    page.may_list = true;
    for line in lines_of(text) {
        match line {
            ListLine::Element(element) => {
                let states = if element.is_open() { vec!["expanded".to_owned()] } else { vec![] };
                page.add_entry(element.kind(), element.label(), states, 0);
            }
            ListLine::In(at, label) => page.name_entry(at, label),
            ListLine::Text(text) => page.add_text(text),
        }
    }
    (!page.screen.entries.is_empty()).then_some(page)
}

/// Returns the numbers of the elements of a list with their labels.
pub(crate) fn numbers_of(text: &str) -> Vec<(u64, &str)> {
    let mut numbers = Vec::new();
    for line in lines_of(text) {
        match line {
            ListLine::Element(element) => numbers.push((element.number, element.label())),
            ListLine::In(at, text) if numbers[at].1.is_empty() => numbers[at].1 = text,
            ListLine::In(..) | ListLine::Text(_) => {}
        }
    }
    numbers
}

/// What a line of a list is.
enum ListLine<'t> {
    Element(ListedElement<'t>),
    /// A text in the element of this position.
    In(usize, &'t str),
    /// A text in no element.
    Text(&'t str),
}

/// Reads the lines of a list. What a field has in it is its value, and left out.
fn lines_of(text: &str) -> impl Iterator<Item = ListLine<'_>> {
    let mut n_elements = 0;
    // The depth of the last element, while its text is read, and whether the text is a value.
    let mut last: Option<(usize, bool)> = None;
    text.lines().filter_map(move |line| {
        let trimmed = line.trim();
        let depth = line.len() - line.trim_start().len();
        if let Some(element) = element_of(trimmed) {
            last = Some((depth, element.has_value()));
            n_elements += 1;
            return Some(ListLine::Element(element));
        }
        if trimmed.is_empty() || trimmed.starts_with(['<', '|']) {
            return None;
        }
        last = last.filter(|(outer, _)| depth > *outer);
        match last {
            Some((_, is_value)) => (!is_value).then(|| ListLine::In(n_elements - 1, trimmed)),
            None => Some(ListLine::Text(trimmed)),
        }
    })
}

/// A line with an element.
struct ListedElement<'t> {
    number: u64,
    tag: &'t str,
    attributes: &'t str,
    text: &'t str,
}

fn element_of(line: &str) -> Option<ListedElement<'_>> {
    let (number, rest) = line.split_once('[')?.1.split_once("]<")?;
    let number = number.parse().ok()?;
    let end = rest.find([' ', '>', '/']).unwrap_or(rest.len());
    let (tag, rest) = rest.split_at(end);
    let is_tag = tag.starts_with(|c: char| c.is_ascii_alphabetic())
        && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    // Values have no quotes, so that `>` may stand in them.
    let whole = rest.split(" (").next().unwrap_or(rest).trim_end().strip_suffix("/>");
    let (attributes, text) = match whole {
        Some(attributes) if !rest.contains("</") => (attributes, ""),
        _ => rest.split_once('>').unwrap_or((rest, "")),
    };
    let text = text.split("</").next().unwrap_or_default().trim_end_matches("/>").trim();
    is_tag.then_some(ListedElement { number, tag, attributes, text })
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

    /// Reports whether the text in it is its value.
    fn has_value(&self) -> bool {
        matches!(self.kind(), EntryKind::Field | EntryKind::Select | EntryKind::Slider)
    }

    fn label(&self) -> &'t str {
        let named = ["aria-label", "placeholder", "alt", "title"];
        let named = named.iter().filter_map(|name| self.attribute(name));
        let value = self.attribute("value").filter(|_| self.kind() == EntryKind::Button);
        let text = (!self.has_value()).then_some(self.text);
        let mut names = named.chain(value).chain(text);
        names.find(|name| !name.trim().is_empty()).unwrap_or_default()
    }

    fn is_open(&self) -> bool {
        let states = ["aria-expanded", "expanded"];
        states.iter().any(|name| self.attribute(name).is_some_and(|value| value == "true"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_have_the_text_in_them_and_fields_do_not() {
        let text = "Your cart\n[12]<a />\n\tHome\n*[13]<button aria-label=Search all type=submit />\
                    \nName:\n[14]<input type=text name=n />\n\tvalue\n\t[15]<div role=tab />\n\t\t\
                    Details\n[16]<button aria-expanded='true'>More</button>\n<div />\n\
                    [17]<select />\n\tPrice\n[18]<input aria-label=Home > Users type=checkbox />\n\
                    The end";
        let found = read(text).unwrap();
        let entries = found.screen.entries.iter();
        let entries: Vec<String> =
            entries.map(|entry| format!("{} {}", entry.kind.as_str(), entry.label)).collect();
        let wanted = [
            "link Home",
            "button Search all",
            "field ",
            "tab Details",
            "button More",
            "select ",
            "checkbox Home > Users",
        ];
        assert_eq!(entries, wanted);
        assert!(found.screen.entries[4].is("expanded"));
        assert_eq!(found.texts, ["Your cart", "Name:", "The end"]);
        let numbers: Vec<u64> = numbers_of(text).iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [12, 13, 14, 15, 16, 17, 18]);
        assert_eq!(numbers_of(text)[0].1, "Home");
    }

    #[test]
    fn a_note_in_prose_is_no_element() {
        assert!(read("Your cart\nNote [1] of the seller, see [2]<https://a.ex>").is_none());
    }
}
