//! Signals from the files around a file: imports, changes, the folder.

use std::collections::BTreeMap;

use crate::score::signals::causes::{Cause, Causes, Scores, of_lines};
use crate::score::signals::files::FileSignals;

impl<'a> FileSignals<'a> {
    pub(super) fn changed(&self, file: usize) -> Causes {
        let lines = self.sources.changes.get(&file);
        lines.map(|lines| (of_lines(lines.iter()), 1.0)).into_iter().collect()
    }

    /// Returns the changed files near a file: a file that depends on a changed one may have to
    /// change with it, and a file that a changed one depends on explains it.
    pub(super) fn near(&self, file: usize) -> Causes {
        let changes = self.sources.changes;
        let mut others: BTreeMap<usize, f64> = BTreeMap::new();
        for other in self.changed_users.get(&file).into_iter().flatten() {
            others.insert(*other, 0.5);
        }
        for (target, _) in self.sources.graph.edges_of(file) {
            if changes.contains_key(&(*target as usize)) {
                others.insert(*target as usize, 1.0);
            }
        }
        others
            .into_iter()
            .filter(|(other, _)| *other != file)
            .map(|(other, value)| (Cause::File(other), value))
            .collect()
    }

    /// Returns for each file that changed files depend on, those changed files.
    pub(super) fn changed_users(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut users: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for changed in self.sources.changes.keys() {
            for (target, _) in self.sources.graph.edges_of(*changed) {
                users.entry(*target as usize).or_default().push(*changed);
            }
        }
        users
    }

    /// Returns the files that depend on this one, without shares: PageRank flows through the whole
    /// graph.
    pub(super) fn users(&self, file: usize) -> Causes {
        let users = self.sources.graph.edges().enumerate();
        let users =
            users.filter(|(_, edges)| edges.iter().any(|(target, _)| *target as usize == file));
        users.map(|(user, _)| (Cause::File(user), 0.0)).collect()
    }

    /// Returns for each file the three best other files of the same folder.
    pub(crate) fn of_folder(&self, scores: &Scores) -> Vec<Causes> {
        let folder = |file: usize| {
            self.sources.tree.files[file].path.rsplit_once('/').map_or("", |(folder, _)| folder)
        };
        let mut folders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for file in (0..self.n_files()).filter(|file| scores[*file] > 0.0) {
            folders.entry(folder(file)).or_default().push(file);
        }
        for files in folders.values_mut() {
            files.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
            // Four are enough for three others than any one of them.
            files.truncate(4);
        }
        let others = |file: usize| {
            folders
                .get(folder(file))
                .into_iter()
                .flatten()
                .filter(move |other| **other != file)
                .take(3)
        };
        (0..self.n_files())
            .map(|file| others(file).map(|other| (Cause::File(*other), scores[*other])).collect())
            .collect()
    }
}
