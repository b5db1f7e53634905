//! What people call a control: labels, texts, and where there are none, what stands beside it or
//! what it looks like.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::control::ControlRole;
use super::dom::{Dom, NodeKind};
use super::layout::Layout;
use super::looks::looks_of;
use crate::shared::cut_trimmed;

/// The longest name, in characters.
const MAX_NAME: usize = 160;
/// The longest text beside a control that names it, in characters.
const MAX_BESIDE: usize = 80;
/// The longest text of a block that names a control beside it, in characters.
const MAX_LABEL: usize = 40;
/// The most nodes that are looked at for texts that stand elsewhere than in their controls.
const MAX_LOOKS: usize = 20_000_000;
/// How far around a control a text can stand that names it.
const NEAR: usize = 4;
/// Where a box begins or ends that stands in a line. No page draws this character.
const BOX_EDGE: char = '\u{1f}';

/// The names of a page: what is called by an id, and which label is whose.
#[derive(Debug)]
pub(super) struct Names<'d> {
    dom: &'d Dom<'d>,
    layout: &'d Layout<'d>,
    ids: BTreeMap<(usize, &'d str), usize>,
    /// The labels of controls.
    labels: BTreeMap<usize, usize>,
    /// The texts around controls that are no control's, by the nodes that have them.
    around: RefCell<BTreeMap<usize, String>>,
    looks_left: Cell<usize>,
}

impl<'d> Names<'d> {
    pub(super) fn of(dom: &'d Dom<'d>, layout: &'d Layout<'d>) -> Names<'d> {
        let mut ids = BTreeMap::new();
        for (at, node) in dom.nodes.iter().enumerate() {
            if let Some(id) = node.attribute("id") {
                ids.entry((node.document, id)).or_insert(at);
            }
        }
        let mut labels = BTreeMap::new();
        for (at, node) in dom.nodes.iter().enumerate().filter(|(_, node)| node.tag() == "label") {
            let of_id = node.attribute("for").and_then(|id| ids.get(&(node.document, id)).copied());
            let is_input = |one: &usize| {
                matches!(dom.nodes[*one].tag(), "input" | "select" | "textarea" | "button")
            };
            let labelled = match node.attribute("for") {
                Some(_) => of_id,
                None => dom.inside(at).find(is_input),
            };
            if let Some(labelled) = labelled {
                labels.entry(labelled).or_insert(at);
            }
        }
        let (around, looks_left) = (RefCell::default(), Cell::new(MAX_LOOKS));
        Names { dom, layout, ids, labels, around, looks_left }
    }

    /// Returns the label of a control.
    pub(super) fn label(&self, node: usize) -> Option<usize> {
        self.labels.get(&node).copied()
    }

    /// Returns the text that is drawn on a control that can be pressed.
    pub(super) fn drawn(&self, node: usize) -> String {
        let element = &self.dom.nodes[node];
        let value = || plain(element.attribute("value").unwrap_or_default());
        if element.tag() == "input" { value() } else { self.text(node) }
    }

    /// Returns what people call a control. `is_control` says which nodes are controls.
    pub(super) fn name(
        &self,
        node: usize,
        role: ControlRole,
        is_control: &dyn Fn(usize) -> bool,
    ) -> String {
        let element = &self.dom.nodes[node];
        let attribute = |name: &str| plain(element.attribute(name).unwrap_or_default());
        let is_input = element.tag() == "input";
        let is_field = matches!(
            role,
            ControlRole::Field
                | ControlRole::Combobox
                | ControlRole::Select
                | ControlRole::Slider
                | ControlRole::File
                | ControlRole::Checkbox
                | ControlRole::Radio
        );
        let of_label = || self.label(node).map(|label| self.text(label)).unwrap_or_default();
        let of_value = || match (is_input && !is_field, element.attribute("type")) {
            (true, Some("submit")) if element.attribute("value").is_none() => "Submit".to_owned(),
            (true, Some("reset")) if element.attribute("value").is_none() => "Reset".to_owned(),
            (true, _) => attribute("value"),
            _ => String::new(),
        };
        let is_written = is_field && matches!(element.tag(), "input" | "select" | "textarea")
            || matches!(role, ControlRole::Field | ControlRole::Combobox);
        let of_text = || match is_written {
            true => String::new(),
            false => Some(self.text_without(node, is_control))
                .filter(|text| !text.is_empty())
                .unwrap_or_else(|| self.text(node)),
        };
        let beside = || match is_field {
            true => self.beside(node, role, is_control).unwrap_or_default(),
            false => String::new(),
        };
        let sources: [&dyn Fn() -> String; 10] = [
            &|| self.referred(node, "aria-labelledby"),
            &|| attribute("aria-label"),
            &of_label,
            &of_value,
            &|| attribute("alt"),
            &of_text,
            &|| attribute("placeholder"),
            &|| attribute("title"),
            &beside,
            &|| if is_field { attribute("name") } else { looks_of(self.dom, node) },
        ];
        let name = sources.iter().map(|source| source()).find(|name| !name.is_empty());
        let name = cut_trimmed(&name.unwrap_or_default(), MAX_NAME).into_owned();
        match element.tag() {
            // Letters in a picture are shapes, too.
            "text" => format!("{name}, {}", looks_of(self.dom, node)),
            _ => name,
        }
    }

    /// Returns the node of the same document that has an id.
    pub(super) fn node_of(&self, node: usize, id: &str) -> Option<usize> {
        self.ids.get(&(self.dom.nodes[node].document, id)).copied()
    }

    /// Returns the text of the nodes that an attribute names by their ids.
    pub(super) fn referred(&self, node: usize, attribute: &str) -> String {
        let element = &self.dom.nodes[node];
        let ids = element.attribute(attribute).unwrap_or_default().split_whitespace();
        let named = ids.filter_map(|id| self.ids.get(&(element.document, id)));
        plain(&named.map(|node| self.text(*node)).collect::<Vec<_>>().join(" "))
    }

    /// Returns the text of a node: what is drawn of it, and what stands for pictures.
    pub(super) fn text(&self, node: usize) -> String {
        self.bounded_text(node, &|_| false)
    }

    /// Returns the text of a node, of which many controls may make use.
    fn bounded_text(&self, node: usize, is_out: &dyn Fn(usize) -> bool) -> String {
        self.text_while(node, is_out, &|| self.take_look())
    }

    /// Returns the text of a node outside of others. Of controls, no two have a part in common.
    fn text_without(&self, node: usize, is_out: &dyn Fn(usize) -> bool) -> String {
        self.text_while(node, is_out, &|| true)
    }

    /// Takes a look at one more node; `false` if none is left.
    fn take_look(&self) -> bool {
        let left = self.looks_left.get();
        self.looks_left.set(left.saturating_sub(1));
        left > 0
    }

    fn text_while(
        &self,
        node: usize,
        is_out: &dyn Fn(usize) -> bool,
        goes_on: &dyn Fn() -> bool,
    ) -> String {
        let mut text = String::new();
        let mut todo = vec![(node, true)];
        while let Some((at, is_begin)) = todo.pop().filter(|_| goes_on()) {
            let one = &self.dom.nodes[at];
            match &one.kind {
                NodeKind::Text(words) if is_begin && self.layout.is_drawn(at) => {
                    text.push_str(words);
                }
                NodeKind::Element(tag) => {
                    if is_begin && at != node && is_out(at)
                        || matches!(&tag[..], "select" | "textarea")
                    {
                        continue;
                    }
                    match one.style("display") {
                        "inline" => {}
                        display if display.starts_with("inline") => text.push(BOX_EDGE),
                        _ => text.push(' '),
                    }
                    let label = ["aria-label", "alt"].iter().find_map(|name| one.attribute(name));
                    let is_picture = matches!(&tag[..], "img" | "svg" | "i" | "span");
                    if let Some(label) = label.filter(|_| is_begin && at != node && is_picture) {
                        text.push_str(&format!(" {label} "));
                    }
                }
                _ => {}
            }
            if is_begin {
                todo.push((at, false));
                todo.extend(self.dom.children(at).rev().map(|child| (child, true)));
            }
        }
        plain(&spaced(&text))
    }

    /// Returns the text of a row outside of some controls.
    pub(super) fn text_of_row(&self, row: usize, is_out: &dyn Fn(usize) -> bool) -> String {
        cut_trimmed(&self.bounded_text(row, is_out), MAX_BESIDE).into_owned()
    }

    /// Returns the text around a control that is no other control's, of the nearest node that has
    /// any.
    pub(super) fn around(&self, node: usize, is_control: &dyn Fn(usize) -> bool) -> Option<String> {
        let mut known = self.around.borrow_mut();
        let mut texts = self.dom.around(node).skip(1).take(NEAR).map(|outer| {
            let text =
                || cut_trimmed(&self.bounded_text(outer, is_control), MAX_BESIDE).into_owned();
            known.entry(outer).or_insert_with(text).clone()
        });
        texts.find(|text| !text.is_empty())
    }

    /// Reports whether the block that a text stands in has few words outside of controls.
    fn is_short(&self, text: usize, is_control: &dyn Fn(usize) -> bool) -> bool {
        let is_block = |one: &usize| !self.dom.nodes[*one].style("display").starts_with("inline");
        let block = self.dom.around(text).skip(1).find(is_block).unwrap_or(text);
        self.bounded_text(block, is_control).chars().count() <= MAX_LABEL
    }

    /// Returns the text beside a control: after a box to check, before other fields.
    fn beside(
        &self,
        node: usize,
        role: ControlRole,
        is_control: &dyn Fn(usize) -> bool,
    ) -> Option<String> {
        let is_after = matches!(role, ControlRole::Checkbox | ControlRole::Radio);
        for outer in self.dom.around(node).skip(1).take(NEAR) {
            let (mut before, mut after) = (None, None);
            for one in self.dom.inside(outer) {
                if !self.take_look() || one != node && one > node && is_control(one) {
                    break;
                }
                if one != node && is_control(one) {
                    before = None;
                }
                let NodeKind::Text(text) = &self.dom.nodes[one].kind else { continue };
                let text = plain(text);
                let is_of_control = self.dom.around(one).any(is_control);
                if text.is_empty() || !self.layout.is_drawn(one) || is_of_control {
                    continue;
                }
                // A sentence names nothing.
                let text = if self.is_short(one, is_control) { text } else { String::new() };
                if one < node {
                    before = Some(text);
                } else {
                    after = after.or(Some(text));
                }
            }
            let (first, second) = if is_after { (after, before) } else { (before, None) };
            if let Some(text) = first.or(second) {
                return Some(text);
            }
        }
        None
    }
}

/// Puts spaces at the edges of boxes in a line. Letters in boxes of their own are one word: pages
/// make them so to move each.
fn spaced(text: &str) -> Cow<'_, str> {
    if !text.contains(BOX_EDGE) {
        return Cow::Borrowed(text);
    }
    let mut spaced = String::with_capacity(text.len());
    let mut is_after_letter = false;
    for part in text.split(BOX_EDGE).filter(|part| !part.is_empty()) {
        let is_letter = part.chars().count() == 1 && part.chars().all(char::is_alphabetic);
        if !(is_letter && is_after_letter) {
            spaced.push(' ');
        }
        spaced.push_str(part);
        is_after_letter = is_letter;
    }
    Cow::Owned(spaced)
}

/// Returns a text on one line, without the brackets of marks.
pub(super) fn plain(text: &str) -> String {
    unmarked(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Replaces the brackets of marks, so that a page cannot write a mark of its own.
pub(super) fn unmarked(text: &str) -> String {
    text.replace('⟦', "[").replace('⟧', "]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_in_boxes_of_their_own_are_a_word() {
        for (text, expected) in [
            ("|D||e||l||e||t||e|", "Delete"),
            ("|D||e||l| |a||l||l|", "Del all"),
            ("Delete|3|", "Delete 3"),
            ("|Delete||account|", "Delete account"),
        ] {
            let text = text.replace('|', &BOX_EDGE.to_string());
            assert_eq!(plain(&spaced(&text)), expected, "{text:?}");
        }
    }
}
