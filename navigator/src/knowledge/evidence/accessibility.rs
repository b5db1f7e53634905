//! Accessibility snapshots as other agents send them: a node a line, with its role and its name.
//!
//! Playwright writes `- button "Save" [disabled] [ref=e5]`, with `- /url: /about` below a link;
//! Chrome's developer tools write `uid=1_5 button "Save" disabled`. Depth is indentation.

use crate::knowledge::evidence::page_text::PageText;
use crate::knowledge::model::feature::FeatureKind;
use crate::walk::screen::{DIALOG, EntryKind};

/// What a snapshot may lack: the title, and things of a list that a script alone makes clickable.
const UNSEEN: &[FeatureKind] = &[FeatureKind::Title, FeatureKind::Item, FeatureKind::State];
/// What a text of a snapshot may be: the name of a field, or a folder of a tree.
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

/// Returns what a text shows, if it is an accessibility snapshot: most of its lines are nodes.
pub(super) fn read(address: Option<&str>, text: &str) -> Option<PageText> {
    let mut reader = SnapshotReader {
        page: PageText::new(address, OF_TEXTS, UNSEEN),
        open: Vec::new(),
        is_nameless: false,
    };
    let (mut n_nodes, mut n_others) = (0, 0);
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let line = line.trim();
        if let Some(title) = line.strip_prefix("- Page Title:") {
            reader.page.set_title(title);
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
    (n_nodes > n_others).then_some(reader.page)
}

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
    let of_playwright = line.strip_prefix("- ");
    let is_yaml = of_playwright.is_some();
    let line = of_playwright.or_else(of_chrome)?;
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
    let (attributes, value) = rest.split_once(": ").filter(|_| is_yaml).unwrap_or((rest, ""));
    is_node.then(|| SnapshotNode { role, name, attributes, value: value.trim() })
}

/// Reads a name with its quotes, as JSON has them: what it says, and what follows.
fn quoted_name(quoted: &str) -> Option<(String, &str)> {
    let mut names = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
    let name = names.next()?.ok()?;
    Some((name, &quoted[names.byte_offset()..]))
}

impl SnapshotNode<'_> {
    /// Reports whether a node has a state: a word outside of quotes.
    fn is(&self, state: &str) -> bool {
        let words = self.attributes.split('"').step_by(2).flat_map(|part| {
            part.split(|c: char| !c.is_ascii_alphanumeric() && c != '=' && c != '-')
        });
        words.into_iter().any(|word| word == state)
    }

    /// Returns what a node is, if it is a control.
    fn kind(&self) -> Option<EntryKind> {
        let is_pointed_at = self.attributes.contains("[cursor=pointer]");
        kind_of_role(self.role).or_else(|| is_pointed_at.then_some(EntryKind::Item))
    }
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

/// A node that is open, while the lines below it are read.
struct OpenNode {
    depth: usize,
    is_menu: bool,
    /// The number of the dialog that it stands in; 0 outside of all.
    dialog: usize,
    /// The position of the entry that it is, or that it stands in.
    entry: Option<usize>,
}

/// Builds a page line by line.
struct SnapshotReader {
    page: PageText,
    open: Vec<OpenNode>,
    /// The last dialog has no name yet: that of its first heading.
    is_nameless: bool,
}

impl SnapshotReader {
    fn node(&mut self, depth: usize, node: &SnapshotNode<'_>) {
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            self.open.pop();
        }
        let around = self.open.last();
        let entry = around.and_then(|open| open.entry);
        if node.role == "/url" {
            entry.into_iter().for_each(|at| self.page.leads_to(at, node.value.trim_matches('"')));
            return;
        }
        let is_menu = matches!(node.role, "navigation" | "contentinfo");
        let mut open = OpenNode {
            depth,
            is_menu: is_menu || around.is_some_and(|open| open.is_menu),
            dialog: around.map_or(0, |open| open.dialog),
            entry,
        };
        self.page.may_list |= !open.is_menu && LISTED.contains(&node.role);
        match node.role {
            "RootWebArea" => self.page.set_title(&node.name),
            "heading" => self.heading(&node.name, open.dialog > 0),
            "dialog" | "alertdialog" => {
                open.dialog = self.page.begin_dialog();
                self.is_nameless = node.name.trim().is_empty();
                if !self.is_nameless {
                    self.page.add_section(DIALOG, &node.name);
                }
            }
            "option" if self.make_select(entry) => {}
            _ => open.entry = self.control(node, &open).or(entry),
        }
        self.open.push(open);
    }

    fn heading(&mut self, name: &str, is_in_dialog: bool) {
        // What the page calls a dialog is none.
        let name = name.trim_start_matches(DIALOG);
        if self.is_nameless && is_in_dialog {
            self.is_nameless = false;
            self.page.add_section(DIALOG, name);
        }
        self.page.add_section("", name);
    }

    /// Makes a list to choose from of the field that an option stands in: one with suggestions has
    /// none below it. Reports whether there is such a field.
    fn make_select(&mut self, entry: Option<usize>) -> bool {
        let entry = entry.and_then(|at| self.page.screen.entries.get_mut(at));
        let field = entry.filter(|one| matches!(one.kind, EntryKind::Field | EntryKind::Select));
        field.is_some_and(|field| {
            field.kind = EntryKind::Select;
            true
        })
    }

    /// Adds a control, or takes note of words that are none. Those in a control are its value.
    /// Returns its position.
    fn control(&mut self, node: &SnapshotNode<'_>, open: &OpenNode) -> Option<usize> {
        let Some(kind) = node.kind() else {
            let words = [node.name.as_str(), node.value];
            let words = words.into_iter().find(|words| !words.trim().is_empty());
            let words = words.filter(|_| open.entry.is_none());
            words.into_iter().for_each(|words| self.page.add_text(words));
            return None;
        };
        let is_field = matches!(kind, EntryKind::Field | EntryKind::Slider);
        let label = if node.name.is_empty() && !is_field { node.value } else { &node.name };
        let states = ["expanded", "selected"].into_iter().filter(|state| node.is(state));
        let states = states.map(str::to_owned).collect();
        let at = self.page.add_entry(kind, label, states, open.dialog)?;
        self.page.screen.entries[at].is_content = !open.is_menu;
        let address = node.attributes.split_once("url=\"").and_then(|(_, at)| at.split('"').next());
        address.into_iter().for_each(|address| self.page.leads_to(at, address));
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kinds, labels, targets and states, and whether each control stands in the last dialog.
    fn controls(found: &PageText) -> Vec<String> {
        let inside = found.last_dialog().map(|screen| screen.entries).unwrap_or_default();
        let lines = found.screen.entries.iter().map(|entry| {
            let states = entry.control.iter().flat_map(|control| &control.states);
            let more = states.chain(&entry.target).map(|more| format!(" {more}"));
            let place = if entry.is_content { "" } else { " (menu)" };
            let dialog = if inside.contains(entry) { " (dialog)" } else { "" };
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
        let found = read(Some("https://shop.ex/cart"), text).unwrap();
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
  uid=1_3 combobox "Sort" expandable haspopup="menu" description="Tip: selected" value="A"
    uid=1_4 option "A" selectable selected value="A""#;
        let found = read(None, text).unwrap();
        assert_eq!(found.screen.title, "Shop");
        assert_eq!(controls(&found), ["link Cart https://shop.ex/cart", "select Sort"]);
        assert!(read(None, "Your cart\n- two things\n- pay now").is_none());
    }
}
