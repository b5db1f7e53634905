//! Items that match the goal, and the items that they use.

use std::collections::{BTreeMap, HashMap};

use crate::score::index::IndexEntry;
use crate::score::role::Role;
use crate::score::signals::files::Sources;
use crate::score::signals::items::ItemSignals;
use crate::score::signals::kinds::ItemSignal;

/// An item that matches the goal; the items that it uses are promising.
struct Seed {
    worth: f64,
    file: usize,
    item: usize,
}

/// The number of matching items that pass on part of their score, and the maximum number of
/// definitions of a used name.
const SEEDS: usize = 12;
const MOST_DEFINERS: usize = 6;
/// The share of a use within one file: items beside a strong one have the score of its file
/// already.
const SAME_FILE: f64 = 0.7;

impl<'e, 'a> ItemSignals<'e, 'a> {
    /// Returns the items that match the goal: by their words, their names, a stack trace.
    fn seeds(&self) -> Vec<Seed> {
        let goal = self.file_signals.sources.goal;
        let named: BTreeMap<&str, f64> = goal
            .identifiers
            .iter()
            .filter(|one| one.is_code)
            .map(|one| (one.word.as_str(), one.weight))
            .collect();
        let heaviest = named.values().copied().fold(1e-9, f64::max);
        let mut seeds = Vec::new();
        for (file, entry) in self.file_signals.sources.source_entries() {
            let items = entry.depth.outline.items.iter().enumerate();
            // A test has the words of what it tests, and uses the helpers of tests.
            let is_seed =
                |item: usize| !entry.is_between(item) && !entry.depth.outline.is_test(item);
            for (item, one) in items.filter(|(item, _)| is_seed(*item)) {
                let words = self.value(ItemSignal::Words, file, item);
                let title = self.value(ItemSignal::Title, file, item);
                let name = named.get(one.used_name()).map_or(0.0, |weight| weight / heaviest);
                let own = 0.4 * words
                    + 0.4 * title
                    + 0.6 * name
                    + if self.traced(file, item).is_some() { 0.6 } else { 0.0 };
                let own = own + if self.changed(file, item).is_empty() { 0.0 } else { 1.0 };
                if own > 0.0 {
                    seeds.push(Seed { worth: own * (0.3 + 0.7 * self.files[file]), file, item });
                }
            }
        }
        seeds.sort_by(|a, b| {
            b.worth.total_cmp(&a.worth).then((a.file, a.item).cmp(&(b.file, b.item)))
        });
        seeds.truncate(SEEDS);
        seeds
    }

    /// Returns the items that the seeds use, by the names in their text. The rarer a name, the
    /// higher the confidence.
    pub(super) fn used(&self) -> BTreeMap<(usize, usize), ((usize, usize), f64)> {
        let sources = self.file_signals.sources;
        let names = UsedNames::of(sources);
        let mut used: BTreeMap<(usize, usize), ((usize, usize), f64)> = BTreeMap::new();
        for seed in self.seeds() {
            for name in sources.entries[&seed.file].uses_of(seed.item) {
                let user = (seed.file, seed.item);
                let targets = names.meant(sources, user, name);
                if targets.len() > MOST_DEFINERS {
                    continue;
                }
                let rare = names.rarity(name);
                let value = seed.worth * rare * rare / libm::sqrt(targets.len() as f64);
                for target in targets {
                    let value = if target.0 == seed.file { SAME_FILE * value } else { value };
                    let best = used.entry(target).or_insert(((seed.file, seed.item), value));
                    if value > best.1 {
                        *best = ((seed.file, seed.item), value);
                    }
                }
            }
        }
        used
    }
}

/// The names in the source files judged in depth.
pub(crate) struct UsedNames<'a> {
    /// The definitions of each name, as other code uses it. Files and items by position.
    definitions: HashMap<&'a str, Vec<(usize, usize)>>,
    /// The number of files that have each name.
    users: HashMap<&'a str, u32>,
    n_files: f64,
}

impl<'a> UsedNames<'a> {
    pub(crate) fn of(sources: Sources<'a>) -> UsedNames<'a> {
        let (definitions, users) = (HashMap::new(), HashMap::new());
        let mut names = UsedNames { definitions, users, n_files: 0.0 };
        for (file, entry) in sources.source_entries() {
            names.n_files += 1.0;
            for (at, item) in entry.depth.outline.items.iter().enumerate() {
                names.definitions.entry(item.used_name()).or_default().push((file, at));
            }
            for (word, _) in &entry.depth.identifiers {
                *names.users.entry(word).or_default() += 1;
            }
        }
        names
    }

    /// Returns the definitions that a name in the text of an item can mean.
    pub(crate) fn meant(
        &self,
        sources: Sources<'_>,
        user: (usize, usize),
        name: &str,
    ) -> Vec<(usize, usize)> {
        self.definitions.get(name).map_or_else(Vec::new, |of_name| sources.meant(user, of_name))
    }

    /// Returns how rare a name is: 1 if one file has it, less the more have it.
    pub(crate) fn rarity(&self, name: &str) -> f64 {
        let users = f64::from(self.users.get(name).copied().unwrap_or(1));
        libm::log1p(self.n_files / users) / libm::log1p(self.n_files)
    }
}

impl<'a> Sources<'a> {
    fn source_entries(self) -> impl Iterator<Item = (usize, &'a IndexEntry)> {
        let Sources { entries, facts, .. } = self;
        entries
            .iter()
            .map(|(file, entry)| (*file, entry))
            .filter(|(file, entry)| entry.is_judged() && facts[*file].role() == Role::Source)
    }

    /// Returns those definitions of one name that an item can mean: in the same container, else in
    /// the same file, else in an imported file, else all. Files and items by position.
    fn meant(&self, user: (usize, usize), definitions: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let (user_file, user_item) = user;
        let items = &self.entries[&user_file].depth.outline.items;
        let edges = self.graph.edges_of(user_file);
        let is_beside = |(file, at): &(usize, usize)| {
            *file == user_file && items[*at].parent == items[user_item].parent
        };
        let is_in_file = |(file, _): &(usize, usize)| *file == user_file;
        let is_imported = |(file, _): &(usize, usize)| {
            edges.binary_search_by_key(file, |(target, _)| *target as usize).is_ok()
        };
        // A container stands for its members, which have scores of their own.
        let is_leaf = |(file, at): &(usize, usize)| *file != user_file || !items[*at].has_children;
        let leaves: Vec<_> = definitions.iter().copied().filter(is_leaf).collect();
        let nearness = |target: &(usize, usize)| match target {
            target if is_beside(target) => 0,
            target if is_in_file(target) => 1,
            target if is_imported(target) => 2,
            _ => 3,
        };
        let nearest = leaves.iter().map(nearness).min();
        let mut found = leaves;
        found.retain(|target| Some(nearness(target)) == nearest);
        // An item's own name in its text is no use of it.
        found.retain(|target| *target != user);
        found
    }
}
