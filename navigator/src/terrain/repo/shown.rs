//! What a context has of one file: a level for all of it, or its items by level.

use std::collections::BTreeMap;

use repo_map::{FileReport, Judged, Level, RepoMap, cost};

/// What a context has of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileShown {
    /// The level, if it is the same for all items.
    pub level: Level,
    /// The size in tokens; 0 below level path.
    pub tokens: u32,
    /// The items that are shown, with their levels, if these differ from the file's.
    pub items: Option<BTreeMap<String, Level>>,
}

impl FileShown {
    /// Returns what a map has of a file.
    pub(super) fn in_report(
        repo: &Judged,
        file: &FileReport,
        map: &RepoMap,
    ) -> repo_map::Result<FileShown> {
        let items = match file.items.is_empty() {
            true => None,
            false => Some(levels(repo, file, map)?),
        };
        Ok(FileShown { level: file.level, tokens: file.tokens, items })
    }

    /// Formats it: `full 3314`, `path`, or `1397 for items: 3 full, 12 outline`; `part` is the noun
    /// for an item.
    pub fn text(&self, part: &str) -> String {
        match (&self.items, self.level) {
            (Some(items), _) => {
                let of = |wanted: Level| items.values().filter(|level| **level == wanted).count();
                let counts: Vec<String> =
                    [Level::Full, Level::Body, Level::Interface, Level::Outline]
                        .into_iter()
                        .filter(|level| of(*level) > 0)
                        .map(|level| format!("{} {level}", of(level)))
                        .collect();
                format!("{} for {part}s: {}", self.tokens, counts.join(", "))
            }
            (None, Level::Exclude | Level::Fold | Level::Path) => self.level.to_string(),
            (None, level) => format!("{level} {}", self.tokens),
        }
    }
}

/// Returns the items that a map shows of a file, with their levels.
pub(super) fn levels(
    repo: &Judged,
    file: &FileReport,
    map: &RepoMap,
) -> repo_map::Result<BTreeMap<String, Level>> {
    let items = cost::items_shown(repo, &file.path, map)?.into_iter();
    let shown = items.filter(|item| item.level >= Level::Outline);
    Ok(shown.map(|item| (item.name, item.level)).collect())
}
