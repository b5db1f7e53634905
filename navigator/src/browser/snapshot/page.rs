//! A screen of the browser as it is recorded: HTML with marks, and the facts of its controls.

use super::control::ControlPlace;
use super::controls::controls_of;
use super::dom::{Dom, FrameCapture};
use super::facts::{ScreenFacts, with_facts};
use super::html::html_of;
use super::layout::Layout;

/// A screen of the browser.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScreenPage {
    pub(crate) address: String,
    /// The HTML with the facts.
    pub(crate) html: String,
    pub(crate) facts: ScreenFacts,
    /// The places of the controls.
    pub(crate) places: Vec<ControlPlace>,
}

impl ScreenPage {
    /// Makes the screen of a page that is seen through a window of so many pixels.
    pub(crate) fn of(capture: &FrameCapture, window: (f64, f64)) -> ScreenPage {
        let dom = Dom::of(capture, window);
        let layout = Layout::of(&dom);
        let found = controls_of(&dom, &layout);
        let written = html_of(&dom, &layout, &found);
        let html = with_facts(&written.html, &written.facts);
        ScreenPage { address: dom.address, html, facts: written.facts, places: found.places() }
    }
}
