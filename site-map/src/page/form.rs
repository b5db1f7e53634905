//! Forms of a page: what they ask for, and where it goes.

use std::collections::BTreeMap;

use repo_map::{cut, n_of};
use scraper::{ElementRef, Node};
use serde::Serialize;
use url::{Position, Url};

use crate::address::{is_same_origin, link_target};
use crate::page::generator::Generator;
use crate::page::markdown::code;
use crate::page::parse::MAX_DEPTH;

/// The most fields of a form, and the most options of a field, that are named.
const MAX_FIELDS: usize = 50;
const MAX_OPTIONS: usize = 12;
/// The most labels of a form that are read.
const MAX_LABELS: usize = 500;
/// The longest name, label or option, in characters.
const MAX_WORDS: usize = 60;
/// How much of a label or an option is read, in bytes.
const MAX_READ: usize = 8 * MAX_WORDS;
/// The longest value of an attribute that is kept, in bytes.
const MAX_ATTRIBUTE: usize = 500;
/// The attributes that say what a field takes.
const ATTRIBUTES: [&str; 12] = [
    "accept",
    "disabled",
    "max",
    "maxlength",
    "min",
    "minlength",
    "multiple",
    "pattern",
    "placeholder",
    "readonly",
    "required",
    "step",
];

/// A form: what it asks for, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageForm {
    /// What the page calls it: its label, its legend, its name; empty without any.
    pub name: String,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Where it is sent; `None` where that is no page.
    pub action: Option<Url>,
    /// The first fields that a reader sees, in the order of the page.
    pub fields: Vec<PageField>,
    /// The number of fields after those.
    pub n_more: usize,
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageField {
    /// The name that it is sent by; empty without one.
    pub name: String,
    /// What the page calls it.
    pub label: String,
    /// `text`, `number`, `select`, `checkbox`, …
    pub kind: String,
    /// What holds for its value: `required`, `at most 9`, `one of: red, blue`.
    pub constraints: Vec<String>,
    /// The first choices of a list, or of buttons of which one is chosen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The attributes that say what it takes, as they stand. One that is too long to be kept whole
    /// is left out.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<&'static str, String>,
}

impl PageForm {
    /// Reads a form of a page, whose links are relative to `base`; `None` if it has no field that a
    /// reader sees, or asks a script alone.
    pub(super) fn of(
        form: ElementRef<'_>,
        (page, base): (&Url, &Url),
        generator: &Generator,
    ) -> Option<PageForm> {
        let mut reader = FormReader {
            generator,
            legend: None,
            labels: Vec::new(),
            fields: Vec::new(),
            n_more: 0,
            counted: String::new(),
        };
        reader.read(form, FormPlace::default());
        let fields = reader.fields();
        let action = form.attr("action").map(str::trim).filter(|action| !action.is_empty());
        if fields.is_empty() || action.is_none() && is_search_by_script(&fields) {
            return None;
        }
        let named = ["aria-label", "name", "id"].map(|name| form.attr(name).unwrap_or_default());
        let legend = reader.legend.as_deref().unwrap_or_default();
        let names = [named[0], legend, named[1], named[2]].map(short);
        let is_post = form.attr("method").is_some_and(|way| way.eq_ignore_ascii_case("post"));
        // A form that does not say where it is sent is sent to its page (HTML standard).
        let action = match action {
            Some(action) => link_target(base, action),
            None => link_target(page, ""),
        };
        Some(PageForm {
            name: names.into_iter().find(|name| !name.is_empty()).unwrap_or_default(),
            method: if is_post { "POST" } else { "GET" },
            action: action.map(|(target, _)| target),
            fields,
            n_more: reader.n_more,
        })
    }

    /// Returns the heading of the form.
    pub(super) fn title(&self) -> String {
        if self.name.is_empty() { "Form".to_owned() } else { format!("Form: {}", self.name) }
    }

    /// Reports whether a heading is that of a form.
    pub(crate) fn is_title(heading: &str) -> bool {
        heading == "Form" || heading.starts_with("Form: ")
    }

    /// Returns what a reader of a page must know to fill it in, a line for each field.
    pub(super) fn lines(&self, page: &Url) -> String {
        let place = self.action.as_ref().map_or_else(String::new, |action| place(action, page));
        let mut lines = vec![code(&format!("{} {place}", self.method))];
        lines.extend(self.fields.iter().map(|field| code(&field.line())));
        if self.n_more > 0 {
            lines.push(format!("and {}", n_of(self.n_more, "more field")));
        }
        lines.join("\n")
    }
}

/// Returns where a form is sent, without a query: a path, or an address if that is another site.
fn place(action: &Url, page: &Url) -> String {
    match is_same_origin(action, page) {
        true => action.path().to_owned(),
        false => action[..Position::AfterPath].to_owned(),
    }
}

impl PageField {
    fn line(&self) -> String {
        let names = match (self.name.as_str(), self.label.as_str()) {
            ("", label) => label.to_owned(),
            (name, "") => name.to_owned(),
            (name, label) if name.eq_ignore_ascii_case(label) => label.to_owned(),
            (name, label) => format!("{name} \"{label}\""),
        };
        let facts = [std::slice::from_ref(&self.kind), &self.constraints].concat().join(", ");
        if names.is_empty() { facts } else { format!("{names}: {facts}") }
    }
}

/// Reads a form in one descent. What is in a form within it belongs to that one.
struct FormReader<'h> {
    generator: &'h Generator,
    /// The words of the first legend.
    legend: Option<String>,
    labels: Vec<FormLabel<'h>>,
    fields: Vec<FieldDraft<'h>>,
    /// The number of fields beyond the most, and the choice that was counted last.
    n_more: usize,
    counted: String,
}

struct FormLabel<'h> {
    /// The fragment of the field that it names.
    of: Option<&'h str>,
    words: String,
}

/// A field, before all labels are known.
struct FieldDraft<'h> {
    field: PageField,
    labels: FieldLabels<'h>,
    is_choice: bool,
    /// The first options: their labels, and their names without one.
    options: Vec<(FieldLabels<'h>, String)>,
    n_options: usize,
}

/// What may name a field: its own label, one that names it or stands around it, the hint in it.
#[derive(Default)]
struct FieldLabels<'h> {
    own: &'h str,
    id: Option<&'h str>,
    around: Option<usize>,
    hint: &'h str,
}

/// Where the descent is.
#[derive(Default, Clone, Copy)]
struct FormPlace {
    depth: usize,
    label: Option<usize>,
    select: Option<usize>,
    text: TextOf,
}

/// What a text is of.
#[derive(Default, Clone, Copy)]
enum TextOf {
    #[default]
    Nothing,
    Legend,
    Label(usize),
    /// The last option of the field at this position.
    Option(usize),
}

impl<'h> FormReader<'h> {
    fn read(&mut self, element: ElementRef<'h>, mut place: FormPlace) {
        if place.depth == MAX_DEPTH {
            return;
        }
        place.depth += 1;
        for child in element.children() {
            match child.value() {
                Node::Text(text) => self.text(text, place.text),
                Node::Element(_) => {
                    if let Some(element) = ElementRef::wrap(child) {
                        self.element(element, place);
                    }
                }
                _ => {}
            }
        }
    }

    fn element(&mut self, element: ElementRef<'h>, mut place: FormPlace) {
        let name = element.value().name();
        // A label may be there for screen readers alone: it names its field all the same.
        let is_shown = match name {
            "label" => !self.generator.is_hidden(element),
            _ => self.generator.shows(element),
        };
        if !is_shown {
            return;
        }
        match name {
            "form" => return,
            "label" => {
                let at = (self.labels.len() < MAX_LABELS).then_some(self.labels.len());
                place.label = at;
                place.text = at.map_or(TextOf::Nothing, TextOf::Label);
                let label = FormLabel { of: element.attr("for"), words: String::new() };
                self.labels.extend(at.map(|_| label));
            }
            "legend" if self.legend.is_none() => {
                self.legend = Some(String::new());
                place.text = TextOf::Legend;
            }
            "option" => {
                let named = |at| self.option(at, FieldLabels::default(), String::new());
                let is_named = place.select.is_some_and(named);
                place.text =
                    place.select.filter(|_| is_named).map_or(TextOf::Nothing, TextOf::Option);
            }
            "select" => {
                place.select = self.field(element, place.label);
                place.text = TextOf::Nothing;
            }
            "input" | "textarea" => {
                self.field(element, place.label);
                return;
            }
            _ => {}
        }
        self.read(element, place);
    }

    fn text(&mut self, text: &str, of: TextOf) {
        let words = match of {
            TextOf::Nothing => None,
            TextOf::Legend => self.legend.as_mut(),
            TextOf::Label(at) => Some(&mut self.labels[at].words),
            TextOf::Option(at) => self.fields[at].options.last_mut().map(|(_, name)| name),
        };
        let Some(words) = words else { return };
        add(words, text);
        if let TextOf::Label(_) = of {
            add(words, " ");
        }
    }

    /// Reads a field; returns its position if it is a new one that is named.
    fn field(&mut self, element: ElementRef<'h>, around: Option<usize>) -> Option<usize> {
        let kind = kind_of(element)?;
        let name = short(element.attr("name").unwrap_or_default());
        let labels = FieldLabels {
            own: element.attr("aria-label").unwrap_or_default(),
            id: element.attr("id"),
            around,
            hint: element.attr("placeholder").unwrap_or_default(),
        };
        let is_choice = kind == "radio" && !name.is_empty();
        let is_of = |one: &FieldDraft<'_>| is_choice && one.is_choice && one.field.name == name;
        let known = self.fields.iter().position(is_of);
        if known.is_none() && self.fields.len() == MAX_FIELDS {
            if !is_choice || self.counted != name {
                self.n_more += 1;
            }
            self.counted = if is_choice { name } else { String::new() };
            return None;
        }
        let at = known.unwrap_or(self.fields.len());
        if known.is_none() {
            let field = PageField {
                name,
                label: String::new(),
                kind,
                constraints: constraints_of(element),
                options: Vec::new(),
                attributes: attributes_of(element),
            };
            let (options, n_options) = (Vec::new(), 0);
            let draft = FieldLabels::default();
            self.fields.push(FieldDraft { field, labels: draft, is_choice, options, n_options });
        }
        if is_choice {
            self.option(at, labels, short(element.attr("value").unwrap_or_default()));
        } else {
            self.fields[at].labels = labels;
        }
        known.is_none().then_some(at)
    }

    /// Adds an option to the field at a position, and reports whether it is named.
    fn option(&mut self, at: usize, labels: FieldLabels<'h>, name: String) -> bool {
        let field = &mut self.fields[at];
        field.n_options += 1;
        let is_named = field.n_options <= MAX_OPTIONS;
        if is_named {
            field.options.push((labels, name));
        }
        is_named
    }

    /// Returns what the page calls a field; empty if it does not name it.
    fn label_of(&self, labels: &FieldLabels<'_>) -> String {
        let named = self.labels.iter().find(|label| label.of.is_some() && label.of == labels.id);
        let around = labels.around.map(|at| &self.labels[at]);
        let words = |label: Option<&FormLabel<'_>>| {
            let words = label.map_or("", |label| &label.words);
            short(words.trim().trim_end_matches([':', '*']))
        };
        let names = [short(labels.own), words(named), words(around), short(labels.hint)];
        names.into_iter().find(|name| !name.is_empty()).unwrap_or_default()
    }

    fn fields(&self) -> Vec<PageField> {
        let fields = self.fields.iter().map(|draft| {
            let label = self.label_of(&draft.labels);
            let mut field = PageField { label, ..draft.field.clone() };
            let options: Vec<String> = draft
                .options
                .iter()
                .map(|(labels, name)| {
                    Some(self.label_of(labels))
                        .filter(|one| !one.is_empty())
                        .unwrap_or_else(|| short(name))
                })
                .collect();
            if !options.is_empty() {
                field.constraints.push(one_of(&options, draft.n_options));
            }
            field.options = options;
            field
        });
        fields.collect()
    }
}

/// Adds text with single spaces, as far as it can be shown.
fn add(words: &mut String, text: &str) {
    for c in text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
        if words.len() > MAX_READ {
            return;
        }
        if c != ' ' || !(words.is_empty() || words.ends_with(' ')) {
            words.push(c);
        }
    }
}

/// Reports whether the only field is a line of text without a name, so that nothing of it is sent:
/// the search of a manual, on each of its pages.
fn is_search_by_script(fields: &[PageField]) -> bool {
    let [field] = fields else { return false };
    field.name.is_empty() && matches!(field.kind.as_str(), "text" | "search")
}

/// Returns the kind of a field; `None` for buttons and for what no reader sees.
fn kind_of(element: ElementRef<'_>) -> Option<String> {
    match element.value().name() {
        "select" => Some("select".to_owned()),
        "textarea" => Some("textarea".to_owned()),
        "input" => {
            let kind = element.attr("type").unwrap_or("text").trim().to_ascii_lowercase();
            let is_button = ["hidden", "submit", "button", "reset", "image"];
            let is_known =
                !kind.is_empty() && kind.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            (!is_button.contains(&kind.as_str()))
                .then(|| if is_known { short(&kind) } else { "text".to_owned() })
        }
        _ => None,
    }
}

fn is_required(element: ElementRef<'_>) -> bool {
    element.attr("required").is_some() || element.attr("aria-required") == Some("true")
}

fn attributes_of(element: ElementRef<'_>) -> BTreeMap<&'static str, String> {
    let value = |name: &'static str| match name {
        "required" => is_required(element).then_some(""),
        _ => element.attr(name).filter(|value| value.len() <= MAX_ATTRIBUTE),
    };
    let pair = |name| Some((name, value(name)?.to_owned()));
    ATTRIBUTES.into_iter().filter_map(pair).collect()
}

fn constraints_of(element: ElementRef<'_>) -> Vec<String> {
    let mut constraints = Vec::new();
    if is_required(element) {
        constraints.push("required".to_owned());
    }
    for (name, before, after) in [
        ("min", "at least ", ""),
        ("max", "at most ", ""),
        ("step", "in steps of ", ""),
        ("minlength", "at least ", " characters"),
        ("maxlength", "at most ", " characters"),
        ("pattern", "like ", ""),
        ("accept", "files of ", ""),
    ] {
        let value = element.attr(name).map(short).filter(|value| !value.is_empty());
        constraints.extend(value.map(|value| format!("{before}{value}{after}")));
    }
    for (name, what) in
        [("multiple", "several"), ("readonly", "read only"), ("disabled", "disabled")]
    {
        constraints.extend(element.attr(name).map(|_| what.to_owned()));
    }
    constraints
}

fn one_of(named: &[String], n_options: usize) -> String {
    let more = n_options - named.len();
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    format!("one of: {}{more}", named.join(", "))
}

/// Returns a text on one line, cut where it is long.
fn short(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), MAX_WORDS).into_owned()
}
