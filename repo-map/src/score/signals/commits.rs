//! Signals from earlier commits: those similar to the goal, and those that changed a test together
//! with a file.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use crate::score::first_pass::Lexicon;
use crate::score::history::Commit;
use crate::score::role::Role;
use crate::score::signals::causes::{Cause, Causes, Scores, best, saturated};
use crate::score::signals::files::{FileSignals, Sources};
use crate::score::words::idf;

/// The maximum number of files in a commit that votes: larger commits are weak evidence for each
/// file.
const FILES_OF_A_VOTER: usize = 30;
const FILES_OF_A_TEST_COMMIT: usize = 20;
/// The number of commits similar to the goal that vote, and of similar tests.
const VOTERS: usize = 50;
const TESTS: usize = 15;

impl<'a> FileSignals<'a> {
    fn by_path(&self) -> HashMap<&'a str, usize> {
        self.sources
            .tree
            .files
            .iter()
            .enumerate()
            .map(|(at, file)| (file.path.as_str(), at))
            .collect()
    }

    /// Returns the votes of the commits most similar to the goal for the files they changed. A
    /// commit's vote is divided by the square root of its number of files.
    pub(super) fn votes(&self) -> BTreeMap<usize, Causes> {
        let Sources { commits, goal, .. } = self.sources;
        let lexicon = Lexicon::of(goal);
        let messages: Vec<(Vec<(u16, u32)>, u32)> =
            commits.par_iter().map(|commit| lexicon.count(commit.message.as_bytes())).collect();
        let mut df = vec![0u32; goal.n_terms()];
        messages
            .iter()
            .flat_map(|(terms, _)| terms)
            .for_each(|(term, _)| df[usize::from(*term)] += 1);
        let n = messages.len() as f64;
        let average = messages.iter().map(|(_, n)| f64::from(*n)).sum::<f64>() / n.max(1.0);
        let likeness = |(terms, n_words): &(Vec<(u16, u32)>, u32)| -> f64 {
            let length = f64::from(*n_words) / average.max(1.0);
            let one = |(term, tf): &(u16, u32)| {
                libm::sqrt(goal.weight(*term))
                    * idf(n, df[usize::from(*term)])
                    * saturated(f64::from(*tf), length)
            };
            terms.iter().filter(|(term, _)| goal.is_term(*term)).map(one).sum()
        };
        let small = messages
            .iter()
            .enumerate()
            .filter(|(at, _)| commits[*at].paths.len() <= FILES_OF_A_VOTER);
        let mut voters: Vec<(f64, usize)> = small
            .map(|(at, message)| (likeness(message), at))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        voters.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let by_path = self.by_path();
        let mut votes: BTreeMap<usize, Causes> = BTreeMap::new();
        for (score, at) in voters.into_iter().take(VOTERS) {
            let paths = &commits[at].paths;
            for file in paths.iter().filter_map(|path| by_path.get(path.as_str())) {
                votes
                    .entry(*file)
                    .or_default()
                    .push((Cause::Commit(at), score / libm::sqrt(paths.len() as f64)));
            }
        }
        votes
    }

    /// Returns the votes of tests similar to the goal for the files changed together with them: the
    /// commits that touched a test show which code it covers. `likeness` is the score of each file
    /// without regard to its role.
    pub(crate) fn of_tests(&self, likeness: &Scores) -> Vec<Causes> {
        let commits = self
            .sources
            .commits
            .iter()
            .filter(|commit| commit.paths.len() <= FILES_OF_A_TEST_COMMIT);
        let is_test =
            |file: &usize| self.sources.facts[*file].role() == Role::Test && likeness[*file] > 0.0;
        let tests = best(likeness, TESTS, is_test);
        let weights: BTreeMap<usize, f64> = tests
            .into_iter()
            .enumerate()
            .map(|(at, file)| (file, likeness[file] / (1.0 + at as f64 / 5.0)))
            .collect();
        let by_path = self.by_path();
        let mut n_commits = vec![0.0; self.n_files()];
        let mut together: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for commit in commits {
            let files: Vec<usize> = commit
                .paths
                .iter()
                .filter_map(|path| by_path.get(path.as_str()).copied())
                .collect();
            files.iter().for_each(|file| n_commits[*file] += 1.0);
            for test in files.iter().filter(|file| weights.contains_key(file)) {
                for file in files.iter().filter(|file| *file != test) {
                    *together.entry((*file, *test)).or_default() +=
                        1.0 / libm::sqrt(files.len() as f64);
                }
            }
        }
        let mut causes = vec![Vec::new(); self.n_files()];
        for ((file, test), n) in together {
            let cosine = cosine(n, n_commits[test], n_commits[file]);
            causes[file].push((Cause::File(test), weights[&test] * cosine));
        }
        causes
    }
}

/// Returns the cosine of the commits of a test and a file; two and five added commits damp chance
/// pairs.
fn cosine(together: f64, of_test: f64, of_file: f64) -> f64 {
    together / libm::sqrt((of_test + 2.0) * (of_file + 5.0))
}

/// Returns the paths that commits changed together with a file, each with the cosine that a test
/// has. Large commits do not count.
pub(crate) fn changed_with<'c>(commits: &'c [Commit], path: &str) -> BTreeMap<&'c str, f64> {
    let small = || commits.iter().filter(|commit| commit.paths.len() <= FILES_OF_A_TEST_COMMIT);
    let mut together: BTreeMap<&str, f64> = BTreeMap::new();
    let mut of_file = 0.0;
    for commit in small().filter(|commit| commit.paths.iter().any(|one| one == path)) {
        of_file += 1.0;
        for other in commit.paths.iter().filter(|other| *other != path) {
            *together.entry(other).or_default() += 1.0 / libm::sqrt(commit.paths.len() as f64);
        }
    }
    let mut n_commits: HashMap<&str, f64> = HashMap::new();
    for other in small().flat_map(|commit| &commit.paths).map(String::as_str) {
        if together.contains_key(other) {
            *n_commits.entry(other).or_default() += 1.0;
        }
    }
    let cosine = |(other, n): (&'c str, f64)| (other, cosine(n, n_commits[other], of_file));
    together.into_iter().map(cosine).collect()
}
