//! Dragging: a control to another place, or the mouse through several places, which draws.

use super::gesture::{GestureResult, Hands, no_control};
use super::mouse::{self, WindowPoint};
use crate::browser::error::BrowserError;
use crate::browser::snapshot::ControlPlace;
use crate::walk::action::DragEnd;

impl Hands<'_> {
    /// Drags a control that is held at a place.
    pub(super) fn drag(
        &mut self,
        from: WindowPoint,
        place: ControlPlace,
        to: &DragEnd,
    ) -> GestureResult {
        let to = match to {
            DragEnd::Path(places) => return self.draw(place, places),
            DragEnd::By(right, down) => {
                let to =
                    WindowPoint { x: from.x + f64::from(*right), y: from.y + f64::from(*down) };
                if let (_, Some(name)) = self.pressed_at(place.session, to)? {
                    return Ok(Err(format!(
                        "it would be dropped on '{name}': name that control, which asks"
                    )));
                }
                to
            }
            DragEnd::Entry(number) => {
                let Some((place, _)) = self.control(*number) else { return no_control() };
                match mouse::scrolled_to(self.tab, place, place.clicked)? {
                    Some(seen) => seen.at(0.5, 0.5),
                    None => return Ok(Err("the place to drop it is not in sight".to_owned())),
                }
            }
        };
        mouse::drag(self.tab, &[from, to])?;
        Ok(Ok(()))
    }

    /// Drags the mouse through places, in pixels from the left upper corner of a control. They may
    /// be outside of it: a dot is the only control of some drawings.
    fn draw(&mut self, place: ControlPlace, places: &[(i32, i32)]) -> GestureResult {
        let Some(seen) = mouse::scrolled_to(self.tab, place, place.clicked)? else {
            return Ok(Err("it is not in sight".to_owned()));
        };
        let path: Vec<WindowPoint> =
            places.iter().map(|(right, down)| seen.at_pixels(*right, *down)).collect();
        let (width, height) = self.tab.window()?;
        let is_seen = |point: &WindowPoint| {
            (0.0..width).contains(&point.x) && (0.0..height).contains(&point.y)
        };
        let Some(first) = path.first().copied().filter(|_| path.iter().all(is_seen)) else {
            let size = seen.size();
            return Ok(Err(format!(
                "not all of the path is in sight (the control has {size}): nothing was drawn"
            )));
        };
        let (_, name) = self.pressed_at(place.session, first)?;
        if let Some(name) = name {
            return Ok(Err(format!("the path begins on '{name}': name that control, which asks")));
        }
        mouse::drag(self.tab, &path)?;
        Ok(Ok(()))
    }

    /// Returns the number of the control at a place, and its name if a word in it warns. A mouse
    /// that is pressed and released there may click it.
    pub(super) fn pressed_at(
        &mut self,
        session: usize,
        point: WindowPoint,
    ) -> Result<(Option<usize>, Option<String>), BrowserError> {
        let hit = mouse::node_at(self.tab, point)?;
        // The browser names nodes of the frame, or of the page around it.
        let sessions = [session, 0].into_iter();
        let number = hit.and_then(|hit| {
            sessions.into_iter().find_map(|session| self.page.control_around((session, hit)))
        });
        Ok((number, number.and_then(|number| self.warned(number))))
    }
}
