//! Forms of a page: what they ask for, and where it goes.

use std::collections::HashMap;

use scraper::{ElementRef, Node};
use serde::Serialize;
use url::Url;

use crate::address::link_target;
use crate::page::element::plain_text;
use crate::page::generator::Generator;
use crate::page::markdown::code;

/// The most fields of a form, and the most options of a field, that are named.
const MAX_FIELDS: usize = 50;
const MAX_OPTIONS: usize = 12;
/// The longest name, label or option, in characters.
const MAX_WORDS: usize = 60;

/// A form: what it asks for, and where it goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageForm {
    /// What the page calls it: its label, its legend, its name; empty without any.
    pub name: String,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// Where it is sent; `None` where that is no page.
    pub action: Option<Url>,
    /// The fields that a reader sees, in the order of the page.
    pub fields: Vec<PageField>,
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
}

impl PageForm {
    /// Reads a form; `None` if it has no field that a reader sees.
    pub(super) fn of(form: ElementRef<'_>, base: &Url, generator: &Generator) -> Option<PageForm> {
        let fields = fields_of(form, generator);
        if fields.is_empty() {
            return None;
        }
        let legend = form.descendent_elements().find(|one| one.value().name() == "legend");
        let named = ["aria-label", "name", "id"].map(|name| form.attr(name).unwrap_or_default());
        let names = [named[0].to_owned(), legend.map(plain_text).unwrap_or_default()];
        let names = names.into_iter().chain(named[1..].iter().map(|name| (*name).to_owned()));
        let is_post = form.attr("method").is_some_and(|way| way.eq_ignore_ascii_case("post"));
        let action = link_target(base, form.attr("action").unwrap_or_default());
        Some(PageForm {
            name: names.map(|name| short(&name)).find(|name| !name.is_empty()).unwrap_or_default(),
            method: if is_post { "POST" } else { "GET" },
            action: action.map(|(target, _)| target),
            fields,
        })
    }

    /// Returns the heading of the form.
    pub(super) fn title(&self) -> String {
        if self.name.is_empty() { "Form".to_owned() } else { format!("Form: {}", self.name) }
    }

    /// Returns what a reader must know to fill it in, a line for each field.
    pub(super) fn lines(&self) -> String {
        let place = self.action.as_ref().map_or("", |action| action.path());
        let mut lines = vec![code(&format!("{} {place}", self.method))];
        lines.extend(self.fields.iter().take(MAX_FIELDS).map(|field| code(&field.line())));
        if self.fields.len() > MAX_FIELDS {
            lines.push(format!("and {} more fields", self.fields.len() - MAX_FIELDS));
        }
        lines.join("\n")
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

/// Reads the fields; those of one choice are one.
fn fields_of(form: ElementRef<'_>, generator: &Generator) -> Vec<PageField> {
    let is_label = |one: &ElementRef<'_>| one.value().name() == "label";
    let of_labels = form.descendent_elements().filter(is_label);
    let labels: HashMap<&str, String> =
        of_labels.filter_map(|label| Some((label.attr("for")?, words_of(label)))).collect();
    let mut fields: Vec<PageField> = Vec::new();
    let mut choices: HashMap<String, (usize, Vec<String>)> = HashMap::new();
    for element in form.descendent_elements() {
        let Some(kind) = kind_of(element).filter(|_| !is_hidden(element, form, generator)) else {
            continue;
        };
        let name = short(element.attr("name").unwrap_or_default());
        let label = label_of(element, form, &labels);
        if kind == "radio" && !name.is_empty() {
            let value = || element.attr("value").unwrap_or_default().to_owned();
            let option = if label.is_empty() { short(&value()) } else { label };
            let (at, options) =
                choices.entry(name.clone()).or_insert_with(|| (fields.len(), Vec::new()));
            options.push(option);
            if *at < fields.len() {
                continue;
            }
            let constraints = constraints_of(element);
            fields.push(PageField { name, label: String::new(), kind, constraints });
            continue;
        }
        fields.push(PageField { name, label, kind, constraints: constraints_of(element) });
    }
    for (at, options) in choices.into_values() {
        fields[at].constraints.push(one_of(&options));
    }
    fields
}

/// Returns the kind of a field; `None` for buttons and for what no reader sees.
fn kind_of(element: ElementRef<'_>) -> Option<String> {
    match element.value().name() {
        "select" => Some("select".to_owned()),
        "textarea" => Some("text of several lines".to_owned()),
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

fn is_hidden(element: ElementRef<'_>, form: ElementRef<'_>, generator: &Generator) -> bool {
    let around = element.ancestors().take_while(|one| one.id() != form.id());
    std::iter::once(element)
        .chain(around.filter_map(ElementRef::wrap))
        .any(|one| generator.hidden.matches(&one))
}

/// Returns what the page calls a field: by its own label, by one that names it or stands around
/// it, or by the hint in it.
fn label_of(
    element: ElementRef<'_>,
    form: ElementRef<'_>,
    labels: &HashMap<&str, String>,
) -> String {
    let own = element.attr("aria-label").map(short);
    let named = || labels.get(element.attr("id")?).cloned();
    let around = || {
        let around = element.ancestors().take_while(|one| one.id() != form.id());
        let label = around.filter_map(ElementRef::wrap).find(|one| one.value().name() == "label");
        label.map(words_of)
    };
    let hint = || element.attr("placeholder").map(short);
    let is_named = |label: &String| !label.is_empty();
    let label = own.filter(is_named).or_else(|| named().filter(is_named));
    label.or_else(|| around().filter(is_named)).or_else(hint).unwrap_or_default()
}

/// Returns the words of a label without those of the fields in it.
fn words_of(label: ElementRef<'_>) -> String {
    let is_of_field = |one: ElementRef<'_>| {
        matches!(one.value().name(), "select" | "textarea" | "button" | "script" | "style")
    };
    let mut words = String::new();
    for node in label.descendants() {
        if let Node::Text(text) = node.value() {
            let around = node.ancestors().take_while(|one| one.id() != label.id());
            if !around.filter_map(ElementRef::wrap).any(is_of_field) {
                words.push_str(text);
                words.push(' ');
            }
        }
    }
    short(words.trim().trim_end_matches([':', '*']))
}

fn constraints_of(element: ElementRef<'_>) -> Vec<String> {
    let mut constraints = Vec::new();
    if element.attr("required").is_some() || element.attr("aria-required") == Some("true") {
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
    if element.value().name() == "select" {
        let options = element.descendent_elements().filter(|one| one.value().name() == "option");
        let options: Vec<String> = options.map(|option| short(&plain_text(option))).collect();
        constraints.push(one_of(&options));
    }
    constraints
}

fn one_of(options: &[String]) -> String {
    let named: Vec<&str> = options.iter().take(MAX_OPTIONS).map(String::as_str).collect();
    let more = options.len().saturating_sub(MAX_OPTIONS);
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    format!("one of: {}{more}", named.join(", "))
}

/// Returns a text on one line, cut where it is long.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut cut: String = text.chars().take(MAX_WORDS).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}
