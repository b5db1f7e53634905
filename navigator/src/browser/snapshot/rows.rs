//! The rows of controls that have the same name: what tells one `Delete` of a list from another.

use std::collections::{BTreeMap, BTreeSet};

use super::control::{ControlRole, PageControl};
use super::dom::Dom;
use super::names::Names;

/// How far around a control its row can reach, in nodes.
const DEEP: usize = 8;

/// Adds what stands in the rows of controls that have the same name.
pub(super) fn tell_apart(
    dom: &Dom<'_>,
    names: &Names<'_>,
    controls: &mut [(usize, PageControl)],
    is_control: &dyn Fn(usize) -> bool,
) {
    let mut same: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (node, control) in controls.iter() {
        same.entry((control.role.as_str(), &control.name)).or_default().push(*node);
    }
    let groups: Vec<Vec<usize>> = same.into_values().filter(|nodes| nodes.len() > 1).collect();
    let twins: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    // The name of a thing may be a link to it, or the value of a field. What can be done in every
    // row names none.
    let is_name = |(node, control): &&(usize, PageControl)| {
        control.role == ControlRole::Link && !twins.contains(node)
    };
    let links: BTreeSet<usize> = controls.iter().filter(is_name).map(|(node, _)| *node).collect();
    let value = |(node, control): &(usize, PageControl)| {
        let is_written = matches!(control.role, ControlRole::Field | ControlRole::Combobox);
        Some((*node, control.value.clone().filter(|_| is_written)?))
    };
    let values: BTreeMap<usize, String> = controls.iter().filter_map(value).collect();
    let is_out = |node: usize| is_control(node) && !links.contains(&node);
    let mut rows: BTreeMap<usize, String> = BTreeMap::new();
    for nodes in &groups {
        for (at, node) in nodes.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| nodes.get(at));
            let others = before.into_iter().chain(nodes.get(at + 1));
            let shared: BTreeSet<usize> = others.flat_map(|other| dom.around(*other)).collect();
            let around = dom.around(*node).skip(1).take(DEEP);
            let row = around.take_while(|outer| !shared.contains(outer)).last();
            let text = row.map(|row| names.text_of_row(row, &is_out, &values));
            let text = text.filter(|text| !text.is_empty());
            rows.extend(text.or_else(|| names.around(*node, is_control)).map(|text| (*node, text)));
        }
    }
    for (node, control) in controls {
        control.beside = rows.remove(node).filter(|text| *text != control.name);
    }
}
