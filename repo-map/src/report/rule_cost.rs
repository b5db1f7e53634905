//! The cost of a rule alone: what its files and items need at its level.

use crate::error::{Error, Result};
use crate::level::Level;
use crate::map::items::{base_choice, open_around_named, pinned};
use crate::map::judged::Judged;
use crate::plan::{Globs, Rule};
use crate::report::cost::tokens_at_levels;

/// Returns the tokens that the files of a rule need at its floor, with its items at their levels.
///
/// # Errors
/// If its glob does not compile.
pub fn tokens_of(judged: &Judged, rule: &Rule) -> Result<u32> {
    let glob = Globs::new([rule.path.as_str()]).map_err(|error| Error::rule("rule", error))?;
    let tree = judged.tree();
    let files: Vec<usize> =
        (0..tree.files.len()).filter(|file| glob.is_match(&tree.files[*file].path)).collect();
    judged.price(&files);
    let floor = rule.level.map_or(Level::Exclude, |level| level.floor);
    let of_file = |file: &usize| {
        let entry = judged.priced(*file);
        let outline = &entry.depth.outline;
        let items = rule.items.as_deref().unwrap_or_default();
        let pinned = open_around_named(outline, pinned(outline, items));
        if !pinned.is_empty() {
            let mut choice = base_choice(outline, floor);
            pinned.iter().for_each(|(item, level)| choice.items[*item] = *level);
            choice.name_containers(outline, &pinned);
            return entry.price().of(outline, &choice);
        }
        let levels = tokens_at_levels(judged, *file, entry);
        let lower = Level::ALL.into_iter().rev().filter(|level| *level <= floor);
        lower.filter_map(|level| levels.get(level.as_str()).copied()).next().unwrap_or(0)
    };
    let tokens: u64 = files.iter().map(|file| u64::from(of_file(file))).sum();
    Ok(u32::try_from(tokens).unwrap_or(u32::MAX))
}
