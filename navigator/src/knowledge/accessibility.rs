//! Accessibility snapshots as other agents send them: a node a line, with its role and its name.
//!
//! Playwright writes `- button "Save" [disabled] [ref=e5]`, with `- /url: /about` below a link;
//! Chrome's developer tools write `uid=1_5 button "Save" disabled`. Depth is indentation.

use url::Url;

use crate::knowledge::feature::{DIALOG, FeatureKind};
use crate::walk::screen::{EntryControl, EntryKind, Screen, ScreenEntry, ScreenSection};

/// Returns what a text shows, if it is an accessibility snapshot: most of its lines are nodes.
pub(super) fn screen_of(address: Option<&str>, text: &str) -> Option<SnapshotScreen> {
    let mut reader = SnapshotReader::new(address);
    let (mut n_nodes, mut n_others) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let line = line.trim();
        if let Some(title) = line.strip_prefix("- Page Title:") {
            reader.screen.title = title.trim().to_owned();
            continue;
        }
        let Some(node) = node_of(line) else {
            n_others += 1;
            continue;
        };
        // `- pay now` may be of a list in prose.
        let is_sure = !node.name.is_empty() || ROLES.contains(&node.role);
        *if is_sure { &mut n_nodes } else { &mut n_others } += 1;
        reader.node(depth, &node);
    }
    (n_nodes > n_others).then(|| reader.end())
}

/// What an accessibility snapshot shows.
pub(super) struct SnapshotScreen {
    /// The screen. Its entries have kinds, labels, targets and the states `expanded`, `selected`.
    pub(super) screen: Screen,
    /// For each entry, whether it stands in the last dialog. Empty without one.
    pub(super) in_dialog: Vec<bool>,
    /// The content has a list, whose things may have no roles of their own.
    pub(super) may_list: bool,
    /// The texts that are no controls.
    pub(super) texts: Vec<String>,
    /// What such a text may be: the name of a field that has none, or a folder of a tree.
    pub(super) of_texts: &'static [FeatureKind],
    /// What cannot be seen.
    pub(super) unseen: &'static [FeatureKind],
}

/// What a snapshot may lack: the title, and things of a list that a script alone makes clickable.
const UNSEEN: &[FeatureKind] = &[FeatureKind::Title, FeatureKind::Item, FeatureKind::State];
/// What a text of a snapshot may be.
const OF_TEXTS: &[FeatureKind] =
    &[FeatureKind::Field, FeatureKind::Select, FeatureKind::Link, FeatureKind::MenuLink];

/// Roles of things that a page lists.
const LISTED: [&str; 4] = ["listitem", "article", "treeitem", "option"];

/// Roles of nodes that need no name.
const ROLES: [&str; 10] = [
    "generic",
    "list",
    "listitem",
    "navigation",
    "main",
    "paragraph",
    "text",
    "RootWebArea",
    "StaticText",
    "/url",
];

/// A line of a snapshot.
struct SnapshotNode<'t> {
    role: &'t str,
    name: String,
    /// States and other attributes, as they stand there.
    attributes: &'t str,
    /// What stands behind the colon.
    value: &'t str,
}

/// Reads a line without its indentation. A key of YAML with a colon in it stands in quotes.
fn node_of(line: &str) -> Option<SnapshotNode<'_>> {
    let of_chrome = || line.strip_prefix("uid=")?.split_once(' ').map(|(_, node)| node);
    let line = line.strip_prefix("- ").or_else(of_chrome)?;
    let (line, is_quoted) = match line.strip_prefix('\'') {
        Some(line) => (line, true),
        None => (line, false),
    };
    let end = line.find(|c: char| !c.is_ascii_alphabetic() && c != '/').unwrap_or(line.len());
    let (role, rest) = line.split_at(end);
    let (name, rest) = match rest.trim_start() {
        quoted if quoted.starts_with('"') => quoted_name(quoted)?,
        _ => (String::new(), rest),
    };
    let name = if is_quoted { name.replace("''", "'") } else { name };
    let is_node = !role.is_empty() && (rest.is_empty() || rest.starts_with([' ', ':', '\'']));
    let (attributes, value) = rest.split_once(": ").unwrap_or((rest, ""));
    is_node.then(|| SnapshotNode { role, name, attributes, value: value.trim() })
}

/// Reads a name with its quotes, as JSON has them: what it says, and what follows.
fn quoted_name(quoted: &str) -> Option<(String, &str)> {
    let mut names = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
    let name = names.next()?.ok()?;
    Some((name, &quoted[names.byte_offset()..]))
}

/// A node that is open, while the lines below it are read.
struct OpenNode {
    depth: usize,
    is_menu: bool,
    is_dialog: bool,
    /// The position of the entry that it is.
    entry: Option<usize>,
}

/// Builds the screen of a snapshot line by line.
struct SnapshotReader {
    page: Option<Url>,
    screen: Screen,
    in_dialog: Vec<bool>,
    may_list: bool,
    texts: Vec<String>,
    open: Vec<OpenNode>,
    /// A dialog has no name yet: that of its first heading.
    is_nameless: bool,
}

impl SnapshotReader {
    fn new(address: Option<&str>) -> SnapshotReader {
        let screen =
            Screen { address: address.unwrap_or_default().to_owned(), ..Screen::default() };
        SnapshotReader {
            page: address.and_then(|address| Url::parse(address).ok()),
            screen,
            in_dialog: Vec::new(),
            may_list: false,
            texts: Vec::new(),
            open: Vec::new(),
            is_nameless: false,
        }
    }

    fn node(&mut self, depth: usize, node: &SnapshotNode<'_>) {
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            self.open.pop();
        }
        let around = self.open.last();
        if node.role == "/url" {
            let entry = around.and_then(|open| open.entry);
            entry.into_iter().for_each(|entry| self.leads_to(entry, node.value));
            return;
        }
        let is_dialog = matches!(node.role, "dialog" | "alertdialog");
        let is_menu = matches!(node.role, "navigation" | "contentinfo");
        let mut open = OpenNode {
            depth,
            is_menu: is_menu || around.is_some_and(|open| open.is_menu),
            is_dialog: is_dialog || around.is_some_and(|open| open.is_dialog),
            entry: None,
        };
        self.may_list |= !open.is_menu && LISTED.contains(&node.role);
        match node.role {
            "RootWebArea" => self.screen.title.clone_from(&node.name),
            "heading" => {
                if self.is_nameless && open.is_dialog {
                    self.is_nameless = false;
                    self.section(format!("{DIALOG}{}", node.name));
                }
                self.section(node.name.clone());
            }
            "option" if self.is_in_select() => {
                let select = self.open.iter().rev().find_map(|open| open.entry);
                let select = select.and_then(|at| self.screen.entries.get_mut(at));
                select.into_iter().for_each(|one| one.kind = EntryKind::Select);
            }
            _ if is_dialog => {
                self.in_dialog.fill(false);
                self.is_nameless = node.name.trim().is_empty();
                if !self.is_nameless {
                    self.section(format!("{DIALOG}{}", node.name));
                }
            }
            _ => open.entry = self.entry(node, &open),
        }
        self.open.push(open);
    }

    fn section(&mut self, title: String) {
        self.screen.sections.push(ScreenSection { title, level: 1, text: String::new() });
    }

    /// Reports whether the options of a list are read. A field with suggestions has none below it.
    fn is_in_select(&self) -> bool {
        let around = self.open.iter().rev().find_map(|open| open.entry);
        around.is_some_and(|at| {
            matches!(self.screen.entries[at].kind, EntryKind::Field | EntryKind::Select)
        })
    }

    /// Adds a control. Returns its position.
    fn entry(&mut self, node: &SnapshotNode<'_>, open: &OpenNode) -> Option<usize> {
        let Some(kind) = kind_of(node) else {
            self.text(node);
            return None;
        };
        let is_field = matches!(kind, EntryKind::Field | EntryKind::Slider);
        let label = if node.name.is_empty() && !is_field { node.value } else { &node.name };
        let has = |state: &&str| {
            let words = node.attributes.split(|c: char| !c.is_ascii_alphanumeric() && c != '=');
            words.into_iter().any(|word| word == *state)
        };
        let states = ["expanded", "selected"].iter().filter(|state| has(state));
        let states = states.map(|state| (*state).to_owned()).collect();
        self.screen.entries.push(ScreenEntry {
            kind,
            label: label.to_owned(),
            folders: Vec::new(),
            under: self.screen.sections.last().map(|section| section.title.clone()),
            target: None,
            is_content: !open.is_menu,
            control: Some(EntryControl { states, ..EntryControl::default() }),
        });
        self.in_dialog.push(open.is_dialog);
        let entry = self.screen.entries.len() - 1;
        let address = node.attributes.split_once("url=\"").and_then(|(_, at)| at.split('"').next());
        address.into_iter().for_each(|address| self.leads_to(entry, address));
        Some(entry)
    }

    /// Takes note of words that are no control. Those in a control are its value.
    fn text(&mut self, node: &SnapshotNode<'_>) {
        let words = [node.name.as_str(), node.value];
        let words = words.into_iter().find(|words| !words.trim().is_empty());
        let Some(words) = words.filter(|_| self.open.iter().all(|open| open.entry.is_none()))
        else {
            return;
        };
        self.texts.push(words.to_owned());
    }

    fn leads_to(&mut self, entry: usize, address: &str) {
        let address = address.trim_matches('"');
        let target = match &self.page {
            Some(page) => page.join(address).ok(),
            None => Url::parse(address).ok(),
        };
        self.screen.entries[entry].target = target.map(String::from);
    }

    fn end(mut self) -> SnapshotScreen {
        if !self.in_dialog.contains(&true) {
            self.in_dialog.clear();
        }
        let SnapshotReader { screen, in_dialog, may_list, texts, .. } = self;
        SnapshotScreen { screen, in_dialog, may_list, texts, of_texts: OF_TEXTS, unseen: UNSEEN }
    }
}

/// Returns what a node is, if it is a control.
fn kind_of(node: &SnapshotNode<'_>) -> Option<EntryKind> {
    let is_pointed_at = node.attributes.contains("[cursor=pointer]");
    kind_of_role(node.role).or_else(|| is_pointed_at.then_some(EntryKind::Item))
}

/// Returns what a role stands for, if it is that of a control.
pub(super) fn kind_of_role(role: &str) -> Option<EntryKind> {
    Some(match role {
        "link" => EntryKind::Link,
        "button" => EntryKind::Button,
        "textbox" | "searchbox" | "spinbutton" | "combobox" | "Date" => EntryKind::Field,
        "checkbox" | "switch" => EntryKind::Checkbox,
        "radio" => EntryKind::Radio,
        "slider" => EntryKind::Slider,
        "tab" => EntryKind::Tab,
        "menuitem" | "menuitemcheckbox" | "menuitemradio" => EntryKind::MenuItem,
        "option" => EntryKind::Option,
        "treeitem" => EntryKind::TreeItem,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds, labels, targets and states, and whether each control stands in a dialog.
    fn controls(found: &SnapshotScreen) -> Vec<String> {
        let entries = found.screen.entries.iter().enumerate();
        let lines = entries.map(|(at, entry)| {
            let states = entry.control.iter().flat_map(|control| &control.states);
            let more = states.chain(&entry.target).map(|more| format!(" {more}"));
            let place = if entry.is_content { "" } else { " (menu)" };
            let dialog = found.in_dialog.get(at).copied().unwrap_or_default();
            let dialog = if dialog { " (dialog)" } else { "" };
            let more: String = more.collect();
            format!("{} {}{more}{place}{dialog}", entry.kind.as_str(), entry.label)
        });
        lines.collect()
    }

    #[test]
    fn a_snapshot_of_playwright_has_controls_headings_and_dialogs() {
        let text = r#"- Page Title: Your cart
- generic [ref=e1]:
  - navigation [ref=e2]:
    - link "Home" [ref=e3] [cursor=pointer]:
      - /url: /
  - heading "Cart" [level=1] [ref=e4]
  - 'button "Pay: it''s \"due\"" [disabled] [ref=e5]'
  - tab "One" [selected] [ref=e7]
  - combobox "Sort" [ref=e10]:
    - option "A" [selected]
    - option "B"
  - combobox "City" [ref=e11]
  - button "More" [expanded] [ref=e15]
  - generic [ref=e14] [cursor=pointer]: A row
  - paragraph [ref=e23]: "Some text: with colon"
  - dialog [ref=e17]:
    - heading "Delete?" [level=2]
    - button "Yes" [active] [ref=e18]"#;
        let found = screen_of(Some("https://shop.ex/cart"), text).unwrap();
        assert_eq!(found.screen.title, "Your cart");
        let titles: Vec<&str> =
            found.screen.sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(titles, ["Cart", "Dialog: Delete?", "Delete?"]);
        assert_eq!(
            controls(&found),
            [
                "link Home https://shop.ex/ (menu)",
                "button Pay: it's \"due\"",
                "tab One selected",
                "select Sort",
                "field City",
                "button More expanded",
                "item A row",
                "button Yes (dialog)",
            ]
        );
    }

    #[test]
    fn a_snapshot_of_developer_tools_has_the_same_and_prose_is_none() {
        let text = r#"uid=1_0 RootWebArea "Shop" url="https://shop.ex/"
  uid=1_1 link "Cart" url="https://shop.ex/cart"
    uid=1_2 StaticText "Cart"
  uid=1_3 combobox "Sort" expandable haspopup="menu" value="A"
    uid=1_4 option "A" selectable selected value="A""#;
        let found = screen_of(None, text).unwrap();
        assert_eq!(found.screen.title, "Shop");
        assert_eq!(controls(&found), ["link Cart https://shop.ex/cart", "select Sort"]);
        assert!(screen_of(None, "Your cart\n- two things\n- pay now").is_none());
    }
}
