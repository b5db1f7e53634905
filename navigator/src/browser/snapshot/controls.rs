//! The controls of a page: what a person can click, write into, choose or drag.

use std::collections::{BTreeMap, BTreeSet};

use super::control::{ControlOption, ControlPlace, ControlRole, ControlState, PageControl};
use super::dom::{Area, Dom, DomNode, NodeKind};
use super::forms::{form_of, sends_form};
use super::layout::Layout;
use super::names::{Names, plain};
use super::roles::{ElementRole, is_menu, role_of, takes_clicks};
use super::rows::tell_apart;
use crate::shared::cut_trimmed;

/// The longest text of something that is one control, in characters.
const MAX_TEXT: usize = 300;
/// The most parts of a list or a picture with one listener that are controls.
const MAX_PARTS: usize = 400;
/// The smallest side of a picture whose parts are controls, in pixels.
const LEAST_DRAWING: f64 = 60.0;
/// The longest value that is shown, in characters.
const MAX_VALUE: usize = 200;
/// The longest value of an attribute that is kept, in bytes.
const MAX_ATTRIBUTE: usize = 500;
/// The attributes that say what a field takes.
const ATTRIBUTES: [&str; 8] =
    ["accept", "max", "maxlength", "min", "minlength", "pattern", "placeholder", "step"];

/// The attributes that make a link more than its address: scripts, and what scripts of frameworks
/// send in the place of it (Rails, Turbo, htmx, Laravel).
const HANDLERS: [&str; 15] = [
    "data-action",
    "data-confirm",
    "data-href",
    "data-method",
    "data-remote",
    "data-turbo-confirm",
    "data-turbo-method",
    "hx-delete",
    "hx-get",
    "hx-patch",
    "hx-post",
    "hx-put",
    "onclick",
    "onmousedown",
    "ping",
];

/// The controls of a page.
#[derive(Debug)]
pub(super) struct FoundControls {
    /// The controls by their nodes, in the order of the page.
    pub(super) controls: Vec<(usize, PageControl)>,
    /// The controls whose text is said by their name alone.
    pub(super) atoms: BTreeSet<usize>,
    /// The number of controls that nobody sees.
    pub(super) n_hidden: usize,
    pub(super) places: Vec<ControlPlace>,
}

/// Finds the controls of a page.
pub(super) fn controls_of(dom: &Dom<'_>, layout: &Layout<'_>) -> FoundControls {
    let names = Names::of(dom, layout);
    let mut search = Search {
        dom,
        layout,
        names: &names,
        roles: vec![None; dom.nodes.len()],
        hidden: 0,
        in_control: vec![false; dom.nodes.len()],
    };
    search.declared();
    search.custom();
    let Search { roles, hidden, .. } = search;
    let is_control = |node: usize| roles[node].is_some();
    let mut found = FoundControls {
        controls: Vec::new(),
        atoms: BTreeSet::new(),
        n_hidden: hidden,
        places: Vec::new(),
    };
    for node in dom.inside(0) {
        let Some(role) = roles[node] else { continue };
        let label = names.label(node).filter(|label| layout.is_shown(*label));
        let inner = dom.inside(node).skip(1);
        let is_outer = inner.into_iter().any(is_control);
        let is_atom = !is_outer && role != ControlRole::TreeItem;
        let clicked = if layout.is_shown(node) && !layout.visible(node).is_empty() {
            node
        } else {
            label.unwrap_or(node)
        };
        let name = names.name(node, role, &is_control);
        let drawn_text = (role.is_pressed() && !is_outer)
            .then(|| cut_trimmed(&names.drawn(node), MAX_TEXT).into_owned());
        let control = PageControl {
            role,
            title: title_of(&dom.nodes[node]).filter(|title| *title != name),
            // A name that is its beginning may leave out the word that warns.
            drawn_text: drawn_text.filter(|text| !text.is_empty() && *text != name),
            asks_for: asked_by(dom, &names, node),
            name,
            value: value_of(dom, node, role),
            states: states_of(dom, layout, node, role, label),
            options: options_of(dom, node),
            attributes: attributes_of(&dom.nodes[node], role),
            target: target_of(dom, node),
            is_handled: is_handled(dom, node),
            under: None,
            beside: None,
            is_content: !dom.around(node).any(|one| is_menu(&dom.nodes[one])),
        };
        let (session, place) = dom.nodes[node].place;
        let number = |node: usize| dom.nodes[node].place.1;
        found.places.push(ControlPlace {
            session,
            node: place,
            clicked: number(clicked),
            label: label.map(number),
        });
        found.controls.push((node, control));
        if is_atom {
            found.atoms.insert(node);
        }
    }
    tell_apart(dom, &names, &mut found.controls, &is_control);
    found
}

struct Search<'d> {
    dom: &'d Dom<'d>,
    layout: &'d Layout<'d>,
    names: &'d Names<'d>,
    roles: Vec<Option<ControlRole>>,
    hidden: usize,
    /// Whether a node stands in a control whose inside is none.
    in_control: Vec<bool>,
}

impl Search<'_> {
    /// Finds elements that are controls by their names or their roles.
    fn declared(&mut self) {
        for node in 0..self.dom.nodes.len() {
            if let Some(parent) = self.dom.nodes[node].parent {
                let is_atom = self.roles[parent]
                    .is_some_and(|role| !matches!(role, ControlRole::TreeItem | ControlRole::Item));
                self.in_control[node] = self.in_control[parent] || is_atom;
            }
            let ElementRole::Control(role) = role_of(self.dom, node) else { continue };
            // The words of a tab or of a choice are often a link, which does the same.
            if role == ControlRole::Link && self.in_control[node] {
                continue;
            }
            // What is drawn under something else is its background.
            let is_background = role == ControlRole::Canvas && self.layout.is_covered(node, &[]);
            if !is_background && self.is_operable(node, role) {
                self.roles[node] = Some(role);
            } else {
                self.hidden += 1;
            }
        }
    }

    /// Reports whether a person can reach a control. Boxes to check and fields for files are often
    /// hidden behind their labels.
    fn is_operable(&self, node: usize, role: ControlRole) -> bool {
        let area = self.layout.visible(node);
        let has_size = |area: Area| area.width() >= 1.0 && area.height() >= 1.0;
        let is_seen = self.layout.is_shown(node) && (has_size(area) || self.is_scrolled_to(node));
        let is_behind =
            matches!(role, ControlRole::Checkbox | ControlRole::Radio | ControlRole::File);
        let label = self.names.label(node).filter(|_| is_behind);
        let drawn = &self.dom.nodes[node].drawn;
        let takes_none = self.dom.nodes[node].style("pointer-events") == "none";
        if takes_none && matches!(role, ControlRole::Canvas | ControlRole::Item) {
            return false;
        }
        is_seen
            || label.is_some_and(|label| self.layout.is_shown(label))
            || is_behind
                && drawn.as_ref().is_some_and(|drawn| has_size(drawn.area))
                && self.layout.is_drawn(node)
    }

    /// Reports whether a node is out of sight only because a box around it has to be scrolled.
    fn is_scrolled_to(&self, node: usize) -> bool {
        let drawn = &self.dom.nodes[node].drawn;
        self.layout.visible(node).is_empty()
            && drawn.as_ref().is_some_and(|drawn| !drawn.area.is_empty())
    }

    /// Finds elements that take clicks without being declared. Inner ones come first: a listener
    /// far out serves those within.
    fn custom(&mut self) {
        let n = self.dom.nodes.len();
        // What is in each node: controls, and characters of text outside of them.
        let mut n_controls = vec![0usize; n];
        let mut n_text = vec![0usize; n];
        for node in (0..n).rev() {
            if let NodeKind::Text(text) = &self.dom.nodes[node].kind
                && self.layout.is_shown(node)
            {
                n_text[node] = text.split_whitespace().map(|word| word.chars().count() + 1).sum();
            }
            let is_custom = self.roles[node].is_none()
                && !self.in_control[node]
                && role_of(self.dom, node) == ElementRole::Custom
                && (takes_clicks(self.dom, node) || self.is_drawing(node));
            if is_custom {
                n_controls[node] += self.take_custom(node, n_controls[node], n_text[node]);
            } else if self.roles[node].is_some() {
                n_controls[node] += 1;
            }
            if let Some(parent) = self.dom.nodes[node].parent {
                n_controls[parent] += n_controls[node];
                if self.roles[node].is_none() {
                    n_text[parent] += n_text[node];
                }
            }
        }
    }

    /// Reports whether a picture is large enough to be operated, and no icon.
    fn is_drawing(&self, node: usize) -> bool {
        let element = &self.dom.nodes[node];
        let area = element.drawn.as_ref().map(|drawn| drawn.area).unwrap_or_default();
        element.tag() == "svg" && area.width() >= LEAST_DRAWING && area.height() >= LEAST_DRAWING
    }

    /// Makes a control of an element that takes clicks, or of its parts. Returns how many.
    fn take_custom(&mut self, node: usize, n_inside: usize, n_text: usize) -> usize {
        let element = &self.dom.nodes[node];
        let tag = element.tag();
        let holds_many = matches!(
            tag,
            "ul" | "ol"
                | "menu"
                | "dl"
                | "table"
                | "tbody"
                | "thead"
                | "svg"
                | "g"
                | "form"
                | "main"
                | "section"
                | "nav"
                | "header"
                | "footer"
                | "article"
                | "fieldset"
        );
        if n_inside > 0 {
            let is_one = element.is_clickable
                && n_text > 0
                && n_text <= MAX_TEXT
                && !holds_many
                && self.is_operable(node, ControlRole::Item);
            if is_one {
                self.roles[node] = Some(ControlRole::Item);
            }
            return usize::from(is_one);
        }
        if holds_many {
            let parts = self.parts(node);
            if !parts.is_empty() {
                parts.iter().for_each(|part| self.roles[*part] = Some(ControlRole::Item));
                return parts.len();
            }
        }
        // A large element with much text is no control, but the place of a listener.
        if n_text > MAX_TEXT || !self.is_operable(node, ControlRole::Item) {
            return 0;
        }
        self.roles[node] = Some(ControlRole::Item);
        1
    }

    /// Returns the parts of a list, a table or a picture that one listener serves.
    fn parts(&self, node: usize) -> Vec<usize> {
        let wanted: &[&str] = match self.dom.nodes[node].tag() {
            "ul" | "ol" | "menu" => &["li"],
            "dl" => &["dt", "dd"],
            "table" | "tbody" | "thead" => &["td", "th"],
            "svg" | "g" => {
                &["circle", "ellipse", "rect", "polygon", "path", "text", "line", "image"]
            }
            _ => &[],
        };
        let inside = self.dom.inside(node).skip(1);
        let parts = inside.filter(|one| {
            wanted.contains(&self.dom.nodes[*one].tag())
                && self.is_operable(*one, ControlRole::Item)
        });
        parts.take(MAX_PARTS).collect()
    }
}

fn value_of(dom: &Dom<'_>, node: usize, role: ControlRole) -> Option<String> {
    let element = &dom.nodes[node];
    let is_secret =
        element.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("password"));
    if is_secret {
        return None;
    }
    let value = match role {
        ControlRole::Field | ControlRole::Combobox => match element.value {
            Some(value) => Some(value.to_owned()),
            None => Some(own_text(dom, node)).filter(|text| !text.is_empty()),
        },
        ControlRole::Slider => {
            element.value.or_else(|| element.attribute("aria-valuenow")).map(str::to_owned)
        }
        ControlRole::File => element.value.map(str::to_owned),
        ControlRole::Select => {
            let chosen: Vec<String> = options_of(dom, node)
                .into_iter()
                .filter(|option| option.is_selected)
                .map(|option| option.name)
                .collect();
            Some(chosen.join(", "))
        }
        _ => None,
    }?;
    let value = cut_trimmed(&plain(&value), MAX_VALUE).into_owned();
    (!value.is_empty()).then_some(value)
}

fn own_text(dom: &Dom<'_>, node: usize) -> String {
    let texts = dom.inside(node).filter_map(|one| match &dom.nodes[one].kind {
        NodeKind::Text(text) => Some(*text),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

fn options_of(dom: &Dom<'_>, node: usize) -> Vec<ControlOption> {
    if dom.nodes[node].tag() != "select" {
        return Vec::new();
    }
    let options = dom.inside(node).filter(|one| dom.nodes[*one].tag() == "option");
    let option = |one: usize| {
        let element = &dom.nodes[one];
        let label = element.attribute("label").filter(|label| !label.is_empty());
        ControlOption {
            name: label.map_or_else(|| plain(&own_text(dom, one)), plain),
            is_selected: element.is_selected,
            is_disabled: element.attribute("disabled").is_some(),
        }
    };
    options.map(option).collect()
}

/// Returns the attributes of a field that say what it takes, with its type.
fn attributes_of(element: &DomNode<'_>, role: ControlRole) -> BTreeMap<String, String> {
    let kind = match element.tag() {
        "input" => element.attribute("type").filter(|kind| !kind.is_empty()).unwrap_or("text"),
        tag @ ("select" | "textarea") => tag,
        _ => return BTreeMap::new(),
    };
    if role.is_pressed() {
        return BTreeMap::new();
    }
    let value = |name| element.attribute(name).filter(|value| value.len() <= MAX_ATTRIBUTE);
    let stated = ATTRIBUTES.into_iter().filter_map(|name| Some((name, value(name)?)));
    let all = stated.map(|(name, value)| (name.to_owned(), value.to_owned()));
    all.chain([("type".to_owned(), kind.to_ascii_lowercase())]).collect()
}

/// Returns the tooltip of an element.
fn title_of(element: &DomNode<'_>) -> Option<String> {
    let title = cut_trimmed(&plain(element.attribute("title")?), MAX_TEXT).into_owned();
    Some(title).filter(|title| !title.is_empty())
}

/// The address of a link, whatever role the page gives it.
fn target_of(dom: &Dom<'_>, node: usize) -> Option<String> {
    address(dom, node, dom.nodes[node].attribute("href")?)
}

/// The address that a button asks for with a GET, because it sends a form.
fn asked_by(dom: &Dom<'_>, names: &Names<'_>, node: usize) -> Option<String> {
    if !sends_form(&dom.nodes[node]) {
        return None;
    }
    let form = form_of(dom, names, node)?;
    let of = |of_button: &str, of_form: &str| {
        let own = dom.nodes[node].attribute(of_button);
        own.or_else(|| dom.nodes[form].attribute(of_form))
    };
    let method = of("formmethod", "method").unwrap_or_default();
    let is_get = !["post", "dialog"].iter().any(|other| method.eq_ignore_ascii_case(other));
    of("formaction", "action").filter(|_| is_get).and_then(|action| address(dom, node, action))
}

/// Reads an address of a page.
fn address(dom: &Dom<'_>, node: usize, text: &str) -> Option<String> {
    let NodeKind::Document(document) = &dom.nodes[dom.nodes[node].document].kind else {
        return None;
    };
    let base = document.base.as_ref()?;
    let target = base.join(text).ok()?;
    // No browser follows a link from the web to a file.
    let is_file = target.scheme() == "file" && base.scheme() == "file";
    (is_file || matches!(target.scheme(), "http" | "https")).then(|| target.to_string())
}

/// Reports whether attributes of a link say that a press of it does more than open its address, as
/// pages and their frameworks write it.
fn is_handled(dom: &Dom<'_>, node: usize) -> bool {
    let element = &dom.nodes[node];
    HANDLERS.iter().any(|name| element.attribute(name).is_some())
}

fn states_of(
    dom: &Dom<'_>,
    layout: &Layout<'_>,
    node: usize,
    role: ControlRole,
    label: Option<usize>,
) -> Vec<ControlState> {
    let element = &dom.nodes[node];
    let has = |name: &str| element.attribute(name).is_some();
    let says = |name: &str, value: &str| element.attribute(name) == Some(value);
    let is_password = says("type", "password");
    let is_disabled = |one: &DomNode<'_>| {
        one.attribute("disabled").is_some()
            && matches!(one.tag(), "button" | "input" | "select" | "textarea" | "fieldset")
    };
    let stand_ins: Vec<usize> = label.into_iter().collect();
    let is_box = matches!(role, ControlRole::Checkbox | ControlRole::Radio);
    let class = element.attribute("class").unwrap_or_default();
    let facts = [
        (ControlState::Checked, is_box && (element.is_checked || says("aria-checked", "true"))),
        (
            ControlState::Selected,
            says("aria-selected", "true")
                || says("aria-pressed", "true")
                || has("aria-current") && !says("aria-current", "false"),
        ),
        (
            ControlState::Expanded,
            says("aria-expanded", "true") || element.tag() == "summary" && is_open(dom, node),
        ),
        (
            ControlState::Collapsed,
            says("aria-expanded", "false") || element.tag() == "summary" && !is_open(dom, node),
        ),
        (ControlState::Required, has("required") || says("aria-required", "true")),
        (ControlState::ReadOnly, has("readonly") || says("aria-readonly", "true")),
        (
            ControlState::Filled,
            is_password && element.value.as_ref().is_some_and(|value| !value.is_empty()),
        ),
        (ControlState::Multiple, has("multiple") && role == ControlRole::Select),
        (
            ControlState::Draggable,
            says("draggable", "true")
                || matches!(element.style("cursor"), "move" | "grab")
                || class.contains("draggable")
                || class.contains("sortable"),
        ),
        (
            ControlState::Disabled,
            dom.around(node).any(|one| is_disabled(&dom.nodes[one]))
                || says("aria-disabled", "true")
                || element.style("pointer-events") == "none",
        ),
        (ControlState::Covered, layout.is_covered(node, &stand_ins)),
        (
            ControlState::OffScreen,
            layout.is_off_screen(node) && stand_ins.iter().all(|one| layout.is_off_screen(*one)),
        ),
    ];
    facts.into_iter().filter(|(_, holds)| *holds).map(|(state, _)| state).collect()
}

/// Reports whether the details that a summary heads are shown.
fn is_open(dom: &Dom<'_>, node: usize) -> bool {
    let around = dom.around(node).skip(1).find(|one| dom.nodes[*one].tag() == "details");
    around.is_some_and(|details| dom.nodes[details].attribute("open").is_some())
}
