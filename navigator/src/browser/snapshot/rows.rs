//! The rows of controls that have the same name: what tells one `Delete` of a list from another.

use std::collections::{BTreeMap, BTreeSet};

use super::control::{ControlRole, PageControl};
use super::dom::Dom;
use super::names::Names;

/// How far around a control its row can reach, in nodes.
const DEEP: usize = 8;
/// How far up a row is looked for from another control of the name.
const FAR: usize = 100;

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
    // The name of a thing may be a link to it. What can be done in every row names none. The values
    // of fields change, and may be a person's own.
    let is_name = |(node, control): &&(usize, PageControl)| {
        control.role == ControlRole::Link && !twins.contains(node)
    };
    let links: BTreeSet<usize> = controls.iter().filter(is_name).map(|(node, _)| *node).collect();
    let is_out = |node: usize| is_control(node) && !links.contains(&node);
    let mut beside: BTreeMap<usize, String> = BTreeMap::new();
    let mut texts: BTreeMap<usize, String> = BTreeMap::new();
    for nodes in &groups {
        for (at, node) in nodes.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| nodes.get(at));
            let others = before.into_iter().chain(nodes.get(at + 1));
            let shared = others.flat_map(|other| dom.around(*other).take(FAR));
            let shared: BTreeSet<usize> = shared.collect();
            let around = dom.around(*node).skip(1).take(DEEP);
            let row = around.take_while(|outer| !shared.contains(outer)).last();
            let text = row.map(|row| {
                let text = || names.text_of_row(row, &is_out);
                texts.entry(row).or_insert_with(text).clone()
            });
            let text = text.filter(|text| !text.is_empty());
            let text = text.or_else(|| names.around(*node, is_control));
            beside.extend(text.map(|text| (*node, text)));
        }
    }
    for (node, control) in controls {
        control.beside = beside.remove(node).filter(|text| *text != control.name);
    }
}
