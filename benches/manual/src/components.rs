//! The components of a vehicle with the folders around them, from a list that is indented as they
//! nest.

use std::sync::LazyLock;

use crate::kind::{LeafKind, kinds_of};

/// The folder of all relays and modules, and that of all sensors and switches.
const BY_CLASS: [(&str, [&str; 2]); 2] =
    [("Relays and Modules", ["relay", "module"]), ("Sensors and Switches", ["sensor", "switch"])];

/// A folder, or a component with its leaves.
#[derive(Debug)]
pub(crate) struct Component {
    /// The folders around it, outermost first, and its own name.
    pub(crate) path: Vec<&'static str>,
    pub(crate) kinds: &'static [LeafKind],
    /// How people call it.
    pub(crate) alias: Option<&'static str>,
    /// Where it is listed once more.
    pub(crate) second_path: Option<Vec<String>>,
}

impl Component {
    pub(crate) fn label(&self) -> &'static str {
        self.path.last().copied().unwrap_or_default()
    }
}

/// All components in the order of the list.
pub(crate) static COMPONENTS: LazyLock<Vec<Component>> =
    LazyLock::new(|| read(include_str!("components.txt")));

fn read(list: &'static str) -> Vec<Component> {
    let mut components = Vec::new();
    let mut around: Vec<&'static str> = Vec::new();
    for line in list.lines() {
        let mut parts = line.split(" = ");
        let label = parts.next().unwrap_or_default();
        around.truncate((label.len() - label.trim_start().len()) / 2);
        around.push(label.trim_start());
        let Some(class) = parts.next() else { continue };
        components.push(Component {
            path: around.clone(),
            kinds: kinds_of(class).unwrap_or_default(),
            alias: parts.next(),
            second_path: second_path(&around, class),
        });
    }
    components
}

fn second_path(path: &[&'static str], class: &str) -> Option<Vec<String>> {
    let (top, _) = BY_CLASS.iter().find(|(_, classes)| classes.contains(&class))?;
    let (first, system, label) = (path.first()?, path.get(1)?, path.last()?);
    let is_there = BY_CLASS.iter().any(|(top, _)| top == first);
    let group = format!("{top} - {system}");
    (!is_there).then(|| vec![(*top).to_owned(), group, (*label).to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_has_leaves_and_a_name_of_its_own() {
        let mut labels: Vec<&str> = COMPONENTS.iter().map(Component::label).collect();
        labels.sort_unstable();
        let n = labels.len();
        labels.dedup();
        assert_eq!((n, labels.len()), (n, n));
        for component in COMPONENTS.iter() {
            assert!(!component.kinds.is_empty(), "{component:?}");
            assert!((2..=7).contains(&component.path.len()), "{component:?}");
            let label = component.label().to_lowercase();
            assert!(component.alias.is_none_or(|alias| !alias.contains(&label)), "{component:?}");
        }
    }
}
