//! From the model of a page to a screen.

use std::collections::BTreeSet;

#[cfg(feature = "cli")]
use site_map::Response;
use site_map::page::{BlockKind, PageField, PageForm, PageTree, WebPage};

use super::screen_text::{ScreenText, is_own, n_above_title, name};
use crate::shared::{Sanitized, n_of};
use crate::walk::screen::field_rules::FieldRules;
use crate::walk::screen::{EntryControl, EntryKind, PlainForm, Screen, ScreenEntry};

/// The open folder of a page: a tree and a node of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenFolder {
    pub(super) tree: usize,
    pub(super) node: usize,
}

/// Where an entry leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryTarget {
    /// A link of the page, by its position.
    Link(usize),
    /// A folder of a tree of the page.
    Folder(OpenFolder),
}

/// Makes the screen of a page with an open folder, and says where each entry leads. What stands
/// above the title and is repeated on other pages says nothing of this one: it is left out. Below
/// the title pages may say the same of what differs.
pub(super) fn screen_of(
    page: &WebPage,
    open: Option<OpenFolder>,
    is_repeated: &dyn Fn(&str) -> bool,
) -> (Screen, Vec<EntryTarget>) {
    let mut list = EntryList { page, entries: Vec::new(), targets: Vec::new(), known: known(page) };
    for (at, tree) in page.trees.iter().enumerate() {
        match open {
            Some(open) if open.tree == at => list.inside(at, tree, Some(open.node)),
            Some(_) => {}
            None => list.inside(at, tree, None),
        }
    }
    let of_trees: BTreeSet<usize> =
        page.trees.iter().flat_map(|tree| tree.nodes.iter().filter_map(|node| node.link)).collect();
    for is_content in [true, false] {
        for (at, link) in page.links.iter().enumerate() {
            if link.is_content == is_content && !of_trees.contains(&at) && !is_own(link, page) {
                list.link(at, Vec::new());
            }
        }
    }
    let EntryList { entries, targets, .. } = list;
    let n_above = n_above_title(page);
    let is_left_out = |at: usize| at < n_above && is_repeated(&page.blocks[at].text);
    let n_left_out = (0..n_above).filter(|at| is_left_out(*at)).count();
    let ScreenText { sections, has_data } = ScreenText::of(page, &is_left_out);
    let folders = open.map(|open| labels(&page.trees[open.tree], open.node)).unwrap_or_default();
    let screen = Screen {
        address: address(page.address.as_str()),
        title: name(&page.title),
        breadcrumb: page.breadcrumb.iter().map(|part| name(part)).collect(),
        folders,
        has_data,
        entries,
        forms: Vec::new(),
        plain_forms: page.forms.iter().map(plain_form).collect(),
        sections,
        led_to: None,
        notes: notes(page, n_left_out),
        trail: Vec::new(),
        is_live: false,
        has_asked: false,
        goes_on_below: false,
        selected: String::new(),
    };
    (screen, targets)
}

/// Makes the screen of a recorded page, with all its texts.
#[cfg(feature = "cli")]
pub(crate) fn screen_of_page(response: &Response) -> Screen {
    screen_of(&WebPage::of(response), None, &|_| false).0
}

/// The pairs of words and target that are on the list.
type KnownLinks = BTreeSet<(String, String)>;

fn known(page: &WebPage) -> KnownLinks {
    // A link to the page itself leads nowhere.
    [(String::new(), page.address.to_string())].into()
}

/// The entries of a screen, as far as they are listed.
struct EntryList<'p> {
    page: &'p WebPage,
    entries: Vec<ScreenEntry>,
    targets: Vec<EntryTarget>,
    known: KnownLinks,
}

impl EntryList<'_> {
    /// Adds what stands in a folder of a tree, or in none: first what is in sight.
    fn inside(&mut self, at: usize, tree: &PageTree, folder: Option<usize>) {
        let mut deep = Vec::new();
        // The folders between the open one and a node.
        let mut above: Vec<usize> = Vec::new();
        let children = |folder, n_above: usize| {
            tree.children(folder).into_iter().rev().map(move |node| (node, n_above))
        };
        let mut todo: Vec<(usize, usize)> = children(folder, 0).collect();
        while let Some((node, n_above)) = todo.pop() {
            above.truncate(n_above);
            if above.is_empty() {
                self.node(at, tree, node, Vec::new());
            } else {
                let names = above.iter().map(|folder| name(&tree.nodes[*folder].label)).collect();
                deep.push((node, names));
            }
            above.push(node);
            todo.extend(children(Some(node), above.len()));
        }
        for (node, above) in deep {
            self.node(at, tree, node, above);
        }
    }

    fn node(&mut self, at: usize, tree: &PageTree, node: usize, folders: Vec<String>) {
        let (label, link) = (&tree.nodes[node].label, tree.nodes[node].link);
        if tree.is_folder(node) {
            self.entries
                .push(ScreenEntry { folders, ..ScreenEntry::new(EntryKind::Folder, name(label)) });
            self.targets.push(EntryTarget::Folder(OpenFolder { tree: at, node }));
        } else if let Some(link) = link {
            self.link(link, folders);
        }
    }

    fn link(&mut self, at: usize, folders: Vec<String>) {
        let link = &self.page.links[at];
        let mut target = link.target.clone();
        target.set_fragment(link.fragment.as_deref());
        let label = name(&link.text);
        let target = target.to_string();
        let is_new = !folders.is_empty() || self.known.insert((label.clone(), target.clone()));
        if label.is_empty() || !is_new {
            return;
        }
        let heading = link.under.and_then(|at| match &self.page.blocks.get(at)?.kind {
            BlockKind::Heading(heading) => Some(name(&heading.title)),
            _ => None,
        });
        // In an index `9.4` stands beside the term that it is about.
        let is_number = !label.contains(char::is_alphabetic);
        let term = name(&link.beside);
        let term = Some(term).filter(|term| is_number && term.contains(char::is_alphabetic));
        self.entries.push(ScreenEntry {
            folders,
            under: term.or(heading),
            target: Some(address(&target)),
            is_content: link.is_content,
            is_page: link.is_page,
            ..ScreenEntry::new(EntryKind::Link, label)
        });
        self.targets.push(EntryTarget::Link(at));
    }
}

fn plain_form(form: &PageForm) -> PlainForm {
    PlainForm { name: name(&form.name), fields: form.fields.iter().flat_map(entries_of).collect() }
}

/// Returns the controls that a browser shows for a field: of buttons of which one is chosen each.
fn entries_of(field: &PageField) -> Vec<ScreenEntry> {
    let kind = match field.kind.as_str() {
        "checkbox" => EntryKind::Checkbox,
        "radio" => EntryKind::Radio,
        "select" => EntryKind::Select,
        "range" => EntryKind::Slider,
        "file" => EntryKind::File,
        _ => EntryKind::Field,
    };
    let own = if field.label.is_empty() { &field.name } else { &field.label };
    let (labels, options) = match kind {
        EntryKind::Radio if !field.options.is_empty() => (field.options.as_slice(), &[][..]),
        _ => (std::slice::from_ref(own), field.options.as_slice()),
    };
    let attribute = |name: &str| field.attributes.get(name).map(String::as_str);
    let states = [
        ("required", "required"),
        ("readonly", "read only"),
        ("multiple", "multiple"),
        ("disabled", "disabled"),
    ];
    let states = states.into_iter().filter(|(of, _)| attribute(of).is_some());
    let control = EntryControl {
        states: states.map(|(_, state)| state.to_owned()).collect(),
        options: options.iter().map(|option| name(option)).collect(),
        rules: Some(FieldRules::of(&field.kind, attribute)),
        ..EntryControl::default()
    };
    let entry = |label: &String| ScreenEntry {
        control: Some(control.clone()),
        ..ScreenEntry::new(kind, name(label))
    };
    labels.iter().map(entry).collect()
}

/// Returns the names of a folder and of those around it, outermost first.
fn labels(tree: &PageTree, node: usize) -> Vec<String> {
    tree.path(node).into_iter().map(|folder| name(&tree.nodes[folder].label)).collect()
}

fn notes(page: &WebPage, n_left_out: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if n_left_out > 0 {
        let texts = n_of(n_left_out, "text");
        notes.push(format!("left out: {texts} that other pages have too"));
    }
    if page.n_forms > 0 {
        notes.push(format!(
            "{} on this page cannot be filled in over HTTP",
            n_of(page.n_forms, "form")
        ));
    }
    if page.n_hidden > 0 {
        notes.push(format!("{} characters of hidden text are not shown", page.n_hidden));
    }
    if !page.is_whole || page.trees.iter().any(|tree| !tree.is_whole) {
        notes.push("the page is too deep or too long, and cut".to_owned());
    }
    notes
}

/// Returns an address, with secrets masked: one that has some can be clicked, and not opened.
pub(in crate::terrain) fn address(text: &str) -> String {
    Sanitized::line(text).into_string()
}
