//! Pages of a site that are written for newcomers, by their paths: tutorials, introductions.

use crate::score::role::Role;

/// What the names of such pages contain, without case and signs: `gittutorial`, `Quick-Start`.
const PARTS: &[&str] =
    &["tutorial", "quickstart", "gettingstarted", "getstarted", "firststeps", "introduction"];
/// The first words of such names: `intro-whatis`, and not `man_intro`, a page of a manual.
const FIRST_WORDS: &[&str] = &["intro"];
/// Names that say so alone: a style guide is for others.
const NAMES: &[&str] =
    &["guide", "guides", "overview", "basics", "install", "installation", "installing"];

/// The value of such a page at the root of its site, beside 1 of the page that the site begins
/// with.
const VALUE: f64 = 0.9;
/// The factor for each folder above it: a part of a site may have an introduction of its own.
const DEEPER: f64 = 0.85;
/// The factor for a page in a folder of that name: a later chapter of a tutorial.
const IN_FOLDER: f64 = 0.8;

/// Returns the value of a page for a newcomer, between 0 and 1; `None` for other pages.
pub(crate) fn guide(path: &str) -> Option<f64> {
    if Role::of_page(path) != Role::Source {
        return None;
    }
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next().unwrap_or(name);
    let is_folder_page = stem == "index";
    let in_folder = || folders.split('/').any(is_for_newcomers);
    let own = match is_for_newcomers(stem) {
        true => 1.0,
        false if !in_folder() => return None,
        false if is_folder_page => 1.0,
        false => IN_FOLDER,
    };
    Some(VALUE * own * libm::pow(DEEPER, path.matches('/').count() as f64))
}

fn is_for_newcomers(name: &str) -> bool {
    let name = name.to_lowercase();
    let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
    let first = name.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    PARTS.iter().any(|part| letters.contains(part))
        || FIRST_WORDS.contains(&first)
        || NAMES.contains(&letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_for_newcomers_are_known_by_their_names() {
        for (path, value) in [
            ("quickstart.html", Some(90)),
            ("GettingStarted.html", Some(90)),
            ("gittutorial.html", Some(90)),
            ("tutorial/index.html", Some(76)),
            ("tutorial/classes.html", Some(61)),
            ("intro/tutorial01.html", Some(76)),
            ("ref/contrib/gis/tutorial.html", Some(55)),
            ("style-guide.html", None),
            ("man_intro.html", None),
            ("library/introspection.html", None),
            ("_modules/intro.html", None),
            ("whatsnew/overview.html", None),
        ] {
            let found = guide(path).map(|value| (100.0 * value) as u32);
            assert_eq!(found, value, "{path}");
        }
    }
}
