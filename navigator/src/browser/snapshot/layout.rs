//! What of a page is seen: hidden, off screen, covered.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::dom::{Area, Dom, DrawnBox, NodeKind};

/// The highest opacity that nobody sees.
const UNSEEN_OPACITY: f64 = 0.05;
/// The widest strip of a text that nobody reads, in pixels.
const UNREAD: f64 = 1.5;
/// The share of the window from which on a fixed box covers all of the page.
const OVERLAY: f64 = 0.9;
/// The height of the bands in which boxes that take clicks are looked for, in pixels.
const BAND: f64 = 64.0;
/// The most bands that a box is listed in; a taller one is looked at everywhere.
const MAX_BANDS: i64 = 32;
/// The most boxes that are looked at for what covers controls. A page that piles up more says of
/// its later controls that nothing does; a click finds out.
const MAX_LOOKS: usize = 50_000_000;
/// A rectangle around everything.
const EVERYWHERE: Area = Area { left: -1e12, top: -1e12, right: 1e12, bottom: 1e12 };

/// What cuts a node: boxes that hide what flows over, and boxes that scroll.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Clips {
    hidden: Area,
    scrolled: Area,
}

const NO_CLIPS: Clips = Clips { hidden: EVERYWHERE, scrolled: EVERYWHERE };

#[derive(Debug, Clone, Copy)]
struct NodeSight {
    is_shown: bool,
    /// What is left of the node by boxes that hide or scroll.
    visible: Area,
}

/// What a node hands on to those in it. What cuts them is a position in a list: few nodes cut.
#[derive(Debug, Clone, Copy)]
struct HandedOn {
    opacity: f64,
    in_flow: u32,
    of_absolute: u32,
}

/// What is seen of each node, as far as it is known.
struct Sighting<'d> {
    dom: &'d Dom<'d>,
    sights: Vec<NodeSight>,
    handed_on: Vec<HandedOn>,
    clips: Vec<Clips>,
}

/// What is seen of each node.
#[derive(Debug)]
pub(super) struct Layout<'d> {
    dom: &'d Dom<'d>,
    sights: Vec<NodeSight>,
    /// The boxes that take clicks, the uppermost first.
    hits: Vec<(usize, Area)>,
    /// Their positions, by the bands that they lie in.
    bands: BTreeMap<i64, Vec<usize>>,
    /// The positions of those that lie in many.
    tall: Vec<usize>,
    looks_left: Cell<usize>,
}

impl<'d> Layout<'d> {
    pub(super) fn of(dom: &'d Dom<'d>) -> Layout<'d> {
        let sights = Sighting::of(dom);
        let (bands, tall) = (BTreeMap::new(), Vec::new());
        let looks_left = Cell::new(MAX_LOOKS);
        let mut layout = Layout { dom, sights, hits: Vec::new(), bands, tall, looks_left };
        layout.hits = layout.uppermost_first();
        for (at, (_, area)) in layout.hits.iter().enumerate() {
            let (first, last) = (band_of(area.top), band_of(area.bottom));
            if last - first >= MAX_BANDS {
                layout.tall.push(at);
            } else {
                (first..=last).for_each(|band| layout.bands.entry(band).or_default().push(at));
            }
        }
        layout
    }

    /// Reports whether a person sees a node, once it is scrolled to.
    pub(super) fn is_shown(&self, node: usize) -> bool {
        self.sights[node].is_shown
    }

    /// Reports whether a node is drawn, however faintly: a control of that kind has a label that
    /// shows its state.
    pub(super) fn is_drawn(&self, node: usize) -> bool {
        let drawn = &self.dom.nodes[node].drawn;
        drawn.as_ref().is_some_and(|drawn| drawn.style("visibility") == "visible")
    }

    /// Returns what is left of a node by the boxes around it.
    pub(super) fn visible(&self, node: usize) -> Area {
        self.sights[node].visible
    }

    /// Reports whether one has to scroll to see a node.
    pub(super) fn is_off_screen(&self, node: usize) -> bool {
        self.visible(node).within(self.dom.viewport).is_empty()
    }

    /// Reports whether something else takes the clicks on a node. `stand_ins` take them for it.
    pub(super) fn is_covered(&self, node: usize, stand_ins: &[usize]) -> bool {
        let area = self.visible(node);
        if area.is_empty() {
            return false;
        }
        let in_sight = area.within(self.dom.viewport);
        let area = if in_sight.is_empty() { area } else { in_sight };
        let (x, y) = ((area.left + area.right) / 2.0, (area.top + area.bottom) / 2.0);
        let Some(hit) = self.uppermost_at(x, y) else { return false };
        let is_in = |inner: usize, outer: usize| self.dom.around(inner).any(|one| one == outer);
        let is_own = |one: usize| is_in(hit, one) || is_in(one, hit);
        !is_own(node) && !stand_ins.iter().any(|one| is_own(*one))
    }

    /// Returns the node that takes the clicks at a place.
    fn uppermost_at(&self, x: f64, y: f64) -> Option<usize> {
        let band = self.bands.get(&band_of(y)).map(Vec::as_slice).unwrap_or_default();
        let has = |at: &&usize| {
            let left = self.looks_left.get();
            self.looks_left.set(left.saturating_sub(1));
            left > 0 && self.hits[**at].1.has(x, y)
        };
        let low = band.iter().find(has);
        let above = |at: &&usize| low.is_none_or(|low| *at < low);
        let tall = self.tall.iter().take_while(above).find(has);
        tall.or(low).map(|at| self.hits[*at].0)
    }

    fn uppermost_first(&self) -> Vec<(usize, Area)> {
        let viewport = self.dom.viewport;
        let takes_clicks = |drawn: &DrawnBox<'_>| {
            drawn.style("pointer-events") != "none" && drawn.style("visibility") == "visible"
        };
        let mut hits: Vec<(i64, usize, Area)> = Vec::new();
        for (at, node) in self.dom.nodes.iter().enumerate() {
            let Some(drawn) = node.drawn.as_ref().filter(|drawn| takes_clicks(drawn)) else {
                continue;
            };
            if !matches!(node.kind, NodeKind::Element(_)) {
                continue;
            }
            let in_sight = drawn.area.within(viewport);
            // Only modal dialogs are fixed by the browser. What lies under them covers the rest.
            let is_modal = node.tag() == "dialog" && drawn.style("position") == "fixed";
            let is_overlay = drawn.style("position") == "fixed"
                && in_sight.width() >= OVERLAY * viewport.width()
                && in_sight.height() >= OVERLAY * viewport.height();
            let area = if is_overlay || is_modal { EVERYWHERE } else { self.visible(at) };
            if !area.is_empty() {
                hits.push((drawn.order, at, area));
            }
        }
        hits.sort_by_key(|(order, at, _)| std::cmp::Reverse((*order, *at)));
        hits.into_iter().map(|(_, at, area)| (at, area)).collect()
    }
}

fn band_of(y: f64) -> i64 {
    (y / BAND).floor() as i64
}

impl<'d> Sighting<'d> {
    fn of(dom: &'d Dom<'d>) -> Vec<NodeSight> {
        let n = dom.nodes.len();
        let (sights, handed_on) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut all = Sighting { dom, sights, handed_on, clips: vec![NO_CLIPS] };
        for node in 0..n {
            let (sight, handed_on) = all.sight(node);
            all.sights.push(sight);
            all.handed_on.push(handed_on);
        }
        all.sights
    }

    fn sight(&mut self, node: usize) -> (NodeSight, HandedOn) {
        let one = &self.dom.nodes[node];
        // A node comes after the one that it stands in.
        let (visible, around) = match one.parent {
            Some(parent) => (self.sights[parent].visible, self.handed_on[parent]),
            None => (EVERYWHERE, HandedOn { opacity: 1.0, in_flow: 0, of_absolute: 0 }),
        };
        let Some(drawn) = &one.drawn else {
            // An element without a box of its own may have children that are drawn.
            return (NodeSight { is_shown: false, visible }, around);
        };
        let is_text = matches!(one.kind, NodeKind::Text(_));
        let is_frame_document = matches!(one.kind, NodeKind::Document(_));
        let opacity = match drawn.style("opacity").parse::<f64>() {
            // The style of a text is that of the element around it.
            Ok(own) if !is_text => around.opacity * own,
            _ => around.opacity,
        };
        let position = if is_text { "static" } else { drawn.style("position") };
        let clip = match position {
            "fixed" => 0,
            "absolute" => around.of_absolute,
            _ => around.in_flow,
        };
        let clips = self.clips[clip as usize];
        let unhidden = drawn.area.within(clips.hidden);
        let is_cut_away = unhidden.is_empty()
            || is_text
                && (unhidden.width() <= UNREAD && drawn.area.width() > UNREAD
                    || unhidden.height() <= UNREAD && drawn.area.height() > UNREAD);
        // What lies before the beginning of the page is never seen; in a box, it is scrolled to.
        let is_before = drawn.area.right <= 0.0 || drawn.area.bottom <= 0.0;
        let is_off_page = is_before && clips.scrolled == EVERYWHERE;
        let is_visible = is_frame_document || drawn.style("visibility") == "visible";
        let is_shown = is_visible && opacity > UNSEEN_OPACITY && !is_cut_away && !is_off_page;
        let in_flow = self.listed(own_clips(one.tag(), drawn, clips), clip);
        let is_positioned = !matches!(position, "static" | "");
        let of_absolute = if is_positioned { in_flow } else { around.of_absolute };
        let sight = NodeSight { is_shown, visible: unhidden.within(clips.scrolled) };
        (sight, HandedOn { opacity, in_flow, of_absolute })
    }

    /// Returns the position of what cuts, if it differs from that of the node around.
    fn listed(&mut self, clips: Clips, around: u32) -> u32 {
        if clips == self.clips[around as usize] {
            return around;
        }
        self.clips.push(clips);
        u32::try_from(self.clips.len() - 1).unwrap_or(around)
    }
}

/// Returns what cuts the children of an element.
fn own_clips(tag: &str, drawn: &DrawnBox<'_>, around: Clips) -> Clips {
    // What these hide is beyond the window, which scrolls.
    if matches!(tag, "html" | "body") {
        return around;
    }
    let (across, down) = (drawn.style("overflow-x"), drawn.style("overflow-y"));
    let cuts = |style: &str| matches!(style, "hidden" | "clip");
    let scrolls = |style: &str| matches!(style, "auto" | "scroll" | "overlay");
    let side = |area: Area, is_across: bool, is_down: bool| Area {
        left: if is_across { area.left } else { EVERYWHERE.left },
        right: if is_across { area.right } else { EVERYWHERE.right },
        top: if is_down { area.top } else { EVERYWHERE.top },
        bottom: if is_down { area.bottom } else { EVERYWHERE.bottom },
    };
    Clips {
        hidden: around.hidden.within(side(drawn.area, cuts(across), cuts(down))),
        scrolled: around.scrolled.within(side(drawn.area, scrolls(across), scrolls(down))),
    }
}
