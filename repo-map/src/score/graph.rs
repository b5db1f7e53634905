//! The graph of dependencies between files: imports, references by name, and PageRank over it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::score::first_pass::{FileFacts, global_name};
use crate::score::identifiers::is_shell_script;
use crate::score::includes::Includes;
use crate::score::index::IndexEntry;
use crate::score::packages::{self, GoPackages, NamedPackages};
use crate::score::reach::{NameReach, Nameable};
use crate::score::resolver::Resolver;
use crate::score::role::Role;
use crate::score::words;
use crate::source::cache::{self, PackKind};
use crate::source::scan::Tree;
use crate::source::shared_pack::SharedPack;

/// PageRank: the share that follows edges (Page et al. 1999 use 0.85), and the number of rounds.
pub(crate) const DAMPING: f64 = 0.85;
const ROUNDS: usize = 30;

/// What an import of a whole package counts beside one of a file: which of its files are meant, the
/// names tell that the code uses.
const OF_PACKAGE: f64 = 0.25;
/// The most files of one name: a class has one for each platform.
const MOST_OF_NAME: usize = 3;

/// The pack of the graph, stored as a whole.
pub(crate) const IMPORTS: PackKind =
    PackKind { name: "imports", most: 256 << 20, one_in: cache::ANY };
const ALL: &str = "imports";

/// Weighted edges from each file to those it depends on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph {
    /// For each file, its targets and their weights, sorted by target. Graphs of one tree share it.
    imports: Arc<Vec<Edges>>,
    /// All edges of the files that have more than those.
    extended: BTreeMap<usize, Edges>,
}

/// The targets of one file and their weights, sorted by target.
type Edges = Vec<(u32, f64)>;

impl Graph {
    /// Returns the graph of imports over the whole tree, read from the pack if the imports are the
    /// same, otherwise resolved and stored.
    pub(crate) fn of_imports(tree: &Tree, facts: &[FileFacts], pack: &SharedPack) -> Graph {
        let mut all = blake3::Hasher::new();
        for (file, facts) in tree.files.iter().zip(facts) {
            let leads_to = file.leads_to.as_deref().unwrap_or_default();
            for text in [&*file.path, leads_to, &*facts.imports, &*facts.package] {
                all.update(&text.len().to_le_bytes()).update(text.as_bytes());
            }
        }
        let all = all.finalize();
        let known = pack.now();
        let kept: Option<Vec<Edges>> =
            known.get(ALL, &all).and_then(|edges| postcard::from_bytes(edges).ok());
        if let Some(edges) = kept.filter(|edges| are_of(edges, tree.files.len())) {
            return Graph::new(edges);
        }
        let edges = resolved(tree, facts);
        if known.is_kept() {
            drop(known);
            let bytes = postcard::to_stdvec(&edges).unwrap_or_default();
            pack.change(|pack| pack.put(ALL, None, all, bytes));
        }
        Graph::new(edges)
    }

    fn new(imports: Vec<Edges>) -> Graph {
        Graph { imports: Arc::new(imports), extended: BTreeMap::new() }
    }

    /// The targets of a file and their weights, sorted by target.
    pub(crate) fn edges_of(&self, file: usize) -> &[(u32, f64)] {
        self.extended.get(&file).unwrap_or_else(|| &self.imports[file])
    }

    /// The targets of a file's imports and their weights, sorted by target.
    pub(crate) fn imports_of(&self, file: usize) -> &[(u32, f64)] {
        &self.imports[file]
    }

    /// The edges of every file, in the order of the tree.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        (0..self.imports.len()).map(|file| self.edges_of(file))
    }

    /// Adds edges of another kind.
    pub(crate) fn add(&mut self, file: usize, targets: Vec<(u32, f64)>) {
        let mut all = self.edges_of(file).to_vec();
        all.extend(targets);
        self.extended.insert(file, merged(all));
    }

    /// Adds edges of references between the files judged in depth: from a file that uses a name to
    /// the files that define it. Functions of shell scripts are used by shell scripts alone, those
    /// of builds by builds, and headings by prose. Code of C and C++ uses the headers that it
    /// includes: many of them have a `format`.
    pub(crate) fn add_references(
        &mut self,
        tree: &Tree,
        entries: &BTreeMap<usize, IndexEntry>,
        facts: &[FileFacts],
        is_overview: bool,
    ) {
        const MOST_DEFINERS: usize = 5;
        /// Who uses a function of C depends on its declaration.
        const BEHIND_HEADER: f64 = 0.25;
        /// Without an import a name can only be a member of a value, and a plain word such as
        /// `description` is that of any type.
        const NOT_IMPORTED: f64 = 0.25;
        let is_shell = |file: usize| is_shell_script(&tree.files[file].path);
        let is_within = |role: Role, (file, target): (usize, usize)| {
            facts[target].role() != role || facts[file].role() == role
        };
        let imports = Arc::clone(&self.imports);
        let includes = Includes::of(tree, &imports);
        let mut definers: HashMap<&str, Vec<u32>> = HashMap::new();
        for (file, entry) in entries {
            for name in entry.names_for_others() {
                definers.entry(name).or_default().push(*file as u32);
            }
        }
        self.add_parts(entries, &mut definers);
        let reach = NameReach::new(tree, &imports);
        // A newcomer wants to know what code uses.
        let is_user = |file: usize| !is_overview || !facts[file].role().is_prose();
        for (file, entry) in entries.iter().filter(|(file, _)| is_user(**file)) {
            let mut targets = Vec::new();
            let reached = includes.reached_by(*file);
            let nameable = if is_overview { reach.of(*file) } else { Nameable::All };
            let global: Vec<&str> = facts[*file].imports.lines().filter_map(global_name).collect();
            for (word, n) in &entry.depth.identifiers {
                let files = definers.get(word.as_str()).filter(|_| !global.contains(&&**word));
                let Some(files) = files else { continue };
                let meant = nameable.meant(files);
                let files = meant.as_ref().unwrap_or(files);
                if files.len() > MOST_DEFINERS {
                    continue;
                }
                let can_use = |target: usize| {
                    target != *file
                        && (!is_shell(target) || is_shell(*file))
                        && is_within(Role::Config, (*file, target))
                        && is_within(Role::Docs, (*file, target))
                };
                let looks_like_code = words::looks_like_identifier(word) && word.len() >= 8;
                let certainty = if looks_like_code { 1.0 } else { uncertain(meant.is_some()) };
                let weight = certainty * libm::sqrt(f64::from(*n)) / files.len() as f64;
                let used = || files.iter().filter(|target| can_use(**target as usize));
                let is_near = |target: u32| reached.has(target as usize, word);
                let is_declared =
                    used().any(|target| is_near(*target) && includes.is_header(*target as usize));
                targets.extend(used().filter_map(|target| match *target {
                    target if is_near(target) => {
                        let both = (*file, target as usize);
                        let is_nameable = reach.can_name(&nameable, target);
                        match is_nameable && packages::can_name(tree, facts, &imports[*file], both)
                        {
                            true => Some((target, weight)),
                            false => looks_like_code.then_some((target, weight * NOT_IMPORTED)),
                        }
                    }
                    target if is_declared && includes.is_source(target as usize) => {
                        Some((target, weight * BEHIND_HEADER))
                    }
                    _ => None,
                }));
            }
            self.add(*file, targets);
        }
    }

    /// Makes the main parts of a type that stands in several files its definers, with edges to the
    /// other parts: a name that many files define would be that of none.
    fn add_parts<'a>(
        &mut self,
        entries: &'a BTreeMap<usize, IndexEntry>,
        definers: &mut HashMap<&'a str, Vec<u32>>,
    ) {
        let mut types: BTreeMap<&str, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
        for (file, entry) in entries {
            let mut own: BTreeMap<&str, bool> = BTreeMap::new();
            for (name, is_main) in entry.parts() {
                *own.entry(name).or_default() |= is_main;
            }
            for (name, is_main) in own {
                let (main, others) = types.entry(name).or_default();
                if is_main { main } else { others }.push(*file as u32);
            }
        }
        for (name, (main, others)) in types.into_iter().filter(|(_, (main, _))| !main.is_empty()) {
            for file in &main {
                self.add(*file as usize, others.iter().map(|other| (*other, 1.0)).collect());
            }
            definers.insert(name, main);
        }
    }

    /// Computes PageRank with a restart distribution that need not be normalised, and the share
    /// that follows edges. Sums run in file order, so that the result is the same on every machine.
    pub(crate) fn page_rank(&self, restart: &[f64], damping: f64) -> Vec<f64> {
        let n = self.imports.len();
        let total: f64 = restart.iter().sum();
        if n == 0 || total <= 0.0 {
            return vec![0.0; n];
        }
        let restart: Vec<f64> = restart.iter().map(|weight| weight / total).collect();
        let edges: Vec<&[(u32, f64)]> = self.edges().collect();
        let out: Vec<f64> =
            edges.iter().map(|edges| edges.iter().map(|(_, weight)| weight).sum()).collect();
        let mut rank = restart.clone();
        for _ in 0..ROUNDS {
            let mut next = vec![0.0; n];
            let mut lost = 0.0;
            for (file, edges) in edges.iter().enumerate() {
                if edges.is_empty() {
                    lost += rank[file];
                }
                for (target, weight) in *edges {
                    next[*target as usize] += rank[file] * weight / out[file];
                }
            }
            for (next, restart) in next.iter_mut().zip(&restart) {
                *next = damping * (*next + lost * restart) + (1.0 - damping) * restart;
            }
            rank = next;
        }
        rank
    }
}

/// What a use of a plain word counts, such as `drop`: more where an import says whose it is.
fn uncertain(is_imported: bool) -> f64 {
    if is_imported { 0.5 } else { 0.2 }
}

/// Whether edges could be those of so many files: what was read from a pack may be anything.
fn are_of(edges: &[Edges], n_files: usize) -> bool {
    let is_edge = |(target, weight): &(u32, f64)| {
        (*target as usize) < n_files && weight.is_normal() && *weight > 0.0
    };
    edges.len() == n_files && edges.iter().flatten().all(is_edge)
}

fn resolved(tree: &Tree, facts: &[FileFacts]) -> Vec<Edges> {
    let resolver = Resolver::of(tree);
    let packages = GoPackages::of(tree, facts);
    let named = NamedPackages::of(tree, facts);
    // A link beside its file is that file.
    let followed = |target: u32| {
        let leads_to = tree.files[target as usize].leads_to.as_deref();
        leads_to.and_then(|path| tree.position(path)).map_or(target, |file| file as u32)
    };
    facts
        .iter()
        .enumerate()
        .map(|(file, facts)| {
            let mut targets: Vec<(u32, f64)> = Vec::new();
            for import in facts.imports.lines().filter(|import| global_name(import).is_none()) {
                let path = &tree.files[file].path;
                let mut found = packages
                    .resolve(path, import)
                    .or_else(|| named.resolve(file as u32, path, import))
                    .unwrap_or_else(|| resolver.resolve(path, import));
                found.iter_mut().for_each(|target| *target = followed(*target));
                found.sort_unstable();
                found.dedup();
                let of_all = if found.len() > MOST_OF_NAME { OF_PACKAGE } else { 1.0 };
                let weight = of_all / found.len().max(1) as f64;
                targets.extend(
                    found
                        .into_iter()
                        .filter(|target| *target as usize != file)
                        .map(|target| (target, weight)),
                );
            }
            merged(targets)
        })
        .collect()
}

fn merged(mut targets: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
    targets.sort_by_key(|(target, _)| *target);
    targets.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rank_flows_to_what_is_leaned_on() {
        let graph = Graph::new(vec![vec![(2, 1.0)], vec![(2, 1.0)], vec![]]);
        let rank = graph.page_rank(&[1.0, 1.0, 1.0], DAMPING);
        assert!(rank[2] > rank[0] && rank[0] == rank[1]);
    }
}
