//! What other programs read: answers for a scorer, and the parts of every score for learning
//! weights.

use std::collections::BTreeMap;

use repo_map::report::json;
use repo_map::worth::FileScore;
use serde::Serialize;

use crate::instance::Instance;

/// How many files of a ranking are written with their parts, besides the gold.
const N_FILES: usize = 300;

/// An answer as a scorer reads it.
#[derive(Debug, Serialize)]
pub(crate) struct RankedAnswer {
    pub(crate) instance_id: String,
    /// Paths, best first.
    pub(crate) files: Vec<String>,
    /// `path:Class.method`, best first.
    pub(crate) functions: Vec<String>,
    /// Path, first and last line of what the largest map shows, best first.
    pub(crate) spans: Vec<(String, u32, u32)>,
    pub(crate) seconds: f64,
}

/// The parts of the scores of an instance's files.
#[derive(Debug, Serialize)]
pub(crate) struct Parts {
    instance_id: String,
    repo: String,
    language: String,
    gold: Vec<String>,
    files: Vec<(String, u32, BTreeMap<&'static str, f64>)>,
}

impl Parts {
    /// The parts of the best files, and of the gold files wherever they stand.
    pub(crate) fn of(instance: &Instance, ranking: &[(&str, &FileScore)]) -> Parts {
        let is_wanted = |(at, (path, _)): &(usize, &(&str, &FileScore))| {
            *at < N_FILES || instance.gold_files.contains(*path)
        };
        let wanted = ranking.iter().enumerate().filter(is_wanted);
        let files = wanted
            .map(|(_, (path, worth))| {
                ((*path).to_owned(), worth.score, json::ranked(path, worth).parts)
            })
            .collect();
        Parts {
            instance_id: instance.instance_id.clone(),
            repo: instance.repo.clone(),
            language: instance.language.clone(),
            gold: instance.gold_files.iter().cloned().collect(),
            files,
        }
    }
}
