//! Files that the goal quotes: paths, and frames of stack traces.

use std::collections::BTreeMap;

use crate::score::goal::Frame;
use crate::score::signals::files::FileSignals;

/// The maximum number of files that a quoted path may match; with more it is ignored.
const QUOTED_FILES: usize = 5;

impl<'a> FileSignals<'a> {
    pub(super) fn framed(&self) -> Vec<Option<usize>> {
        let one = |frame: &Frame| match self.files_ending_with(&frame.path)[..] {
            [file] => Some(file),
            _ => None,
        };
        self.sources.goal.frames.iter().map(one).collect()
    }

    /// Returns for each file its innermost frame with its value: 1 for the innermost frame in the
    /// repository, each one further out 0.7 of the one before.
    pub(super) fn frames(&self) -> BTreeMap<usize, (usize, f64)> {
        let mut frames = BTreeMap::new();
        let mut value = 1.0;
        for (frame, file) in
            self.framed.iter().enumerate().filter_map(|(frame, file)| Some((frame, (*file)?)))
        {
            frames.entry(file).or_insert((frame, value));
            value *= 0.7;
        }
        frames
    }

    /// Returns the files whose path ends with a quoted one; a name that several files share counts
    /// less.
    pub(super) fn quoted(&self) -> BTreeMap<usize, (usize, f64)> {
        let mut quoted: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for (at, path) in self.sources.goal.paths.iter().enumerate() {
            let files = self.files_ending_with(path);
            let value = 1.0 / libm::sqrt(files.len() as f64);
            for file in files.iter().filter(|_| files.len() <= QUOTED_FILES) {
                let best = quoted.entry(*file).or_insert((at, value));
                if value > best.1 {
                    *best = (at, value);
                }
            }
        }
        quoted
    }

    /// Returns the files that share the most trailing parts with a path, at least its name.
    fn files_ending_with(&self, path: &str) -> Vec<usize> {
        let wanted: Vec<&str> = path.split('/').rev().collect();
        let common =
            |file: &str| file.split('/').rev().zip(&wanted).take_while(|(a, b)| a == *b).count();
        let mut best = 1;
        let mut files = Vec::new();
        for (at, file) in self.sources.tree.files.iter().enumerate() {
            let n = common(&file.path);
            if n > best {
                best = n;
                files.clear();
            }
            if n == best {
                files.push(at);
            }
        }
        files
    }
}
