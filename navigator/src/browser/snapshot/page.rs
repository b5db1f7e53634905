//! A screen of the browser as it is recorded: HTML with marks, and the facts of its controls.

use std::collections::BTreeMap;

use super::control::{ControlPlace, ControlRole, NodePlace};
use super::controls::controls_of;
use super::dom::{Dom, FrameCapture};
use super::facts::{ScreenFacts, with_facts};
use super::html::{empty_html, escaped, html_of};
use super::layout::Layout;
use super::masked::{masked_facts, masked_html};
use super::names::plain;
use crate::browser::secrets::store::SecretStore;

/// By how many bytes a page has grown that loaded more: a counter grows by less.
const LEAST_GROWTH: usize = 20;

/// A screen of the browser.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ScreenPage {
    pub(crate) address: String,
    /// The text.
    text: String,
    pub(crate) facts: ScreenFacts,
    /// The places of the controls.
    pub(crate) places: Vec<ControlPlace>,
    /// The node around each node.
    parents: BTreeMap<NodePlace, NodePlace>,
}

impl ScreenPage {
    /// Makes the screen of a page that is seen through a window of so many pixels.
    pub(crate) fn of(capture: &FrameCapture, window: (f64, f64)) -> ScreenPage {
        let dom = Dom::of(capture, window);
        let layout = Layout::of(&dom);
        let mut found = controls_of(&dom, &layout);
        let places = std::mem::take(&mut found.places);
        let written = html_of(&dom, &layout, found);
        let parents = dom
            .nodes
            .iter()
            .filter_map(|node| Some((node.place, dom.nodes.get(node.parent?)?.place)));
        let parents = parents.collect();
        ScreenPage {
            address: dom.address,
            text: written.html,
            facts: written.facts,
            places,
            parents,
        }
    }

    /// Takes note of the node that has the focus, and of the text that is selected.
    #[must_use]
    pub(crate) fn with_cursor(mut self, node: Option<NodePlace>, selected: String) -> ScreenPage {
        self.facts.focused = node.and_then(|node| self.control_around(node));
        self.facts.selected = selected;
        self
    }

    /// Makes the screen of a page that cannot be shown.
    pub(crate) fn unseen(address: &str, title: &str, why: String) -> ScreenPage {
        let facts = ScreenFacts { notes: vec![why], ..ScreenFacts::default() };
        let address = address.to_owned();
        ScreenPage { address, text: empty_html(&plain(title)), facts, ..ScreenPage::default() }
    }

    /// Returns the page with the names of secrets in the place of their values.
    pub(crate) fn masked(self, secrets: &SecretStore) -> ScreenPage {
        ScreenPage {
            address: secrets.masked_address(&self.address),
            text: masked_html(&self.text, secrets),
            facts: masked_facts(self.facts, secrets),
            ..self
        }
    }

    /// Returns the HTML of the text, with the facts.
    pub(crate) fn html(&self) -> String {
        with_facts(&self.text, &self.facts)
    }

    /// Reports whether the page shows the same: its text, its controls and its dialogs.
    pub(crate) fn shows_same(&self, other: &ScreenPage) -> bool {
        self.text == other.text
            && self.facts.controls == other.facts.controls
            && self.facts.dialogs == other.facts.dialogs
    }

    /// Reports whether a screen is one of the same page, by its address.
    pub(crate) fn is_same_page(&self, other: &ScreenPage) -> bool {
        fn page(address: &str) -> Option<&str> {
            address.split('#').next()
        }
        page(&self.address) == page(&other.address)
    }

    /// Reports whether the page has more text than it had.
    pub(crate) fn has_grown(&self, before: &ScreenPage) -> bool {
        self.text.len() >= before.text.len() + LEAST_GROWTH
    }

    /// Reports whether a text is on the page.
    pub(crate) fn has_text(&self, text: &str) -> bool {
        self.text.to_lowercase().contains(&escaped(text).to_lowercase())
    }

    /// Reports whether a click that reaches a node reaches a control: the node is the control, its
    /// label, or lies in one of them; or it is the element of the control's frame. `None` if the
    /// page had no such node.
    pub(crate) fn takes_clicks(&self, control: ControlPlace, hit: NodePlace) -> Option<bool> {
        if !self.parents.contains_key(&hit) {
            return None;
        }
        let is_inside = self.around(hit).any(|at| control.has(at));
        let is_frame = hit.0 != control.session
            && self.around((control.session, control.clicked)).any(|at| at == hit);
        Some(is_inside || is_frame)
    }

    /// Reports whether a page has a control of another screen of it, by number, kind, name and
    /// target; 0 is the page.
    pub(crate) fn has_control_of(&self, other: &ScreenPage, number: usize) -> bool {
        fn key(page: &ScreenPage, number: usize) -> Option<(ControlRole, &str, Option<&str>)> {
            let control = page.facts.controls.get(number.checked_sub(1)?)?;
            Some((control.role, &control.name, control.target.as_deref()))
        }
        self.is_same_page(other) && key(self, number) == key(other, number)
    }

    /// Returns the number of the control that a node stands in, from 1.
    pub(crate) fn control_around(&self, node: NodePlace) -> Option<usize> {
        self.around(node).find_map(|at| self.control_of(at))
    }

    /// Returns the number of the control within another one that a node of that stands in, from 1:
    /// `Delete` in a row that can be clicked.
    pub(crate) fn control_inside(&self, outer: ControlPlace, node: NodePlace) -> Option<usize> {
        let is_inside = self.around(node).any(|at| outer.has(at));
        let mut inside = self.around(node).take_while(|at| !outer.has(*at));
        inside.find_map(|at| self.control_of(at)).filter(|_| is_inside)
    }

    fn control_of(&self, node: NodePlace) -> Option<usize> {
        let is_it = |place: &ControlPlace| (place.session, place.node) == node;
        self.places.iter().position(is_it).map(|at| at + 1)
    }

    fn around(&self, node: NodePlace) -> impl Iterator<Item = NodePlace> + '_ {
        std::iter::successors(Some(node), |at| self.parents.get(at).copied())
    }
}
