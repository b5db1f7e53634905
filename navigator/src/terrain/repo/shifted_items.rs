//! The names of items that differ between the contexts of two turns, as text.

use std::cmp::Reverse;
use std::fmt::Write as _;

use repo_map::Level;

use super::shifts::ItemShift;

/// The maximum number of bodies named that fell without a wish, of one file.
const MOST_BODIES: usize = 3;
/// The maximum number of items named for one cause and level.
const MOST_ITEMS: usize = 6;

/// Names the bodies among items that fell without a wish, those of most worth first; empty where
/// none fell.
pub(super) fn bodies(items: &[(&str, &ItemShift)]) -> String {
    let is_body = |(_, item): &&(&str, &ItemShift)| {
        item.from >= Level::Body && item.to < Level::Body && !item.is_part
    };
    let mut bodies: Vec<&(&str, &ItemShift)> = items.iter().filter(is_body).collect();
    bodies.sort_by_key(|(name, item)| (Reverse(item.worth), *name));
    let (first, rest) = bodies.split_at(bodies.len().min(MOST_BODIES));
    let mut names: Vec<String> = first.iter().map(|(name, _)| (*name).to_owned()).collect();
    match (names.len(), rest.len()) {
        (0, _) => return String::new(),
        (_, 0) => {}
        (_, n) => names.push(format!("{n} more")),
    }
    format!(
        " with the {} of {}",
        if bodies.len() == 1 { "body" } else { "bodies" },
        names.join(" and ")
    )
}

/// Names the items of one cause, by the level that they rose to or fell from, those of most worth
/// first. An item stands for what lies in it.
pub(super) fn named(cause: &str, items: &[(&str, &ItemShift)]) -> String {
    let mut out = String::new();
    for level in [Level::Full, Level::Body, Level::Interface, Level::Outline] {
        let is_here = |(_, item): &&(&str, &ItemShift)| item.from.max(item.to) == level;
        let mut here: Vec<&(&str, &ItemShift)> =
            items.iter().filter(is_here).filter(|(_, item)| !item.is_part).collect();
        here.sort_by_key(|(name, item)| (Reverse(item.worth), *name));
        let Some((_, one)) = here.first() else { continue };
        let when = if one.to > one.from { "now" } else { "no longer" };
        let (first, rest) = here.split_at(here.len().min(MOST_ITEMS));
        let mut names: Vec<String> = first.iter().map(|(name, _)| (*name).to_owned()).collect();
        if !rest.is_empty() {
            let tokens: u32 = rest.iter().filter_map(|(_, item)| item.tokens).sum();
            let tokens = if tokens > 0 { format!(", {tokens} tokens") } else { String::new() };
            names.push(format!("… {} more{tokens}", rest.len()));
        }
        let _ = write!(out, "; {cause}, {when} {level}: {}", names.join(", "));
    }
    out
}
