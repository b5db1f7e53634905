//! The mouse: clicks, wheels and drags at places of the page.

use serde_json::{Value, json};

use super::live::{CALL, LiveTab};
use crate::browser::error::BrowserError;
use crate::browser::snapshot::ControlPlace;

/// The number of moves of a drag, and the most between two places of a path.
const DRAG_MOVES: f64 = 12.0;
/// About how long a move of a path is, in pixels.
const DRAWN_MOVE: f64 = 4.0;

/// A place of the window, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct WindowPoint {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// What is in sight of a control, in pixels of the window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SeenBox {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl SeenBox {
    /// Returns a place of the box, by the shares of its width and height.
    pub(super) fn at(self, across: f64, down: f64) -> WindowPoint {
        WindowPoint {
            x: self.left + (self.right - self.left) * across,
            y: self.top + (self.bottom - self.top) * down,
        }
    }

    /// Returns a place by its pixels from the left upper corner. It may be outside.
    pub(super) fn at_pixels(self, right: i32, down: i32) -> WindowPoint {
        WindowPoint { x: self.left + f64::from(right), y: self.top + f64::from(down) }
    }

    /// Reports whether a place is in it.
    pub(super) fn has(self, point: WindowPoint) -> bool {
        (self.left..=self.right).contains(&point.x) && (self.top..=self.bottom).contains(&point.y)
    }

    /// Returns the size, in words.
    pub(super) fn size(self) -> String {
        format!("{:.0} by {:.0} pixels", self.right - self.left, self.bottom - self.top)
    }
}

/// Scrolls to a control, and returns where it is; `None` if it is nowhere.
pub(super) fn scrolled_to(
    tab: &mut LiveTab,
    place: ControlPlace,
    node: i64,
) -> Result<Option<SeenBox>, BrowserError> {
    let session = tab.session(place.session);
    let named = json!({ "backendNodeId": node });
    // One that has no box cannot be scrolled to, which the next call finds, too.
    let scrolled = session.call("DOM.scrollIntoViewIfNeeded", named.clone(), CALL);
    if scrolled.as_ref().is_err_and(BrowserError::is_of_browser) {
        return scrolled.map(|_| None);
    }
    let quads = match session.call("DOM.getContentQuads", named, CALL) {
        Ok(answer) => answer["quads"].as_array().cloned().unwrap_or_default(),
        Err(error) if error.is_of_browser() => return Err(error),
        Err(_) => Vec::new(),
    };
    let (dx, dy) = offset(tab, place.session)?;
    let (width, height) = tab.window()?;
    let seen = quads.iter().filter_map(|quad| {
        let at = |index: usize| quad[index].as_f64();
        let across = [at(0)?, at(2)?, at(4)?, at(6)?];
        let down = [at(1)?, at(3)?, at(5)?, at(7)?];
        let least = |side: [f64; 4]| side.into_iter().fold(f64::MAX, f64::min);
        let most = |side: [f64; 4]| side.into_iter().fold(f64::MIN, f64::max);
        let seen = SeenBox {
            left: (least(across) + dx).max(0.0),
            top: (least(down) + dy).max(0.0),
            right: (most(across) + dx).min(width),
            bottom: (most(down) + dy).min(height),
        };
        (seen.right > seen.left && seen.bottom > seen.top).then_some(seen)
    });
    let size = |seen: &SeenBox| ((seen.right - seen.left) * (seen.bottom - seen.top)) as i64;
    // Of a text over several lines, the largest part; of equals the first.
    Ok(seen.rev().max_by_key(size))
}

/// Returns how far the page of a frame lies from the corner of the window.
pub(super) fn offset(tab: &LiveTab, session: usize) -> Result<(f64, f64), BrowserError> {
    let (mut dx, mut dy) = (0.0, 0.0);
    let mut inner = session;
    while let Some((outer, owner)) = tab.owner(inner) {
        let named = json!({ "backendNodeId": owner });
        let model = tab.session(outer).call("DOM.getBoxModel", named, CALL)?;
        let corner = |at: usize| model["model"]["content"][at].as_f64().unwrap_or_default();
        (dx, dy) = (dx + corner(0), dy + corner(1));
        inner = outer;
    }
    Ok((dx, dy))
}

/// Returns the node that takes the clicks of a place.
pub(super) fn node_at(tab: &mut LiveTab, point: WindowPoint) -> Result<Option<i64>, BrowserError> {
    // The browser counts from the corner of the page here, and not from that of the window.
    let metrics = tab.call("Page.getLayoutMetrics", json!({}))?;
    let scrolled = |side: &str| metrics["cssVisualViewport"][side].as_f64().unwrap_or_default();
    let (x, y) = (point.x + scrolled("pageX"), point.y + scrolled("pageY"));
    let place = json!({ "x": x as i64, "y": y as i64 });
    match tab.call("DOM.getNodeForLocation", place) {
        Ok(answer) => Ok(answer["backendNodeId"].as_i64()),
        Err(error) if error.is_of_browser() => Err(error),
        Err(_) => Ok(None),
    }
}

/// Moves the mouse.
pub(super) fn hover(tab: &mut LiveTab, point: WindowPoint) -> Result<(), BrowserError> {
    tab.call("Input.dispatchMouseEvent", event("mouseMoved", point, "none"))?;
    Ok(())
}

/// Clicks `n` times. `modifiers` are keys that are held.
pub(super) fn click(
    tab: &mut LiveTab,
    point: WindowPoint,
    button: &str,
    n: u32,
    modifiers: u32,
) -> Result<(), BrowserError> {
    hover(tab, point)?;
    for count in 1..=n {
        for kind in ["mousePressed", "mouseReleased"] {
            let mut click = event(kind, point, button);
            click["clickCount"] = count.into();
            click["modifiers"] = modifiers.into();
            tab.call("Input.dispatchMouseEvent", click)?;
        }
    }
    Ok(())
}

/// Turns the wheel.
pub(super) fn wheel(tab: &mut LiveTab, point: WindowPoint, down: f64) -> Result<(), BrowserError> {
    let mut turn = event("mouseWheel", point, "none");
    turn["deltaX"] = 0.into();
    turn["deltaY"] = down.into();
    tab.call("Input.dispatchMouseEvent", turn)?;
    Ok(())
}

/// Drags from the first place to the last, through those between them, in steps.
pub(super) fn drag(tab: &mut LiveTab, path: &[WindowPoint]) -> Result<(), BrowserError> {
    let (Some(from), Some(to)) = (path.first().copied(), path.last().copied()) else {
        return Ok(());
    };
    hover(tab, from)?;
    tab.call("Input.setInterceptDrags", json!({ "enabled": true }))?;
    let mut press = event("mousePressed", from, "left");
    press["clickCount"] = 1.into();
    tab.call("Input.dispatchMouseEvent", press)?;
    for leg in path.windows(2) {
        let (from, to) = (leg[0], leg[1]);
        let length = (to.x - from.x).hypot(to.y - from.y);
        let most = if path.len() > 2 { (length / DRAWN_MOVE).ceil() } else { DRAG_MOVES };
        let n_moves = most.clamp(1.0, DRAG_MOVES) as i32;
        for step in 1..=n_moves {
            let share = f64::from(step) / f64::from(n_moves);
            let point = WindowPoint {
                x: from.x + (to.x - from.x) * share,
                y: from.y + (to.y - from.y) * share,
            };
            let mut moved = event("mouseMoved", point, "left");
            moved["buttons"] = 1.into();
            tab.call("Input.dispatchMouseEvent", moved)?;
        }
    }
    if let Some(data) = tab.watch.take_dragged() {
        // The page declares what it lets go: the browser asks the place where it is dropped.
        for kind in ["dragEnter", "dragOver", "drop"] {
            let params = json!({ "type": kind, "x": to.x, "y": to.y, "data": data });
            tab.call("Input.dispatchDragEvent", params)?;
        }
    }
    let mut release = event("mouseReleased", to, "left");
    release["clickCount"] = 1.into();
    tab.call("Input.dispatchMouseEvent", release)?;
    tab.call("Input.setInterceptDrags", json!({ "enabled": false }))?;
    Ok(())
}

fn event(kind: &str, point: WindowPoint, button: &str) -> Value {
    json!({ "type": kind, "x": point.x, "y": point.y, "button": button })
}
