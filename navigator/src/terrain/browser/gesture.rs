//! What is done to a control: it is scrolled to, what lies over it is said, and it gets the input
//! events that a person's hand would make.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::keys;
use super::live::{CALL, LiveTab};
use super::mouse::{self, WindowPoint};
use super::news::MAX_NAME;
use super::secret_field;
use super::warnings::{warned_control, warned_of_key};
use crate::browser::error::BrowserError;
use crate::browser::secrets::store::SecretStore;
use crate::browser::snapshot::{ControlPlace, ControlRole, ControlState, PageControl, ScreenPage};
use crate::placeholder::names_in;
use crate::run::text::one_line;
use crate::shared::Sanitized;
use crate::walk::action::{ControlOperation, ScrollTo};
use crate::walk::words::WarningWords;

/// The bit of the control key among those that are held.
const CONTROL: u32 = 2;
/// The most keys that a slider or a list takes.
const MAX_KEYS: i64 = 1_000;
/// How far the wheel turns for a page, as a share of the window.
const PAGE: f64 = 0.8;
/// How far the wheel turns to the end, in pixels.
const TO_END: f64 = 1e6;
/// Where a control is tried, in shares of its width and height: a corner may be free.
const SPOTS: [(f64, f64); 5] = [(0.5, 0.5), (0.2, 0.3), (0.8, 0.3), (0.2, 0.7), (0.8, 0.7)];

/// A failure of the browser, or a sentence that says why nothing was done.
pub(super) type GestureResult = Result<Result<(), String>, BrowserError>;

/// The hands on a page as it was seen last.
pub(super) struct Hands<'p> {
    pub(super) tab: &'p mut LiveTab,
    pub(super) page: &'p ScreenPage,
    /// The files that the person named.
    pub(super) files: &'p [PathBuf],
    /// The words that warn; `None` if the person was asked about this step already.
    pub(super) words: Option<&'p WarningWords>,
    pub(super) secrets: &'p SecretStore,
}

impl Hands<'_> {
    /// Clicks a control.
    pub(super) fn click(&mut self, number: usize) -> GestureResult {
        let Some((place, _)) = self.control(number) else { return no_control() };
        self.clicked_then(place, |_| Ok(Ok(())))
    }

    /// Operates a control; 0 is the page.
    pub(super) fn operate(&mut self, number: usize, operation: &ControlOperation) -> GestureResult {
        if number == 0 {
            return self.operate_page(operation);
        }
        let Some((place, control)) = self.control(number) else { return no_control() };
        if let ControlOperation::Upload { file } = operation {
            return self.upload(place, file);
        }
        if let ControlOperation::SelectText { text } = operation {
            return self.select_text(Some(place), text);
        }
        if let ControlOperation::Press { keys } = operation {
            let focus = json!({ "backendNodeId": place.node });
            let focused = self.tab.session(place.session).call("DOM.focus", focus, CALL);
            let words = self.words;
            if focused.is_err() {
                return self.clicked_then(place, |tab| press(tab, words, keys));
            }
            return press(self.tab, words, keys);
        }
        let point = match self.free_point(place)? {
            Ok(point) => point,
            Err(why) => return Ok(Err(why)),
        };
        match operation {
            ControlOperation::ClickAt { right, down } => {
                return self.click_at(place, (*right, *down));
            }
            ControlOperation::DoubleClick => mouse::click(self.tab, point, "left", 2, 0)?,
            ControlOperation::RightClick => mouse::click(self.tab, point, "right", 1, 0)?,
            ControlOperation::Hover => mouse::hover(self.tab, point)?,
            ControlOperation::Fill { text } => return self.fill(point, place, control, text),
            ControlOperation::Select { options } => {
                return self.select(point, place, control, options);
            }
            ControlOperation::Check { on } => {
                if control.is(ControlState::Checked) != *on {
                    mouse::click(self.tab, point, "left", 1, 0)?;
                }
            }
            ControlOperation::Drag { to } => return self.drag(point, place, to),
            ControlOperation::Scroll { to } => mouse::wheel(self.tab, point, self.turn(*to)?)?,
            ControlOperation::Press { .. }
            | ControlOperation::Upload { .. }
            | ControlOperation::SelectText { .. }
            | ControlOperation::Dialog { .. }
            | ControlOperation::Wait { .. } => {}
        }
        Ok(Ok(()))
    }

    fn operate_page(&mut self, operation: &ControlOperation) -> GestureResult {
        match operation {
            ControlOperation::Press { keys } => press(self.tab, self.words, keys),
            ControlOperation::SelectText { text } => self.select_text(None, text),
            ControlOperation::Scroll { to } => {
                let (width, height) = self.tab.window()?;
                let middle = WindowPoint { x: width / 2.0, y: height / 2.0 };
                let turn = self.turn(*to)?;
                mouse::wheel(self.tab, middle, turn)?;
                Ok(Ok(()))
            }
            _ => no_control(),
        }
    }

    pub(super) fn control(&self, number: usize) -> Option<(ControlPlace, PageControl)> {
        let at = number.checked_sub(1)?;
        Some((*self.page.places.get(at)?, self.page.facts.controls.get(at)?.clone()))
    }

    /// Scrolls to a control, and returns a place of it that nothing lies over; else a sentence.
    fn free_point(
        &mut self,
        place: ControlPlace,
    ) -> Result<Result<WindowPoint, String>, BrowserError> {
        let Some(seen) = mouse::scrolled_to(self.tab, place, place.clicked)? else {
            return Ok(Err("it is not in sight, and cannot be scrolled to".to_owned()));
        };
        let (mut over, mut inside) = (None, None);
        for (across, down) in SPOTS {
            let point = seen.at(across, down);
            let Some(hit) = mouse::node_at(self.tab, point)? else { return Ok(Ok(point)) };
            if let Some(number) = self.control_inside(place, hit) {
                inside = inside.or(Some((point, number)));
                continue;
            }
            let takes = match self.takes(place, hit) {
                Some(takes) => takes,
                // The page has changed since: it is clicked where it is.
                None => !self.is_backdrop(hit)?,
            };
            if takes {
                return Ok(Ok(point));
            }
            over = over.or(Some(hit));
        }
        if let Some((point, number)) = inside {
            return Ok(self.warned(number).map_or(Ok(point), |name| {
                Err(format!(
                    "the click would land on '{name}' inside it: name that control, which asks"
                ))
            }));
        }
        let cover = over.and_then(|hit| self.name_of_cover(hit));
        let cover = cover.map_or_else(|| "something else".to_owned(), |name| format!("'{name}'"));
        Ok(Err(format!("it is covered by {cover}: that has to go first")))
    }

    fn control_inside(&self, place: ControlPlace, hit: i64) -> Option<usize> {
        let inside = |session| self.page.control_inside(place, (session, hit));
        [place.session, 0].into_iter().find_map(inside)
    }

    /// Returns the name of a control if a word in it warns that the person was not asked about.
    pub(super) fn warned(&self, number: usize) -> Option<String> {
        let name = warned_control(self.page, self.words?, number)?;
        Some(one_line(name, MAX_NAME))
    }

    /// Reports whether a node takes the clicks of a control; `None` if the page was not seen with
    /// it. The browser names nodes of the frame, or of the page around it.
    fn takes(&self, place: ControlPlace, hit: i64) -> Option<bool> {
        let sessions = [place.session, 0];
        let takes = sessions.map(|session| self.page.takes_clicks(place, (session, hit)));
        takes.into_iter().flatten().max()
    }

    /// Reports whether a node is what lies under a modal dialog. Snapshots do not have it.
    fn is_backdrop(&self, node: i64) -> Result<bool, BrowserError> {
        let described = json!({ "backendNodeId": node });
        match self.tab.call("DOM.describeNode", described) {
            Ok(answer) => Ok(answer["node"]["pseudoType"] == "backdrop"),
            Err(error) if error.is_of_browser() => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn name_of_cover(&self, hit: i64) -> Option<String> {
        let around = self.page.control_around((0, hit));
        let control = around.and_then(|number| self.page.facts.controls.get(number - 1));
        control
            .map(|control| control.name.clone())
            .or_else(|| self.page.facts.dialogs.last().cloned())
    }

    fn clicked_then(
        &mut self,
        place: ControlPlace,
        then: impl FnOnce(&mut LiveTab) -> GestureResult,
    ) -> GestureResult {
        match self.free_point(place)? {
            Ok(point) => {
                mouse::click(self.tab, point, "left", 1, 0)?;
                then(self.tab)
            }
            Err(why) => Ok(Err(why)),
        }
    }

    /// Writes a text in the place of what is there.
    fn fill(
        &mut self,
        point: WindowPoint,
        place: ControlPlace,
        control: PageControl,
        text: &str,
    ) -> GestureResult {
        if !names_in(text).is_empty() {
            mouse::click(self.tab, point, "left", 1, 0)?;
            return secret_field::fill(self.tab, place, text, self.secrets);
        }
        if control.role == ControlRole::Slider {
            return self.slide(point, place, text);
        }
        let node = self.node(place)?;
        let attributes = attributes_of(&node);
        let kind = attribute(&attributes, "type").unwrap_or_default().to_ascii_lowercase();
        // In a field of one line a line break sends the form.
        let text = match node["nodeName"] == "INPUT" {
            true => &text.replace(['\r', '\n'], " "),
            false => text,
        };
        if let Some(typed) = typed_date(&kind, text) {
            let focus = json!({ "backendNodeId": place.node });
            self.tab.session(place.session).call("DOM.focus", focus, CALL)?;
            return typed.map_or_else(
                |why| Ok(Err(why)),
                |typed| {
                    keys::write(self.tab, &typed)?;
                    Ok(Ok(()))
                },
            );
        }
        // The middle of a narrow field for numbers is one of its buttons.
        let focus = json!({ "backendNodeId": place.node });
        let session = self.tab.session(place.session);
        if kind != "number" || session.call("DOM.focus", focus, CALL).is_err() {
            mouse::click(self.tab, point, "left", 1, 0)?;
        }
        let is_filled = control.value.is_some() || control.is(ControlState::Filled);
        if is_filled && let Err(why) = keys::press(self.tab, "Control+a Backspace")? {
            return Ok(Err(why));
        }
        keys::write(self.tab, text)?;
        Ok(Ok(()))
    }

    /// Moves a slider to a value, key by key.
    fn slide(&mut self, point: WindowPoint, place: ControlPlace, text: &str) -> GestureResult {
        let Ok(wanted) = text.trim().parse::<f64>() else {
            return Ok(Err(format!("a slider takes a number, and `{text}` is none")));
        };
        let attributes = attributes_of(&self.node(place)?);
        let number = |name: &str, default: f64| {
            attribute(&attributes, name).and_then(|text| text.parse().ok()).unwrap_or(default)
        };
        let (least, step) = (number("min", 0.0), number("step", 1.0).max(f64::MIN_POSITIVE));
        let n_keys = ((wanted - least) / step).round() as i64;
        if !(0..=MAX_KEYS).contains(&n_keys) {
            return Ok(Err(format!("the slider does not reach `{text}`")));
        }
        let focus = json!({ "backendNodeId": place.node });
        if self.tab.session(place.session).call("DOM.focus", focus, CALL).is_err() {
            mouse::click(self.tab, point, "left", 1, 0)?;
        }
        let keys = format!("Home{}", " ArrowRight".repeat(usize::try_from(n_keys).unwrap_or(0)));
        keys::press(self.tab, &keys)
    }

    /// Chooses options of a list.
    fn select(
        &mut self,
        point: WindowPoint,
        place: ControlPlace,
        control: PageControl,
        options: &[String],
    ) -> GestureResult {
        let position = |name: &String| control.options.iter().position(|one| one.name == *name);
        let wanted: Vec<usize> = options.iter().filter_map(position).collect();
        if wanted.len() != options.len() || wanted.is_empty() {
            return Ok(Err("the list has no such option".to_owned()));
        }
        if let Some(first) = wanted.iter().find(|at| control.options[**at].is_disabled) {
            return Ok(Err(format!("the option '{}' is disabled", control.options[*first].name)));
        }
        let attributes = attributes_of(&self.node(place)?);
        let rows = attribute(&attributes, "size").and_then(|rows| rows.parse().ok()).unwrap_or(1);
        let is_open = control.is(ControlState::Multiple) || rows > 1;
        if is_open {
            return self.select_in_sight(place, &wanted);
        }
        // The list opens, and its keys go over the options that can be chosen.
        let enabled: Vec<usize> =
            (0..control.options.len()).filter(|at| !control.options[*at].is_disabled).collect();
        let now = control.options.iter().position(|option| option.is_selected).unwrap_or(0);
        let rank = |at: usize| enabled.iter().position(|one| *one >= at).unwrap_or(0) as i64;
        let n_keys = rank(wanted[0]) - rank(now);
        let key = if n_keys < 0 { " ArrowUp" } else { " ArrowDown" };
        let n_keys = usize::try_from(n_keys.abs().min(MAX_KEYS)).unwrap_or(0);
        mouse::click(self.tab, point, "left", 1, 0)?;
        keys::press(self.tab, &format!("{} Enter", key.repeat(n_keys)))
    }

    /// Clicks options of a list that shows them.
    fn select_in_sight(&mut self, place: ControlPlace, wanted: &[usize]) -> GestureResult {
        let nodes = self.option_nodes(place)?;
        for (n, at) in wanted.iter().enumerate() {
            let Some(node) = nodes.get(*at) else { return no_control() };
            let Some(seen) = mouse::scrolled_to(self.tab, place, *node)? else {
                return Ok(Err("the option is not in sight".to_owned()));
            };
            let held = if n == 0 { 0 } else { CONTROL };
            mouse::click(self.tab, seen.at(0.5, 0.5), "left", 1, held)?;
        }
        Ok(Ok(()))
    }

    /// Returns the nodes of the options of a list, in their order.
    fn option_nodes(&self, place: ControlPlace) -> Result<Vec<i64>, BrowserError> {
        let params = json!({ "backendNodeId": place.node, "depth": -1 });
        let answer = self.tab.session(place.session).call("DOM.describeNode", params, CALL)?;
        let mut todo = vec![&answer["node"]];
        let mut nodes = Vec::new();
        while let Some(node) = todo.pop() {
            if node["nodeName"] == "OPTION" {
                nodes.extend(node["backendNodeId"].as_i64());
            }
            let children = node["children"].as_array().map(Vec::as_slice).unwrap_or_default();
            todo.extend(children.iter().rev());
        }
        Ok(nodes)
    }

    /// Clicks a place of a control, in pixels from its left upper corner.
    fn click_at(&mut self, place: ControlPlace, (right, down): (i32, i32)) -> GestureResult {
        let Some(seen) = mouse::scrolled_to(self.tab, place, place.clicked)? else {
            return Ok(Err("it is not in sight".to_owned()));
        };
        let point = seen.at_pixels(right, down);
        if !seen.has(point) {
            let size = seen.size();
            return Ok(Err(format!("the place is outside of it ({size}): nothing was clicked")));
        }
        if let (_, Some(name)) = self.pressed_at(place.session, point)? {
            return Ok(Err(format!("the place is on '{name}': name that control, which asks")));
        }
        mouse::click(self.tab, point, "left", 1, 0)?;
        Ok(Ok(()))
    }

    fn upload(&mut self, place: ControlPlace, file: &str) -> GestureResult {
        let is_it = |one: &&PathBuf| {
            one.as_os_str() == file || one.file_name().is_some_and(|name| name == file)
        };
        let Some(path) = self.files.iter().find(is_it) else {
            return Ok(Err(format!("the person named no file `{file}`")));
        };
        let params = json!({ "backendNodeId": place.node, "files": [path] });
        self.tab.session(place.session).call("DOM.setFileInputFiles", params, CALL)?;
        Ok(Ok(()))
    }

    /// Returns the element of a control, as the browser describes it.
    fn node(&self, place: ControlPlace) -> Result<Value, BrowserError> {
        let params = json!({ "backendNodeId": place.node });
        let mut answer = self.tab.session(place.session).call("DOM.describeNode", params, CALL)?;
        Ok(answer["node"].take())
    }

    fn turn(&self, to: ScrollTo) -> Result<f64, BrowserError> {
        let (_, height) = self.tab.window()?;
        Ok(match to {
            ScrollTo::Up => -PAGE * height,
            ScrollTo::Down => PAGE * height,
            ScrollTo::Top => -TO_END,
            ScrollTo::Bottom => TO_END,
        })
    }
}

/// Presses keys, but for those that would press what warns.
pub(super) fn press(tab: &mut LiveTab, words: Option<&WarningWords>, keys: &str) -> GestureResult {
    keys::press_each(tab, keys, |tab, key| {
        let Some(words) = words else { return Ok(Ok(())) };
        Ok(warned_of_key(tab, key, words)?.and_then(|warned| match warned {
            None => Ok(()),
            Some(name) => Err(format!(
                "the key would press '{}': press that by its number, which asks",
                one_line(Sanitized::line(&name).as_ref(), MAX_NAME)
            )),
        }))
    })
}

pub(super) fn no_control() -> GestureResult {
    Ok(Err("there is no such control".to_owned()))
}

/// Returns names and values of the attributes of an element, in turns.
fn attributes_of(node: &Value) -> Vec<String> {
    let attributes = node["attributes"].as_array().cloned().unwrap_or_default();
    attributes.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
}

fn attribute<'a>(attributes: &'a [String], name: &str) -> Option<&'a str> {
    let mut pairs = attributes.chunks_exact(2);
    pairs.find(|pair| pair[0] == name).map(|pair| pair[1].as_str())
}

/// Returns what is typed into a field for a date or a time; `None` for other fields. The error
/// says how it is written.
fn typed_date(kind: &str, text: &str) -> Option<Result<String, String>> {
    let numbers: Vec<&str> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
    let half = if text.to_ascii_lowercase().contains("pm") { "PM" } else { "AM" };
    let date = |numbers: &[&str]| match numbers {
        [year, month, day] if year.len() == 4 => Some(format!("{month:0>2}{day:0>2}{year}")),
        [month, day, year] if year.len() == 4 => Some(format!("{month:0>2}{day:0>2}{year}")),
        _ => None,
    };
    let time = |numbers: &[&str]| match numbers {
        [hour, minute, ..] => {
            let hour: u32 = hour.parse().ok().filter(|hour| *hour < 24)?;
            let is_late = hour > 12 || hour == 12 && !text.to_ascii_lowercase().contains("am");
            let half = if is_late { "PM" } else { half };
            let hour = if hour.is_multiple_of(12) { 12 } else { hour % 12 };
            Some(format!("{hour:02}{minute:0>2}{half}"))
        }
        _ => None,
    };
    let (typed, form) = match kind {
        "date" => (date(&numbers), "2016-12-31"),
        "time" => (time(&numbers), "20:05"),
        "datetime-local" => {
            let both = numbers.get(..3).and_then(date).zip(numbers.get(3..).and_then(time));
            (both.map(|(date, time)| format!("{date}\t{time}")), "2016-12-31 20:05")
        }
        _ => return None,
    };
    Some(typed.ok_or_else(|| format!("the field takes the form {form}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_are_typed_as_the_fields_take_them() {
        let typed = |kind: &str, text: &str| typed_date(kind, text).unwrap();
        assert_eq!(typed("date", "2016-12-06").as_deref(), Ok("12062016"));
        assert_eq!(typed("date", "3/5/2016").as_deref(), Ok("03052016"));
        assert_eq!(typed("time", "8:04 PM").as_deref(), Ok("0804PM"));
        assert_eq!(typed("time", "20:04").as_deref(), Ok("0804PM"));
        assert_eq!(typed("time", "0:30").as_deref(), Ok("1230AM"));
        assert!(typed("date", "tomorrow").is_err());
        assert_eq!(typed_date("text", "x"), None);
    }
}
