//! Functions that say the same as better ones: overloads, and wrappers that all hand on to one.
//! It counts without a goal alone: a fix often changes all of them.

use std::collections::{BTreeMap, HashMap};

use crate::outline::Item;
use crate::score::index::IndexEntry;

/// The number of the best functions that are compared with each other.
const COMPARED: usize = 300;
/// The minimum number of names in a function: the shortest ones are all alike.
const FEWEST_NAMES: usize = 8;
/// The share of the names of two functions, in percent, that both of copies have.
const ALIKE: usize = 70;
/// The number of functions that are alike and count whole: twins often change together.
const TWINS: usize = 2;
/// The factor for a further one.
const FURTHER: f64 = 0.5;

/// Lowers each further copy.
pub(super) fn lower<'a>(
    entry_of: impl Fn(usize) -> &'a IndexEntry,
    scores: &mut BTreeMap<usize, Vec<f64>>,
) {
    for ((file, at), factor) in factors(entry_of, scores) {
        if let Some(scores) = scores.get_mut(&file) {
            scores[at] *= factor;
        }
    }
}

/// Returns the factor of each further copy, given the scores of all items.
fn factors<'a>(
    entry_of: impl Fn(usize) -> &'a IndexEntry,
    scores: &BTreeMap<usize, Vec<f64>>,
) -> BTreeMap<(usize, usize), f64> {
    let mut best: Vec<(f64, usize, usize)> = Vec::new();
    for (file, scores) in scores {
        let items = entry_of(*file).depth.outline.items.iter().zip(scores).enumerate();
        // Of a function that is only declared, the parameters say nothing: C names them all alike.
        let is_function = |item: &Item| item.kind.is_function() && item.body.is_some();
        let functions = items.filter(|(_, (item, score))| is_function(item) && **score > 0.0);
        best.extend(functions.map(|(at, (_, score))| (*score, *file, at)));
    }
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    best.truncate(COMPARED);
    let mut ids: HashMap<&str, u32> = HashMap::new();
    let mut before: Vec<Vec<u32>> = Vec::new();
    let mut factors = BTreeMap::new();
    for (_, file, at) in best {
        let names = names_of(entry_of(file), at, &mut ids);
        if names.len() < FEWEST_NAMES {
            continue;
        }
        if before.iter().filter(|other| are_alike(other, &names)).count() >= TWINS {
            factors.insert((file, at), FURTHER);
        }
        before.push(names);
    }
    factors
}

/// Returns the names in an item but its own, as ascending numbers.
fn names_of<'a>(entry: &'a IndexEntry, at: usize, ids: &mut HashMap<&'a str, u32>) -> Vec<u32> {
    let item: &Item = &entry.depth.outline.items[at];
    let names = entry.uses_of(at).filter(|name| *name != item.used_name());
    let mut names: Vec<u32> = names
        .map(|name| {
            let next = ids.len() as u32;
            *ids.entry(name).or_insert(next)
        })
        .collect();
    names.sort_unstable();
    names
}

fn are_alike(a: &[u32], b: &[u32]) -> bool {
    if a.len().min(b.len()) * 100 < a.len().max(b.len()) * ALIKE {
        return false;
    }
    let common = a.iter().filter(|name| b.binary_search(name).is_ok()).count();
    common * 100 >= (a.len() + b.len() - common) * ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_most_of_their_names() {
        let (short, long): (Vec<u32>, Vec<u32>) = ((0..10).collect(), (0..14).collect());
        assert!(are_alike(&short, &long));
        let longer: Vec<u32> = (0..15).collect();
        assert!(!are_alike(&short, &longer));
        let moved: Vec<u32> = (2..12).collect();
        assert!(!are_alike(&short, &moved), "8 of 12 names");
    }
}
