//! What pages about releases count: they are long lists that have the words of any goal.

use crate::shared::{Role, lower_words};

/// What a text or a place there counts beside others.
const OF_RELEASE_NOTES: f64 = 0.5;
/// The words of goals that are about releases.
const ABOUT: &[&str] = &[
    "change",
    "changed",
    "changelog",
    "changes",
    "deprecated",
    "history",
    "news",
    "release",
    "released",
    "releases",
    "upgrade",
    "version",
    "versions",
];

/// Returns the factor for what stands at an address: less than 1 for the notes of a release, by
/// their path, unless the goal is about those.
pub(super) fn factor(goal: &str, address: &str) -> f64 {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let path = path.split_once('/').map_or("", |(_, path)| path);
    let path = path.split(['#', '?']).next().unwrap_or(path);
    match Role::of_page(path) == Role::ReleaseNotes
        && !lower_words(goal).any(|word| ABOUT.contains(&word.as_str()))
    {
        true => OF_RELEASE_NOTES,
        false => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_of_a_release_count_less() {
        let goal = "how do I exclude a folder";
        assert_eq!(factor(goal, "https://a.example/docs/changes.html#v1"), OF_RELEASE_NOTES);
        assert_eq!(factor(goal, "file:///releases/1.8.html"), OF_RELEASE_NOTES);
        assert_eq!(factor(goal, "https://changes.example/exclude.html"), 1.0);
        assert_eq!(factor("what changed in 1.8", "file:///releases/1.8.html"), 1.0);
    }
}
