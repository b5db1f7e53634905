//! What a file of C or C++ can use: the headers that it includes, and those that they include.

use std::collections::BTreeSet;

use crate::score::words;
use crate::source::scan::Tree;

const HEADERS: &[&str] = &["cuh", "h", "hh", "hpp", "hxx", "inl", "ipp", "tcc"];
const SOURCES: &[&str] = &["c", "cc", "cpp", "cxx"];

/// The includes of files of C and C++.
pub(super) struct Includes<'a> {
    imports: &'a [Vec<(u32, f64)>],
    is_header: Vec<bool>,
    is_source: Vec<bool>,
    /// The files with the name of a header that another file includes: of several, the one that
    /// is meant depends on the target of the build.
    has_its_name: Vec<bool>,
}

/// Reports whether a file is a header of C or C++, by its name.
pub(super) fn is_header(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| HEADERS.contains(&extension))
}

impl<'a> Includes<'a> {
    /// Takes the targets of the imports of each file.
    pub(super) fn of(tree: &Tree, imports: &'a [Vec<(u32, f64)>]) -> Includes<'a> {
        let has = |file: usize, extensions: &[&str]| {
            let extension = tree.files[file].path.rsplit_once('.').map(|(_, extension)| extension);
            extension.is_some_and(|extension| extensions.contains(&extension))
        };
        let all = |extensions| (0..imports.len()).map(|file| has(file, extensions)).collect();
        let (is_header, is_source): (Vec<bool>, Vec<bool>) = (all(HEADERS), all(SOURCES));
        let mut is_included = vec![false; imports.len()];
        for file in (0..imports.len()).filter(|file| is_header[*file] || is_source[*file]) {
            for (target, _) in &imports[file] {
                is_included[*target as usize] = is_header[*target as usize];
            }
        }
        let name = |file: usize| {
            let path = tree.files[file].path.as_str();
            path.rsplit('/').next().unwrap_or(path)
        };
        let included: BTreeSet<&str> =
            (0..imports.len()).filter(|file| is_included[*file]).map(name).collect();
        let has_its_name = (0..imports.len()).map(|file| included.contains(name(file))).collect();
        Includes { imports, is_header, is_source, has_its_name }
    }

    pub(super) fn is_header(&self, file: usize) -> bool {
        self.is_header[file]
    }

    pub(super) fn is_source(&self, file: usize) -> bool {
        self.is_source[file]
    }

    /// Reports whether a file may use another one though it does not include it: one of another
    /// language, and a header whose name no file includes, so that a compiler may add it to all.
    fn may_be_added(&self, file: usize) -> bool {
        !self.is_source(file) && !self.has_its_name[file]
    }

    fn is_code(&self, file: usize) -> bool {
        self.is_header(file) || self.is_source(file)
    }

    /// Returns what a file can use. One of another language can name everything.
    pub(super) fn reached_by(&self, file: usize) -> ReachedHeaders<'_> {
        if !self.is_code(file) {
            return ReachedHeaders { includes: self, headers: None };
        }
        let mut all = BTreeSet::new();
        let mut open = vec![file];
        while let Some(file) = open.pop() {
            if !self.is_code(file) {
                continue;
            }
            let targets = self.imports[file].iter().map(|(target, _)| *target as usize);
            open.extend(targets.filter(|target| all.insert(*target)));
        }
        ReachedHeaders { includes: self, headers: Some(all) }
    }
}

fn looks_like_name(word: &str) -> bool {
    words::looks_like_identifier(word) || word.starts_with(char::is_uppercase)
}

/// What one file can use.
pub(super) struct ReachedHeaders<'a> {
    includes: &'a Includes<'a>,
    headers: Option<BTreeSet<usize>>,
}

impl ReachedHeaders<'_> {
    /// Reports whether the file means another one by a word: what a source defines is nothing to
    /// others before a header declares it. What is no code of C, such as a README, has many words
    /// that some header defines, so that only those count that look like a name.
    pub(super) fn has(&self, target: usize, word: &str) -> bool {
        match &self.headers {
            Some(headers) => headers.contains(&target) || self.includes.may_be_added(target),
            None => !self.includes.is_code(target) || looks_like_name(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_with_the_name_of_an_included_one_is_added_to_no_file() {
        let tree = Tree::of_paths(&["a.c", "kernel/deps.h", "lib/config.h", "lib/deps.h"]);
        let imports = vec![vec![(3, 1.0)], Vec::new(), Vec::new(), Vec::new()];
        let includes = Includes::of(&tree, &imports);
        let reached = includes.reached_by(0);
        let has: Vec<usize> = (1..4).filter(|file| reached.has(*file, "count_bits")).collect();
        assert_eq!(has, [2, 3]);
    }
}
