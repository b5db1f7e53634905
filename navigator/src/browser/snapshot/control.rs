//! What is known of a control of a page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The kinds of controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ControlRole {
    Link,
    Button,
    /// A field to write into.
    Field,
    /// A field to write into, with a list to choose from.
    Combobox,
    Checkbox,
    Radio,
    /// A list to choose from.
    Select,
    Slider,
    /// A field for a file.
    File,
    Tab,
    MenuItem,
    /// A choice of a list that the page draws itself.
    Option,
    TreeItem,
    /// An area that a script draws on.
    Canvas,
    /// Something else that takes clicks.
    Item,
}

impl ControlRole {
    /// Reports whether a click can do more than begin to write, choose or mark.
    pub(crate) fn is_pressed(self) -> bool {
        !matches!(
            self,
            ControlRole::Field
                | ControlRole::Combobox
                | ControlRole::Checkbox
                | ControlRole::Radio
                | ControlRole::Select
                | ControlRole::Slider
                | ControlRole::File
        )
    }

    /// Reports whether a click marks it, which a page may act on.
    pub(crate) fn is_box(self) -> bool {
        matches!(self, ControlRole::Checkbox | ControlRole::Radio)
    }

    /// Returns the word that people read.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ControlRole::Link => "link",
            ControlRole::Button => "button",
            ControlRole::Field => "field",
            ControlRole::Combobox => "combobox",
            ControlRole::Checkbox => "checkbox",
            ControlRole::Radio => "radio",
            ControlRole::Select => "select",
            ControlRole::Slider => "slider",
            ControlRole::File => "file",
            ControlRole::Tab => "tab",
            ControlRole::MenuItem => "menu item",
            ControlRole::Option => "option",
            ControlRole::TreeItem => "tree item",
            ControlRole::Canvas => "canvas",
            ControlRole::Item => "item",
        }
    }
}

/// What is known of the state of a control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ControlState {
    Checked,
    Selected,
    Expanded,
    Collapsed,
    Required,
    ReadOnly,
    /// It has a value that stays secret.
    Filled,
    Multiple,
    Draggable,
    Disabled,
    /// Something else lies over it.
    Covered,
    /// One has to scroll to see it.
    OffScreen,
}

impl ControlState {
    /// Returns the word that people read.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            ControlState::Checked => "checked",
            ControlState::Selected => "selected",
            ControlState::Expanded => "expanded",
            ControlState::Collapsed => "collapsed",
            ControlState::Required => "required",
            ControlState::ReadOnly => "read only",
            ControlState::Filled => "filled",
            ControlState::Multiple => "multiple",
            ControlState::Draggable => "draggable",
            ControlState::Disabled => "disabled",
            ControlState::Covered => "covered",
            ControlState::OffScreen => "off screen",
        }
    }
}

/// A choice of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ControlOption {
    pub(crate) name: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_selected: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_disabled: bool,
}

/// A control of a page. Its number is its position, from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageControl {
    pub(crate) role: ControlRole,
    /// What people call it.
    pub(crate) name: String,
    /// The tooltip, where it is not the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// The text that is drawn on what can be pressed, where it is not the name: a page may give a
    /// button that says `Delete` another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) drawn_text: Option<String>,
    /// The address that a press asks for with the fields of its form, which it sends with a GET.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asks_for: Option<String>,
    /// The value of a field; never that of a password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) states: Vec<ControlState>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<ControlOption>,
    /// The attributes of a field that say what it takes, as they stand.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) attributes: BTreeMap<String, String>,
    /// The address that a link leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    /// It is a link that its own attributes make more than one: a script of its own, or a method.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_handled: bool,
    /// The heading above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) under: Option<String>,
    /// The text around it, where several controls have the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) beside: Option<String>,
    /// It stands in the content, and not in a menu or a footer.
    pub(crate) is_content: bool,
}

impl PageControl {
    pub(crate) fn is(&self, state: ControlState) -> bool {
        self.states.contains(&state)
    }
}

/// A session, and the number that it knows a node by.
pub(super) type NodePlace = (usize, i64);

/// Where the browser has a control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ControlPlace {
    /// The session of its frame, as captures name it.
    pub(crate) session: usize,
    /// The number of its node in the session.
    pub(crate) node: i64,
    /// The node that takes the clicks: a label where the control itself is not seen.
    pub(crate) clicked: i64,
    /// The label, which takes clicks for the control.
    pub(crate) label: Option<i64>,
}

impl ControlPlace {
    /// Reports whether a node is the control, what takes its clicks, or its label.
    pub(crate) fn has(&self, (session, node): NodePlace) -> bool {
        let own = [Some(self.clicked), Some(self.node), self.label];
        session == self.session && own.contains(&Some(node))
    }
}
