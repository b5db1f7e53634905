//! From a page in the browser to what is recorded of it, and from that to the screen of a walk.

use site_map::Response;
use site_map::page::{BlockKind, WebPage};
use url::Url;

use crate::browser::error::BrowserError;
use crate::browser::snapshot::{
    ControlRole, ControlState, LiveForm, PageControl, ScreenFacts, ScreenPage,
};
use crate::run::text::one_line;
use crate::shared::Sanitized;
use crate::terrain::site::{masked_address, name};
use crate::walk::screen::field_rules::FieldRules;
use crate::walk::screen::marks;
use crate::walk::screen::{
    EntryControl, EntryKind, FOCUSED, Screen, ScreenEntry, ScreenForm, ScreenSection,
};

/// The longest value of a field, in characters.
const MAX_VALUE: usize = 300;

/// The type of the content of a recorded screen.
const SCREEN_TYPE: &str = "text/html; charset=utf-8";
/// What a recorded screen has in the query of its address. (A recording keeps no fragments.)
const SCREEN: &str = "navigator-screen";

/// Returns the address that a screen is recorded under: that of its page, with its number.
fn screen_address(page: &str, number: usize) -> Option<Url> {
    // A tab whose first page was stopped has no address.
    let page = if page.is_empty() { "about:blank" } else { page };
    let mut address = Url::parse(page).ok()?;
    address.query_pairs_mut().append_pair(SCREEN, &number.to_string());
    Some(address)
}

/// Returns a page as it is recorded.
pub(super) fn response_of(page: &ScreenPage, number: usize) -> Result<Response, BrowserError> {
    let address = screen_address(&page.address, number);
    let address = address.ok_or_else(|| {
        let method = "DOMSnapshot.captureSnapshot".to_owned();
        BrowserError::Answer { method, field: "documentURL".to_owned() }
    })?;
    let headers = vec![("content-type".to_owned(), SCREEN_TYPE.to_owned())];
    Ok(Response { address, status: 200, headers, body: page.html().into_bytes() })
}

/// Returns the number of the screen that is recorded under an address.
pub(super) fn number_of_screen(address: &Url) -> Option<usize> {
    let (name, number) = address.query_pairs().last()?;
    number.parse().ok().filter(|_| name == SCREEN)
}

/// Returns the address of the page of a recorded screen.
pub(super) fn page_of_screen(address: &Url) -> Url {
    let mut page = address.clone();
    let own = address.query().and_then(|query| query.rfind(SCREEN).map(|at| &query[..at]));
    page.set_query(own.map(|query| query.trim_end_matches('&')).filter(|own| !own.is_empty()));
    page
}

/// Makes the screen of a walk from what is recorded.
pub(super) fn screen_of(response: &Response) -> Screen {
    let page = WebPage::of(response);
    let facts = ScreenFacts::of(&response.body).unwrap_or_default();
    let sections = sections(&page);
    let mut controls: Vec<ScreenEntry> = facts.controls.iter().map(entry).collect();
    let focused = facts.focused.and_then(|number| controls.get_mut(number.checked_sub(1)?));
    if let Some(control) = focused.and_then(|entry| entry.control.as_mut()) {
        control.states.push(FOCUSED.to_owned());
    }
    let entries = controls.into_iter().chain(facts.tabs.iter().map(|tab| tab_entry(tab)));
    Screen {
        address: masked_address(&facts.address),
        title: name(&marks::without(&page.title)),
        breadcrumb: page.breadcrumb.iter().map(|part| name(&marks::without(part))).collect(),
        folders: Vec::new(),
        plain_forms: Vec::new(),
        forms: facts.forms.iter().map(|form| form_of(form, &facts.controls)).collect(),
        entries: entries.collect(),
        has_data: sections.iter().any(|section| !section.text.is_empty()),
        sections,
        notes: notes(&page, &facts),
        trail: facts.trail.iter().map(|address| masked_address(address)).collect(),
        is_live: true,
        has_asked: facts.has_asked,
        goes_on_below: facts.goes_on_below,
        led_to: None,
        selected: one_line(Sanitized::line(&on_one_line(&facts.selected)).as_ref(), MAX_VALUE),
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn entry(control: &PageControl) -> ScreenEntry {
    let text = |text: &String| one_line(Sanitized::line(text).as_ref(), MAX_VALUE);
    ScreenEntry {
        under: control.under.as_ref().map(|heading| name(heading)),
        target: control.target.as_ref().map(|target| masked_address(target)),
        is_content: control.is_content,
        control: Some(EntryControl {
            value: control.value.as_ref().map(text),
            states: control
                .states
                .iter()
                .map(|state: &ControlState| state.as_str().to_owned())
                .collect(),
            options: control.options.iter().map(|option| text(&option.name)).collect(),
            beside: control.beside.as_ref().map(text),
            rules: rules_of(control),
        }),
        ..ScreenEntry::new(kind_of(control.role), name(&control.name))
    }
}

fn rules_of(control: &PageControl) -> Option<FieldRules> {
    let attribute = |name: &str| control.attributes.get(name).map(String::as_str);
    Some(FieldRules::of(attribute("type")?, attribute))
}

/// Returns a form. One without a name of its own is called as the heading above it.
fn form_of(form: &LiveForm, controls: &[PageControl]) -> ScreenForm {
    let first = form.fields.first().and_then(|number| controls.get(number.checked_sub(1)?));
    let heading = || first.and_then(|control| control.under.clone()).unwrap_or_default();
    let own = Some(form.name.clone()).filter(|own| !own.is_empty());
    ScreenForm {
        name: name(&own.unwrap_or_else(heading)),
        fields: form.fields.clone(),
        sent_by: form.sent_by.clone(),
    }
}

fn tab_entry(tab: &str) -> ScreenEntry {
    ScreenEntry {
        control: Some(EntryControl::default()),
        ..ScreenEntry::new(EntryKind::OtherTab, format!("other tab: {}", name(tab)))
    }
}

fn kind_of(role: ControlRole) -> EntryKind {
    match role {
        ControlRole::Link => EntryKind::Link,
        ControlRole::Button => EntryKind::Button,
        ControlRole::Field | ControlRole::Combobox => EntryKind::Field,
        ControlRole::Checkbox => EntryKind::Checkbox,
        ControlRole::Radio => EntryKind::Radio,
        ControlRole::Select => EntryKind::Select,
        ControlRole::Slider => EntryKind::Slider,
        ControlRole::File => EntryKind::File,
        ControlRole::Tab => EntryKind::Tab,
        ControlRole::MenuItem => EntryKind::MenuItem,
        ControlRole::Option => EntryKind::Option,
        ControlRole::TreeItem => EntryKind::TreeItem,
        ControlRole::Canvas => EntryKind::Canvas,
        ControlRole::Item => EntryKind::Item,
    }
}

/// Returns the text in parts. Controls are marks in it.
fn sections(page: &WebPage) -> Vec<ScreenSection> {
    let mut sections: Vec<ScreenSection> = Vec::new();
    for block in &page.blocks {
        if let BlockKind::Heading(heading) = &block.kind {
            let title = one_line(Sanitized::line(&heading.title).as_ref(), MAX_VALUE);
            sections.push(ScreenSection { title, level: heading.level, text: String::new() });
            continue;
        }
        let text = Sanitized::text(&block.text).into_string();
        if text.trim().is_empty() {
            continue;
        }
        if sections.is_empty() {
            sections.push(ScreenSection { title: String::new(), level: 0, text: String::new() });
        }
        if let Some(last) = sections.last_mut() {
            if !last.text.is_empty() {
                last.text.push('\n');
            }
            last.text.push_str(&text);
        }
    }
    sections
}

fn notes(page: &WebPage, facts: &ScreenFacts) -> Vec<String> {
    let mut notes = Vec::new();
    let n_hidden = facts.n_hidden + page.n_hidden;
    if n_hidden > 0 {
        notes.push(format!("{n_hidden} characters of hidden text are not shown"));
    }
    match facts.n_hidden_controls {
        0 => {}
        1 => notes.push("1 hidden control is not shown".to_owned()),
        n => notes.push(format!("{n} hidden controls are not shown")),
    }
    if !page.is_whole {
        notes.push("the page is too deep or too long, and cut".to_owned());
    }
    notes.extend(facts.notes.iter().map(|note| name(note)));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_is_recorded_under_its_page_and_number() {
        for page in ["http://a.example/", "http://a.example/x?y=1&z", "http://a.example/?q=%26"] {
            let address = screen_address(page, 12).unwrap();
            assert_eq!(number_of_screen(&address), Some(12));
            assert_eq!(page_of_screen(&address).as_str(), page);
        }
    }
}
