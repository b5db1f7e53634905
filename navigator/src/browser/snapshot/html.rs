//! The HTML of a page without scripts, styles and hidden text. A control is a mark:
//! `⟦5 button "Save"⟧`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::control::{ControlRole, ControlState, PageControl};
use super::controls::FoundControls;
use super::dom::{Dom, DomNode, NodeKind};
use super::facts::ScreenFacts;
use super::forms::forms_of;
use super::layout::Layout;
use super::names::{Names, plain, unmarked};
use super::roles::is_menu;
use crate::shared::{cut_trimmed, n_of};

/// The most options that a mark names.
const MAX_OPTIONS: usize = 8;
/// The highest part of a row that is on one line with its neighbours, in pixels.
const MAX_LINE: f64 = 60.0;
/// The longest name of a dialog, in characters.
const MAX_DIALOG: usize = 80;

/// The text of a page, and the facts beside it.
pub(super) struct MarkedPage {
    pub(super) html: String,
    pub(super) facts: ScreenFacts,
}

/// Writes a page.
pub(super) fn html_of(dom: &Dom<'_>, layout: &Layout<'_>, found: FoundControls) -> MarkedPage {
    let names = Names::of(dom, layout);
    let numbers: BTreeMap<usize, usize> =
        found.controls.iter().zip(1..).map(|((node, _), number)| (*node, number)).collect();
    let (said, flat) = (said_labels(&found, &names), flat_controls(dom, &found));
    let facts = ScreenFacts {
        forms: forms_of(dom, &names, &found.controls),
        controls: found.controls.into_iter().map(|(_, control)| control).collect(),
        n_hidden_controls: found.n_hidden,
        goes_on_below: goes_on_below(dom, layout),
        ..ScreenFacts::default()
    };
    let mut writer = Writer {
        dom,
        layout,
        names: &names,
        atoms: found.atoms,
        numbers,
        said,
        flat,
        html: String::new(),
        facts,
        heading: None,
        n_unread_frames: 0,
    };
    writer.page();
    MarkedPage { html: writer.html, facts: writer.facts }
}

/// Reports whether text lies below the window, or below what is in sight of a box that scrolls.
fn goes_on_below(dom: &Dom<'_>, layout: &Layout<'_>) -> bool {
    let bottom = dom.viewport.bottom;
    let is_below = |node: usize| {
        let one = &dom.nodes[node];
        let drawn = one.drawn.as_ref().filter(|_| matches!(one.kind, NodeKind::Text(_)));
        drawn.is_some_and(|drawn| drawn.area.top >= bottom) && layout.is_shown(node)
    };
    (0..dom.nodes.len()).any(is_below)
}

struct Writer<'d> {
    dom: &'d Dom<'d>,
    layout: &'d Layout<'d>,
    names: &'d Names<'d>,
    /// The controls whose text is said by their name alone.
    atoms: BTreeSet<usize>,
    /// The numbers of controls, by their nodes.
    numbers: BTreeMap<usize, usize>,
    html: String,
    facts: ScreenFacts,
    /// The labels that marks say.
    said: BTreeSet<usize>,
    /// The controls with others in them whose marks say their text.
    flat: BTreeSet<usize>,
    /// The last heading.
    heading: Option<String>,
    n_unread_frames: usize,
}

impl Writer<'_> {
    fn page(&mut self) {
        let root = self.dom.children(0).find(|node| self.dom.nodes[*node].tag() == "html");
        let language = root.and_then(|root| self.dom.nodes[root].attribute("lang"));
        let language = language.map(|lang| format!(" lang=\"{}\"", escaped(lang)));
        let title = match self.dom.nodes.first().map(|node| &node.kind) {
            Some(NodeKind::Document(document)) => plain(&document.title),
            _ => String::new(),
        };
        self.html.push_str(&head(&language.unwrap_or_default(), &title));
        self.content();
        self.html.push_str(END);
        let n_frames = self.n_unread_frames;
        if n_frames > 0 {
            let frames = n_of(n_frames, "frame");
            self.facts.notes.push(format!("{frames} could not be read"));
        }
    }

    fn content(&mut self) {
        // What is not written, up to its end.
        let mut out: Option<usize> = None;
        for (node, is_begin) in self.dom.walk(0) {
            if let Some(outer) = out {
                out = (outer != node).then_some(outer);
                continue;
            }
            match &self.dom.nodes[node].kind {
                NodeKind::Text(text) if is_begin => self.text(node, text),
                NodeKind::Element(_) if is_begin => out = self.begin(node).then_some(node),
                NodeKind::Element(_) => {
                    let is_bare = self.flat.contains(&node) && !is_part(&self.dom.nodes[node]);
                    if !is_bare && !self.is_said_around(node) {
                        let (_, end) = self.tags(node);
                        self.html.push_str(end);
                    }
                }
                _ => {}
            }
        }
    }

    fn text(&mut self, node: usize, text: &str) {
        if self.layout.is_shown(node) {
            if !self.is_named_by(node) && !self.is_said_around(node) {
                self.html.push_str(&escaped(&unmarked(text)));
            }
        } else {
            let n_hidden = text.split_whitespace().map(|word| word.chars().count()).sum::<usize>();
            self.facts.n_hidden += n_hidden;
        }
    }

    /// Reports whether a text stands in a label that is the name of its control.
    fn is_named_by(&self, text: usize) -> bool {
        let label = self.dom.around(text).find(|one| self.dom.nodes[*one].tag() == "label");
        label.is_some_and(|label| self.said.contains(&label))
    }

    /// Begins an element. Returns whether what is in it is left out.
    fn begin(&mut self, node: usize) -> bool {
        let element = &self.dom.nodes[node];
        let tag = element.tag();
        if matches!(tag, "head" | "title" | "option" | "desc" | "metadata" | "datalist") {
            return true;
        }
        let is_whole = self.atoms.contains(&node);
        if let Some(number) = self.numbers.get(&node).copied() {
            self.mark(node, number, is_whole);
            if is_whole {
                return true;
            }
            if is_part(element) || self.flat.contains(&node) {
                return false;
            }
        } else if matches!(tag, "select" | "textarea" | "input") {
            return true;
        }
        if is_heading(element) && self.layout.is_shown(node) {
            let words = self.names.text(node);
            self.heading = Some(words).filter(|words| !words.is_empty()).or(self.heading.take());
        }
        if is_dialog(element) && self.layout.is_shown(node) {
            let name = self.dialog(node);
            let _ = write!(self.html, "<h2>Dialog: {}</h2>", escaped(&name));
            self.heading = Some(format!("Dialog: {name}"));
            self.facts.dialogs.push(name);
        }
        if matches!(tag, "iframe" | "frame") && self.dom.children(node).next().is_none() {
            self.n_unread_frames += usize::from(self.layout.is_shown(node));
        }
        if tag == "img" && self.layout.is_shown(node) {
            let alt = plain(element.attribute("alt").unwrap_or_default());
            if !alt.is_empty() {
                let _ = write!(self.html, "<img alt=\"{}\">", escaped(&alt));
            }
        }
        if !self.is_said_around(node) {
            let (begin, _) = self.tags(node);
            self.html.push_str(&begin);
        }
        false
    }

    fn mark(&mut self, node: usize, number: usize, is_whole: bool) {
        let control = &mut self.facts.controls[number - 1];
        control.under = self.heading.clone();
        let mark = mark_of(number, control, is_whole || self.flat.contains(&node));
        let mark = match &control.target {
            Some(target) if is_whole => {
                format!("<a href=\"{}\">{}</a>", escaped(target), escaped(&mark))
            }
            _ => escaped(&mark),
        };
        // A row of a table and an item of a list have their marks inside.
        let is_part = is_part(&self.dom.nodes[node]);
        let (begin, end) = if is_part { self.tags(node) } else { Default::default() };
        let end = if is_whole { end } else { "" };
        let _ = write!(self.html, "{begin} {mark} {end}");
    }

    /// Reports whether a node stands in a control whose mark says its text.
    fn is_said_around(&self, node: usize) -> bool {
        self.dom.around(node).skip(1).any(|one| self.flat.contains(&one))
    }

    fn dialog(&self, node: usize) -> String {
        let element = &self.dom.nodes[node];
        let of_heading = || {
            let mut inside = self.dom.inside(node);
            let heading = inside.find(|one| is_heading(&self.dom.nodes[*one]));
            heading.map(|heading| self.names.text(heading)).unwrap_or_default()
        };
        let sources: [&dyn Fn() -> String; 4] = [
            &|| self.names.referred(node, "aria-labelledby"),
            &|| plain(element.attribute("aria-label").unwrap_or_default()),
            &of_heading,
            &|| self.names.text(node),
        ];
        let name = sources.iter().map(|source| source()).find(|name| !name.is_empty());
        cut_trimmed(&name.unwrap_or_default(), MAX_DIALOG).into_owned()
    }

    /// Returns the tags that an element is written with.
    fn tags(&self, node: usize) -> (String, &'static str) {
        let element = &self.dom.nodes[node];
        let Some(drawn) = &element.drawn else { return Default::default() };
        if is_heading(element) {
            let level = match element.tag().as_bytes() {
                [b'h', level @ b'1'..=b'6'] => level - b'0',
                _ => element.attribute("aria-level").and_then(|n| n.parse().ok()).unwrap_or(2),
            };
            let (begin, end) = HEADINGS[usize::from(level.clamp(1, 6)) - 1];
            return (begin.to_owned(), end);
        }
        if is_menu(element) {
            return ("<nav>".to_owned(), "</nav>");
        }
        if let Some((_, end)) = KEPT.iter().find(|(tag, _)| *tag == element.tag()) {
            return (format!("<{}>", element.tag()), end);
        }
        let display = drawn.style("display");
        if display == "inline" || display == "contents" || display.is_empty() {
            return Default::default();
        }
        let around = element.parent.map(|parent| &self.dom.nodes[parent]);
        let is_in_row = around.is_some_and(|around| {
            let display = around.style("display");
            let is_row =
                display.ends_with("flex") && around.style("flex-direction").starts_with("row");
            is_row || display.ends_with("grid")
        });
        if display.starts_with("inline") || is_in_row && drawn.area.height() <= MAX_LINE {
            return (" ".to_owned(), " ");
        }
        ("<div>".to_owned(), "</div>")
    }
}

/// The end of the HTML of a page.
const END: &str = "</body></html>\n";

/// Returns the beginning of the HTML of a page.
fn head(attributes: &str, title: &str) -> String {
    format!(
        "<!doctype html>\n<html{attributes}><head><meta charset=\"utf-8\"><title>{}</title>\
         </head>\n<body>",
        escaped(title)
    )
}

/// Returns the HTML of a page without content.
pub(super) fn empty_html(title: &str) -> String {
    head("", title) + END
}

/// Returns the labels that are the names of their controls.
fn said_labels(found: &FoundControls, names: &Names<'_>) -> BTreeSet<usize> {
    let of_control = |(node, control): &(usize, PageControl)| {
        let label = names.label(*node)?;
        (names.text(label) == control.name).then_some(label)
    };
    found.controls.iter().filter_map(of_control).collect()
}

/// Returns the controls with others in them whose names say all of their text.
fn flat_controls(dom: &Dom<'_>, found: &FoundControls) -> BTreeSet<usize> {
    let is_flat = |(node, control): &&(usize, PageControl)| {
        let is_list = matches!(dom.nodes[*node].tag(), "tr" | "ul" | "ol" | "table");
        !is_list
            && !found.atoms.contains(node)
            && !control.name.ends_with('…')
            && control.role != ControlRole::TreeItem
    };
    found.controls.iter().filter(is_flat).map(|(node, _)| *node).collect()
}

/// The tags of headings, by their levels.
const HEADINGS: [(&str, &str); 6] = [
    ("<h1>", "</h1>"),
    ("<h2>", "</h2>"),
    ("<h3>", "</h3>"),
    ("<h4>", "</h4>"),
    ("<h5>", "</h5>"),
    ("<h6>", "</h6>"),
];
/// Elements that are written as they are, with their ends.
const KEPT: [(&str, &str); 20] = [
    ("p", "</p>"),
    ("ul", "</ul>"),
    ("ol", "</ol>"),
    ("li", "</li>"),
    ("table", "</table>"),
    ("thead", "</thead>"),
    ("tbody", "</tbody>"),
    ("tfoot", "</tfoot>"),
    ("tr", "</tr>"),
    ("td", "</td>"),
    ("th", "</th>"),
    ("caption", "</caption>"),
    ("pre", "</pre>"),
    ("code", "</code>"),
    ("blockquote", "</blockquote>"),
    ("dl", "</dl>"),
    ("dt", "</dt>"),
    ("dd", "</dd>"),
    ("br", ""),
    ("hr", ""),
];

fn is_part(element: &DomNode<'_>) -> bool {
    matches!(element.tag(), "td" | "th" | "li" | "tr" | "dt" | "dd")
}

fn is_heading(element: &DomNode<'_>) -> bool {
    let is_tag = matches!(element.tag(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
    is_tag || element.attribute("role") == Some("heading")
}

fn is_dialog(element: &DomNode<'_>) -> bool {
    let role = element.attribute("role").unwrap_or_default();
    element.tag() == "dialog" || matches!(role, "dialog" | "alertdialog")
}

/// Returns the mark of a control: its number, role, name, value, states and options. The text of
/// one that holds others follows it.
fn mark_of(number: usize, control: &PageControl, is_named: bool) -> String {
    let mut mark = format!("⟦{number} {}", control.role.as_str());
    if is_named && !control.name.is_empty() {
        let _ = write!(mark, " \"{}\"", control.name);
    }
    if let Some(value) = &control.value {
        let _ = write!(mark, " = \"{value}\"");
    }
    if control.role == ControlRole::Select {
        let names = control.options.iter().take(MAX_OPTIONS);
        let names: Vec<String> = names.map(|option| format!("\"{}\"", option.name)).collect();
        let n_more = control.options.len() - names.len();
        let more = if n_more > 0 { format!(" and {n_more} more") } else { String::new() };
        let _ = write!(mark, " of {}{more}", names.join(", "));
    }
    // One that is off screen is scrolled to before it is used.
    for state in control.states.iter().filter(|state| **state != ControlState::OffScreen) {
        let _ = write!(mark, ", {}", state.as_str());
    }
    mark.push('⟧');
    mark
}

/// Writes a text so that it is no HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
